"""Queries of the consolidation cycles: the memories to look at, and their relations."""

import json
from collections.abc import Iterable, Iterator

from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.store.database import Row, Transaction
from indelible.store.tables import records

PAGE = 2_000  # memories that are read at a time
WINDOW = 200_000  # row ids of memories whose relations are read at a time


@dataclass(frozen=True, slots=True)
class Tagged:
    """A memory with tags; `created` in microseconds since 1970."""

    id: int
    created: int
    type: str
    tags: tuple[str, ...]


def unused(tx: Transaction, before: int, decayed: str) -> list[int]:
    """Return memories of some importance last stored, changed and accessed before a time, and not decayed since.

    By id; the moment itself counts as before.
    """
    return [int(id_) for (id_,) in tx.rows("consolidation.unused", before=before, decayed=decayed)]


def set_importances(tx: Transaction, changed: Iterable[Record]) -> None:
    """Write the importance and the metadata of records, and nothing else of them."""
    rows = [{"id": r.id, "importance": float(r.importance), "metadata": records.dump(r.metadata)} for r in changed]
    tx.run_many("consolidation.set_importance", rows)


def tagged(tx: Transaction, namespace: str) -> Iterator[Tagged]:
    """Yield the current, trusted memories of a namespace that have tags, by key; read page by page.

    Without those that a cycle made from others.
    """
    for id_, _, created, type_, tags in _by_key(tx, "consolidation.tagged", namespace):
        yield Tagged(int(id_), int(created), type_, tuple(json.loads(tags)))


def relating(tx: Transaction, namespace: str) -> Iterator[tuple[int, int]]:
    """(source, target) of every RELATES_TO from a memory of a namespace, in no order."""
    yield from _of_relations(tx, "consolidation.relating", namespace)


def texts(tx: Transaction, namespace: str) -> Iterator[tuple[int, tuple[str, str, str], str]]:
    """Yield (id, (type, valid_from, valid_to), content) of the current memories of a namespace, by key.

    Read page by page; "" for no time.
    """
    for id_, _, type_, start, end, text in _by_key(tx, "consolidation.texts", namespace):
        yield int(id_), (type_, start, end), text


def untrue(tx: Transaction, namespace: str, now: str) -> set[int]:
    """Return the row ids of the current memories of a namespace that are true no more, or not yet, at a time.

    The time is as `clock.sortable_text` writes it.
    """
    return {int(id_) for (id_,) in tx.rows("consolidation.untrue", namespace=namespace, now=now)}


def _by_key(tx: Transaction, query: str, namespace: str) -> Iterator[Row]:
    """The rows of a query whose second column is the key by which they are ordered."""
    after = ""
    while True:
        rows = tx.rows(query, namespace=namespace, after=after, limit=PAGE)
        yield from rows
        if len(rows) < PAGE:
            return
        after = rows[-1][1]


def _of_relations(tx: Transaction, query: str, namespace: str) -> Iterator[Row]:
    """Yield the rows of a query over relations, for some memories at a time: there may be millions of relations."""
    first, last = tx.rows("consolidation.bounds", namespace=namespace)[0]
    for low in range(first, last + 1, WINDOW):
        yield from tx.rows(query, namespace=namespace, low=low, high=low + WINDOW)


def unimportant(tx: Transaction, threshold: float) -> list[int]:
    """Return memories below an importance that were never accessed; replaced ones first, then by id."""
    rows = tx.rows("consolidation.unimportant", threshold=float(threshold))
    return [int(id_) for (id_,) in rows]


def unused_captures(tx: Transaction, before: int) -> list[int]:
    """Return captured, unconfirmed memories that were neither made, renewed nor accessed after a time.

    The newest first.
    """
    return [int(id_) for (id_,) in tx.rows("consolidation.unseen_captures", before=before)]


def related(tx: Transaction, namespace: str) -> Iterator[tuple[int, int, float]]:
    """(source, target, weight) of the relations between current, trusted memories of a namespace.

    Without those of summaries to what they summarise, and those that weigh nothing; by source, then target.
    """
    yield from _of_relations(tx, "consolidation.related", namespace)


def summaries(tx: Transaction, namespace: str) -> dict[int, set[int]]:
    """Return by summary the memories of the namespace that it summarises."""
    found: dict[int, set[int]] = {}
    for source, target in _of_relations(tx, "consolidation.summaries", namespace):
        found.setdefault(int(source), set()).add(int(target))
    return found


def is_undone(tx: Transaction, operation: str) -> bool:
    """Whether any part of an operation was undone."""
    return bool(tx.rows("consolidation.any_undone", operation=operation))
