"""A chosen model whose cosines all lie between 0.7 and 1: an unrelated question brings nothing, a near one its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from command_line import opened
from indelible.admin import embedding_worker
from indelible.core.context.context import Context
from indelible.core.indexes import model_choice
from indelible.core.indexes.embedder import Embedder
from indelible.core.indexes.model_choice import DEFAULT, Named
from indelible.core.recall import candidates, recall
from indelible.core.records import model_change
from indelible.core.records.calibration import Calibration
from indelible.embed.base import Embedding, SparseVector
from indelible.store.tables import embeddings
from indelible.toolsets.memory import memories
from made_up_meaning import MadeUpEncoder, embed_all

NARROW = Named("narrow", "narrow@123456789abc/1")
SUBJECTS = ("lemon", "river", "engine", "violin", "carpet", "castle", "pencil", "garden", "window", "button")
OTHER_WORDS = {"citrus": "lemon", "stream": "river"}  # that mean the same


class Narrow(MadeUpEncoder):
    """All texts near one direction, and the nearer to each other the more subjects they share."""

    def _embedding(self, text: str) -> Embedding:
        row = np.zeros(64, np.float32)
        for word in text.lower().split():
            subject = OTHER_WORDS.get(word, word)
            row[0] += 0.85
            row[1 + (SUBJECTS.index(subject) if subject in SUBJECTS else 20 + sum(subject.encode()) % 40)] += 0.53
        row /= np.linalg.norm(row)
        return Embedding(row[np.newaxis], SparseVector(np.zeros(0, np.uint32), np.zeros(0, np.float32)))


def encoder(named: Named) -> MadeUpEncoder:
    return MadeUpEncoder(named.model) if named == DEFAULT else Narrow(named.model)


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    """A store of 45 memories of two subjects each, that the built-in model has embedded."""
    with opened(tmp_path / "data") as plain:
        ctx = replace(plain, embedder=Embedder(encoder(DEFAULT), open_model=encoder))
        for pair in combinations(SUBJECTS, 2):
            memories.store(ctx, memories.NewMemory(" ".join(pair)))
        embed_all(ctx)
        yield ctx


def texts(ctx: Context, query: str) -> list[str]:
    return [hit.record.text for hit in recall.recall(ctx, candidates.Query(query, 5))]


def nulls(ctx: Context) -> dict[str, model_choice.Null]:
    with ctx.store.read() as tx:
        return dict(model_choice.read(tx).nulls)


@pytest.mark.slow
def test_an_unrelated_question_brings_nothing_and_a_near_one_its_text(ctx: Context):
    model_change.choose(ctx, NARROW)
    embedding_worker.renew(ctx, lambda done, total: None)
    assert nulls(ctx)[NARROW.model].mean > 0.7
    assert texts(ctx, "citrus stream") == ["lemon river", *texts(ctx, "citrus stream")[1:]]
    assert texts(ctx, "zeppelin yodel") == []
    with ctx.store.read() as tx:
        choice = model_choice.read(tx)
    ctx.store.write(lambda tx: model_choice.put(tx, replace(choice, nulls={})))
    assert texts(ctx, "zeppelin yodel") != [], "as it is without the calibration"


@pytest.mark.slow
def test_it_is_measured_again_when_the_store_has_doubled(ctx: Context):
    model_change.choose(ctx, NARROW)
    embedding_worker.renew(ctx, lambda done, total: None)
    before = nulls(ctx)[NARROW.model]
    calibration = Calibration()
    assert not calibration.renew(ctx)
    for number in range(before.size):
        memories.store(ctx, memories.NewMemory(f"lemon and number{number}"))
    embed_all(ctx)
    assert calibration.renew(ctx)
    assert not calibration.renew(ctx)
    assert nulls(ctx)[NARROW.model].size >= 2 * before.size


def test_the_built_in_model_needs_none(ctx: Context):
    assert not Calibration().renew(ctx)
    assert nulls(ctx) == {}
    with ctx.store.read() as tx:
        assert embeddings.count_by_model(tx) == {DEFAULT.model: 45}
