//! Three nodes, eight streams, and one of the nodes killed, stopped or cut off: every stream goes on with exactly the tokens of
//! an undisturbed run. At the end all nodes are restarted, and the model comes back by itself, where it was.
//!
//! The nodes run in network namespaces, so that cables can be pulled; where those cannot be made, that part is skipped.
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable. `TANDEM_RECOVERIES` says how
//! many nodes are lost one after the other (nine for every node in every way). This binary is also the nodes and workers it
//! starts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

mod lab;
#[path = "recovery/model.rs"]
mod model;
#[path = "recovery/node_process.rs"]
mod node_process;
#[path = "recovery/protocol.rs"]
mod protocol;
#[path = "recovery/serving.rs"]
mod serving;
#[path = "recovery/streams.rs"]
mod streams;

use lab::Lab;
use node_process::{Loss, NodeProcess, Seat};
use protocol::{Answer, Mark, Order, Reply, Seen};
use streams::unix_ms;

const MODEL: &str = "smollm2";
const STREAMS: usize = 8;
/// Only a hang takes so long.
const PATIENCE: Duration = Duration::from_secs(180);

const B: usize = 0;
const C: usize = 1;
const A: usize = 2;

/// Who is lost, and how; b founded the cluster and coordinates it. Whoever comes next usually holds a part by then.
const LOSSES: [(usize, Loss); 9] = [
    (B, Loss::Killed),
    (C, Loss::Stopped),
    (B, Loss::Cut),
    (A, Loss::Cut),
    (C, Loss::Killed),
    (A, Loss::Stopped),
    (B, Loss::Stopped),
    (C, Loss::Cut),
    (A, Loss::Killed),
];
const LOSSES_BY_DEFAULT: usize = 4;
/// How often something is tried where the machine may be too fast, or too slow, for it to happen.
const ATTEMPTS: usize = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("worker") => {
            return ExitCode::from(u8::from(tandem_ranks::work(tandem_runtime::grammars_at).is_err()));
        }
        Some("node") => return serving::node_process(&arguments[1..]),
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
    let folder = Folder(std::env::temp_dir().join(format!("tandem-recovery-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).unwrap();
    let model = model::widened(&folder.0);
    let lab = Lab::new(&["b", "c", "a"]);
    let mut losses: Vec<_> = LOSSES.to_vec();
    let asked = std::env::var("TANDEM_RECOVERIES").ok().map(|text| text.parse().expect("a number"));
    let mut count: usize = asked.unwrap_or(LOSSES_BY_DEFAULT);
    if lab.is_none() {
        eprintln!("SKIPPED: pulled cables; network namespaces cannot be made here (needs root and `ip`)");
        losses.retain(|(_, how)| *how != Loss::Cut);
        count = asked.unwrap_or(2);
    }
    let mut nodes = start(&folder.0, &model, lab.as_ref());
    nodes[A].ask(&Order::Load);
    holders(&mut nodes[A]);
    let Reply::Prompts { prompts, answers } = nodes[A].ask(&Order::Prompts(STREAMS)) else {
        panic!("no prompts came")
    };

    let mut pauses = Vec::new();
    for _ in 0..ATTEMPTS * count {
        let round = pauses.len();
        if round == count {
            break;
        }
        let (mut lost, how) = losses[round % losses.len()];
        let held_by = holders(&mut nodes[A]);
        // Clients that are cut off are worth showing in any case.
        let cut_off = (lost, how) == (A, Loss::Cut);
        if !cut_off && !held_by.iter().any(|name| name == nodes[lost].name()) {
            lost = nodes.iter().position(|node| held_by[0] == node.name()).expect("one of the three");
        }
        let lost_name = nodes[lost].name();
        // Whoever is asked lives, but for one who is cut off: then half of the clients are on each side.
        let fronts: &[usize] = match lost {
            A if cut_off => &[A, C],
            A => &[C],
            _ => &[A],
        };
        let share = STREAMS / fronts.len();
        for (front, prompts) in fronts.iter().zip(prompts.chunks(share)) {
            nodes[*front].tell(&Order::Stream(prompts.to_vec()));
        }
        for front in fronts {
            let reply = nodes[*front].hear();
            assert!(matches!(reply, Reply::Streaming), "{reply:?}");
        }
        let lost_at = unix_ms();
        nodes[lost].lose(how);
        let gone_at = unix_ms();
        let streamed: Vec<_> = fronts.iter().map(|front| streams(&mut nodes[*front])).collect();
        let mut answered = streamed.iter().flat_map(|(answers, _)| answers);
        if answered.any(|answer| answer.ended_unix_ms < gone_at) {
            // It was over before the node was gone: there was nothing to survive.
            nodes[lost].bring_back(how);
            all_live(&mut nodes);
            continue;
        }
        let mut longest = 0;
        for ((front, expected), (answers, marks)) in fronts.iter().zip(answers.chunks(share)).zip(&streamed) {
            let pause = check(answers, expected);
            longest = longest.max(pause);
            println!(
                "round {round}: node {lost_name}{} of {held_by:?} {how:?}, {share} streams of node {} paused {} ms: {}",
                if lost == B { " (founder and coordinator)" } else { "" },
                nodes[*front].name(),
                pause,
                stages(marks, answers, lost_at),
            );
        }
        pauses.push(longest);
        nodes[lost].bring_back(how);
        all_live(&mut nodes);
    }
    assert_eq!(pauses.len(), count, "streams ended before a node was lost, time and again");
    pauses.sort_unstable();
    if let (Some(median), Some(longest)) = (pauses.get(pauses.len() / 2), pauses.last()) {
        println!(
            "{count} losses, {STREAMS} streams each, nothing lost; pauses: median {median} ms, longest {longest} ms"
        );
    }

    // All nodes restart, and nobody asks for the model to be loaded. The first waits some seconds for the others.
    let back = (0..ATTEMPTS).any(|_| {
        nodes.iter_mut().for_each(|node| node.lose(Loss::Killed));
        let begin = Instant::now();
        nodes.iter_mut().for_each(|node| node.bring_back(Loss::Killed));
        let held_by = holders(&mut nodes[A]);
        println!("all nodes restarted: the model is back on {held_by:?} after {:?}", begin.elapsed());
        held_by.len() > 1
    });
    assert!(back, "it came back before the nodes did");
    nodes[A].tell(&Order::Stream(prompts));
    assert!(matches!(nodes[A].hear(), Reply::Streaming));
    check(&streams(&mut nodes[A]).0, &answers);
}

fn start<'a>(folder: &Path, model: &'a Path, lab: Option<&'a Lab>) -> [NodeProcess<'a>; 3] {
    // The lowest id coordinates.
    let seat = |name, firsts| Seat::new(name, firsts, folder, model, lab);
    let founder = NodeProcess::start(seat("b", 0x00..0x40), None);
    let token = founder.token.clone();
    let mut nodes = [
        founder,
        NodeProcess::start(seat("c", 0x40..0xc0), Some(&token)),
        NodeProcess::start(seat("a", 0xc0..0x100), Some(&token)),
    ];
    all_live(&mut nodes);
    nodes
}

fn all_live(nodes: &mut [NodeProcess; 3]) {
    for node in nodes {
        node.ask(&Order::Live(3));
    }
}

/// Waits until the model is served, and says by whom.
fn holders(node: &mut NodeProcess) -> Vec<String> {
    match node.ask(&Order::Holders) {
        Reply::Holders(names) => names,
        other => panic!("{other:?}"),
    }
}

/// What came of the streams that a node was told to begin.
fn streams(node: &mut NodeProcess) -> (Vec<Answer>, Vec<Mark>) {
    match node.hear() {
        Reply::Streamed { answers, marks } => (answers, marks),
        other => panic!("{other:?}"),
    }
}

/// Every stream must end with exactly these tokens. Says how long the longest pause was, in ms.
fn check(answers: &[Answer], expected: &[Vec<u32>]) -> u64 {
    assert_eq!(answers.len(), expected.len());
    for (number, (answer, expected)) in answers.iter().zip(expected).enumerate() {
        assert_eq!(answer.tokens.as_ref(), Ok(expected), "stream {number}");
    }
    answers.iter().map(|answer| answer.longest_pause_ms).max().unwrap_or(0)
}

/// Where the time went, in ms after the loss.
fn stages(marks: &[Mark], answers: &[Answer], lost_at: u64) -> String {
    let after = |at: u64| at.saturating_sub(lost_at);
    let last = |is: fn(&Seen) -> bool| {
        let mark = marks.iter().rev().find(|mark| mark.unix_ms >= lost_at && is(&mark.what));
        mark.map_or_else(|| "-".to_owned(), |mark| after(mark.unix_ms).to_string())
    };
    let generations =
        marks.iter().filter(|mark| mark.unix_ms >= lost_at && matches!(mark.what, Seen::Placed(_))).count();
    let gone = marks.iter().find(|mark| mark.unix_ms >= lost_at && mark.what == Seen::Gone);
    format!(
        "gone {}, placed {} ({generations} generations), seated {}, ready {}, all go on {}",
        gone.map_or_else(|| "-".to_owned(), |mark| after(mark.unix_ms).to_string()),
        last(|what| matches!(what, Seen::Placed(_))),
        last(|what| matches!(what, Seen::Seated(_))),
        last(|what| matches!(what, Seen::Ready(_))),
        answers.iter().map(|answer| after(answer.resumed_unix_ms)).max().unwrap_or(0),
    )
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
