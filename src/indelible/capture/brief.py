"""A brief of a project: what somebody who starts to work in it should know, in a number of tokens.

Decisions, open todos, failures with their fixes, preferences, insights, the last sessions; each section the foremost
first, each line with the id that brings more. In turns the sections take lines while there is room: so none pushes
another out, and what one leaves over goes to the others.

Only what somebody told or confirmed is quoted. Of captured sessions that nobody looked at there are figures, the date
and the name of a client that we know: nothing that an agent read or was told.

A hook gives it before each session, so this module needs a transaction only, and loads nothing heavy:
its nouns are named tuples, which are made in a third of the time of a dataclass.
"""

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from typing import Any, NamedTuple

from indelible.errors import InvalidInput
from indelible.sanitize.prompt_frame import brief_frame, escaped, one_line
from indelible.search.token_bound import at_most
from indelible.store.database import Transaction
from indelible.store.views import brief as rows
from indelible.store.views.brief import KnownFailure, Occurred, OpenTodo, Remembered, Unreviewed

DEFAULT, LEAST, MOST = 1_200, 100, 20_000  # tokens
NOTHING = "Indelible knows nothing of this project yet that belongs in a brief."
READ = 600  # characters of a text that are looked at
COUNTED = 500  # captured memories that are counted

DAY = 86_400_000_000  # microseconds
FORGOTTEN = 30.0  # days in which an occurrence of a failure comes to count half
RECENT = 60 * DAY  # how far back sessions are told
SESSIONS = 8  # of them at most
FULL_LENGTH = 900  # tokens from which texts have their full lengths; in smaller briefs they are shorter
SHORTEST = 48  # characters of a text

_PREFERENCES = ("preference", "style", "habit")
_INSIGHTS = ("pattern", "insight", "context")
SESSION = "session"  # what a memory of a whole session was captured as
UNTOLD = "not told"  # so begins the cause of a failure that was captured
_CLIENTS = {"claude-code": "Claude Code", "codex": "Codex", "gemini-cli": "Gemini CLI", "cursor": "Cursor"}


class Brief(NamedTuple):
    """A brief, "" where there is nothing to say; `records` (row ids) and `names` are of what it tells."""

    text: str
    records: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


class _Asked(NamedTuple):
    """What a brief is asked of: the stored `namespaces` of a project, at a time, in so many tokens."""

    tx: Transaction
    tenant: int
    namespaces: Collection[str]
    now: int
    most: int

    @property
    def lines(self) -> int:
        """How many lines of a section there can be at most."""
        return max(10, self.most // 40)

    def shortened(self, text: str, longest: int) -> str:
        """A text in one line as it may be shown, at most so long as there is room for in a brief of this size."""
        longest = max(SHORTEST, min(longest, longest * self.most // FULL_LENGTH))
        return escaped(shortened(one_line(text), longest))

    def age(self, moment: int) -> str:
        """How long ago something was, in one unit of a day or more."""
        days = max(0, self.now - moment) // DAY
        for unit, length in (("year", 365), ("month", 30), ("week", 7), ("day", 1)):
            if days >= length:
                count = days // length
                return f"{count} {unit}{'s' if count > 1 else ''} ago"
        return "today"


class _Line(NamedTuple):
    record: int
    name: str  # its id, or `kind:id`
    text: str  # as it stands in a brief


class _Section(NamedTuple):
    """A title, and what is found for it, of which a brief takes `turn` at a time; a line is made when it is due."""

    title: str
    turn: int
    found: Sequence[Any]
    line: Callable[["_Asked", Any], _Line]

    @property
    def head_size(self) -> int:
        """The tokens of its title at most, however many lines are told."""
        return at_most(f"{self.title}, the first :\n") + len(str(len(self.found)))

    def head(self, count: int) -> str:
        """The title, where `count` lines of it are told."""
        return f"{self.title}:\n" if count == len(self.found) else f"{self.title}, the first {count}:\n"


def check_tokens(most: int) -> None:
    """Raise InvalidInput for a number of tokens that no brief can have."""
    if not LEAST <= most <= MOST:
        raise InvalidInput(f"tokens must be between {LEAST} and {MOST:,}, got {most}")


def compose(
    tx: Transaction, tenant: int, source: str, namespaces: Collection[str], now: int, most: int = DEFAULT
) -> Brief:
    """The brief of the project `source`, whose stored names are the `namespaces`, in at most so many o200k tokens.

    `now` is in microseconds since 1970 UTC. The same store gives the same brief on one day. Nothing is counted as
    accessed.
    """
    asked = _Asked(tx, tenant, namespaces, now, most)
    sections = [section for section in _sections(asked) if section.found] if namespaces else []
    before, behind = brief_frame(source, _date(now))
    end = _waiting(asked) if namespaces else ""
    taken = _taken(asked, sections, most - at_most(before) - at_most(behind) - at_most(end))
    told = [line for lines in taken for line in lines]
    if not told:
        return Brief(end.strip() if at_most(end) <= most else "")
    body = "".join(
        section.head(len(lines)) + "".join(line.text for line in lines)
        for section, lines in zip(sections, taken, strict=True)
        if lines
    )
    text = f"{before}{body}{behind}{end}".rstrip("\n")
    return Brief(text, tuple(line.record for line in told), tuple(line.name for line in told))


def now() -> int:
    """The time in microseconds since 1970 UTC, for who has no Context."""
    return time.time_ns() // 1_000


def _date(moment: int) -> str:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=moment)).date().isoformat()


# --- What fits ---


def _taken(asked: _Asked, sections: Sequence[_Section], room: int) -> list[list[_Line]]:
    """The first lines of each section, as many as there is room for.

    First each has one, then they take turns. One for which the next line is too long takes no more.
    """
    taken: list[list[_Line]] = [[] for _ in sections]
    waiting = list(range(len(sections)))
    turns = [1] * len(sections)
    while waiting:
        for place in tuple(waiting):
            section, lines = sections[place], taken[place]
            due = section.found[len(lines) : len(lines) + turns[place]]
            for each in due:
                line = section.line(asked, each)
                size = at_most(line.text) + (0 if lines else section.head_size)
                if size > room:
                    break
                room -= size
                lines.append(line)
            else:
                turns[place] = section.turn
                if len(lines) < len(section.found):
                    continue
            waiting.remove(place)
    return taken


def shortened(text: str, longest: int) -> str:
    """The first `longest` characters of a line at most, up to the end of a sentence, else of a word, and dots.

    Three of ASCII: a text without any other character is counted sooner.
    """
    if len(text) <= longest:
        return text
    head = text[: longest - 3]
    ends = [found.end() for found in _compiled(r"[.!?](?=\s)|[。！？]").finditer(head)]
    end = ends[-1] if ends else 0
    if end < longest // 2:
        end = max(head.rfind(" "), end)
    if end < longest // 2:
        end = len(head)
    return head[:end].rstrip(" .,;:-\u200d") + "..."


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


# --- Ids ---

BEGINNING = 8  # characters of a UUID that stand for it where they are no other's: it takes 25 tokens, they take 6
LONGEST_ID = 80
_HEXADECIMAL = frozenset("0123456789abcdef")


def _line(asked: _Asked, record: int, name: str, text: str, about: str) -> _Line:
    """A line, with what is said about it and its id behind it."""
    about = ", ".join(part for part in (about, _shown_id(asked, name)) if part)
    return _Line(record, name, f"- {text} [{about}]\n")


def _shown_id(asked: _Asked, name: str) -> str:
    """An id as it is shown: of a UUID its beginning, where nothing else begins so; "" for what is too long."""
    if _is_uuid(name) and not rows.is_shared_beginning(asked.tx, asked.tenant, name[:BEGINNING]):
        return name[:BEGINNING]
    return escaped(one_line(name)) if len(name) <= LONGEST_ID else ""


def _is_uuid(name: str) -> bool:
    parts = name.split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and all(_HEXADECIMAL.issuperset(part) for part in parts)


# --- What is told ---


def _sections(asked: _Asked) -> Iterator[_Section]:
    """All sections in their order; those that have nothing to tell, too."""
    newest = rows.newest(asked.tx, asked.tenant, asked.namespaces, asked.lines, READ)
    known = [each for name in sorted(asked.namespaces) for each in rows.failures(asked.tx, asked.tenant, name)]
    told = frozenset(each.key for each in known)
    yield _Section("Decisions", 3, _foremost(asked, told, ("decision",)), partial(_memory, 220))
    yield _Section("Open todos", 2, _todos(asked), _todo)
    yield _Section("Known failures", 2, _failures(asked, known), _failure)
    yield _Section("Preferences", 1, _foremost(asked, told, _PREFERENCES), partial(_memory, 160))
    yield _Section("Patterns and insights", 1, _foremost(asked, told, _INSIGHTS, newest), partial(_memory, 180))
    yield _Section("Recent sessions", 1, _sessions(asked, newest), _session)


def _memory(longest: int, asked: _Asked, found: Remembered) -> _Line:
    return _line(asked, found.id, found.key, asked.shortened(found.text, longest), asked.age(found.created))


def _foremost(
    asked: _Asked, failures: Collection[str], types: Sequence[str], also: Iterable[Remembered] = ()
) -> list[Remembered]:
    """The most important memories of the types, then the newest, without what is told better.

    That is by one of those `failures` of the project, or by a session.
    """
    found = [
        each
        for namespace in sorted(asked.namespaces)
        for type_ in types
        for each in rows.foremost(asked.tx, asked.tenant, namespace, type_, asked.lines, READ)
    ]
    once = {each.id: each for each in [*found, *also] if each.failure not in failures and each.captured != SESSION}
    return sorted(once.values(), key=lambda each: (-each.importance, -each.created, each.key))[: asked.lines]


def _todos(asked: _Asked) -> list[OpenTodo]:
    """The most urgent, then those that wait longest."""
    found = [todo for name in sorted(asked.namespaces) for todo in rows.todos(asked.tx, asked.tenant, name, READ)]
    return sorted(found, key=lambda todo: (-_priority(todo), todo.created, todo.id))[: asked.lines]


def _todo(asked: _Asked, todo: OpenTodo) -> _Line:
    title, _, description = todo.text.partition("\n\n")
    text = asked.shortened(f"{title}: {description}" if description.strip() else title, 120)
    return _line(asked, todo.id, f"todo:{todo.key}", text, f"priority {_priority(todo)}, {asked.age(todo.created)}")


def _priority(todo: OpenTodo) -> int:
    given = todo.priority
    return min(3, max(1, given)) if isinstance(given, int) and not isinstance(given, bool) else 1


# --- Failures ---


def _failures(asked: _Asked, found: list[Occurred]) -> list[tuple[Occurred, KnownFailure]]:
    """Those that come most often lately: of each the occurrences, half as many for each month since the last."""

    def weight(each: Occurred) -> float:
        age = max(0, asked.now - each.updated) / DAY
        share: float = 2.0 ** (-age / FORGOTTEN)
        return _occurrences(each) * share

    first = sorted(found, key=lambda each: (-weight(each), -each.updated, each.id))[: asked.lines]
    known = rows.failure_texts(asked.tx, asked.tenant, [each.id for each in first], READ)
    return [(each, known[each.id]) for each in first]


def _failure(asked: _Asked, found: tuple[Occurred, KnownFailure]) -> _Line:
    occurred, failure = found
    parts = [asked.shortened(failure.message or failure.text, 150)]
    for title, text, longest in (("cause", failure.cause, 100), ("fix", failure.fix, 160)):
        if text.strip() and not (title == "cause" and text.startswith(UNTOLD)):
            parts.append(f"{title}: {asked.shortened(text, longest)}")
    count, age = _occurrences(occurred), asked.age(occurred.updated)
    about = f"{count} times, last {age}" if count > 1 else age
    return _line(asked, occurred.id, failure.key, "; ".join(parts), about)


def _occurrences(occurred: Occurred) -> int:
    given = occurred.occurrences
    return max(1, given) if isinstance(given, int) and not isinstance(given, bool) else 1


# --- Sessions, and what waits ---

_FIGURES = (
    ("prompts", "prompt", "prompts"),
    ("edits", "edit", "edits"),
    ("commands", "command", "commands"),
    ("searches", "search", "searches"),
    ("failures_fixed", "failure fixed", "failures fixed"),
    ("failures_left", "failure left", "failures left"),
)
MOST_COUNTED = 1_000_000  # a figure that is no less was not counted by us


def _sessions(asked: _Asked, newest: Sequence[Remembered]) -> list[Remembered | Unreviewed]:
    """The last sessions."""
    found = rows.sessions(asked.tx, asked.tenant, asked.namespaces, asked.now - RECENT, SESSIONS)
    told: list[Remembered | Unreviewed] = [*found, *(each for each in newest if each.captured == SESSION)]
    return sorted(told, key=lambda each: (-each.created, each.key))[:SESSIONS]


def _session(asked: _Asked, session: Remembered | Unreviewed) -> _Line:
    """A session that somebody confirmed, in its words; of any other the date, the client and figures.

    An id is told only if it is one of ours: an import may have brought any.
    """
    if isinstance(session, Remembered):
        return _memory(200, asked, session)
    given = session.metadata.get("client")
    client = _CLIENTS.get(given, "an agent") if isinstance(given, str) else "an agent"
    figures = (_figure(session.metadata.get(name), one, more) for name, one, more in _FIGURES)
    text = ", ".join([f"{_date(session.created)} {client}", *filter(None, figures)])
    return _line(asked, session.id, session.key if _is_uuid(session.key) else "", text, "not reviewed")


def _figure(count: Any, one: str, more: str) -> str:
    is_one = isinstance(count, int) and not isinstance(count, bool) and 0 < count < MOST_COUNTED
    return f"{count} {one if count == 1 else more}" if is_one else ""


def _waiting(asked: _Asked) -> str:
    """A line on the captured memories that nobody looked at yet, "" where there are none.

    A model reads it, which may run commands: it says whose they are to review.
    """
    count = rows.waiting(asked.tx, asked.tenant, asked.namespaces, COUNTED)
    if not count:
        return ""
    number = f"{COUNTED:,} or more" if count == COUNTED else str(count)
    wait = "captured record waits" if count == 1 else "captured records wait"
    return f"{number} {wait} for the user to review, with `indelible captured`.\n"
