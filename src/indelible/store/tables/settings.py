"""Rows of `setting`: facts and choices that belong to the store. Tenant 0 holds those of the whole store."""

from indelible.errors import Conflict
from indelible.store.database import Transaction, one

STORE = 0
STORED = "setting"  # what a transaction remembers of one, see `once`
SCORING_WEIGHTS = "scoring_weights"
MIGRATING = "migrating"  # of a tenant into which rows are being copied: how far that is


def find(tx: Transaction, tenant: int, name: str) -> str | None:
    """The value of a setting, None where it was never set."""
    row = one(tx.rows("settings.find", tenant=tenant, name=name))
    return None if row is None else str(row[0])


def put(tx: Transaction, tenant: int, name: str, value: str) -> None:
    """Set a setting."""
    tx.run("settings.put", tenant=tenant, name=name, value=value)


def drop(tx: Transaction, tenant: int, name: str) -> None:
    """Delete a setting; one that was never set is fine."""
    tx.run("settings.drop", tenant=tenant, name=name)


def refuse_unfinished(tx: Transaction, tenant: int) -> None:
    """Raise Conflict for a store into which a migration was begun and not finished."""
    if find(tx, tenant, MIGRATING) is not None:
        raise unfinished()


def unfinished() -> Conflict:
    """Return the error for every process but the migration's own."""
    return Conflict(
        "this store is the target of a migration that is not finished, and has only some of what it is to have; run "
        "the same `indelible migrate` again, which goes on where it stopped"
    )


def epoch(tx: Transaction) -> str:
    """Return a value that changes when a backup is restored: caches of another epoch are invalid."""
    return find(tx, STORE, "epoch") or ""
