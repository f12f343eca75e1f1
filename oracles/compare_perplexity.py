"""Runs `tandem perplexity` on every file of perplexity.json and compares with llama.cpp's numbers."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import perplexity

HERE = Path(__file__).parent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tandem", type=Path, required=True)
    parser.add_argument("--smollm2", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    args = parser.parse_args()
    expected = json.loads((HERE / "perplexity.json").read_text())["files"]
    failures = 0
    for name, path, text in perplexity.files(args.smollm2, args.cache):
        command = [args.tandem, "perplexity", "--model", path, "--text", HERE / text, "--json"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            print(f"FAILED  {name}: {result.stderr.strip()}")
            failures += 1
            continue
        ours, llama = json.loads(result.stdout), expected[name]
        off = ours["ppl"] / llama["ppl"] - 1
        good = ours["tokens"] == llama["tokens"] and abs(off) <= perplexity.TOLERANCE
        print(
            f"{'ok     ' if good else 'FAILED '} {name:24} tandem {ours['ppl']:10.4f} ({ours['tokens']} tokens), "
            f"llama.cpp {llama['ppl']:10.4f} ({llama['tokens']}), {off:+.3%}",
            flush=True,
        )
        failures += not good
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
