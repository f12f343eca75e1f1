//! SmolLM2 as a user runs it, against what llama.cpp produces from the same file (`oracles/`).
//!
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tandem_engine::{
    Config, Engine, Event as EngineEvent, Handle, Logprobs, OneRank, Request, RequestId, Stepper, Stream,
    Tokens,
};
use tandem_formats::Weights;
use tandem_kernels_cpu::CpuBackend;
use tandem_kernels_gpu::GpuBackend;
use tandem_models::Shard;
use tandem_runtime::{
    CacheType, Constraint, Delta, Device, Finish, Model, ModelFile, Options, Params, Sampling, grammars_at,
};
use tandem_tensor::{
    Backend, Batch, DType, Limits, PeerLost, Program, ReadError, Rest, Slice, Weight, WeightSource, quant,
};

fn model_path() -> PathBuf {
    std::env::var_os("TANDEM_SMOLLM2")
        .map(PathBuf::from)
        .expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` fetches it and sets it")
}

fn model(options: &Options) -> Model {
    Model::open(&model_path(), options, &|_, _| {}).unwrap()
}

fn oracle(name: &str) -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn ids(value: &serde_json::Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

/// Greedy continuations of many prompts at once.
fn continue_together(engine: &dyn Tokens, cases: &[Case]) -> Vec<Vec<u32>> {
    let streams: Vec<_> =
        cases.iter().map(|case| submit(engine, &case.prompt, case.produced.len())).collect();
    streams.into_iter().map(collect).collect()
}

fn submit(engine: &dyn Tokens, prompt: &[u32], tokens: usize) -> Stream {
    engine
        .stream(Request { prompt: prompt.to_vec(), tokens_max: Some(tokens), ..Request::default() })
        .unwrap()
}

fn collect(stream: Stream) -> Vec<u32> {
    let tokens = stream.filter_map(|event| match event {
        EngineEvent::Token { id, .. } => Some(id),
        EngineEvent::Failed(reason) => panic!("{reason}"),
        _ => None,
    });
    tokens.collect()
}

/// What llama.cpp wrote, and by how much each token beat the next best.
struct Case {
    text: String,
    prompt: Vec<u32>,
    produced: Vec<u32>,
    margin: Vec<f64>,
}

fn cases(kind: &str) -> (Vec<Case>, f64) {
    let oracle = oracle("smollm2_greedy.json");
    let cases = oracle[kind].as_array().unwrap().iter().map(|case| Case {
        text: case["text"].as_str().unwrap().to_owned(),
        prompt: ids(&case["prompt"]),
        produced: ids(&case["produced"]),
        margin: case["margin"].as_array().unwrap().iter().map(|margin| margin.as_f64().unwrap()).collect(),
    });
    let cases: Vec<Case> = cases.collect();
    assert!(cases.len() >= 20);
    (cases, oracle["ties"][kind].as_f64().unwrap())
}

/// Texts may part only where llama.cpp's two best logits were closer than `tie`; what follows may differ.
fn check_greedy(kind: &str, found: &[Vec<u32>], cases: &[Case], tie: f64) {
    let (mut ties, mut wrong) = (Vec::new(), Vec::new());
    for (case, found) in cases.iter().zip(found) {
        if let Some(at) = case.produced.iter().zip(found).position(|(a, b)| a != b) {
            let report = format!("{:?} at token {at}: margin {:.4}", case.text, case.margin[at]);
            if case.margin[at] <= tie { ties.push(report) } else { wrong.push(report) }
        }
    }
    println!("{kind}: {} texts, {} parted at a tie (≤ {tie}): {ties:#?}", cases.len(), ties.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The same weights widened to f32, with an f32 cache: arithmetic is exact but for the order of sums, and so must
/// the text be.
#[test]
fn greedy_text_equals_llama_cpp_in_exact_arithmetic() {
    let (cases, tie) = cases("exact");
    let file = ModelFile::open(&model_path()).unwrap();
    let description = file.description().unwrap();
    let stored = file.program(&description, &Shard::whole(&description)).unwrap();
    let mut program = stored.clone();
    program.weights.iter_mut().for_each(|weight| weight.dtype = DType::F32);
    let limits = Limits {
        tokens_max: 256,
        outputs_max: 64,
        block_len: 32,
        blocks: 256,
        window: 0,
        window_blocks: 0,
        states: 0,
        context_max: 512,
        cache_type: CacheType::F32,
    };
    let source = Widened { weights: file.weights(), stored: &stored };
    let session = CpuBackend::new().open(Arc::new(program), limits, &source, &|_| {}).unwrap();
    let config =
        Config { limits, vocab: description.vocab, sequences_max: 32, prefill_chunk: 128, waiting_max: 64 };
    let engine = Handle::spawn(Engine::new(Box::new(tandem_engine::OneRank(session)), config)).unwrap();
    check_greedy("exact", &continue_together(&engine, &cases), &cases, tie);
}

/// Reads weights as f32, whatever the file holds.
struct Widened<'a> {
    weights: &'a dyn Weights,
    stored: &'a Program,
}

impl WeightSource for Widened<'_> {
    fn read(&self, weight: &Weight, _: usize, rows: Range<usize>, out: &mut [u8]) -> Result<(), ReadError> {
        let stored = self.stored.weights.iter().find(|stored| stored.name == weight.name).unwrap();
        let mut bytes = vec![0; rows.len() * stored.row_bytes()];
        let mut values = vec![0.0; rows.len() * stored.cols()];
        let slice = Slice { experts: 0..1, rows, cols: weight.slice.cols.clone() };
        self.weights.read(&weight.name, &slice, &mut bytes).map_err(|error| ReadError(Box::new(error)))?;
        quant::dequantize(stored.dtype, &bytes, &mut values);
        for (bytes, value) in out.chunks_exact_mut(4).zip(values) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
        Ok(())
    }
}

/// The file as it is. Both engines round activations to eight bits, which moves logits by more than the order of
/// sums does (see `oracles/greedy.py`), so only clear choices must agree.
#[test]
fn greedy_text_of_the_quantised_file_equals_llama_cpp_where_the_choice_is_clear() {
    let (cases, tie) = cases("quantised");
    let model = model(&Options::default());
    for case in &cases {
        assert_eq!(
            model.tokenizer().encode(&case.text, tandem_text::Specials::Parse),
            case.prompt,
            "{:?}",
            case.text
        );
    }
    check_greedy("quantised", &continue_together(&**model.tokens(), &cases), &cases, tie);
}

/// The beginnings of a few texts: a software GPU is slow.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn greedy_text_on_gpus_equals_llama_cpp_where_the_choice_is_clear() {
    let (mut cases, tie) = cases("quantised");
    cases.truncate(6);
    for case in &mut cases {
        case.produced.truncate(12);
    }
    let model =
        model(&Options { device: Device::named("gpu", 0), context: Some(1024), ..Options::default() });
    check_greedy("quantised, gpu", &continue_together(&**model.tokens(), &cases), &cases, tie);
}

/// A session that gives few values, or is not asked to.
struct Asked {
    inner: OneRank,
    reduces: bool,
    counts: Arc<[AtomicUsize; 2]>,
}

impl Stepper for Asked {
    fn start(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        assert!(!self.reduces || batch.top > 0, "all values are asked for");
        self.counts[0].fetch_add(batch.outputs.len(), Ordering::Relaxed);
        self.inner.start(batch)
    }

    fn finish(&mut self) -> Result<(), PeerLost> {
        self.inner.finish()
    }

    fn result(&self) -> &[f32] {
        self.inner.result()
    }

    fn reduces(&self) -> bool {
        self.reduces && self.inner.reduces()
    }

    fn rests(&self) -> &[Rest] {
        if self.reduces { self.inner.rests() } else { &[] }
    }

    fn fetch(&mut self, output: usize) -> Result<(), PeerLost> {
        self.counts[1].fetch_add(1, Ordering::Relaxed);
        self.inner.fetch(output)
    }
}

/// What is chosen under a grammar, by nucleus and with log-probabilities is the same from few values as from whole rows.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn few_values_of_a_gpu_give_what_whole_rows_give() {
    let file = ModelFile::open(&model_path()).unwrap();
    let description = file.description().unwrap();
    let program = Arc::new(file.program(&description, &Shard::whole(&description)).unwrap());
    let limits = Limits {
        tokens_max: 64,
        outputs_max: 8,
        block_len: 32,
        blocks: 32,
        window: 0,
        window_blocks: 0,
        states: 0,
        context_max: 128,
        cache_type: CacheType::F16,
    };
    let config =
        Config { limits, vocab: description.vocab, sequences_max: 8, prefill_chunk: 64, waiting_max: 8 };
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    let (cases, _) = cases("quantised");
    let schema = r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#;
    let json = Some(Constraint::JsonSchema(schema.into()));
    let plain = Sampling { temperature: 1.0, seed: Some(4), ..Sampling::default() };
    let asked = |sampling: Sampling, constraint: Option<Constraint>, logprobs: Option<usize>| Request {
        prompt: cases[0].prompt.clone(),
        tokens_max: Some(16),
        sampling,
        constraint,
        logprobs,
        ..Request::default()
    };
    let penalised = Sampling { presence_penalty: 0.5, top_p: 0.9, ..plain.clone() };
    let requests = [
        asked(Sampling::default(), json.clone(), None),
        asked(plain.clone(), json.clone(), Some(3)),
        asked(Sampling { top_p: 0.9, ..plain.clone() }, json, None),
        asked(plain.clone(), None, Some(5)),
        asked(Sampling { top_p: 0.9, ..plain.clone() }, None, None),
        asked(Sampling { min_p: 0.05, ..plain }, None, None),
        asked(penalised, None, Some(2)),
    ];
    let answers = [false, true].map(|reduces| {
        let source = Stored { weights: file.weights() };
        let session = backend.open(Arc::clone(&program), limits, &source, &|_| {}).unwrap();
        let counts = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        let asked = Asked { inner: OneRank(session), reduces, counts: Arc::clone(&counts) };
        let grammars = grammars_at(&model_path()).unwrap();
        let mut engine = Engine::new(Box::new(asked), config).with_grammars(grammars);
        for (id, request) in (0..).zip(&requests) {
            engine.submit(RequestId(id), request.clone()).unwrap();
        }
        let mut answers: Vec<Vec<(u32, Option<Box<Logprobs>>)>> = vec![Vec::new(); requests.len()];
        let mut events = Vec::new();
        while !engine.is_idle() {
            engine.step(&mut events).unwrap();
            for (id, event) in events.drain(..) {
                match event {
                    EngineEvent::Token { id: token, logprobs } => {
                        answers[id.0 as usize].push((token, logprobs));
                    }
                    EngineEvent::Done(_) => {}
                    other => panic!("{other:?}"),
                }
            }
        }
        let [rows, fetched] = [0, 1].map(|at| counts[at].load(Ordering::Relaxed));
        println!("few values: {reduces}; {rows} rows, of which {fetched} were brought whole after all");
        assert!(fetched < rows / 3);
        answers
    });
    let [whole, few] = &answers;
    for (which, (few, whole)) in few.iter().zip(whole).enumerate() {
        let tokens =
            |answer: &[(u32, Option<Box<Logprobs>>)]| answer.iter().map(|it| it.0).collect::<Vec<_>>();
        assert_eq!(tokens(few), tokens(whole), "request {which}");
        assert!(few.len() > 3, "request {which}");
        let pairs = few.iter().zip(whole).filter_map(|(few, whole)| few.1.as_ref().zip(whole.1.as_ref()));
        for (few, whole) in pairs {
            assert!((few.chosen - whole.chosen).abs() < 1e-4, "request {which}: {few:?}, {whole:?}");
            for (few, whole) in few.top.iter().zip(&whole.top) {
                assert_eq!(few.id, whole.id, "request {which}");
                assert!((few.logprob - whole.logprob).abs() < 1e-4, "request {which}");
            }
            assert_eq!(few.top.len(), whole.top.len());
        }
    }
}

/// Reads weights as they are.
struct Stored<'a> {
    weights: &'a dyn Weights,
}

impl WeightSource for Stored<'_> {
    fn read(&self, weight: &Weight, _: usize, rows: Range<usize>, out: &mut [u8]) -> Result<(), ReadError> {
        let slice = Slice { experts: 0..1, rows, cols: weight.slice.cols.clone() };
        self.weights.read(&weight.name, &slice, out).map_err(|error| ReadError(Box::new(error)))
    }
}

#[test]
fn a_sequence_answers_the_same_alone_and_among_others() {
    let model = model(&Options { threads: Some(2), ..Options::default() });
    let (cases, _) = cases("quantised");
    let alone: Vec<Vec<u32>> = cases
        .iter()
        .map(|case| collect(submit(&**model.tokens(), &case.prompt, case.produced.len())))
        .collect();
    let together = continue_together(&**model.tokens(), &cases);
    assert_eq!(alone, together);
}

#[test]
fn stop_strings_lengths_and_usage() {
    let model = model(&Options::default());
    // Few, so that it does not end by itself: what it says depends on how this processor rounds.
    let params = Params { tokens_max: Some(12), ..Params::default() };
    let (text, summary) = model.complete("The capital of France is", &params).unwrap().text().unwrap();
    assert_eq!((summary.finish, summary.tokens, summary.prompt_tokens), (Finish::Length, 12, 5));
    let stop = text.split_whitespace().nth(3).unwrap().to_owned();
    let params = Params { stop: vec![stop.clone(), "never".into()], ..params };
    let (stopped, summary) = model.complete("The capital of France is", &params).unwrap().text().unwrap();
    assert_eq!(stopped, text.split(&stop).next().unwrap());
    assert_eq!(summary.finish, Finish::Stop(stop));
}

#[test]
fn an_eight_bit_cache_changes_little() {
    let (cases, _) = cases("quantised");
    let tokens: Vec<u32> = cases.into_iter().flat_map(|case| case.produced).take(400).collect();
    let loss = |cache_type| {
        let model = model(&Options { cache_type, ..Options::default() });
        let scores = model.score(tokens.clone()).unwrap();
        assert_eq!(scores.len(), tokens.len() - 1);
        -scores.iter().sum::<f32>() / scores.len() as f32
    };
    let (full, eight) = (loss(CacheType::F16), loss(CacheType::Q8));
    assert!((full - eight).abs() < 0.02 * full, "{full} {eight}");
}

#[test]
fn a_seed_fixes_a_sampled_answer() {
    let model = model(&Options::default());
    let answer = |seed| {
        let sampling = Sampling { temperature: 1.0, top_p: 0.95, seed: Some(seed), ..Sampling::default() };
        let params = Params { sampling, tokens_max: Some(30), ..Params::default() };
        model.complete("Once upon a time", &params).unwrap().text().unwrap().0
    };
    assert_eq!(answer(3), answer(3));
    assert_ne!(answer(3), answer(4));
}

#[test]
fn dropping_an_answer_stops_it() {
    let model = model(&Options { sequences_max: 1, ..Options::default() });
    let params = Params::default();
    let mut endless = model.complete("1, 2, 3,", &params).unwrap();
    assert!(matches!(endless.next(), Some(Ok(Delta::Content(_)))));
    drop(endless);
    // The only slot is free again.
    let params = Params { tokens_max: Some(3), ..Params::default() };
    assert_eq!(model.complete("1, 2, 3,", &params).unwrap().text().unwrap().1.tokens, 3);
}

#[test]
fn too_little_memory_is_said_with_numbers() {
    let options = Options { context: Some(8192), ..Options::default() };
    let error =
        Model::open_within(&model_path(), &options, 50_000_000, &|_, _| {}).err().unwrap().to_string();
    for part in ["not enough memory", "weights 97 MB", "cache", "50 MB are free"] {
        assert!(error.contains(part), "{error}");
    }
}
