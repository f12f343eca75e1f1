//! Tiny random checkpoints with logits computed by mlx-lm in f32 (`oracles/tiny.py` makes both). Each folder under
//! `oracles/tiny` is a case, and so is each under `oracles/pictures`, whose logits transformers computed from pictures.

#![allow(dead_code, reason = "every test uses some of it")]

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tandem_runtime::{FileSource, ModelFile};
use tandem_tensor::{Alone, Backend, Batch, CacheType, Given, Limits, Reference, Span};

/// The largest difference of any logit. The weights are random and unit-sized, so logits reach about ±10.
const TOLERANCE: f32 = 1e-3;
/// GPUs have functions of their own, and round to half floats in long batches.
const TOLERANCE_GPU: f32 = 1e-2;
/// Where weights are quantised, the CPU backend rounds what they multiply to 8 bits, and now and then a row chooses
/// another expert for it. Checkpoints of the same architecture in floats are held to the strict limit.
const ROUNDED: f32 = 0.25;

pub struct Case {
    pub name: String,
    pub file: ModelFile,
    pub prompts: Vec<Prompt>,
    pub vocab: usize,
}

pub struct Prompt {
    pub tokens: Vec<u32>,
    /// Positions with expected logits.
    pub rows: Vec<usize>,
    /// Pictures: positions, and what a tower made of each.
    pub shown: Vec<(Range<usize>, Arc<[f32]>)>,
    pub logits: Vec<f32>,
}

impl Prompt {
    /// Whether ranks may run it in halves.
    pub fn is_halved(&self) -> bool {
        self.tokens.len() >= 64 && self.shown.is_empty()
    }

    /// Where it may be cut at about `at`: pictures are not.
    pub fn cut(&self, at: usize) -> usize {
        let within = |place: &&Range<usize>| place.start < at && at < place.end;
        self.shown.iter().map(|(place, _)| place).find(within).map_or(at, |place| place.end)
    }
}

/// All of them, or with `TANDEM_TINY=NAME,NAME` those: who adds a family has no need to wait for the others.
pub fn cases() -> Vec<Case> {
    let oracles = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles");
    let entries = ["tiny", "pictures"].map(|folder| std::fs::read_dir(oracles.join(folder)).unwrap());
    let mut folders: Vec<PathBuf> =
        entries.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("config.json").exists());
    folders.sort();
    if let Ok(wanted) = std::env::var("TANDEM_TINY") {
        folders.retain(|folder| wanted.split(',').any(|name| folder.ends_with(name)));
    }
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
    let file = ModelFile::open(folder).unwrap();
    let pictures = rows_of_pictures(&file, folder);
    let row = file.description().unwrap().tower.and_then(|tower| Some(tower.tokens?.row));
    let prompts = expected["prompts"].as_array().unwrap().iter().map(|prompt| {
        let rows = numbers(&prompt["rows"]);
        let tokens: Vec<u32> = numbers(&prompt["tokens"]).into_iter().map(|token| token as u32).collect();
        let mut shown = Vec::new();
        if let Some((row, pictures)) = row.zip(pictures.as_ref()) {
            let mut from = 0;
            for index in numbers(&prompt["pictures"]) {
                let first = from + tokens[from..].iter().position(|token| *token == row).unwrap();
                from = first + tokens[first..].iter().take_while(|token| **token == row).count();
                shown.push((first..from, Arc::clone(&pictures[index])));
            }
        }
        Prompt { tokens, shown, logits: logits.by_ref().take(rows.len() * vocab).collect(), rows }
    });
    let prompts = prompts.collect();
    let mut name = folder.file_name().unwrap().to_string_lossy().into_owned();
    if pictures.is_some() {
        name += " with pictures";
    }
    Case { name, file, prompts, vocab }
}

/// What the tower makes of each picture in a folder, where the model has a tower.
pub fn rows_of_pictures(file: &ModelFile, folder: &Path) -> Option<Vec<Arc<[f32]>>> {
    let model = file.description().unwrap();
    let tower = model.tower.as_ref()?;
    let program = Arc::new(file.tower_program(&model).unwrap()?);
    let mut session = Reference.open(program, tower.limits(), &FileSource(file.weights()), &|_| {}).unwrap();
    let rows = bytes_of_pictures(folder, tower.size).into_iter().map(|picture| {
        session.run(&tower.batch(&picture), &mut Alone).unwrap();
        session.result().into()
    });
    Some(rows.collect())
}

/// The published processor's values, `[3, size, size]`, as the bytes that they were: those of pixels one after the other.
pub fn bytes_of_pictures(folder: &Path, size: usize) -> Vec<Vec<u8>> {
    let values = std::fs::read(folder.join("pixels.f32")).unwrap();
    let values: Vec<f32> = values.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let picture = |values: &[f32]| {
        let at = |pixel: usize, channel: usize| values[channel * size * size + pixel];
        let byte = |value: f32| ((value * 0.5 + 0.5) * 255.0).round() as u8;
        (0..size * size * 3).map(|i| byte(at(i / 3, i % 3))).collect()
    };
    values.chunks_exact(size * size * 3).map(picture).collect()
}

impl Case {
    pub fn source(&self) -> FileSource<'_> {
        FileSource(self.file.weights())
    }

    fn is_quantised(&self) -> bool {
        let weights = self.file.weights();
        let names = weights.names();
        names.iter().filter_map(|name| weights.tensor(name).ok()?).any(|info| info.dtype.block_len() > 1)
    }

    /// Compare with what mlx-lm computed.
    pub fn check(&self, what: &str, backend: &str, found: &[f32], expected: &[f32]) {
        let what = format!("{} on {backend}, {what}", self.name);
        assert_eq!(found.len(), expected.len(), "{what}");
        let worst = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        if backend == "reference" || !self.is_quantised() {
            let tolerance = if backend == "gpu" { TOLERANCE_GPU } else { TOLERANCE };
            assert!(worst <= tolerance, "{what}: logits differ by {worst}");
            return;
        }
        let norm = |values: &mut dyn Iterator<Item = f32>| values.map(|x| x * x).sum::<f32>().sqrt();
        let error = norm(&mut found.iter().zip(expected).map(|(a, b)| a - b));
        let error = error / norm(&mut expected.iter().copied());
        assert!(error <= ROUNDED, "{what}: logits differ by {error} of themselves");
    }
}

const BLOCK_LEN: usize = 16;
/// Of four sequences.
const BLOCKS: usize = 4 * 33;
/// Of every checkpoint that has windows.
const WINDOW: usize = 24;

/// Two for each sequence.
const STATES: usize = 8;

pub fn limits() -> Limits {
    Limits {
        tokens_max: 1024,
        outputs_max: 1024,
        block_len: BLOCK_LEN,
        blocks: BLOCKS,
        window: WINDOW,
        window_blocks: BLOCKS,
        states: STATES,
        context_max: 1024,
        cache_type: CacheType::F32,
    }
}

/// The blocks of the `index`th sequence: every fourth, so that they are never contiguous.
fn table(index: usize, tokens: usize) -> impl Iterator<Item = u32> {
    (0..tokens.div_ceil(BLOCK_LEN)).map(move |block| (block * 4 + index) as u32)
}

/// Append tokens `from..to` of a prompt to the batch, wanting the rows that have expectations.
pub fn push(batch: &mut Batch, index: usize, prompt: &Prompt, from: usize, to: usize) {
    let first = batch.tokens.len();
    batch.tokens.extend(&prompt.tokens[from..to]);
    for (place, values) in prompt.shown.iter().filter(|(place, _)| (from..to).contains(&place.start)) {
        let given = first + place.start - from..first + place.end - from;
        batch.tokens[given.clone()].fill(Given::TOKEN_MIN);
        let (first, rows) = (given.start as u32, given.len() as u32);
        batch.given.push(Given { first, rows, values: Some(Arc::clone(values)) });
    }
    batch.outputs.extend(
        prompt.rows.iter().filter(|row| (from..to).contains(*row)).map(|row| (first + row - from) as u32),
    );
    batch.blocks.extend(table(index, to));
    let blocks = table(index, to).count() as u32;
    let seen = (from + 1).saturating_sub(WINDOW) / BLOCK_LEN;
    // Counted from the end, so that no block has the same number in both tables.
    batch.window_blocks.extend(table(index, to).skip(seen).map(|block| BLOCKS as u32 - 1 - block));
    let window_blocks = blocks - seen as u32;
    // A piece of an odd number of tokens leaves the state in another place than it found it.
    let place = |tokens: usize| (index * 2 + tokens % 2) as u32;
    batch.spans.push(Span {
        rows: (to - from) as u32,
        start: from as u32,
        blocks,
        window_blocks,
        state: place(to),
        state_from: place(from),
    });
}
