"""Holds the Kubernetes and Slurm examples to what they promise, as far as that goes without either.

The manifest is validated against Kubernetes' published schema, and the command of its pods is run for two of them; the Slurm script is
run with stand-ins for `srun` and `scontrol`. Both end with an answer from a model that is divided among two nodes. Meant for a network
namespace of its own: the nodes use the ports that the examples name.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import kubernetes_validate
import yaml

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = "1.33"
PATIENCE_S = 240
QUESTION = ["--raw", "--temperature", "0", "--max-tokens", "24", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10,"]
ANSWER = "11, 12, 13"


def command(program, *arguments, home, **more):
    environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(home), "HF_ENDPOINT": "http://127.0.0.1:9"}
    return subprocess.run([program, *arguments], env=environment | {"TANDEM_HOME": str(home)}, text=True, capture_output=True, **more)


def kubernetes(tandem, model, folder):
    manifests = list(yaml.safe_load_all((HERE / "kubernetes/tandem.yaml").read_text()))
    for manifest in manifests:
        kubernetes_validate.validate(manifest, SCHEMA, strict=True)
        print(f"valid for Kubernetes {SCHEMA}: {manifest['kind']} {manifest['metadata']['name']}")
    (container,) = manifests[1]["spec"]["template"]["spec"]["containers"]
    token = command(tandem, "token", "--new", "--at", "127.0.0.1", home=folder).stdout.strip()
    pods, logs = [], []
    try:
        for ordinal in range(2):
            home = folder / f"pod-{ordinal}"
            home.mkdir()
            environment = {"PATH": f"{tandem.parent}:/usr/bin:/bin", "HOSTNAME": f"tandem-{ordinal}", "TOKEN": token, "TANDEM_HOME": str(home)}
            environment["HF_ENDPOINT"] = "http://127.0.0.1:9"
            script = container["args"][0]
            if ordinal:  # Both share one network here, and each pod's own has the port free.
                script = script.replace("tandem up", "tandem up --port 11436")
            logs.append(open(folder / f"pod-{ordinal}.log", "w"))
            pods.append(subprocess.Popen([*container["command"], script], env=environment, stdout=logs[-1], stderr=logs[-1]))
            # As the StatefulSet does: the next pod starts once this one is ready.
            wait_until(f"pod {ordinal} is ready", pods[-1], lambda: command(tandem, *container["readinessProbe"]["exec"]["command"][1:], home=home).returncode == 0)
        first = folder / "pod-0"
        wait_until("two nodes", pods[0], lambda: sum(1 for node in json.loads(command(tandem, "nodes", "--json", home=first).stdout or "[]") if node["live"] and node["cores"]) == 2)
        loaded = command(tandem, "load", model, "--nodes", "tandem-0,tandem-1", home=first)
        assert loaded.returncode == 0, loaded.stderr
        said = command(tandem, "run", pathlib.Path(model).stem, *QUESTION, home=first, timeout=PATIENCE_S)
        assert ANSWER in said.stdout, said
        print(f"two pods answer: {said.stdout.strip()}")
    except BaseException:
        for ordinal in range(len(pods)):
            print(f"pod {ordinal}:", (folder / f"pod-{ordinal}.log").read_text())
        raise
    finally:
        for pod in pods:
            pod.terminate()
        for pod in pods:
            pod.wait()


SRUN = """#!/bin/bash
while [[ $1 == --* ]]; do shift; done
export SLURM_NTASKS=2
SLURM_PROCID=0 "$@" & first=$!
SLURM_PROCID=1 TANDEM_UP="--port 11436 --cluster-port 0" "$@" & second=$!
wait $first; code=$?
kill -TERM $second $(cat /proc/$second/task/$second/children 2>/dev/null) 2>/dev/null
wait $second
exit $code
"""


def slurm(tandem, model, folder):
    programs = folder / "bin"
    programs.mkdir()
    for name, text in {"srun": SRUN, "scontrol": "#!/bin/sh\necho 127.0.0.1\n"}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    environment = {
        "PATH": f"{programs}:{tandem.parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "HF_ENDPOINT": "http://127.0.0.1:9",
        "SLURM_JOB_NODELIST": "node[1-2]",
        "SLURM_JOB_ID": "7",
        "SLURM_TMPDIR": str(folder),
    }
    asked = f"tandem load {model} --nodes rank-0,rank-1 >&2 && tandem run {pathlib.Path(model).stem} {shlex.join(QUESTION)}"
    script = HERE / "slurm/tandem.sbatch"
    said = subprocess.run(["bash", script, "bash", "-c", asked], env=environment, text=True, capture_output=True, timeout=PATIENCE_S)
    assert said.returncode == 0 and ANSWER in said.stdout, said
    print(f"a job answers: {said.stdout.strip().splitlines()[-1]}")
    left = [path.name for path in folder.glob("tandem-7-*")]
    assert not left, f"the job left {left}"
    usage = subprocess.run(["bash", script], env=environment, text=True, capture_output=True)
    assert usage.returncode == 2 and "usage" in usage.stderr, usage


def wait_until(what, process, holds):
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(f"never came: {what}")
        time.sleep(0.2)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tandem", type=pathlib.Path, required=True)
    parser.add_argument("--model", required=True)
    parsed = parser.parse_args()
    tandem = parsed.tandem.resolve()
    for check in kubernetes, slurm:
        with tempfile.TemporaryDirectory() as folder:
            check(tandem, parsed.model, pathlib.Path(folder))


main()
