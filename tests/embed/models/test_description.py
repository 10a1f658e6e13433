import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indelible.embed.models import description
from indelible.embed.models.description import Description, ModelFile
from indelible.errors import InvalidInput, StoreError

FILES = {"onnx/model.onnx": ModelFile("a" * 64, 9), "tokenizer.json": ModelFile("b" * 64, 7)}
PLAIN = Description("e5", "dense", "onnx/model.onnx", "tokenizer.json", FILES, "mean", dimensions=384)


def values(**changed: Any) -> dict[str, Any]:
    return {**json.loads(description.written(PLAIN)), **changed}


def test_a_description_is_read_as_it_was_written(tmp_path: Path) -> None:
    full = replace(
        PLAIN, query_prefix="query: ", truncate=128, languages=("en", "zh"), licence="MIT", source="hub:a/b@c"
    )
    for each in (PLAIN, full):
        (tmp_path / description.FILE).write_text(description.written(each), encoding="utf-8")
        assert description.read(tmp_path) == each


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": "../up"}, "cannot be the name of a model"),
        ({"name": "builtin"}, "other than 'builtin'"),
        ({"kind": "sparse"}, "kind must be one of 'dense', 'cross-encoder', got 'sparse'"),
        ({"pooling": ["mean"]}, "pooling must be one of"),
        ({"dimensions": "384"}, "dimensions must be a whole number, got '384'"),
        ({"dimensions": True}, "dimensions must be a whole number, got True"),
        ({"dimensions": 0}, "dimensions of a dense model must be from 1 to 8192, got 0"),
        ({"kind": "cross-encoder"}, "dimensions of a cross-encoder model must be from 0 to 0, got 384"),
        ({"truncate": 385}, "truncate must be from 0 to the dimensions, 384; got 385"),
        ({"max_tokens": 4}, "max_tokens must be from 16 to 8192, got 4"),
        ({"max_length": 4}, "unknown field 'max_length'"),
        ({"languages": "en"}, "languages must be a list of ISO 639 codes"),
        ({"files": {}}, "files must be an object"),
        ({"files": {"../x": {"sha256": "a" * 64, "size": 1}}}, "no path of a file inside a model's folder"),
        ({"files": {"/etc/x": {"sha256": "a" * 64, "size": 1}}}, "no path of a file inside a model's folder"),
        ({"files": {"C:x": {"sha256": "a" * 64, "size": 1}}}, "no path of a file inside a model's folder"),
        ({"files": {"x": {"sha256": "A" * 64, "size": 1}}}, "must have a sha256 of 64 hexadecimal digits"),
        ({"model": "other.onnx"}, "model must be one of the paths in files, got 'other.onnx'"),
    ],
)
def test_a_field_that_cannot_be_is_named(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    (tmp_path / description.FILE).write_text(json.dumps(values(**changed)), encoding="utf-8")
    with pytest.raises(InvalidInput, match=message) as refused:
        description.read(tmp_path)
    assert str(refused.value).startswith(f"{tmp_path / description.FILE}: ")


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '"x"', " " * (1 << 20) + "{}"])
def test_a_file_that_is_no_description_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / description.FILE).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"indelible-model\.json"):
        description.read(tmp_path)


def test_a_folder_without_a_description_is_told_from_one_with_a_bad_one(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read: No such file"):
        description.read(tmp_path)


def test_a_missing_field_is_named() -> None:
    given = values()
    del given["kind"]
    with pytest.raises(InvalidInput, match="the field 'kind' is missing"):
        description.parsed(given)


def test_vectors_have_another_name_wherever_they_could_differ() -> None:
    others = [
        replace(PLAIN, pooling="cls"),
        replace(PLAIN, query_prefix="query: "),
        replace(PLAIN, passage_prefix="query: "),
        replace(PLAIN, truncate=128),
        replace(PLAIN, max_tokens=256),
        replace(PLAIN, output="sentence_embedding"),
        replace(PLAIN, files={**FILES, "tokenizer.json": ModelFile("c" * 64, 7)}),
    ]
    assert len({each.identity for each in (PLAIN, *others)}) == len(others) + 1
    assert all(each.identity.startswith("e5@") for each in others)
    assert replace(PLAIN, licence="MIT", languages=("en",), source="folder:/x").identity == PLAIN.identity


def test_codes_of_three_letters_are_those_of_two_where_there_are_such() -> None:
    made = description.parsed(values(languages=["deu", "ger", "eng", "fr", "fil"]))
    assert made.languages == ("de", "en", "fr", "fil")
