"""Makes or checks the committed expectations.

    python oracles/goldens.py make  NAME... --smollm2 FILE --cache DIR
    python oracles/goldens.py check NAME... --smollm2 FILE --cache DIR

NAME is one of tiny, tokens, greedy, perplexity (all of them when none is given). `check` makes everything anew and
compares: exactly where the result is exact, within the stated tolerance where rounding differs between machines.
"""

import argparse
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


def check_tiny():
    import tiny

    with tempfile.TemporaryDirectory() as fresh:
        tiny.write_all(Path(fresh))
        yield from tiny.differences(HERE / "tiny", Path(fresh))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["make", "check"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--smollm2", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    args = parser.parse_args()
    failures = 0
    for name in args.names or ["tiny", *FILES]:
        print(f"{args.action} {name}", flush=True)
        if name == "tiny":
            if args.action == "make":
                import tiny

                tiny.write_all(HERE / "tiny")
                continue
            differences = list(check_tiny())
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
