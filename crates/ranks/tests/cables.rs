//! Ranks in network namespaces that meet on one network and send data on another, whose cables are cut: the rank behind a cut cable is
//! alive and heard, and lost all the same. One that computes for long is not.
//!
//! Needs the right to make namespaces; without it, it says so and is skipped. `TANDEM_SMOLLM2` names the model file; `cargo xtask test`
//! fetches it and sets the variable. This binary is also the worker it starts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tandem_collectives::{Group, GroupError, GroupOptions};
use tandem_engine::{Event, Request, Tokens};
use tandem_fabric::{Deadline, LinkTerms, Lobby, Lost, Meeting, Rank};
use tandem_ranks::{Blueprint, Failure, LinkChoice, News, Stage, Task, WorkerProcess, work};
use tandem_runtime::{ModelFile, Options};
use tandem_tensor::Limits;

mod lab;
use lab::{Cut, Lab};

const RANKS: usize = 3;
/// The time after which this gives up on what should have come within two seconds.
const HANG: Duration = Duration::from_secs(60);
/// As long as ranks wait for each other where no loss is noticed.
const STEP_MAX: Duration = Duration::from_secs(120);
/// Longer than a rank may be silent.
const COMPUTING: Duration = Duration::from_millis(2500);

type Test = fn(&Lab);

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("worker") {
        return ExitCode::from(u8::from(work(tandem_runtime::grammars_at).is_err()));
    }
    // A test runner may ask for the list of tests, and then for them by name.
    let tests: [(&str, Test); 2] = [
        (
            "a_computing_rank_is_lost_only_when_its_cable_is_cut",
            a_computing_rank_is_lost_only_when_its_cable_is_cut,
        ),
        ("every_rank_names_the_one_behind_a_cut_cable", every_rank_names_the_one_behind_a_cut_cable),
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
    for (name, test) in tests.iter().filter(|(name, _)| wanted(name)) {
        match Lab::new(RANKS) {
            Some(lab) => {
                test(&lab);
                println!("test {name} ... ok");
            }
            None => println!("SKIPPED {name}: network namespaces cannot be made here (needs root and `ip`)"),
        }
    }
    ExitCode::SUCCESS
}

/// Rank 1 computes for longer than the deadline while more is on its way to it than a connection holds. Then it computes for as long as nobody notices
/// that its cable is cut.
fn a_computing_rank_is_lost_only_when_its_cable_is_cut(lab: &Lab) {
    for (rank, cut) in [(1, Cut::Silently), (2, Cut::Down)] {
        let (seats, seated) = channel();
        let (through, heard) = channel();
        let (computed, computing) = channel();
        thread::scope(|scope| {
            let mut meetings = Vec::new();
            let mut computing = Some(computing);
            for me in 0..RANKS {
                let (tell, told) = channel();
                meetings.push(tell);
                let (seats, through) = (seats.clone(), through.clone());
                let computing = if me == rank { computing.take() } else { None };
                scope.spawn(move || {
                    lab.enter(me);
                    let lobby = Lobby::open(lab.address(me)).unwrap();
                    seats.send((me, lobby.address())).unwrap();
                    let meeting: Meeting = told.recv().unwrap();
                    let mut group = form(&meeting, lobby, me);
                    group.barrier().unwrap();
                    exchange(&mut group, rank);
                    through.send((me, None)).unwrap();
                    if let Some(until) = computing {
                        // Until the others have noticed.
                        let _: Result<(), _> = until.recv();
                    }
                    let error = group.barrier().unwrap_err();
                    through.send((me, Some(error))).unwrap();
                });
            }
            let mut addresses = [None; RANKS];
            for _ in 0..RANKS {
                let (me, address) = seated.recv().unwrap();
                addresses[me] = Some(address);
            }
            let addresses = addresses.map(Option::unwrap);
            lab.meet_on_the_lan(&addresses);
            let terms = LinkTerms { link: LinkChoice::Tcp, ..LinkTerms::default() };
            let meeting = Meeting::new(addresses.iter().map(|address| vec![*address]).collect(), terms);
            meetings.iter().for_each(|tell| tell.send(meeting.clone()).unwrap());
            for _ in 0..RANKS {
                assert_eq!(heard.recv_timeout(HANG).unwrap().1, None);
            }
            let begin = Instant::now();
            lab.cut(rank, cut);
            let mut errors = [const { None }; RANKS];
            for _ in 0..RANKS - 1 {
                let (me, error) = heard.recv_timeout(HANG).unwrap();
                errors[me] = error;
            }
            println!("rank {rank}'s cable cut ({cut:?}): the others noticed within {:?}", begin.elapsed());
            drop(computed);
            let (me, error) = heard.recv_timeout(HANG).unwrap();
            errors[me] = error;
            for (me, error) in errors.iter().enumerate() {
                let Some(GroupError::RankLost { rank: lost, why }) = error else { panic!("{me}: {error:?}") };
                match me == rank {
                    true => assert_ne!(lost.index(), rank),
                    false => assert_eq!(lost.index(), rank, "{me}: {why}"),
                }
            }
            // Whoever noticed first, noticed that the way was cut and the rank alive.
            let is_cut =
                |error: &GroupError| matches!(error, GroupError::RankLost { why: Lost::Cut { .. }, .. });
            assert!(errors.iter().flatten().any(is_cut), "{errors:?}");
        });
        lab.mend(rank, cut);
    }
}

fn form(meeting: &Meeting, lobby: Lobby, me: usize) -> Group {
    let attended = meeting.attend(lobby, Rank(me as u16), 128 << 20, Deadline::after(HANG)).unwrap();
    let links = attended.links.into_iter().map(|link| link.map(|link| link.link)).collect();
    let options = GroupOptions { timeout: STEP_MAX, ..GroupOptions::default() };
    let mut group = Group::form(Rank(me as u16), links, &attended.arena, options).unwrap();
    group.watch(attended.pulse);
    group
}

/// Everyone sends `to` more than a connection holds, which takes it after a while.
fn exchange(group: &mut Group, to: usize) {
    let bytes = 24 << 20;
    let mut buf = group.arena().alloc(bytes).unwrap();
    if group.rank().index() == to {
        let begin = Instant::now();
        while begin.elapsed() < COMPUTING {
            std::hint::spin_loop();
        }
        for from in (0..RANKS).filter(|from| *from != to) {
            group.recv(&mut buf, bytes, Rank(from as u16)).unwrap();
            assert!(buf.iter().all(|byte| usize::from(*byte) == from));
        }
    } else {
        buf.fill(group.rank().0 as u8);
        let to = Rank(to as u16);
        let shared = buf.share();
        group.post(shared.clone(), to).unwrap();
        drop(group.reclaim(shared, to).unwrap());
    }
}

/// While it decodes and while it reads a prompt.
fn every_rank_names_the_one_behind_a_cut_cable(lab: &Lab) {
    let file = ModelFile::open(&model_path()).unwrap();
    let options = Options { threads: Some(1), ..Options::default() };
    let limits = Limits { blocks: 128, context_max: 4096, ..options.limits() };
    let blueprint = Blueprint::new(&file, vec![Stage { layers: 0..30, shares: vec![1.0; RANKS] }], &limits);
    for (rank, cut, decoding) in [(0, Cut::Silently, true), (1, Cut::Silently, false), (2, Cut::Down, false)]
    {
        let (workers, heard) = start_workers(lab, &blueprint);
        let prompt = if decoding { vec![1; 8] } else { vec![1; 3000] };
        let tokens_max = Some(4000 - prompt.len());
        let request = Request { prompt, tokens_max, ..Request::default() };
        let engine = workers[0].engine();
        let mut events = engine.stream(request.clone()).unwrap();
        if decoding {
            assert!(matches!(events.next(), Some(Event::Token { .. })));
        }
        let begin = Instant::now();
        lab.cut(rank, cut);
        let mut last = events.last();
        while let Some(Event::Done(_)) = last {
            // It was answered before. Nothing is from now on.
            last = engine.stream(request.clone()).ok().and_then(Iterator::last);
        }
        if let Some(last) = last {
            assert!(matches!(&last, Event::Failed(reason) if reason.contains("is lost")), "{last:?}");
        }
        let mut failures: [Option<Failure>; RANKS] = [const { None }; RANKS];
        while failures.contains(&None) {
            if let (me, News::Failed(failure)) = heard.recv_timeout(HANG).unwrap() {
                failures[me] = Some(failure);
            }
        }
        let failures = failures.map(Option::unwrap);
        println!("rank {rank}'s cable cut ({cut:?}): every rank noticed within {:?}", begin.elapsed());
        for (me, failure) in failures.iter().enumerate() {
            match me == rank {
                true => assert!(failure.lost.is_some_and(|lost| lost != rank), "{me}: {failure}"),
                false => assert_eq!(failure.lost, Some(rank), "{me}: {failure}"),
            }
        }
        assert!(
            failures.iter().any(|failure| failure.reason.contains("is the cable plugged in")),
            "{failures:?}"
        );
        let processes: Vec<u32> = workers.iter().map(WorkerProcess::id).collect();
        drop(workers);
        for process in processes {
            assert!(!Path::new(&format!("/proc/{process}")).exists(), "a worker outlives its group");
        }
        lab.mend(rank, cut);
    }
    // A new group works at once.
    let (workers, _heard) = start_workers(lab, &blueprint);
    let request = Request { prompt: vec![1; 8], tokens_max: Some(8), ..Request::default() };
    let last = workers[0].engine().stream(request).unwrap().last();
    assert!(matches!(last, Some(Event::Done(_))), "{last:?}");
}

fn model_path() -> PathBuf {
    std::env::var_os("TANDEM_SMOLLM2")
        .map(PathBuf::from)
        .expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` fetches it and sets it")
}

/// A worker in each namespace, all loaded, and what they say from then on.
fn start_workers(lab: &Lab, blueprint: &Blueprint) -> (Vec<WorkerProcess>, Receiver<(usize, News)>) {
    let (news, heard): (Sender<(usize, News)>, _) = channel();
    let start = |rank: usize| {
        let news = news.clone();
        let listener = move |word| drop(news.send((rank, word)));
        let mut command = lab.command(rank);
        command.arg(std::env::current_exe().unwrap()).arg("worker");
        WorkerProcess::start(command, lab.address(rank), listener).unwrap()
    };
    let workers: Vec<WorkerProcess> = (0..RANKS).map(start).collect();
    let addresses: Vec<_> = workers.iter().map(WorkerProcess::address).collect();
    lab.meet_on_the_lan(&addresses);
    let terms = LinkTerms { link: LinkChoice::Tcp, ..LinkTerms::default() };
    let meeting = Meeting::new(addresses.into_iter().map(|address| vec![address]).collect(), terms);
    for (rank, worker) in workers.iter().enumerate() {
        let task = Task {
            blueprint: blueprint.clone(),
            rank,
            model: model_path(),
            device: Default::default(),
            threads: 1,
            cores: Vec::new(),
            meeting: meeting.clone(),
            waiting_max: 1,
        };
        worker.join(&task).unwrap();
    }
    let mut ready = 0;
    while ready < RANKS {
        match heard.recv().unwrap().1 {
            News::Ready(_) => ready += 1,
            News::Failed(failure) => panic!("{failure}"),
            News::Progress { .. } => {}
        }
    }
    (workers, heard)
}
