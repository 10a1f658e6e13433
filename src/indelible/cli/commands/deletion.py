"""Single things taken away, whatever kind they are of."""

import argparse
from contextlib import closing

from indelible.cli.opening import Adding, open_existing
from indelible.cli.terminal import out, printable, shortened


def add(command: Adding) -> None:
    """Declare the command."""
    delete = command("delete", _delete, "delete what is out of date, of any kind; `indelible undo` brings it back")
    delete.add_argument(
        "ids", metavar="ID", nargs="+", help="as recall and the tools show it; a document also by its file name"
    )


def _delete(arguments: argparse.Namespace) -> int:
    from indelible.core.context.call import Call
    from indelible.toolsets.memory import deletion

    with closing(open_existing(arguments)) as ctx:
        deleted = deletion.delete(ctx.for_call(Call(tool="delete")), arguments.ids)
    for each in deleted:
        out(f"deleted {each.kind} {printable(each.id)}: {shortened(printable(each.text))}")
    out(f"`indelible undo` brings {'it' if len(deleted) == 1 else 'them'} back")
    return 0
