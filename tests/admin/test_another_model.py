"""A server of models may give another model under the same name; nothing of what is stored suffers from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import assert_sound, opened
from indelible.admin import embedding_worker
from indelible.core.context.context import Context
from indelible.core.recall import candidates, recall
from indelible.core.records import embedding_queue
from indelible.errors import StoreError
from indelible.toolsets.memory import memories
from made_up_meaning import embed_all, with_meaning


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Context]:
    """A store with three memories that a model of 64 dimensions embedded."""
    with opened(tmp_path / "data") as ctx:
        for number in range(3):
            memories.store(ctx, memories.NewMemory(f"Lemons are yellow, number{number}"))
        embed_all(with_meaning(ctx))
        yield ctx
    assert_sound(tmp_path / "data")


def found(ctx: Context, query: str) -> list[str]:
    return sorted(hit.record.text for hit in recall.recall(ctx, candidates.Query(query, 9)))


def test_recall_goes_on_by_words_where_a_question_gets_longer_vectors(plain: Context):
    other = with_meaning(plain, dimensions=128)
    before = found(with_meaning(plain), "lemons number1")
    assert len(before) == 3
    assert found(other, "lemons number1") == before
    assert all(hit.components["vector_similarity"] == 0 for hit in recall.recall(other, candidates.Query("lemons", 9)))


def test_its_vectors_are_refused_with_the_remedy_and_what_is_written_waits(plain: Context):
    other = with_meaning(plain, dimensions=128)
    memories.store(other, memories.NewMemory("Limes are green"))
    memories.update(other, memories.store(other, memories.NewMemory("Limes are blue"))["id"], "Limes are small", None)
    assert embedding_queue.waiting(plain) == 2
    with pytest.raises(StoreError, match="gave vectors of 64 values before and gives 128 now: it is another model"):
        embedding_queue.work_off(other)
    with pytest.raises(StoreError, match="INDELIBLE_ENCODER_MODEL, then run `indelible reembed`"):
        embedding_worker.renew(other, lambda done, total: None)
    assert embedding_queue.waiting(plain) == 2
    assert found(other, "limes") == ["Limes are green", "Limes are small"]
    embed_all(with_meaning(plain))  # the first one again: what was refused is not lost to it
    assert embedding_queue.waiting(plain) == 0


def test_under_a_name_of_its_own_it_takes_over(plain: Context):
    other = with_meaning(plain, "other", dimensions=128)
    assert embedding_worker.renew(other, lambda done, total: None) == 3
    (best, *_) = recall.recall(other, candidates.Query("Lemons are yellow, number2", 9))
    assert best.record.text == "Lemons are yellow, number2"
    assert best.components["vector_similarity"] > 0.9
