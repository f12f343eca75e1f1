"""Runs `tandem perplexity` on every file of perplexity.json and compares with llama.cpp's numbers.

A file that is off by more than the tolerance on the text itself is measured again on the long text, which averages
out how each engine rounds activations (see perplexity.py); that result counts. With --long all are.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import perplexity

HERE = Path(__file__).parent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tandem", type=Path, required=True)
    parser.add_argument("--smollm2", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--long", action="store_true")
    args = parser.parse_args()
    expected = json.loads((HERE / "perplexity.json").read_text())["files"]
    failures = 0
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as long_text:
        long_text.write(perplexity.long_text())
        long_text.flush()
        for name, path, text in perplexity.files(args.smollm2, args.cache):
            entry = expected[name]
            good = compare(args.tandem, name, path, HERE / text, entry)
            if "long" in entry and (args.long or not good):
                good = compare(args.tandem, f"{name} (long)", path, long_text.name, entry["long"])
            failures += not good
    sys.exit(f"{failures} of {len(expected)} files differ from llama.cpp" if failures else 0)


def compare(tandem, name, path, text, llama):
    command = [tandem, "perplexity", "--model", path, "--text", text, "--json"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        print(f"FAILED  {name}: {result.stderr.strip()}")
        return False
    ours = json.loads(result.stdout)
    off = ours["ppl"] / llama["ppl"] - 1
    good = ours["tokens"] == llama["tokens"] and abs(off) <= perplexity.TOLERANCE
    print(
        f"{'ok ' if good else 'OFF'} {name:24} tandem {ours['ppl']:10.4f}, "
        f"llama.cpp {llama['ppl']:10.4f}, {off:+.3%} over {ours['tokens']} of {llama['tokens']} tokens",
        flush=True,
    )
    return good


if __name__ == "__main__":
    main()
