"""A model over several nodes: started here, or served by a node that runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

Message = dict[str, Any]

# A node is on this machine or in its network: no proxy leads there.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ModelError(RuntimeError):
    """The program could not be started, or refused a request; the message says why."""


class Model:
    """A loaded model that answers.

    With ``nodes``, the ``tandem`` program (in PATH, or named by ``program``) is started here and divides the model among so many
    processes; it ends with the object. With ``url``, a node that runs already is asked, and with it its whole cluster; ``key`` is an API key
    where that node wants one.
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        *,
        nodes: int = 1,
        url: str | None = None,
        key: str | None = None,
        program: str = "tandem",
        arguments: Sequence[str] = (),
        timeout: float = 600.0,
    ) -> None:
        self.name = os.fspath(model)
        self._key = key
        self._timeout = timeout
        self._process: subprocess.Popen[str] | None = None
        if url is not None:
            self._url = url.rstrip("/")
            return
        found = shutil.which(program)
        if found is None:
            raise ModelError(f"there is no `{program}` in PATH; install it, or say where it is with `program`")
        command = [found, "up", "--port", "0", *(["--local-nodes", str(nodes)] if nodes > 1 else ["--alone"]), *arguments, self.name]
        # A pipe that nobody reads would hold the program up.
        said = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        address = re.search(r"http://\S+", line)
        if address is None:
            self._process.wait()
            said.seek(0)
            raise ModelError(said.read().strip() or f"`{' '.join(command)}` said nothing")
        said.close()
        self._url = address.group()
        if Path(self.name).suffix == ".gguf":
            self.name = Path(self.name).stem

    def chat(self, messages: str | Sequence[Message], **options: Any) -> str:
        """The whole answer to a question or a conversation. ``options`` are those of OpenAI's chat completions."""
        answer = self._ask("/v1/chat/completions", {"messages": _messages(messages), **options})
        content: str = json.load(answer)["choices"][0]["message"]["content"]
        return content

    def stream(self, messages: str | Sequence[Message], **options: Any) -> Iterator[str]:
        """The answer, piece by piece as it is made."""
        request = {"messages": _messages(messages), "stream": True, **options}
        with self._ask("/v1/chat/completions", request) as answer:
            for line in answer:
                if not line.startswith(b"data: ") or line.strip() == b"data: [DONE]":
                    continue
                event = json.loads(line[6:])
                if "error" in event:
                    raise ModelError(event["error"].get("message", str(event["error"])))
                for choice in event["choices"]:
                    if piece := choice["delta"].get("content"):
                        yield piece

    def embed(self, texts: str | Sequence[str]) -> list[list[float]]:
        """A vector for each text."""
        data = json.load(self._ask("/v1/embeddings", {"input": [texts] if isinstance(texts, str) else list(texts)}))["data"]
        return [entry["embedding"] for entry in sorted(data, key=lambda entry: entry["index"])]

    def close(self) -> None:
        """Ends what was started here."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    def __enter__(self) -> Model:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _ask(self, path: str, body: dict[str, Any]) -> Any:
        headers = {"content-type": "application/json"}
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key}"
        data = json.dumps({"model": self.name, **body}).encode()
        try:
            return _direct.open(urllib.request.Request(self._url + path, data, headers), timeout=self._timeout)
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                text = json.loads(text)["error"]["message"]
            except (ValueError, KeyError, TypeError):
                pass
            raise ModelError(text) from None
        except urllib.error.URLError as error:
            raise ModelError(f"{self._url} does not answer: {error.reason}") from None


def _messages(messages: str | Sequence[Message]) -> list[Message]:
    return [{"role": "user", "content": messages}] if isinstance(messages, str) else list(messages)
