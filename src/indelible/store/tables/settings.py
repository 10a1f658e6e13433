"""Rows of `setting`: facts and choices that belong to a tenant, or to the store as a whole."""

from indelible.errors import Conflict, Forbidden
from indelible.store.database import Transaction, one

_STORE = 0  # in the place of a tenant: of the store as a whole
STORED = "setting"  # what a transaction remembers of one, see `once`
SCORING_WEIGHTS = "scoring_weights"
DENSE_MODEL = "dense_model"  # see core/indexes/model_choice
BRANCHES = "branches"  # see store/tables/branches
EPOCH = "epoch"
QUOTA = "quota"  # see core/context/quota
MIGRATING = "migrating"  # of a tenant into which rows are being copied: how far that is
DELETED = "deleted"  # of a tenant that was deleted for good: when, in microseconds; all that is left of it


def find(tx: Transaction, name: str) -> str | None:
    """The value of a setting, None where it was never set."""
    row = one(tx.rows("settings.find", name=name))
    return None if row is None else str(row[0])


def put(tx: Transaction, name: str, value: str) -> None:
    """Set a setting."""
    tx.run("settings.put", name=name, value=value)


def drop(tx: Transaction, name: str) -> None:
    """Delete a setting; one that was never set is fine."""
    tx.run("settings.drop", name=name)


def refuse_unusable(tx: Transaction) -> None:
    """Raise Conflict for a store into which a migration was begun and not finished, Forbidden for a deleted tenant."""
    found = [name for (name,) in tx.rows("settings.which_of", name=MIGRATING, other_name=DELETED)]
    if DELETED in found:
        raise deleted(tx.tenant)
    if found:
        raise unfinished()


def unfinished() -> Conflict:
    """Return the error for every process but the migration's own."""
    return Conflict(
        "this store is the target of a migration that is not finished, and has only some of what it is to have; run "
        "the same `indelible migrate` again, which goes on where it stopped"
    )


def deleted(tenant: int) -> Forbidden:
    """Return the error for whoever uses a tenant that was deleted."""
    return Forbidden(f"tenant {tenant} was deleted for good, and its number is not used again; use another tenant")


def epoch(tx: Transaction) -> str:
    """Return a value that changes when a backup is restored: caches of another epoch are invalid."""
    row = one(tx.rows("settings.find", tenant=_STORE, name=EPOCH))
    return "" if row is None else str(row[0])


def put_epoch(tx: Transaction, value: str) -> None:
    """Set that value."""
    tx.run("settings.put", tenant=_STORE, name=EPOCH, value=value)
