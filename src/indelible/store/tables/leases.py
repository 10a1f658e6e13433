"""Rows of `lease`: the process that does a piece of background work, and until when it may."""

from indelible.store.database import Transaction


def take(tx: Transaction, name: str, owner: str, now: int, until: int) -> bool:
    """Take or renew a lease that is free, expired or our own; whether we have it. Times in microseconds."""
    return tx.run("leases.take", name=name, owner=owner, now=now, until=until) > 0


def release(tx: Transaction, name: str, owner: str) -> None:
    """Give a lease back."""
    tx.run("leases.release", name=name, owner=owner)
