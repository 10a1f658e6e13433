"""The vectors that recalls of a process read last: most candidates of one recall are candidates of the next.

A recall measures some 300 records by their exact vectors, and their neighbours; to read and unpack these takes as long
as all that is computed of them.
"""

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from indelible.store.database import Transaction
from indelible.store.tables import embeddings

if TYPE_CHECKING:
    from indelible.search.index.kept_vectors import Windows
    from indelible.search.index.slots import Ints

# Imported late (start, cli): indelible.search.index.kept_vectors

MOST = 4_096  # vectors that are kept: 6 MB of 384 dimensions


class ReadVectors:
    """The vectors of one model."""

    def __init__(self, model: int) -> None:
        from indelible.search.index.kept_vectors import KeptVectors

        self._model = model
        self._lock = threading.Lock()
        self._kept = KeptVectors(MOST)
        self._changes = 0

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def changes(self) -> int:
        """A number that changes when something is forgotten."""
        return self._changes

    def of(self, tx: Transaction, keep: int | None, ids: "Ints") -> "Windows":
        """Return the vectors of records, whose ids ascend.

        What is read is kept where `keep` is the number of `changes` still: that it had when the index was at the moment
        of the transaction, which sees nothing that may yet be undone. None keeps nothing.
        """
        from indelible.search.index.kept_vectors import Windows

        with self._lock:
            found, missing = self._kept.find(ids)
        if not len(missing):
            return found
        rows = embeddings.vectors(tx, self._model, missing.tolist())
        read = Windows.of(ids, rows)
        with self._lock:
            if keep == self._changes:
                self._kept.keep(ids, read)
        return found.with_more(read)

    def forget(self, records: Iterable[int]) -> None:
        """Drop what is kept of records that changed; unknown ones are ignored."""
        with self._lock:
            self._changes += 1
            self._kept.forget(records)
