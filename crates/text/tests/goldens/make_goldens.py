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


SPECIALS = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>", "<|endoftext|>"]
CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
WORDS = "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+"
REST = " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
UPPER, LOWER = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]", "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
HEAD = "[^\\r\\n\\p{L}\\p{N}]?"
CASED = f"{HEAD}{UPPER}*{LOWER}+{CONTRACTIONS}?|{HEAD}{UPPER}+{LOWER}*{CONTRACTIONS}?"


def training_text():
    licence = HERE.parents[3] / "LICENSE-APACHE"
    lines = licence.read_text().splitlines() + TEXTS * 3
    return [line for line in lines if line and not any(special in line for special in SPECIALS)]


def byte_level_model():
    """A small byte-level BPE vocabulary; pairs learnt over spaces and newlines show what a pre-tokeniser cuts."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex("[^\\n ]*[\\n ]+|[^\\n ]+"), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(False, use_regex=False)])
    trainer = trainers.BpeTrainer(
        vocab_size=1100, show_progress=False, special_tokens=SPECIALS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), max_token_length=12,
    )
    tokenizer.train_from_iterator([text for text in training_text() if len(text) < 2000], trainer)
    return json.loads(tokenizer.to_str())["model"]


def sentence_piece():
    """A small SentencePiece BPE vocabulary with byte fallback, as its GGUF facts."""
    import io

    import sentencepiece

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(training_text()), model_writer=model, model_type="bpe", vocab_size=900,
        byte_fallback=True, character_coverage=0.98, normalization_rule_name="identity", minloglevel=2,
        remove_extra_whitespaces=False, max_sentence_length=100000, split_digits=True, allow_whitespace_only_pieces=True,
        unk_id=0, bos_id=1, eos_id=2, user_defined_symbols=["<tool>"], control_symbols=["<|im_start|>", "<|im_end|>"],
    )
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    ids = range(processor.get_piece_size())
    kind = lambda i: 2 if processor.is_unknown(i) else 3 if processor.is_control(i) else 6 if processor.is_byte(i) else 1
    facts = {
        "model": "llama",
        "tokens": [processor.id_to_piece(i) for i in ids],
        "scores": [processor.get_score(i) for i in ids],
        "token_type": [4 if processor.id_to_piece(i) == "<tool>" else kind(i) for i in ids],
        "bos_token_id": 1, "eos_token_id": 2, "unknown_token_id": 0,
    }
    return facts, processor


def unigram_model():
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=600, show_progress=False, special_tokens=["<unk>", "<s>", "</s>"], unk_token="<unk>", max_piece_length=8
    )
    tokenizer.train_from_iterator(training_text(), trainer)
    return json.loads(tokenizer.to_str())["model"]


def write_gguf(path, facts):
    import gguf

    writer = gguf.GGUFWriter(path, "llama")
    for name, value in facts.items():
        key = "tokenizer.ggml." + name
        if isinstance(value, bool):
            writer.add_bool(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        elif isinstance(value, str):
            writer.add_string(key, value)
        else:
            writer.add_array(key, value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def llama_cpp_ids(facts):
    """Ids with control tokens as text, and parsed."""
    import tempfile

    import llama_cpp

    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "vocab.gguf")
        write_gguf(path, facts)
        model = llama_cpp.Llama(path, vocab_only=True, verbose=False)
        return [[model.tokenize(text.encode(), add_bos=False, special=parse) for parse in (False, True)] for text in TEXTS]


def gather(results):
    """By text: each distinct outcome with the names of those that have it."""
    golden = []
    for number, text in enumerate(TEXTS):
        outcomes = []
        for name, ids in results.items():
            if ids[number] is None:
                continue
            same = next((outcome for outcome in outcomes if outcome[1:] == ids[number]), None)
            if same:
                same[0].append(name)
            else:
                outcomes.append([[name], *ids[number]])
        golden.append([text, outcomes])
    return golden


# Those where llama.cpp itself has the pattern the models were trained with.
GGUF_PRE = [
    "default", "gpt-2", "smollm", "llama-bpe", "qwen2", "deepseek-llm", "deepseek-coder", "deepseek-v3", "falcon",
    "starcoder", "refact", "command-r", "dbrx", "glm4", "stablelm2", "olmo", "qwen35", "seed-coder", "bailingmoe",
    "bloom", "viking", "jais-2", "minicpm5", "chameleon", "exaone-moe", "spark2_5",
]


def gguf_goldens():
    model = byte_level_model()
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    facts = {
        "model": "gpt2", "tokens": tokens, "merges": [" ".join(merge) for merge in model["merges"]],
        "token_type": [3 if token in SPECIALS else 1 for token in tokens], "bos_token_id": 1, "eos_token_id": 2,
    }
    results = {pre: llama_cpp_ids(facts | {"pre": pre}) for pre in GGUF_PRE}
    llama, processor = sentence_piece()
    results["llama"] = llama_cpp_ids(llama)
    results["llama no prefix"] = llama_cpp_ids(llama | {"add_space_prefix": False})
    return {"byte_level": facts, "sentence_piece": llama}, gather(results)


def split(pattern):
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def byte_level(use_regex=False, prefix=False):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": use_regex}


def sequence(key, *parts):
    return {"type": "Sequence", key: list(parts)}


def tokenizer_jsons(byte_model, char_model):
    """Pipelines in the manner of known models; the model is named by its key in the golden file."""
    added = lambda id, content, special=True, **more: {
        "id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
        "special": special, **more,
    }
    specials = [added(i, text) for i, text in enumerate(SPECIALS)]
    template = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}},
    }
    pre = lambda *parts: sequence("pretokenizers", *parts)
    bytes_ = lambda pre_tokenizer, **more: {"model": "byte_level", "added_tokens": specials, "pre_tokenizer": pre_tokenizer, "decoder": byte_level(), **more}
    deepseek = [
        "\\p{N}{1,3}", "[一-龥\u3040-ゟ゠-ヿ]+",
        "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
    ]
    prepend = sequence("normalizers", {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"})
    meta_decoder = sequence("decoders", {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0})
    metaspace = lambda scheme, split=True: {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": split}
    char_specials = [added(i, text) for i, text in enumerate(["<unk>", "<s>", "</s>"])]
    char_specials += [added(char_model["vocab"][text], text) for text in ("<|im_start|>", "<|im_end|>")]
    char = {"model": "char", "added_tokens": char_specials, "post_processor": template}
    return {
        "gpt2": bytes_(byte_level(True)),
        "gpt2 prefix": bytes_(byte_level(True, True)),
        "smollm": bytes_(pre({"type": "Digits", "individual_digits": True}, byte_level(True))),
        "llama3": bytes_(pre(split(f"{CONTRACTIONS}|{WORDS}|\\p{{N}}{{1,3}}|{REST}"), byte_level()), flags={"ignore_merges": True}, post_processor=sequence("processors", byte_level(), template)),
        "qwen": bytes_(pre(split(f"{CONTRACTIONS}|{WORDS}|\\p{{N}}|{REST}"), byte_level()), normalizer={"type": "NFC"}, added_tokens=specials + [added(1100, "<tool_call>", False), added(1101, "  ", False)]),
        "deepseek-v3": bytes_(pre(*map(split, deepseek), byte_level())),
        "gpt-4o": bytes_(pre(split(f"{CASED}|\\p{{N}}{{1,3}}| ?[^\\s\\p{{L}}\\p{{N}}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"), byte_level())),
        "tekken": bytes_(pre(split(f"{CASED}|\\p{{N}}| ?[^\\s\\p{{L}}\\p{{N}}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+".replace(CONTRACTIONS + "?", "")), byte_level()), flags={"ignore_merges": True}),
        "kimi": bytes_(pre(split("[\\p{Han}]+|" + CASED.replace("]*", "&&[^\\p{Han}]]*").replace("]+", "&&[^\\p{Han}]]+") + f"|\\p{{N}}{{1,3}}|{REST}"), byte_level())),
        "strips": bytes_(byte_level(True), added_tokens=specials[:3] + [added(3, "<|im_start|>", rstrip=True), added(4, "<|im_end|>", lstrip=True), added(5, "<|endoftext|>"), *(added(byte_model["vocab"].get(word, 1100 + i), word, False, single_word=True) for i, word in enumerate(["world", "is"]))]),
        "lowercase": bytes_(pre({"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithNext", "invert": False}, {"type": "Punctuation", "behavior": "Contiguous"}, byte_level()), normalizer=sequence("normalizers", {"type": "NFKC"}, {"type": "Lowercase"}, {"type": "Replace", "pattern": {"Regex": "\\s{2,}"}, "content": " "})),
        "llama2": char | {"normalizer": prepend, "decoder": meta_decoder, "flags": {"byte_fallback": True, "fuse_unk": True, "unk_token": "<unk>"}},
        "mistral": char | {"pre_tokenizer": metaspace("first", False), "decoder": meta_decoder, "flags": {"byte_fallback": True, "fuse_unk": True, "unk_token": "<unk>"}},
        "unknown": char | {"pre_tokenizer": metaspace("always"), "decoder": metaspace("always"), "flags": {"byte_fallback": False, "fuse_unk": True, "unk_token": "<unk>"}},
        "unknown apart": char | {"pre_tokenizer": pre({"type": "Whitespace"}), "decoder": metaspace("always"), "flags": {"byte_fallback": False, "fuse_unk": False, "unk_token": "<unk>"}},
        "unigram": {"model": "unigram", "added_tokens": char_specials[:3], "pre_tokenizer": metaspace("always"), "decoder": metaspace("always")},
    }


def char_level_model():
    """The SentencePiece vocabulary as a BPE model with merges, made as transformers converts Llama's."""
    facts, _ = sentence_piece()
    vocab = {text: id for id, text in enumerate(facts["tokens"])}
    scores = dict(zip(facts["tokens"], facts["scores"]))
    normal = {text for text, kind in zip(facts["tokens"], facts["token_type"]) if kind == 1}
    merges = []
    for text in normal:
        splits = [(text[:i], text[i:]) for i in range(1, len(text)) if text[:i] in normal and text[i:] in normal]
        merges += [(*pair, scores[text]) for pair in sorted(splits, key=lambda pair: (vocab[pair[0]], vocab[pair[1]]))]
    merges.sort(key=lambda merge: (-merge[2], vocab[merge[0] + merge[1]]))
    return {"type": "BPE", "vocab": vocab, "merges": [[left, right] for left, right, _ in merges]}


def json_goldens():
    from tokenizers import Tokenizer

    models = {"byte_level": byte_level_model(), "char": char_level_model(), "unigram": unigram_model()}
    variants = tokenizer_jsons(models["byte_level"], models["char"])
    results, decoded = {}, {}
    for name, variant in variants.items():
        file = {"version": "1.0", "truncation": None, "padding": None, "normalizer": None, "pre_tokenizer": None, "post_processor": None}
        file |= {key: value for key, value in variant.items() if key != "flags"}
        file["model"] = models[variant["model"]] | variant.get("flags", {})
        tokenizer = Tokenizer.from_str(json.dumps(file))
        parsed = [tokenizer.encode(text, add_special_tokens=False).ids for text in TEXTS]
        tokenizer.encode_special_tokens = True
        plain = [tokenizer.encode(text, add_special_tokens=False).ids for text in TEXTS]
        results[name] = [list(pair) for pair in zip(plain, parsed)]
        if name == "unigram":
            # Here control tokens come out of text even when they are not to be parsed; ours do not.
            for number, text in enumerate(TEXTS):
                if "</s>" in text:
                    results[name][number] = None
        variant["before"] = tokenizer.encode("a").ids[: -len(tokenizer.encode("a", add_special_tokens=False).ids)]
        decoded[name] = [tokenizer.decode(ids) for ids in plain]
    return {"models": models, "variants": variants}, gather(results), decoded


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
            def render(messages):
                return tokenizer.apply_chat_template(
                    messages, tools=tools, chat_template=path.read_text(), tokenize=False,
                    add_generation_prompt=add_generation_prompt, **extra,
                )

            try:
                # As clients tell of calls without words: no content, or an empty one where the template wants a text.
                wordless = [m | {"content": None} if m.get("tool_calls") and not m["content"] else m for m in messages]
                try:
                    case["expected"] = render(wordless)
                except Exception:
                    case["expected"] = render(messages)
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
        facts, golden = gguf_goldens()
        (HERE / "gguf_vocabs.json").write_text(json.dumps(facts, ensure_ascii=False, separators=(",", ":")))
        write("gguf_ids.json", golden)
        files, golden, decoded = json_goldens()
        # The texts that decode to something else than themselves.
        files["decoded"] = {name: {str(i): text for i, text in enumerate(texts) if text != TEXTS[i]} for name, texts in decoded.items()}
        (HERE / "tokenizers.json").write_text(json.dumps(files, ensure_ascii=False, separators=(",", ":")))
        write("json_ids.json", golden)
