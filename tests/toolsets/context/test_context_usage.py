"""get_context_usage_statistics, list_tool_identifiers, get_tool_conversations: what events and links tell."""

from contextlib import closing

import pytest

import store_file
from foreign import take_in
from indelible.admin import maintenance
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import events
from indelible.store.tables.events import Event
from indelible.toolsets.registry import all_tools
from mcp_client import McpClient
from park import exported
from talk import POOL, TOKENS, document

EMPTY = {
    "total_context_links": 0,
    "total_chunks": 0,
    "total_messages": 0,
    "average_links_per_message": 0.0,
    "most_referenced_chunks": [],
    "context_usage_trends": {"daily_average": 0.0, "peak_usage_hour": None},
}


def statistics(memory):
    answer = memory.get_context_usage_statistics()
    assert answer["success"] is True
    return answer["statistics"]


def trends(memory):
    return statistics(memory)["context_usage_trends"]


def log(memory, content="The build is green", conversation="talk", **more):
    return memory.log_chat(content=content, conversation_id=conversation, **more)


def conversations(memory, tool, **more):
    return memory.get_tool_conversations(tool_name=tool, **more)


def by_conversation(memory, tool):
    return {each["conversation_id"]: each["usage_count"] for each in conversations(memory, tool)["conversations"]}


# --- Statistics ---


def test_an_empty_store_has_figures_too(memory):
    assert statistics(memory) == EMPTY
    assert statistics(memory) == EMPTY  # asking is no use of context


def test_links_chunks_and_messages_are_counted(memory):
    chunks = [document(memory, text, f"{n}.md") for n, text in enumerate([TOKENS, POOL, "Nothing else."])]
    for message, linked in (("a", chunks[:1]), ("b", chunks[:2]), ("c", chunks[1:2]), ("d", chunks[:1])):
        memory.store_context_links(message_id=message, chunk_ids=linked)
    log(memory, "nothing of all that")
    found = statistics(memory)
    assert (found["total_context_links"], found["total_chunks"], found["total_messages"]) == (5, 3, 5)
    assert found["average_links_per_message"] == 1.0
    assert found["most_referenced_chunks"] == [
        {"chunk_id": chunks[0], "reference_count": 3},
        {"chunk_id": chunks[1], "reference_count": 2},
    ]


def test_the_ten_most_referenced_chunks_are_named_ties_newest_first(memory, clock):
    chunks = []
    for number in range(12):
        chunks.append(document(memory, f"Text {number}.", f"{number}.md"))
        clock.pass_(seconds=1)
    for chunk in chunks:
        memory.store_context_links(message_id=f"m{chunk}", chunk_ids=[chunk])
    memory.store_context_links(message_id="again", chunk_ids=[chunks[0]])
    found = statistics(memory)["most_referenced_chunks"]
    assert [each["chunk_id"] for each in found] == [chunks[0], *chunks[:2:-1]]
    assert [each["reference_count"] for each in found] == [2] + [1] * 9


def test_other_relations_are_no_context_links(memory):
    chunk = document(memory, TOKENS, "a.md")
    message = log(memory, "hello")["message_id"]
    known = memory.store_memory(content="A memory", links=[message])["id"]
    memory.associate_memories(source_id=known, target_id=f"chunk:{chunk}", relationship="EXPLAINS")
    assert statistics(memory)["total_context_links"] == 0


def test_the_average_is_of_days_with_calls_and_the_peak_is_an_hour_of_the_day(memory, clock):
    for _ in range(4):
        log(memory)
    clock.pass_(hours=2)  # 14 h
    for _ in range(5):
        memory.get_context_links_for_message(message_id="m")
    clock.pass_(days=3)
    for _ in range(2):
        memory.get_messages_for_chunk(chunk_id=1)
    assert trends(memory) == {"daily_average": 5.5, "peak_usage_hour": 14}


def test_of_several_hours_with_most_calls_the_earliest_is_the_peak(memory, clock):
    for hours in (9, 3):  # 21 h, 0 h
        clock.pass_(hours=hours)
        log(memory)
    assert trends(memory)["peak_usage_hour"] == 0


def test_calls_that_use_no_context_are_not_counted(memory):
    memory.store_memory(content="x")
    memory.recall_memory(query="x")
    memory.add_todo(title="t")
    memory.list_tool_identifiers()
    conversations(memory, "log_chat")
    assert trends(memory) == {"daily_average": 0.0, "peak_usage_hour": None}


def test_days_that_were_folded_count_for_the_average(memory, clock):
    for _ in range(6):
        log(memory)
    memory.context.write_behind.flush()
    clock.pass_(days=120)
    maintenance.trim(memory.context)
    assert trends(memory) == {"daily_average": 6.0, "peak_usage_hour": None}
    log(memory)
    assert trends(memory) == {"daily_average": 3.5, "peak_usage_hour": 12}


def test_the_calls_of_other_servers_are_counted(open_store):
    one, two = open_store("shared"), open_store("shared")
    log(one)
    one.context.write_behind.flush()
    log(two)
    assert trends(two)["daily_average"] == 2.0


def test_a_read_only_server_tells_figures_and_logs_nothing(open_store):
    log(open_store("shared"))
    reader = open_store("shared", read_only=True)
    assert statistics(reader)["total_messages"] == 1
    assert "log_chat" not in {tool["name"] for tool in reader.list_tool_identifiers()["tools"]}
    assert conversations(reader, "get_context_usage_statistics")["total_conversations"] == 0
    with pytest.raises(Conflict, match="this server is read-only"):
        log(reader)


@pytest.mark.parametrize("tool", ["get_context_usage_statistics", "list_tool_identifiers"])
def test_figures_take_no_arguments(memory, tool):
    with pytest.raises(InvalidInput, match="unknown argument 'limit'; allowed are: none"):
        memory.call(tool, limit=3)


# --- Tools ---

CATEGORIES = {
    "memory": ("store_memory", "retrieve_memory", "recall_memory"),
    "chat": ("log_chat", "ask_with_context", "route_query", "get_chats_by_tool"),
    "todo": ("add_todo", "list_todos", "search_todos", "complete_todo"),
    "code_pattern": ("log_code_attempt", "get_code_patterns", "analyze_code_patterns"),
    "context": (
        *("build_context", "retrieve_by_type", "store_context_links", "get_context_links_for_message"),
        *("get_messages_for_chunk", "get_context_usage_statistics", "link_resources", "query_graph"),
        *("auto_link_documents", "get_document_relationships", "list_tool_identifiers", "get_tool_conversations"),
    ),
    "solutions": ("matrix_recall",),
    "graph": ("read_graph",),
    "vectors": ("search",),
}


def test_every_tool_is_listed_once_with_its_category_and_a_sentence(memory):
    answer = memory.list_tool_identifiers()
    named = {tool["name"]: tool for tool in answer["tools"]}
    assert answer["success"] is True
    assert list(named) == list(all_tools())
    assert answer["total_tools"] == len(answer["tools"]) == len(named)
    assert set(answer["categories"]) == {tool["category"] for tool in answer["tools"]}
    assert len(answer["categories"]) == len(set(answer["categories"]))
    for tool in answer["tools"]:
        assert 20 < len(tool["description"]) <= len(all_tools()[tool["name"]].description)


@pytest.mark.parametrize(("category", "names"), CATEGORIES.items())
def test_a_category_has_its_tools(memory, category, names):
    named = {tool["name"]: tool["category"] for tool in memory.list_tool_identifiers()["tools"]}
    assert {name: named[name] for name in names} == dict.fromkeys(names, category)


def test_the_context_category_has_the_twelve_that_are_documented_and_no_other(memory):
    named = [tool["name"] for tool in memory.list_tool_identifiers()["tools"] if tool["category"] == "context"]
    assert sorted(named) == sorted(CATEGORIES["context"])


def test_a_server_lists_what_it_offers(open_store):
    few = open_store(toolsets=("context",), read_only=False)
    named = {tool["name"] for tool in few.list_tool_identifiers()["tools"]}
    offered = {tool.name for tool in all_tools().values() if "context" in (tool.toolset, *tool.also_in)}
    assert named == offered > {"store_memory"}


# --- Conversations ---


def test_a_call_belongs_to_the_conversation_that_it_names(memory):
    for conversation in ("a", "b", "a"):
        log(memory, conversation=conversation)
    assert by_conversation(memory, "log_chat") == {"a": 2, "b": 1}


def test_a_call_that_names_none_belongs_to_the_last_one_of_its_connection(memory):
    memory.store_memory(content="before any")
    log(memory, conversation="first")
    memory.store_memory(content="in the first")
    memory.store_memory(content="in the first too")
    log(memory, conversation="second")
    memory.store_memory(content="in the second")
    assert by_conversation(memory, "store_memory") == {memory.context.session.id: 1, "first": 2, "second": 1}
    assert memory.context.session.id.startswith("session_")


def test_each_connection_has_a_last_conversation_of_its_own(open_store):
    one, two = open_store("shared"), open_store("shared")
    log(one, conversation="ones")
    two.store_memory(content="stored by two")
    one.store_memory(content="stored by one")
    two.context.write_behind.flush()
    assert by_conversation(one, "store_memory") == {"ones": 1, two.context.session.id: 1}


def test_a_failed_call_is_a_call_of_its_conversation_too(memory):
    with pytest.raises(InvalidInput):
        log(memory, "", conversation="a")
    with pytest.raises(NotFound):
        memory.complete_todo(todo_id=99)
    assert by_conversation(memory, "log_chat") == {"a": 1}
    assert by_conversation(memory, "complete_todo") == {"a": 1}


@pytest.mark.parametrize("wrong", ["", " \u200b", 7, None, ["a"], "x" * 2_000])
def test_what_is_no_conversation_id_names_none(memory, wrong):
    log(memory, conversation="a")
    with pytest.raises(InvalidInput):
        memory.log_chat(content="x", conversation_id=wrong)
    assert by_conversation(memory, "log_chat") == {"a": 2}


def test_the_latest_conversation_comes_first_and_the_limit_cuts_after_counting(memory, clock):
    for number in range(12):
        for _ in range(1 + number % 2):
            log(memory, f"message {number}", f"talk {number}")
        clock.pass_(minutes=1)
    answer = conversations(memory, "log_chat", limit=3)
    assert (answer["success"], answer["tool_name"]) == (True, "log_chat")
    assert [each["conversation_id"] for each in answer["conversations"]] == ["talk 11", "talk 10", "talk 9"]
    assert answer["conversations"][0]["last_used"] == "2026-03-01T12:11:00Z"
    assert answer["total_conversations"] == 12
    assert answer["usage_statistics"] == {"total_invocations": 18, "average_per_conversation": 1.5}
    assert len(conversations(memory, "log_chat")["conversations"]) == 10


@pytest.mark.parametrize("name", ["recall_memory", "no_such_tool", "日本"])
def test_a_tool_that_was_not_called_has_no_conversations(memory, name):
    log(memory)
    assert conversations(memory, name) == {
        "success": True,
        "tool_name": name,
        "conversations": [],
        "total_conversations": 0,
        "usage_statistics": {"total_invocations": 0, "average_per_conversation": 0.0},
    }


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"tool_name": ""}, "tool_name must have at least 1 character"),
        ({"tool_name": 1}, "tool_name must be a text, got 1"),
        ({"limit": 0}, "limit must be between 1 and 100, got 0"),
        ({"limit": 101}, "limit must be between 1 and 100, got 101"),
        ({"limit": False}, "limit must be a whole number"),
        ({"tool": "x"}, "unknown argument 'tool'"),
    ],
)
def test_a_wrong_argument_of_get_tool_conversations_is_named(memory, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.get_tool_conversations(**{"tool_name": "log_chat", **wrong})


def summary(memory, tool):
    return conversations(memory, tool)["conversations"][0]["context_summary"]


def test_a_conversation_is_summarised_by_the_first_words_of_its_user(memory):
    log(memory, "I am an assistant", role="assistant")
    log(memory, "Wie sichern\n  wir die Datenbank? 夜間", role="user")
    log(memory, "And the logs?", role="user")
    memory.store_memory(content="The database is saved each night")
    assert summary(memory, "store_memory") == "Wie sichern wir die Datenbank? 夜間"


def test_a_conversation_without_words_of_a_user_is_summarised_by_what_its_newest_call_was_about(memory):
    memory.store_memory(content="The old way")
    memory.store_memory(content="The new way")
    assert summary(memory, "store_memory") == "The new way"
    memory.recall_memory(query="old way")
    assert summary(memory, "recall_memory") in ("The old way", "The new way")
    memory.add_todo(title="Write it down")
    assert summary(memory, "add_todo") == "Write it down"
    document(memory, POOL, "pool.md")
    assert summary(memory, "store_memory").startswith("# Pool The database pool holds")


def test_a_conversation_of_nothing_but_questions_without_answers_has_no_summary(memory):
    memory.recall_memory(query="a question that events never keep")
    assert summary(memory, "recall_memory") == ""


@pytest.mark.parametrize(("said", "shown"), [("x" * 100, "x" * 100), ("y" * 101, "y" * 99 + "…")])
def test_a_summary_has_a_hundred_characters_at_most(memory, said, shown):
    log(memory, said)
    assert summary(memory, "log_chat") == shown


def test_events_keep_no_content(memory):
    log(memory, "a very private sentence", metadata={"k": "a very private sentence"})
    memory.context.write_behind.flush()
    with closing(store_file.opened(memory.context.settings.data / FILE)) as file:
        rows = file.execute("SELECT * FROM event").fetchall()
    assert rows
    assert "private" not in repr(rows)


def test_events_that_an_older_version_logged_belong_to_their_connection(memory):
    old = Event(1, "session_before", "", "recall_memory", (), "ok", 1, 1)
    memory.context.store.write(lambda tx: events.add(tx, [old, old]))
    assert by_conversation(memory, "recall_memory") == {"session_before": 2}


def test_an_import_brings_conversations_but_no_calls(memory, open_store):
    log(memory, "said elsewhere", "talk")
    other = open_store("other")
    take_in(other, *exported(memory))
    assert conversations(other, "log_chat")["total_conversations"] == 0
    log(other, "an answer", "talk", role="assistant")
    assert summary(other, "log_chat") == "said elsewhere"


@pytest.mark.process
def test_over_a_real_connection_the_last_conversation_holds_until_another_is_named(tmp_path):
    with McpClient(tmp_path / "data") as one, McpClient(tmp_path / "data") as two:
        one.call("log_chat", {"content": "hello", "conversation_id": "ones"})
        one.call("add_todo", {"title": "by one"})
        two.call("add_todo", {"title": "by two"})
        one.close()
        found = two.call("get_tool_conversations", {"tool_name": "add_todo"})
    names = [each["conversation_id"] for each in found["conversations"]]
    assert "ones" in names
    assert len(names) == 2
    assert next(name for name in names if name != "ones").startswith("session_")
