//! How large a model is in every quantisation, from its description alone.

use crate::commands::convert::{dims_of, mixture_for};
use crate::mixture::FileType;
use tandem_models::{Attention, Linear, Mlp, Tensor, Translation};
use tandem_runtime::{Kept, Options};
use tandem_tensor::DType;

pub struct ModelSize {
    pub parameters: u64,
    /// Those that take part in one token: all but the experts that are not chosen.
    pub active: u64,
    /// Those whose bytes one token reads: of the embedding, one row.
    pub read_per_token: u64,
    /// Keys and values of one more token, in F16; layers that keep only a window of tokens need no more for it.
    pub cache_bytes_per_token: u64,
    /// The same of the layers that do keep only a window, for as long as it is not full.
    pub window_bytes_per_token: u64,
    /// The longest such window; 0 where there is none.
    pub window: usize,
    pub windowed_layers: usize,
    /// What layers keep of a sequence beside keys and values.
    pub state_bytes: u64,
    pub layers: usize,
    pub context: usize,
    /// By quantisation, large to small.
    pub files: Vec<(String, u64)>,
}

/// File types that are listed, large to small.
const LISTED: [FileType; 13] = [
    FileType::BF16,
    FileType::Q8_0,
    FileType::Q6_K,
    FileType::Q5_K_M,
    FileType::Q5_K_S,
    FileType::Q4_K_M,
    FileType::Q4_K_S,
    FileType::Q4_1,
    FileType::Q4_0,
    FileType::IQ4_XS,
    FileType::MXFP4_MOE,
    FileType::Q3_K_M,
    FileType::Q2_K,
];

impl ModelSize {
    pub fn of(translation: &Translation) -> ModelSize {
        let model = &translation.source;
        let parameters: u64 = model.tensors().into_iter().map(values).sum();
        let idle: u64 = model.layers.iter().map(|layer| idle(&layer.mlp)).sum();
        let active = parameters - idle;
        let tied = model.head.name == model.embedding.name;
        // Whether a layer keeps only a window, and the values it keeps of a token.
        let cached: Vec<(bool, usize)> = model
            .layers
            .iter()
            .flat_map(|layer| match &layer.attention {
                // What another layer keeps is not kept again.
                Attention::Grouped(own) if own.kv_of.is_some() => vec![],
                Attention::Grouped(own) => {
                    vec![(model.window_of(own).is_some(), own.cached_dim())]
                }
                Attention::Latent(own) => vec![(false, own.cached_dim())],
                Attention::Pooled(own) => {
                    vec![(own.window < model.context, own.head_dim), (false, own.cached_dim())]
                }
                Attention::Delta(_) | Attention::Scan(_) => vec![],
            })
            .collect();
        let bytes = |windowed: bool| {
            let of_kind = cached.iter().filter(|(own, _)| *own == windowed);
            2 * of_kind.map(|(_, values)| *values as u64).sum::<u64>()
        };
        ModelSize {
            parameters,
            active,
            read_per_token: active - if tied { 0 } else { values(&model.embedding) },
            cache_bytes_per_token: bytes(false),
            window_bytes_per_token: bytes(true),
            window: model.window(),
            windowed_layers: cached.iter().filter(|(windowed, _)| *windowed).count(),
            state_bytes: model.layers.iter().map(|layer| state_bytes(&layer.attention)).sum(),
            layers: model.layers.len(),
            context: model.context,
            files: files(translation),
        }
    }

    /// The cache that is set aside for a context of so many tokens, counted as it is when the model is loaded.
    pub fn cache_bytes(&self, context: u64) -> u64 {
        let limits = Options::default().limits_for(
            Kept { window: self.window, states: self.state_bytes > 0 },
            context as usize,
            context as usize,
        );
        let tokens = |blocks: usize| (blocks * limits.block_len) as u64;
        self.cache_bytes_per_token * tokens(limits.blocks)
            + self.window_bytes_per_token * tokens(limits.window_blocks)
            + self.state_bytes * limits.states as u64
    }

    pub fn file_bytes(&self, quant: &str) -> Option<u64> {
        self.files.iter().find(|(name, _)| name.eq_ignore_ascii_case(quant)).map(|(_, bytes)| *bytes)
    }
}

/// The state of one sequence, in f32.
fn state_bytes(attention: &Attention) -> u64 {
    let (taps, memory): (Vec<&Tensor>, usize) = match attention {
        Attention::Grouped(_) | Attention::Latent(_) => return 0,
        Attention::Pooled(own) => (Vec::new(), own.state_len()),
        Attention::Delta(own) => (own.taps.iter().collect(), own.heads.count * own.key_dim * own.value_dim),
        Attention::Scan(own) => (
            own.taps.iter().map(|taps| &taps.weight).collect(),
            own.heads.count * own.head_dim * own.state_dim,
        ),
    };
    4 * (taps.iter().map(|taps| taps.rows * (taps.cols - 1)).sum::<usize>() + memory) as u64
}

fn values(tensor: &Tensor) -> u64 {
    tensor.experts as u64 * tensor.rows as u64 * tensor.cols as u64
}

/// What a token leaves out: the experts that were not chosen for it.
fn idle(mlp: &Mlp) -> u64 {
    let Some(own) = mlp.experts() else { return 0 };
    let all = |linear: &Linear| values(&linear.weight) + linear.bias.as_ref().map_or(0, values);
    let routed: u64 = own.routed().map(all).sum();
    routed / own.count as u64 * (own.count - own.routing.used) as u64
}

fn files(translation: &Translation) -> Vec<(String, u64)> {
    let has_experts = translation.tensors.iter().any(|tensor| tensor.name.contains("_exps."));
    let listed = LISTED.into_iter().filter(|file_type| has_experts || *file_type != FileType::MXFP4_MOE);
    let gguf = listed.map(|file_type| {
        let mixture = mixture_for(translation, file_type, false);
        let bytes = translation.tensors.iter().map(|tensor| {
            let dims: Vec<u64> = dims_of(tensor).iter().map(|&dim| dim as u64).collect();
            let dtype = mixture.choose(&tensor.name, &dims).unwrap_or(DType::F32);
            dims.iter().product::<u64>() / dtype.block_len() as u64 * dtype.block_bytes() as u64
        });
        (file_type.to_string(), bytes.sum())
    });
    let mut files: Vec<(String, u64)> = gguf.collect();
    // MLX: bits for a weight and two halves for each group, which makes eighths of a bit; vectors are halves.
    let mlx = |name: &str, experts_eighths: u64, others_eighths: u64| {
        let bits = translation.tensors.iter().map(|tensor| {
            let values = tensor.experts as u64 * tensor.rows as u64 * tensor.cols as u64;
            let is_matrix = tensor.rows > 1 && tensor.name.ends_with(".weight");
            values
                * match (is_matrix, tensor.name.contains("_exps.")) {
                    (false, _) => 128,
                    (true, true) => experts_eighths,
                    (true, false) => others_eighths,
                }
        });
        (format!("MLX {name}"), bits.sum::<u64>() / 64)
    };
    files.extend([mlx("8-bit", 68, 68), mlx("4-bit", 36, 36)]);
    if has_experts {
        files.extend([mlx("MXFP4-Q8", 34, 68), mlx("INT4 experts", 40, 128)]);
    }
    files.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    files
}
