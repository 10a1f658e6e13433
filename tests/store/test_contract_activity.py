"""What agents did, as both databases keep it: once, in order, and forgotten by time, number and project."""

from dataclasses import replace

import pytest

from indelible.errors import Forbidden
from indelible.store.namespace_filter import LimitedStore
from indelible.store.tables import activity
from indelible.store.tables.activity import Activity, Mark
from indelible.store.views import captured
from samples import TENANT, keep, of_tenant, record

EVER = (1 << 62, "")


def event(name="e1", time=10, session="claude-code:s1", namespace="/a", **fields):
    return Activity(session, name, time, "claude-code", fields.pop("what", "prompt"), namespace, **fields)


def add(db, *events, tenant=TENANT):
    return db.write(lambda tx: activity.add(of_tenant(tx, tenant), events))


def of_session(db, session="claude-code:s1", last=EVER, limit=100, tenant=TENANT):
    with db.read() as tx:
        return activity.of_session(of_tenant(tx, tenant), session, last, limit)


def test_an_event_comes_back_as_it_was_kept(db):
    full = event(
        what="tool",
        action="command",
        subject="make 日本語",
        outcome="failed",
        detail={"output": "½ ' \" \\ \n", "edits": [{"path": "a", "old": "", "new": "b"}], "cwd": "/a"},
    )
    assert add(db, full) == 1
    assert of_session(db) == [full]


def test_an_event_is_there_once_whatever_comes_with_its_id(db):
    first = event(detail={"text": "first"})
    assert add(db, first, replace(first, detail={"text": "second"}), event("e2")) == 2
    assert add(db, first, event("e3")) == 1
    assert add(db, event(session="claude-code:s2")) == 1
    assert add(db, event(), tenant=2) == 1
    assert [row.detail for row in of_session(db)] == [{"text": "first"}, {}, {}]


def test_events_of_a_session_are_in_the_order_of_time_then_of_ids(db):
    add(db, event("b", 20), event("a", 20), event("z", 10), event("y", 30), event("x", 5, "claude-code:s2"))
    assert [row.event for row in of_session(db)] == ["z", "a", "b", "y"]
    assert [row.event for row in of_session(db, limit=2)] == ["b", "y"]
    assert [row.event for row in of_session(db, last=(20, "a"))] == ["z", "a"]


def test_the_last_of_some_kinds_of_events_is_found(db):
    add(
        db,
        event("a", 1),
        event("b", 2, what="turn_ended"),
        event("c", 2, what="turn_ended"),
        event("d", 3, what="tool"),
    )
    with db.read() as tx:
        assert activity.last_of(tx, "claude-code:s1", ("prompt", "turn_ended")) == (2, "c")
        assert activity.last_of(tx, "claude-code:s1", ("session_ended",)) is None
        assert activity.last_of(tx, "claude-code:s2", ("prompt",)) is None


def test_what_became_of_a_capture_is_noted_beside_the_events_and_is_none(db):
    add(db, event())
    for mark in (Mark("m1", "d1", own=True), Mark("m1", "d2", own=True)):
        db.write(lambda tx, mark=mark: activity.mark(tx, event(), "decision:1", mark, 50))
    db.write(lambda tx: activity.mark(tx, event(), "session", Mark("m2", "d", own=False), 50))
    with db.read() as tx:
        assert activity.marks(tx, "claude-code:s1") == {
            "decision:1": Mark("m1", "d2", own=True),
            "session": Mark("m2", "d", own=False),
        }
        assert activity.marks(tx, "claude-code:s2") == {}
        assert activity.count(tx) == activity.count_in(tx, {"/a"}) == 1
    assert of_session(db) == [event()]


def test_a_session_stands_where_its_first_event_does(db):
    add(db, event("b", 20, namespace="/b"), event("a", 10, namespace="/a"))
    with db.read() as tx:
        assert activity.namespace_of(tx, "claude-code:s1") == "/a"
        assert activity.namespace_of(tx, "claude-code:s2") is None
        assert activity.namespaces(tx) == ["/a", "/b"]


def test_a_project_is_forgotten_with_its_marks_and_no_other(db):
    add(db, event(), event(session="claude-code:s2", namespace="/b"))
    db.write(lambda tx: activity.mark(tx, event(), "session", Mark("m", "d", own=True), 50))
    assert db.write(lambda tx: activity.remove_in(tx, {"/a", "/c"})) == 2
    with db.read() as tx:
        assert activity.namespaces(tx) == ["/b"]
        assert activity.marks(tx, "claude-code:s1") == {}


def test_what_is_old_or_too_much_is_forgotten_piece_by_piece(db):
    add(db, *(event(f"e{n}", time=n) for n in range(10)))
    add(db, event(time=0), tenant=2)
    trim = activity.trim
    assert db.write(lambda tx: trim(tx, 4, limit=3)) == 3
    assert db.write(lambda tx: trim(tx, 4, limit=3)) == 1
    assert db.write(lambda tx: trim(tx, 4, limit=3)) == 0
    assert [row.time for row in of_session(db)] == [4, 5, 6, 7, 8, 9]
    db.write(lambda tx: trim(tx, 0, most=2))
    assert [row.time for row in of_session(db)] == [8, 9]
    assert len(of_session(db, tenant=2)) == 1


def test_events_that_come_again_push_no_other_out_and_marks_go_by_age_only(db):
    db.write(lambda tx: activity.mark(tx, event(), "session", Mark("m", "d", own=True), 5))
    events = [event(f"e{n}", time=n) for n in range(5)]
    for _ in range(4):
        add(db, *events)
    db.write(lambda tx: activity.trim(tx, 0, most=5))
    assert of_session(db) == events
    db.write(lambda tx: activity.trim(tx, 0, most=2))
    assert of_session(db) == events[3:]
    db.write(lambda tx: activity.trim(tx, 5, most=0))
    with db.read() as tx:
        assert set(activity.marks(tx, "claude-code:s1")) == {"session"}
    assert db.write(lambda tx: activity.trim(tx, 6)) == 1


def test_who_is_limited_to_namespaces_reads_the_activity_of_these_and_writes_none(db):
    add(db, event(), event(session="claude-code:s2", namespace="/b"))
    own = LimitedStore(db, frozenset({"/a"}), "tok_a")
    with own.read() as tx:
        assert activity.namespaces(tx) == ["/a"]
        assert activity.count(tx) == 1
        assert activity.of_session(tx, "claude-code:s2", EVER, 10) == []
    for work in (
        lambda tx: activity.add(tx, [event("new")]),
        lambda tx: activity.mark(tx, event(), "session", Mark("m", "d", own=True), 1),
        lambda tx: activity.remove_in(tx, {"/a"}),
        lambda tx: activity.trim(tx, 1 << 60),
    ):
        with pytest.raises(Forbidden):
            own.write(work)


def test_captured_memories_that_nobody_confirmed_are_listed_and_counted(db):
    wait = {"trust": "untrusted"}
    keep(
        db,
        record("old", created=1, metadata=wait, namespace="/a"),
        record("new", created=9, metadata=wait, namespace="/b"),
        record("told", created=5),
        record("promoted", created=5, metadata={"trust": "trusted"}),
        record("replaced", created=5, metadata=wait, replaced=True),
        record("failure", created=5, metadata=wait, kind="failure"),
    )
    with db.read() as tx:
        assert [each.key for each in captured.waiting(tx, 10)] == ["new", "old"]
        assert [each.key for each in captured.waiting(tx, 1)] == ["new"]
        assert captured.count(tx) == {"/a": 1, "/b": 1}
    with LimitedStore(db, frozenset({"/a"}), "tok_a").read() as tx:
        assert [each.key for each in captured.waiting(tx, 10)] == ["old"]
        assert captured.count(tx) == {"/a": 1}
