//! Small traffic over shared memory allocates nothing and makes no system call. Its own `main`, because it runs itself under strace.
#![allow(unsafe_code)] // A counting allocator.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    env, fs,
    os::unix::process::parent_id,
    process::Command,
    sync::atomic::{AtomicU64, Ordering},
};

use tandem_fabric::{Arena, Completion, Link, NOTE_MAX, Rank, ShmLink};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is passed to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
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

const ROUNDS: usize = 10_000;

fn main() {
    if env::var("STEADY").is_ok() {
        return traffic();
    }
    let file = env::temp_dir().join(format!("tandem-steady-{}", std::process::id()));
    let program = env::current_exe().unwrap();
    let traced =
        Command::new("strace").arg("-f").arg("-o").arg(&file).arg(&program).env("STEADY", "1").status();
    if !traced.is_ok_and(|status| status.success()) {
        println!("strace is not available here: counting allocations only");
        return traffic();
    }
    let trace = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let marks: Vec<_> =
        trace.lines().enumerate().filter(|(_, line)| line.contains("getppid(")).map(|(i, _)| i).collect();
    let [.., begin, end] = marks[..] else { panic!("no marks in the trace") };
    let between: Vec<_> = trace.lines().take(end).skip(begin + 1).collect();
    assert!(between.is_empty(), "{ROUNDS} rounds made system calls: {:?}", &between[..between.len().min(5)]);
    println!("{ROUNDS} round trips of notes and messages: no allocation, no system call");
}

/// Both ends in one thread, so that nobody ever has to wait.
fn traffic() {
    let arenas = [Arena::new(1 << 20).unwrap(), Arena::new(1 << 20).unwrap()];
    let (mut a, mut b) = ShmLink::pair((Rank(0), &arenas[0]), (Rank(1), &arenas[1])).unwrap();
    let mut out = Some(arenas[0].alloc(8192).unwrap());
    let mut into = Some(arenas[1].alloc(8192).unwrap());
    let mut note = [0; NOTE_MAX];
    let mut before = 0;
    for round in 0..ROUNDS + 100 {
        if round == 100 {
            before = ALLOCATIONS.load(Ordering::Relaxed);
            // A system call that nothing else makes, as a mark in the trace.
            let _ = parent_id();
        }
        assert!(a.try_send_note(&[1; 64]).unwrap());
        assert_eq!(b.try_recv_note(&mut note).unwrap(), Some(64));
        assert!(b.try_send_note(&note[..64]).unwrap());
        assert_eq!(a.try_recv_note(&mut note).unwrap(), Some(64));
        b.post_recv(into.take().unwrap()).unwrap();
        a.post_send(out.take().unwrap().share()).unwrap();
        match b.poll().unwrap() {
            Some(Completion::Received { buf, len: 8192 }) => into = Some(buf),
            other => panic!("{other:?}"),
        }
        match a.poll().unwrap() {
            Some(Completion::Sent(buf)) => out = Some(buf.into_unique().unwrap()),
            other => panic!("{other:?}"),
        }
    }
    let _ = parent_id();
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert_eq!(allocations, 0, "{ROUNDS} rounds allocated");
    assert_eq!(a.counters().parks + b.counters().parks, 0);
}
