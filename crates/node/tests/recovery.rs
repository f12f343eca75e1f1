//! Three nodes, eight streams, and one of the nodes killed or stopped: every stream goes on with exactly the tokens of an
//! undisturbed run. At the end all nodes are restarted, and the model comes back by itself.
//!
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable. `TANDEM_RECOVERIES` says how
//! many nodes are lost one after the other (two by default; four for every way once). This binary is also the nodes and
//! workers it starts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::ops::Range;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tandem_cluster::Phase;
use tandem_engine::{Event, Logprobs, Request, Ticket, Tokens};
use tandem_formats::{Gguf, GgufWriter, TensorInfo, Weights};
use tandem_node::{ClusterTokens, Home, Node, NodeError, Options, Snapshot, Wish};
use tandem_tensor::{DType, quant};

const MODEL: &str = "smollm2";
const STREAMS: usize = 8;
const TOKENS: usize = 32;
const MEMORY: u64 = 600_000_000;
const PATIENCE: Duration = Duration::from_secs(60);
/// With f16 weights only the order of sums differs between divisions, and only a tie may fall differently: prompts that lead
/// to one are not asked.
const TIE: f32 = 2e-2;

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
    let recoveries: usize =
        std::env::var("TANDEM_RECOVERIES").map_or(2, |text| text.parse().expect("a number"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let _inside = runtime.enter();

    // The lowest id coordinates: the founder does, and the node that is asked never.
    let seats = [
        Seat::new(&folder, "b", 0x00..0x40),
        Seat::new(&folder, "c", 0x40..0xc0),
        Seat::new(&folder, "a", 0xc0..0x100),
    ];
    let founder = NodeProcess::start(&seats[0], &model, None);
    let token = founder.token.clone();
    let mut others = [founder, NodeProcess::start(&seats[1], &model, Some(&token))];
    let node = runtime.block_on(Node::start(seats[2].options(Some(&token)))).unwrap();
    node.name_model(MODEL, model.clone()).unwrap();
    runtime.block_on(live(&node, 3));
    let pins = tandem_plan::Pins { context: Some(1024), ..Default::default() };
    node.want(MODEL, &Wish { keep: true, pins, ..Wish::default() });
    runtime.block_on(holders(&node, &[]));

    let tokens = ClusterTokens { node: node.clone(), model: MODEL.to_owned() };
    let undisturbed = Undisturbed::run(&tokens);
    let mut pauses = Vec::new();
    for round in 0..recoveries {
        // The founder and the other in turns, killed and stopped in turns of two; two rounds alone show one of each.
        let lost = round % 2;
        let stopped = if recoveries == 2 { round == 1 } else { round % 4 >= 2 };
        let holders = runtime.block_on(holders(&node, &[&others[lost].seat.name]));
        let streams = undisturbed.ask(&tokens);
        streams.iter().for_each(|stream| stream.wait_for(5));
        others[lost].lose(stopped);
        let running = streams.iter().filter(|stream| stream.count.load(Ordering::Relaxed) < TOKENS).count();
        assert_eq!(running, STREAMS, "streams ended before the node was lost");
        let pause = undisturbed.check(streams);
        println!(
            "round {round}: node {}{} of {holders:?} {}, the longest pause was {pause:?}",
            others[lost].seat.name,
            if lost == 0 { " (founder and coordinator)" } else { "" },
            if stopped { "stopped" } else { "killed" },
        );
        pauses.push(pause);
        // It comes back, and is used again: it will be lost again.
        others[lost].bring_back(stopped, &model);
        runtime.block_on(live(&node, 3));
    }
    pauses.sort();
    if let (Some(median), Some(longest)) = (pauses.get(pauses.len() / 2), pauses.last()) {
        println!(
            "{recoveries} losses, {STREAMS} streams each, nothing lost; pauses: median {median:?}, longest {longest:?}"
        );
    }

    // All nodes restart, and nobody asks for the model to be loaded.
    drop((tokens, node));
    for other in &mut others {
        other.lose(false);
    }
    for other in &mut others {
        other.bring_back(false, &model);
    }
    let node = runtime.block_on(async {
        loop {
            match Node::start(seats[2].options(None)).await {
                Ok(node) => return node,
                // The old node's task has not ended yet.
                Err(NodeError::Home(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
                Err(error) => panic!("{error}"),
            }
        }
    });
    let begin = Instant::now();
    let holders = runtime.block_on(holders(&node, &[]));
    println!("all nodes restarted: the model is back on {holders:?} after {:?}", begin.elapsed());
    let tokens = ClusterTokens { node, model: MODEL.to_owned() };
    undisturbed.check(undisturbed.ask(&tokens));
}

/// Prompts, and what is answered to them where nothing is lost.
struct Undisturbed {
    prompts: Vec<Vec<u32>>,
    answers: Vec<Vec<u32>>,
}

impl Undisturbed {
    fn run(tokens: &ClusterTokens) -> Undisturbed {
        let mut undisturbed = Undisturbed { prompts: Vec::new(), answers: Vec::new() };
        let mut numbers = 0_u32..;
        while undisturbed.prompts.len() < STREAMS {
            let prompts: Vec<_> =
                numbers.by_ref().take(STREAMS).map(|i| vec![1, 2683 + i, 314, 260, 1000 + i]).collect();
            let streams: Vec<_> = prompts.iter().map(|prompt| Streaming::begin(tokens, prompt)).collect();
            for (prompt, stream) in prompts.into_iter().zip(streams) {
                let answer = stream.finish();
                let margin = |(_, it): &(u32, Logprobs)| it.top[0].logprob - it.top[1].logprob;
                if answer.len() == TOKENS && answer.iter().all(|token| margin(token) >= TIE) {
                    undisturbed.prompts.push(prompt);
                    undisturbed.answers.push(answer.into_iter().map(|(id, _)| id).collect());
                }
            }
        }
        undisturbed.prompts.truncate(STREAMS);
        undisturbed
    }

    fn ask(&self, tokens: &ClusterTokens) -> Vec<Streaming> {
        self.prompts.iter().map(|prompt| Streaming::begin(tokens, prompt)).collect()
    }

    /// Every stream must end with exactly these tokens. Says how long the longest pause was.
    fn check(&self, streams: Vec<Streaming>) -> Duration {
        let mut pause_ms = 0;
        for (number, (stream, expected)) in streams.into_iter().zip(&self.answers).enumerate() {
            let paused = Arc::clone(&stream.pause_ms);
            let answer: Vec<_> = stream.finish().into_iter().map(|(id, _)| id).collect();
            assert_eq!(&answer, expected, "stream {number}");
            pause_ms = pause_ms.max(paused.load(Ordering::Relaxed));
        }
        Duration::from_millis(pause_ms)
    }
}

struct Streaming {
    events: Receiver<Event>,
    count: Arc<AtomicUsize>,
    pause_ms: Arc<AtomicU64>,
    _ticket: Ticket,
}

impl Streaming {
    fn begin(tokens: &ClusterTokens, prompt: &[u32]) -> Streaming {
        let prompt = prompt.to_vec();
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

/// Waits until the model is served, by these nodes and perhaps others, and says by which. The newest generation counts.
async fn holders(node: &Node, wanted: &[&str]) -> Vec<String> {
    let of = |snapshot: &Snapshot| -> Option<Vec<String>> {
        let parts = || snapshot.parts.iter().map(|(_, part)| part);
        let newest = parts().max_by_key(|part| part.generation)?;
        let whole = parts()
            .any(|part| part.generation == newest.generation && part.leads() && part.phase == Phase::Ready);
        let names: Vec<_> = newest.ranks.iter().map(|place| snapshot.name_of(place.node)).collect();
        (whole && wanted.iter().all(|wanted| names.iter().any(|name| name == wanted))).then_some(names)
    };
    let mut watch = node.watch();
    let served = tokio::time::timeout(PATIENCE, watch.wait_for(|snapshot| of(snapshot).is_some())).await;
    let (parts, refusals) = (node.snapshot().parts.clone(), node.snapshot().refusals.clone());
    let served = served.unwrap_or_else(|_| panic!("not served by {wanted:?}: {parts:#?} {refusals:?}"));
    of(&served.expect("the node runs")).expect("just seen")
}

/// Where a node lives: the same folder, identity and port in all its lives.
#[derive(Clone)]
struct Seat {
    folder: PathBuf,
    name: String,
    port: u16,
}

impl Seat {
    /// With an id that begins with one of `firsts`.
    fn new(folder: &Path, name: &str, firsts: Range<u16>) -> Seat {
        let home = Home::open(&folder.join(name)).unwrap();
        while !firsts.contains(&u16::from(home.new_identity().unwrap().id.0[0])) {}
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        Seat { folder: folder.to_owned(), name: name.to_owned(), port }
    }

    fn options(&self, join: Option<&str>) -> Options {
        Options {
            root: self.folder.join(&self.name),
            name: Some(self.name.clone()),
            port: self.port,
            host: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            peers: Vec::new(),
            join: join.map(|token| token.parse().unwrap()),
            discovery: false,
            cores: Some(3),
            // Of one machine, the nodes that live share this: one alone has never room for the model, two always.
            memory_bytes: Some(MEMORY),
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
}

/// A node in a process of its own, which ends with this one.
struct NodeProcess {
    seat: Seat,
    child: Child,
    _stdin: ChildStdin,
    token: String,
}

impl NodeProcess {
    fn start(seat: &Seat, model: &Path, join: Option<&str>) -> NodeProcess {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .arg("node")
            .arg(&seat.folder)
            .arg(&seat.name)
            .arg(seat.port.to_string())
            .arg(model)
            .args(join);
        // With its workers it can be stopped as a whole.
        command.process_group(0);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut token = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut token).unwrap();
        assert!(!token.is_empty(), "node {} did not start", seat.name);
        let stdin = child.stdin.take().unwrap();
        NodeProcess { seat: seat.clone(), child, _stdin: stdin, token: token.trim().to_owned() }
    }

    /// Stopped, its workers stop with it; killed, they must notice by themselves.
    fn lose(&mut self, stopped: bool) {
        if stopped {
            self.signal_all("-STOP");
        } else {
            self.child.kill().unwrap();
            self.child.wait().unwrap();
        }
    }

    fn bring_back(&mut self, stopped: bool, model: &Path) {
        if stopped {
            self.signal_all("-CONT");
        } else {
            *self = NodeProcess::start(&self.seat, model, None);
        }
    }

    fn signal_all(&self, signal: &str) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args([signal, "--", &group]).stderr(Stdio::null()).status();
    }
}

impl Drop for NodeProcess {
    fn drop(&mut self) {
        self.signal_all("-KILL");
        let _ = self.child.wait();
    }
}

fn node_process(arguments: &[String]) -> ExitCode {
    let [folder, name, port, model, ..] = arguments else { return ExitCode::from(2) };
    let seat = Seat { folder: folder.into(), name: name.clone(), port: port.parse().unwrap() };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let node = runtime.block_on(Node::start(seat.options(arguments.get(4).map(String::as_str)))).unwrap();
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
