"""How fast a model runs while other programs use some of the cores.

    cargo build --release -p tandem-kernels-cpu --example program_bench
    python3 bench/busy/busy_cores.py --threads 16 --busy 4

Beside every run so many endless loops run, each on a core of its own (Linux; elsewhere the system puts them where it likes).
Every case is measured in turns with the same number of threads and no loops, and medians are compared; with `--threads 1 2`
also with one quiet thread. What runs is `program_bench` with random weights, which needs no file, or `tandem bench` where
`--tandem` and `--model` are given.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from contextlib import contextmanager


def main():
    parser = argparse.ArgumentParser(description="speed beside busy loops")
    parser.add_argument("--program-bench", default="target/release/examples/program_bench", help="the built example")
    parser.add_argument("--tandem", help="the program, in place of the example")
    parser.add_argument("--model", help="its model")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--busy", type=int, nargs="+", default=[1], help="endless loops")
    parser.add_argument("--prefill", type=int, default=256, help="tokens, for `tandem bench`")
    parser.add_argument("--decode", type=int, default=120, help="tokens")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    cases = sorted({(threads, busy) for threads in args.threads for busy in [0, *args.busy] if threads > 1 or busy == 0})
    runs = {case: [] for case in cases}
    for _ in range(args.rounds):
        for case in cases:
            runs[case].append(measure(args, *case))
            print(f"{case[0]} threads, {case[1]} loops: {runs[case][-1]}", file=sys.stderr, flush=True)
    speed = {
        case: {key: statistics.median(run[key] for run in found) for key in ("prefill_tps", "decode_tps")}
        for case, found in runs.items()
    }
    print(f"{os.cpu_count()} cores, medians of {args.rounds} rounds, {args.decode} tokens written")
    print()
    print("| threads | busy loops | prefill tokens/s | of quiet | decode tokens/s | of quiet | of one quiet thread |")
    print("|---|---|---|---|---|---|---|")
    for threads, busy in cases:
        here, quiet, one = speed[threads, busy], speed[threads, 0], speed.get((1, 0))
        of_one = f"{here['decode_tps'] / one['decode_tps']:.2f}" if one else ""
        print(
            f"| {threads} | {busy} | {here['prefill_tps']:.1f} | {here['prefill_tps'] / quiet['prefill_tps']:.2f} "
            f"| {here['decode_tps']:.1f} | {here['decode_tps'] / quiet['decode_tps']:.2f} | {of_one} |"
        )


def measure(args, threads, busy):
    """Tokens per second of a prompt and of an answer."""
    if args.tandem:
        command = [args.tandem, "bench", "--model", args.model, "--threads", str(threads), "--json"]
        command += ["--prefill", str(args.prefill), "--decode", str(args.decode)]
    else:
        command = [args.program_bench, "1b", "Q4_0", str(threads), "64", "f16", str(args.decode)]
    with loops(busy):
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")
    if args.tandem:
        found = json.loads(done.stdout)
        return {key: found[key] for key in ("prefill_tps", "decode_tps")}
    of = dict(re.findall(r"^(decode 1|prefill 256): ([\d.]+) tokens/s", done.stdout, re.MULTILINE))
    return {"prefill_tps": float(of["prefill 256"]), "decode_tps": float(of["decode 1"])}


@contextmanager
def loops(count):
    """So many processes that never rest, each on a core that this one may use."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []
    running = []
    try:
        for index in range(count):
            running.append(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            if cores:
                os.sched_setaffinity(running[-1].pid, {cores[index % len(cores)]})
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
