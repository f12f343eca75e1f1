"""What transformers makes of conversations with the chat templates that models publish.

    python oracles/chat_templates.py        writes crates/text/tests/goldens/families.json

Needs `transformers` and `tokenizers`, no torch.
"""

import datetime
import json
import sys
from pathlib import Path

import tokenizers
from transformers import PreTrainedTokenizerFast
from transformers.utils import chat_template_utils

GOLDENS = Path(__file__).parent.parent / "crates/text/tests/goldens"
sys.path.insert(0, str(GOLDENS))
from chat_cases import CASES  # noqa: E402

# These join the text of the arguments; the others take the value.
WANT_TEXT = {"deepseek-v3.1", "deepseek-r1-distill"}
# These look into the content, and so need one beside calls.
WANT_CONTENT = {"gpt-oss", "ministral-3"}


class Then(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2024, 2, 29, 12, 34, 56)


def told(message, template):
    """A call as clients of OpenAI's API tell of it: no content where there are no words."""
    message = json.loads(json.dumps(message))
    for call in message.get("tool_calls", []):
        if template in WANT_TEXT:
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
        if template not in WANT_CONTENT:
            message["content"] = message["content"] or None
    return message


def main():
    chat_template_utils.datetime = Then
    bare = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bare, bos_token="<s>", eos_token="</s>")
    goldens = []
    for path in sorted((GOLDENS / "families").glob("*.jinja")):
        for number, (messages, tools, add_generation_prompt, extra) in enumerate(CASES):
            try:
                text = tokenizer.apply_chat_template(
                    [told(message, path.stem) for message in messages], tools=tools, chat_template=path.read_text(),
                    tokenize=False, add_generation_prompt=add_generation_prompt, **extra,
                )
                goldens.append({"template": path.stem, "case": number, "expected": text})
            except Exception as error:  # The template refuses this conversation.
                goldens.append({"template": path.stem, "case": number, "error": str(error)})
    lines = ",\n".join(json.dumps(golden, ensure_ascii=False, separators=(",", ":")) for golden in goldens)
    (GOLDENS / "families.json").write_text("[\n" + lines + "\n]\n")


if __name__ == "__main__":
    main()
