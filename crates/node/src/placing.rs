//! From the cluster's inventory to the planner's terms and back to a blueprint.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tandem_cluster::{
    Candidate, Inventory, LinkMeasure, ModelHere, NodeId, Placement, Planner, RankPlace, Refusal, Spec,
};
use tandem_formats::Identity;
use tandem_plan::{Cache, Device, Link, Links, Machine, ModelFacts, Pins, Plan, Run, plan_knowing};
use tandem_ranks::{Blueprint, Cable, Stage};
use tandem_runtime::{Kept, Options};
use tandem_tensor::CacheType;

use crate::runs::Ran;

/// What goes with an assignment: all that ranks must know to become one.
#[derive(Debug, Serialize, Deserialize)]
pub struct Body {
    pub blueprint: Blueprint,
    pub model: String,
    pub version: u64,
    /// By rank.
    pub threads: Vec<usize>,
    /// Most sequences decoded together.
    pub sequences_max: usize,
}

pub struct ClusterPlanner {
    /// Most sequences decoded together, of every model that this node places.
    pub sequences_max: usize,
}

/// A group has no more ranks, and every node holds at least one.
const NODES_MAX: usize = tandem_collectives::RANKS_MAX;

/// What a core reads from memory, by experience, where it was not measured.
const CORE_BYTES_PER_S: f64 = 8e9;
const SAME_MACHINE: Link = Link { round_trip_us: 6.0, bytes_per_s: 4e9 };

impl Planner for ClusterPlanner {
    fn plan(&self, model: &str, spec: &Spec, nodes: &[Candidate]) -> Result<Placement, Refusal> {
        let nodes = &roomiest(model, spec, nodes);
        let (plan, here, facts, pins) = draft(model, spec, nodes)?;
        let threads = |machine: usize| {
            let node = &nodes[machine];
            (node.inventory.cores as usize / neighbours(node, nodes)).max(1)
        };
        let ranks = || plan.stages.iter().flat_map(|stage| &stage.ranks);
        let stages = plan.stages.iter().map(|stage| Stage {
            layers: stage.layers.clone(),
            shares: stage.ranks.iter().map(|rank| rank.share).collect(),
        });
        let cache_type = match pins.cache {
            Some(Cache::F32) => CacheType::F32,
            Some(Cache::Q8) => CacheType::Q8,
            Some(Cache::F16) | None => CacheType::F16,
        };
        let sequences_max = self.sequences_max;
        let options = Options { context: pins.context, cache_type, sequences_max, ..Options::default() };
        let limits = options.limits_for(
            Kept { window: facts.window, states: facts.states },
            plan.context,
            plan.context,
        );
        let used: BTreeSet<_> = ranks().map(|rank| rank.machine).collect();
        let pairs = used.iter().flat_map(|a| used.range(a + 1..).map(move |b| (*a, *b)));
        let cables = pairs.filter_map(|(a, b)| {
            let LinkMeasure { round_trip_us, bytes_per_s, .. } = *measured(&nodes[a], &nodes[b])?;
            Some(Cable { round_trip_us, bytes_per_s })
        });
        let cable = cables.reduce(Cable::slower);
        let identity = Identity { bytes: here.bytes, header_hash: here.version };
        let mut blueprint = Blueprint::of(identity, stages.collect(), &limits);
        blueprint.cable = cable;
        let body = Body {
            blueprint,
            model: model.to_owned(),
            version: here.version,
            threads: ranks().map(|rank| threads(rank.machine)).collect(),
            sequences_max,
        };
        Ok(Placement {
            ranks: ranks()
                .map(|rank| RankPlace { node: nodes[rank.machine].id, bytes: rank.bytes })
                .collect(),
            score: plan.prediction.decode.tokens_per_s(),
            context: plan.context,
            version: here.version,
            body: serde_json::to_vec(&body).map_err(|error| Refusal::Impossible(error.to_string()))?,
        })
    }
}

/// The plan, and what it was made of.
pub fn draft(
    model: &str,
    spec: &Spec,
    nodes: &[Candidate],
) -> Result<(Plan, ModelHere, ModelFacts, Pins), Refusal> {
    let impossible = |what: String| Refusal::Impossible(what);
    let pins: Pins = match spec.detail.is_empty() {
        true => Pins::default(),
        false => {
            let read = serde_json::from_str(&spec.detail);
            read.map_err(|error| impossible(format!("the pins cannot be read: {error}")))?
        }
    };
    if pins.nodes.len() > NODES_MAX {
        let count = pins.nodes.len();
        return Err(impossible(format!("{count} nodes are pinned; a model runs on {NODES_MAX} at most")));
    }
    let Some(here) = version_of(model, nodes) else {
        return Err(Refusal::NoFile { model: model.to_owned() });
    };
    let facts: ModelFacts = serde_json::from_slice(&here.facts)
        .map_err(|error| impossible(format!("what is known of {model} cannot be read: {error}")))?;
    let machines: Vec<_> = nodes
        .iter()
        .map(|node| Machine {
            name: node.inventory.name.clone(),
            room_bytes: node.room_bytes / neighbours(node, nodes) as u64,
            device: device(node, nodes),
            has_file: node.inventory.models.get(model).is_some_and(|other| other.version == here.version),
        })
        .collect();
    let mut links = Links::default();
    for (a, here) in nodes.iter().enumerate() {
        for (b, there) in nodes.iter().enumerate().skip(a + 1) {
            let measured = measured(here, there)
                .map(|it| Link { round_trip_us: it.round_trip_us, bytes_per_s: it.bytes_per_s });
            let near = here.inventory.machine == there.inventory.machine;
            if let Some(link) = measured.or(near.then_some(SAME_MACHINE)) {
                links.set(a, b, link);
            }
        }
    }
    let plan = plan_knowing(&facts, &machines, &links, &pins, &runs(nodes))
        .map_err(|refusal| impossible(format!("{model} cannot be loaded: {refusal}")))?;
    Ok((plan, here, facts, pins))
}

/// What the nodes measured where only these took part.
fn runs(nodes: &[Candidate]) -> Vec<Run> {
    let told = nodes
        .iter()
        .flat_map(|node| serde_json::from_slice::<Vec<Ran>>(&node.inventory.runs).unwrap_or_default());
    told.filter_map(|ran| {
        let place = &ran.place;
        let here = nodes.iter().filter_map(|node| node.inventory.models.get(&place.model));
        let here = here.into_iter().find(|here| here.version == place.version)?;
        let at = |node: &NodeId| nodes.iter().position(|candidate| candidate.id == *node);
        Some(Run {
            model: serde_json::from_slice(&here.facts).ok()?,
            machines: place.nodes.iter().map(at).collect::<Option<_>>()?,
            stages: place.stages,
            decode_tokens_per_s: ran.decode_tokens_per_s,
            prefill_tokens_per_s: ran.prefill_tokens_per_s,
        })
    })
    .collect()
}

/// The link between two nodes, as either of them measured it.
pub fn measured<'a>(a: &Candidate<'a>, b: &Candidate<'a>) -> Option<&'a LinkMeasure> {
    a.inventory.links.get(&b.id).or_else(|| b.inventory.links.get(&a.id))
}

/// As many nodes as a model may have ranks: those that have its file, and then those with most room. Where a person named nodes,
/// all are left to choose from.
pub fn roomiest<'a>(model: &str, spec: &Spec, nodes: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    let named = serde_json::from_str::<Pins>(&spec.detail).is_ok_and(|pins| !pins.nodes.is_empty());
    let mut order: Vec<_> = (0..nodes.len()).collect();
    if !named {
        let has_file = |node: &Candidate| node.inventory.models.contains_key(model);
        order.sort_by_key(|index| std::cmp::Reverse((has_file(&nodes[*index]), nodes[*index].room_bytes)));
        order.truncate(NODES_MAX);
        order.sort_unstable();
    }
    order.into_iter().map(|index| nodes[index].clone()).collect()
}

/// Nodes of one machine share its cores and memory.
fn neighbours(node: &Candidate, nodes: &[Candidate]) -> usize {
    nodes.iter().filter(|other| other.inventory.machine == node.inventory.machine).count().max(1)
}

/// The cores of a node, which share with its neighbours what their machine reads.
fn device(node: &Candidate, nodes: &[Candidate]) -> Device {
    let neighbours = neighbours(node, nodes);
    let cores = node.inventory.cores as usize / neighbours;
    Device::cpu(cores, read_bytes_per_s(node, nodes) / neighbours as f64)
}

/// Nodes with as many cores of one machine are as fast as the one that was measured in the quietest moment.
fn read_bytes_per_s(node: &Candidate, nodes: &[Candidate]) -> f64 {
    let of = |inventory: &Inventory| (inventory.machine.clone(), inventory.cores);
    let alike = nodes.iter().filter(|other| of(other.inventory) == of(node.inventory));
    let measured = alike.map(|other| other.inventory.read_bytes_per_s).fold(0.0, f64::max);
    if measured > 0.0 { measured } else { f64::from(node.inventory.cores) * CORE_BYTES_PER_S }
}

/// The version that most nodes have; of equals, the lower hash, so that every node would decide alike.
fn version_of(model: &str, nodes: &[Candidate]) -> Option<ModelHere> {
    let mut versions: BTreeMap<u64, (usize, ModelHere)> = BTreeMap::new();
    for here in nodes.iter().filter_map(|node| node.inventory.models.get(model)) {
        versions.entry(here.version).or_insert_with(|| (0, here.clone())).0 += 1;
    }
    versions
        .into_iter()
        .max_by_key(|(version, (count, _))| (*count, std::cmp::Reverse(*version)))
        .map(|(_, (_, here))| here)
}
