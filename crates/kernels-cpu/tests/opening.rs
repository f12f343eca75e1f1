//! What goes wrong when a session is opened, and what it takes.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tandem_kernels_cpu::CpuBackend;
use tandem_tensor::conformance::{Llama, Random, Sequences, open};
use tandem_tensor::{
    Alone, Backend, CacheType, DType, Limits, OpenError, PeerLost, Peers, ReadError, Weight, WeightSource,
    Window,
};

/// Fails at one row of one weight.
struct Broken {
    name: &'static str,
    row: usize,
}

impl WeightSource for Broken {
    fn read(
        &self,
        weight: &Weight,
        expert: usize,
        rows: Range<usize>,
        out: &mut [u8],
    ) -> Result<(), ReadError> {
        if weight.name == self.name && rows.contains(&self.row) {
            return Err(ReadError("the disk is on fire".into()));
        }
        Random.read(weight, expert, rows, out)
    }
}

#[test]
fn an_unreadable_weight_is_named() {
    let llama = Llama::default();
    let limits = llama.limits(16, CacheType::F16);
    for (name, row) in [("embedding", 199), ("1.gate", 100), ("0.ffn_norm", 0)] {
        for threads in [1, 3] {
            let backend = CpuBackend::new().with_threads(threads);
            let error = backend.open(llama.program(), limits, &Broken { name, row }, &|_| ()).err();
            let message = error.expect("the weight cannot be read").to_string();
            assert_eq!(message, format!("cannot read `{name}`: the disk is on fire"));
        }
    }
}

#[test]
fn too_large_a_cache_is_refused() {
    let llama = Llama::default();
    let limits = Limits { blocks: 1 << 40, ..llama.limits(16, CacheType::F16) };
    let backend = CpuBackend::new();
    let footprint = backend.footprint(&llama.program(), &limits);
    assert!(footprint.cache > 1 << 50);
    match backend.open(llama.program(), limits, &Random, &|_| ()) {
        Err(OpenError::Memory { bytes, .. }) => assert_eq!(bytes, footprint.cache),
        Err(error) => panic!("another error: {error}"),
        Ok(_) => panic!("a petabyte was allocated"),
    }
}

#[test]
fn progress_counts_every_byte_once() {
    let llama = Llama { dtype: DType::Q4_K, output_dtype: Some(DType::Q6_K), ..Llama::default() };
    let program = llama.program();
    let heard = AtomicU64::new(0);
    let progress = |bytes| drop(heard.fetch_add(bytes, Ordering::Relaxed).to_string());
    let backend = CpuBackend::new().with_threads(2);
    let limits = llama.limits(16, CacheType::F16);
    drop(backend.open(Arc::clone(&program), limits, &Random, &progress).unwrap());
    // The embedding is also the output matrix, and read once.
    let embedding = program.weights.iter().find(|weight| weight.name == "embedding").unwrap().bytes();
    assert_eq!(heard.into_inner(), program.weight_bytes() - embedding);
}

#[test]
fn a_tied_embedding_is_stored_once() {
    let llama = Llama { vocabulary: 4000, dtype: DType::Q8_0, ..Llama::default() };
    let program = llama.program();
    let footprint = CpuBackend::new().footprint(&program, &llama.limits(16, CacheType::F16));
    let embedding = program.weights.iter().find(|weight| weight.name == "embedding").unwrap().bytes();
    let stored = program.weight_bytes() - embedding;
    assert!(footprint.weights < stored + stored / 20, "{} bytes for {stored}", footprint.weights);
}

/// Adds a number to what is reduced, until it is lost.
struct Flaky {
    reductions: usize,
}

impl Peers for Flaky {
    fn all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        self.reductions = self
            .reductions
            .checked_sub(1)
            .ok_or_else(|| PeerLost { rank: 3, reason: "its cable was cut".into() })?;
        values.iter_mut().for_each(|value| *value += 0.25);
        Ok(())
    }

    fn send_next(&mut self, _: &[f32]) -> Result<(), PeerLost> {
        unreachable!("the program sends nothing")
    }

    fn recv_previous(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
        unreachable!("the program receives nothing")
    }
}

#[test]
fn a_lost_peer_ends_the_step_and_not_the_session() {
    let llama = Llama::default();
    let (program, limits) = (llama.program(), llama.limits(16, CacheType::F32));
    for threads in [1, 3] {
        let mut session = open(&CpuBackend::new().with_threads(threads), &program, limits);
        let mut reference = open(&tandem_tensor::Reference, &program, limits);
        let batch = Sequences::new(1, &llama, limits).batch(&[(0, 12)]);
        for reductions in 0..4 {
            let lost = session.run(&batch, &mut Flaky { reductions }).unwrap_err();
            assert_eq!((lost.rank, lost.reason.as_str()), (3, "its cable was cut"));
        }
        session.run(&batch, &mut Flaky { reductions: 4 }).unwrap();
        reference.run(&batch, &mut Flaky { reductions: 4 }).unwrap();
        let (found, expected) = (vec![session.result().to_vec()], vec![reference.result().to_vec()]);
        tandem_tensor::conformance::check("after a loss", &found, &expected, 2e-4);
        session.run(&batch, &mut Alone).unwrap();
    }
}

#[test]
#[should_panic(expected = "a block that does not exist")]
fn a_wrong_block_is_refused() {
    let llama = Llama::default();
    let limits = llama.limits(16, CacheType::F32);
    let mut session = open(&CpuBackend::new(), &llama.program(), limits);
    let mut batch = Sequences::new(1, &llama, limits).batch(&[(0, 3)]);
    batch.blocks[0] = limits.blocks as u32;
    let _ = session.run(&batch, &mut Alone);
}

/// As in gpt-oss: every other layer sees 128 tokens.
#[test]
fn layers_with_a_window_keep_only_that() {
    let llama = Llama { window: Some(Window::Sliding(128)), ..Llama::default() };
    let mut program = (*llama.program()).clone();
    program.caches.iter_mut().step_by(2).for_each(|cache| cache.window = None);
    let windowed = program.caches.iter().filter(|cache| cache.window.is_some()).count() as u64;
    let caches = program.caches.len() as u64;
    assert!(windowed > 0 && windowed < caches);
    let limits = Limits { blocks: 4096, window_blocks: 112, ..llama.limits(32, CacheType::F16) };
    let backend = CpuBackend::new();
    let found = backend.footprint(&program, &limits).cache;
    program.caches.iter_mut().for_each(|cache| cache.window = None);
    let one = backend.footprint(&program, &limits).cache / caches;
    assert_eq!(found, (caches - windowed) * one + windowed * one * 112 / 4096);
}
