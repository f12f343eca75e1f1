"""Greedy continuations of SmolLM2 by llama.cpp, with the margin between the two best logits of every step.

Two sets. `exact` comes from the same weights widened to f32, with an f32 cache: nothing is rounded but the last bits
of sums, so another engine's token may differ only where the best two are a tie. `quantised` comes from the file as it
is. There llama.cpp (and whoever else multiplies in integers) rounds activations to 8 bits, which moves SmolLM2's best
logits by 0.15 on average from exact arithmetic: engines that add in another order part where the margin is of that size.
"""

from llama_reference import SETTINGS, Reference, quantize

COUNT = 64
TIES = {"exact": 1e-2, "quantised": 0.5}

CHAT = "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"

PROMPTS = [
    "The capital of France is",
    "Once upon a time, in a village at the foot of a mountain,",
    "The three states of matter are",
    "def fibonacci(n):\n    \"\"\"Return the n-th Fibonacci number.\"\"\"\n",
    "#include <stdio.h>\n\nint main(void) {\n",
    "To make a good cup of tea, first",
    "In 1969, the first human beings",
    "Q: What is the difference between a virus and a bacterium?\nA:",
    "Dear Sir or Madam,\n\nI am writing to",
    "1, 2, 4, 8, 16,",
    "The French word for 'butterfly' is",
    "| name | age | city |\n|---|---|---|\n| Alice | 31 |",
    "SELECT name, COUNT(*) FROM orders",
    "Water boils at 100 degrees Celsius because",
    "The following is a list of the planets of the Solar System:\n1. Mercury\n2.",
    "她说:“今天天气很好。”",
    "Die Hauptstadt von Deutschland ist",
    "fn main() {\n    let numbers = vec![1, 2, 3];\n",
    "The old lighthouse keeper climbed the stairs one last time. The lamp",
    "A",
    "Photosynthesis is the process by which plants",
    "{\"name\": \"tandem\", \"version\": \"0.1.0\", \"dependencies\": {",
    CHAT.format("Why is the sky blue?"),
    CHAT.format("Write a short poem about the sea."),
    CHAT.format("List three uses of a brick."),
    CHAT.format("Explain recursion to a child."),
    CHAT.format("What should I see in Rome in two days?"),
    CHAT.format("Write a Python function that reverses a string."),
]


def make(smollm2, cache):
    wide = cache / "smollm2-f32.gguf"
    if not wide.exists():
        quantize(smollm2, wide, "F32")
    return {
        "settings": SETTINGS,
        "ties": TIES,
        "exact": continuations(Reference(wide, context=1024, kv="f32")),
        "quantised": continuations(Reference(smollm2, context=1024)),
    }


def continuations(reference):
    made = []
    for text in PROMPTS:
        prompt = reference.tokenize(text, control_tokens=True)
        steps = reference.greedy(prompt, COUNT)
        made.append(
            {
                "text": text,
                "prompt": prompt,
                "produced": [first for first, _, _, _ in steps],
                "margin": [round(best - next_best, 4) for _, _, best, next_best in steps],
            }
        )
    reference.close()
    return made


def differences(stored, fresh):
    for kind, tie in TIES.items():
        for old, new in zip(stored[kind], fresh[kind], strict=True):
            if old["prompt"] != new["prompt"]:
                yield f"{old['text']!r}: prompt ids differ"
                continue
            for at, (a, b) in enumerate(zip(old["produced"], new["produced"])):
                if a != b:
                    if old["margin"][at] > tie:
                        yield f"{old['text']!r}: token {at} is {b}, stored {a}, margin {old['margin'][at]}"
                    break
