"""Perplexity by llama.cpp of SmolLM2 and of a random Llama in every quantisation, on fixed texts.

The files are made by llama.cpp's own quantiser and kept in the cache; only the numbers are committed. No row of
SmolLM2 is a multiple of 256 long but those of `ffn_down`, so llama.cpp replaces most K-quants there; the random
Llama carries them in every matrix. Each entry says which types its file really holds.
"""

import math
import os
import random
from collections import Counter
from pathlib import Path

import gguf
import numpy as np

import random_llama
from llama_reference import SETTINGS, Reference, quantize

HERE = Path(__file__).parent
CHUNK = 512
TOLERANCE = 0.003
# Engines round activations to 8 bits, each in its own way, and over a text of 3,500 tokens that alone moves SmolLM2's
# perplexity by 0.1 to 0.4%. Eight orders of the same paragraphs average it out, at eight times the cost.
ORDERS = 8
# What the everyday comparison begins with.
FIRST_CHUNKS = 2

# (kind, pure): pure puts the token table in the same type, where llama.cpp would choose a finer one.
SMOLLM2_KINDS = [
    ("F16", False),
    ("BF16", False),
    ("Q8_0", False),
    ("Q4_0", False),
    ("Q4_1", False),
    ("Q5_0", False),
    ("Q5_1", False),
    ("Q2_K", False),
    ("Q3_K_M", False),
    ("Q4_K_M", False),
    ("Q5_K_M", False),
    ("Q6_K", False),
    ("IQ4_NL", False),
    ("IQ4_XS", False),
]
RANDOM_KINDS = [
    ("F16", False),
    ("Q8_0", True),
    ("Q4_0", True),
    ("Q4_1", True),
    ("Q5_0", True),
    ("Q5_1", True),
    ("Q2_K", True),
    ("Q3_K_S", True),
    ("Q4_K_S", True),
    ("Q4_K_M", False),
    ("Q5_K_S", True),
    ("Q6_K", True),
    ("IQ4_NL", True),
    ("IQ4_XS", True),
    ("MXFP4_MOE", True),
    ("TQ1_0", True),
    ("TQ2_0", True),
    ("IQ1_S", True),
    ("IQ1_M", True),
    ("IQ2_XXS", True),
    ("IQ2_XS", True),
    # Which is made of IQ2_S; the file type of that name is made of IQ2_XS.
    ("IQ2_M", True),
    ("IQ3_XXS", True),
    ("IQ3_S", True),
]


def file_name(source, kind, pure):
    return f"{source}-{kind.lower()}{'-pure' if pure else ''}.gguf"


def files(smollm2, cache):
    """Makes what is missing in `cache`; yields (name, path, text file)."""
    cache.mkdir(parents=True, exist_ok=True)
    yield "smollm2-original", Path(smollm2), "text.txt"
    half = cache / file_name("smollm2", "F16", False)
    make_once(half, lambda part: quantize(smollm2, part, "F16"))
    for kind, pure in SMOLLM2_KINDS:
        path = cache / file_name("smollm2", kind, pure)
        make_once(path, lambda part: quantize(half, part, kind, pure))
        yield path.stem, path, "text.txt"
    half = cache / file_name("random", "F16", False)
    make_once(half, lambda part: random_llama.write(part, random_llama.K_QUANT_SHAPE, smollm2))
    for kind, pure in RANDOM_KINDS:
        path = cache / file_name("random", kind, pure)
        make_once(path, lambda part: quantize(half, part, kind, pure))
        yield path.stem, path, "random_text.txt"


def make_once(path, make):
    if not path.exists():
        part = path.with_suffix(".part")
        make(part)
        os.rename(part, path)


def long_text():
    """The paragraphs of text.txt in ORDERS orders, the first as written; code blocks stay whole."""
    paragraphs, fenced = [""], False
    for line in (HERE / "text.txt").read_text().splitlines():
        fenced ^= line.startswith("```")
        if line or fenced:
            paragraphs[-1] += line + "\n"
        else:
            paragraphs.append("")
    orders = []
    for seed in range(ORDERS):
        order = [paragraph for paragraph in paragraphs if paragraph]
        if seed:
            random.Random(seed).shuffle(order)
        orders.append("\n".join(order))
    return "\n".join(orders)


def measure(path, text, chunks=None):
    reference = Reference(path, context=CHUNK)
    tokens = reference.tokenize(text)
    if reference.starts_with_bos():
        tokens.insert(0, reference.bos())
    if chunks:
        tokens = tokens[: chunks * CHUNK]
    counted, total = reference.negative_log_likelihood(tokens, CHUNK)
    reference.close()
    return {"tokens": counted, "nll": round(total, 4), "ppl": round(math.exp(total / counted), 6)}


def make(smollm2, cache, checking=False):
    entries = {}
    for name, path, text in files(smollm2, cache):
        types = Counter(tensor.tensor_type.name for tensor in gguf.GGUFReader(path).tensors)
        entries[name] = {"text": text, "types": dict(sorted(types.items()))}
        entries[name] |= measure(path, (HERE / text).read_text())
        entries[name]["first"] = measure(path, (HERE / text).read_text(), FIRST_CHUNKS)
        if text == "text.txt" and not checking:
            entries[name]["long"] = measure(path, long_text())
        print(f"  {name}: {entries[name]}", flush=True)
    return {"settings": SETTINGS, "chunk": CHUNK, "tolerance": TOLERANCE, "files": entries}


def differences(stored, fresh):
    for name, old in stored["files"].items():
        new = fresh["files"].get(name)
        if new is None:
            yield f"{name}: not made any more"
        elif (new["types"], new["tokens"]) != (old["types"], old["tokens"]):
            yield f"{name}: holds {new}, stored {old}"
        elif abs(new["ppl"] / old["ppl"] - 1) > TOLERANCE:
            yield f"{name}: perplexity {new['ppl']}, stored {old['ppl']}"


def write_random_text(smollm2, cache, count=2000):
    """Words drawn from the random Llama itself, so that its perplexity on them depends on every weight.

    Only words that are one token with a leading space are drawn: their text gives back the same ids.
    """
    half = cache / file_name("random", "F16", False)
    make_once(half, lambda part: random_llama.write(part, random_llama.K_QUANT_SHAPE, smollm2))
    reference = Reference(half, context=1024)
    words = {}
    for token, piece in enumerate(gguf.GGUFReader(smollm2).fields["tokenizer.ggml.tokens"].contents()):
        word = piece[1:]
        if piece[0] == "Ġ" and word.isascii() and word.isalpha():
            words[token] = " " + word
    allowed = np.array(sorted(words))
    rng = np.random.default_rng(1)
    ids = [int(allowed[0])]
    while len(ids) < count:
        start = len(ids) // CHUNK * CHUNK
        if len(ids) == start:
            reference.clear()
            ids.append(int(rng.choice(allowed)))
            continue
        if len(ids) == start + 1:
            reference.clear()
        logits = reference.decode([ids[-1]], len(ids) - 1 - start)[0][allowed].astype(np.float64)
        p = np.exp(logits - logits.max())
        ids.append(int(rng.choice(allowed, p=p / p.sum())))
    text = "".join(words[i] for i in ids)
    assert reference.tokenize(text) == ids
    reference.close()
    (HERE / "random_text.txt").write_text(text)
