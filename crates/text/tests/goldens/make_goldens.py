"""Makes the golden files of this directory, and dumps tokenizers.

    python make_goldens.py                 remake the goldens (needs: tokenizers sentencepiece gguf llama-cpp-python transformers)
    python make_goldens.py --dump A.gguf   print a GGUF file's tokenizer facts as JSON

Everything is made from a fixed seed text, so that running it again changes nothing unless an implementation did.
"""

import json
import sys
from pathlib import Path

from corpus import TEXTS

HERE = Path(__file__).parent
FACTS = [
    "model", "pre", "tokens", "scores", "token_type", "merges", "bos_token_id", "eos_token_id", "eot_token_id",
    "eom_token_id", "unknown_token_id", "padding_token_id", "add_bos_token", "add_eos_token", "add_space_prefix",
]


def dump(path):
    import gguf

    fields = gguf.GGUFReader(path).fields
    facts = {name: fields["tokenizer.ggml." + name].contents() for name in FACTS if "tokenizer.ggml." + name in fields}
    return facts


if __name__ == "__main__":
    if sys.argv[1:2] == ["--dump"]:
        json.dump(dump(sys.argv[2]), sys.stdout, ensure_ascii=False)
