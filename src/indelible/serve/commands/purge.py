"""Everything of one project taken away."""

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from indelible.errors import IndelibleError, InvalidInput
from indelible.serve.opening import Adding, open_existing
from indelible.serve.paths import namespace_of
from indelible.serve.terminal import counted, out, printable, say, shown, table

if TYPE_CHECKING:
    from indelible.engine.context import Context

EVENT, CODE = "event", "code entry"
FORGOTTEN = {EVENT: "the events", CODE: "the code"}  # what no undo brings back
LONGEST_SHOWN = 4_096  # characters: a path must be seen whole before everything in it is deleted


def add(command: Adding) -> None:
    """Declare the command."""
    purge = command("purge", _purge, "delete everything of a namespace, of all kinds; `indelible undo` brings it back")
    purge.add_argument("--namespace", required=True, metavar="NS", help="which one: a project's directory, or its name")
    purge.add_argument("--yes", action="store_true", help="do not ask")


def _purge(arguments: argparse.Namespace) -> int:
    from indelible.engine import namespaces
    from indelible.engine.context import Call

    namespace = namespace_of(arguments.namespace)
    named = printable(shown(namespace, LONGEST_SHOWN))
    ctx = open_existing(arguments)
    try:
        _drain(ctx)
        found, events = namespaces.contents(ctx, namespace), namespaces.activity_in(ctx, namespace)
        code = namespaces.code_in(ctx, namespace)
        if not found and not events and not code:
            out(f"nothing is stored in namespace {named}")
            return 0
        if not arguments.yes and not _confirmed(namespace, found, {EVENT: events, CODE: code}, ctx.settings.trash_days):
            say("nothing was deleted")
            return 1
        purged = namespaces.purge(ctx.for_call(Call(tool="purge")), namespace)
    finally:
        ctx.close()
    if purged:
        them = "it" if sum(purged.values()) == 1 else "them"
        out(f"deleted {_counted(purged)} of namespace {named}; `indelible undo` brings {them} back")
    if events:
        out(f"forgot {counted(events, EVENT)} of sessions in namespace {named}, for good")
    if code:
        out(f"forgot {counted(code, CODE)} of namespace {named}; `indelible index` finds them again")
    return 0


def _drain(ctx: "Context") -> None:
    """Take in what waits, and wait for who does so already: else it would come in behind the purge."""
    from indelible.capture import spool
    from indelible.engine import capture

    data = str(ctx.settings.data)
    try:
        capture.drain(ctx, wait=True)
    except IndelibleError as error:
        say(f"what hooks left was not taken in, and may come in behind the purge: {error}")
    aside = len(spool.set_aside_names(data))
    if aside:
        say(f"not purged, since nobody can say whose: {counted(aside, 'event')} in {spool.directory(data)}/bad")


def _confirmed(namespace: str, found: Mapping[str, int], forgotten: Mapping[str, int], days: int) -> bool:
    """Whether the person at the terminal wants it. Raises InvalidInput where there is none."""
    derived = {name: count for name, count in forgotten.items() if count}
    if not sys.stdin.isatty():
        raise InvalidInput(
            f"purge would delete {_counted({**found, **derived})} of namespace {shown(namespace, LONGEST_SHOWN)!r}; "
            "add --yes to do it without asking"
        )
    named = {EVENT: "event of a session", CODE: CODE}
    rows = [(named.get(kind, kind), str(count)) for kind, count in {**found, **derived}.items()]
    table(("kind", "records"), rows)
    sys.stdout.flush()
    but = f", but for {' and '.join(FORGOTTEN[name] for name in derived)}" if derived else ""
    sys.stderr.write(f"Delete all of this? It can be brought back for {days} days{but}. [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(counted(count, kind) for kind, count in counts.items()) or "nothing"
