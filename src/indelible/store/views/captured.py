"""Captured memories that wait for review: current ones that are not confirmed yet."""

from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import records

NEWEST = (1 << 62, 0)  # behind no record: the walk begins with the newest


def waiting(tx: Transaction, limit: int, behind: tuple[int, int] = NEWEST) -> list[Record]:
    """Return the newest of them behind a place (the time and row id of a record), newest first."""
    created, id_ = behind
    rows = tx.rows("captured.waiting", limit=limit, created=created, id=id_)
    return [records.from_row(row) for row in rows]


def count(tx: Transaction) -> dict[str, int]:
    """Return how many there are by namespace, in no order; '' is none."""
    return {str(namespace): int(count) for namespace, count in tx.rows("captured.count")}
