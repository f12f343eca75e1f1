//! A model that cannot be run is refused with what was found, what was expected and what is supported.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tandem_models::Shard;
use tandem_runtime::ModelFile;

/// A tiny checkpoint with a damaged copy's fate.
struct Damaged(PathBuf);

impl Damaged {
    /// A copy of `oracles/tiny/NAME` with its config and its safetensors header changed.
    fn new(name: &str, change: impl Fn(&mut Value, &mut Value)) -> Damaged {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/tiny").join(name);
        let mut config: Value = serde_json::from_slice(&fs::read(from.join("config.json")).unwrap()).unwrap();
        let weights = fs::read(from.join("model.safetensors")).unwrap();
        let (len, rest) = weights.split_first_chunk().unwrap();
        let (header, data) = rest.split_at(u64::from_le_bytes(*len) as usize);
        let mut header: Value = serde_json::from_slice(header).unwrap();
        change(&mut config, &mut header);

        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tandem-refusals-{}-{count}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.json"), config.to_string()).unwrap();
        let header = header.to_string();
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        fs::write(folder.join("model.safetensors"), bytes).unwrap();
        Damaged(folder)
    }

    fn error(&self) -> String {
        let lowered = ModelFile::open(&self.0).and_then(|file| {
            let model = file.description()?;
            file.program(&model, &Shard::whole(&model)).map(drop)
        });
        lowered.expect_err("a damaged model was taken").to_string()
    }
}

impl Drop for Damaged {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn check(name: &str, change: impl Fn(&mut Value, &mut Value), expected: &[&str]) {
    let error = Damaged::new(name, change).error();
    for part in expected {
        assert!(error.contains(part), "`{part}` is not in: {error}");
    }
}

/// Take a tensor out of the header, leaving a gap that nothing reads.
fn without(name: &'static str) -> impl Fn(&mut Value, &mut Value) {
    move |_, header| drop(header.as_object_mut().unwrap().remove(name).expect("the checkpoint has it"))
}

#[test]
fn a_missing_tensor_is_named_with_its_shape() {
    let norm = "model.layers.1.input_layernorm.weight";
    check("qwen2", without(norm), &[norm, "qwen2", "[32]"]);
    let expert = "model.layers.1.mlp.experts.5.up_proj.weight";
    check("qwen3-moe", without(expert), &[expert, "qwen3moe", "[24, 32]"]);
    let heads = "model.layers.0.self_attn.kv_b_proj.weight";
    check("deepseek-v3", without(heads), &[heads, "deepseek2", "[112, 24]"]);
    let blend = "language_model.model.layers.1.mlp_res_proj.weight";
    check("kimi-k3", without(blend), &[blend, "kimi-k3", "[32]"]);
    let packed = "model.layers.0.mlp.experts.gate_up_proj";
    check("gpt-oss-float", without(packed), &[packed, "gpt-oss"]);
    check("mixtral", without("lm_head.weight"), &["lm_head.weight", "[64, 32]"]);
}

#[test]
fn a_wrong_shape_is_named_with_the_right_one() {
    let reshaped = |name: &'static str, shape: Value| {
        move |_: &mut Value, header: &mut Value| header[name]["shape"] = shape.clone()
    };
    let expert = "model.layers.0.mlp.experts.3.down_proj.weight";
    check("qwen3-moe", reshaped(expert, json!([24, 32])), &[expert, "[24, 32]", "[32, 24]"]);
    let heads = "model.layers.1.self_attn.kv_b_proj.weight";
    check("kimi-k2", reshaped(heads, json!([24, 112])), &[heads, "[24, 112]", "[112, 24]"]);
}

#[test]
fn an_unknown_architecture_is_named_with_those_supported() {
    let supported: Vec<&str> = tandem_models::arch::ALL.iter().map(|known| known.gguf).collect();
    let unknown = |config: &mut Value, _: &mut Value| config["architectures"] = json!(["MambaForCausalLM"]);
    check("qwen2", unknown, &[&["MambaForCausalLM", "DeepseekV3ForCausalLM"], supported.as_slice()].concat());
}

#[test]
fn what_an_architecture_cannot_do_is_named() {
    let set = |key: &'static str, value: Value| {
        move |config: &mut Value, _: &mut Value| config[key] = value.clone()
    };
    check("deepseek-v3", set("scoring_func", json!("tanh")), &["tanh", "softmax, sigmoid"]);
    check("deepseek-v3", set("topk_method", json!("random")), &["random", "noaux_tc"]);
    check("deepseek-v3", set("n_group", json!(5)), &["12 experts", "5 groups"]);
    check("deepseek-v3", set("num_experts_per_tok", json!(13)), &["13", "12"]);
    check("gpt-oss", set("swiglu_limit", json!(5.0)), &["swiglu_limit", "5", "7"]);
    check(
        "gpt-oss",
        set("layer_types", json!(["chunked_attention"])),
        &["chunked_attention", "full_attention"],
    );
    check(
        "qwen3-moe",
        set("num_experts", json!("many")),
        &["num_experts", "many", "a positive whole number"],
    );
    check("qwen3-moe", set("num_experts_per_tok", Value::Null), &["num_experts_per_tok"]);
    check("deepseek-v41", set("engram_layer_ids", json!([1, 2])), &["engram_layer_ids", "[1, 2]"]);
    check("deepseek-v41", set("o_groups", json!(3)), &["8 attention heads", "3 groups"]);
    check("deepseek-v41", set("scoring_func", json!("tanh")), &["tanh", "sqrtsoftplus"]);
    let ratios = json!([0, 1, 1, 4, 4, 8, 4, 4]);
    check("deepseek-v41", set("compress_ratios", ratios), &["layer 5", "layer 3", "4 tokens", "8"]);
    let in_text = |key: &'static str, value: Value| {
        move |config: &mut Value, _: &mut Value| config["text_config"][key] = value.clone()
    };
    check("kimi-k3", in_text("hidden_act", json!("silu")), &["hidden_act", "silu", "situ"]);
    check("kimi-k3", in_text("mla_use_nope", json!(false)), &["mla_use_nope", "true"]);
    check("kimi-k3", in_text("moe_layer_freq", json!(2)), &["moe_layer_freq", "2"]);
    let rising = |config: &mut Value, _: &mut Value| {
        config["text_config"]["linear_attn_config"]["gate_lower_bound"] = json!(0.5);
    };
    check("kimi-k3", rising, &["gate_lower_bound", "0.5", "negative"]);
    let many = |config: &mut Value, _: &mut Value| {
        config["text_config"]["num_hidden_layers"] = json!(100);
        config["text_config"]["attn_res_block_size"] = json!(1);
    };
    check("kimi-k3", many, &["attn_res_block_size", "64"]);
    let scaling = json!({"rope_type": "dynamic", "factor": 2.0});
    check("qwen2", set("rope_scaling", scaling), &["dynamic", "yarn"]);
}

/// Nothing is allocated for what a file merely claims.
#[test]
fn absurd_sizes_are_refused_at_once() {
    let set = |key: &'static str| move |config: &mut Value, _: &mut Value| config[key] = json!(1 << 30);
    check("qwen2", set("num_hidden_layers"), &["num_hidden_layers", "1073741824", "at most 1000"]);
    check("qwen3-moe", set("num_experts"), &["num_experts", "1073741824", "at most"]);
    check("deepseek-v3", set("n_routed_experts"), &["n_routed_experts", "at most"]);
    check("qwen3", set("head_dim"), &["rotary features", "1073741824", "at most 65536"]);
    check("gpt-oss", set("num_local_experts"), &["num_local_experts", "at most"]);
    check("deepseek-v41", set("hc_mult"), &["hc_mult", "1073741824", "at most 8"]);
    check("deepseek-v41", set("qk_rope_head_dim"), &["qk_rope_head_dim", "1073741824", "at most 20"]);
}

#[test]
fn an_unknown_quantisation_is_named_with_those_supported() {
    let unknown = |config: &mut Value, _: &mut Value| {
        config["quantization_config"] = json!({"quant_method": "aqlm", "bits": 4});
    };
    check("qwen2", unknown, &["aqlm", "fp8", "mxfp4"]);
    let odd = |_: &mut Value, header: &mut Value| header["model.norm.weight"]["dtype"] = json!("I16");
    check("qwen2", odd, &["model.norm.weight", "I16", "BF16"]);
}

#[test]
fn experts_of_different_types_are_refused() {
    let name = "model.layers.1.mlp.experts.2.gate_proj.weight";
    let mixed = |_: &mut Value, header: &mut Value| header[name]["dtype"] = json!("BF16");
    check("qwen3-moe", mixed, &[name, "BF16", "F16"]);
}
