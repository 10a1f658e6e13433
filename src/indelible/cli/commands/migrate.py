"""Moving a store between a file of this machine and a database."""

import argparse

from indelible.cli.opening import Adding
from indelible.cli.terminal import counted, out
from indelible.stderr import say

EVERY = 20_000  # rows between words of progress


def add(command: Adding) -> None:
    """Declare the command."""
    migrate = command("migrate", _migrate, "copy a whole store from a file to PostgreSQL, or back; can be interrupted")
    migrate.add_argument(
        "--from", dest="source", required=True, metavar="STORE", help="data directory, or postgresql://"
    )
    migrate.add_argument("--to", dest="target", required=True, metavar="STORE", help="the same; it must be empty")
    migrate.add_argument("--from-tenant", type=int, default=1, metavar="N", help="in a database; default: 1")
    migrate.add_argument("--to-tenant", type=int, default=1, metavar="N", help="in a database; default: 1")


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
        say(f"{table}: {done:,} of {total:,}")
