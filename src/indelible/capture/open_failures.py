"""The open failures of a project: commands that failed when they were last run, as hooks reported them."""

from collections.abc import Iterable
from typing import NamedTuple

from indelible.capture import hook_events
from indelible.capture.repeated_failures import LOOKED_AT, run_of
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
    known: list[tuple[shell.Command, ...]] = []
    for row in sorted(rows, key=lambda row: row.place, reverse=True):
        ran = run_of(row)
        is_new = bool(ran) and not any(_may_be_one(ran, other) for other in known)
        run = ended(hook_events.event_of(row), shell.line(row.subject)) if is_new else None
        if run is None:
            continue
        known.append(ran)
        failed, error = run
        if failed:
            message = error.message if error else ""
            found.append(OpenFailure(row.subject, message, row.time, row.client, row.session))
        if len(found) == most:
            break
    return found


def _may_be_one(ran: tuple[shell.Command, ...], other: tuple[shell.Command, ...]) -> bool:
    """Whether two runs are of the same commands, and none of them in another directory beside that of the other."""
    places = ((one.place, two.place) for one, two in zip(ran, other, strict=False))
    return ran == other and not any(shell.are_apart(one, two) for one, two in places)
