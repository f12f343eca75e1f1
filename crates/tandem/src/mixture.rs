//! Which type each tensor gets when a model is quantised.
//!
//! The names and the rules are those of llama.cpp without an importance matrix, so that `Q4_K_M` means the same file
//! here and there:
//!
//! - Vectors (norms, biases) and the expert router stay as they are; they are small and matter.
//! - The output matrix, or the embedding that doubles as one, gets Q6_K (Q8_0 where its rows do not fit, or are to be
//!   Q8_0 anyway).
//! - `attn_v` and `ffn_down` lose most by rounding. `_M` gives them more bits in the first and last eighth of the layers
//!   and in every third between; `_S` in the first few layers only; `_L` in all.
//! - `MXFP4_MOE` gives experts MXFP4 and everything else Q8_0: how models trained with such experts are published.
//! - A row that is no multiple of 256 cannot have a K type: Q2_K, Q3_K and IQ4_XS become IQ4_NL, Q4_K becomes Q5_0, Q5_K
//!   becomes Q5_1, Q6_K becomes Q8_0; and F16 where even 32 does not divide it.

use std::fmt;
use std::str::FromStr;
use tandem_tensor::DType;

/// A recipe for a whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum FileType {
    F32,
    F16,
    BF16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2_K,
    Q2_K_S,
    Q3_K_S,
    Q3_K_M,
    Q3_K_L,
    Q4_K_S,
    Q4_K_M,
    Q5_K_S,
    Q5_K_M,
    Q6_K,
    IQ4_NL,
    IQ4_XS,
    MXFP4_MOE,
}

/// Name, number in `general.file_type`, and the type that most tensors get.
const TABLE: [(FileType, &str, u32, DType); 21] = [
    (FileType::F32, "F32", 0, DType::F32),
    (FileType::F16, "F16", 1, DType::F16),
    (FileType::BF16, "BF16", 32, DType::BF16),
    (FileType::Q4_0, "Q4_0", 2, DType::Q4_0),
    (FileType::Q4_1, "Q4_1", 3, DType::Q4_1),
    (FileType::Q5_0, "Q5_0", 8, DType::Q5_0),
    (FileType::Q5_1, "Q5_1", 9, DType::Q5_1),
    (FileType::Q8_0, "Q8_0", 7, DType::Q8_0),
    (FileType::Q2_K, "Q2_K", 10, DType::Q2_K),
    (FileType::Q2_K_S, "Q2_K_S", 21, DType::Q2_K),
    (FileType::Q3_K_S, "Q3_K_S", 11, DType::Q3_K),
    (FileType::Q3_K_M, "Q3_K_M", 12, DType::Q3_K),
    (FileType::Q3_K_L, "Q3_K_L", 13, DType::Q3_K),
    (FileType::Q4_K_S, "Q4_K_S", 14, DType::Q4_K),
    (FileType::Q4_K_M, "Q4_K_M", 15, DType::Q4_K),
    (FileType::Q5_K_S, "Q5_K_S", 16, DType::Q5_K),
    (FileType::Q5_K_M, "Q5_K_M", 17, DType::Q5_K),
    (FileType::Q6_K, "Q6_K", 18, DType::Q6_K),
    (FileType::IQ4_NL, "IQ4_NL", 25, DType::IQ4_NL),
    (FileType::IQ4_XS, "IQ4_XS", 30, DType::IQ4_XS),
    (FileType::MXFP4_MOE, "MXFP4_MOE", 38, DType::MXFP4),
];

impl FileType {
    pub fn from_id(id: u32) -> Option<FileType> {
        TABLE.iter().find(|row| row.2 == id).map(|row| row.0)
    }

    pub fn id(self) -> u32 {
        self.row().2
    }

    pub fn base(self) -> DType {
        self.row().3
    }

    /// The plainest recipe that gives most tensors this type.
    pub fn of_base(dtype: DType) -> Option<FileType> {
        TABLE.iter().find(|row| row.3 == dtype).map(|row| row.0)
    }

    fn row(self) -> &'static (FileType, &'static str, u32, DType) {
        TABLE.iter().find(|row| row.0 == self).expect("every file type has a row")
    }
}

impl fmt::Display for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.row().1)
    }
}

impl FromStr for FileType {
    type Err = String;

    fn from_str(name: &str) -> Result<FileType, String> {
        let name = name.to_ascii_uppercase();
        let name = match name.as_str() {
            "Q3_K" | "Q4_K" | "Q5_K" => format!("{name}_M"),
            "MXFP4" => "MXFP4_MOE".into(),
            _ => name,
        };
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0).ok_or_else(|| {
            let known: Vec<&str> = TABLE.iter().map(|row| row.1).collect();
            format!("unknown type; known: {}", known.join(" "))
        })
    }
}

/// A recipe together with what it must know of the model.
#[derive(Clone, Copy, Debug)]
pub struct Mixture {
    pub file_type: FileType,
    /// Every matrix gets the same type: for measurements.
    pub pure: bool,
    pub layers: usize,
    /// Query heads per head of keys and values.
    pub heads_per_kv: usize,
    pub experts: usize,
    /// Whether there is an output matrix, or the embedding doubles as one.
    pub has_output: bool,
}

impl Mixture {
    /// The type for a tensor of `cols` values to a row; `None` leaves it as it is.
    pub fn choose(&self, name: &str, dims: &[u64]) -> Option<DType> {
        let is_matrix = dims.iter().filter(|&&dim| dim > 1).count() >= 2;
        // What llama.cpp reads in F32 alone, and what mixes streams: a rounding there is in all that comes after.
        let stays = ["_norm.", "ffn_gate_inp", "ssm_conv1d", ".hc_"].iter().any(|part| name.contains(part));
        if !is_matrix || !name.ends_with("weight") || stays {
            return None;
        }
        let base = self.file_type.base();
        let cols = dims[0];
        let wanted = if self.pure || base.block_len() == 1 { base } else { self.wanted(name, cols) };
        Some(fitting(wanted, cols))
    }

    fn wanted(&self, name: &str, cols: u64) -> DType {
        use FileType::{IQ4_NL, IQ4_XS, Q2_K, Q2_K_S, Q3_K_L, Q3_K_M, Q3_K_S, Q4_K_M, Q4_K_S, Q5_K_M};
        let file_type = self.file_type;
        let base = file_type.base();
        let layer = layer_of(name).unwrap_or(0);
        let layers = self.layers;
        let more_bits = layer < layers / 8
            || layer >= 7 * layers / 8
            || layer.checked_sub(layers / 8).is_some_and(|from| from % 3 == 2);
        let grouped = self.heads_per_kv >= 4;
        let mixture_of_8 = self.experts == 8;

        if file_type == FileType::MXFP4_MOE {
            return if name.contains("_exps.") { DType::MXFP4 } else { DType::Q8_0 };
        }
        if name == "output.weight" || (name == "token_embd.weight" && !self.has_output) {
            return match base {
                _ if !cols.is_multiple_of(base.block_len() as u64) => DType::Q8_0,
                DType::Q8_0 => DType::Q8_0,
                _ => DType::Q6_K,
            };
        }
        if name.contains("attn_v.weight") {
            if mixture_of_8 {
                return DType::Q8_0;
            }
            let chosen = match file_type {
                Q2_K if grouped => DType::Q4_K,
                Q2_K => DType::Q3_K,
                Q2_K_S if grouped => DType::Q4_K,
                Q3_K_M if layer < 2 => DType::Q5_K,
                Q3_K_M => DType::Q4_K,
                Q3_K_L => DType::Q5_K,
                IQ4_NL | IQ4_XS if grouped => DType::Q5_K,
                Q4_K_M | Q5_K_M if more_bits => DType::Q6_K,
                Q4_K_S if layer < 4 => DType::Q5_K,
                _ => base,
            };
            // Eighty layers with grouped heads: these matrices are small beside the rest.
            let is_70b = layers == 80 && self.heads_per_kv > 1;
            return if is_70b && matches!(chosen, DType::Q3_K | DType::Q4_K) { DType::Q5_K } else { chosen };
        }
        if name.contains("attn_k.weight") && mixture_of_8 {
            return DType::Q8_0;
        }
        if name.contains("ffn_down") {
            return match file_type {
                Q2_K => DType::Q3_K,
                Q2_K_S if layer < layers / 8 => DType::Q4_K,
                Q3_K_M if layer < layers / 16 => DType::Q5_K,
                Q3_K_M => DType::Q4_K,
                Q3_K_L => DType::Q5_K,
                Q4_K_M | Q5_K_M if more_bits => DType::Q6_K,
                Q4_K_S | IQ4_NL | IQ4_XS if layer < layers / 8 => DType::Q5_K,
                _ => base,
            };
        }
        if name.contains("attn_output.weight") {
            return match file_type {
                Q2_K | Q3_K_S | Q3_K_M | Q4_K_S | Q4_K_M | IQ4_NL | IQ4_XS if mixture_of_8 => DType::Q5_K,
                _ if mixture_of_8 => base,
                Q2_K => DType::Q3_K,
                Q3_K_M => DType::Q4_K,
                Q3_K_L => DType::Q5_K,
                _ => base,
            };
        }
        if name.contains("attn_qkv.weight") {
            return match file_type {
                Q3_K_M | Q3_K_L => DType::Q4_K,
                Q4_K_M => DType::Q5_K,
                Q5_K_M => DType::Q6_K,
                _ => base,
            };
        }
        base
    }
}

/// `dtype`, or its substitute for rows that are no whole number of its blocks.
fn fitting(dtype: DType, cols: u64) -> DType {
    let fits = |dtype: DType| cols.is_multiple_of(dtype.block_len() as u64);
    if fits(dtype) {
        return dtype;
    }
    let substitute = match dtype {
        DType::Q2_K | DType::Q3_K | DType::IQ4_XS => DType::IQ4_NL,
        DType::Q4_K => DType::Q5_0,
        DType::Q5_K => DType::Q5_1,
        DType::Q6_K => DType::Q8_0,
        other => other,
    };
    if fits(substitute) { substitute } else { DType::F16 }
}

/// 7 of `blk.7.attn_v.weight`.
fn layer_of(name: &str) -> Option<usize> {
    name.strip_prefix("blk.")?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixture(file_type: &str) -> Mixture {
        let file_type = file_type.parse().unwrap();
        Mixture { file_type, pure: false, layers: 16, heads_per_kv: 4, experts: 0, has_output: true }
    }

    #[track_caller]
    fn check(file_type: &str, name: &str, dims: &[u64], expected: Option<DType>) {
        assert_eq!(mixture(file_type).choose(name, dims), expected, "{file_type} {name} {dims:?}");
    }

    #[test]
    fn small_tensors_stay() {
        check("Q4_0", "blk.0.attn_norm.weight", &[2048], None);
        check("Q4_0", "blk.0.attn_q.bias", &[2048, 1], None);
        check("Q4_0", "blk.0.ffn_gate_inp.weight", &[2048, 8], None);
        check("F16", "output_norm.weight", &[2048], None);
        check("F16", "blk.0.ssm_conv1d.weight", &[4, 8192], None);
    }

    #[test]
    fn outputs_and_embeddings() {
        check("Q4_0", "output.weight", &[2048, 49152], Some(DType::Q6_K));
        check("Q4_0", "token_embd.weight", &[2048, 49152], Some(DType::Q4_0));
        check("Q8_0", "output.weight", &[2048, 49152], Some(DType::Q8_0));
        check("F16", "output.weight", &[2048, 49152], Some(DType::F16));
        check("Q4_K_M", "output.weight", &[576, 49152], Some(DType::Q8_0));
        let tied = Mixture { has_output: false, ..mixture("Q4_0") };
        assert_eq!(tied.choose("token_embd.weight", &[2048, 49152]), Some(DType::Q6_K));
        let pure = Mixture { pure: true, ..mixture("Q4_0") };
        assert_eq!(pure.choose("output.weight", &[2048, 49152]), Some(DType::Q4_0));
    }

    #[test]
    fn sensitive_layers_get_more_bits() {
        // Of 16 layers: 0 and 1, 14 and 15, and every third from 4 on.
        let more: Vec<usize> = (0..16)
            .filter(|layer| {
                let name = format!("blk.{layer}.ffn_down.weight");
                mixture("Q4_K_M").choose(&name, &[8192, 2048]) == Some(DType::Q6_K)
            })
            .collect();
        assert_eq!(more, [0, 1, 4, 7, 10, 13, 14, 15]);
        check("Q4_K_S", "blk.3.attn_v.weight", &[2048, 512], Some(DType::Q5_K));
        check("Q4_K_S", "blk.4.attn_v.weight", &[2048, 512], Some(DType::Q4_K));
        check("Q3_K_L", "blk.9.attn_output.weight", &[2048, 2048], Some(DType::Q5_K));
        check("Q2_K", "blk.9.ffn_up.weight", &[2048, 8192], Some(DType::Q2_K));
    }

    #[test]
    fn rows_that_do_not_fit() {
        check("Q4_K_M", "blk.5.attn_q.weight", &[576, 576], Some(DType::Q5_0));
        check("Q3_K_S", "blk.5.attn_q.weight", &[576, 576], Some(DType::IQ4_NL));
        check("Q6_K", "blk.5.attn_q.weight", &[576, 576], Some(DType::Q8_0));
        check("Q4_0", "blk.5.attn_q.weight", &[100, 576], Some(DType::F16));
    }

    #[test]
    fn names_and_numbers_agree() {
        for (file_type, name, id, _) in TABLE {
            assert_eq!(name.to_lowercase().parse(), Ok(file_type));
            assert_eq!(FileType::from_id(id), Some(file_type));
        }
        assert_eq!("Q4_K".parse(), Ok(FileType::Q4_K_M));
        assert!("Q9".parse::<FileType>().unwrap_err().contains("Q4_K_M"));
    }
}
