"""Embeddings without a model, for tests of what is done with them: the same text has the same vectors everywhere."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np

from indelible.core.context.context import Context
from indelible.core.indexes import sealing
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import embedding_queue, successors
from indelible.embed.base import Deferred, Embedding, SparseVector
from indelible.store.tables import pending

WINDOW = 400  # characters
PATIENCE = 10.0  # seconds for what a worker is at; where its encoder fails, it stays claimed


class MadeUpEncoder:
    """Vectors in directions of chance, a window for every 400 characters; a sparse term for every word."""

    state = "ready"

    def __init__(self, model: str = "made up", terms: bool = True, dimensions: int = 64) -> None:
        self.model, self.languages = model, frozenset()
        self._terms = terms
        self._dimensions = dimensions

    def probe(self) -> str:
        return self.state

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass

    def query(self, text: str, timeout: float) -> Embedding:
        return self._embedding(text)

    def begin(self, text: str, timeout: float) -> Deferred:
        return Deferred(lambda: self.query(text, timeout))

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding]:
        return [self._embedding(text) for text in texts]

    def _embedding(self, text: str) -> Embedding:
        chance = np.random.default_rng(crc32(f"{self.model} {text}".encode()))
        dense = chance.standard_normal((1 + len(text) // WINDOW, self._dimensions), np.float32)
        words = sorted({crc32(word.encode()) for word in text.lower().split()} if self._terms else ())
        sparse = SparseVector(np.array(words, np.uint32), np.ones(len(words), np.float32))
        return Embedding(dense / np.linalg.norm(dense, axis=1, keepdims=True), sparse)


class WordsEncoder(MadeUpEncoder):
    """Vectors that are near where texts share words."""

    def _embedding(self, text: str) -> Embedding:
        dense = np.full((1, 64), 1e-3, np.float32)
        for word in text.lower().replace("?", "").split():
            dense[0, crc32(word.encode()) % 64] += 1
        return Embedding(dense / np.linalg.norm(dense), super()._embedding(text).sparse)


def with_meaning(ctx: Context, model: str = "made up", terms: bool = True, dimensions: int = 64) -> Context:
    """The same context with an encoder."""
    return replace(ctx, embedder=Embedder(MadeUpEncoder(model, terms, dimensions)))


def embed_all(ctx: Context) -> None:
    """Embed what waits, and wait for what a worker of this process is at; the context must have an encoder."""
    until = time.monotonic() + PATIENCE
    while embedding_queue.work_off(ctx) or (_is_at_work(ctx) and time.monotonic() < until):
        pass


def _is_at_work(ctx: Context) -> bool:
    """Whether somebody has claimed what waits; if so, a moment later."""
    with ctx.store.read() as tx:
        claimed = any(each.claimed for each in pending.newest(tx, 1_000))
    if claimed:
        ctx.embedder.follow_up.wait_for_progress(0.01)
    return claimed


def compare_all(ctx: Context) -> None:
    """Embed and compare with others what waits, beside a worker of this process, and wait for what that is at."""
    until = time.monotonic() + PATIENCE
    embed_all(ctx)
    while waits_to_be_compared(ctx):
        assert time.monotonic() < until
        if not successors.relate(ctx):
            ctx.embedder.follow_up.wait_for_progress(0.01)


def waits_to_be_compared(ctx: Context) -> list[pending.Waiting]:
    """Return at most ten memories that wait to be compared with others, claimed ones too."""
    with ctx.store.read() as tx:
        return pending.newest(tx, 10, pending.COMPARE)


def seal_all(ctx: Context) -> None:
    """Seal the first block of every space."""
    with ctx.store.read() as tx:
        every = sealing.partitions_of(tx)
    for space in every:
        sealing.seal(ctx.store, space, 0)
