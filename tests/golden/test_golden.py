"""Questions of our own making over the memories of a made-up project: what must come among the first three, and what
must bring nothing, or at most an answer that is marked weak. memories.jsonl has what is known and how many days ago it
was stored; in queries.json a number in braces stands for the date of so many days ago, and `way` says by what a
question can find its memory. `beyond` lists the questions that are still too hard, each with the reason: a test that
begins to pass moves up.
"""

import json
import os
import re
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from embedding_rows import leave_room
from indelible.search import tokens
from mcp_client import McpClient

HERE = Path(__file__).parent
MEMORIES = [json.loads(line) for line in (HERE / "memories.jsonl").read_text(encoding="utf-8").splitlines()]
QUERIES = json.loads((HERE / "queries.json").read_text(encoding="utf-8"))
FOUND = [pytest.param(case["query"], case["expected"], id=case["query"]) for case in QUERIES["found"]]
FOUND += [
    pytest.param(
        case["query"],
        case["expected"],
        id=case["query"],
        marks=pytest.mark.xfail(strict=False, reason=case["reason"]),
    )
    for case in QUERIES["beyond"]
]
FIRST = 3
PATIENCE = 50.0  # seconds for the models to load and 120 texts to be embedded


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpClient]:
    """A server that knows all of it and has an encoder of its own, which leaves with it."""
    data = tmp_path_factory.mktemp("golden") / "data"
    with tempfile.TemporaryDirectory(prefix="ig-") as runtime:  # short, as a socket's path must be
        try:
            with McpClient(data, env={"INDELIBLE_ENCODER": "shared", "XDG_RUNTIME_DIR": runtime}) as client:
                now = datetime.now(UTC)
                done = client.call("import_memories", {"memories": [known(memory, now) for memory in MEMORIES]})
                assert (done["imported"], done["errors"]) == (len(MEMORIES), [])
                settle(client)
                yield client
        finally:
            end_encoder(runtime)


def known(memory, now):
    """A memory as import_memories takes it."""
    created = (now - timedelta(days=memory["age_days"])).isoformat()
    return {**{name: value for name, value in memory.items() if name != "age_days"}, "created_at": created}


def settle(client):
    """Wait until every memory is found by its meaning too."""
    client.call("recall_memory", {"query": "warm up"})
    until = time.monotonic() + PATIENCE
    while re.search("loading|pending", said := client.call("codemem_health")["embeddings"]):
        assert time.monotonic() < until, said
        leave_room()


def end_encoder(runtime):
    """End the encoder of this test, which would wait for its next client; elsewhere than on Linux it leaves in time."""
    mine = f"XDG_RUNTIME_DIR={runtime}".encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            theirs = path.read_bytes().split(b"\0")
        except OSError:  # gone, or another user's
            continue
        if mine in theirs:
            os.kill(int(path.parent.name), signal.SIGTERM)


def asked(query):
    """The query with its dates filled in."""
    return re.sub(r"\{(\d+)\}", lambda days: f"{datetime.now(UTC) - timedelta(days=int(days[1])):%Y-%m-%d}", query)


@pytest.mark.process
@pytest.mark.parametrize(("query", "expected"), FOUND)
def test_a_question_brings_its_memory_among_the_first_three(server, query, expected):
    hits = server.call("recall_memory", {"query": asked(query)})
    first = [hit["content"] for hit in hits[:FIRST]]
    assert any(content.startswith(expected) for content in first), first


@pytest.mark.process
@pytest.mark.parametrize("query", QUERIES["nothing"])
def test_a_question_about_what_nobody_stored_brings_nothing(server, query):
    hits = server.call("recall_memory", {"query": query})
    assert [(hit["content"], hit["score_breakdown"]) for hit in hits] == []


@pytest.mark.process
@pytest.mark.parametrize("query", QUERIES["weak"])
def test_a_question_near_what_is_known_brings_nothing_or_a_weak_answer(server, query):
    assert all(hit.get("weak") for hit in server.call("recall_memory", {"query": query}))


def test_the_golden_questions_name_one_memory_each():
    contents = [memory["content"] for memory in MEMORIES]
    assert (len(contents), len(QUERIES["found"]), len(QUERIES["nothing"]), len(QUERIES["weak"])) == (120, 30, 8, 3)
    assert max(Counter(contents).values()) == 1
    for case in QUERIES["found"]:
        assert sum(content.startswith(case["expected"]) for content in contents) == 1, case["expected"]


def test_the_questions_to_be_found_by_meaning_share_no_word_with_their_memory():
    (contents, cases) = ([memory["content"] for memory in MEMORIES], QUERIES["found"])
    by_meaning = [case for case in cases if case["way"] == "meaning"]
    assert len(by_meaning) == 10
    for case in by_meaning:
        (content,) = (content for content in contents if content.startswith(case["expected"]))
        telling = {word for word in tokens.words(case["query"]) if tokens.is_telling(word)}
        assert not telling & set(tokens.words(content)), case["query"]
