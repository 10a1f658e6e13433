"""Messages, their links, todos, attempts and the events of conversations: the same on both databases."""

import pytest

from indelible.core.context.call import Call
from indelible.core.context.context import context_on
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import exporting
from indelible.errors import NotFound
from indelible.model import Edge
from indelible.settings import Settings
from indelible.store.tables import events
from indelible.store.tables.events import Conversation, Event
from indelible.store.views import attempts as tried
from indelible.store.views import chats as stored
from indelible.store.views import chunk_links as links
from indelible.store.views import documents
from indelible.store.views import todos as kept
from indelible.toolsets.context import attempts, todos, usage
from indelible.toolsets.context.attempts import NewAttempt
from indelible.toolsets.context.chats import chats, chunk_links
from indelible.toolsets.context.chats.chats import NewMessage
from indelible.toolsets.context.documents import documents as engine
from indelible.toolsets.context.documents.documents import NewDocument
from indelible.toolsets.memory import importing
from made_up_meaning import embed_all, with_meaning
from samples import TENANT, keep, link, of_tenant, record

OTHER = 2  # another tenant
HOUR = 3_600_000_000
DAY = 24 * HOUR


def read(db, query, *arguments, tenant=TENANT):
    with db.read() as tx:
        return query(of_tenant(tx, tenant), *arguments)


def message(key: str, **fields):
    return record(key, kind="message", **fields)


def event(time: int, tool: str = "log_chat", conversation: str = "talk", **fields) -> Event:
    given = {"session": "session_1", "records": (), "outcome": "ok", "duration": 1, "size": 1, **fields}
    return Event(time=time, conversation=conversation, tool=tool, **given)


def happened(db, *given: Event, tenant=TENANT) -> None:
    db.write(lambda tx: events.add(of_tenant(tx, tenant), given))


# --- Messages ---


def test_messages_are_found_by_what_they_came_from_the_newest_first(db):
    keep(
        db,
        message("a", created=10, metadata={"source_tool": "editor"}),
        message("b", created=30, metadata={"source_tool": "editor"}),
        message("c", created=20, metadata={"source_tool": "editor"}),
        message("d", created=30, metadata={"source_tool": "editor"}),
        message("e", created=40, metadata={"source_tool": "Editor"}),
        message("f", created=40, metadata={"metadata": {"source_tool": "editor"}}),
        record("g", created=50, metadata={"source_tool": "editor"}),
        message("h", created=60, metadata={"source_tool": "editor"}, tenant=OTHER),
    )
    assert [m.key for m in read(db, stored.of_tool, "editor", 3)] == ["d", "b", "c"]
    assert [m.key for m in read(db, stored.of_tool, "editor", 9)] == ["d", "b", "c", "a"]
    assert read(db, stored.of_tool, "nobody", 9) == []


LONG = "é" * 400_000


def test_messages_are_found_by_all_of_a_long_name_of_a_tool(db):
    tools = {"a": LONG, "b": f"{LONG}!", "c": LONG[:200], "d": None, "e": {"name": LONG}}
    keep(db, *(message(key, metadata={"source_tool": tool}) for key, tool in tools.items()))
    for key in "abc":
        assert [m.key for m in read(db, stored.of_tool, tools[key], 9)] == [key]


def test_messages_are_found_by_their_number_whatever_an_import_brought_as_one(db):
    brought = {"a": 7, "b": "7", "c": 70, "d": None, "e": [7], "f": "7" * 400_000, "g": {"7": LONG}, "h": 7.5}
    keep(db, *(message(key, metadata={"number": number}) for key, number in brought.items()))
    keep(db, message("i"), record("j", metadata={"number": 7}))
    assert [m.key for m in read(db, stored.numbered, "7")] == ["a", "b"]
    assert [m.key for m in read(db, stored.numbered, "70")] == ["c"]
    assert read(db, stored.numbered, "8") == []
    assert read(db, stored.numbered, "7", tenant=OTHER) == []


def test_the_first_words_of_the_user_are_those_of_the_conversation(db):
    talk = stored.session_of("t")
    keep(
        db,
        message("a", session=talk, position=1, type="assistant", text="of the assistant"),
        message("b", session=talk, position=2, type="user", text=""),
        message("c", session=talk, position=4, type="user", text="second"),
        message("d", session=talk, position=3, type="user", text="first"),
        message("e", session=stored.session_of("u"), position=0, type="user", text="elsewhere"),
    )
    assert read(db, stored.first_prompt, "t", 100) == "first"
    assert read(db, stored.first_prompt, "u", 4) == "else"
    assert read(db, stored.first_prompt, "v", 100) == ""
    assert read(db, stored.first_prompt, "t", 100, tenant=OTHER) == ""


# --- Links ---


@pytest.fixture
def linked(db):
    """Two messages and three chunks, and what relates them; the rows by key."""
    made = keep(
        db,
        message("m", created=10),
        message("n", created=20),
        record("4", kind="chunk", session=documents.session_of("1"), created=5),
        record("5", kind="chunk", session=documents.session_of("1"), created=6),
        record("6", kind="chunk", session=documents.session_of("2"), created=7),
        record("x", kind="memory"),
    )
    rows = {r.key: r.id for r in made}
    link(
        db,
        _link(rows, "m", "4", 0.5),
        _link(rows, "m", "5", 0.9),
        _link(rows, "n", "5", 1.0),
        _link(rows, "x", "5", 1.0),
        Edge(rows["m"], rows["6"], "EXPLAINS", "EXPLAINS", 1.0, 10),
        Edge(rows["m"], rows["6"], "references", "REFERENCES", 1.0, 10),
    )
    return rows


def _link(rows, source, target, weight):
    return Edge(rows[source], rows[target], links.RELATION, links.RELATION, weight, 10)


def test_the_chunks_of_a_message_come_by_strength(db, linked):
    found = read(db, links.of_message, linked["m"])
    assert [(chunk.key, chunk.strength, documents.key_of(chunk.session)) for chunk in found] == [
        ("5", 0.9, "1"),
        ("4", 0.5, "1"),
    ]
    assert read(db, links.of_message, linked["m"], tenant=OTHER) == []


def test_the_messages_of_a_chunk_come_newest_first_and_nothing_else_does(db, linked):
    assert [m.key for m in read(db, links.of_chunk, linked["5"])] == ["n", "m"]
    assert read(db, links.of_chunk, linked["6"]) == []


def test_links_are_counted_by_chunk(db, linked):
    found, total = read(db, links.counts, 9)
    assert ([(each.key, each.count) for each in found], total) == ([("5", 2), ("4", 1)], 3)
    assert (len(read(db, links.counts, 1)[0]), read(db, links.counts, 1)[1]) == (1, 3)
    assert read(db, links.counts, 9, tenant=OTHER) == ([], 0)


def test_a_link_is_added_once_and_put_again_with_another_strength(db, linked):
    m, chunk = linked["m"], linked["4"]
    assert not db.write(lambda tx: links.add(tx, m, chunk, 0.1, 99))
    assert read(db, links.of_message, m)[-1].strength == 0.5
    db.write(lambda tx: links.put(tx, m, chunk, 0.95, 99))
    assert read(db, links.of_message, m)[0].strength == 0.95
    assert db.write(lambda tx: links.add(tx, linked["n"], chunk, 0.1, 99))


def test_whether_there_are_chunks_and_whether_any_waits_to_be_embedded(db):
    assert (read(db, links.any_chunk), read(db, links.any_chunk_waits)) == (False, False)
    keep(db, message("m"))
    assert (read(db, links.any_chunk), read(db, links.any_chunk_waits)) == (False, False)
    keep(db, record("4", kind="chunk"))
    assert (read(db, links.any_chunk), read(db, links.any_chunk_waits)) == (True, True)
    assert read(db, links.any_chunk_waits, tenant=OTHER) is False


# --- Events ---


def test_conversations_of_a_tool_come_by_their_last_call(db):
    happened(
        db,
        event(10, conversation="a"),
        event(20, conversation="b"),
        event(30, conversation="a"),
        event(30, conversation=""),
        event(40, tool="other", conversation="c"),
    )
    happened(db, event(50), tenant=OTHER)
    assert read(db, events.conversations, "log_chat") == [
        Conversation("a", 2, 30, 3),
        Conversation("session_1", 1, 30, 4),
        Conversation("b", 1, 20, 2),
    ]
    assert read(db, events.conversations, "nothing") == []


def test_events_name_their_records(db):
    happened(db, event(1, records=("a", "ü")), event(2), event(3, records=("c",)))
    assert read(db, events.records_of, [1, 2, 77]) == {1: ["a", "ü"], 2: []}
    assert read(db, events.records_of, []) == {}


def test_calls_are_counted_by_the_hour(db):
    happened(
        db,
        event(5 * HOUR),
        event(6 * HOUR - 1),
        event(6 * HOUR, tool="query_graph"),
        event(DAY + 5 * HOUR),
        event(5 * HOUR, tool="store_memory"),
    )
    assert read(db, events.hours, ["log_chat", "query_graph"]) == {5: 2, 6: 1, 29: 1}
    assert read(db, events.hours, []) == {}
    assert read(db, events.hours, ["log_chat"], tenant=OTHER) == {}


# --- Todos and attempts ---


def test_todos_are_all_listed_with_their_priorities_and_read_newest_first(db):
    keep(
        db,
        record("1", kind="todo", type="pending", created=10, metadata={"priority": 2}),
        record("2", kind="todo", type="completed", created=20),
        record("3", kind="todo", type="pending", created=20, tenant=OTHER),
        record("4", kind="memory", created=30),
        record("5", kind="todo", type="pending", created=5, metadata={"priority": "high"}),
        record("6", kind="todo", type="pending", created=6, metadata={"priority": True}),
    )
    found = sorted(read(db, kept.everything), key=lambda todo: -todo.created)
    assert [(todo.status, todo.created, todo.priority) for todo in found] == [
        ("completed", 20, None),
        ("pending", 10, 2),
        ("pending", 6, True),
        ("pending", 5, "high"),
    ]
    assert [todo for todo, _ in read(db, kept.texts)] == [todo.id for todo in found]


def test_attempts_are_found_by_their_prompts(db):
    keep(
        db,
        record("1", kind="attempt", type="pass", content_hash="p", created=10, tags=("a", "b")),
        record("2", kind="attempt", type="fail", content_hash="p", created=20, metadata={"error": "boom", "code": "x"}),
        record("3", kind="attempt", type="pass", content_hash="q", created=30, metadata={"error": "passed with it"}),
        record("4", kind="solution", type="pass", content_hash="p", created=40),
        record("5", kind="attempt", type="error", content_hash="r", created=50),
    )
    assert [(each.prompt, each.result) for each in read(db, tried.of_prompts, ["p", "q", "z"])] == [
        ("q", "pass"),
        ("p", "fail"),
        ("p", "pass"),
    ]
    assert [(o.result, o.tags, o.error) for o in read(db, tried.outcomes, ["p"])] == [
        ("fail", (), "boom"),
        ("pass", ("a", "b"), ""),
    ]
    assert [o.error for o in read(db, tried.outcomes)] == ["", "", "boom", ""]


# --- The engine, on both ---


@pytest.fixture
def ctx(db, tmp_path):
    settings = Settings(data=tmp_path, start=tmp_path, home=tmp_path)
    ctx = context_on(db, settings, Embedder(None))
    return with_meaning(ctx.for_call(Call()))


def test_a_conversation_is_logged_linked_counted_and_summarised(ctx):
    chunk = engine.store(ctx, NewDocument("a.md", "Tokens expire after one hour."))["chunks"][0]
    logged = chats.log(ctx, NewMessage("When do tokens expire after one hour?", "talk"))
    assert logged["chunks"] == [chunk]
    assert chats.link(ctx, "by hand", [chunk]) == 1
    embed_all(ctx)
    assert chunk_links.catch_up(ctx) == 1
    assert chunk_links.catch_up(ctx) == 0
    assert [c.number for c in chats.links_of(ctx, logged["id"])] == [chunk]
    assert {m.key for m in chats.messages_of(ctx, chunk)} == {logged["id"], "by hand"}
    assert (usage.statistics(ctx).links, usage.statistics(ctx).messages) == (2, 2)
    happened(ctx.store, event(ctx.now()))
    (talk,) = usage.conversations(ctx, "log_chat", 5).shown
    assert talk.summary == "When do tokens expire after one hour?"
    filled = chats.log(ctx, NewMessage("Now it has a text", "talk", id="by hand"))
    assert filled["chunks"] == [chunk]
    with pytest.raises(NotFound):
        chats.link(ctx, "by hand", [99])


def test_todos_and_attempts_go_their_way(ctx):
    number = todos.add(ctx, "Renew the certificate", "of staging", 3)["number"]
    assert todos.complete(ctx, number) == todos.complete(ctx, number)
    assert [todo.status for todo in todos.listed(ctx, None, 5)[0]] == ["completed"]
    assert [todo.title for todo in todos.search(ctx, "certif", 5)] == ["Renew the certificate"]
    for result in ("pass", "fail"):
        attempts.log(ctx, NewAttempt("Add two numbers", "a + b", result, error="" if result == "pass" else "boom"))
    (pattern,) = attempts.patterns(ctx, "add numbers", 5)
    assert (pattern.attempts, pattern.success_rate) == (2, 0.5)
    assert attempts.analyze(ctx, None, 5).errors == [("boom", 1)]
    everything = list(exporting.export_all(ctx))
    assert importing.import_items(ctx, everything).skipped == len(everything)
