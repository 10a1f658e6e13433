"""What a client answers while its server is away, and what it says of that."""

from __future__ import annotations

import json
import threading

import apsw
import pytest
from surroundings import AWAY, SECRET, Hours, Lines, Reach, client, contents

from indelible.client.client import Client
from indelible.client.retries import Policy
from indelible.errors import InvalidInput, NotFound, Unavailable


def test_a_read_is_answered_from_the_cache_and_says_so(reach, hours):
    with client(reach, hours) as asked:
        asked.call("store_memory", content="Deploys go out on Tuesdays")
        fresh = asked.recall_memory(query="deploys")
        assert (fresh.degraded, fresh.why, asked.degraded, asked.why) == (False, "", False, "")
        reach.away = AWAY
        again = asked.recall_memory(query="deploys")
        assert again.value == fresh.value
        assert again.degraded
        assert again.why == "from the session's cache: connection refused"
        assert (asked.degraded, asked.why) == (True, "connection refused")
        with pytest.raises(
            Unavailable, match=r"recall_memory cannot be answered: connection refused; this was not read"
        ):
            asked.recall_memory(query="deploys", k=3)
        reach.away = ""
        hours.sleep(60)
        assert not asked.recall_memory(query="deploys").degraded
        assert not asked.degraded


def test_what_a_caller_does_to_an_answer_is_not_in_the_cache(reach):
    with client(reach) as asked:
        asked.call("store_memory", content="Deploys go out on Tuesdays")
        asked.recall_memory(query="deploys").value.clear()
        reach.away = AWAY
        asked.recall_memory(query="deploys").value.clear()
        assert asked.recall_memory(query="deploys").value[0]["content"] == "Deploys go out on Tuesdays"


def test_a_server_that_is_away_is_not_waited_for_again_at_each_call(reach, hours):
    with client(reach, hours) as asked:
        asked.recall_memory(query="deploys")
        reach.away = AWAY
        reach.calls.clear()
        for _ in range(10):
            assert asked.recall_memory(query="deploys").degraded
        assert len(reach.calls) == 3  # the attempts of the first
        assert hours.slept == [0.125, 0.25]


def test_the_cache_ends_with_the_task(reach):
    with client(reach) as asked:
        asked.recall_memory(query="before")
        with asked.task("one"):
            asked.recall_memory(query="in one")
            with asked.task("inner"):
                asked.recall_memory(query="in the inner one")
            reach.away = AWAY
            assert asked.recall_memory(query="in one").degraded
            for other in ("before", "in the inner one"):
                with pytest.raises(Unavailable):
                    asked.recall_memory(query=other)
        assert asked.recall_memory(query="before").degraded
        with pytest.raises(Unavailable):
            asked.recall_memory(query="in one")
        with asked.task("two"), pytest.raises(Unavailable):
            asked.recall_memory(query="before")


def test_the_task_of_one_thread_is_not_that_of_another(reach):
    found: list[bool] = []
    with client(reach) as asked:
        asked.recall_memory(query="outside")

        def elsewhere() -> None:
            found.append(asked.recall_memory(query="outside").degraded)

        with asked.task("one"):
            reach.away = AWAY
            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
    assert found == [True]


def test_fixes_are_found_by_the_key_of_an_error_and_by_what_is_left_of_it_without_places(reach):
    error = "TypeError: cannot read /home/ann/shop/a.ts of release 1.2.3 (commit 4f9a8b7c6d)"
    with client(reach) as asked:
        told = {"rootCause": "an old loader", "fixApplied": "Update the loader"}
        asked.call("matrix_failure", errorType="build", errorMessage=error, **told)
        fresh = asked.fixes(error)
        assert fresh.value[0]["strategy"] == "Update the loader"
        reach.away = AWAY
        same = asked.fixes("typeerror: cannot read  /home/ann/shop/a.ts of release 2.0.0 (commit 1234567890)")
        assert same.value == fresh.value
        assert same.why == "from the session's cache: connection refused"
        elsewhere = asked.fixes("TypeError: cannot read /srv/b/c.ts of release 1.2.3 (commit 4f9a8b7c6d)")
        assert elsewhere.value == fresh.value
        assert "of an error like it" in elsewhere.why
        for other in ("TypeError: cannot write", "", " "):
            with pytest.raises(Unavailable):
                asked.fixes(other or "x")
        with asked.task("next"), pytest.raises(Unavailable):
            asked.fixes(error)


def test_a_refused_call_is_tried_once_raised_as_what_it_is_and_keeps_nothing(reach):
    with client(reach) as asked:
        for tool, arguments, kind in (
            ("recall_memory", {"k": 1}, InvalidInput),
            ("recall_memory", {"query": "q", "k": "five"}, InvalidInput),
            ("delete_memory", {"id": "nobody"}, NotFound),
            ("complete_todo", {"todo_id": 7}, NotFound),
            ("store_memory", {"content": "x\0y"}, InvalidInput),
            ("store_memory", {"content": "half \ud83d of it"}, InvalidInput),
            ("store_memory", {"content": ("a", "tuple")}, InvalidInput),
            ("store_memory", {"content": float("nan")}, InvalidInput),
            ("import_memories", {"memories": [{"content": object()}]}, InvalidInput),
        ):
            before = len(reach.calls)
            with pytest.raises(kind):
                asked.call(tool, **arguments)
            assert len(reach.calls) - before <= 1
        assert not asked.degraded
        assert not asked.spool.exists()


def test_what_is_invalid_is_refused_while_the_server_is_away_too(reach):
    with client(reach) as asked:
        reach.away = AWAY
        with pytest.raises(InvalidInput, match="content contains a NUL"):
            asked.call("store_memory", content="x\0y")
        assert asked.waiting == 0


def test_bad_items_of_an_import_are_reported_and_the_others_taken(reach):
    with client(reach) as asked:
        memories = [{"content": "a good one"}, {"content": "a bad\0one"}, {"content": f"token {SECRET}"}]
        result = asked.call("import_memories", memories=memories)
        assert result.value["imported"] == 2
        assert result.redacted == [{"rule": "github-token", "argument": "memories", "count": 1}]


def test_a_deferred_write_says_that_it_waits_and_the_next_call_does_it(reach, hours):
    with client(reach, hours) as asked:
        reach.away = AWAY
        result = asked.call("store_memory", content="Kläranlage: 浄水場 🚰", tags=["日本"])
        assert (result.value, result.deferred, result.degraded) == (None, True, True)
        assert result.why == "connection refused; 1 write waits to be done"
        assert asked.why == result.why
        assert asked.waiting == 1
        reach.away = ""
        hours.sleep(60)
        hits = asked.recall_memory(query="浄水場")
        assert hits.value[0]["content"] == "Kläranlage: 浄水場 🚰"
        assert (hits.degraded, asked.degraded, asked.waiting) == (False, False, 0)


def test_a_secret_leaves_neither_for_the_server_nor_for_the_disk(reach, tmp_path):
    lines = Lines()
    with client(reach, log=lines, log_share=1.0) as asked:
        reach.away = AWAY
        result = asked.call("store_memory", content=f"The token is {SECRET}", tags=[SECRET])
        assert [found["rule"] for found in result.redacted] == ["github-token", "github-token"]
        kept = [path for path in asked.spool.rglob("*") if path.is_file()]
        assert len(kept) == 1
        assert SECRET not in kept[0].read_text()
        assert "[REDACTED:github-token]" in kept[0].read_text()
        assert all(path.stat().st_mode & 0o077 == 0 for path in (asked.spool, *asked.spool.rglob("*")))
        assert SECRET not in lines.text


def test_the_log_has_levels_events_keys_times_and_retries_and_no_payload(reach, hours):
    lines = Lines()
    with client(reach, hours, log=lines, log_share=1.0) as asked:
        written = asked.call("store_memory", content="The payload of a write")
        reach.away = AWAY
        with pytest.raises(Unavailable):
            asked.recall_memory(query="the words of a query")
        deferred = asked.call("store_memory", content="Another payload")
        reach.away = ""
        hours.sleep(60)
        asked.flush()
    assert "payload" not in lines.text
    assert "words of a query" not in lines.text
    told = [(each["level"], each["event"], each["retries"]) for each in lines.events]
    assert told == [
        ("INFO", "write", 0),
        ("WARNING", "retry", 0),
        ("WARNING", "retry", 1),
        ("WARNING", "server_down", 2),
        ("WARNING", "read_degraded", 0),
        ("WARNING", "deferred", 0),
        ("WARNING", "server_back", 0),
        ("INFO", "replayed", 0),
    ]
    assert all({"time", "level", "event", "key", "durationMs", "retries"} <= each.keys() for each in lines.events)
    assert [each["key"] for each in lines.events if each["event"] in ("write", "deferred")] == [
        written.key,
        deferred.key,
    ]


def test_of_what_went_well_a_share_is_logged(reach):
    lines = Lines()
    with client(reach, Hours(chance=0.5), log=lines, log_share=0.5) as asked:
        asked.call("store_memory", content="nobody hears of it")
    with client(Reach(reach.home), Hours(chance=0.49), log=lines, log_share=0.5) as asked:
        asked.call("store_memory", content="this is logged")
    assert [each["event"] for each in lines.events] == ["write"]


def test_without_a_log_of_its_own_a_client_logs_json_lines_by_logging(reach, caplog):
    with Client(reach, timing=Hours().timing) as asked:
        reach.away = AWAY
        asked.call("store_memory", content="The payload of a write")
    events = [json.loads(record.getMessage())["event"] for record in caplog.records]
    assert events == ["retry", "retry", "server_down", "deferred"]
    assert {record.name for record in caplog.records} == {"indelible.client"}


def test_many_threads_share_a_client(reach):
    with client(reach) as asked:
        threads = [
            threading.Thread(target=lambda n=n: asked.call("store_memory", content=f"memory {n}")) for n in range(32)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(contents(asked)) == sorted(f"memory {n}" for n in range(32))


def test_a_tool_that_nobody_knows_is_called_after_what_waits_and_neither_cached_nor_kept(reach, hours):
    with client(reach, hours) as asked:
        with pytest.raises(InvalidInput, match="unknown tool 'dance'"):
            asked.call("dance")
        reach.away = AWAY
        with pytest.raises(Unavailable, match="calls of this tool cannot wait"):
            asked.call("dance")
        asked.call("store_memory", content="waits")
        reach.away = ""
        hours.sleep(60)
        with pytest.raises(InvalidInput, match="unknown tool 'dance'"):
            asked.call("dance")
        assert (asked.waiting, contents(asked)) == (0, ["waits"])


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_a_request_key_of_a_wrong_length_is_refused_also_while_the_server_is_away(reach, key):
    with client(reach) as asked:
        reach.away = AWAY
        with pytest.raises(InvalidInput, match="request_key must have 1 to 255 characters"):
            asked.call("store_memory", content="refused", request_key=key)
        assert asked.waiting == 0


def test_a_closed_client_answers_nothing(reach):
    asked = client(reach)
    asked.close()
    asked.close()
    for call in (lambda: asked.recall_memory(query="q"), lambda: asked.fixes("an error")):
        with pytest.raises(InvalidInput, match="closed"):
            call()


def test_a_policy_of_one_attempt_does_not_try_again(reach):
    with client(reach, policy=Policy(attempts=1)) as asked:
        reach.away = AWAY
        assert asked.call("store_memory", content="kept at once").deferred
        assert len(reach.calls) == 1


@pytest.mark.sqlite("the file's schema number")
def test_a_store_that_is_newer_than_this_process_keeps_its_writes_for_the_next_one(reach, hours):
    with client(reach, hours) as asked:
        asked.call("store_memory", content="before")
        upgraded = apsw.Connection(str(reach.home / "indelible.db"))
        schema = upgraded.pragma("user_version")
        upgraded.pragma("user_version", 999)
        reach.calls.clear()
        result = asked.call("store_memory", content="after")
        assert result.deferred
        assert "store was upgraded, restart me" in result.why
        assert len(reach.calls) == 1  # this process will not become newer in 250 ms
        upgraded.pragma("user_version", schema)
        upgraded.close()
        hours.sleep(60)
        assert asked.flush() == 0
        assert contents(asked) == ["before", "after"]
