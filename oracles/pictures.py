"""A tiny random model that sees pictures, and what transformers makes of it in f32.

    python oracles/pictures.py DIR    writes DIR/gemma3/ and DIR/jpeg/

Who makes them anew needs torch and pillow beside `requirements.txt`. Everyday tests read the files.

gemma3/   a checkpoint with a tokenizer and a chat template; pictures, and
    pixels.f32      for each picture what `Gemma3ImageProcessor` (its PIL form) makes of it: [3, size, size]
    expected.json   {"vocab_size", "size", "pictures": [file, ...], "prompts": [{"tokens", "rows", "pictures": [index, ...]}],
                    "conversation": {"messages", "tokens"}}: the last is what `Gemma3Processor` makes of the first three pictures
    expected.f32    as in `tiny.py`
jpeg/     files, and the pixels that PIL shows of each
"""

import json
import sys
import zlib
from pathlib import Path

import numpy as np

from tiny import CHECKPOINTS, gemma3_weights, random_weights, write_checkpoint

BEGIN, ROW, END = 61, 62, 63
VISION = {
    "model_type": "siglip_vision_model",
    "hidden_size": 48,
    "intermediate_size": 56,
    "num_hidden_layers": 3,
    "num_attention_heads": 3,
    "image_size": 48,
    "patch_size": 8,
    "num_channels": 3,
    "layer_norm_eps": 1e-6,
    "hidden_act": "gelu_pytorch_tanh",
    "vision_use_head": False,
}
# The text model of `tiny.py`, which transformers calls its activation by another name.
TEXT = {**CHECKPOINTS["gemma3"][0], "hidden_activation": "gelu_pytorch_tanh"}
CONFIG = {
    "architectures": ["Gemma3ForConditionalGeneration"],
    "model_type": "gemma3",
    "boi_token_index": BEGIN,
    "eoi_token_index": END,
    "image_token_index": ROW,
    "mm_tokens_per_image": 9,
    "torch_dtype": "float16",
    "tie_word_embeddings": True,
    "text_config": TEXT,
    "vision_config": VISION,
}
# Height, width and mode: wider, higher, smaller, of the size wanted, grey, with an alpha channel.
PICTURES = [(60, 120, "RGB"), (101, 37, "RGB"), (13, 29, "RGB"), (48, 48, "RGB"), (70, 50, "L"), (90, 91, "RGBA")]


def weights():
    text = {f"language_model.{name}": shape for name, shape in gemma3_weights(TEXT).items()}
    hidden, ffn, patch = VISION["hidden_size"], VISION["intermediate_size"], VISION["patch_size"]
    place = "vision_tower.vision_model."
    patches = (VISION["image_size"] // patch) ** 2
    vision = {
        f"{place}embeddings.patch_embedding.weight": (hidden, 3, patch, patch),
        f"{place}embeddings.patch_embedding.bias": (hidden,),
        f"{place}embeddings.position_embedding.weight": (patches, hidden),
        "multi_modal_projector.mm_input_projection_weight": (hidden, TEXT["hidden_size"]),
        "multi_modal_projector.mm_soft_emb_norm.weight": (hidden,),
    }
    linears = {"mlp.fc1": (ffn, hidden), "mlp.fc2": (hidden, ffn)}
    linears |= {f"self_attn.{name}_proj": (hidden, hidden) for name in ("q", "k", "v", "out")}
    linears |= {"layer_norm1": (hidden,), "layer_norm2": (hidden,)}
    names = {f"{place}encoder.layers.{layer}.{name}": shape for layer in range(VISION["num_hidden_layers"]) for name, shape in linears.items()}
    for name, shape in (names | {f"{place}post_layernorm": (hidden,)}).items():
        vision |= {f"{name}.weight": shape, f"{name}.bias": (shape[0],)}
    values = random_weights("gemma3-pictures", text | vision, CONFIG["torch_dtype"])
    # By its last dimension alone a kernel would be too wide.
    values[f"{place}embeddings.patch_embedding.weight"] *= np.float16(1 / patch)
    return values


def picture(index, height, width, mode):
    """Waves of all lengths, and noise."""
    from PIL import Image

    rng = np.random.default_rng(zlib.crc32(f"picture {index}".encode()))
    y, x = np.mgrid[0:height, 0:width]
    waves = [np.sin(x * a + y * b + c) for a, b, c in rng.uniform(-1, 1, (4, 3))]
    channels = np.stack(waves[: len(mode)] if mode != "L" else waves[:1], axis=-1)
    noisy = 128 + 90 * channels + rng.normal(0, 25, channels.shape)
    pixels = noisy.clip(0, 255).astype(np.uint8)
    return Image.fromarray(pixels[..., 0] if mode == "L" else pixels, mode)


def write_jpegs(directory):
    """Photographs as cameras store them, and the pixels that PIL shows of each."""
    from PIL import Image, ImageOps

    directory.mkdir(parents=True, exist_ok=True)
    ramp = np.mgrid[0:40, 0:56].astype(np.float64)
    colours = np.stack([ramp[0] * 6, ramp[1] * 4, 255 - ramp[0] * 3 - ramp[1] * 2], axis=-1).clip(0, 255).astype(np.uint8)
    plain = Image.fromarray(colours)
    turned = Image.Exif()
    turned[0x0112] = 6
    for name, shown, options in [
        ("plain", plain, {}),
        ("grey", plain.convert("L"), {}),
        ("progressive", plain, {"progressive": True}),
        ("turned", plain, {"exif": turned}),
    ]:
        shown.save(directory / f"{name}.jpg", quality=95, **options)
        ImageOps.exif_transpose(Image.open(directory / f"{name}.jpg")).convert("RGB").save(directory / f"{name}.png")


def prompts():
    rng = np.random.default_rng(zlib.crc32(b"prompts with pictures"))
    text = lambda count: rng.integers(3, BEGIN, count).tolist()
    shown = [BEGIN] + [ROW] * CONFIG["mm_tokens_per_image"] + [END]
    found = [
        {"tokens": text(3) + shown + text(5), "pictures": [0]},
        {"tokens": shown, "pictures": [1]},
        {"tokens": text(30) + shown + text(1) + shown + text(40), "pictures": [2, 3]},
        {"tokens": text(7) + shown + shown + text(2) + shown + text(3), "pictures": [5, 4, 0]},
    ]
    return [prompt | {"rows": list(range(len(prompt["tokens"])))} for prompt in found]


# In the manner of Gemma's.
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ '<start_of_turn>' + message.role + '\\n' }}"
    "{% if message.content is string %}{{ message.content | trim }}{% else %}{% for part in message.content %}"
    "{% if part.type == 'image' %}{{ '<start_of_image>' }}{% else %}{{ part.text | trim }}{% endif %}{% endfor %}{% endif %}"
    "{{ '<end_of_turn>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}"
)
CONVERSATION = [
    {"role": "user", "content": [{"type": "text", "text": "look at"}, {"type": "image"}, {"type": "text", "text": "and this"}, {"type": "image"}]},
    {"role": "assistant", "content": "two waves"},
    {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "\nwhat of this?"}]},
]


def tokenizer():
    """Letters and runs of line ends, as Gemma's vocabulary has them."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers
    from transformers import PreTrainedTokenizerFast

    special = ["<pad>", "<eos>", "<bos>", "<unk>", "<start_of_turn>", "<end_of_turn>"]
    shown = {BEGIN: "<start_of_image>", ROW: "<image_soft_token>", END: "<end_of_image>"}
    texts = ["\n", "\n\n", "\n\n\n", "\u2581", *"abcdefghijklmnopqrstuvwxyz.,?!0123456789"]
    names = special + texts
    names += [f"<unused{i}>" for i in range(BEGIN - len(names))] + [shown[i] for i in sorted(shown)]
    model = models.BPE({name: i for i, name in enumerate(names)}, [("\n", "\n"), ("\n\n", "\n")], unk_token="<unk>")
    made = Tokenizer(model)
    made.normalizer = normalizers.Replace(" ", "\u2581")
    made.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.Fuse()])
    made.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in special + list(shown.values())])
    tokens = {"boi_token": shown[BEGIN], "image_token": shown[ROW], "eoi_token": shown[END]}
    return PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<bos>", eos_token="<eos>", pad_token="<pad>", unk_token="<unk>", extra_special_tokens=tokens
    )


def conversation(directory, processor):
    """What the published processor makes of a conversation with pictures."""
    from PIL import Image
    from transformers import Gemma3Processor

    words = tokenizer()
    words.backend_tokenizer.save(str(directory / "tokenizer.json"))
    settings = {"bos_token": "<bos>", "eos_token": "<eos>", "unk_token": "<unk>", "add_bos_token": True}
    (directory / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n")
    (directory / "chat_template.jinja").write_text(TEMPLATE)
    whole = Gemma3Processor(processor, words, image_seq_length=CONFIG["mm_tokens_per_image"])
    text = words.apply_chat_template(CONVERSATION, chat_template=TEMPLATE, tokenize=False, add_generation_prompt=True)
    pictures = [Image.open(directory / f"{index}.png") for index in range(3)]
    ids = whole(images=[pictures], text=[text], add_special_tokens=False)["input_ids"][0]
    return {"messages": CONVERSATION, "tokens": [int(token) for token in ids]}


def write(directory):
    import torch
    from transformers import Gemma3ForConditionalGeneration
    from transformers.models.gemma3.image_processing_pil_gemma3 import Gemma3ImageProcessorPil

    write_checkpoint(directory, CONFIG, weights())
    size = VISION["image_size"]
    # As the published `preprocessor_config.json`, at another size.
    processor = Gemma3ImageProcessorPil(
        do_convert_rgb=True, size={"height": size, "width": size}, resample=2, image_mean=[0.5] * 3, image_std=[0.5] * 3
    )
    pixels, names = [], []
    for index, (height, width, mode) in enumerate(PICTURES):
        names.append(f"{index}.png")
        shown = picture(index, height, width, mode)
        shown.save(directory / names[-1])
        values = np.asarray(processor(shown, return_tensors="np")["pixel_values"], np.float32)
        assert values.shape == (1, 3, size, size), values.shape
        pixels.append(values[0])
    (directory / "pixels.f32").write_bytes(np.stack(pixels).astype("<f4").tobytes())
    model, loaded = Gemma3ForConditionalGeneration.from_pretrained(
        directory, dtype=torch.float32, attn_implementation="eager", output_loading_info=True
    )
    assert not loaded["missing_keys"] and not loaded["unexpected_keys"], loaded
    model.eval()
    asked = prompts()
    with open(directory / "expected.f32", "wb") as out, torch.no_grad():
        for prompt in asked:
            ids = torch.tensor([prompt["tokens"]])
            values = torch.tensor(np.stack([pixels[at] for at in prompt["pictures"]]))
            types = (ids == ROW).long()
            logits = model(input_ids=ids, pixel_values=values, token_type_ids=types, attention_mask=torch.ones_like(ids)).logits
            assert torch.isfinite(logits).all()
            out.write(logits[0].numpy().astype("<f4").tobytes())
    expected = {"vocab_size": TEXT["vocab_size"], "size": size, "pictures": names, "prompts": asked}
    expected["conversation"] = conversation(directory, processor)
    (directory / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]) / "gemma3")
    write_jpegs(Path(sys.argv[1]) / "jpeg")
