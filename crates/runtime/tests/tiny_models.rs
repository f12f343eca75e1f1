//! Every architecture on a tiny random checkpoint, against logits computed by mlx-lm in f32
//! (`oracles/tiny.py` makes both). Each folder under `oracles/tiny` is a case.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tandem_formats::Weights;
use tandem_kernels_cpu::CpuBackend;
use tandem_models::Shard;
use tandem_runtime::ModelFile;
use tandem_tensor::{
    Alone, Backend, Batch, CacheType, Limits, ReadError, Reference, Session, Span, Weight, WeightSource,
};

/// The largest difference of any logit. The weights are random and unit-sized, so logits reach about ±10.
const TOLERANCE: f32 = 1e-3;

struct Case {
    name: String,
    file: ModelFile,
    prompts: Vec<Prompt>,
    vocab: usize,
}

struct Prompt {
    tokens: Vec<u32>,
    /// Positions with expected logits.
    rows: Vec<usize>,
    logits: Vec<f32>,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(!folders.is_empty());
    folders.iter().map(|folder| case(folder)).collect()
}

fn case(folder: &Path) -> Case {
    let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
    let numbers = |value: &serde_json::Value| -> Vec<usize> {
        value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
    };
    let bytes = std::fs::read(folder.join("expected.f32")).unwrap();
    let mut logits = bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
    let vocab = expected["vocab_size"].as_u64().unwrap() as usize;
    let prompts = expected["prompts"].as_array().unwrap().iter().map(|prompt| {
        let rows = numbers(&prompt["rows"]);
        Prompt {
            tokens: numbers(&prompt["tokens"]).into_iter().map(|token| token as u32).collect(),
            logits: logits.by_ref().take(rows.len() * vocab).collect(),
            rows,
        }
    });
    let prompts = prompts.collect();
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    Case { name, file: ModelFile::open(folder).unwrap(), prompts, vocab }
}

struct Source<'a>(&'a dyn Weights);

impl WeightSource for Source<'_> {
    fn read(
        &self,
        weight: &Weight,
        _expert: usize,
        rows: std::ops::Range<usize>,
        out: &mut [u8],
    ) -> Result<(), ReadError> {
        let slice = tandem_formats::Slice { experts: 0..1, rows, cols: weight.slice.cols.clone() };
        self.0.read(&weight.name, &slice, out).map_err(|error| ReadError(Box::new(error)))
    }
}

const BLOCK_LEN: usize = 16;
const BLOCKS_PER_SEQUENCE: usize = 33;

fn session(case: &Case, backend: &dyn Backend) -> Box<dyn Session> {
    let model = case.file.description().unwrap();
    let program = case.file.program(&model, &Shard::whole(&model)).unwrap();
    let limits = Limits {
        tokens_max: 1024,
        outputs_max: 1024,
        block_len: BLOCK_LEN,
        blocks: 4 * BLOCKS_PER_SEQUENCE,
        context_max: 1024,
        cache_type: CacheType::F32,
    };
    backend.open(Arc::new(program), limits, &Source(case.file.weights()), &|_| {}).unwrap()
}

/// The blocks of the `index`th sequence: every fourth, so that they are never contiguous.
fn table(index: usize, tokens: usize) -> impl Iterator<Item = u32> {
    (0..tokens.div_ceil(BLOCK_LEN)).map(move |block| (block * 4 + index) as u32)
}

/// Append tokens `from..to` of a prompt to the batch, wanting the rows that have expectations.
fn push(batch: &mut Batch, index: usize, prompt: &Prompt, from: usize, to: usize) {
    let first = batch.tokens.len();
    batch.tokens.extend(&prompt.tokens[from..to]);
    batch.outputs.extend(
        prompt.rows.iter().filter(|row| (from..to).contains(*row)).map(|row| (first + row - from) as u32),
    );
    batch.blocks.extend(table(index, to));
    let blocks = table(index, to).count() as u32;
    batch.spans.push(Span { rows: (to - from) as u32, start: from as u32, blocks });
}

fn check(what: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let worst = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst <= TOLERANCE, "{what}: logits differ by {worst}");
}

fn backends() -> Vec<(&'static str, Box<dyn Backend>)> {
    vec![
        ("reference", Box::new(Reference)),
        ("cpu, 1 thread", Box::new(CpuBackend::new().with_threads(1))),
        ("cpu, 2 threads", Box::new(CpuBackend::new().with_threads(2))),
    ]
}

#[test]
fn whole_prompts_match() {
    for case in cases() {
        for (backend_name, backend) in backends() {
            let mut session = session(&case, &*backend);
            for prompt in &case.prompts {
                let mut batch = Batch::default();
                push(&mut batch, 0, prompt, 0, prompt.tokens.len());
                session.run(&batch, &mut Alone).unwrap();
                let what = format!("{} on {backend_name}, {} tokens", case.name, prompt.tokens.len());
                check(&what, session.result(), &prompt.logits);
            }
        }
    }
}

/// Prompts cut into uneven chunks, then single tokens, as a conversation would come.
#[test]
fn prompts_in_pieces_match() {
    for case in cases() {
        for (backend_name, backend) in backends() {
            let mut session = session(&case, &*backend);
            for prompt in &case.prompts {
                let mut found = Vec::new();
                let mut from = 0;
                for step in [1, 5, 33, 130, 1, 17].into_iter().chain(std::iter::repeat(1)) {
                    let to = prompt.tokens.len().min(from + step);
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
                let what =
                    format!("{} on {backend_name}, {} tokens in pieces", case.name, prompt.tokens.len());
                check(&what, &found, &prompt.logits);
            }
        }
    }
}

/// All prompts in one batch, at different places of their sequences.
#[test]
fn prompts_together_match() {
    for case in cases() {
        for (backend_name, backend) in backends() {
            let mut session = session(&case, &*backend);
            let cut = |prompt: &Prompt| prompt.tokens.len() / 3;
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
                let what =
                    format!("{} on {backend_name}, {} tokens in a batch", case.name, prompt.tokens.len());
                check(&what, found, &prompt.logits);
            }
        }
    }
}
