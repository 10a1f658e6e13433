"""The answer of a command to a script: with --json one object on one line of standard output.

Its shape, one for all commands, is in `answer.schema.json`. A command gives its result by `give` whether a script asks
for it or not; its words for people (`terminal.out`, `terminal.table`) are dropped where one does, and the lines on
standard error are in the answer too, as `notes`.
"""

from typing import Any

from indelible import stderr

SHAPE = 1  # the version of the shape: a higher one where a field goes or means something else, not where one comes
INCOMPLETE = "not all of it succeeded: see result and notes"


class _Answer:
    """The answer that a command is about to give: its name, its result, why it failed, what it said beside."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.result: dict[str, Any] | None = None
        self.error: tuple[str, str] | None = None
        self.notes: list[str] = []


_open: list[_Answer] = []  # the one of the running command, none where people are to read it


def begin(command: str) -> None:
    """Ask the command that runs now for its answer as JSON; `command` is its name, with its action behind it."""
    drop()
    _open.append(_Answer(command))
    stderr.listeners.append(_open[0].notes)


def drop() -> None:
    """Ask for no answer as JSON, whatever was begun."""
    while _open:
        _stop_listening(_open.pop())


def _stop_listening(answer: _Answer) -> None:
    stderr.listeners[:] = [each for each in stderr.listeners if each is not answer.notes]


def are_wanted() -> bool:
    """Return whether a script reads the answer, so that nothing is asked and nothing else is printed."""
    return bool(_open)


def give(result: dict[str, Any]) -> None:
    """Give the result of the command: what it found or did, by names that `answer.schema.json` has."""
    if _open:
        _open[0].result = result


def fail(kind: str, message: str) -> None:
    """Note why a command ends with another exit code than 0; a line that says so on standard error is no note then."""
    if _open:
        _open[0].error = (kind, message)
        _stop_listening(_open[0])


def finished(code: int) -> dict[str, Any] | None:
    """Return the answer of the command that ended with an exit code, None where none is wanted; it is closed."""
    if not _open:
        return None
    answer = _open[0]
    drop()
    fields: dict[str, Any] = {"indelible": SHAPE, "command": answer.command, "ok": code == 0}
    if answer.result is not None or code == 0:
        fields["result"] = answer.result or {}
    if code != 0:
        kind, message = answer.error or ("incomplete", INCOMPLETE)
        fields["error"] = {"kind": kind, "message": message}
    return {**fields, "notes": answer.notes}
