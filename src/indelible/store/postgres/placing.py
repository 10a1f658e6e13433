"""The places of a store's tables in a Citus cluster: all of a tenant's rows in shards of one number, on one node.

Facts and choices (`setting`) are on every node, because every tenant reads those of the whole store. Triggers run on
the node, and write to the shards beside theirs, which is what Citus calls unsafe where it cannot know that: here every
row that a trigger writes is of the tenant of the row that fired it.

A statement in a trigger is planned for each row there (`_plan_each_time`).
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Connection
from psycopg.sql import SQL, Identifier

from indelible.errors import StoreError
from indelible.store.database import Row
from indelible.store.postgres import roles
from indelible.store.postgres.server import Server, placed

ON_EVERY_NODE = ("setting",)
FIRST = "record"  # with its shards all others are placed
_REFERENCES = """SELECT relname::text, conname::text, pg_get_constraintdef(pg_constraint.oid)
  FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
  WHERE contype = 'f' AND relnamespace = %s::text::regnamespace AND relname = ANY (%s) ORDER BY 1, 2"""

_TRIGGERS = """SELECT relname::text, tgname::text, pg_get_triggerdef(pg_trigger.oid),
    tgfoid::regprocedure::text
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE NOT tgisinternal AND relnamespace = %s::text::regnamespace AND relname = ANY (%s) ORDER BY 1, 2"""
_FUNCTIONS = """SELECT DISTINCT tgfoid::regprocedure::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE NOT tgisinternal AND relnamespace = quote_ident(%s)::regnamespace ORDER BY 1"""
_STATEMENT = re.compile(r"(?:--[^\n]*|\$\$.*?\$\$|'(?:[^']|'')*'|[^;])+", re.DOTALL)


def allow_changes(connection: Connection[Row]) -> None:
    """Let the rest of a transaction change what is in a cluster, triggers too, by one connection to each node.

    So it sees what it did before.
    """
    connection.execute(
        "SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true), "
        "set_config('citus.enable_unsafe_triggers', 'on', true)"
    )


def statements(sql: str) -> list[str]:
    """Return the statements of a migration: a coordinator sends on to the nodes the whole text that one comes in."""
    return [part for part in map(str.strip, _STATEMENT.findall(sql)) if part]


def place(connection: Connection[Row], server: Server) -> dict[str, list[str]]:
    """Place the tables that are not placed yet, with their rows counted; the transaction has claimed the store.

    Returns those that were placed by tenant, and those put on every node, both sorted. Raises StoreError.
    """
    due = sorted(set(roles.tables(connection, server.schema)) - placed(connection, server.schema))
    if due:
        _place(connection, server, due)
    _plan_each_time(connection, server.schema)
    whole = [table for table in due if table in ON_EVERY_NODE]
    return {"by_tenant": [table for table in due if table not in whole], "on_every_node": whole}


def _place(connection: Connection[Row], server: Server, due: list[str]) -> None:
    schema = server.schema
    serving = roles.granted_roles(connection, schema)
    allow_changes(connection)
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


def _plan_each_time(connection: Connection[Row], schema: str) -> None:
    """Have nodes keep no plans of what triggers do.

    Citus 14.0 never finds the plan for a shard that it keeps with a plan of its own, makes another for each row and
    frees none: a session of a node grew by 140 kB with each record. A migration that replaces a function ends this.
    """
    for (function,) in connection.execute(_FUNCTIONS, [schema]).fetchall():
        connection.execute(f"ALTER FUNCTION {function} SET plan_cache_mode = force_custom_plan")


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


def row_counts(connection: Connection[Row], server: Server) -> dict[str, int]:
    """Return how many rows each table of a store has, as far as this role sees them."""
    named = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [server.schema]).fetchall()
    count = SQL("SELECT count(*) FROM {}")
    return {
        str(t): int(connection.execute(count.format(Identifier(server.schema, t))).fetchall()[0][0]) for (t,) in named
    }
