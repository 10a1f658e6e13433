"""Edits by hand in a tree of Markdown: `indelible import --from markdown`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.commands.imports.frame import MARKDOWN, REFUSED, store
from indelible.cli.opening import say_problems, tell_redacted
from indelible.cli.paths import absolute
from indelible.cli.terminal import counted
from indelible.errors import InvalidInput
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.transfer.markdown.hand_edits import Taken


def import_edits(arguments: argparse.Namespace) -> int:
    """Run `indelible import --from markdown DIR`; the exit code is REFUSED where an edit was not taken."""
    from indelible.sanitize.validate import merged
    from indelible.transfer.markdown import hand_edits

    if arguments.file in (None, "-"):
        raise InvalidInput(f"--from {MARKDOWN} reads a directory, not standard input; give its path")
    root = absolute(Path(arguments.file), "FILE")
    with store(arguments) as (ctx, pause):
        done = hand_edits.take_in(ctx, root, pause, deletes=arguments.deletions, keeps_files=arguments.dry_run)
    tell_redacted(merged(ctx.call.redacted))
    return _say_taken(done, dry_run=arguments.dry_run)


def _say_taken(done: "Taken", *, dry_run: bool) -> int:
    problems = [
        *(f"{path} {reason}" for path, reason in done.refused.items()),
        *(
            f"{path} was edited, and its record was changed in the store since: that stays"
            + (f", the edit is kept in {kept}" if kept else "")
            for path, kept in done.conflicts.items()
        ),
        *(f"{path} was deleted by hand, its record is still there; --deletions deletes it" for path in done.missing),
    ]
    counts = {"added": len(done.added), "changed": len(done.changed), "deleted": len(done.deleted)}
    answers.give({"imported": counts, "skipped": done.unchanged, "problems": problems})
    say_problems(problems)
    took = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count) or "nothing new"
    left = f", {counted(len(problems), 'problem')}" if problems else ""
    say(f"{'would take' if dry_run else 'took'} in {took}, {done.unchanged:,} unchanged{left}")
    return REFUSED if done.refused or done.conflicts else 0
