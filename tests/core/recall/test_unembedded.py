"""What was stored just now: a recall waits a moment until it can be found by meaning, or says that it was not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from indelible.admin.embedding_worker import Worker
from indelible.core.context.context import Context
from indelible.core.context.dispatch import Answer
from indelible.core.context.permissions import Grant
from indelible.core.indexes.embedder import MOST_SLOW, Embedder
from indelible.core.recall import unembedded
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.core.records import embedding_queue
from indelible.embed.base import Embedding
from indelible.server.mcp import server
from indelible.toolsets import registry
from indelible.toolsets.memory import memories
from made_up_meaning import MadeUpEncoder, embed_all

PATIENCE = 50.0  # seconds: below pytest's own limit
CAT, PARAPHRASE = "The cat sleeps on the radiator", "feline animals asleep where it is warm"


class Synonyms(MadeUpEncoder):
    """All texts mean the same; texts to be stored come when `free` is set."""

    def __init__(self) -> None:
        super().__init__(terms=False)
        self.free = threading.Event()
        self.free.set()
        self.asked = 0

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding]:
        self.asked += 1
        assert self.free.wait(PATIENCE)
        return super().texts(texts, timeout)

    def _embedding(self, text: str) -> Embedding:
        return super()._embedding("the same")


@pytest.fixture
def encoder() -> Synonyms:
    return Synonyms()


@pytest.fixture
def ctx(memory, encoder: Synonyms) -> Context:
    """A process without a worker."""
    return replace(memory.context, embedder=Embedder(encoder))


@contextmanager
def working(ctx: Context) -> Iterator[None]:
    """A worker of this process."""
    worker = Worker(ctx)
    worker.start()
    until(lambda: ctx.embedder.follow_up.has_worker)
    try:
        yield
    finally:
        worker.stop()


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end


def store(ctx: Context, *texts: str, namespace: str | None = None) -> None:
    for text in texts:
        memories.store(ctx, memories.NewMemory(text, namespace=namespace))


def call(ctx: Context, tool: str, **arguments: object) -> Answer:
    return registry.call(ctx, registry.find_tool(tool), arguments)


def asked(ctx: Context, query: str = PARAPHRASE, tool: str = "recall_memory", **more: object) -> tuple[int, int]:
    """How many a tool finds, and of how many it says that it searched them by words only."""
    answer = registry.call(ctx, registry.find_tool(tool), {"query": query, **more})
    return len(answer.value), answer.searched.unembedded


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, what is embedded at once comes in time."""
    monkeypatch.setattr(unembedded, "LONGEST", PATIENCE)


# --- It is found ---


@pytest.mark.usefixtures("patient")
def test_what_was_stored_just_now_is_found_by_its_meaning(ctx: Context):
    with working(ctx):
        for n in range(20):
            store(ctx, f"{CAT} {n}")
            assert asked(ctx, f"{PARAPHRASE} {n}", k=100) == (n + 1, 0)


@pytest.mark.usefixtures("patient")
def test_from_another_process_too(ctx: Context, open_store, encoder: Synonyms):
    other = replace(open_store().context, embedder=Embedder(encoder))
    with working(ctx), working(other):
        for n in range(20):
            store(ctx, f"{CAT} {n}")
            assert asked(other, f"{PARAPHRASE} {n}", k=100) == (n + 1, 0)


@pytest.mark.usefixtures("patient")
def test_a_process_without_a_worker_waits_for_what_another_has_claimed(ctx: Context, open_store, encoder: Synonyms):
    other = replace(open_store().context, embedder=Embedder(encoder))
    encoder.free.clear()
    with working(ctx):
        store(ctx, CAT)
        until(lambda: encoder.asked)
        freeing = threading.Timer(0.01, encoder.free.set)
        freeing.start()
        assert asked(other) == (1, 0)
        freeing.join()


# --- It is said ---


def test_what_is_not_embedded_is_counted(ctx: Context):
    assert asked(ctx) == (0, 0)
    store(ctx, CAT, "Tax returns are due in May")
    assert asked(ctx) == (0, 2)
    embed_all(ctx)
    assert asked(ctx) == (2, 0)


def test_only_what_passes_the_filters_is_counted(ctx: Context):
    store(ctx, "one", namespace="/a")
    store(ctx, "two", "three", namespace="/b")
    registry.call(ctx, registry.find_tool("add_todo"), {"title": "write", "description": "soon"})
    assert asked(ctx) == (0, 4)
    assert asked(ctx, namespace="/b")[1] == 2
    assert asked(ctx, namespace="/c")[1] == 0
    assert recall(ctx, Query(PARAPHRASE, 5, kinds=("todo",))) == []
    assert len(ctx.call.searched.unembedded) == 1


def test_a_caller_that_is_limited_to_namespaces_hears_of_its_own_only(ctx: Context):
    store(ctx, "one", namespace="/a")
    store(ctx, "two", "three", namespace="/b")
    limited = ctx.granted(Grant(who="tok_a", scope="read", namespaces=frozenset(["/a"])))
    assert asked(limited)[1] == 1


def test_a_solution_and_code_are_counted_where_they_are_searched(ctx: Context):
    registry.call(
        ctx, registry.find_tool("matrix_store"), {"problem": "it hangs", "solution": "restart", "scope": "global"}
    )
    answer = registry.call(ctx, registry.find_tool("matrix_recall"), {"query": PARAPHRASE})
    assert answer.searched.unembedded == 1


def test_every_door_says_it(ctx: Context):
    store(ctx, CAT)
    result = server.answer(ctx, registry.find_tool("recall_memory"), {"query": PARAPHRASE}, None)
    assert result.meta == {server.UNEMBEDDED: 1}
    embed_all(ctx)
    result = server.answer(ctx, registry.find_tool("recall_memory"), {"query": PARAPHRASE}, None)
    assert result.meta is None


def test_without_a_model_nothing_is_counted(memory):
    store(memory.context, CAT)
    assert asked(memory.context) == (0, 0)


# --- Where the question itself is not embedded ---


class Late(Synonyms):
    """Questions are not embedded in time."""

    def query(self, text: str, timeout: float) -> None:  # type: ignore[override]
        return None


@pytest.fixture
def late(ctx: Context) -> Context:
    store(ctx, CAT)
    call(ctx, "matrix_store", problem="it hangs", solution="restart", scope="global")
    embed_all(ctx)
    return replace(ctx, embedder=Embedder(Late()))


@pytest.mark.parametrize("tool", ["recall_memory", "matrix_recall", "search_code", "retrieve_memory"])
def test_it_is_said_that_a_question_came_too_late(late: Context, ctx: Context, tmp_path: Path, tool: str):
    code = tmp_path / "cats"
    code.mkdir()
    (code / "cats.py").write_text("def sleeping_cat():\n    return 'on the radiator'\n")
    call(ctx, "index_codebase", path=str(code))
    call(ctx, "store_memory", content="A guide to cats", file_name="a.md")
    embed_all(ctx)
    known = {"query": "sleeping_cat", "conversation_id": "c"}
    given = {
        name: value for name, value in known.items() if name in registry.find_tool(tool).input_schema["properties"]
    }
    assert call(late, tool, **given).searched.by_words
    assert not call(ctx, tool, **given).searched.by_words


def test_every_door_says_that_too(late: Context, memory):
    called, given = registry.find_tool("recall_memory"), {"query": PARAPHRASE}
    assert server.answer(late, called, given, None).meta == {server.BY_WORDS: True}
    assert server.answer(memory.context, called, given, None).meta is None  # without a model there is nothing to say


# --- It waits for a moment only ---


def test_a_text_that_takes_longer_is_not_waited_for_again(ctx: Context, encoder: Synonyms, monkeypatch):
    encoder.free.clear()
    with working(ctx):
        store(ctx, CAT)
        assert asked(ctx) == (0, 1)
        monkeypatch.setattr(unembedded, "LONGEST", PATIENCE)
        began = time.monotonic()
        assert asked(ctx) == (0, 1)
        assert time.monotonic() - began < PATIENCE
        encoder.free.set()
        until(lambda: embedding_queue.waiting(ctx) == 0)
        assert asked(ctx) == (1, 0)


def test_nor_is_what_others_have_waited_for_in_vain(ctx: Context, encoder: Synonyms, monkeypatch):
    encoder.free.clear()
    with working(ctx):
        for place in ("/a", "/b"):
            store(ctx, CAT, namespace=place)
            assert asked(ctx, namespace=place) == (0, 1)
        monkeypatch.setattr(unembedded, "LONGEST", PATIENCE)
        began = time.monotonic()
        assert asked(ctx, namespace="/a") == (0, 1)
        assert time.monotonic() - began < PATIENCE
        encoder.free.set()


def test_what_takes_longer_keeps_nobody_from_what_comes_soon(ctx: Context, open_store, encoder: Synonyms, monkeypatch):
    other = replace(open_store().context, embedder=Embedder(MadeUpEncoder(terms=False)))
    encoder.free.clear()
    with working(ctx):
        store(ctx, CAT)
        until(lambda: encoder.asked)
        assert asked(ctx) == (0, 1)
        monkeypatch.setattr(unembedded, "LONGEST", PATIENCE)
        with working(other):
            store(other, "the same")
            began = time.monotonic()
            assert asked(ctx) == (1, 1)
            assert time.monotonic() - began < PATIENCE
        encoder.free.set()


def test_what_was_slow_is_forgotten_when_it_is_embedded():
    signals = Embedder(None).follow_up
    signals.was_waited_for({1, 2, 3}, {1, 2, 3})
    assert signals.not_slow([1, 2, 3, 4]) == {4}
    signals.was_waited_for({1, 4}, {4})
    signals.progressed([2])
    assert signals.not_slow([1, 2, 3, 4]) == {1, 2}
    signals.was_waited_for([], range(10, 10 + MOST_SLOW))
    assert signals.not_slow([3, 4, 10]) == {3, 4}


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("why", ["many wait", "cold", "nobody works"])
def test_nothing_is_waited_for_where_that_would_be_in_vain(ctx: Context, encoder: Synonyms, why: str):
    encoder.free.clear()
    store(ctx, *(f"note {n}" for n in range(unembedded.FEW + (why == "many wait"))))
    if why == "cold":
        encoder.state = "loading"
    if why != "nobody works":
        ctx.embedder.follow_up.begin()
    began = time.monotonic()
    assert asked(ctx, "nothing of that")[1] >= unembedded.FEW
    assert time.monotonic() - began < PATIENCE


def test_a_write_does_not_wait_for_its_embedding(ctx: Context, encoder: Synonyms):
    encoder.free.clear()
    with working(ctx):
        store(ctx, CAT, "Tax returns are due in May")
        assert embedding_queue.waiting(ctx) == 2
        encoder.free.set()
        until(lambda: embedding_queue.waiting(ctx) == 0)


def test_a_burst_is_embedded_in_full_batches(ctx: Context, encoder: Synonyms):
    store(ctx, *(f"note {n}" for n in range(4 * embedding_queue.BATCH)))
    with working(ctx):
        until(lambda: embedding_queue.waiting(ctx) == 0)
    assert encoder.asked == 4
