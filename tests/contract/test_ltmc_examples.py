"""Every example of the reference of the context tools (`ltmc.md`) runs as it is written there and has its fields."""

import json
import re

import pytest

from ltmc_reference import CHUNKS, EXAMPLES, REFERENCE, TEXTS, TOOLS, assert_shaped, documents
from mcp_client import McpClient


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What each example was answered, in the order of the document."""
    said = {"content": "How do JWT access tokens expire?", "conversation_id": "session_123", "message_id": "msg_123"}
    with McpClient(tmp_path_factory.mktemp("examples") / "data") as client:
        assert client.call("import_memories", {"memories": list(documents())})["errors"] == []
        logged = client.call("log_chat", said)
        client.call("store_memory", {"content": "User storing project documentation"})
        answers = {each["tool"]: client.call(each["tool"], each["arguments"]) for each in EXAMPLES}
        return {**answers, "log_chat": logged}


def test_the_examples_are_those_of_the_reference():
    if not REFERENCE.exists():
        pytest.skip(f"{REFERENCE.name} is not beside this repository")
    found = []
    for section in re.split("^### ", REFERENCE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        asked = re.search(r"-d '(\{.*?\})'", section, re.DOTALL)
        answered = re.search(r"```json\n(.*?)```", section, re.DOTALL)
        if asked and answered:
            call = json.loads(asked[1])["params"]
            result = json.loads(answered[1])["result"]
            found.append({"tool": call["name"], "arguments": call["arguments"], "result": result})
    assert found == EXAMPLES


@pytest.mark.process
@pytest.mark.parametrize("example", EXAMPLES, ids=TOOLS)
def test_an_answer_has_the_documented_fields(answers, example):
    answer = answers[example["tool"]]
    assert answer["success"] is True
    assert_shaped(answer, example["result"], example["tool"])


@pytest.mark.process
def test_links_are_made_and_read_from_both_ends(answers):
    assert answers["store_context_links"] == {
        "success": True,
        "links_created": len({456, 789, 101112} - set(answers["log_chat"]["context_links"])),
        "message_id": "msg_123",
        "linked_chunks": [456, 789, 101112],
    }
    found = answers["get_context_links_for_message"]
    by_chunk = {link["chunk_id"]: link for link in found["context_links"]}
    assert {456, 789, 101112} <= by_chunk.keys()
    assert (by_chunk[456]["resource_id"], by_chunk[456]["content"]) == (455, TEXTS[455])
    assert found["total_links"] == len(found["context_links"])
    (message,) = answers["get_messages_for_chunk"]["messages"]
    assert (message["message_id"], message["conversation_id"]) == ("msg_123", "session_123")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", message["timestamp"])


@pytest.mark.process
def test_the_statistics_count_what_there_is(answers):
    found = answers["get_context_usage_statistics"]["statistics"]
    linked = answers["get_context_links_for_message"]["total_links"]
    assert (found["total_context_links"], found["total_messages"]) == (linked, 1)
    assert found["total_chunks"] >= len(CHUNKS)
    assert found["average_links_per_message"] == linked
    assert 0 <= found["context_usage_trends"]["peak_usage_hour"] <= 23


@pytest.mark.process
def test_the_tools_are_listed_with_their_categories(answers):
    found = answers["list_tool_identifiers"]
    assert {"memory", "chat", "todo", "context", "code_pattern"} <= set(found["categories"])
    named = {tool["name"]: tool["category"] for tool in found["tools"]}
    assert (named["store_memory"], named["log_chat"]) == ("memory", "chat")
    assert found["total_tools"] == len(found["tools"])


@pytest.mark.process
def test_the_conversations_of_a_tool_are_told(answers):
    found = answers["get_tool_conversations"]
    (talk,) = found["conversations"]
    assert (talk["conversation_id"], talk["usage_count"]) == ("session_123", 1)
    assert talk["context_summary"] == "How do JWT access tokens expire?"
    assert found["usage_statistics"] == {"total_invocations": 1, "average_per_conversation": 1.0}
