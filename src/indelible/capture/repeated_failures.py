"""The warning before a command that failed alike in an earlier session, with nothing changed in the project since.

A command that fails in the session itself is normal work, and so are tests: they are run to see whether they fail. Any
edit, and any other command that passed and may have changed something, ends it.
"""

from collections.abc import Iterable, Iterator, Sequence

from indelible.capture import hook_events, spool
from indelible.capture.brief import age, shortened
from indelible.core.context.scoping import Scope
from indelible.errors import InvalidInput
from indelible.extraction import shell
from indelible.extraction.failures import ended
from indelible.extraction.programs import is_looking, is_test
from indelible.sanitize.prompt_frame import escaped, one_line, warning_frame
from indelible.store.database import Transaction
from indelible.store.tables import activity
from indelible.store.tables.activity import Activity

SINCE = 30 * 86_400_000_000  # microseconds back that a failure is looked for
LOOKED_AT = 200  # newest commands and edits of a project
MOST_WAITING = 200  # events in the spool that are looked through; where there are more, nothing is known for sure
LONGEST_COMMAND, LONGEST_MESSAGE = 160, 240  # characters that are told


def waiting(inbox: str) -> list[Activity] | None:
    """Return the events that hooks left and nobody has taken in yet, of any project; None where these are too many."""
    names = spool.waiting(inbox, MOST_WAITING + 1)
    return None if len(names) > MOST_WAITING else list(_read(inbox, names))


def _read(inbox: str, names: Iterable[str]) -> Iterator[Activity]:
    for name in names:
        try:
            yield hook_events.row_of(spool.read(inbox, name))
        except (InvalidInput, OSError):  # no event, or just taken in
            continue


def warning(
    tx: Transaction,
    scope: Scope,
    waiting: Sequence[Activity],
    command: str,
    session: str,
    now: int,
    directory: str = "",
) -> str:
    """Return the warning for a command that is about to run in a session, in a frame for a model; "" for none.

    `directory` is where it will run, "" where that is not known. `waiting` are events that are not in the store yet,
    `session` is `client:id`, `now` in microseconds since 1970 UTC.
    """
    planned = run_by(command, directory)
    if not planned or any(map(is_test, planned)) or any(_ends_it(row, planned) for row in waiting):
        return ""
    stored = [
        row
        for name in sorted(scope.own_among(set(activity.namespaces(tx))))
        for row in activity.newest_calls(tx, name, now - SINCE, LOOKED_AT)
    ]
    for row in sorted(stored, key=lambda row: row.place, reverse=True):
        if _ends_it(row, planned):
            return _text(row, now) if row.session != session else ""
    return ""


def _ends_it(row: Activity, planned: tuple[shell.Command, ...]) -> bool:
    """Whether nothing before an event matters: it changed something, or is the last run of what is planned."""
    if row.action == "edit":
        return row.outcome != "failed"
    ran = run_of(row)
    if not ran or _is_the_same(ran, planned):
        return bool(ran)
    run = ended(hook_events.event_of(row), shell.line(row.subject))
    return run is not None and not run[0] and not all(map(is_test, ran))


def _is_the_same(ran: tuple[shell.Command, ...], planned: tuple[shell.Command, ...]) -> bool:
    """Whether two runs are of the same commands, each in the same directory as far as that is known."""
    places = ((one.place, other.place) for one, other in zip(ran, planned, strict=False))
    return ran == planned and all(not one or not other or one == other for one, other in places)


def run_by(line: str, directory: str = "") -> tuple[shell.Command, ...]:
    """Return what a line runs in a directory, as runs are compared, without what only looks about."""
    return tuple(each for each in shell.line(line, directory).commands if not is_looking(each))


def run_of(row: Activity) -> tuple[shell.Command, ...]:
    """Return what the command of an event ran, as `run_by`; nothing where it is no command."""
    return run_by(row.subject, str(row.detail.get("cwd") or "")) if row.action == "command" else ()


def _text(row: Activity, now: int) -> str:
    """Return the warning of an event if that is a run that failed with an error, "" if it is none."""
    run = ended(hook_events.event_of(row), shell.line(row.subject)) if row.action == "command" else None
    if run is None or not run[0] or run[1] is None:
        return ""
    before, behind = warning_frame()
    command = escaped(shortened(one_line(row.subject), LONGEST_COMMAND))
    error = escaped(shortened(one_line(run[1].message), LONGEST_MESSAGE))
    return f"{before}`{command}` failed {age(row.time, now)}: {error}\n{behind}"
