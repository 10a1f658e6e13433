"""Records with vectors by the thousand, written straight into a store: enough of them for an index of neighbors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indelible.embed.base import Deferred, Embedding, SparseVector
from indelible.search import tokens
from indelible.search.index.vectors import pack
from indelible.store.database import Database, Transaction
from indelible.store.tables import embeddings, terms

DIMENSIONS = 64
TOPICS = 300
MODEL = "made up"
ASKING = 1_000_000  # no record has such a number in its text
Vectors = NDArray[np.float32]


def unit(vectors: Vectors) -> Vectors:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def vectors(count: int, seed: int = 1) -> Vectors:
    """Rows about some of the same topics, as uneven as those of a model: nearly all is in the first dimensions."""
    uneven = np.exp(-np.arange(DIMENSIONS) / 16).astype(np.float32)
    topics = unit(np.random.default_rng(0).standard_normal((TOPICS, DIMENSIONS), np.float32) * uneven)
    draw = np.random.default_rng(seed)
    own = unit(draw.standard_normal((count, DIMENSIONS), np.float32) * uneven)
    return unit(topics[draw.integers(0, TOPICS, count)] + topics[draw.integers(0, TOPICS, count)] / 2 + own)


def namespace_of(record: int) -> str:
    """Of ten thousand records one is in the smallest namespace, 2% in another, of the rest a half each in two."""
    if record % 10_000 == 7:
        return "/smallest"
    if record % 50 == 3:
        return "/few"
    return "/half" if record % 2 else "/other"


def fill(store: Database, rows: Vectors, first: int = 1, kind: str = "memory") -> None:
    """A record for each vector, with ids from `first` on."""
    ids = range(first, first + len(rows))

    def work(tx: Transaction) -> None:
        model = embeddings.add_model(tx, MODEL, DIMENSIONS).number
        tx.run_many("records.reinsert", (_record(record, kind) for record in ids))
        tx.run_many("terms.put", (row for record in ids for row in _terms(record, kind)))
        packed = zip(ids, pack(rows), strict=True)
        tx.run_many(
            "embeddings.add",
            (
                {"record": record, "view": 0, "model": model, "vector": vector, "code": code}
                for record, (vector, code) in packed
            ),
        )
        tx.run_many("pending.done", ({"record": record, "owner": ""} for record in ids))

    store.write(work)


def _record(record: int, kind: str) -> dict[str, Any]:
    return {
        **{"id": record, "namespace": namespace_of(record), "kind": kind, "type": "context"},
        **{"key": f"{kind} {record}", "label": "", "text": f"record {record}", "tags": "[]", "metadata": "{}"},
        **{"importance": 0.5, "confidence": 1.0, "content_hash": str(record), "session": "", "position": record},
        **{"replaced": 0, "created": record, "updated": record, "uid": f"{kind} {record}", "origin": ""},
    }


def _terms(record: int, kind: str) -> Iterator[dict[str, Any]]:
    words = {tokens.term("record"): 1, tokens.term(str(record)): 1}
    yield {"record": record, "space": terms.words_of(kind), "size": 2, "body": tokens.pack(words)}


class Asked:
    """An encoder for which a question ends in the number of one of these vectors, from ASKING on."""

    model, state, languages = MODEL, "ready", frozenset()

    def __init__(self, rows: Vectors) -> None:
        self._rows = rows

    def probe(self) -> str:
        return self.state

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass

    def query(self, text: str, timeout: float) -> Embedding:
        nothing = SparseVector(np.zeros(0, np.uint32), np.zeros(0, np.float32))
        return Embedding(self._rows[int(text.rsplit(maxsplit=1)[-1]) - ASKING][np.newaxis], nothing)

    def begin(self, text: str, timeout: float) -> Deferred:
        return Deferred(lambda: self.query(text, timeout))

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        return None
