//! A node's process: does what the test says until that is gone.

use std::io::{BufRead, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tandem_cluster::{Generation, Phase};
use tandem_node::{ClusterTokens, Node, Options, Snapshot, Wish};
use tandem_plan::Pins;
use tokio::time::timeout;

use crate::protocol::{Mark, Order, Reply, Seen};
use crate::streams::{Streaming, undisturbed, unix_ms};
use crate::{MODEL, PATIENCE, STREAMS};

/// Of one machine, the nodes that live share this: two always have room for the model, and the nodes are worth using.
const MEMORY: u64 = 600_000_000;

/// `root host port model [token]`
pub fn node_process(arguments: &[String]) -> ExitCode {
    let [root, host, port, model, ..] = arguments else { return ExitCode::from(2) };
    let root = PathBuf::from(root);
    let options = Options {
        name: Some(root.file_name().unwrap().to_string_lossy().into_owned()),
        root,
        port: port.parse().unwrap(),
        host: Some(host.parse::<IpAddr>().unwrap()),
        peers: Vec::new(),
        join: arguments.get(4).map(|token| token.parse().unwrap()),
        discovery: false,
        device: Default::default(),
        encryption: Default::default(),
        cores: Some(3),
        memory_bytes: Some(MEMORY),
        worker: Box::new(|| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.arg("worker");
            command
        }),
        devices: None,
        sequences_max: STREAMS,
        waiting_max: 16,
        api: None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let _inside = runtime.enter();
    let node = runtime.block_on(Node::start(options)).unwrap();
    node.name_model(MODEL, PathBuf::from(model)).unwrap();
    let token = runtime.block_on(node.invite(Duration::from_secs(600), 10)).unwrap();
    let marks = Arc::new(Mutex::new(Vec::new()));
    runtime.spawn(watch(node.clone(), Arc::clone(&marks)));
    say(&Reply::Token(token.to_string()));
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let reply = carry_out(&runtime, &node, &marks, serde_json::from_str(&line).unwrap());
        say(&reply);
    }
    ExitCode::SUCCESS
}

fn say(reply: &Reply) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", serde_json::to_string(reply).unwrap());
    let _ = out.flush();
}

fn carry_out(
    runtime: &tokio::runtime::Runtime,
    node: &Node,
    marks: &Mutex<Vec<Mark>>,
    order: Order,
) -> Reply {
    let tokens = ClusterTokens { node: node.clone(), model: MODEL.to_owned() };
    match order {
        Order::Load => {
            let pins = Pins { context: Some(1024), ..Pins::default() };
            node.want(MODEL, &Wish { keep: true, pins, ..Wish::default() });
            Reply::Done
        }
        Order::Live(count) => runtime.block_on(async {
            let mut watch = node.watch();
            let seen = timeout(PATIENCE, watch.wait_for(|snapshot| snapshot.live.len() == count)).await;
            match seen {
                Ok(_) => Reply::Done,
                Err(_) => Reply::Missed(format!("sees {:?}", node.snapshot().live)),
            }
        }),
        Order::Holders => runtime.block_on(async {
            let mut watch = node.watch();
            let served = watch.wait_for(|snapshot| holders(snapshot).is_some());
            match timeout(PATIENCE, served).await {
                Ok(snapshot) => Reply::Holders(holders(&snapshot.unwrap()).unwrap()),
                Err(_) => {
                    let snapshot = node.snapshot();
                    Reply::Missed(format!("served by {:#?}, refused {:?}", snapshot.parts, snapshot.refusals))
                }
            }
        }),
        Order::Prompts(count) => {
            let (prompts, answers) = undisturbed(&tokens, count);
            Reply::Prompts { prompts, answers }
        }
        Order::Stream(prompts) => {
            marks.lock().unwrap().clear();
            let streams: Vec<_> = prompts.iter().map(|prompt| Streaming::begin(&tokens, prompt)).collect();
            streams.iter().for_each(|stream| stream.wait_for(5));
            say(&Reply::Streaming);
            let answers = streams.into_iter().map(Streaming::finish).collect();
            Reply::Streamed { answers, marks: marks.lock().unwrap().clone() }
        }
    }
}

/// By whom the model is served. The newest generation counts.
fn holders(snapshot: &Snapshot) -> Option<Vec<String>> {
    let parts = || snapshot.parts.iter().map(|(_, part)| part);
    let newest = parts().max_by_key(|part| part.generation)?;
    let whole = parts()
        .any(|part| part.generation == newest.generation && part.leads() && part.phase == Phase::Ready);
    whole.then(|| newest.ranks.iter().map(|place| snapshot.name_of(place.node)).collect())
}

/// Notes what happens to the model.
async fn watch(node: Node, marks: Arc<Mutex<Vec<Mark>>>) {
    let mut watch = node.watch();
    let (mut live, mut newest) = (0, None::<(Generation, Stage)>);
    loop {
        let snapshot = watch.borrow_and_update().clone();
        let note = |what| marks.lock().unwrap().push(Mark { unix_ms: unix_ms(), what });
        if snapshot.live.len() < live {
            note(Seen::Gone);
        }
        live = snapshot.live.len();
        if let Some((generation, stage)) = progress(&snapshot) {
            let (before, mut reached) = newest.unwrap_or((generation, Stage::Nothing));
            if before != generation {
                reached = Stage::Nothing;
            }
            for (next, what) in [
                (Stage::Placed, Seen::Placed(generation.counter)),
                (Stage::Seated, Seen::Seated(generation.counter)),
                (Stage::Ready, Seen::Ready(generation.counter)),
            ] {
                if reached < next && next <= stage {
                    note(what);
                    reached = next;
                }
            }
            newest = Some((generation, reached));
        }
        if watch.changed().await.is_err() {
            return;
        }
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Stage {
    Nothing,
    Placed,
    Seated,
    Ready,
}

/// How far the newest generation is.
fn progress(snapshot: &Snapshot) -> Option<(Generation, Stage)> {
    let parts = || snapshot.parts.iter().map(|(_, part)| part);
    let newest = parts().max_by_key(|part| part.generation)?;
    let of_newest = || parts().filter(|part| part.generation == newest.generation);
    let seated = of_newest().filter(|part| part.seat.is_some()).count() == newest.ranks.len();
    let ready = of_newest().any(|part| part.leads() && part.phase == Phase::Ready);
    let stage = match (ready, seated) {
        (true, _) => Stage::Ready,
        (false, true) => Stage::Seated,
        (false, false) => Stage::Placed,
    };
    Some((newest.generation, stage))
}
