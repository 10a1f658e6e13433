"""Cycles beside others: two at once, one that is killed in the middle, limited callers, short transactions, retries."""

import json
import threading
from datetime import timedelta

import pytest

from indelible import batching
from indelible.core.context.call import Call
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting, history
from indelible.core.records import undo as records_undo
from indelible.errors import Cancelled, Conflict, Forbidden, StoreError
from indelible.toolsets.lifecycle import cycle, decay, forget
from indelible.toolsets.lifecycle.cycle import CYCLES
from indelible.toolsets.registry import call, find_tool


def fill(memory, clock, count=30):
    """Old memories of two namespaces, with tags and twins."""
    when = (clock.now - timedelta(days=40)).isoformat()
    memory.import_memories(
        memories=[
            {
                "id": f"{namespace}{n}",
                "content": f"Job {n // 2} of {namespace} is retried" + "." * (n % 2),
                "memory_type": ("decision", "pattern", "style")[n // 2 % 3],
                "tags": [f"t{n % 4}", "all"],
                "importance": 0.05 if n % 5 == 0 else 0.5,
                "namespace": namespace,
                "created_at": when,
                "updated_at": when,
            }
            for namespace in ("a", "b")
            for n in range(count)
        ]
    )


def whole(memory, *namespaces):
    found = exporting.export_all(memory.context)
    return json.dumps([record for record in found if not namespaces or record["namespace"] in namespaces])


def undo(memory, operation=None):
    return records_undo.undo(memory.context.for_call(Call(tool="undo")), operation)


@pytest.mark.parametrize("cycle", CYCLES)
def test_two_processes_that_run_a_cycle_at_once_do_its_work_once(open_store, clock, cycle):
    one, two = open_store(), open_store()
    fill(one, clock)
    alone = open_store("alone")
    fill(alone, clock)
    done = {}

    def run(name, memory):
        done[name] = getattr(memory, f"consolidate_{cycle}")()

    threads = [threading.Thread(target=run, args=pair) for pair in (("one", one), ("two", two))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = getattr(alone, f"consolidate_{cycle}")()
    for name in ("affected", "new_connections", "merged", "kept", "deleted", "summarized"):
        if name in wanted:
            assert done["one"][name] + done["two"][name] == wanted[name]
            assert 0 in (done["one"][name], done["two"][name])
    operations = {past["operation"] for past in history.history(one.context, limit=1_000)}
    assert len(operations) == (0 if cycle == "summarize" else 1)


def test_a_call_waits_no_longer_than_it_has_patience_for_another_that_consolidates(open_store, clock, monkeypatch):
    one, two = open_store(), open_store()
    fill(one, clock)
    monkeypatch.setattr(cycle, "PATIENCE", 0.1)
    before = whole(one)
    with cycle._alone(one.context):
        with pytest.raises(Conflict, match="another call is consolidating"):
            two.consolidate_decay()
        assert whole(one) == before
    assert two.consolidate_decay()["affected"] == 60


def test_who_died_with_the_lease_holds_nobody_up_for_long(open_store, clock):
    one, two = open_store(), open_store()
    fill(one, clock)
    dead = one.context.for_call(Call(tool="dead"))
    assert dead.store.write(lambda tx: cycle._take(dead, tx, "somebody"))
    clock.pass_(seconds=21)
    assert two.consolidate_decay()["affected"] == 60


@pytest.fixture
def busy(monkeypatch):
    """Let each transaction do one step, as if it took long."""
    monkeypatch.setattr(cycle, "BUSY", 0.0)
    monkeypatch.setattr(decay, "TOGETHER", 64)


class Interruption(Exception):
    """The process dies here."""


@pytest.mark.slow
@pytest.mark.parametrize("cycle", ["decay", "creative", "cluster", "forget"])
def test_a_cycle_that_is_killed_goes_on_as_the_same_operation(open_store, clock, monkeypatch, busy, cycle):
    memory, alone = open_store(), open_store("alone")
    fill(memory, clock, 90)
    fill(alone, clock, 90)
    before = whole(memory)
    steps = []

    def dies():
        steps.append(1)
        if len(steps) == 2:
            raise Interruption

    monkeypatch.setattr(batching, "breathe", dies)
    with pytest.raises(Interruption):
        getattr(memory, f"consolidate_{cycle}")()
    half = whole(memory)
    assert half != before
    assert memory.consolidation_status()["cycles"][cycle]["last_run"] is None
    again = getattr(memory, f"consolidate_{cycle}")()
    assert again == getattr(alone, f"consolidate_{cycle}")()
    assert len(steps) > 3
    assert half != whole(memory)
    operations = {past["operation"] for past in history.history(memory.context, limit=1_000)}
    assert len(operations) == 1
    undo(memory)
    assert whole(memory) == before


def test_what_was_done_before_it_was_killed_can_be_undone_and_the_next_run_is_another_operation(
    open_store, clock, monkeypatch, busy
):
    memory = open_store()
    fill(memory, clock, 90)
    before = whole(memory)
    monkeypatch.setattr(batching, "breathe", lambda: (_ for _ in ()).throw(Interruption()))
    with pytest.raises(Interruption):
        memory.consolidate_decay()
    undo(memory)
    assert whole(memory) == before
    monkeypatch.undo()
    assert memory.consolidate_decay()["affected"] == 180
    undo(memory)
    assert whole(memory) == before


def test_a_run_that_was_interrupted_days_ago_is_not_gone_on_with(open_store, clock, monkeypatch, busy):
    memory = open_store()
    fill(memory, clock, 90)
    monkeypatch.setattr(batching, "breathe", lambda: (_ for _ in ()).throw(Interruption()))
    with pytest.raises(Interruption):
        memory.consolidate_decay()
    monkeypatch.undo()
    clock.pass_(days=31)
    assert memory.consolidate_decay()["affected"] == 180  # those that decayed before are due once more
    assert len({past["operation"] for past in history.history(memory.context, limit=1_000)}) == 2


def test_a_run_with_other_arguments_is_another_operation(open_store, clock, monkeypatch, busy):
    memory = open_store()
    fill(memory, clock, 90)
    monkeypatch.setattr(batching, "breathe", lambda: (_ for _ in ()).throw(Interruption()))
    with pytest.raises(Interruption):
        memory.consolidate_decay()
    monkeypatch.undo()
    done = memory.consolidate_decay(threshold_days=20)["affected"]
    assert 0 < done < 180
    assert len({past["operation"] for past in history.history(memory.context, limit=1_000)}) == 2


def test_a_large_community_is_summarised_in_steps_that_go_on_after_a_death(open_store, clock, monkeypatch, busy):
    from indelible.toolsets.lifecycle import summarize

    monkeypatch.setattr(summarize, "TOGETHER", 3)
    memory = open_store()
    ids = [f"m{n}" for n in range(10)]
    edges = [{"source": a, "target": b, "relationship": "RELATES_TO"} for a in ids for b in ids if a < b]
    memory.import_memories(memories=[{"id": id_, "content": f"Job {id_} is retried"} for id_ in ids])
    memory.import_memories(memories=[{"id": "m0", "content": "Job m0 is retried", "edges": edges}])
    before = whole(memory)
    steps = []

    def dies():
        steps.append(1)
        if len(steps) == 1:
            raise Interruption

    monkeypatch.setattr(batching, "breathe", dies)
    with pytest.raises(Interruption):
        memory.consolidate_summarize()
    done = memory.consolidate_summarize()
    assert (done["clusters_found"], done["summarized"]) == (1, 1)
    (made,) = done["created_ids"]
    summary = next(record for record in exporting.export_all(memory.context) if record["id"] == made)
    assert [edge["target"] for edge in summary["edges"]] == ids
    undo(memory)
    assert whole(memory) == before


def test_a_cancelled_cycle_keeps_what_it_did_and_the_next_one_does_the_rest(open_store, clock, busy):
    from indelible.core.context.call import Caller

    memory = open_store()
    fill(memory, clock, 90)
    asked = []

    def gone():
        asked.append(1)
        return len(asked) > 2

    with pytest.raises(Cancelled):
        call(memory.context, find_tool("consolidate_decay"), {}, caller=Caller(cancelled=gone))
    assert memory.consolidate_decay()["affected"] == 180  # with what was done before, which is the same operation
    assert memory.consolidate_decay()["affected"] == 0


def test_how_far_a_cycle_is_is_told(open_store, clock, busy):
    from indelible.core.context.call import Caller

    memory = open_store()
    fill(memory, clock, 90)
    heard = []
    caller = Caller(progress=lambda done, total, message: heard.append((done, total)))
    call(memory.context, find_tool("consolidate_decay"), {}, caller=caller)
    assert heard == [(64, 180), (128, 180), (180, 180)]


def test_others_write_while_a_cycle_runs_and_what_they_change_meanwhile_is_left_alone(
    open_store, clock, monkeypatch, busy
):
    one, two = open_store(), open_store()
    fill(one, clock, 90)
    steps = []

    def writes():
        steps.append(1)
        if len(steps) == 1:
            two.update_memory(id="b89", content="changed meanwhile")
            two.delete_memory(id="b88")

    monkeypatch.setattr(batching, "breathe", writes)
    assert one.consolidate_decay()["affected"] == 178
    after = {record["id"]: record for record in exporting.export_all(one.context)}
    assert after["b89"]["importance"] == 0.5


# --- Limited callers ---


def limited(memory, *namespaces, scope="write"):
    return memory.context.granted(Grant(f"tok_{''.join(namespaces)}", scope, frozenset(namespaces)))


@pytest.mark.parametrize("cycle", CYCLES)
def test_who_is_limited_to_a_namespace_consolidates_that_one_only(open_store, clock, cycle):
    memory = open_store()
    fill(memory, clock)
    before, all_before = whole(memory, "b"), whole(memory)
    ctx = limited(memory, "a")
    tool = find_tool(f"consolidate_{cycle}")
    answer = call(ctx, tool, {}).value
    assert whole(memory, "b") == before
    if cycle != "summarize":  # nothing is related
        assert whole(memory) != all_before
    again = call(ctx, tool, {}).value
    assert {value for name, value in again.items() if name in ("affected", "merged", "deleted", "new_connections")} <= {
        0
    }
    assert answer["cycle"] == cycle
    if cycle != "summarize":
        assert undo(memory)["tool"] == f"consolidate_{cycle}"
    assert whole(memory) == all_before


@pytest.mark.parametrize("relation", ["SUPERSEDES", "SUMMARIZES"])
def test_who_is_limited_forgets_nothing_that_stands_for_what_it_does_not_see(open_store, clock, relation):
    memory = open_store()
    edge = {"source": "a1", "target": "b1", "relationship": relation}
    items = [{"id": "b1", "content": "said before", "namespace": "b"}]
    items.append({"id": "a1", "content": "said now", "namespace": "a", "importance": 0.01, "edges": [edge]})
    memory.import_memories(memories=items)
    before = whole(memory)
    assert call(limited(memory, "a"), find_tool("consolidate_forget"), {}).value["deleted"] == 0
    assert whole(memory) == before


def test_the_status_tells_each_of_its_own_runs(open_store, clock):
    memory = open_store()
    fill(memory, clock)

    def affected(ctx):
        return call(ctx, find_tool("consolidation_status"), {}).value["cycles"]["decay"]["affected"]

    call(limited(memory, "a"), find_tool("consolidate_decay"), {})
    assert [affected(ctx) for ctx in (limited(memory, "a"), limited(memory, "b"), memory.context)] == [30, 0, 0]
    memory.consolidate_decay()
    assert [affected(ctx) for ctx in (limited(memory, "a"), limited(memory, "b"), memory.context)] == [30, 0, 30]


def test_a_token_that_may_only_read_consolidates_nothing(open_store, clock):
    memory = open_store()
    fill(memory, clock)
    before = whole(memory)
    for ctx in (limited(memory, "a", scope="read"), memory.context.granted(Grant("tok_r", "read"))):
        for name in CYCLES:
            with pytest.raises(Forbidden):
                call(ctx, find_tool(f"consolidate_{name}"), {})
        with pytest.raises(Forbidden):
            decay.decay(ctx, 30)
        with pytest.raises(Forbidden):
            forget.fold_captured(ctx)
    assert whole(memory) == before


# --- Retries ---


def test_a_retry_is_answered_as_before_though_there_is_new_work(open_store, clock):
    memory = open_store()
    fill(memory, clock)
    tool = find_tool("consolidate_decay")
    first = call(memory.context, tool, {"threshold_days": 1}, key="k").value
    assert first["affected"] == 60
    clock.pass_(days=2)
    before = whole(memory)
    assert call(memory.context, tool, {"threshold_days": 1}, key="k").value == first
    assert whole(memory) == before


def test_a_store_that_fails_in_the_middle_says_so_and_the_next_run_does_the_rest(open_store, clock, monkeypatch, busy):
    memory = open_store()
    fill(memory, clock, 90)
    real = cycle._some
    steps = []

    def fails(*given):
        steps.append(1)
        if len(steps) == 2:
            raise StoreError("the disk is full")
        return real(*given)

    monkeypatch.setattr(cycle, "_some", fails)
    with pytest.raises(StoreError, match="disk is full"):
        memory.consolidate_decay()
    assert memory.consolidate_decay()["affected"] == 180
    assert memory.consolidate_decay()["affected"] == 0
