"""Small quantised safetensors checkpoints in every form that is read, and the values mlx makes of them.

    python oracles/quantised.py DIR     writes DIR/<form>/{config.json, model.safetensors, expected.safetensors}

expected.safetensors holds, under the name the whole tensor goes by, its values in F32 as `mlx.core.dequantize` and
`mlx.core.from_fp8` give them: what mlx-lm computes with when it loads such a checkpoint.
"""

import json
import re
import sys
from pathlib import Path

import mlx.core as mx
import numpy as np

# Bits and group of each MLX tensor; all but the first are exceptions in the config.
AFFINE = [(bits, group) for bits in (4, 3, 5, 6, 8) for group in (64, 32, 128)]
FP8_BLOCK = [16, 64]


def random(rng, *shape):
    return mx.array(rng.normal(0, 0.02, shape).astype(np.float32)).astype(mx.bfloat16)


def f32(array):
    return array.astype(mx.float32)


def mlx_affine(rng):
    """The first dimension of one of them is experts."""
    weights, expected, layers = {}, {}, {}
    for bits, group in AFFINE:
        stem = f"model.layers.0.q{bits}_{group}"
        shape = (2, 3, 256) if group == 32 else (3, 256)
        codes, scales, biases = mx.quantize(random(rng, *shape), group_size=group, bits=bits)
        weights |= {f"{stem}.weight": codes, f"{stem}.scales": scales, f"{stem}.biases": biases}
        # In f32, so that nothing is rounded after the scales.
        expected[f"{stem}.weight"] = mx.dequantize(codes, f32(scales), f32(biases), group_size=group, bits=bits)
        layers[stem] = {"group_size": group, "bits": bits}
    codes, scales = mx.quantize(random(rng, 2, 3, 64), group_size=32, bits=4, mode="mxfp4")
    stem = "model.layers.0.experts"
    weights |= {f"{stem}.weight": codes, f"{stem}.scales": scales}
    expected[f"{stem}.weight"] = f32(mx.dequantize(codes, scales, group_size=32, bits=4, mode="mxfp4"))
    layers[stem] = {"group_size": 32, "bits": 4, "mode": "mxfp4"}
    weights["model.norm.weight"] = expected["model.norm.weight"] = mx.arange(8, dtype=mx.float32)
    default = layers.pop(f"model.layers.0.q{AFFINE[0][0]}_{AFFINE[0][1]}")
    return {"quantization": default | layers | {"lm_head": False}}, weights, expected


def mxfp4(rng):
    codes, scales = mx.quantize(random(rng, 3, 5, 96), group_size=32, bits=4, mode="mxfp4")
    name = "model.layers.0.mlp.experts.gate_up_proj"
    blocks = mx.array(np.array(codes).view(np.uint8).reshape(3, 5, 3, 16))
    expected = f32(mx.dequantize(codes, scales, group_size=32, bits=4, mode="mxfp4"))
    return (
        {"quantization_config": {"quant_method": "mxfp4"}},
        {f"{name}_blocks": blocks, f"{name}_scales": scales},
        {name: expected},
    )


def int4(rng):
    """As Kimi-K2-Thinking ships: compressed-tensors, symmetric, groups of 32."""
    name = "model.layers.1.mlp.experts.0.gate_proj.weight"
    codes = rng.integers(0, 2**32, (5, 12), dtype=np.uint64).astype(np.uint32)
    scales = random(rng, 5, 3)
    weights = {
        f"{name}_packed": mx.array(codes.view(np.int32)),
        f"{name}_scale": scales,
        f"{name}_shape": mx.array(np.array([5, 96], np.int64)),
    }
    expected = mx.dequantize(mx.array(codes), f32(scales), -8 * f32(scales), group_size=32, bits=4)
    group = {"weights": {"num_bits": 4, "group_size": 32, "strategy": "group", "symmetric": True, "type": "int"}}
    config = {"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {"group_0": group}}
    return {"quantization_config": config}, weights, {name: expected}


def fp8(rng):
    """As DeepSeek V3 ships, in smaller blocks; the last ones are not whole."""
    name = "model.layers.0.self_attn.o_proj.weight"
    rows, cols = 40, 160
    # All codes but the two that are not numbers.
    codes = rng.integers(0, 255, (rows, cols), dtype=np.uint8)
    codes[codes == 0x7F] = 0
    grid = [-(-rows // FP8_BLOCK[0]), -(-cols // FP8_BLOCK[1])]
    scales = rng.uniform(1e-5, 1e-4, grid).astype(np.float32)
    spread = np.kron(scales, np.ones(FP8_BLOCK, np.float32))[:rows, :cols]
    expected = mx.from_fp8(mx.array(codes), dtype=mx.float32) * mx.array(spread)
    config = {"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": FP8_BLOCK}
    weights = {name: mx.array(codes), f"{name}_scale_inv": mx.array(scales)}
    return {"quantization_config": config}, weights, {name: expected}


def tiles(rng):
    """As DeepSeek V4.1 ships: exponents for tiles of 32 by 32 codes of 8 bits, or for runs of 32 codes of 4 bits."""
    from mlx_lm.models.deepseek_v41 import _repack

    codes = rng.integers(0, 255, (40, 96), dtype=np.uint8)
    codes[codes == 0x7F] = 0
    pairs = rng.integers(0, 256, (6, 48), dtype=np.uint8)
    weights, expected = {}, {}
    for stem, codes, grid, bits in (("attn.wq_a", codes, (2, 3), 8), ("ffn.experts.0.w1", pairs, (6, 3), 4)):
        codes, scales = mx.array(codes), mx.array(rng.integers(110, 120, grid, dtype=np.uint8))
        weights |= {f"layers.0.{stem}.weight": codes, f"layers.0.{stem}.scale": scales}
        packed, scales = _repack(codes, scales)
        values = mx.dequantize(packed, scales, group_size=32, bits=bits, mode=f"mxfp{bits}")
        expected[f"layers.0.{stem}.weight"] = f32(values)
    return {}, weights, expected


def mxfp4_packed(rng):
    """As compressed-tensors writes it (Kimi K3): two codes to a byte, the lower half first."""
    codes, scales = mx.quantize(random(rng, 5, 96), group_size=32, bits=4, mode="mxfp4")
    name = "model.layers.0.block_sparse_moe.experts.0.w1.weight"
    return (
        {"quantization_config": {"quant_method": "compressed-tensors", "format": "mxfp4-pack-quantized"}},
        {f"{name}_packed": mx.array(np.array(codes).view(np.uint8)), f"{name}_scale": scales},
        {name: f32(mx.dequantize(codes, scales, group_size=32, bits=4, mode="mxfp4"))},
    )


def nvfp4(rng):
    """Of MLX by itself; as ModelOpt writes it, with a factor; as compressed-tensors does, with a divisor."""
    weights, expected = {}, {}
    for stem, factor in (("own", 1.0), ("modelopt", 0.0021), ("compressed", 1 / 448.0)):
        # What is quantised is larger by the factor, so that the weights themselves are of the usual size.
        codes, scales = mx.quantize(random(rng, 5, 96) / factor, group_size=16, bits=4, mode="nvfp4")
        name = f"model.layers.0.{stem}.weight"
        expected[name] = f32(mx.dequantize(codes, scales, group_size=16, bits=4, mode="nvfp4")) * factor
        nibbles = mx.array(np.array(codes).view(np.uint8))
        if stem == "own":
            weights |= {name: codes, f"model.layers.0.{stem}.scales": scales}
        elif stem == "modelopt":
            weights |= {name: nibbles, f"{name}_scale": scales, f"{name}_scale_2": mx.array(factor)}
        else:
            divisor = mx.array([1 / factor])
            weights |= {f"{name}_packed": nibbles, f"{name}_scale": scales, f"{name}_global_scale": divisor}
    return {"quantization": {"group_size": 16, "bits": 4, "mode": "nvfp4"}}, weights, expected


def mxfp8(rng):
    """As mlx-lm converts with `--q-mode mxfp8`: E4M3 in words of four, exponents for runs of 32."""
    stem = "model.layers.0.mlp.switch_mlp.up_proj"
    codes, scales = mx.quantize(random(rng, 2, 3, 96), group_size=32, bits=8, mode="mxfp8")
    expected = mx.dequantize(codes, scales, group_size=32, bits=8, mode="mxfp8", dtype=mx.float32)
    config = {"group_size": 32, "bits": 8, "mode": "mxfp8"}
    return {"quantization": config}, {f"{stem}.weight": codes, f"{stem}.scales": scales}, {f"{stem}.weight": expected}


def awq(rng):
    """Taken apart by mlx-lm's own reader of such checkpoints."""
    from mlx_lm.utils import _transform_awq_weights

    stem, group = "model.layers.0.self_attn.q_proj", 64
    inputs, outputs = 192, 24
    words = lambda *shape: mx.array(rng.integers(0, 2**32, shape, dtype=np.uint64).astype(np.uint32).view(np.int32))
    weights = {
        f"{stem}.qweight": words(inputs, outputs // 8),
        f"{stem}.qzeros": words(inputs // group, outputs // 8),
        f"{stem}.scales": mx.array(rng.uniform(1e-3, 4e-3, (inputs // group, outputs)).astype(np.float16)),
        "model.norm.weight": mx.arange(8, dtype=mx.float32),
    }
    section = {"quant_method": "awq", "bits": 4, "group_size": group, "version": "gemm", "zero_point": True}
    # In f32, so that biases are not rounded.
    parts, _ = _transform_awq_weights(
        {key: f32(value) if key.endswith("scales") else value for key, value in weights.items()}, section
    )
    whole = mx.dequantize(*(parts[f"{stem}.{part}"] for part in ("weight", "scales", "biases")), group_size=group, bits=4)
    return (
        {"quantization_config": section},
        weights,
        {f"{stem}.weight": whole, "model.norm.weight": weights["model.norm.weight"]},
    )


def gptq(rng, bits=4, symmetric=True):
    """Packed as AutoGPTQ packs: inputs along the words of codes, outputs along those of zeros, zeros less one.

    mlx-lm reads such files as if they were AWQ's. llama.cpp's converter (`dequant_gptq`) unpacks these to the same bits.
    """
    name, group, inputs, outputs = "model.layers.0.mlp.up_proj", 32, 96, 16
    codes = rng.integers(0, 2**bits, (inputs, outputs)).astype(np.uint32)
    middle = 2 ** (bits - 1)
    zeros = np.full((inputs // group, outputs), middle) if symmetric else rng.integers(1, 2**bits, (inputs // group, outputs))
    scales = rng.uniform(1e-3, 4e-3, (inputs // group, outputs)).astype(np.float16)
    per_word = 32 // bits

    def packed(values):
        shifts = (np.arange(per_word, dtype=np.uint32) * bits)[:, None]
        return (values.reshape(-1, per_word, values.shape[1]).astype(np.uint32) << shifts).sum(1, dtype=np.uint32)

    weights = {
        f"{name}.qweight": mx.array(packed(codes).view(np.int32)),
        f"{name}.qzeros": mx.array(np.ascontiguousarray(packed((zeros - 1).T).T).view(np.int32)),
        f"{name}.scales": mx.array(scales),
        f"{name}.g_idx": mx.array((np.arange(inputs) // group).astype(np.int32)),
    }
    spread = lambda values: np.repeat(values.astype(np.float32), group, axis=0)
    expected = ((codes.astype(np.float32) - spread(zeros)) * spread(scales)).T
    section = {"quant_method": "gptq", "bits": bits, "group_size": group, "sym": symmetric, "desc_act": False}
    expected = {f"{name}.weight": mx.array(np.ascontiguousarray(expected))}
    return {"quantization_config": section}, weights, expected


FORMS = {
    "mlx-affine": mlx_affine,
    "mxfp4": mxfp4,
    "int4": int4,
    "fp8": fp8,
    "nvfp4": nvfp4,
    "awq": awq,
    "gptq": gptq,
    "gptq-zeros": lambda rng: gptq(rng, symmetric=False),
    "gptq-8": lambda rng: gptq(rng, bits=8),
    "tiles": tiles,
    "mxfp4-packed": mxfp4_packed,
    "mxfp8": mxfp8,
}


def write_all(root):
    mx.set_default_device(mx.cpu)
    for number, (form, make) in enumerate(FORMS.items()):
        config, weights, expected = make(np.random.default_rng(number))
        folder = root / form
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
        mx.save_safetensors(str(folder / "model.safetensors"), weights)
        if form == "fp8":
            name_fp8(folder / "model.safetensors", b"")
        if form == "tiles":
            name_fp8(folder / "model.safetensors", b"wq_a.weight")
        if form == "nvfp4":
            name_fp8(folder / "model.safetensors", b"_scale")
        mx.save_safetensors(str(folder / "expected.safetensors"), expected)


def name_fp8(path, ending):
    """mlx has no such type: it writes the codes as bytes. Those of names that end so are renamed."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    pattern = rb'("[^"]*' + ending + rb'":\{"data_offsets":\[\d+,\d+\],"dtype":)"U8"'
    header = re.sub(pattern, rb'\1"F8_E4M3"', data[8 : 8 + size])
    path.write_bytes(len(header).to_bytes(8, "little") + header + data[8 + size :])


def differences(stored, fresh):
    for form in FORMS:
        for file in ("config.json", "model.safetensors", "expected.safetensors"):
            if (stored / form / file).read_bytes() != (fresh / form / file).read_bytes():
                yield f"{form}/{file}"


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
