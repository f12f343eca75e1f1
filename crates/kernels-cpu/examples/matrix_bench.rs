//! How fast matrices are multiplied, per weight type, against the memory's own speed measured in the same run.
//!
//! `cargo run --release -p tandem-kernels-cpu --example matrix_bench -- [--threads N] [--level NAME] [TYPE...]`
//!
//! - `1 token`: GB of packed weights per second, and as a share of the plain read bandwidth: decoding.
//! - `8 tokens`: how many times the tokens of a single one per second: batched decoding.
//! - `256 tokens`: billions of operations (two per weight and token) per second: prefill.

use std::sync::Barrier;
use std::time::Instant;

use tandem_kernels_cpu::cpu::{Cpu, Level};
use tandem_kernels_cpu::matrix::{InputBuffer, Inputs, Matrix, PANEL};
use tandem_kernels_cpu::memory::{Arena, read_bandwidth};
use tandem_tensor::{DType, quant};

/// More than any cache holds.
const WORKING_SET_BYTES: usize = 512 << 20;
const SHAPES: [(usize, usize); 2] = [(8192, 2048), (2048, 8192)];
const TOKENS_MAX: usize = 256;

fn main() {
    let mut threads = vec![1, 2];
    let mut cpu = Cpu::detect();
    let mut dtypes = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--threads" => threads = vec![args.next().and_then(|n| n.parse().ok()).expect("--threads N")],
            "--level" => {
                let name = args.next().unwrap_or_default();
                let level = Level::ALL.into_iter().find(|level| level.name() == name);
                cpu = level.and_then(Cpu::at).expect("a level that this machine has");
            }
            name => dtypes.push(name.parse().expect("a data type")),
        }
    }
    if dtypes.is_empty() {
        dtypes = vec![DType::Q4_0, DType::Q4_1, DType::Q4_K, DType::Q6_K, DType::Q8_0, DType::F16];
    }
    println!("level {}", cpu.level());
    let bandwidths: Vec<f64> = threads.iter().map(|n| read_bandwidth(*n).expect("memory to read")).collect();
    println!(
        "{:8} {:>7} {:>8} {:>9} {:>6} {:>9} {:>11}",
        "type", "threads", "GB/s", "bandwidth", "share", "8 tokens", "256: GOP/s"
    );
    for dtype in dtypes {
        let matrices = Matrices::new(dtype);
        for (threads, bandwidth) in threads.iter().zip(&bandwidths) {
            let one_s = matrices.time_s(cpu, *threads, 1, 1.0);
            let eight_s = matrices.time_s(cpu, *threads, 8, 0.5);
            let many_s = matrices.time_s(cpu, *threads, TOKENS_MAX, 0.1);
            let rate = matrices.bytes as f64 / one_s / 1e9;
            println!(
                "{dtype:8} {threads:>7} {rate:>8.1} {bandwidth:>9.1} {:>5.0}% {:>8.2}x {:>11.0}",
                100.0 * rate / bandwidth,
                8.0 * one_s / eight_s,
                2.0 * matrices.values as f64 * TOKENS_MAX as f64 / many_s / 1e9,
            );
        }
    }
}

struct Matrices {
    matrices: Vec<Matrix>,
    bytes: usize,
    values: usize,
}

impl Matrices {
    fn new(dtype: DType) -> Matrices {
        let bytes_each = SHAPES.map(|(rows, cols)| Matrix::bytes(dtype, rows, cols));
        // The same few rows over and over: what they hold does not matter to the clock.
        let stored = SHAPES.map(|(_, cols)| {
            let values: Vec<f32> =
                (0..PANEL * cols).map(|i| ((i * 7919) % 1009) as f32 / 1009.0 - 0.5).collect();
            let mut stored = Vec::new();
            quant::quantize(dtype, &values, &mut stored);
            stored
        });
        let pairs = WORKING_SET_BYTES.div_ceil(bytes_each.iter().sum());
        let bytes = pairs * bytes_each.iter().sum::<usize>();
        let mut arena = Arena::new(bytes).expect("memory for the matrices");
        let mut matrices = Vec::new();
        for _ in 0..pairs {
            for (i, (rows, cols)) in SHAPES.into_iter().enumerate() {
                let mut matrix = Matrix::new(dtype, rows, cols, arena.take(bytes_each[i]));
                matrix.parts(1).for_each(|part| part.pack(&stored[i]));
                matrices.push(matrix);
            }
        }
        let values = pairs * SHAPES.iter().map(|(rows, cols)| rows * cols).sum::<usize>();
        Matrices { matrices, bytes, values }
    }

    /// Seconds to multiply all of them, estimated from a `share` of them; the best of a few passes.
    fn time_s(&self, cpu: Cpu, threads: usize, tokens: usize, share: f64) -> f64 {
        const PASSES: usize = 3;
        let count = ((self.matrices.len() as f64 * share) as usize / SHAPES.len()).max(1) * SHAPES.len();
        let matrices = &self.matrices[..count];
        let kind = matrices[0].input_kind();
        let x: Vec<f32> = (0..8192 * tokens).map(|i| ((i * 31) % 127) as f32 - 63.0).collect();
        let barrier = Barrier::new(threads);
        let times = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|thread| {
                    let (x, barrier) = (&x, &barrier);
                    scope.spawn(move || {
                        let mut buffers = [2048, 8192].map(|cols| {
                            InputBuffer::new(Inputs::bytes(kind, cols, tokens)).expect("memory for inputs")
                        });
                        let [narrow, wide] = &mut buffers;
                        let inputs = [
                            narrow.fill(cpu, kind, 2048, &x[..2048 * tokens]),
                            wide.fill(cpu, kind, 8192, &x[..8192 * tokens]),
                        ];
                        let mut out = vec![0.0f32; 8192 * tokens];
                        std::array::from_fn::<_, PASSES, _>(|_| {
                            barrier.wait();
                            let start = Instant::now();
                            for matrix in matrices {
                                let share = matrix.panels().div_ceil(threads);
                                let panels = thread * share..matrix.panels().min((thread + 1) * share);
                                let inputs = inputs[(matrix.cols() == 8192) as usize];
                                #[allow(unsafe_code)]
                                // SAFETY: `out` is this thread's, with room for all rows of every token.
                                unsafe {
                                    matrix.multiply(cpu, panels, inputs, out.as_mut_ptr(), matrix.rows());
                                }
                            }
                            barrier.wait();
                            start.elapsed().as_secs_f64()
                        })
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("a worker")).collect::<Vec<_>>()
        });
        let best = times.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        best * self.matrices.len() as f64 / count as f64
    }
}
