//! A model on local processes goes on when one of them is killed or stopped: every stream has the tokens of an undisturbed run. This
//! binary is also the worker it starts.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::mpsc::channel;
use std::time::Duration;

use tandem_engine::{Event, Request, Sampling, Tokens};
use tandem_ranks::{LastingGroup, LinkChoice, LocalNodes, Overlap, work};
use tandem_runtime::{Device, Options};

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
    // With a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`.
    let on_gpus: [(&str, fn()); 2] = [
        ("ten_streams_go_on_when_gpu_ranks_are_lost", ten_streams_on_gpus),
        ("long_prompts_in_halves_go_on_too", long_prompts_in_halves_on_gpus),
    ];
    let tests = if has("--ignored") { &on_gpus[..] } else { &tests };
    if has("--list") {
        tests.iter().for_each(|(name, _)| println!("{name}: test"));
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
    // Slow enough to be disturbed.
    start_on(Device::Auto, LocalNodes { delay_us: 500, ..LocalNodes::new(2) })
}

fn start_on(device: Device, nodes: LocalNodes) -> LastingGroup {
    let worker = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("worker");
        command
    };
    let options = Options { device, threads: Some(1), context: Some(512), ..Options::default() };
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

fn take(events: &mut dyn Iterator<Item = Event>) -> Vec<u32> {
    let ids = events.filter_map(|event| match event {
        Event::Token { id, .. } => Some(id),
        Event::Failed(reason) => panic!("{reason}"),
        _ => None,
    });
    ids.collect()
}

/// What is computed anew, or in other pieces, is rounded in other places: only choices that are clear say anything.
fn clear_answer(group: &LastingGroup, request: Request) -> Option<Vec<u32>> {
    let mut margin = f32::MAX;
    let stream = group.stream(Request { logprobs: Some(2), ..request }).unwrap();
    let tokens = take(&mut stream.inspect(|event| {
        if let Event::Token { logprobs: Some(found), .. } = event {
            margin = margin.min(found.top[0].logprob - found.top[1].logprob);
        }
    }));
    (margin > 0.01).then_some(tokens)
}

/// Two ranks on one GPU whose long prompts run in halves answer as those that run whole batches, also where one is killed meanwhile.
fn long_prompts_in_halves_on_gpus() {
    let with = |overlap| {
        let nodes = LocalNodes { link: LinkChoice::Tcp, overlap, ..LocalNodes::new(2) };
        start_on(Device::named("gpu", 0), nodes)
    };
    let whole = with(Overlap::Never);
    let clear = |salt: u32| {
        let prompt = (0..400).map(|i| 3 + (i * 7 + salt) % 250).collect();
        let request = Request { prompt, tokens_max: Some(8), ..Request::default() };
        Some((request.clone(), clear_answer(&whole, request)?))
    };
    let found: Vec<_> = (0..20).filter_map(clear).take(2).collect();
    let [(first, expected), (second, then)] = &found[..] else { panic!("prompts with clear answers") };
    drop(whole);
    let halves = with(Overlap::Always);
    assert_eq!(take(&mut halves.stream(first.clone()).unwrap()), *expected);
    let mut stream = halves.stream(second.clone()).unwrap();
    signal("-KILL", halves.processes()[1]);
    assert_eq!(take(&mut stream), *then);
    println!("answers in halves are those of whole batches");
}

/// Two ranks on one GPU, of which one is killed or stopped in the middle of ten streams.
fn ten_streams_on_gpus() {
    let group = start_on(Device::named("gpu", 0), LocalNodes::new(2));
    let clear = |first: u32| {
        let request = Request { prompt: vec![first, 6, 7], tokens_max: Some(24), ..Request::default() };
        Some((request.clone(), clear_answer(&group, request)?))
    };
    let streams: Vec<(Request, Vec<u32>)> = (5..60).filter_map(clear).take(10).collect();
    assert_eq!(streams.len(), 10, "prompts with clear answers");
    for (how, rank) in [("-KILL", 1), ("-STOP", 0), ("-KILL", 0)] {
        let mut begun: Vec<_> =
            streams.iter().map(|(request, _)| group.stream(request.clone()).unwrap()).collect();
        let first: Vec<_> = begun.iter_mut().map(|stream| take(&mut stream.by_ref().take(1))).collect();
        signal(how, group.processes()[rank]);
        let mut exact = 0;
        for ((mut stream, mut found), (_, expected)) in begun.into_iter().zip(first).zip(&streams) {
            found.extend(take(&mut stream));
            assert_eq!(found, *expected, "rank {rank}, {how}");
            exact += 1;
        }
        println!("rank {rank}, {how}: {exact} of 10 streams exact");
    }
}

fn a_stream_goes_on(how: &str) {
    let group = start();
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
