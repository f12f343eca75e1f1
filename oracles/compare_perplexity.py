"""Runs `tandem perplexity` on every file of perplexity.json and compares with llama.cpp's numbers.

What must hold: quantised files within 1% of llama.cpp, floats within 0.3%. Each file is measured on the first two chunks of
its text; one that is off by more than three quarters of that there is measured on the whole text, and that result
counts. With --whole every file is measured on the whole text and held to 0.3%; what is off by more (engines round
activations to 8 bits, each in its own way) is decided by the long text, which averages that out: see perplexity.py.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import perplexity

HERE = Path(__file__).parent
TOLERANCE = 0.01
FLOATS = ("f16", "bf16")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tandem", type=Path, required=True)
    parser.add_argument("--smollm2", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--whole", action="store_true")
    args = parser.parse_args()
    expected = json.loads((HERE / "perplexity.json").read_text())["files"]
    failures = 0
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as long_text:
        long_text.write(perplexity.long_text())
        long_text.flush()
        for name, path, text in perplexity.files(args.smollm2, args.cache):
            judge = whole if args.whole else first
            failures += not judge(args.tandem, name, path, HERE / text, expected[name], long_text.name)
    sys.exit(f"{failures} of {len(expected)} files differ from llama.cpp" if failures else 0)


def first(tandem, name, path, text, llama, _):
    limit = perplexity.TOLERANCE if name.endswith(FLOATS) else TOLERANCE
    if compare(tandem, name, path, text, llama["first"], 0.75 * limit, perplexity.FIRST_CHUNKS, "?"):
        return True
    return compare(tandem, f"{name} (whole)", path, text, llama, limit)


def whole(tandem, name, path, text, llama, long_text):
    good = compare(tandem, name, path, text, llama, perplexity.TOLERANCE)
    if good or "long" not in llama:
        return good
    return compare(tandem, f"{name} (long)", path, long_text, llama["long"], perplexity.TOLERANCE)


def compare(tandem, name, path, text, llama, limit, chunks=None, otherwise="OFF"):
    command = [tandem, "perplexity", "--model", path, "--text", text, "--json"]
    if chunks:
        command += ["--chunks", str(chunks)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        print(f"FAILED  {name}: {result.stderr.strip()}")
        return False
    ours = json.loads(result.stdout)
    off = ours["ppl"] / llama["ppl"] - 1
    good = ours["tokens"] == llama["tokens"] and abs(off) <= limit
    print(
        f"{'ok' if good else otherwise:3} {name:24} tandem {ours['ppl']:10.4f}, "
        f"llama.cpp {llama['ppl']:10.4f}, {off:+.3%} over {ours['tokens']} of {llama['tokens']} tokens",
        flush=True,
    )
    return good


if __name__ == "__main__":
    main()
