"""Makes or checks the committed expectations.

    python oracles/goldens.py make  NAME... --smollm2 FILE --cache DIR
    python oracles/goldens.py check NAME... --smollm2 FILE --cache DIR

NAME is one of tiny, quantised, tokens, greedy, perplexity (all of them when none is given);
`make tiny/NAME` makes one checkpoint. `check` makes everything anew and
compares: exactly where the result is exact, within the stated tolerance where rounding differs between machines.
"""

import argparse
import importlib
import json
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def write_json(path, value):
    """One line per case, so that a change shows as a small diff."""
    lines = []
    for key, part in value.items():
        if isinstance(part, list):
            body = ",\n".join(json.dumps(item, ensure_ascii=False) for item in part)
            lines.append(f"{json.dumps(key)}: [\n{body}\n]")
        elif isinstance(part, dict) and all(isinstance(item, dict) for item in part.values()):
            body = ",\n".join(f"{json.dumps(name)}: {json.dumps(item)}" for name, item in part.items())
            lines.append(f"{json.dumps(key)}: {{\n{body}\n}}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(part)}")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def make(name, smollm2, cache, checking):
    if name == "tokens":
        import tokens

        return tokens.make(smollm2), tokens.differences
    if name == "greedy":
        import greedy

        return greedy.make(smollm2, cache), greedy.differences
    import perplexity

    return perplexity.make(smollm2, cache, checking), perplexity.differences


FILES = {"tokens": "smollm2_tokens.json", "greedy": "smollm2_greedy.json", "perplexity": "perplexity.json"}


# Folders of files, each made by the script of its name.
FOLDERS = ["tiny", "quantised"]


def check_folder(name):
    script = importlib.import_module(name)
    with tempfile.TemporaryDirectory() as fresh:
        script.write_all(Path(fresh))
        yield from script.differences(HERE / name, Path(fresh))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["make", "check"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--smollm2", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    args = parser.parse_args()
    failures = 0
    for name in args.names or [*FOLDERS, *FILES]:
        print(f"{args.action} {name}", flush=True)
        name, _, only = name.partition("/")
        if name in FOLDERS:
            if args.action == "make":
                importlib.import_module(name).write_all(HERE / name, *([only] if only else []))
                continue
            differences = list(check_folder(name))
        else:
            fresh, compare = make(name, args.smollm2, args.cache, args.action == "check")
            path = HERE / FILES[name]
            if args.action == "make":
                write_json(path, fresh)
                continue
            differences = list(compare(json.loads(path.read_text()), fresh))
        for line in differences:
            print(f"  DIFFERS {line}")
        failures += len(differences)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
