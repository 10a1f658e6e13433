"""Rows of `activity`: actions of agents in their sessions, as their hooks reported them, and captures made of them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from indelible.dataclass import dataclass
from indelible.store.database import Row, Transaction, one
from indelible.store.tables import records

MOST = 500_000  # events that are kept, whatever their age: about 1 GB
CAPTURED = "captured"  # `what` of a row that records a capture of a session
MARK = "capture:"  # before the key of a capture: the event of such a row

Place = tuple[int, str]  # where an event stands in its session: its time, and its id where times are the same


@dataclass(frozen=True, slots=True)
class Activity:
    """One event of a session: `event` is unique in it, `time` in microseconds since 1970 UTC.

    `session` is `client:id`. Fields without a column of their own are in `detail`.
    """

    session: str
    event: str
    time: int
    client: str
    what: str
    namespace: str
    action: str = ""
    subject: str = ""
    outcome: str = ""
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        """Its position in its session."""
        return self.time, self.event


@dataclass(frozen=True, slots=True)
class Mark:
    """The result of one capture of a session: the id of the memory for it, and a hash of the capture.

    `own` says that the memory was made for it; otherwise one with the same content existed already.
    """

    memory: str
    digest: str
    own: bool


def add(tx: Transaction, events: Sequence[Activity]) -> int:
    """Store the events that are new, and return how many these are."""
    return sum(tx.run("activity.add", **_parameters(event)) for event in events)


def of_session(tx: Transaction, session: str, last: Place, limit: int) -> list[Activity]:
    """The newest events of a session up to a place, in their order; no marks."""
    time, event = last
    rows = tx.rows("activity.of_session", session=session, time=time, event=event, limit=limit)
    return [_from_row(row) for row in reversed(rows)]


def last_of(tx: Transaction, session: str, what: Iterable[str]) -> Place | None:
    """The place of the last event of a session that is one of these, None where there is none."""
    rows = tx.rows("activity.last_of", session=session, what=records.dump(sorted(what)))
    row = one(rows)
    return None if row is None else (int(row[0]), str(row[1]))


def mark(tx: Transaction, of: Activity, key: str, made: Mark, time: int) -> None:
    """Record the result of the capture with that key, in the session and the namespace of an event."""
    row = Activity(
        session=of.session,
        event=MARK + key,
        time=time,
        client=of.client,
        what=CAPTURED,
        namespace=of.namespace,
        subject=made.memory,
        outcome="stored" if made.own else "known",
        detail={"digest": made.digest},
    )
    tx.run("activity.mark", **_parameters(row))


def marks(tx: Transaction, session: str) -> dict[str, Mark]:
    """Return the results of all captures of a session so far, by their keys."""
    found = map(_from_row, tx.rows("activity.marks", session=session))
    return {
        row.event.removeprefix(MARK): Mark(row.subject, str(row.detail.get("digest")), row.outcome == "stored")
        for row in found
    }


def namespace_of(tx: Transaction, session: str) -> str | None:
    """The namespace of a session's first event, None where there is none yet."""
    row = one(tx.rows("activity.namespace_of", session=session))
    return None if row is None else str(row[0])


def firsts(tx: Transaction, namespace: str) -> list[Activity]:
    """The first event of each session of a namespace."""
    found: dict[str, Activity] = {}
    for row in tx.rows("activity.firsts", namespace=namespace):
        event = _from_row(row)
        found.setdefault(event.session, event)
    return list(found.values())


def newest_calls(tx: Transaction, namespace: str, since: int, limit: int) -> list[Activity]:
    """Return the newest commands and edits of a namespace since a time, newest first; ties in no order."""
    found = tx.rows("activity.newest_calls", namespace=namespace, since=since, limit=limit)
    return [_from_row(row) for row in found]


def move(tx: Transaction, session: str, namespace: str) -> None:
    """File a session under another namespace."""
    tx.run("activity.move", session=session, namespace=namespace)


def namespaces(tx: Transaction) -> list[str]:
    """Every namespace that has events, sorted; '' is none."""
    return [str(name) for (name,) in tx.rows("activity.namespaces")]


def count(tx: Transaction) -> int:
    """How many events there are."""
    return int(tx.rows("activity.count")[0][0])


def count_in(tx: Transaction, namespaces: Iterable[str]) -> int:
    """How many events the namespaces have together."""
    return int(tx.rows("activity.count_in", namespaces=records.dump(sorted(namespaces)))[0][0])


def remove_in(tx: Transaction, namespaces: Iterable[str]) -> int:
    """Delete all activity in the namespaces, captures included; returns the number of rows."""
    return tx.run("activity.remove_in", namespaces=records.dump(sorted(namespaces)))


def trim(tx: Transaction, before: int, most: int = MOST, limit: int = 2000) -> int:
    """Delete events older than a time, and all but the newest `most`; at most twice `limit` at once.

    Marks go by their age only: without them a capture that the user deleted would come back. Returns the number
    deleted.
    """
    old = tx.run("activity.trim", before=before, limit=limit)
    if int(tx.rows("activity.count_rows")[0][0]) <= most:
        return old
    return old + tx.run("activity.trim_first", most=most, limit=limit)


def _parameters(event: Activity) -> dict[str, Any]:
    return {
        "namespace": event.namespace,
        "session": event.session,
        "event": event.event,
        "time": event.time,
        "client": event.client,
        "what": event.what,
        "action": event.action,
        "subject": event.subject,
        "outcome": event.outcome,
        "detail": records.dump(event.detail),
    }


def _from_row(row: Row) -> Activity:
    session, event, time, client, what, namespace, action, subject, outcome, detail = row
    return Activity(session, event, time, client, what, namespace, action, subject, outcome, json.loads(detail))
