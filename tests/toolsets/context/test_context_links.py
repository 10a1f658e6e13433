"""Links between messages and chunks: made by log_chat and by hand, read from both ends; without a model (see
test_context_links_by_meaning for one)."""

import json

import pytest

from foreign import take_in
from indelible.errors import InvalidInput, NotFound
from indelible.toolsets import registry
from park import exported, of_kind
from repositories import repository
from talk import ABOUT_POOL, ABOUT_TOKENS, POOL, TOKENS, document, links, messages

SECRET = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7h8"


@pytest.fixture
def chunks(memory):
    """The numbers of two chunks, about tokens and about the pool."""
    return document(memory, TOKENS, "tokens.md"), document(memory, POOL, "pool.md")


def log(memory, content, conversation="talk", **more):
    return memory.log_chat(content=content, conversation_id=conversation, **more)


# --- What log_chat links ---


@pytest.mark.parametrize(("said", "about"), [(ABOUT_TOKENS, 0), (ABOUT_POOL, 1)])
def test_a_message_is_linked_to_the_chunk_that_it_is_about(memory, chunks, said, about):
    logged = log(memory, said)
    assert logged["context_links"] == [chunks[about]]
    ((chunk, strength),) = links(memory, logged["message_id"]).items()
    assert chunk == chunks[about]
    assert 0 < strength <= 1
    assert messages(memory, chunks[about]) == [logged["message_id"]]
    assert messages(memory, chunks[1 - about]) == []


@pytest.mark.parametrize(
    "said",
    [
        "ok thanks",
        "yes, do that",
        "Can you please continue?",
        "Let us have lunch at one",
        "ありがとう",
        "token",
        "the the the",
        "Which dentist has an hour on Friday afternoon for my daughter, who broke a tooth at handball?",
    ],
)
def test_a_message_about_nothing_that_is_stored_is_linked_to_nothing(memory, chunks, said):
    logged = log(memory, said)
    assert logged["context_links"] == []
    assert links(memory, logged["message_id"]) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Резервное копирование базы данных запускается каждую ночь.", "Когда запускается резервное копирование базы?"),
        ("夜間バッチは午前二時に始まります。", "夜間バッチは午前何時に始まりますか"),
        ("Die Sicherung der Datenbank läuft jede Nacht.", "Wann läuft die Sicherung der Datenbank?"),
        ("`parse_config_file` liest die Datei app.toml", "wer ruft parse_config_file mit app.toml auf"),
    ],
)
def test_messages_of_any_language_find_their_chunks_by_words(memory, chunks, text, said):
    chunk = document(memory, text, "x.md")
    assert log(memory, said)["context_links"] == [chunk]


def test_nothing_is_linked_where_there_are_no_documents(memory):
    memory.store_memory(content=ABOUT_TOKENS)
    assert log(memory, ABOUT_TOKENS)["context_links"] == []


def test_a_message_is_linked_to_five_chunks_at_most_nearest_first(memory):
    for number in range(9):
        document(memory, f"{POOL} Server {number}.", f"{number}.md")
    logged = log(memory, ABOUT_POOL)
    assert len(logged["context_links"]) == 5
    strengths = list(links(memory, logged["message_id"]).values())
    assert strengths == sorted(strengths, reverse=True)


@pytest.mark.process
def test_a_message_is_linked_to_chunks_of_its_project_and_of_none(open_store, tmp_path):
    one, two = (open_store("shared", start=repository(tmp_path / name)) for name in ("one", "two"))
    nobody = open_store("shared")
    ours = document(one, POOL, "pool.md")
    theirs = [document(two, f"{POOL} Edition {number}.", f"{number}.md") for number in range(7)]
    everybodys = document(nobody, f"{POOL} So it is.", "pool.md")
    assert set(log(one, ABOUT_POOL)["context_links"]) == {ours, everybodys}
    assert ours not in log(two, ABOUT_POOL)["context_links"]
    assert log(one, ABOUT_POOL, message_id="m")["success"] is True
    assert one.store_context_links(message_id="m", chunk_ids=theirs[:1])["links_created"] == 1  # by hand, all are
    assert log(nobody, ABOUT_POOL)["context_links"]


def test_a_long_message_is_linked_by_what_it_begins_with(memory, chunks):
    assert log(memory, f"{ABOUT_TOKENS} " * 3)["context_links"] == [chunks[0]]
    assert log(memory, f"{ABOUT_TOKENS} " * 20_000)["context_links"] == [chunks[0]]


def test_a_link_is_a_relation_that_walks_and_recall_follow(memory, chunks):
    message = log(memory, ABOUT_TOKENS)["message_id"]
    walked = memory.graph_traverse(start_id=message, max_depth=1)
    assert [(node["id"], node["kind"]) for node in walked] == [
        (message, "message"),
        (f"chunk_{chunks[0]}", "chunk"),
    ]
    assert memory.codemem_stats()["graph"]["relationship_types"]["REFERENCES"] == 1


def test_chunks_that_an_edit_leaves_alone_keep_their_links(memory):
    text = "\n\n".join(
        f"## Part {n}\n\n{'Sentence about ' + topic + '. '}" * 9 for n, topic in enumerate(["owls", "eels"])
    )
    stored = memory.store_memory(content=text, file_name="park.md")
    for chunk in stored["chunk_ids"]:
        memory.store_context_links(message_id=f"m{chunk}", chunk_ids=[chunk])
    again = memory.store_memory(content=f"{text}\n\n## New\n\nMoles dig.", file_name="park.md")
    kept = set(stored["chunk_ids"]) & set(again["chunk_ids"])
    assert kept
    for chunk in stored["chunk_ids"]:
        assert messages(memory, chunk) == ([f"m{chunk}"] if chunk in kept else [])


# --- By hand ---


def test_chunks_are_linked_by_hand_and_the_request_is_echoed(memory, chunks):
    message = log(memory, "see above")["message_id"]
    asked = [chunks[1], chunks[0], chunks[1]]
    answer = memory.store_context_links(message_id=message, chunk_ids=asked)
    assert answer == {"success": True, "links_created": 2, "message_id": message, "linked_chunks": asked}
    assert links(memory, message).keys() == set(chunks)


def test_the_same_links_again_are_none(memory, chunks):
    memory.store_context_links(message_id="m", chunk_ids=[chunks[0]])
    before = exported(memory)
    assert memory.store_context_links(message_id="m", chunk_ids=[chunks[0]])["links_created"] == 0
    assert exported(memory) == before
    assert memory.store_context_links(message_id="m", chunk_ids=list(chunks))["links_created"] == 1


def test_a_retry_is_answered_when_the_chunk_is_gone(memory):
    def link(key):
        asked = {"message_id": "m", "chunk_ids": [chunk]}
        return registry.call(memory.context, registry.find_tool("store_context_links"), asked, key=key).value

    chunk = document(memory, TOKENS, "a.md")
    first = link("k")
    document(memory, "Another text.", "a.md")
    assert link("k") == first
    with pytest.raises(NotFound, match="is unknown, and nothing was linked"):
        link("other")


def test_an_unknown_message_is_made_empty_and_its_links_are_whole(memory, chunks):
    assert memory.store_context_links(message_id="msg_123", chunk_ids=list(chunks))["links_created"] == 2
    assert links(memory, "msg_123") == {chunks[1]: 1.0, chunks[0]: 1.0}
    (message,) = memory.get_messages_for_chunk(chunk_id=chunks[0])["messages"]
    assert message == {
        "message_id": "msg_123",
        "content": "",
        "conversation_id": "",
        "timestamp": "2026-03-01T12:00:00Z",
    }
    assert [hit for hit in memory.recall_memory(query="msg_123") if hit["kind"] == "message"] == []


def test_an_empty_message_that_is_logged_later_keeps_its_links_with_their_strengths(memory, chunks, clock):
    memory.store_context_links(message_id="m", chunk_ids=[chunks[1]])
    number = of_kind(memory, "message")[0]["metadata"]["number"]
    clock.pass_(minutes=5)
    logged = log(memory, ABOUT_TOKENS, message_id="m", role="assistant")
    assert (logged["message_id"], logged["chat_id"]) == ("m", number)
    assert logged["context_links"] == list(chunks)
    strengths = links(memory, "m")
    assert 0 <= strengths[chunks[1]] < strengths[chunks[0]] < 1
    (message,) = of_kind(memory, "message")
    assert (message["content"], message["session"], message["memory_type"]) == (
        ABOUT_TOKENS,
        "conversation:talk",
        "assistant",
    )
    assert message["created_at"] > "2026-03-01T12:05"
    assert [hit["id"] for hit in memory.recall_memory(query=ABOUT_TOKENS) if hit["kind"] == "message"] == ["m"]


def test_a_link_by_hand_is_as_strong_as_message_and_chunk_are_alike(memory, chunks):
    message = log(memory, ABOUT_TOKENS)["message_id"]
    memory.store_context_links(message_id=message, chunk_ids=list(chunks))
    strengths = links(memory, message)
    assert 0 <= strengths[chunks[1]] < strengths[chunks[0]] <= 1


@pytest.mark.parametrize("unknown", [0, -1, 999_999, 1 << 62])
def test_an_unknown_chunk_fails_whole_and_is_named(memory, chunks, unknown):
    before = exported(memory)
    with pytest.raises(NotFound, match=f"chunk_ids: chunk {unknown} is unknown"):
        memory.store_context_links(message_id="new", chunk_ids=[chunks[0], unknown])
    assert exported(memory) == before


def test_what_is_no_chunk_is_an_unknown_chunk(memory, chunks):
    todo = memory.add_todo(title="t")["todo_id"]
    with pytest.raises(NotFound, match=f"chunk {todo} is unknown"):
        memory.store_context_links(message_id="new", chunk_ids=[todo])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"chunk_ids": []}, r"chunk_ids must name at least one chunk, got \[\]"),
        ({"chunk_ids": 3}, "chunk_ids must be a list, got 3"),
        ({"chunk_ids": ["chunk_3"]}, "chunk_ids.0 must be a whole number, got 'chunk_3'"),
        ({"chunk_ids": [True]}, "chunk_ids.0 must be a whole number, got True"),
        ({"chunk_ids": [1.5]}, "chunk_ids.0 must be a whole number, got 1.5"),
        ({"chunk_ids": [None]}, "chunk_ids.0 must be a whole number, got None"),
        ({"message_id": ""}, "message_id must have at least 1 character"),
        ({"message_id": 5}, "message_id must be a text, got 5"),
        ({"message_id": "ü" * 501}, "message_id must have at most 1,000 bytes, got 1,002"),
        ({"links": []}, "unknown argument 'links'"),
    ],
)
def test_a_wrong_argument_of_store_context_links_is_named_and_nothing_is_written(memory, chunks, wrong, words):
    before = exported(memory)
    with pytest.raises(InvalidInput, match=words):
        memory.store_context_links(**{"message_id": "m", "chunk_ids": [chunks[0]], **wrong})
    assert exported(memory) == before


def test_a_whole_number_may_be_written_with_a_point(memory, chunks):
    answer = memory.store_context_links(message_id="m", chunk_ids=[float(chunks[0])])
    assert answer["linked_chunks"] == [chunks[0]]


def test_a_secret_in_a_message_id_is_kept_out(memory, chunks):
    memory.store_context_links(message_id=f"id-{SECRET}", chunk_ids=[chunks[0]])
    assert SECRET not in json.dumps(exported(memory))


@pytest.mark.process
def test_ids_are_those_of_the_own_project_and_those_that_we_gave(open_store, tmp_path):
    one, two = (open_store("shared", start=repository(tmp_path / name)) for name in ("one", "two"))
    chunk = document(one, POOL, "pool.md")
    ours = log(one, "said in one")["message_id"]
    log(one, "named in one", message_id="1")
    two.store_context_links(message_id="1", chunk_ids=[chunk])
    two.store_context_links(message_id=ours, chunk_ids=[chunk])
    said = {m["message_id"]: m["content"] for m in two.get_messages_for_chunk(chunk_id=chunk)["messages"]}
    assert said == {"1": "", ours: "said in one"}
    assert links(one, "1") == {}
    assert links(one, ours) == links(two, "1") | links(one, ours)


@pytest.mark.parametrize("name", ["{}", "message:{}"])
def test_a_message_is_named_by_its_id_with_or_without_its_kind(memory, chunks, name):
    message = log(memory, "hello", message_id="m")["message_id"]
    memory.store_context_links(message_id=name.format(message), chunk_ids=[chunks[0]])
    assert links(memory, name.format(message)).keys() == {chunks[0]}
    assert len(of_kind(memory, "message")) == 1


# --- Looking ---


def test_a_link_shows_chunk_document_and_text(memory):
    stored = memory.store_memory(content=TOKENS, file_name="tokens.md")
    memory.store_context_links(message_id="m", chunk_ids=stored["chunk_ids"])
    assert memory.get_context_links_for_message(message_id="m") == {
        "success": True,
        "message_id": "m",
        "context_links": [
            {
                "chunk_id": stored["chunk_ids"][0],
                "content": TOKENS,
                "resource_id": stored["resource_id"],
                "link_strength": 1.0,
            }
        ],
        "total_links": 1,
    }


@pytest.mark.parametrize("given", [None, "by-me", "msg_1"])
def test_a_message_is_named_by_its_number_whoever_gave_its_id(memory, chunks, given):
    more = {} if given is None else {"message_id": given}
    number = log(memory, ABOUT_TOKENS, **more)["chat_id"]
    for name in (f"{number}", f"resource_{number}", f"message:{number}", f"message:resource_{number}"):
        assert links(memory, name).keys() == {chunks[0]}, name
    for name in (f"doc_{number}", f"chunk_{number}", f"todo:{number}", f"0{number}", f"{number + 1}", "9" * 5_000):
        assert links(memory, name[:1_000]) == {}, name


@pytest.mark.parametrize("name", ["nobody", "msg_999", "message:nobody", "doc_1", ":", "日本"])
def test_an_unknown_message_has_no_links(memory, chunks, name):
    answer = memory.get_context_links_for_message(message_id=name)
    assert answer == {"success": True, "message_id": name, "context_links": [], "total_links": 0}


@pytest.mark.parametrize("number", [0, -5, 77_777, 1 << 62])
def test_an_unknown_chunk_has_no_messages(memory, chunks, number):
    answer = memory.get_messages_for_chunk(chunk_id=number)
    assert answer == {"success": True, "chunk_id": number, "messages": [], "total_messages": 0}


def test_the_messages_of_a_chunk_come_newest_first_whatever_their_conversation(memory, chunks, clock):
    for turn in range(4):
        message = log(memory, f"turn {turn} of many", f"talk {turn % 2}", message_id=f"m{turn}")
        memory.store_context_links(message_id=message["message_id"], chunk_ids=[chunks[0]])
        clock.pass_(minutes=1)
    found = memory.get_messages_for_chunk(chunk_id=chunks[0])["messages"]
    assert [m["message_id"] for m in found] == ["m3", "m2", "m1", "m0"]
    assert [m["conversation_id"] for m in found] == ["talk 1", "talk 0", "talk 1", "talk 0"]
    assert found[0]["timestamp"] == "2026-03-01T12:03:00Z"


@pytest.mark.parametrize(
    ("tool", "wrong", "words"),
    [
        ("get_context_links_for_message", {}, "message_id is required"),
        ("get_context_links_for_message", {"message_id": ""}, "message_id must have at least 1 character"),
        ("get_context_links_for_message", {"message_id": 3}, "message_id must be a text, got 3"),
        ("get_messages_for_chunk", {}, "chunk_id is required"),
        ("get_messages_for_chunk", {"chunk_id": "chunk_1"}, "chunk_id must be a whole number, got 'chunk_1'"),
        ("get_messages_for_chunk", {"chunk_id": False}, "chunk_id must be a whole number, got False"),
        ("get_messages_for_chunk", {"chunk_id": 1, "limit": 1}, "unknown argument 'limit'"),
    ],
)
def test_a_wrong_argument_of_a_look_up_is_named(memory, tool, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.call(tool, **wrong)


def test_what_is_looked_up_counts_as_accessed(memory, chunks):
    memory.store_context_links(message_id="m", chunk_ids=[chunks[0]])
    links(memory, "m")
    messages(memory, chunks[0])
    counts = {item["id"]: item["access_count"] for item in exported(memory)}
    assert (counts[str(chunks[0])], counts["m"], counts[str(chunks[1])]) == (1, 1, 0)


def test_links_survive_an_import(memory, chunks, open_store):
    message = log(memory, ABOUT_TOKENS)["message_id"]
    other = open_store("other")
    take_in(other, *exported(memory))
    assert links(other, message) == links(memory, message)
    assert messages(other, chunks[0]) == [message]
