//! From the cluster's inventory to the planner's terms and back to a blueprint.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tandem_cluster::{
    Candidate, Inventory, LinkMeasure, ModelHere, NodeId, Placement, Planner, RankPlace, Refusal, Spec,
};
use tandem_formats::Identity;
use tandem_plan::{Cache, Device, Link, Links, Machine, ModelFacts, Pins, Plan, Run, Wire, plan_knowing};
use tandem_ranks::{Blueprint, Cable, Stage};
use tandem_runtime::{Kept, Options};
use tandem_tensor::{CacheType, WireType};

use crate::devices::{self, CPU, DeviceHere};
use crate::runs::Ran;

/// What goes with an assignment: all that ranks must know to become one.
#[derive(Debug, Serialize, Deserialize)]
pub struct Body {
    pub blueprint: Blueprint,
    pub model: String,
    pub version: u64,
    /// By rank.
    pub threads: Vec<usize>,
}

pub struct ClusterPlanner;

/// A group has no more ranks, and every node holds at least one.
const NODES_MAX: usize = tandem_collectives::RANKS_MAX;
// The planner, which knows no collectives, plans for as many.
const _: () = assert!(tandem_plan::RANKS_MAX == NODES_MAX);

/// What a core reads from memory, by experience, where it was not measured.
const CORE_BYTES_PER_S: f64 = 8e9;
const SAME_MACHINE: Link = Link { round_trip_us: 6.0, bytes_per_s: 4e9 };

impl Planner for ClusterPlanner {
    fn plan(&self, model: &str, spec: &Spec, nodes: &[Candidate]) -> Result<Placement, Refusal> {
        let nodes = &roomiest(model, spec, nodes);
        let Drafted { plan, here, facts, pins, devices } = draft(model, spec, nodes)?;
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
        // For as many sequences as the facts were counted for.
        let default = Options::default();
        let sequences_max =
            if facts.sequences_max == 0 { default.sequences_max } else { facts.sequences_max };
        let options = Options { cache_type, sequences_max, ..default };
        let limits = options.limits_for(
            Kept { window: facts.window, states: facts.states },
            plan.context,
            plan.cache_tokens,
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
        blueprint.sequences_max = sequences_max;
        blueprint.wire = match pins.wire {
            Some(Wire::F16) => WireType::F16,
            Some(Wire::BF16) => WireType::BF16,
            Some(Wire::F32) | None => WireType::F32,
        };
        blueprint.exact_sums = pins.exact_sums;
        let body = Body {
            blueprint,
            model: model.to_owned(),
            version: here.version,
            threads: ranks().map(|rank| threads(rank.machine)).collect(),
        };
        Ok(Placement {
            ranks: ranks()
                .map(|rank| RankPlace {
                    node: nodes[rank.machine].id,
                    bytes: rank.bytes,
                    device: devices[rank.machine].clone(),
                })
                .collect(),
            score: plan.prediction.decode.tokens_per_s(),
            context: plan.context,
            version: here.version,
            body: serde_json::to_vec(&body).map_err(|error| Refusal::Impossible(error.to_string()))?,
        })
    }
}

/// The plan, and what it was made of.
pub struct Drafted {
    pub plan: Plan,
    pub here: ModelHere,
    pub facts: ModelFacts,
    pub pins: Pins,
    /// Where each of the nodes would compute.
    pub devices: Vec<String>,
}

/// The faster of two ways: every node on its best device, or all on cores.
pub fn draft(model: &str, spec: &Spec, nodes: &[Candidate]) -> Result<Drafted, Refusal> {
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
    let on_cores = |node: &Candidate| Machine {
        name: node.inventory.name.clone(),
        room_bytes: node.room_bytes / neighbours(node, nodes) as u64,
        device: device(node, nodes),
        has_file: node.inventory.models.get(model).is_some_and(|other| other.version == here.version),
    };
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
    let drafted = |gpus: Vec<Option<DeviceHere>>| -> Result<(Plan, Vec<String>), tandem_plan::Refusal> {
        let machine = |(node, gpu): (&Candidate, &Option<DeviceHere>)| match gpu {
            Some(gpu) => {
                Machine { room_bytes: gpu_room(gpu, node, nodes), device: gpu.speed, ..on_cores(node) }
            }
            None => on_cores(node),
        };
        let machines: Vec<_> = nodes.iter().zip(&gpus).map(machine).collect();
        let devices: Vec<_> =
            gpus.into_iter().map(|gpu| gpu.map_or(CPU.to_owned(), |gpu| gpu.device)).collect();
        let plan = plan_knowing(&facts, &machines, &links, &pins, &runs(nodes, &devices))?;
        Ok((plan, devices))
    };
    let gpus: Vec<_> = nodes.iter().map(|node| best_gpu(node, model)).collect();
    let by_gpus = if gpus.iter().any(Option::is_some) { drafted(gpus).ok() } else { None };
    let by_cores = drafted(vec![None; nodes.len()]);
    let speed = |(plan, _): &(Plan, Vec<String>)| plan.prediction.decode.tokens_per_s();
    let (plan, devices) = match (by_gpus, by_cores) {
        (Some(gpus), Ok(cores)) => {
            if speed(&gpus) >= speed(&cores) {
                gpus
            } else {
                cores
            }
        }
        (Some(gpus), Err(_)) => gpus,
        (None, cores) => {
            cores.map_err(|refusal| impossible(format!("{model} cannot be loaded: {refusal}")))?
        }
    };
    Ok(Drafted { plan, here, facts, pins, devices })
}

/// The device of a node that is not known to refuse the model and has most room.
fn best_gpu(node: &Candidate, model: &str) -> Option<DeviceHere> {
    let fit = devices::told(node.inventory).into_iter().filter(|device| !device.unfit.contains(model));
    fit.max_by_key(|device| device.room_bytes.unwrap_or(node.room_bytes))
}

/// What other models of this node hold may lie there: it is taken off. Nodes of one machine share its devices.
fn gpu_room(gpu: &DeviceHere, node: &Candidate, nodes: &[Candidate]) -> u64 {
    let held = node.inventory.memory_bytes.saturating_sub(node.room_bytes);
    let room = gpu.room_bytes.map_or(node.room_bytes, |room| room.saturating_sub(held));
    room / neighbours(node, nodes) as u64
}

/// What the nodes measured where only these took part, and computed on these devices.
fn runs(nodes: &[Candidate], devices: &[String]) -> Vec<Run> {
    let told = nodes
        .iter()
        .flat_map(|node| serde_json::from_slice::<Vec<Ran>>(&node.inventory.runs).unwrap_or_default());
    told.filter_map(|ran| {
        let place = &ran.place;
        let here = nodes.iter().filter_map(|node| node.inventory.models.get(&place.model));
        let here = here.into_iter().find(|here| here.version == place.version)?;
        let at = |node: &NodeId| nodes.iter().position(|candidate| candidate.id == *node);
        let machines: Vec<usize> = place.nodes.iter().map(at).collect::<Option<_>>()?;
        let same = machines.iter().zip(&place.devices).all(|(machine, device)| devices[*machine] == *device);
        if !same {
            return None;
        }
        Some(Run {
            model: serde_json::from_slice(&here.facts).ok()?,
            machines,
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tandem_plan::DeviceKind;

    fn inventory(name: &str, gpu_room: Option<u64>, unfit: &[&str]) -> Inventory {
        let facts = ModelFacts {
            layers: 16,
            weights_bytes: 4_000_000_000,
            read_bytes: 3_900_000_000,
            context_trained: 4096,
            ranks_max: 8,
            hidden: 2048,
            dense_parameters: 4_000_000_000,
            cache_bytes_per_token: 65_536,
            ..ModelFacts::default()
        };
        let speed = Device { kind: DeviceKind::MatrixGpu, read_bytes_per_s: 900e9, flops_per_s: 100e12 };
        let gpu = |room| DeviceHere {
            device: "gpu".into(),
            name: "a GPU".into(),
            room_bytes: Some(room),
            speed,
            unfit: unfit.iter().map(|model| (*model).to_owned()).collect::<BTreeSet<_>>(),
        };
        let here = ModelHere { bytes: 4_000_000_000, version: 1, facts: serde_json::to_vec(&facts).unwrap() };
        Inventory {
            name: name.into(),
            cores: 8,
            memory_bytes: 16_000_000_000,
            read_bytes_per_s: 50e9,
            machine: name.into(),
            models: BTreeMap::from([("m".to_owned(), here)]),
            devices: serde_json::to_vec(&gpu_room.map(gpu).into_iter().collect::<Vec<_>>()).unwrap(),
            ..Inventory::default()
        }
    }

    /// Which nodes hold it, and on which device.
    fn placed(inventories: &[Inventory], held: u64) -> Vec<(String, String)> {
        let nodes: Vec<_> = inventories
            .iter()
            .enumerate()
            .map(|(index, inventory)| Candidate {
                id: NodeId([index as u8; 32]),
                room_bytes: inventory.memory_bytes - held,
                inventory,
            })
            .collect();
        let Drafted { plan, devices, .. } = draft("m", &Spec::default(), &nodes).unwrap();
        let ranks = plan.stages.iter().flat_map(|stage| &stage.ranks);
        ranks.map(|rank| (rank.name.clone(), devices[rank.machine].clone())).collect()
    }

    #[test]
    fn a_model_goes_to_the_gpu_that_has_room_for_it_and_runs_it() {
        let on = |name: &str, device: &str| vec![(name.to_owned(), device.to_owned())];
        let cores = inventory("cores", None, &[]);
        assert_eq!(placed(&[cores.clone(), inventory("gpu", Some(8_000_000_000), &[])], 0), on("gpu", "gpu"));
        // Too small, taken by others, or tried in vain.
        assert_eq!(placed(&[inventory("small", Some(1_000_000_000), &[])], 0), on("small", "cpu"));
        assert_eq!(
            placed(&[inventory("taken", Some(8_000_000_000), &[])], 6_000_000_000),
            on("taken", "cpu")
        );
        assert_eq!(placed(&[inventory("unfit", Some(8_000_000_000), &["m"])], 0), on("unfit", "cpu"));
    }
}
