//! The models and quantisations that were measured, as their publishers describe them.

use crate::{ExpertFacts, ModelFacts};

/// Parameters by how they are read and divided.
#[derive(Clone, Copy, Default)]
pub struct Shape {
    pub layers: u64,
    pub hidden: u64,
    /// Routed experts: layers, of a layer, chosen, parameters of one.
    pub expert_layers: u64,
    pub experts: u64,
    pub used: u64,
    pub expert: u64,
    pub latent: bool,
    /// What tensor groups divide, without experts.
    pub divided: u64,
    /// Routers and narrow projections, which every rank reads whole.
    pub whole: u64,
    pub head: u64,
    /// 0 where it is the head.
    pub embedding: u64,
    pub cache_bytes_per_token: u64,
    pub attend_flops: u64,
}

/// Bits of a parameter, with scales: of routed experts, of all others.
type Bits = (f64, f64);

pub fn bits(quant: &str) -> Bits {
    match quant {
        "bf16" => (16.0, 16.0),
        "mlx8" | "q8_0" => (8.5, 8.5),
        "mlx6" => (6.5, 6.5),
        "mlx5" => (5.5, 5.5),
        "mlx4" | "q4_0" => (4.5, 4.5),
        "q4_1" => (5.0, 5.0),
        "q4_k_m" => (4.82, 4.82),
        "mxfp4" => (4.25, 8.5),
        "int4-bf16" => (5.0, 16.0),
        "q4_k_xl" => (4.5, 8.5),
        "gptq4" => (4.16, 4.16),
        "q8_k_xl" => (8.5, 16.0),
        other => panic!("no quantisation {other}"),
    }
}

pub fn shape(model: &str) -> Shape {
    match model {
        "llama-70b" => dense(80, 8192, (64, 8, 128), 28672, 128_256, false),
        "llama-405b" => dense(126, 16384, (128, 8, 128), 53248, 128_256, false),
        "llama-3b" => dense(28, 3072, (24, 8, 128), 8192, 128_256, true),
        "llama-8b" => dense(32, 4096, (32, 8, 128), 14336, 49_152, false),
        "llama3-8b" => dense(32, 4096, (32, 8, 128), 14336, 128_256, false),
        "llama-1.2b" => dense(16, 2048, (32, 8, 64), 8192, 49_152, false),
        "smollm2" => dense(30, 576, (9, 3, 64), 1536, 49_152, true),
        "qwen3-4b" => dense(36, 2560, (32, 8, 128), 9728, 151_936, true),
        "qwen2.5-7b" => dense(28, 3584, (28, 4, 128), 18944, 152_064, false),
        "qwen2.5-14b" => dense(48, 5120, (40, 8, 128), 13824, 152_064, false),
        "devstral-123b" => dense(88, 12288, (96, 8, 128), 28672, 131_072, false),
        "qwen3-235b" => sparse(94, 4096, (64, 4, 128), 151_936, (128, 8, 1536), 1),
        "qwen3-30b" => sparse(48, 2048, (32, 4, 128), 151_936, (128, 8, 768), 1),
        "moe-2.8b" => sparse(8, 2048, (32, 4, 128), 49_152, (64, 8, 768), 1),
        // Every second layer sees only a window.
        "gpt-oss-20b" => sparse(24, 2880, (64, 8, 64), 201_088, (32, 4, 2880), 2),
        "gpt-oss-120b" => sparse(36, 2880, (64, 8, 64), 201_088, (128, 4, 2880), 2),
        "deepseek-v3.1" => latent(128, 129_280, 256, 3, 70_272),
        "deepseek-v3.1-expanded" => latent(128, 129_280, 256, 3, 4_997_120),
        "kimi-k2" => latent(64, 163_840, 384, 1, 70_272),
        "kimi-k2-expanded" => latent(64, 163_840, 384, 1, 2_498_560),
        // Three of four layers have linear attention, without a cache that grows.
        "qwen3-next-80b" => Shape {
            layers: 48,
            hidden: 2048,
            expert_layers: 48,
            experts: 512,
            used: 10,
            expert: 3 * 2048 * 512,
            divided: 1_690_000_000,
            whole: 48 * 2048 * 512,
            head: 151_936 * 2048,
            embedding: 151_936 * 2048,
            cache_bytes_per_token: 12 * 2 * 2 * 256 * 2,
            attend_flops: 4 * 12 * 16 * 256,
            ..Shape::default()
        },
        other => panic!("no shape {other}"),
    }
}

/// Heads, key-value heads, values of a head.
type Heads = (u64, u64, u64);

fn dense(layers: u64, hidden: u64, (heads, kv, dim): Heads, ffn: u64, vocab: u64, tied: bool) -> Shape {
    Shape {
        layers,
        hidden,
        divided: layers * (2 * hidden * heads * dim + 2 * hidden * kv * dim + 3 * hidden * ffn),
        head: vocab * hidden,
        embedding: if tied { 0 } else { vocab * hidden },
        cache_bytes_per_token: layers * 2 * kv * dim * 2,
        attend_flops: 4 * layers * heads * dim,
        ..Shape::default()
    }
}

/// Experts: of a layer, chosen, width; of `one_in` layers one sees the whole context.
fn sparse(
    layers: u64,
    hidden: u64,
    (heads, kv, dim): Heads,
    vocab: u64,
    (experts, used, ffn): (u64, u64, u64),
    one_in: u64,
) -> Shape {
    Shape {
        expert_layers: layers,
        experts,
        used,
        expert: 3 * hidden * ffn,
        whole: layers * hidden * experts,
        cache_bytes_per_token: layers * 2 * kv * dim * 2 / one_in,
        attend_flops: 4 * layers * heads * dim / one_in,
        ..dense(layers, hidden, (heads, kv, dim), 0, vocab, false)
    }
}

/// DeepSeek V3's layers and Kimi's: they differ in heads, experts and how many layers have none.
fn latent(heads: u64, vocab: u64, experts: u64, plain: u64, cache_bytes_per_token: u64) -> Shape {
    let (layers, hidden, expert) = (61, 7168, 3 * 7168 * 2048);
    let with_experts = layers - plain;
    let projections = 1536 * heads * 192 + 512 * heads * 256 + heads * 128 * hidden;
    Shape {
        layers,
        hidden,
        expert_layers: with_experts,
        experts,
        used: 8,
        expert,
        latent: true,
        // One expert is shared by all tokens.
        divided: layers * projections + with_experts * expert + plain * 3 * hidden * 18432,
        whole: layers * hidden * (1536 + 576) + with_experts * hidden * experts,
        head: vocab * hidden,
        embedding: vocab * hidden,
        cache_bytes_per_token,
        attend_flops: layers * heads * 2 * (192 + 128),
    }
}

impl Shape {
    pub fn parameters(&self) -> u64 {
        let experts = self.expert_layers * self.experts * self.expert;
        experts + self.divided + self.whole + self.head + self.embedding
    }

    /// As exo, MLX and llama.cpp divide it: the head is read whole by every rank.
    pub fn facts(&self, quant: &str) -> ModelFacts {
        let (expert_bits, other_bits) = bits(quant);
        let bytes = |parameters: u64, bits: f64| (parameters as f64 * bits / 8.0) as u64;
        let all_experts = self.expert_layers * self.experts * self.expert;
        let chosen = self.expert_layers * self.used * self.expert;
        ModelFacts {
            layers: self.layers as usize,
            weights_bytes: bytes(self.parameters() - all_experts, other_bits)
                + bytes(all_experts, expert_bits),
            read_bytes: bytes(self.divided + self.whole + self.head, other_bits) + bytes(chosen, expert_bits),
            replicated_bytes: bytes(self.whole + self.head, other_bits),
            cache_bytes_per_token: self.cache_bytes_per_token,
            hidden: self.hidden as usize,
            ranks_max: 8,
            experts: ExpertFacts {
                layers: self.expert_layers as usize,
                count: self.experts as usize,
                used: self.used as usize,
                bytes: bytes(all_experts, expert_bits),
                parameters: all_experts,
            },
            latent_layers: if self.latent { self.layers as usize } else { 0 },
            dense_parameters: self.divided + self.whole,
            attend_flops: self.attend_flops,
            ..ModelFacts::default()
        }
    }
}

#[test]
fn shapes_have_the_published_sizes() {
    let published: [(&str, u64); 13] = [
        ("llama-70b", 70_553_706_496),
        ("llama-405b", 405_853_388_800),
        ("qwen3-235b", 235_093_610_496),
        ("qwen3-30b", 30_532_110_336),
        ("deepseek-v3.1", 671_026_419_200),
        ("kimi-k2", 1_026_408_232_448),
        ("gpt-oss-120b", 116_829_156_672),
        ("gpt-oss-20b", 20_914_757_184),
        ("qwen2.5-14b", 14_770_033_664),
        ("qwen2.5-7b", 7_615_616_512),
        ("llama-3b", 3_212_749_824),
        ("qwen3-4b", 4_022_468_096),
        ("qwen3-next-80b", 79_674_391_296),
    ];
    for (model, expected) in published {
        let counted = shape(model).parameters() as f64;
        assert!((counted / expected as f64 - 1.0).abs() < 0.005, "{model}: {counted} of {expected}");
    }
}
