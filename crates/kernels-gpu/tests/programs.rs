//! Whole small programs against the naive backend, on this machine's GPU or on a software one.

use std::time::Instant;

use tandem_kernels_gpu::GpuBackend;
use tandem_tensor::conformance::{Case, Precision, cases};

/// Eight bits are eight bits; sums and functions differ a little more than on CPUs.
fn tolerance(case: &Case) -> f32 {
    match case.precision {
        Precision::Float => 1e-3,
        precision => precision.tolerance(),
    }
}

/// The tests divide the cases among themselves by name, so that every core has some.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Weights,
    Experts,
    Rest,
}

fn part(case: &Case) -> Part {
    match case.name.as_str() {
        name if name.starts_with("weights of") => Part::Weights,
        name if name.starts_with("experts of") => Part::Experts,
        _ => Part::Rest,
    }
}

/// `TANDEM_CASE` runs only the cases that have it in their names.
fn check(wanted: Part) {
    // One for each test: software Vulkan computes and compiles on a thread for each device.
    let backend = GpuBackend::new(0).expect("a GPU, or Mesa's software Vulkan");
    check_on(&backend, |case| part(case) == wanted, tolerance);
}

fn check_on(backend: &GpuBackend, wanted: impl Fn(&Case) -> bool, tolerance: impl Fn(&Case) -> f32) {
    let only = std::env::var("TANDEM_CASE").unwrap_or_default();
    let mut failed = Vec::new();
    for case in cases().into_iter().filter(|case| wanted(case) && case.name.contains(&only)) {
        let start = Instant::now();
        if let Err(difference) = case.run(backend, tolerance(&case)) {
            println!("{}: {difference}", case.name);
            failed.push(case.name.clone());
        }
        println!("{:5.1} s  {}", start.elapsed().as_secs_f64(), case.name);
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn weights_of_every_type() {
    check(Part::Weights);
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn experts_of_every_type() {
    check(Part::Experts);
}

#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn every_operator_and_shape() {
    check(Part::Rest);
}

/// Kernels with cooperative matrices, which software Vulkan has not: products in tiles, whole and divided, and attention.
#[test]
#[ignore = "needs a GPU or Mesa's software Vulkan: `cargo xtask test --only gpu`"]
fn cooperative_matrices() {
    let backend = GpuBackend::with_emulated_matrices(0).expect("a GPU, or Mesa's software Vulkan");
    // The others take longer to compile.
    let wanted = ["long, F16 cache", "weights of Q4_0"];
    // Activations are half floats in such products.
    let tolerance = |case: &Case| case.precision.tolerance().max(1e-2);
    check_on(&backend, |case| wanted.contains(&case.name.as_str()), tolerance);
}
