"""The best hits in the order of a chosen cross-encoder: what changes, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from command_line import opened
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.indexes.embedder import Embedder
from indelible.core.indexes.model_choice import Named
from indelible.core.recall import candidates, recall, reranking
from indelible.core.records import model_change
from indelible.toolsets import registry
from indelible.toolsets.memory import memories

NOW = datetime(2026, 3, 1, tzinfo=UTC)
TINY = Named("tiny-cross", "tiny-cross@123456789abc/1")
LEMONS = [f"Lemons are yellow, number{number}" for number in range(6)]


@dataclass
class ByLength:
    """Scores a text by its length, the longest best; reads only as many as it is told."""

    read: int | None = 1_000
    state: str = "ready"
    languages: frozenset[str] = frozenset()
    asked: list[tuple[str, ...]] = field(default_factory=list)
    woken: int = 0

    def probe(self) -> str:
        return self.state

    def wake(self) -> None:
        self.woken += 1

    def scores(self, query: str, texts: Sequence[str], timeout: float) -> list[float] | None:
        self.asked.append(tuple(texts))
        return None if self.read is None else [float(len(text)) for text in texts[: self.read]]

    def close(self) -> None:
        pass


@pytest.fixture
def scorer() -> ByLength:
    return ByLength()


@pytest.fixture
def ctx(tmp_path: Path, scorer: ByLength) -> Iterator[Context]:
    """A store in which each memory is longer than the one before, and that has chosen the scorer."""
    with opened(tmp_path / "data", lambda: NOW) as plain:
        ctx = replace(plain, embedder=Embedder(None, open_reranker=lambda named: scorer))
        for number, text in enumerate(LEMONS):
            memories.store(ctx, memories.NewMemory(text + " and so on" * number))
        model_change.choose_reranker(ctx, TINY)
        yield ctx


def asked(ctx: Context, query: str = "lemons", k: int = 10, **given) -> list[str]:
    return [hit.record.text for hit in recall.recall(ctx, candidates.Query(query, k, **given))]


def related(ctx: Context, source: str, target: str, relation: str) -> None:
    given = {"source_id": source, "target_id": target, "relationship": relation}
    registry.call(ctx, registry.find_tool("associate_memories"), given)


def longest_first(texts: Sequence[str]) -> list[str]:
    return sorted(texts, key=len, reverse=True)


def without(ctx: Context) -> Context:
    return replace(ctx, embedder=Embedder(None))


def noted(ctx: Context, run: Callable[[Context], object]) -> str:
    called = ctx.for_call(Call())
    run(called)
    return called.call.searched.not_reranked


def test_the_order_changes_and_no_score_does(ctx: Context):
    plain = recall.ranked(without(ctx), candidates.Query("lemons number0", 10))
    hits = recall.ranked(ctx, candidates.Query("lemons number0", 10))
    texts = [hit.record.text for hit in hits]
    assert texts == longest_first([hit.record.text for hit in plain])
    assert texts[0] != plain[0].record.text
    scores = {hit.record.id: (hit.score, hit.components) for hit in plain}
    assert {hit.record.id: (hit.score, hit.components) for hit in hits} == scores
    assert noted(ctx, asked) == ""


def test_the_k_asked_for_are_the_best_of_more(ctx: Context, scorer: ByLength):
    assert asked(ctx, "lemons number0", k=2) == longest_first(asked(without(ctx), k=10))[:2]
    assert len(scorer.asked[0]) == 6


def test_filters_hold(ctx: Context):
    memories.store(ctx, memories.NewMemory("Lemons " * 40, type="decision"))
    memories.store(ctx, memories.NewMemory("Lemons " * 50, namespace="other"))
    assert asked(ctx, type="decision") == ["Lemons " * 40]
    assert asked(ctx, namespace="other") == ["Lemons " * 50]


def test_what_is_below_the_best_stays_below(tmp_path: Path, scorer: ByLength):
    with opened(tmp_path / "many", lambda: NOW) as plain:
        ctx = replace(plain, embedder=Embedder(None, open_reranker=lambda named: scorer))
        for number in range(reranking.MOST + 5):
            memories.store(ctx, memories.NewMemory(f"Lemons are yellow, number{number}" + " again" * number))
        before = asked(ctx, k=100)
        model_change.choose_reranker(ctx, TINY)
        found = asked(ctx, k=100)
        assert found == [*longest_first(before[: reranking.MOST]), *before[reranking.MOST :]]


def test_long_texts_are_judged_by_their_beginnings(ctx: Context, scorer: ByLength):
    memories.store(ctx, memories.NewMemory("Lemons are yellow. " * 1_000))
    asked(ctx)
    assert max(len(text) for text in scorer.asked[0]) == reranking.LONGEST


@pytest.mark.parametrize("relation", ["SUPERSEDES", "MAY_SUPERSEDE"])
def test_a_newer_memory_counts_as_much_as_the_older_one_just_below_it(ctx: Context, relation: str):
    old = memories.store(ctx, memories.NewMemory("Lemons are green" + " of old" * 40))["id"]
    new = memories.store(ctx, memories.NewMemory("Lemons are red"))["id"]
    related(ctx, new, old, relation)
    found = asked(ctx)
    assert found[:2] == ["Lemons are red", "Lemons are green" + " of old" * 40]
    assert found[2:] == longest_first(found[2:])


def test_a_newer_memory_that_is_better_leaves_the_older_one_where_it_belongs(ctx: Context):
    old = memories.store(ctx, memories.NewMemory("Lemons are"))["id"]
    new = memories.store(ctx, memories.NewMemory("Lemons are green" + " of late" * 40))["id"]
    related(ctx, new, old, "SUPERSEDES")
    found = asked(ctx)
    assert found == longest_first(found)


def test_where_the_time_is_over_the_order_stays_and_the_answer_says_so(ctx: Context, scorer: ByLength):
    plain = asked(without(ctx))
    scorer.read = None
    assert asked(ctx) == plain
    assert noted(ctx, asked) == "tiny-cross read none of 6 hits in 0.15 s"
    assert scorer.woken == 2
    scorer.state = "loading"
    assert noted(ctx, asked) == "tiny-cross is being loaded"
    scorer.state = "[Errno 2] No such file: /home/somebody/model.onnx"
    assert noted(ctx, asked) == "tiny-cross is not ready: the health of the store says why"


def test_those_that_were_read_in_time_are_ordered_among_themselves(ctx: Context, scorer: ByLength):
    plain = asked(without(ctx))
    scorer.read = 4
    assert asked(ctx) == [*longest_first(plain[:4]), *plain[4:]]
    assert noted(ctx, asked) == "tiny-cross read 4 of 6 hits in 0.15 s"


def test_a_question_in_a_language_that_it_does_not_know_is_not_asked(ctx: Context, scorer: ByLength):
    scorer.languages = frozenset({"en"})
    memories.store(ctx, memories.NewMemory("Лимоны жёлтые, как солнце"))
    memories.store(ctx, memories.NewMemory("Лимоны бывают зелёные, а иногда и красные, и растут они на деревьях"))
    russian = "какого цвета лимоны?"
    assert asked(ctx, russian) == asked(without(ctx), russian)
    assert noted(ctx, lambda ctx: asked(ctx, russian)) == "tiny-cross does not know the language of the question"
    assert scorer.asked == []


def test_what_is_compared_by_its_figures_keeps_their_order(ctx: Context, scorer: ByLength):
    assert asked(ctx, relevance_only=True) == asked(without(ctx), relevance_only=True)
    assert scorer.asked == []


def test_off_unless_chosen(ctx: Context, scorer: ByLength):
    model_change.choose_reranker(ctx, None)
    assert ctx.embedder.reranker is None
    assert asked(ctx) == asked(without(ctx))
    assert scorer.asked == []
    model_change.choose_reranker(ctx, TINY)
    assert asked(ctx) == longest_first(asked(without(ctx)))


def test_another_process_follows_the_choice_with_its_next_recall(ctx: Context):
    other = replace(ctx, embedder=Embedder(None, open_reranker=lambda named: ByLength()))
    assert asked(other) == longest_first(asked(without(ctx)))
