"""What two nodes exchange for each token at the API's defaults, and how fast they are.

    sudo unshare -n python3 bench/scale/drawn.py --model FILE TANDEM [TANDEM ...]

Each program serves the model on two local nodes over TCP, in turns. In a network namespace of its own, whatever passes the loopback
interface is what the nodes and the one client say. Two answers of different length are asked for: their difference leaves out the prompt.
"""

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

PORT = 19400


def main():
    parser = argparse.ArgumentParser(description="bytes exchanged for each token")
    parser.add_argument("programs", nargs="+", metavar="TANDEM")
    parser.add_argument("--model", required=True, help="a .gguf file")
    parser.add_argument("--tokens", type=int, nargs=2, default=[32, 160])
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    rounds = {program: [] for program in args.programs}
    for _ in range(args.rounds):
        for program in args.programs:
            with serving(program, args.model):
                ask(8)
                short, long = (ask(tokens) for tokens in args.tokens)
            tokens = long["tokens"] - short["tokens"]
            found = {"bytes": (long["bytes"] - short["bytes"]) / tokens, "tps": tokens / (long["s"] - short["s"])}
            rounds[program].append(found)
            print(program, found, flush=True)
    for program, found in rounds.items():
        median = {key: statistics.median(each[key] for each in found) for key in found[0]}
        print(f"{program}: {median['bytes'] / 1e3:.1f} KB for each token, {median['tps']:.1f} tokens/s")


@contextmanager
def serving(program, model):
    with tempfile.TemporaryDirectory() as home:
        command = [program, "up", "--alone"] if "--alone" in help_of(program) else [program, "up"]
        command += [model, "--port", str(PORT), "--local-nodes", "2", "--link", "tcp", "--threads", "1", "--context", "1024"]
        environment = dict(os.environ, TANDEM_HOME=home)
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(300):
                try:
                    if call("GET", "/health").status == 200:
                        break
                except OSError:
                    pass
                time.sleep(0.2)
            yield
        finally:
            server.terminate()
            server.wait()


def help_of(program):
    return subprocess.run([program, "up", "--help"], capture_output=True, text=True).stdout


def ask(tokens):
    """Nothing but the length is asked for."""
    name = json.load(call("GET", "/v1/models"))["data"][0]["id"]
    body = {"model": name, "prompt": "Once upon a time", "max_tokens": tokens}
    before, began = loopback_bytes(), time.monotonic()
    answer = json.load(call("POST", "/v1/completions", body))
    took = time.monotonic() - began
    if "usage" not in answer:
        sys.exit(f"no answer came: {answer}")
    return {"tokens": answer["usage"]["completion_tokens"], "s": took, "bytes": loopback_bytes() - before}


def call(method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
    connection.request(method, path, json.dumps(body) if body else None, {"content-type": "application/json"})
    return connection.getresponse()


def loopback_bytes():
    with open("/proc/net/dev") as file:
        return next(int(line.split()[1]) for line in file if line.strip().startswith("lo:"))


if __name__ == "__main__":
    main()
