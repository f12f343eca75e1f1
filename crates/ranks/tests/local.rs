//! SmolLM2 over processes of this machine: tensor parallel and pipelined, over shared memory and TCP, gives the text of one
//! rank; a killed, stopped or missing rank is named within the deadline.
//!
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable. This binary is also the
//! worker it starts.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use tandem_engine::{Event, Request, Tokens};
use tandem_formats::{Gguf, GgufWriter, TensorInfo, Weights};
use tandem_ranks::{LinkChoice, LocalGroup, LocalNodes, open_model, work};
use tandem_runtime::{Delta, Model, Options, Params, TokenLogprobs};
use tandem_tensor::{DType, quant};

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("worker") {
        return ExitCode::from(u8::from(work().is_err()));
    }
    // nextest asks for the list of tests, and then for them by name.
    let tests: [(&str, fn()); 4] = [
        ("the_text_does_not_depend_on_the_ranks", the_text_does_not_depend_on_the_ranks),
        ("a_killed_rank_is_named", || a_lost_rank_is_named("-KILL")),
        ("a_stopped_rank_is_named", || a_lost_rank_is_named("-STOP")),
        (
            "an_impossible_division_is_refused_before_loading",
            an_impossible_division_is_refused_before_loading,
        ),
    ];
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("--list") {
        if !has("--ignored") {
            tests.iter().for_each(|(name, _)| println!("{name}: test"));
        }
        return ExitCode::SUCCESS;
    }
    let wanted =
        |name: &str| !arguments.iter().any(|argument| !argument.starts_with('-') && argument != name);
    let mut count = 0;
    for (name, test) in tests.iter().filter(|(name, _)| wanted(name)) {
        test();
        println!("test {name} ... ok");
        count += 1;
    }
    println!("test result: ok. {count} passed; 0 failed");
    ExitCode::SUCCESS
}

fn model_path() -> PathBuf {
    std::env::var_os("TANDEM_SMOLLM2")
        .map(PathBuf::from)
        .expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` fetches it and sets it")
}

fn options() -> Options {
    Options { threads: Some(1), context: Some(512), ..Options::default() }
}

fn nodes(count: usize) -> LocalNodes {
    LocalNodes { count, link: LinkChoice::Shm, delay_us: 0, pipeline: false }
}

fn start(path: &Path, nodes: &LocalNodes) -> Result<Model, String> {
    open_model(path, &options(), nodes, worker, &|_, _| {}).map_err(|error| error.to_string())
}

fn worker() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("worker");
    command
}

/// Greedy tokens, each with what it was chosen over.
fn answer(model: &Model, prompt: &str) -> Vec<TokenLogprobs> {
    let params = Params { tokens_max: Some(32), logprobs: Some(2), ..Params::default() };
    let events = model.complete(prompt, &params).unwrap();
    let tokens = events.filter_map(|event| match event {
        Delta::Logprobs(logprobs) => Some(*logprobs),
        Delta::Failed(reason) => panic!("{reason}"),
        _ => None,
    });
    tokens.collect()
}

/// With f16 weights activations are not rounded, so only the order of sums differs between layouts, and only a tie may fall
/// differently. (With quantised weights they are rounded to eight bits, which turns a last-bit difference into a visible one.)
const TIE: f32 = 1e-2;

/// The same model with its weights widened to f16, in a file that is removed at the end.
struct Widened(PathBuf);

impl Widened {
    fn new() -> Widened {
        let path = std::env::temp_dir().join(format!("tandem-ranks-{}.gguf", std::process::id()));
        let source = Gguf::open(model_path()).unwrap();
        let mut writer = GgufWriter::new(&path);
        writer.copy_metadata(source.metadata(), |_| true).unwrap();
        let tensors: Vec<_> =
            source.names().iter().map(|name| source.tensor(name).unwrap().unwrap()).collect();
        let dtype = |tensor: &TensorInfo| if tensor.shape.rows == 1 { DType::F32 } else { DType::F16 };
        for tensor in &tensors {
            let dims = [tensor.shape.cols, tensor.shape.rows];
            let dims = if tensor.shape.rows == 1 { &dims[..1] } else { &dims[..] };
            writer.add_tensor(&tensor.name, dtype(tensor), dims).unwrap();
        }
        let mut writer = writer.start().unwrap();
        for tensor in &tensors {
            let mut values = vec![0.0; tensor.shape.rows * tensor.shape.cols];
            quant::dequantize(tensor.dtype, &source.read_all(&tensor.name).unwrap(), &mut values);
            let mut bytes = Vec::new();
            quant::quantize(dtype(tensor), &values, &mut bytes);
            writer.write_tensor(&tensor.name, &bytes).unwrap();
        }
        writer.finish().unwrap();
        Widened(path)
    }
}

impl Drop for Widened {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn the_text_does_not_depend_on_the_ranks() {
    let prompts = ["The capital of France is", "def fibonacci(n):\n", "1, 2, 4, 8, 16,"];
    let file = Widened::new();
    let alone = Model::open(&file.0, &options(), &|_, _| {}).unwrap();
    let expected: Vec<_> = prompts.iter().map(|prompt| answer(&alone, prompt)).collect();
    drop(alone);
    let layouts = [
        nodes(2),
        nodes(3),
        LocalNodes { link: LinkChoice::Tcp, ..nodes(2) },
        LocalNodes { pipeline: true, ..nodes(2) },
        LocalNodes { pipeline: true, link: LinkChoice::Tcp, ..nodes(3) },
    ];
    for layout in layouts {
        let model = start(&file.0, &layout).unwrap();
        for (prompt, expected) in prompts.iter().zip(&expected) {
            let found = answer(&model, prompt);
            if layout.pipeline {
                // Nothing is divided within a layer: every bit is the same.
                assert_eq!(found, *expected, "{prompt:?} on {layout:?}");
                continue;
            }
            let parted = expected.iter().zip(&found).position(|(a, b)| a.token.id != b.token.id);
            if let Some(logprobs) = parted.map(|at| &expected[at]) {
                let margin = logprobs.top[0].logprob - logprobs.top[1].logprob;
                assert!(margin < TIE, "{prompt:?} on {layout:?} parts at a margin of {margin}");
            }
        }
    }
}

/// Every rank, the leader too, while it decodes and while it reads a prompt.
fn a_lost_rank_is_named(signal: &str) {
    let prompts = [(vec![1; 8], true), (vec![1; 3000], false)];
    let options = Options { context: Some(4096), ..options() };
    for (rank, (prompt, decoding)) in
        [(0, prompts[0].clone()), (1, prompts[0].clone()), (1, prompts[1].clone())]
    {
        let group = LocalGroup::start(&model_path(), &options, &nodes(2), worker, &|_, _| {}).unwrap();
        let request = Request { prompt, tokens_max: Some(400), ..Request::default() };
        let mut events = group.stream(request.clone()).unwrap();
        if decoding {
            assert!(matches!(events.next(), Some(Event::Token { .. })));
        }
        let lost = group.processes()[rank];
        let began = Instant::now();
        Command::new("kill").args([signal, &lost.to_string()]).status().unwrap();
        let last = events.last().unwrap();
        let Event::Failed(reason) = last else { panic!("{last:?}") };
        let named = format!("rank {rank} is lost");
        assert!(reason.contains(&named), "{reason}");
        // The deadline is two seconds; the rest is the machine's.
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        let refused = group.stream(request).err().unwrap().to_string();
        assert!(refused.contains(&named), "{refused}");
        assert_eq!(group.engine().failure().unwrap().lost, Some(rank));
        let processes = group.processes();
        drop(group);
        for process in processes {
            assert!(!Path::new(&format!("/proc/{process}")).exists(), "a worker outlives its group");
        }
    }
    // A new group works at once.
    assert_eq!(answer(&start(&model_path(), &nodes(2)).unwrap(), "A").len(), 32);
}

fn an_impossible_division_is_refused_before_loading() {
    let error = start(&model_path(), &nodes(12)).err().unwrap();
    assert!(error.contains("12 ranks cannot share"), "{error}");
    let error = start(&model_path(), &LocalNodes { pipeline: true, ..nodes(40) }).err().unwrap();
    assert!(error.contains("40 nodes cannot divide 30 layers"), "{error}");
}
