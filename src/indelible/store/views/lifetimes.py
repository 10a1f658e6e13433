"""Memories and solutions that have expired, and how many are pinned. A hook loads this module: few imports."""

from typing import NamedTuple

from indelible.store.database import Transaction

EXPIRED = "expired"  # what a transaction remembers of them, see `views/opening`
MOST_PINNED = 10  # that a brief opens with


class Expired(NamedTuple):
    """The records that have expired at any time from `since` to before `until` (`sortable_text`); None for no end."""

    since: str
    until: str | None
    records: frozenset[int]


def expired(tx: Transaction, now: str) -> frozenset[int]:
    """Return the row ids of what has expired at a time (`clock.sortable_text`)."""
    known: Expired | None = None if tx.remembered is None else tx.remembered.get(EXPIRED)
    if known is not None and known.since <= now and (known.until is None or now < known.until):
        return known.records
    return frozenset(int(id_) for (id_,) in tx.rows("lifetimes.expired", now=now))


def pinned_by_namespace(tx: Transaction, now: str) -> dict[str, int]:
    """Return how many are pinned in each namespace that has any: current ones, trusted, not expired at a time."""
    listed = ",".join(map(str, sorted(expired(tx, now))))
    return {str(name): int(count) for name, count in tx.rows("lifetimes.pinned_by_namespace", expired=f"[{listed}]")}
