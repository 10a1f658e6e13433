"""The store of a caller limited to some namespaces: no statement sees or changes the rest.

Every named query has a second form, made from its text, in which each table has only the rows of the namespaces
(`limited_sql`). An id of another namespace is unknown, nothing outside is counted, joined or walked over, and nothing
can be written there. The tables that a query may touch are listed here; a query that touches another is refused.
"""

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from indelible.errors import Forbidden
from indelible.store import sql_shape
from indelible.store.database import Database, Row, Transaction

T = TypeVar("T")

FORM = "limited."  # before the name of a query: its second form

# What is left of each table. `record` is filtered by namespace; the rest belongs to records, or to the caller.
_MINE = "EXISTS (SELECT 1 FROM record AS of_it WHERE {tenant}of_it.id = {table}.{column} AND {namespace} {granted})"
_LEFT = {
    "record": ("id",),
    "edge": ("source", "target"),
    "embedding": ("record",),
    "terms": ("record",),
    "access": ("record",),
    "pending": ("record",),
    "trash": ("record",),
    "source_file": ("record",),
    "symbol": ("record",),
}
# Tables with a namespace column of their own, as records have.
_PLACED = ("record", "activity", "repository")
# Inserted by the ids of records: they must be visible ones.
HANG_ON = {
    **dict.fromkeys(("edges.put", "edges.add", "edges.add_many", "edges.reinsert"), ("source", "target")),
    **dict.fromkeys(("terms.put", "embeddings.add", "trash.add", "source_files.put"), ("record",)),
    **dict.fromkeys(("symbols.add", "symbols.change"), ("record", "file")),
}
_OWN_EVENTS = "who = :caller"
_NONE = "1 = 0"
# Inserted into a namespace: it must be one of the granted ones.
PLACING = ("records.insert", "records.reinsert", "records.add_many", "repositories.put")
# Of the store as a whole, and of no project: numbers, models, positions of the log, which names are one project, and
# the names of symbols anywhere (a query that answers with names asks for visible symbols that have them).
_WHOLE = frozenset(
    "project setting model sequence record_number change applied symbol_name symbol_gram sqlite_sequence".split()
)
_MAY_INSERT = frozenset(
    "record record_number edge embedding terms access trash model sequence applied repository source_file symbol "
    "symbol_name symbol_gram".split()
)
_MAY_CHANGE = frozenset("record edge embedding terms pending repository source_file symbol".split())
_BY_ID = ("record", "edge", "repository")  # the others have the id of their record

_TABLES = frozenset(
    "setting record record_number edge terms posting_block access change event event_day trash applied project lease "
    "model embedding pending sequence token activity repository source_file symbol symbol_name symbol_gram "
    "sqlite_sequence".split()
)
# Compiled at first use, which most processes never reach.
_READS = r"(?<!DELETE )\b(FROM|JOIN)(\s+)([a-z_]+)\b(?!\s*\()(\s+AS\s+[a-z_]+)?"


def _refused(why: str) -> Forbidden:
    return Forbidden(f"this affects the whole store, as {why}; it needs a token that is not limited to namespaces")


def refuse_whole(query: str) -> None:
    """Raise Forbidden for a query that compares the whole store with itself, see `soundness.py`."""
    if query.startswith("soundness."):
        raise _refused("doctor does")


def limited_sql(sql: str, dialect: str) -> str:
    """Return the form of a query for a limited caller: each table has only the caller's part of it.

    It takes `granted` beside its own parameters, a JSON array of namespaces, and `caller`. Raises Forbidden for a query
    that concerns the whole store, ValueError for one of a shape that `sql_shape` does not know.
    """
    sql = sql_shape.without_comments(sql).strip()
    sql_shape.check(sql, _TABLES)
    used: dict[str, None] = {}

    def instead(found: re.Match[str]) -> str:
        word, space, table, alias = found.groups()
        if table not in _TABLES:
            return found[0]
        name = _name_of(table, used)
        return f"{word}{space}{name}{alias or f' AS {table}'}" if name != table else found[0]

    changed = _target(re.sub(_READS, instead, sql), used, dialect)
    if not used:
        return changed
    given = ",\n".join(f"limited_{table} AS NOT MATERIALIZED ({_left_of(table, dialect)})" for table in used)
    opening = re.match(r"\s*WITH\s+(RECURSIVE\s+)?", changed)
    if opening is None:
        return f"WITH {given}\n{changed}"
    return f"WITH {opening[1] or ''}{given},\n{changed[opening.end() :]}"


def _name_of(table: str, used: dict[str, None]) -> str:
    if table in _WHOLE:
        return table
    if table not in _LEFT and table not in ("event", "event_day", *_PLACED):
        raise _refused(f"`{table}` is all of it")
    used[table] = None
    return f"limited_{table}"


def _target(sql: str, used: dict[str, None], dialect: str) -> str:
    """Restrict what a statement changes to rows of the namespaces."""
    found = sql_shape.target(sql)
    if found is None:
        return sql
    table, inserts = found.table, found.verb == "INSERT"
    if table not in (_MAY_INSERT if inserts else _MAY_CHANGE) or (found.condition is None and not inserts):
        raise _refused(f"`{table}` is all of it")
    if found.condition is None:
        return sql
    used[table] = None
    column = "id" if table in _BY_ID else "record"
    tenant = f"left_of_it.tenant = {table}.tenant AND " if dialect == "postgres" else ""
    mine = f"EXISTS (SELECT 1 FROM limited_{table} AS left_of_it WHERE {tenant}left_of_it.{column} = {table}.{column})"
    start, end = found.condition
    return f"{sql[:start]} {mine} AND ({sql[start:end].strip()})\n{sql[end:]}".rstrip()


def _left_of(table: str, dialect: str) -> str:
    named, tenant = "", ""  # a file of SQLite is one tenant's, and none of its keys begins with it
    granted = "IN (SELECT value FROM json_each(:granted))"
    namespace = "+of_it.namespace"  # `+`: the order and the indexes of the query itself stay what they are
    if dialect == "postgres":
        named, tenant = "of_it.tenant = :tenant AND ", f"of_it.tenant = {table}.tenant AND "
        granted, namespace = (
            "= ANY (ARRAY(SELECT value FROM json_array_elements_text(:granted::json)))",
            "of_it.namespace",
        )
    if table in ("event", "event_day"):
        return f"SELECT * FROM {table} AS of_it WHERE {named}{_OWN_EVENTS if table == 'event' else _NONE}"
    if table in _PLACED:
        return f"SELECT * FROM {table} AS of_it WHERE {named}{namespace} {granted}"
    conditions = [
        _MINE.format(table=table, tenant=tenant, column=column, namespace=namespace, granted=granted)
        for column in _LEFT[table]
    ]
    if dialect == "postgres":
        conditions.insert(0, f"{table}.tenant = :tenant")
    return f"SELECT * FROM {table} WHERE {' AND '.join(conditions)}"


class LimitedTransaction:
    """A transaction that sees and changes only the records of some namespaces and the rows that belong to them."""

    def __init__(self, whole: Transaction, namespaces: frozenset[str], who: str) -> None:
        self.whole = whole
        self.namespaces = namespaces
        self.remembered: dict[Hashable, Any] | None = None if whole.remembered is None else {}
        self._more = {"granted": json.dumps(sorted(namespaces), ensure_ascii=False), "caller": who}

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        self._check(query, [parameters])
        return self.whole.rows(FORM + query, **parameters, **self._more)

    def run(self, query: str, **parameters: Any) -> int:
        self._check(query, [parameters])
        return self.whole.run(FORM + query, **parameters, **self._more)

    def run_many(self, query: str, rows: Iterable[dict[str, Any]]) -> None:
        given = list(rows)
        self._check(query, given)
        self.whole.run_many(FORM + query, [{**parameters, **self._more} for parameters in given])

    def _check(self, query: str, given: Sequence[dict[str, Any]]) -> None:
        """Refuse new rows in other namespaces: existing rows cannot show that."""
        if query in PLACING:
            for parameters in given:
                if parameters["namespace"] not in self.namespaces:
                    raise outside(parameters["namespace"], self.namespaces)
        elif query in HANG_ON and given:
            on = {parameters[each] for each in HANG_ON[query] for parameters in _each(query, given)}
            found = self.rows("records.keys_of", tenant=given[0]["tenant"], ids=json.dumps(sorted(on)))
            if len(found) < len(on):
                raise Forbidden("this would refer to a record that this token does not reach; nothing was written")


def _each(query: str, given: Sequence[dict[str, Any]]) -> Iterable[Mapping[str, Any]]:
    """Yield the rows to be inserted, of which a statement may get many as one parameter."""
    if query != "edges.add_many":
        return given
    return [{"source": row[0], "target": row[1]} for parameters in given for row in json.loads(parameters["rows"])]


def outside(namespace: str, allowed: Iterable[str]) -> Forbidden:
    """Return the error for a write outside the namespaces of a token."""
    said = f"namespace {namespace!r:.200} is not" if namespace else "what belongs to no project is not"
    names = ", ".join(repr(name)[:200] for name in sorted(allowed)) or "none"
    return Forbidden(f"{said} within this token's namespaces; it holds in {names}. Nothing was written")


class LimitedStore:
    """A store through which only the records of some namespaces are seen and written."""

    def __init__(self, whole: Database, namespaces: frozenset[str], who: str) -> None:
        self.dialect = whole.dialect
        self.receives = False
        self._whole = whole
        self._namespaces = namespaces
        self._who = who

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        with self._whole.read() as tx:
            yield LimitedTransaction(tx, self._namespaces, self._who)

    def write(self, work: Callable[[Transaction], T]) -> T:
        return self._whole.write(lambda tx: work(LimitedTransaction(tx, self._namespaces, self._who)))

    def backup(self, path: str) -> None:
        raise Forbidden("a token that is limited to namespaces cannot copy the whole store")

    def check(self) -> list[str]:
        raise Forbidden("a token that is limited to namespaces cannot check the whole store")

    def size(self) -> int:
        raise Forbidden("a token that is limited to namespaces cannot measure the whole store")

    def close(self) -> None:
        raise Forbidden("a token that is limited to namespaces cannot close the store")


def limits(tx: Transaction) -> frozenset[str] | None:
    """Return the namespaces that a transaction is limited to; None means that it is not."""
    return tx.namespaces if isinstance(tx, LimitedTransaction) else None


def whole(tx: Transaction) -> Transaction:
    """Return the same transaction without limits: for caches shared by all callers, which filter what they return."""
    return tx.whole if isinstance(tx, LimitedTransaction) else tx
