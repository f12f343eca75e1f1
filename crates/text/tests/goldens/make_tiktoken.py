"""A small vocabulary in tiktoken's form, and the ids that tiktoken gives.

    python make_tiktoken.py        writes tiktoken.json beside this file; needs the `tiktoken` package
"""

import base64
import json
from collections import Counter
from pathlib import Path

import tiktoken
from corpus import TEXTS

# As Kimi's tokenizer has it.
PATTERN = "|".join(
    [
        r"[\p{Han}]+",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)


def train(words, count):
    """The usual training: the most frequent pair becomes a token."""
    words = [[bytes([byte]) for byte in word] for word in words]
    ranks = {bytes([byte]): byte for byte in range(256)}
    while len(ranks) < count:
        pairs = Counter(pair for word in words for pair in zip(word, word[1:]))
        (left, right), _ = max(pairs.items(), key=lambda item: (item[1], item[0]))
        ranks.setdefault(left + right, len(ranks))
        for word in words:
            at = 0
            while at + 1 < len(word):
                if (word[at], word[at + 1]) == (left, right):
                    word[at : at + 2] = [left + right]
                at += 1
    return ranks


def main():
    words = []
    for text in TEXTS:
        words += [text.encode()[at : at + 12] for at in range(0, len(text.encode()), 5)]
    ranks = train(words, 700)
    # Tokens that no merge of others leads to.
    for odd in (b"zqzqz", "龥龦".encode()):
        ranks.setdefault(odd, len(ranks))
    special = {"[BOS]": len(ranks), "<|im_end|>": len(ranks) + 1}
    encoding = tiktoken.Encoding("kimi", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens=special)
    lines = [f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in sorted(ranks.items(), key=lambda item: item[1])]
    texts = TEXTS + ["zqzqz zqzqzz 龥龦 龥龦一"]
    cases = [[text, encoding.encode_ordinary(text)] for text in texts]
    golden = {"model": "".join(lines), "special": special, "cases": cases}
    (Path(__file__).parent / "tiktoken.json").write_text(json.dumps(golden, ensure_ascii=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
