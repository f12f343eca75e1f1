"""A `tandem up` of its own for a script: a free port, a home with SmolLM2 in it, ended with the script."""

import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile
import urllib.request


@contextlib.contextmanager
def tandem(binary, model, *options):
    """Yields the server's address."""
    with tempfile.TemporaryDirectory(prefix="tandem-clients-") as home:
        log = pathlib.Path(home) / "stderr"
        environment = {**os.environ, "TANDEM_HOME": home}
        with open(log, "w") as stderr:
            server = subprocess.Popen(
                [binary, "up", model, "--port", "0", "--log=json", *options],
                env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True,
            )
        try:
            line = server.stdout.readline()
            if "http://" not in line:
                raise SystemExit(f"tandem did not start:\n{log.read_text()}")
            yield "http://" + line.split("http://")[1].split()[0]
        except BaseException:
            print(log.read_text()[-4000:])
            raise
        finally:
            server.send_signal(signal.SIGINT)
            try:
                server.wait(timeout=70)
            except subprocess.TimeoutExpired:
                server.kill()
                raise
            if server.returncode != 0:
                raise SystemExit(f"tandem ended with {server.returncode}:\n{log.read_text()[-4000:]}")


def get(url):
    with urllib.request.urlopen(url, timeout=180) as answer:
        return answer.read().decode()


def gauge(address, name):
    """The value of a number in /metrics, all models together."""
    lines = [line for line in get(address + "/metrics").splitlines() if line.startswith("tandem_" + name)]
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines)
