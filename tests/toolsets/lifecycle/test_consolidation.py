"""The cycles of consolidation as tables: what fades and goes, and that a second run changes nothing."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest

import store_file
from consolidated import CYCLES, UNTRUSTED, exported, old, put, ring, tagged, time_before, undo, whole
from indelible.core.context.call import Call
from indelible.core.records import history
from indelible.core.records import undo as records_undo
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import trash
from indelible.toolsets.lifecycle import forget

DAYS = 30
BY_A_CYCLE = {"origin": "consolidation"}


@pytest.mark.parametrize("cycle", CYCLES)
def test_an_empty_store_is_left_alone(memory, cycle: str):
    answer = getattr(memory, f"consolidate_{cycle}")()
    assert answer.pop("cycle") == cycle
    settings = {"threshold_days": 30, "threshold": 0.1, "min_cluster_size": 5}
    assert all(value in (0, [], settings.get(name)) for name, value in answer.items())
    assert whole(memory) == "[]"


def test_the_status_tells_of_all_five_also_of_those_that_never_ran(memory, clock):
    assert memory.consolidation_status() == {"cycles": {cycle: {"last_run": None, "affected": 0} for cycle in CYCLES}}
    put(memory, old(clock, id="a"), old(clock, id="b"))
    memory.consolidate_decay()
    status = memory.consolidation_status()["cycles"]
    assert status["decay"] == {"last_run": "2026-03-01T12:00:00Z", "affected": 2}
    assert status["cluster"] == {"last_run": None, "affected": 0}
    clock.pass_(hours=1)
    memory.consolidate_decay()
    assert memory.consolidation_status()["cycles"]["decay"] == {"last_run": "2026-03-01T13:00:00Z", "affected": 0}


@pytest.mark.parametrize(
    "wrong",
    [
        ("decay", {"threshold_days": 0}, "between 1 and 36500, got 0"),
        ("decay", {"threshold_days": 1.5}, "threshold_days"),
        ("decay", {"threshold_days": True}, "threshold_days"),
        ("forget", {"importance_threshold": 1.5}, "between 0"),
        ("forget", {"importance_threshold": float("nan")}, "importance_threshold"),
        ("summarize", {"cluster_size": 1}, "cluster_size"),
        ("creative", {"threshold": 1}, "unknown argument"),
    ],
    ids=str,
)
def test_bad_input_is_refused_and_changes_nothing(memory, clock, wrong: tuple[str, dict[str, Any], str]):
    from indelible.errors import InvalidInput

    cycle, arguments, words = wrong
    put(memory, old(clock, id="a", importance=0.01))
    before = whole(memory)
    with pytest.raises(InvalidInput, match=words):
        getattr(memory, f"consolidate_{cycle}")(**arguments)
    assert whole(memory) == before
    assert memory.consolidation_status()["cycles"]["decay"]["last_run"] is None


# --- Decay ---


DECAYS = {
    "never used": ({}, True),
    "of importance 1": ({"importance": 1}, True),
    "used long ago": ({"access_count": 3, "days_since_access": 31}, True),
    "used exactly thirty days ago": ({"access_count": 3, "days_since_access": DAYS}, True),
    "used since": ({"access_count": 1, "days_since_access": 29.9}, False),
    "stored exactly thirty days ago": ({"days": DAYS}, True),
    "stored since": ({"days": 29.9}, False),
    "changed since": ({"changed": 2}, False),
    "without importance": ({"importance": 0}, False),
    "captured": ({"metadata": {"origin": "capture", "trust": "untrusted"}}, True),
    "decayed thirty days ago": ({"decayed": DAYS}, True),
    "decayed since": ({"decayed": 29.9}, False),
    "with a mark of somebody else": ({"metadata": {"decayed_at": 7}}, True),
    "of another kind": ({"kind": "solution"}, False),
    "replaced": ({"edges": [{"source": "it", "target": "newer", "relationship": "EVOLVED_INTO"}]}, True),
    "in a project of its own": ({"namespace": "other"}, True),
    "in no project": ({"namespace": None}, True),
    "in Japanese": ({"content": "夜間バッチ", "tags": ["夜"]}, True),
}


@pytest.mark.parametrize("name", DECAYS)
def test_what_was_not_used_for_thirty_days_loses_a_tenth_of_its_importance(memory, clock, name: str):
    given, decays = DECAYS[name]
    given = {"importance": 0.8, **given}
    item = old(clock, given.pop("days", 40), id="it")
    for field, said in (("days_since_access", "last_accessed_at"), ("changed", "updated_at")):
        if field in given:
            item[said] = time_before(clock, given.pop(field))
    if "decayed" in given:
        mark = time_before(clock, given.pop("decayed")).replace("+00:00", ".000000Z")
        item["metadata"] = {"decayed_at": mark, "mine": [1, None]}
    put(memory, {**item, **given}, {"id": "newer", "content": "stored today", "importance": 0.8})
    clock.now = clock.now.replace(microsecond=0)
    before = exported(memory)
    clock.now = clock.now.replace(hour=12, minute=0, second=0)
    assert memory.consolidate_decay() == {"cycle": "decay", "affected": int(decays), "threshold_days": DAYS}
    after = exported(memory)
    assert after["newer"] == before["newer"]
    if not decays:
        assert after == before
        return
    assert after["it"]["importance"] == pytest.approx(before["it"]["importance"] * 0.9)
    mark = after["it"]["metadata"].pop("decayed_at")
    assert mark.startswith("2026-03-01T12:00:00.")
    old_metadata = {key: value for key, value in before["it"]["metadata"].items() if key != "decayed_at"}
    assert after["it"] == {**before["it"], "importance": after["it"]["importance"], "metadata": old_metadata}


def test_a_memory_decays_once_in_a_period_however_often_it_is_asked_for(memory, clock):
    put(memory, old(clock, id="it", importance=1))
    said = []
    for days, threshold in (
        (0, 30),
        (1, 30),
        (0, 14),
        (12, 14),
        (1.1, 14),
        (0, 1),
        (0.5, 1),
        (0.6, 1),
        (27, 30),
        (3, 30),
    ):
        clock.pass_(days=days)
        said.append(memory.consolidate_decay(threshold_days=threshold)["affected"])
    assert said == [1, 0, 0, 0, 1, 0, 0, 1, 0, 1]
    assert exported(memory)["it"]["importance"] == pytest.approx(0.9**4)


def test_what_a_recall_returned_a_moment_ago_does_not_decay(memory, clock):
    put(memory, old(clock, id="it", content="the queue is drained"), old(clock, id="other", content="unrelated words"))
    assert [hit["id"] for hit in memory.recall_memory(query="queue drained")] == ["it"]
    assert memory.consolidate_decay()["affected"] == 1
    assert exported(memory)["it"]["importance"] == 0.5


def test_what_decayed_is_kept_in_a_few_bytes_each_and_what_was_changed_since_stays_as_it_is(memory, clock):
    put(memory, *(old(clock, id=f"m{n:03}", content=f"{n} " + "x" * 2_000) for n in range(300)))
    put(memory, old(clock, id="else", namespace="other", metadata={"decayed_at": None, "mine": 1}))
    before = exported(memory)
    assert memory.consolidate_decay()["affected"] == 301
    ctx = memory.context
    with ctx.store.read() as tx:
        things = trash.recent(tx, 100)
    assert len(things) == 4
    assert sum(len(json.dumps(thing.body)) for thing in things) < 301 * 120
    clock.pass_(minutes=1)
    memory.update_memory(id="m008", content="said anew")
    memory.delete_memory(id="m009")
    (decay,) = (past["operation"] for past in history.operations(ctx, 10) if past["tool"] == "consolidate_decay")
    undone = records_undo.undo(ctx.for_call(Call(tool="undo")), decay)
    assert len(undone["restored"]) == 300
    after = exported(memory)
    assert (after["m008"]["importance"], after["m008"]["content"]) == (0.5, "said anew")
    assert "decayed_at" not in after["m008"]["metadata"]
    others = before.keys() - {"m008", "m009"}
    assert {name: after[name] for name in others} == {name: before[name] for name in others}


def test_an_update_from_before_can_be_undone_though_the_memory_decayed_since(memory, clock):
    put(memory, old(clock, id="it", content="first"), old(clock, id="other"))
    memory.update_memory(id="it", content="second")
    (update,) = (past["operation"] for past in history.operations(memory.context, 10))
    clock.pass_(days=31)
    assert memory.consolidate_decay()["affected"] == 2
    records_undo.undo(memory.context.for_call(Call(tool="undo")), update)
    assert exported(memory)["it"]["content"] == "first"
    undo(memory)
    assert {record["importance"] for record in exported(memory).values()} == {0.5}


# --- Forget ---


FORGOTTEN = {
    "below the threshold": ({"importance": 0.09}, True),
    "at the threshold": ({"importance": 0.1}, False),
    "without importance": ({"importance": 0}, True),
    "returned once": ({"importance": 0.05, "access_count": 1}, False),
    "with a relation": (
        {"importance": 0.05, "edges": [{"source": "it", "target": "other", "relationship": "LEADS_TO"}]},
        True,
    ),
    "evolved from another": (
        {"importance": 0.05, "edges": [{"source": "other", "target": "it", "relationship": "EVOLVED_INTO"}]},
        False,
    ),
    "that made another invalid": (
        {"importance": 0.05, "edges": [{"source": "other", "target": "it", "relationship": "INVALIDATED_BY"}]},
        False,
    ),
    "that supersedes another": (
        {"importance": 0.05, "edges": [{"source": "it", "target": "other", "relationship": "supersedes"}]},
        False,
    ),
    "that summarises another": (
        {"importance": 0.05, "edges": [{"source": "it", "target": "other", "relationship": "SUMMARIZES"}]},
        False,
    ),
    "that is summarised": (
        {"importance": 0.05, "edges": [{"source": "other", "target": "it", "relationship": "SUMMARIZES"}]},
        True,
    ),
    "replaced": (
        {"importance": 0.05, "edges": [{"source": "it", "target": "other", "relationship": "EVOLVED_INTO"}]},
        True,
    ),
    "of another kind": ({"importance": 0.05, "kind": "solution"}, False),
    "in no project": ({"importance": 0.05, "namespace": None}, True),
    "in Thai": ({"importance": 0.05, "content": "แคชจะว่างเปล่า", "tags": ["แคช"]}, True),
}


@pytest.mark.parametrize("name", FORGOTTEN)
def test_unimportant_memories_that_nobody_ever_needed_are_forgotten(memory, name: str):
    given, forgotten = FORGOTTEN[name]
    put(memory, {"id": "other", "content": "another"}, {"id": "it", "content": "it", **given})
    before = whole(memory)
    assert memory.consolidate_forget() == {"cycle": "forget", "deleted": int(forgotten), "threshold": 0.1}
    assert exported(memory).keys() == {"other"} | (set() if forgotten else {"it"})
    assert memory.consolidate_forget()["deleted"] == 0
    if forgotten:
        undo(memory)
    assert whole(memory) == before


def test_the_threshold_says_what_is_unimportant(memory):
    put(memory, *({"id": str(n), "content": f"number {n}", "importance": n / 10} for n in range(11)))
    assert memory.consolidate_forget(importance_threshold=0)["deleted"] == 0
    assert memory.consolidate_forget(importance_threshold=0.3)["deleted"] == 3
    assert memory.consolidate_forget(importance_threshold=1)["deleted"] == 7
    assert exported(memory).keys() == {"10"}


# --- What was captured ---


FOLDED = {
    "that nobody used": ({}, True),
    "ninety days ago": ({"days": 90}, True),
    "since": ({"days": 89.9}, False),
    "renewed since": ({"changed": 3}, False),
    "returned since": ({"access_count": 1, "days_since_access": 3}, False),
    "returned long ago": ({"access_count": 1, "days_since_access": 95}, True),
    "and promoted": ({"metadata": {"origin": "capture", "trust": "trusted"}}, False),
    "and related by a caller": ({"edges": [{"source": "it", "target": "other", "relationship": "LEADS_TO"}]}, False),
    "and related to by a caller": ({"edges": [{"source": "other", "target": "it", "relationship": "LEADS_TO"}]}, False),
    "and related by a cycle": (
        {
            "edges": [
                {
                    "source": "it",
                    "target": "other",
                    "relationship": "RELATES_TO",
                    "metadata": BY_A_CYCLE,
                }
            ]
        },
        True,
    ),
    "not, but written by hand": ({"metadata": {}}, False),
    "and refined": ({"edges": [{"source": "it", "target": "other", "relationship": "EVOLVED_INTO"}]}, False),
}


@pytest.mark.parametrize("name", FOLDED)
def test_captured_memories_that_nobody_used_for_ninety_days_are_folded_away(memory, clock, name: str):
    given, folded = dict(FOLDED[name][0]), FOLDED[name][1]
    item = old(clock, given.pop("days", 100), id="it", metadata=UNTRUSTED)
    for field, told in (("days_since_access", "last_accessed_at"), ("changed", "updated_at")):
        if field in given:
            item[told] = time_before(clock, given.pop(field))
    put(memory, {"id": "other", "content": "another"}, {**item, **given})
    before = whole(memory)
    assert forget.fold_captured(memory.context) == int(folded)
    assert exported(memory).keys() == {"other"} | (set() if folded else {"it"})
    assert forget.fold_captured(memory.context) == 0
    if folded:
        assert undo(memory)["tool"] == "fold_captured"
    assert whole(memory) == before


def test_housekeeping_folds_once_a_day(memory, clock):
    put(memory, old(clock, 89, id="it", metadata=UNTRUSTED))
    assert forget.fold_daily(memory.context) == 0
    clock.pass_(hours=23)
    assert forget.fold_daily(memory.context) == 0
    clock.pass_(hours=23)
    assert forget.fold_daily(memory.context) == 1


def test_housekeeping_folds_some_at_a_time_and_waits_for_nobody(memory, clock, monkeypatch):
    from indelible.toolsets.lifecycle import cycle

    monkeypatch.setattr(forget, "ROUND", 4)
    put(memory, *(old(clock, 100, id=f"m{n}", metadata=UNTRUSTED) for n in range(10)))
    ctx = memory.context
    with cycle._alone(ctx):
        assert forget.fold_daily(ctx.for_call(Call(tool="housekeeping"))) == 0
    assert [forget.fold_daily(ctx) for _ in range(4)] == [4, 4, 2, 0]
    assert exported(memory) == {}


def test_what_was_captured_of_an_old_transcript_is_kept_as_long_as_what_was_captured_today(memory, clock):
    from indelible.store.tables import activity

    clock.now = clock.now.replace(microsecond=0)
    put(memory, old(clock, 400, id="it", metadata=UNTRUSTED, session="claude-code:s1"))
    of = activity.Activity("claude-code:s1", "e1", 1, "claude-code", "prompt", "n")
    ctx = memory.context
    mark = activity.Mark("it", "digest", own=True)
    ctx.store.write(lambda tx: activity.mark(tx, of, "decision:1", mark, ctx.now()))
    clock.pass_(days=89)
    assert forget.fold_captured(ctx) == 0
    clock.pass_(days=2)
    assert forget.fold_captured(ctx) == 1


# --- All of them ---


def test_every_cycle_together_comes_to_rest(memory, clock):
    """What one makes gives another no work: a second round changes nothing."""
    put(memory, *ring("queue", 6), *(old(clock, id=f"o{n}", content="Use X" + "." * n) for n in range(3)))
    put(memory, *(tagged(f"p{n}", ("pattern", "style")[n % 2], "queue", f"x{n % 3}") for n in range(8)))
    order = ("decay", "cluster", "forget", "creative", "summarize")
    for cycle in order:
        getattr(memory, f"consolidate_{cycle}")()
    before = whole(memory)
    for cycle in order:
        getattr(memory, f"consolidate_{cycle}")()
    assert whole(memory) == before


def test_a_cycle_writes_one_event_that_names_what_it_changed(memory, clock):
    put(memory, *(old(clock, id=f"m{n}") for n in range(60)))
    memory.consolidate_decay()
    ctx = memory.context
    ctx.write_behind.flush()
    with closing(store_file.opened(ctx.settings.data / FILE)) as file:
        ((tool, outcome, changed),) = file.execute(
            "SELECT tool, outcome, records FROM event ORDER BY id DESC LIMIT 1"
        ).fetchall()
    assert (tool, outcome, len(json.loads(changed))) == ("consolidate_decay", "ok", 50)


def test_a_read_only_server_refuses_and_shows_the_status(open_store, clock):
    from indelible.errors import Conflict

    first = open_store()
    put(first, old(clock, id="a"))
    before = whole(first)
    reader = open_store(read_only=True)
    for cycle in CYCLES:
        with pytest.raises(Conflict, match="read-only"):
            getattr(reader, f"consolidate_{cycle}")()
    with pytest.raises(Conflict, match="read-only"):
        forget.fold_captured(reader.context)
    assert reader.consolidation_status()["cycles"]["decay"]["affected"] == 0
    assert whole(first) == before


# --- What has expired is no evidence, and in no list ---


@pytest.mark.parametrize(
    "lasting", [{"valid_to": "2026-03-15"}, {"valid_from": "2030-01-01"}, {"expires_at": "30d"}], ids=str
)
def test_no_summary_and_no_relation_is_made_of_what_is_not_true_now_or_has_expired(memory, clock, lasting):
    def put(text: str, **more: Any) -> list[str]:
        types = ("decision", "insight", "pattern")
        made = [memory.store_memory(content=f"{text} {type_}", memory_type=type_, tags=["lock"], **more)["id"]
                for type_ in types]  # fmt: skip
        for source, target in ((0, 1), (1, 2), (0, 2)):
            memory.associate_memories(source_id=made[source], target_id=made[target], relationship="LEADS_TO")
        return made

    then = put("The lock is held by the", **lasting)
    put("A second lock waits for the")
    clock.pass_(days=31)
    (summary,) = memory.consolidate_summarize(cluster_size=3)["created_ids"]
    text = next(each["content"] for each in memory.recall_memory(query=summary))
    assert "second lock" in text
    assert "held" not in text
    assert memory.consolidate_creative()["new_connections"] == 3
    assert {each["id"] for each in memory.graph_traverse(start_id=then[0], max_depth=9)} == set(then)
