"""Spreading a store over the nodes of a Citus cluster by tenant; no query of ours leaves the node of its tenant."""

from contextlib import closing

from psycopg import Connection

from indelible.errors import StoreError
from indelible.store import named_queries
from indelible.store.database import Row
from indelible.store.group_commit import translated
from indelible.store.postgres import roles
from indelible.store.postgres.migrate import claim, migrate_postgres, suitable
from indelible.store.postgres.placing import place
from indelible.store.postgres.server import WAIT, Server

OLDEST = 14  # whose nodes take over the isolation of a transaction: one that reads sees one moment
_VERSION = "SELECT extversion FROM pg_extension WHERE extname = 'citus'"


def distribute(url: str, schema: str | None = None) -> dict[str, list[str]]:
    """Spread a store over the cluster whose coordinator the URL names, as its owner; it is made or upgraded before.

    In one transaction, with the rows counted; nobody else writes meanwhile. Returns the tables that were placed by
    tenant, and those put on every node, both sorted; empty where all were. Raises StoreError where the server has no
    Citus, or an older one, or where the store has what a cluster cannot keep, and what `migrate_postgres` raises.
    """
    server = Server.of(url, schema, WAIT)
    connection = server.connect()
    with closing(connection), translated(server):
        server = suitable(connection, server)
        _refuse(connection, server)
        migrate_postgres(connection, server)
        with connection.transaction():
            claim(connection, server, named_queries.newest_schema("postgres"))
            return place(connection, server)


def _refuse(connection: Connection[Row], server: Server) -> None:
    found = connection.execute(_VERSION).fetchall()
    if not found:
        raise StoreError(
            f"{server.name} has no Citus in this database; CREATE EXTENSION citus on every node, add the nodes with "
            "citus_add_node, and give the URL of the coordinator"
        )
    if int(str(found[0][0]).split(".")[0].split("-")[0]) < OLDEST:
        raise StoreError(f"{server.name} has Citus {found[0][0]}, and a store needs {OLDEST}.0 or newer; upgrade it")
    if roles.limited_roles(connection, server.schema):
        raise StoreError(
            f"{server.name} has a role for limited callers, which statements on other nodes cannot take on; drop its "
            "policies first (DROP OWNED BY that role): limited tokens are then held by the queries alone"
        )
    indexed = "SELECT to_regclass(quote_ident(%s) || '.embedding_neighbor') IS NOT NULL"
    if connection.execute(indexed, [server.schema]).fetchall()[0][0]:
        raise StoreError(
            f"{server.name} has pgvector's indexes, which are not made in a cluster yet; nothing is lost with them: "
            "DROP TRIGGER embedding_neighbor_kept ON embedding; DROP TABLE embedding_neighbor, neighbor_partition"
        )
