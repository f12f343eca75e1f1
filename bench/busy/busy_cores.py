"""How fast a model runs while other programs use some of the cores.

    python3 bench/busy/busy_cores.py --tandem target/release/tandem --model llama-1.2b.gguf --threads 1 2 --busy 0 1

Beside every run of `tandem bench`, so many endless loops run, each on a core of its own (Linux; elsewhere the system puts
them where it likes). All combinations are measured in turns, and medians are compared with the run that has as many threads and
no loops, and with one thread and no loops.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from contextlib import contextmanager


def main():
    parser = argparse.ArgumentParser(description="speed beside busy loops")
    parser.add_argument("--tandem", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--busy", type=int, nargs="+", default=[0, 1], help="endless loops")
    parser.add_argument("--prefill", type=int, default=256)
    parser.add_argument("--decode", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    cases = sorted({(threads, busy) for threads in args.threads for busy in args.busy} | {(1, 0)})
    runs = {case: [] for case in cases}
    for _ in range(args.rounds):
        for case in cases:
            runs[case].append(measure(args, *case))
            print(f"{case[0]} threads, {case[1]} loops: {runs[case][-1]}", file=sys.stderr, flush=True)
    speed = {
        case: {key: statistics.median(run[key] for run in found) for key in ("prefill_tps", "decode_tps")}
        for case, found in runs.items()
    }
    print(f"{os.cpu_count()} cores, medians of {args.rounds} rounds; {args.prefill} tokens read, {args.decode} written")
    print()
    print("| threads | busy loops | prefill tokens/s | of quiet | decode tokens/s | of quiet | of one quiet thread |")
    print("|---|---|---|---|---|---|---|")
    for threads, busy in cases:
        here, quiet, one = speed[threads, busy], speed.get((threads, 0)), speed[1, 0]["decode_tps"]
        share = {key: f"{here[key] / quiet[key]:.2f}" if quiet else "" for key in here}
        print(
            f"| {threads} | {busy} | {here['prefill_tps']:.1f} | {share['prefill_tps']} "
            f"| {here['decode_tps']:.1f} | {share['decode_tps']} | {here['decode_tps'] / one:.2f} |"
        )


def measure(args, threads, busy):
    command = [args.tandem, "bench", "--model", args.model, "--threads", str(threads), "--json"]
    command += ["--prefill", str(args.prefill), "--decode", str(args.decode)]
    with loops(busy):
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")
    return json.loads(done.stdout)


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
