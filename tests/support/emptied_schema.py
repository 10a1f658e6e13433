"""A PostgreSQL schema for many tests: each finds it as if it had just been made.

On a cluster its tables are spread over the nodes.
"""

from __future__ import annotations

import secrets
from contextlib import closing
from typing import Any

import psycopg
from psycopg import Connection
from psycopg.rows import dict_row
from psycopg.sql import SQL, Identifier, Placeholder

import on_postgres
from indelible.store.database import Database
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.distribution import distribute

_RELATIONS = """SELECT relname::text, relkind::text, relnatts FROM pg_class
WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s) ORDER BY 1"""
_SIZE = """SELECT sum(pg_table_size(oid))::bigint FROM pg_class
WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s) AND relkind = 'r'"""
# A node's own sequences begin at a number of the node.
_BEGIN_AGAIN = """SELECT run_command_on_all_nodes(format(
  'SELECT setval(seqrelid::regclass, seqmin, false) FROM pg_sequence WHERE seqrelid = %%L::regclass', %s::text))"""
FEW = 4 << 20  # bytes of tables whose rows are deleted, which is quicker; the planner goes by their size


class EmptiedSchema:
    """Made when it is first emptied; afterwards only its rows are taken out, a tenth of the time."""

    def __init__(self, url: str, name: str, *, spread: bool = False) -> None:
        self._url = url
        self._name = name
        self._spread = spread
        self._relations: list[tuple[Any, ...]] = []
        self._rows: dict[str, list[dict[str, Any]]] = {}  # of a store that was just made, by table

    def open(self) -> Database:
        """Open the store in it, as another process would each time."""
        return open_postgres(self._url, self._name)

    def empty(self) -> None:
        """Let it be as it was made, with another epoch, as a new store has. Fails where somebody changed its tables."""
        made = bool(self._relations)
        if not made:
            with closing(self.open()):
                pass
            if self._spread:
                distribute(self._url, self._name)
        with psycopg.connect(self._url) as connection:
            connection.execute("SELECT set_config('search_path', quote_ident(%s), false)", [self._name])
            relations = connection.execute(_RELATIONS, [self._name]).fetchall()
            if made:
                assert relations == self._relations
                self._take_out(connection)
            else:
                self._relations = relations
                self._note(connection)

    def _named(self, kind: str) -> list[str]:
        return [name for name, its_kind, _ in self._relations if its_kind == kind]

    def _note(self, connection: Connection[Any]) -> None:
        for name in self._named("r"):
            table = Identifier(name)
            rows = connection.cursor(row_factory=dict_row).execute(SQL("SELECT * FROM {}").format(table))
            self._rows[name] = rows.fetchall()
            if not self._spread:
                connection.execute(SQL("ALTER TABLE {} SET (autovacuum_enabled = off)").format(table))

    def _take_out(self, connection: Connection[Any]) -> None:
        ((size,),) = connection.execute(_SIZE, [self._name]).fetchall()
        tables = list(map(Identifier, self._named("r")))
        if self._spread:
            connection.execute("SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true)")
        # no trigger: nothing is logged
        connection.execute(on_postgres.local("session_replication_role", "replica"))  # type: ignore[arg-type]
        if size > FEW:
            connection.execute(SQL("TRUNCATE {}").format(SQL(", ").join(tables)))
        else:
            for table in tables:
                connection.execute(SQL("DELETE FROM {}").format(table))
        for name in map(Identifier, self._named("S")):
            if self._spread:
                own = SQL("{}.{}").format(Identifier(self._name), name).as_string(connection)
                connection.execute(_BEGIN_AGAIN, [own])
            else:
                connection.execute(SQL("ALTER SEQUENCE {} RESTART").format(name))
        for name, rows in self._rows.items():
            for row in rows:
                columns, values = SQL(", ").join(map(Identifier, row)), SQL(", ").join(map(Placeholder, row))
                query = SQL("INSERT INTO {} ({}) VALUES ({})").format(Identifier(name), columns, values)
                connection.execute(query, row)
        connection.execute("UPDATE setting SET value = %s WHERE name = 'epoch'", [secrets.token_hex(8)])
