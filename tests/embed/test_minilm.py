import os
from pathlib import Path

import numpy as np
import pytest

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
