"""Rows of `pending`: the one list of work that follows from what is stored, a record and a kind of work each.

Triggers put a record on it that is to be embedded. A message that was linked by its words goes on to be linked again
when it is embedded, a memory to be compared with others. A process claims rows for a time; the one that did the work
removes the row or passes it on in the transaction that stores the result, and only while the claim is its own.
"""

import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

from indelible.store.database import Transaction, listed

NONE = "nothing waits"  # what a transaction remembers, see `once`


class Work(NamedTuple):
    """Kinds of work: the range of the numbers in the column `late`, in the order in which they are done."""

    first: int
    last: int


EMBED = Work(0, 1)  # texts, then symbols
LINK = Work(2, 2)  # messages to the chunks that they are about
COMPARE = Work(3, 3)  # memories to those that they may be newer or older versions of


class Waiting(NamedTuple):
    """A record that waits; `claimed` is whether a process is about to embed it, or was when it ended."""

    record: int
    claimed: bool


class Group(NamedTuple):
    """Records of one kind and namespace that wait, in no order; `claimed` is whether all of them are."""

    kind: str
    namespace: str
    records: list[int]
    claimed: bool


def take(
    tx: Transaction,
    owner: str,
    now: int,
    until: int,
    limit: int,
    latest: int = 1 << 62,
    work: Work = EMBED,
) -> list[int]:
    """Claim up to `limit` records for a kind of work until a time, the newest first: queries ask for recent ones first.

    A claim beyond `latest` is of a clock that was ahead, and is ignored. Symbols come after all else: a codebase has
    far more of them than a day has memories.
    """
    given = {"owner": owner, "now": now, "until": until, "limit": limit, "latest": latest, **work._asdict()}
    rows = tx.rows("pending.take", **given)
    return [int(record) for record, _ in sorted(rows, key=lambda row: (row[1], -row[0]))]


def done(tx: Transaction, record: int, owner: str) -> bool:
    """Take a record off the list; False where its text changed, or another took it over, since it was claimed."""
    return tx.run("pending.done", record=record, owner=owner) == 1


def link_next(tx: Transaction, record: int, owner: str) -> bool:
    """Pass a message on to be linked again; False where it is not marked, or no longer claimed by `owner`."""
    return tx.run("pending.link_next", record=record, owner=owner) == 1


def compare_next(tx: Transaction, record: int, owner: str) -> bool:
    """Pass a memory on to be compared with others; False where it is no longer claimed by `owner`."""
    return tx.run("pending.compare_next", record=record, owner=owner) == 1


def add_link(tx: Transaction, record: int) -> None:
    """Queue a message to be linked again, unless it waits to be embedded: it is linked after that."""
    tx.run("pending.add_link", record=record)


def memories_before(tx: Transaction, before: int, limit: int) -> list[int]:
    """Return the row ids of the last memories before a row id, the last first."""
    return [int(record) for (record,) in tx.rows("pending.memories_before", before=before, limit=limit)]


def add_compare(tx: Transaction, ids: Collection[int]) -> None:
    """Queue those of the memories that are embedded, and wait for nothing, to be compared with others."""
    tx.run("pending.add_compare", ids=listed(ids))


def unlinked(tx: Transaction) -> list[int]:
    """Return the messages that are marked as linked by words and on no list: a sound store has none."""
    return [int(record) for (record,) in tx.rows("pending.unlinked")]


def prolong(tx: Transaction, owner: str, ids: Collection[int], until: int) -> None:
    """Keep those of the records that the owner has claimed until a later time."""
    tx.run("pending.prolong", owner=owner, ids=listed(ids), until=until)


def release(tx: Transaction, owner: str, ids: Collection[int]) -> None:
    """Release those of the records that the owner has claimed, and that are not done."""
    tx.run("pending.release", owner=owner, ids=listed(ids))


def never(tx: Transaction, ids: Iterable[int]) -> None:
    """Take records off the list that are never embedded, in the transaction in which a trigger put them there."""
    tx.run("pending.never", ids=listed(ids))


def count(tx: Transaction) -> int:
    """Return how many records wait to be embedded, claimed ones included."""
    return int(tx.rows("pending.count")[0][0])


def newest(tx: Transaction, limit: int, work: Work = EMBED) -> list[Waiting]:
    """Return the newest records that wait for a kind of work, claimed ones too, newest first.

    Of what waits to be embedded symbols are left out.
    """
    rows = tx.rows("pending.newest", late=work.first, limit=limit)
    return [Waiting(int(record), bool(owner)) for record, owner in rows]


def groups(tx: Transaction, limit: int, *, code: bool = False) -> list[Group]:
    """Return the newest records that wait to be embedded, symbols (`code`) or all else, by kind and namespace.

    One row of the database for each of these, however many records wait: a recall asks, beside an import too.
    """
    if tx.remembered and NONE in tx.remembered:
        return []
    rows = tx.rows("pending.groups", late=int(code), limit=limit)
    return [Group(str(kind), str(name), json.loads(ids), bool(claimed)) for kind, name, ids, claimed in rows]


def unembedded(tx: Transaction, ids: Collection[int]) -> set[int]:
    """Return those of the records that wait to be embedded."""
    return {int(record) for (record,) in tx.rows("pending.unembedded", ids=listed(ids))}


def any_free(tx: Transaction, now: int, latest: int, work: Work = EMBED) -> bool:
    """Whether `take` would find any record."""
    return bool(tx.rows("pending.any_free", now=now, latest=latest, **work._asdict()))


def forgotten(tx: Transaction) -> int:
    """Return how many records with a text have no embedding and wait for none: a sound store has none."""
    return int(tx.rows("pending.forgotten")[0][0])


def add_forgotten(tx: Transaction) -> None:
    """Queue those records."""
    tx.run("pending.add_forgotten")


def add_other_models(tx: Transaction, model: int) -> None:
    """Queue every record that another model embedded."""
    tx.run("pending.add_other_models", model=model)
