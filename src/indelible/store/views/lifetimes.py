"""Memories and solutions that have expired, and how many are pinned. A hook loads this module: few imports."""

from indelible.store.database import Transaction

EXPIRED = "expired"  # what a transaction remembers of them, see `views/opening`
MOST_PINNED = 10  # that a brief opens with


def expired(tx: Transaction, now: str) -> frozenset[int]:
    """Return the row ids of what has expired at a time (`clock.sortable_text`)."""
    if tx.remembered is not None and EXPIRED in tx.remembered:
        found: frozenset[int] = tx.remembered[EXPIRED]
        return found
    return frozenset(int(id_) for (id_,) in tx.rows("lifetimes.expired", now=now))


def pinned_by_namespace(tx: Transaction, now: str) -> dict[str, int]:
    """Return how many are pinned in each namespace that has any: current ones, trusted, not expired at a time."""
    listed = ",".join(map(str, sorted(expired(tx, now))))
    return {str(name): int(count) for name, count in tx.rows("lifetimes.pinned_by_namespace", expired=f"[{listed}]")}
