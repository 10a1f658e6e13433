"""Rows of `setting`: facts and choices that belong to the store. Tenant 0 holds the facts of the whole store."""

from indelible.store.database import Transaction, one

STORE = 0


def find(tx: Transaction, tenant: int, name: str) -> str | None:
    """The value of a setting, None where it was never set."""
    row = one(tx.rows("settings.find", tenant=tenant, name=name))
    return None if row is None else str(row[0])


def put(tx: Transaction, tenant: int, name: str, value: str) -> None:
    """Set a setting."""
    tx.run("settings.put", tenant=tenant, name=name, value=value)


def drop(tx: Transaction, tenant: int, name: str) -> None:
    """Forget a setting; one that was never set is fine."""
    tx.run("settings.drop", tenant=tenant, name=name)


def epoch(tx: Transaction) -> str:
    """Changes when a backup is restored: caches of another epoch are worthless."""
    return find(tx, STORE, "epoch") or ""
