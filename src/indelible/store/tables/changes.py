"""The ordered log of record and relation changes, written by triggers, followed by every process's caches."""

from indelible.dataclass import dataclass
from indelible.store.database import Transaction, once

MOMENT = "moment"  # what a transaction remembers, see `once`
ALL = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Change:
    """One entry; `operation`: put or delete (of the record), embed (it got vectors), link (a relation starts at it)."""

    position: int
    record: int
    operation: str


@dataclass(frozen=True, slots=True)
class Moment:
    """The log as a transaction sees it: the store's epoch (another after a restore, and on another database server),
    the newest and the oldest position that is kept, and the newest at which a relation changed; 0 for none.
    """

    epoch: str
    last: int
    oldest: int
    last_link: int

    def reaches_back_to(self, position: int) -> bool:
        """Whether all changes after a position are kept."""
        return self.oldest <= position + 1


def moment(tx: Transaction) -> Moment:
    """Return where the transaction sees the log; one that only reads looks once."""
    return once(tx, MOMENT, lambda: Moment(*tx.rows("changes.moment")[0]))


def last(tx: Transaction) -> int:
    """The newest position, 0 in an empty log."""
    return int(tx.rows("changes.last")[0][0])


def since(tx: Transaction, position: int, limit: int = ALL) -> list[Change]:
    """The changes after a position, in order, the first `limit` of them."""
    return [Change(*row) for row in tx.rows("changes.since", position=position, limit=limit)]


def trim(tx: Transaction, before: int, up_to: int, limit: int = 2000) -> int:
    """Drop those of the oldest `limit` entries that are older than a time or up to a position, never the newest.

    Returns the number dropped.
    """
    return tx.run("changes.trim", before=before, up_to=up_to, limit=limit)


def count_in_range(tx: Transaction, position: int, low: int, high: int, embeds: bool) -> int:
    """How many changes after a position are of records with low <= id < high: puts, deletes and, if asked, embeds."""
    operation = "embed" if embeds else "put"
    rows = tx.rows("changes.count_in_range", position=position, low=low, high=high, operation=operation)
    return int(rows[0][0])
