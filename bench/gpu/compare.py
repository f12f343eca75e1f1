#!/usr/bin/env python3
"""Tandem on a GPU beside llama.cpp's CUDA backend. Needs nothing but Python, on a machine with a GPU:

    cargo build --release -p tandem
    cargo build --release -p tandem-kernels-gpu --example gpu_bench
    bench/gpu/compare.py --tokenizer SmolLM2.gguf --models FOLDER

Random models of each shape are written to FOLDER once (about 35 GB for all rows; --rows chooses), and `tandem bench` measures
them (`gpu_bench --seconds 150` alone needs no models and no tokenizer, and says the most in the shortest time). Then `gpu_bench` tells where a token's time goes by kernel, with shares of the bandwidth given with --gbps.
"""

import argparse
import json
import pathlib
import subprocess
import sys

# llama.cpp, commit b21e4de, CUDA backend for sm_90a, `llama-bench -fa 1`, on an H200 (4.8 TB/s), files of `tandem make-model`.
# Shape, type, and its tokens/s: prompts of 512 and 2048, decode of 128.
PEER = [
    ("llama-1.2b", "Q4_0", 43924, 50239, 1067),
    ("llama-8b", "Q4_0", 10460, 11237, 345),
    ("llama-8b", "Q4_K_M", 9298, 9770, 278),
    ("llama-8b", "Q8_0", 10756, 11431, 262),
    ("llama-8b", "F16", 18904, 21681, 217),
    ("qwen3moe-2.8b", "Q4_K_M", 47634, 57169, 1518),
    ("deepseek-2.4b", "Q4_K_M", 39271, 42967, 921),
]


def options():
    root = pathlib.Path(__file__).resolve().parents[2]
    release = root / "target/release"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tandem", type=pathlib.Path, default=release / "tandem")
    parser.add_argument("--gpu-bench", type=pathlib.Path, default=release / "examples/gpu_bench")
    parser.add_argument("--tokenizer", type=pathlib.Path, required=True, help="a GGUF file whose tokenizer is taken")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="where the models are, or are written to")
    parser.add_argument("--device", default="gpu", help="as `tandem devices` names it (gpu)")
    parser.add_argument("--gbps", type=float, default=4800.0, help="the device's bandwidth (4800, an H200)")
    parser.add_argument("--rounds", type=int, default=3, help="the median is told (3)")
    parser.add_argument("--rows", default="", help="only rows whose name has this, as llama-8b or Q4_0")
    parser.add_argument("--no-kernels", action="store_true", help="leave gpu_bench out")
    return parser.parse_args()


def made(args, shape, kind):
    """The model's file, written unless it is there."""
    path = args.models / f"{shape}-{kind}.gguf"
    if not path.exists():
        args.models.mkdir(parents=True, exist_ok=True)
        line = [args.tandem, "make-model", path, "--tokenizer", args.tokenizer, "--shape", shape, "--type", kind]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
    return path


def bench(args, model, *more):
    """Medians of what `tandem bench` measures."""
    line = [args.tandem, "bench", "--model", model, "--device", args.device, "--json", *more]
    rounds = []
    for _ in range(args.rounds):
        ran = subprocess.run(line, check=True, stdout=subprocess.PIPE)
        rounds.append(json.loads(ran.stdout))
    return {name: sorted(found[name] for found in rounds)[len(rounds) // 2] for name in rounds[0]}


def row(args, shape, kind, peer_short, peer_long, peer_decode):
    model = made(args, shape, kind)
    short = bench(args, model, "--prefill", "512", "--decode", "128")
    long = bench(args, model, "--prefill", "2048", "--decode", "1")
    many = {n: bench(args, model, "--prefill", "64", "--decode", "64", "--batch", str(n)) for n in (8, 32)}
    deep = bench(args, model, "--prefill", "8192", "--decode", "64")
    decode = short["decode_tps"]
    # Of a mixture of experts not every weight is read for a token.
    share = short["weights_bytes_per_token"] * decode / 1e9 / args.gbps
    share = f"{share:.0%}" if shape.startswith("llama") else "–"

    def beside(ours, theirs):
        return f"{theirs:,.0f} → {ours:,.0f} ({ours / theirs:.2f}×)"

    together = ", ".join(f"{found['decode_tps'] / decode:.1f}×" for found in many.values())
    cells = [
        f"{shape} {kind}",
        beside(short["prefill_tps"], peer_short),
        beside(long["prefill_tps"], peer_long),
        beside(decode, peer_decode),
        share,
        together,
        f"{deep['decode_tps'] / decode:.0%}",
        f"{short['load_ms'] / 1e3:.1f} s",
    ]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    args = options()
    subprocess.run([args.tandem, "devices"], check=True)
    titles = [
        "random weights",
        "prefill 512: llama.cpp → Tandem, tokens/s",
        "prefill 2048",
        "decode 128",
        "share of bandwidth",
        "8, 32 together",
        "at a depth of 8192",
        "load",
    ]
    print("\n| " + " | ".join(titles) + " |")
    print("|" + "---|" * len(titles), flush=True)
    for shape, kind, *peer in PEER:
        if args.rows in f"{shape} {kind}":
            row(args, shape, kind, *peer)
    if not args.no_kernels:
        print("\nWhere the time goes (`gpu_bench`):", flush=True)
        index = args.device.partition(":")[2] or "0"
        subprocess.run([args.gpu_bench, "--device", index, "--gbps", str(args.gbps)], check=True)


if __name__ == "__main__":
    sys.exit(main())
