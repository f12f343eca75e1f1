//! `tandem make-model`: a model of any shape with random weights, for tests and measurements.

use crate::conversion::explain_full_disk;
use crate::display;
use crate::failure::Advised;
use crate::mixture::{FileType, Mixture};
use crate::progress::Progress;
use anyhow::{Result, bail};
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use tandem_formats::{Gguf, GgufWriter};
use tandem_tensor::{DType, quant};

/// Write a GGUF model with random weights
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem make-model out.gguf --tokenizer smollm2.gguf --shape llama-1.2b
  tandem make-model out.gguf --tokenizer smollm2.gguf --hidden 256 --type F16")]
pub struct Args {
    /// The file to write
    output: PathBuf,
    /// A GGUF file whose tokenizer is copied; its vocabulary becomes the model's
    #[arg(long, value_name = "FILE")]
    tokenizer: PathBuf,
    /// A known shape, which the flags below change
    #[arg(long, value_enum, default_value_t = Preset::Llama1_2b)]
    shape: Preset,
    #[arg(long = "type", value_name = "TYPE", default_value = "Q4_0")]
    file_type: FileType,
    /// Give every matrix the same type
    #[arg(long)]
    pure: bool,
    #[arg(long)]
    hidden: Option<usize>,
    #[arg(long)]
    layers: Option<usize>,
    #[arg(long)]
    heads: Option<usize>,
    #[arg(long)]
    kv_heads: Option<usize>,
    #[arg(long)]
    head_dim: Option<usize>,
    #[arg(long)]
    ffn: Option<usize>,
    #[arg(long)]
    context: Option<u32>,
    /// One matrix serves as embedding and output
    #[arg(long)]
    tied: bool,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Overwrite OUTPUT
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Preset {
    /// hidden 2048, 16 layers, 32/8 heads, FFN 8192
    #[value(name = "llama-1.2b")]
    Llama1_2b,
    /// hidden 4096, 32 layers, 32/8 heads, FFN 14336
    #[value(name = "llama-8b")]
    Llama8b,
    /// hidden 256, 4 layers, 4/2 heads, FFN 768
    #[value(name = "llama-tiny")]
    LlamaTiny,
    /// hidden 1024, 28 layers, 16/8 heads of 128, FFN 3072
    #[value(name = "qwen3-0.6b")]
    Qwen3_0_6b,
}

struct Shape {
    architecture: &'static str,
    hidden: usize,
    layers: usize,
    heads: usize,
    kv_heads: usize,
    head_dim: usize,
    ffn: usize,
    context: u32,
    vocabulary: usize,
}

pub fn run(args: Args) -> Result<()> {
    if args.output.exists() && !args.force {
        let message = format!("{} exists", args.output.display());
        return Err(Advised::new(message, "--force overwrites it").into());
    }
    let source = Gguf::open(&args.tokenizer)?;
    let shape = shape_of(&args, source.metadata().get_array("tokenizer.ggml.tokens")?.len())?;
    let mixture = Mixture {
        file_type: args.file_type,
        pure: args.pure,
        layers: shape.layers,
        heads_per_kv: shape.heads / shape.kv_heads,
        experts: 0,
        has_output: !args.tied,
    };
    let tensors = tensors_of(&shape, args.tied, &mixture);

    let mut writer = GgufWriter::new(&args.output);
    describe(&shape, args.file_type, &mut writer)?;
    writer.copy_metadata(source.metadata(), |key| key.starts_with("tokenizer."))?;
    for tensor in &tensors {
        writer.add_tensor(&tensor.name, tensor.dtype, &tensor.dims)?;
    }
    let total_bytes: usize = tensors.iter().map(Tensor::bytes).sum();
    let mut progress = Progress::new(&args.output.display().to_string(), total_bytes as u64, 0);
    let mut writer = writer.start().map_err(explain_full_disk)?;
    let mut weights = Weights::new(args.seed);
    let mut written_bytes = 0;
    for tensor in &tensors {
        let bytes = weights.fill(tensor);
        writer.write_tensor(&tensor.name, bytes).map_err(explain_full_disk)?;
        written_bytes += bytes.len() as u64;
        progress.set(written_bytes);
    }
    writer.finish().map_err(explain_full_disk)?;
    drop(progress);
    let size = display::bytes(written_bytes);
    writeln!(std::io::stdout(), "{}: {size} of random weights", args.output.display())?;
    Ok(())
}

fn shape_of(args: &Args, vocabulary: usize) -> Result<Shape> {
    // hidden, layers, heads, kv heads, head dim, ffn
    let (architecture, preset) = match args.shape {
        Preset::Llama1_2b => ("llama", [2048, 16, 32, 8, 64, 8192]),
        Preset::Llama8b => ("llama", [4096, 32, 32, 8, 128, 14336]),
        Preset::LlamaTiny => ("llama", [256, 4, 4, 2, 64, 768]),
        Preset::Qwen3_0_6b => ("qwen3", [1024, 28, 16, 8, 128, 3072]),
    };
    let hidden = args.hidden.unwrap_or(preset[0]);
    let heads = args.heads.unwrap_or(preset[2]);
    let head_dim = args.head_dim.unwrap_or(match args.hidden.or(args.heads) {
        Some(_) if heads > 0 => hidden / heads,
        _ => preset[4],
    });
    let shape = Shape {
        architecture,
        hidden,
        layers: args.layers.unwrap_or(preset[1]),
        heads,
        kv_heads: args.kv_heads.unwrap_or(preset[3].min(heads)),
        head_dim,
        ffn: args.ffn.unwrap_or(preset[5]),
        context: args.context.unwrap_or(8192),
        vocabulary,
    };
    let sizes = [shape.hidden, shape.layers, shape.heads, shape.kv_heads, shape.head_dim, shape.ffn];
    if sizes.contains(&0) || sizes.iter().any(|&size| size > 1 << 20) {
        bail!("every size must be from 1 to {}", 1 << 20);
    }
    if !shape.heads.is_multiple_of(shape.kv_heads) {
        bail!("{} heads cannot share {} heads of keys and values evenly", shape.heads, shape.kv_heads);
    }
    if !shape.head_dim.is_multiple_of(2) {
        bail!("a head of {} values cannot be rotated in pairs; expected an even number", shape.head_dim);
    }
    Ok(shape)
}

fn describe(shape: &Shape, file_type: FileType, writer: &mut GgufWriter) -> Result<()> {
    let arch = shape.architecture;
    writer.set("general.architecture", arch)?;
    writer.set("general.name", format!("random {arch} {}x{}", shape.hidden, shape.layers))?;
    writer.set("general.quantization_version", 2u32)?;
    writer.set("general.file_type", file_type.id())?;
    let numbers = [
        ("context_length", shape.context),
        ("embedding_length", shape.hidden as u32),
        ("block_count", shape.layers as u32),
        ("feed_forward_length", shape.ffn as u32),
        ("attention.head_count", shape.heads as u32),
        ("attention.head_count_kv", shape.kv_heads as u32),
        ("attention.key_length", shape.head_dim as u32),
        ("attention.value_length", shape.head_dim as u32),
        ("rope.dimension_count", shape.head_dim as u32),
        ("vocab_size", shape.vocabulary as u32),
    ];
    for (key, value) in numbers {
        writer.set(&format!("{arch}.{key}"), value)?;
    }
    writer.set(&format!("{arch}.attention.layer_norm_rms_epsilon"), 1e-5f32)?;
    writer.set(&format!("{arch}.rope.freq_base"), 100_000f32)?;
    Ok(())
}

struct Tensor {
    name: String,
    dtype: DType,
    /// Columns, then rows; a vector has columns only.
    dims: Vec<usize>,
}

impl Tensor {
    fn bytes(&self) -> usize {
        self.dims.iter().product::<usize>() / self.dtype.block_len() * self.dtype.block_bytes()
    }
}

fn tensors_of(shape: &Shape, tied: bool, mixture: &Mixture) -> Vec<Tensor> {
    let mut tensors = Vec::new();
    let mut add = |name: String, dims: &[usize]| {
        let wide: Vec<u64> = dims.iter().map(|&dim| dim as u64).collect();
        let dtype = mixture.choose(&name, &wide).unwrap_or(DType::F32);
        tensors.push(Tensor { name, dtype, dims: dims.to_vec() });
    };
    let Shape { hidden, ffn, vocabulary, .. } = *shape;
    let (queries, keys) = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim);
    add("token_embd.weight".into(), &[hidden, vocabulary]);
    for layer in 0..shape.layers {
        let mut block = |part: &str, dims: &[usize]| add(format!("blk.{layer}.{part}.weight"), dims);
        block("attn_norm", &[hidden]);
        block("attn_q", &[hidden, queries]);
        block("attn_k", &[hidden, keys]);
        block("attn_v", &[hidden, keys]);
        if shape.architecture == "qwen3" {
            block("attn_q_norm", &[shape.head_dim]);
            block("attn_k_norm", &[shape.head_dim]);
        }
        block("attn_output", &[queries, hidden]);
        block("ffn_norm", &[hidden]);
        block("ffn_gate", &[hidden, ffn]);
        block("ffn_up", &[hidden, ffn]);
        block("ffn_down", &[ffn, hidden]);
    }
    add("output_norm.weight".into(), &[hidden]);
    if !tied {
        add("output.weight".into(), &[hidden, vocabulary]);
    }
    tensors
}

/// Makes weights quickly: a pool of quantised random values once per type and row length, then each row a stretch of
/// the pool from a random place on. Norms are one; a matrix keeps the size of what it is applied to.
struct Weights {
    random: Random,
    pools: HashMap<(DType, usize), Vec<u8>>,
    row_bytes: Vec<u8>,
}

const POOL_VALUES: usize = 1 << 20;

impl Weights {
    fn new(seed: u64) -> Weights {
        Weights { random: Random(seed), pools: HashMap::new(), row_bytes: Vec::new() }
    }

    fn fill(&mut self, tensor: &Tensor) -> &[u8] {
        self.row_bytes.clear();
        let cols = tensor.dims[0];
        let [_, rows] = tensor.dims[..] else {
            quant::quantize(tensor.dtype, &vec![1.0; cols], &mut self.row_bytes);
            return &self.row_bytes;
        };
        let random = &mut self.random;
        let pool = self.pools.entry((tensor.dtype, cols)).or_insert_with(|| {
            let deviation = 1.0 / (cols as f32).sqrt();
            let values: Vec<f32> = (0..POOL_VALUES).map(|_| deviation * random.normal()).collect();
            let mut pool = Vec::new();
            quant::quantize(tensor.dtype, &values, &mut pool);
            pool
        });
        let block_bytes = tensor.dtype.block_bytes();
        let blocks = pool.len() / block_bytes;
        for _ in 0..rows {
            let mut missing = cols / tensor.dtype.block_len() * block_bytes;
            let mut start = (self.random.next() % blocks as u64) as usize * block_bytes;
            while missing > 0 {
                let taken = missing.min(pool.len() - start);
                self.row_bytes.extend_from_slice(&pool[start..start + taken]);
                missing -= taken;
                start = 0;
            }
        }
        &self.row_bytes
    }
}

/// SplitMix64: a few lines, and good enough for weights that mean nothing.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Nearly normal: the sum of four uniform values, scaled to a deviation of one.
    fn normal(&mut self) -> f32 {
        let bits = self.next();
        let sum: i32 = (0..4).map(|i| (bits >> (16 * i)) as u16 as i32 - 0x8000).sum();
        sum as f32 / 32768.0 * (3.0f32 / 4.0).sqrt()
    }
}
