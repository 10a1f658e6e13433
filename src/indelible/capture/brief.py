"""The brief of a project: the stored knowledge for the start of a session, within a number of tokens.

What is pinned opens it, at most ten. Sections: decisions, the last sessions, open todos, failures with their fixes,
preferences, and insights; each begins with the most important lines, and each line has the id of its record. The
sections take lines in turns while there is room, so that none displaces another and unused room goes to the others.

Only confirmed texts, those stored by callers and what the person typed are quoted. Unreviewed captured sessions are
shown by figures, date, the name of a known client and the typed request, and not at all where there is no request:
nothing that an agent read or was told. How much waits for a review is no agent's business, so no brief says it.

A hook shows the brief before each session, so this module needs only a transaction and loads nothing heavy: its types
are named tuples, which are created in a third of the time of a dataclass.
"""

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from typing import Any, NamedTuple

from indelible.capture.session_summaries import SESSION, about_session, client_and_figures
from indelible.clock import age_text, sortable_text, validity, validity_text
from indelible.code_states import mark
from indelible.errors import InvalidInput
from indelible.sanitize.prompt_frame import brief_frame, escaped, one_line, pinned_frame, rules_frame
from indelible.search.model_tokens.token_bound import at_most
from indelible.store.database import Transaction
from indelible.store.views import brief as rows
from indelible.store.views import freshness, lifetimes
from indelible.store.views.brief import KnownFailure, Occurred, OpenTodo, Remembered, Unreviewed

DEFAULT, LEAST, MOST = 1_200, 100, 20_000  # tokens
AT_START = 600  # of the brief that a hook gives to each session
NOTHING = "Indelible knows nothing of this project yet that belongs in a brief."
READ = 600  # characters of a text that are looked at
COUNTED = 500  # captured memories that are counted

DAY = 86_400_000_000  # microseconds
FORGOTTEN = 30.0  # days in which an occurrence of a failure comes to count half
LEARNED = 5 * DAY  # how long what a user said is news
RECENT = 60 * DAY  # how far back sessions are shown
SESSIONS = 8  # of them at most
SESSIONS_LOOKED_AT = 40  # newest unreviewed ones among which those with a request are chosen
FULL_LENGTH = 900  # tokens from which texts have their full lengths; in smaller briefs they are shorter
SHORTEST = 48  # characters of a text

PINNED_SHARE = 70  # percent of the tokens that what is pinned takes at most
LONGEST_PINNED = 360  # characters of one, where there are few
ABOUT_PINNED = 18  # tokens of a line beside its text
OWN_SHARE = 60  # percent of the tokens that the user's own rules take at most
LONGEST_RULE = 360  # characters of one in a brief of full length
OWN_LOOKED_AT = 200  # newest unreviewed words of a user among which the most important are chosen

RULES = ("decision", "preference")  # types of what a user says that is to be followed
_PREFERENCES = ("preference", "style", "habit")
_INSIGHTS = ("pattern", "insight", "context")
UNKNOWN_CAUSE = "not told"  # the beginning of the cause of a captured failure


class Brief(NamedTuple):
    """A brief, "" if there is nothing to show; `records` (row ids) and `names` are those of the records in it.

    `counts` say how many of what it shows, such as ("rule", 2), and `tokens` how many it takes at most.
    `learned` are the unreviewed words of the user that it shows from the last session that has any, if that was in the
    last days, and `session` is that one. `waiting` captured memories of `project` wait for a review. `unread` says why
    the store was not read.
    """

    text: str
    records: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()
    session: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    tokens: int = 0
    project: str = ""
    waiting: int = 0
    unread: str = ""


class _Asked(NamedTuple):
    """A request for a brief: the stored `namespaces` of a project, the time, the number of tokens, and for whom."""

    tx: Transaction
    namespaces: Collection[str]
    now: int
    most: int
    person: str
    marks: dict[int, str]  # by record: what of it, or of the code that it names, is not so now
    expired: Collection[int]  # row ids of what no brief shows any more

    @property
    def lines(self) -> int:
        """How many lines of a section there can be at most."""
        return max(10, self.most // 40)

    def shortened(self, text: str, longest: int) -> str:
        """Return a text as one visible line, shortened to the length for a brief of this size."""
        longest = max(SHORTEST, min(longest, longest * self.most // FULL_LENGTH))
        return escaped(shortened(one_line(text), longest))

    def age(self, moment: int) -> str:
        """Return the age of a moment in one unit of a day or more."""
        return age(moment, self.now)


class _Line(NamedTuple):
    record: int
    name: str  # its id, or `kind:id`
    text: str  # as it stands in a brief


class _Section(NamedTuple):
    """A title and the records found for it, of which a brief takes `turn` at a time; lines are rendered when taken."""

    title: str
    turn: int
    found: Sequence[Any]
    line: Callable[["_Asked", Any], _Line]
    name: str = ""  # of one of its records
    title_of_more: str = ""  # than one line; such a section does not say how many there are
    more: str = ""  # behind the number of those found, where there may be more

    @property
    def head_size(self) -> int:
        """The maximum number of tokens of the title, for any number of lines; a section may have none."""
        if not self.title:
            return 0
        found = len(self.found)
        return max(map(at_most, (self.head(1), self.head(found), self._part(found))))

    def head(self, count: int) -> str:
        """Return the title of a section with `count` lines."""
        if not self.title:
            return ""
        if self.title_of_more:
            return f"{self.title if count == 1 else self.title_of_more}:\n"
        return f"{self.title}:\n" if count == len(self.found) else self._part(count)

    def _part(self, count: int) -> str:
        return f"{self.title} ({count} of {len(self.found)}{self.more}):\n"


def check_tokens(most: int) -> None:
    """Raise InvalidInput for a number of tokens outside of the allowed range."""
    if not LEAST <= most <= MOST:
        raise InvalidInput(f"tokens must be between {LEAST} and {MOST:,}, got {most}")


def compose(
    tx: Transaction, source: str, namespaces: Collection[str], now: int, most: int = DEFAULT, person: str = ""
) -> Brief:
    """Return the brief of the project `source`, whose stored names are `namespaces`, in at most `most` o200k tokens.

    What is pinned comes first, so short that there is room for all of it, then the user's own rules: those that a user
    kept, and those that `person` typed (`hook_settings.person`; "": nobody). `now` is in microseconds since 1970 UTC.
    The same store gives the same brief on one day. Nothing is counted as accessed.
    """
    asked = _Asked(tx, namespaces, now, most, person, {}, lifetimes.expired(tx, sortable_text(now)))
    waiting = rows.waiting(tx, namespaces, COUNTED) if namespaces else 0
    of_type = _of_type(asked)
    words = _own_words(asked, of_type) if namespaces else []
    rules = [each for each in words if each.type in RULES]
    pinned = rows.pinned(tx, namespaces, lifetimes.MOST_PINNED, READ, asked.expired) if namespaces else []
    first = {each.id for each in pinned}
    rules.sort(key=lambda each: each.id not in first)  # a rule stays one: it is to be followed
    opening = _opening(asked, [each for each in pinned if each.id not in {rule.id for rule in rules}])
    titled = [_Section("", 1, rules, _own, "rule")]
    sections = _without(_sections(asked, of_type, words), first) if namespaces else []
    asked.marks.update(_marks(asked, [*opening, *titled, *sections]))
    where = source, _date(now)  # which the first block says for all
    pins, taken = _block(opening, asked, pinned_frame(where), most * PINNED_SHARE // 100)
    room = most - (at_most(pins) if pins else 0)
    own, ruling = _block(titled, asked, rules_frame(None if pins else where), room * OWN_SHARE // 100)
    room -= at_most(own) if own else 0
    reference, more = _block(sections, asked, brief_frame(None if pins or own else where), room)
    lines_of = [*zip([*opening, *titled, *sections], [*taken, *ruling, *more], strict=True)]
    shown = [line for _, lines in lines_of for line in lines]
    if not shown:
        return Brief("", project=source, waiting=waiting)
    text = f"{pins}{own}{reference}".rstrip("\n")
    learned = _learned(asked, rules, {line.record for lines in (*taken, *ruling) for line in lines})
    texts = tuple(one_line(each.text) for each in learned)
    session = learned[0].session if learned else ""
    counts = tuple((section.name, len(lines)) for section, lines in lines_of)
    ids, names = (line.record for line in shown), (line.name for line in shown)
    return Brief(text, tuple(ids), tuple(names), texts, session, counts, at_most(text), source, waiting)


def _block(
    sections: Sequence["_Section"], asked: _Asked, frame: tuple[str, str], room: int
) -> tuple[str, list[list["_Line"]]]:
    """Return sections in their frame, as many lines as there is room for, and the lines of each; "" for none."""
    before, behind = frame
    taken = _taken(asked, sections, room - at_most(before) - at_most(behind))
    body = "".join(
        section.head(len(lines)) + "".join(line.text for line in lines)
        for section, lines in zip(sections, taken, strict=True)
        if lines
    )
    return (f"{before}{body}{behind}" if body else ""), taken


def _without(sections: Iterable[_Section], shown: Collection[int]) -> list[_Section]:
    """Return sections without the memories of those row ids, which stand elsewhere, and without what is empty then."""
    left = [
        each._replace(found=[one for one in each.found if not (isinstance(one, Remembered) and one.id in shown)])
        for each in sections
    ]
    return [each for each in left if each.found]


def _marks(asked: _Asked, sections: Iterable[_Section]) -> dict[int, str]:
    """Return by row id what a reader of found records must know: not true now, maybe said anew, or of stale code."""
    found = [each[0] if isinstance(each, tuple) and type(each) is tuple else each for s in sections for each in s.found]
    now = sortable_text(asked.now)
    marks = {each.id: said for each in found if isinstance(each, Remembered) and (said := _validity(each, now))}
    memories = [each.id for each in found if isinstance(each, Remembered)]
    for record, key in (rows.newer(asked.tx, memories, asked.expired) if memories else {}).items():
        marks[record] = "; ".join(filter(None, (marks.get(record), f"newer: {shown_id(asked.tx, key)}")))
    if found and freshness.any_code(asked.tx):
        for record, code in freshness.of_records(asked.tx, [each.id for each in found]).items():
            if said := mark(code, 2):
                marks[record] = "; ".join(filter(None, (marks.get(record), f"stale: {said}")))
    return marks


def _validity(found: Remembered, now: str) -> str:
    times = found.valid_from, found.valid_to
    return validity_text(*times, validity(*times, now))


def now() -> int:
    """Return the time in microseconds since 1970 UTC, for callers without a Context."""
    return time.time_ns() // 1_000


def _date(moment: int) -> str:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=moment)).date().isoformat()


# --- What fits ---


def _taken(asked: _Asked, sections: Sequence[_Section], room: int) -> list[list[_Line]]:
    """Return the first lines of each section, as many as there is room for.

    First each section gets one line, then they take turns. A section whose next line is too long gets no more.
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


def age(moment: int, now: int) -> str:
    """Return how long before `now` a moment was (microseconds), in one unit of a day or more."""
    return age_text(now - moment) if now - moment >= DAY else "today"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


# --- Ids ---

BEGINNING = 8  # characters of a UUID that stand for it where they are no other's: it takes 25 tokens, they take 6
LONGEST_ID = 80
_HEXADECIMAL = frozenset("0123456789abcdef")


def _line(asked: _Asked, record: int, name: str, text: str, about: str) -> _Line:
    """Return a line with its text, its remarks and its id."""
    stale = escaped(one_line(asked.marks.get(record, "")))
    about = ", ".join(part for part in (about, stale, shown_id(asked.tx, name)) if part)
    return _Line(record, name, f"- {text} [{about}]\n")


def shown_id(tx: Transaction, name: str) -> str:
    """Return the shown id: of a UUID its beginning if that is unambiguous; "" for an id that is too long."""
    if _is_uuid(name) and not rows.is_shared_beginning(tx, name[:BEGINNING]):
        return name[:BEGINNING]
    return escaped(one_line(name)) if len(name) <= LONGEST_ID else ""


def _is_uuid(name: str) -> bool:
    parts = name.split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and all(_HEXADECIMAL.issuperset(part) for part in parts)


# --- The lines of the sections ---


def _of_type(asked: _Asked) -> dict[str, list[Remembered]]:
    """Return the foremost memories of the project by type, of each namespace as many as a section has lines."""
    return {
        type_: [
            each
            for name in sorted(asked.namespaces)
            for each in rows.foremost(asked.tx, name, type_, asked.lines, READ, asked.expired)
        ]
        for type_ in ("decision", *_PREFERENCES, *_INSIGHTS)
    }


def _own_words(asked: _Asked, of_type: dict[str, list[Remembered]]) -> list[Remembered]:
    """Return what users said and kept, or typed: the more important and the newer first."""
    found = [each for type_ in RULES for each in of_type[type_] if each.kept]
    if asked.person:
        found += rows.own_words(asked.tx, asked.namespaces, asked.person, OWN_LOOKED_AT, READ)
    return sorted(found, key=lambda each: (-each.importance, -each.created, each.key))


def _opening(asked: _Asked, pinned: Sequence[Remembered]) -> list[_Section]:
    """Return the section of what is pinned, its lines so short that a brief has room for all of them; [] for none."""
    if not pinned:
        return []
    tokens = asked.most * PINNED_SHARE // 100 - at_most("".join(pinned_frame(("", _date(asked.now)))))
    longest = max(SHORTEST, min(LONGEST_PINNED, 3 * (tokens // len(pinned) - ABOUT_PINNED)))

    def line(asked: _Asked, each: Remembered) -> _Line:
        text = escaped(shortened(one_line(each.text), longest))
        return _line(asked, each.id, each.key, text, asked.age(each.created))

    return [_Section("", 1, pinned, line, "pinned")]


def _own(asked: _Asked, found: Remembered) -> _Line:
    return _line(asked, found.id, found.key, asked.shortened(found.text, LONGEST_RULE), asked.age(found.created))


def _learned(asked: _Asked, words: Sequence[Remembered], shown: Collection[int]) -> list[Remembered]:
    """Return the shown words of the last session that has any, the newest first; none of a session of long ago."""
    said = [each for each in words if each.session and each.created > asked.now - LEARNED]
    newest = max(said, key=lambda each: (each.created, each.key), default=None)
    of_it = [each for each in said if newest and each.session == newest.session and each.id in shown]
    return sorted(of_it, key=lambda each: (-each.created, each.key))


def _sections(asked: _Asked, of_type: dict[str, list[Remembered]], words: Sequence[Remembered]) -> Iterator[_Section]:
    """Yield all sections in their order, empty ones included; `words` are the user's, of which facts stand here."""
    newest = rows.newest(asked.tx, asked.namespaces, asked.lines, READ, asked.expired)
    known = [each for name in sorted(asked.namespaces) for each in rows.failures(asked.tx, name)]
    failures = frozenset(each.key for each in known)
    elsewhere = frozenset(each.key for each in words if each.type in RULES)
    facts = [each for each in words if each.type not in RULES]

    def foremost(types: Sequence[str], also: Iterable[Remembered] = ()) -> list[Remembered]:
        found = [*(each for type_ in types for each in of_type[type_] if each.key not in elsewhere), *also]
        return _foremost(asked, failures, found)

    def section(
        title: str, turn: int, found: Sequence[Any], line: Callable[[_Asked, Any], _Line], name: str
    ) -> _Section:
        return _Section(title, turn, found, line, name, more="+" if len(found) >= asked.lines else "")

    yield section("Decisions", 3, foremost(("decision",)), partial(_memory, 220), "decision")
    yield _Section("Last session", 1, _sessions(asked, newest), _session, "session", "Last sessions, newest first")
    yield section("Open todos", 2, _todos(asked), _todo, "open todo")
    yield section("Known failures", 2, _failures(asked, known), _failure, "known failure")
    yield section("Preferences", 1, foremost(_PREFERENCES), partial(_memory, 160), "preference")
    yield section("Patterns and insights", 1, foremost(_INSIGHTS, [*newest, *facts]), partial(_memory, 180), "insight")


def _memory(longest: int, asked: _Asked, found: Remembered) -> _Line:
    return _line(asked, found.id, found.key, asked.shortened(found.text, longest), asked.age(found.created))


def _foremost(asked: _Asked, failures: Collection[str], found: Iterable[Remembered]) -> list[Remembered]:
    """Return memories by importance, then the newest, without those shown in other sections.

    These are memories of one of the `failures` of the project, and memories of sessions.
    """
    once = {each.id: each for each in found if each.failure not in failures and each.captured != SESSION}
    return sorted(once.values(), key=lambda each: (-each.importance, -each.created, each.key))[: asked.lines]


def _todos(asked: _Asked) -> list[OpenTodo]:
    """Return the open todos, the most urgent first, then the oldest."""
    found = [todo for name in sorted(asked.namespaces) for todo in rows.todos(asked.tx, name, READ)]
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
    """Return the failures that occur most often lately: occurrences are halved for each month since the last."""

    def weight(each: Occurred) -> float:
        age = max(0, asked.now - each.updated) / DAY
        share: float = 2.0 ** (-age / FORGOTTEN)
        return _occurrences(each) * share

    first = sorted(found, key=lambda each: (-weight(each), -each.updated, each.id))[: asked.lines]
    known = rows.failure_texts(asked.tx, [each.id for each in first], READ)
    return [(each, known[each.id]) for each in first]


def _failure(asked: _Asked, found: tuple[Occurred, KnownFailure]) -> _Line:
    occurred, failure = found
    parts = [asked.shortened(failure.message or failure.text, 150)]
    for title, text, longest in (("cause", failure.cause, 100), ("fix", failure.fix, 160)):
        if text.strip() and not (title == "cause" and text.startswith(UNKNOWN_CAUSE)):
            parts.append(f"{title}: {asked.shortened(text, longest)}")
    count, age = _occurrences(occurred), asked.age(occurred.updated)
    about = f"{count} times, last {age}" if count > 1 else age
    return _line(asked, occurred.id, failure.key, "; ".join(parts), about)


def _occurrences(occurred: Occurred) -> int:
    given = occurred.occurrences
    return max(1, given) if isinstance(given, int) and not isinstance(given, bool) else 1


# --- Sessions ---


def _sessions(asked: _Asked, newest: Sequence[Remembered]) -> list[Remembered | Unreviewed]:
    """Return the last sessions that somebody confirmed, or that say what this person asked for."""
    looked_at = rows.sessions(asked.tx, asked.namespaces, asked.now - RECENT, SESSIONS_LOOKED_AT)
    found = [each for each in looked_at if _request(asked, each)]
    sessions: list[Remembered | Unreviewed] = [*found, *(each for each in newest if each.captured == SESSION)]
    return sorted(sessions, key=lambda each: (-each.created, each.key))[:SESSIONS]


def _session(asked: _Asked, session: Remembered | Unreviewed) -> _Line:
    """Return the line of a session: of a confirmed one the date and its text.

    Of any other there are date, client, figures and what the person asked for first, but no text. An id is shown only
    if it was generated here, since an import can bring any.
    """
    if isinstance(session, Remembered):
        text = about_session(session.text)
        if text == session.text:
            return _memory(200, asked, session)
        line = f"{_date(session.created)}: {'; '.join(each.rstrip('.') for each in text.splitlines())}"
        return _line(asked, session.id, session.key, asked.shortened(line, 200), "")
    figures, request = ", ".join(client_and_figures(session.metadata)), asked.shortened(_request(asked, session), 120)
    text = f"{_date(session.created)} {figures}: {request}"
    return _line(asked, session.id, session.key if _is_uuid(session.key) else "", text, "not reviewed")


def _request(asked: _Asked, session: Unreviewed) -> str:
    """Return what a session began with, if that is certainly in this person's own words, else ""."""
    request = session.metadata.get("request")
    is_own = asked.person and session.metadata.get("typed_by") == asked.person
    return request if is_own and isinstance(request, str) and one_line(request) else ""
