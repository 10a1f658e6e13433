"""The ordered log of record and relation changes, written by triggers, followed by every process's caches."""

from dataclasses import dataclass

from indelible.store.database import Transaction


@dataclass(frozen=True, slots=True)
class Change:
    """One entry; `operation`: put or delete (of the record), embed (it got vectors), link (a relation starts at it)."""

    position: int
    record: int
    operation: str


def last(tx: Transaction, tenant: int) -> int:
    """The newest position, 0 in an empty log."""
    return int(tx.rows("changes.last", tenant=tenant)[0][0])


def oldest(tx: Transaction, tenant: int) -> int:
    """The oldest position that is still kept, 0 in an empty log."""
    return int(tx.rows("changes.oldest", tenant=tenant)[0][0])


def since(tx: Transaction, tenant: int, position: int) -> list[Change]:
    """Everything after a position, in order."""
    return [Change(*row) for row in tx.rows("changes.since", tenant=tenant, position=position)]


def trim(tx: Transaction, tenant: int, before: int, up_to: int, limit: int = 2000) -> int:
    """Drop those of the oldest `limit` entries that are older than a time or up to a position, never the newest.

    Returns the number dropped.
    """
    return tx.run("changes.trim", tenant=tenant, before=before, up_to=up_to, limit=limit)


def last_link(tx: Transaction, tenant: int) -> int:
    """The newest position at which a relation changed, 0 if none is in the log."""
    return int(tx.rows("changes.last_link", tenant=tenant)[0][0])


def count_in_range(tx: Transaction, tenant: int, position: int, low: int, high: int, embeds: bool) -> int:
    """How many changes after a position are of records with low <= id < high: puts, deletes and, if asked, embeds."""
    operation = "embed" if embeds else "put"
    rows = tx.rows("changes.count_in_range", tenant=tenant, position=position, low=low, high=high, operation=operation)
    return int(rows[0][0])
