//! A backend that no crate knows runs a model on one rank and on two: it is an implementation of `Backend`, and a
//! provider that the registry is given. This binary is also the worker it starts.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tandem_devices::{Device, Found, Provider, Registry, Setup};
use tandem_engine::{Event, Request, Tokens};
use tandem_kernels_cpu::CpuBackend;
use tandem_ranks::{LinkChoice, LocalGroup, LocalNodes, Overlap, work_with};
use tandem_runtime::Options;
use tandem_tensor::{
    Backend, Batch, Footprint, Limits, OpenError, PeerLost, Peers, Program, Reference, Session, WeightSource,
};

/// The reference backend, which also writes down what it is asked to do.
struct Recording(PathBuf);

struct RecordingSession {
    inner: Box<dyn Session>,
    path: PathBuf,
}

impl Recording {
    fn write(path: &Path, what: &str) {
        let mut file = std::fs::File::options().create(true).append(true).open(path).unwrap();
        // In one piece: other ranks write here too.
        file.write_all(format!("{} {what}\n", std::process::id()).as_bytes()).unwrap();
    }
}

impl Backend for Recording {
    fn name(&self) -> String {
        "recording".into()
    }

    fn footprint(&self, program: &Program, limits: &Limits) -> Footprint {
        Reference.footprint(program, limits)
    }

    fn open(
        &self,
        program: Arc<Program>,
        limits: Limits,
        weights: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Box<dyn Session>, OpenError> {
        Recording::write(&self.0, "open");
        let inner = Reference.open(program, limits, weights, progress)?;
        Ok(Box::new(RecordingSession { inner, path: self.0.clone() }))
    }
}

impl Session for RecordingSession {
    fn run(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost> {
        Recording::write(&self.path, &format!("run {}", batch.tokens.len()));
        self.inner.run(batch, peers)
    }

    fn result(&self) -> &[f32] {
        self.inner.result()
    }

    fn hidden(&self) -> Option<&[f32]> {
        self.inner.hidden()
    }
}

struct Records(PathBuf);

impl Provider for Records {
    fn name(&self) -> &str {
        "recording"
    }

    fn found(&self) -> Vec<Found> {
        vec![Found { name: "a recorder".into(), ..Found::default() }; 2]
    }

    fn open(&self, _index: usize, setup: Setup) -> Result<Box<dyn Backend>, String> {
        if std::env::var_os(FAST).is_some() {
            return Ok(Box::new(CpuBackend::new().with_threads(setup.threads.unwrap_or(1))));
        }
        Ok(Box::new(Recording(self.0.clone())))
    }
}

/// Names the file that a worker writes its records to.
const RECORDS: &str = "RECORDS";
/// Set in a worker that computes with the fast backend instead.
const FAST: &str = "FAST";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("worker") {
        let records = PathBuf::from(std::env::var_os(RECORDS).unwrap());
        let registry = Registry::default().with(Arc::new(Records(records)));
        return ExitCode::from(u8::from(work_with(&registry, tandem_runtime::grammars_at).is_err()));
    }
    // A test runner may ask for the list of tests, and then for them by name.
    let tests: [(&str, fn()); 2] = [
        ("a_backend_needs_nothing_but_the_registry", a_backend_needs_nothing_but_the_registry),
        ("backends_that_differ_make_the_same_sums", backends_that_differ_make_the_same_sums),
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

fn a_backend_needs_nothing_but_the_registry() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny/llama-untied");
    let records = std::env::temp_dir().join(format!("tandem-records-{}", std::process::id()));
    let options = Options {
        device: "recording:1".parse().unwrap(),
        registry: Registry::default().with(Arc::new(Records(records.clone()))),
        context: Some(64),
        ..Options::default()
    };
    let worker = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("worker").env(RECORDS, &records);
        command
    };
    let start = |ranks: usize, options: &Options| {
        let nodes = LocalNodes { link: LinkChoice::Tcp, ..LocalNodes::new(ranks) };
        LocalGroup::start(&model, options, &nodes, worker, &|_, _| {})
    };
    let mut answers = Vec::new();
    for ranks in [1, 2] {
        let group = start(ranks, &options).unwrap();
        answers.push(answer(&group));
        let processes = group.processes();
        drop(group);
        let found = std::fs::read_to_string(&records).unwrap();
        std::fs::remove_file(&records).unwrap();
        for process in processes {
            let process = format!("{process} ");
            let own: Vec<_> = found.lines().filter_map(|line| line.strip_prefix(&process)).collect();
            // A prompt of three tokens, then three of the four tokens that were made of it.
            assert_eq!(own, ["open", "run 3", "run 1", "run 1", "run 1"]);
        }
    }
    assert_eq!(answers[0], answers[1]);

    let missing = Options { device: Device::named("recording", 2), ..options };
    let refused = start(1, &missing).err().unwrap().to_string();
    assert!(refused.contains("no device recording:2") && refused.contains("recording:1"), "{refused}");
    let unknown = Options { device: Device::named("abacus", 0), ..missing };
    let refused = start(1, &unknown).err().unwrap().to_string();
    assert!(refused.contains("\"abacus\"") && refused.contains("cpu, recording"), "{refused}");
}

/// The fast backend can run a long prompt in two halves, the reference cannot: in a group of both neither does, or each would wait
/// for a sum that the other never makes.
fn backends_that_differ_make_the_same_sums() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny/llama-untied");
    let records = std::env::temp_dir().join(format!("tandem-records-mixed-{}", std::process::id()));
    let options = Options {
        device: Device::named("recording", 0),
        registry: Registry::default().with(Arc::new(Records(records.clone()))),
        context: Some(512),
        threads: Some(1),
        ..Options::default()
    };
    let nodes = LocalNodes { link: LinkChoice::Tcp, overlap: Overlap::Always, ..LocalNodes::new(2) };
    let answer_of = |fast: fn(usize) -> bool| {
        let started = AtomicUsize::new(0);
        let worker = || {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.arg("worker").env(RECORDS, &records);
            if fast(started.fetch_add(1, Ordering::Relaxed)) {
                command.env(FAST, "");
            }
            command
        };
        let group = LocalGroup::start(&model, &options, &nodes, worker, &|_, _| {}).unwrap();
        answer_to(&group, (0..400).map(|i| 3 + i * 7 % 250).collect())
    };
    let expected = answer_of(|_| false);
    assert_eq!(answer_of(|rank| rank == 0), expected);
    assert_eq!(answer_of(|_| true), expected);
    std::fs::remove_file(&records).unwrap();
}

fn answer(tokens: &dyn Tokens) -> Vec<u32> {
    answer_to(tokens, vec![1, 2, 3])
}

fn answer_to(tokens: &dyn Tokens, prompt: Vec<u32>) -> Vec<u32> {
    let request = Request { prompt, tokens_max: Some(4), ..Request::default() };
    let ids = tokens.stream(request).unwrap().filter_map(|event| match event {
        Event::Token { id, .. } => Some(id),
        Event::Failed(reason) => panic!("{reason}"),
        _ => None,
    });
    ids.collect()
}
