//! What a GPU reaches on shapes of real models, with random weights: decoding alone and in company, at depth, and prompts.
//!
//!     cargo run --release -p tandem-kernels-gpu --example gpu_bench -- [--device N] [--seconds S] [ROW …]
//!
//! Rows: `hand-over` what each way costs; `SHAPE:TYPE` a model alone, of the shapes 8b 70b (20 layers of it) 1b smol moe
//! deepseek; `products:TYPE` the products of one row with large matrices of a type; `two:SHAPE:TYPE` a model divided between two
//! ranks on the one device; `check` the conformance suite. Without any, all that a table needs, the most telling first; what does not begin within --seconds is left out and named. Shares
//! are of the bandwidth given with --gbps (4800: an H200). Decoding is as the engine does it: the likeliest token is fed to
//! the next step on the device.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tandem_kernels_gpu::kernels::Kind;
use tandem_kernels_gpu::{GpuBackend, GpuSession, Way};
use tandem_tensor::conformance::{self, Latent, Llama, Mixture, Noise, Sequences};
use tandem_tensor::{
    Alone, Backend, Batch, CacheType, DType, Limits, Op, PeerLost, Peers, ReadError, RopeStyle, Routing,
    Score, Session, Weight, WeightSource,
};

/// Random codes with scales that keep activations finite.
struct Fast;

impl WeightSource for Fast {
    fn read(
        &self,
        weight: &Weight,
        expert: usize,
        rows: Range<usize>,
        out: &mut [u8],
    ) -> Result<(), ReadError> {
        let mut noise = Noise((expert as u64) << 40 ^ (rows.start as u64) << 8 ^ weight.name.len() as u64);
        if matches!(weight.dtype, DType::F32 | DType::F16 | DType::BF16) {
            let scale = if weight.rows() == 1 { 1.0 } else { 1.7 / (weight.cols() as f32).sqrt() };
            let sample: Vec<f32> = (0..4096)
                .map(|_| noise.value() * scale + if weight.rows() == 1 { 1.0 } else { 0.0 })
                .collect();
            let mut bytes = Vec::new();
            tandem_tensor::quant::quantize(weight.dtype, &sample, &mut bytes);
            out.chunks_mut(bytes.len()).for_each(|out| out.copy_from_slice(&bytes[..out.len()]));
            return Ok(());
        }
        let scale = 3.0 / (weight.cols() as f32).sqrt();
        let values: Vec<f32> = (0..256 * 64).map(|_| noise.value() * scale).collect();
        let mut bytes = Vec::new();
        tandem_tensor::quant::quantize(weight.dtype, &values, &mut bytes);
        out.chunks_mut(bytes.len()).for_each(|out| out.copy_from_slice(&bytes[..out.len()]));
        Ok(())
    }
}

fn shape(name: &str, dtype: DType) -> Llama {
    let llama = Llama {
        dtype,
        rope: Some(RopeStyle::Halves),
        rotated_pairs: 64,
        key_dim: 128,
        value_dim: 128,
        ..Llama::default()
    };
    match name {
        "8b" => Llama {
            hidden: 4096,
            heads: 32,
            kv_heads: 8,
            ffn: 14336,
            vocabulary: 128_256,
            layers: 32,
            ..llama
        },
        // A quarter of the layers of a model of 70 billion parameters.
        "70b" => {
            Llama { hidden: 8192, heads: 64, kv_heads: 8, ffn: 28672, vocabulary: 49152, layers: 20, ..llama }
        }
        "1b" => Llama {
            hidden: 2048,
            heads: 32,
            kv_heads: 8,
            key_dim: 64,
            value_dim: 64,
            rotated_pairs: 32,
            ffn: 8192,
            vocabulary: 49152,
            layers: 16,
            ..llama
        },
        "smol" => Llama {
            hidden: 576,
            heads: 9,
            kv_heads: 3,
            key_dim: 64,
            value_dim: 64,
            rotated_pairs: 32,
            ffn: 1536,
            vocabulary: 49152,
            layers: 30,
            ..llama
        },
        "moe" => {
            let routing = Routing { normalise: true, ..Routing::of(8, Score::Softmax) };
            let mixture = Mixture { experts: 64, inner: 768, dtype, routing, ..Mixture::default() };
            Llama {
                hidden: 2048,
                heads: 32,
                kv_heads: 4,
                ffn: 64,
                vocabulary: 49152,
                layers: 8,
                mixture: Some(mixture),
                ..llama
            }
        }
        "deepseek" => {
            let routing = Routing::of(6, Score::Softmax);
            let mixture = Mixture { experts: 64, inner: 768, dtype, routing, ..Mixture::default() };
            let latent = Latent {
                latent_dim: 512,
                nope_dim: 128,
                rope_dim: 64,
                value_dim: 128,
                dtype: DType::Q8_0,
                chosen: None,
            };
            Llama {
                hidden: 2048,
                heads: 16,
                kv_heads: 1,
                ffn: 64,
                vocabulary: 49152,
                layers: 8,
                mixture: Some(mixture),
                latent: Some(latent),
                ..llama
            }
        }
        _ => panic!("no shape is called {name}"),
    }
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut take = |name: &str, default: f64| {
        let at = args.iter().position(|arg| arg == name)?;
        args.remove(at);
        Some(args.remove(at).parse().unwrap_or(default))
    };
    let device = take("--device", 0.0).unwrap_or(0.0) as usize;
    let gbps = take("--gbps", 4800.0).unwrap_or(4800.0);
    let seconds = take("--seconds", f64::MAX).unwrap_or(f64::MAX);
    if args.is_empty() {
        args = ALL.map(String::from).to_vec();
    }
    let start = Instant::now();
    // With TANDEM_KEPT, compiled kernels are kept in that folder.
    let backend = match std::env::var_os("TANDEM_KEPT") {
        Some(folder) => GpuBackend::keeping(device, folder.into()),
        None => GpuBackend::new(device),
    };
    let backend = backend.expect("a GPU");
    println!("{}, opened in {:.2} s", backend.name(), start.elapsed().as_secs_f64());
    for row in args {
        if start.elapsed().as_secs_f64() > seconds {
            println!("{row}: left out, {seconds} s are over");
            continue;
        }
        let of = |row: &str| {
            let (name, dtype) = row.split_once(':').expect("SHAPE:TYPE");
            shape(name, dtype.parse().expect("a type"))
        };
        match row.as_str() {
            "check" => check(&backend, start, seconds),
            "hand-over" => backend.hand_overs().iter().for_each(|timing| println!("hand-over {timing}")),
            _ => match (row.strip_prefix("two:"), row.strip_prefix("products:")) {
                (Some(rest), _) => two(device, rest, &of(rest)),
                (_, Some(dtype)) => products(&backend, dtype.parse().expect("a type"), gbps),
                _ => bench(&backend, &row, &Llama { sums: false, ..of(&row) }, gbps),
            },
        }
        println!("  ({:.0} s so far)", start.elapsed().as_secs_f64());
    }
}

/// What the table of results has, in the order of its worth.
const ALL: [&str; 18] = [
    "products:Q4_0",
    "products:MXFP4",
    "products:Q4_K",
    "products:Q6_K",
    "products:Q8_0",
    "products:F16",
    "8b:Q4_0",
    // Clocks are high by now.
    "hand-over",
    "1b:Q4_0",
    "two:8b:Q4_0",
    "two:70b:Q4_0",
    "8b:Q4_K",
    "moe:Q4_K",
    "deepseek:Q4_K",
    "8b:Q8_0",
    "check",
    "8b:F16",
    "smol:Q4_1",
];

/// The ranks' sums, made in memory.
struct Pair {
    rank: usize,
    shared: Arc<Shared>,
    met: usize,
    summing: f64,
}

struct Shared {
    parts: [Mutex<Vec<f32>>; 2],
    arrived: AtomicUsize,
}

impl Shared {
    /// Wait, awake, until both ranks have been here `times` times.
    fn meet(&self, times: usize) {
        self.arrived.fetch_add(1, Ordering::AcqRel);
        while self.arrived.load(Ordering::Acquire) < times * 2 {
            std::hint::spin_loop();
        }
    }
}

impl Peers for Pair {
    fn all_reduce(&mut self, values: &mut [f32]) -> Result<(), PeerLost> {
        let start = Instant::now();
        let parts = &self.shared.parts;
        {
            let mut own = parts[self.rank].lock().expect("nobody panics");
            own.clear();
            own.extend_from_slice(values);
        }
        self.met += 2;
        self.shared.meet(self.met - 1);
        let other = parts[1 - self.rank].lock().expect("nobody panics");
        values.iter_mut().zip(&*other).for_each(|(value, other)| *value += other);
        drop(other);
        self.shared.meet(self.met);
        self.summing += start.elapsed().as_secs_f64();
        Ok(())
    }

    fn send_next(&mut self, _: &[f32]) -> Result<(), PeerLost> {
        unreachable!("there is one stage")
    }

    fn recv_previous(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
        unreachable!("there is one stage")
    }
}

/// A model divided between two ranks on the one device: what a token costs beside the halves computed alone.
fn two(device: usize, name: &str, llama: &Llama) {
    let half = Llama {
        heads: llama.heads / 2,
        kv_heads: (llama.kv_heads / 2).max(1),
        ffn: llama.ffn / 2,
        vocabulary: llama.vocabulary / 2,
        ..llama.clone()
    };
    let program = half.program();
    let sums = program.ops.iter().filter(|op| matches!(op, Op::AllReduce { .. })).count();
    let limits = limits();
    for (way, apart) in [(Way::Queued, true), (Way::Polled, true), (Way::Polled, false)] {
        let open = || GpuBackend::new(device).expect("a GPU").with_way(way);
        // Ranks are processes, each with a queue of its own; beside them, two ranks that share one.
        let first = open();
        let second = if apart { Some(open()) } else { None };
        let session = |backend: &GpuBackend| {
            backend.session(Arc::clone(&program), limits, &Fast, &|_| ()).expect("it fits")
        };
        let mut ranks = [session(&first), session(second.as_ref().unwrap_or(&first))];
        let queues = if apart { "a queue each" } else { "one queue" };
        println!("two:{name}, {queues}: {}", ranks[0].exchanges_by().unwrap_or_default());
        pair(&mut ranks, &half, limits, sums);
    }
}

/// A rank whose peer is always there first: what is left is what handing over costs.
struct Echo;

impl Peers for Echo {
    fn all_reduce(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
        Ok(())
    }

    fn send_next(&mut self, _: &[f32]) -> Result<(), PeerLost> {
        Ok(())
    }

    fn recv_previous(&mut self, _: &mut [f32]) -> Result<(), PeerLost> {
        Ok(())
    }
}

/// Seconds of one token after another with these peers, the median.
fn tokens(session: &mut GpuSession, half: &Llama, limits: Limits, peers: &mut dyn Peers) -> f64 {
    let mut sequences = Sequences::new(1, half, limits);
    let mut times = Vec::new();
    for step in 0..40 {
        let batch = Batch { top: 1, ..sequences.batch(&[(0, if step == 0 { 16 } else { 1 })]) };
        let start = Instant::now();
        session.run(&batch, peers).expect("a step");
        times.push(start.elapsed().as_secs_f64());
    }
    times.drain(..8);
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// What a token costs two ranks.
fn pair(ranks: &mut [GpuSession; 2], half: &Llama, limits: Limits, sums: usize) {
    let halves = [0, 1].map(|rank: usize| decode(&mut ranks[rank], half, limits, 1, 0, 32));
    let alone: f64 = halves.iter().sum();
    let echo = tokens(&mut ranks[0], half, limits, &mut Echo);
    println!(
        "  one rank, the other's values at once: {:.0} µs a token; without sums {:.0}; {:.1} µs a sum",
        echo * 1e6,
        halves[0] * 1e6,
        (echo - halves[0]) * 1e6 / sums as f64
    );
    let shared = Arc::new(Shared { parts: Default::default(), arrived: AtomicUsize::new(0) });
    let run = |rank: usize, session: &mut GpuSession| {
        let mut peers = Pair { rank, shared: Arc::clone(&shared), met: 0, summing: 0.0 };
        let token = tokens(session, half, limits, &mut peers);
        (token, peers.summing / 40.0)
    };
    let times: Vec<(f64, f64)> = std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = ranks
            .iter_mut()
            .enumerate()
            .map(|(rank, session)| scope.spawn(move || run(rank, session)))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a rank")).collect()
    });
    let (token, summing) = times[0];
    println!(
        "  {:.1} tokens/s, {:.0} µs a token with {sums} sums; both halves alone, one after the other: {:.0} µs; exchange and waiting for the \
         other {:.0} µs",
        1.0 / token,
        token * 1e6,
        alone * 1e6,
        summing * 1e6,
    );
}

fn limits() -> Limits {
    Limits {
        tokens_max: 2048,
        outputs_max: 64,
        block_len: 32,
        blocks: 20_000 / 32,
        window: 0,
        window_blocks: 0,
        states: 0,
        context_max: 16_384,
        cache_type: CacheType::F16,
    }
}

fn bench(backend: &GpuBackend, name: &str, llama: &Llama, gbps: f64) {
    let limits = limits();
    let program = llama.program();
    let start = Instant::now();
    let mut session = backend.session(Arc::clone(&program), limits, &Fast, &|_| ()).expect("it fits");
    let opened = start.elapsed().as_secs_f64();
    let all: Vec<_> = session.choices().collect();
    for decided in session.decided() {
        let (choice, option) = all[decided.choice];
        let ratios: Vec<String> = decided.ratios.iter().map(|ratio| format!("{ratio:.3}")).collect();
        println!("  chosen: {} = {} ({})", choice.name, choice.options[option as usize], ratios.join(", "));
    }
    let read: u64 = program
        .weights
        .iter()
        .filter(|weight| weight.name != "embedding")
        .map(|weight| {
            let share = llama
                .mixture
                .as_ref()
                .filter(|_| weight.experts() > 1)
                .map_or(1.0, |m| m.routing.used as f64 / m.experts as f64);
            (weight.bytes() as f64 * share) as u64
        })
        .sum::<u64>()
        + program.weights[0].bytes();
    // Clocks rise with work.
    for _ in 0..8 {
        decode(&mut session, llama, limits, 1, 0, 64);
    }
    let alone = decode(&mut session, llama, limits, 1, 0, 64);
    println!(
        "{name}: opened in {opened:.1} s ({:.2} GB/s); decode {:.1} tokens/s, {:.0} µs a token, {:.1}% of {gbps} GB/s",
        program.weight_bytes() as f64 / opened / 1e9,
        1.0 / alone,
        alone * 1e6,
        read as f64 / alone / 1e9 / gbps * 100.0,
    );
    let silent = decode_with(&mut session, llama, limits, 1, 0, 64, false);
    println!("  without logits: {:.0} µs", silent * 1e6);
    profile(&mut session, llama, limits, 1, 0, 1);
    for company in [2, 4, 8, 32] {
        let time = decode(&mut session, llama, limits, company, 0, 24);
        println!(
            "  {company} together: {:.1} tokens/s ({:.2}×), {:.0} µs a step",
            company as f64 / time,
            company as f64 * alone / time,
            time * 1e6
        );
        if company >= 8 {
            profile(&mut session, llama, limits, company, 0, 1);
        }
    }
    let deep = decode(&mut session, llama, limits, 1, 8192, 32);
    println!("  at a depth of 8192: {:.1} tokens/s ({:.0}%)", 1.0 / deep, alone / deep * 100.0);
    profile(&mut session, llama, limits, 1, 8192, 1);
    for rows in [512, 2048] {
        let mut best = f64::MAX;
        for _ in 0..3 {
            let batch = Sequences::new(1, llama, limits).batch(&[(0, rows)]);
            let start = Instant::now();
            session.run(&batch, &mut Alone).expect("a step");
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("  prefill {rows}: {:.0} tokens/s, {:.1} ms", rows as f64 / best, best * 1e3);
        profile(&mut session, llama, limits, 1, 0, rows);
    }
}

/// Seconds of a step that decodes `company` sequences.
fn decode(
    session: &mut dyn Session,
    llama: &Llama,
    limits: Limits,
    company: usize,
    depth: usize,
    steps: usize,
) -> f64 {
    decode_with(session, llama, limits, company, depth, steps, true)
}

fn decode_with(
    session: &mut dyn Session,
    llama: &Llama,
    limits: Limits,
    company: usize,
    depth: usize,
    steps: usize,
    outputs: bool,
) -> f64 {
    let mut sequences = Sequences::new(company, llama, limits);
    let mut left = depth.max(16);
    while left > 0 {
        let rows = left.min(2048 / company);
        let batch: Batch = sequences.batch(&(0..company).map(|i| (i, rows)).collect::<Vec<_>>());
        session.run(&batch, &mut Alone).expect("a step");
        left -= rows;
    }
    let mut batches: Vec<Batch> =
        (0..steps + 4).map(|_| sequences.batch(&(0..company).map(|i| (i, 1)).collect::<Vec<_>>())).collect();
    for (at, batch) in batches.iter_mut().enumerate() {
        if outputs {
            batch.top = 1;
            batch.fed = (0..company as u32).filter(|_| at > 0).map(|row| (row, row)).collect();
        } else {
            batch.outputs.clear();
        }
    }
    let mut times = Vec::new();
    let mut batches = batches.iter();
    if outputs {
        session.start(batches.next().expect("steps")).expect("a step");
    }
    for batch in batches {
        let start = Instant::now();
        session.start(batch).expect("a step");
        session.finish().expect("a step");
        times.push(start.elapsed().as_secs_f64());
    }
    if outputs {
        session.finish().expect("a step");
    }
    times.drain(..4);
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Every case of the conformance suite, on this device; with `TANDEM_CASE=A;B` those that have A or B in their names.
fn check(backend: &GpuBackend, start: Instant, seconds: f64) {
    let (mut passed, mut failed, mut left_out) = (0, 0, 0);
    let only = std::env::var("TANDEM_CASE").unwrap_or_default();
    let named = |case: &conformance::Case| only.split(';').any(|only| case.name.contains(only));
    for case in conformance::cases().into_iter().filter(named) {
        if start.elapsed().as_secs_f64() > seconds {
            left_out += 1;
            continue;
        }
        // Long batches are multiplied in half floats where the device has cooperative matrices.
        match case.run(backend, case.precision.tolerance().max(1e-2)) {
            Ok(()) => passed += 1,
            Err(difference) => {
                failed += 1;
                println!("{}: {difference}", case.name);
            }
        }
    }
    println!("{passed} cases passed, {failed} failed, {left_out} left out");
}

/// How fast the two products with the largest matrices of a wide layer read them, one row at a time.
fn products(backend: &GpuBackend, dtype: DType, gbps: f64) {
    // 64 MB and more to a matrix of four bits.
    let llama = Llama { ffn: 28672, vocabulary: 256, layers: 1, sums: false, ..shape("8b", dtype) };
    let limits = Limits { tokens_max: 64, blocks: 64, context_max: 512, ..limits() };
    let program = llama.program();
    let mut session = backend.session(Arc::clone(&program), limits, &Fast, &|_| ()).expect("it fits");
    let batch = Sequences::new(1, &llama, limits).batch(&[(0, 1)]);
    // The best of those that come once clocks have risen; a timestamp costs some of it.
    let start = Instant::now();
    let mut best = [f64::MAX; 2];
    while start.elapsed().as_secs_f64() < 0.5 {
        session.run(&batch, &mut Alone).expect("a step");
        let Ok(Some(times)) = session.timed(&batch) else { return println!("products of {dtype}: no times") };
        let mut times: Vec<f64> = times.iter().map(|(_, time)| time.as_secs_f64()).collect();
        times.sort_by(|a, b| b.total_cmp(a));
        best = std::array::from_fn(|i| best[i].min(times[i]));
    }
    // Gates and what they gate are read by one kernel.
    let down = program.weights.iter().map(Weight::bytes).max().unwrap_or(0) as f64;
    for (what, bytes, time) in [("gates and up", 2.0 * down, best[0]), ("down", down, best[1])] {
        let (mb, us, rate) = (bytes / 1e6, time * 1e6, bytes / time / 1e9);
        println!(
            "products of {dtype}: {what}, {mb:.0} MB in {us:.1} µs, {rate:.0} GB/s, {:.0}% of {gbps}",
            rate / gbps * 100.0
        );
    }
}

/// Where the time of a step of `rows` rows goes on the device, by kernel.
fn profile(
    session: &mut GpuSession,
    llama: &Llama,
    limits: Limits,
    company: usize,
    depth: usize,
    rows: usize,
) {
    let mut sequences = Sequences::new(company, llama, limits);
    for _ in 0..depth / 2048 {
        let batch = sequences.batch(&[(0, 2048)]);
        session.run(&batch, &mut Alone).expect("a step");
    }
    let batch = sequences.batch(&(0..company).map(|i| (i, rows)).collect::<Vec<_>>());
    let _ = session.timed(&batch);
    let Ok(Some(times)) = session.timed(&batch) else { return };
    let mut by_kind: Vec<(Kind, f64, usize)> = Vec::new();
    for (kind, time) in &times {
        match by_kind.iter_mut().find(|(known, ..)| known == kind) {
            Some((_, sum, count)) => (*sum, *count) = (*sum + time.as_secs_f64() * 1e6, *count + 1),
            None => by_kind.push((*kind, time.as_secs_f64() * 1e6, 1)),
        }
    }
    let total: f64 = by_kind.iter().map(|(_, sum, _)| sum).sum();
    let line: Vec<String> = by_kind
        .iter()
        .map(|(kind, sum, count)| format!("{kind:?} {count}×{:.1}={sum:.0}", sum / *count as f64))
        .collect();
    println!("    {total:.0} µs: {}", line.join("  "));
    let first: Vec<String> = times
        .iter()
        .skip(1)
        .take(13)
        .map(|(kind, time)| format!("{kind:?} {:.1}", time.as_secs_f64() * 1e6))
        .collect();
    println!("    a layer: {}", first.join(", "));
}
