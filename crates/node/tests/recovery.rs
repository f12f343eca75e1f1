//! Three nodes as processes, eight streams, and one of the nodes killed or stopped: every stream goes on with exactly the
//! tokens of an undisturbed run.
//!
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable. `TANDEM_RECOVERIES` says how
//! many nodes are lost one after the other (two by default). This binary is also the nodes and workers it starts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tandem_cluster::Phase;
use tandem_engine::{Event, Logprobs, Request, Ticket, Tokens};
use tandem_formats::{Gguf, GgufWriter, TensorInfo, Weights};
use tandem_node::{ClusterTokens, Node, Options, Wish};
use tandem_tensor::{DType, quant};

const MODEL: &str = "smollm2";
const STREAMS: usize = 8;
const TOKENS: usize = 100;
const PATIENCE: Duration = Duration::from_secs(60);
/// With f16 weights only the order of sums differs between divisions, and only a tie may fall differently.
const TIE: f32 = 1e-2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("worker") => return ExitCode::from(u8::from(tandem_ranks::work().is_err())),
        Some("node") => return node_process(&arguments[1..]),
        Some("--list") => {
            if !arguments.iter().any(|argument| argument == "--ignored") {
                println!("streams_survive_the_loss_of_nodes: test");
            }
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    streams_survive_the_loss_of_nodes();
    println!("test streams_survive_the_loss_of_nodes ... ok");
    ExitCode::SUCCESS
}

fn streams_survive_the_loss_of_nodes() {
    let folder = std::env::temp_dir().join(format!("tandem-recovery-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let _cleaning = Cleaning(folder.clone());
    let model = widened(&folder);
    let recoveries = std::env::var("TANDEM_RECOVERIES").map_or(2, |text| text.parse().expect("a number"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let _inside = runtime.enter();

    // The founder is one of those that will be lost.
    let founder = NodeProcess::start(&folder, "b", &model, None);
    let token = founder.token.clone();
    let mut others = [founder, NodeProcess::start(&folder, "c", &model, Some(&token))];
    let node = runtime.block_on(Node::start(options(&folder, "a", Some(&token)))).unwrap();
    node.name_model(MODEL, model.clone()).unwrap();
    runtime.block_on(live(&node, 3));
    let pins = tandem_plan::Pins { context: Some(1024), ..Default::default() };
    node.want(MODEL, &Wish { keep: true, pins, ..Wish::default() });
    runtime.block_on(ready(&node));

    let tokens = ClusterTokens { node: node.clone(), model: MODEL.to_owned() };
    let expected: Vec<_> =
        (0..STREAMS).map(|stream| Streaming::begin(&tokens, stream)).map(Streaming::finish).collect();
    assert!(expected.iter().all(|answer| answer.len() == TOKENS), "the undisturbed run is not whole");

    let mut longest = Duration::ZERO;
    for round in 0..recoveries {
        let streams: Vec<_> = (0..STREAMS).map(|stream| Streaming::begin(&tokens, stream)).collect();
        streams.iter().for_each(|stream| stream.wait_for(5));
        // One of those that hold a part; a busy machine may have left it all to this one.
        let holders = runtime.block_on(ready(&node));
        let lost = (0..2)
            .map(|at| (at + round) % 2)
            .find(|at| holders.contains(&others[*at].name))
            .unwrap_or(round % 2);
        let stopped = round % 4 >= 2 || recoveries == 2 && round == 1;
        let name = others[lost].name.clone();
        others[lost].signal(if stopped { "-STOP" } else { "-KILL" });
        let paused = Arc::new(AtomicU64::new(0));
        let answers: Vec<_> = streams
            .into_iter()
            .map(|stream| {
                paused.fetch_max(stream.pause_ms.load(Ordering::Relaxed), Ordering::Relaxed);
                let pause = Arc::clone(&stream.pause_ms);
                let answer = stream.finish();
                paused.fetch_max(pause.load(Ordering::Relaxed), Ordering::Relaxed);
                answer
            })
            .collect();
        for (stream, (answer, expected)) in answers.iter().zip(&expected).enumerate() {
            check(stream, answer, expected);
        }
        let pause = Duration::from_millis(paused.load(Ordering::Relaxed));
        longest = longest.max(pause);
        println!(
            "round {round}: node {name} of {holders:?} {}, the longest pause was {pause:?}",
            if stopped { "stopped" } else { "killed" }
        );
        // It comes back and is used again.
        if stopped {
            others[lost].signal("-CONT");
        } else {
            others[lost].start_again(&folder, &model);
        }
        runtime.block_on(live(&node, 3));
    }
    println!("{recoveries} losses, {STREAMS} streams each, nothing lost; longest pause {longest:?}");
}

/// The same tokens, up to where the two likeliest are as good as equal.
fn check(stream: usize, answer: &[(u32, Logprobs)], expected: &[(u32, Logprobs)]) {
    let parted = answer.iter().zip(expected).position(|((a, _), (b, _))| a != b);
    if let Some(at) = parted {
        let top = &expected[at].1.top;
        let margin = top[0].logprob - top[1].logprob;
        assert!(margin < TIE, "stream {stream} parts at token {at}, where the margin is {margin}");
        println!("stream {stream} parts at token {at}, a tie (margin {margin})");
    }
    assert_eq!(answer.len(), expected.len(), "stream {stream} has another length");
}

struct Streaming {
    events: Receiver<Event>,
    count: Arc<AtomicUsize>,
    pause_ms: Arc<AtomicU64>,
    _ticket: Ticket,
}

impl Streaming {
    fn begin(tokens: &ClusterTokens, stream: usize) -> Streaming {
        let prompt = vec![1, 2683 + stream as u32, 314, 260, 1000 + stream as u32];
        let request = Request { prompt, tokens_max: Some(TOKENS), logprobs: Some(2), ..Request::default() };
        let (sender, events) = channel();
        let (count, pause_ms) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
        let (counted, paused) = (Arc::clone(&count), Arc::clone(&pause_ms));
        let mut last: Option<Instant> = None;
        let sink = move |event: Event| {
            if matches!(event, Event::Token { .. }) {
                counted.fetch_add(1, Ordering::Relaxed);
                let gap = last.replace(Instant::now()).map_or(0, |last| last.elapsed().as_millis() as u64);
                paused.fetch_max(gap, Ordering::Relaxed);
            }
            let _ = sender.send(event);
        };
        let ticket = tokens.submit(request, Box::new(sink)).unwrap();
        Streaming { events, count, pause_ms, _ticket: ticket }
    }

    fn wait_for(&self, tokens: usize) {
        let begin = Instant::now();
        while self.count.load(Ordering::Relaxed) < tokens {
            assert!(begin.elapsed() < PATIENCE, "no tokens came");
            std::thread::yield_now();
        }
    }

    fn finish(self) -> Vec<(u32, Logprobs)> {
        let mut answer = Vec::new();
        loop {
            match self.events.recv_timeout(PATIENCE).expect("the stream hangs") {
                Event::Token { id, logprobs } => answer.push((id, *logprobs.expect("asked for"))),
                Event::Done(usage) => {
                    assert_eq!(usage.tokens, answer.len());
                    return answer;
                }
                Event::Failed(reason) => panic!("a stream failed: {reason}"),
                _ => {}
            }
        }
    }
}

async fn live(node: &Node, count: usize) {
    let mut watch = node.watch();
    let seen = tokio::time::timeout(PATIENCE, watch.wait_for(|snapshot| snapshot.live.len() == count)).await;
    assert!(seen.is_ok(), "not all nodes are seen: {:?}", node.snapshot().live);
}

/// Waits until the model is served, and says by which nodes.
async fn ready(node: &Node) -> Vec<String> {
    let mut watch = node.watch();
    let leads = |part: &&tandem_cluster::PartReport| part.leads() && part.phase == Phase::Ready;
    let served =
        watch.wait_for(|snapshot| snapshot.parts.iter().map(|(_, part)| part).any(|part| leads(&part)));
    let served = tokio::time::timeout(PATIENCE, served).await;
    assert!(served.is_ok(), "not served: {:#?} {:?}", node.snapshot().parts, node.snapshot().refusals);
    let snapshot = node.snapshot();
    let newest = snapshot.parts.iter().map(|(_, part)| part).filter(leads).max_by_key(|part| part.generation);
    newest.expect("just seen").ranks.iter().map(|place| snapshot.name_of(place.node)).collect()
}

fn options(folder: &Path, name: &str, join: Option<&str>) -> Options {
    Options {
        root: folder.join(name),
        name: Some(name.to_owned()),
        port: 0,
        host: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        peers: Vec::new(),
        join: join.map(|token| token.parse().unwrap()),
        discovery: true,
        cores: Some(3),
        // Two nodes hold the model with its cache, one does not: whoever is lost, the model must move.
        memory_bytes: Some(640_000_000),
        worker: Box::new(|| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.arg("worker");
            command
        }),
        sequences_max: STREAMS,
        waiting_max: 16,
        api: None,
    }
}

/// A node in a process of its own, which ends with this one.
struct NodeProcess {
    name: String,
    child: Child,
    _stdin: ChildStdin,
    token: String,
}

impl NodeProcess {
    fn start(folder: &Path, name: &str, model: &Path, join: Option<&str>) -> NodeProcess {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("node").arg(folder).arg(name).arg(model).args(join);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut token = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut token).unwrap();
        assert!(!token.is_empty(), "node {name} did not start");
        let stdin = child.stdin.take().unwrap();
        NodeProcess { name: name.to_owned(), child, _stdin: stdin, token: token.trim().to_owned() }
    }

    fn signal(&mut self, signal: &str) {
        let done = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(done.success());
        if signal == "-KILL" {
            let _ = self.child.wait();
        }
    }

    fn start_again(&mut self, folder: &Path, model: &Path) {
        let name = self.name.clone();
        *self = NodeProcess::start(folder, &name, model, None);
    }
}

impl Drop for NodeProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn node_process(arguments: &[String]) -> ExitCode {
    let [folder, name, model, ..] = arguments else { return ExitCode::from(2) };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let node = runtime
        .block_on(Node::start(options(Path::new(folder), name, arguments.get(3).map(String::as_str))))
        .unwrap();
    node.name_model(MODEL, PathBuf::from(model)).unwrap();
    let token = runtime.block_on(node.invite(Duration::from_secs(600), 10)).unwrap();
    println!("{token}");
    std::io::stdout().flush().unwrap();
    // Until whoever started this is gone.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    ExitCode::SUCCESS
}

struct Cleaning(PathBuf);

impl Drop for Cleaning {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The model with its weights widened to f16.
fn widened(folder: &Path) -> PathBuf {
    let source = std::env::var_os("TANDEM_SMOLLM2")
        .expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` sets it");
    let source = Gguf::open(PathBuf::from(source)).unwrap();
    let path = folder.join("smollm2-f16.gguf");
    let mut writer = GgufWriter::new(&path);
    writer.copy_metadata(source.metadata(), |_| true).unwrap();
    let tensors: Vec<_> = source.names().iter().map(|name| source.tensor(name).unwrap().unwrap()).collect();
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
    path
}
