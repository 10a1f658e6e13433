"""What consolidation and patterns ask of both databases, whole and for who is limited to namespaces."""

import pytest

from indelible.errors import Forbidden
from indelible.model import Access
from indelible.store.namespace_filter import LimitedStore
from indelible.store.tables import access, activity, records, trash
from indelible.store.tables.activity import Activity, Mark
from indelible.store.tables.trash import Discarded, body_of
from indelible.store.views import consolidation, patterns
from samples import edge, keep, link, of_tenant, record

BEFORE, DECAYED = 100, "2026-01-01T00:00:00.000000Z"
CAPTURED = {"trust": "untrusted", "origin": "capture"}


def ids(db, read, *arguments):
    with db.read() as tx:
        return read(tx, *arguments)


def listed(read):
    """The same, of all that is read in pieces."""
    return lambda *given: list(read(*given))


def test_what_was_not_used_since_a_time_is_found(db):
    given = {
        "unused": {},
        "at the moment": {"created": BEFORE, "updated": BEFORE},
        "stored since": {"created": BEFORE + 1, "updated": BEFORE + 1},
        "changed since": {"updated": BEFORE + 1},
        "used": {},
        "used since": {},
        "worth nothing": {"importance": 0.0},
        "decayed before": {"metadata": {"decayed_at": DECAYED, "x": "ß"}},
        "decayed since": {"metadata": {"decayed_at": "2026-01-01T00:00:00.000001Z"}},
        "marked by somebody": {"metadata": {"decayed_at": 5}},
        "marked with words": {"metadata": {"decayed_at": "yesterday"}},
        "marked with nothing": {"metadata": {"decayed_at": None}},
        "of another kind": {"kind": "solution"},
        "elsewhere": {"namespace": "b"},
    }
    kept = dict(
        zip(given, keep(db, *(record(key, **{"namespace": "a", **more}) for key, more in given.items())), strict=True)
    )
    used = {kept["used"].id: Access(2, BEFORE), kept["used since"].id: Access(1, BEFORE + 1)}
    db.write(lambda tx: access.add(tx, used))
    wanted = ["unused", "at the moment", "used", "decayed before", "marked by somebody", "marked with words"]
    wanted.append("marked with nothing")
    assert ids(db, consolidation.unused, BEFORE, DECAYED) == [kept[key].id for key in [*wanted, "elsewhere"]]
    limited = LimitedStore(db, frozenset({"a"}), "tok_a")
    assert ids(limited, consolidation.unused, BEFORE, DECAYED) == [kept[key].id for key in wanted]
    with db.read() as tx:
        assert consolidation.unused(of_tenant(tx, 2), BEFORE, DECAYED) == []


def test_importances_are_written_and_nothing_else(db):
    from dataclasses import replace

    (one,) = keep(db, record("a", tags=("x",), metadata={"deep": [1, None, "é"]}))
    new = replace(one, importance=0.25, metadata={**one.metadata, "decayed_at": DECAYED}, text="not written")
    db.write(lambda tx: consolidation.set_importances(tx, [new]))
    assert ids(db, records.by_ids, [one.id])[one.id] == replace(new, text=one.text)


def test_tagged_memories_are_read_page_by_page(db, monkeypatch):
    monkeypatch.setattr(consolidation, "PAGE", 2)
    keep(
        db,
        record("old", namespace="a", type="decision", tags=("x", "ÿ"), created=1),
        record("new", namespace="a", tags=("x",), created=9),
        record("b", namespace="a", tags=("x",), created=5),
        record("a", namespace="a", tags=("x",), created=5),
        record("none", namespace="a"),
        record("replaced", namespace="a", tags=("x",), replaced=True),
        record("captured", namespace="a", tags=("x",), metadata=CAPTURED),
        record("made", namespace="a", tags=("x",), metadata={"origin": "consolidation"}),
        record("elsewhere", namespace="b", tags=("x",)),
    )
    found = ids(db, listed(consolidation.tagged), "a")
    with db.read() as tx:
        keys = records.keys_of(tx, [each.id for each in found])
    assert [(keys[each.id][1], each.created) for each in found] == [("a", 5), ("b", 5), ("new", 9), ("old", 1)]
    assert (found[-1].type, found[-1].tags) == ("decision", ("x", "ÿ"))


def test_texts_are_read_page_by_page(db, monkeypatch):
    monkeypatch.setattr(consolidation, "PAGE", 3)
    kept = keep(db, *(record(f"k{n}", namespace="a", type="t") for n in range(7)), record("x", namespace="b"))
    found = ids(db, listed(consolidation.texts), "a")
    assert found == [(one.id, ("t", "", ""), one.text) for one in kept[:7]]


def test_unimportant_memories_that_were_never_used_are_found_what_is_replaced_first(db):
    kept = keep(
        db,
        record("a", importance=0.05),
        record("b", importance=0.1),
        record("c", importance=0.05, replaced=True),
        record("used", importance=0.05),
        record("never", importance=0.05),
    )
    db.write(lambda tx: access.add(tx, {kept[3].id: Access(1, 5), kept[4].id: Access(0, 5)}))
    assert ids(db, consolidation.unimportant, 0.1) == [kept[2].id, kept[0].id, kept[4].id]


def test_what_is_not_true_at_a_time_is_found(db):
    before, after = "2025-12-31T23:59:59.999999Z", "2026-01-01T00:00:00.000001Z"
    given = {
        "always": {},
        "ended": {"valid_to": before},
        "ends now": {"valid_to": DECAYED},
        "ends": {"valid_to": after},
        "begins now": {"valid_from": DECAYED},
        "ahead": {"valid_from": after, "valid_to": "2027-01-01T00:00:00.000000Z"},
        "holds": {"valid_from": before, "valid_to": after},
        "of another product": {"valid_to": 2020, "valid_from": ["2030"]},
    }
    kept = keep(db, *(record(key, namespace="n", metadata=metadata) for key, metadata in given.items()))
    keep(db, record("elsewhere", namespace="m", metadata={"valid_to": before}))
    keep(db, record("replaced", namespace="n", metadata={"valid_to": before}, replaced=True))
    assert ids(db, consolidation.untrue, "n", DECAYED) == {kept[1].id, kept[2].id, kept[5].id}


def test_captures_that_nobody_used_since_a_time_are_found(db):
    given = {"old": {}, "marked": {"session": "codex:s"}, "confirmed": {"metadata": {"origin": "capture"}}}
    given |= {"new": {"created": BEFORE + 1, "updated": BEFORE + 1}, "renewed": {"updated": BEFORE + 1}, "used": {}}
    given |= {"told": {"metadata": {"trust": "untrusted"}}, "replaced": {"replaced": True}}
    kept = keep(db, *(record(key, **{"metadata": CAPTURED, **more}) for key, more in given.items()))
    places = dict(zip(given, kept, strict=True))
    of = Activity("codex:s", "e", 1, "codex", "prompt", "")

    def work(tx):
        access.add(tx, {places["used"].id: Access(1, BEFORE + 1), places["old"].id: Access(1, BEFORE)})
        activity.mark(tx, of, "decision:1", Mark("marked", "d", own=True), BEFORE + 1)

    db.write(work)
    assert ids(db, consolidation.unused_captures, BEFORE) == [places["old"].id]
    assert ids(db, consolidation.unused_captures, BEFORE + 1) == [
        places[key].id for key in ("new", "used", "renewed", "marked", "old")
    ]


@pytest.mark.parametrize("window", [1, 2, 200_000])
def test_relations_between_current_trusted_memories_of_a_namespace_are_found(db, monkeypatch, window):
    monkeypatch.setattr(consolidation, "WINDOW", window)
    a, b, c, old, captured, solution, elsewhere = keep(
        db,
        *(record(key, namespace="n") for key in "abc"),
        record("old", namespace="n", replaced=True),
        record("captured", namespace="n", metadata=CAPTURED),
        record("solution", namespace="n", kind="solution"),
        record("elsewhere", namespace="m"),
    )
    others = [old, captured, solution, elsewhere]
    link(
        db,
        edge(a.id, b.id, weight=0.5),
        edge(b.id, a.id, "relates_to"),
        edge(a.id, b.id, "LEADS_TO"),
        edge(c.id, a.id, "SUMMARIZES"),
        edge(a.id, c.id, weight=0.0),
        *(edge(a.id, other.id) for other in others),
        *(edge(other.id, b.id) for other in others),
    )
    assert ids(db, listed(consolidation.related), "n") == [(a.id, b.id, 1.0), (a.id, b.id, 0.5), (b.id, a.id, 1.0)]
    assert {(a.id, b.id), (b.id, a.id)} <= set(ids(db, listed(consolidation.relating), "n"))
    assert ids(db, consolidation.summaries, "n") == {c.id: {a.id}}
    assert ids(db, listed(consolidation.related), "m") == []


def test_it_is_known_whether_an_operation_was_undone(db):
    one = record("a")
    things = [Discarded(name, "t", "update", 1, "a", one, [], body_of(None), 5) for name in ("done", "undone")]

    def work(tx):
        trash.add_many(tx, things)
        trash.mark_undone(tx, "undone", 7)

    db.write(work)
    assert [ids(db, consolidation.is_undone, name) for name in ("done", "undone", "unknown")] == [False, True, False]


def test_a_row_of_the_trash_counts_as_all_that_it_tells_of(db):
    one = record("a")
    bodies = [{"edges": [[1, 2, "X", 1.0]] * 3, "weights": []}, {"weights": [[1, 0.5, [], 0.4, ["x"]]] * 5}, {}]
    things = [
        Discarded("op", "t", "edge", -n, "", one, [], {**body_of(None), "added": body}, 5, self_contained=True)
        for n, body in enumerate(bodies)
    ]
    things += [Discarded("op", "t", "delete", 1, "a", one, [], body_of(None), 5)]
    things += [Discarded("op", "t", "edge", 2, "a", one, [], body_of(None), 5)]
    db.write(lambda tx: trash.add_many(tx, things))
    assert ids(db, trash.actions, "op") == {"delete": 1, "edge": 10}
    with LimitedStore(db, frozenset({""}), "tok_a").read() as tx:
        assert trash.actions(tx, "op") == {}


def test_access_counts_are_set_to_what_they_were(db):
    a, b, c = keep(db, record("a"), record("b"), record("c"))
    db.write(lambda tx: access.add(tx, {a.id: Access(5, 50), b.id: Access(1, 9)}))

    def work(tx):
        access.restore(tx, a.id, Access(2, 20))
        access.restore(tx, b.id, None)
        access.restore(tx, c.id, Access(3, 30))

    db.write(work)
    assert ids(db, access.of_records, [a.id, b.id, c.id]) == {a.id: Access(2, 20), c.id: Access(3, 30)}
    limited = LimitedStore(db, frozenset({""}), "tok_a")
    with pytest.raises(Forbidden):
        limited.write(lambda tx: access.restore(tx, a.id, None))


# --- Patterns ---


def tool(name, action, subject, session="codex:s", namespace="a", outcome="ok", **detail):
    return Activity(
        session, name, 5, "codex", "tool", namespace, action=action, subject=subject, outcome=outcome, detail=detail
    )


@pytest.mark.parametrize("page", [1, 500])
def test_what_agents_did_is_counted_inside_the_namespaces(db, monkeypatch, page):
    monkeypatch.setattr(patterns, "PAGE", page)
    rows = [
        tool("1", "search", "def x", tool="Grep"),
        tool("2", "search", "def x", session="codex:t", tool="Grep"),
        tool("3", "command", "make", tool="Bash"),
        tool("4", "read", "a.py", tool="Read", cwd="/a"),
        tool("5", "read", "b.py", outcome="failed", tool="Read", cwd="/a"),
        tool("6", "edit", "a.py", tool="Edit", cwd="/a", edits=[{"path": "x"}, {"path": "y"}, {"path": "x"}]),
        tool("7", "edit", "c.py", tool="Edit"),
        tool("8", "edit", "d.py", outcome="failed", tool="Edit"),
        tool("9", "search", "elsewhere", session="codex:u", namespace="b", tool="Grep"),
        Activity("codex:v", "10", 5, "codex", "prompt", "a"),
    ]

    def work(tx):
        activity.add(tx, rows)
        activity.mark(tx, Activity("codex:w", "e", 5, "codex", "prompt", "a"), "k", Mark("m", "d", own=True), 5)

    db.write(work)
    for store in (db, LimitedStore(db, frozenset({"a"}), "tok_a")):
        names = {"a"} if store is db else {"a", "b"}
        with store.read() as tx:
            subjects = [(s.action, s.text, s.count) for s in patterns.subjects(tx, names)]
            assert subjects == [("command", "make", 1), ("search", "def x", 2)]
            assert [(t.path, t.cwd, t.count) for t in patterns.files_read(tx, names)] == [("a.py", "/a", 1)]
            assert sorted(t.path for t in patterns.files_edited(tx, names)) == ["c.py", "x", "y"]
            assert patterns.tools(tx, names) == {"Bash": 1, "Edit": 3, "Grep": 2, "Read": 2}
            assert patterns.sessions(tx, names) == {"codex:s", "codex:t", "codex:v"}
    with db.read() as tx:
        assert patterns.subjects(tx, []) == []
        assert patterns.subjects(of_tenant(tx, 2), ["a"]) == []


def test_calls_of_our_tools_are_counted_but_for_some_and_for_those_that_failed(db):
    from indelible.store.tables import events
    from indelible.store.tables.events import Event

    def event(name, session="s", outcome="ok", who=""):
        return Event(5, session, session, name, (), outcome, 1, 1, who)

    given = [event("recall_memory"), event("recall_memory", "t", who="tok_a"), event("detect_patterns", "u")]
    given += [event("store_memory", "v", "invalid_input"), event("store_memory")]
    db.write(lambda tx: events.add(tx, given))
    but = ("detect_patterns",)
    with db.read() as tx:
        assert patterns.calls(tx, but) == {"recall_memory": 2, "store_memory": 1}
        assert patterns.callers(tx, but) == 2
    with LimitedStore(db, frozenset({"a"}), "tok_a").read() as tx:
        assert patterns.calls(tx, but) == {"recall_memory": 1}
        assert patterns.callers(tx, but) == 1


def test_memories_that_tell_of_tools_and_files_and_linked_decisions_are_found(db):
    a, b, c, _ = keep(
        db,
        record("a", namespace="n", type="decision", tags=("é",), metadata={"file_path": "x.rs"}, created=1),
        record("b", namespace="n", type="decision", metadata={"files": ["y.rs"]}, created=2),
        record("c", namespace="n", type="decision", metadata={"mine": 1}, created=3),
        record("d", namespace="n", metadata={"pattern": None}),
    )
    link(db, edge(b.id, a.id, "LEADS_TO"), edge(c.id, a.id, "CALLS"))
    with db.read() as tx:
        assert [each.key for each in patterns.reports(tx, ["n"])][-2:] == ["b", "a"]
        found = patterns.linked_decisions(tx, ["n"], ["LEADS_TO"])
        assert [(each.id, each.key, each.tags, each.metadata) for each in found] == [
            (a.id, "a", ("é",), {"file_path": "x.rs"}),
            (b.id, "b", (), {"files": ["y.rs"]}),
        ]
        assert patterns.linked_decisions(tx, ["m"], ["LEADS_TO"]) == []
