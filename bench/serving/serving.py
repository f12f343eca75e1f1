"""Measures a server that speaks OpenAI's chat completions: Tandem's, or llama.cpp's beside it. Standard library only.

    serving.py load    --tandem BIN --model GGUF [--clients 64] [--seconds 120]
    serving.py compare --tandem BIN --model GGUF --llama PYTHON [--clients 1,4,16] [--rounds 2]
    serving.py prefix  --tandem BIN --model GGUF
    serving.py beside  --tandem BIN --model GGUF

PYTHON is that of an environment with llama-cpp-python[server]. Every command starts its servers and ends them, prints what it
found as JSON, then what was to be shown and whether it was, and ends with 1 where something was not.
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients"))
from serve import tandem  # noqa: E402

# SmolLM2's.
END_OF_TURN = "2"
WORDS = "time year people way day man thing woman life child world school state family student group country problem".split()


def prompt(words, seed):
    chooser = random.Random(seed)
    return " ".join(chooser.choice(WORDS) for _ in range(words))


class Answer:
    """When each piece of one streamed answer came."""

    def __init__(self):
        self.start = time.monotonic()
        self.times = []
        self.usage = None
        self.error = None

    @property
    def first(self):
        return self.times[0] - self.start

    @property
    def gaps(self):
        return [b - a for a, b in zip(self.times, self.times[1:])]


async def ask(address, model, text, tokens, answer=None, **extra):
    """One streamed answer over a connection of its own. A raw socket: the client must not be what is measured."""
    host, port = address.removeprefix("http://").split(":")
    body = json.dumps({
        "model": model, "messages": [{"role": "user", "content": text}], "max_tokens": tokens, "temperature": 0,
        "stream": True, **extra,
    })
    answer = answer or Answer()
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n"
        head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write((head + body).encode())
        status = await reader.readline()
        if b" 200 " not in status:
            answer.error = (status + await reader.read(2000)).decode(errors="replace")
            return answer
        while line := await reader.readline():
            if line.startswith(b"data: {"):
                if b'"error"' in line[:20]:
                    answer.error = line.decode()
                # What has neither content nor calls begins or ends the answer.
                elif b'"content":' in line and b'"content":""' not in line and b'"content": ""' not in line:
                    answer.times.append(time.monotonic())
        return answer
    finally:
        writer.close()


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def resident_mib(pid):
    """Of a process and its children."""
    total = 0
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            status = (folder / "status").read_text()
            parent = int(status.split("PPid:")[1].split()[0])
            if parent == pid or int(folder.name) == pid:
                total += int(status.split("VmRSS:")[1].split()[0]) / 1024 if "VmRSS:" in status else 0
    return total


def server_pid():
    return int(subprocess.run(
        ["pgrep", "-P", str(os.getpid()), "-f", "tandem"], capture_output=True, text=True, check=True
    ).stdout.split()[0])


class Verdict:
    """What was to be shown."""

    def __init__(self):
        self.failed = False

    def shown(self, what, holds):
        self.failed |= not holds
        print(f"{'holds' if holds else 'FAILS'}: {what}", flush=True)


async def load(address, model, clients, seconds, verdict):
    """Clients that ask again as soon as they are answered."""
    began = time.monotonic()
    until = began + seconds
    done = [[] for _ in range(clients)]
    pid = server_pid()
    memory = []

    async def client(index):
        round_ = 0
        while time.monotonic() < until:
            answer = await ask(address, model, prompt(20, index * 1000 + round_), 48)
            done[index].append(answer)
            round_ += 1

    async def watch():
        while time.monotonic() < until:
            memory.append((time.monotonic() - began, resident_mib(pid)))
            await asyncio.sleep(1)

    await asyncio.gather(watch(), *(client(index) for index in range(clients)))
    answers = [answer for list_ in done for answer in list_]
    errors = [answer.error for answer in answers if answer.error]
    gaps = [[gap for answer in list_ for gap in answer.gaps] for list_ in done]
    median = statistics.median(gap for list_ in gaps for gap in list_)
    worst = max(percentile(list_, 0.99) for list_ in gaps)
    tokens = sum(len(answer.times) for answer in answers)
    settled = min(30, seconds / 2)
    early = next(mib for at, mib in memory if at >= settled)
    late = memory[-1][1]
    firsts = [answer.first for answer in answers if answer.times]
    print(json.dumps({
        "clients": clients, "seconds": seconds, "answers": len(answers), "errors": errors[:3],
        "tokens_per_s": round(tokens / (max(a.times[-1] for a in answers if a.times) - began), 1),
        "fewest_answers_of_a_client": min(len(list_) for list_ in done),
        "between_tokens_median_ms": round(median * 1e3, 2), "slowest_client_p99_ms": round(worst * 1e3, 2),
        "slowest_client_p99_over_median": round(worst / median, 2),
        "first_token_p50_ms": round(percentile(firsts, 0.5) * 1e3, 1),
        "first_token_p99_ms": round(percentile(firsts, 0.99) * 1e3, 1),
        f"memory_mib_at_{settled:.0f}_s": round(early), "memory_mib_at_the_end": round(late),
    }), flush=True)
    verdict.shown("no error", not errors)
    verdict.shown(f"the slowest client's p99 between tokens is {worst / median:.1f} times the median, at most 5", worst <= 5 * median)
    verdict.shown(f"memory {early:.0f} MiB after {settled:.0f} s, {late:.0f} at the end, at most 5% more", late <= early * 1.05)


async def burst(address, model, clients, tokens, seed):
    """All clients at once, one answer each, every prompt its own."""
    start = time.monotonic()
    answers = await asyncio.gather(*(ask(address, model, prompt(60, seed * 100 + i), tokens) for i in range(clients)))
    took = max(answer.times[-1] for answer in answers) - start
    assert not any(answer.error for answer in answers), [answer.error for answer in answers]
    total = sum(len(answer.times) for answer in answers)
    return {"tokens_per_s": round(total / took, 1), "first_token_ms": round(statistics.mean(a.first for a in answers) * 1e3, 1)}


@contextlib.contextmanager
def llama(python, model, port=18081):
    server = subprocess.Popen(
        [python, "-m", "llama_cpp.server", "--model", model, "--n_ctx", "8192", "--n_threads", "2", "--n_threads_batch", "2",
         "--port", str(port), "--model_alias", "model", "--interrupt_requests", "False"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=2).read()
                break
            except OSError:
                if time.monotonic() > until or server.poll() is not None:
                    raise SystemExit("llama.cpp's server did not start")
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=10)


async def prefix(address, model, verdict):
    """The first token of a prompt, then of another that shares its first thousand tokens."""
    await ask(address, model, "Hello", 2)
    rows = []
    for round_ in range(3):
        shared = prompt(1000, round_)
        first = await ask(address, model, shared + " Count the words.", 2)
        second = await ask(address, model, shared + " Name the third word.", 2)
        rows.append((first.first * 1e3, second.first * 1e3))
    times = [a / b for a, b in rows]
    print(json.dumps({
        "first_ms": [round(a, 1) for a, _ in rows], "second_ms": [round(b, 1) for _, b in rows],
        "times_sooner": [round(sooner, 1) for sooner in times],
    }), flush=True)
    verdict.shown(f"a prefix of 1,000 tokens that came before: first token {min(times):.1f} times sooner, at least 8", min(times) >= 8)


async def beside(address, model, verdict):
    """A stream's rate while a prompt of 4,000 tokens is read, and that of the same tokens undisturbed."""
    # Never the token that would end it.
    endless = {"logit_bias": {END_OF_TURN: -100}}
    alone_s = (await ask(address, model, prompt(3900, 4), 1)).first
    running = Answer()
    stream = asyncio.create_task(ask(address, model, prompt(10, 2), 6000, running, **endless))
    while len(running.times) < 200:
        await asyncio.sleep(0.01)
    begun = time.monotonic()
    long = await ask(address, model, prompt(3900, 3), 1)
    read = long.times[0]
    assert not stream.done(), "the stream ended before the prompt was read"
    stream.cancel()
    during = [index for index, moment in enumerate(running.times) if begun <= moment <= read]
    first, last = during[0], during[-1]
    # A longer text takes longer to attend to: the same stretch of it is compared.
    alone = await ask(address, model, prompt(10, 2), last + 1, **endless)
    rate = lambda times, first, last: (last - first) / (times[last] - times[first])
    share = rate(running.times, first, last) / rate(alone.times, first, last)
    print(json.dumps({
        "prompt_s": round(read - begun, 2), "prompt_alone_s": round(alone_s, 2), "tokens": [first, last],
        "before_tokens_per_s": round(rate(running.times, 20, first), 1),
        "during_tokens_per_s": round(rate(running.times, first, last), 1),
        "undisturbed_tokens_per_s": round(rate(alone.times, first, last), 1),
    }), flush=True)
    verdict.shown(f"beside a prompt of 4,000 tokens a stream keeps {share:.2f} of its rate, at least 0.5", share >= 0.5)


def compare(tandem_address, name, llama_address, counts, rounds, tokens, verdict):
    """Both servers in turns, each idle while the other is asked."""
    for address, model in [(tandem_address, name), (llama_address, "model")]:
        asyncio.run(burst(address, model, 1, 4, 999))
    best = {}
    for round_ in range(rounds):
        for clients in counts:
            theirs = asyncio.run(burst(llama_address, "model", clients, tokens, round_ * 37 + clients))
            ours = asyncio.run(burst(tandem_address, name, clients, tokens, round_ * 37 + clients))
            print(json.dumps({"clients": clients, "llama.cpp": theirs, "tandem": ours}), flush=True)
            rows = best.setdefault(clients, {"ours": [], "theirs": []})
            rows["ours"].append(ours)
            rows["theirs"].append(theirs)
    for clients, rows in best.items():
        middle = lambda side, key: statistics.median(row[key] for row in rows[side])
        times = middle("ours", "tokens_per_s") / middle("theirs", "tokens_per_s")
        firsts = middle("ours", "first_token_ms"), middle("theirs", "first_token_ms")
        verdict.shown(f"{clients} clients: {times:.1f} times llama.cpp's tokens/s, at least 1.3", times >= 1.3)
        verdict.shown(f"{clients} clients: first token after {firsts[0]:.0f} ms, llama.cpp's {firsts[1]:.0f}", firsts[0] <= firsts[1])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["load", "compare", "prefix", "beside"])
    arguments.add_argument("--tandem", required=True)
    arguments.add_argument("--model", required=True)
    arguments.add_argument("--llama")
    arguments.add_argument("--clients")
    arguments.add_argument("--seconds", type=float, default=120)
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--tokens", type=int, default=48)
    arguments.add_argument("--options", default="", help="further options of `tandem up`")
    chosen = arguments.parse_args()
    name = chosen.model.rsplit("/", 1)[-1].removesuffix(".gguf")
    verdict = Verdict()

    async def bounded(what, within_s):
        async with asyncio.timeout(within_s):
            await what

    with contextlib.ExitStack() as servers:
        address = servers.enter_context(tandem(chosen.tandem, chosen.model, *chosen.options.split()))
        if chosen.what == "load":
            clients = int(chosen.clients or 64)
            asyncio.run(bounded(load(address, name, clients, chosen.seconds, verdict), chosen.seconds + 60))
        elif chosen.what == "compare":
            counts = [int(count) for count in (chosen.clients or "1,4,16").split(",")]
            beside_it = servers.enter_context(llama(chosen.llama, chosen.model))
            compare(address, name, beside_it, counts, chosen.rounds, chosen.tokens, verdict)
        else:
            asyncio.run(bounded({"prefix": prefix, "beside": beside}[chosen.what](address, name, verdict), 80))
    sys.exit(verdict.failed)


if __name__ == "__main__":
    main()
