"""Writes the golden files beside this script; `tests/quant.rs` holds our code to them.

    pip install gguf numpy llama-cpp-python
    python make.py [path/to/libggml-base.so]

For each type T:
  T.blocks   random stored blocks (any code, any sub-scale, finite half-float scales)
  T.values   what Python's `gguf` reads from them, as f32
  T.packed   values.f32 quantised by llama.cpp's library
and once:
  values.f32 1024 values of several characters
"""

import ctypes
import pathlib
import sys

import gguf
import numpy as np
from gguf import GGMLQuantizationType as T

HERE = pathlib.Path(__file__).parent
# Byte offsets of the half floats in a block; the rest may be any bytes.
HALVES = {
    T.F32: None, T.F16: None, T.BF16: None,
    T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0],
    T.Q2_K: [80, 82], T.Q3_K: [108], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208],
    T.IQ4_NL: [0], T.IQ4_XS: [0], T.MXFP4: [],
}
# Read, and written only by ourselves.
READ = {
    T.IQ1_S: [0], T.IQ1_M: [], T.IQ2_XXS: [0], T.IQ2_XS: [0], T.IQ2_S: [0], T.IQ3_XXS: [0], T.IQ3_S: [0],
    T.TQ1_0: [52], T.TQ2_0: [64],
}


def main() -> None:
    rng = np.random.default_rng(20240607)
    values = np.concatenate([
        rng.normal(0, 0.02, 256),                                  # ordinary weights
        rng.standard_t(3, 256) * 0.05,                             # heavy tails
        rng.uniform(0.5, 1.5, 128), rng.uniform(-1.5, -0.5, 128),  # one-sided
        np.zeros(64), np.full(64, 0.25), np.full(64, -3.0), rng.choice([-1.0, 0.0, 1.0], 64),
    ]).astype(np.float32)
    values.tofile(HERE / "values.f32")

    for t, halves in HALVES.items():
        block_len, block_bytes = gguf.GGML_QUANT_SIZES[t]
        blocks = 512 // block_len
        if halves is None:
            raw = gguf.quants.quantize(rng.normal(0, 10, blocks).astype(np.float32), t).view(np.uint8)
        else:
            raw = rng.integers(0, 256, (blocks, block_bytes), dtype=np.uint8)
            for at in halves:
                raw[:, at:at + 2] = rng.normal(0, 0.1, (blocks, 1)).astype("<f2").view(np.uint8)
            if t == T.MXFP4:
                raw[:4, 0] = [0, 1, 2, 253]  # subnormal scales, and the largest whose values are finite
                raw[4:, 0] = rng.integers(100, 140, blocks - 4)
        raw = raw.reshape(-1)
        raw.tofile(HERE / f"{t.name}.blocks")
        read = gguf.quants.dequantize(raw.view(np.float32) if t == T.F32 else raw.view(np.float16) if t == T.F16 else raw, t)
        read.astype("<f4").tofile(HERE / f"{t.name}.values")
        pack(t, values).tofile(HERE / f"{t.name}.packed")


def write_read_only() -> None:
    rng = np.random.default_rng(20261116)
    for t, halves in READ.items():
        _, block_bytes = gguf.GGML_QUANT_SIZES[t]
        raw = rng.integers(0, 256, (4, block_bytes), dtype=np.uint8)
        for at in halves:
            raw[:, at:at + 2] = rng.normal(0, 0.1, (4, 1)).astype("<f2").view(np.uint8)
        if t == T.IQ1_M:
            # The scale of all is spread over the top nibbles of the last four words.
            d = rng.normal(0, 0.1, 4).astype("<f2").view(np.uint16)
            words = raw[:, 48:].view(np.uint16)
            for i in range(4):
                words[:, i] = words[:, i] & 0x0FFF | (d >> (4 * i) & 15) << 12
        raw.tofile(HERE / f"{t.name}.blocks")
        gguf.quants.dequantize(raw.reshape(-1), t).astype("<f4").tofile(HERE / f"{t.name}.values")


def pack(t: T, values: np.ndarray) -> np.ndarray:
    block_len, block_bytes = gguf.GGML_QUANT_SIZES[t]
    out = np.zeros(values.size // block_len * block_bytes, np.uint8)
    written = GGML.ggml_quantize_chunk(
        ctypes.c_int(t.value), values.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p),
        ctypes.c_int64(0), ctypes.c_int64(1), ctypes.c_int64(values.size), ctypes.c_void_p(None))
    assert written == out.size, t
    return out


def library() -> ctypes.CDLL:
    if len(sys.argv) > 1:
        path = sys.argv[1]
    else:
        import llama_cpp
        path = next(pathlib.Path(llama_cpp.__file__).parent.glob("lib/libggml-base.*"))
    lib = ctypes.CDLL(str(path))
    lib.ggml_quantize_chunk.restype = ctypes.c_size_t
    return lib


GGML = library()
main()
write_read_only()
