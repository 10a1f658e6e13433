"""A process without a worker embeds what it stored before it ends."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from indelible.core.context.context import Context
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import embedding_queue
from indelible.toolsets.memory import memories
from made_up_meaning import MadeUpEncoder


class Cold(MadeUpEncoder):
    """An encoder that is there as soon as it was waited for, or never."""

    def __init__(self, becomes: str) -> None:
        super().__init__()
        self.looks = 0
        self._becomes = becomes
        self._woken = threading.Event()

    def wake(self) -> None:
        self._woken.set()

    @property
    def state(self) -> str:  # type: ignore[override]
        self.looks += 1
        if not self._woken.is_set():
            return "not running"
        return "loading" if self.looks < 4 else self._becomes


def stored(memory, encoder: MadeUpEncoder, *texts: str) -> Context:
    ctx = replace(memory.context, embedder=Embedder(encoder))
    for text in texts:
        memories.store(ctx, memories.NewMemory(text))
    return ctx


def test_it_waits_for_a_model_that_loads(memory):
    ctx = stored(memory, Cold("ready"), "one", "two")
    assert ctx.embedder.follow_up.has_work
    assert embedding_queue.work_off_few(ctx) == 2
    assert embedding_queue.waiting(ctx) == 0


@pytest.mark.parametrize("becomes", ["the encoder did not start: no memory", "loading"])
def test_but_for_none_that_does_not_come(memory, monkeypatch, becomes: str):
    monkeypatch.setattr(embedding_queue, "LOADING", 0.1)
    ctx = stored(memory, Cold(becomes), "one")
    assert embedding_queue.work_off_few(ctx) == 0
    assert embedding_queue.waiting(ctx) == 1


def test_nor_for_any_where_the_work_is_not_little(memory):
    encoder = Cold("ready")
    ctx = stored(memory, encoder, "long " * embedding_queue.SHORT)
    assert embedding_queue.work_off_few(ctx) == 0
    assert encoder.looks == 0
