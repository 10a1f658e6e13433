"""Rows of `pending`: records that wait to be embedded. Triggers add them; the process that embeds one removes it."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from indelible.store.database import Transaction


class Waiting(NamedTuple):
    """A record that waits; `claimed` is whether a process is about to embed it, or was when it ended."""

    record: int
    claimed: bool
    kind: str
    namespace: str


def take(
    tx: Transaction, tenant: int, owner: str, now: int, until: int, limit: int, latest: int = 1 << 62
) -> list[int]:
    """Claim up to `limit` records until a time, the newest first: queries ask for recent records first.

    A claim beyond `latest` is of a clock that was ahead, and is ignored. Symbols come after all else: a codebase has
    far more of them than a day has memories.
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
    """Release the claimed records that are not done."""
    tx.run("pending.release", tenant=tenant, owner=owner)


def release_others(tx: Transaction, tenant: int, owner: str, kept: Sequence[int]) -> None:
    """Release the claimed records except those."""
    tx.run("pending.release_others", tenant=tenant, owner=owner, ids=json.dumps([int(i) for i in kept]))


def count(tx: Transaction, tenant: int) -> int:
    """Return how many records wait, claimed ones included."""
    return int(tx.rows("pending.count", tenant=tenant)[0][0])


def newest(tx: Transaction, tenant: int, limit: int, *, code: bool = False) -> list[Waiting]:
    """Return the newest records that wait, of symbols (`code`) or of all else, claimed ones included, newest first."""
    rows = tx.rows("pending.newest", tenant=tenant, late=int(code), limit=limit)
    return [Waiting(int(record), bool(owner), str(kind), str(namespace)) for record, owner, kind, namespace in rows]


def any_free(tx: Transaction, tenant: int, now: int, latest: int) -> bool:
    """Whether `take` would find any record."""
    return bool(tx.rows("pending.any_free", tenant=tenant, now=now, latest=latest))


def forgotten(tx: Transaction, tenant: int) -> int:
    """Return how many records with a text have no embedding and wait for none: a sound store has none."""
    return int(tx.rows("pending.forgotten", tenant=tenant)[0][0])


def add_forgotten(tx: Transaction, tenant: int) -> None:
    """Queue those records."""
    tx.run("pending.add_forgotten", tenant=tenant)


def add_other_models(tx: Transaction, tenant: int, model: int) -> None:
    """Queue every record that another model embedded."""
    tx.run("pending.add_other_models", tenant=tenant, model=model)
