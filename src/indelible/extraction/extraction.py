"""Captures from the events of a session: what its user stated, failures with their fixes, one record of the session.

No language model: each capture is there because an event says it in so many words (docs/design/extraction.md).
"""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from hashlib import sha256
from typing import Any, Literal

from indelible.dataclass import dataclass
from indelible.extraction import decisions, own_words, shell, statements, topics
from indelible.extraction.failures import Change, Failure, Failures, ended, essential, is_worth_keeping
from indelible.extraction.sessions import Session
from indelible.search.failures import signature

Event = Mapping[str, Any]  # the common event, see events.py
Kind = Literal["decision", "statement", "failure", "session"]

MOST_KEPT = 6  # statements and failures of a session ...
FAILURES = 2  # ... of which so many failures are not displaced by statements
MOST_FILES = 10
MOST_CHANGES = 4  # changes of a fix that are listed
LONGEST_FIX = 1_200  # characters


@dataclass(frozen=True, slots=True)
class Capture:
    """One capture, from which a memory is made.

    `key` is the same for the same capture each time that the session's events are read, also when there are more of
    them; its content may have grown. `metadata` has the fields of the kind; of a failure: error_type (as failures have
    it), error_message, signature (search/failures.py), fix ("" where there is none), files, command.
    """

    key: str
    kind: Kind
    content: str
    memory_type: str
    tags: tuple[str, ...]
    importance: float
    metadata: dict[str, Any] = field(hash=False)
    time: int = 0  # microseconds since 1970 UTC: when it was said, or failed first, or the session last did something
    own: bool = False  # the user certainly typed it, of a session its `request`, and it needs no review to be shown


def captures(
    events: Sequence[Event], top_of: Callable[[str], str] = str, repository_of: Callable[[str], str] = lambda top: ""
) -> list[Capture]:
    """Return the captures of the events of one session, given in order; a pure function, linear in its input.

    Statements first, then failures that were fixed, then those left when the session ended, at most MOST_KEPT of all,
    then the session. An event that repeats an earlier one with its id, or is invalid, is skipped. `top_of` gives for a
    directory that the session worked in the one that files are called by: itself, or a directory above it; and
    `repository_of` for one of these a name that all worktrees of its repository share, "" outside of any.
    """
    worktrees = _Worktrees(top_of, repository_of)
    session, failures, stated = Session(), Failures(worktrees.are_two), _Stated(any(map(_is_work, events)))
    read = [_placed(event) for event in _once(events)]
    for event, prompts in zip(read, statements.prompts(read), strict=True):
        _read(event, session, failures)
        for prompt in prompts:
            stated.prompt(prompt, int(event.get("time") or 0))
        if event.get("what") == "turn_ended":
            stated.answer(str(event.get("text") or ""), int(event.get("time") or 0))
    places = _Places(sorted({top_of(directory) for directory in session.directories}, key=len, reverse=True))
    met = list(failures.fixed)
    if session.ended:
        met += (failure for failure in failures.left if failure.runs > 1)
    failed = _unique(_failure(failure, places, session) for failure in met if is_worth_keeping(failure))
    found = [*stated.captures(places, MOST_KEPT - min(len(failed), FAILURES))]
    found += failed[: MOST_KEPT - len(found)]
    counts = (len(failures.fixed), sum(failure.runs > 1 for failure in failures.left))
    text = session.text(places.plain, *counts)
    if text:
        found.append(_session(session, text, places, counts))
    return found


def _is_work(event: Event) -> bool:
    return event.get("what") == "tool" and event.get("action") in ("command", "edit")


def _once(events: Sequence[Event]) -> list[Event]:
    """Return the events without those that repeat an earlier one with its id."""
    found: list[Event] = []
    seen: set[str] = set()
    for event in events:
        name = str(event.get("id") or "")
        if not name or name not in seen:
            found.append(event)
        seen.add(name)
    return found


def _placed(event: Event) -> Event:
    """Return an edit with the whole paths of its files: those of a patch are relative to where it is applied."""
    if event.get("what") != "tool" or event.get("action") != "edit":
        return event
    directory, edits = str(event.get("cwd") or ""), event.get("edits")
    placed = [
        {**edit, "path": _whole(str(edit.get("path") or ""), directory)} if isinstance(edit, Mapping) else edit
        for edit in (edits if isinstance(edits, list) else [])
    ]
    return {**event, "subject": _whole(str(event.get("subject") or ""), directory), "edits": placed}


def _whole(path: str, directory: str) -> str:
    is_relative = path and "\\" not in path and path[1:2] != ":" and not path.startswith(("/", "~"))
    return posixpath.normpath(f"{directory}/{path}") if is_relative and directory.startswith("/") else path


def _read(event: Event, session: Session, failures: Failures) -> None:
    session.note(event)
    what = event.get("what")
    if what == "tool" and event.get("action") == "edit":
        edits = event.get("edits")
        if event.get("outcome") != "failed":
            failures.change(edits if isinstance(edits, list) and edits else [{"path": event.get("subject")}])
    elif what == "tool" and event.get("action") == "command":
        line = shell.line(str(event.get("subject") or ""), str(event.get("cwd") or ""))
        run = ended(event, line)
        if run is not None:
            session.ran(line, failed=run[0])
            failures.run(event, line, *run)


class _Worktrees:
    """The worktrees and repositories of directories, each looked up once."""

    def __init__(self, top_of: Callable[[str], str], repository_of: Callable[[str], str]) -> None:
        self._top_of, self._repository_of = cache(top_of), cache(repository_of)

    def are_two(self, one: str, other: str) -> bool:
        """Return whether two directories are in different worktrees of one repository."""
        if not one or not other or one == other:
            return False
        tops = {self._top_of(one), self._top_of(other)}
        repositories = {self._repository_of(top) for top in tops}
        return len(tops) == 2 and len(repositories) == 1 and "" not in repositories


def _unique(found: Iterable[Capture]) -> list[Capture]:
    """The captures by their keys, the first of each: an error that was fixed twice is one."""
    by_key: dict[str, Capture] = {}
    for capture in found:
        by_key.setdefault(capture.key, capture)
    return list(by_key.values())


def _hash(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Places:
    """The short form of paths in a project: without its top, and those of others that the session worked in."""

    directories: Sequence[str]

    def plain(self, text: str) -> str:
        """Return a text whose absolute paths below these directories are made relative to them."""
        for directory in self.directories:
            text = text.replace(f"{directory}/", "").replace(f"{directory}\\", "")
        return text


# --- Statements ---

_TYPES = {"decision": "decision", "rule": "preference", "preference": "preference", "fact": "insight"}
_IMPORTANCE = {"decision": 0.7, "rule": 0.8, "preference": 0.6, "fact": 0.6}
OF_AN_AGENT = 0.6  # the importance of what an agent says that it decided


@dataclass(slots=True)
class _Stated:
    """The statements of a session's messages, in order, without those that the person's next message withdrew."""

    working: bool  # statements in a session of work are about it
    found: list[tuple[statements.Statement, bool, int]] = field(default_factory=list)
    before: int = 0  # how many there were before the last message of a person

    def prompt(self, prompt: statements.Prompt, time: int) -> None:
        """Read what a person said."""
        if decisions.takes_back(prompt.text):
            del self.found[self.before :]
        self.before = len(self.found)
        self.found += [(each, True, time) for each in statements.statements(prompt, working=self.working)]

    def answer(self, text: str, time: int) -> None:
        """Read what the agent said at the end of a turn."""
        made = decisions.decisions(text, asked=False, working=self.working)
        self.found += [(statements.of_decision(each), False, time) for each in made]

    def captures(self, places: _Places, most: int) -> Iterator[Capture]:
        """Yield a capture each, the first of those with the same words, at most `most`.

        The user's come before the agent's, of these what needs no review before the rest, the surer before others.
        """
        once: dict[str, tuple[statements.Statement, bool, int]] = {}
        for each in self.found:
            once.setdefault(f"{each[0].kind}:{_hash(' '.join(each[0].text.casefold().split()))}", each)
        surest = sorted(once, key=lambda key: (not once[key][1], not once[key][0].own, -once[key][0].score))[:most]
        for key in sorted(surest, key=list(once).index):
            yield _statement(key, *once[key], places)


def _statement(key: str, stated: statements.Statement, asked: bool, time: int, places: _Places) -> Capture:
    text = places.plain(stated.text)
    files = [places.plain(file) for file in stated.files]
    beside = [file for file in files if file not in text]
    return Capture(
        key=key,
        kind="decision" if stated.kind == "decision" else "statement",
        content=f"{text} (files: {', '.join(beside)})" if beside else text,
        memory_type=_TYPES[stated.kind],
        tags=(stated.kind, *stated.topics),
        importance=_IMPORTANCE[stated.kind] if asked else OF_AN_AGENT,
        metadata={
            "files": files,
            "language": stated.language,
            "stated_by": "user" if asked else "agent",
        },
        time=time,
        own=asked and stated.own,
    )


# --- Failures ---


def _failure(failure: Failure, places: _Places, session: Session) -> Capture:
    message = places.plain(failure.error.message)
    mark = signature(failure.error_type, message)
    command = places.plain(failure.command.text)
    changes = _relevant(failure.changes)
    files = list(dict.fromkeys(places.plain(change.path) for change in changes if change.path))[:MOST_FILES]
    fix = _fix(changes, files, places)
    return Capture(
        key=f"failure:{_hash(mark, failure.command.name)}",
        kind="failure",
        content=_content(failure, command, message, fix, places),
        memory_type="insight",
        tags=("failure", failure.error_type, *([failure.error.family] if failure.error.family != "other" else [])),
        importance=0.6 if fix else 0.4,
        metadata={
            "error_type": failure.error_type,
            "error_message": message,
            "signature": mark,
            "fix": fix,
            "files": files,
            "command": command,
            "places": [places.plain(place) for place in failure.error.places],
            "tests": [places.plain(test) for test in failure.error.tests],
            "runs": failure.runs,
        },
        time=failure.time,
    )


def _content(failure: Failure, command: str, message: str, fix: str, places: _Places) -> str:
    where = [places.plain(place) for place in (*failure.error.tests[:2], *failure.error.places[:2])]
    where = [place for place in where if not place.startswith("/")]  # not the project's
    parts = [f"`{command}` failed: {message}"]
    if failure.error.lines:
        parts.append(f"({'; '.join(places.plain(line) for line in failure.error.lines[:3])})")
    if where:
        parts.append(f"at {', '.join(dict.fromkeys(where))}")
    ending = "this error was gone" if failure.resolved is not None else "it passed"
    after = f"Fix: {fix} After that {ending}." if fix else f"It failed {failure.runs} times and was left so."
    return f"{' '.join(parts)}.\n{after}"


def _relevant(changes: Sequence[Change]) -> list[Change]:
    """Return the changes without those of documents, unless there are no others."""
    code = [change for change in changes if not change.path.endswith((".md", ".txt", ".rst", ".adoc"))]
    return code or list(changes)


def _fix(changes: Sequence[Change], files: Sequence[str], places: _Places) -> str:
    lines: list[str] = []
    shown: set[str] = set()
    for change in changes:
        if len(lines) < MOST_CHANGES:
            lines.append(_change(change, places))
            shown.add(places.plain(change.path))
    rest = [file for file in files if file not in shown]
    if rest:
        lines.append(f"also edited {', '.join(rest)}")
    text = "; ".join(dict.fromkeys(lines))
    text = text if len(text) <= LONGEST_FIX else text[: LONGEST_FIX - 1] + "…"
    return f"{text}." if text else ""


def _change(change: Change, places: _Places) -> str:
    if not change.path:
        return f"ran `{change.command}`"
    path = places.plain(change.path)
    old, new = essential(change)
    if not old and not new:
        return f"edited {path}" if change.old == change.new else f"changed white space in {path}"
    if not old:
        return f"added to {path}: `{new}`"
    return f"in {path}: `{old}` -> `{new}`" if new else f"removed from {path}: `{old}`"


# --- The session ---


def _session(session: Session, text: str, places: _Places, counts: tuple[int, int]) -> Capture:
    files = [places.plain(path) for path in session.edited]
    request = own_words.request(session.first)
    return Capture(
        key="session",
        kind="session",
        content=text,
        memory_type="context",
        tags=("session", *topics.topics(session.asked)),
        importance=0.3,
        metadata={
            "started": session.started,
            "ended": session.last,
            "prompts": session.prompts,
            "edits": session.edits,
            "files": files[:MOST_FILES],
            "commands": session.commands,
            "failed": session.failed,
            "searches": session.searches,
            "reads": session.reads,
            "failures_fixed": counts[0],
            "failures_left": counts[1],
            **({"request": request} if request else {}),
        },
        time=session.last,
        own=bool(request),
    )
