//! How fast a division of a model will be, and where the time goes.
//!
//! Decoding reads: every rank reads its part of the weights that a token uses and of the cache, each layer costs something beyond its
//! bytes, and ranks that share layers make two sums in each. Prompts compute: arithmetic, one reading of all weights that a batch of
//! tokens touches, the same costs per layer, and longer sums.

use crate::{Constants, DeviceKind, Link, Links, Machine, ModelFacts, Ratios, planner::Draft};
use serde::Serialize;

/// What a prediction is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Workload {
    /// Tokens of context while decoding.
    pub depth: usize,
    /// Tokens of a prompt.
    pub prompt: usize,
    /// Tokens of a prompt that run together.
    pub batch: usize,
}

impl Default for Workload {
    fn default() -> Self {
        Workload { depth: 1024, prompt: 2048, batch: 512 }
    }
}

/// Where the time of one token goes, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TokenTime {
    /// Reading weights.
    pub weights_s: f64,
    /// Reading keys and values.
    pub cache_s: f64,
    /// Multiplying; while decoding it hides behind reading.
    pub arithmetic_s: f64,
    /// What layers cost beyond that.
    pub layers_s: f64,
    /// Sums between ranks that share layers.
    pub sums_s: f64,
    /// From stage to stage.
    pub hops_s: f64,
}

impl TokenTime {
    pub fn total_s(&self) -> f64 {
        self.weights_s + self.cache_s + self.arithmetic_s + self.layers_s + self.sums_s + self.hops_s
    }

    pub fn tokens_per_s(&self) -> f64 {
        1.0 / self.total_s().max(1e-9)
    }

    fn times(self, factor: f64) -> TokenTime {
        TokenTime {
            weights_s: self.weights_s * factor,
            cache_s: self.cache_s * factor,
            arithmetic_s: self.arithmetic_s * factor,
            layers_s: self.layers_s * factor,
            sums_s: self.sums_s * factor,
            hops_s: self.hops_s * factor,
        }
    }

    fn add(&mut self, other: &TokenTime) {
        self.weights_s += other.weights_s;
        self.cache_s += other.cache_s;
        self.arithmetic_s += other.arithmetic_s;
        self.layers_s += other.layers_s;
        self.sums_s += other.sums_s;
        self.hops_s += other.hops_s;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// One token of an answer, for one stream.
    pub decode: TokenTime,
    /// One token of a prompt.
    pub prefill: TokenTime,
}

impl Prediction {
    /// As much faster or slower as such predictions turned out to be.
    pub(crate) fn corrected(self, by: Ratios) -> Prediction {
        Prediction {
            decode: self.decode.times(1.0 / by.decode),
            prefill: self.prefill.times(1.0 / by.prefill),
        }
    }
}

pub(crate) struct Predictor<'a> {
    pub constants: &'a Constants,
    pub model: &'a ModelFacts,
    pub machines: &'a [Machine],
    pub links: &'a Links,
    pub workload: Workload,
}

impl Predictor<'_> {
    pub fn predict(&self, draft: &Draft) -> Prediction {
        let mut prediction = Prediction { decode: TokenTime::default(), prefill: TokenTime::default() };
        for (index, stage) in draft.stages.iter().enumerate() {
            let part = stage.layers.len() as f64 / self.model.layers.max(1) as f64;
            let slowest = |time: &dyn Fn(&Machine, f64) -> TokenTime| {
                let ranks = stage.machines.iter().zip(&stage.shares);
                ranks
                    .map(|(machine, share)| time(&self.machines[*machine], *share))
                    .max_by(|a, b| a.total_s().total_cmp(&b.total_s()))
                    .unwrap_or_default()
            };
            let batch = self.workload.batch.max(1);
            prediction.decode.add(&slowest(&|machine, share| self.decode(machine, part, share)));
            prediction.prefill.add(&slowest(&|machine, share| self.prefill(machine, part, share)));
            let sums = 2.0 * stage.layers.len() as f64 + self.model.more_sums as f64 * part;
            prediction.decode.sums_s += sums * self.sum_s(&stage.machines, 1);
            prediction.prefill.sums_s += sums * self.sum_s(&stage.machines, batch) / batch as f64;
            if let Some(next) = draft.stages.get(index + 1) {
                let link = self.links.get(stage.machines[0], next.machines[0]);
                prediction.decode.hops_s += self.message_s(link, 1);
                prediction.prefill.hops_s += self.message_s(link, batch) / batch as f64;
            }
        }
        prediction
    }

    fn decode(&self, machine: &Machine, part: f64, share: f64) -> TokenTime {
        let (model, constants, device) = (self.model, self.constants, &machine.device);
        let replicated = model.replicated_bytes as f64;
        let read = (model.read_bytes as f64 - replicated) * share + replicated;
        // Windows are short: what is read of them does not count beside the rest.
        let cached = model.cache_bytes_per_token as f64 * self.workload.depth as f64 * share;
        TokenTime {
            weights_s: read * part / constants.weights_bytes_per_s(device),
            cache_s: cached * part / constants.cache_bytes_per_s(device),
            layers_s: self.layers_s(machine) * part,
            ..TokenTime::default()
        }
    }

    fn prefill(&self, machine: &Machine, part: f64, share: f64) -> TokenTime {
        let (model, constants, device) = (self.model, self.constants, &machine.device);
        let batch = self.workload.batch.max(1);
        let experts = &model.experts;
        let chosen = experts.parameters as f64 * experts.used_part() / constants.expert_flops(device);
        let attention = model.attend_flops as f64 * self.workload.prompt as f64 / 2.0;
        let flops = 2.0 * (model.dense_parameters as f64 + chosen) + attention;
        let dense = model.read_bytes as f64 - experts.bytes as f64 * experts.used_part();
        let touched = experts.bytes as f64 * experts.touched_part(batch);
        TokenTime {
            weights_s: (dense + touched) * share * part
                / constants.weights_bytes_per_s(device)
                / batch as f64,
            arithmetic_s: flops * share * part / constants.flops_per_s(device),
            layers_s: self.layers_s(machine) * part / batch as f64,
            ..TokenTime::default()
        }
    }

    /// All layers, beyond their bytes.
    fn layers_s(&self, machine: &Machine) -> f64 {
        let (model, constants) = (self.model, self.constants);
        let layers = model.layers as f64
            + model.experts.layers as f64 * constants.expert_layer
            + model.latent_layers as f64 * constants.latent_layer;
        layers * constants.layer_s(&machine.device)
    }

    /// One sum of so many tokens. Everyone sends to everyone: the worst pair decides.
    fn sum_s(&self, members: &[usize], tokens: usize) -> f64 {
        if members.len() < 2 {
            return 0.0;
        }
        let pairs =
            members.iter().enumerate().flat_map(|(at, a)| members[at + 1..].iter().map(move |b| (*a, *b)));
        let others = (members.len() - 1) as f64;
        let bytes = self.activation_bytes() * tokens as f64;
        // Long sums are divided: everyone sends a part of them to everyone, twice.
        let sent = if tokens == 1 { bytes * others } else { 2.0 * bytes * others / members.len() as f64 };
        let travel = |link: Link| link.round_trip_us / 2e6 + sent / link.bytes_per_s.max(1.0);
        let worst = pairs.map(|(a, b)| travel(self.links.get(a, b))).fold(0.0, f64::max);
        // Where GPUs and cores share layers, the GPU hands over and then waits for the cores' part of the sum.
        let made = |cores: bool| {
            let devices = members.iter().map(|member| &self.machines[*member].device);
            let devices = devices.filter(|device| (device.kind == DeviceKind::Cpu) == cores);
            devices.map(|device| self.constants.sum_s(device)).fold(0.0, f64::max)
        };
        worst + (made(true) + made(false)) * (members.len() as f64).log2()
    }

    fn message_s(&self, link: Link, tokens: usize) -> f64 {
        let bytes = self.activation_bytes() * self.model.rows_sent.max(1) as f64 * tokens as f64;
        link.round_trip_us / 2e6 + bytes / link.bytes_per_s.max(1.0)
    }

    /// Activations travel as 32-bit floats.
    fn activation_bytes(&self) -> f64 {
        self.model.hidden as f64 * 4.0
    }
}
