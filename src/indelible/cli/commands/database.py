"""The commands for a store in PostgreSQL: create or upgrade its tables, and move a store there or back."""

import argparse
from typing import Any

from indelible.cli import answers
from indelible.cli.opening import Adding, settings_of
from indelible.cli.parsing import action, without_action
from indelible.cli.terminal import counted, out
from indelible.stderr import say, say_progress

EVERY = 20_000  # rows between words of progress


def add(command: Adding) -> None:
    """Declare the commands."""
    database = command(
        "database", without_action, "create or upgrade the tables in PostgreSQL, or spread them over a cluster"
    )
    database.set_defaults(help_of=database)
    actions: Any = database.add_subparsers(metavar="upgrade|distribute")
    text = "create the tables of a store, or upgrade them to this version; --role lets a role serve it"
    upgrade = action(actions, "upgrade", _upgrade, text)
    upgrade.add_argument(
        "--role", metavar="NAME", help="a role for servers: it may read and write rows, and nothing else"
    )
    text = "a role that servers take on for tokens limited to namespaces: the database hides all others from it"
    upgrade.add_argument("--limited-role", metavar="NAME", help=text)
    text = "spread the tables over the nodes of a Citus cluster by tenant; --database is its coordinator, as the owner"
    action(actions, "distribute", _distribute, text)
    migrate = command("migrate", _migrate, "copy a whole store from a file to PostgreSQL, or back; can be interrupted")
    migrate.add_argument(
        "--from", dest="source", required=True, metavar="STORE", help="data directory, or postgresql://"
    )
    migrate.add_argument("--to", dest="target", required=True, metavar="STORE", help="the same; it must be empty")
    migrate.add_argument("--from-tenant", type=int, default=1, metavar="N", help="in a database; default: 1")
    migrate.add_argument("--to-tenant", type=int, default=1, metavar="N", help="in a database; default: 1")


def _upgrade(arguments: argparse.Namespace) -> int:
    from indelible.admin import upgrade

    settings = settings_of(arguments)
    done = upgrade.upgrade(settings, arguments.role, arguments.limited_role)
    answers.give({"store": settings.place, "done": list(done)})
    served = f"; role {arguments.role} may serve it" if arguments.role else ""
    served += f"; role {arguments.limited_role} is that of limited tokens" if arguments.limited_role else ""
    out(f"{settings.place} has the tables of this version{served}")
    for each in done:
        out(each)
    return 0


def _distribute(arguments: argparse.Namespace) -> int:
    from indelible.admin import upgrade

    settings = settings_of(arguments)
    placed = upgrade.distribute(settings)
    answers.give({"store": settings.place, **placed})
    by_tenant, whole = placed["by_tenant"], placed["on_every_node"]
    if not (by_tenant or whole):
        out(f"{settings.place} is spread over the cluster already")
        return 0
    out(f"{settings.place} is spread over the cluster: {counted(len(by_tenant), 'table')} by tenant")
    for each in whole:
        out(f"{each} is on every node")
    return 0


def _migrate(arguments: argparse.Namespace) -> int:
    from indelible.transfer import migration

    source = migration.place_of("--from", arguments.source, arguments.from_tenant, make=False)
    try:
        target = migration.place_of("--to", arguments.target, arguments.to_tenant, make=True)
        try:
            moved = migration.migrate(source, target, _show_progress)
        finally:
            target.close()
    finally:
        source.close()
    answers.give({"rows": moved.rows, "resumed": moved.resumed, "identical": not moved.changed})
    if moved.resumed:
        say("continued a migration that was interrupted")
    for table, rows in moved.rows.items():
        if rows:
            out(f"{table}: {counted(rows, 'row')}")
    if moved.changed:
        say(
            "the source was written to meanwhile, and the target lacks that: it stays closed. Stop the servers of the "
            "source, and run the same command again: it starts over"
        )
        return 1
    out("the two stores are identical: rows and checksums were compared")
    if moved.rows["token"] and target.tenant != source.tenant:
        say(f"tokens belong to the tenant they were made in: create new ones for tenant {target.tenant}")
    return 0


def _show_progress(table: str, done: int, total: int) -> None:
    if total >= EVERY and (done % EVERY == 0 or done == total):
        say_progress(f"{table}: {done:,} of {total:,}")
