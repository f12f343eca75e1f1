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


def smollm2_template(path):
    import gguf

    return gguf.GGUFReader(path).fields["tokenizer.chat_template"].contents()


def chat():
    """What transformers makes of every conversation with every template."""
    import datetime

    import tokenizers
    from transformers import PreTrainedTokenizerFast
    from transformers.utils import chat_template_utils

    from chat_cases import CASES

    class Then(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2024, 2, 29, 12, 34, 56)

    chat_template_utils.datetime = Then
    bare = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bare, bos_token="<s>", eos_token="</s>")
    goldens = []
    for path in sorted((HERE / "templates").glob("*.jinja")):
        for messages, tools, add_generation_prompt, extra in CASES:
            case = {"template": path.stem, "messages": messages, "tools": tools}
            case |= {"add_generation_prompt": add_generation_prompt, "extra": extra}
            try:
                text = tokenizer.apply_chat_template(
                    messages, tools=tools, chat_template=path.read_text(), tokenize=False,
                    add_generation_prompt=add_generation_prompt, **extra,
                )
                case["expected"] = text
            except Exception as error:
                case["error"] = str(error)
            goldens.append(case)
    return goldens


def write(name, golden):
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in golden)
    (HERE / name).write_text("[\n" + lines + "\n]\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--dump"]:
        json.dump(dump(sys.argv[2]), sys.stdout, ensure_ascii=False)
    else:
        write("chat.json", chat())
