//! How a checkpoint says its weights are quantised: `quantization` (MLX) or `quantization_config` in `config.json`.

use super::SafetensorsError;
use super::turned::{Order, Turning};
use crate::config_json::parse_config;
use crate::shown::shown;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// What the shapes of the tensors do not tell by themselves.
#[derive(Debug, Default)]
pub(super) struct Scheme {
    /// Rows and columns that share a scale in FP8 tensors.
    pub fp8_block: Option<[usize; 2]>,
    /// MLX: for tensors not in `layers`.
    mlx: Option<Packing>,
    /// MLX: by the stem of the tensor's name, where it differs.
    layers: HashMap<String, Packing>,
    /// AWQ and GPTQ.
    pub turning: Option<Turning>,
}

/// MLX's packing of one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packing {
    pub bits: usize,
    pub group: usize,
    pub mode: Mode,
}

/// What stands beside MLX's codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A scale and a bias.
    Affine,
    Mxfp4,
    Mxfp8,
    Nvfp4,
}

pub(super) const SUPPORTED: &str = "fp8 (E4M3), mxfp4 (compressed-tensors too), mxfp8, nvfp4 (ModelOpt, compressed-tensors), compressed-tensors \
                                    (pack-quantized, float-quantized), AWQ (gemm), GPTQ (4, 8 bits, without desc_act), \
                                    MLX's affine (2, 3, 4, 5, 6, 8 bits), mxfp4, mxfp8 and nvfp4";

impl Scheme {
    /// From the `config.json` beside the weights; a folder without one holds nothing quantised that needs it.
    pub fn beside(weights: &Path) -> Result<Scheme, SafetensorsError> {
        let path = weights.with_file_name("config.json");
        let Ok(text) = std::fs::read(&path) else { return Ok(Scheme::default()) };
        let config =
            parse_config(&text).map_err(|source| SafetensorsError::Config { path: path.clone(), source })?;
        Scheme::parse(&config).map_err(|found| SafetensorsError::Quantisation { path, found: shown(&found) })
    }

    /// Of a tensor whose name is `stem.weight`.
    pub fn packing(&self, stem: &str) -> Option<Packing> {
        self.layers.get(stem).copied().or(self.mlx)
    }

    /// Whether MLX gave it more bits than the rest.
    pub fn is_finer(&self, stem: &str) -> bool {
        self.layers.get(stem).zip(self.mlx).is_some_and(|(own, rest)| own.bits > rest.bits)
    }

    /// The error is what was found and is not supported.
    fn parse(config: &Value) -> Result<Scheme, String> {
        let mut scheme = Scheme::default();
        // MLX writes its own section under both names.
        let section = [&config["quantization"], &config["quantization_config"]];
        let Some(section) = section.into_iter().find(|section| section.is_object()) else {
            return Ok(scheme);
        };
        let Some(method) = section["quant_method"].as_str() else {
            scheme.mlx = Some(packing(section, None)?);
            for (name, layer) in section.as_object().into_iter().flatten() {
                if layer.is_object() {
                    scheme.layers.insert(name.clone(), packing(layer, scheme.mlx)?);
                }
            }
            return Ok(scheme);
        };
        match method {
            "fp8" => {
                if let Some(format) = section["fmt"].as_str().filter(|format| *format != "e4m3") {
                    return Err(format!("fp8 with fmt {format}"));
                }
                let side = |i: usize| section["weight_block_size"][i].as_u64().map(|side| side as usize);
                scheme.fp8_block = side(0).zip(side(1)).map(|(rows, cols)| [rows, cols]);
                if scheme.fp8_block.is_some_and(|block| block.contains(&0)) {
                    return Err("fp8 with blocks of 0".into());
                }
            }
            "mxfp4" => {}
            // Exponents for every 32 values of a row.
            "mxfp8" => scheme.fp8_block = Some([1, 32]),
            "compressed-tensors" => match section["format"].as_str().unwrap_or("pack-quantized") {
                "pack-quantized" | "float-quantized" | "naive-quantized" => {}
                "nvfp4-pack-quantized" | "mxfp4-pack-quantized" => {}
                format => return Err(format!("compressed-tensors with format {format}")),
            },
            "modelopt" => match section["quant_algo"].as_str().unwrap_or("FP8") {
                "NVFP4" | "FP8" => {}
                other => return Err(format!("modelopt with quant_algo {other}")),
            },
            "awq" | "gptq" => scheme.turning = Some(turning(section, method == "awq")?),
            other => return Err(other.to_owned()),
        }
        Ok(scheme)
    }
}

fn packing(section: &Value, default: Option<Packing>) -> Result<Packing, String> {
    let number = |key: &str, default: Option<usize>| match section[key].as_u64() {
        Some(number) => Ok(number as usize),
        None => default.ok_or_else(|| format!("a quantization without `{key}`")),
    };
    let (mode, usual) = match section["mode"].as_str() {
        None | Some("affine") => (Mode::Affine, None),
        Some("mxfp4") => (Mode::Mxfp4, Some((4, 32))),
        Some("mxfp8") => (Mode::Mxfp8, Some((8, 32))),
        Some("nvfp4") => (Mode::Nvfp4, Some((4, 16))),
        Some(other) => return Err(format!("MLX mode {other}")),
    };
    let usual_or = usual.or(default.map(|default| (default.bits, default.group)));
    let bits = number("bits", usual_or.map(|(bits, _)| bits))?;
    let group = number("group_size", usual_or.map(|(_, group)| group))?;
    let known = match usual {
        Some(usual) => (bits, group) == usual,
        None => matches!(bits, 2..=6 | 8) && matches!(group, 32 | 64 | 128),
    };
    if !known {
        return Err(format!("MLX's {bits} bits in groups of {group}"));
    }
    Ok(Packing { bits, group, mode })
}

fn turning(section: &Value, is_awq: bool) -> Result<Turning, String> {
    let method = if is_awq { "awq" } else { "gptq" };
    let flag = |key: &str, default: bool| section[key].as_bool().unwrap_or(default);
    let bits = section["bits"].as_u64().or(section["w_bit"].as_u64()).unwrap_or(4) as usize;
    let group = section["group_size"].as_i64().or(section["q_group_size"].as_i64()).unwrap_or(128);
    let group = match group {
        -1 => None,
        1.. if (group as u64).is_multiple_of(32) => Some(group as usize),
        _ => return Err(format!("{method} in groups of {group}")),
    };
    if bits != 4 && (is_awq || bits != 8) {
        return Err(format!("{method} with {bits} bits"));
    }
    if let Some(version) = section["version"].as_str().filter(|version| is_awq && *version != "gemm") {
        return Err(format!("awq with version {version}"));
    }
    if flag("desc_act", false) {
        return Err("gptq with desc_act".into());
    }
    let is_v2 = section["checkpoint_format"].as_str() == Some("gptq_v2");
    Ok(Turning {
        order: if is_awq { Order::Awq } else { Order::Gptq },
        bits,
        group,
        symmetric: if is_awq { !flag("zero_point", true) } else { flag("sym", true) },
        zero_offset: i32::from(!is_awq && !is_v2),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn mlx_layers_may_differ() {
        let config = json!({"quantization": {"group_size": 64, "bits": 4,
            "model.layers.0.mlp.gate": {"group_size": 32, "bits": 8}, "lm_head": false,
            "model.layers.0.mlp.experts.up_proj": {"mode": "mxfp4", "bits": 4, "group_size": 32}}});
        let scheme = Scheme::parse(&config).unwrap();
        let packing = |stem| scheme.packing(stem).unwrap();
        assert_eq!(
            packing("model.layers.0.self_attn.q_proj"),
            Packing { bits: 4, group: 64, mode: Mode::Affine }
        );
        assert_eq!(packing("model.layers.0.mlp.gate"), Packing { bits: 8, group: 32, mode: Mode::Affine });
        assert_eq!(packing("model.layers.0.mlp.experts.up_proj").mode, Mode::Mxfp4);
        assert!(scheme.is_finer("model.layers.0.mlp.gate"));
        assert!(!scheme.is_finer("model.layers.0.mlp.experts.up_proj"));
        assert!(!scheme.is_finer("model.layers.0.self_attn.q_proj"));
    }

    #[test]
    fn what_is_not_read_is_named() {
        let check = |section: Value, expected: &str| {
            let found = Scheme::parse(&json!({"quantization_config": section})).unwrap_err();
            assert_eq!(found, expected);
        };
        check(json!({"quant_method": "gptq", "bits": 3}), "gptq with 3 bits");
        check(json!({"quant_method": "gptq", "bits": 4, "desc_act": true}), "gptq with desc_act");
        check(json!({"quant_method": "awq", "bits": 4, "version": "gemv"}), "awq with version gemv");
        check(json!({"quant_method": "aqlm"}), "aqlm");
        check(json!({"quant_method": "fp8", "fmt": "e5m2"}), "fp8 with fmt e5m2");
        check(
            json!({"quant_method": "compressed-tensors", "format": "marlin-24"}),
            "compressed-tensors with format marlin-24",
        );
        check(json!({"bits": 7, "group_size": 64}), "MLX's 7 bits in groups of 64");
        check(json!({"bits": 4}), "a quantization without `group_size`");
        check(json!({"bits": 4, "group_size": 32, "mode": "nvfp4"}), "MLX's 4 bits in groups of 32");
    }
}
