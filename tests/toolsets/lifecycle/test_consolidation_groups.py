"""The cycles of consolidation that look at several memories: what they relate, merge and summarise."""

from __future__ import annotations

from typing import Any

import pytest

from consolidated import UNTRUSTED, exported, put, relations, ring, tagged, time_before, undo, whole
from indelible.core.records.lifetimes import TIMES
from indelible.search import duplicates
from indelible.toolsets.lifecycle import deduplicate

# --- Creative ---


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
    assert (duplicates.digest(one) == duplicates.digest(other)) is alike


def said(name: str, content: str, importance: float = 0.5, **more: Any) -> dict[str, Any]:
    metadata = {each: more.pop(each) for each in (*TIMES, "pinned") if each in more} | more.pop("metadata", {})
    return {"id": name, "content": content, "importance": importance, "metadata": metadata, **more}


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
    "what is true at other times": (
        [said("a", "Use X", valid_to="2020-01-01"), said("b", "Use X."), said("c", "Use X!", valid_from="2020-01-01")],
        {"a", "b", "c"},
    ),
    "what has expired too": (
        [said("a", "Use X", 0.9, expires_at="2020-01-01"), said("b", "Use X."), said("c", "Use X!", 0.8)],
        {"a", "c"},
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
    used = {"access_count": 4, "last_accessed_at": time_before(clock, 2)}
    put(
        memory,
        said("kept", "Use X", 0.9, tags=["a", "b"]),
        said("twin", "Use X.", tags=["b", "c"], **used),
        said("third", "Use X!", tags=["zähler"], access_count=1, last_accessed_at=time_before(clock, 1)),
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


LASTING = {
    "a pin": (said("kept", "X", 0.9), [said("twin", "X.", pinned=True)], {"pinned": True}),
    "a pin of its own": (said("kept", "X", 0.9, pinned=True), [said("twin", "X.")], {"pinned": True}),
    "the later end": (
        said("kept", "X", 0.9, expires_at="2030-01-01"),
        [said("twin", "X.", expires_at="2031-01-01"), said("third", "X!", expires_at="2029-01-01")],
        {"expires_at": "2031-01-01T00:00:00.000000Z"},
    ),
    "no end": (said("kept", "X", 0.9, expires_at="2030-01-01"), [said("twin", "X.")], {}),
    "no end of its own": (said("kept", "X", 0.9), [said("twin", "X.", expires_at="2030-01-01")], {}),
    "no time of a capture": (
        said("kept", "X", 0.2, expires_at="2030-01-01"),
        [said("twin", "X.", 0.9, metadata=UNTRUSTED)],
        {"expires_at": "2030-01-01T00:00:00.000000Z"},
    ),
}


@pytest.mark.parametrize("name", LASTING)
def test_the_one_that_stays_is_pinned_as_any_and_lasts_as_long_as_any(memory, name: str):
    kept, going, lasting = LASTING[name]
    put(memory, kept, *going)
    before = whole(memory)
    assert memory.consolidate_cluster()["merged"] == len(going)
    assert exported(memory)["kept"]["metadata"] == lasting
    undo(memory)
    assert whole(memory) == before


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


# --- Summarize ---


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
