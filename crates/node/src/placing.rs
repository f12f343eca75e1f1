//! From the cluster's inventory to the planner's terms and back to a blueprint.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tandem_cluster::{
    Candidate, Inventory, LinkMeasure, ModelHere, NodeId, Placement, Planner, RankPlace, Refusal, Spec,
};
use tandem_devices::Device as Choice;
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
        let Drafted { plan, here, facts, pins, spots } = draft(model, spec, nodes)?;
        let ranks = || plan.stages.iter().flat_map(|stage| &stage.ranks);
        // A rank on a GPU keeps a core busy: it looks for what the device has done.
        let threads = |machine: usize| {
            let at = spots[machine].node;
            let others = ranks().filter(|rank| spots[rank.machine].node == at).count() - 1;
            cores_of(&nodes[at], nodes, others)
        };
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
        let used: BTreeSet<_> = ranks().map(|rank| spots[rank.machine].node).collect();
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
                    node: nodes[spots[rank.machine].node].id,
                    bytes: rank.bytes,
                    device: spots[rank.machine].device.clone(),
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
    /// What the plan's machines are.
    pub spots: Vec<Spot>,
}

/// Where a rank may compute: every device of a node is a machine to the planner.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Index of the node.
    pub node: usize,
    pub device: String,
}

/// The fastest of three ways: every node on its GPUs, where it has any; on its cores too, where the GPUs do not hold the model; or
/// all on cores.
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
    let wanted = pins.device.as_deref().map(str::parse::<Choice>).transpose();
    let wanted = wanted.map_err(|error| impossible(error.to_string()))?.unwrap_or_default();
    let drafted = |machines: Vec<(Spot, Machine)>| -> Result<(Plan, Vec<Spot>), tandem_plan::Refusal> {
        let (spots, machines): (Vec<_>, Vec<_>) = machines.into_iter().unzip();
        let links = links(nodes, &spots);
        let plan = plan_knowing(&facts, &machines, &links, &pins, &runs(nodes, &spots))?;
        Ok((plan, spots))
    };
    // A node is known by its name; what it has beside its first device, by that too.
    let named = |at: usize, number: usize, device: &str| match number {
        0 => nodes[at].inventory.name.clone(),
        _ => format!("{}/{device}", nodes[at].inventory.name),
    };
    let on_cores = |at: usize, gpus: usize| {
        let node = &nodes[at];
        let machine = Machine {
            name: named(at, gpus, CPU),
            room_bytes: node.room_bytes / neighbours(node, nodes) as u64,
            device: cores(node, nodes, gpus),
            has_file: node.inventory.models.get(model).is_some_and(|other| other.version == here.version),
        };
        (Spot { node: at, device: CPU.to_owned() }, machine)
    };
    let on_gpu = |at: usize, (number, gpu): (usize, DeviceHere)| {
        let (name, room_bytes) = (named(at, number, &gpu.device), gpu_room(&gpu, &nodes[at], nodes));
        let machine = Machine { name, room_bytes, device: gpu.speed, ..on_cores(at, 0).1 };
        (Spot { node: at, device: gpu.device }, machine)
    };
    let allowed = |device: &str| device.parse().is_ok_and(|device| wanted.allows(&device));
    let all = || 0..nodes.len();
    // Where somebody named the devices of a node, its cores are not among them.
    let has_cores =
        |at: usize| allowed(CPU) && !devices::told(nodes[at].inventory).iter().any(|gpu| gpu.named);
    let gpus_of = |at: usize| {
        let told = devices::told(nodes[at].inventory).into_iter();
        told.filter(|gpu| !gpu.unfit.contains(model) && allowed(&gpu.device)).collect::<Vec<_>>()
    };
    // The GPUs of every node that has any, and cores: of other nodes, or of all, with what GPUs leave of memory that they share.
    let with_gpus = |beside: bool| {
        let of = |at: usize| {
            let gpus = gpus_of(at);
            let cores = (has_cores(at) && (gpus.is_empty() || beside)).then(|| on_cores(at, gpus.len()));
            let cores = cores.and_then(|(spot, cores)| {
                let room_bytes = cores.room_bytes.saturating_sub(shared_room(&gpus, &nodes[at], nodes)?);
                (room_bytes > 0).then_some((spot, Machine { room_bytes, ..cores }))
            });
            gpus.into_iter().enumerate().map(move |gpu| on_gpu(at, gpu)).chain(cores).collect::<Vec<_>>()
        };
        drafted(all().flat_map(of).collect())
    };
    let by_gpus = all().any(|at| !gpus_of(at).is_empty()).then(|| with_gpus(false));
    // What the GPUs alone hold is not slowed down by cores.
    let by_both = matches!(by_gpus, Some(Err(_))).then(|| with_gpus(true));
    let with_cores: Vec<_> = all().filter(|at| has_cores(*at)).map(|at| on_cores(at, 0)).collect();
    let by_cores = (!with_cores.is_empty()).then(|| drafted(with_cores));
    let speed = |(plan, _): &(Plan, Vec<Spot>)| plan.prediction.decode.tokens_per_s();
    let faster = |a: Result<_, _>, b: Result<_, _>| match (a, b) {
        (Ok(a), Ok(b)) => Ok(if speed(&a) >= speed(&b) { a } else { b }),
        (Ok(one), Err(_)) | (Err(_), Ok(one)) => Ok(one),
        (Err(_), refused) => refused,
    };
    let chosen = [by_gpus, by_both, by_cores].into_iter().flatten().reduce(faster);
    let chosen = chosen.ok_or_else(|| {
        impossible(format!("{model} cannot be loaded: no node has the device `{wanted}` for it"))
    })?;
    let (plan, spots) = chosen.map_err(|refusal| {
        let too_big = matches!(refusal, tandem_plan::Refusal::TooBig { .. });
        let more = if too_big { limits(nodes) } else { String::new() };
        impossible(format!("{model} cannot be loaded: {refusal}{more}"))
    })?;
    Ok(Drafted { plan, here, facts, pins, spots })
}

fn links(nodes: &[Candidate], spots: &[Spot]) -> Links {
    let mut links = Links::default();
    for (a, here) in spots.iter().enumerate() {
        for (b, there) in spots.iter().enumerate().skip(a + 1) {
            let (here, there) = (&nodes[here.node], &nodes[there.node]);
            let measured = measured(here, there)
                .map(|it| Link { round_trip_us: it.round_trip_us, bytes_per_s: it.bytes_per_s });
            let near = here.inventory.machine == there.inventory.machine;
            if let Some(link) = measured.or(near.then_some(SAME_MACHINE)) {
                links.set(a, b, link);
            }
        }
    }
    links
}

/// What other models of this node hold may lie there: it is taken off. Nodes of one machine may share a device.
fn gpu_room(gpu: &DeviceHere, node: &Candidate, nodes: &[Candidate]) -> u64 {
    let held = node.inventory.memory_bytes.saturating_sub(node.room_bytes);
    let room = gpu.room_bytes.map_or(node.room_bytes, |room| room.saturating_sub(held));
    let has_it = |other: &Inventory| devices::told(other).iter().any(|it| it.device == gpu.device);
    let sharing = nodes.iter().map(|other| other.inventory);
    let sharing = sharing.filter(|other| other.machine == node.inventory.machine && has_it(other)).count();
    room / sharing.max(1) as u64
}

/// What GPUs take of the machine's memory; `None` where one of them may take all of it.
fn shared_room(gpus: &[DeviceHere], node: &Candidate, nodes: &[Candidate]) -> Option<u64> {
    let room =
        |gpu: &DeviceHere| gpu.room_bytes.map(|_| if gpu.unified { gpu_room(gpu, node, nodes) } else { 0 });
    gpus.iter().map(room).sum()
}

/// How devices that share their machine's memory are given more of it.
fn limits(nodes: &[Candidate]) -> String {
    let of = |node: &Candidate| {
        let name = node.inventory.name.clone();
        let told = devices::told(node.inventory).into_iter().filter_map(|gpu| gpu.limit);
        told.map(move |limit| format!("; on {name}, {limit}")).collect::<String>()
    };
    nodes.iter().map(of).collect()
}

/// What the nodes measured where only these took part, and computed on these devices.
fn runs(nodes: &[Candidate], spots: &[Spot]) -> Vec<Run> {
    let told = nodes
        .iter()
        .flat_map(|node| serde_json::from_slice::<Vec<Ran>>(&node.inventory.runs).unwrap_or_default());
    told.filter_map(|ran| {
        let place = &ran.place;
        let here = nodes.iter().filter_map(|node| node.inventory.models.get(&place.model));
        let here = here.into_iter().find(|here| here.version == place.version)?;
        let at = |(node, device): (&NodeId, &String)| {
            spots.iter().position(|spot| nodes[spot.node].id == *node && spot.device == *device)
        };
        let machines = place.nodes.iter().zip(&place.devices).map(at);
        Some(Run {
            model: serde_json::from_slice(&here.facts).ok()?,
            machines: machines.collect::<Option<_>>()?,
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

/// Cores for one rank of a node that has so many others: nodes of one machine share its cores.
fn cores_of(node: &Candidate, nodes: &[Candidate], others: usize) -> usize {
    (node.inventory.cores as usize / neighbours(node, nodes)).saturating_sub(others).max(1)
}

/// The cores of a node, less those that its GPUs keep busy; they share with the node's neighbours what their machine reads.
fn cores(node: &Candidate, nodes: &[Candidate], gpus: usize) -> Device {
    let read = read_bytes_per_s(node, nodes) / neighbours(node, nodes) as f64;
    Device::cpu(cores_of(node, nodes, gpus), read)
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

    fn inventory(name: &str, gpu_rooms: &[u64], unfit: &[&str]) -> Inventory {
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
        let speed = Device {
            kind: DeviceKind::MatrixGpu,
            read_bytes_per_s: 900e9,
            flops_per_s: 100e12,
            reached: None,
        };
        let gpu = |(index, room): (usize, &u64)| DeviceHere {
            device: if index == 0 { "gpu".into() } else { format!("gpu:{index}") },
            name: "a GPU".into(),
            room_bytes: Some(*room),
            unified: false,
            limit: None,
            speed,
            software: false,
            named: false,
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
            devices: serde_json::to_vec(&gpu_rooms.iter().enumerate().map(gpu).collect::<Vec<_>>()).unwrap(),
            ..Inventory::default()
        }
    }

    /// Which nodes hold it, and on which device.
    fn placed(inventories: &[Inventory], held: u64, device: Option<&str>) -> Result<Vec<String>, String> {
        let nodes: Vec<_> = inventories
            .iter()
            .enumerate()
            .map(|(index, inventory)| Candidate {
                id: NodeId([index as u8; 32]),
                room_bytes: inventory.memory_bytes - held,
                inventory,
            })
            .collect();
        let pins = Pins { device: device.map(str::to_owned), ..Pins::default() };
        let spec = Spec { detail: serde_json::to_string(&pins).unwrap(), ..Spec::default() };
        let placement = ClusterPlanner.plan("m", &spec, &nodes).map_err(|refusal| refusal.to_string())?;
        let name = |node: NodeId| &inventories[node.0[0] as usize].name;
        Ok(placement.ranks.iter().map(|rank| format!("{}: {}", name(rank.node), rank.device)).collect())
    }

    #[test]
    fn a_model_goes_to_the_gpu_that_has_room_for_it_and_runs_it() {
        let check = |inventories: &[Inventory], held, expected: &[&str]| {
            assert_eq!(placed(inventories, held, None).unwrap(), expected);
        };
        let cores = inventory("cores", &[], &[]);
        check(&[cores.clone(), inventory("gpu", &[8_000_000_000], &[])], 0, &["gpu: gpu"]);
        // Tried in vain, or taken by others.
        check(&[inventory("unfit", &[8_000_000_000], &["m"])], 0, &["unfit: cpu"]);
        check(&[inventory("taken", &[8_000_000_000], &[])], 8_000_000_000, &["taken: cpu"]);
    }

    #[test]
    fn several_gpus_of_a_node_are_several_ranks() {
        let two = inventory("two", &[3_000_000_000, 3_000_000_000], &[]);
        assert_eq!(placed(&[two], 0, None).unwrap(), ["two: gpu", "two: gpu:1"]);
        // One that does not run the model is left out.
        let one = inventory("one", &[8_000_000_000, 8_000_000_000], &["m"]);
        assert_eq!(placed(&[one], 0, None).unwrap(), ["one: cpu"]);
    }

    #[test]
    fn cores_take_what_the_gpus_of_a_node_do_not_hold() {
        let small = inventory("desk", &[3_000_000_000], &[]);
        assert_eq!(placed(&[small], 0, None).unwrap(), ["desk: gpu", "desk: cpu"]);
        // Where somebody said that only the GPU is to be used, it is too small.
        let mut named = inventory("desk", &[3_000_000_000], &[]);
        let mut gpus = devices::told(&named);
        gpus[0].named = true;
        named.devices = serde_json::to_vec(&gpus).unwrap();
        for (device, reason) in
            [(None, "it takes"), (Some("gpu"), "it takes"), (Some("cpu"), "the device `cpu`")]
        {
            let refused = placed(&[named.clone()], 0, device).unwrap_err();
            assert!(refused.contains(reason), "{refused}");
        }
    }

    #[test]
    fn memory_that_is_shared_is_counted_once() {
        let desk = |unified| {
            let mut node = inventory("desk", &[3_000_000_000], &[]);
            let mut gpus = devices::told(&node);
            (gpus[0].unified, gpus[0].limit) = (unified, Some("its system keeps some back".to_owned()));
            (node.devices, node.memory_bytes) = (serde_json::to_vec(&gpus).unwrap(), 3_500_000_000);
            placed(&[node], 0, None)
        };
        assert_eq!(desk(false).unwrap(), ["desk: gpu", "desk: cpu"]);
        let refused = desk(true).unwrap_err();
        assert!(refused.ends_with("; on desk, its system keeps some back"), "{refused}");
    }

    #[test]
    fn somebody_may_say_on_which_devices() {
        let nodes = [inventory("cores", &[], &[]), inventory("gpus", &[8_000_000_000, 9_000_000_000], &[])];
        let check = |device: &str, expected: &[&str]| {
            assert_eq!(placed(&nodes, 0, Some(device)).unwrap(), expected, "{device}");
        };
        check("gpu:1", &["gpus: gpu:1"]);
        for rank in placed(&nodes, 0, Some("cpu")).unwrap() {
            assert!(rank.ends_with(": cpu"), "{rank}");
        }
        for rank in placed(&nodes, 0, Some("gpu")).unwrap() {
            assert!(rank.starts_with("gpus: gpu"), "{rank}");
        }
        let refused = placed(&nodes, 0, Some("gpu:5")).unwrap_err();
        assert!(refused.contains("no node has the device `gpu:5` for it"), "{refused}");
        let refused = placed(&nodes, 0, Some("gpu:")).unwrap_err();
        assert!(refused.contains("is not a device"), "{refused}");
    }
}
