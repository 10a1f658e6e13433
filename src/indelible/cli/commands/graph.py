"""The knowledge graph for people: what fixed an error before, and what a command breaks."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from indelible.cli import answers
from indelible.cli.opening import Adding, open_existing, tell_redacted
from indelible.cli.terminal import shortened, table
from indelible.stderr import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from indelible.core.context.context import Context
    from indelible.toolsets.graph.recipes import Fix

T = TypeVar("T")


def add(command: Adding) -> None:
    """Declare the commands."""
    fixes = command("fixes", _fixes, "show what fixed an error before, best first")
    fixes.add_argument(
        "error",
        nargs="+",
        help="its message or key (err#, warn#); dep#NAME: a dependency that caused it; fix#: evidence",
    )
    breaks = command("breaks", _breaks, "show which errors a command led to, and what fixed them")
    breaks.add_argument("command", nargs="+", help="as you type it (in quotes if it has options), or its key (cmd#)")


def _fixes(arguments: argparse.Namespace) -> int:
    from indelible.errors import NotFound
    from indelible.toolsets.graph import recipes

    def find(ctx: "Context", error: str) -> "Sequence[Fix]":
        if error.startswith("dep#"):
            return recipes.fixes_by_dependency(ctx, error)
        if not error.startswith("fix#"):
            return recipes.prior_fixes(ctx, error)
        fix = recipes.evidence(ctx, error)
        if fix is None:
            raise NotFound(f"there is no fix {error!r:.200}; `indelible fixes ERROR` lists the fixes of an error")
        return [fix]

    found = _asked(arguments, "fixes", " ".join(arguments.error), find)
    answers.give({"fixes": [recipes.fix_fields(fix) for fix in found]})
    if not found:
        say("no fix is known")
    rows = [(_result(fix), fix.record.key, shortened(_what(fix)), ", ".join(fix.changes)) for fix in found]
    table(("result", "fix", "strategy", "changes"), rows)
    return 0


def _breaks(arguments: argparse.Namespace) -> int:
    from indelible.toolsets.graph import recipes

    found = _asked(arguments, "breaks", " ".join(arguments.command), recipes.breaks)
    answers.give({"errors": [recipes.breakage_fields(each) for each in found]})
    if not found:
        say("nothing is known to break with this command")
    rows = [
        (each.record.type, str(each.captured), shortened(each.message), _what(each.fix) if each.fix else "none")
        for each in found
    ]
    table(("type", "captured", "message", "best fix"), rows)
    return 0


def _asked(
    arguments: argparse.Namespace, name: str, text: str, find: "Callable[[Context, str], Sequence[T]]"
) -> "Sequence[T]":
    """Ask as a tool call does: what was typed is admitted, and an event is logged."""
    from indelible.core.context.dispatch import Asked, perform

    ctx = open_existing(arguments)
    try:
        answer = perform(ctx, Asked(name, {"text": text}), lambda ctx, clean: find(ctx, clean["text"]))
    finally:
        ctx.close()
    tell_redacted(answer.redacted)
    found: Sequence[T] = answer.value
    return found


def _what(fix: "Fix") -> str:
    return fix.strategy or "; ".join(fix.mends) or fix.record.key


def _result(fix: "Fix") -> str:
    if not fix.outcomes:
        return "documented, untried" if fix.documents else "untried"
    return f"{fix.worked} of {fix.worked + fix.failed} worked" + (f", {fix.partial} in part" if fix.partial else "")
