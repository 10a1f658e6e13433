"""A write that is sent again with its request key is answered as the first time, and done once."""

from __future__ import annotations

import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import store_file
from command_line import assert_sound, done, export, memory, opened
from every_tool import SMALL_CODEBASE
from indelible.admin import maintenance
from indelible.core.context.context import Context
from indelible.core.records import embedding_queue
from indelible.errors import Conflict
from indelible.store.sqlite.connection import FILE
from indelible.toolsets import registry
from made_up_meaning import embed_all, with_meaning
from mcp_client import Call, McpClient, ToolError, text_of, value_of

SEEDS = [{"id": f"m{number}", **memory(number)} for number in range(6)]
SEEDS.append({"id": "m6", "namespace": "elsewhere", **memory(6)})
WRITES: dict[str, dict[str, Any]] = {
    "store_memory": {"content": "stored once", "tags": ["a"], "links": ["m0"]},
    "update_memory": {"id": "m1", "content": "changed once", "importance": 0.9},
    "delete_memory": {"id": "m2"},
    "associate_memories": {"source_id": "m3", "target_id": "m4", "relationship": "BLOCKS", "weight": 0.25},
    "refine_memory": {"id": "m1", "content": "refined once"},
    "split_memory": {"id": "m3", "parts": [{"content": "one part"}, {"content": "another part"}]},
    "merge_memories": {"source_ids": ["m3", "m4"], "content": "merged once"},
    "delete_namespace": {"namespace": "elsewhere", "confirm": True},
    "set_scoring_weights": {"graph_strength": 0.5},
    "import_memories": {"memories": [{"content": "imported once"}, {"content": ""}, {"id": "m5", "content": "known"}]},
}

SEEDS += [{"id": name, "kind": "entity", "content": name, "memory_type": "thing"} for name in ("e0", "e1", "e2")]
WRITES |= {
    "create_entities": {"entities": [{"name": "e3", "entityType": "thing"}, {"name": "e0", "entityType": "thing"}]},
    "create_relations": {"relations": [{"from": "e0", "to": "e1", "relationType": "beside"}]},
    "add_observations": {"observations": [{"entityName": "e0", "contents": ["added once"]}]},
    "delete_entities": {"entityNames": ["e2"]},
    "delete_observations": {"deletions": [{"entityName": "e0", "observations": ["e0"]}]},
    "delete_relations": {"relations": [{"from": "e0", "to": "e1", "relationType": "beside"}]},
}


SEEDS += [{"id": name, "kind": "vector", "content": name, "metadata": {"vector": {"1": 0.5}}} for name in ("v0", "v1")]
SEEDS.append(
    {
        "id": "sol_00000001",
        "kind": "solution",
        "content": "The queue stalls\n\nRestart it",
        "memory_type": "global",
        "metadata": {"problem": "The queue stalls", "score": 0.5},
    }
)
WRITES |= {
    "memorize": {"id": "v2", "vector": {"1": 1.0}, "text": "memorized once"},
    "feedback": {"id": "v0", "scoreAdjustment": 0.5},
    "delete": {"id": "v1"},
    "matrix_store": {"problem": "solved once", "solution": "so", "scope": "global"},
    "matrix_reward": {"solutionId": "sol_00000001", "outcome": "success"},
    "matrix_failure": {"errorType": "test", "errorMessage": "failed once", "rootCause": "c", "fixApplied": "f"},
}

SEEDS += [
    {"id": "900001", "kind": "document", "content": "Retries wait.", "label": "a.md", "memory_type": "document"},
    {"id": "900002", "kind": "chunk", "content": "Retries wait.", "session": "document:900001", "position": 1 << 40},
    {"id": "900003", "kind": "todo", "content": "Wait once", "memory_type": "pending"},
    {"id": "900004", "kind": "document", "content": "They wait.", "label": "b.md", "memory_type": "document"},
    {"id": "900005", "kind": "chunk", "content": "They wait.", "session": "document:900004", "position": 1 << 40},
]
WRITES |= {
    "log_chat": {"content": "Do retries wait?", "conversation_id": "talk"},
    "store_context_links": {"message_id": "msg_123", "chunk_ids": [900_002]},
    "add_todo": {"title": "added once"},
    "complete_todo": {"todo_id": 900_003},
    "link_resources": {"source_id": "a.md", "target_id": "resource_900123", "relationship_type": "depends_on"},
    "auto_link_documents": {"document_id": "a.md", "similarity_threshold": 0.0},
    "log_code_attempt": {"input_prompt": "Wait once", "generated_code": "sleep(1)", "result": "pass"},
    "index_codebase": {"path": SMALL_CODEBASE},
}


# Stored long ago: one that decays, is forgotten, is related by its tag, and two that say the same.
LONG_AGO = {"created_at": "2025-01-01T00:00:00Z", "updated_at": "2025-01-01T00:00:00Z", "importance": 0.05}
SEEDS += [
    {"id": "m7", "content": "Said twice", "tags": ["writer:one"], "memory_type": "style", **LONG_AGO},
    {"id": "m8", "content": "Said  twice.", "memory_type": "style", **LONG_AGO, "importance": 0.5},
    {
        "id": "m9",
        "content": "Related",
        **LONG_AGO,
        "edges": [{"source": "m9", "target": "m8", "relationship": "RELATES_TO"}],
    },
]
MEMORIES = 10
WRITES |= {
    "consolidate_decay": {"threshold_days": 30},
    "consolidate_creative": {},
    "consolidate_cluster": {},
    "consolidate_forget": {},
    "consolidate_summarize": {"cluster_size": 2},
}


# One of each toolset.
RETRIED = ("store_memory", "create_entities", "memorize", "matrix_failure", "log_chat", "consolidate_cluster")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    with opened(data) as ctx:
        registry.call(ctx, registry.find_tool("import_memories"), {"memories": SEEDS})
    return data


def test_every_tool_that_writes_has_a_case_here():
    assert {tool.name for tool in registry.all_tools().values() if tool.writes} == WRITES.keys()


@pytest.mark.process
@pytest.mark.parametrize("tool", WRITES)
@pytest.mark.sweep(6)
def test_a_retry_is_answered_as_before_also_by_another_process_and_after_a_crash(data: Path, tool: str):
    with McpClient(data) as server:
        answer = server.call(tool, WRITES[tool], key="call-1")
        after = export(data), work(data)
        assert server.call(tool, WRITES[tool], key="call-1") == answer
        with opened(data) as ctx:
            assert called(ctx, tool) == answer
        server.kill9()
    with opened(data) as ctx:
        assert called(ctx, tool) == answer
    assert (export(data), work(data)) == after


def work(data: Path) -> list[Any]:
    """What waits to be embedded or linked."""
    with closing(store_file.opened(data / FILE)) as store:
        rows: list[Any] = store.execute("SELECT record, late, owner FROM pending ORDER BY record").fetchall()
        return rows


@pytest.mark.parametrize("tool", WRITES)
@pytest.mark.sweep(6)
def test_a_retry_after_its_texts_were_embedded_is_answered_as_before_and_embeds_nothing_again(data: Path, tool: str):
    with opened(data) as plain:
        ctx = with_meaning(plain)
        embed_all(ctx)
        answer = called(ctx, tool)
        embed_all(ctx)
        after = export(data), embeddings(data)
        assert after[1]
        assert called(ctx, tool) == answer
        assert called(plain, tool) == answer
        assert embedding_queue.waiting(ctx) == 0
    assert (export(data), embeddings(data)) == after


def embeddings(data: Path) -> list[Any]:
    """Which records are embedded, and how often each was."""
    with closing(store_file.opened(data / FILE)) as store:
        rows: list[Any] = store.execute(
            """SELECT record, (SELECT count(*) FROM change WHERE change.record = embedding.record
            AND operation = 'embed') FROM embedding WHERE view = 0 ORDER BY record"""
        ).fetchall()
        return rows


@pytest.mark.process
def test_a_retry_is_answered_as_before_by_another_server_and_by_one_that_is_started_after_a_crash(data: Path):
    with McpClient(data) as first, McpClient(data) as second:
        answers = {tool: first.call(tool, WRITES[tool], key=tool) for tool in RETRIED}
        after = export(data)
        assert {tool: second.call(tool, WRITES[tool], key=tool) for tool in RETRIED} == answers
        first.kill9()
        second.kill9()
    with McpClient(data) as third:
        assert {tool: third.call(tool, WRITES[tool], key=tool) for tool in RETRIED} == answers
    assert export(data) == after


@pytest.mark.parametrize("tool", ["store_memory", "update_memory"])
def test_a_retry_of_what_is_no_longer_possible_is_answered_as_before(data: Path, tool: str):
    with opened(data) as ctx:
        answer = called(ctx, tool)
        registry.call(ctx, registry.find_tool("delete_memory"), {"id": answer["id"]})
        after = export(data)
        assert called(ctx, tool) == answer
        assert export(data) == after


def called(ctx: Context, tool: str) -> Any:
    """What the call is answered, or a retry of it."""
    return registry.call(ctx, registry.find_tool(tool), WRITES[tool], key="call-1").value


@pytest.mark.process
def test_a_key_stands_for_one_tool_and_its_arguments(data: Path):
    with McpClient(data) as client:
        client.call("update_memory", {"id": "m1", "content": "first"}, key="k")
        before = export(data)
        others = [
            Call("update_memory", {"id": "m1", "content": "second"}, "k"),
            Call("update_memory", {"id": "m1", "content": "first", "importance": 1}, "k"),
            Call("store_memory", {"content": "first"}, "k"),
            Call("import_memories", {"memories": [{"content": "first"}]}, "k"),
        ]
        for call in others:
            with pytest.raises(ToolError, match="request key 'k' was used for another call within the last 7 days"):
                client.call(call.tool, call.arguments, key=call.key)
        assert export(data) == before
        assert client.call("update_memory", {"id": "m1", "content": "first"}, key="k")["updated"]
        assert client.call("update_memory", {"id": "m1", "content": "second"}, key="another")["updated"]


@pytest.mark.process
def test_a_refused_call_does_not_use_up_its_key(data: Path):
    with McpClient(data) as client:
        with pytest.raises(ToolError, match="unknown"):
            client.call("delete_memory", {"id": "nobody"}, key="k")
        assert client.call("delete_memory", {"id": "m1"}, key="k")["deleted"]


@pytest.mark.process
@pytest.mark.parametrize(("key", "words"), [("", "1 to 255 characters"), ("x" * 256, "1 to 255 characters")])
def test_a_key_of_a_wrong_length_is_refused(data: Path, key: str, words: str):
    before = export(data)
    with McpClient(data) as client, pytest.raises(ToolError, match=words):
        client.call("store_memory", {"content": "not stored"}, key=key)
    assert export(data) == before


@pytest.mark.process
def test_a_key_that_is_no_text_is_refused(data: Path):
    before = export(data)
    with McpClient(data) as client:
        params = {"name": "store_memory", "arguments": {"content": "not stored"}, "_meta": {"indelible/key": 7}}
        answer = client.request("tools/call", params)
    assert answer["isError"]
    assert "indelible/key must be a string, got int" in text_of(answer)
    assert export(data) == before


@pytest.mark.process
def test_two_servers_that_get_the_same_calls_at_once_do_each_once(data: Path):
    calls = [Call("store_memory", memory(number, "twice"), f"key-{number}") for number in range(60)]
    calls += [Call("import_memories", {"memories": [memory(number, "in")]}, f"in-{number}") for number in range(10)]
    with McpClient(data) as first, McpClient(data) as second:
        answers: dict[str, list[Any]] = {}

        def run(name: str, client: McpClient) -> None:
            answers[name] = [value_of(result) for result in client.pipeline(calls)]

        threads = [threading.Thread(target=run, args=pair) for pair in (("first", first), ("second", second))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers["first"] == answers["second"]
        assert {answer["status"] for answer in answers["first"][:60]} == {"stored"}
        assert first.call("codemem_stats")["storage"]["memories"] == MEMORIES + 70
    assert_sound(data)


def test_a_key_is_kept_for_seven_days(tmp_path: Path):
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    tool = registry.find_tool("delete_memory")
    with opened(tmp_path / "data", clock=lambda: now[0]) as ctx:
        registry.call(ctx, registry.find_tool("import_memories"), {"memories": SEEDS})
        registry.call(ctx, tool, {"id": "m1"}, key="k")
        now[0] += timedelta(days=6, hours=23)
        maintenance.trim(ctx)
        assert registry.call(ctx, tool, {"id": "m1"}, key="k").value["deleted"]
        with pytest.raises(Conflict):
            registry.call(ctx, tool, {"id": "m2"}, key="k")
        now[0] += timedelta(hours=2)
        maintenance.trim(ctx)
        assert registry.call(ctx, tool, {"id": "m2"}, key="k").value["deleted"]


@pytest.mark.process
@pytest.mark.sqlite("copies of the file")
def test_a_backup_remembers_the_keys(data: Path, tmp_path: Path):
    copy, other = tmp_path / "copy.db", tmp_path / "other"
    with McpClient(data) as client:
        answer = client.call("store_memory", {"content": "stored once"}, key="k")
    done("backup", copy, data=data)
    done("restore", copy, data=other)
    with McpClient(other) as client:
        assert client.call("store_memory", {"content": "stored once"}, key="k") == answer
