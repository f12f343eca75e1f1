//! Steps allocate nothing.

// The allocator that counts is itself unsafe code.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use tandem_kernels_cpu::CpuBackend;
use tandem_tensor::conformance::{Chosen, Latent, Llama, Mixture, mixed_batches, open, pooled};
use tandem_tensor::{Alone, CacheType, DType};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is the system allocator's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The only test of its process. The harness may still allocate beside it, but not every time.
#[test]
fn steps_allocate_nothing() {
    for dtype in [DType::Q4_0, DType::F16] {
        let mixture = (dtype == DType::Q4_0).then(|| Mixture { dtype, inner: 128, ..Mixture::default() });
        let llama = Llama { dtype, sinks: true, bias: true, qk_norm: true, mixture, ..Llama::default() };
        let latent = (dtype == DType::F16).then_some(Latent {
            latent_dim: 64,
            nope_dim: 32,
            rope_dim: 16,
            value_dim: 32,
            dtype,
            chosen: Some(Chosen { count: 20, heads: 6, key_dim: 35, tied: false }),
        });
        let llama = Llama { latent, ..llama };
        run(&llama, &dtype.to_string());
    }
    for case in pooled().iter().take(2) {
        run(&case.llama, &case.name);
    }
}

fn run(llama: &Llama, name: &str) {
    let (program, limits) = (llama.program(), llama.limits(16, CacheType::F16));
    let batches = mixed_batches(llama, limits);
    for threads in [1, 3] {
        let mut session = open(&CpuBackend::new().with_threads(threads), &program, limits);
        session.run(&batches[0], &mut Alone).unwrap();
        let mut allocations = || {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            for batch in &batches[1..] {
                session.run(batch, &mut Alone).unwrap();
            }
            ALLOCATIONS.load(Ordering::Relaxed) - before
        };
        let (first, second) = (allocations(), allocations());
        assert_eq!(first.min(second), 0, "{name}, {threads} threads");
    }
}
