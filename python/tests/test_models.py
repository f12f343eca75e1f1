import math
import os

import pytest

import tandem

PROGRAM = os.environ.get("TANDEM_PROGRAM", "tandem")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    file = os.environ.get("TANDEM_SMOLLM2")
    if not file:
        pytest.skip("TANDEM_SMOLLM2 names no model file")
    os.environ["TANDEM_HOME"] = str(tmp_path_factory.mktemp("home"))
    with tandem.Model(file, nodes=2, program=PROGRAM, arguments=["--threads", "1"]) as model:
        yield model


def test_answers_come_whole_and_in_pieces(model):
    question = "What is the capital of France?"
    whole = model.chat(question, temperature=0, max_tokens=16)
    pieces = list(model.stream([{"role": "user", "content": question}], temperature=0, max_tokens=16))
    assert whole and "".join(pieces) == whole and len(pieces) > 3


def test_embeddings_are_by_text(model):
    one, two, again = model.embed(["A cat sat.", "Tax law of 1974.", "A cat sat."])
    assert one == again and one != two and all(math.isfinite(it) for it in one)
    assert model.embed("A cat sat.") == [one]


def test_refusals_are_told(model):
    with pytest.raises(tandem.ModelError, match="temperature"):
        model.chat("hi", temperature=-3)
    with pytest.raises(tandem.ModelError, match="no-such-file"):
        tandem.Model("./no-such-file.gguf", program=PROGRAM)
    with pytest.raises(tandem.ModelError, match="in PATH"):
        tandem.Model("x", program="no-such-program")
    with pytest.raises(tandem.ModelError, match="does not answer"):
        tandem.Model("x", url="http://127.0.0.1:9").chat("hi")
