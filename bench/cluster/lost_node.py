"""Three nodes on one machine, six clients that stream, and a node killed again and again: the longest pause of each loss.

    sudo unshare -n python3 bench/cluster/lost_node.py TANDEM MODEL.gguf --losses 80

The exit code is 1 where nothing came for longer than five seconds. The model's file name must have no dash, which tells nodes apart here.
"""

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PORT = 19000
CLIENTS = 6


def main():
    parser = argparse.ArgumentParser(description="pauses of streams when nodes are lost")
    parser.add_argument("tandem")
    parser.add_argument("model", type=Path)
    parser.add_argument("--losses", type=int, default=10)
    args = parser.parse_args()
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory() as home:
        cluster = Cluster(args.tandem, args.model.absolute(), Path(home))
        try:
            pauses = lose(cluster, args.losses)
        finally:
            cluster.end()
    print(f"{len(pauses)} losses: median {sorted(pauses)[len(pauses) // 2]:.1f} s, longest {max(pauses):.1f} s")
    sys.exit(max(pauses) > 5)


def lose(cluster, losses):
    cluster.start(1)
    token = cluster.ask("token", "--uses", "2").split()[0]
    cluster.start(2, "--join", token)
    cluster.start(3, "--join", token)
    name = json.load(call(1, "GET", "/v1/models"))["data"][0]["id"]
    cluster.ask("load", name)
    clients = Clients(name)
    time.sleep(6)
    pauses = []
    for loss in range(losses):
        if "-" not in cluster.ask("ps").splitlines()[1]:
            # It runs on the first node alone, which is not to be lost: have it placed anew.
            cluster.kill_worker(1)
            time.sleep(5)
        where = cluster.ask("ps")
        victim = 3 if "-3" in where and "-2" not in where else 2
        killed, longest = time.time(), 0.0
        cluster.kill(victim)
        while time.time() - killed < 8:
            time.sleep(0.1)
            longest = max(longest, time.time() - max(clients.heard, killed))
        pauses.append(longest)
        print(loss, "node", victim, " ".join(where.splitlines()[1].split()), f"pause {longest:.1f} s", flush=True)
        cluster.start(victim)
        time.sleep(4)
    clients.end()
    return pauses


class Cluster:
    def __init__(self, tandem, model, home):
        self.tandem, self.model, self.home, self.nodes = tandem, model, home, {}

    def start(self, number, *join):
        command = [self.tandem, "up", str(self.model), "--port", str(PORT + number), "--threads", "1", *join]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.nodes[number] = subprocess.Popen(command, env=self.environment(number), **quiet)
        for _ in range(150):
            try:
                if call(number, "GET", "/health").status == 200:
                    return
            except OSError:
                pass
            time.sleep(0.2)
        sys.exit(f"node {number} does not answer")

    def ask(self, *words):
        return subprocess.run([self.tandem, *words], env=self.environment(1), capture_output=True, text=True).stdout

    def kill(self, number):
        self.nodes[number].kill()
        self.nodes[number].wait()

    def kill_worker(self, number):
        for thread in Path(f"/proc/{self.nodes[number].pid}/task").iterdir():
            for worker in (thread / "children").read_text().split():
                os.kill(int(worker), signal.SIGKILL)

    def end(self):
        for node in self.nodes.values():
            node.terminate()
        for node in self.nodes.values():
            node.wait()

    def environment(self, number):
        return dict(os.environ, TANDEM_HOME=str(self.home / str(number)))


class Clients:
    """They ask the first node for one story after another; `heard` is when any of them last heard a word."""

    def __init__(self, name):
        self.name, self.heard, self.ended = name, time.time(), threading.Event()
        for number in range(CLIENTS):
            threading.Thread(target=self.listen, args=(number,), daemon=True).start()

    def listen(self, number):
        message = {"role": "user", "content": f"Tell me a story {number}."}
        body = {"model": self.name, "messages": [message], "max_tokens": 200, "temperature": 0, "stream": True}
        while not self.ended.is_set():
            try:
                for line in call(1, "POST", "/v1/chat/completions", body):
                    if b'"content"' in line:
                        self.heard = time.time()
            except OSError:
                time.sleep(0.3)

    def end(self):
        self.ended.set()


def call(number, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", PORT + number, timeout=120)
    connection.request(method, path, json.dumps(body) if body else None, {"content-type": "application/json"})
    return connection.getresponse()


if __name__ == "__main__":
    main()
