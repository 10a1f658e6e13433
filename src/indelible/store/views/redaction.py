"""Rows searched for secrets that older rules let in, page by page, and how each is written back."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from indelible.store.database import Row, Transaction
from indelible.store.tables import records, settings

PAGE = 500  # rows that are read together
RULES = "redacted_with"  # the setting with the version of the rules that the whole store was checked with


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with texts: their name in queries, and their columns after the first, which is the key.

    `of_json` are those columns that hold JSON.
    """

    name: str
    key: str
    columns: tuple[str, ...]
    of_json: tuple[str, ...] = ()


TABLES = (
    Table("edge", "id", ("relation", "canonical", "metadata"), ("metadata",)),
    Table("trash", "id", ("key", "body"), ("body",)),
    Table("answer", "key", ("result",), ("result",)),
    Table("event", "id", ("session", "conversation", "records"), ("records",)),
    Table("activity", "id", ("namespace", "session", "event", "action", "subject", "detail"), ("detail",)),
)


def rows(tx: Transaction, tenant: int, table: Table, after: int | str) -> list[tuple[int | str, dict[str, Any]]]:
    """Return a page of a table's rows, by key: their texts by column, JSON parsed."""
    found = []
    for key, *texts in _page(tx, f"secrets.{table.name}_after", tenant, after):
        row = dict(zip(table.columns, texts, strict=True))
        found.append((key, {**row, **{name: json.loads(row[name]) for name in table.of_json}}))
    return found


def put(tx: Transaction, tenant: int, table: Table, key: int | str, row: dict[str, Any]) -> None:
    """Write a row back."""
    texts = {**row, **{name: records.dump(row[name]) for name in table.of_json}}
    tx.run(f"secrets.put_{table.name}", tenant=tenant, **{table.key: key}, **texts)


def has_duplicate(tx: Transaction, tenant: int, edge: int | str, relation: str) -> bool:
    """Whether there is another relation of that name between the same two records."""
    return bool(tx.rows("secrets.edge_twin", tenant=tenant, id=edge, relation=relation))


def _page(tx: Transaction, query: str, tenant: int, after: int | str) -> list[Row]:
    return list(tx.rows(query, tenant=tenant, after=after, limit=PAGE))


def _all(tx: Transaction, query: str, tenant: int, after: int | str) -> Iterator[Row]:
    while page := _page(tx, query, tenant, after):
        yield from page
        after = page[-1][0]


def aliases(tx: Transaction, tenant: int) -> Iterator[tuple[str, str]]:
    """Each name of a project, and the namespace that it stands for."""
    for alias, namespace in _all(tx, "secrets.project_after", tenant, ""):
        yield str(alias), str(namespace)


def code(tx: Transaction, tenant: int) -> Iterator[tuple[int, list[str | bytes]]]:
    """Yield the index's texts of source code: the row id of the file, and texts, or packed bytes."""
    for _, file, *texts in _all(tx, "secrets.symbol_after", tenant, 0):
        yield int(file), [str(text) for text in texts]
    for record, path, looked_up, outline in _all(tx, "secrets.file_after", tenant, 0):
        yield int(record), [str(path), bytes(looked_up), bytes(outline)]


def of_file(tx: Transaction, tenant: int, file: int) -> list[int]:
    """The row ids of all records of a file of source code: its own, and those of its symbols."""
    return [*(int(row[0]) for row in tx.rows("secrets.symbols_of_file", tenant=tenant, file=file)), file]


def looked_through_with(tx: Transaction, tenant: int) -> int:
    """Return the version of the rules that the whole store was checked with, 0 for never."""
    return int(settings.find(tx, tenant, RULES) or 0)


def note(tx: Transaction, tenant: int, version: int) -> None:
    """Note that the whole store was checked."""
    settings.put(tx, tenant, RULES, str(version))
