//! Every architecture on a tiny random checkpoint, against logits computed by mlx-lm, or by transformers where it sees pictures.

mod tiny;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use tandem_kernels_cpu::CpuBackend;
use tandem_kernels_gpu::GpuBackend;
use tandem_models::{Scales, Shard};
use tandem_runtime::{FileSource, MemoryPlan, ModelFile, Options, RankPart};
use tandem_tensor::{Alone, Backend, Batch, Reference, Session, WeightSource, quant};

use tiny::{Case, Prompt, bytes_of_pictures, cases, limits, push};

fn session(case: &Case, backend: &dyn Backend) -> Box<dyn Session> {
    let model = case.file.description().unwrap();
    let program = case.file.program(&model, &Shard::whole(&model)).unwrap();
    backend.open(Arc::new(program), limits(), &case.source(), &|_| {}).unwrap()
}

type Named = (&'static str, Box<dyn Backend>);

fn backends() -> Vec<Named> {
    vec![
        ("reference", Box::new(Reference)),
        ("cpu, 1 thread", Box::new(CpuBackend::new().with_threads(1))),
        ("cpu, 2 threads", Box::new(CpuBackend::new().with_threads(2))),
    ]
}

/// One for all tests here: its kernels are compiled once.
fn gpu() -> Vec<Named> {
    static GPU: OnceLock<GpuBackend> = OnceLock::new();
    let gpu = GPU.get_or_init(|| GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan"));
    vec![("gpu", Box::new(gpu.clone()))]
}

#[test]
fn every_architecture_has_a_checkpoint() {
    if std::env::var_os("TANDEM_TINY").is_some() {
        return;
    }
    let described: Vec<_> =
        cases().iter().map(|case| case.file.description().unwrap().architecture).collect();
    for known in tandem_models::arch::ALL {
        assert!(described.contains(&known.gguf), "no checkpoint of {} in oracles/tiny", known.gguf);
    }
}

#[test]
fn whole_prompts_match() {
    whole_prompts(&backends(), 1);
}

/// Every fourth family: kernels for whole prompts are compiled for each, and the other tests have all families.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn whole_prompts_match_on_gpus() {
    whole_prompts(&gpu(), 4);
}

fn whole_prompts(backends: &[Named], every: usize) {
    for case in cases().iter().step_by(every) {
        for (backend_name, backend) in backends {
            let mut session = session(case, &**backend);
            for prompt in &case.prompts {
                let mut batch = Batch::default();
                push(&mut batch, 0, prompt, 0, prompt.tokens.len());
                session.run(&batch, &mut Alone).unwrap();
                let what = format!("{} tokens", prompt.tokens.len());
                case.check(&what, backend_name, session.result(), &prompt.logits);
            }
        }
    }
}

/// Prompts cut into uneven chunks, then single tokens, as a conversation would come.
#[test]
fn prompts_in_pieces_match() {
    prompts_in_pieces(&backends());
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn prompts_in_pieces_match_on_gpus() {
    prompts_in_pieces(&gpu());
}

fn prompts_in_pieces(backends: &[Named]) {
    for case in cases() {
        for (backend_name, backend) in backends {
            let mut session = session(&case, &**backend);
            for prompt in &case.prompts {
                let mut found = Vec::new();
                let mut from = 0;
                for step in [1, 5, 33, 130, 1, 17].into_iter().chain(std::iter::repeat(1)) {
                    let to = prompt.cut(prompt.tokens.len().min(from + step));
                    let mut batch = Batch::default();
                    push(&mut batch, 1, prompt, from, to);
                    session.run(&batch, &mut Alone).unwrap();
                    assert_eq!(session.result().len(), batch.outputs.len() * case.vocab);
                    found.extend_from_slice(session.result());
                    from = to;
                    if from == prompt.tokens.len() {
                        break;
                    }
                }
                let what = format!("{} tokens in pieces", prompt.tokens.len());
                case.check(&what, backend_name, &found, &prompt.logits);
            }
        }
    }
}

/// All prompts in one batch, at different places of their sequences.
#[test]
fn prompts_together_match() {
    prompts_together(&backends());
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn prompts_together_match_on_gpus() {
    prompts_together(&gpu());
}

fn prompts_together(backends: &[Named]) {
    for case in cases() {
        for (backend_name, backend) in backends {
            let mut session = session(&case, &**backend);
            let cut = |prompt: &Prompt| prompt.cut(prompt.tokens.len() / 3);
            let mut found: Vec<Vec<f32>> = vec![Vec::new(); case.prompts.len()];
            for second in [false, true] {
                let mut batch = Batch::default();
                let mut outputs = Vec::new();
                for (index, prompt) in case.prompts.iter().enumerate() {
                    let (from, to) =
                        if second { (cut(prompt), prompt.tokens.len()) } else { (0, cut(prompt)) };
                    let before = batch.outputs.len();
                    if from < to {
                        push(&mut batch, index, prompt, from, to);
                    }
                    outputs.push(before..batch.outputs.len());
                }
                session.run(&batch, &mut Alone).unwrap();
                for (found, rows) in found.iter_mut().zip(outputs) {
                    found
                        .extend_from_slice(&session.result()[rows.start * case.vocab..rows.end * case.vocab]);
                }
            }
            for (found, prompt) in found.iter().zip(&case.prompts) {
                let what = format!("{} tokens in a batch", prompt.tokens.len());
                case.check(&what, backend_name, found, &prompt.logits);
            }
        }
    }
}

/// The hidden state is what the output matrix turns into logits.
#[test]
fn hidden_states_lead_to_the_logits() {
    hidden_states(&backends());
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn hidden_states_lead_to_the_logits_on_gpus() {
    hidden_states(&gpu());
}

fn hidden_states(backends: &[Named]) {
    for case in cases() {
        let model = case.file.description().unwrap();
        let program = case.file.program(&model, &Shard::whole(&model)).unwrap();
        let head = program.weights.iter().find(|weight| weight.name == model.head.name).unwrap();
        let mut bytes = vec![0; head.bytes() as usize];
        case.source().read(head, 0, 0..head.rows(), &mut bytes).unwrap();
        let mut matrix = vec![0.0; head.rows() * head.cols()];
        quant::dequantize(head.dtype, &bytes, &mut matrix);
        let prompt = &case.prompts[1];
        for (backend_name, backend) in backends {
            let mut session = session(&case, &**backend);
            let mut batch = Batch::default();
            push(&mut batch, 0, prompt, 0, prompt.tokens.len());
            batch.hidden = true;
            session.run(&batch, &mut Alone).unwrap();
            let dot = |row: &[f32], x: &[f32]| row.iter().zip(x).map(|(w, x)| w * x).sum::<f32>();
            let rows = session.hidden().unwrap().chunks_exact(model.hidden);
            let found = rows.flat_map(|x| matrix.chunks_exact(model.hidden).map(move |row| dot(row, x)));
            let Scales { logits: scale, logits_cap: cap, .. } = model.scales;
            let capped = |x: f32| cap.map_or(x, |cap| cap * (x / cap).tanh());
            let found: Vec<f32> = found.map(|x| capped(x * scale)).collect();
            case.check("from the hidden states", backend_name, &found, &prompt.logits);
        }
    }
}

#[test]
fn a_plan_counts_the_cache_that_is_taken() {
    for case in cases() {
        let model = case.file.description().unwrap();
        let program = case.file.program(&model, &Shard::whole(&model)).unwrap();
        let backend = CpuBackend::new();
        for available in [1 << 40, 64 << 20] {
            let part = RankPart { program: &program, beside: 0, available };
            let planned = MemoryPlan::new(&backend, &[part], &Options::default(), &model);
            let (plan, limits) = planned.unwrap();
            let taken = backend.footprint(&program, &limits);
            assert_eq!(plan.footprint, taken, "{}", case.name);
            assert!(taken.total() <= available / 10 * 9, "{}: {plan:?}", case.name);
            assert!(plan.context == model.context || available < 1 << 40, "{}: {plan:?}", case.name);
            assert!(limits.blocks * limits.block_len >= plan.cache_tokens, "{}: {plan:?}", case.name);
        }
    }
}

/// Every backend's tower gives the rows that the reference's does.
#[test]
fn towers_match() {
    let found = towers(backends(), 1e-4);
    assert!(found[1] == found[2], "one thread and two give the same bits");
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn towers_match_on_gpus() {
    towers([("reference", Box::new(Reference) as Box<dyn Backend>)].into_iter().chain(gpu()), 1e-3);
}

/// What each backend's tower gives; none differs from the first by more than `tolerance`.
fn towers(backends: impl IntoIterator<Item = Named>, tolerance: f32) -> Vec<Vec<Vec<f32>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/pictures/gemma3");
    let file = ModelFile::open(&folder).unwrap();
    let model = file.description().unwrap();
    let tower = model.tower.as_ref().unwrap();
    let program = Arc::new(file.tower_program(&model).unwrap().unwrap());
    let mut found: Vec<Vec<Vec<f32>>> = Vec::new();
    for (name, backend) in backends {
        let source = FileSource(file.weights());
        let mut session = backend.open(Arc::clone(&program), tower.limits(), &source, &|_| {}).unwrap();
        let rows: Vec<Vec<f32>> = bytes_of_pictures(&folder, tower.size)
            .iter()
            .map(|picture| {
                session.run(&tower.batch(picture), &mut Alone).unwrap();
                session.result().to_vec()
            })
            .collect();
        assert_eq!(rows[0].len(), tower.rows * model.hidden);
        let expected = found.first().unwrap_or(&rows);
        let values = rows.iter().flatten().zip(expected.iter().flatten());
        let worst = values.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < tolerance, "{name}: rows differ by {worst}");
        found.push(rows);
    }
    found
}
