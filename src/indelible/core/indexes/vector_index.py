"""One process's index of callers' vectors: read from the rows at first use, then kept up by the change log."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from indelible import heap
from indelible.core.indexes import vector_format
from indelible.core.indexes.follower import ChangeFollower, last_operations
from indelible.store.database import Transaction
from indelible.store.tables.changes import Change
from indelible.store.views import vectors
from indelible.store.views.vectors import VectorRow

if TYPE_CHECKING:
    from indelible.search.index.sparse_vectors import Entry, SparseVectors

# Imported late (start, cli): indelible.search.index.sparse_vectors

SLICE = 1000  # rows that are read at a time


class CallerVectors:
    """The vectors of one tenant. Every use sees what the caller's transaction sees."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._vectors: SparseVectors | None = None
        self._follower = ChangeFollower(self)

    @property
    def loaded(self) -> bool:
        """Whether any search has loaded the index yet."""
        return self._vectors is not None

    @contextmanager
    def current(self, tx: Transaction) -> "Iterator[SparseVectors]":
        """Yield the index as of the transaction, under a lock."""
        with self._lock:
            self._follower.catch_up(tx)
            assert self._vectors is not None
            yield self._vectors

    def start_over(self, tx: Transaction) -> None:
        """Read every row."""
        from indelible.search.index.sparse_vectors import LARGEST, SparseVectors

        self._vectors = None  # the old one's memory is free for the new one
        found = SparseVectors()
        self._put(tx, found, vectors.ids(tx), LARGEST)
        self._vectors = found
        heap.trim()

    def take_in(self, tx: Transaction, news: Sequence[Change]) -> None:
        """Read what changed."""
        assert self._vectors is not None
        last = last_operations(news, ("put", "delete"))
        for record in last:
            self._vectors.remove(record)  # one that was put may have moved to where a limited caller sees it no more
        self._put(tx, self._vectors, [record for record, operation in last.items() if operation == "put"], SLICE)

    def _put(self, tx: Transaction, into: "SparseVectors", ids: Sequence[int], together: int) -> None:
        """Add those of the records that are vectors, `together` at a time."""
        entries: list[Entry] = []
        for at in range(0, len(ids), SLICE):
            entries += entries_of(vectors.of_records(tx, ids[at : at + SLICE]))
            if len(entries) >= together:
                into.put_many(entries[:together])
                entries = entries[together:]
        into.put_many(entries)


def entries_of(rows: Iterable[VectorRow]) -> "Sequence[Entry]":
    """Return the index entries of rows; an invalid vector becomes one of zeros."""
    from indelible.search.index import sparse_vectors

    return sparse_vectors.valid(
        [
            sparse_vectors.Entry.stored(
                row.id, row.key, score_of(row.metadata), row.updated, vector_format.raw(row.metadata.get("vector"))
            )
            for row in rows
        ]
    )


def score_of(metadata: dict[str, Any]) -> float:
    """Return the feedback score of an entry so far."""
    score = metadata.get("score", 0.0)
    return float(score) if isinstance(score, (int, float)) else 0.0
