"""For an error, a command or a change: the fixes of it, the errors that it led to, all that it concerns beside."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

from indelible.cli import answers
from indelible.cli.opening import Adding, link_stored, open_existing, run_tool, short_ids, tell_redacted
from indelible.cli.terminal import out, printable, shortened, table
from indelible.stderr import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from indelible.core.context.context import Context
    from indelible.model import Record
    from indelible.toolsets.graph.recipes import Fix

T = TypeVar("T")
KEYS = ("dep#", "fix#", "err#", "warn#")  # with which the names of entities begin
LARGEST = 1 << 20  # bytes of a diff on standard input


def add(command: Adding) -> None:
    """Declare the commands."""
    fixes = command("fixes", _fixes, "show what fixed an error before, best first")
    fixes.add_argument(
        "error",
        nargs="+",
        help="its message, a part of it, or key (err#, warn#); dep#NAME: a dependency that caused it; fix#: evidence",
    )
    breaks = command("breaks", _breaks, "show which errors a command led to, and what fixed them")
    breaks.add_argument("command", nargs="+", help="as you type it (in quotes if it has options), or its key (cmd#)")
    review = command("review-diff", _review_diff, "show what a change concerns: missing files, decisions, tests")
    review.add_argument(
        "range", nargs="?", metavar="RANGE", help="A..B, one commit, or - for a diff on standard input; default: staged"
    )
    review.add_argument("--limit", type=int, help="files that may be missing, at most 50; default: 10")
    changed = command("what-changed", _what_changed, "list what changed since a time or commit")
    changed.add_argument(
        "since",
        nargs="?",
        default="1d",
        metavar="SINCE",
        help="12h, 2d, 3w, today, yesterday, an ISO 8601 time or a commit; default: %(default)s",
    )


def _fixes(arguments: argparse.Namespace) -> int:
    from indelible.capture import promotion
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

    waiting: list[tuple[Record, str]] = []

    def find_all(ctx: "Context", error: str) -> "Sequence[Fix]":
        captured = [] if error.startswith(KEYS) else promotion.waiting_fixes(ctx, error, recipes.BEST)
        shorts = short_ids(ctx, ((each.kind, each.key) for each in captured))
        waiting.extend(zip(captured, shorts, strict=True))
        return find(ctx, error)

    found = _asked(arguments, "fixes", " ".join(arguments.error), find_all)
    answers.give(
        {
            "fixes": [recipes.fix_fields(fix) for fix in found],
            "not_reviewed": [_captured_fields(record) for record, _ in waiting],
        }
    )
    rows = [(_result(fix), fix.record.key, shortened(_what(fix)), ", ".join(fix.changes)) for fix in found]
    rows += [("not reviewed", short, *_captured_cells(record)) for record, short in waiting]
    if waiting:
        say("not reviewed: captured in a session, told to the agent for reference; `indelible review` keeps or rejects")
    elif not found:
        say("no fix is known; `indelible recall WORDS` searches all that is remembered")
    table(("result", "fix", "strategy", "changes"), rows)
    return 0


def _captured_fields(record: "Record") -> dict[str, object]:
    about = record.metadata
    return {
        "id": record.key,
        "error": about.get("error_message"),
        "fix": about.get("fix"),
        "files": about.get("files", []),
    }


def _captured_cells(record: "Record") -> tuple[str, str]:
    return shortened(printable(record.metadata["error_message"])), printable(record.metadata["fix"])


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


def _review_diff(arguments: argparse.Namespace) -> int:
    from indelible.toolsets.review import findings

    given: dict[str, object] = {"staged": True}
    if arguments.range == "-":
        given = {"diff": sys.stdin.buffer.read(LARGEST).decode("utf-8", "replace")}
    elif arguments.range is not None:
        given = {"range": arguments.range}
    if arguments.limit is not None:
        given["limit"] = arguments.limit
    if given.get("diff") == "":  # as `git diff` prints it where nothing differs
        found = findings.shape(findings.fitting(0, (), (), ()))
        answers.give({**found})
    else:
        with closing(open_existing(arguments)) as ctx:
            link_stored(ctx)
            found = run_tool(ctx, "review_diff", given)
        answers.give(found)
    if given.get("staged") and not found["files"]:
        say("nothing is staged: `git add` it first, or give a range such as HEAD~1..HEAD, or - for a diff")
    for line in findings.text_of(found).splitlines():
        out(printable(line))
    return 0


def _what_changed(arguments: argparse.Namespace) -> int:
    with closing(open_existing(arguments)) as ctx:
        found = run_tool(ctx, "what_changed", {"since": arguments.since})
        texts = [*found["memories"], *found["sessions"]]
        shorts = short_ids(ctx, (("memory", each["id"]) for each in texts))
    answers.give(found)
    out(f"since {found['since']}")
    for each in found["commits"]:
        out(printable(f"commit {each['id']} {each['time']} {each['subject']}"))
    for name in found["symbols"]:
        out(printable(f"symbol {name}"))
    for each, short in zip(texts, shorts, strict=True):
        out(printable(f"{each['type']} {short} {each['text']}"))
    if not any(found[name] for name in ("commits", "symbols", "memories", "sessions")):
        say("nothing changed since then")
    for what, count in found["left_out"].items():
        out(f"left out: {count} {what}")
    for each in found["lacks"]:
        out(printable(f"not looked at: {each}"))
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
