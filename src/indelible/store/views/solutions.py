"""Queries on solutions and failures among the records."""

import json
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from indelible.model import Record
from indelible.store.database import Row, Transaction, once
from indelible.store.tables import records

if TYPE_CHECKING:
    from indelible.search.index.experience import Known

# Imported late (start, cli): indelible.search.index.experience

SOLUTION = "solution"
FAILURE = "failure"
PRIVATE_NAMESPACES = "private namespaces"  # what a transaction remembers, see `once`
PRIVATE = "repo"  # the scope of a solution that only its repository sees
UNSCORED = 0.5  # of an imported solution without a score, as of a new one


def by_content(tx: Transaction, content_hash: str) -> list[Record]:
    """The solutions of a text, in all namespaces and scopes, oldest first."""
    rows = tx.rows("solutions.by_content", content_hash=content_hash)
    return [records.from_row(row) for row in rows]


def by_signatures(tx: Transaction, signatures: Iterable[str]) -> list[Record]:
    """Return the existing failures of those signatures, oldest first."""
    rows = tx.rows("solutions.by_signatures", signatures=json.dumps(sorted(set(signatures))))
    return [records.from_row(row) for row in rows]


def by_causes(tx: Transaction, causes: Iterable[str]) -> list[Record]:
    """Return the existing failures that have one of these texts as their cause, oldest first; it reads all failures."""
    rows = tx.rows("solutions.by_causes", causes=records.dump(sorted(causes)))
    return [records.from_row(row) for row in rows]


def private_namespaces(tx: Transaction) -> list[str]:
    """Return every namespace with solutions of scope `repo`, sorted; one look-up for each namespace.

    A transaction that only reads looks once.
    """

    def read() -> list[str]:
        return [str(name) for (name,) in tx.rows("solutions.private_namespaces")]

    return once(tx, PRIVATE_NAMESPACES, read)


def private_among(tx: Transaction, ids: Iterable[int]) -> dict[int, str]:
    """The namespace of those records that are solutions of scope `repo`, by row id."""
    rows = tx.rows("solutions.private_among", ids=json.dumps([int(i) for i in ids]))
    return {int(record): str(namespace) for record, namespace in rows}


def newest(tx: Transaction, hidden: Iterable[str], limit: int, without: Iterable[int] = ()) -> list[Record]:
    """Return the newest solutions, ties by key, then id; none of the row ids `without`.

    And none of scope `repo` in the hidden namespaces.
    """
    where = {"hidden": records.dump(sorted(hidden)), "without": json.dumps(sorted(without))}
    rows = tx.rows("solutions.newest", limit=limit, **where)
    return [records.from_row(row) for row in rows]


def top_tags(tx: Transaction, hidden: Iterable[str], limit: int) -> list[str]:
    """The tags of most solutions, ties by name, without those of scope `repo` in the hidden namespaces."""
    rows = tx.rows("solutions.count_tags", hidden=records.dump(sorted(hidden)), limit=limit)
    return [str(tag) for tag, _ in rows]


def experience_of(tx: Transaction, model: int, ids: Sequence[int]) -> "list[Known]":
    """Return the cache entries of those records that are solutions or failures, by ascending id."""
    wanted = json.dumps([int(i) for i in ids])
    return _known(tx.rows("solutions.experience_of", model=model, ids=wanted))


def experience_in_range(tx: Transaction, model: int, low: int, high: int) -> "list[Known]":
    """Return the cache entries of the solutions and failures with low <= id < high, by ascending id."""
    return _known(tx.rows("solutions.experience_in_range", model=model, low=low, high=high))


def _known(rows: list[Row]) -> "list[Known]":
    from indelible.search.index.experience import Known  # numpy, which a write does not need

    return [
        Known(int(record), (namespace, kind, type_), created, _score(score), stack or "", vector and bytes(vector))
        for record, namespace, kind, type_, created, score, stack, vector in rows
    ]


def _score(stored: Any) -> float:
    """Return a score from metadata; 0.5 where an import brought something else."""
    try:
        score = float(stored)
    except (TypeError, ValueError):
        return UNSCORED
    return min(1.0, max(0.0, score)) if math.isfinite(score) else UNSCORED
