"""Failed commands of a session and the changes that fixed them, matched in one pass over the events.

A failure is open from its first failed run to a run that passes and runs the same (`shell.Command.covers`). The changes
between the last run that showed its error and the next run without it are its fix. A command that passes again without
any change was a slip, or flaky: no failure worth keeping.
"""

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import PurePosixPath
from typing import Any

from indelible.dataclass import dataclass
from indelible.extraction import outcomes, shell, verdicts
from indelible.extraction.outcomes import Error, ErrorType
from indelible.extraction.programs import is_changing, is_looking, is_test
from indelible.search.failures import signature

MOST_OPEN = 48  # failures that wait for a run that passes; the oldest give way
MOST_EDITS = 40  # edits of a fix that are kept
_SHOWING_THE_END = frozenset(("tail", "tee", "cat"))  # filters that a runner's last words come through
_STOPS_UNKNOWN = ("", "claude-code")  # clients whose "unknown" may be a call that somebody stopped


@dataclass(frozen=True, slots=True)
class Change:
    """A change that somebody made: an edit of a file, or a command that changes what others run on."""

    path: str  # "" of a command
    old: str
    new: str
    command: str
    place: str = ""  # the directory of the file, or where the command ran; "" where that is not known


@dataclass(slots=True)
class Failure:
    """A failed command: its error, the time of its first failure, its runs, and the changes that fixed it."""

    command: shell.Command
    error: Error
    error_type: ErrorType
    signature: str
    time: int
    first: int  # changes before the first run that showed this error
    seen: int  # and before the last one
    runs: int = 1
    expected: bool = False  # an assertion of a test that was edited before it failed
    resolved: int | None = None  # and before the next run, where that showed another error
    changes: list[Change] = field(default_factory=list)


class Failures:
    """The failures of one session, fed with its tool calls in order.

    `are_worktrees` says of two directories whether they are in different worktrees of one repository: what is changed
    in one changes nothing in the other.
    """

    def __init__(self, are_worktrees: Callable[[str, str], bool] = lambda one, other: False) -> None:
        self._are_worktrees = are_worktrees
        self._open: list[Failure] = []
        self._done: list[Failure] = []
        self._changes: list[Change] = []

    @property
    def fixed(self) -> Sequence[Failure]:
        """The failures that passed after a change, in the order of passing."""
        return self._done

    @property
    def left(self) -> Sequence[Failure]:
        """The failures that remain, in the order of failing first."""
        return self._open

    def change(self, edits: Sequence[Mapping[str, Any]]) -> None:
        """Note edits of files."""
        for edit in edits:
            path, old, new = (str(edit.get(name) or "") for name in ("path", "old", "new"))
            if path:
                place = posixpath.dirname(path) if path.startswith("/") else ""
                self._changes.append(Change(path, old, new, "", place))

    def run(self, event: Mapping[str, Any], line: shell.Line, failed: bool, error: Error | None) -> None:
        """Note a run of a shell line: it failed with an error (None if no error is recognised), or passed."""
        commands = [command for command in line.commands if not is_looking(command)]
        if not commands:
            return
        if not failed:
            self._pass(commands)
            changing = [command for command in commands if is_changing(command)]
            self._changes += [Change("", "", "", command.text, command.place) for command in changing]
        elif error is not None:
            self._fail(event, _culprit(commands, error), error)

    def _fail(self, event: Mapping[str, Any], command: shell.Command, error: Error) -> None:
        """Note a failed run: another one of an open error, or the first; the command's other errors are resolved."""
        known = "test" if is_test(command) and error.error_type == "runtime" else error.error_type
        mark, now = signature(known, error.message), len(self._changes)
        others = [failure for failure in self._open if self._is_run_of(command, failure)]
        same = next((failure for failure in others if failure.signature == mark), None)
        if same is None and others and outcomes.is_spelling(error.message):
            return  # an attempt broke something else: the error before it is still open
        for failure in others:
            if failure is not same and failure.resolved is None:
                failure.resolved = now
        if same is not None:
            same.runs, same.seen, same.resolved = same.runs + 1, now, None
        elif not outcomes.is_slip(error.message):
            new = Failure(command, error, known, mark, int(event.get("time") or 0), now, now)
            new.expected = known == "test" and outcomes.is_assertion(error.message) and self._edited(error)
            self._open = [*self._open, new][-MOST_OPEN:]

    def _is_run_of(self, command: shell.Command, failure: Failure) -> bool:
        """Whether a command of a failure's name runs where that failed."""
        place = failure.command.place
        is_there = not shell.are_apart(command.place, place) and not self._are_worktrees(command.place, place)
        return command.name == failure.command.name and is_there

    def _edited(self, error: Error) -> bool:
        """Whether somebody edited a test of an error before it failed."""
        names = [place.partition(":")[0] for place in (*error.tests, *error.places)]
        tests = {PurePosixPath(name).name for name in names if "test" in name or "spec" in name}
        return any(PurePosixPath(change.path).name in tests for change in self._changes if change.path)

    def _pass(self, commands: Sequence[shell.Command]) -> None:
        still: list[Failure] = []
        for failure in self._open:
            if not any(self._is_run_of(command, failure) and _passes(command, failure) for command in commands):
                still.append(failure)
                continue
            changes = self._reaching(failure, failure.seen, failure.resolved)
            if failure.resolved is None and not changes:
                changes = self._reaching(failure, failure.first, None)  # it takes some time to show
            failure.changes = changes[-MOST_EDITS:]
            if changes and not _was_unwritten(failure):
                self._done.append(failure)
        self._open = still

    def _reaching(self, failure: Failure, first: int, until: int | None) -> list[Change]:
        """Return the changes between two counts of them, without those of other worktrees."""
        place = failure.command.place
        return [each for each in self._changes[first:until] if not self._are_worktrees(each.place, place)]


def is_worth_keeping(failure: Failure) -> bool:
    """Whether a later session can use a failure: not where a formatter, a linter or a compiler's message mends it.

    Nor an assertion of a test that was written, or changed, before it failed: it was meant to fail. A program that a
    machine lacks was mended by a command, and not by an edit of something else.
    """
    if outcomes.is_mended_by_its_message(failure.error):
        return False
    if outcomes.is_no_program(failure.error.message) and not any(change.command for change in failure.changes):
        return False
    return not failure.expected


def _was_unwritten(failure: Failure) -> bool:
    """Whether the missing thing was only then written: a test that came before its code."""
    if not outcomes.is_missing(failure.error.message):
        return False
    made = (PurePosixPath(change.path).stem for change in failure.changes if change.path and not change.old)
    return any(name and name in failure.error.message for name in made)


def _culprit(commands: Sequence[shell.Command], error: Error) -> shell.Command:
    """Return the command of a line that caused an error: the one that its message begins with, or of its family.

    Else the last test, else the last command.
    """
    named = error.message.partition(":")[0]
    for command in commands:
        if command.program == named:
            return command
    for command in commands:
        if error.family in (command.program, command.action) or (error.family == "rust" and command.program == "cargo"):
            return command
    tests = [command for command in commands if is_test(command)]
    return (tests or commands)[-1]


def _passes(command: shell.Command, failure: Failure) -> bool:
    """Whether a passing command runs what failed: the same or more, or the files of the tests that failed."""
    if command.covers(failure.command):
        return True
    files = {test.partition("::")[0] for test in failure.error.tests if "/" in test or "." in test}
    if not files or command.name != failure.command.name or command.chosen:
        return False
    return all(command.covers(replace(failure.command, targets=frozenset([file]), chosen=())) for file in files)


def ended(event: Mapping[str, Any], line: shell.Line) -> tuple[bool, Error | None] | None:
    """Whether a call of a shell failed, and its error; None where that is unknown: stopped, or only a look.

    An exit status that a pipe or an `|| true` hides is read from the runner's last words in the output.
    """
    output, outcome = str(event.get("output") or ""), event.get("outcome")
    if outcomes.was_stopped(output) or all(is_looking(command) for command in line.commands):
        return None
    lines = outcomes.lines_of(output)
    if outcome == "failed":
        return True, outcomes.error_of(lines)
    if outcome == "ok" and not line.hides:
        return False, None
    if outcomes.says_failed(lines):
        return True, outcomes.error_of(lines)
    return (False, None) if _says_passed(event, line, output) else None


def _says_passed(event: Mapping[str, Any], line: shell.Line, output: str) -> bool:
    """Whether an output without a failure in it shows that there was none."""
    if verdicts.of_output(line.commands[0].text, output) == "ok":
        return True
    if event.get("outcome") == "ok":
        return line.filters <= _SHOWING_THE_END  # a failure would be there
    return not output.strip() and event.get("client") not in _STOPS_UNKNOWN  # what passes may say nothing


def essential(change: Change) -> Iterator[str]:
    """Yield the lines that an edit removed and those it added, without those that both begin and end with."""
    old, new = change.old.splitlines(), change.new.splitlines()
    while old and new and old[0].strip() == new[0].strip():
        del old[0], new[0]
    while old and new and old[-1].strip() == new[-1].strip():
        del old[-1], new[-1]
    yield _short(old)
    yield _short(new)


def _short(lines: Sequence[str]) -> str:
    text = " ⏎ ".join(" ".join(line.split()) for line in lines if line.strip())
    return text if len(text) <= 160 else text[:159] + "…"
