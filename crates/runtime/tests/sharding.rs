//! Every tiny checkpoint divided among ranks, tensor and pipeline parallel, agrees with mlx-lm as the whole does.
//! Ranks are threads here; what passes between them is what would cross the wire.

mod tiny;

use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Mutex};

use tandem_kernels_cpu::CpuBackend;
use tandem_kernels_gpu::GpuBackend;
use tandem_models::Shard;
use tandem_tensor::{Backend, Batch, PeerLost, Peers, Reference};

use tiny::{Case, Prompt, limits, push};

/// A stage's ranks meet here to add their parts, in rank order.
struct Meeting {
    parts: Mutex<Vec<Vec<f32>>>,
    barrier: Barrier,
    /// What each rank had summed: whether by halves, and how many values.
    sums: Mutex<Vec<Vec<(bool, usize)>>>,
}

struct ThreadPeers {
    rank: usize,
    /// Whether long batches run in halves.
    overlap: bool,
    meeting: Arc<Meeting>,
    next: Option<Sender<Vec<f32>>>,
    previous: Option<Receiver<Vec<f32>>>,
}

impl Peers for ThreadPeers {
    fn all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        self.add(values, false);
        Ok(())
    }

    fn overlaps(&self) -> bool {
        self.overlap
    }

    fn finish_all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        self.add(values, true);
        Ok(())
    }

    fn send_next(&mut self, values: &[f32]) -> Result<(), PeerLost> {
        self.next.as_ref().unwrap().send(values.to_vec()).unwrap();
        Ok(())
    }

    fn recv_previous(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        values.copy_from_slice(&self.previous.as_ref().unwrap().recv().unwrap());
        Ok(())
    }
}

impl ThreadPeers {
    fn add(&mut self, values: &mut [f32], halved: bool) {
        self.meeting.sums.lock().unwrap()[self.rank].push((halved, values.len()));
        self.meeting.parts.lock().unwrap()[self.rank] = values.to_vec();
        self.meeting.barrier.wait();
        values.fill(0.0);
        for part in self.meeting.parts.lock().unwrap().iter() {
            values.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
        }
        self.meeting.barrier.wait();
    }
}

/// Layers, and a share for each rank.
type Stage = (Range<usize>, &'static [f64]);

/// Backends that ranks take in turns.
type Backends<'a> = [&'a (dyn Backend + Sync)];

/// Run all prompts of a case over stages of ranks; the last stage's parts of the vocabulary are put together.
fn run(
    case: &Case,
    backends: &Backends<'_>,
    stages: &[(Range<usize>, &[f64])],
    exact_sums: bool,
    overlap: bool,
) -> Vec<Vec<f32>> {
    let mut turns = backends.iter().cycle();
    let model = case.file.description().unwrap();
    let batches: Vec<Batch> = case
        .prompts
        .iter()
        .map(|prompt| {
            let mut batch = Batch::default();
            push(&mut batch, 0, prompt, 0, prompt.tokens.len());
            batch
        })
        .collect();
    let mut met = Vec::new();
    let results = std::thread::scope(|scope| {
        let mut last = Vec::new();
        let mut previous: Vec<Option<Receiver<Vec<f32>>>> = Vec::new();
        for (index, (layers, shares)) in stages.iter().enumerate() {
            let shards = case.file.divide(&model, layers.clone(), shares).unwrap();
            let parts = Mutex::new(vec![Vec::new(); shards.len()]);
            let (barrier, sums) = (Barrier::new(shards.len()), Mutex::new(vec![Vec::new(); shards.len()]));
            let meeting = Arc::new(Meeting { parts, barrier, sums });
            // Every rank of a stage holds the whole residual; rank `i` feeds rank `i` of the next stage, and the
            // first feeds those beyond.
            let next_ranks = stages.get(index + 1).map_or(0, |(_, shares)| shares.len());
            let (mut senders, receivers): (Vec<Vec<Sender<_>>>, Vec<_>) = {
                let mut senders: Vec<Vec<Sender<_>>> = vec![Vec::new(); shards.len()];
                let mut receivers = Vec::new();
                for rank in 0..next_ranks {
                    let (sender, receiver) = channel();
                    senders[if rank < shards.len() { rank } else { 0 }].push(sender);
                    receivers.push(Some(receiver));
                }
                (senders, receivers)
            };
            let mut inputs = std::mem::replace(&mut previous, receivers);
            last.clear();
            for shard in shards {
                let shard = Shard { exact_sums, ..shard };
                let program = Arc::new(case.file.program(&model, &shard).unwrap());
                let halved = overlap && !program.layers().is_empty();
                met.push((Arc::clone(&meeting), halved && case.prompts.iter().any(Prompt::is_halved)));
                let fan = std::mem::take(&mut senders[shard.rank]);
                let (next, relay) = channel::<Vec<f32>>();
                scope.spawn(move || {
                    for values in relay {
                        fan.iter().for_each(|sender| sender.send(values.clone()).unwrap());
                    }
                });
                let mut peers = ThreadPeers {
                    rank: shard.rank,
                    overlap,
                    meeting: Arc::clone(&meeting),
                    next: Some(next),
                    previous: inputs.get_mut(shard.rank).and_then(Option::take),
                };
                let (mut batches, backend) = (batches.clone(), *turns.next().expect("a backend"));
                // What is given comes in by the leader.
                if shard.rank > 0 || index > 0 {
                    batches
                        .iter_mut()
                        .flat_map(|batch| &mut batch.given)
                        .for_each(|given| given.values = None);
                }
                last.push(scope.spawn(move || {
                    let mut session = backend.open(program, limits(), &case.source(), &|_| {}).unwrap();
                    let results = batches.iter().map(|batch| {
                        session.run(batch, &mut peers).unwrap();
                        session.result().to_vec()
                    });
                    (shard, results.collect::<Vec<_>>())
                }));
            }
        }
        let parts: Vec<_> = last.into_iter().map(|rank| rank.join().unwrap()).collect();
        let whole = |index: usize, prompt: &tiny::Prompt| {
            let mut logits = vec![0.0; prompt.rows.len() * case.vocab];
            for (shard, results) in &parts {
                let width = shard.vocab.len();
                for (row, part) in results[index].chunks_exact(width).enumerate() {
                    logits[row * case.vocab + shard.vocab.start..][..width].copy_from_slice(part);
                }
            }
            logits
        };
        case.prompts.iter().enumerate().map(|(index, prompt)| whole(index, prompt)).collect()
    });
    for (meeting, halved) in met {
        let sums = meeting.sums.lock().unwrap();
        assert!(sums.iter().all(|rank| *rank == sums[0]), "{} has other sums on other ranks", case.name);
        assert_eq!(sums[0].iter().any(|(halved, _)| *halved), halved, "{}", case.name);
    }
    results
}

fn check_layout(name: &str, stages: impl Fn(usize) -> Vec<Stage>) {
    let cpu = CpuBackend::new().with_threads(1);
    check_layout_on(name, &stages, "reference", &[&Reference]);
    check_layout_on(name, &stages, "cpu", &[&cpu]);
}

fn check_layout_on(
    name: &str,
    stages: &impl Fn(usize) -> Vec<Stage>,
    backend: &str,
    backends: &Backends<'_>,
) {
    check_cases(tiny::cases(), name, stages, backend, backends, false);
}

fn check_cases(
    cases: impl IntoIterator<Item = Case>,
    name: &str,
    stages: &impl Fn(usize) -> Vec<Stage>,
    backend: &str,
    backends: &Backends<'_>,
    overlap: bool,
) {
    for case in cases {
        let model = case.file.description().unwrap();
        let layers = model.layers.len();
        let heads = model.layers.iter().map(|layer| layer.attention.heads().count).min().unwrap();
        if let Some((layers, shares)) = stages(layers).into_iter().find(|(_, shares)| shares.len() > heads) {
            let refused = case.file.divide(&model, layers, shares).unwrap_err().to_string();
            assert!(refused.contains("ranks cannot share"), "{refused}");
            continue;
        }
        let found = run(&case, backends, &stages(layers), false, overlap);
        for (found, prompt) in found.iter().zip(&case.prompts) {
            case.check(&format!("as {name}"), backend, found, &prompt.logits);
        }
    }
}

fn two(layers: usize) -> Vec<Stage> {
    vec![(0..layers, &[1.0, 1.0])]
}

fn three(layers: usize) -> Vec<Stage> {
    vec![(0..layers, &[1.0, 1.0, 1.0])]
}

fn two_unequal(layers: usize) -> Vec<Stage> {
    vec![(0..layers, &[3.0, 1.0])]
}

fn two_stages(layers: usize) -> Vec<Stage> {
    vec![(0..1, &[1.0]), (1..layers, &[1.0])]
}

fn one_then_two(layers: usize) -> Vec<Stage> {
    vec![(0..1, &[1.0]), (1..layers, &[2.0, 1.0])]
}

fn two_then_one(layers: usize) -> Vec<Stage> {
    vec![(0..1, &[1.0, 2.0]), (1..layers, &[1.0])]
}

/// With exact sums every layout gives the same bits, and they are mlx-lm's logits as well as any.
#[test]
fn exact_sums_do_not_depend_on_the_layout() {
    let backend = CpuBackend::new().with_threads(1);
    let mut compared = 0;
    for case in tiny::cases() {
        let model = case.file.description().unwrap();
        let layers = model.layers.len();
        let whole = run(&case, &[&backend], &[(0..layers, &[1.0])], true, false);
        for (found, prompt) in whole.iter().zip(&case.prompts) {
            case.check("with exact sums", &backend.name(), found, &prompt.logits);
        }
        let key_heads = model.layers.iter().map(|layer| layer.attention.heads().kv_count).min().unwrap();
        for shares in [&[1.0, 1.0][..], &[3.0, 1.0], &[1.0, 1.0, 1.0], &[1.0, 2.0, 1.0, 1.0]] {
            // Ranks that share a key head cut finer than sums are made.
            if shares.len() > key_heads || case.file.divide(&model, 0..layers, shares).is_err() {
                continue;
            }
            compared += 1;
            let divided = run(&case, &[&backend], &[(0..layers, shares)], true, false);
            assert!(divided == whole, "{} among {shares:?}", case.name);
        }
        if layers > 1 {
            let stages: [(Range<usize>, &[f64]); 2] = [(0..1, &[1.0]), (1..layers, &[1.0])];
            assert!(run(&case, &[&backend], &stages, true, false) == whole, "{} in two stages", case.name);
        }
    }
    let are_few = std::env::var_os("TANDEM_TINY").is_some();
    assert!(are_few || compared > 20, "only {compared} divisions");
}

#[test]
fn tensor_parallel_layouts_agree() {
    check_layout("2 ranks", two);
    check_layout("3 ranks", three);
    check_layout("4 ranks", |layers| vec![(0..layers, &[1.0; 4])]);
    check_layout("2 unequal ranks", two_unequal);
}

#[test]
fn pipelines_agree() {
    check_layout("2 stages", two_stages);
}

#[test]
fn hybrids_agree() {
    check_layout("2 stages of 2", |layers| vec![(0..1, &[1.0, 1.0]), (1..layers, &[1.0, 1.0])]);
    check_layout("1 then 2", one_then_two);
}

/// Long prompts in two halves, whose sums are made in turns.
#[test]
fn halves_agree() {
    let cpu = CpuBackend::new().with_threads(1);
    check_cases(tiny::cases(), "2 ranks, in halves", &two, "cpu", &[&cpu], true);
    check_cases(tiny::cases(), "2 then 1, in halves", &two_then_one, "cpu", &[&cpu], true);
}

/// Ranks are processes, so each has the device opened for itself.
fn gpu() -> GpuBackend {
    GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan")
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn layouts_agree_on_gpus() {
    let gpus = [gpu(), gpu(), gpu()];
    let [a, b, c] = &gpus;
    check_layout_on("2 unequal ranks", &two_unequal, "gpu", &[a, b]);
    check_layout_on("3 ranks", &three, "gpu", &[a, b, c]);
    check_layout_on("1 then 2", &one_then_two, "gpu", &[a, b, c]);
}

/// A processor and a GPU in one group.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn mixed_groups_agree() {
    let (gpu, cpu) = (gpu(), CpuBackend::new().with_threads(1));
    check_layout_on("2 ranks", &two, "gpu", &[&cpu, &gpu]);
    check_layout_on("2 stages", &two_stages, "gpu", &[&gpu, &cpu]);
}

/// Long prompts in two halves, on GPUs and in a group of both: of families with states, windows, experts, chosen tokens, and sums of
/// several widths.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn halves_agree_on_gpus() {
    let (gpus, cpu) = ([gpu(), gpu()], CpuBackend::new().with_threads(1));
    let [a, b] = &gpus;
    let cases = |wanted: &[&str]| {
        let mut cases = tiny::cases();
        cases.retain(|case| wanted.contains(&case.name.as_str()));
        cases
    };
    let families = ["deepseek-v32", "gpt-oss", "granite4-h", "kimi-linear", "minimax-m2", "qwen3-next"];
    check_cases(cases(&families), "2 ranks, in halves", &two, "gpu", &[a, &cpu], true);
    check_cases(cases(&["qwen3-next", "gemma3"]), "2 GPUs, in halves", &two_unequal, "gpu", &[a, b], true);
    check_cases(cases(&["llama-tied"]), "2 then 1, in halves", &two_then_one, "gpu", &[a, &cpu, b], true);
}
