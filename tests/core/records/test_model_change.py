"""A store changes to another dense model: recall goes on by the old one, and a return costs nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from command_line import assert_sound, opened
from indelible.admin import embedding_worker
from indelible.core.context.context import Context
from indelible.core.indexes import model_choice
from indelible.core.indexes.embedder import Embedder
from indelible.core.indexes.model_choice import DEFAULT, Named
from indelible.core.recall import candidates, recall
from indelible.core.records import embedding_queue, model_change
from indelible.store.tables import embeddings
from indelible.toolsets.memory import memories, statistics
from made_up_meaning import PATIENCE, MadeUpEncoder, embed_all, seal_all

OTHER = Named("other", "other@123456789abc/1+made")
WIDTHS = {DEFAULT.model: 64, OTHER.model: 256}


def encoder(named: Named) -> MadeUpEncoder:
    return MadeUpEncoder(named.model, dimensions=WIDTHS[named.model])


def process(ctx: Context) -> Context:
    """The store as another process has it, which follows what the store has chosen."""
    return replace(ctx, embedder=Embedder(encoder(DEFAULT), open_model=encoder), indexes=type(ctx.indexes)())


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    """A store with forty memories that the built-in model has embedded."""
    with opened(tmp_path / "data") as plain:
        ctx = process(plain)
        for number in range(40):
            memories.store(ctx, memories.NewMemory(f"Lemons are yellow, number{number}"))
        memories.store(ctx, memories.NewMemory("A long text of many windows. " * 60))
        embed_all(ctx)
        yield ctx
    assert_sound(tmp_path / "data")


def times(count: int) -> Callable[[], bool]:
    answers = iter([True] * count)
    return lambda: next(answers, False)


def best(ctx: Context, query: str) -> tuple[str, float]:
    (hit, *_) = recall.recall(ctx, candidates.Query(query, 3))
    return hit.record.text, hit.components["vector_similarity"]


def counts(ctx: Context) -> dict[str, int]:
    with ctx.store.read() as tx:
        return embeddings.count_by_model(tx)


def searched(ctx: Context) -> Named:
    with ctx.store.read() as tx:
        return model_choice.read(tx).searched


def found_by_meaning(ctx: Context, number: int = 7) -> bool:
    """Whether the very text of a memory finds it by its vector."""
    text, similarity = best(ctx, f"Lemons are yellow, number{number}")
    return text == f"Lemons are yellow, number{number}" and similarity > 0.9


def test_recall_goes_on_by_the_old_model_until_the_new_one_has_embedded_all(ctx: Context):
    another = process(ctx)
    assert found_by_meaning(another)
    model_change.choose(ctx, OTHER)
    assert model_change.left_to_embed(ctx) == 41
    assert model_change.advance(ctx, times(1)) == embedding_queue.BATCH
    assert searched(ctx) == DEFAULT
    assert ctx.embedder.model == DEFAULT.model
    assert found_by_meaning(ctx)
    assert found_by_meaning(another)
    assert "changing to other: 32 of 41" in statistics.health(ctx)["embeddings"]
    assert statistics.stats(ctx)["storage"]["embeddings"] == 41
    assert ("embedded by other, which takes over", "32 of 41") in statistics.lines(ctx, statistics.stats(ctx))
    assert model_change.advance(process(ctx), times(9)) == 9  # another process goes on with it
    assert searched(ctx) == OTHER
    assert counts(ctx) == {DEFAULT.model: 41, OTHER.model: 41}
    assert found_by_meaning(another)
    assert another.embedder.model == OTHER.model
    assert found_by_meaning(ctx)
    assert statistics.stats(ctx)["vector"]["dimensions"] == 256
    with ctx.store.read() as tx, ctx.indexes.records.current(tx, OTHER.model) as caches:
        assert caches.meaning is not None
        assert caches.meaning.vectors is not None
        assert caches.meaning.vectors.dimensions == 256
        assert len(caches.meaning.vectors.slots.records.values) > 41  # each window of the long text


@pytest.mark.slow
def test_what_is_stored_and_changed_meanwhile_is_found_before_and_after(ctx: Context):
    model_change.choose(ctx, OTHER)
    model_change.advance(ctx, times(1))
    fresh = memories.store(ctx, memories.NewMemory("Limes are green, number1"))["id"]
    changed = memories.store(ctx, memories.NewMemory("Plums are blue, number1"))["id"]
    embed_all(ctx)
    assert best(ctx, "Limes are green, number1")[1] > 0.9
    model_change.advance(ctx, times(1))
    memories.update(ctx, changed, "Plums are purple, number1", None)
    embed_all(ctx)
    embedding_worker.renew(ctx, lambda done, total: None)
    assert searched(ctx) == OTHER
    assert best(ctx, "Limes are green, number1")[1] > 0.9
    assert best(ctx, "Plums are purple, number1")[1] > 0.9
    assert counts(ctx)[OTHER.model] == 43
    assert fresh != changed


@pytest.mark.slow
def test_a_return_is_at_once_and_embeds_only_what_is_new(ctx: Context):
    other_process = process(ctx)
    model_change.choose(ctx, OTHER)
    embedding_worker.renew(ctx, lambda done, total: None)
    assert found_by_meaning(other_process)
    assert model_change.choose(ctx, DEFAULT).searched == DEFAULT
    assert found_by_meaning(other_process)
    assert other_process.embedder.model == DEFAULT.model
    memories.store(ctx, memories.NewMemory("Limes are green, number1"))
    embed_all(ctx)
    assert model_change.choose(ctx, OTHER).searched == DEFAULT
    assert model_change.left_to_embed(ctx) == 1
    assert model_change.advance(ctx, times(9)) == 1
    assert searched(ctx) == OTHER
    for each in (ctx, other_process):
        assert best(each, "Limes are green, number1")[1] > 0.9
        assert found_by_meaning(each)


def test_choosing_the_old_model_again_ends_a_change(ctx: Context):
    model_change.choose(ctx, OTHER)
    model_change.advance(ctx, times(1))
    assert model_change.choose(ctx, DEFAULT).wanted is None
    assert model_change.advance(ctx, times(9)) == 0
    assert ctx.embedder.incoming is None
    assert found_by_meaning(ctx)


def test_a_process_that_has_not_heard_of_the_change_embeds_nothing_by_the_old_model(ctx: Context):
    unaware = process(ctx)
    assert found_by_meaning(unaware)
    memories.store(ctx, memories.NewMemory("Limes are green, number1"))
    model_change.choose(ctx, OTHER)
    changed = ctx.embedder

    class Slow(MadeUpEncoder):
        """The change comes while it encodes."""

        def texts(self, texts, timeout):
            model_change.advance(replace(ctx, embedder=changed), times(9))
            return super().texts(texts, timeout)

    slow = replace(unaware, embedder=Embedder(Slow(DEFAULT.model), open_model=encoder))
    slow.embedder.follow(None)
    assert embedding_queue.work_off(slow) == 0
    assert searched(ctx) == OTHER
    assert embedding_queue.work_off(unaware) == 1
    assert counts(ctx) == {DEFAULT.model: 41, OTHER.model: 42}


def test_the_worker_of_a_server_changes_a_store_and_embeds_what_is_stored_first(ctx: Context):
    memories.store(ctx, memories.NewMemory("Limes are green, number1"))
    model_change.choose(ctx, OTHER)
    worker = embedding_worker.Worker(ctx)
    worker.start()
    until = time.monotonic() + PATIENCE
    while searched(ctx) != OTHER and time.monotonic() < until:
        ctx.embedder.follow_up.wait_for_progress(0.05)
    worker.stop()
    assert counts(ctx) == {DEFAULT.model: 42, OTHER.model: 42}
    assert best(ctx, "Limes are green, number1")[1] > 0.9


def test_a_process_whose_settings_name_a_model_has_no_part_in_a_change(ctx: Context):
    model_change.choose(ctx, OTHER)
    fixed = replace(ctx, embedder=Embedder(encoder(DEFAULT)))
    assert not fixed.embedder.follows_the_store
    assert embedding_worker.renew(fixed, lambda done, total: None) == 0
    assert model_change.advance(fixed, times(9)) == 0
    assert searched(ctx) == DEFAULT
    assert found_by_meaning(fixed)


def test_only_one_process_embeds_anew_at_a_time(ctx: Context):
    model_change.choose(ctx, OTHER)
    second = process(ctx)
    second = replace(second, session=replace(second.session, id="another"))
    asked = []

    def goes_on() -> bool:
        asked.append(model_change.advance(second, times(9)))
        return len(asked) < 3

    assert model_change.advance(ctx, goes_on) == 41
    assert asked == [0, 0, 0]


@pytest.mark.slow
def test_vectors_are_dropped_a_week_after_their_model_was_left(ctx: Context):
    model_change.choose(ctx, OTHER)
    embedding_worker.renew(ctx, lambda done, total: None)
    assert model_change.drop_left(ctx) == 0
    with ctx.store.read() as tx:
        choice = model_choice.read(tx)
    past = replace(choice, left={name: since - model_change.KEPT for name, since in choice.left.items()})
    ctx.store.write(lambda tx: model_choice.put(tx, past))
    assert model_change.drop_left(ctx) > 41
    assert counts(ctx) == {OTHER.model: 41}
    assert found_by_meaning(ctx)
    assert model_change.choose(ctx, DEFAULT).searched == OTHER
    assert model_change.left_to_embed(ctx) == 41


@pytest.mark.slow
def test_sealed_blocks_are_those_of_the_model_that_is_searched(ctx: Context):
    seal_all(ctx)
    model_change.choose(ctx, OTHER)
    embedding_worker.renew(ctx, lambda done, total: None)
    seal_all(ctx)
    fresh = process(ctx)
    assert found_by_meaning(fresh)
    model_change.choose(ctx, DEFAULT)
    assert found_by_meaning(process(ctx))
    assert found_by_meaning(fresh)


def test_a_store_without_anything_embedded_changes_at_once(tmp_path: Path):
    with opened(tmp_path / "data") as plain:
        ctx = process(plain)
        memories.store(ctx, memories.NewMemory("Lemons are yellow, number7"))
        assert model_change.choose(ctx, OTHER).searched == OTHER
        embed_all(ctx)
        assert counts(ctx) == {OTHER.model: 1}
        assert found_by_meaning(ctx)
