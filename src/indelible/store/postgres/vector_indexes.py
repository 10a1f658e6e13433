"""The pgvector indexes over large partitions of vectors (see `store/views/nearest_vectors`), maintained by the owner.

The vectors of a partition are copied into `embedding_neighbor` and kept up by a trigger from then on; the index is
built beside the writes (CONCURRENTLY) under another name, and renamed when it is complete. PostgreSQL builds it so that
no transaction is left by then which began before the last vector was copied: an index of the name is complete.
"""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.resources import files

from psycopg import Connection, Error

from indelible.dataclass import dataclass
from indelible.store.database import Row
from indelible.store.group_commit import translated
from indelible.store.postgres import roles
from indelible.store.postgres.migrate import suitable
from indelible.store.postgres.server import WAIT as PATIENCE
from indelible.store.postgres.server import Server, quoted

FEWEST = 20_000  # vectors of a partition; below half of it the index is dropped
OLDEST = (0, 8)  # version of the extension: iterative scans
COPIED = 1000  # records a transaction, each of which keeps the tenant's writes waiting
LONGEST = 4000  # dimensions that a half-precision index takes
MOST_MEMORY = 2_000_000  # kB of a build
NEIGHBORS_TRIED = 200  # for each vector of a build: with pgvector's own 64 it finds 0.96 of the nearest ten at 100,000
CANCELLING = 5.0  # seconds for the server to hear of it
WAIT = 5.0  # seconds for the tables, which others read meanwhile

_EXTENSION = """SELECT extnamespace::regnamespace::text, extversion FROM pg_extension WHERE extname = 'vector'"""
_OWNS = """SELECT pg_has_role(relowner, 'USAGE') FROM pg_class
  WHERE relname = 'embedding' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"""
_MADE = """SELECT count(*) FROM pg_trigger
  WHERE tgname = 'embedding_neighbor_kept' AND tgrelid = 'embedding'::regclass"""
_PLACED = "(record.kind = 'symbol')::int"
_SIZE = f"""SELECT count(*) FROM (SELECT 1 FROM embedding
  JOIN record ON record.tenant = embedding.tenant AND record.id = embedding.record
  WHERE embedding.tenant = %(tenant)s AND embedding.model = %(model)s AND {_PLACED} = %(code)s
  LIMIT %(most)s) AS counted"""
_COPY = f"""WITH next AS (
    SELECT embedding.record, embedding.view, embedding.vector, {_PLACED} AS code FROM embedding
    JOIN record ON record.tenant = embedding.tenant AND record.id = embedding.record
    WHERE embedding.tenant = %(tenant)s AND embedding.model = %(model)s
      AND embedding.record > %(after)s AND embedding.record <= %(after)s + {COPIED}),
  copied AS (INSERT INTO embedding_neighbor (tenant, record, view, model, code, vector)
    SELECT %(tenant)s, record, view, %(model)s, code, halfvec_of(vector) FROM next WHERE code = %(code)s
    ON CONFLICT (tenant, record, view) DO NOTHING)
  SELECT min(record) FROM embedding WHERE tenant = %(tenant)s AND record > %(after)s + {COPIED}"""
_NOTED = """INSERT INTO neighbor_partition (tenant, model, code) VALUES (%(tenant)s, %(model)s, %(code)s)
  ON CONFLICT (tenant, model, code) DO NOTHING"""
_FORGET = "DELETE FROM neighbor_partition WHERE tenant = %(tenant)s AND model = %(model)s AND code = %(code)s"
_EMPTY = "DELETE FROM embedding_neighbor WHERE tenant = %(tenant)s AND model = %(model)s AND code = %(code)s"


@dataclass(frozen=True, slots=True)
class Partition:
    """A tenant's vectors of one model, of symbols or of all other records."""

    tenant: int
    model: int
    code: int
    dimensions: int

    @property
    def name(self) -> str:
        """The name of its index; `store/sql/neighbors.sql` looks for it."""
        return f"neighbors_{self.tenant}_{self.model}_{self.code}"

    @property
    def numbers(self) -> dict[str, int]:
        """Parameters of a statement."""
        return {"tenant": self.tenant, "model": self.model, "code": self.code}


def keep_neighbors(url: str, schema: str | None = None) -> list[str]:
    """Maintain the indexes of all tenants of a store, as its owner; returns what was done. Raises StoreError."""
    server = Server.of(url, schema, PATIENCE)
    with closing(server.connect()) as connection:
        server = suitable(connection, server)
    return NeighborIndexes(server).keep()


class NeighborIndexes:
    """The indexes of a store, as its owner sees them; `stop` ends what runs, from any thread."""

    def __init__(self, server: Server, fewest: int = FEWEST) -> None:
        self._server = server
        self._fewest = fewest
        self._lock = threading.Lock()
        self._stopped = False
        self._connection: Connection[Row] | None = None

    def stop(self) -> None:
        """Stop what runs, and start nothing more; a half-made index is made again by the next run."""
        with self._lock:
            self._stopped = True
            if self._connection is not None:
                with suppress(Error):  # a server that is away ends it by itself
                    self._connection.cancel_safe(timeout=CANCELLING)

    def keep(self, tenant: int | None = None) -> list[str]:
        """Make the indexes that are due and drop those that are not, of one tenant or of all; returns what was done.

        Does nothing without the extension, where this role does not own the tables, or where they are distributed.
        Raises StoreError.
        """
        with translated(self._server), closing(self._server.connect()) as connection:
            with self._lock:
                if self._stopped:
                    return []
                self._connection = connection
            try:
                return self._kept(connection, tenant)
            finally:
                with self._lock:
                    self._connection = None

    def _kept(self, connection: Connection[Row], tenant: int | None) -> list[str]:
        extension = self._usable(connection)
        if extension is None:
            return []
        self._make_tables(connection, extension)
        tenants = [tenant] if tenant is not None else self._tenants(connection)
        parts = [part for each in tenants for part in self._partitions(connection, each)]
        return [done for part in parts for done in self._one(connection, part)]

    def _usable(self, connection: Connection[Row]) -> str | None:
        """The schema of the extension, None where there is nothing to do with it here."""
        with self._transaction(connection):
            found = connection.execute(_EXTENSION).fetchall()
            owns = connection.execute(_OWNS).fetchall()
        if not found or owns != [(True,)] or self._server.distributed:
            return None
        version = tuple(int(part) for part in str(found[0][1]).split(".")[:2])
        return str(found[0][0]) if version >= OLDEST else None

    def _make_tables(self, connection: Connection[Row], extension: str) -> None:
        with self._transaction(connection):
            if connection.execute(_MADE).fetchall()[0][0]:
                return
            schema = self._schema(connection)
            own = quoted(schema)  # where the extension is, another store may have tables of these names
            connection.execute(f"DROP TABLE IF EXISTS {own}.embedding_neighbor, {own}.neighbor_partition")
            connection.execute(f"SET LOCAL search_path = {own}, {extension}, pg_temp")
            sql = (files("indelible.store") / "migrations" / "pgvector.sql").read_text(encoding="utf-8")
            connection.execute(sql)
            roles.grant(connection, schema, roles.granted_roles(connection, schema))

    def _schema(self, connection: Connection[Row]) -> str:
        return str(connection.execute("SELECT current_schema()").fetchall()[0][0])

    def _tenants(self, connection: Connection[Row]) -> list[int]:
        """Return the tenants that have models: the owner sees the rows of all only within this transaction."""
        with self._transaction(connection):
            connection.execute("ALTER TABLE model NO FORCE ROW LEVEL SECURITY")
            found = connection.execute("SELECT DISTINCT tenant FROM model ORDER BY tenant").fetchall()
            connection.execute("ALTER TABLE model FORCE ROW LEVEL SECURITY")
        return [int(tenant) for (tenant,) in found]

    def _partitions(self, connection: Connection[Row], tenant: int) -> list[Partition]:
        with self._transaction(connection, tenant):
            known = "SELECT id, dimensions FROM model WHERE tenant = %(tenant)s ORDER BY id"
            models = connection.execute(known, {"tenant": tenant}).fetchall()
        return [
            Partition(tenant, int(model), code, int(dimensions))
            for model, dimensions in models
            for code in (0, 1)
            if dimensions <= LONGEST
        ]

    def _one(self, connection: Connection[Row], part: Partition) -> list[str]:
        with self._transaction(connection, part.tenant):
            there = connection.execute("SELECT to_regclass(%s)", [part.name]).fetchall()[0][0] is not None
            size = connection.execute(_SIZE, {**part.numbers, "most": self._fewest}).fetchall()[0][0]
        if there and size < self._fewest // 2:
            self._let_go(connection, part)
            return [f"index {part.name} is gone: fewer than {self._fewest // 2:,} vectors are left"]
        if there or size < self._fewest:
            return []
        self._copy(connection, part)
        self._build(connection, part)
        return [f"index {part.name} is made"]

    def _copy(self, connection: Connection[Row], part: Partition) -> None:
        with self._writing(connection, part.tenant):
            connection.execute(_NOTED, part.numbers)
        after: int | None = 0
        while after is not None:
            with self._writing(connection, part.tenant):
                following = connection.execute(_COPY, {**part.numbers, "after": after}).fetchall()[0][0]
            after = None if following is None else int(following) - 1

    def _build(self, connection: Connection[Row], part: Partition) -> None:
        with self._transaction(connection):
            schema = self._schema(connection)
            connection.execute("LOCK TABLE embedding_neighbor IN SHARE UPDATE EXCLUSIVE MODE")  # as a build has it
            connection.execute(f"DROP INDEX IF EXISTS {part.name}_half_made")
            ((extension, _),) = connection.execute(_EXTENSION).fetchall()
        self._give_room(connection, part)
        connection.execute(
            f"CREATE INDEX CONCURRENTLY {part.name}_half_made ON {quoted(schema)}.embedding_neighbor USING hnsw "
            f"((vector::{extension}.halfvec({part.dimensions})) {extension}.halfvec_ip_ops) "
            f"WITH (ef_construction = {NEIGHBORS_TRIED}) "
            f"WHERE tenant = {part.tenant} AND model = {part.model} AND code = {part.code}"
        )
        connection.execute(f"ANALYZE {quoted(schema)}.embedding_neighbor")
        with self._transaction(connection):
            connection.execute(f"ALTER INDEX {part.name}_half_made RENAME TO {part.name}")

    def _give_room(self, connection: Connection[Row], part: Partition) -> None:
        """Raise the memory limit for the build, on a connection that is not used again: a pooler's is shared.

        A graph that does not fit is built several times as slowly.
        """
        process = connection.execute("SELECT pg_backend_pid()").fetchall()[0][0]
        if process != connection.info.backend_pid:
            return
        with self._transaction(connection, part.tenant):
            size = connection.execute(_SIZE, {**part.numbers, "most": MOST_MEMORY}).fetchall()[0][0]
        needed = min(MOST_MEMORY, 2 * size * (2 * part.dimensions + 400) // 1000)
        connection.execute(
            "SELECT set_config('maintenance_work_mem', greatest(%s, pg_size_bytes(current_setting("
            "'maintenance_work_mem')) / 1024)::text || 'kB', false), set_config('statement_timeout', '0', false), "
            "set_config('max_parallel_maintenance_workers', '0', false)",
            [needed],
        )

    def _let_go(self, connection: Connection[Row], part: Partition) -> None:
        with self._writing(connection, part.tenant):
            connection.execute(f"DROP INDEX {part.name}")
            connection.execute(_FORGET, part.numbers)
            connection.execute(_EMPTY, part.numbers)

    @contextmanager
    def _transaction(self, connection: Connection[Row], tenant: int = 0) -> Iterator[None]:
        with connection.transaction():
            connection.execute(f"{self._server.scope(tenant)}; SET LOCAL lock_timeout = {round(WAIT * 1000)}")
            yield

    @contextmanager
    def _writing(self, connection: Connection[Row], tenant: int) -> Iterator[None]:
        """Beside no write of the tenant's."""
        with self._transaction(connection, tenant):
            patient = f"SET LOCAL lock_timeout = {round(self._server.wait * 1000)}"
            connection.execute(f"{patient}; {self._server.lock(tenant)}")
            yield
