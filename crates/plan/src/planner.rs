//! Speed and fit.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

use crate::cache_room::CONTEXT_GOOD;
use crate::experience::Experience;
use crate::predictor::Predictor;
use crate::{
    CONTEXT_MIN, Cache, CacheRoom, CacheWish, Constants, Link, Links, Machine, ModelFacts, Parallelism, Pins,
    Prediction, Ratios, Run, SEQUENCES_MAX, Workload, cache_room,
};

/// Who holds what, and what it will give.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    pub stages: Vec<PlanStage>,
    /// Tokens of one sequence.
    pub context: usize,
    /// Tokens the cache holds, of all sequences.
    pub cache_tokens: usize,
    /// Tokens it could hold if it were given all that is free.
    pub context_room: usize,
    pub prediction: Prediction,
    /// By what was measured on these machines, the prediction was corrected so much.
    pub corrected: Ratios,
    /// The links between ranks.
    pub links: Vec<(String, String, Link)>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanStage {
    pub layers: Range<usize>,
    pub ranks: Vec<PlanRank>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanRank {
    /// Index into the machines given.
    pub machine: usize,
    pub name: String,
    pub share: f64,
    /// Weights, working memory and cache.
    pub bytes: u64,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("no node is there to take it")]
    NoNodes,
    #[error(
        "it takes {} with a context of {context} tokens (weights {}, cache {}), but {} {} free together \
         ({rooms}); add a node, free memory, or choose a smaller quantisation or context",
        Bytes(*needed), Bytes(*weights), Bytes(*cache),
        if *nodes == 1 { "one node has".to_owned() } else { format!("{nodes} nodes have") }, Bytes(*free)
    )]
    TooBig { needed: u64, weights: u64, cache: u64, context: usize, nodes: usize, free: u64, rooms: String },
    #[error("node `{name}` is pinned, but only {known} are here")]
    NoSuchNode { name: String, known: String },
    #[error("{shares} shares are pinned for {nodes} nodes; give one for each")]
    Shares { shares: usize, nodes: usize },
    #[error("shares must be positive numbers, found {0:?}")]
    BadShares(Vec<f64>),
    #[error(
        "{nodes} nodes cannot share a layer of this model, at most {most} can; pin fewer, or parallelism pipeline"
    )]
    TooManyRanks { nodes: usize, most: usize },
    #[error("{nodes} nodes are pinned, but a model runs on {RANKS_MAX} at most; pin fewer")]
    TooManyNodes { nodes: usize },
    #[error("{nodes} nodes cannot divide this model by layers, at most {most} can; pin fewer")]
    TooFewLayers { nodes: usize, most: usize },
    #[error("a hybrid needs four nodes or more that form equal groups, {0} are here")]
    NoGroups(usize),
    #[error("a context of {asked} tokens is pinned, but the model was made for {trained}")]
    Context { asked: usize, trained: usize },
}

/// A division that may not fit.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub stages: Vec<DraftStage>,
}

#[derive(Clone, Debug)]
pub(crate) struct DraftStage {
    pub layers: Range<usize>,
    pub machines: Vec<usize>,
    /// Sum to one.
    pub shares: Vec<f64>,
}

/// Most ranks of a group, and so of a model: what collectives are made for.
pub const RANKS_MAX: usize = 16;
/// Cuts fall between blocks and heads, not exactly where the shares say.
const UNEVEN: f64 = 1.03;

/// The fastest division that fits.
pub fn plan(model: &ModelFacts, machines: &[Machine], links: &Links, pins: &Pins) -> Result<Plan, Refusal> {
    plan_knowing(model, machines, links, pins, &[])
}

/// As [`plan`], where so much was measured.
pub fn plan_knowing(
    model: &ModelFacts,
    machines: &[Machine],
    links: &Links,
    pins: &Pins,
    runs: &[Run],
) -> Result<Plan, Refusal> {
    if machines.is_empty() {
        return Err(Refusal::NoNodes);
    }
    if let Some(asked) = pins.context.filter(|asked| *asked > model.context_trained) {
        return Err(Refusal::Context { asked, trained: model.context_trained });
    }
    let cache = pins.cache.unwrap_or(Cache::F16);
    let model = &ModelFacts {
        cache_bytes_per_token: cache.bytes(model.cache_bytes_per_token),
        window_cache_bytes: cache.bytes(model.window_cache_bytes),
        sequences_max: if model.sequences_max == 0 { SEQUENCES_MAX } else { model.sequences_max },
        ..model.clone()
    };
    let experience = Experience::of(runs, machines, links);
    let speed = |machine: usize| reads(&machines[machine]) * experience.ratios(&[machine]).decode;
    let sets = machine_sets(machines, pins, speed)?;
    let workload = Workload::default();
    let predictor = Predictor { constants: &Constants::FITTED, model, machines, links, workload };
    let mut best: Option<((bool, f64), Plan)> = None;
    let mut refused = None;
    for set in &sets {
        for draft in drafts(model, machines, set, pins, &mut refused) {
            let Some(room) = draft.cache_room(model, machines, pins) else { continue };
            let ratios = experience.ratios(set);
            let prediction = predictor.predict(&draft).corrected(ratios);
            // Fetching weights takes time once; all else equal, those who have them come first.
            let without = draft.machines().filter(|machine| !machines[*machine].has_file).count();
            let worth = prediction.decode.tokens_per_s() * (1.0 - 0.01 * without as f64);
            // A good context comes before speed. A node more must be worth it.
            let good = room.context >= pins.context.unwrap_or(CONTEXT_GOOD).min(model.context_trained);
            let is_better = |(best_good, best): (bool, f64)| match good == best_good {
                true => worth > best * 1.02,
                false => good,
            };
            if best.as_ref().is_none_or(|(best, _)| is_better(*best)) {
                let plan = finish(model, machines, links, &draft, room, prediction, ratios);
                best = Some(((good, worth), plan));
            }
        }
    }
    best.map(|(_, plan)| plan).ok_or_else(|| {
        // What was asked for and cannot be done at all comes before what does not fit.
        refused
            .filter(|_| pins.parallelism.is_some() || !pins.nodes.is_empty())
            .unwrap_or_else(|| too_big(model, machines, pins))
    })
}

/// Which nodes to try together: the pinned ones, or the first one, two, three… of the roomiest and of the fastest.
fn machine_sets(
    machines: &[Machine],
    pins: &Pins,
    speed: impl Fn(usize) -> f64,
) -> Result<Vec<Vec<usize>>, Refusal> {
    if !pins.shares.is_empty() {
        if !pins.shares.iter().all(|share| share.is_finite() && *share > 0.0) {
            return Err(Refusal::BadShares(pins.shares.clone()));
        }
        let nodes = if pins.nodes.is_empty() { machines.len() } else { pins.nodes.len() };
        if pins.shares.len() != nodes {
            return Err(Refusal::Shares { shares: pins.shares.len(), nodes });
        }
    }
    if !pins.nodes.is_empty() {
        let find = |name: &String| {
            let known = || machines.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ");
            let missing = || Refusal::NoSuchNode { name: name.clone(), known: known() };
            machines.iter().position(|machine| machine.name == *name).ok_or_else(missing)
        };
        let pinned: Vec<usize> = pins.nodes.iter().map(find).collect::<Result<_, _>>()?;
        return match pinned.len() {
            nodes if nodes > RANKS_MAX => Err(Refusal::TooManyNodes { nodes }),
            _ => Ok(vec![pinned]),
        };
    }
    let all: Vec<usize> = (0..machines.len()).collect();
    if !pins.shares.is_empty() {
        if all.len() > RANKS_MAX {
            return Err(Refusal::TooManyNodes { nodes: all.len() });
        }
        return Ok(vec![all]);
    }
    let mut fastest = all.clone();
    fastest.sort_by(|a, b| speed(*b).total_cmp(&speed(*a)));
    let mut roomiest = all;
    roomiest.sort_by_key(|index| std::cmp::Reverse(machines[*index].room_bytes));
    let mut sets = Vec::new();
    for count in 1..=machines.len().min(RANKS_MAX) {
        for order in [&fastest, &roomiest] {
            let mut set = order[..count].to_vec();
            set.sort_unstable();
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
    }
    Ok(sets)
}

fn drafts(
    model: &ModelFacts,
    machines: &[Machine],
    set: &[usize],
    pins: &Pins,
    refused: &mut Option<Refusal>,
) -> Vec<Draft> {
    let wants = |kind| pins.parallelism.is_none_or(|pinned| pinned == kind);
    let count = set.len();
    let mut drafts = Vec::new();
    for weights in weightings(model, machines, set, pins) {
        if wants(Parallelism::Tensor) {
            match count <= model.ranks_max {
                true => drafts.push(grouped(model, set, &weights, 1)),
                false => *refused = Some(Refusal::TooManyRanks { nodes: count, most: model.ranks_max }),
            }
        }
        if wants(Parallelism::Pipeline) && count > 1 {
            match count <= model.stages_max() {
                true => drafts.push(grouped(model, set, &weights, count)),
                false => *refused = Some(Refusal::TooFewLayers { nodes: count, most: model.stages_max() }),
            }
        }
        if wants(Parallelism::Hybrid) {
            let groups = (2..count)
                .filter(|groups| count.is_multiple_of(*groups) && count / groups <= model.ranks_max);
            let before = drafts.len();
            drafts.extend(
                groups
                    .filter(|groups| *groups <= model.stages_max())
                    .map(|groups| grouped(model, set, &weights, groups)),
            );
            if drafts.len() == before {
                refused.get_or_insert(Refusal::NoGroups(count));
            }
        }
    }
    drafts
}

/// Parts in proportion to speed; the same, but no more than there is room for; and, for where that does not fit, to room.
fn weightings(model: &ModelFacts, machines: &[Machine], set: &[usize], pins: &Pins) -> Vec<Vec<f64>> {
    if !pins.shares.is_empty() {
        return vec![pins.shares.clone()];
    }
    let by = |of: fn(&Machine) -> f64| -> Vec<f64> {
        set.iter().map(|index| of(&machines[*index]).max(1.0)).collect()
    };
    let (speeds, rooms) = (by(reads), by(|machine| machine.room_bytes as f64));
    let context = pins.context.unwrap_or(CONTEXT_GOOD).min(model.context_trained);
    let needed = (model.weights_bytes + model.cache_bytes(context)) as f64 * UNEVEN;
    let most = rooms.iter().map(|room| (room - model.scratch_bytes as f64).max(1.0) / needed);
    let filled = filled(&speeds, &most.collect::<Vec<_>>());
    vec![speeds, filled, rooms]
}

/// Parts of one in proportion to `speeds`, none above its `most`: what is too much for one goes to the others.
fn filled(speeds: &[f64], most: &[f64]) -> Vec<f64> {
    let mut parts = vec![0.0; speeds.len()];
    let mut open: Vec<usize> = (0..speeds.len()).collect();
    let mut left = 1.0;
    loop {
        let total: f64 = open.iter().map(|at| speeds[*at]).sum();
        open.iter().for_each(|at| parts[*at] = left * speeds[*at] / total);
        let (full, rest): (Vec<_>, Vec<_>) = open.iter().partition(|at| parts[**at] > most[**at]);
        if full.is_empty() || rest.is_empty() {
            return parts;
        }
        for at in full {
            parts[at] = most[at];
            left -= most[at];
        }
        open = rest;
    }
}

/// Weights per second.
fn reads(machine: &Machine) -> f64 {
    Constants::FITTED.weights_bytes_per_s(&machine.device)
}

/// The division of a model that ran on these machines; `None` where it cannot have.
pub(crate) fn as_it_ran(
    model: &ModelFacts,
    machines: &[Machine],
    set: &[usize],
    stages: usize,
) -> Option<Draft> {
    let ranks = set.len();
    if ranks == 0 || stages == 0 || !ranks.is_multiple_of(stages) || stages > model.stages_max() {
        return None;
    }
    let speeds: Option<Vec<_>> = set.iter().map(|at| Some(reads(machines.get(*at)?).max(1.0))).collect();
    Some(grouped(model, set, &speeds?, stages))
}

/// The set cut into `groups` stages of consecutive machines.
fn grouped(model: &ModelFacts, set: &[usize], weights: &[f64], groups: usize) -> Draft {
    let size = set.len() / groups;
    let total: f64 = weights.iter().sum();
    let (mut stages, mut start, mut sum) = (Vec::with_capacity(groups), 0, 0.0);
    for group in 0..groups {
        let members = group * size..(group + 1) * size;
        let own: f64 = weights[members.clone()].iter().sum();
        sum += own;
        let ideal = (model.layers as f64 * sum / total).round() as usize;
        // At least one layer for this stage and each that follows.
        let end = match groups - 1 - group {
            0 => model.layers,
            after => ideal.clamp(start + 1, model.stages_max() - after),
        };
        let shares = weights[members.clone()].iter().map(|weight| weight / own).collect();
        stages.push(DraftStage { layers: start..end, machines: set[members].to_vec(), shares });
        start = end;
    }
    Draft { stages }
}

impl Draft {
    pub fn machines(&self) -> impl Iterator<Item = usize> {
        self.stages.iter().flat_map(|stage| stage.machines.iter().copied())
    }

    /// Machines between which something goes at every token: all of a stage, from stage to stage, and back from the last.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for stage in &self.stages {
            for (at, a) in stage.machines.iter().enumerate() {
                pairs.extend(stage.machines[at + 1..].iter().map(|b| (*a, *b)));
            }
        }
        let heads: Vec<_> = self.stages.iter().map(|stage| stage.machines[0]).collect();
        pairs.extend(heads.windows(2).map(|pair| (pair[0], pair[1])));
        if let [first, _, .., last] = heads[..] {
            pairs.push((first, last));
        }
        pairs
    }

    /// Every rank's stage and place in it.
    fn ranks(&self) -> Vec<(usize, usize)> {
        let places = |(index, stage): (usize, &DraftStage)| {
            (0..stage.machines.len()).map(|place| (index, place)).collect::<Vec<_>>()
        };
        self.stages.iter().enumerate().flat_map(places).collect()
    }

    /// What each rank has for its cache, by rank; `None` where the rest does not fit.
    fn left(&self, model: &ModelFacts, machines: &[Machine]) -> Option<Vec<u64>> {
        let left = |(index, place): (usize, usize)| {
            let room = machines[self.stages[index].machines[place]].room_bytes;
            room.checked_sub(self.rank_bytes(model, index, place, 0))
        };
        self.ranks().into_iter().map(left).collect()
    }

    /// What `tokens` add to what rank `place` of stage `index` takes.
    fn cache_bytes(&self, model: &ModelFacts, (index, place): (usize, usize), tokens: usize) -> u64 {
        self.rank_bytes(model, index, place, tokens) - self.rank_bytes(model, index, place, 0)
    }

    /// The tokens that every rank has room for.
    fn cache_room(&self, model: &ModelFacts, machines: &[Machine], pins: &Pins) -> Option<CacheRoom> {
        let wish = CacheWish {
            context: pins.context,
            cache_bytes: pins.cache_bytes,
            context_trained: model.context_trained,
            sequences_max: model.sequences_max,
        };
        let ranks = self.ranks();
        let bytes = |rank: usize, tokens: usize| self.cache_bytes(model, ranks[rank], tokens);
        cache_room(&wish, &self.left(model, machines)?, bytes).ok()
    }

    /// Tokens for which every rank has room, if nothing else wants it.
    fn context_room(&self, model: &ModelFacts, machines: &[Machine]) -> usize {
        const MANY: usize = 1 << 20;
        let left = self.left(model, machines).unwrap_or_default();
        let tokens = left.into_iter().zip(self.ranks()).map(|(left, rank)| {
            let many = self.cache_bytes(model, rank, MANY).max(1);
            (left as f64 / many as f64 * MANY as f64) as usize
        });
        tokens.min().unwrap_or(0)
    }

    /// What rank `place` of stage `index` takes with so many tokens in its cache.
    fn rank_bytes(&self, model: &ModelFacts, index: usize, place: usize, tokens: usize) -> u64 {
        let stage = &self.stages[index];
        let share = stage.shares[place];
        let part = stage.layers.len() as f64 / model.layers.max(1) as f64 * share;
        let ends =
            [index == 0, index + 1 == self.stages.len()].iter().filter(|end| **end).count() as f64 / 2.0;
        let layers = (model.weights_bytes - model.ends_bytes) as f64 * part;
        let cache = model.cache_bytes(tokens) as f64 * part;
        let uneven = if stage.shares.len() > 1 { UNEVEN } else { 1.0 };
        let exchange = if self.machines().nth(1).is_some() { model.exchange_bytes } else { 0 };
        ((layers + model.ends_bytes as f64 * ends * share + cache) * uneven) as u64
            + model.scratch_bytes
            + exchange
    }
}

fn finish(
    model: &ModelFacts,
    machines: &[Machine],
    links: &Links,
    draft: &Draft,
    room: CacheRoom,
    prediction: Prediction,
    corrected: Ratios,
) -> Plan {
    let stage = |(index, stage): (usize, &DraftStage)| PlanStage {
        layers: stage.layers.clone(),
        ranks: (0..stage.machines.len())
            .map(|place| PlanRank {
                machine: stage.machines[place],
                name: machines[stage.machines[place]].name.clone(),
                share: stage.shares[place],
                bytes: draft.rank_bytes(model, index, place, room.tokens),
            })
            .collect(),
    };
    let link = |(a, b): (usize, usize)| (machines[a].name.clone(), machines[b].name.clone(), links.get(a, b));
    Plan {
        stages: draft.stages.iter().enumerate().map(stage).collect(),
        context: room.context,
        cache_tokens: room.tokens,
        context_room: draft.context_room(model, machines),
        prediction,
        corrected,
        links: draft.pairs().into_iter().map(link).collect(),
    }
}

fn too_big(model: &ModelFacts, machines: &[Machine], pins: &Pins) -> Refusal {
    let context = pins.context.unwrap_or(CONTEXT_MIN).min(model.context_trained);
    let cache = model.cache_bytes(context);
    let rooms: Vec<_> = machines.iter().map(|it| format!("{} {}", it.name, Bytes(it.room_bytes))).collect();
    Refusal::TooBig {
        needed: model.weights_bytes + cache + model.scratch_bytes,
        weights: model.weights_bytes,
        cache,
        context,
        nodes: machines.len(),
        free: machines.iter().map(|machine| machine.room_bytes).sum(),
        rooms: rooms.join(", "),
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Prediction { decode, prefill } = &self.prediction;
        writeln!(
            f,
            "context {} tokens, {} in the cache for all streams, about {:.1} tokens/s for one, prompts at {:.0} tokens/s",
            self.context,
            self.cache_tokens,
            decode.tokens_per_s(),
            prefill.tokens_per_s()
        )?;
        let Ratios { decode, prefill } = self.corrected;
        if self.corrected != Ratios::NONE {
            writeln!(f, "corrected by what was measured here: answers {decode:.2}×, prompts {prefill:.2}×")?;
        }
        let mut rank_number = 0;
        for (index, stage) in self.stages.iter().enumerate() {
            writeln!(f, "stage {index}: layers {}..{}", stage.layers.start, stage.layers.end)?;
            for rank in &stage.ranks {
                writeln!(
                    f,
                    "  rank {rank_number}: {} {:.0}% {}",
                    rank.name,
                    rank.share * 100.0,
                    Bytes(rank.bytes)
                )?;
                rank_number += 1;
            }
        }
        for (a, b, link) in &self.links {
            writeln!(
                f,
                "link {a} – {b}: {:.0} µs, {}/s",
                link.round_trip_us,
                Bytes(link.bytes_per_s as u64)
            )?;
        }
        Ok(())
    }
}

pub(crate) struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n >= 1_000_000_000 => write!(f, "{:.1} GB", n as f64 / 1e9),
            n => write!(f, "{:.0} MB", n as f64 / 1e6),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, DeviceKind};

    fn seventy() -> ModelFacts {
        ModelFacts {
            layers: 80,
            weights_bytes: 40_000_000_000,
            ends_bytes: 1_000_000_000,
            read_bytes: 39_500_000_000,
            scratch_bytes: 200_000_000,
            cache_bytes_per_token: 327_680,
            window_cache_bytes: 0,
            window: 0,
            states: false,
            context_trained: 131_072,
            ranks_max: 8,
            hidden: 8192,
            dense_parameters: 68_500_000_000,
            attend_flops: 2_621_440,
            ..ModelFacts::default()
        }
    }

    fn machine(name: &str, room_gb: f64, read_gb_per_s: f64) -> Machine {
        let room_bytes = (room_gb * 1e9) as u64;
        let device = Device {
            kind: DeviceKind::Cpu,
            read_bytes_per_s: read_gb_per_s * 1e9,
            flops_per_s: 20e12,
            reached: None,
        };
        Machine { name: name.into(), room_bytes, device, has_file: true }
    }

    fn linked(count: usize, round_trip_us: f64, gb_per_s: f64) -> Links {
        Links::mesh(count, Link { round_trip_us, bytes_per_s: gb_per_s * 1e9 })
    }

    fn check(case: &str, machines: &[Machine], links: &Links, pins: Pins) {
        let text = match plan(&seventy(), machines, links, &pins) {
            Ok(plan) => plan.to_string(),
            Err(refusal) => format!("{refusal}\n"),
        };
        crate::snapshot::check(&format!("snapshots/planner/{case}.txt"), &text);
    }

    #[test]
    fn a_fast_link_makes_a_tensor_group() {
        check(
            "fast_link",
            &[machine("a", 64.0, 400.0), machine("b", 64.0, 400.0)],
            &linked(2, 10.0, 8.0),
            Pins::default(),
        );
    }

    #[test]
    fn a_slow_link_leaves_the_model_on_one_node_or_makes_a_pipeline() {
        let slow = linked(2, 1500.0, 0.1);
        check(
            "slow_link_fits",
            &[machine("a", 64.0, 400.0), machine("b", 64.0, 400.0)],
            &slow,
            Pins::default(),
        );
        check(
            "slow_link_too_big_for_one",
            &[machine("a", 32.0, 400.0), machine("b", 32.0, 200.0)],
            &slow,
            Pins::default(),
        );
    }

    #[test]
    fn unequal_nodes_get_unequal_shares() {
        check(
            "unequal",
            &[machine("a", 64.0, 400.0), machine("b", 64.0, 200.0), machine("c", 24.0, 200.0)],
            &linked(3, 8.0, 8.0),
            Pins::default(),
        );
    }

    #[test]
    fn a_pipeline_uses_the_links_along_it_and_back() {
        let machines: Vec<_> = ["a", "b", "c", "d"].iter().map(|name| machine(name, 64.0, 400.0)).collect();
        let pins = Pins { parallelism: Some(Parallelism::Pipeline), shares: vec![1.0; 4], ..Pins::default() };
        let plan = plan(&seventy(), &machines, &linked(4, 10.0, 8.0), &pins).unwrap();
        let pairs: Vec<_> = plan.links.iter().map(|(a, b, _)| format!("{a}{b}")).collect();
        assert_eq!(pairs, ["ab", "bc", "cd", "ad"]);
    }

    #[test]
    fn layers_that_must_stay_together_are_not_parted() {
        let model = ModelFacts { last_cut: Some(2), ..seventy() };
        let pipeline = |count: usize| {
            let machines: Vec<_> = (0..count).map(|n| machine(&n.to_string(), 64.0, 400.0)).collect();
            let shares = vec![1.0; count];
            let pins = Pins { parallelism: Some(Parallelism::Pipeline), shares, ..Pins::default() };
            let plan = plan(&model, &machines, &linked(count, 10.0, 8.0), &pins)?;
            Ok(plan.stages.iter().map(|stage| stage.layers.clone()).collect::<Vec<_>>())
        };
        assert_eq!(pipeline(2), Ok(vec![0..2, 2..80]));
        assert_eq!(pipeline(3), Ok(vec![0..1, 1..2, 2..80]));
        assert_eq!(pipeline(4), Err(Refusal::TooFewLayers { nodes: 4, most: 3 }));
    }

    #[test]
    fn no_more_ranks_than_collectives_are_made_for() {
        let machines: Vec<_> = (0..20).map(|index| machine(&format!("n{index}"), 4.0, 400.0)).collect();
        check("twenty_nodes", &machines, &linked(20, 10.0, 8.0), Pins::default());
        let nodes = machines.iter().map(|machine| machine.name.clone()).collect();
        check("twenty_pinned", &machines, &linked(20, 10.0, 8.0), Pins { nodes, ..Pins::default() });
    }

    #[test]
    fn a_gpu_takes_what_cores_beside_it_would_slow_down() {
        let gpu = Device {
            kind: DeviceKind::MatrixGpu,
            read_bytes_per_s: 4.8e12,
            flops_per_s: 9.9e14,
            reached: None,
        };
        let beside = |room_gb: f64| {
            let gpu = Machine { device: gpu, ..machine("gpu", room_gb, 0.0) };
            [gpu, Machine { device: Device::cpu(16, 110e9), ..machine("cores", 120.0, 0.0) }]
        };
        check("gpu_holds_it", &beside(120.0), &linked(2, 26.0, 8.0), Pins::default());
        check("gpu_and_cores", &beside(32.0), &linked(2, 26.0, 8.0), Pins::default());
    }

    #[test]
    fn what_does_not_fit_is_refused_with_numbers() {
        check(
            "too_big",
            &[machine("a", 16.0, 400.0), machine("b", 8.0, 400.0)],
            &linked(2, 10.0, 8.0),
            Pins::default(),
        );
    }

    #[test]
    fn no_rank_takes_more_than_its_room_and_contexts_grow_with_it() {
        let mut before = 0;
        for gb in (4..=400).step_by(4) {
            let machines = [machine("a", f64::from(gb), 400.0), machine("b", f64::from(gb) / 2.0, 200.0)];
            for cache_bytes in [None, Some(4_000_000_000)] {
                let pins = Pins { cache_bytes, ..Pins::default() };
                let Ok(plan) = plan(&seventy(), &machines, &linked(2, 10.0, 8.0), &pins) else { continue };
                for rank in plan.stages.iter().flat_map(|stage| &stage.ranks) {
                    let room = machines[rank.machine].room_bytes;
                    assert!(rank.bytes <= room, "{gb} GB: {} of {room}", rank.bytes);
                }
                assert!(plan.context <= plan.cache_tokens && plan.cache_tokens <= plan.context_room);
                match cache_bytes {
                    // 327,680 bytes a token.
                    Some(bytes) => assert!(plan.cache_tokens as u64 <= bytes / 327_680),
                    None => {
                        // Another division may be faster and hold less, but a good context is never given up.
                        assert!(plan.context >= before.min(CONTEXT_GOOD), "{gb} GB: {}", plan.context);
                        before = plan.context;
                    }
                }
            }
        }
        assert_eq!(before, 131_072);
    }

    #[test]
    fn pins_are_kept_or_refused() {
        let machines = [machine("a", 64.0, 400.0), machine("b", 64.0, 400.0)];
        let links = linked(2, 10.0, 8.0);
        let pins = |parallelism, shares: &[f64]| Pins {
            nodes: vec!["b".into(), "a".into()],
            parallelism,
            shares: shares.to_vec(),
            context: Some(4096),
            ..Pins::default()
        };
        let pipeline = pins(Some(Parallelism::Pipeline), &[1.0, 3.0]);
        check("pinned_pipeline", &machines, &links, pipeline);
        check("shares_for_one", &machines, &links, pins(None, &[1.0]));
        let unknown = Pins { nodes: vec!["z".into()], ..Pins::default() };
        check("no_such_node", &machines, &links, unknown);
        check("no_groups", &machines, &links, pins(Some(Parallelism::Hybrid), &[]));
    }
}
