"""Every row of one tenant, as it is, from a store to another of either database, a batch at a time."""

import struct
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, cast

from indelible.dataclass import dataclass
from indelible.errors import StoreError
from indelible.store.copy.sequences import PostgresNumbers, SqliteNumbers
from indelible.store.database import Database, Row, Transaction
from indelible.store.tables import settings

PROGRESS = settings.MIGRATING
SUMS = 1 << 64  # a checksum is a sum of rows' hashes modulo this: the order of rows tells nothing


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a tenant column, the rest of its key, and how many rows are copied at a time."""

    name: str
    key: tuple[str, ...]
    batch: int = 2_000


# In the order that foreign keys ask for. `pending` and those below it come last: triggers fill them while the others
# come.
TABLES = (
    Table("setting", ("name",)),
    Table("project", ("alias",)),
    Table("model", ("id",)),
    Table("sequence", ("tenant",)),
    Table("repository", ("id",)),
    Table("symbol_name", ("id",)),
    Table("record", ("id",), 1_000),
    Table("source_file", ("record",), 50),
    Table("symbol", ("record",)),
    Table("edge", ("id",)),
    Table("terms", ("record", "space")),
    Table("embedding", ("record", "view")),
    Table("access", ("record",)),
    Table("event", ("id",)),
    Table("event_day", ("day", "tool", "outcome")),
    Table("trash", ("id",), 500),
    Table("applied", ("key",), 500),
    Table("token", ("id",)),
    Table("activity", ("id",), 500),
    Table("sync_state", ("uid",)),
    Table("posting_block", ("space", "block"), 1),
    Table("pending", ("record",)),
    Table("record_version", ("id",), 500),
    Table("edge_version", ("id",)),
    Table("change", ("position",)),
)
FILLED_BY_TRIGGERS = frozenset({"pending", "record_version", "edge_version", "change"})
CALLS = frozenset({"event", "event_day"})  # which leave rows in a store that holds nothing, too
NOT_COPIED = {
    "lease": "who does what at the moment, which nobody does in a new store",
    "record_number": "the last number that a record was given, which is set at the end (`numbering`)",
    "symbol_gram": "parts of the names of symbols, which triggers keep",
    "embedding_neighbor": "vectors once more, for pgvector, which are made of those that are copied",
    "neighbor_partition": "of which there are such",
}
NAMED = {table.name: table for table in TABLES}
_COLUMNS = {
    "sqlite": "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0",
    "postgres": """SELECT attname FROM pg_attribute
        WHERE attrelid = to_regclass(quote_ident(%s)) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''""",
}


class Copy:
    """Reading and writing of a store by the names of its tables, in a transaction for one tenant."""

    def __init__(self, store: Database, tx: Transaction):
        self._dialect = store.dialect
        self._connection = cast("Any", tx).connection
        self._tenant = tx.tenant
        self.numbers = (SqliteNumbers if store.dialect == "sqlite" else PostgresNumbers)(self._ask, tx.tenant)

    def columns(self, table: Table) -> tuple[str, ...]:
        """The columns that have values of their own, by name, without the tenant."""
        found = self._ask(_COLUMNS[self._dialect], table.name)
        return tuple(sorted(str(name) for (name,) in found if name != "tenant"))

    def batch(self, table: Table, columns: Sequence[str], after: Sequence[Any] | None) -> list[Row]:
        """The next rows in the order of the key; `after` is the key of the last row before them, None at the start."""
        key, mark = ", ".join(table.key), self._mark
        beyond = "" if after is None else f" AND ({key}) > ({', '.join(mark for _ in after)})"
        own = f" AND name <> '{PROGRESS}'" if table.name == "setting" else ""
        query = (
            f"SELECT {', '.join(columns)} FROM {table.name} WHERE tenant = {mark}{own}{beyond} "
            f"ORDER BY {key} LIMIT {table.batch}"
        )
        return self._ask(query, self._tenant, *(after or ()))

    def key_of(self, table: Table, columns: Sequence[str], row: Row) -> list[Any]:
        """The key of a row."""
        return [self._tenant if name == "tenant" else row[columns.index(name)] for name in table.key]

    def put(self, table: Table, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Add rows under this tenant."""
        marks = ", ".join(self._mark for _ in range(len(columns) + 1))
        statement = f"INSERT INTO {table.name} (tenant, {', '.join(columns)}) VALUES ({marks})"
        self._many(statement, [(self._tenant, *row) for row in rows])

    def clear(self, table: Table) -> None:
        """Remove all rows of this tenant, except the mark that rows are being copied."""
        own = f" AND name <> '{PROGRESS}'" if table.name == "setting" else ""
        self._ask(f"DELETE FROM {table.name} WHERE tenant = {self._mark}{own}", self._tenant)

    def count(self, table: Table) -> int:
        """How many rows of a table this tenant has."""
        own = f" AND name <> '{PROGRESS}'" if table.name == "setting" else ""
        found = self._ask(f"SELECT count(*) FROM {table.name} WHERE tenant = {self._mark}{own}", self._tenant)
        return int(found[0][0])

    def drop_changes_after(self, position: int) -> None:
        """Delete the log's entries about the copied rows: the log copied from the other store has them."""
        self._ask(f"DELETE FROM change WHERE tenant = {self._mark} AND position > {self._mark}", self._tenant, position)

    @property
    def _mark(self) -> str:
        return "?" if self._dialect == "sqlite" else "%s"

    def _ask(self, query: str, *values: Any) -> list[Row]:
        if self._dialect == "sqlite":
            rows: list[Row] = self._connection.execute(query, values).fetchall()
            return rows
        cursor = self._connection.execute(query, values, binary=True)
        found: list[Row] = cursor.fetchall() if cursor.description else []
        return found

    def _many(self, statement: str, rows: Sequence[Row]) -> None:
        if self._dialect == "sqlite":
            self._connection.executemany(statement, rows).fetchall()
            return
        with self._connection.cursor() as cursor:
            cursor.executemany(statement, rows)


def checksum(rows: Sequence[Row]) -> int:
    """The sum of the rows' hashes; two values differ where their types do, but for the two forms of bytes."""
    return sum(int.from_bytes(_digest(row)) for row in rows) % SUMS


def _digest(row: Row) -> bytes:
    made = blake2b(digest_size=8)
    for value in row:
        kind, body = _encoded(value)
        made.update(kind + len(body).to_bytes(8) + body)
    return made.digest()


def _encoded(value: Any) -> tuple[bytes, bytes]:
    if value is None:
        return b"n", b""
    if isinstance(value, str):
        return b"t", value.encode()
    if isinstance(value, float):
        return b"f", struct.pack(">d", value)
    if isinstance(value, int):
        return b"i", str(value).encode()
    return b"b", bytes(value)


def refuse_unusable(store: Database) -> None:
    """Raise Conflict for a store into which a migration was not finished, Forbidden for a tenant that was deleted."""
    with store.read() as tx:
        settings.refuse_unusable(tx)


def same_columns(table: Table, ours: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...]:
    """The columns of both stores. Raises StoreError where only one has some."""
    if ours != theirs:
        raise StoreError(f"the two stores have different columns in {table.name}; update Indelible, and report this")
    return tuple(ours)
