//! SmolLM2 over processes of this machine: tensor parallel and pipelined, over shared memory and TCP, gives the text of one
//! rank bit for bit, also where ranks are lost on the way, and so do long prompts run in halves; a killed, stopped, cut off
//! or missing rank is named within the deadline.
//!
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable. This binary is also the
//! worker it starts.

use std::io::{Read, Write};
#[cfg(target_os = "linux")]
use std::net::Shutdown;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tandem_engine::{Event, Request, Sampling, Tokens};
use tandem_fabric::{LinkTerms, Meeting};
use tandem_ranks::{
    Blueprint, LinkChoice, LocalError, LocalGroup, LocalNodes, News, Overlap, Stage, Task, WorkerProcess,
    work,
};
use tandem_runtime::{
    CacheType, Chat, Content, Delta, Device, Logprob, Message, Model, ModelFile, Options, Params, Part,
    Speech,
};
use tandem_tensor::Limits;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("worker") {
        return ExitCode::from(u8::from(work(tandem_runtime::grammars_at).is_err()));
    }
    // A test runner may ask for the list of tests, and then for them by name.
    let tests: [(&str, fn()); 11] = [
        ("the_text_does_not_depend_on_the_ranks", the_text_does_not_depend_on_the_ranks),
        ("a_text_goes_on_unchanged_with_fewer_ranks", a_text_goes_on_unchanged_with_fewer_ranks),
        ("a_divided_model_sees_as_the_whole_does", a_divided_model_sees_as_the_whole_does),
        ("later_stages_get_all_they_read_of_earlier_ones", later_stages_get_all_they_read_of_earlier_ones),
        ("a_killed_rank_is_named", || a_lost_rank_is_named("-KILL")),
        ("a_stopped_rank_is_named", || a_lost_rank_is_named("-STOP")),
        ("a_cut_connection_names_the_rank_behind_it", a_cut_connection_names_the_rank_behind_it),
        ("a_rank_whose_data_links_are_cut_is_named", a_rank_whose_data_links_are_cut_is_named),
        ("prompts_run_in_halves_give_the_same_bits", prompts_run_in_halves_give_the_same_bits),
        (
            "a_node_that_cannot_load_its_part_says_so_before_anyone_does",
            a_node_that_cannot_load_its_part_says_so_before_anyone_does,
        ),
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

/// The time after which a test gives up on what should have come within two seconds.
const HANG: Duration = Duration::from_secs(60);

/// Of SmolLM2's layers.
const KEY_VALUE_HEADS: usize = 3;

fn options() -> Options {
    Options { threads: Some(1), context: Some(512), exact_sums: true, ..Options::default() }
}

fn nodes(count: usize) -> LocalNodes {
    LocalNodes::new(count)
}

fn start(path: &Path, nodes: &LocalNodes) -> Result<Model, String> {
    let group = || LocalGroup::start(path, &options(), nodes, worker, &|_, _| {});
    Model::over(path, group).map_err(|error: LocalError| error.to_string())
}

fn worker() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("worker");
    command
}

/// Greedy tokens, each with what it was chosen over.
fn answer(model: &Model, prompt: &str) -> Vec<Logprob> {
    let params = Params { tokens_max: Some(32), logprobs: Some(2), ..Params::default() };
    let events = model.complete(prompt, &params).unwrap();
    let tokens = events.filter_map(|event| match event.unwrap() {
        Delta::Logprob(logprob) => Some(logprob),
        _ => None,
    });
    tokens.collect()
}

/// Ranks that share a key-value head cut finer than sums are made, so that the last bits differ, and rounding activations to eight
/// bits makes more of it: a choice closer than this may fall differently.
const TIE: f32 = 0.5;

fn the_text_does_not_depend_on_the_ranks() {
    let prompts = ["The capital of France is", "def fibonacci(n):\n", "1, 2, 4, 8, 16,"];
    let path = model_path();
    let alone = Model::open(&path, &options(), &|_, _| {}).unwrap();
    let expected: Vec<_> = prompts.iter().map(|prompt| answer(&alone, prompt)).collect();
    let embedded = alone.embed(prompts[0]).unwrap();
    drop(alone);
    let stage = |layers: Range<usize>, shares: &[f64]| Stage { layers, shares: shares.to_vec() };
    let tcp = |nodes: LocalNodes| LocalNodes { link: LinkChoice::Tcp, ..nodes };
    let pipeline = |count| LocalNodes { pipeline: true, ..nodes(count) };
    let layouts = [
        (nodes(2), vec![stage(0..30, &[1.0, 1.0])]),
        (nodes(3), vec![stage(0..30, &[1.0, 1.0, 2.0])]),
        // More ranks than key-value heads.
        (nodes(4), vec![stage(0..30, &[1.0; 4])]),
        (tcp(nodes(2)), vec![stage(0..30, &[1.0, 1.0])]),
        (pipeline(2), vec![stage(0..11, &[1.0]), stage(11..30, &[1.0])]),
        (tcp(pipeline(3)), vec![stage(0..10, &[1.0]), stage(10..20, &[1.0]), stage(20..30, &[1.0])]),
        (nodes(3), vec![stage(0..20, &[1.0, 1.0]), stage(20..30, &[1.0])]),
        (tcp(nodes(4)), vec![stage(0..15, &[1.0, 1.0]), stage(15..30, &[1.0, 2.0])]),
    ];
    let speech = Arc::new(Speech::of(&ModelFile::open(&path).unwrap()).unwrap());
    for (layout, stages) in layouts {
        let cuts_heads = stages.iter().any(|stage| stage.shares.len() > KEY_VALUE_HEADS);
        let group = LocalGroup::start_stages(&path, &options(), &layout, stages, worker, &|_, _| {}).unwrap();
        let model = Model::new(Arc::clone(&speech), Arc::new(group));
        if !cuts_heads {
            assert!(model.embed(prompts[0]).unwrap() == embedded, "another embedding on {layout:?}");
        }
        for (prompt, expected) in prompts.iter().zip(&expected) {
            let found = answer(&model, prompt);
            if !cuts_heads {
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

/// DeepSeek V4.1's layers read what others pooled and chose: between stages that goes along with the streams.
fn later_stages_get_all_they_read_of_earlier_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny/deepseek-v41");
    let options = Options { cache_type: CacheType::F32, device: Device::named("cpu", 0), ..options() };
    let prompt: Vec<u32> = (0..90).map(|i| i * 7 % 64).collect();
    let request = Request { prompt, tokens_max: Some(24), ..Request::default() };
    let tokens = |layout: LocalNodes, stages: &[(Range<usize>, &[f64])]| {
        let stages =
            stages.iter().map(|(layers, shares)| Stage { layers: layers.clone(), shares: shares.to_vec() });
        let stages = stages.collect();
        let group = LocalGroup::start_stages(&folder, &options, &layout, stages, worker, &|_, _| {}).unwrap();
        let events = group.stream(request.clone()).unwrap();
        let token = |event| if let Event::Token { id, .. } = event { Some(id) } else { None };
        events.filter_map(token).collect::<Vec<_>>()
    };
    let tcp = |count| LocalNodes { link: LinkChoice::Tcp, ..nodes(count) };
    let expected = tokens(nodes(1), &[(0..8, &[1.0])]);
    assert_eq!(expected.len(), 24);
    // Cuts between who pools or chooses and who reads it.
    assert_eq!(tokens(nodes(2), &[(0..4, &[1.0]), (4..8, &[1.0])]), expected);
    assert_eq!(tokens(tcp(3), &[(0..2, &[1.0]), (2..5, &[1.0]), (5..8, &[1.0])]), expected);
    assert_eq!(tokens(tcp(3), &[(0..4, &[1.0, 1.0]), (4..8, &[1.0])]), expected);
}

/// The leader looks at pictures, and all ranks compute what it saw.
fn a_divided_model_sees_as_the_whole_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/pictures/gemma3");
    let shown = |picture: usize| {
        let file = std::fs::read(folder.join(format!("{picture}.png"))).unwrap();
        let content = Content::Parts(vec![Part::Picture(file), Part::Text("what of this?".into())]);
        Chat::new(vec![Message { content, ..Message::default() }])
    };
    let options = Options { cache_type: CacheType::F32, device: Device::named("cpu", 0), ..options() };
    let answer = |model: &Model, picture: usize| {
        let params = Params { tokens_max: Some(12), logprobs: Some(2), ..Params::default() };
        let events = model.generate(model.speech().chat(&shown(picture), &params).unwrap()).unwrap();
        let tokens = events.filter_map(|event| match event.unwrap() {
            Delta::Logprob(logprob) => Some((logprob.token.id, logprob.token.logprob)),
            _ => None,
        });
        tokens.collect::<Vec<_>>()
    };
    let alone = Model::open(&folder, &options, &|_, _| {}).unwrap();
    let expected = [answer(&alone, 0), answer(&alone, 1)];
    assert!(expected[0].len() == 12 && expected[0] != expected[1]);
    drop(alone);
    for layout in [nodes(2), LocalNodes { pipeline: true, ..nodes(2) }] {
        let group = || LocalGroup::start(&folder, &options, &layout, worker, &|_, _| {});
        let divided = Model::over(&folder, group).map_err(|error: LocalError| error.to_string()).unwrap();
        let found = [answer(&divided, 0), answer(&divided, 1)];
        for ((token, logprob), (expected, likely)) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert_eq!(token, expected);
            assert!((logprob - likely).abs() < 1e-3, "{logprob}, expected {likely}");
        }
    }
}

/// A rank is lost, and fewer go on from the tokens that came: every token and its probability is that of an undisturbed run.
fn a_text_goes_on_unchanged_with_fewer_ranks() {
    let drawn = Sampling { temperature: 1.0, seed: Some(7), ..Sampling::default() };
    let requests = [Sampling::default(), drawn].map(|sampling| Request {
        prompt: vec![1, 2683, 314, 260, 1000],
        tokens_max: Some(100),
        logprobs: Some(2),
        sampling,
        ..Request::default()
    });
    let start =
        |ranks| LocalGroup::start(&model_path(), &options(), &nodes(ranks), worker, &|_, _| {}).unwrap();
    let stream = |group: &LocalGroup, request: &Request| group.stream(request.clone()).unwrap();
    let is_token = |event: &Event| matches!(event, Event::Token { .. });
    let group = start(3);
    let undisturbed: Vec<Vec<_>> =
        requests.iter().map(|request| stream(&group, request).filter(is_token).collect()).collect();
    drop(group);
    for (before, after) in [(3, 2), (3, 1), (2, 1)] {
        let heard = loop {
            let group = start(before);
            let mut streams = requests.each_ref().map(|request| stream(&group, request));
            let mut heard = streams.each_mut().map(|events| events.take(12).collect::<Vec<_>>());
            send_signal("-KILL", group.processes()[before - 1]);
            heard.iter_mut().zip(streams).for_each(|(heard, events)| heard.extend(events));
            // Else an answer was over before the signal came.
            if heard.iter().all(|heard| matches!(heard.last(), Some(Event::Failed(_)))) {
                break heard;
            }
        };
        let group = start(after);
        for ((request, expected), heard) in requests.iter().zip(&undisturbed).zip(heard) {
            let mut found: Vec<_> = heard.into_iter().filter(is_token).collect();
            let so_far = found.iter().filter_map(|event| match event {
                Event::Token { id, .. } => Some(*id),
                _ => None,
            });
            let prompt = request.prompt.iter().copied().chain(so_far).collect();
            let rest = Request { prompt, resumed: found.len(), ..request.clone() };
            found.extend(stream(&group, &rest).filter(is_token));
            assert_eq!(found, *expected, "from {before} ranks to {after}");
        }
    }
}

/// Any rank, the leader too, while it decodes and while it reads a prompt, in one stage and in several, in memory and over sockets.
fn a_lost_rank_is_named(signal: &str) {
    let stage = |layers: Range<usize>, ranks| Stage { layers, shares: vec![1.0; ranks] };
    let together = [stage(0..30, 3)];
    let in_line = [stage(0..10, 1), stage(10..30, 2)];
    let file = ModelFile::open(&model_path()).unwrap();
    let limits = Limits { blocks: 128, context_max: 4096, ..options().limits() };
    for (stages, link, rank, decoding) in [
        (&together[..], LinkChoice::Best, 0, false),
        (&together, LinkChoice::Tcp, 2, true),
        (&in_line, LinkChoice::Best, 1, false),
    ] {
        let blueprint = Blueprint::new(&file, stages.to_vec(), &limits);
        let terms = LinkTerms { link, ..LinkTerms::default() };
        all_name_the_lost(rank, decoding, &blueprint, &terms, |workers| {
            send_signal(signal, workers[rank].id());
        });
    }
    whoever_asked_hears_of_it(signal);
    // A new group works at once.
    assert_eq!(answer(&start(&model_path(), &nodes(2)).unwrap(), "A").len(), 32);
}

fn whoever_asked_hears_of_it(signal: &str) {
    let options = Options { context: Some(4096), ..options() };
    let (group, reason) = loop {
        let group = LocalGroup::start(&model_path(), &options, &nodes(2), worker, &|_, _| {}).unwrap();
        let mut events = group.stream(request(true)).unwrap();
        assert!(matches!(events.next(), Some(Event::Token { .. })));
        send_signal(signal, group.processes()[1]);
        match events.last().unwrap() {
            Event::Failed(reason) => break (group, reason),
            // The answer was over before the signal came.
            Event::Done(_) => {}
            other => panic!("{other:?}"),
        }
    };
    assert!(reason.contains("rank 1 is lost"), "{reason}");
    let refused = group.stream(request(true)).err().unwrap().to_string();
    assert!(refused.contains("rank 1 is lost"), "{refused}");
    assert_eq!(group.engine().failure().unwrap().lost, Some(1));
    assert_all_end(group.processes(), || drop(group));
}

/// Its answer, or its prompt, takes so long that ranks are lost meanwhile.
fn request(decoding: bool) -> Request {
    let prompt = if decoding { vec![1; 8] } else { vec![1; 3000] };
    let tokens_max = Some(4000 - prompt.len());
    Request { prompt, tokens_max, ..Request::default() }
}

fn send_signal(signal: &str, process: u32) {
    assert!(Command::new("kill").args([signal, &process.to_string()]).status().unwrap().success());
}

/// Every rank but `lost` fails, and names it.
fn all_name_the_lost(
    lost: usize,
    decoding: bool,
    blueprint: &Blueprint,
    terms: &LinkTerms,
    lose: impl Fn(&[WorkerProcess]),
) {
    loop {
        let (workers, heard) = start_workers(blueprint, terms.clone());
        let mut events = workers[0].engine().stream(request(decoding)).unwrap();
        if decoding {
            assert!(matches!(events.next(), Some(Event::Token { .. })));
        }
        lose(&workers);
        match events.last().unwrap() {
            Event::Failed(reason) => assert!(reason.contains("is lost"), "{reason}"),
            // The answer was over before.
            Event::Done(_) => continue,
            other => panic!("{other:?}"),
        }
        let mut named = vec![None; workers.len()];
        while (0..workers.len()).any(|rank| rank != lost && named[rank].is_none()) {
            if let (rank, News::Failed(failure)) = heard.recv_timeout(HANG).expect("a loss is noticed") {
                named[rank] = failure.lost;
                assert!(rank == lost || failure.lost == Some(lost), "rank {rank} says: {failure}");
            }
        }
        return assert_all_end(workers.iter().map(WorkerProcess::id).collect(), || drop(workers));
    }
}

fn assert_all_end(processes: Vec<u32>, end: impl FnOnce()) {
    end();
    for process in processes {
        assert!(!Path::new(&format!("/proc/{process}")).exists(), "a worker outlives its group");
    }
}

/// Carries bytes between rank 1 and where rank 0 waits for it, until it is told to stop.
fn forwarder(to: SocketAddr) -> (SocketAddr, Arc<AtomicBool>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let cut = Arc::new(AtomicBool::new(false));
    let is_cut = Arc::clone(&cut);
    std::thread::spawn(move || {
        let (near, _) = listener.accept().unwrap();
        let far = TcpStream::connect(to).unwrap();
        let (mut near_in, mut far_in) = (near.try_clone().unwrap(), far.try_clone().unwrap());
        let (mut near_out, mut far_out) = (near, far);
        let carry = |from: &mut TcpStream, to: &mut TcpStream| {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = from.read(&mut bytes) {
                // A cut cable does not say that it is cut: bytes just do not arrive.
                if !is_cut.load(Ordering::SeqCst) && to.write_all(&bytes[..n]).is_err() {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| carry(&mut near_in, &mut far_out));
            carry(&mut far_in, &mut near_out);
        });
    });
    (address, cut)
}

fn a_cut_connection_names_the_rank_behind_it() {
    let path = model_path();
    let file = ModelFile::open(&path).unwrap();
    let limits = Limits { blocks: 32, context_max: 1024, ..options().limits() };
    let blueprint = Blueprint::new(&file, vec![Stage { layers: 0..30, shares: vec![1.0, 1.0] }], &limits);
    let (news, heard) = channel();
    let workers = [0, 1].map(|rank| {
        let news = news.clone();
        WorkerProcess::start(worker(), Ipv4Addr::LOCALHOST.into(), move |word| drop(news.send((rank, word))))
            .unwrap()
    });
    let (detour, cut) = forwarder(workers[0].address());
    let meeting = Meeting::new(vec![vec![detour], vec![workers[1].address()]], LinkTerms::default());
    for (rank, worker) in workers.iter().enumerate() {
        worker.join(&task(&blueprint, rank, &path, &meeting)).unwrap();
    }
    let mut ready = 0;
    while ready < 2 {
        match heard.recv().unwrap().1 {
            News::Ready(facts) => {
                assert_eq!(facts.links.len(), 1);
                ready += 1;
            }
            News::Failed(failure) => panic!("{failure}"),
            News::Progress { .. } => {}
        }
    }
    cut.store(true, Ordering::SeqCst);
    // Each of the two loses the other, also while nothing is asked of them or at the next request.
    let request = Request { prompt: vec![1; 8], tokens_max: Some(900), ..Request::default() };
    let reason = loop {
        match workers[0].engine().stream(request.clone()).map(|events| events.last().unwrap()) {
            Ok(Event::Failed(reason)) => break reason,
            // It was answered before the silence was long enough.
            Ok(Event::Done(_)) => {}
            Ok(other) => panic!("{other:?}"),
            Err(refused) => break refused.to_string(),
        }
    };
    assert!(reason.contains("is lost"), "{reason}");
    let mut lost = [None; 2];
    while lost.contains(&None) {
        if let (rank, News::Failed(failure)) = heard.recv().unwrap() {
            lost[rank] = failure.lost;
        }
    }
    assert_eq!(lost, [Some(1), Some(0)]);
}

/// Cuts every TCP connection of a process with neither end at one of `spared` ports, all at the same moment for the process.
#[cfg(target_os = "linux")]
fn cut_connections(process: u32, spared: &[u16]) {
    use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, Signal, kill_process, pidfd_getfd, pidfd_open};
    let pid = Pid::from_raw(process as i32).unwrap();
    kill_process(pid, Signal::STOP).unwrap();
    let handle = pidfd_open(pid, PidfdFlags::empty()).unwrap();
    let mut cut = 0;
    for entry in std::fs::read_dir(format!("/proc/{process}/fd")).unwrap() {
        let number = entry.unwrap().file_name().to_str().unwrap().parse().unwrap();
        let stream = TcpStream::from(pidfd_getfd(&handle, number, PidfdGetfdFlags::empty()).unwrap());
        let ends = [stream.local_addr(), stream.peer_addr()];
        if ends.iter().all(|end| end.as_ref().is_ok_and(|end| !spared.contains(&end.port()))) {
            stream.shutdown(Shutdown::Both).unwrap();
            cut += 1;
        }
    }
    kill_process(pid, Signal::CONT).unwrap();
    assert_eq!(cut, 4, "two connections to each of two ranks");
}

#[cfg(not(target_os = "linux"))]
fn cut_connections(_process: u32, _spared: &[u16]) {
    panic!("nobody can take hold of another process's sockets here");
}

/// The links that sums travel by, of any rank, while it decodes and while it reads a prompt. The connections by which ranks know that
/// the others are alive stay whole.
fn a_rank_whose_data_links_are_cut_is_named() {
    let path = model_path();
    let file = ModelFile::open(&path).unwrap();
    let limits = Limits { blocks: 128, context_max: 4096, ..options().limits() };
    let blueprint = Blueprint::new(&file, vec![Stage { layers: 0..30, shares: vec![1.0; 3] }], &limits);
    let terms = LinkTerms { link: LinkChoice::Tcp, ..LinkTerms::default() };
    for (cut, decoding) in [(0, true), (1, true), (1, false), (2, false)] {
        all_name_the_lost(cut, decoding, &blueprint, &terms, |workers| {
            let meeting_ports: Vec<u16> = workers.iter().map(|worker| worker.address().port()).collect();
            cut_connections(workers[cut].id(), &meeting_ports);
        });
    }
    // A new group works at once.
    assert_eq!(answer(&start(&model_path(), &nodes(2)).unwrap(), "A").len(), 32);
}

/// A worker for each of the blueprint's ranks, all loaded, and what they say from then on.
fn start_workers(blueprint: &Blueprint, terms: LinkTerms) -> (Vec<WorkerProcess>, Receiver<(usize, News)>) {
    let (news, heard) = channel();
    let start = |rank: usize| {
        let news = news.clone();
        let listener = move |word| drop(news.send((rank, word)));
        WorkerProcess::start(worker(), Ipv4Addr::LOCALHOST.into(), listener).unwrap()
    };
    let workers: Vec<WorkerProcess> = (0..blueprint.ranks()).map(start).collect();
    let meeting = Meeting::new(workers.iter().map(|worker| vec![worker.address()]).collect(), terms);
    for (rank, worker) in workers.iter().enumerate() {
        worker.join(&task(blueprint, rank, &model_path(), &meeting)).unwrap();
    }
    let mut ready = 0;
    while ready < workers.len() {
        match heard.recv().unwrap().1 {
            News::Ready(_) => ready += 1,
            News::Failed(failure) => panic!("{failure}"),
            News::Progress { .. } => {}
        }
    }
    (workers, heard)
}

/// Over any link, one slower than the others too.
fn prompts_run_in_halves_give_the_same_bits() {
    let prompt = |salt: u32| (0..300).map(|i| 100 + (i * 7919 + salt) % 40_000).collect::<Vec<u32>>();
    // One in whole batches, and one whose every row has a result.
    let requests = [
        Request { prompt: prompt(0), tokens_max: Some(4), logprobs: Some(3), ..Request::default() },
        Request { prompt: prompt(9), tokens_max: Some(4), score_prompt: true, ..Request::default() },
    ];
    let answers = |layout: &LocalNodes| -> Vec<Event> {
        let group = LocalGroup::start(&model_path(), &options(), layout, worker, &|_, _| {}).unwrap();
        let events = requests.iter().flat_map(|request| group.stream(request.clone()).unwrap());
        events.filter(|event| !matches!(event, Event::Done(_))).collect()
    };
    let with = |nodes: LocalNodes, overlap| LocalNodes { overlap, ..nodes };
    let expected = answers(&with(nodes(2), Overlap::Never));
    let tokens = expected.iter().filter(|event| matches!(event, Event::Token { .. })).count();
    assert_eq!(tokens, 8, "{expected:?}");
    let tcp = LocalNodes { link: LinkChoice::Tcp, ..nodes(2) };
    let delayed = LocalNodes { delay_us: 200, ..nodes(2) };
    for layout in
        [with(nodes(2), Overlap::Always), with(tcp, Overlap::Always), with(delayed, Overlap::Always)]
    {
        assert_eq!(answers(&layout), expected, "{layout:?}");
    }
}

fn task(blueprint: &Blueprint, rank: usize, model: &Path, meeting: &Meeting) -> Task {
    Task {
        blueprint: blueprint.clone(),
        rank,
        model: model.to_owned(),
        device: Default::default(),
        threads: 1,
        cores: Vec::new(),
        meeting: meeting.clone(),
        waiting_max: 1,
    }
}

/// A missing file, another version of it, and too little memory; each on rank 1 only.
fn a_node_that_cannot_load_its_part_says_so_before_anyone_does() {
    let path = model_path();
    let file = ModelFile::open(&path).unwrap();
    let limits = Limits { blocks: 32, context_max: 1024, ..options().limits() };
    let stages = vec![Stage { layers: 0..30, shares: vec![1.0, 1.0] }];
    let good = Blueprint::new(&file, stages.clone(), &limits);
    let mut other = good.clone();
    other.header_hash = 7;
    let huge = Blueprint::new(&file, stages, &Limits { blocks: 1 << 30, ..limits });
    let cases = [
        (&good, Path::new("/nowhere/model.gguf"), "/nowhere/model.gguf"),
        (&other, &path, "another version of the model here"),
        (&huge, &path, "not enough memory on the node of rank 1"),
    ];
    for (blueprint, path_there, expected) in cases {
        let (news, heard) = channel();
        let workers = [0, 1].map(|rank| {
            let news = news.clone();
            WorkerProcess::start(worker(), Ipv4Addr::LOCALHOST.into(), move |word| {
                drop(news.send((rank, word)))
            })
            .unwrap()
        });
        let meeting =
            Meeting::new(workers.iter().map(|worker| vec![worker.address()]).collect(), LinkTerms::default());
        workers[0].join(&task(&good, 0, &path, &meeting)).unwrap();
        workers[1].join(&task(blueprint, 1, path_there, &meeting)).unwrap();
        let (rank, word) = heard.recv().unwrap();
        let News::Failed(failure) = word else { panic!("{word:?}") };
        assert_eq!(rank, 1, "{failure}");
        assert!(failure.reason.contains(expected), "{failure}");
    }
}

fn an_impossible_division_is_refused_before_loading() {
    let error = start(&model_path(), &nodes(12)).err().unwrap();
    assert!(error.contains("12 ranks cannot share"), "{error}");
    let error = start(&model_path(), &LocalNodes { pipeline: true, ..nodes(40) }).err().unwrap();
    assert!(error.contains("40 nodes cannot divide 30 layers"), "{error}");
}
