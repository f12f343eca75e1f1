"""Sends a message to `tandem up` through Open WebUI in a headless Chromium, and watches the answer grow.

    open_webui.py --tandem BIN --model GGUF --folder WHERE

Installs Open WebUI and Playwright from PyPI into WHERE (1.4 GB) unless they are there; needs Python 3.11 or 3.12 and a
Chromium (Debian's package `chromium`). Keeps a screenshot, results/open_webui.png unless told otherwise.
"""

import argparse
import contextlib
import importlib.metadata
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from serve import gauge, get, tandem

OPEN_WEBUI = "0.12.4"
PLAYWRIGHT = "1.60.0"
# Open WebUI imports these when it embeds, transcribes or reads scans by itself; with PyTorch they take several gigabytes.
LEFT_OUT = {
    "accelerate", "einops", "faster-whisper", "opencv-python-headless", "rapidocr", "sentence-transformers", "transformers",
}
ASK = "Write a story about a lighthouse."
# Every length the answer has in the page; asking from outside would miss most of them.
WATCH = """
window.lengths = [];
new MutationObserver(() => {
  const length = document.querySelector(".chat-assistant")?.innerText.trim().length ?? 0;
  if (length > (window.lengths.at(-1) ?? 0)) window.lengths.push(length);
}).observe(document.body, {childList: true, subtree: true, characterData: true});
"""


def install(folder):
    """The environment's Python."""
    python, done = folder / "venv/bin/python", folder / f"installed-{OPEN_WEBUI}-{PLAYWRIGHT}"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder / "venv"], check=True)
        pip = [python, "-m", "pip", "install", "-q", "--no-cache-dir", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", f"open-webui=={OPEN_WEBUI}"], check=True)
        site = next((folder / "venv/lib").glob("python*/site-packages"))
        package = next(importlib.metadata.distributions(name="open-webui", path=[str(site)]))
        wanted = [line for line in package.requires if "extra ==" not in line]
        kept = [line for line in wanted if re.match(r"[\w.-]+", line)[0] not in LEFT_OUT]
        subprocess.run([*pip, *kept, f"playwright=={PLAYWRIGHT}"], check=True)
        done.touch()
    return python


@contextlib.contextmanager
def open_webui(folder, api):
    """Yields the address of an Open WebUI that knows nothing but `api`."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="open-webui-") as data:
        environment = {
            "PATH": os.environ["PATH"], "HOME": data, "DATA_DIR": data, "OFFLINE_MODE": "true", "WEBUI_AUTH": "False",
            "WEBUI_SECRET_KEY": "none", "CORS_ALLOW_ORIGIN": address, "ENABLE_OLLAMA_API": "false",
            "OPENAI_API_BASE_URL": api + "/v1", "OPENAI_API_KEY": "none", "RAG_EMBEDDING_ENGINE": "openai",
            # Not its own tools: with them the prompt has 6,072 tokens, which two busy cores read for a minute.
            "DEFAULT_MODEL_PARAMS": '{"function_calling": "legacy", "max_tokens": 160, "temperature": 0}',
            # Asked for without a limit beside the answer; a small model may go on until its context is full.
            "ENABLE_TITLE_GENERATION": "false", "ENABLE_TAGS_GENERATION": "false", "ENABLE_FOLLOW_UP_GENERATION": "false",
        }
        log = pathlib.Path(data) / "log"
        with open(log, "w") as output:
            server = subprocess.Popen(
                [folder / "venv/bin/open-webui", "serve", "--host", "127.0.0.1", "--port", str(port)],
                cwd=data, env=environment, stdout=output, stderr=output,
            )
        try:
            deadline = time.monotonic() + 180
            while True:
                if server.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit("Open WebUI did not start")
                with contextlib.suppress(OSError):
                    get(address + "/health")
                    break
                time.sleep(0.2)
            yield address
        except BaseException:
            print(log.read_text()[-4000:])
            raise
        finally:
            server.terminate()
            try:
                server.wait(timeout=30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def converse(address, browser, screenshot):
    """The answer, and its lengths as it grew."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=browser, args=options)
        page = chromium.new_page(viewport={"width": 1000, "height": 620})
        page.goto(address)
        page.get_by_role("button", name="Okay, Let's Go!").click(timeout=120_000)
        page.evaluate(WATCH)
        page.locator("#chat-input").click()
        page.keyboard.type(ASK)
        page.keyboard.press("Enter")
        try:
            page.wait_for_function("window.lengths.length > 0", timeout=120_000)
            page.get_by_role("button", name="Stop", exact=True).wait_for(state="detached", timeout=120_000)
        finally:
            page.screenshot(path=screenshot)
        said, lengths = page.locator(".chat-assistant").inner_text().strip(), page.evaluate("window.lengths")
        chromium.close()
    return said, lengths


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tandem", required=True)
    arguments.add_argument("--model", required=True)
    arguments.add_argument("--folder", required=True)
    arguments.add_argument("--browser", default=shutil.which("chromium"), help="a Chromium; the one in PATH by default")
    arguments.add_argument("--screenshot", default=pathlib.Path(__file__).parent / "results/open_webui.png")
    chosen = arguments.parse_args()
    if not chosen.browser:
        raise SystemExit("there is no chromium in PATH: install one, or name it with --browser")
    folder = pathlib.Path(chosen.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = install(folder)
    if pathlib.Path(sys.prefix) != folder / "venv":
        os.execv(python, [python, *sys.argv])
    with tandem(chosen.tandem, chosen.model, "--local-nodes", "2") as api, open_webui(folder, api) as address:
        said, lengths = converse(address, chosen.browser, chosen.screenshot)
        assert gauge(api, "generated_tokens_total") > 0, "Tandem was not asked"
    assert len(lengths) >= 3, f"the answer did not grow in the page: lengths {lengths}"
    print(f"Open WebUI: {said!r}\nseen at {len(lengths)} lengths, {lengths[0]} to {lengths[-1]} characters; {chosen.screenshot}")


if __name__ == "__main__":
    main()
