"""Tiny random checkpoints and the logits that mlx-lm computes from them in f32.

    python oracles/tiny.py DIR        writes DIR/<name>/{config.json, model.safetensors, expected.json, expected.f32}

A checkpoint is a row of CHECKPOINTS: a config as the model hub would hold it, and the function that lists
the names and shapes of its weights as they are stored there. mlx-lm maps both by itself (`sanitize`), so the
expected logits depend on nothing of ours but the random numbers.

expected.json   {"vocab_size", "prompts": [{"tokens": [...], "rows": [...]}]}
expected.f32    little-endian f32: for each prompt in order, for each of its rows (a position in the prompt),
                the `vocab_size` logits there
"""

import json
import sys
import zlib
from pathlib import Path

import numpy as np

VOCAB_SIZE = 256
PROMPT_LENGTHS = [1, 7, 64, 513]
# Every row of a 513-token prompt would be half a megabyte: keep the ends and the block boundaries.
ROWS_OF_LONG_PROMPT = [0, 1, 15, 16, 63, 64, 255, 256, 511, 512]


def dense_weights(config):
    """Names and shapes of a decoder with grouped attention and a gated feed-forward network."""
    hidden, ffn = config["hidden_size"], config["intermediate_size"]
    head = config.get("head_dim") or hidden // config["num_attention_heads"]
    q, kv = head * config["num_attention_heads"], head * config["num_key_value_heads"]
    shapes = {"model.embed_tokens.weight": (VOCAB_SIZE, hidden), "model.norm.weight": (hidden,)}
    if not config["tie_word_embeddings"]:
        shapes["lm_head.weight"] = (VOCAB_SIZE, hidden)
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
}


def random_weights(name, shapes):
    """Wide enough that attention is far from uniform and every layer matters in the logits."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    weights = {}
    for key, shape in sorted(shapes.items()):
        uniform = rng.random(shape, dtype=np.float32)
        if len(shape) == 1:
            weights[key] = 0.5 + uniform
        else:
            weights[key] = (2.0 * uniform - 1.0) * np.float32(2.5 / np.sqrt(shape[-1]))
    return weights


def random_prompts(name):
    rng = np.random.default_rng(zlib.crc32(f"prompts of {name}".encode()))
    prompts = []
    for length in PROMPT_LENGTHS:
        rows = list(range(length)) if length <= 64 else ROWS_OF_LONG_PROMPT
        prompts.append({"tokens": rng.integers(0, VOCAB_SIZE, length).tolist(), "rows": rows})
    return prompts


def write_checkpoint(directory, config, weights):
    from safetensors.numpy import save

    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (directory / "model.safetensors").write_bytes(save(weights, metadata={"format": "pt"}))


def write_expected(directory, name):
    import mlx.core as mx
    from mlx_lm.utils import load_model

    mx.set_default_device(mx.cpu)
    model, _ = load_model(directory)
    prompts = random_prompts(name)
    with open(directory / "expected.f32", "wb") as out:
        for prompt in prompts:
            logits = model(mx.array([prompt["tokens"]]))
            assert logits.dtype == mx.float32, logits.dtype
            rows = np.array(logits[0])[prompt["rows"]]
            assert np.isfinite(rows).all()
            out.write(rows.astype("<f4").tobytes())
    expected = {"vocab_size": VOCAB_SIZE, "prompts": prompts}
    (directory / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


def write_all(root):
    for name, (config, shapes) in CHECKPOINTS.items():
        write_checkpoint(root / name, config, random_weights(name, shapes(config)))
        write_expected(root / name, name)


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
    write_all(Path(sys.argv[1]))
