"""Embeddings whose cosine with every question is told by the text: `fix it (0.80)` has 0.80."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from indelible.core.context.context import Context
from indelible.core.indexes.embedder import Embedder
from indelible.embed.base import Deferred, Embedding, SparseVector
from indelible.toolsets import registry
from made_up_meaning import embed_all

_ANGLE = re.compile(r"\((-?[01]\.[0-9]+)\)")


class AngleEncoder:
    """Questions lie on the first axis; a text without a number has cosine 0."""

    model = "angles"
    languages = frozenset()
    state = "ready"

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass

    def query(self, text: str, timeout: float) -> Embedding:
        return _embedding(1.0)

    def begin(self, text: str, timeout: float) -> Deferred:
        return Deferred(lambda: self.query(text, timeout))

    def probe(self) -> str:
        return self.state

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding]:
        return [_embedding(float(found[1]) if (found := _ANGLE.search(text)) else 0.0) for text in texts]


def _embedding(cosine: float) -> Embedding:
    dense = np.array([[cosine, (1 - cosine**2) ** 0.5]], np.float32)
    return Embedding(dense, SparseVector(np.zeros(0, np.uint32), np.zeros(0, np.float32)))


def with_angles(ctx: Context) -> Context:
    """The same context with that encoder."""
    return replace(ctx, embedder=Embedder(AngleEncoder()))


def call(ctx: Context, tool: str, **arguments: Any) -> Any:
    """Run a tool by name, and embed what it stored; the documented value."""
    value = registry.call(ctx, registry.find_tool(tool), arguments).value
    embed_all(ctx)
    return value
