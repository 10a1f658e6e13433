"""codemem_metrics: what a server measures about itself."""

import math
import random
import statistics
import sys
import threading
from contextlib import suppress

import pytest

from foreign import take_in
from indelible.core.context.metrics import Metrics
from indelible.errors import InvalidInput, NotFound
from indelible.sanitize.redact import Finding
from indelible.store.tables.events import Event
from mcp_client import McpClient, ToolError

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


def event(tool="recall_memory", duration=1000, outcome="ok"):
    """A call of so many microseconds."""
    return Event(0, "session", "", tool, (), outcome, duration, 0)


def test_a_server_that_did_nothing_counts_nothing(memory):
    measured = memory.codemem_metrics()
    assert measured["latencies"] == {}
    assert set(measured["counters"].values()) == {0}
    assert {"calls", "errors", "redactions"} <= set(measured["counters"])
    gauges = measured["gauges"]
    assert [gauges[name] for name in ("records", "relations", "embedded", "pending", "index.words")] == [0] * 5


def test_calls_are_counted_by_tool_and_failures_by_code(memory):
    for i in range(3):
        memory.store_memory(content=f"axum router {i}")
    memory.recall_memory(query="axum")
    with suppress(InvalidInput):
        memory.recall_memory(query="")
    with suppress(NotFound):
        memory.delete_memory(id="unknown")
    measured = memory.codemem_metrics()
    expected = {
        "calls": 6,
        "calls.store_memory": 3,
        "calls.recall_memory": 2,
        "calls.delete_memory": 1,
        "errors": 2,
        "errors.invalid_input": 1,
        "errors.not_found": 1,
        "redactions": 0,
    }
    assert {name: measured["counters"][name] for name in expected} == expected
    assert {tool: found["count"] for tool, found in measured["latencies"].items()} == {
        "store_memory": 3,
        "recall_memory": 2,
        "delete_memory": 1,
    }
    assert memory.codemem_metrics()["counters"]["calls.codemem_metrics"] == 1


def test_every_latency_is_in_order_and_in_milliseconds(memory):
    for i in range(20):
        memory.store_memory(content=f"axum router {i}")
    (found,) = memory.codemem_metrics()["latencies"].values()
    assert 0 < found["p50_ms"] <= found["p95_ms"] <= found["p99_ms"] <= found["max_ms"] < 60_000
    assert 0 < found["mean_ms"] <= found["max_ms"]


def test_redacted_secrets_are_counted_and_not_shown(memory):
    memory.store_memory(content=f"the token is {SECRET} and again {SECRET}")
    measured = memory.codemem_metrics()
    assert measured["counters"]["redactions"] == 2
    assert SECRET not in repr(measured)


def test_gauges_say_how_much_there_is(memory):
    first, second = (memory.store_memory(content=f"axum router {name}")["id"] for name in "ab")
    take_in(memory, {"kind": "solution", "id": "sol_1", "content": "restart it"})
    memory.associate_memories(source_id=first, target_id=second, relationship="LEADS_TO")
    gauges = memory.codemem_metrics()["gauges"]
    assert (gauges["records"], gauges["relations"], gauges["pending"]) == (3, 1, 3)
    assert gauges["index.words"] == 0  # nothing was recalled, and nothing is loaded to be counted
    memory.recall_memory(query="axum")
    later = memory.codemem_metrics()["gauges"]
    assert later["index.words"] == 3
    assert later["uptime_seconds"] > gauges["uptime_seconds"]
    assert later["processor_seconds"] >= gauges["processor_seconds"] > 0
    assert later["threads"] >= 1
    assert later["store_bytes"] > 10_000


@pytest.mark.skipif(sys.platform == "win32", reason="the standard library does not tell")
def test_gauges_say_how_much_memory_the_process_has(memory):
    assert memory.codemem_metrics()["gauges"]["memory_peak_bytes"] > 10_000_000


def test_each_process_measures_itself_and_the_store_is_the_same(open_store):
    mine, theirs = open_store(), open_store()
    mine.store_memory(content="axum router")
    measured = theirs.codemem_metrics()
    assert measured["counters"]["calls"] == 0
    assert measured["gauges"]["records"] == 1


@pytest.mark.process
def test_over_mcp_a_server_measures_its_calls(tmp_path):
    with McpClient(tmp_path / "data") as client:
        client.call("store_memory", {"content": "axum router"})
        with pytest.raises(ToolError):
            client.call("delete_memory", {"id": "unknown"})
        measured = client.call("codemem_metrics")
    assert measured["counters"]["calls"] == 2
    assert measured["counters"]["errors.not_found"] == 1
    assert set(measured["latencies"]) == {"store_memory", "delete_memory"}


@pytest.mark.parametrize("scale", [1, 100, 20_000_000])
def test_a_percentile_is_off_by_5_percent_at_most(scale):
    random_ = random.Random(scale)
    durations = [max(1, round(scale * random_.lognormvariate(2, 1.5))) for _ in range(2000)]
    metrics = Metrics()
    for duration in durations:
        metrics.happened(event(duration=duration), ())
    found = metrics.latencies()["recall_memory"]
    for percent in (50, 95, 99):
        exact = sorted(durations)[math.ceil(len(durations) * percent / 100) - 1]
        assert found[f"p{percent}_ms"] == pytest.approx(exact / 1000, rel=0.05)
    assert found["max_ms"] == max(durations) / 1000
    assert found["mean_ms"] == pytest.approx(statistics.mean(durations) / 1000, abs=0.001)


@pytest.mark.parametrize("duration", [0, 1, 999, 10**10])
def test_one_call_is_its_own_percentiles(duration):
    metrics = Metrics()
    metrics.happened(event(duration=duration), ())
    found = metrics.latencies()["recall_memory"]
    assert {found[name] for name in ("p50_ms", "p95_ms", "p99_ms", "max_ms")} == {duration / 1000}


def test_calls_of_many_threads_are_all_counted():
    metrics = Metrics()

    def work(number):
        for i in range(500):
            metrics.happened(
                event(f"tool{number % 2}", i, "ok" if i % 5 else "conflict"), [Finding("key", "content", 2)]
            )

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert metrics.counts() == {
        "calls": 4000,
        "calls.tool0": 2000,
        "calls.tool1": 2000,
        "errors": 800,
        "errors.conflict": 800,
        "redactions": 8000,
    }
    assert [found["count"] for found in metrics.latencies().values()] == [2000, 2000]
