//! Whole small programs against the naive backend, on this machine's GPU or on a software one.

use tandem_kernels_gpu::GpuBackend;
use tandem_tensor::conformance::{Case, Precision, cases};

/// Eight bits are eight bits; sums and functions differ a little more than on CPUs.
fn tolerance(case: &Case) -> f32 {
    match case.precision {
        Precision::Float => 1e-3,
        precision => precision.tolerance(),
    }
}

#[test]
fn every_case() {
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    let only = std::env::var("TANDEM_CASE").unwrap_or_default();
    let mut failed = Vec::new();
    for case in cases().into_iter().filter(|case| case.name.contains(&only)) {
        if let Err(difference) = case.run(&backend, tolerance(&case)) {
            println!("{}: {difference}", case.name);
            failed.push(case.name);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
