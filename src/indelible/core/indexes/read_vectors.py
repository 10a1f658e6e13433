"""The vectors that recalls of a process read last: most candidates of one recall are candidates of the next.

A recall measures some 300 records by their exact vectors, and their neighbours; to read these from the database takes
as long as all that is computed of them.
"""

from collections.abc import Iterable, Sequence

from indelible.store.database import Transaction
from indelible.store.tables import embeddings

MOST = 4_096  # records whose vectors are kept: 4 MB of 384 dimensions


class ReadVectors:
    """The vectors of one model, as stored. The lock of the index that owns it guards it."""

    def __init__(self, model: int) -> None:
        self._model = model
        self._kept: dict[int, list[bytes]] = {}  # those read first come first

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, tx: Transaction, ids: Sequence[int], *, keep: bool) -> list[tuple[int, bytes]]:
        """Return (record, values) of every vector of those records, in no order.

        What is read is kept with `keep` only: that is for a transaction that sees all that the index has followed, and
        nothing that may yet be undone.
        """
        kept = self._kept
        found = [(record, body) for record in ids if record in kept for body in kept[record]]
        missing = [record for record in ids if record not in kept]
        if not missing:
            return found
        read = embeddings.vectors(tx, self._model, missing)
        if keep:
            self._keep(read)
        return found + read

    def _keep(self, read: Iterable[tuple[int, bytes]]) -> None:
        fresh: dict[int, list[bytes]] = {}
        for record, body in read:
            fresh.setdefault(record, []).append(body)
        self._kept.update(fresh)
        for record in list(self._kept)[: max(0, len(self._kept) - MOST)]:
            del self._kept[record]

    def forget(self, records: Iterable[int]) -> None:
        """Drop what is kept of records that changed; unknown ones are ignored."""
        for record in records:
            self._kept.pop(record, None)
