"""Lets schemathesis think of requests from /openapi.json: none may end in a 5xx. Bounded and seeded."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from serve import gauge, get, tandem


def narrowed(description, name):
    """The description with a model that exists and answers that are short: most requests get as far as the model."""
    for schema in description["components"]["schemas"].values():
        fields = schema["properties"]
        fields["model"] = {"const": name}
        for field, most in [("max_tokens", 4), ("max_completion_tokens", 4), ("max_output_tokens", 4), ("n", 2), ("best_of", 2)]:
            if field in fields:
                fields[field]["maximum"] = most
        if "options" in fields and "properties" in fields["options"]:
            fields["options"]["properties"]["num_predict"] = {"type": "integer", "minimum": 1, "maximum": 4}
            fields["options"]["required"] = ["num_predict"]
        length = next((field for field in ["max_tokens", "max_output_tokens", "options"] if field in fields), None)
        if length and length not in schema["required"]:
            schema["required"] = [*schema["required"], length]
    return description


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tandem", required=True)
    arguments.add_argument("--model", required=True)
    arguments.add_argument("--examples", default="25")
    chosen = arguments.parse_args()
    name = chosen.model.rsplit("/", 1)[1].removesuffix(".gguf")
    with (
        tempfile.TemporaryDirectory() as folder,
        tandem(chosen.tandem, chosen.model, "--local-nodes", "2", "--context", "512") as address,
    ):
        description = pathlib.Path(folder) / "openapi.json"
        description.write_text(json.dumps(narrowed(json.loads(get(address + "/openapi.json")), name)))
        command = [
            str(pathlib.Path(sys.executable).with_name("schemathesis")), "run", str(description), "--url", address,
            "--checks", "not_a_server_error", "--phases", "fuzzing", "--mode", "all", "--seed", "1",
            "--max-examples", chosen.examples, "--max-response-time", "300", "--request-timeout", "300",
            # How fast this machine thinks of requests is not what is tested.
            "--suppress-health-check", "too_slow",
            # Events never end, and a pull goes out to the network.
            "--exclude-path", "/events", "--exclude-path", "/api/pull", "--exclude-path", "/tandem/pull",
        ]
        ended = subprocess.run(command, text=True, capture_output=True)
        print(ended.stdout[-6000:])
        if ended.returncode != 0:
            raise SystemExit(f"schemathesis ended with {ended.returncode}: {ended.stderr[-2000:]}")
        # The last answers may have been read before the server put them down.
        until = time.monotonic() + 180
        while gauge(address, "requests_in_flight") != 1 or gauge(address, "sequences_running") != 0:
            assert time.monotonic() < until, f"requests or slots of {name} are still held"
            time.sleep(0.02)


if __name__ == "__main__":
    main()
