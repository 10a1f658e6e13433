"""Captured memories that wait for review: current ones that are not confirmed yet."""

from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import records


def waiting(tx: Transaction, limit: int) -> list[Record]:
    """Return the newest of them, newest first."""
    return [records.from_row(row) for row in tx.rows("captured.waiting", limit=limit)]


def count(tx: Transaction) -> dict[str, int]:
    """Return how many there are by namespace, in no order; '' is none."""
    return {str(namespace): int(count) for namespace, count in tx.rows("captured.count")}
