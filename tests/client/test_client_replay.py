"""Writes that wait: in what order they are done, how often, and what becomes of those that are refused."""

from __future__ import annotations

import pytest
from surroundings import AWAY, DAY, Lines, Reach, back, client, contents

from indelible.client.entries import Entry
from indelible.client.retries import Policy
from indelible.client.spool import Spool
from indelible.errors import Conflict, NotFound, Unauthorized


def test_what_waits_is_done_in_order_before_any_newer_write(reach, hours):
    with client(reach, hours) as asked:
        asked.call("store_memory", content="memory 0")
        reach.away = AWAY
        for number in range(1, 60):
            assert asked.call("store_memory", content=f"memory {number}").deferred
        back(reach, hours)
        newest = asked.call("store_memory", content="memory 60")
        assert (newest.value["status"], newest.deferred, asked.waiting) == ("stored", False, 0)
        assert contents(asked) == [f"memory {number}" for number in range(61)]


def test_a_clock_that_is_set_back_changes_no_order(reach, hours):
    with client(reach, hours) as asked:
        reach.away = AWAY
        for number in range(5):
            hours.began -= 3600 * 10**9
            asked.call("store_memory", content=f"memory {number}")
    hours.began -= 3600 * 10**9
    with client(again := Reach(reach.home), hours) as asked:  # another process
        again.away = AWAY
        asked.call("store_memory", content="memory 5")
        back(again, hours)
        asked.flush()
        assert contents(asked) == [f"memory {number}" for number in range(6)]


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_a_write_whose_answers_are_lost_is_done_once(reach, hours, lost):
    with client(reach, hours) as asked:
        asked.call("matrix_failure", errorType="test", errorMessage="e", rootCause="c", fixApplied="f")
        reach.deaf = lost
        result = asked.call("matrix_failure", errorType="test", errorMessage="e", rootCause="c", fixApplied="f")
        assert (result.deferred, result.retries) == (lost == 3, 0 if lost == 3 else lost)
        hours.sleep(60)
        asked.flush()
        third = asked.call("matrix_failure", errorType="test", errorMessage="e", rootCause="c", fixApplied="f")
        assert "seen 3 times" in third.value["message"]


def test_a_replay_whose_answer_is_lost_is_done_once_and_goes_on_at_the_same_place(reach, hours):
    with client(reach, hours) as asked:
        reach.away = AWAY
        for number in range(3):
            asked.call("add_todo", title=f"todo {number}")
        back(reach, hours)
        reach.deaf = 3
        assert asked.flush() == 3
        hours.sleep(60)
        assert asked.flush() == 0
        todos = asked.call("list_todos", limit=10).value["todos"]
        assert sorted(todo["title"] for todo in todos) == ["todo 0", "todo 1", "todo 2"]


def test_a_write_that_is_refused_for_good_is_set_aside_reported_and_holds_up_nobody(reach, hours):
    lines = Lines()
    with client(reach, hours, log=lines) as asked:
        reach.away = AWAY
        asked.call("store_memory", content="before")
        asked.call("update_memory", id="nobody", content="of nobody")
        asked.call("store_memory", content="after")
        back(reach, hours)
        assert asked.flush() == 0
        assert contents(asked) == ["before", "after"]
        (refused,) = asked.refused()
        assert (refused.tool, refused.code, refused.arguments["content"]) == ("update_memory", "not_found", "of nobody")
        assert "nobody" in refused.message
        (told,) = lines.named("refused")
        assert (told["level"], told["code"], told["key"]) == ("ERROR", "not_found", refused.key)
        with pytest.raises(NotFound):
            asked.again(refused.id)
        assert asked.refused() == [refused]
        asked.call("import_memories", memories=[{"id": "nobody", "content": "now there"}])
        assert asked.again(refused.id).value["updated"]
        assert asked.refused() == []
        with pytest.raises(NotFound):
            asked.again(refused.id)
        with pytest.raises(NotFound):
            asked.forget(refused.id)


def test_a_write_that_is_refused_while_its_caller_waits_is_raised_and_not_set_aside(reach, hours):
    with client(reach, hours) as asked:
        reach.away = AWAY
        asked.call("store_memory", content="before")
        back(reach, hours)
        with pytest.raises(NotFound):
            asked.call("delete_memory", id="nobody")
        assert (asked.refused(), asked.waiting) == ([], 0)


def test_who_is_not_known_to_the_server_loses_nothing_that_waits(reach, hours, monkeypatch):
    with client(reach, hours) as asked:
        reach.away = AWAY
        asked.call("store_memory", content="before")
        back(reach, hours)

        def between() -> None:
            raise Unauthorized("the token is not valid")

        reach.between = between
        with pytest.raises(Unauthorized):
            asked.call("store_memory", content="refused")
        assert (asked.waiting, asked.refused()) == (1, [])
        reach.between = lambda: None
        assert asked.flush() == 0
        assert contents(asked) == ["before"]


def test_a_backlog_takes_a_call_no_longer_than_the_policy_says(reach, hours):
    with client(reach, hours, Policy(catch_up=5.0)) as asked:
        reach.away = AWAY
        for number in range(20):
            asked.call("store_memory", content=f"memory {number}")
        back(reach, hours)
        reach.between = lambda: hours.sleep(1.0)  # a slow server
        write = asked.call("store_memory", content="memory 20")
        assert write.deferred
        assert asked.waiting == 16
        read = asked.recall_memory(query="memory")
        assert read.degraded
        assert read.why == "11 writes wait to be done"
        assert asked.flush() == 0
        assert contents(asked) == [f"memory {number}" for number in range(21)]


def test_a_damaged_file_is_set_aside_and_holds_up_nobody(reach, hours):
    with client(reach, hours) as asked:
        reach.away = AWAY
        for number in range(4):
            asked.call("store_memory", content=f"memory {number}")
        first, second, third, _ = sorted((asked.spool / "new").iterdir())
        first.write_bytes(b'{"v": 1, "tool": "store_m')
        second.write_bytes(b'{"v": 1, "tool": 7, "arguments": [], "key": "", "time": 0, "tried": 0}')
        third.unlink()
        third.symlink_to("/etc/passwd")
        back(reach, hours)
        asked.flush()
        assert contents(asked) == ["memory 3"]
        assert [refused.code for refused in asked.refused()] == ["invalid_input"] * 3
        with pytest.raises(NotFound, match="can be repeated"):
            asked.again(asked.refused()[0].id)


# --- After the server has forgotten the request key ---


def forget_keys(reach: Reach) -> None:
    """What a server does with request keys after `applied_days`."""
    ctx = reach._open().context
    assert ctx.store.write(lambda tx: tx.run("applied.trim", before=1 << 62, limit=1 << 20)) > 0


WRITES = {
    "store_memory": {"content": "stored once"},
    "add_todo": {"title": "todo once", "description": "and well"},
    "refine_memory": {"id": "m0", "content": "refined once"},
    "split_memory": {"id": "m0", "parts": [{"content": "one part"}, {"content": "another part"}]},
    "merge_memories": {"source_ids": ["m0", "m1"], "content": "merged once"},
    "create_entities": {"entities": [{"name": "e", "entityType": "thing"}]},
}


def stored(reach: Reach) -> list[tuple[str, str]]:
    store = reach._open().context.store
    with store.read() as tx:
        return sorted((row[0], row[1]) for row in tx.connection.execute("SELECT kind, text FROM record").fetchall())


@pytest.mark.parametrize("done", [True, False], ids=["done before", "not done before"])
@pytest.mark.parametrize("tool", WRITES)
def test_a_write_that_waited_too_long_is_looked_for_before_it_is_sent_again(reach, hours, tool, done):
    with client(reach, hours) as asked:
        asked.call("import_memories", memories=[{"id": f"m{n}", "content": f"memory {n}"} for n in range(2)])
        before = stored(reach)
        reach.deaf, reach.away = (3, "") if done else (0, AWAY)
        assert asked.call(tool, **WRITES[tool]).deferred
        after = stored(reach)
        assert (after != before) == done
        # A replay that was killed before it sent anything: then the write may have been done.
        (id,) = Spool(asked.spool, hours.now).waiting()
        Spool(asked.spool, hours.now).begin([id])
        reach.away = ""
        hours.sleep(8 * 86_400)
        forget_keys(reach)
        assert asked.flush() == 0
        assert asked.refused() == []
        now = stored(reach)
        assert len(now) > len(before)
        if done:
            assert now == after


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("matrix_failure", {"errorType": "test", "errorMessage": "e", "rootCause": "c", "fixApplied": "f"}),
        ("update_memory", {"id": "m0", "content": "of a week ago"}),
        ("delete_namespace", {"namespace": "old", "confirm": True}),
    ],
)
def test_a_write_that_was_perhaps_done_long_ago_and_leaves_no_trace_waits_for_somebody_to_look(
    reach, hours, tool, arguments
):
    with client(reach, hours) as asked:
        asked.call("import_memories", memories=[{"id": "m0", "content": "m", "namespace": "old"}])
        reach.deaf = 3
        assert asked.call(tool, **arguments).deferred
        hours.sleep(8 * 86_400)
        forget_keys(reach)
        reach.calls.clear()
        assert asked.flush() == 0
        assert tool not in [called for called, _ in reach.calls]
        (refused,) = asked.refused()
        assert refused.code == Conflict.code
        assert "perhaps done 8 days ago" in refused.message


def test_a_write_that_was_never_sent_is_done_however_long_it_waited(reach, hours):
    with client(reach, hours) as asked:
        reach.away = AWAY
        asked.call("matrix_failure", errorType="test", errorMessage="e", rootCause="c", fixApplied="f")
        hours.sleep(300 * 86_400)
        assert asked.flush() == 1
        back(reach, hours)
        assert asked.flush() == 0
        assert asked.refused() == []
        again = asked.call("matrix_failure", errorType="test", errorMessage="e", rootCause="c", fixApplied="f")
        assert "seen 2 times" in again.value["message"]


def test_when_a_write_was_first_tried_survives_all_later_replays(tmp_path, hours):
    spool = Spool(tmp_path / "spool", hours.now)
    spool.put(Entry("add_todo", {}, "k", hours.now()))
    (id,) = spool.waiting()
    assert spool.read(id).tried == 0
    began = hours.now()
    spool.begin([id])
    hours.sleep(5 * DAY / 10**9)
    spool.begin([id])
    assert spool.read(id).tried == began


def test_a_replay_that_lost_its_answer_long_ago_is_not_taken_for_one_that_never_was(reach, hours):
    failure = {"errorType": "test", "errorMessage": "e", "rootCause": "c", "fixApplied": "f"}
    with client(reach, hours) as asked:
        reach.away = AWAY
        asked.call("matrix_failure", **failure)
        asked.call("store_memory", content="behind it")
        back(reach, hours)
        reach.deaf = 3
        assert asked.flush() == 2
        hours.sleep(8 * 86_400)
        forget_keys(reach)
        assert asked.flush() == 0
        assert [refused.tool for refused in asked.refused()] == ["matrix_failure"]
        assert contents(asked) == ["behind it"]
        assert "seen 2 times" in asked.call("matrix_failure", **failure).value["message"]
