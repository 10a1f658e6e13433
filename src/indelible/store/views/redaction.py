"""Rows searched for secrets that older rules let in, page by page, and how each is written back.

Every column of texts or bytes of the schema is either searched (`searched`) or stands in `NOT_SEARCHED` with the
reason; tests/admin/test_secrets_in_columns.py holds that.
"""

import json
from collections.abc import Iterator
from typing import Any

from indelible.dataclass import dataclass
from indelible.store.database import Row, Transaction
from indelible.store.tables import purge, records, repositories, settings, source_files

PAGE = 500  # rows that are read together
RULES = "redacted_with"  # the setting with the version of the rules that the whole store was checked with


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with texts: their name in queries, and their columns after the first, which is the key.

    `of_json` are those columns that hold JSON, `stored` is the table where queries have another name for it.
    """

    name: str
    key: str
    columns: tuple[str, ...]
    of_json: tuple[str, ...] = ()
    stored: str = ""


_TEXTS = ("namespace", "type", "key", "label", "text", "session")
# Rows that are written back without their secrets.
TABLES = (
    Table("edge", "id", ("relation", "canonical", "metadata"), ("metadata",)),
    Table("trash", "id", ("key", "body"), ("body",)),
    Table("record_version", "id", (*_TEXTS, "tags", "metadata"), ("tags", "metadata")),
    Table("edge_version", "id", ("relation", "canonical", "metadata"), ("metadata",)),
    Table("answer", "key", ("result",), ("result",), "applied"),
    Table("event", "id", ("session", "conversation", "records"), ("records",)),
    Table("activity", "id", ("namespace", "session", "event", "client", "action", "subject", "detail"), ("detail",)),
    Table("token", "id", ("name", "namespaces"), ("namespaces",)),
)
# Rows that are deleted where one of these texts has a secret, since a changed one would name nothing: the alias of a
# project is noted again by its next use, a codebase is read again by the next run, a retry is taken for a new call.
NAMES = (
    Table("project", "alias", ("alias", "namespace", "merged")),
    Table("setting", "name", ("name", "value")),
    Table("request", "key", ("key",), (), "applied"),
    Table("codebase", "id", ("namespace", "folder", "root", "summary"), (), "repository"),
)
RECORD = _TEXTS  # beside `tags` and `metadata`, which are JSON
_SYMBOL = ("qualified_name", "signature", "doc", "parent", "places")
_FILE = ("path", "looked_up", "outline")

_OURS = "one of a fixed list of our own words"
_DRAWN = "drawn or counted by the store itself"
_HASH = "a digest, of which no text can be had"
_MADE = "made of texts that are searched, and written or deleted with them"
NOT_SEARCHED = {
    **dict.fromkeys(
        ("record.kind", "record_version.kind", "trash.tool", "trash.action", "event.tool", "event.outcome"), _OURS
    ),
    **dict.fromkeys(("event_day.tool", "event_day.outcome", "activity.what", "activity.outcome"), _OURS),
    **dict.fromkeys(("change.operation", "project.kind", "symbol.visibility", "source_file.language"), _OURS),
    **dict.fromkeys(("lease.name", "token.scope"), _OURS),
    **dict.fromkeys(("record.uid", "record.origin", "edge.uid", "edge.origin", "trash.operation"), _DRAWN),
    **dict.fromkeys(("trash.who", "event.who", "token.key", "event_day.day", "lease.owner", "pending.owner"), _DRAWN),
    **dict.fromkeys(("record_version.uid", "record_version.origin", "edge_version.uid", "edge_version.origin"), _DRAWN),
    **dict.fromkeys(("sync_state.uid", "sync_state.same", "sync_state.stamp", "sync_state.seen"), _DRAWN),
    **dict.fromkeys(("sync_state.part", "sync_state.state"), _OURS),
    "sync_state.digest": _HASH,
    **dict.fromkeys(("record.content_hash", "record_version.content_hash", "applied.digest", "token.hash"), _HASH),
    **dict.fromkeys(("source_file.hash", "symbol.body_hash"), _HASH),
    **dict.fromkeys(("terms.body", "posting_block.body", "embedding.vector", "embedding.code"), _MADE),
    **dict.fromkeys(("symbol.tail", "symbol_name.name"), _MADE),
    "model.name": "what the operator's settings call a model",
}


def searched() -> set[str]:
    """Every column that is searched for secrets, as `table.column`."""
    listed = {f"{each.stored or each.name}.{column}" for each in (*TABLES, *NAMES) for column in each.columns}
    of_records = {f"record.{column}" for column in (*RECORD, "tags", "metadata")}
    of_code = {f"symbol.{column}" for column in _SYMBOL} | {f"source_file.{column}" for column in _FILE}
    return listed | of_records | of_code


def rows(tx: Transaction, table: Table, after: int | str) -> list[tuple[int | str, dict[str, Any]]]:
    """Return a page of a table's rows, by key: their texts by column, JSON parsed."""
    found = []
    for key, *texts in _page(tx, f"secrets.{table.name}_after", after):
        row = dict(zip(table.columns, texts, strict=True))
        found.append((key, {**row, **{name: _parsed(row[name]) for name in table.of_json}}))
    return found


def _parsed(body: str | None) -> Any:
    return None if body is None else json.loads(body)  # None in an earlier state: as it was in the next


def put(tx: Transaction, table: Table, key: int | str, row: dict[str, Any]) -> None:
    """Write a row back."""
    texts = {**row, **{name: records.dump(row[name]) for name in table.of_json if row[name] is not None}}
    tx.run(f"secrets.put_{table.name}", **{table.key: key}, **texts)


def has_duplicate(tx: Transaction, edge: int | str, relation: str) -> bool:
    """Whether there is another relation of that name between the same two records."""
    return bool(tx.rows("secrets.parallel_edge", id=edge, relation=relation))


def _page(tx: Transaction, query: str, after: int | str) -> list[Row]:
    return list(tx.rows(query, after=after, limit=PAGE))


def _all(tx: Transaction, query: str, after: int | str) -> Iterator[Row]:
    while page := _page(tx, query, after):
        yield from page
        after = page[-1][0]


def names(tx: Transaction, table: Table) -> Iterator[tuple[int | str, list[str]]]:
    """Yield the key and the texts of each row of a table of `NAMES`, by key."""
    for key, *texts in _all(tx, f"secrets.{table.name}_after", 0 if table.key == "id" else ""):
        yield key, [str(text) for text in texts]


def drop_name(tx: Transaction, table: Table, key: Any) -> None:
    """Delete a row of a table of `NAMES`; with a codebase go the records of its files, symbols and commits."""
    if table.name == "project":
        purge.drop_aliases(tx, [key])
    elif table.name == "request":
        purge.drop_answers(tx, [key])
    elif table.name == "setting":
        settings.drop(tx, key)
    else:
        files = source_files.of_repository(tx, key)
        records.delete_many(tx, [id_ for file in files for id_ in of_file(tx, file.record)])
        records.delete_many(tx, repositories.commits_of(tx, key))
        repositories.delete(tx, key)


def code(tx: Transaction) -> Iterator[tuple[int, list[str | bytes]]]:
    """Yield the index's texts of source code: the row id of the file, and texts, or packed bytes."""
    for _, file, *texts in _all(tx, "secrets.symbol_after", 0):
        yield int(file), [str(text) for text in texts]
    for record, path, looked_up, outline in _all(tx, "secrets.file_after", 0):
        yield int(record), [str(path), bytes(looked_up), bytes(outline)]


def of_file(tx: Transaction, file: int) -> list[int]:
    """The row ids of all records of a file of source code: its own, and those of its symbols."""
    return [*(int(row[0]) for row in tx.rows("secrets.symbols_of_file", file=file)), file]


def looked_through_with(tx: Transaction) -> int:
    """Return the version of the rules that the whole store was checked with, 0 for never."""
    return int(settings.find(tx, RULES) or 0)


def note(tx: Transaction, version: int) -> None:
    """Note that the whole store was checked."""
    settings.put(tx, RULES, str(version))
