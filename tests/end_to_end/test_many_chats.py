"""Several servers log, link and complete at once: every message is there once, and a todo is completed once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from command_line import assert_sound, export
from mcp_client import Call, McpClient, value_of

pytestmark = pytest.mark.process

COUNT = 60


def said(who: str, number: int, **more: Any) -> dict[str, Any]:
    return {"content": f"{who} says number {number}", "conversation_id": f"talk {number % 3}", **more}


def answers(client: McpClient, calls: list[Call]) -> list[Any]:
    return [value_of(result) for result in client.pipeline(calls)]


def at_once(clients: list[McpClient], calls: list[list[Call]]) -> list[list[Any]]:
    with ThreadPoolExecutor(len(clients)) as pool:
        return list(pool.map(answers, clients, calls))


def test_two_servers_log_into_the_same_conversations(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as one, McpClient(data) as two:
        calls = [[Call("log_chat", said(who, n, source_tool=who)) for n in range(COUNT)] for who in ("one", "two")]
        logged = [answer for each in at_once([one, two], calls) for answer in each]
        assert len({answer["message_id"] for answer in logged}) == len({a["chat_id"] for a in logged}) == 2 * COUNT
        for reader, who in ((one, "two"), (two, "one")):
            found = reader.call("get_chats_by_tool", {"tool_name": who, "limit": 100})["messages"]
            assert {message["content"] for message in found} == {f"{who} says number {n}" for n in range(COUNT)}
        for client in (one, two):
            client.close()
    with McpClient(data) as later:
        found = later.call("get_tool_conversations", {"tool_name": "log_chat"})
    counts = {each["conversation_id"]: each["usage_count"] for each in found["conversations"]}
    assert counts == {f"talk {n}": 2 * COUNT // 3 for n in range(3)}
    assert_sound(data)


def test_two_servers_log_the_same_messages_under_their_ids(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as one, McpClient(data) as two:
        calls = [Call("log_chat", said("both", n, message_id=f"m{n}")) for n in range(COUNT)]
        first, second = at_once([one, two], [calls, list(reversed(calls))])
        assert first == list(reversed(second))
        assert one.call("get_context_usage_statistics")["statistics"]["total_messages"] == COUNT
    assert export(data).count('"kind": "message"') == COUNT
    assert_sound(data)


def test_two_servers_link_one_message_and_each_link_is_made_once(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as one, McpClient(data) as two:
        stored = [one.call("store_memory", {"content": f"Text {n}.", "file_name": f"{n}.md"}) for n in range(9)]
        chunks = [chunk for document in stored for chunk in document["chunk_ids"]]
        calls = [Call("store_context_links", {"message_id": f"m{n % 4}", "chunk_ids": chunks}) for n in range(40)]
        made = at_once([one, two], [calls, calls])
        assert sum(answer["links_created"] for each in made for answer in each) == 4 * len(chunks)
        found = two.call("get_context_usage_statistics")["statistics"]
        assert (found["total_context_links"], found["total_messages"]) == (4 * len(chunks), 4)
    assert_sound(data)


def test_two_servers_complete_the_same_todos_at_one_time_each(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as one, McpClient(data) as two:
        numbers = [one.call("add_todo", {"title": f"todo {n}"})["todo_id"] for n in range(20)]
        calls = [Call("complete_todo", {"todo_id": number}) for number in numbers]
        first, second = at_once([one, two], [calls, calls])
        assert first == second
        assert two.call("list_todos", {"status": "pending"})["total_count"] == 0
        assert one.call("list_todos", {"status": "completed"})["total_count"] == 20
    assert_sound(data)


def test_two_servers_log_attempts_and_all_of_them_count(tmp_path: Path):
    data = tmp_path / "data"
    attempt = {"input_prompt": "Add two numbers", "generated_code": "a + b"}
    with McpClient(data) as one, McpClient(data) as two:
        results = ["pass" if n % 4 else "fail" for n in range(COUNT)]
        calls = [Call("log_code_attempt", {**attempt, "result": result}) for result in results]
        at_once([one, two], [calls, calls])
        (pattern,) = two.call("get_code_patterns", {"query": "add two numbers"})["patterns"]
    assert (pattern["attempts"], pattern["success_rate"]) == (2 * COUNT, 0.75)


def test_a_message_that_was_acknowledged_survives_a_kill_with_its_links(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        stored = client.call("store_memory", {"content": "Tokens expire after one hour.", "file_name": "a.md"})
        logged = client.call(
            "log_chat", {"content": "When do tokens expire after one hour?", "conversation_id": "talk"}
        )
        client.kill9()
    with McpClient(data) as client:
        found = client.call("get_messages_for_chunk", {"chunk_id": stored["chunk_ids"][0]})
    assert [message["message_id"] for message in found["messages"]] == [logged["message_id"]]
    assert_sound(data)
