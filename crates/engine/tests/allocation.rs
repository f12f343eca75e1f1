//! Decoding allocates nothing.

#![allow(unsafe_code)] // A counting allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use std::sync::Arc;

use tandem_engine::{Config, Constraint, Engine, Grammar, Grammars, Request, RequestId, Sampling, Stepper};
use tandem_tensor::{Batch, CacheType, Limits, PeerLost, Rest};

struct Counting;

thread_local! {
    /// Per thread: that of the test harness allocates when it likes.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's contract is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Results that need no computation.
struct Flat {
    result: Vec<f32>,
    rests: Vec<Rest>,
}

impl Stepper for Flat {
    fn start(&mut self, _batch: &Batch) -> Result<(), PeerLost> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), PeerLost> {
        Ok(())
    }

    fn result(&self) -> &[f32] {
        &self.result
    }

    fn reduces(&self) -> bool {
        !self.rests.is_empty()
    }

    fn rests(&self) -> &[Rest] {
        &self.rests
    }
}

const VOCAB: usize = 1000;

/// Allows every token.
struct Anything([u32; VOCAB.div_ceil(32)]);

impl Grammars for Anything {
    fn compile(&self, _: &Constraint) -> Result<Box<dyn Grammar>, String> {
        Ok(Box::new(Anything(self.0)))
    }
}

impl Grammar for Anything {
    fn mask(&mut self) -> Result<&[u32], String> {
        Ok(&self.0)
    }

    fn accept(&mut self, _: u32) -> Result<bool, String> {
        Ok(false)
    }
}

#[test]
fn steady_decoding_allocates_nothing() {
    // One greedy, the others through every cut.
    check(false, |id| {
        let temperature = id as f32 * 0.5;
        let sampling = Sampling { temperature, top_k: 40, top_p: 0.9, min_p: 0.01, ..Sampling::default() };
        Request { sampling, ..Request::default() }
    });
}

#[test]
fn masks_and_sums_allocate_nothing() {
    check(true, |id| {
        let plain = Sampling { temperature: 1.0, ..Sampling::default() };
        let sampling = match id {
            0 => Sampling { top_p: 0.5, ..plain },
            1 => Sampling { min_p: 0.01, ..plain },
            2 => Sampling { logit_bias: vec![(3, 1.0)], ..plain },
            _ => Sampling::default(),
        };
        let constraint = (id != 1).then_some(Constraint::JsonObject);
        Request { sampling, constraint, ..Request::default() }
    });
}

/// Whether a session that does or does not reduce is driven without allocating, once requests decode.
fn check(reduces: bool, request: impl Fn(usize) -> Request) {
    const SEQUENCES: usize = 4;
    let limits = Limits {
        tokens_max: 64,
        outputs_max: SEQUENCES,
        block_len: 16,
        blocks: 256,
        window: 24,
        window_blocks: 64,
        states: 16,
        context_max: 1024,
        cache_type: CacheType::F16,
    };
    let config = Config { limits, vocab: VOCAB, sequences_max: SEQUENCES, prefill_chunk: 32, waiting_max: 8 };
    let result = (0..SEQUENCES * VOCAB).map(|i| (i % 97) as f32 * 0.1).collect();
    let rest = Rest { most: f32::NEG_INFINITY, all: 9.6, allowed: 9.6 };
    let rests = if reduces { vec![rest; SEQUENCES] } else { Vec::new() };
    let mut engine = Engine::new(Box::new(Flat { result, rests }), config)
        .with_grammars(Arc::new(Anything([u32::MAX; VOCAB.div_ceil(32)])));
    for id in 0..SEQUENCES {
        let request = Request { prompt: vec![1; 20], tokens_max: Some(900), ..request(id) };
        engine.submit(RequestId(id as u64), request).unwrap();
    }
    let mut events = Vec::with_capacity(64);
    // The prompts take a few steps.
    let mut run = |steps: usize, decoding: bool| {
        for _ in 0..steps {
            engine.step(&mut events).unwrap();
            assert!(!decoding || !events.is_empty());
            events.clear();
        }
    };
    run(20, false);
    let before = ALLOCATIONS.get();
    run(500, true);
    assert_eq!(ALLOCATIONS.get() - before, 0);
}
