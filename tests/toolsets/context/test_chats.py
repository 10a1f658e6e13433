"""log_chat and get_chats_by_tool: what is kept of a message, and who finds it."""

import json

import pytest

from foreign import take_in
from indelible.errors import Conflict, InvalidInput
from mcp_client import McpClient, text_of
from park import exported, of_kind
from repositories import repository

SECRET = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7h8"


def log(memory, content="The build is green", conversation="talk", **more):
    return memory.log_chat(content=content, conversation_id=conversation, **more)


# --- What is kept ---


def test_a_message_gets_a_number_and_an_id_of_it(memory):
    assert log(memory) == {"success": True, "message_id": "msg_1", "chat_id": 1, "context_links": []}


def test_all_that_was_given_is_kept_and_comes_back(memory, clock):
    given = {"role": "assistant", "agent_name": "reviewer", "metadata": {"turn": [1, "zwei"]}, "source_tool": "editor"}
    logged = log(memory, "夜間バッチは 2 時に始まる", "sitzung_ü", message_id="m-1", **given)
    (message,) = memory.get_chats_by_tool(tool_name="editor")["messages"]
    assert message == {
        "message_id": "m-1",
        "chat_id": logged["chat_id"],
        "conversation_id": "sitzung_ü",
        "role": "assistant",
        "content": "夜間バッチは 2 時に始まる",
        "agent_name": "reviewer",
        "metadata": {"turn": [1, "zwei"]},
        "timestamp": "2026-03-01T12:00:00Z",
    }
    (kept,) = of_kind(memory, "message")
    assert (kept["memory_type"], kept["session"]) == ("assistant", "conversation:sitzung_ü")
    assert kept["metadata"] == {
        "number": logged["chat_id"],
        "conversation": "sitzung_ü",
        "agent_name": "reviewer",
        "source_tool": "editor",
        "metadata": {"turn": [1, "zwei"]},
    }


@pytest.mark.parametrize("role", ["user", "assistant", "system"])
def test_each_role_is_kept(memory, role):
    log(memory, role=role, source_tool="editor")
    assert memory.get_chats_by_tool(tool_name="editor")["messages"][0]["role"] == role


def test_a_message_is_recalled_by_its_words_as_a_message(memory):
    logged = log(memory, "The staging cluster runs in Frankfurt")
    (hit,) = memory.recall_memory(query="where does the staging cluster run")
    assert (hit["id"], hit["kind"], hit["memory_type"]) == (logged["message_id"], "message", "context")
    assert hit["content"] == "The staging cluster runs in Frankfurt"
    assert memory.recall_memory(query="staging cluster", memory_type="context") == []


def test_messages_of_one_conversation_are_neighbours_in_its_order(memory, clock):
    for turn, conversation in enumerate(["a", "b", "a", "b", "a"]):
        log(memory, f"turn {turn}", conversation)
        clock.pass_(seconds=5)
    kept = of_kind(memory, "message")
    in_order = sorted((m["session"], m["position"], m["content"]) for m in kept)
    assert [(session, content) for session, _, content in in_order] == [
        ("conversation:a", "turn 0"),
        ("conversation:a", "turn 2"),
        ("conversation:a", "turn 4"),
        ("conversation:b", "turn 1"),
        ("conversation:b", "turn 3"),
    ]


def test_numbers_are_of_the_sequence_of_documents_and_todos(memory):
    stored = memory.store_memory(content="One. Two.", file_name="a.md")
    todo = memory.add_todo(title="t")["todo_id"]
    logged = log(memory)
    numbers = [stored["resource_id"], *stored["chunk_ids"], todo, logged["chat_id"]]
    assert len(set(numbers)) == len(numbers)
    assert logged["message_id"] == f"msg_{logged['chat_id']}"


# --- The same again ---


def test_the_same_message_under_its_id_is_kept_once(memory):
    first = log(memory, message_id="m")
    before = exported(memory)
    assert log(memory, message_id="m") == first
    assert exported(memory) == before


def test_without_an_id_the_same_words_are_two_messages(memory):
    assert log(memory, "yes")["message_id"] != log(memory, "yes")["message_id"]


@pytest.mark.parametrize("other", [{"content": "Another text"}, {"conversation": "other"}, {"role": "system"}])
def test_another_message_under_a_known_id_is_refused_and_nothing_is_written(memory, other):
    log(memory, message_id="m")
    before = exported(memory)
    with pytest.raises(Conflict, match="message_id 'm' is another message of this project"):
        log(memory, **{"message_id": "m", **other})
    assert exported(memory) == before


@pytest.mark.process
def test_each_project_has_its_own_ids(open_store, tmp_path):
    for name in ("one", "two"):
        repository(tmp_path / name)
    one, two = (open_store("shared", start=tmp_path / name) for name in ("one", "two"))
    log(one, "said in one", message_id="1", source_tool="editor")
    log(two, "said in two", message_id="1", source_tool="editor")
    said = {m["content"] for m in one.get_chats_by_tool(tool_name="editor")["messages"]}
    assert said == {"said in one", "said in two"}


def test_an_id_that_looks_like_ours_is_kept_and_not_given_again(memory):
    log(memory, "first", message_id="msg_2")
    assert [log(memory, f"later {i}")["message_id"] for i in range(3)] == ["msg_3", "msg_4", "msg_5"]
    assert len(of_kind(memory, "message")) == 4


# --- By tool ---


def test_messages_of_a_tool_are_listed_newest_first_up_to_the_limit(memory, clock):
    for turn in range(12):
        log(memory, f"turn {turn}", f"talk {turn % 3}", source_tool="editor")
        log(memory, f"other {turn}", source_tool="terminal")
        log(memory, f"none {turn}")
        clock.pass_(seconds=1)
    answer = memory.get_chats_by_tool(tool_name="editor")
    assert (answer["success"], answer["count"], answer["source_tool"]) == (True, 10, "editor")
    assert [m["content"] for m in answer["messages"]] == [f"turn {turn}" for turn in range(11, 1, -1)]
    assert memory.get_chats_by_tool(tool_name="editor", limit=100)["count"] == 12
    assert memory.get_chats_by_tool(tool_name="editor", limit=1)["messages"][0]["content"] == "turn 11"


@pytest.mark.parametrize("name", ["nobody", "log_chat", "edit", "EDITOR"])
def test_a_tool_that_nothing_came_from_has_no_messages(memory, name):
    log(memory, source_tool="editor")
    answer = memory.get_chats_by_tool(tool_name=name)
    assert answer == {"success": True, "messages": [], "count": 0, "source_tool": name}


def test_an_empty_store_has_no_messages_of_a_tool(memory):
    assert memory.get_chats_by_tool(tool_name="editor")["messages"] == []


# --- Secrets, bad input ---


def test_a_secret_is_kept_out_of_everything_of_a_message(memory):
    log(
        memory,
        f"export TOKEN={SECRET}",
        f"talk {SECRET}",
        agent_name=SECRET,
        source_tool=SECRET,
        message_id=f"id-{SECRET}",
        metadata={"env": {"TOKEN": SECRET}},
    )
    assert SECRET not in json.dumps(exported(memory))
    assert SECRET not in json.dumps(memory.get_tool_conversations(tool_name="log_chat"))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"content": ""}, "content must have at least 1 character"),
        ({"content": " \n\u200b"}, "content must have at least one visible character"),
        ({"content": 3}, "content must be a text, got 3"),
        ({"conversation_id": ""}, "conversation_id must have at least 1 character"),
        ({"conversation_id": " "}, "conversation_id must have at least one visible character"),
        ({"conversation_id": None}, "conversation_id must be a text"),
        ({"conversation_id": "x" * 1_001}, "conversation_id must have at most 1,000 characters"),
        ({"conversation_id": "ü" * 501}, "conversation_id must have at most 1,000 bytes, got 1,002"),
        ({"role": "robot"}, "role must be one of 'user', 'assistant' or 'system', got 'robot'"),
        ({"agent_name": ""}, "agent_name must have at least 1 character"),
        ({"metadata": "x"}, "metadata must be an object"),
        ({"metadata": {"a": float("nan")}}, "metadata must be a finite number"),
        ({"source_tool": 7}, "source_tool must be a text, got 7"),
        ({"message_id": ""}, "message_id must have at least 1 character"),
        ({"message_id": "\u200b"}, "message_id must have at least one visible character"),
        ({"message_id": "ü" * 501}, "message_id must have at most 1,000 bytes, got 1,002"),
        ({"session": "x"}, "unknown argument 'session'"),
    ],
)
def test_a_wrong_argument_of_log_chat_is_named_and_nothing_is_written(memory, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.log_chat(**{"content": "x", "conversation_id": "talk", **wrong})
    assert exported(memory) == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"tool_name": ""}, "tool_name must have at least 1 character"),
        ({"limit": 0}, "limit must be between 1 and 100, got 0"),
        ({"limit": 101}, "limit must be between 1 and 100, got 101"),
        ({"limit": True}, "limit must be a whole number"),
        ({"limit": 2.5}, "limit must be a whole number"),
    ],
)
def test_a_wrong_argument_of_get_chats_by_tool_is_named(memory, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.get_chats_by_tool(**{"tool_name": "editor", **wrong})


@pytest.mark.process
def test_over_a_connection_a_failure_says_so_and_a_redaction_is_told(tmp_path):
    with McpClient(tmp_path / "data") as client:
        asked = {"content": f"export TOKEN={SECRET}", "conversation_id": "talk", "message_id": "m"}
        answer = client.request("tools/call", {"name": "log_chat", "arguments": asked})
        assert answer["_meta"]["redacted"][0]["argument"] == "content"
        assert answer["structuredContent"]["message_id"] == "m"
        asked["content"] = "another text"
        refused = client.request("tools/call", {"name": "log_chat", "arguments": asked})
    assert refused["isError"]
    said = json.loads(text_of(refused))
    assert said["success"] is False
    assert said["error"].startswith("message_id 'm' is another message of this project")


# --- Export and import ---


def test_an_import_elsewhere_gives_the_same_export(memory, open_store, clock):
    chunk = memory.store_memory(content="Tokens expire after one hour.", file_name="a.md")["chunk_ids"][0]
    log(memory, "When do tokens expire after one hour?", source_tool="editor")
    log(memory, "named", message_id="named by its caller")
    memory.store_context_links(message_id="only linked", chunk_ids=[chunk])
    other = open_store("other")
    take_in(other, *exported(memory))
    assert exported(other) == exported(memory)
    clock.pass_(seconds=9)
    assert log(other)["message_id"] == log(memory)["message_id"]


def test_an_import_twice_brings_nothing_new(memory, open_store):
    from indelible.toolsets.memory import importing

    for message_id in (None, "named"):
        log(memory, **({"message_id": message_id} if message_id else {}))
    assert importing.import_items(memory.context, exported(memory)).ids == []
    other = open_store("other")
    log(other, "already here")
    take_in(other, *exported(memory))
    before = exported(other)
    assert importing.import_items(other.context, exported(memory)).ids == []
    assert exported(other) == before


def test_a_message_whose_number_is_taken_gets_a_new_one_with_its_links(memory, open_store):
    chunk = memory.store_memory(content="Tokens expire after one hour.", file_name="a.md")["chunk_ids"][0]
    log(memory, "imported")  # msg_3
    memory.store_context_links(message_id="msg_3", chunk_ids=[chunk])
    other = open_store("other")
    for text in ("here 1", "here 2", "here 3", "here 4"):
        log(other, text)
    take_in(other, *exported(memory))
    by_text = {m["content"]: m["id"] for m in of_kind(other, "message")}
    assert by_text["here 3"] == "msg_3"
    assert by_text["imported"] not in {"msg_1", "msg_2", "msg_3", "msg_4"}
    links = other.get_context_links_for_message(message_id=by_text["imported"])["context_links"]
    assert [link["content"] for link in links] == ["Tokens expire after one hour."]
    assert other.get_context_links_for_message(message_id="msg_3")["context_links"] == []
    assert len(set(by_text.values())) == 5


@pytest.mark.process
def test_equal_ids_of_two_projects_survive_an_import_with_their_links(open_store, tmp_path):
    stores = [open_store("shared", start=repository(tmp_path / name)) for name in ("one", "two")]
    chunks = [m.store_memory(content=f"Text {n}.", file_name="a.md")["chunk_ids"][0] for n, m in enumerate(stores)]
    for store, chunk in zip(stores, chunks, strict=True):
        store.store_context_links(message_id="1", chunk_ids=[chunk])
    other = open_store("other")
    take_in(other, *exported(stores[0]))
    assert exported(other) == exported(stores[0])
    ours = [m["edges"] for m in of_kind(other, "message")]
    assert [[edge["target"] for edge in edges] for edges in ours] == [[f"chunk:{chunk}"] for chunk in chunks]
