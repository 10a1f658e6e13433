"""A store searched by a model of the user's choice: a question of one language finds texts of another."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import encoders
import tiny_models
from command_line import assert_sound, done, indelible, opened, refused, result
from encoders import SHARED
from indelible.api import open_memory
from indelible.toolsets.memory import memories
from mcp_client import McpClient

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
    found = result("recall", question, data=data, env=SHARED)["hits"]
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
    tiny_models.install_cross(data, "broken")
    tiny_models.install_dense(data, "damaged")
    for name in ("broken", "damaged"):
        (data / "models" / name / "model.onnx").write_bytes(b"no model")
        assert "SHA-256" in refused("model", "use", name, data=data, env=SHARED)
    assert "indelible model install missing" in refused("model", "use", "missing", data=data, env=SHARED)
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


# --- A cross-encoder ---

PATIENT = {**SHARED, "INDELIBLE_RERANK_SECONDS": "40"}  # of a machine that is busy with other tests
HURRIED = {**SHARED, "INDELIBLE_RERANK_SECONDS": "0.000001"}
ABOUT = "Datenbank Sicherung, Datenbank Sicherung: the backup of all"  # twice what is asked for, in another language


@pytest.fixture
def reranked(data: Path) -> Path:
    """The same with a text that a cross-encoder puts first, and that encoder chosen."""
    with opened(data) as ctx:
        memories.store(ctx, memories.NewMemory(ABOUT))
    done("reembed", "--wait", data=data, env=SHARED)
    tiny_models.install_cross(data, "reranker", languages=("en", "de"))
    said = done("model", "use", "reranker", data=data, env=SHARED)
    assert said == "the best 30 hits of each recall are ordered by reranker from now on\n"
    return data


def found(data: Path, env: dict[str, str]) -> list[dict[str, object]]:
    return result("recall", "database backup", data=data, env=env)["hits"]


def test_a_cross_encoder_orders_the_hits_of_the_command_line(reranked: Path):
    plain = found(reranked, HURRIED)
    assert [hit["content"] for hit in plain] == [BACKUP, ABOUT]
    hits = found(reranked, PATIENT)
    assert [hit["content"] for hit in hits] == [ABOUT, BACKUP]
    assert hits[0]["score"] < hits[1]["score"]
    assert [hit["content"] for hit in json.loads(_limited(reranked))["result"]["hits"]] == [ABOUT]
    said = indelible("recall", "database backup", data=reranked, env=HURRIED).stderr.decode()
    assert "not all hits are in the order of the reranker: reranker read none of 2 hits" in said
    assert "hits are ordered by reranker" in json.loads(_health(reranked))["embeddings"]
    assert "this store uses reranker" in refused("model", "remove", "reranker", data=reranked, env=SHARED)
    done("model", "use", "--no-reranker", data=reranked, env=SHARED)
    assert [hit["content"] for hit in found(reranked, PATIENT)] == [BACKUP, ABOUT]
    assert "reranker" not in _health(reranked)


def _limited(data: Path) -> str:
    return done("recall", "database backup", "--json", "-k", "1", data=data, env=PATIENT)


def _health(data: Path) -> str:
    return done("call", "codemem_health", data=data, env=SHARED)


def test_a_server_orders_by_it_and_says_where_it_could_not(reranked: Path):
    for env, contents, said in (
        (PATIENT, [ABOUT, BACKUP], None),
        (HURRIED, [BACKUP, ABOUT], "reranker read none of 2 hits in 1e-06 s"),
    ):
        with McpClient(reranked, env=env) as client:
            answer = client.result("recall_memory", {"query": "database backup"})
            assert [hit["content"] for hit in answer["structuredContent"]["result"]] == contents
            assert answer.get("_meta", {}).get("indelible/not_reranked") == said


def test_the_python_interface_gets_its_order(reranked: Path, monkeypatch: pytest.MonkeyPatch):
    for name, value in PATIENT.items():
        monkeypatch.setenv(name, value)
    with open_memory(str(reranked)) as memory:
        assert [hit["content"] for hit in memory.recall_memory(query="database backup")] == [ABOUT, BACKUP]


def row_of(name: str, listed: str) -> str:
    (row,) = [line for line in listed.splitlines() if line.startswith(f"{name} ")]
    return row


def test_the_list_marks_what_the_store_uses(reranked: Path):
    tiny_models.install_dense(reranked, "tiny")
    ran = indelible("model", "list", data=reranked, env=SHARED)
    listed, said = ran.stdout.decode(), ran.stderr.decode()
    assert "built in, in use" in row_of("builtin", listed)
    assert "installed, in use" in row_of("reranker", listed)
    assert "in use" not in row_of("tiny", listed)
    assert re.search(r"of the store \S.*: searched by builtin, hits ordered by reranker", said)
    done("model", "use", "tiny", data=reranked, env=SHARED)
    found = result("model", "list", data=reranked, env=SHARED)["models"]
    assert {each["name"]: each["use"] for each in found if each["use"]} == {
        "tiny": "taking over",
        "reranker": "reranker",
    }
