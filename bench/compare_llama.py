"""Tandem and llama.cpp on the same files, in turns, in one run: speed, memory, start-up, batches.

Started by `cargo xtask bench-llama`, which builds both sides. Machines are noisy, so every round measures llama.cpp
(flash attention off and on), Tandem and the memory's read bandwidth one after the other, and medians are compared.
llama.cpp is given the better of its two settings for each number.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import gguf

import random_llama
from llama_reference import quantize

# What fits the largest models into little memory: every matrix in one type, random rows.
SMALL_TYPES = ["TQ1_0", "TQ2_0", "IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S"]
# The same model under Tandem's names of its parts, where llama.cpp has others.
TANDEM_NAMES = {"qwen3next-2.9b-q4_k.gguf": "qwen3next-2.9b-q4_k-tandem.gguf"}
# Models that no preset of `make-model` has.
WRITERS = {
    "glm-3b-q4_k.gguf": partial(random_llama.glm_3b, kind="Q4_K"),
    "qwen3next-2.9b-q4_k.gguf": partial(random_llama.qwen3_next_3b, kind="Q4_K", names="llama"),
    "qwen3next-2.9b-q4_k-tandem.gguf": partial(random_llama.qwen3_next_3b, kind="Q4_K", names="tandem"),
}
# name, file, (kind, pure) it is quantised to, the shape or the type it is made in at random, prompt tokens, decoded tokens
MODELS = [
    ("SmolLM2-135M Q4_1", None, None, 512, 128),
    ("1.2B Q4_0", "llama-1.2b-q4_0.gguf", ("Q4_0", False), 256, 64),
    ("1.2B Q4_0 pure", "llama-1.2b-q4_0-pure.gguf", ("Q4_0", True), 256, 64),
    ("1.2B Q4_K_M", "llama-1.2b-q4_k_m.gguf", ("Q4_K_M", False), 256, 64),
    ("1.2B Q8_0", "llama-1.2b-q8_0.gguf", ("Q8_0", False), 256, 64),
    ("1.2B F16", "llama-1.2b-f16.gguf", None, 256, 64),
    ("Qwen3-MoE 2.8B Q4_K_M", "qwen3moe-2.8b-q4_k_m.gguf", "qwen3moe-2.8b", 256, 64),
    ("Qwen3-MoE 2.8B Q8_0", "qwen3moe-2.8b-q8_0.gguf", "qwen3moe-2.8b", 256, 64),
    ("DeepSeek 2.4B Q4_K_M", "deepseek-2.4b-q4_k_m.gguf", "deepseek-2.4b", 256, 64),
    ("DeepSeek 2.4B Q8_0", "deepseek-2.4b-q8_0.gguf", "deepseek-2.4b", 256, 64),
    ("GLM 3.1B Q4_K", "glm-3b-q4_k.gguf", None, 256, 64),
    ("Qwen3-Next 2.9B Q4_K", "qwen3next-2.9b-q4_k.gguf", None, 256, 64),
    *((f"1.2B {kind} pure", f"llama-1.2b-{kind.lower()}-pure.gguf", kind, 128, 48) for kind in SMALL_TYPES),
]
# name, file, prompt tokens, decoded tokens of each sequence
BATCHED = [
    ("SmolLM2-135M Q4_1", None, 64, 64),
    ("1.2B Q4_0", "llama-1.2b-q4_0.gguf", 32, 32),
    ("1.2B Q4_K_M", "llama-1.2b-q4_k_m.gguf", 32, 32),
]
QUESTION = "Why is the sky blue?"
RENDERED = (
    "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
    f"<|im_start|>user\n{QUESTION}<|im_end|>\n<|im_start|>assistant\n"
)


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask bench-llama")
    for name in ("tandem", "llama", "smollm2", "models", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", default=[], help="patterns of names: `^1.2B Q4_0$`, `first`, `batch`")
    parser.add_argument("--add", action="store_true", help="add the rounds to those of the run before")
    parser.add_argument("--results", type=Path, help="also write the tables to this Markdown file")
    args = parser.parse_args()
    bench = Bench(args)
    if args.add and bench.store.exists():
        bench.raw = json.loads(bench.store.read_text())
    bench.measure()
    report = bench.report()
    (args.out / "results.md").write_text(report)
    if args.results:
        args.results.write_text(report)
    print("\n" + report)


class Bench:
    def __init__(self, args):
        self.args = args
        self.store = args.out / "results.json"
        # name -> rounds, each a side -> its numbers
        self.raw = {}

    def measure(self):
        for name, file, _, prefill, decode in MODELS:
            if self.wanted(name):
                path, own = self.path(file), self.path(TANDEM_NAMES.get(file, file))
                for threads in self.args.threads:
                    self.in_turns(
                        f"{name}, {threads} threads",
                        llama=lambda: self.llama(path, threads, prefill, decode),
                        tandem=lambda: self.tandem(own, threads, prefill, decode),
                        memory=lambda: self.bandwidth(threads),
                    )
        for name, file, prefill, decode in BATCHED:
            if self.wanted(f"batch {name}"):
                path = self.path(file)
                for threads in self.args.threads:
                    self.in_turns(
                        f"batch {name}, {threads} threads",
                        llama_one=lambda: self.llama(path, threads, prefill, decode),
                        llama_eight=lambda: self.llama(path, threads, prefill, decode, 8),
                        tandem_one=lambda: self.tandem(path, threads, prefill, decode),
                        tandem_eight=lambda: self.tandem(path, threads, prefill, decode, 8),
                    )
        if self.wanted("first token"):
            model, threads = self.args.smollm2, max(self.args.threads)
            run = [self.args.tandem, "run", model, QUESTION, "--temperature", 0, "--threads", threads]
            self.in_turns(
                f"first token, {threads} threads",
                llama=lambda: first_byte(self.args.llama, "first", model, threads, RENDERED),
                tandem=lambda: first_byte(*run),
            )

    def report(self):
        sections = [self.heading(), self.speed(), self.batches(), self.first_token()]
        return "\n\n".join(filter(None, sections)) + "\n"

    def wanted(self, name):
        return not self.args.only or any(re.search(part, name, re.IGNORECASE) for part in self.args.only)

    def path(self, file):
        return make_model(self.args, file) if file else self.args.smollm2

    def run(self, *command):
        done = subprocess.run([*map(str, command)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{command[0].name} {' '.join(map(str, command[1:]))}:\n{done.stderr}")
        return json.loads(done.stdout)

    def llama(self, path, threads, prefill, decode, sequences=1):
        """Both settings of flash attention, the better of each number."""
        runs = [
            self.run(self.args.llama, "bench", path, threads, prefill, decode, sequences, flash) for flash in (0, 1)
        ]
        best = {key: max(run[key] for run in runs) for key in ("prefill_tps", "decode_tps")}
        return best | {key: min(run[key] for run in runs) for key in ("load_ms", "rss_bytes")}

    def tandem(self, path, threads, prefill, decode, sequences=1):
        command = [self.args.tandem, "bench", "--model", path, "--threads", threads]
        command += ["--prefill", prefill, "--decode", decode, "--json"]
        if sequences > 1:
            command += ["--batch", sequences]
        return self.run(*command)

    def bandwidth(self, threads):
        return self.run(self.args.tandem, "bench", "memory", "--threads", threads, "--json")

    def in_turns(self, name, **sides):
        """Runs every side once per round, in changing order."""
        for round_index in range(self.args.rounds):
            order = list(sides.items())
            if round_index % 2:
                order.reverse()
            numbers = {side: measure() for side, measure in order}
            print(f"{name}: {numbers}", flush=True)
            self.raw.setdefault(name, []).append(numbers)
            self.store.write_text(json.dumps(self.raw, indent=1) + "\n")

    def medians(self, name):
        """The median of each number of each side, or None if it was not measured."""
        rounds = self.raw.get(name)
        if not rounds:
            return None
        return {
            side: {key: statistics.median(r[side][key] for r in rounds) for key in numbers}
            for side, numbers in rounds[0].items()
        }

    def speed(self):
        lines = [
            "| tokens/s (prompt / answer) | threads | prefill llama.cpp | Tandem | ratio | decode llama.cpp | Tandem "
            "| ratio | memory GB/s | share llama.cpp | share Tandem | resident llama.cpp | Tandem | Tandem / file |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        ]
        for name, file, _, prefill, decode in MODELS:
            for threads in self.args.threads:
                m = self.medians(f"{name}, {threads} threads")
                if not m:
                    continue
                path = self.path(file)
                llama, tandem, memory = m["llama"], m["tandem"], m["memory"]["gb_per_s"]
                share = weight_bytes_per_token(path) / 1e9 / memory
                lines.append(
                    f"| {name} ({prefill} / {decode}) | {threads} "
                    f"| {llama['prefill_tps']:.1f} | {tandem['prefill_tps']:.1f} "
                    f"| **{tandem['prefill_tps'] / llama['prefill_tps']:.2f}** "
                    f"| {llama['decode_tps']:.1f} | {tandem['decode_tps']:.1f} "
                    f"| **{tandem['decode_tps'] / llama['decode_tps']:.2f}** | {memory:.1f} "
                    f"| {llama['decode_tps'] * share:.0%} | {tandem['decode_tps'] * share:.0%} "
                    f"| {llama['rss_bytes'] / 1e6:.0f} MB | {tandem['rss_bytes'] / 1e6:.0f} MB "
                    f"| {tandem['rss_bytes'] / os.path.getsize(path):.2f} |"
                )
        return "\n".join(lines) if len(lines) > 2 else None

    def batches(self):
        lines = [
            "| eight sequences together, tokens/s | threads | llama.cpp 1 | 8 | gain | Tandem 1 | 8 | gain |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for name, *_ in BATCHED:
            for threads in self.args.threads:
                m = self.medians(f"batch {name}, {threads} threads")
                if not m:
                    continue
                speed = {side: numbers["decode_tps"] for side, numbers in m.items()}
                lines.append(
                    f"| {name} | {threads} | {speed['llama_one']:.1f} | {speed['llama_eight']:.1f} "
                    f"| {speed['llama_eight'] / speed['llama_one']:.2f} | {speed['tandem_one']:.1f} "
                    f"| {speed['tandem_eight']:.1f} | **{speed['tandem_eight'] / speed['tandem_one']:.2f}** |"
                )
        return "\n".join(lines) if len(lines) > 2 else None

    def first_token(self):
        """From the start of the process to the first byte of the answer; the file is in the page cache."""
        threads = max(self.args.threads)
        m = self.medians(f"first token, {threads} threads")
        if not m:
            return None
        llama, tandem = m["llama"]["ms"], m["tandem"]["ms"]
        return (
            f"Start to first token, SmolLM2-135M Q4_1, {threads} threads, file in the page cache: "
            f"llama.cpp {llama:.0f} ms, Tandem {tandem:.0f} ms (ratio {tandem / llama:.2f})."
        )

    def heading(self):
        import llama_cpp

        rounds = min(len(rounds) for rounds in self.raw.values())
        return (
            "# Tandem and llama.cpp\n\n"
            f"`cargo xtask bench-llama`, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores of {cpu_name()}, "
            f"{platform.system()}; medians of {rounds} rounds in turns.\n"
            f"llama.cpp from llama-cpp-python {llama_cpp.__version__}, built for this CPU "
            f"({features(llama_cpp)}), called from C without Python; of flash attention off and on, the better for each number.\n"
            "The 1.2B model has random weights (hidden 2048, 16 layers, 32/8 heads, FFN 8192, vocabulary 49152, tied embeddings). "
            "Qwen3-MoE: hidden 2048, 8 layers, 32/4 heads of 128, 8 of 64 experts of 768. DeepSeek: hidden 2048, 8 layers of which one "
            "dense, 16 heads over latent rows of 512 + 64, 8 of 64 experts of 768 in 8 groups (sigmoid), one shared. "
            "Decoding continues after the prompt; share = weight bytes read per token x tokens/s / read bandwidth measured in the same rounds."
        )


def make_model(args, file):
    path = args.models / file
    if not path.exists():
        args.models.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        kind = next((kind for _, name, kind, _, _ in MODELS if name == file), None)
        print(f"making {file}", flush=True)
        if file in WRITERS:
            WRITERS[file](part, args.smollm2)
        elif kind is None:
            random_llama.write(part, random_llama.LLAMA_1_2B, args.smollm2)
        elif kind in SMALL_TYPES:
            random_llama.write(part, random_llama.LLAMA_1_2B, args.smollm2, kind=kind)
        elif isinstance(kind, str):
            file_type = path.stem.rsplit("-", 1)[1]
            command = [args.tandem, "make-model", part, "--shape", kind, "--type", file_type, "--tokenizer", args.smollm2]
            subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL)
        else:
            quantize(make_model(args, "llama-1.2b-f16.gguf"), part, *kind)
        os.rename(part, path)
    return path


def weight_bytes_per_token(path):
    """Every matrix is read once, of experts those that are used; a token table only where it is also the output matrix."""
    reader = gguf.GGUFReader(path)
    tensors = {tensor.name: int(tensor.n_bytes) for tensor in reader.tensors}
    facts = {key.split(".", 1)[1]: field for key, field in reader.fields.items() if "." in key}
    share = facts["expert_used_count"].contents() / facts["expert_count"].contents() if "expert_count" in facts else 1
    untied = "output.weight" in tensors
    return sum(
        size * (share if "_exps." in name else 1)
        for name, size in tensors.items()
        if not (untied and name == "token_embd.weight")
    )


def first_byte(*command):
    command = [*map(str, command)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    byte = process.stdout.read(1)
    took = time.perf_counter() - start
    process.stdout.close()
    process.kill()
    errors = process.stderr.read().decode(errors="replace")
    process.wait()
    if not byte:
        sys.exit(f"{' '.join(command)} printed nothing:\n{errors}")
    return {"ms": took * 1e3}


def cpu_name():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def features(llama_cpp):
    words = llama_cpp.llama_print_system_info().decode().replace("CPU :", "").split("|")
    return ", ".join(word.split("=")[0].strip() for word in words if word.strip().endswith("= 1"))


if __name__ == "__main__":
    main()
