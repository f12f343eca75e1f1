"""Drives the official openai, anthropic and ollama packages against a cluster of two local nodes."""

import argparse
import base64
import json
import pathlib
import time

import anthropic
import ollama
import openai
from pydantic import BaseModel

from serve import gauge, tandem

# A tiny random model that sees.
PICTURES = pathlib.Path(__file__).resolve().parent.parent / "oracles/pictures/gemma3"
WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 20}, "days": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
ASK = [{"role": "user", "content": "What is the capital of France? Answer in one sentence."}]
TOOL_ASK = [{"role": "user", "content": "What will the weather be in Paris for the next 3 days?"}]


class City(BaseModel):
    name: str
    country: str


def schema_of(model):
    """Short strings, so that a small model ends them."""
    schema = {**model.model_json_schema(), "additionalProperties": False}
    for field in schema["properties"].values():
        field["maxLength"] = 20
    return schema


def fails(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}")


def freed(address):
    """Waits until no sequence runs."""
    until = time.monotonic() + 180
    while gauge(address, "sequences_running") > 0:
        assert time.monotonic() < until, "a slot is still held"
        time.sleep(0.02)


def check_openai(address, model):
    client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)
    chat = client.chat.completions
    assert model in [card.id for card in client.models.list()]

    whole = chat.create(model=model, messages=ASK, temperature=0, max_tokens=24)
    assert "Paris" in whole.choices[0].message.content, whole
    usage = whole.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens

    stream = chat.create(
        model=model, messages=ASK, temperature=0, max_tokens=24, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == whole.choices[0].message.content, (text, whole)
    assert chunks[-1].usage.prompt_tokens == usage.prompt_tokens
    assert chunks[-1].usage.prompt_tokens_details.cached_tokens > 0, chunks[-1].usage

    many = chat.create(model=model, messages=ASK, n=2, seed=3, max_tokens=8, logprobs=True, top_logprobs=2)
    again = chat.create(model=model, messages=ASK, n=2, seed=3, max_tokens=8)
    assert [c.message.content for c in many.choices] == [c.message.content for c in again.choices]
    assert len(many.choices[1].logprobs.content[0].top_logprobs) == 2

    stopped = chat.create(model=model, messages=ASK, temperature=0, stop=["Paris"])
    assert "Paris" not in stopped.choices[0].message.content and stopped.choices[0].finish_reason == "stop"

    tools = [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]
    called = chat.create(model=model, messages=TOOL_ASK, tools=tools, tool_choice="required", temperature=0)
    call = called.choices[0].message.tool_calls[0]
    assert set(json.loads(call.function.arguments)) == {"city", "days"} and called.choices[0].finish_reason == "tool_calls"
    history = TOOL_ASK + [
        called.choices[0].message.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": call.id, "content": "Sunny on all days."},
    ]
    assert chat.create(model=model, messages=history, max_tokens=24).choices[0].message.content
    pieces = chat.create(
        model=model, messages=TOOL_ASK, tools=tools, temperature=0, stream=True,
        tool_choice={"type": "function", "function": {"name": "weather"}},
    )
    deltas = [chunk.choices[0].delta.tool_calls[0] for chunk in pieces if chunk.choices and chunk.choices[0].delta.tool_calls]
    json.loads("".join(delta.function.arguments or "" for delta in deltas))

    shape = {"type": "json_schema", "json_schema": {"name": "city", "schema": schema_of(City), "strict": True}}
    for temperature in [0, 1.5]:
        city = chat.create(
            model=model, messages=[{"role": "user", "content": "Describe Rome."}], response_format=shape,
            temperature=temperature, seed=1,
        )
        City.model_validate_json(city.choices[0].message.content)

    response = client.responses.create(model=model, input=ASK[0]["content"], temperature=0, max_output_tokens=24)
    assert response.output_text == whole.choices[0].message.content, response
    with client.responses.stream(model=model, input=ASK[0]["content"], temperature=0, max_output_tokens=24) as events:
        for _ in events:
            pass
        assert events.get_final_response().output_text == response.output_text

    completed = client.completions.create(model=model, prompt="One, two, three,", temperature=0, max_tokens=4)
    assert "four" in completed.choices[0].text, completed

    error = fails(openai.NotFoundError, lambda: chat.create(model=model + "x", messages=ASK))
    assert f"did you mean `{model}`" in error.message, error
    error = fails(openai.BadRequestError, lambda: chat.create(model=model, messages=ASK, temperature=9))
    assert error.param == "temperature", error
    long = [{"role": "user", "content": "word " * 20_000}]
    error = fails(openai.BadRequestError, lambda: chat.create(model=model, messages=long))
    assert error.code == "context_length_exceeded" and "8192" in error.message, error

    endless = chat.create(model=model, messages=ASK, stream=True, temperature=1.5, max_tokens=4000)
    next(iter(endless))
    endless.close()
    freed(address)


def check_embeddings(address, model):
    client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)
    texts = ["The cat sleeps.", "A cat is sleeping.", "Stock prices fell sharply on Monday."]
    vectors = [entry.embedding for entry in client.embeddings.create(model=model, input=texts).data]
    likeness = [sum(a * b for a, b in zip(vectors[0], other)) for other in vectors[1:]]
    assert abs(sum(x * x for x in vectors[0]) - 1) < 1e-3 and likeness[0] > likeness[1], likeness


def check_anthropic(address, model):
    client = anthropic.Anthropic(base_url=address, api_key="none", max_retries=0)
    # Newer packages have no argument for it.
    exact = {"temperature": 0}
    create = client.messages.create
    whole = create(model=model, messages=ASK, max_tokens=24, extra_body=exact)
    assert "Paris" in whole.content[0].text and whole.usage.output_tokens > 0, whole
    with client.messages.stream(model=model, messages=ASK, max_tokens=24, extra_body=exact) as stream:
        assert "".join(stream.text_stream) == whole.content[0].text
        assert stream.get_final_message().stop_reason == whole.stop_reason
    counted = client.messages.count_tokens(model=model, messages=ASK).input_tokens
    assert counted == whole.usage.input_tokens + whole.usage.cache_read_input_tokens

    tools = [{"name": "weather", "description": "The weather to come.", "input_schema": WEATHER}]
    called = create(
        model=model, messages=TOOL_ASK, max_tokens=200, tools=tools, tool_choice={"type": "any"}, extra_body=exact
    )
    use = next(block for block in called.content if block.type == "tool_use")
    assert called.stop_reason == "tool_use" and set(use.input) == {"city", "days"}, called
    result = {"type": "tool_result", "tool_use_id": use.id, "content": "Sunny on all days."}
    history = TOOL_ASK + [{"role": "assistant", "content": called.content}, {"role": "user", "content": [result]}]
    assert create(model=model, messages=history, max_tokens=16, tools=tools, tool_choice={"type": "none"}).content
    with client.messages.stream(
        model=model, messages=TOOL_ASK, max_tokens=200, tools=tools, tool_choice={"type": "tool", "name": "weather"},
        extra_body=exact,
    ) as stream:
        final = stream.get_final_message()
    assert set(final.content[-1].input) == {"city", "days"}, final

    shape = {"format": {"type": "json_schema", "schema": schema_of(City)}}
    city = create(
        model=model, messages=[{"role": "user", "content": "Describe Rome."}], max_tokens=200,
        extra_body={"output_config": shape, **exact},
    )
    City.model_validate_json(city.content[0].text)

    error = fails(anthropic.NotFoundError, lambda: create(model=model + "x", messages=ASK, max_tokens=5))
    assert error.body["error"]["type"] == "not_found_error", error
    hot = {"temperature": 9}
    error = fails(anthropic.BadRequestError, lambda: create(model=model, messages=ASK, max_tokens=5, extra_body=hot))
    assert "temperature" in str(error)

    with client.messages.stream(model=model, messages=ASK, max_tokens=4000) as stream:
        next(iter(stream))
    freed(address)


def check_ollama(address, model):
    client = ollama.Client(host=address)
    assert model in [card.model for card in client.list().models]
    assert client.show(model).modelinfo["llama.context_length"] == 8192
    exact = {"temperature": 0, "num_predict": 24, "repeat_penalty": 1}
    whole = client.chat(model=model, messages=ASK, options=exact)
    assert "Paris" in whole.message.content and whole.eval_count > 0, whole
    parts = list(client.chat(model=model, messages=ASK, options=exact, stream=True))
    assert "".join(part.message.content for part in parts) == whole.message.content and parts[-1].done
    assert client.generate(model=model, prompt=ASK[0]["content"], options=exact).response == whole.message.content

    tools = [{"type": "function", "function": {"name": "weather", "description": "The weather", "parameters": WEATHER}}]
    assert client.chat(model=model, messages=TOOL_ASK, tools=tools, options=exact).done
    city = client.chat(model=model, messages=[{"role": "user", "content": "Describe Rome."}], format=schema_of(City))
    City.model_validate_json(city.message.content)

    error = fails(ollama.ResponseError, lambda: client.chat(model=model + "x", messages=ASK))
    assert error.status_code == 404, error
    error = fails(ollama.ResponseError, lambda: client.chat(model=model, messages=ASK, options={"mirostat": 2}))
    assert "options.mirostat" in error.error, error

    stream = client.chat(model=model, messages=ASK, options={"num_predict": 4000, "temperature": 1.5}, stream=True)
    next(stream)
    stream.close()
    freed(address)
    assert [card.model for card in client.ps().models] == [model]


def check_pictures(address, model):
    """The three packages show a model that sees the same picture, and hear the same of it."""
    picture = base64.b64encode((PICTURES / "0.png").read_bytes()).decode()
    text = "what of this?"
    shown = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture}"}}
    client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)
    ask = lambda part: client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": [part, {"type": "text", "text": text}]}], temperature=0, max_tokens=12
    )
    said = ask(shown).choices[0].message.content
    assert said, said
    parts = [{"type": "input_image", "image_url": shown["image_url"]["url"], "detail": "auto"}, {"type": "input_text", "text": text}]
    response = client.responses.create(
        model=model, input=[{"role": "user", "content": parts}], temperature=0, max_output_tokens=12
    )
    assert response.output_text == said, response
    source = {"type": "base64", "media_type": "image/png", "data": picture}
    message = anthropic.Anthropic(base_url=address, api_key="none", max_retries=0).messages.create(
        model=model, max_tokens=12, extra_body={"temperature": 0},
        messages=[{"role": "user", "content": [{"type": "image", "source": source}, {"type": "text", "text": text}]}],
    )
    assert message.content[0].text == said, message
    exact = {"temperature": 0, "num_predict": 12, "repeat_penalty": 1}
    host = ollama.Client(host=address)
    whole = host.chat(model=model, messages=[{"role": "user", "content": text, "images": [picture]}], options=exact)
    assert whole.message.content == said, whole
    assert "vision" in host.show(model).capabilities
    fetched = {"type": "image_url", "image_url": {"url": address + "/a.png"}}
    error = fails(openai.BadRequestError, lambda: ask(fetched))
    assert "fetches nothing" in error.message, error


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tandem", required=True)
    arguments.add_argument("--model", required=True)
    arguments.add_argument("--local-nodes", default="2")
    chosen = arguments.parse_args()
    name = chosen.model.rsplit("/", 1)[1].removesuffix(".gguf")
    with tandem(chosen.tandem, chosen.model, "--local-nodes", chosen.local_nodes) as address:
        for check in [check_openai, check_anthropic, check_ollama, check_embeddings]:
            start = time.monotonic()
            check(address, name)
            print(f"{check.__name__}: passed in {time.monotonic() - start:.1f} s", flush=True)
    with tandem(chosen.tandem, str(PICTURES), "--local-nodes", chosen.local_nodes, "--context", "512") as address:
        check_pictures(address, PICTURES.name)
        print("check_pictures: passed", flush=True)


if __name__ == "__main__":
    main()
