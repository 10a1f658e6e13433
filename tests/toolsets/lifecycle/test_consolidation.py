"""The cycles of consolidation as tables: what each does and leaves alone, and that a second run changes nothing."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest

import store_file
from indelible.core.context.call import Call
from indelible.core.records import exporting, history
from indelible.core.records import undo as records_undo
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import trash
from indelible.toolsets.lifecycle import deduplicate, forget

CYCLES = ("decay", "creative", "cluster", "forget", "summarize")
DAYS = 30
UNTRUSTED = {"origin": "capture", "trust": "untrusted"}
BY_A_CYCLE = {"origin": "consolidation"}


def put(memory, *items: dict[str, Any]) -> None:
    """Import memories as they are given; they stand in namespace `n` unless they say otherwise."""
    done = memory.import_memories(memories=[{"namespace": "n", **item} for item in items])
    assert done["errors"] == []


def exported(memory) -> dict[str, dict[str, Any]]:
    return {record["id"]: record for record in exporting.export_all(memory.context)}


def whole(memory) -> str:
    return json.dumps(list(exporting.export_all(memory.context)))


def undo(memory) -> records_undo.Undone:
    return records_undo.undo(memory.context.for_call(Call(tool="undo")))


def _time(clock, days: float) -> str:
    from datetime import timedelta

    return (clock.now - timedelta(days=days)).isoformat()


def old(clock, days: float = 40, **more: Any) -> dict[str, Any]:
    """An imported memory that was stored some days ago."""
    when = _time(clock, days)
    return {"content": more.get("id", "old"), "created_at": when, "updated_at": when, **more}


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
            item[said] = _time(clock, given.pop(field))
    if "decayed" in given:
        mark = _time(clock, given.pop("decayed")).replace("+00:00", ".000000Z")
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
        things = trash.recent(tx, ctx.tenant, 100)
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


# --- Creative ---


def tagged(name: str, type_: str, *tags: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "content": f"content of {name}", "memory_type": type_, "tags": list(tags), **more}


RELATED = {
    "one tag in common": ([tagged("a", "decision", "x"), tagged("b", "pattern", "x")], {("b", "a"): 1.0}),
    "one of three": ([tagged("a", "decision", "x", "y"), tagged("b", "pattern", "y", "z")], {("b", "a"): 1 / 3}),
    "of one type": ([tagged("a", "decision", "x"), tagged("b", "decision", "x")], {}),
    "no tag in common": ([tagged("a", "decision", "x"), tagged("b", "pattern", "y")], {}),
    "no tags": ([tagged("a", "decision"), tagged("b", "pattern")], {}),
    "in two namespaces": ([tagged("a", "decision", "x"), tagged("b", "pattern", "x", namespace="m")], {}),
    "in none": (
        [tagged("a", "decision", "x", namespace=None), tagged("b", "pattern", "x", namespace=None)],
        {("b", "a"): 1.0},
    ),
    "of other case and form": (
        [tagged("a", "decision", "Caf\u00e9"), tagged("b", "pattern", "cafe\u0301", "кэш")],
        {("b", "a"): 0.5},
    ),
    "of another kind": ([tagged("a", "decision", "x"), tagged("b", "global", "x", kind="solution")], {}),
    "captured": (
        [
            tagged("a", "decision", "x"),
            tagged("b", "pattern", "x", metadata=UNTRUSTED),
        ],
        {},
    ),
    "replaced": (
        [
            tagged("a", "decision", "x"),
            tagged("b", "pattern", "x"),
            tagged("c", "style", edges=[{"source": "c", "target": "b", "relationship": "SUPERSEDES"}]),
        ],
        {},
    ),
    "related by something else": (
        [
            tagged("a", "decision", "x"),
            tagged("b", "pattern", "x", edges=[{"source": "a", "target": "b", "relationship": "LEADS_TO"}]),
        ],
        {("b", "a"): 1.0},
    ),
}


def relations(memory, name: str = "RELATES_TO") -> dict[tuple[str, str], float]:
    return {
        (edge["source"], edge["target"]): edge["weight"]
        for record in exported(memory).values()
        for edge in record["edges"]
        if edge["relationship"] == name
    }


@pytest.mark.parametrize("name", RELATED)
def test_memories_of_different_types_that_share_tags_are_related(memory, name: str):
    items, wanted = RELATED[name]
    for item in items:
        put(memory, item)
    assert memory.consolidate_creative() == {"cycle": "creative", "new_connections": len(wanted)}
    assert relations(memory) == pytest.approx(wanted)
    before = whole(memory)
    assert memory.consolidate_creative()["new_connections"] == 0
    assert whole(memory) == before


@pytest.mark.parametrize(("source", "target"), [("a", "b"), ("b", "a")])
def test_what_is_related_already_keeps_its_relation_and_its_weight(memory, source: str, target: str):
    put(memory, tagged("a", "decision", "x"), tagged("b", "pattern", "x"))
    memory.associate_memories(source_id=source, target_id=target, relationship="relates_to", weight=0.25)
    assert memory.consolidate_creative()["new_connections"] == 0
    assert relations(memory) == {(source, target): 0.25}


def test_a_memory_gets_a_few_strong_relations_however_many_share_its_tags(memory):
    put(memory, tagged("hub", "decision", "x", "y", "w"))
    put(memory, *(tagged(f"both{n:02}", "pattern", "x", "y") for n in range(12)))
    put(memory, *(tagged(f"one{n}", "insight", "w", str(n)) for n in range(3)))
    assert memory.consolidate_creative()["new_connections"] == 5
    found = relations(memory)
    assert {pair for pair in found if "hub" in pair and any(end.startswith("both") for end in pair)} == found.keys()
    assert set(found.values()) == {2 / 3}
    assert memory.consolidate_creative()["new_connections"] == 0


def test_a_memory_that_comes_later_takes_nobody_his_relations_and_gets_a_few(memory, clock):
    put(memory, *(tagged(f"m{n:02}", ("pattern", "style")[n % 2], "x") for n in range(40)))
    memory.consolidate_creative()
    before = relations(memory)
    assert max(sum(f"m{n:02}" in pair for pair in before) for n in range(40)) <= 5
    clock.pass_(minutes=1)
    put(memory, tagged("new", "decision", "x"))
    assert 1 <= memory.consolidate_creative()["new_connections"] <= 5
    assert before.items() <= relations(memory).items()


# --- Cluster ---


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Use X", "Use X.", True),
        ("Use X", "Use X!", True),
        ("Use X", " Use \t\n X ...!! ", True),
        ("Use X", "use X", False),
        ("Use X", "Use X?", False),
        ("Use C", "Use C++", False),
        ("Use C", "Use C#", False),
        ("Use C++", "Use C#", False),
        ("Use C", "Use C.", True),
        ("...", "!!!", False),
        ("...", " ... ", True),
        ("Caf\u00e9", "Cafe\u0301.", True),
        ("夜間バッチ", "夜間バッチ.", True),
        ("夜間バッチ", "夜間バッチ。", False),
        ("a.b", "ab", False),
    ],
)
def test_two_contents_are_alike_but_for_white_space_and_what_ends_a_sentence(one: str, other: str, alike: bool):
    assert (deduplicate.digest(one) == deduplicate.digest(other)) is alike


def said(name: str, content: str, importance: float = 0.5, **more: Any) -> dict[str, Any]:
    return {"id": name, "content": content, "importance": importance, **more}


KEPT = {
    "the most important": ([said("a", "Use X", 0.4), said("b", "Use X.", 0.9), said("c", "Use  X")], {"b"}),
    "of equal ones the newest": ([said("a", "Use X"), said("b", "Use X.")], {"b"}),
    "both of two types": ([said("a", "Use X", memory_type="decision"), said("b", "Use X.")], {"a", "b"}),
    "both of two namespaces": ([said("a", "Use X"), said("b", "Use X.", namespace="m")], {"a", "b"}),
    "what differs": ([said("a", "Use C"), said("b", "Use C++"), said("c", "Use C#")], {"a", "b", "c"}),
    "two groups": (
        [said("a", "One"), said("b", "One."), said("c", "Two", 0.9), said("d", "Two!")],
        {"b", "c"},
    ),
    "what somebody confirmed": ([said("a", "Use X", 0.2), said("b", "Use X.", 0.9, metadata=UNTRUSTED)], {"a"}),
    "what is replaced too": (
        [
            said("a", "Use X", 0.9),
            said("b", "Use X.", edges=[{"source": "a", "target": "b", "relationship": "EVOLVED_INTO"}]),
        ],
        {"a", "b"},
    ),
    "what is of another kind": ([said("a", "Use X"), said("b", "Use X.", kind="solution")], {"a", "b"}),
}


@pytest.mark.parametrize("name", KEPT)
def test_of_memories_that_say_the_same_one_stays(memory, name: str):
    items, kept = KEPT[name]
    for item in items:
        put(memory, item)
    answer = memory.consolidate_cluster()
    assert exported(memory).keys() == kept
    assert answer["merged"] == len(items) - len(kept)
    before = whole(memory)
    assert memory.consolidate_cluster() == {"cycle": "cluster", "merged": 0, "kept": 0}
    assert whole(memory) == before


def test_many_that_say_the_same_are_merged_in_steps(memory, monkeypatch):
    monkeypatch.setattr(deduplicate, "TOGETHER", 3)
    items = [said(f"m{n}", "Use X" + " ." * n, 0.5 + n % 4 / 10, tags=[f"t{n}"], access_count=n) for n in range(11)]
    put(memory, *items, said("other", "Use Y"), said("twin", "Use Y."))
    before = whole(memory)
    assert memory.consolidate_cluster() == {"cycle": "cluster", "merged": 11, "kept": 2}
    after = exported(memory)
    assert after.keys() == {"m7", "twin"}
    assert set(after["m7"]["tags"]) == {f"t{n}" for n in range(11)}
    assert after["m7"]["access_count"] == sum(range(11))
    undo(memory)
    assert whole(memory) == before


def test_the_one_that_stays_takes_over_tags_relations_and_accesses(memory, clock):
    used = {"access_count": 4, "last_accessed_at": _time(clock, 2)}
    put(
        memory,
        said("kept", "Use X", 0.9, tags=["a", "b"]),
        said("twin", "Use X.", tags=["b", "c"], **used),
        said("third", "Use X!", tags=["zähler"], access_count=1, last_accessed_at=_time(clock, 1)),
        said("why", "Because of Y"),
        said("past", "Use W"),
        {
            **said("last", "Then Z"),
            "edges": [
                {"source": "why", "target": "twin", "relationship": "LEADS_TO", "weight": 0.5},
                {"source": "why", "target": "kept", "relationship": "EXPLAINS", "weight": 0.25},
                {"source": "why", "target": "third", "relationship": "EXPLAINS", "weight": 0.75},
                {"source": "past", "target": "twin", "relationship": "EVOLVED_INTO"},
                {"source": "twin", "target": "third", "relationship": "SIMILAR_TO"},
                {"source": "third", "target": "last", "relationship": "owned by", "metadata": {"by": "import"}},
            ],
        },
    )
    before = exported(memory)
    assert before["past"]["replaced"]
    before_all = whole(memory)
    assert memory.consolidate_cluster() == {"cycle": "cluster", "merged": 2, "kept": 1}
    after = exported(memory)
    assert after.keys() == {"kept", "why", "past", "last"}
    assert after["kept"]["tags"] == ["a", "b", "c", "zähler"]
    assert (after["kept"]["access_count"], after["kept"]["content"]) == (5, "Use X")
    assert after["kept"]["last_accessed_at"] == before["third"]["last_accessed_at"]
    found = {
        (edge["source"], edge["relationship"], edge["target"]): (edge["weight"], edge["metadata"])
        for record in after.values()
        for edge in record["edges"]
    }
    assert found == {
        ("why", "LEADS_TO", "kept"): (0.5, {}),
        ("why", "EXPLAINS", "kept"): (0.25, {}),
        ("past", "EVOLVED_INTO", "kept"): (1.0, {}),
        ("kept", "owned by", "last"): (1.0, {"by": "import"}),
    }
    assert after["past"]["replaced"]
    undo(memory)
    assert whole(memory) == before_all


def test_the_one_that_stays_is_found_by_the_tags_of_the_others(memory):
    put(memory, said("kept", "Use X", 0.9), said("twin", "Use X.", tags=["zähler"]), said("else", "Something else"))
    memory.consolidate_cluster()
    assert [hit["id"] for hit in memory.recall_memory(query="zähler")] == ["kept"]


def test_accesses_since_a_merge_stay_when_it_is_undone(memory, clock):
    put(memory, said("kept", "Use X first", 0.9), said("twin", "Use X first.", access_count=3))
    memory.consolidate_cluster()
    assert exported(memory)["kept"]["access_count"] == 3
    clock.pass_(minutes=1)
    memory.recall_memory(query="use x first")
    memory.context.write_behind.flush()
    undo(memory)
    after = exported(memory)
    assert (after["kept"]["access_count"], after["twin"]["access_count"]) == (1, 3)


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


# --- Summarize ---


def ring(name: str, size: int, **more: Any) -> list[dict[str, Any]]:
    """Memories that are all related to each other."""
    ids = [f"{name}{n}" for n in range(size)]
    edges = [{"source": a, "target": b, "relationship": "RELATES_TO"} for n, a in enumerate(ids) for b in ids[n + 1 :]]
    items = [
        {"id": id_, "content": f"The {name} retries job {n}. Note {id_}.", "tags": [name, f"t{n}"], **more}
        for n, id_ in enumerate(ids)
    ]
    return [*items[:-1], {**items[-1], "edges": edges}]


def test_a_community_becomes_an_insight_that_summarises_all_of_it(memory):
    put(memory, *ring("queue", 5, importance=0.6, confidence=0.8), *ring("cache", 4))
    answer = memory.consolidate_summarize()
    assert (answer["clusters_found"], answer["summarized"], answer["min_cluster_size"]) == (1, 1, 5)
    (made,) = answer["created_ids"]
    summary = exported(memory)[made]
    assert (summary["memory_type"], summary["namespace"], summary["tags"]) == ("insight", "n", ["queue"])
    assert (summary["importance"], summary["confidence"]) == (0.6, pytest.approx(0.8))
    assert summary["metadata"] == {"origin": "consolidation"}
    lines = summary["content"].splitlines()
    assert lines[0] == "Summary of 5 related memories:"
    contents = " ".join(exported(memory)[f"queue{n}"]["content"] for n in range(5))
    assert lines[1:]
    assert all(line.removeprefix("- ") in contents for line in lines[1:])
    assert relations(memory, "SUMMARIZES") == {(made, f"queue{n}"): 1.0 for n in range(5)}
    assert made in {hit["id"] for hit in memory.recall_memory(query="queue retries")}


def test_a_community_that_has_a_summary_gets_none(memory):
    put(memory, *ring("queue", 6))
    assert memory.consolidate_summarize()["summarized"] == 1
    before = whole(memory)
    for size in (5, 6, 2):
        again = memory.consolidate_summarize(cluster_size=size)
        assert (again["clusters_found"], again["summarized"], again["created_ids"]) == (1, 0, [])
    assert whole(memory) == before


@pytest.mark.parametrize(("merged", "summarized"), [(2, 1), (3, 0), (6, 0)])
def test_a_summary_that_somebody_wrote_of_half_of_a_community_counts(memory, merged: int, summarized: int):
    put(memory, *ring("queue", 6))
    memory.merge_memories(source_ids=[f"queue{n}" for n in range(merged)], content="They retry")
    assert memory.consolidate_summarize()["summarized"] == summarized


SUMMARIZED = {
    "exactly large enough": (ring("q", 5), 5, 1),
    "too small": (ring("q", 4), 5, 0),
    "small, where two are enough": (ring("q", 2), 2, 1),
    "without relations": ([{"id": str(n), "content": f"c{n}"} for n in range(9)], 2, 0),
    "captured": (ring("q", 5, metadata=UNTRUSTED), 5, 0),
    "two": ([*ring("q", 5), *ring("r", 6)], 5, 2),
    "in two namespaces": ([*ring("q", 5), *ring("r", 5, namespace="m")], 5, 2),
    "in no project": (ring("q", 5, namespace=None), 5, 1),
    "over two namespaces": ([*ring("q", 6)[:3], *({**item, "namespace": "m"} for item in ring("q", 6)[3:])], 4, 0),
    "in Chinese": (ring("缓存", 5), 5, 1),
    "that says nothing": ([{**item, "content": "!" * (n + 1)} for n, item in enumerate(ring("q", 5))], 5, 1),
}


@pytest.mark.parametrize("name", SUMMARIZED)
def test_communities_that_are_large_enough_are_summarised(memory, name: str):
    items, size, wanted = SUMMARIZED[name]
    put(memory, *items)
    before = whole(memory)
    assert memory.consolidate_summarize(cluster_size=size)["summarized"] == wanted
    after = whole(memory)
    assert memory.consolidate_summarize(cluster_size=size)["summarized"] == 0
    assert whole(memory) == after
    if wanted:
        undo(memory)
    assert whole(memory) == before


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
            item[told] = _time(clock, given.pop(field))
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
    ctx.store.write(lambda tx: activity.mark(tx, ctx.tenant, of, "decision:1", mark, ctx.now()))
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
