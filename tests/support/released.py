"""Stores as released versions left them: `store/released/schema_N.sql` is one as SQL text, `.jsonl` its export."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from indelible.store.sqlite.connection import FILE

FOLDER = Path(__file__).parents[1] / "store" / "released"
CODE = ("file", "symbol")  # kinds that recall never finds
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Released:
    """One of them."""

    schema: int

    @property
    def exported(self) -> Rows:
        """What that version's own `indelible export` wrote."""
        return [json.loads(line) for line in self._text("jsonl").splitlines()]

    def make(self, directory: Path) -> Path:
        """A data directory with that store in it."""
        directory.mkdir(mode=0o700)
        path = directory / FILE
        path.touch(mode=0o600)
        connection = apsw.Connection(str(path))
        connection.pragma("journal_mode", "wal")
        connection.execute(self._text("sql")).fetchall()
        # Names of directories in these stores were written by hand, which their sealed blocks do not know: as changed.
        connection.execute("UPDATE record SET updated = updated").fetchall()
        connection.close()
        return directory

    def _text(self, ending: str) -> str:
        return (FOLDER / f"schema_{self.schema}.{ending}").read_text(encoding="utf-8")


def twins(records: Iterable[Mapping[str, Any]]) -> set[str]:
    """The names of the entities that failures among the records stand for: recall shows those in their place."""
    found: set[str] = set()
    for record in records:
        metadata = record["metadata"]
        known = json.loads(metadata) if isinstance(metadata, str) else metadata
        found.update(known.get("entities", ()) if record["kind"] == "failure" else ())
    return found


ALL = [Released(number) for number in sorted(int(file.stem.partition("_")[2]) for file in FOLDER.glob("schema_*.sql"))]


def discarded(rows: Mapping[str, Rows], thing: Mapping[str, Any]) -> tuple[str, int]:
    """The text that a row of the trash brings back, and of how many relations the record is the source.

    From schema 15 on the row names the versions that have them.
    """
    body = json.loads(thing["body"])
    edges = [edge for edge in body["edges"] if edge["source"] == thing["record"]]
    number = thing.get("version")
    if number is None:
        return str(body["record"]["text"]), len(edges)
    (kept,) = (row for row in rows["record_version"] if row["id"] == number)
    own = [source for _, source in body.get("versions", {}).get("edges", ()) if source == thing["record"]]
    return str(kept["text"]), len(edges) + len(own)


def with_code_apart(rows: dict[str, Rows]) -> dict[str, Rows]:
    """As schema 7 keeps what recall never finds: in spaces of terms of its own; blocks are sealed again."""
    code = {row["id"] for row in rows["record"] if row["kind"] in CODE}
    terms = [{**row, "space": row["space"] + 4 * (row["record"] in code)} for row in rows["terms"]]
    blocks = [{**row, "version": 0 if code else row["version"]} for row in rows["posting_block"]]
    return {**rows, "terms": terms, "posting_block": blocks}


_NOTED = re.compile(r',"added":\{("\w+":\[\],)+"unchanged":\[[^{}]*\]\}\}$')


def before_notes(body: str) -> str:
    """A body of the trash as it was before schema 11 noted in those of promotions which failure they recorded."""
    return _NOTED.sub("}", body)


def rows(path: Path) -> dict[str, Rows]:
    """Every row of a SQLite file, by table."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(60_000)  # whoever closes the store last holds its file for a moment
    tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").fetchall()
    found = {str(table): _rows(connection, str(table)) for (table,) in tables}
    connection.close()
    return found


def _rows(connection: apsw.Connection, table: str) -> Rows:
    names = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
    return [dict(zip(names, row, strict=True)) for row in connection.execute(f"SELECT * FROM {table}")]
