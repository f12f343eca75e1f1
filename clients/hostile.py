"""Requests that nobody should send, to a running server: each must cost a refusal with a reason, and nothing else.

    python3 hostile.py --url http://127.0.0.1:11435 --model smollm2

Needs no packages. Ends with 0 if every answer was as expected and the server still answers; says what was not otherwise.
With several --url, as for the nodes of a cluster, each is sent everything.
"""

import argparse
import http.client
import json
import socket
import sys
import time
import urllib.parse

# Words of the program's insides that no caller should read.
INTERNAL = ["refused: {", "Parser Error", "Stopped", "lost 20 times", "panic", "has stopped"]


def chain(links):
    """A schema whose references lead from one to the next."""
    defs = {f"d{i}": {"type": "object", "properties": {"a": {"$ref": f"#/$defs/d{i + 1}"}}} for i in range(links)}
    defs[f"d{links}"] = {"type": "string"}
    return {"$defs": defs, "$ref": "#/$defs/d0"}


def properties(count):
    return {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(count)}}


def patterns(count):
    return {"allOf": [{"type": "string", "pattern": "(.*[a-z]{%d}){3}" % i} for i in range(1, count + 1)]}


def requests(model):
    """Name, path, body, the status, and what the answer must say."""
    messages = [{"role": "user", "content": "hi"}]
    chat = {"model": model, "messages": messages, "max_tokens": 4}

    def shaped(schema):
        return {**chat, "response_format": {"type": "json_schema", "json_schema": {"schema": schema}}}

    schemas = {"chain of 300 references": (chain(300), "levels"), "49 patterns at once": (patterns(49), "patterns"),
               "3,000 properties": (properties(3000), "properties")}
    for name, (schema, says) in schemas.items():
        yield f"{name}", "/v1/chat/completions", shaped(schema), 400, says
        yield f"{name}, streamed", "/v1/chat/completions", {**shaped(schema), "stream": True}, 400, says
        responses = {"model": model, "input": "hi", "text": {"format": {"type": "json_schema", "name": "x", "schema": schema}}}
        yield f"{name}, responses", "/v1/responses", responses, 400, says
        anthropic = {**chat, "output_format": {"type": "json_schema", "schema": schema}}
        yield f"{name}, Anthropic", "/v1/messages", anthropic, 400, says
        yield f"{name}, Ollama", "/api/chat", {"model": model, "messages": messages, "format": schema}, 400, says
        tool = {"type": "function", "function": {"name": "f", "parameters": schema, "strict": True}}
        yield f"{name}, tool", "/v1/chat/completions", {**chat, "tools": [tool], "tool_choice": "required"}, 400, ""

    def regex(text):
        return {**chat, "response_format": {"type": "regex", "regex": text}}

    def lark(text):
        return {**chat, "response_format": {"type": "grammar", "grammar": text}}

    alternation = "|".join(f"word{i}" for i in range(640_000))
    yield "alternation of 7 MB", "/v1/chat/completions", regex(alternation), 400, "bytes"
    yield "100,000 rules", "/v1/chat/completions", lark("".join(f'r{i}: "x{i}" r{i + 1}\n' for i in range(100_000))), 400, ""
    yield "intersection", "/v1/chat/completions", lark("start: A\nA: /(.*a){300}/ & /(.*b){300}/ & /(.*c){300}/"), 400, "&"
    yield "nested brackets", "/v1/chat/completions", lark("start: " + "(" * 100_000 + '"x"' + ")" * 100_000), 400, ""
    yield "nested groups", "/v1/chat/completions", regex("(" * 100_000 + "x" + ")" * 100_000), 400, ""
    yield "no regex", "/v1/chat/completions", regex("("), 400, "constraint"
    yield "no schema fits", "/v1/chat/completions", shaped({"type": "integer", "minimum": 5, "maximum": 1}), 400, ""

    unknown = 4_000_000_000
    yield "unknown token", "/v1/completions", {"model": model, "prompt": [1, unknown], "max_tokens": 1}, 400, "prompt"
    yield "unknown token to embed", "/v1/embeddings", {"model": model, "input": [[1, unknown]]}, 400, "input"
    yield "unknown bias", "/v1/chat/completions", {**chat, "logit_bias": {str(unknown): 1}}, 400, "logit_bias"
    yield "unknown model", "/v1/chat/completions", {**chat, "model": "no-such-model"}, 404, "no-such-model"
    long = {"model": model, "prompt": "word " * 600_000, "max_tokens": 1}
    yield "prompt beyond every context", "/v1/completions", long, 400, "context"
    # More tokens than the context holds are the most that is wanted, no mistake.
    yield "as many tokens as there are", "/v1/chat/completions", {**chat, "max_tokens": 10**9, "stop": ["e", "a", "\n"]}, 200, ""


def ask(url, method, path, body=None, headers=None):
    host = urllib.parse.urlparse(url)
    connection = http.client.HTTPConnection(host.hostname, host.port, timeout=120)
    encoded = None if body is None else json.dumps(body).encode()
    try:
        connection.request(method, path, encoded, {"content-type": "application/json", **(headers or {})})
        response = connection.getresponse()
        # Some answers are streams without an end.
        text = response.read(4096 if response.status == 200 else None)
        return response.status, text.decode(errors="replace")
    except BrokenPipeError:
        return 0, "the connection broke"
    finally:
        connection.close()


def check(url, model):
    def expect(name, found, status, says):
        took = time.monotonic() - begin
        code, text = found
        faults = []
        if code != status:
            faults.append(f"status {code}, expected {status}")
        if code != 200 and says.lower() not in text.lower():
            faults.append(f"does not say {says!r}")
        faults += [f"says {word!r}" for word in INTERNAL if word in text]
        print(f"{'FAILED' if faults else 'ok':7}{name}: {code} in {took:.2f} s")
        for fault in faults:
            print(f"       {fault}: {text[:300]}")
        return not faults

    good = True
    for name, path, body, status, says in requests(model):
        begin = time.monotonic()
        good &= expect(name, ask(url, "POST", path, body), status, says)
        begin = time.monotonic()
        alive = ask(url, "GET", "/health")
        if alive[0] != 200:
            good &= expect(f"alive after {name}", alive, 200, "")
    for path in ["/state", "/events", "/metrics", "/v1/models", "/health", "/docs"]:
        for header in [{"host": "evil.example"}, {"origin": "https://evil.example"}]:
            begin = time.monotonic()
            good &= expect(f"{path} with {header}", ask(url, "GET", path, headers=header), 403, "evil.example")
    address = urllib.parse.urlparse(url)
    begin = time.monotonic()
    idle = [socket.create_connection((address.hostname, address.port)) for _ in range(400)]
    good &= expect("beside 400 idle connections", ask(url, "GET", "/health"), 200, "")
    for connection in idle:
        connection.close()
    begin = time.monotonic()
    messages = [{"role": "user", "content": "hi"}]
    chat = ask(url, "POST", "/v1/chat/completions", {"model": model, "messages": messages, "max_tokens": 2})
    good &= expect("an ordinary question at the end", chat, 200, "")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", action="append", required=True)
    parser.add_argument("--model", required=True)
    arguments = parser.parse_args()
    good = [check(url.rstrip("/"), arguments.model) for url in arguments.url]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
