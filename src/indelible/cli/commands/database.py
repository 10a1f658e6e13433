"""The command of the owner of a PostgreSQL store: create or upgrade its tables."""

import argparse
from typing import Any

from indelible.cli.opening import Adding, settings_of
from indelible.cli.terminal import out
from indelible.stderr import say


def add(command: Adding) -> None:
    """Declare the command."""
    database = command("database", _print_help, "create or upgrade the tables in PostgreSQL, as their owner")
    database.set_defaults(help_of=database)
    actions: Any = database.add_subparsers(metavar="upgrade")
    text = "create the tables of a store, or upgrade them to this version; --role lets a role serve it"
    upgrade = actions.add_parser("upgrade", help=text, description=text)
    for option in ("--data", "--project", "--database", "--tenant"):  # as for every command, on either side
        upgrade.add_argument(option, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    upgrade.add_argument(
        "--role", metavar="NAME", help="a role for servers: it may read and write rows, and nothing else"
    )
    text = "a role that servers take on for tokens limited to namespaces: the database hides all others from it"
    upgrade.add_argument("--limited-role", metavar="NAME", help=text)
    upgrade.set_defaults(run=_upgrade)


def _print_help(arguments: argparse.Namespace) -> int:
    say(arguments.help_of.format_help().rstrip())
    return 2


def _upgrade(arguments: argparse.Namespace) -> int:
    from indelible.admin import upgrade

    settings = settings_of(arguments)
    done = upgrade.upgrade(settings, arguments.role, arguments.limited_role)
    served = f"; role {arguments.role} may serve it" if arguments.role else ""
    served += f"; role {arguments.limited_role} is that of limited tokens" if arguments.limited_role else ""
    out(f"{settings.place} has the tables of this version{served}")
    for each in done:
        out(each)
    return 0
