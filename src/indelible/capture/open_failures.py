"""The open failures of a project: commands that failed when they were last run, as hooks reported them."""

from collections.abc import Iterable
from typing import NamedTuple

from indelible.capture import hook_events
from indelible.capture.repeated_failures import LOOKED_AT, run_by
from indelible.extraction import shell
from indelible.extraction.failures import ended
from indelible.store.database import Transaction
from indelible.store.tables import activity

DAYS = 7  # back that they are looked for


class OpenFailure(NamedTuple):
    """A run that failed, its error's message, when (microseconds since 1970 UTC), and in which client's session."""

    command: str
    error: str
    time: int
    client: str
    session: str


def newest(tx: Transaction, namespaces: Iterable[str], now: int, most: int) -> list[OpenFailure]:
    """Return those of the stored namespaces of a project, newest first, one for each command; ties by event.

    Runs are compared as the warning before a repeated failure compares them. One whose end is unknown counts for
    nothing; neither do edits: only a run that passed says that a failure is mended.
    """
    since = now - DAYS * 86_400_000_000
    rows = [row for name in sorted(set(namespaces)) for row in activity.newest_calls(tx, name, since, LOOKED_AT)]
    found: list[OpenFailure] = []
    known: set[tuple[shell.Command, ...]] = set()
    for row in sorted(rows, key=lambda row: row.place, reverse=True):
        ran = run_by(row.subject) if row.action == "command" else ()
        run = ended(hook_events.event_of(row), shell.line(row.subject)) if ran and ran not in known else None
        if run is None:
            continue
        known.add(ran)
        failed, error = run
        if failed:
            message = error.message if error else ""
            found.append(OpenFailure(row.subject, message, row.time, row.client, row.session))
        if len(found) == most:
            break
    return found
