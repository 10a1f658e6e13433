from pathlib import Path

import numpy as np
import pytest

import tiny_models
from indelible.embed.models import installed
from indelible.embed.models.cross import CrossEncoder
from indelible.errors import InvalidInput


@pytest.fixture
def model(tmp_path: Path) -> CrossEncoder:
    tiny_models.install_cross(tmp_path)
    return CrossEncoder.load(installed.find(tmp_path, "tiny-cross"))


def test_scores_come_in_the_order_of_the_texts(model: CrossEncoder) -> None:
    texts = ["database backup", "die katze schläft", "", "cat " * 400, "the test fails"]
    scores = model.scores("the cat sleeps", texts)
    assert scores.shape == (5,)
    assert scores.dtype == np.float32
    assert scores[[1, 3]].min() > scores[[0, 2, 4]].max()
    for score, text in zip(scores, texts, strict=True):
        assert score == pytest.approx(model.scores("the cat sleeps", [text])[0], rel=1e-5)
    assert model.scores("cat", []).shape == (0,)


def test_a_dense_model_scores_nothing(tmp_path: Path) -> None:
    tiny_models.install_dense(tmp_path)
    with pytest.raises(InvalidInput, match="tiny is a dense model; scores are made by a cross-encoder"):
        CrossEncoder.load(installed.find(tmp_path, "tiny"))


def test_a_model_that_gives_more_than_a_number_for_each_text_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "other"
    tiny_models.write_files(folder, tiny_models.dense_model(tiny_models.vectors(), token_vectors=False))
    tiny_models.described(folder, kind="cross-encoder")
    with pytest.raises(InvalidInput, match=r"has the shape \(1, 32\) for 1 texts"):
        CrossEncoder.load(installed.find(tmp_path, "other"))
