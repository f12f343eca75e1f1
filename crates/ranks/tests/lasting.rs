//! A model on local processes goes on when one of them is killed or stopped: every stream has the tokens of an undisturbed run. This
//! binary is also the worker it starts.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::mpsc::channel;
use std::time::Duration;

use tandem_engine::{Event, Request, Sampling, Tokens};
use tandem_ranks::{LastingGroup, LocalNodes, work};
use tandem_runtime::Options;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("worker") {
        return ExitCode::from(u8::from(work(tandem_runtime::grammars_at).is_err()));
    }
    // A test runner may ask for the list of tests, and then for them by name.
    let tests: [(&str, fn()); 3] = [
        ("a_stream_goes_on_when_a_worker_is_killed", || a_stream_goes_on("-KILL")),
        ("a_stream_goes_on_when_a_worker_is_stopped", || a_stream_goes_on("-STOP")),
        ("a_request_that_gets_nowhere_ends", a_request_that_gets_nowhere_ends),
    ];
    if has("--list") {
        if !has("--ignored") {
            tests.iter().for_each(|(name, _)| println!("{name}: test"));
        }
        return ExitCode::SUCCESS;
    }
    let wanted =
        |name: &str| !arguments.iter().any(|argument| !argument.starts_with('-') && argument != name);
    tests.iter().filter(|(name, _)| wanted(name)).for_each(|(_, test)| test());
    ExitCode::SUCCESS
}

fn model() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny/llama-untied")
}

fn start() -> LastingGroup {
    let worker = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("worker");
        command
    };
    let options = Options { threads: Some(1), context: Some(512), ..Options::default() };
    // Slow enough to be disturbed.
    let nodes = LocalNodes { delay_us: 500, ..LocalNodes::new(2) };
    LastingGroup::start(&model(), &options, &nodes, worker, &|_, _| {}).unwrap()
}

/// One greedy, one that draws.
fn requests() -> Vec<Request> {
    let request = Request { prompt: vec![5, 6, 7], tokens_max: Some(60), ..Request::default() };
    let sampling = Sampling { temperature: 1.0, seed: Some(9), ..Sampling::default() };
    vec![request.clone(), Request { sampling, ..request }]
}

fn signal(signal: &str, process: u32) {
    assert!(Command::new("kill").args([signal, &process.to_string()]).status().unwrap().success());
}

fn a_stream_goes_on(how: &str) {
    let group = start();
    let take = |events: &mut dyn Iterator<Item = Event>| -> Vec<u32> {
        let ids = events.filter_map(|event| match event {
            Event::Token { id, .. } => Some(id),
            Event::Failed(reason) => panic!("{reason}"),
            _ => None,
        });
        ids.collect()
    };
    let expected: Vec<_> =
        requests().into_iter().map(|request| take(&mut group.stream(request).unwrap())).collect();
    assert_eq!(expected[0].len(), 60);
    for rank in [1, 0] {
        let mut streams: Vec<_> =
            requests().into_iter().map(|request| group.stream(request).unwrap()).collect();
        // Both have begun.
        let first: Vec<_> = streams.iter_mut().map(|stream| take(&mut stream.by_ref().take(1))).collect();
        signal(how, group.processes()[rank]);
        for ((stream, mut found), expected) in streams.into_iter().zip(first).zip(&expected) {
            let mut stream = stream;
            found.extend(take(&mut stream));
            assert_eq!(found, *expected, "rank {rank}, {how}");
        }
    }
    // Lost while nobody asks for anything: the next request finds a group all the same.
    signal(how, group.processes()[1]);
    assert_eq!(take(&mut group.stream(requests().remove(0)).unwrap()), expected[0]);
    assert!(!group.load().stopped);
}

/// A group that is lost again and again before the first token is given up, and another request is answered.
fn a_request_that_gets_nowhere_ends() {
    let group = start();
    let (sender, events) = channel();
    let request = Request { prompt: vec![5; 400], ..requests().remove(0) };
    let sink = move |event| drop(sender.send(event));
    let _ticket = group.submit(request, Box::new(sink)).unwrap();
    let mut killed = Vec::new();
    let reason = loop {
        for process in group.processes() {
            if !killed.contains(&process) {
                // It may have ended already, for the loss of the other.
                let _ = Command::new("kill").args(["-KILL", &process.to_string()]).status();
                killed.push(process);
            }
        }
        match events.recv_timeout(Duration::from_millis(1)) {
            Ok(Event::Failed(reason)) => break reason,
            Ok(Event::Done(usage)) => panic!("{usage:?}"),
            _ => {}
        }
    };
    assert!(reason.contains("is lost"), "{reason}");
    let again = group.stream(requests().remove(0)).unwrap();
    assert_eq!(again.filter(|event| matches!(event, Event::Token { .. })).count(), 60);
}
