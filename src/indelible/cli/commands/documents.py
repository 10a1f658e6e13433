"""Files and folders as documents."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.opening import Adding, as_bulk, open_context_of, tell_redacted
from indelible.cli.paths import absolute
from indelible.cli.terminal import counted, printable
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.toolsets.context.documents.files import Added

NAMED = 10  # files that were not taken

Tell = Callable[[int, int, Path], None]


def add(command: Adding) -> None:
    """Declare the command."""
    adding = command("add", _add, "store files and folders as documents; unchanged files are not stored again")
    adding.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="a text file, or a folder (without what .gitignore names)"
    )
    adding.add_argument("--type", help="resource_type of the documents; default: code, or document for prose")
    adding.add_argument(
        "--prune", action="store_true", help="delete the documents of files that are no longer in the folders"
    )


def _add(arguments: argparse.Namespace) -> int:
    from indelible.admin import maintenance
    from indelible.core.context.call import Call
    from indelible.sanitize.validate import merged
    from indelible.toolsets.context.documents import files

    given = [absolute(file, "FILE") for file in arguments.files]
    ctx = open_context_of(arguments)
    try:
        as_bulk(ctx, "add")
        ctx = ctx.for_call(Call(tool="add"))
        with _progress() as tell:
            pause = maintenance.bulk_pause(ctx)
            done = files.add(ctx, given, arguments.type, tell, pause, prune=arguments.prune)
        maintenance.seal_due(ctx)
    finally:
        ctx.close()
    tell_redacted(merged(ctx.call.redacted))
    _tell(done)
    return 1 if done.failed else 0


def _tell(done: "Added") -> None:
    answers.give(
        {
            "added": done.new,
            "changed": done.changed,
            "unchanged": done.unchanged,
            "orphaned": done.orphaned,
            "pruned": done.pruned,
            "skipped": [{"file": str(e.path), "reason": e.why, "failed": e.failed} for e in done.skipped],
        }
    )
    reasons = done.reasons
    # what a few have in common is told first: nobody misses the text of a picture
    for each in sorted(done.skipped, key=lambda each: (not each.failed, reasons.get(each.why, 0)))[:NAMED]:
        say(f"skipped {printable(str(each.path))}: {printable(each.why)}")
    if len(done.skipped) > NAMED:
        say(f"and {len(done.skipped) - NAMED:,} more")
    pruned = f", pruned {len(done.orphaned):,}" if done.pruned else ""
    why = ", ".join(f"{count:,} {printable(why)}" for why, count in reasons.items())
    skipped = f"; skipped {counted(len(done.skipped), 'file')} ({why})" if done.skipped else ""
    added = f"added {counted(done.new, 'document')}, changed {done.changed:,}, unchanged {done.unchanged:,}"
    say(f"{added}{pruned}{skipped}")
    if done.orphaned and not done.pruned:
        say(f"kept {counted(len(done.orphaned), 'document')} of files that no longer exist; --prune deletes them")


@contextmanager
def _progress() -> Iterator[Tell]:
    """A bar on the terminal, nothing where there is none."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def tell(done: int, total: int, path: Path) -> None:
            from rich.markup import escape

            bar.update(task, completed=done, total=total, description=escape(printable(path.name)))

        yield tell
