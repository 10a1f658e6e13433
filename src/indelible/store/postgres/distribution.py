"""A store that is spread over the nodes of a Citus cluster by tenant.

All rows of a tenant are in shards of one number, so on one node; no query of ours leaves it. Facts and choices
(`setting`) are on every node, because every tenant reads those of the whole store. Triggers run on the node, and write
to the shards beside theirs, which is what Citus calls unsafe where it cannot know that: here every row that a trigger
writes is of the tenant of the row that fired it.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from psycopg import Connection
from psycopg.sql import SQL, Identifier

from indelible.errors import StoreError
from indelible.store import named_queries
from indelible.store.database import Row
from indelible.store.group_commit import translated
from indelible.store.postgres import roles
from indelible.store.postgres.migrate import claim, migrate_postgres, row_counts, suitable
from indelible.store.postgres.server import WAIT, Server, placed

OLDEST = 14  # whose nodes take over the isolation of a transaction: one that reads sees one moment
ON_EVERY_NODE = ("setting",)
FIRST = "record"  # with its shards all others are placed
_VERSION = "SELECT extversion FROM pg_extension WHERE extname = 'citus'"
_REFERENCES = """SELECT relname::text, conname::text, pg_get_constraintdef(pg_constraint.oid)
  FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
  WHERE contype = 'f' AND relnamespace = %s::text::regnamespace AND relname = ANY (%s) ORDER BY 1, 2"""

_TRIGGERS = """SELECT relname::text, tgname::text, pg_get_triggerdef(pg_trigger.oid),
    tgfoid::regprocedure::text
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE NOT tgisinternal AND relnamespace = %s::text::regnamespace AND relname = ANY (%s) ORDER BY 1, 2"""


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
            return _place(connection, server)


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


def _place(connection: Connection[Row], server: Server) -> dict[str, list[str]]:
    """Place the tables that are not placed yet."""
    schema = server.schema
    due = sorted(set(roles.tables(connection, schema)) - placed(connection, schema))
    if not due:
        return {"by_tenant": [], "on_every_node": []}
    serving = roles.granted_roles(connection, schema)
    # one connection to each node: it sees what this transaction did before
    connection.execute(
        "SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true), "
        "set_config('citus.enable_unsafe_triggers', 'on', true)"
    )
    roles.set_forced(connection, schema, forced=False)  # else the owner would see no row, and copy none
    before = row_counts(connection, server)
    with _without(connection, schema, due):
        for table in sorted(due, key=lambda name: name != FIRST):
            named = Identifier(schema, table).as_string(connection)
            if table in ON_EVERY_NODE:
                connection.execute("SELECT create_reference_table(%s::text::regclass)", [named])
                continue
            beside = "none" if table == FIRST else Identifier(schema, FIRST).as_string(connection)
            place = "SELECT create_distributed_table(%s::text::regclass, 'tenant', colocate_with => %s)"
            connection.execute(place, [named, beside])
    if row_counts(connection, server) != before:
        raise StoreError(f"{server.name} would have other rows than before; nothing was changed. Please report this")
    roles.set_forced(connection, schema, forced=True)
    roles.grant(connection, schema, serving)
    whole = [table for table in due if table in ON_EVERY_NODE]
    return {"by_tenant": [table for table in due if table not in whole], "on_every_node": whole}


@contextmanager
def _without(connection: Connection[Row], schema: str, tables: list[str]) -> Iterator[None]:
    """Take the foreign keys and triggers of some tables away for a while.

    A foreign key holds between tables that are both placed, or both not yet; and a copied row would fire the triggers.
    """
    references = connection.execute(_REFERENCES, [f'"{schema}"', tables]).fetchall()
    triggers = connection.execute(_TRIGGERS, [f'"{schema}"', tables]).fetchall()
    for table, name, _ in references:
        drop = SQL("ALTER TABLE {} DROP CONSTRAINT {}")
        connection.execute(drop.format(Identifier(schema, table), Identifier(name)))
    for table, name, *_ in triggers:
        connection.execute(SQL("DROP TRIGGER {} ON {}").format(Identifier(name), Identifier(schema, table)))
    yield
    for table, name, definition in references:
        add = SQL("ALTER TABLE {} ADD CONSTRAINT {} " + definition)
        connection.execute(add.format(Identifier(schema, table), Identifier(name)))
    for function in sorted({str(function) for *_, function in triggers}):
        connection.execute("SELECT create_distributed_function(%s::text::regprocedure)", [function])
    for _, _, definition, _ in triggers:
        connection.execute(definition)
