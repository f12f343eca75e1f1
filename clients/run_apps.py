"""Completes a session of OpenCode and one of Claude Code against `tandem up`.

    run_apps.py --tandem BIN --model GGUF --folder WHERE

Installs both from npm into WHERE (about 400 MB) unless they are there; needs Node.js. They run with a home of their own
inside WHERE. Their prompts are long: a small model takes a minute to read OpenCode's on two busy cores.
"""

import argparse
import json
import os
import pathlib
import subprocess
import time

from serve import get, tandem

PACKAGES = ["opencode-ai@1.18.33", "@anthropic-ai/claude-code@2.1.325"]
ASK = "Say hello in one short sentence."


def run(command, folder, **environment):
    start = time.monotonic()
    environment = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "TERM": "dumb", **environment}
    ended = subprocess.run(command, cwd=folder / "work", env=environment, capture_output=True, text=True, timeout=300)
    if ended.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {ended.returncode}:\n{ended.stdout}\n{ended.stderr}")
    return ended.stdout, time.monotonic() - start


def opencode(folder, address, model):
    provider = {
        "npm": "@ai-sdk/openai-compatible", "name": "Tandem", "options": {"baseURL": address + "/v1", "apiKey": "none"},
        "models": {model: {"limit": {"context": 8192, "output": 200}}},
    }
    (folder / "work/opencode.json").write_text(json.dumps({"provider": {"tandem": provider}}))
    said, took = run([folder / "node_modules/.bin/opencode", "run", "-m", f"tandem/{model}", ASK], folder)
    assert said.strip(), "OpenCode showed no answer"
    print(f"OpenCode: {took:.0f} s: {said.strip()!r}")


def claude_code(folder, address, model):
    # One tool: the prompt with all of them has 19,550 tokens, more than SmolLM2 can hold.
    command = [
        folder / "node_modules/.bin/claude", "-p", ASK, "--model", model, "--tools", "Read", "--output-format", "json",
    ]
    said, took = run(
        command, folder, ANTHROPIC_BASE_URL=address, ANTHROPIC_AUTH_TOKEN="none", ANTHROPIC_MODEL=model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL=model, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        CLAUDE_CODE_MAX_OUTPUT_TOKENS="2000",
        # A small model may go on for 2,000 tokens, and is then asked three times to go on.
        CLAUDE_CODE_EXTRA_BODY=json.dumps({"stop_sequences": [".", "!"]}),
    )
    result = json.loads(said)
    assert not result["is_error"] and result["result"], result
    print(f"Claude Code: {took:.0f} s: {result['result']!r}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tandem", required=True)
    arguments.add_argument("--model", required=True)
    arguments.add_argument("--folder", required=True)
    chosen = arguments.parse_args()
    folder = pathlib.Path(chosen.folder).resolve()
    for name in ["home", "work"]:
        (folder / name).mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules/.bin/claude").exists():
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES], check=True)
        subprocess.run(["node", "postinstall.mjs"], cwd=folder / "node_modules/opencode-ai", check=True)
        subprocess.run(["node", "install.cjs"], cwd=folder / "node_modules/@anthropic-ai/claude-code", check=True)
    with tandem(chosen.tandem, chosen.model, "--local-nodes", "2") as address:
        model = json.loads(get(address + "/v1/models"))["data"][0]["id"]
        claude_code(folder, address, model)
        opencode(folder, address, model)


if __name__ == "__main__":
    main()
