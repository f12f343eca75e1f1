"""Tiny random checkpoints and the logits that mlx-lm computes from them in f32.

    python oracles/tiny.py DIR [NAME]    writes DIR/<name>/{config.json, model.safetensors, expected.json, expected.f32}

A checkpoint is a row of CHECKPOINTS: a config as the model hub would hold it, and the function that lists
the names and shapes of its weights as they are stored there. mlx-lm maps both by itself (`sanitize`), so the
expected logits depend on nothing of ours but the random numbers.

A checkpoint whose `torch_dtype` is float16 is stored so and computed in f32: small files, the same exact weights.

expected.json   {"vocab_size", "prompts": [{"tokens": [...], "rows": [...]}]}
expected.f32    little-endian f32: for each prompt in order, for each of its rows (a position in the prompt),
                the `vocab_size` logits there
"""

import json
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np

VOCAB_SIZE = 256
PROMPT_LENGTHS = [1, 7, 64, 513]
# Those of checkpoints that round on the way: see SALTS.
SHORT_PROMPT_LENGTHS = [1, 7, 64, 130]
# Every row of a 513-token prompt would be half a megabyte: keep the ends and the block boundaries.
ROWS_OF_LONG_PROMPT = [0, 1, 15, 16, 63, 64, 255, 256, 511, 512]


def outer_weights(config):
    vocab, hidden = config["vocab_size"], config["hidden_size"]
    shapes = {"model.embed_tokens.weight": (vocab, hidden), "model.norm.weight": (hidden,)}
    if not config["tie_word_embeddings"]:
        shapes["lm_head.weight"] = (vocab, hidden)
    return shapes


def dense_weights(config):
    """Names and shapes of a decoder with grouped attention and a gated feed-forward network."""
    hidden, ffn = config["hidden_size"], config["intermediate_size"]
    head = config.get("head_dim") or hidden // config["num_attention_heads"]
    q, kv = head * config["num_attention_heads"], head * config["num_key_value_heads"]
    shapes = outer_weights(config)
    for layer in range(config["num_hidden_layers"]):
        shapes |= {
            f"model.layers.{layer}.{name}.weight": shape
            for name, shape in {
                "input_layernorm": (hidden,),
                "self_attn.q_proj": (q, hidden),
                "self_attn.k_proj": (kv, hidden),
                "self_attn.v_proj": (kv, hidden),
                "self_attn.o_proj": (hidden, q),
                "post_attention_layernorm": (hidden,),
                "mlp.gate_proj": (ffn, hidden),
                "mlp.up_proj": (ffn, hidden),
                "mlp.down_proj": (hidden, ffn),
            }.items()
        }
    return shapes


def qwen3_weights(config):
    shapes = dense_weights(config)
    for layer in range(config["num_hidden_layers"]):
        for norm in ("q_norm", "k_norm"):
            shapes[f"model.layers.{layer}.self_attn.{norm}.weight"] = (config["head_dim"],)
    return shapes


def qwen2_weights(config):
    shapes = dense_weights(config)
    for name in [name for name in shapes if "_proj" in name and ("q_" in name or "k_" in name or "v_" in name)]:
        shapes[name.replace(".weight", ".bias")] = (shapes[name][0],)
    return shapes


def with_experts(shapes, config, router, experts, names, ffn, first=0):
    """The feed-forward blocks of layers from `first` on become `experts` experts called `names` (gate, up, down)."""
    hidden = config["hidden_size"]
    for layer in range(first, config["num_hidden_layers"]):
        for name in ("gate_proj", "up_proj", "down_proj"):
            del shapes[f"model.layers.{layer}.mlp.{name}.weight"]
        shapes[f"model.layers.{layer}.{router}.weight"] = (experts, hidden)
        for expert in range(experts):
            for name, shape in zip(names, ((ffn, hidden), (ffn, hidden), (hidden, ffn))):
                shapes[f"model.layers.{layer}.{name.format(expert)}.weight"] = shape
    return shapes


MLP_EXPERTS = [f"mlp.experts.{{}}.{name}" for name in ("gate_proj", "up_proj", "down_proj")]


def qwen3_moe_weights(config):
    experts, ffn = config["num_experts"], config["moe_intermediate_size"]
    return with_experts(qwen3_weights(config), config, "mlp.gate", experts, MLP_EXPERTS, ffn)


def mixtral_weights(config):
    names = [f"block_sparse_moe.experts.{{}}.{name}" for name in ("w1", "w3", "w2")]
    experts, ffn = config["num_local_experts"], config["intermediate_size"]
    return with_experts(dense_weights(config), config, "block_sparse_moe.gate", experts, names, ffn)


def deepseek_weights(config):
    hidden, ffn, heads = config["hidden_size"], config["moe_intermediate_size"], config["num_attention_heads"]
    nope, rope, value = config["qk_nope_head_dim"], config["qk_rope_head_dim"], config["v_head_dim"]
    latent, narrow = config["kv_lora_rank"], config["q_lora_rank"]
    first = config["first_k_dense_replace"]
    dense = dense_weights(config | {"head_dim": 1})
    dense = {name: shape for name, shape in dense.items() if "self_attn" not in name}
    shapes = with_experts(dense, config, "mlp.gate", config["n_routed_experts"], MLP_EXPERTS, ffn, first)
    for layer in range(config["num_hidden_layers"]):
        attention = {
            "kv_a_proj_with_mqa.weight": (latent + rope, hidden),
            "kv_a_layernorm.weight": (latent,),
            "kv_b_proj.weight": (heads * (nope + value), latent),
            "o_proj.weight": (hidden, heads * value),
        }
        if narrow:
            attention |= {
                "q_a_proj.weight": (narrow, hidden),
                "q_a_layernorm.weight": (narrow,),
                "q_b_proj.weight": (heads * (nope + rope), narrow),
            }
        else:
            attention["q_proj.weight"] = (heads * (nope + rope), hidden)
        shapes |= {f"model.layers.{layer}.self_attn.{name}": shape for name, shape in attention.items()}
        if layer >= first:
            shared = f"model.layers.{layer}.mlp.shared_experts"
            width = ffn * config["n_shared_experts"]
            shapes |= {f"{shared}.{name}.weight": (width, hidden) for name in ("gate_proj", "up_proj")}
            shapes[f"{shared}.down_proj.weight"] = (hidden, width)
            if config["scoring_func"] == "sigmoid":
                name = f"model.layers.{layer}.mlp.gate.e_score_correction_bias"
                shapes[name] = (config["n_routed_experts"],)
    return shapes


def mistral4_weights(config):
    text = config["text_config"]
    hidden, ffn, experts = text["hidden_size"], text["moe_intermediate_size"], text["n_routed_experts"]
    shapes = {name: shape for name, shape in deepseek_weights(text).items() if ".mlp.experts." not in name}
    for layer in range(text["first_k_dense_replace"], text["num_hidden_layers"]):
        shapes[f"model.layers.{layer}.mlp.experts.gate_up_proj"] = (experts, 2 * ffn, hidden)
        shapes[f"model.layers.{layer}.mlp.experts.down_proj"] = (experts, hidden, ffn)
    return {f"language_model.{name}": shape for name, shape in shapes.items()}


def sparse_weights(config):
    """As DeepSeek V3, with an indexer beside every attention."""
    shapes = deepseek_weights(config)
    heads, dim = config["index_n_heads"], config["index_head_dim"]
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}.self_attn.indexer."
        shapes |= {
            f"{prefix}wq_b.weight": (heads * dim, config["q_lora_rank"]),
            f"{prefix}wk.weight": (dim, config["hidden_size"]),
            f"{prefix}k_norm.weight": (dim,),
            f"{prefix}k_norm.bias": (dim,),
            f"{prefix}weights_proj.weight": (heads, config["hidden_size"]),
        }
    return shapes


def glm4_moe_weights(config):
    experts, ffn = config["n_routed_experts"], config["moe_intermediate_size"]
    first = config["first_k_dense_replace"]
    shapes = qwen3_weights(config) if config["use_qk_norm"] else dense_weights(config)
    if config["attention_bias"]:
        shapes |= {
            name.replace(".weight", ".bias"): (shape[0],)
            for name, shape in shapes.items()
            if name.split(".")[-2] in ("q_proj", "k_proj", "v_proj")
        }
    shapes = with_experts(shapes, config, "mlp.gate", experts, MLP_EXPERTS, ffn, first)
    return with_shared(shapes, config, first)


def with_shared(shapes, config, first):
    """An expert that all rows share, and a correction for the choice of the others."""
    hidden, width = config["hidden_size"], config["moe_intermediate_size"] * config["n_shared_experts"]
    for layer in range(first, config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}.mlp"
        shapes |= {
            f"{prefix}.shared_experts.gate_proj.weight": (width, hidden),
            f"{prefix}.shared_experts.up_proj.weight": (width, hidden),
            f"{prefix}.shared_experts.down_proj.weight": (hidden, width),
            f"{prefix}.gate.e_score_correction_bias": (config["n_routed_experts"],),
        }
    return shapes


def wide_norms(shapes, config):
    """Norms over all heads of a token together."""
    for layer in range(config["num_hidden_layers"]):
        for norm, heads in (("q_norm", "num_attention_heads"), ("k_norm", "num_key_value_heads")):
            shapes[f"model.layers.{layer}.self_attn.{norm}.weight"] = (config["head_dim"] * config[heads],)
    return shapes


def minimax_weights(config):
    shapes = wide_norms(mixtral_weights(config), config)
    for layer in range(config["num_hidden_layers"]):
        name = f"model.layers.{layer}.block_sparse_moe.e_score_correction_bias"
        shapes[name] = (config["num_local_experts"],)
    return shapes


def minimax_m3_weights(config):
    names = [f"block_sparse_moe.experts.{{}}.{name}" for name in ("w1", "w3", "w2")]
    experts, ffn, hidden = config["num_local_experts"], config["intermediate_size"], config["hidden_size"]
    shapes = qwen3_weights(config | {"intermediate_size": config["dense_intermediate_size"]})
    shapes = with_experts(shapes, config, "block_sparse_moe.gate", experts, names, ffn, first=1)
    heads, dim = (config["sparse_attention_config"][f"sparse_{name}"] for name in ("num_index_heads", "index_dim"))
    for layer in range(1, config["num_hidden_layers"]):
        block, width = f"model.layers.{layer}.block_sparse_moe", config["shared_intermediate_size"]
        shapes[f"{block}.e_score_correction_bias"] = (experts,)
        shapes |= {f"{block}.shared_experts.{name}.weight": (width, hidden) for name in ("gate_proj", "up_proj")}
        shapes[f"{block}.shared_experts.down_proj.weight"] = (hidden, width)
        index = {"q_proj": (heads * dim, hidden), "k_proj": (dim, hidden), "q_norm": (dim,), "k_norm": (dim,)}
        shapes |= {f"model.layers.{layer}.self_attn.index_{name}.weight": shape for name, shape in index.items()}
    return shapes


def gemma3_weights(config):
    shapes = qwen3_weights(config)
    for layer in range(config["num_hidden_layers"]):
        for norm in ("pre_feedforward_layernorm", "post_feedforward_layernorm"):
            shapes[f"model.layers.{layer}.{norm}.weight"] = (config["hidden_size"],)
    return shapes


def olmo3_weights(config):
    shapes = {name: shape for name, shape in wide_norms(dense_weights(config), config).items() if "input_" not in name}
    for layer in range(config["num_hidden_layers"]):
        shapes[f"model.layers.{layer}.post_feedforward_layernorm.weight"] = (config["hidden_size"],)
    return shapes


def phi3_weights(config):
    """Queries, keys and values in one matrix, gate and up in another."""
    shapes = dense_weights(config)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        fused = {
            "self_attn.qkv_proj": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
            "mlp.gate_up_proj": ("mlp.gate_proj", "mlp.up_proj"),
        }
        for whole, parts in fused.items():
            rows = sum(shapes.pop(f"{prefix}{part}.weight")[0] for part in parts)
            shapes[f"{prefix}{whole}.weight"] = (rows, config["hidden_size"])
    return shapes


def granite4_weights(config):
    """Gate and up in one matrix, of the experts and of the block that every row goes through."""
    hidden, ffn, shared = config["hidden_size"], config["intermediate_size"], config["shared_intermediate_size"]
    shapes = {name: shape for name, shape in dense_weights(config).items() if ".mlp." not in name}
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        shapes |= {
            f"{prefix}shared_mlp.input_linear.weight": (2 * shared, hidden),
            f"{prefix}shared_mlp.output_linear.weight": (hidden, shared),
        }
        if experts := config["num_local_experts"]:
            shapes |= {
                f"{prefix}block_sparse_moe.input_linear.weight": (experts, 2 * ffn, hidden),
                f"{prefix}block_sparse_moe.output_linear.weight": (experts, hidden, ffn),
                f"{prefix}block_sparse_moe.router.layer.weight": (experts, hidden),
            }
    return shapes


def granite4_hybrid_weights(config):
    """As Granite 4, with Mamba-2 in most layers: gate, values, b, c and steps in one matrix."""
    shapes = granite4_weights(config)
    hidden, heads = config["hidden_size"], config["mamba_n_heads"]
    inner, states = heads * config["mamba_d_head"], config["mamba_n_groups"] * config["mamba_d_state"]
    for layer, kind in enumerate(config["layer_types"]):
        if kind != "mamba":
            continue
        prefix = f"model.layers.{layer}."
        shapes = {name: shape for name, shape in shapes.items() if not name.startswith(f"{prefix}self_attn")}
        shapes |= {
            f"{prefix}mamba.{name}": shape
            for name, shape in {
                "in_proj.weight": (2 * inner + 2 * states + heads, hidden),
                "conv1d.weight": (inner + 2 * states, 1, config["mamba_d_conv"]),
                "conv1d.bias": (inner + 2 * states,),
                "dt_bias": (heads,),
                "A_log": (heads,),
                "D": (heads,),
                "norm.weight": (inner,),
                "out_proj.weight": (hidden, inner),
            }.items()
        }
    return shapes


def qwen3_next_weights(config):
    """Every fourth layer attends, its queries and gates in turn; the others are delta nets with everything in one matrix."""
    hidden, ffn, shared = (config[f"{name}_size"] for name in ("hidden", "moe_intermediate", "shared_expert_intermediate"))
    keys = config["linear_num_key_heads"] * config["linear_key_head_dim"]
    values = config["linear_num_value_heads"] * config["linear_value_head_dim"]
    shapes = with_experts(qwen3_weights(config), config, "mlp.gate", config["num_experts"], MLP_EXPERTS, ffn)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        shapes |= {
            f"{prefix}mlp.shared_expert.gate_proj.weight": (shared, hidden),
            f"{prefix}mlp.shared_expert.up_proj.weight": (shared, hidden),
            f"{prefix}mlp.shared_expert.down_proj.weight": (hidden, shared),
            f"{prefix}mlp.shared_expert_gate.weight": (1, hidden),
        }
        if (layer + 1) % config["full_attention_interval"] == 0:
            query = f"{prefix}self_attn.q_proj.weight"
            shapes[query] = (2 * shapes[query][0], hidden)
            continue
        shapes = {name: shape for name, shape in shapes.items() if not name.startswith(f"{prefix}self_attn")}
        shapes |= {
            f"{prefix}linear_attn.{name}": shape
            for name, shape in {
                "in_proj_qkvz.weight": (2 * keys + 2 * values, hidden),
                "in_proj_ba.weight": (2 * config["linear_num_value_heads"], hidden),
                "conv1d.weight": (2 * keys + values, 1, config["linear_conv_kernel_dim"]),
                "dt_bias": (config["linear_num_value_heads"],),
                "A_log": (config["linear_num_value_heads"],),
                "norm.weight": (config["linear_value_head_dim"],),
                "out_proj.weight": (hidden, values),
            }.items()
        }
    return shapes


def qwen3_5_weights(config):
    """As Qwen3-Next, with queries, keys and values one after the other, and the gates apart; beside a picture tower."""
    text = config["text_config"]
    if not text["num_experts"]:
        experts = {"num_experts": 1, "moe_intermediate_size": 1, "shared_expert_intermediate_size": 1}
        shapes = {name: shape for name, shape in qwen3_next_weights(text | experts).items() if ".mlp." not in name}
        shapes |= {name: shape for name, shape in dense_weights(text).items() if ".mlp." in name}
    else:
        shapes = qwen3_next_weights(text)
        hidden, ffn, experts = text["hidden_size"], text["moe_intermediate_size"], text["num_experts"]
        shapes = {name: shape for name, shape in shapes.items() if ".mlp.experts." not in name}
        for layer in range(text["num_hidden_layers"]):
            shapes[f"model.layers.{layer}.mlp.experts.gate_up_proj"] = (experts, 2 * ffn, hidden)
            shapes[f"model.layers.{layer}.mlp.experts.down_proj"] = (experts, hidden, ffn)
    values = text["linear_num_value_heads"] * text["linear_value_head_dim"]
    renamed = {}
    for name, (rows, *rest) in shapes.items():
        if "in_proj_qkvz" in name:
            renamed[name.replace("qkvz", "qkv")] = (rows - values, *rest)
            renamed[name.replace("qkvz", "z")] = (values, *rest)
        elif "in_proj_ba" in name:
            renamed |= {name.replace("_ba", part): (rows // 2, *rest) for part in ("_b", "_a")}
        else:
            renamed[name] = (rows, *rest)
    return {name.replace("model.", "model.language_model.", 1): shape for name, shape in renamed.items()}


def qwen3_vl_moe_weights(config):
    hidden, ffn, experts = config["hidden_size"], config["moe_intermediate_size"], config["num_experts"]
    shapes = qwen3_moe_weights(config)
    shapes = {name: shape for name, shape in shapes.items() if ".mlp.experts." not in name}
    for layer in range(config["num_hidden_layers"]):
        shapes[f"model.layers.{layer}.mlp.experts.gate_up_proj"] = (experts, hidden, 2 * ffn)
        shapes[f"model.layers.{layer}.mlp.experts.down_proj"] = (experts, ffn, hidden)
    return shapes


def inner(weights):
    """Names of a language model beside a picture tower, both within the model."""
    return lambda config: {
        name.replace("model.", "model.language_model.", 1): shape
        for name, shape in weights(config["text_config"]).items()
    }


def outer(weights):
    """Names of a language model beside a picture tower."""
    return lambda config: {f"language_model.{name}": shape for name, shape in weights(config["text_config"]).items()}


def gpt_oss_weights(config):
    """Gate and up rows in turn. Codes and scales of MXFP4 apart, as published; matrices of floats lie turned over."""
    hidden, ffn, experts = config["hidden_size"], config["intermediate_size"], config["num_local_experts"]
    shapes = dense_weights(config)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        for name in ("gate_proj", "up_proj", "down_proj"):
            del shapes[f"{prefix}mlp.{name}.weight"]
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            shapes[f"{prefix}self_attn.{name}.bias"] = (shapes[f"{prefix}self_attn.{name}.weight"][0],)
        shapes |= {
            f"{prefix}self_attn.sinks": (config["num_attention_heads"],),
            f"{prefix}mlp.router.weight": (experts, hidden),
            f"{prefix}mlp.router.bias": (experts,),
            f"{prefix}mlp.experts.gate_up_proj_bias": (experts, 2 * ffn),
            f"{prefix}mlp.experts.down_proj_bias": (experts, hidden),
        }
        for name, rows, cols in (("gate_up_proj", 2 * ffn, hidden), ("down_proj", hidden, ffn)):
            name = f"{prefix}mlp.experts.{name}"
            if "quantization_config" in config:
                shapes |= {f"{name}_blocks": (experts, rows, cols // 32, 16), f"{name}_scales": (experts, rows, cols // 32)}
            else:
                shapes[name] = (experts, cols, rows)
    return shapes


def gpt_oss_for_mlx(weights):
    """mlx-lm takes experts in floats only in its own layout: gate and up apart, upright."""
    renamed = {}
    for name, value in weights.items():
        if name.endswith("gate_up_proj_bias"):
            for first, part in enumerate(("gate_proj", "up_proj")):
                renamed[name.replace("gate_up_proj_bias", part + ".bias")] = value[:, first::2]
        elif name.endswith("gate_up_proj"):
            for first, part in enumerate(("gate_proj", "up_proj")):
                upright = value[:, :, first::2].swapaxes(1, 2)
                renamed[name.replace("gate_up_proj", part + ".weight")] = np.ascontiguousarray(upright)
        elif name.endswith("down_proj_bias"):
            renamed[name.replace("_bias", ".bias")] = value
        elif name.endswith("experts.down_proj"):
            renamed[name + ".weight"] = np.ascontiguousarray(value.swapaxes(1, 2))
        else:
            renamed[name] = np.ascontiguousarray(value)
    return {name: np.ascontiguousarray(value) for name, value in renamed.items()}


def config(model_type, architecture, **rest):
    return {
        "architectures": [architecture],
        "model_type": model_type,
        "vocab_size": VOCAB_SIZE,
        "hidden_act": "silu",
        "max_position_embeddings": 1024,
        "torch_dtype": "float32",
        "attention_bias": False,
        "bos_token_id": 1,
        "eos_token_id": 2,
    } | rest


def yarn(factor, mscale):
    """Stretched so that the wavelengths of eight features fall on both sides of the thresholds."""
    return {
        "type": "yarn",
        "factor": factor,
        "beta_fast": 32,
        "beta_slow": 1,
        "mscale": mscale,
        "mscale_all_dim": mscale,
        "original_max_position_embeddings": 512,
    }


def deepseek(model_type, architecture, **rest):
    return config(model_type, architecture) | {
        "vocab_size": 64,
        "torch_dtype": "float16",
        "hidden_size": 32,
        "intermediate_size": 48,
        "moe_intermediate_size": 16,
        "num_hidden_layers": 2,
        "first_k_dense_replace": 1,
        "moe_layer_freq": 1,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "q_lora_rank": None,
        "kv_lora_rank": 24,
        "qk_nope_head_dim": 16,
        "qk_rope_head_dim": 8,
        "v_head_dim": 12,
        "n_routed_experts": 8,
        "n_shared_experts": 2,
        "num_experts_per_tok": 2,
        "scoring_func": "softmax",
        "topk_method": "greedy",
        "n_group": 1,
        "topk_group": 1,
        "norm_topk_prob": False,
        "routed_scaling_factor": 1.0,
        "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0,
        "rope_scaling": yarn(40.0, 0.707),
        "tie_word_embeddings": False,
    } | rest


def gpt_oss(**rest):
    return config("gpt_oss", "GptOssForCausalLM") | {
        "vocab_size": 64,
        "torch_dtype": "float16",
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "sliding_window": 24,
        "layer_types": ["sliding_attention", "full_attention"],
        "swiglu_limit": 7.0,
        "attention_bias": True,
        "rms_norm_eps": 1e-5,
        "rope_theta": 150000.0,
        "rope_scaling": {
            "rope_type": "yarn",
            "factor": 32.0,
            "beta_fast": 32.0,
            "beta_slow": 1.0,
            "original_max_position_embeddings": 4096,
            # The published models say false, which neither mlx-lm nor llama.cpp heeds.
            "truncate": True,
        },
        "tie_word_embeddings": False,
    } | rest


V3_ROUTING = {
    "q_lora_rank": 24,
    "n_routed_experts": 12,
    "num_experts_per_tok": 4,
    "scoring_func": "sigmoid",
    "topk_method": "noaux_tc",
    "n_group": 4,
    "topk_group": 2,
    "norm_topk_prob": True,
    "routed_scaling_factor": 2.5,
    "rope_scaling": yarn(40.0, 1.0),
}

# llama.cpp turns keys of 64 values or more. With fewer heads several tokens score exactly zero where the choice ends, and which of
# those is chosen is nobody's promise.
INDEXER = {"index_n_heads": 16, "index_head_dim": 64, "index_topk": 24}

CHECKPOINTS = {
    # Llama 2 and SmolLM2: plain rope. Grouped heads, embeddings shared with the output.
    "llama-tied": (
        config(
            "llama",
            "LlamaForCausalLM",
            hidden_size=64,
            intermediate_size=96,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            rms_norm_eps=1e-5,
            rope_theta=10000.0,
            rope_scaling=None,
            tie_word_embeddings=True,
        ),
        dense_weights,
    ),
    # Three query heads to one of keys and values, its own output matrix, an odd number of layers.
    "llama-untied": (
        config(
            "llama",
            "LlamaForCausalLM",
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=3,
            num_attention_heads=6,
            num_key_value_heads=2,
            head_dim=8,
            rms_norm_eps=1e-6,
            rope_theta=10000.0,
            rope_scaling=None,
            tie_word_embeddings=False,
        ),
        dense_weights,
    ),
    # Llama 3.1: wavelengths fall on both sides of and between the two thresholds (16 and 64 positions).
    "llama3-rope": (
        config(
            "llama",
            "LlamaForCausalLM",
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            rms_norm_eps=1e-5,
            rope_theta=500000.0,
            rope_scaling={
                "rope_type": "llama3",
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 64,
            },
            tie_word_embeddings=True,
        ),
        dense_weights,
    ),
    # Mistral Nemo: the heads together are wider than the hidden state.
    "mistral": (
        config(
            "mistral",
            "MistralForCausalLM",
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=16,
            rms_norm_eps=1e-5,
            rope_theta=1000000.0,
            sliding_window=None,
            tie_word_embeddings=False,
        ),
        dense_weights,
    ),
    "qwen3": (
        config(
            "qwen3",
            "Qwen3ForCausalLM",
            hidden_size=32,
            intermediate_size=96,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=16,
            rms_norm_eps=1e-6,
            rope_theta=1000000.0,
            rope_scaling=None,
            tie_word_embeddings=True,
        ),
        qwen3_weights,
    ),
    # Qwen2.5: biases on queries, keys and values.
    "qwen2": (
        config(
            "qwen2",
            "Qwen2ForCausalLM",
            vocab_size=64,
            torch_dtype="float16",
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            rms_norm_eps=1e-6,
            rope_theta=1000000.0,
            sliding_window=32768,
            use_sliding_window=False,
            max_window_layers=2,
            tie_word_embeddings=True,
        ),
        qwen2_weights,
    ),
    "qwen3-moe": (
        config(
            "qwen3_moe",
            "Qwen3MoeForCausalLM",
            vocab_size=64,
            torch_dtype="float16",
            hidden_size=32,
            intermediate_size=64,
            moe_intermediate_size=24,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=16,
            num_experts=8,
            num_experts_per_tok=3,
            decoder_sparse_step=1,
            mlp_only_layers=[],
            norm_topk_prob=True,
            rms_norm_eps=1e-6,
            rope_theta=1000000.0,
            rope_scaling=None,
            tie_word_embeddings=False,
        ),
        qwen3_moe_weights,
    ),
    "mixtral": (
        config(
            "mixtral",
            "MixtralForCausalLM",
            vocab_size=64,
            torch_dtype="float16",
            hidden_size=32,
            intermediate_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            num_local_experts=4,
            num_experts_per_tok=2,
            rms_norm_eps=1e-5,
            rope_theta=1000000.0,
            sliding_window=None,
            tie_word_embeddings=False,
        ),
        mixtral_weights,
    ),
    # DeepSeek V2 Lite: no narrow step before the queries, softmax routing, mscale 0.707.
    "deepseek-v2-lite": (deepseek("deepseek_v2", "DeepseekV2ForCausalLM"), deepseek_weights),
    # DeepSeek V2: routing within the best groups, each as good as its best expert.
    "deepseek-v2": (
        deepseek(
            "deepseek_v2",
            "DeepseekV2ForCausalLM",
            q_lora_rank=24,
            n_routed_experts=12,
            num_experts_per_tok=3,
            topk_method="group_limited_greedy",
            n_group=4,
            topk_group=2,
            routed_scaling_factor=4.0,
        ),
        deepseek_weights,
    ),
    # DeepSeek V3: sigmoid scores with a correction for the choice, groups as good as their two best.
    "deepseek-v3": (deepseek("deepseek_v3", "DeepseekV3ForCausalLM", **V3_ROUTING), deepseek_weights),
    # Kimi K2: V3 without groups, one dense layer, a longer stretch.
    "kimi-k2": (
        deepseek(
            "kimi_k2",
            "DeepseekV3ForCausalLM",
            **V3_ROUTING
            | {
                "n_group": 1,
                "topk_group": 1,
                "routed_scaling_factor": 2.827,
                "rope_scaling": yarn(32.0, 1.0) | {"beta_fast": 1.0},
            },
        ),
        deepseek_weights,
    ),
    # Kimi K2 Thinking: the experts in 4 bits, packed, each with its scales.
    "kimi-k2-int4": (
        deepseek(
            "kimi_k2",
            "DeepseekV3ForCausalLM",
            **V3_ROUTING
            | {
                "hidden_size": 64,
                "moe_intermediate_size": 128,
                "n_routed_experts": 6,
                "num_experts_per_tok": 2,
                "n_group": 1,
                "topk_group": 1,
                "quantization_config": {
                    "quant_method": "compressed-tensors",
                    "format": "pack-quantized",
                    "config_groups": {
                        "group_0": {"weights": {"num_bits": 4, "group_size": 32, "symmetric": True, "type": "int"}}
                    },
                },
            },
        ),
        deepseek_weights,
    ),
    # As mlx-lm converts it: everything in 4 bits but where a layer says otherwise, experts stacked.
    "qwen3-moe-mlx": (
        config(
            "qwen3_moe",
            "Qwen3MoeForCausalLM",
            vocab_size=64,
            torch_dtype="float16",
            hidden_size=64,
            intermediate_size=96,
            moe_intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=8,
            num_key_value_heads=4,
            head_dim=16,
            num_experts=4,
            num_experts_per_tok=2,
            norm_topk_prob=True,
            decoder_sparse_step=1,
            mlp_only_layers=[],
            rms_norm_eps=1e-6,
            rope_theta=1000000.0,
            rope_scaling=None,
            tie_word_embeddings=False,
            quantization={
                "group_size": 32,
                "bits": 4,
                "model.layers.1.self_attn.k_proj": {"group_size": 64, "bits": 3},
                "model.layers.0.self_attn.o_proj": {"group_size": 128, "bits": 5},
            },
        ),
        qwen3_moe_weights,
    ),
    # Windows shorter than the prompts, sinks, biases, MXFP4 experts.
    "gpt-oss": (
        gpt_oss(hidden_size=64, intermediate_size=128, quantization_config={"quant_method": "mxfp4"}),
        gpt_oss_weights,
    ),
    "gpt-oss-float": (gpt_oss(hidden_size=32, intermediate_size=24), gpt_oss_weights),
}


def small(model_type, architecture, **rest):
    """The sizes that most have, in half precision."""
    return config(model_type, architecture) | {
        "vocab_size": 64,
        "torch_dtype": "float16",
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0,
        "tie_word_embeddings": False,
    } | rest


GLM_ROUTING = {
    "moe_intermediate_size": 16,
    "first_k_dense_replace": 1,
    "n_routed_experts": 8,
    "num_experts_per_tok": 2,
    "n_shared_experts": 1,
    "n_group": 1,
    "topk_group": 1,
    "norm_topk_prob": True,
    "routed_scaling_factor": 2.5,
}
GRANITE = {
    "head_dim": 8,
    "embedding_multiplier": 12.0,
    "attention_multiplier": 0.3,
    "residual_multiplier": 0.22,
    "logits_scaling": 0.5,
    "tie_word_embeddings": True,
}

def beside_pictures(model_type, architecture, text):
    """The config of a model that sees pictures too: what is said of the text in a place of its own."""
    return {
        "architectures": [architecture],
        "model_type": model_type,
        "vocab_size": text["vocab_size"],
        "torch_dtype": text["torch_dtype"],
        "tie_word_embeddings": text["tie_word_embeddings"],
        "text_config": text,
    }


def qwen3_vl_text(model_type, **rest):
    scaling = {"rope_type": "default", "mrope_section": [4, 2, 2], "mrope_interleaved": True}
    return small(model_type, "", rope_theta=5000000.0, rope_scaling=scaling, **rest)


def qwen3_5_text(model_type, values=12, **rest):
    return small(
        model_type,
        "",
        num_hidden_layers=4,
        num_experts=0,
        decoder_sparse_step=1,
        mlp_only_layers=[],
        full_attention_interval=4,
        linear_num_value_heads=8,
        linear_num_key_heads=4,
        linear_key_head_dim=12,
        linear_value_head_dim=values,
        linear_conv_kernel_dim=4,
        rope_parameters={
            "rope_type": "default",
            "mrope_section": [1, 1, 0],
            "rope_theta": 10000000.0,
            "partial_rotary_factor": 0.25,
        },
        **rest,
    )


CHECKPOINTS |= {
    # Qwen3-VL's text: as Qwen3, beside a picture tower.
    "qwen3-vl": (
        beside_pictures("qwen3_vl", "Qwen3VLForConditionalGeneration", qwen3_vl_text("qwen3_vl_text")),
        inner(qwen3_weights),
    ),
    # The same with experts, which lie turned over.
    "qwen3-vl-moe": (
        beside_pictures(
            "qwen3_vl_moe",
            "Qwen3VLMoeForConditionalGeneration",
            qwen3_vl_text(
                "qwen3_vl_moe_text",
                num_experts=6,
                num_experts_per_tok=2,
                moe_intermediate_size=24,
                norm_topk_prob=True,
                decoder_sparse_step=1,
                mlp_only_layers=[],
            ),
        ),
        inner(qwen3_vl_moe_weights),
    ),
    # Qwen3.5: as Qwen3-Next, without experts.
    "qwen3-5": (
        beside_pictures("qwen3_5", "Qwen3_5ForConditionalGeneration", qwen3_5_text("qwen3_5_text")),
        qwen3_5_weights,
    ),
    # No published one has values of another length than keys.
    "qwen3-5-uneven": (
        beside_pictures("qwen3_5", "Qwen3_5ForConditionalGeneration", qwen3_5_text("qwen3_5_text", values=8)),
        qwen3_5_weights,
    ),
    "qwen3-5-moe": (
        beside_pictures(
            "qwen3_5_moe",
            "Qwen3_5MoeForConditionalGeneration",
            qwen3_5_text("qwen3_5_moe_text")
            | {
                "num_experts": 6,
                "num_experts_per_tok": 2,
                "moe_intermediate_size": 16,
                "shared_expert_intermediate_size": 24,
            },
        ),
        qwen3_5_weights,
    ),
    # Kimi K2.5: K2 beside a picture tower.
    "kimi-k25": (
        beside_pictures(
            "kimi_k25",
            "KimiK25ForConditionalGeneration",
            deepseek("kimi_k2", "DeepseekV3ForCausalLM", **V3_ROUTING | {"n_group": 1, "topk_group": 1}),
        ),
        outer(deepseek_weights),
    ),
    # DeepSeek V3.2: V3 that reads the 24 tokens that an indexer chooses.
    "deepseek-v32": (
        deepseek("deepseek_v32", "DeepseekV32ForCausalLM", **V3_ROUTING, **INDEXER),
        sparse_weights,
    ),
    # GLM-5: the same without stretching, and pairs of the indexer's features side by side.
    "glm-moe-dsa": (
        deepseek(
            "glm_moe_dsa",
            "GlmMoeDsaForCausalLM",
            **V3_ROUTING
            | {
                "n_group": 1,
                "topk_group": 1,
                "rope_scaling": None,
                "rope_parameters": {"rope_theta": 1000000.0, "rope_type": "default"},
            },
            **INDEXER,
            num_nextn_predict_layers=1,
        ),
        sparse_weights,
    ),
    # GLM-4.5 and later: half of every head rotated, norms on heads, biases, a shared expert.
    "glm4-moe": (
        small(
            "glm4_moe",
            "Glm4MoeForCausalLM",
            **GLM_ROUTING,
            attention_bias=True,
            use_qk_norm=True,
            partial_rotary_factor=0.5,
            rope_scaling=None,
        ),
        glm4_moe_weights,
    ),
    # GLM-4.5-Air: none on heads.
    "glm4-moe-air": (
        small(
            "glm4_moe",
            "Glm4MoeForCausalLM",
            **GLM_ROUTING,
            attention_bias=True,
            use_qk_norm=False,
            partial_rotary_factor=0.5,
            rope_scaling=None,
        ),
        glm4_moe_weights,
    ),
    # GLM-4.7-Flash: latent attention without stretching; the file leaves out how scores become probabilities.
    "glm4-moe-lite": (
        {
            key: value
            for key, value in deepseek(
                "glm4_moe_lite",
                "Glm4MoeLiteForCausalLM",
                **GLM_ROUTING,
                q_lora_rank=24,
                topk_method="noaux_tc",
                rope_theta=1000000.0,
                rope_scaling=None,
            ).items()
            if key != "scoring_func"
        },
        lambda config: deepseek_weights(config | {"scoring_func": "sigmoid"}),
    ),
    # MiniMax M2: norms over all heads together, half of every head rotated, corrected choice of experts.
    "minimax-m2": (
        small(
            "minimax_m2",
            "MiniMaxM2ForCausalLM",
            intermediate_size=16,
            shared_intermediate_size=0,
            num_local_experts=6,
            num_experts_per_tok=2,
            rotary_dim=8,
            use_qk_norm=True,
            scoring_func="sigmoid",
        ),
        minimax_weights,
    ),
    # MiniMax M3: a dense layer first, then layers that read four runs of 32 keys, which other queries and keys choose.
    "minimax-m3": (
        beside_pictures(
            "minimax_m3_vl",
            "MiniMaxM3SparseForConditionalGeneration",
            small(
                "minimax_m3_vl_text",
                "",
                num_hidden_layers=3,
                intermediate_size=16,
                dense_intermediate_size=48,
                shared_intermediate_size=16,
                n_shared_experts=1,
                num_local_experts=6,
                num_experts_per_tok=2,
                rotary_dim=8,
                rope_theta=5000000.0,
                use_qk_norm=True,
                use_gemma_norm=True,
                scoring_func="sigmoid",
                routed_scaling_factor=2.0,
                hidden_act="swigluoai",
                swiglu_alpha=1.702,
                swiglu_limit=7.0,
                moe_layer_freq=[0, 1, 1],
                sparse_attention_config={
                    "use_sparse_attention": True,
                    "sparse_num_index_heads": 2,
                    "sparse_index_dim": 12,
                    "sparse_block_size": 32,
                    "sparse_topk_blocks": 4,
                    "sparse_local_block": 1,
                    "sparse_attention_freq": [0, 1, 1],
                },
            ),
        ),
        outer(minimax_m3_weights),
    ),
    # Gemma 3: norms around every block, two ropes, windows.
    "gemma3": (
        small(
            "gemma3_text",
            "Gemma3ForCausalLM",
            hidden_act="gelu_pytorch_tanh",
            hidden_size=64,
            num_hidden_layers=7,
            intermediate_size=32,
            head_dim=24,
            rope_theta=1000000.0,
            rope_local_base_freq=10000.0,
            rope_scaling={"rope_type": "linear", "factor": 8.0},
            query_pre_attn_scalar=24,
            sliding_window=24,
            sliding_window_pattern=6,
            tie_word_embeddings=True,
        ),
        gemma3_weights,
    ),
    # Ministral 3: queries grow every 64 positions.
    "ministral3": (
        small(
            "ministral3",
            "Ministral3ForCausalLM",
            rope_parameters={
                "rope_type": "yarn",
                "type": "yarn",
                "rope_theta": 1000000.0,
                "factor": 16.0,
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "mscale": 1.0,
                "mscale_all_dim": 1.0,
                "original_max_position_embeddings": 64,
                "llama_4_scaling_beta": 0.1,
            },
        ),
        dense_weights,
    ),
    # Mistral Small 3: Mistral's shape beside a picture tower.
    "mistral3": (
        beside_pictures("mistral3", "Mistral3ForConditionalGeneration", small("mistral", "", rope_theta=1000000.0)),
        outer(dense_weights),
    ),
    # Mistral 4: latent attention whose queries grow, softmax routing in groups, gates and ups of all experts in one tensor.
    "mistral4": (
        beside_pictures(
            "mistral3",
            "Mistral3ForConditionalGeneration",
            deepseek(
                "mistral4",
                "",
                num_hidden_layers=3,
                q_lora_rank=24,
                n_routed_experts=8,
                n_shared_experts=1,
                num_experts_per_tok=3,
                n_group=4,
                topk_group=2,
                norm_topk_prob=True,
                routed_scaling_factor=1.5,
                rope_interleave=True,
                rope_scaling=None,
                scoring_func=None,
                topk_method=None,
                rope_parameters=yarn(16.0, 1.0)
                | {
                    "rope_type": "yarn",
                    "rope_theta": 1000000.0,
                    "original_max_position_embeddings": 64,
                    "llama_4_scaling_beta": 0.1,
                },
            ),
        ),
        mistral4_weights,
    ),
    # SmolLM3: the second layer is not rotated.
    "smollm3": (
        small(
            "smollm3",
            "SmolLM3ForCausalLM",
            num_hidden_layers=5,
            intermediate_size=24,
            no_rope_layer_interval=4,
            no_rope_layers=[1, 1, 1, 0, 1],
            rope_scaling=None,
            tie_word_embeddings=True,
        ),
        dense_weights,
    ),
    # Phi-4: fused matrices.
    "phi3": (
        small("phi3", "Phi3ForCausalLM", hidden_size=64, rope_scaling=None, sliding_window=None),
        phi3_weights,
    ),
    # Phi-4-mini: three quarters of a head rotated.
    "phi3-partial": (
        small(
            "phi3",
            "Phi3ForCausalLM",
            hidden_size=64,
            partial_rotary_factor=0.75,
            rope_scaling=None,
            sliding_window=None,
            tie_word_embeddings=True,
        ),
        phi3_weights,
    ),
    # Phi-4-mini: every rotated pair is stretched by a number of its own.
    "phi3-long": (
        small(
            "phi3",
            "Phi3ForCausalLM",
            hidden_size=64,
            partial_rotary_factor=0.75,
            original_max_position_embeddings=16,
            rope_scaling={
                "type": "longrope",
                "short_factor": [1.0, 1.0, 1.1, 1.2, 1.3, 1.5],
                "long_factor": [1.0, 1.2, 1.9, 3.7, 6.1, 8.3],
            },
            sliding_window=None,
            tie_word_embeddings=True,
        ),
        phi3_weights,
    ),
    "granite": (
        small("granite", "GraniteForCausalLM", mlp_bias=False, rope_scaling=None, **GRANITE),
        dense_weights,
    ),
    # Granite 4: the only block is called the shared one.
    "granite4": (
        small(
            "granitemoehybrid",
            "GraniteMoeHybridForCausalLM",
            layer_types=["attention", "attention"],
            position_embedding_type="rope",
            num_local_experts=0,
            num_experts_per_tok=0,
            shared_intermediate_size=48,
            **GRANITE,
        ),
        granite4_weights,
    ),
    "granite4-moe": (
        small(
            "granitemoehybrid",
            "GraniteMoeHybridForCausalLM",
            layer_types=["attention", "attention"],
            position_embedding_type="nope",
            intermediate_size=16,
            num_local_experts=6,
            num_experts_per_tok=2,
            shared_intermediate_size=24,
            **GRANITE,
        ),
        granite4_weights,
    ),
    # Granite 4's hybrids: Mamba-2 in all layers but one.
    "granite4-h": (
        small(
            "granitemoehybrid",
            "GraniteMoeHybridForCausalLM",
            num_hidden_layers=3,
            layer_types=["mamba", "attention", "mamba"],
            position_embedding_type="nope",
            intermediate_size=16,
            num_local_experts=4,
            num_experts_per_tok=2,
            shared_intermediate_size=24,
            mamba_n_heads=8,
            mamba_d_head=8,
            mamba_d_state=12,
            mamba_d_conv=4,
            mamba_n_groups=1,
            mamba_conv_bias=True,
            mamba_proj_bias=False,
            **GRANITE,
        ),
        granite4_hybrid_weights,
    ),
    # OLMo 2: norms after the blocks, no windows.
    "olmo2": (
        small("olmo2", "Olmo2ForCausalLM", head_dim=8, intermediate_size=32, rope_theta=500000.0),
        olmo3_weights,
    ),
    # OLMo 3: norms after the blocks, windows in three layers of four, the fourth stretched.
    "olmo3": (
        small(
            "olmo3",
            "Olmo3ForCausalLM",
            num_hidden_layers=4,
            intermediate_size=32,
            sliding_window=24,
            rope_theta=500000.0,
            rope_scaling={
                "rope_type": "yarn",
                "factor": 8.0,
                "original_max_position_embeddings": 64,
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "attention_factor": 1.2079441541679836,
            },
        ),
        olmo3_weights,
    ),
    # Qwen3-Next: delta nets, and one layer of attention.
    "qwen3-next": (
        small(
            "qwen3_next",
            "Qwen3NextForCausalLM",
            num_hidden_layers=4,
            moe_intermediate_size=16,
            shared_expert_intermediate_size=24,
            num_experts=6,
            num_experts_per_tok=2,
            norm_topk_prob=True,
            decoder_sparse_step=1,
            mlp_only_layers=[],
            full_attention_interval=4,
            linear_num_value_heads=8,
            linear_num_key_heads=4,
            linear_key_head_dim=16,
            linear_value_head_dim=16,
            linear_conv_kernel_dim=4,
            partial_rotary_factor=0.25,
            rope_scaling=None,
        ),
        qwen3_next_weights,
    ),
    "seed-oss": (
        small(
            "seed_oss",
            "SeedOssForCausalLM",
            attention_bias=True,
            attention_out_bias=False,
            mlp_bias=False,
            rope_scaling={"rope_type": "default"},
        ),
        qwen2_weights,
    ),
}


def step_weights(config):
    """Experts in stacks beside the block, a gate for every head, more heads in layers with a window."""
    hidden, ffn, experts = config["hidden_size"], config["moe_intermediate_size"], config["moe_num_experts"]
    shapes = outer_weights(config)
    for layer, kind in enumerate(config["layer_types"]):
        other = config["attention_other_setting"] if kind == "sliding_attention" else config
        heads, groups, dim = other["num_attention_heads"], other["num_attention_groups"], config["head_dim"]
        one = {
            "input_layernorm": (hidden,),
            "post_attention_layernorm": (hidden,),
            "self_attn.q_proj": (heads * dim, hidden),
            "self_attn.k_proj": (groups * dim, hidden),
            "self_attn.v_proj": (groups * dim, hidden),
            "self_attn.o_proj": (hidden, heads * dim),
            "self_attn.g_proj": (heads, hidden),
            "self_attn.q_norm": (dim,),
            "self_attn.k_norm": (dim,),
        }
        if str(layer) in config["moe_layers_enum"].split(","):
            shapes[f"model.layers.{layer}.moe.router_bias"] = (experts,)
            one |= {
                "moe.gate": (experts, hidden),
                "moe.gate_proj": (experts, ffn, hidden),
                "moe.up_proj": (experts, ffn, hidden),
                "moe.down_proj": (experts, hidden, ffn),
                "share_expert.gate_proj": (config["share_expert_dim"], hidden),
                "share_expert.up_proj": (config["share_expert_dim"], hidden),
                "share_expert.down_proj": (hidden, config["share_expert_dim"]),
            }
        else:
            wide = config["intermediate_size"]
            one |= {"mlp.gate_proj": (wide, hidden), "mlp.up_proj": (wide, hidden), "mlp.down_proj": (hidden, wide)}
        shapes |= {f"model.layers.{layer}.{name}.weight": shape for name, shape in one.items()}
    return shapes


def kimi_linear_weights(config):
    """Delta nets with narrow steps before gates and decays; latent attention in the other layers."""
    hidden, ffn = config["hidden_size"], config["moe_intermediate_size"]
    net = config["linear_attn_config"]
    heads, dim = net["num_heads"], net["head_dim"]
    latent = deepseek_weights(
        config
        | {
            "q_lora_rank": None,
            "n_routed_experts": 1,
            "n_shared_experts": 1,
            "scoring_func": "softmax",
        }
    )
    shapes = {name: shape for name, shape in latent.items() if ".mlp." not in name or ".layers.0." in name}
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        if layer >= config["first_k_dense_replace"]:
            moe, wide = f"{prefix}block_sparse_moe.", ffn * config["num_shared_experts"]
            shapes |= {
                f"{moe}gate.weight": (config["num_experts"], hidden),
                f"{moe}gate.e_score_correction_bias": (config["num_experts"],),
                f"{moe}shared_experts.gate_proj.weight": (wide, hidden),
                f"{moe}shared_experts.up_proj.weight": (wide, hidden),
                f"{moe}shared_experts.down_proj.weight": (hidden, wide),
            }
            for expert in range(config["num_experts"]):
                for name, shape in (("w1", (ffn, hidden)), ("w3", (ffn, hidden)), ("w2", (hidden, ffn))):
                    shapes[f"{moe}experts.{expert}.{name}.weight"] = shape
        if layer + 1 not in net["kda_layers"]:
            continue
        shapes = {name: shape for name, shape in shapes.items() if not name.startswith(f"{prefix}self_attn")}
        whole = (heads * dim, hidden)
        taps = (heads * dim, 1, net["short_conv_kernel_size"])
        shapes |= {
            f"{prefix}self_attn.{name}": shape
            for name, shape in {
                **{f"{part}_proj.weight": whole for part in "qkv"},
                **{f"{part}_conv1d.weight": taps for part in "qkv"},
                "f_a_proj.weight": (dim, hidden),
                "f_b_proj.weight": (heads * dim, dim),
                "g_a_proj.weight": (dim, hidden),
                "g_b_proj.weight": (heads * dim, dim),
                "b_proj.weight": (heads, hidden),
                "A_log": (1, 1, heads, 1),
                "dt_bias": (heads * dim,),
                "o_norm.weight": (dim,),
                "o_proj.weight": (hidden, heads * dim),
            }.items()
        }
    return shapes


CHECKPOINTS |= {
    # Step-3.5-Flash: windows with heads and a rotation of their own, gated heads, limited activations.
    "step35": (
        config(
            "step3p5",
            "Step3p5ForCausalLM",
            vocab_size=64,
            torch_dtype="float16",
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=4,
            num_attention_heads=4,
            num_attention_groups=2,
            head_dim=16,
            attention_other_setting={"num_attention_heads": 6, "num_attention_groups": 2, "head_dim": 16},
            layer_types=["full_attention", "sliding_attention", "sliding_attention", "full_attention"],
            sliding_window=24,
            rope_theta=[500000.0, 10000.0, 10000.0, 500000.0],
            partial_rotary_factors=[0.5, 1.0, 1.0, 0.5],
            rope_scaling={
                "rope_type": "llama3",
                "factor": 2.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 32.0,
                "original_max_position_embeddings": 256,
            },
            yarn_only_types=["full_attention"],
            use_head_wise_attn_gate=True,
            moe_layers_enum="1,2,3",
            moe_num_experts=6,
            moe_top_k=2,
            moe_intermediate_size=16,
            share_expert_dim=24,
            moe_router_scaling_factor=3.0,
            norm_expert_weight=True,
            swiglu_limits=[0.0, 0.0, 0.0, 0.4],
            swiglu_limits_shared=[0.0, 0.0, 0.3, 0.0],
            rms_norm_eps=1e-5,
            tie_word_embeddings=False,
        ),
        step_weights,
    ),
    # Kimi Linear: delta nets that forget by feature, and one layer of latent attention that turns nothing.
    "kimi-linear": (
        {
            key: value
            for key, value in deepseek(
                "kimi_linear",
                "KimiLinearForCausalLM",
                num_hidden_layers=4,
                head_dim=24,
                rope_scaling=None,
                mla_use_nope=True,
                model_max_length=1024,
                num_experts=6,
                num_experts_per_token=2,
                num_shared_experts=1,
                moe_router_activation_func="sigmoid",
                moe_renormalize=True,
                num_expert_group=1,
                topk_group=1,
                routed_scaling_factor=2.446,
                linear_attn_config={
                    "kda_layers": [1, 2, 4],
                    "full_attn_layers": [3],
                    "head_dim": 12,
                    "num_heads": 4,
                    "short_conv_kernel_size": 4,
                },
            ).items()
            if key not in ("max_position_embeddings", "n_routed_experts", "n_shared_experts", "scoring_func")
        },
        kimi_linear_weights,
    ),
}


def kimi_k3_weights(config):
    """As Kimi Linear, with blends of what the stream was, and what else the config says."""
    hidden, ffn = config["hidden_size"], config["moe_intermediate_size"]
    net, narrow = config["linear_attn_config"], config["q_lora_rank"]
    heads, dim = net["num_heads"], net["head_dim"]
    attention_heads, value = config["num_attention_heads"], config["v_head_dim"]
    query = attention_heads * (config["qk_nope_head_dim"] + config["qk_rope_head_dim"])
    shapes = kimi_linear_weights(config)
    blends = ["output_attn_res"]
    for layer in range(config["num_hidden_layers"]):
        prefix, moe = f"model.layers.{layer}.", f"model.layers.{layer}.block_sparse_moe."
        blends += [f"layers.{layer}.self_attention_res", f"layers.{layer}.mlp_res"]
        if layer + 1 in net["kda_layers"]:
            # There are more of them than heads.
            shapes[f"{prefix}self_attn.A_log"] = (heads + 2,)
            if net.get("use_full_rank_gate"):
                del shapes[f"{prefix}self_attn.g_a_proj.weight"], shapes[f"{prefix}self_attn.g_b_proj.weight"]
                shapes[f"{prefix}self_attn.g_proj.weight"] = (heads * dim, hidden)
        else:
            if narrow:
                del shapes[f"{prefix}self_attn.q_proj.weight"]
                shapes |= {
                    f"{prefix}self_attn.q_a_proj.weight": (narrow, hidden),
                    f"{prefix}self_attn.q_a_layernorm.weight": (narrow,),
                    f"{prefix}self_attn.q_b_proj.weight": (query, narrow),
                }
            if config.get("mla_use_output_gate"):
                shapes[f"{prefix}self_attn.g_proj.weight"] = (attention_heads * value, hidden)
        wide = config.get("routed_expert_hidden_size")
        if layer < config["first_k_dense_replace"] or not wide:
            continue
        shapes |= {
            f"{moe}routed_expert_down_proj.weight": (wide, hidden),
            f"{moe}routed_expert_up_proj.weight": (hidden, wide),
        }
        if config.get("latent_moe_use_norm"):
            shapes[f"{moe}routed_expert_norm.weight"] = (wide,)
        for expert in range(config["num_experts"]):
            for name, rows, cols in (("w1", ffn, wide), ("w3", ffn, wide), ("w2", wide, ffn)):
                name = f"{moe}experts.{expert}.{name}.weight"
                shapes[name] = (rows, cols)
                if "quantization_config" in config:
                    del shapes[name]
                    shapes |= {f"{name}_packed": (rows, cols // 2), f"{name}_scale": (rows, cols // 32)}
    for blend in blends:
        parts = ("_norm.weight", "_proj.weight") if narrow else (".norm_weight", ".proj_weight")
        shapes |= {f"model.{blend}{part}": shape for part, shape in zip(parts, ((hidden,), (1, hidden)))}
    return shapes


def kimi_k3(net, **rest):
    left_out = ("n_routed_experts", "n_shared_experts", "scoring_func", "rope_scaling", "rope_theta")
    text = deepseek(
        "kimi_linear",
        "KimiLinearForCausalLM",
        num_hidden_layers=5,
        rms_norm_eps=1e-5,
        hidden_act="situ",
        mla_use_nope=True,
        num_experts=6,
        num_experts_per_token=2,
        num_shared_experts=2,
        moe_router_activation_func="sigmoid",
        moe_renormalize=True,
        use_grouped_topk=True,
        num_expert_group=1,
        routed_scaling_factor=2.446,
        linear_attn_config={
            "kda_layers": [1, 2, 4, 5],
            "full_attn_layers": [3],
            "head_dim": 12,
            "num_heads": 4,
            "short_conv_kernel_size": 4,
        }
        | net,
    )
    text = {key: value for key, value in text.items() if key not in left_out}
    return beside_pictures("kimi_k3", "KimiK3ForConditionalGeneration", text | rest)


K3 = {
    "q_lora_rank": 24,
    "mla_use_output_gate": True,
    "activation_situ_beta": 2.0,
    "activation_situ_linear_beta": 3.0,
    "latent_moe_use_norm": True,
}
K3_NET = {"gate_lower_bound": -5.0, "use_full_rank_gate": True}

CHECKPOINTS |= {
    # Kimi K3: Kimi Linear whose blocks read blends of what the stream was every two layers; gates, floors, narrow experts.
    "kimi-k3": (kimi_k3(K3_NET, **K3, routed_expert_hidden_size=24, attn_res_block_size=2), outer(kimi_k3_weights)),
    # As it is published: the experts in MXFP4.
    "kimi-k3-mxfp4": (
        kimi_k3(
            K3_NET,
            **K3,
            num_hidden_layers=3,
            num_experts=4,
            moe_intermediate_size=128,
            routed_expert_hidden_size=64,
            attn_res_block_size=2,
            quantization_config={
                "quant_method": "compressed-tensors",
                "format": "mxfp4-pack-quantized",
                "config_groups": {"group_0": {"weights": {"num_bits": 4, "group_size": 32, "symmetric": True, "type": "float"}}},
            },
        ),
        outer(kimi_k3_weights),
    ),
    # As mlx-lm converts it.
    "kimi-k3-mlx": (
        kimi_k3(K3_NET, **K3, num_hidden_layers=3, routed_expert_hidden_size=24, attn_res_block_size=2),
        outer(kimi_k3_weights),
    ),
    # Without most of it, and with heads of nets that are not those of attention.
    "kimi-k3-plain": (kimi_k3({"num_heads": 6}, attn_res_block_size=3), outer(kimi_k3_weights)),
}


def nemotron_weights(config):
    """One block to a layer, all called mixers."""
    hidden, heads = config["hidden_size"], config["mamba_num_heads"]
    inner, states = heads * config["mamba_head_dim"], config["n_groups"] * config["ssm_state_size"]
    dim, experts = config["head_dim"], config["n_routed_experts"]
    q, kv = dim * config["num_attention_heads"], dim * config["num_key_value_heads"]
    plain = lambda width, prefix="": {f"{prefix}up_proj.weight": (width, hidden), f"{prefix}down_proj.weight": (hidden, width)}
    blocks = {
        "M": {
            "in_proj.weight": (2 * inner + 2 * states + heads, hidden),
            "conv1d.weight": (inner + 2 * states, 1, config["conv_kernel"]),
            "conv1d.bias": (inner + 2 * states,),
            "dt_bias": (heads,),
            "A_log": (heads,),
            "D": (heads,),
            "norm.weight": (inner,),
            "out_proj.weight": (hidden, inner),
        },
        "*": {
            "q_proj.weight": (q, hidden),
            "k_proj.weight": (kv, hidden),
            "v_proj.weight": (kv, hidden),
            "o_proj.weight": (hidden, q),
        },
        "-": plain(config["intermediate_size"]),
        "E": {
            "gate.weight": (experts, hidden),
            "gate.e_score_correction_bias": (experts,),
            **plain(config["moe_shared_expert_intermediate_size"], "shared_experts."),
        },
    }
    for expert in range(experts):
        blocks["E"] |= plain(config["moe_intermediate_size"], f"experts.{expert}.")
    shapes = {
        "backbone.embeddings.weight": (config["vocab_size"], hidden),
        "backbone.norm_f.weight": (hidden,),
        "lm_head.weight": (config["vocab_size"], hidden),
    }
    for layer, block in enumerate(config["hybrid_override_pattern"]):
        shapes[f"backbone.layers.{layer}.norm.weight"] = (hidden,)
        shapes |= {f"backbone.layers.{layer}.mixer.{name}": shape for name, shape in blocks[block].items()}
    return shapes


def nemotron(pattern):
    return config(
        "nemotron_h",
        "NemotronHForCausalLM",
        vocab_size=64,
        torch_dtype="float16",
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=8,
        hybrid_override_pattern=pattern,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        mamba_num_heads=8,
        mamba_head_dim=8,
        mamba_proj_bias=False,
        ssm_state_size=12,
        conv_kernel=4,
        n_groups=4,
        mlp_bias=False,
        use_bias=False,
        use_conv_bias=True,
        layer_norm_epsilon=1e-5,
        n_routed_experts=6,
        n_shared_experts=1,
        num_experts_per_tok=2,
        moe_intermediate_size=16,
        moe_shared_expert_intermediate_size=24,
        n_group=1,
        topk_group=1,
        norm_topk_prob=True,
        routed_scaling_factor=2.5,
        tie_word_embeddings=False,
    )


CHECKPOINTS |= {
    # Nemotron 3: Mamba-2 normed by groups, attention that turns nothing, squared activations, experts; one block to a layer.
    "nemotron-h": (nemotron("MEM*EMEM"), nemotron_weights),
    "nemotron-h-dense": (nemotron("M-M*-MM-"), nemotron_weights),
    # No published one has both.
    "nemotron-h-both": (nemotron("M-M*EMEM"), nemotron_weights),
}


def gemma4_weights(config):
    shapes = gemma3_weights(config)
    hidden, wide = config["hidden_size"], config["global_head_dim"]
    for layer, kind in enumerate(config["layer_types"]):
        prefix = f"model.layers.{layer}."
        shapes[f"{prefix}layer_scalar"] = (1,)
        if kind == "full_attention":
            heads, groups = config["num_attention_heads"], config["num_global_key_value_heads"]
            if config["attention_k_eq_v"]:
                del shapes[f"{prefix}self_attn.v_proj.weight"]
            else:
                groups = config["num_key_value_heads"]
                shapes[f"{prefix}self_attn.v_proj.weight"] = (groups * wide, hidden)
            shapes |= {
                f"{prefix}self_attn.q_proj.weight": (heads * wide, hidden),
                f"{prefix}self_attn.k_proj.weight": (groups * wide, hidden),
                f"{prefix}self_attn.o_proj.weight": (hidden, heads * wide),
                f"{prefix}self_attn.q_norm.weight": (wide,),
                f"{prefix}self_attn.k_norm.weight": (wide,),
            }
        if config["enable_moe_block"]:
            experts, ffn = config["num_experts"], config["moe_intermediate_size"]
            for norm in ("post_feedforward_layernorm_1", "pre_feedforward_layernorm_2", "post_feedforward_layernorm_2"):
                shapes[f"{prefix}{norm}.weight"] = (hidden,)
            shapes |= {
                f"{prefix}router.proj.weight": (experts, hidden),
                f"{prefix}router.scale": (hidden,),
                f"{prefix}router.per_expert_scale": (experts,),
                f"{prefix}experts.gate_up_proj": (experts, 2 * ffn, hidden),
                f"{prefix}experts.down_proj": (experts, hidden, ffn),
            }
        if config["use_double_wide_mlp"] and layer >= config["num_hidden_layers"] - config["num_kv_shared_layers"]:
            for name in ("gate_proj", "up_proj", "down_proj"):
                name = f"{prefix}mlp.{name}.weight"
                shapes[name] = tuple(2 * n if n == config["intermediate_size"] else n for n in shapes[name])
        if inputs := config["hidden_size_per_layer_input"]:
            shapes |= {
                f"{prefix}per_layer_input_gate.weight": (inputs, hidden),
                f"{prefix}per_layer_projection.weight": (hidden, inputs),
                f"{prefix}post_per_layer_input_norm.weight": (hidden,),
            }
    if inputs := config["hidden_size_per_layer_input"]:
        width = config["num_hidden_layers"] * inputs
        shapes |= {
            "model.embed_tokens_per_layer.weight": (config["vocab_size"], width),
            "model.per_layer_model_projection.weight": (width, hidden),
            "model.per_layer_projection_norm.weight": (inputs,),
        }
    return shapes


def gemma4(**rest):
    defaults = {
        "hidden_act": "gelu_pytorch_tanh",
        "num_hidden_layers": 4,
        "intermediate_size": 32,
        "head_dim": 12,
        "global_head_dim": 24,
        "num_global_key_value_heads": 1,
        "attention_k_eq_v": True,
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention", "sliding_attention"],
        "rope_parameters": {
            "full_attention": {"partial_rotary_factor": 0.25, "rope_theta": 1000000.0, "rope_type": "proportional"},
            "sliding_attention": {"rope_theta": 10000.0, "rope_type": "default"},
        },
        "sliding_window": 24,
        "sliding_window_pattern": 3,
        "final_logit_softcapping": 30.0,
        "hidden_size_per_layer_input": 0,
        "num_kv_shared_layers": 0,
        "use_double_wide_mlp": False,
        "enable_moe_block": False,
        "tie_word_embeddings": True,
    }
    return small("gemma4_text", "Gemma4ForCausalLM", **defaults | rest)


CHECKPOINTS |= {
    # Gemma 4, dense: wide heads whose keys are their values in the layers without a window, scaled layers.
    "gemma4": (gemma4(), gemma4_weights),
    # Its small models: inputs of every layer's own; the last three layers read the keys and values of the second and third.
    "gemma4-inputs": (
        gemma4(
            num_hidden_layers=6,
            intermediate_size=24,
            attention_k_eq_v=False,
            layer_types=["sliding_attention", "sliding_attention", "full_attention"] * 2,
            hidden_size_per_layer_input=8,
            vocab_size_per_layer_input=64,
            num_kv_shared_layers=3,
            use_double_wide_mlp=True,
        ),
        gemma4_weights,
    ),
    # Experts beside the dense blocks.
    "gemma4-moe": (
        gemma4(enable_moe_block=True, num_experts=6, top_k_experts=2, moe_intermediate_size=16),
        gemma4_weights,
    ),
}


def llama4_weights(config):
    shapes = dense_weights(config)
    hidden, ffn, experts = config["hidden_size"], config["intermediate_size"], config["num_local_experts"]
    every, dense = config["interleave_moe_layer_step"], config["intermediate_size_mlp"]
    mlp = {"gate_proj": (ffn, hidden), "up_proj": (ffn, hidden), "down_proj": (hidden, ffn)}
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        for name in mlp:
            del shapes[f"{prefix}mlp.{name}.weight"]
        block = f"{prefix}feed_forward."
        if (layer + 1) % every:
            sizes = {name: tuple(dense if size == ffn else size for size in shape) for name, shape in mlp.items()}
            shapes |= {f"{block}{name}.weight": shape for name, shape in sizes.items()}
            continue
        shapes |= {f"{block}shared_expert.{name}.weight": shape for name, shape in mlp.items()}
        shapes |= {
            f"{block}router.weight": (experts, hidden),
            f"{block}experts.gate_up_proj": (experts, hidden, 2 * ffn),
            f"{block}experts.down_proj": (experts, ffn, hidden),
        }
    return shapes


def llama4(**rest):
    text = small(
        "llama4_text",
        "",
        num_hidden_layers=5,
        intermediate_size=24,
        intermediate_size_mlp=48,
        interleave_moe_layer_step=2,
        num_local_experts=4,
        num_experts_per_tok=1,
        rope_theta=500000.0,
        rope_scaling={
            "factor": 16.0,
            "high_freq_factor": 4.0,
            "low_freq_factor": 1.0,
            "original_max_position_embeddings": 256,
            "rope_type": "llama3",
        },
        use_qk_norm=True,
        attention_bias=False,
        attn_temperature_tuning=4,
        no_rope_layers=[1, 1, 1, 0, 1],
    )
    return beside_pictures("llama4", "Llama4ForConditionalGeneration", text | rest)


CHECKPOINTS |= {
    # Llama 4: chunks of 24 tokens, queries that grow every 50, experts in every second layer.
    "llama4": (llama4(attention_chunk_size=24, floor_scale=50, attn_scale=0.1), outer(llama4_weights)),
    # As published: chunks longer than the prompts, an expert in every layer.
    "llama4-scout": (
        llama4(attention_chunk_size=8192, floor_scale=8192, attn_scale=0.1, interleave_moe_layer_step=1),
        outer(llama4_weights),
    ),
}


def deepseek_v41_weights(config):
    """As published: bare names, block-diagonal matrices flat, experts one by one."""
    hidden, heads, head = config["hidden_size"], config["num_attention_heads"], config["head_dim"]
    narrow, groups, out = config["q_lora_rank"], config["o_groups"], config["o_lora_rank"]
    index_heads, index = config["index_n_heads"], config["index_head_dim"]
    ffn, streams = config["moe_intermediate_size"], config["hc_mult"]
    mixes = (2 + streams) * streams
    shapes = {
        "embed.weight": (config["vocab_size"], hidden),
        "head.weight": (config["vocab_size"], hidden),
        "norm.weight": (hidden,),
    }
    mlp = {"w1.weight": (ffn, hidden), "w2.weight": (hidden, ffn), "w3.weight": (ffn, hidden)}
    for layer in range(config["num_hidden_layers"]):
        own = {
            "attn_norm.weight": (hidden,),
            "ffn_norm.weight": (hidden,),
            "attn.wq_a.weight": (narrow, hidden),
            "attn.q_norm.weight": (narrow,),
            "attn.wq_b.weight": (heads * head, narrow),
            "attn.wkv.weight": (head, hidden),
            "attn.kv_norm.weight": (head,),
            "attn.attn_sink": (heads,),
            "attn.wo_a.weight": (groups * out, heads * head // groups),
            "attn.wo_b.weight": (hidden, groups * out),
            "ffn.gate.weight": (config["n_routed_experts"], hidden),
            "ffn.gate.bias": (config["n_routed_experts"],),
        }
        for block in ("hc_attn", "hc_ffn"):
            own |= {f"{block}_fn": (mixes, streams * hidden), f"{block}_base": (mixes,), f"{block}_scale": (3,)}
        experts = [f"experts.{expert}" for expert in range(config["n_routed_experts"])]
        for expert in [*experts, "shared_experts"]:
            own |= {f"ffn.{expert}.{name}": shape for name, shape in mlp.items()}
        pools = layer in config["kv_source_layer_ids"]
        if pools:
            own |= {"attn.compressor.wkv.weight": (head, hidden), "attn.compressor.norm.weight": (head,)}
            if config["compress_ratios"][layer] > 1:
                own["attn.compressor.wgate.weight"] = (head, hidden)
        if layer in config["index_source_layer_ids"]:
            own |= {
                "attn.indexer.wq_b.weight": (index_heads * index, narrow),
                "attn.indexer.weights_proj.weight": (index_heads, hidden),
            }
            if pools:
                own |= {"attn.indexer.wk.weight": (index, head), "attn.indexer.k_norm.weight": (index,)}
        shapes |= {f"layers.{layer}.{name}": shape for name, shape in own.items()}
    return shapes


def deepseek_v41(**rest):
    return config("deepseek_v41", "DeepseekV41ForCausalLM") | {
        "vocab_size": 64,
        "torch_dtype": "float16",
        "hidden_size": 32,
        "num_attention_heads": 8,
        "q_lora_rank": 24,
        "qk_rope_head_dim": 8,
        "o_groups": 4,
        "o_lora_rank": 8,
        "moe_intermediate_size": 16,
        "n_routed_experts": 6,
        "num_experts_per_tok": 2,
        "scoring_func": "sqrtsoftplus",
        "gate_temp": 1.25,
        "norm_topk_prob": True,
        "routed_scaling_factor": 1.5,
        # Low, so that it is met.
        "swiglu_limit": 1.5,
        "rms_norm_eps": 1e-6,
        "sliding_window": 24,
        "compress_rope_theta": 160000.0,
        "candidate_topk_blocks": 6,
        "candidate_block_size": 4,
        "index_n_heads": 8,
        "index_topk": 12,
        "rope_theta": 10000.0,
        "rope_scaling": {
            "type": "yarn",
            "factor": 16,
            "beta_fast": 32,
            "beta_slow": 1,
            "original_max_position_embeddings": 512,
        },
        "hc_mult": 4,
        "hc_sinkhorn_iters": 5,
        "hc_eps": 1e-6,
        "tie_word_embeddings": False,
    } | rest


CHECKPOINTS |= {
    # DeepSeek V4.1. A layer with a window alone; one whose rows are tokens, and one that reads them; one that pools four tokens, chooses rows
    # and runs of rows for others; one that reads all that; one that only chooses, among those runs; one that only pools; one that does both.
    # Heads are no whole blocks of those that are rounded together, so that nothing is.
    "deepseek-v41": (
        deepseek_v41(
            num_hidden_layers=8,
            head_dim=24,
            index_head_dim=20,
            compress_ratios=[0, 1, 1, 4, 4, 4, 4, 4],
            kv_source_layer_ids=[1, 3, 6, 7],
            index_source_layer_ids=[1, 3, 5, 7],
            candidate_source_layer_id=3,
        ),
        deepseek_v41_weights,
    ),
    # Rounded: small, since a value that is rounded to another side changes all that comes after it.
    "deepseek-v41-rounded": (
        deepseek_v41(
            num_hidden_layers=3,
            head_dim=32,
            index_head_dim=32,
            compress_ratios=[4, 4],
            kv_source_layer_ids=[0],
            index_source_layer_ids=[0, 1],
            candidate_source_layer_id=0,
        ),
        deepseek_v41_weights,
    ),
}


# As mlx-lm saves them: its own names, experts in stacks, heads' keys and values apart, taps turned, norms with their one.
CONVERTED = {
    "kimi-k3-mlx": None,
    "kimi-linear-mlx": None,
    "nemotron-h-mlx": None,
    "qwen3-5-moe-mlx": None,
    "deepseek-v3-mlx": {"group_size": 32, "bits": 4},
}


def left_out(config, *keys):
    return {key: value for key, value in config.items() if key not in keys}


CHECKPOINTS |= {
    "kimi-linear-mlx": CHECKPOINTS["kimi-linear"],
    "nemotron-h-mlx": CHECKPOINTS["nemotron-h"],
    "qwen3-5-moe-mlx": (
        beside_pictures(
            "qwen3_5_moe",
            "Qwen3_5MoeForConditionalGeneration",
            CHECKPOINTS["qwen3-5-moe"][0]["text_config"] | {"num_hidden_layers": 2, "full_attention_interval": 2},
        ),
        qwen3_5_weights,
    ),
    # The file leaves out how experts are scored and weighed, as newer transformers' do.
    "deepseek-v3-mlx": (
        left_out(
            deepseek(
                "deepseek_v3",
                "DeepseekV3ForCausalLM",
                **V3_ROUTING
                | {
                    "hidden_size": 64,
                    "q_lora_rank": 32,
                    "kv_lora_rank": 32,
                    "qk_nope_head_dim": 32,
                    "v_head_dim": 32,
                    "intermediate_size": 128,
                    "moe_intermediate_size": 128,
                    "n_shared_experts": 1,
                    "n_routed_experts": 4,
                    "num_experts_per_tok": 2,
                    "n_group": 1,
                    "topk_group": 1,
                },
            ),
            "scoring_func",
            "norm_topk_prob",
        ),
        lambda config: deepseek_weights(config | {"scoring_func": "sigmoid"}),
    ),
}


# mlx-lm adds one to these norms in the type they are stored in: in half precision that would be the larger error.
CENTRED = ["qwen3-next", "qwen3-5", "qwen3-5-uneven", "qwen3-5-moe", "step35"]


# Where values are rounded to few bits on the way, most numbers lie so near to an edge that another order of additions shows in the
# logits. These were the steadiest of 430: mlx-lm's own logits did not move under noise of 8e-7 before the rounding.
SALTS = {"deepseek-v41-rounded": " 87"}


def random_weights(name, shapes, dtype):
    """Wide enough that attention is far from uniform and every layer matters in the logits."""
    rng = np.random.default_rng(zlib.crc32((name + SALTS.get(name, "")).encode()))
    weights = {}
    for key, shape in sorted(shapes.items()):
        if key.endswith(("_blocks", "_packed")):
            weights[key] = rng.integers(0, 256, shape, dtype=np.uint8)
            continue
        if key.endswith(("_scales", "weight_scale")):
            weights[key] = rng.integers(121, 125, shape, dtype=np.uint8)
            continue
        uniform = rng.random(shape, dtype=np.float32)
        if key.endswith(("e_score_correction_bias", "router_bias", "ffn.gate.bias")):
            weights[key] = 0.2 * uniform
            continue
        if key.endswith(("bias", "sinks", "attn_sink", "_base")):
            values = 2.0 * uniform - 1.0
        elif len(shape) == 1:
            values = 0.5 + uniform
        else:
            values = (2.0 * uniform - 1.0) * np.float32(2.5 / np.sqrt(shape[-1]))
        is_centred = name in CENTRED and len(shape) == 1
        weights[key] = values.astype("float32" if is_centred else dtype)
    return weights


def in_mlx_form(weights, quantization):
    """Every matrix as codes, scales and biases; the experts of a layer in one stack."""
    import mlx.core as mx

    for key in sorted(key for key in weights if ".experts.0." in key):
        names = [key.replace(".experts.0.", f".experts.{expert}.") for expert in range(len(weights))]
        stack = [weights.pop(name) for name in names if name in weights]
        weights[key.replace(".experts.0.", ".switch_mlp.")] = np.stack(stack)
    packed = {}
    for key, values in weights.items():
        stem = key.removesuffix(".weight")
        if values.ndim == 1:
            packed[key] = values
            continue
        layer = quantization.get(stem, quantization)
        parts = mx.quantize(mx.array(values), group_size=layer["group_size"], bits=layer["bits"])
        packed |= {f"{stem}.{part}": np.array(array) for part, array in zip(("weight", "scales", "biases"), parts)}
    return packed


def in_packed_form(weights, group=32):
    """Experts as compressed-tensors packs them: eight codes to a word, lowest first, 8 standing for zero."""
    packed = {}
    for key, values in weights.items():
        if ".mlp.experts." not in key:
            packed[key] = values
            continue
        groups = values.astype(np.float32).reshape(len(values), -1, group)
        scales = (np.abs(groups).max(axis=2) / 7.0).astype(np.float16)
        codes = np.rint(groups / scales[:, :, None].astype(np.float32)) + 8
        codes = codes.clip(0, 15).astype(np.uint32).reshape(len(values), -1, 8)
        words = (codes << np.arange(0, 32, 4, dtype=np.uint32)).sum(axis=2, dtype=np.uint32)
        packed |= {
            f"{key}_packed": words.view(np.int32),
            f"{key}_scale": scales,
            f"{key}_shape": np.array(values.shape, np.int64),
        }
    return packed


def as_mlx_saves(directory, config, weights, quantization):
    """What `mlx_lm.convert` writes."""
    from mlx.utils import tree_flatten
    from mlx_lm.utils import load_model, quantize_model

    write_checkpoint(directory, config, weights)
    model, config = load_model(directory)
    if quantization:
        model, config = quantize_model(model, config, **quantization)
    return config, {name: np.array(value) for name, value in tree_flatten(model.parameters())}


def random_prompts(name, vocab_size):
    rng = np.random.default_rng(zlib.crc32(f"prompts of {name}".encode()))
    prompts = []
    for length in SHORT_PROMPT_LENGTHS if name in SALTS else PROMPT_LENGTHS:
        rows = list(range(length)) if length <= 64 else [row for row in ROWS_OF_LONG_PROMPT if row < length]
        rows = rows if rows[-1] == length - 1 else [*rows, length - 1]
        prompts.append({"tokens": rng.integers(0, vocab_size, length).tolist(), "rows": rows})
    return prompts


def write_checkpoint(directory, config, weights):
    from safetensors.numpy import save

    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (directory / "model.safetensors").write_bytes(save(weights, metadata={"format": "pt"}))


def load(directory, config, weights):
    from mlx_lm.utils import load_model

    if config["model_type"] != "gpt_oss" or "quantization_config" in config:
        return load_model(directory)[0]
    with tempfile.TemporaryDirectory() as other:
        write_checkpoint(Path(other), config, gpt_oss_for_mlx(weights))
        return load_model(Path(other))[0]


def write_expected(directory, name, config, weights):
    import mlx.core as mx

    mx.set_default_device(mx.cpu)
    vocab_size = config["vocab_size"]
    model = load(directory, config, weights)
    model.set_dtype(mx.float32)
    prompts = random_prompts(name, vocab_size)
    with open(directory / "expected.f32", "wb") as out:
        for prompt in prompts:
            logits = model(mx.array([prompt["tokens"]]))
            assert logits.dtype == mx.float32, logits.dtype
            rows = np.array(logits[0])[prompt["rows"]]
            assert np.isfinite(rows).all()
            out.write(rows.astype("<f4").tobytes())
    expected = {"vocab_size": vocab_size, "prompts": prompts}
    (directory / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


def write_all(root, only=None):
    for name in [only] if only else CHECKPOINTS:
        config, shapes = CHECKPOINTS[name]
        weights = random_weights(name, shapes(config), config["torch_dtype"])
        if config.get("quantization_config", {}).get("format") == "pack-quantized":
            weights = in_packed_form(weights)
        if "quantization" in config:
            weights = in_mlx_form(weights, config["quantization"])
        if name in CONVERTED:
            config, weights = as_mlx_saves(root / name, config, weights, CONVERTED[name])
        write_checkpoint(root / name, config, weights)
        write_expected(root / name, name, config, weights)


def differences(stored, fresh):
    """Inputs must be the same bytes; logits may differ by what another CPU's order of additions makes."""
    for name in CHECKPOINTS:
        for file in ("config.json", "model.safetensors", "expected.json"):
            if (stored / name / file).read_bytes() != (fresh / name / file).read_bytes():
                yield f"{name}/{file}"
        old, new = (np.fromfile(root / name / "expected.f32", "<f4") for root in (stored, fresh))
        if old.shape != new.shape or np.abs(old - new).max() > 1e-4:
            yield f"{name}/expected.f32"


if __name__ == "__main__":
    write_all(Path(sys.argv[1]), *sys.argv[2:])
