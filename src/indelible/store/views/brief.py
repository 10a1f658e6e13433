"""The rows that the brief of a project shows: a few of each sort, stated or confirmed by the user or an agent."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from indelible.store.database import Row, Transaction, one

LOOKED_AT = 2_000  # newest confirmed memories of the whole store that are looked through for those of a project
PASSED_BY = 10_000  # memories among which these are looked for: captured ones are far more frequent than stated ones
OWN_READ = 5_000  # newest captured memories of a project among which the user's own words are looked for
EVER = -(1 << 62)  # microseconds: before everything


class Remembered(NamedTuple):
    """A memory, its text cut by the query.

    `captured` is the kind of capture, "" where it was stated; `failure` the id of the failure that was stored with it,
    "" if none. `kept`: in a user's own words, which a user promoted. `session` is where it was said, of those that
    `own_words` returns. `valid_from` and `valid_to` say since when and until when it is true, "" for no such time.
    """

    id: int
    key: str
    type: str
    text: str
    importance: float
    created: int
    captured: str
    failure: str
    kept: bool = False
    session: str = ""
    valid_from: str = ""
    valid_to: str = ""


class OpenTodo(NamedTuple):
    """A todo that is not completed. An import may have brought any priority."""

    id: int
    key: str
    text: str
    priority: Any
    created: int


class Occurred(NamedTuple):
    """A failure's number of occurrences (unchecked for an imported one), and the time of the last."""

    id: int
    key: str
    occurrences: Any
    updated: int


class KnownFailure(NamedTuple):
    """The texts of a failure; "" for fields that an imported one lacks."""

    key: str
    text: str
    message: str
    cause: str
    fix: str


class KnownFix(NamedTuple):
    """A failure of an earlier session; `places` are the tests and files that it names. `trusted`: recorded, or kept."""

    message: str
    cause: str
    fix: str
    places: tuple[str, ...]
    trusted: bool


class Unreviewed(NamedTuple):
    """A captured session that is not confirmed: of its metadata only figures and a client's known name may be shown."""

    id: int
    key: str
    created: int
    metadata: dict[str, Any]


def namespaces(tx: Transaction) -> list[str]:
    """Return every namespace that holds a record, as `records.namespaces`, without imports a hook need not load."""
    return [str(name) for (name,) in tx.rows("records.namespaces")]


def foremost(
    tx: Transaction, namespace: str, type_: str, limit: int, length: int, expired: Collection[int] = ()
) -> list[Remembered]:
    """Return the most important memories of a type, then the newest, ties by key; texts cut to `length` characters.

    Importance up to 0.5 is included only for decisions, preferences, styles and habits. None of the row ids `expired`.
    """
    where = {"namespace": namespace, "type": type_, "limit": limit, "length": length}
    return [_remembered(row) for row in tx.rows("brief.foremost", **where, expired=json.dumps(sorted(expired)))]


def pinned(
    tx: Transaction, namespaces: Collection[str], limit: int, length: int, expired: Collection[int]
) -> list[Remembered]:
    """Return the most important pinned memories and solutions, then the newest, ties by key; texts cut.

    Only what is current and trusted, and none of the row ids `expired`. The type of a solution is its scope.
    """
    where = {"namespaces": _listed(namespaces), "limit": limit, "length": length}
    return [_remembered(row) for row in tx.rows("lifetimes.pinned", **where, expired=json.dumps(sorted(expired)))]


def own_words(
    tx: Transaction, namespaces: Collection[str], person: str, limit: int, length: int, read: int = OWN_READ
) -> list[Remembered]:
    """Return memories that a person certainly typed and nobody reviewed yet, newest first.

    Only the `read` newest that were captured are looked at, since few of them have such words.
    """
    where = {"namespaces": _listed(namespaces), "person": person, "read": read, "limit": limit, "length": length}
    found = tx.rows("brief.own_words", **where)
    return [_remembered((*row, *5 * ("",)))._replace(session=session) for *row, session in found]


def newest(
    tx: Transaction, namespaces: Collection[str], limit: int, length: int, expired: Collection[int] = ()
) -> list[Remembered]:
    """The newest patterns, insights and contexts among the newest confirmed memories of the store, ties by key.

    None of the row ids `expired`.
    """
    last = one(tx.rows("recent.start_of_newest", offset=PASSED_BY, kind="memory"))
    since = EVER if last is None else last[0]
    start = one(tx.rows("brief.start_of_newest", start=since, offset=LOOKED_AT))
    since = since if start is None else start[0]
    where = {"namespaces": _listed(namespaces), "limit": limit, "length": length}
    found = tx.rows("brief.newest", start=since, **where, expired=json.dumps(sorted(expired)))
    return [_remembered(row) for row in found]


def _remembered(row: Row) -> Remembered:
    id_, key, type_, text, importance, created, captured, failure, by, promoted, start, end = row
    is_kept = (by, promoted) == ("user", "promote")
    return Remembered(
        *(id_, key, type_, text, importance, created, captured or "", failure or "", is_kept),
        valid_from=start if isinstance(start, str) else "",
        valid_to=end if isinstance(end, str) else "",
    )


def newer(tx: Transaction, ids: Iterable[int], expired: Collection[int]) -> dict[int, str]:
    """Return by row id the id of the surest newer version of records that may have one which has not expired."""
    found = tx.rows("brief.newer", ids=json.dumps(sorted(ids)))
    return {int(old): str(key) for old, new, key in found if new not in expired}


def todos(tx: Transaction, namespace: str, length: int) -> list[OpenTodo]:
    """Every open todo, in no order."""
    rows = tx.rows("brief.todos", namespace=namespace, length=length)
    return [OpenTodo(todo, key, text, json.loads(priority), at) for todo, key, text, priority, at in rows]


def failures(tx: Transaction, namespace: str) -> list[Occurred]:
    """Every failure, in no order."""
    rows = tx.rows("brief.failures", namespace=namespace)
    return [Occurred(failure, key, json.loads(occurrences), updated) for failure, key, occurrences, updated in rows]


def failure_texts(tx: Transaction, ids: Sequence[int], length: int) -> dict[int, KnownFailure]:
    """The texts of those failures, each cut to `length` characters."""
    rows = tx.rows("brief.failure_texts", ids=json.dumps(ids), length=length)
    return {row[0]: KnownFailure(row[1], row[2], row[3] or "", row[4] or "", row[5] or "") for row in rows}


def known_fixes(
    tx: Transaction, namespaces: Collection[str], signatures: Collection[str], but: str, limit: int
) -> list[KnownFix]:
    """Return failures of those signatures: recorded ones, then captured ones but of the session `but`, newest first."""
    where = {"namespaces": _listed(namespaces), "signatures": json.dumps(sorted(signatures)), "limit": limit}
    recorded = [json.loads(metadata) for (metadata,) in tx.rows("brief.recorded_fixes", **where)]
    captured = [json.loads(metadata) for (metadata,) in tx.rows("brief.captured_fixes", **where, session=but)]
    ours = ("errorMessage", "rootCause", "fixApplied", "filesInvolved")
    hooks = ("error_message", "", "fix", "places", "tests", "files")
    return [
        *(_known(each, ours, trusted=True) for each in recorded),
        *(_known(each, hooks, trusted=False) for each in captured),
    ]


def _known(metadata: dict[str, Any], names: Sequence[str], *, trusted: bool) -> KnownFix:
    """Return a failure by its metadata, which an import may have brought in any shape."""
    message, cause, fix = (str(metadata.get(name) or "") for name in names[:3])
    places = [each for name in names[3:] for each in _texts(metadata.get(name))]
    return KnownFix(message, cause, fix, tuple(places), trusted)


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def sessions(tx: Transaction, namespaces: Collection[str], start: int, limit: int) -> list[Unreviewed]:
    """Return the newest captured, unconfirmed sessions since `start` (microseconds), newest first."""
    where = {"namespaces": _listed(namespaces), "start": start, "limit": limit}
    rows = tx.rows("brief.sessions", **where)
    return [Unreviewed(session, key, created, json.loads(metadata)) for session, key, created, metadata in rows]


def waiting(tx: Transaction, namespaces: Collection[str], limit: int) -> int:
    """Return how many captured memories wait to be confirmed, counted up to `limit`."""
    return int(tx.rows("brief.waiting", namespaces=_listed(namespaces), limit=limit)[0][0])


def is_shared_beginning(tx: Transaction, beginning: str) -> bool:
    """Whether several ids begin with these hexadecimal digits."""
    found = tx.rows("brief.keys_beginning", start=beginning, end=f"{beginning}g")
    return len(found) > 1


def _listed(namespaces: Iterable[str]) -> str:
    return json.dumps(sorted(namespaces), ensure_ascii=False)
