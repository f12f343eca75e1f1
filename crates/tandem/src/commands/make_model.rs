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
    /// hidden 2048, 8 layers, 32/4 heads of 128, 8 of 64 experts of 768
    #[value(name = "qwen3moe-2.8b")]
    Qwen3Moe2_8b,
    /// hidden 2048, 8 layers (the first dense), 16 latent heads, 8 of 64 experts of 768 in groups, one shared
    #[value(name = "deepseek-2.4b")]
    Deepseek2_4b,
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
    experts: Option<Experts>,
    latent: Option<Latent>,
}

#[derive(Clone, Copy)]
struct Experts {
    count: usize,
    used: usize,
    inner: usize,
    shared: usize,
    /// Layers before the first with experts.
    dense_layers: usize,
    /// How many, and how many take part.
    groups: Option<(usize, usize)>,
}

#[derive(Clone, Copy)]
struct Latent {
    q_rank: usize,
    kv_rank: usize,
    nope_dim: usize,
    rope_dim: usize,
    value_dim: usize,
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
        experts: shape.experts.map_or(0, |experts| experts.count),
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
        Preset::Qwen3Moe2_8b => ("qwen3moe", [2048, 8, 32, 4, 128, 6144]),
        Preset::Deepseek2_4b => ("deepseek2", [2048, 8, 16, 16, 192, 6144]),
    };
    let many = Experts { count: 64, used: 8, inner: 768, shared: 0, dense_layers: 0, groups: None };
    let (experts, latent) = match args.shape {
        Preset::Qwen3Moe2_8b => (Some(many), None),
        Preset::Deepseek2_4b => (
            Some(Experts { shared: 1, dense_layers: 1, groups: Some((8, 4)), ..many }),
            Some(Latent { q_rank: 1024, kv_rank: 512, nope_dim: 128, rope_dim: 64, value_dim: 128 }),
        ),
        _ => (None, None),
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
        experts,
        latent,
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
    // As the cache sees them, where it holds latent rows: one head of them.
    let (kv_heads, key, value, rope) = match shape.latent {
        Some(latent) => (1, latent.kv_rank + latent.rope_dim, latent.kv_rank, latent.rope_dim),
        None => (shape.kv_heads, shape.head_dim, shape.head_dim, shape.head_dim),
    };
    let mut numbers = vec![
        ("context_length", shape.context as usize),
        ("embedding_length", shape.hidden),
        ("block_count", shape.layers),
        ("feed_forward_length", shape.ffn),
        ("attention.head_count", shape.heads),
        ("attention.head_count_kv", kv_heads),
        ("attention.key_length", key),
        ("attention.value_length", value),
        ("rope.dimension_count", rope),
        ("vocab_size", shape.vocabulary),
    ];
    if let Some(latent) = shape.latent {
        numbers.extend([
            ("attention.q_lora_rank", latent.q_rank),
            ("attention.kv_lora_rank", latent.kv_rank),
            ("attention.key_length_mla", latent.nope_dim + latent.rope_dim),
            ("attention.value_length_mla", latent.value_dim),
        ]);
    }
    if let Some(experts) = shape.experts {
        numbers.extend([
            ("expert_count", experts.count),
            ("expert_used_count", experts.used),
            ("expert_feed_forward_length", experts.inner),
        ]);
        if experts.shared > 0 {
            numbers.push(("expert_shared_count", experts.shared));
            numbers.push(("leading_dense_block_count", experts.dense_layers));
        }
        if let Some((count, used)) = experts.groups {
            // Grouped choices are those of DeepSeek-V3: sigmoid, normalised and scaled.
            const SIGMOID: usize = 2;
            numbers.extend([
                ("expert_group_count", count),
                ("expert_group_used_count", used),
                ("expert_gating_func", SIGMOID),
            ]);
            writer.set(&format!("{arch}.expert_weights_norm"), true)?;
            writer.set(&format!("{arch}.expert_weights_scale"), 2.5f32)?;
        }
    }
    for (key, value) in numbers {
        writer.set(&format!("{arch}.{key}"), value as u32)?;
    }
    writer.set(&format!("{arch}.attention.layer_norm_rms_epsilon"), 1e-5f32)?;
    writer.set(&format!("{arch}.rope.freq_base"), 100_000f32)?;
    Ok(())
}

struct Tensor {
    name: String,
    dtype: DType,
    /// Columns, then rows, then experts or heads; a vector has columns only.
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
        match shape.latent {
            None => {
                block("attn_q", &[hidden, queries]);
                block("attn_k", &[hidden, keys]);
                block("attn_v", &[hidden, keys]);
                if shape.architecture != "llama" {
                    block("attn_q_norm", &[shape.head_dim]);
                    block("attn_k_norm", &[shape.head_dim]);
                }
                block("attn_output", &[queries, hidden]);
            }
            Some(Latent { q_rank, kv_rank, nope_dim, rope_dim, value_dim }) => {
                block("attn_q_a", &[hidden, q_rank]);
                block("attn_q_a_norm", &[q_rank]);
                block("attn_q_b", &[q_rank, shape.heads * (nope_dim + rope_dim)]);
                block("attn_kv_a_mqa", &[hidden, kv_rank + rope_dim]);
                block("attn_kv_a_norm", &[kv_rank]);
                block("attn_k_b", &[nope_dim, kv_rank, shape.heads]);
                block("attn_v_b", &[kv_rank, value_dim, shape.heads]);
                block("attn_output", &[shape.heads * value_dim, hidden]);
            }
        }
        block("ffn_norm", &[hidden]);
        match shape.experts.filter(|experts| layer >= experts.dense_layers) {
            None => {
                block("ffn_gate", &[hidden, ffn]);
                block("ffn_up", &[hidden, ffn]);
                block("ffn_down", &[ffn, hidden]);
            }
            Some(Experts { count, inner, shared, groups, .. }) => {
                block("ffn_gate_inp", &[hidden, count]);
                block("ffn_gate_exps", &[hidden, inner, count]);
                block("ffn_up_exps", &[hidden, inner, count]);
                block("ffn_down_exps", &[inner, hidden, count]);
                if shared > 0 {
                    block("ffn_gate_shexp", &[hidden, inner * shared]);
                    block("ffn_up_shexp", &[hidden, inner * shared]);
                    block("ffn_down_shexp", &[inner * shared, hidden]);
                }
                if groups.is_some() {
                    add(format!("blk.{layer}.exp_probs_b.bias"), &[count]);
                }
            }
        }
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
        if tensor.dims.len() == 1 {
            quant::quantize(tensor.dtype, &vec![1.0; cols], &mut self.row_bytes);
            return &self.row_bytes;
        }
        let rows: usize = tensor.dims[1..].iter().product();
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
