"""Rows that `doctor` compares because the store holds a fact twice, and the statements that repair one side."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from indelible.store.database import Transaction
from indelible.store.tables import records, symbols, sync_states, terms

PAGE = 2_000  # rows of a query


class TermsRow(NamedTuple):
    """A row of `terms` of any partition: the terms of a record."""

    record: int
    partition: int
    size: int
    body: bytes


class VectorRow(NamedTuple):
    """A row of `embedding`: one window of a record's text."""

    record: int
    view: int
    model: int
    vector: bytes
    code: bytes


class SymbolRow(NamedTuple):
    """A row of `symbol`: its record, its name, the reversed name, and the record's kind."""

    record: int
    qualified_name: str
    tail: str
    kind: str


def terms_in(tx: Transaction, low: int, high: int) -> list[TermsRow]:
    """The terms of the records with low <= id <= high, in no order."""
    rows = tx.rows("soundness.terms", low=low, high=high)
    return [TermsRow(record, partition, size, bytes(body)) for record, partition, size, body in rows]


def vectors_in(tx: Transaction, low: int, high: int) -> list[VectorRow]:
    """The vectors of the records with low <= id <= high, by record and view."""
    rows = tx.rows("soundness.vectors", low=low, high=high)
    return [VectorRow(record, view, model, bytes(vector), bytes(code)) for record, view, model, vector, code in rows]


def log_again(tx: Transaction, ids: Iterable[int]) -> None:
    """Log a change of records, so that every process reads them again."""
    tx.run_many("soundness.log_again", [{"id": id_} for id_ in ids])


def drop_terms(tx: Transaction, record: int, partitions: Iterable[int]) -> None:
    """Delete the terms of a record in some partitions."""
    tx.run_many("soundness.drop_terms", [{"record": record, "space": partition} for partition in partitions])


def drop_embedding(tx: Transaction, record: int) -> None:
    """Remove all vectors and sparse terms of a record; `pending.add_forgotten` has it embedded again."""
    tx.run("embeddings.drop", record=record)
    drop_terms(tx, record, (terms.SPARSE, terms.CODE_SPARSE))


def set_hash(tx: Transaction, record: int, content_hash: str) -> None:
    """Give a record the hash of its text. A current memory of the same text may have it: an error of the database."""
    tx.run("soundness.set_hash", id=record, content_hash=content_hash)


# --- JSON in columns ---


class Json(NamedTuple):
    """Columns of a table that hold JSON, the query for rows that may have other text there, and the repairing one.

    `kinds` are the columns in the order of the query, each with its kind of JSON: an invalid value is replaced by an
    empty one.
    """

    table: str
    query: str
    kinds: dict[str, type]
    mend: str


DROP = "soundness.drop_"  # begins a query that deletes such a row
JSON = (
    Json("record", "soundness.json_of_records", {"tags": list, "metadata": dict}, "soundness.mend_json_of_record"),
    Json("edge", "soundness.json_of_edges", {"metadata": dict}, "soundness.mend_json_of_edge"),
    Json("activity", "soundness.json_of_activity", {"detail": dict}, "soundness.mend_json_of_activity"),
    Json("event", "soundness.json_of_events", {"records": list}, "soundness.mend_json_of_event"),
    Json("trash", "soundness.json_of_trash", {"body": dict}, DROP + "trash"),
    Json(
        "record_version", "soundness.json_of_record_versions", {"tags": list, "metadata": dict}, DROP + "record_version"
    ),
    Json("edge_version", "soundness.json_of_edge_versions", {"metadata": dict}, DROP + "edge_version"),
)


def not_json(tx: Transaction, of: Json) -> Iterator[tuple[int, dict[str, str]]]:
    """(id, columns as they should be) of every row whose JSON cannot be read."""
    last = 0
    while rows := tx.rows(of.query, after=last, limit=PAGE):
        last = rows[-1][0]
        for id_, *values in rows:
            right = {
                name: value if _is(value, kind) else json.dumps(kind())
                for (name, kind), value in zip(of.kinds.items(), values, strict=True)
            }
            if list(right.values()) != values:
                yield id_, right


def mend_json(tx: Transaction, of: Json, wrong: Iterable[tuple[int, dict[str, str]]]) -> None:
    """Repair the rows that `not_json` gave."""
    for id_, right in wrong:
        tx.run(of.mend, id=id_, **({} if of.mend.startswith(DROP) else right))


def unreadable_answers(tx: Transaction) -> list[str]:
    """Return the request keys whose stored answer is not JSON."""
    return [key for key, result in tx.rows("soundness.applied") if not _is(result, object)]


def drop_answers(tx: Transaction, keys: Iterable[str]) -> None:
    """Delete the answers to calls with those request keys."""
    tx.run_many("soundness.drop_applied", [{"key": key} for key in keys])


def _is(text: str, kind: type) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except (ValueError, RecursionError):
        return False


# --- Single tables ---


def ids(tx: Transaction, query: str) -> list[int]:
    """The rows that a query of `soundness.sql` finds wrong, ascending."""
    return sorted(int(row[0]) for row in tx.rows(f"soundness.{query}"))


def drop(tx: Transaction, query: str, column: str, rows: Iterable[int]) -> None:
    """Remove rows by a query of `soundness.sql` that names one by `column`."""
    tx.run_many(f"soundness.{query}", [{column: row} for row in rows])


def relations(tx: Transaction) -> list[tuple[str, str]]:
    """Each name of relations that is stored, with each canonical form that stands beside it."""
    return [(str(relation), str(canonical)) for relation, canonical in tx.rows("soundness.relations")]


def set_canonical(tx: Transaction, relation: str, canonical: str, right: str) -> None:
    """Give the relations of a name that have one canonical form another one."""
    tx.run("soundness.set_canonical", relation=relation, canonical=canonical, right=right)


def shared_uids(tx: Transaction) -> list[int]:
    """Return the row ids of records whose uid is that of another one, which keeps it.

    That is the one that `indelible sync` knows by it, else the oldest.
    """
    found: dict[str, list[int]] = {}
    for uid, record in tx.rows("soundness.shared_uids"):
        found.setdefault(str(uid), []).append(int(record))
    known = {uid: state.local_id for uid, state in sync_states.of(tx, found).items()} if found else {}
    keeps = {uid: known[uid] if known.get(uid) in of else of[0] for uid, of in found.items()}
    return [record for uid, of in found.items() for record in of if record != keeps[uid]]


def give_uids(tx: Transaction, wrong: Iterable[int]) -> None:
    """Give records a uid that no other one has."""
    for record in wrong:
        set_uid(tx, record, records.new_uid())


def set_uid(tx: Transaction, record: int, uid: str) -> None:
    """Give a record another uid."""
    tx.run("soundness.set_uid", id=record, uid=uid)


def highest_number(tx: Transaction) -> int:
    """The highest number among documents, chunks, todos and attempts."""
    return int(tx.rows("soundness.highest_number")[0][0])


def ids_given(tx: Transaction) -> tuple[int, int]:
    """Return the highest id of a record that anything names, and the last one that the database gave."""
    highest = tx.rows("soundness.highest_id")
    last = tx.rows("soundness.last_given_id")
    return (int(highest[0][0]) if highest else 0), (int(last[0][0]) if last else 0)


def raise_ids(tx: Transaction, record: int) -> None:
    """Raise the sequence of record ids above this one."""
    tx.run("soundness.raise_ids", id=record)


def symbols_in_order(tx: Transaction) -> Iterator[SymbolRow]:
    """Every row of `symbol`."""
    last = 0
    while rows := tx.rows("soundness.symbols", after=last, limit=PAGE):
        yield from (SymbolRow(*row) for row in rows)
        last = rows[-1][0]


def set_tail(tx: Transaction, symbol: SymbolRow) -> None:
    """Correct the reversed name of a symbol."""
    tx.run("soundness.set_tail", record=symbol.record, tail=symbols.tail_of(symbol.qualified_name))


def read_code_again(tx: Transaction) -> None:
    """Make the next run of the index read every file of every codebase."""
    tx.run("soundness.read_all_again")


def documents_of_lost_chunks(tx: Transaction) -> list[str]:
    """Return the sessions of chunks whose document is missing."""
    return sorted(str(session) for (session,) in tx.rows("soundness.orphan_chunks"))


def blocks_ahead(tx: Transaction, last: int) -> int:
    """Return how many sealed blocks claim a change newer than the newest one."""
    return int(tx.rows("soundness.blocks_ahead", last=last)[0][0])


def drop_blocks_ahead(tx: Transaction, last: int) -> None:
    """Remove those blocks."""
    tx.run("soundness.drop_blocks_ahead", last=last)


def drop_block(tx: Transaction, partition: int, block: int) -> None:
    """Remove a sealed block."""
    tx.run("soundness.drop_block", space=partition, block=block)
