//! A step across ranks that share memory allocates nothing and makes no system calls, on the leader and on the others. In a file of its
//! own, and in one test, because the allocator counts for the whole program.
//!
//! `TANDEM_SMOLLM2` names the model file; `cargo xtask test` fetches it and sets the variable.
#![allow(unsafe_code)] // A counting allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tandem_collectives::{Group, GroupOptions};
use tandem_engine::Stepper;
use tandem_fabric::{Arena, Link, Rank, ShmLink};
use tandem_kernels_cpu::CpuBackend;
use tandem_ranks::{Blueprint, Leader, Stage, open_rank, serve};
use tandem_runtime::{ModelFile, Options};
use tandem_tensor::{Batch, Limits, Span};

struct Counting;

static COUNTED: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is passed to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if COUNTED.load(Ordering::Relaxed) {
            ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const TIMEOUT: Duration = Duration::from_secs(60);
const WARM_UP: u32 = 20;
const STEPS: u32 = 40;

/// Files that do not exist: asking for them shows up among the system calls.
const BEGIN: &str = "/steady-steps-begin";
const END: &str = "/steady-steps-end";

fn mark(name: &str) {
    assert!(!std::path::Path::new(name).exists());
}

/// Set in the program that is watched from outside.
const WATCHED: &str = "STEADY";

#[test]
fn a_step_across_ranks_does_not_allocate_and_makes_no_system_calls() {
    steps_do_not_allocate();
    if std::env::var_os(WATCHED).is_none() {
        steps_make_no_system_calls();
    }
}

/// Seen from outside. Letting others run, and sleeping until a peer wakes one, is how a rank waits on a crowded machine and no part of an
/// operator; these calls are left out. So is asking for the time, a call only where the machine lends no clock.
fn steps_make_no_system_calls() {
    let log = std::env::temp_dir().join(format!("tandem-steady-step-{}", std::process::id()));
    let traced = Command::new("strace")
        .args(["-f", "--seccomp-bpf", "-e", "trace=!sched_yield,futex,poll,clock_gettime", "-o"])
        .arg(&log)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "a_step_across_ranks_does_not_allocate_and_makes_no_system_calls"])
        .env(WATCHED, "1")
        .output();
    let traced = match traced {
        Ok(output) if output.status.success() => std::fs::read_to_string(&log).unwrap(),
        Ok(output) if output.status.code() == Some(101) => {
            panic!("{}", String::from_utf8_lossy(&output.stdout))
        }
        outcome => {
            let _ = std::fs::remove_file(&log);
            println!("SKIPPED: system calls cannot be counted here, which takes strace: {outcome:?}");
            return;
        }
    };
    std::fs::remove_file(&log).unwrap();
    let during = traced.lines().skip_while(|line| !line.contains(BEGIN)).skip(1);
    let calls: Vec<&str> = during.take_while(|line| !line.contains(END)).collect();
    assert!(traced.contains(END), "the steps' end was not seen");
    assert!(calls.is_empty(), "{} calls in {STEPS} steps:\n{}", calls.len(), calls.join("\n"));
}

fn steps_do_not_allocate() {
    let path: PathBuf = std::env::var_os("TANDEM_SMOLLM2")
        .expect("TANDEM_SMOLLM2 must name the SmolLM2 GGUF file; `cargo xtask test` fetches it and sets it")
        .into();
    let file = ModelFile::open(&path).unwrap();
    let limits = Limits { blocks: 8, context_max: 256, ..Options::default().limits() };
    let blueprint = Blueprint::new(&file, vec![Stage { layers: 0..30, shares: vec![1.0, 1.0] }], &limits);
    let arenas = [Arena::new(128 << 20).unwrap(), Arena::new(128 << 20).unwrap()];
    let (a, b) = ShmLink::pair((Rank(0), &arenas[0]), (Rank(1), &arenas[1])).unwrap();
    let form = |rank: usize, link: Box<dyn Link>| {
        let mut links = vec![None, None];
        links[1 - rank] = Some(link);
        let options = GroupOptions { timeout: TIMEOUT, ..GroupOptions::default() };
        Group::form(Rank(rank as u16), links, &arenas[rank], options).unwrap()
    };
    let backend = CpuBackend::new().with_threads(1);
    thread::scope(|scope| {
        scope.spawn(|| {
            let group = form(1, Box::new(b));
            let (session, program) = open_rank(&blueprint, &file, 1, &backend, &|_| {}).unwrap();
            let vocab = blueprint.shards(&file, &file.description().unwrap()).unwrap()[1].vocab.clone();
            serve(&blueprint, group, session, &program, vocab, TIMEOUT, TIMEOUT, || {}).unwrap();
        });
        let group = form(0, Box::new(a));
        let (session, program) = open_rank(&blueprint, &file, 0, &backend, &|_| {}).unwrap();
        let shards = blueprint.shards(&file, &file.description().unwrap()).unwrap();
        let mut leader =
            Leader::new(&blueprint, &shards, group, session, &program, TIMEOUT, TIMEOUT, |_| {}).unwrap();
        let mut batch = Batch { blocks: (0..8).collect(), outputs: vec![0], top: 1, ..Batch::default() };
        for position in 0..WARM_UP + STEPS {
            batch.tokens = vec![17 + position];
            batch.spans =
                vec![Span { rows: 1, start: position, blocks: 8, window_blocks: 0, state: 0, state_from: 0 }];
            if position == WARM_UP {
                mark(BEGIN);
            }
            COUNTED.store(position >= WARM_UP, Ordering::SeqCst);
            leader.start(&batch).and_then(|()| leader.finish()).unwrap();
            COUNTED.store(false, Ordering::SeqCst);
            assert_eq!(leader.result().iter().filter(|value| value.is_finite()).count(), 2);
        }
        mark(END);
        drop(leader);
    });
    assert_eq!(ALLOCATIONS.load(Ordering::SeqCst), 0);
}
