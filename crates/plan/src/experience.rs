//! What this cluster measured of its own. Where it is known, it corrects what the constants say.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::planner::as_it_ran;
use crate::predictor::Predictor;
use crate::{Constants, Links, Machine, ModelFacts, Workload};

/// What a model gave on some of the machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub model: ModelFacts,
    /// Indices of the machines that took part.
    pub machines: Vec<usize>,
    pub stages: usize,
    pub decode_tokens_per_s: f64,
    /// Where a prompt was long enough to tell.
    pub prefill_tokens_per_s: Option<f64>,
}

/// What was measured, of what was predicted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratios {
    pub decode: f64,
    pub prefill: f64,
}

impl Ratios {
    pub const NONE: Ratios = Ratios { decode: 1.0, prefill: 1.0 };
}

/// By the machines that took part, ascending.
pub(crate) struct Experience(BTreeMap<Vec<usize>, Ratios>);

/// A measurement further off than this says more about that moment than about the machine.
const RATIO_MAX: f64 = 10.0;

impl Experience {
    pub fn of(runs: &[Run], machines: &[Machine], links: &Links) -> Experience {
        let mut seen: BTreeMap<Vec<usize>, [Vec<f64>; 2]> = BTreeMap::new();
        for run in runs {
            let Some(draft) = as_it_ran(&run.model, machines, &run.machines, run.stages) else { continue };
            let workload = Workload::default();
            let model = &run.model;
            let predictor = Predictor { constants: &Constants::FITTED, model, machines, links, workload };
            let predicted = predictor.predict(&draft);
            let [decode, prefill] = seen.entry(sorted(&run.machines)).or_default();
            let ratio =
                |measured: f64, predicted: f64| (measured / predicted).clamp(1.0 / RATIO_MAX, RATIO_MAX);
            decode.push(ratio(run.decode_tokens_per_s, predicted.decode.tokens_per_s()));
            prefill.extend(run.prefill_tokens_per_s.map(|it| ratio(it, predicted.prefill.tokens_per_s())));
        }
        let ratios =
            |[decode, prefill]: [Vec<f64>; 2]| Ratios { decode: median(decode), prefill: median(prefill) };
        Experience(seen.into_iter().map(|(machines, both)| (machines, ratios(both))).collect())
    }

    /// What these machines gave together; where they never ran together, what those of them gave that ran alone.
    pub fn ratios(&self, machines: &[usize]) -> Ratios {
        if let Some(known) = self.0.get(&sorted(machines)) {
            return *known;
        }
        let alone: Vec<_> = machines.iter().filter_map(|machine| self.0.get(&vec![*machine])).collect();
        let mean = |of: fn(&Ratios) -> f64| {
            let logs: f64 = alone.iter().map(|ratios| of(ratios).ln()).sum();
            (logs / alone.len().max(1) as f64).exp()
        };
        Ratios { decode: mean(|it| it.decode), prefill: mean(|it| it.prefill) }
    }
}

fn sorted(machines: &[usize]) -> Vec<usize> {
    let mut machines = machines.to_vec();
    machines.sort_unstable();
    machines
}

/// One where there is none.
fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, Link, Pins, plan, plan_knowing};

    fn machine(name: &str) -> Machine {
        Machine { name: name.into(), room_bytes: 8_000_000_000, device: Device::cpu(8, 80e9), has_file: true }
    }

    fn model() -> ModelFacts {
        ModelFacts {
            layers: 16,
            weights_bytes: 1_000_000_000,
            read_bytes: 900_000_000,
            context_trained: 8192,
            ranks_max: 8,
            hidden: 2048,
            dense_parameters: 1_000_000_000,
            cache_bytes_per_token: 65_536,
            ..ModelFacts::default()
        }
    }

    #[test]
    fn what_was_measured_corrects_what_is_predicted() {
        let machines = [machine("a"), machine("b")];
        let links = Links::mesh(2, Link { round_trip_us: 2000.0, bytes_per_s: 1e8 });
        let alone = |name: &str| Pins { nodes: vec![name.into()], ..Pins::default() };
        let plain = plan(&model(), &machines, &links, &alone("a")).unwrap().prediction;
        let run = |machines: &[usize], ratio: f64| Run {
            model: model(),
            machines: machines.to_vec(),
            stages: 1,
            decode_tokens_per_s: plain.decode.tokens_per_s() * ratio,
            prefill_tokens_per_s: None,
        };
        let speed = |runs: &[Run], pins: &Pins| {
            let plan = plan_knowing(&model(), &machines, &links, pins, runs).unwrap();
            plan.prediction.decode.tokens_per_s() / plain.decode.tokens_per_s()
        };
        let close =
            |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
        // The same machine: as measured; the median of several, and only that machine.
        close(speed(&[run(&[0], 0.5)], &alone("a")), 0.5);
        close(speed(&[run(&[0], 0.5), run(&[0], 2.0), run(&[0], 0.6)], &alone("a")), 0.6);
        close(speed(&[run(&[0], 0.5)], &alone("b")), 1.0);
        // The faster of two is taken, by what was measured.
        let chosen = |runs: &[Run]| {
            let plan = plan_knowing(&model(), &machines, &links, &Pins::default(), runs).unwrap();
            plan.stages
                .iter()
                .flat_map(|stage| &stage.ranks)
                .map(|rank| rank.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(chosen(&[run(&[0], 0.5)]), ["b"]);
        assert_eq!(chosen(&[run(&[1], 0.5)]), ["a"]);
        // What cannot have been is left out, and a moment's stutter counts for little.
        close(speed(&[Run { stages: 3, ..run(&[0], 0.5) }, run(&[7], 0.5)], &alone("a")), 1.0);
        close(speed(&[run(&[0], 1e-6)], &alone("a")), 0.1);
    }
}
