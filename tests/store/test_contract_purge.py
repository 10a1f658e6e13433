"""What a purge looks through and takes away, on both databases."""

import pytest

from indelible.errors import Forbidden
from indelible.store.namespace_filter import LimitedStore
from indelible.store.tables import activity, applied, events, projects, purge, terms, trash
from indelible.store.tables.activity import Activity, Mark
from indelible.store.tables.events import Event
from indelible.store.tables.trash import Discarded, body_of
from samples import TENANT, keep, of_tenant, record

DAY = 86_400_000_000


def event(time, *named, conversation=""):
    return Event(time, "s", conversation, "recall_memory", named, "ok", 1, 2)


def test_every_row_is_looked_through_however_many_there_are(db, monkeypatch):
    monkeypatch.setattr(purge, "PAGE", 3)
    own = record("a")

    def work(tx):
        for n in range(7):
            trash.add(
                tx, Discarded(f"op{n}", "delete", "delete", n, f"k{n}", own, [], body_of(None), n, self_contained=True)
            )
            applied.add(tx, f"key{n}", "digest", {"id": f"k{n}", "ß": [n]}, n)
        events.add(tx, [event(n, f"k{n}", "ß", conversation=f"talk{n}") for n in range(7)])

    db.write(work)
    with db.read() as tx:
        assert [(kept.record, kept.time, kept.action) for kept in purge.trash(tx)] == [
            (n, n, "delete") for n in range(7)
        ]
        assert [(told.conversation, told.records) for told in purge.events(tx)] == [
            (f"talk{n}", [f"k{n}", "ß"]) for n in range(7)
        ]
        assert [(each.key, each.result) for each in purge.answers(tx)] == [
            (f"key{n}", {"id": f"k{n}", "ß": [n]}) for n in range(7)
        ]
        assert list(purge.trash(of_tenant(tx, TENANT + 1))) == list(purge.events(of_tenant(tx, TENANT + 1))) == []
        assert list(purge.answers(of_tenant(tx, TENANT + 1))) == []


def test_rows_are_dropped_by_their_names_and_the_others_stay(db):
    own = record("a")

    def work(tx):
        for n in range(3):
            trash.add(
                tx, Discarded(f"op{n}", "delete", "delete", n, f"k{n}", own, [], body_of(None), n, self_contained=True)
            )
            applied.add(tx, f"key {n}", "digest", n, n)
        first, second, _ = purge.trash(tx)
        assert purge.drop_trash(tx, [first.id, second.id]) == 2
        assert purge.drop_answers(tx, ["key 0", "key 2", "no key"]) == 2
        return [kept.record for kept in purge.trash(tx)], [each.key for each in purge.answers(tx)]

    assert db.write(work) == ([2], ["key 1"])


def test_events_become_counts_a_day_that_name_nothing(db):
    def work(tx):
        events.add(tx, [event(5, "a"), event(6, "b"), event(DAY + 7, "a"), event(DAY + 8, "c")])
        first, second, third, _ = purge.events(tx)
        assert purge.fold_events(tx, [first.id]) == 1
        assert purge.fold_events(tx, [second.id, third.id]) == 2
        return events.days(tx)

    tool = ("recall_memory", "ok")
    assert db.write(work) == [("1970-01-01", *tool, 2), ("1970-01-02", *tool, 1)]
    with db.read() as tx:
        assert [told.records for told in purge.events(tx)] == [["c"]]
    assert db.write(lambda tx: purge.drop_days(tx, "1970-01-02")) == 1
    with db.read() as tx:
        assert events.days(tx) == [("1970-01-02", *tool, 1)]


def test_what_nobody_changed_since_a_time_is_found(db):
    kept = keep(
        db,
        *(
            record(f"{kind}", kind=kind, created=1, updated=9)
            for kind in ("memory", "document", "chunk", "symbol", "file")
        ),
        record("new", created=1, updated=10),
    )
    with db.read() as tx:
        assert purge.older(tx, 10) == [kept[0].id, kept[1].id]
        assert purge.older(tx, 9) == []


def test_activity_goes_by_its_time_and_by_its_session_with_its_marks(db):
    def did(session, name, time):
        return Activity(session, name, time, "codex", "prompt", "/a")

    def work(tx):
        activity.add(tx, [did("codex:1", "a", 5), did("codex:1", "b", 50), did("codex:2", "c", 50)])
        activity.mark(tx, did("codex:1", "a", 5), "key", Mark("m", "d", True), 50)
        assert purge.count_activity(tx, 10, set()) == 1
        assert purge.count_activity(tx, 0, {"codex:1"}) == 2
        assert purge.drop_activity(tx, 10, set()) == 1
        assert purge.drop_activity(tx, 0, {"codex:1"}) == 2
        return activity.count(tx)

    assert db.write(work) == 1


def test_sessions_aliases_blocks_and_the_mark_of_a_purge(db):
    keep(db, record("a", session="conversation:x"), record("b", session="conversation:y"))

    def work(tx):
        projects.add(tx, "/home/a", "/a", 1)
        projects.add(tx, "git:a", "/a", 1)
        projects.add(tx, "/home/b", "/b", 1)
        for block in (0, 1, 2):
            terms.put_block(tx, terms.WORDS, 1, block, 1, 1, b"x")
        assert purge.marked(tx) == 0
        purge.mark(tx, 77)
        assert purge.drop_aliases(tx, ["/a"]) == 2
        assert purge.drop_blocks(tx, {0, 2}) == 2

    db.write(work)
    with db.read() as tx:
        assert purge.sessions_left(tx, ["conversation:x", "conversation:z"]) == {"conversation:x"}
        assert purge.marked(tx) == 77
        assert projects.aliases(tx) == {"/home/b": "/b"}
        assert [block for block, *_ in terms.blocks(tx, terms.WORDS, 1)] == [1]


def test_nobody_who_is_limited_to_namespaces_purges(db):
    own = LimitedStore(db, frozenset(["/a"]), "tok")
    for work in (
        lambda tx: purge.drop_trash(tx, [1]),
        lambda tx: purge.fold_events(tx, [1]),
        lambda tx: purge.drop_answers(tx, ["k"]),
        lambda tx: purge.drop_activity(tx, 1, set()),
        lambda tx: purge.drop_aliases(tx, ["/a"]),
        lambda tx: purge.drop_blocks(tx, [0]),
    ):
        with pytest.raises(Forbidden):
            own.write(work)
