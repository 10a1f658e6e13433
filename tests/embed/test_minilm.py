import math
import os
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from indelible.embed import minilm
from indelible.embed.minilm import DIMENSIONS, MiniLM
from indelible.embed.wordpiece import WordPiece
from indelible.errors import StoreError

WORDS = WordPiece.load()


@pytest.fixture(scope="module")
def model():
    return MiniLM.load()


def rows(model, *texts):
    return model.rows([WORDS.windows(text)[0] for text in texts])


def test_similarities_are_those_that_the_model_s_authors_publish(model):
    # https://sbert.net/docs/quickstart.html, computed there with float32 weights; 8 bits cost up to 0.02.
    found = rows(model, "The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")
    published = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert np.abs(found @ found.T - published).max() < 0.02


def test_rows_are_unit_vectors_in_the_order_given(model):
    texts = ["short", "a somewhat longer text about the retry of a connection", "", "x"]
    found = rows(model, *texts)
    assert found.shape == (4, DIMENSIONS)
    assert found.dtype == np.float32
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(4), abs=1e-6)
    for row, text in zip(found, texts, strict=True):
        assert row == pytest.approx(rows(model, text)[0], abs=1e-5)


def test_what_a_text_becomes_does_not_depend_on_its_batch(model):
    text = "The flaky test was fixed by waiting for the socket."
    alone = rows(model, text)[0]
    for others in (["no"], ["much longer " * 50], ["x", "y z", "word " * 200]):
        assert float(rows(model, *others, text)[-1] @ alone) > 0.999_999


@pytest.fixture(scope="module")
def stored_weights():
    graph = onnx.load(minilm.WEIGHTS).graph
    return {each.name: numpy_helper.to_array(each) for each in graph.initializer}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "car",
        "Why does the migration of the database not run after the restart of the server?",
        "def retry(self, *, times: int = 3) -> None: raise TimeoutError(f'{times} x')",
        "Где хранится пароль базы данных?",
        "The build broke since the compiler on the server was older than the code needs. " * 4,
    ],
)
def test_rows_are_near_those_of_a_literal_computation_of_the_same_weights(text, model, stored_weights):
    """BERT as its authors write it, in float64; 8 bits on the way cost .002."""
    pieces = WORDS.windows(text)[0]
    expected = literal(stored_weights, list(pieces)).mean(axis=0)
    assert model.rows([pieces])[0] @ expected / np.linalg.norm(expected) > 0.998


def literal(weights, pieces):
    def norm(name, x):
        spread = np.sqrt(x.var(axis=1, keepdims=True) + 1e-12)
        return (x - x.mean(axis=1, keepdims=True)) / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def linear(name, x):
        numbers = (weights[f"{name}.weight"].astype(np.float64) - 128) * weights[f"{name}.scale"][..., np.newaxis]
        return x @ numbers.reshape(len(numbers), -1).T + weights[f"{name}.bias"]

    words = weights["words"][pieces].astype(np.float64) * weights["words.scale"][pieces]
    states = norm("states.0", words + weights["places"][: len(pieces)])
    for number in range(6):
        query, key, value = np.split(linear(f"{number}.attend", states), 3, axis=1)
        heard = []
        for start in range(0, DIMENSIONS, 32):
            head = slice(start, start + 32)
            shares = np.exp(query[:, head] @ key[:, head].T / math.sqrt(32))
            heard.append(shares / shares.sum(axis=1, keepdims=True) @ value[:, head])
        states = norm(f"{number}.middle", states + linear(f"{number}.near", np.concatenate(heard, axis=1)))
        wide = linear(f"{number}.wide", states)
        gelu = wide * (1 + np.vectorize(math.erf)(wide / math.sqrt(2))) / 2
        last = "last_hidden_state" if number == 5 else f"states.{number + 1}"
        states = norm(last, states + linear(f"{number}.out", gelu))
    return states


def test_the_same_meaning_in_other_words_is_nearer_than_the_same_words_with_another():
    found = rows(MiniLM.load(), "How do I fix a bug?", "Ways to repair a software defect", "A bug sat on the leaf")
    assert found[0] @ found[1] > found[0] @ found[2]


def test_a_full_window_works(model):
    assert rows(model, "piece " * 254).shape == (1, DIMENSIONS)


def test_other_weights_than_the_pinned_ones_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(minilm, "WEIGHTS", tmp_path / "model.onnx")
    with pytest.raises(StoreError, match=r"model\.onnx cannot be read .*reinstall Indelible"):
        MiniLM.load()
    (tmp_path / "model.onnx").write_bytes(os.urandom(100))
    with pytest.raises(StoreError, match=r"has the SHA-256 .*reinstall Indelible"):
        MiniLM.load()


def test_the_weights_are_part_of_the_package():
    assert minilm.WEIGHTS.parent.parent == Path(minilm.__file__).parent
