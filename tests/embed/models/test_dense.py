from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_models
from indelible.embed.models import installed
from indelible.embed.models.dense import DenseModel
from indelible.errors import InvalidInput, StoreError

TABLE = tiny_models.vectors()


def loaded(data: Path, **fields: Any) -> DenseModel:
    name = tiny_models.install_dense(data, **fields).name
    return DenseModel.load(installed.find(data, name))


def unit(row: np.ndarray) -> np.ndarray:
    return row / np.linalg.norm(row)


def tokens_of(text: str) -> list[int]:
    return list(tiny_models.tokenizer().encode(text, add_special_tokens=True).ids)


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ("mean", lambda ids: TABLE[ids].mean(axis=0)),
        ("cls", lambda ids: TABLE[ids[0]]),
        ("last", lambda ids: TABLE[ids[-1]]),
    ],
)
def test_the_pooling_makes_a_vector_of_the_tokens(pooling: str, expected: Any, tmp_path: Path) -> None:
    model = loaded(tmp_path, pooling=pooling)
    for texts in (["cat sleeps"], ["test", "cat sleeps test fails", ""]):
        rows = model.rows(texts)
        for row, text in zip(rows, texts, strict=True):
            assert row.shape == (1, 32)
            assert row.dtype == np.float32
            assert row[0] == pytest.approx(unit(expected(tokens_of(text))), abs=1e-5)


def test_an_output_that_is_the_text_s_vector_is_taken_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "whole"
    tiny_models.write_files(folder, tiny_models.dense_model(TABLE, token_vectors=False))
    tiny_models.described(folder, kind="dense", pooling="none", output="sums", dimensions=32)
    model = DenseModel.load(installed.find(tmp_path, "whole"))
    assert model.rows(["cat sleeps"])[0][0] == pytest.approx(unit(TABLE[tokens_of("cat sleeps")].sum(axis=0)), abs=1e-5)


def test_truncated_vectors_are_unit_vectors_of_the_first_values(tmp_path: Path) -> None:
    (row,) = loaded(tmp_path, truncate=8).rows(["cat"])
    assert row.shape == (1, 8)
    assert row[0] == pytest.approx(unit(TABLE[tokens_of("cat")].sum(axis=0)[:8]), abs=1e-5)


def test_prefixes_stand_before_queries_and_before_texts(tmp_path: Path) -> None:
    model = loaded(tmp_path, query_prefix="backup: ", passage_prefix="database: ")
    plain = loaded(tmp_path, name="plain")
    assert model.rows(["cat"])[0] == pytest.approx(plain.rows(["database: cat"])[0], abs=1e-6)
    assert model.rows(["cat"], query=True)[0] == pytest.approx(plain.rows(["backup: cat"])[0], abs=1e-6)


def test_a_translation_is_near_and_what_is_not_meant_is_far(tmp_path: Path) -> None:
    model = loaded(tmp_path)
    (question,) = model.rows(["die katze schläft"], query=True)
    near, far = model.rows(["cat sleeps", "database backup"])
    assert float(question[0] @ near[0]) > 0.9
    assert float(question[0] @ far[0]) < 0.5


def test_long_texts_have_a_row_a_window_and_do_not_depend_on_their_batch(tmp_path: Path) -> None:
    model = loaded(tmp_path, max_tokens=16)
    texts = ["cat " * 200, "test", "", "database backup " * 20, "cat"]
    together = model.rows(texts)
    assert [len(rows) for rows in together] == [len(model.windows(text)) for text in texts]
    assert len(together[0]) > 10
    for rows, text in zip(together, texts, strict=True):
        assert rows == pytest.approx(model.rows([text])[0], abs=1e-6)
        assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(rows)), abs=1e-6)
    assert model.rows(["cat " * 200], query=True)[0].shape == (1, 32)
    assert model.rows([]) == []


def test_files_that_were_changed_are_not_used(tmp_path: Path) -> None:
    tiny_models.install_dense(tmp_path)
    with (tmp_path / "models" / "tiny" / "tokenizer.json").open("a") as file:
        file.write(" ")
    with pytest.raises(StoreError, match=r"tokenizer\.json has the SHA-256 .*`indelible model install tiny`"):
        DenseModel.load(installed.find(tmp_path, "tiny"))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"dimensions": 32, "pooling": "none"}, "has 3 axes, and the pooling 'none' is for 2"),
        ({"output": "sentence_embedding"}, "has no output 'sentence_embedding'; it has states"),
    ],
)
def test_a_description_that_does_not_fit_its_model_is_refused(fields: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=message):
        loaded(tmp_path, **fields)


def test_a_wrong_number_of_dimensions_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "tiny"
    tiny_models.write_files(folder, tiny_models.dense_model(TABLE))
    tiny_models.described(folder, kind="dense", pooling="mean", dimensions=16)
    with pytest.raises(InvalidInput, match="gives vectors of 32 values, and its description says 16"):
        DenseModel.load(installed.find(tmp_path, "tiny"))


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "tiny"
    tiny_models.write_files(folder, tiny_models.dense_model(TABLE))
    (folder / "model.onnx").write_bytes(b"not a model")
    tiny_models.described(folder, kind="dense", pooling="mean", dimensions=32)
    with pytest.raises(InvalidInput, match=r"cannot load .*model\.onnx"):
        DenseModel.load(installed.find(tmp_path, "tiny"))


def test_a_cross_encoder_makes_no_vectors(tmp_path: Path) -> None:
    tiny_models.install_cross(tmp_path)
    with pytest.raises(InvalidInput, match="tiny-cross is a cross-encoder, which makes no vectors"):
        DenseModel.load(installed.find(tmp_path, "tiny-cross"))
