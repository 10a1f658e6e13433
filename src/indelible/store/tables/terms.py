"""Rows of `terms` (the terms that records are found by) and of `posting_block` (a cache of them)."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from indelible.embed.base import SparseVector
from indelible.model import CODE_KINDS, COMMIT, Record
from indelible.search import tokens
from indelible.store.database import Row, Transaction, one

if TYPE_CHECKING:
    from indelible.search.index.entries import Entry

# Imported late (start, cli): indelible.search.index.entries

WORDS = 1  # partitions of terms, by their numbers in the column `space`
SPARSE = 2  # the learned sparse model's
DENSE = 3  # no terms: the partition of blocks of vector codes
EXPERIENCE = 4  # no terms, and no blocks: solutions and failures, which are read by rows
CODE_WORDS, CODE_SPARSE, CODE_DENSE = 5, 6, 7  # the first three of symbols and files, which recall never searches
COMMIT_WORDS = 8  # of commits, which are found by their words alone


def words_of(kind: str) -> int:
    """Return the partition of the words of records of a kind."""
    return CODE_WORDS if kind in CODE_KINDS else COMMIT_WORDS if kind == COMMIT else WORDS


def put(tx: Transaction, record: int, counts: dict[int, int], partition: int = WORDS) -> None:
    """Store the words of a record, in the transaction that writes it; `partition` is `words_of` its kind."""
    size = sum(counts.values())
    tx.run("terms.put", record=record, space=partition, size=size, body=tokens.pack(counts))


def put_many(tx: Transaction, partition: int, rows: Iterable[tuple[int, int, bytes]]) -> None:
    """Store the terms of records in a partition: (record, number of terms with repetitions, packed terms)."""
    fixed = {"space": partition}
    tx.run_many("terms.put", ({"record": r, "size": size, "body": body, **fixed} for r, size, body in rows))


def put_sparse(tx: Transaction, record: int, vector: SparseVector, partition: int = SPARSE) -> None:
    """Replace the sparse model's terms of a record; a record without any has no row."""
    from indelible.search.index.entries import pack_weights

    tx.run("terms.drop", record=record, space=partition)  # another model's may be there
    if len(vector.terms):
        body = pack_weights(vector.terms, vector.weights)
        tx.run("terms.put", record=record, space=partition, size=len(vector.terms), body=body)


def of_records(tx: Transaction, ids: Sequence[int], partition: int = WORDS) -> "list[Entry]":
    """Return the word index's entries of those of the records that are in the partition, by ascending id."""
    rows = tx.rows("terms.of_records", space=partition, ids=json.dumps([int(i) for i in ids]))
    return _entries(rows)


def entry_of(record: Record, counts: dict[int, int]) -> "Entry":
    """Return the word index's entry of a record that has these words."""
    from indelible.search.index.entries import Entry

    fields = (record.id, record.namespace, record.kind, record.type)
    return Entry(*fields, sum(counts.values()), tokens.pack(counts))


def in_range(tx: Transaction, low: int, high: int, partition: int = WORDS) -> "list[Entry]":
    """Return the word index's entries of the records with low <= id < high, by ascending id."""
    rows = tx.rows("terms.in_range", space=partition, low=low, high=high)
    return _entries(rows)


def sparse_of_records(tx: Transaction, model: int, ids: Sequence[int], partition: int = SPARSE) -> "list[Entry]":
    """The sparse terms of those records that the model embedded, by ascending id."""
    listed = json.dumps([int(i) for i in ids])
    rows = tx.rows("terms.sparse_of_records", space=partition, model=model, ids=listed)
    return _entries(rows)


def sparse_in_range(tx: Transaction, model: int, low: int, high: int, partition: int = SPARSE) -> "list[Entry]":
    """The sparse terms of the records with low <= id < high that the model embedded, by ascending id."""
    rows = tx.rows("terms.sparse_in_range", space=partition, model=model, low=low, high=high)
    return _entries(rows)


def _entries(rows: list[Row]) -> "list[Entry]":
    from indelible.search.index.entries import Entry  # numpy, which a write does not need

    return list(map(Entry._make, rows))


def blocks(tx: Transaction, partition: int, version: int) -> list[tuple[int, int, int, bytes]]:
    """Return (number, change it was sealed at, records, body) of every sealed block of a partition, ascending."""
    rows = tx.rows("terms.blocks", space=partition, version=version)
    return [(block, change, count, bytes(body)) for block, change, count, body in rows]


def block(tx: Transaction, partition: int, version: int, number: int) -> tuple[int, bytes] | None:
    """Return (change it was sealed at, body) of one sealed block of a partition, None where there is none."""
    row = one(tx.rows("terms.block", space=partition, version=version, block=number))
    return None if row is None else (row[0], bytes(row[1]))


def put_block(
    tx: Transaction, partition: int, version: int, block: int, change: int, records: int, body: bytes
) -> None:
    """Store a sealed block, unless a newer one exists."""
    tx.run(
        "terms.put_block",
        space=partition,
        block=block,
        change=change,
        version=version,
        records=records,
        body=body,
    )


def drop_partition(tx: Transaction, partition: int) -> int:
    """Delete the sealed blocks of a partition; returns how many."""
    return tx.run("terms.drop_space", space=partition)


def block_sizes(tx: Transaction, partition: int, version: int) -> list[tuple[int, int, int]]:
    """Return (number, change it was sealed at, records) of every sealed block of a partition, ascending."""
    rows = tx.rows("terms.block_sizes", space=partition, version=version)
    return [(block, change, count) for block, change, count in rows]


def count_in_range(tx: Transaction, low: int, high: int) -> int:
    """How many records have low <= id < high."""
    return int(tx.rows("terms.count_in_range", low=low, high=high)[0][0])


def records_without(tx: Transaction) -> int:
    """How many records have no words row: a sound store has none."""
    return int(tx.rows("terms.records_without", space=WORDS, code=CODE_WORDS, commit=COMMIT_WORDS)[0][0])


def move_block(tx: Transaction, partition: int, block: int, change: int) -> None:
    """Note that a sealed block is still valid at a later change."""
    tx.run("terms.move_block", space=partition, block=block, change=change)
