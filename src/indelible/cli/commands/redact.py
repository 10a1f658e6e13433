"""Taking secrets that older rules let in out of all that is stored."""

import argparse
from typing import TYPE_CHECKING

from indelible.cli.opening import Adding, open_existing
from indelible.cli.terminal import counted, out, table
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.admin.stored_secrets import Counts


def add(command: Adding) -> None:
    """Declare the command."""
    redact = command(
        "redact", _redact, "remove secrets that older rules missed from everything stored, also from backups"
    )
    redact.add_argument("--stored", action="store_true", help="everything stored: rows, trash, queues, every backup")
    redact.add_argument("--dry-run", action="store_true", help="only count them, by rule")


def _redact(arguments: argparse.Namespace) -> int:
    from indelible.admin import purge, stored_secrets
    from indelible.cli.commands.purge import drain, report_rest
    from indelible.core.context.call import Call

    if not arguments.stored:
        say("indelible redact: add --stored to redact everything stored (new texts are always redacted)")
        return 2
    ctx = open_existing(arguments)
    try:
        ctx = ctx.for_call(Call(tool="redact"))
        whole = arguments.dry_run or drain(ctx)
        with ctx.store.read() as tx:
            found = stored_secrets.count(ctx, tx)
        copies = purge.backups_with_secrets(ctx)
        if arguments.dry_run:
            _show(found)
            for path in copies:
                out(f"would be rewritten: {path} (has some)")
            return 0
        done = purge.run(ctx, purge.SECRETS, lambda _: None)
        _show(found)
        if found or copies:
            out(f"removed from everything stored, and from {counted(len(copies), 'backup')}, for good")
        return max(report_rest(done), 0 if whole else 1)
    finally:
        ctx.close()


def _show(found: "Counts") -> None:
    if found:
        table(("rule", "count"), [(rule, f"{count:,}") for rule, count in sorted(found.items())])
    else:
        out("the rules of this version find no stored secret")
