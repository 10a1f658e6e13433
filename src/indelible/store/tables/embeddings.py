"""Rows of `embedding` and `model`: the vectors of each record's text, a row a window and model."""

import json
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from indelible.dataclass import dataclass
from indelible.store.database import Row, Transaction, listed, one

if TYPE_CHECKING:
    from indelible.search.index.vector_index import Coded

# Imported late (start, cli): indelible.search.index.vectors

VIEWS = 1 << 20  # windows that one model may have of a record; store/sql has the number too


@dataclass(frozen=True, slots=True)
class Model:
    """A model that embedded something here: the number that its vectors carry, and how long they are."""

    number: int
    dimensions: int


def model(tx: Transaction, name: str) -> Model | None:
    """Return the number and dimensions of a model, None where the store has none of its vectors."""
    row = one(tx.rows("embeddings.model", name=name))
    return None if row is None else Model(*row)


def add_model(tx: Transaction, name: str, dimensions: int) -> Model:
    """Return the model with its number, a new one where it has none."""
    tx.run("embeddings.add_model", name=name, dimensions=dimensions)
    return Model(*tx.rows("embeddings.model", name=name)[0])


def models(tx: Transaction) -> list[Model]:
    """Every model that embedded something here, the oldest first."""
    return [Model(*row) for row in tx.rows("embeddings.models")]


def put(tx: Transaction, record: int, model: int, views: Sequence[tuple[bytes, bytes]]) -> None:
    """Store the vectors of a text, (values, code) of each window in order, in the place of all that it had."""
    tx.run("embeddings.drop", record=record)
    for view, (vector, code) in enumerate(views):
        tx.run("embeddings.add", record=record, view=view, model=model, vector=vector, code=code)


def put_beside(tx: Transaction, record: int, model: int, views: Sequence[tuple[bytes, bytes]]) -> None:
    """Store the vectors of a text as `put` does, beside those that other models made of the same text."""
    tx.run("embeddings.drop_of", record=record, model=model)
    ((first,),) = tx.rows("embeddings.next_views", record=record)
    for view, (vector, code) in enumerate(views, int(first)):
        tx.run("embeddings.add", record=record, view=view, model=model, vector=vector, code=code)
    if first:  # the trigger logs those of the first model that embeds a record
        tx.run("embeddings.log", record=record)


def drop_of_model(tx: Transaction, model: int, low: int, high: int) -> int:
    """Delete the vectors that a model made of records with low <= id < high; returns how many."""
    return tx.run("embeddings.drop_from", model=model, low=low, high=high)


def lacking(tx: Transaction, model: int, before: int, limit: int) -> list[int]:
    """Return the newest records below an id that are embedded, but not by this model, newest first."""
    return [int(record) for (record,) in tx.rows("embeddings.lacking", model=model, before=before, limit=limit)]


def lacking_of(tx: Transaction, model: int, ids: Sequence[int]) -> list[int]:
    """Return those of the records that are embedded, but not by this model, in no order."""
    return [int(record) for (record,) in tx.rows("embeddings.lacking_of", model=model, ids=listed(ids))]


def vectors(tx: Transaction, model: int, ids: Sequence[int]) -> list[tuple[int, bytes]]:
    """(record, values) of every vector of those records, in no order."""
    rows = tx.rows("embeddings.vectors", model=model, ids=json.dumps([int(i) for i in ids]))
    return [(int(record), bytes(vector)) for record, vector in rows]


def codes_of(tx: Transaction, model: int, ids: Sequence[int], *, code: bool = False) -> "list[Coded]":
    """Return the vector index's entries of those records that are embedded, by ascending id; `code`: of symbols."""
    listed = json.dumps([int(i) for i in ids])
    return _coded(tx.rows("embeddings.codes_of", model=model, ids=listed, code=int(code)))


def codes_in_range(tx: Transaction, model: int, low: int, high: int, *, code: bool = False) -> "list[Coded]":
    """Return the same for the embedded records with low <= id < high."""
    return _coded(tx.rows("embeddings.codes_in_range", model=model, low=low, high=high, code=int(code)))


def _coded(rows: list[Row]) -> "list[Coded]":
    from indelible.search.index.vectors import coded  # numpy, which a write does not need

    return [
        coded(record, (namespace, kind, type_), [bytes(row[4]) for row in same])
        for (record, namespace, kind, type_), same in groupby(rows, key=lambda row: row[:4])
    ]


def count_in_range(tx: Transaction, model: int, low: int, high: int) -> int:
    """How many records with low <= id < high are embedded."""
    rows = tx.rows("embeddings.count_in_range", model=model, low=low, high=high)
    return int(rows[0][0])


def count_by_model(tx: Transaction) -> dict[str, int]:
    """How many records are embedded by each model that has any."""
    return {str(name): int(count) for name, count in tx.rows("embeddings.count_by_model")}
