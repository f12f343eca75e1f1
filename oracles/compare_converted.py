"""Converts every tiny checkpoint with `tandem convert` and compares llama.cpp's logits on the result with mlx-lm's.

    python oracles/compare_converted.py --tandem PATH [--keep DIR] [NAME...]

llama.cpp computes in f32 here (F32 weights, f32 cache), so that what differs is what was converted wrongly.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from llama_reference import SETTINGS, Reference

HERE = Path(__file__).parent
TOLERANCE = 1e-3
# What llama.cpp computes otherwise than mlx-lm and transformers do, whatever the file says; it must still load the file.
DIFFERENT = {
    "deepseek-v2": "takes the two best experts of a group for its score, as V3 does; V2 takes the best",
    "gemma3": "takes GELU from a table of half floats",
    "gemma4": "takes GELU from a table of half floats",
    "gemma4-inputs": "takes GELU from a table of half floats",
    "gemma4-moe": "takes GELU from a table of half floats",
    "llama4": "takes chunks of 8192 tokens and queries that grow every 8192, whatever the file says",
    "granite4-moe": "turns queries and keys though the file says not to; with that, mlx-lm's logits are the same",
}
# What it cannot load.
REFUSED = {
    "deepseek-v2-lite": "tells models without q_lora_rank by their 26 or 27 layers",
    "deepseek-v41": "does not know the family",
    "deepseek-v41-rounded": "does not know the family",
    "kimi-k3-plain": "wants as many heads in delta nets as in attention, and one matrix for their gates",
    "nemotron-h-both": "wants experts in every feed-forward block, or in none",
    "olmo3": "wants all heads together to be as wide as the hidden state",
    "qwen3-5-uneven": "wants values as long as keys in delta nets",
}


def largest_difference(path, folder):
    """Relative to the largest logit, over the prompts of up to 64 tokens and the last."""
    expected = json.loads((folder / "expected.json").read_text())
    stored = np.fromfile(folder / "expected.f32", "<f4").reshape(-1, expected["vocab_size"])
    # llama.cpp reads these from the file for some architectures only, and takes 32 and 1 for the others.
    scaling = json.loads((folder / "config.json").read_text()).get("rope_scaling") or {}
    betas = (scaling["beta_fast"], scaling["beta_slow"]) if "beta_fast" in scaling else None
    reference = Reference(path, context=1024, kv="f32", yarn_betas=betas)
    worst, row = 0.0, 0
    for prompt in expected["prompts"]:
        reference.clear()
        found = []
        for start in range(0, len(prompt["tokens"]), SETTINGS["n_batch"]):
            found.append(reference.decode(prompt["tokens"][start : start + SETTINGS["n_batch"]], start, True))
        found = np.concatenate(found)[prompt["rows"]]
        wanted = stored[row : row + len(prompt["rows"])]
        row += len(prompt["rows"])
        worst = max(worst, float(np.abs(found - wanted).max() / np.abs(wanted).max()))
    reference.close()
    return worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tandem", type=Path, required=True)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names = args.names or sorted(path.name for path in (HERE / "tiny").iterdir())
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            folder, path = HERE / "tiny" / name, (args.keep or Path(scratch)) / f"{name}.gguf"
            command = [args.tandem, "convert", folder, path, "--type", "F32", "--force"]
            converted = subprocess.run(command, capture_output=True, text=True)
            if converted.returncode:
                print(f"FAILED  {name}: {converted.stderr.strip()}")
                failures += 1
                continue
            try:
                off = largest_difference(path, folder)
            except RuntimeError as error:
                if name in REFUSED:
                    print(f"--  {name:20} not loaded: llama.cpp {REFUSED[name]}", flush=True)
                    continue
                print(f"FAILED  {name}: {error}", flush=True)
                failures += 1
                continue
            good = off <= TOLERANCE or name in DIFFERENT
            failures += not good
            note = f" (llama.cpp {DIFFERENT[name]})" if name in DIFFERENT else ""
            print(f"{'ok ' if good else 'OFF'} {name:20} {off:.2e}{note}", flush=True)
    sys.exit(f"{failures} of {len(names)} converted files differ in llama.cpp" if failures else 0)


if __name__ == "__main__":
    main()
