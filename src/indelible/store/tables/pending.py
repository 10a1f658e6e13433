"""Rows of `pending`: records whose text is not embedded yet. Triggers add them; whoever embeds one takes it away."""

import json
from collections.abc import Sequence

from indelible.store.database import Transaction


def take(
    tx: Transaction, tenant: int, owner: str, now: int, until: int, limit: int, latest: int = 1 << 62
) -> list[int]:
    """Claim up to `limit` records until a time, the newest first: what was stored just now is asked for first.

    A claim beyond `latest` is of a clock that was ahead, and does not hold. Symbols come after all else: a codebase has
    more of them than a day's memories are.
    """
    rows = tx.rows("pending.take", tenant=tenant, owner=owner, now=now, until=until, limit=limit, latest=latest)
    return [int(record) for record, _ in sorted(rows, key=lambda row: (row[1], -row[0]))]


def done(tx: Transaction, tenant: int, record: int, owner: str) -> bool:
    """Take a record off the list; False where its text changed, or another took it over, since it was claimed."""
    return tx.run("pending.done", tenant=tenant, record=record, owner=owner) == 1


def prolong(tx: Transaction, tenant: int, owner: str, until: int) -> None:
    """Keep what was claimed until a later time."""
    tx.run("pending.prolong", tenant=tenant, owner=owner, until=until)


def release(tx: Transaction, tenant: int, owner: str) -> None:
    """Give back what was claimed and is not done."""
    tx.run("pending.release", tenant=tenant, owner=owner)


def release_others(tx: Transaction, tenant: int, owner: str, kept: Sequence[int]) -> None:
    """Give back what was claimed but for those records."""
    tx.run("pending.release_others", tenant=tenant, owner=owner, ids=json.dumps([int(i) for i in kept]))


def count(tx: Transaction, tenant: int) -> int:
    """How many records wait, those that somebody is at included."""
    return int(tx.rows("pending.count", tenant=tenant)[0][0])


def any_free(tx: Transaction, tenant: int, now: int, latest: int) -> bool:
    """Whether `take` would find any record."""
    return bool(tx.rows("pending.any_free", tenant=tenant, now=now, latest=latest))


def forgotten(tx: Transaction, tenant: int) -> int:
    """How many records with a text have no embedding and wait for none: a sound store has none."""
    return int(tx.rows("pending.forgotten", tenant=tenant)[0][0])


def add_forgotten(tx: Transaction, tenant: int) -> None:
    """Put those on the list."""
    tx.run("pending.add_forgotten", tenant=tenant)


def add_other_models(tx: Transaction, tenant: int, model: int) -> None:
    """Put every record on the list that another model embedded."""
    tx.run("pending.add_other_models", tenant=tenant, model=model)
