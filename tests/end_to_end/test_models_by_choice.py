"""A store searched by a model of the user's choice: a question of one language finds texts of another."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import encoders
import tiny_models
from command_line import assert_sound, done, opened, refused
from encoders import SHARED
from indelible.toolsets.memory import memories

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="the encoders of tests are ended by signals"),
]
BACKUP = "database backup"
NOISE = ("The cat sleeps", "Prefer tabs to spaces in Makefiles", "A release is tagged on Fridays")
QUESTIONS = ("Datenbank Sicherung", "数据库 备份")


@pytest.fixture(scope="module", autouse=True)
def encoder() -> Iterator[None]:
    with encoders.running():
        yield


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A store of four memories that the built-in models have embedded."""
    data = tmp_path / "data"
    with opened(data) as ctx:
        for text in (BACKUP, *NOISE):
            memories.store(ctx, memories.NewMemory(text))
    done("reembed", "--wait", data=data, env=SHARED)
    return data


def first(data: Path, question: str) -> str:
    found = json.loads(done("recall", question, "--json", data=data, env=SHARED))
    return found[0]["content"] if found else ""


def test_a_question_in_another_language_finds_what_shares_no_word_with_it(data: Path):
    languages = ("en", "de", "ru", "zh", "fr", "es")
    tiny_models.install_dense(data, "tiny", dimensions=256, languages=languages)
    said = done("model", "use", "tiny", data=data, env=SHARED)
    assert "4 records will be embedded by tiny; recall goes on with builtin" in said
    assert first(data, "backup of the database") == BACKUP  # by the built-in models still
    done("reembed", "--wait", data=data, env=SHARED)
    assert [first(data, question) for question in QUESTIONS] == [BACKUP] * len(QUESTIONS)
    assert "recall searches by builtin" in done("model", "use", "builtin", data=data, env=SHARED)
    assert first(data, QUESTIONS[0]) != BACKUP
    assert "recall searches by tiny" in done("model", "use", "tiny", data=data, env=SHARED)
    assert first(data, QUESTIONS[0]) == BACKUP
    assert_sound(data)


def test_what_cannot_be_used_is_refused_and_nothing_changes(data: Path):
    tiny_models.install_cross(data, "reranker")
    tiny_models.install_dense(data, "damaged")
    (data / "models" / "damaged" / "model.onnx").write_bytes(b"no model")
    assert "indelible model install missing" in refused("model", "use", "missing", data=data, env=SHARED)
    assert "makes no vectors" in refused("model", "use", "reranker", data=data, env=SHARED)
    assert "SHA-256" in refused("model", "use", "damaged", data=data, env=SHARED)
    other = {**SHARED, "INDELIBLE_ENCODER_MODEL": "builtin"}
    assert "INDELIBLE_ENCODER_MODEL" in refused("model", "use", "builtin", data=data, env=other)
    assert first(data, "backup of the database") == BACKUP


def test_a_model_that_a_store_uses_is_not_removed(data: Path):
    tiny_models.install_dense(data, "tiny")
    done("model", "use", "tiny", data=data, env=SHARED)
    assert "this store uses tiny" in refused("model", "remove", "tiny", data=data, env=SHARED)
    done("model", "use", "builtin", data=data, env=SHARED)
    (data / "models").chmod(0o700)  # as an installation makes it
    done("model", "remove", "tiny", data=data, env=SHARED)
