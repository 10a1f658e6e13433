"""The second text of a named query: what a caller sees and changes of it who is limited to namespaces."""

import re
from collections.abc import Mapping

from indelible.errors import Forbidden

FORM = "limited."  # before the name of a query: its second text

# A limited table as queries have it: a source, with or without a name of its own, or before the condition of a change.
_SOURCE = re.compile(r"\bscoped\.([a-z_]+)( AS\b)?")
_CONDITION = re.compile(r"\bscoped\(([a-z_]+)\)")
_WITH = re.compile(r"WITH\s+(RECURSIVE\s+)?")

# What is left of each table. Some have a namespace, some belong to records of the namespaces, or to the caller.
_PLACED = ("record", "record_version", "activity", "repository")
_OF_RECORDS = {
    "edge": ("source", "target"),
    **dict.fromkeys(("embedding", "terms", "access", "pending", "trash", "source_file", "symbol"), ("record",)),
}
_OF_CALLERS = {"event": "who = :caller", "event_day": "1 = 0"}
LIMITED = frozenset([*_PLACED, *_OF_RECORDS, *_OF_CALLERS])
_BY_ID = ("record", "record_version", "edge", "repository")  # the others have the id of their record
_MINE = "EXISTS (SELECT 1 FROM record AS of_it WHERE {tenant}of_it.id = {table}.{column} AND {granted})"
_GRANTED = {
    # `+`: the order and the indexes of the query itself stay what they are
    "sqlite": "+of_it.namespace IN (SELECT value FROM json_each(:granted))",
    "postgres": "of_it.namespace = ANY (ARRAY(SELECT value FROM json_array_elements_text(:granted::json)))",
}


def limited_sql(sql: str, said: Mapping[str, str], dialect: str) -> str:
    """Return a query for a limited caller: each table that it declares as limited has only the caller's part.

    `said` is what it declares beside that (`named_queries.declared`). It takes `granted` beside its own parameters, a
    JSON array of namespaces, and `caller`. Raises Forbidden for a query that says that it is refused, ValueError for
    one that declares nothing.
    """
    if "refused" in said:
        raise Forbidden(
            f"this affects the whole store, as {said['refused']}; it needs a token that is not limited to namespaces"
        )
    used = dict.fromkeys([*(found[1] for found in _SOURCE.finditer(sql)), *_CONDITION.findall(sql)])
    if not used:
        if not said:
            raise ValueError(f"a query does not declare what a limited caller sees of it, see named_queries.py: {sql}")
        return sql
    sql = _SOURCE.sub(lambda found: f"limited_{found[1]} AS{'' if found[2] else f' {found[1]}'}", sql)
    sql = _CONDITION.sub(lambda found: _reached(found[1], dialect), sql)
    parts = ",\n".join(f"limited_{table} AS NOT MATERIALIZED ({_left_of(table, dialect)})" for table in used)
    opening = _WITH.match(sql)
    if opening is None:
        return f"WITH {parts}\n{sql}"
    return f"WITH {opening[1] or ''}{parts},\n{sql[opening.end() :]}"


def _reached(table: str, dialect: str) -> str:
    """Return the condition that a row which is to be changed is one of the caller's."""
    column = "id" if table in _BY_ID else "record"
    tenant = f"left_of_it.tenant = {table}.tenant AND " if dialect == "postgres" else ""
    return f"EXISTS (SELECT 1 FROM limited_{table} AS left_of_it WHERE {tenant}left_of_it.{column} = {table}.{column})"


def _left_of(table: str, dialect: str) -> str:
    """Return the query of a table's rows that are the caller's. Raises KeyError for one that has no such part."""
    granted, several = _GRANTED[dialect], dialect == "postgres"  # a file of SQLite is one tenant's own
    if table not in _OF_RECORDS:
        tenant = "of_it.tenant = :tenant AND " if several else ""
        return f"SELECT * FROM {table} AS of_it WHERE {tenant}{granted if table in _PLACED else _OF_CALLERS[table]}"
    tenant = f"of_it.tenant = {table}.tenant AND " if several else ""
    conditions = [
        _MINE.format(table=table, tenant=tenant, column=column, granted=granted) for column in _OF_RECORDS[table]
    ]
    if several:
        conditions.insert(0, f"{table}.tenant = :tenant")
    return f"SELECT * FROM {table} WHERE {' AND '.join(conditions)}"
