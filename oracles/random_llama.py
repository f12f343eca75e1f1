"""Random-weight Llama models as GGUF files, in F16 or in any type that llama.cpp quantises to, with the tokenizer of SmolLM2 so that llama.cpp loads them.

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
    source = gguf.GGUFReader(tokenizer_from)
    vocab = len(source.fields["tokenizer.ggml.tokens"].data)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(f"Random Llama, hidden {shape.hidden}, {shape.layers} layers")
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.hidden)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.ffn)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_rope_dimension_count(shape.hidden // shape.heads)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(vocab)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    for name, field in source.fields.items():
        if name.startswith("tokenizer."):
            kind, *element = field.types
            writer.add_key_value(name, field.contents(), kind, element[0] if element else None)

    # llama.cpp wants the rows of q and k permuted for its rope; random rows are as good permuted as not.
    kv = shape.hidden // shape.heads * shape.kv_heads
    tensors = {"token_embd.weight": (vocab, shape.hidden), "output_norm.weight": (shape.hidden,)}
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
    for name, dims in tensors.items():
        if len(dims) > 1 and kind:
            raw = gguf.GGMLQuantizationType[kind]
            stored = gguf.quant_shape_to_byte_shape(dims, raw)
            writer.add_tensor_info(name, stored, np.dtype(np.uint8), int(np.prod(stored)), raw_dtype=raw)
            continue
        dtype, size = (np.float32, 4) if len(dims) == 1 else (np.float16, 2)
        writer.add_tensor_info(name, dims, np.dtype(dtype), int(np.prod(dims)) * size)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()

    rng = np.random.default_rng(seed)
    pools = {}
    for name, dims in tensors.items():
        if len(dims) == 1:
            scale = shape.output_scale if name == "output_norm.weight" else 1.0
            writer.write_tensor_data(np.float32(scale) * (0.75 + rng.random(dims, dtype=np.float32) / 2))
        elif kind:
            rows, cols = dims
            if cols not in pools:
                values = rng.standard_normal((POOL_ROWS, cols), dtype=np.float32) / np.sqrt(cols)
                pools[cols] = quantised(values.astype(np.float32), kind)
            writer.write_tensor_data(pools[cols][np.arange(rows) % POOL_ROWS])
        else:
            values = rng.standard_normal(dims, dtype=np.float32)
            values *= 1.0 / np.sqrt(dims[1])
            writer.write_tensor_data(values.astype(np.float16))
    writer.close()


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
