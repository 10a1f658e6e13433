"""Rows of `terms` (the truth about what a record is found by) and of `posting_block` (a cache of them)."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from indelible.model import CODE_KINDS
from indelible.search import tokens
from indelible.store.database import Row, Transaction

if TYPE_CHECKING:
    from indelible.embed.base import SparseVector
    from indelible.search.index.postings import Entry

WORDS = 1  # spaces of terms; callers' vectors will have one of their own
SPARSE = 2  # the learned sparse model's
DENSE = 3  # no terms: the space under which blocks of sign codes are kept
EXPERIENCE = 4  # no terms, and no blocks: solutions and failures, which are read by rows
CODE_WORDS, CODE_SPARSE, CODE_DENSE = 5, 6, 7  # the first three of symbols and files, which recall never searches


def words_of(kind: str) -> int:
    """The space of the words of records of a kind."""
    return CODE_WORDS if kind in CODE_KINDS else WORDS


def put(tx: Transaction, tenant: int, record: int, counts: dict[int, int], space: int = WORDS) -> None:
    """Store the words that a record is found by, in the transaction that writes it; `space` is `words_of` its kind."""
    size = sum(counts.values())
    tx.run("terms.put", record=record, space=space, tenant=tenant, size=size, body=tokens.pack(counts))


def put_many(tx: Transaction, tenant: int, space: int, rows: Iterable[tuple[int, int, bytes]]) -> None:
    """Store what records are found by in a space: (record, number of terms with repetitions, packed terms)."""
    fixed = {"tenant": tenant, "space": space}
    tx.run_many("terms.put", ({"record": r, "size": size, "body": body, **fixed} for r, size, body in rows))


def put_sparse(tx: Transaction, tenant: int, record: int, vector: "SparseVector", space: int = SPARSE) -> None:
    """Store the terms that the sparse model gave a record in the place of those it had; one without any has no row."""
    from indelible.search.index.postings import pack_weights

    tx.run("terms.drop", record=record, space=space, tenant=tenant)  # another model's may be there
    if len(vector.terms):
        body = pack_weights(vector.terms, vector.weights)
        tx.run("terms.put", record=record, space=space, tenant=tenant, size=len(vector.terms), body=body)


def of_records(tx: Transaction, tenant: int, ids: Sequence[int], space: int = WORDS) -> "list[Entry]":
    """What the index of words keeps of those of the records that are in the space, by ascending id."""
    rows = tx.rows("terms.of_records", tenant=tenant, space=space, ids=json.dumps([int(i) for i in ids]))
    return [_entry(row) for row in rows]


def in_range(tx: Transaction, tenant: int, low: int, high: int, space: int = WORDS) -> "list[Entry]":
    """What the index of words keeps of the records with low <= id < high, by ascending id."""
    rows = tx.rows("terms.in_range", tenant=tenant, space=space, low=low, high=high)
    return [_entry(row) for row in rows]


def sparse_of_records(
    tx: Transaction, tenant: int, model: int, ids: Sequence[int], space: int = SPARSE
) -> "list[Entry]":
    """The sparse terms of those records that the model embedded, by ascending id."""
    listed = json.dumps([int(i) for i in ids])
    rows = tx.rows("terms.sparse_of_records", tenant=tenant, space=space, model=model, ids=listed)
    return [_entry(row) for row in rows]


def sparse_in_range(
    tx: Transaction, tenant: int, model: int, low: int, high: int, space: int = SPARSE
) -> "list[Entry]":
    """The sparse terms of the records with low <= id < high that the model embedded, by ascending id."""
    rows = tx.rows("terms.sparse_in_range", tenant=tenant, space=space, model=model, low=low, high=high)
    return [_entry(row) for row in rows]


def _entry(row: Row) -> "Entry":
    from indelible.search.index.postings import Entry, unpack_terms  # numpy, which a write does not need

    record, namespace, kind, type_, size, body = row
    terms, counts = unpack_terms(bytes(body))
    return Entry(record, namespace, kind, type_, terms, counts, size)


def blocks(tx: Transaction, tenant: int, space: int, version: int) -> list[tuple[int, int, int, bytes]]:
    """(number, change it was sealed at, records, body) of every sealed block of a space, ascending."""
    rows = tx.rows("terms.blocks", tenant=tenant, space=space, version=version)
    return [(block, change, count, bytes(body)) for block, change, count, body in rows]


def put_block(
    tx: Transaction, tenant: int, space: int, version: int, block: int, change: int, records: int, body: bytes
) -> None:
    """Keep a sealed block, unless a newer one is there."""
    tx.run(
        "terms.put_block",
        tenant=tenant,
        space=space,
        block=block,
        change=change,
        version=version,
        records=records,
        body=body,
    )


def drop_space(tx: Transaction, tenant: int, space: int) -> int:
    """Throw the sealed blocks of a space away; how many."""
    return tx.run("terms.drop_space", tenant=tenant, space=space)


def block_sizes(tx: Transaction, tenant: int, space: int, version: int) -> list[tuple[int, int, int]]:
    """(number, change it was sealed at, records) of every sealed block of a space, ascending."""
    rows = tx.rows("terms.block_sizes", tenant=tenant, space=space, version=version)
    return [(block, change, count) for block, change, count in rows]


def count_in_range(tx: Transaction, tenant: int, low: int, high: int) -> int:
    """How many records have low <= id < high."""
    return int(tx.rows("terms.count_in_range", tenant=tenant, low=low, high=high)[0][0])


def records_without(tx: Transaction, tenant: int) -> int:
    """How many records have no words row: a sound store has none."""
    return int(tx.rows("terms.records_without", tenant=tenant, space=WORDS, code=CODE_WORDS)[0][0])


def move_block(tx: Transaction, tenant: int, space: int, block: int, change: int) -> None:
    """Note that a sealed block is still right at a later change."""
    tx.run("terms.move_block", tenant=tenant, space=space, block=block, change=change)
