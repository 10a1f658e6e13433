"""What a named query declares of its limits, compared with what it reads and changes.

SQL is not parsed here: a table that stands where a source stands must be written as one that is limited. In SQLite the
database itself says what a statement reads (`read_whole`), however that is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import apsw

from indelible.store.limited_form import LIMITED
from indelible.store.named_queries import declared

_TEXT = re.compile(r"'(?:[^']|'')*'")
_COMMENT = re.compile(r"^\s*--.*", re.MULTILINE)
# What a table is named behind, with what may stand between; and behind a comma, where it can be no column.
_SOURCE = re.compile(
    r"\b(?:FROM|JOIN|TABLE|USING)[\s(]+(?:ONLY[\s(]+)?(?:(\w+)\.)?\"?(\w+)\"?"
    r"|,\s*(?:(\w+)\.)?\"?(\w+)\"?(?:\s+AS\s+\w+)?(?=\s+(?:WHERE|JOIN|CROSS|LEFT|NATURAL)\b)",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"\b(INSERT|REPLACE|MERGE|UPDATE|DELETE)\s+(?!SET\b)(?:INTO\s+|FROM\s+)?(\S+)", re.IGNORECASE)
_BELONGS = {"edge": {"source", "target"}, "symbol": {"record", "file"}}  # the others: to a record, or a namespace
_PLACED = {"record", "repository"}
_PLACE = re.compile(r"\b(namespace|record|source|target|file) = :\1\b")  # where a changed row belongs from then on


def faults(text: str) -> list[str]:
    """What a query reads or changes without a word about its limits; it is given as the files have it."""
    said = declared(text)
    sql = _TEXT.sub("''", _COMMENT.sub("", text))
    if "refused" in said or (":granted" in sql and "scoped" not in sql):  # the second: written for limited callers
        return []
    found = list(_changed(sql, said))
    if not said and "scoped" not in sql:
        found.append("declares nothing")
    if "whole" not in said:
        found += [f"reads {name}" for name in _sources(sql)]
    return found


def _sources(sql: str) -> Iterator[str]:
    """Tables that are read whole; what a DELETE names behind its FROM is not read."""
    for source in _SOURCE.finditer(re.sub(r"\bDELETE\s+FROM\s+\w+", "DELETE", sql)):
        before, table = source[1] or source[3], source[2] or source[4]
        if before != "scoped" and table.lower() in LIMITED:
            yield table


def _changed(sql: str, said: dict[str, str]) -> Iterator[str]:
    plain = _without_parentheses(re.sub(r"scoped\((\w+)\)", r"scoped_\1", sql))
    changes = list(_CHANGE.finditer(sql))
    if len(changes) > 1:
        yield "changes more than one table"
    for change in changes:
        verb, table = change[1].upper(), change[2]
        checked = set(said.get("checks", "").split(", "))
        if table not in LIMITED:
            if "whole" not in said:
                yield f"changes {table}"
        elif verb in ("UPDATE", "DELETE"):
            if re.search(rf"\bWHERE\s+scoped_{table}\s+AND\b(?!.*\bOR\b)", plain, re.DOTALL) is None:
                yield f"changes rows of {table} anywhere"
            assigned = re.search(r"\bSET\b(.*)\bWHERE\b", plain, re.DOTALL)
            if assigned and not checked.issuperset(_PLACE.findall(assigned[1])):
                yield f"moves rows of {table} anywhere"
        else:
            needed = {"namespace"} if table in _PLACED else _BELONGS.get(table, {"record"})
            if "scoped." in sql:  # of rows that the caller has, but for what is given before them
                needed = needed & set(re.findall(r":(\w+)", sql.partition(" scoped.")[0]))
            if not checked >= needed:
                yield f"adds rows to {table} anywhere"


def _without_parentheses(sql: str) -> str:
    """A statement without what stands in parentheses."""
    before = ""
    while before != sql:
        before, sql = sql, re.sub(r"\([^()]*\)", "", sql)
    return sql


def bare(connection: apsw.Connection) -> None:
    """Take from a store what reads and changes tables beside a statement, so that only the statement is told of."""
    connection.execute("PRAGMA foreign_keys = OFF")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')


def read_whole(connection: apsw.Connection, sql: str) -> set[str]:
    """Tables of which a limited form reads rows that are not limited, as SQLite tells who compiles it for.

    What stands in `limited_record` and the like is limited; a change reads its own table, of which `faults` asks.
    """
    read: set[str] = set()
    changed: set[str] = set()

    def note(action: int, table: str | None, column: str | None, _: str | None, within: str | None) -> int:
        if action in (apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE):
            changed.add(str(table))
        # without a column: a second word on a source of which the first named the columns, or on one that has none
        if action == apsw.SQLITE_READ and column and not str(within).startswith("limited_"):
            read.add(str(table))
        return apsw.SQLITE_OK

    given = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z_]+)\b", sql))
    connection.authorizer = note
    try:
        connection.execute("EXPLAIN " + sql, given, can_cache=False).fetchall()
    finally:
        connection.authorizer = None
    return (read & LIMITED) - changed
