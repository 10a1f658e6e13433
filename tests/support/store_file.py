"""The store's rows, past our code."""

import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

import on_postgres

PATIENCE = 60_000  # milliseconds: whoever closes the store last holds its file for a moment


class Tables:
    """A store in PostgreSQL, as its tenant sees it: what tests use of an `apsw.Connection`."""

    def __init__(self, url: str, tenant: int):
        import psycopg

        self._connection = psycopg.connect(url)
        self._tenant = tenant

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> "Found":
        """One statement, in a transaction of its own."""
        with self._connection.transaction():
            self._connection.execute(on_postgres.local("indelible.tenant", str(self._tenant)))  # type: ignore[arg-type]
            done = self._connection.execute(sql.replace("%", "%%").replace("?", "%s"), parameters)  # type: ignore[arg-type]
            return Found(done.fetchall() if done.description else [])

    def close(self) -> None:
        self._connection.close()


class Found(list[tuple[Any, ...]]):
    """The rows of a statement."""

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self

    def fetchone(self) -> tuple[Any, ...] | None:
        return self.pop(0) if self else None

    def __next__(self) -> tuple[Any, ...]:
        return self.pop(0)


def opened(path: Path, *, write: bool = False) -> Any:
    """The file, beside processes that use it: what they hold for a moment is waited for."""
    if on_postgres.is_chosen():
        return Tables(on_postgres.url(), on_postgres.tenant_of(path.parent))
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE if write else apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(PATIENCE)
    return connection


# All columns but since when a row is known: what an undo brings back is known anew.
_KNOWN_ANEW = {
    "record": "id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, "
    "content_hash, session, position, replaced, created, updated, uid, origin",
    "edge": "id, tenant, source, target, relation, canonical, weight, metadata, created, uid, origin",
}


def columns(table: str) -> str:
    """The columns of a table, as SQL, without the time since when the store knows a row."""
    return _KNOWN_ANEW.get(table, "*")


def as_stored(connection: Any, table: str) -> list[tuple[Any, ...]]:
    """All rows of a table, by their first column, without the time since when the store knows them."""
    found: list[tuple[Any, ...]] = connection.execute(f"SELECT {columns(table)} FROM {table} ORDER BY 1").fetchall()
    return found


def kept(data: Path) -> bytes:
    """Every byte of every file in a data directory, and where its store is in PostgreSQL every value of its rows."""
    files = [path.read_bytes() for path in sorted(data.rglob("*")) if path.is_file()]
    return b"\n".join([*files, *tables(data).values()])


def tables(data: Path) -> dict[str, bytes]:
    """Every value of every row, by table, where the store is in PostgreSQL; nothing where it is a file."""
    if not on_postgres.is_chosen():
        return {}
    with closing(Tables(on_postgres.url(), on_postgres.tenant_of(data))) as store:
        named = store.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
        found = {name: [value for row in store.execute(f"SELECT * FROM {name}") for value in row] for (name,) in named}
    return {
        name: b"\n".join(value if isinstance(value, bytes) else str(value).encode() for value in values)
        for name, values in found.items()
    }


def holding(data: Path, word: str) -> list[str]:
    """The files of a data directory in which a word stands, and the tables of a store in PostgreSQL."""
    things = {str(path.relative_to(data)): path.read_bytes() for path in sorted(data.rglob("*")) if path.is_file()}
    return [name for name, body in (things | tables(data)).items() if word in body.decode("latin-1").lower()]


def copy(source: Path, target: Path) -> None:
    """The store of one data directory as that of another, which is new, with what else is in it."""
    shutil.copytree(source, target)
    if not on_postgres.is_chosen():
        return
    import psycopg
    from psycopg.sql import SQL, Identifier, Literal

    was, is_ = on_postgres.tenant_of(source), on_postgres.tenant_of(target)
    with psycopg.connect(on_postgres.as_administrator()) as connection:
        # no trigger, no check: the rows are sound
        connection.execute(on_postgres.local("session_replication_role", "replica"))  # type: ignore[arg-type]
        for table, columns in connection.execute(_TABLES).fetchall():
            listed = SQL(", ").join(map(Identifier, columns))
            query = SQL("INSERT INTO {} (tenant, {}) SELECT {}, {} FROM {} WHERE tenant = {}")
            name = Identifier("public", table)
            connection.execute(query.format(name, listed, Literal(is_), listed, name, Literal(was)))


_TABLES = """SELECT relname, array_agg(attname::text ORDER BY attnum)
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  AND attname <> 'tenant' GROUP BY relname"""


def found_in(data: Path, said: bytes) -> list[str]:
    """The files of a directory in which these bytes stand, in any case."""
    return [
        str(path.relative_to(data))
        for path in sorted(data.rglob("*"))
        if path.is_file() and said.lower() in path.read_bytes().lower()
    ]
