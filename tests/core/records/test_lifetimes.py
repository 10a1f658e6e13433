"""What expires leaves recalls and briefs, and what is pinned opens these; times are written in one form."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import store_file
from apart import Clock, call
from command_line import done, opened, undo
from indelible.admin import purge
from indelible.clock import micros, sortable_text, time_value
from indelible.core.context.context import Context
from indelible.errors import InvalidInput, NotFound
from indelible.toolsets.memory import inspection
from indelible.toolsets.solutions import solutions
from made_up_meaning import embed_all, with_meaning

DEPLOYS = "Deploys run on Tuesday"


def store(ctx: Context, content: str, **more: Any) -> str:
    return str(call(ctx, "store_memory", content=content, **more)["id"])


def found(ctx: Context, query: str = "deploys", **more: Any) -> list[str]:
    return [hit["content"] for hit in call(ctx, "recall_memory", query=query, **more)]


@given(st.integers(-(10**16), 10**17), st.integers(-(10**16), 10**17))
def test_texts_of_times_have_the_order_of_the_times(one: int, other: int):
    texts = sortable_text(one), sortable_text(other)
    assert (texts[0] < texts[1]) == (one < other)
    assert len({len(text) for text in texts}) == 1
    assert time_value(texts[0], "time") == one


# --- What expires ---


@pytest.mark.parametrize("by_meaning", [False, True])
def test_what_has_expired_is_in_no_recall_and_can_still_be_read(tmp_path: Path, by_meaning: bool):
    clock = Clock()
    with opened(tmp_path / "data", clock) as plain:
        ctx = with_meaning(plain) if by_meaning else plain
        other = store(ctx, "Deploys need two reviews")
        key = store(ctx, DEPLOYS, expires_at="30d", links=[other])
        embed_all(ctx)
        assert set(found(ctx)) == {DEPLOYS, "Deploys need two reviews"}
        clock.now += timedelta(days=30)
        for more in ({}, {"memory_type": "context"}, {"query": "deploys last month"}, {"query": "two reviews"}):
            assert found(ctx, **more) == ["Deploys need two reviews"]
        (hit,) = call(ctx, "recall_memory", query=key)
        assert (hit["content"], hit["expired"], hit["expires_at"]) == (DEPLOYS, True, sortable_text(micros(clock.now)))
        assert [each.record.key for each in inspection.newest(ctx, 10)] == [other]
        assert inspection.inspect(ctx, key).record.text == DEPLOYS


def test_an_expired_solution_is_not_recalled(tmp_path: Path):
    clock = Clock()
    with opened(tmp_path / "data", clock) as ctx:
        given = {"problem": "The build is slow", "scope": "global"}
        call(ctx, "matrix_store", **given, solution="Use the cache")
        call(ctx, "matrix_store", **given, solution="Use the old cache", expires_at="1w")
        assert call(ctx, "matrix_recall", query="the build is slow")["totalFound"] == 2
        clock.now += timedelta(days=8)
        answer = call(ctx, "matrix_recall", query="the build is slow")
        assert [each["solution"] for each in answer["solutions"]] == ["Use the cache"]
        assert answer["totalFound"] == 1
        assert [each["problem"] for each in call(ctx, "matrix_status")["recentSolutions"]] == ["The build is slow"]
        assert [record.text for record, *_ in solutions.newest(ctx, 10)] == ["The build is slow\n\nUse the cache"]


def test_a_solution_says_what_replaces_it_and_that_it_is_not_true_now(tmp_path: Path):
    with opened(tmp_path / "data", Clock()) as ctx:
        given = {"problem": "The build is slow", "scope": "global"}
        old = call(ctx, "matrix_store", **given, solution="Use the cache")["id"]
        new = call(ctx, "matrix_store", **given, solution="Use the new cache", pinned=True)["id"]
        call(ctx, "associate_memories", source_id=new, target_id=old, relationship="SUPERSEDES")
        shown = {each["id"]: each for each in call(ctx, "matrix_recall", query="the build is slow")["solutions"]}
        assert shown[old]["replaced_by"] == new
        assert "replaced_by" not in shown[new]
        assert shown[new]["pinned"] is True


def test_what_is_stored_again_after_it_expired_is_current_again(tmp_path: Path):
    clock = Clock()
    with opened(tmp_path / "data", clock) as ctx:
        store(ctx, DEPLOYS, expires_at="1d")
        clock.now += timedelta(days=2)
        assert found(ctx) == []
        assert call(ctx, "store_memory", content=DEPLOYS)["status"] == "duplicate"
        assert found(ctx) == [DEPLOYS]
        assert "expires_at" not in call(ctx, "recall_memory", query="deploys")[0]


def test_an_expiry_is_changed_taken_away_and_undone(tmp_path: Path):
    clock = Clock()
    with opened(tmp_path / "data", clock) as ctx:
        key = store(ctx, DEPLOYS, expires_at="1d")
        call(ctx, "update_memory", id=key, content=DEPLOYS, expires_at="")
        clock.now += timedelta(days=2)
        assert found(ctx) == [DEPLOYS]
        undo(ctx)
        assert found(ctx) == []
        new = call(ctx, "refine_memory", id=key, content=f"{DEPLOYS} and Friday")["new_id"]
        (hit,) = call(ctx, "recall_memory", query="deploys")  # the new version has not expired
        assert hit["id"] == new
        assert "expires_at" not in hit


def test_an_expiry_of_another_product_that_is_no_time_hides_nothing(tmp_path: Path):
    with opened(tmp_path / "data") as ctx:
        for number, odd in enumerate([0, "never", None, True, "2020-01-01T02:00:00+02:00"]):
            item = {"content": f"deploys {number}", "metadata": {"expires_at": odd, "pinned": "yes"}}
            call(ctx, "import_memories", memories=[item])
        assert set(found(ctx)) == {"deploys 0", "deploys 1", "deploys 2", "deploys 3"}
        exported = {each["content"]: each for each in call(ctx, "export_memories")}
        assert exported["deploys 4"]["metadata"]["expires_at"] == "2020-01-01T00:00:00.000000Z"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"expires_at": "soon"},
            "expires_at must be an ISO 8601 time such as 2025-08-08T10:30:00Z, got 'soon'; it takes a duration such as "
            "30d, 12w or 1y too, and an empty text is none",
        ),
        ({"expires_at": "2020-01-01"}, "has passed"),
        ({"expires_at": "99999y"}, "lies after the year 9999"),
        ({"valid_from": "30d"}, "valid_from must be an ISO 8601 time"),
        ({"valid_from": "2025-01-02", "valid_to": "2025-01-01"}, "is not after valid_from"),
        ({"expires_at": "2" * 41}, "expires_at"),
        ({"pinned": "maybe"}, "pinned"),
        ({"pinned": True, "file_name": "notes.md"}, "file_name stores a document"),
    ],
)
def test_what_is_no_lifetime_is_refused_and_nothing_is_stored(tmp_path: Path, given: dict[str, Any], said: str):
    with opened(tmp_path / "data") as ctx:
        with pytest.raises(InvalidInput, match=said):
            store(ctx, DEPLOYS, **given)
        assert found(ctx) == []


# --- What is true then ---


def test_what_is_not_true_now_is_marked_and_stands_lower(tmp_path: Path):
    clock = Clock()
    with opened(tmp_path / "data", clock) as ctx:
        store(ctx, "Deploys go to the old cluster", valid_to="2026-02-01")
        store(ctx, "Deploys go to the next cluster", valid_from="2026-09-01")
        store(ctx, "Deploys go to the own cluster", valid_from="2026-02-01", valid_to="2026-09-01")
        hits = call(ctx, "recall_memory", query="deploys go to which cluster")
        states = {hit["content"].split()[4]: hit.get("validity") for hit in hits}
        assert states == {"own": None, "next": "ahead", "old": "ended"}
        assert hits[0]["content"] == "Deploys go to the own cluster"
        assert hits[0]["score"] > hits[1]["score"]
        assert hits[0]["valid_to"] == "2026-09-01T00:00:00.000000Z"
        clock.now += timedelta(days=365)
        hits = call(ctx, "recall_memory", query="deploys go to which cluster")
        assert {hit["content"].split()[4]: hit.get("validity") for hit in hits} == {
            "next": None,
            "own": "ended",
            "old": "ended",
        }


# --- What is pinned ---


@pytest.mark.process
def test_pins_are_of_memories_and_solutions_all_or_none(tmp_path: Path):
    with opened(tmp_path / "data") as ctx:
        key = store(ctx, DEPLOYS)
        solution = call(ctx, "matrix_store", problem="The build is slow", solution="A cache", scope="global")["id"]
        todo = call(ctx, "add_todo", title="Write it down")["todo_id"]
    data = tmp_path / "data"
    assert "pinned memory" in done("pin", key[:8], solution, data=data)
    answer = json.loads(done("unpin", solution, "--json", data=data))
    assert [each["id"] for each in answer["result"]["unpinned"]] == [solution]
    with opened(data) as ctx:
        assert call(ctx, "recall_memory", query="deploys")[0]["pinned"] is True
        from indelible.toolsets.memory import memories

        with pytest.raises(InvalidInput, match="only memory and solution can be pinned"):
            memories.pin(ctx, [solution, f"todo:{todo}"], pinned=True)
        with pytest.raises(NotFound):
            memories.pin(ctx, [solution, "nothing"], pinned=True)
        assert "pinned" not in inspection.inspect(ctx, solution).record.metadata


@pytest.mark.process
def test_more_than_ten_pins_are_warned_of(tmp_path: Path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        for number in range(10):
            assert "warning" not in call(ctx, "store_memory", content=f"Pinned {number}", pinned=True)
        assert "warning" not in call(ctx, "store_memory", content="Pinned elsewhere", pinned=True, namespace="b")
        warned = call(ctx, "store_memory", content="Pinned 10", pinned=True)
        assert warned["warning"].startswith("11 are pinned in this project, and a brief opens with the 10 most")
        assert "warning" in call(ctx, "refine_memory", id=warned["id"], content="Pinned 11", pinned=True)
        assert "warning" in call(ctx, "matrix_store", problem="p", solution="s", scope="global", pinned=True)
    assert "12 are pinned" in done("doctor", data=data)


def test_forgetting_leaves_what_is_pinned(tmp_path: Path):
    with opened(tmp_path / "data") as ctx:
        store(ctx, "Pinned trivia", importance=0.0, pinned=True)
        store(ctx, "Trivia", importance=0.0)
        assert call(ctx, "consolidate_forget")["deleted"] == 1
        assert found(ctx, "trivia") == ["Pinned trivia"]


# --- What replaces it ---


@pytest.mark.process
def test_every_answer_names_what_replaces_a_memory(tmp_path: Path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        old = store(ctx, DEPLOYS, memory_type="decision")
        middle = call(ctx, "refine_memory", id=old, content="Deploys run on Thursday")["new_id"]
        new = store(ctx, "Deploys run on Friday", memory_type="decision")
        call(ctx, "associate_memories", source_id=new, target_id=old, relationship="SUPERSEDES")
        for query in ("deploys", old):
            hits = {hit["id"]: hit.get("replaced_by") for hit in call(ctx, "recall_memory", query=query)}
            assert hits[old] == new
            assert hits.get(middle) is None
        walked = {node["id"]: node.get("replaced_by") for node in call(ctx, "graph_traverse", start_id=middle)}
        assert walked == {middle: None, old: new, new: None}
        chain = call(ctx, "get_decision_chain", topic="deploys")["decisions"]
        assert {each["id"]: each.get("replaced_by") for each in chain} == {old: new, middle: None, new: None}
        exported = call(ctx, "export_memories")
        assert {each["id"]: each.get("replaced_by") for each in exported} == {old: new, middle: None, new: None}
        assert inspection.inspect(ctx, old).replaced_by == new
    assert f"no: {new} replaces it" in done("show", old, data=data)
    assert json.loads(done("show", old, "--json", data=data))["result"]["record"]["replaced_by"] == new
    with opened(tmp_path / "other") as ctx:  # an export is taken back
        assert call(ctx, "import_memories", memories=exported)["errors"] == []
        assert {each["id"]: each.get("replaced_by") for each in call(ctx, "export_memories")} == {
            old: new,
            middle: None,
            new: None,
        }


def test_a_relation_that_holds_no_more_is_marked_and_an_undo_takes_its_end_back(tmp_path: Path):
    clock = Clock()
    with opened(tmp_path / "data", clock) as ctx:
        one, other = store(ctx, DEPLOYS), store(ctx, "The cluster is old")
        ends = {"source_id": one, "target_id": other, "relationship": "DEPENDS_ON"}
        call(ctx, "associate_memories", **ends)
        call(ctx, "associate_memories", **ends, valid_to="2026-04-01")
        node = call(ctx, "graph_traverse", start_id=one)[1]
        assert (node["valid_to"], "validity" in node) == ("2026-04-01T00:00:00.000000Z", False)
        clock.now += timedelta(days=90)
        assert call(ctx, "graph_traverse", start_id=one)[1]["validity"] == "ended"
        call(ctx, "associate_memories", **ends, weight=0.5)
        assert call(ctx, "graph_traverse", start_id=one)[1]["validity"] == "ended"
        undo(ctx)
        undo(ctx)
        assert "valid_to" not in call(ctx, "graph_traverse", start_id=one)[1]


# --- What goes for good ---


@pytest.mark.process
def test_a_purge_of_what_has_expired_erases_it_and_its_history_and_nothing_else(tmp_path: Path):
    data = tmp_path / "data"
    clock = Clock()
    with opened(data, clock) as ctx:
        key = store(ctx, "The launch code is horse battery", expires_at="1d")
        call(ctx, "update_memory", id=key, content="The launch code is staple correct")
        store(ctx, DEPLOYS, expires_at="9y")
        assert purge.plan(ctx, purge.of_expired(ctx)).is_empty
        clock.now += timedelta(days=2)
        plan = purge.plan(ctx, purge.of_expired(ctx))
        assert plan.records == {"memory": 1}
        purge.run(ctx, plan.selection, lambda _: None)
        assert [each["content"] for each in call(ctx, "export_memories")] == [DEPLOYS]
    assert b"launch code" not in store_file.kept(data)
    assert "nothing is stored of what has expired" in done("purge", "--expired", "--dry-run", data=data)
