"""Embeddings that are still to be made: no write waits for them, none is lost, none is made twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import encoders
import forked
import store_file
from command_line import assert_sound, done, indelible
from embedding_rows import (
    assert_each_once,
    embedded,
    health,
    keep_waiting,
    later,
    opened,
    ready,
    rows,
    settled,
    times_embedded,
    until,
    waiting,
)
from encoders import SHARED
from indelible.admin import embedding_worker
from indelible.core.context.context import Context
from indelible.core.indexes.embedder import Embedder
from indelible.core.recall import unembedded
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.core.records import embedding_queue
from indelible.core.records.embedding_queue import LEASE
from indelible.embed.base import Embedding, Encoder
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import pending as waiting_list
from indelible.toolsets.memory import memories
from mcp_client import McpClient, environment

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="signals and modes are POSIX")]

OLD = "an older model"
CAT, TAX = "The cat sleeps on the warm radiator", "Tax returns are due at the end of May"
NEAR_CAT = "a cat sleeping on the radiator"  # by words as by meaning


@pytest.fixture(scope="module")
def encoder() -> Iterator[None]:
    """One that lasts for the tests which do not harm it."""
    with encoders.running():
        yield


@pytest.fixture
def own_encoder() -> Iterator[None]:
    with encoders.running():
        yield


# --- Processes ---


def flood(count: int) -> list[dict[str, str]]:
    return [{"content": f"Note {i}: the queue{i} of service {i % 17} is drained at night"} for i in range(count)]


def found(ctx: Context, query: str) -> list[tuple[str, bool]]:
    """The texts of the hits, and whether each was compared by its meaning."""
    return [(hit.record.text, hit.components["vector_similarity"] > 0) for hit in recall(ctx, Query(query, 5))]


# --- A write does not wait ---


@pytest.fixture
def nowhere(tmp_path: Path) -> dict[str, str]:
    """Surroundings in which no encoder finds a place for its socket."""
    temporary = tmp_path / "temporary"
    temporary.mkdir(mode=0o700)
    (temporary / f"indelible-{os.geteuid()}").touch()
    return {**SHARED, "XDG_RUNTIME_DIR": str(tmp_path / ("x" * 120)), "TMPDIR": str(temporary)}


def test_a_store_is_acknowledged_and_found_by_its_words_where_no_encoder_can_start(tmp_path: Path, nowhere):
    data = tmp_path / "data"
    long = "a word of many " * 70_000
    assert len(long) > 1 << 20
    long = long[: 1 << 20]
    with McpClient(data, env=nowhere) as client:
        stored = [client.call("store_memory", {"content": text}) for text in (CAT, long, TAX)]
        assert [answer["status"] for answer in stored] == ["stored"] * 3
        assert client.call("store_memory", {"content": CAT})["status"] == "duplicate"
        (hit,) = client.call("recall_memory", {"query": "radiator"})
        assert (hit["content"], hit["score_breakdown"]["vector_similarity"]) == (CAT, 0)
        until(lambda: "did not start" in health(client))
        assert health(client).endswith(", 3 records pending")
        assert "run `indelible encoder`" in health(client)
    assert rows(data, "SELECT count(*) FROM record JOIN pending ON pending.record = record.id") == [(3,)]


def test_without_a_ready_encoder_a_write_asks_for_no_embedding(tmp_path: Path):
    with encoders.runtime(), opened(tmp_path / "data") as ctx:
        assert memories.store(ctx, memories.NewMemory(CAT))["status"] == "stored"
        assert waiting(ctx.settings.data) == 1
        encoders.rewoken(ctx.embedder)
        assert embedding_queue.work_off(ctx) == 1


@pytest.mark.usefixtures("encoder")
def test_no_write_waits_for_a_ready_encoder_either(tmp_path: Path):
    with ready(tmp_path / "data") as ctx:
        for text in (CAT * 100, CAT):
            memories.store(ctx, memories.NewMemory(text))
        assert (waiting(ctx.settings.data), embedded(ctx.settings.data)) == (2, 0)


def test_texts_stored_while_there_was_no_encoder_are_embedded_by_the_next_server(tmp_path: Path, encoder):
    data = tmp_path / "data"
    with McpClient(data) as client:  # the encoder is off
        client.call("import_memories", {"memories": flood(20)})
    assert waiting(data) == 20
    with McpClient(data, env=SHARED) as client:
        settled(client)
    assert_each_once(data, 20)


# --- Crashes ---


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize("count", [150, pytest.param(500, marks=pytest.mark.full)])
def test_after_kill_9_with_many_pending_all_are_embedded_and_none_twice(tmp_path: Path, count: int):
    data = tmp_path / "data"
    with McpClient(data, env=SHARED) as client:
        assert client.call("import_memories", {"memories": flood(count)})["imported"] == count
        until(lambda: embedded(data) > 0)
        client.kill9()
    assert 0 < waiting(data) < count
    assert waiting(data) + embedded(data) == count
    with McpClient(data, env=SHARED) as client:
        claimed = rows(data, "SELECT count(*) FROM pending WHERE owner <> ''")[0][0]
        until(lambda: waiting(data) <= claimed)  # what the dead one had claimed waits for the end of its lease
        assert claimed <= embedding_queue.BATCH
    with ready(data, later(seconds=LEASE + 5)) as ctx:
        while embedding_queue.work_off(ctx):
            pass
    assert_each_once(data, count)
    assert_sound(data)


@pytest.mark.usefixtures("encoder")
def test_a_command_that_stores_embeds_it_and_one_that_asks_says_what_is_not(tmp_path: Path):
    data = tmp_path / "data"
    id_ = done("remember", CAT, data=data, env=SHARED).split()[1]
    assert (waiting(data), embedded(data)) == (0, 1)
    done("delete", id_, data=data, env=SHARED)
    done("undo", data=data, env=SHARED)
    assert (waiting(data), embedded(data)) == (0, 1)
    with opened(data) as ctx:
        keep_waiting(ctx, TAX, "Kittens play outside")
    asked = indelible("recall", "feline pets", data=data, env=SHARED)
    assert b"2 records not embedded yet: searched by words only" in asked.stderr


@pytest.mark.usefixtures("encoder")
def test_a_command_that_asks_says_that_more_may_wait_than_it_counts(tmp_path: Path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        keep_waiting(ctx, *(f"Kittens play outside, {number}" for number in range(unembedded.MOST + 1)))
    asked = indelible("recall", "feline pets", data=data, env=SHARED)
    assert b"1,000 records or more not embedded yet: searched by words only" in asked.stderr


def test_a_command_says_that_its_question_was_not_embedded(tmp_path: Path):
    nowhere = {"INDELIBLE_ENCODER": "http://127.0.0.1:9", "INDELIBLE_ENCODER_MODEL": "of nobody"}
    done("remember", CAT, data=tmp_path / "data")
    asked = indelible("recall", "feline pets", data=tmp_path / "data", env=nowhere)
    assert b"no embedding of the question came in time" in asked.stderr
    assert b"no embedding of the question" not in indelible("recall", "feline pets", data=tmp_path / "data").stderr


@pytest.mark.usefixtures("encoder")
def test_four_servers_work_the_list_off_together_and_embed_nothing_twice(tmp_path: Path):
    data = tmp_path / "data"
    with ExitStack() as stack:
        clients = [stack.enter_context(McpClient(data, env=SHARED)) for _ in range(4)]
        settled(*clients)
        owners: set[str] = set()
        stack.enter_context(McpClient(data)).call("import_memories", {"memories": flood(224)})

        def watch() -> bool:
            owners.update(owner for (owner,) in rows(data, "SELECT DISTINCT owner FROM pending WHERE owner <> ''"))
            return waiting(data) == 0

        until(watch)
        settled(*clients)
        for client in clients:
            (hit,) = client.call("recall_memory", {"query": "queue223", "k": 1})
            assert hit["score_breakdown"]["vector_similarity"] > 0
    assert len(owners) > 1
    assert_each_once(data, 224)


@pytest.mark.usefixtures("encoder")
def test_what_a_dead_process_had_claimed_is_free_when_its_lease_has_run_out(tmp_path: Path):
    data = tmp_path / "data"
    with ready(data) as dead:
        claimed = keep_waiting(dead, CAT, TAX)
        now, owner = dead.now(), dead.session.id
        taken = dead.store.write(lambda tx: waiting_list.take(tx, owner, now, now + int(LEASE * 1_000_000), 10))
        assert taken == sorted(claimed, reverse=True)
    with ready(data, later(seconds=LEASE - 5)) as early:
        assert embedding_queue.work_off(early) == 0
        assert waiting(data) == 2
    with ready(data, later(seconds=LEASE + 5)) as late:
        assert embedding_queue.work_off(late) == 2
    assert_each_once(data, 2)


@pytest.mark.usefixtures("own_encoder")
def test_with_the_encoder_killed_recall_is_by_words_and_then_by_meaning_again(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data, env=SHARED) as client:

        def hits(query: str) -> list[tuple[str, bool]]:
            answered = client.call("recall_memory", {"query": query})
            return [(hit["content"], hit["score_breakdown"]["vector_similarity"] > 0) for hit in answered]

        for text in (CAT, TAX):
            client.call("store_memory", {"content": text})
        settled(client)
        assert hits("feline pets") == [(CAT, True)]
        encoders.kill()
        assert hits("was the radiator warm?") == [(CAT, False)]
        assert hits("feline animals") == []  # a question that is not remembered
        assert client.call("store_memory", {"content": "Kittens play outside"})["status"] == "stored"
        until(lambda: hits("domestic felines and young cats") != [])
        settled(client)
        assert {text for text, by_meaning in hits("feline animals") if by_meaning} == {CAT, "Kittens play outside"}
    assert_each_once(data, 3)


@pytest.mark.usefixtures("own_encoder")
def test_texts_that_were_being_embedded_when_the_encoder_was_killed_are_embedded_by_the_next(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data, env=SHARED) as client:
        client.call("import_memories", {"memories": flood(100)})
        until(lambda: embedded(data) > 0)
        encoders.kill()
        settled(client)
    assert_each_once(data, 100)


# --- Texts that change meanwhile ---


class _Slow:
    """An encoder that something happens beside, between being asked for texts and giving their embeddings."""

    def __init__(self, inner: Encoder, beside: Callable[[], object]):
        self._inner, self._beside = inner, beside

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        made = self._inner.texts(texts, timeout)
        self._beside()
        return made


@contextmanager
def interrupted(data: Path, beside: Callable[[], object]) -> Iterator[Context]:
    """A context during whose embedding something happens."""
    with ready(data) as ctx:
        inner = encoders.woken()
        try:
            yield replace(ctx, embedder=Embedder(_Slow(inner, beside)))
        finally:
            inner.close()


def key_of(data: Path) -> str:
    return str(rows(data, "SELECT key FROM record")[0][0])


@pytest.mark.usefixtures("encoder")
def test_a_text_that_changes_while_it_is_embedded_gets_the_embedding_of_its_new_text(tmp_path: Path):
    data = tmp_path / "data"
    with ready(data) as other:
        keep_waiting(other, CAT)
        cold = replace(other, embedder=Embedder(None))

        def change() -> None:
            memories.update(cold, key_of(data), TAX, None)

        with interrupted(data, change) as ctx:
            assert embedding_queue.work_off(ctx) == 0
        assert (waiting(data), embedded(data)) == (1, 0)
        assert embedding_queue.work_off(other) == 1
        assert found(other, "feline pets") == []
        assert found(other, "deadline for the fiscal authority") == [(TAX, True)]
    assert_each_once(data, 1)


@pytest.mark.usefixtures("encoder")
def test_a_text_that_is_deleted_while_it_is_embedded_stays_deleted(tmp_path: Path):
    data = tmp_path / "data"
    with ready(data) as other:
        keep_waiting(other, CAT)
        with interrupted(data, lambda: memories.delete(other, key_of(data))) as ctx:
            assert embedding_queue.work_off(ctx) == 0
    assert (waiting(data), embedded(data)) == (0, 0)
    assert_sound(data)


@pytest.mark.usefixtures("encoder")
def test_who_comes_back_after_its_lease_has_run_out_embeds_nothing_a_second_time(tmp_path: Path):
    data = tmp_path / "data"
    with ready(data, later(seconds=LEASE + 5)) as other:
        keep_waiting(other, CAT, TAX)
        taken_over: list[int] = []
        with interrupted(data, lambda: taken_over.append(embedding_queue.work_off(other))) as ctx:
            assert embedding_queue.work_off(ctx) == 0
        assert taken_over == [2]
    assert_each_once(data, 2)


@pytest.mark.usefixtures("encoder")
def test_a_long_text_and_short_ones_do_not_wait_for_each_other(tmp_path: Path):
    data = tmp_path / "data"
    with ready(data) as other:
        keep_waiting(
            other, *(f"{CAT} number {i}" for i in range(5)), "a long story " * (2 * embedding_queue.MOST_TEXT // 13)
        )
        meanwhile: list[int] = []
        with interrupted(data, lambda: meanwhile.append(embedding_queue.work_off(other))) as ctx:
            assert sorted([embedding_queue.work_off(ctx), *meanwhile]) == [1, 5]
    assert waiting(data) == 0
    assert times_embedded(data) == [1] * 6


# --- Another model ---


@pytest.fixture
def outdated(tmp_path: Path, encoder: None) -> Path:
    """A store of texts that another model seems to have embedded."""
    data = tmp_path / "data"
    with ready(data) as ctx:
        keep_waiting(ctx, CAT, TAX, *(item["content"] for item in flood(98)))
        while embedding_queue.work_off(ctx):
            pass
    connection = store_file.opened(data / FILE, write=True)
    connection.execute("UPDATE model SET name = ?", (OLD,))
    connection.close()
    return data


def by_model(data: Path) -> dict[str, int]:
    return dict(
        rows(
            data,
            """SELECT name, count(*) FROM embedding JOIN model ON model.id = embedding.model
            WHERE view = 0 GROUP BY name""",
        )
    )


def test_another_models_embeddings_are_noticed_and_recall_is_by_words_until_they_are_renewed(outdated: Path):
    with McpClient(outdated, env=SHARED) as client:
        client.call("recall_memory", {"query": "wake up"})
        until(lambda: health(client).startswith("ok"))
        assert f"100 are embedded by {OLD}: `indelible reembed` renews them" in health(client)
        (hit, *_) = client.call("recall_memory", {"query": NEAR_CAT})
        assert (hit["content"], hit["score_breakdown"]["vector_similarity"]) == (CAT, 0)
        assert client.call("recall_memory", {"query": "feline pets"}) == []
        renewing = started("reembed", outdated)
        while renewing.poll() is None:  # recall goes on meanwhile
            (hit, *_) = client.call("recall_memory", {"query": "radiator"})
            assert hit["content"] == CAT
        assert renewing.returncode == 0, renewing.stderr
        (hit, *_) = client.call("recall_memory", {"query": NEAR_CAT})
        assert hit["content"] == CAT
        assert hit["score_breakdown"]["vector_similarity"] > 0.5
        assert health(client) == "ok: 100 records embedded"
    assert list(by_model(outdated).values()) == [100]
    assert OLD not in by_model(outdated)
    assert times_embedded(outdated) == [2] * 100


def started(command: str, data: Path) -> forked.Forked | subprocess.Popen[bytes]:
    return forked.start(
        [command, "--data", str(data)],
        env=environment(SHARED),
        cwd=data.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_reembed_killed_in_the_middle_goes_on_where_it_was(outdated: Path):
    renewing = started("reembed", outdated)
    try:
        until(lambda: len(by_model(outdated)) == 2)
    finally:
        renewing.send_signal(signal.SIGKILL)
        renewing.wait()
    left = by_model(outdated)[OLD]
    assert 0 < left < 100
    with ready(outdated, later(seconds=LEASE + 5)) as ctx:  # the dead one's lease has run out
        heard: list[tuple[int, int]] = []
        assert embedding_worker.renew(ctx, lambda made, all_: heard.append((made, all_))) == left
        assert heard[0] == (0, left)
        assert heard[-1] == (left, left)
        assert heard == sorted(heard)
        assert found(ctx, NEAR_CAT)[0] == (CAT, True)
    assert OLD not in by_model(outdated)
    assert times_embedded(outdated) == [2] * 100


def test_reembed_of_what_needs_none_embeds_nothing(outdated: Path):
    done("reembed", data=outdated, env=SHARED)
    before = times_embedded(outdated)
    ran = indelible("reembed", data=outdated, env=SHARED)
    assert ran.returncode == 0
    assert ran.stderr.splitlines()[-1] == b"embedded 0 records"
    assert times_embedded(outdated) == before


def test_reembed_without_an_encoder_says_so(tmp_path: Path, nowhere):
    data = tmp_path / "data"
    with opened(data) as ctx:
        keep_waiting(ctx, CAT)
    for surroundings, reason in (
        ({}, "INDELIBLE_ENCODER is `off`"),
        (nowhere, "did not start"),
        ({"INDELIBLE_READ_ONLY": "1"}, "INDELIBLE_READ_ONLY"),
    ):
        ran = indelible("reembed", data=data, env=surroundings)
        assert ran.returncode == 1
        said = ran.stderr.decode().splitlines()[-1]
        assert said.startswith("indelible: ")
        assert reason in said
    assert waiting(data) == 1
