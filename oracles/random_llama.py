"""Random-weight models as GGUF files, in F16 or in any type that llama.cpp quantises to, with the tokenizer of SmolLM2 so that llama.cpp loads them.

Embeddings are tied: the token table is also the output matrix and is read once per token, as in SmolLM2 and
Llama 3.2.
"""

import ctypes
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np


@dataclass
class Shape:
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    ffn: int
    context: int = 4096
    # Scales the logits: near 1 all tokens are about as likely as one another.
    output_scale: float = 1.0


# The shape every speed table uses: 1.07 billion parameters.
LLAMA_1_2B = Shape(hidden=2048, layers=16, heads=32, kv_heads=8, ffn=8192)
# SmolLM2's rows are no multiple of 256, so llama.cpp stores none of them as K-quants; these rows are.
K_QUANT_SHAPE = Shape(hidden=512, layers=4, heads=8, kv_heads=4, ffn=1024, context=1024, output_scale=1.5)


# Rows of a matrix that is quantised here, over and over: what they hold does not matter to a measurement of speed.
POOL_ROWS = 64


def write(path, shape, tokenizer_from, seed=0, kind=None):
    """Writes the model to `path`, taking the tokenizer's metadata from the GGUF file `tokenizer_from`.

    Matrices are F16, or all of the quantised type that `kind` names: then rows repeat.
    """
    facts = {
        "context_length": shape.context,
        "embedding_length": shape.hidden,
        "block_count": shape.layers,
        "feed_forward_length": shape.ffn,
        "attention.head_count": shape.heads,
        "attention.head_count_kv": shape.kv_heads,
        "rope.dimension_count": shape.hidden // shape.heads,
        "rope.freq_base": 10000.0,
        "attention.layer_norm_rms_epsilon": 1e-5,
    }
    # llama.cpp wants the rows of q and k permuted for its rope; random rows are as good permuted as not.
    kv = shape.hidden // shape.heads * shape.kv_heads
    tensors = {"output_norm.weight": (shape.hidden,)}
    for layer in range(shape.layers):
        tensors |= {
            f"blk.{layer}.{name}.weight": dims
            for name, dims in {
                "attn_norm": (shape.hidden,),
                "attn_q": (shape.hidden, shape.hidden),
                "attn_k": (kv, shape.hidden),
                "attn_v": (kv, shape.hidden),
                "attn_output": (shape.hidden, shape.hidden),
                "ffn_norm": (shape.hidden,),
                "ffn_gate": (shape.ffn, shape.hidden),
                "ffn_up": (shape.ffn, shape.hidden),
                "ffn_down": (shape.hidden, shape.ffn),
            }.items()
        }
    write_file(path, "llama", facts, tensors, tokenizer_from, seed, kind, shape.output_scale)


def write_file(path, architecture, facts, tensors, tokenizer_from, seed=0, kind=None, output_scale=1.0):
    """A file of these facts and tensors, and of a token table, which is the output matrix too."""
    source = gguf.GGUFReader(tokenizer_from)
    vocab = len(source.fields["tokenizer.ggml.tokens"].data)
    writer = gguf.GGUFWriter(path, architecture)
    hidden = facts["embedding_length"]
    writer.add_name(f"Random {architecture}, hidden {hidden}, {facts['block_count']} layers")
    adders = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32}
    for name, value in (facts | {"vocab_size": vocab}).items():
        adders[type(value)](f"{architecture}.{name}", value)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    for name, field in source.fields.items():
        if name.startswith("tokenizer."):
            value, *element = field.types
            writer.add_key_value(name, field.contents(), value, element[0] if element else None)

    tensors = {"token_embd.weight": (vocab, hidden)} | tensors
    raw = gguf.GGMLQuantizationType[kind] if kind else None
    for name, dims in tensors.items():
        if is_float(name, dims):
            writer.add_tensor_info(name, dims, np.dtype(np.float32), int(np.prod(dims)) * 4)
        elif kind:
            stored = gguf.quant_shape_to_byte_shape(dims, raw)
            writer.add_tensor_info(name, stored, np.dtype(np.uint8), int(np.prod(stored)), raw_dtype=raw)
        else:
            writer.add_tensor_info(name, dims, np.dtype(np.float16), int(np.prod(dims)) * 2)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()

    rng = np.random.default_rng(seed)
    pools = {}
    for name, dims in tensors.items():
        cols = dims[-1]
        if len(dims) == 1:
            scale = output_scale if name == "output_norm.weight" else 1.0
            # How fast states decay is told by a negative number.
            sign = np.float32(-1.0 if name.endswith("ssm_a") else 1.0)
            writer.write_tensor_data(sign * np.float32(scale) * (0.75 + rng.random(dims, dtype=np.float32) / 2))
        elif kind and not is_float(name, dims):
            if cols not in pools:
                values = rng.standard_normal((POOL_ROWS, cols), dtype=np.float32) / np.sqrt(cols)
                pools[cols] = quantised(values.astype(np.float32), kind)
            writer.write_tensor_data(pools[cols][np.arange(np.prod(dims[:-1])) % POOL_ROWS])
        else:
            values = rng.standard_normal(dims, dtype=np.float32)
            values *= 1.0 / np.sqrt(cols)
            writer.write_tensor_data(values if is_float(name, dims) else values.astype(np.float16))
    writer.close()


def is_float(name, dims):
    """Whether a tensor is kept in F32 whatever the others are: vectors, routers and taps."""
    return len(dims) == 1 or "ffn_gate_inp" in name or "ssm_conv1d" in name


def glm_3b(path, tokenizer_from, kind):
    """GLM-4.5's kind, 3.1 billion parameters: 10 layers (the first dense), 8 of 64 experts of 768 and a shared one."""
    hidden, layers, heads, kv_heads, dim, experts, inner, ffn = 2048, 10, 32, 4, 128, 64, 768, 6144
    facts = {
        "context_length": 4096,
        "embedding_length": hidden,
        "block_count": layers,
        "feed_forward_length": ffn,
        "attention.head_count": heads,
        "attention.head_count_kv": kv_heads,
        "attention.key_length": dim,
        "attention.value_length": dim,
        "attention.layer_norm_rms_epsilon": 1e-5,
        "rope.dimension_count": dim // 2,
        "rope.freq_base": 1000000.0,
        "expert_count": experts,
        "expert_used_count": 8,
        "expert_feed_forward_length": inner,
        "expert_shared_count": 1,
        "leading_dense_block_count": 1,
        "expert_gating_func": 2,
        "expert_weights_scale": 1.0,
        "expert_weights_norm": True,
    }
    tensors = {"output_norm.weight": (hidden,)}
    for layer in range(layers):
        own = {
            "attn_norm.weight": (hidden,),
            "attn_q.weight": (heads * dim, hidden),
            "attn_k.weight": (kv_heads * dim, hidden),
            "attn_v.weight": (kv_heads * dim, hidden),
            "attn_q.bias": (heads * dim,),
            "attn_k.bias": (kv_heads * dim,),
            "attn_v.bias": (kv_heads * dim,),
            "attn_output.weight": (hidden, heads * dim),
            "post_attention_norm.weight": (hidden,),
        }
        if layer == 0:
            own |= mlp("", (), hidden, ffn)
        else:
            own |= mlp("_exps", (experts,), hidden, inner) | mlp("_shexp", (), hidden, inner)
            own |= {"ffn_gate_inp.weight": (experts, hidden), "exp_probs_b.bias": (experts,)}
        tensors |= {f"blk.{layer}.{name}": dims for name, dims in own.items()}
    write_file(path, "glm4moe", facts, tensors, tokenizer_from, kind=kind)


def qwen3_next_3b(path, tokenizer_from, kind, names):
    """Qwen3-Next's kind, 2.9 billion parameters: 12 layers (every fourth attends), 10 of 64 experts of 512 and a shared one.

    llama.cpp and Tandem call the parts of delta nets and of gated attention otherwise: `names` says whose names are written.
    """
    hidden, layers, heads, kv_heads, dim, experts, inner = 2048, 12, 16, 2, 256, 64, 512
    value_heads, key_heads, width, kernel = 32, 16, 128, 4
    keys, values = key_heads * width, value_heads * width
    facts = {
        "context_length": 4096,
        "embedding_length": hidden,
        "block_count": layers,
        "feed_forward_length": 5632,
        "attention.head_count": heads,
        "attention.head_count_kv": kv_heads,
        "attention.key_length": dim,
        "attention.value_length": dim,
        "attention.layer_norm_rms_epsilon": 1e-6,
        "rope.dimension_count": dim // 4,
        "rope.freq_base": 10000000.0,
        "expert_count": experts,
        "expert_used_count": 10,
        "expert_feed_forward_length": inner,
        "expert_shared_feed_forward_length": inner,
        "full_attention_interval": 4,
        "ssm.conv_kernel": kernel,
        "ssm.inner_size": values,
        "ssm.state_size": width,
        "ssm.time_step_rank": value_heads,
        "ssm.group_count": key_heads,
    }
    ours = names == "tandem"
    tensors = {"output_norm.weight": (hidden,)}
    for layer in range(layers):
        own = {"attn_norm.weight": (hidden,), "post_attention_norm.weight": (hidden,)}
        own |= mlp("_exps", (experts,), hidden, inner) | mlp("_shexp", (), hidden, inner)
        own["ffn_gate_inp.weight"] = (experts, hidden)
        own["ffn_gate_inp_shexp.weight"] = (1, hidden) if ours else (hidden,)
        if (layer + 1) % 4 == 0:
            own |= {
                "attn_q.weight": ((1 if ours else 2) * heads * dim, hidden),
                "attn_k.weight": (kv_heads * dim, hidden),
                "attn_v.weight": (kv_heads * dim, hidden),
                "attn_output.weight": (hidden, heads * dim),
                "attn_q_norm.weight": (dim,),
                "attn_k_norm.weight": (dim,),
            }
            own |= {"attn_gate.weight": (heads * dim, hidden)} if ours else {}
        else:
            own |= {
                "ssm_dt.bias": (value_heads,),
                "ssm_a": (value_heads,),
                "ssm_norm.weight": (width,),
                "ssm_out.weight": (hidden, values),
            }
            if ours:
                parts = {"q": keys, "k": keys, "v": values}
                own |= {f"ssm_{part}.weight": (rows, hidden) for part, rows in parts.items()}
                own |= {f"ssm_conv1d_{part}.weight": (rows, kernel) for part, rows in parts.items()}
                own |= {"ssm_gate.weight": (values, hidden)}
                own |= {f"ssm_{part}.weight": (value_heads, hidden) for part in ("beta", "alpha")}
            else:
                own |= {
                    "attn_qkv.weight": (2 * keys + values, hidden),
                    "attn_gate.weight": (values, hidden),
                    "ssm_conv1d.weight": (2 * keys + values, kernel),
                    "ssm_ba.weight": (2 * value_heads, hidden),
                }
        tensors |= {f"blk.{layer}.{name}": dims for name, dims in own.items()}
    write_file(path, "qwen3next", facts, tensors, tokenizer_from, kind=kind)


def mlp(suffix, stack, hidden, inner):
    return {
        f"ffn_gate{suffix}.weight": (*stack, inner, hidden),
        f"ffn_up{suffix}.weight": (*stack, inner, hidden),
        f"ffn_down{suffix}.weight": (*stack, hidden, inner),
    }


def quantised(values, kind):
    """Rows of floats as llama.cpp stores them, every column as important as another."""
    import llama_cpp

    lib = ctypes.CDLL(str(Path(llama_cpp.__file__).parent / "lib/libggml-base.so"))
    floats = ctypes.POINTER(ctypes.c_float)
    chunk = lib.ggml_quantize_chunk
    chunk.restype = ctypes.c_size_t
    chunk.argtypes = [ctypes.c_int, floats, ctypes.c_void_p, *[ctypes.c_int64] * 3, floats]
    raw = gguf.GGMLQuantizationType[kind]
    lib.ggml_quantize_init(ctypes.c_int(raw))
    rows, cols = values.shape
    out = np.zeros(gguf.quant_shape_to_byte_shape((rows, cols), raw), np.uint8)
    ones = np.ones(cols, np.float32)
    written = chunk(
        raw, values.ctypes.data_as(floats), out.ctypes.data, 0, rows, cols, ones.ctypes.data_as(floats)
    )
    assert written == out.nbytes, f"{kind}: {written} bytes of {out.nbytes}"
    return out
