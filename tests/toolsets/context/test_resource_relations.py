"""link_resources relates any two records, known or not yet; query_graph finds records with what they are related to."""

import re

import pytest

from indelible.errors import Conflict, InvalidInput, NotFound
from mcp_client import McpClient
from park import exported, of_kind, undo

LOGIN = "A session token is checked by the middleware of every route"
CACHE = "The image cache is emptied at the start of each night shift"


@pytest.fixture
def library(memory):
    """Documents 1 (login.md), 3 (cache.md)."""
    memory.store_memory(content=LOGIN, file_name="login.md")
    memory.store_memory(content=CACHE, file_name="cache.md")
    return memory


def link(memory, source, target, relation="depends_on"):
    return memory.link_resources(source_id=source, target_id=target, relationship_type=relation)


def edges(memory):
    return [edge for item in exported(memory) for edge in item["edges"]]


# --- link_resources ---


def test_a_link_is_answered_with_its_number_and_the_ids_as_they_were_given(library):
    answer = link(library, "login.md", "resource_3")
    assert re.fullmatch(r"rel_\d+", answer["relationship_id"])
    assert answer == {
        "success": True,
        "relationship_id": answer["relationship_id"],
        "source_id": "login.md",
        "target_id": "resource_3",
        "relationship_type": "depends_on",
        "created_at": "2026-03-01T12:00:00Z",
    }
    (edge,) = edges(library)
    assert (edge["source"], edge["target"], edge["relationship"], edge["weight"]) == (
        "document:1",
        "document:3",
        "depends_on",
        1.0,
    )


@pytest.mark.parametrize("again", ["depends_on", "DEPENDS_ON", "Depends_On"])
def test_the_same_link_again_is_the_same_relation(library, clock, again):
    first = link(library, "doc_1", "doc_3")
    clock.pass_(days=1)
    assert link(library, "1", "cache.md", again) == {**first, "source_id": "1", "target_id": "cache.md"}
    assert len(edges(library)) == 1


def test_another_name_or_direction_is_another_relation(library):
    numbers = [
        link(library, *ends, relation)["relationship_id"]
        for ends, relation in [
            (("doc_1", "doc_3"), "depends_on"),
            (("doc_3", "doc_1"), "depends_on"),
            (("doc_1", "doc_3"), "related_to"),
            (("doc_1", "doc_3"), "зависит от"),
        ]
    ]
    assert len(set(numbers)) == 4


def test_any_two_records_can_be_linked(library):
    memory_id = library.store_memory(content="Why tokens last an hour")["id"]
    todo = library.add_todo(title="Rotate the tokens")["todo_id"]
    said = library.log_chat(content="Which tokens?", conversation_id="talk", message_id="m-1")["chat_id"]
    library.create_entities(entities=[{"name": "Ann", "entityType": "person"}])
    for source in (memory_id, f"memory:{memory_id}", str(todo), f"todo:{todo}", f"resource_{todo}"):
        link(library, source, "login.md", "explains")
    for source in ("m-1", f"resource_{said}", "message:m-1", "entity:Ann", "chunk_2"):
        link(library, source, "cache.md", "explains")
    assert len(of_kind(library, "document")) == 2, "no placeholder was needed"
    assert len([edge for edge in edges(library) if edge["relationship"] == "explains"]) == 5


# --- Placeholders ---


def test_an_unknown_number_is_reserved(library):
    first = link(library, "resource_123", "resource_456")
    assert link(library, "123", "doc_456") == {**first, "source_id": "123", "target_id": "doc_456"}
    placeholders = {item["id"] for item in of_kind(library, "document") if item["memory_type"] == "placeholder"}
    assert placeholders == {"123", "456"}
    assert library.store_memory(content="later", file_name="later.md")["resource_id"] == 457


def test_a_number_below_those_that_are_taken_is_reserved_too(library):
    link(library, "resource_456", "resource_123")
    assert {"123", "456"} <= {item["id"] for item in of_kind(library, "document")}
    assert library.store_memory(content="later", file_name="later.md")["resource_id"] == 457


@pytest.mark.parametrize(
    "name", ["auth/later.md", "chunk_900", "memory:later", "module:auth", "ü ö", "007", "resource_", "9" * 40]
)
def test_an_unknown_name_gets_a_placeholder_that_is_found_by_it(library, name):
    first = link(library, name, "login.md")
    assert link(library, name, "login.md") == first
    (placeholder,) = [item for item in of_kind(library, "document") if item["memory_type"] == "placeholder"]
    assert placeholder["label"] == name
    shown = library.get_document_relationships(document_id=name)
    assert shown["relationships"]["depth_1"][0]["document_id"] == "doc_1"


def test_a_document_that_is_stored_under_the_name_takes_the_place(library):
    link(library, "later.md", "login.md")
    stored = library.store_memory(content="It is here now", file_name="later.md")
    assert (stored["status"], stored["resource_type"]) == ("stored", "document")
    related = library.get_document_relationships(document_id="later.md")
    assert related["document_id"] == stored["id"]
    assert related["total_relationships"] == 1
    assert library.retrieve_memory(query="here now")["results"][0]["resource_id"] == stored["resource_id"]
    undo(library)
    assert library.retrieve_memory(query="here now")["results"] == []
    assert library.get_document_relationships(document_id="later.md")["total_relationships"] == 1


@pytest.mark.parametrize("name", ["resource_123", "doc_123", "123"])
def test_a_number_that_was_reserved_is_filled_by_the_document_of_that_name(library, name):
    first = link(library, name, "login.md")
    stored = library.store_memory(content="It is here now", file_name=name)
    assert (stored["id"], stored["graph_node_created"], stored["resource_type"]) == ("doc_123", False, "document")
    assert [item["label"] for item in of_kind(library, "document")] == ["login.md", "cache.md", name]
    assert link(library, "resource_123", "login.md") == {**first, "source_id": "resource_123"}
    (hit,) = library.query_graph(query="here now")["results"]
    assert (hit["resource_id"], len(hit["relationships"])) == ("resource_123", 1)
    assert library.store_memory(content="And changed", file_name=name)["id"] == "doc_123"
    undo(library)
    undo(library)
    (placeholder,) = [item for item in of_kind(library, "document") if item["memory_type"] == "placeholder"]
    assert (placeholder["id"], placeholder.get("label", "")) == ("123", "")


def test_a_number_is_filled_once_and_only_in_its_own_project(library, open_store):
    link(library, "resource_123", "login.md")
    other = open_store(project="other")
    assert other.store_memory(content="Another text", file_name="resource_123")["id"] != "doc_123"
    library.store_memory(content="It is here now", file_name="resource_123")
    assert library.store_memory(content="Something else", file_name="doc_123")["id"] != "doc_123"


def test_a_placeholder_is_no_result(library):
    link(library, "session-token", "login.md")
    assert library.recall_memory(query="session-token", k=5)[0]["id"] == "chunk_2"
    assert [hit["resource_id"] for hit in library.query_graph(query="session token")["results"]] == ["resource_1"]


def test_placeholders_go_there_and_back(library, open_store):
    link(library, "later.md", "resource_900")
    other = open_store("other")
    done = other.import_memories(memories=exported(library))
    assert done["errors"] == []
    assert edges(other)[0]["relationship"] == "depends_on"
    assert other.store_memory(content="new", file_name="new.md")["resource_id"] > 900


@pytest.mark.parametrize("given", ["doc_5", "doc_6"])
def test_a_number_that_is_something_else_is_not_reserved_again(library, given):
    assert library.add_todo(title="Rotate the tokens")["todo_id"] == 5
    assert library.log_chat(content="Hello", conversation_id="talk", message_id="m-1")["chat_id"] == 6
    with pytest.raises(NotFound, match=f"target_id '{given}' is unknown"):
        link(library, "login.md", given)


def test_the_number_of_what_was_deleted_stays_its_own(library):
    library.store_memory(content="Something else", file_name="cache.md")  # chunk 4 is in the trash now
    link(library, "resource_4", "login.md")
    assert "4" not in {item["id"] for item in exported(library) if item["kind"] == "document"}
    undo(library)
    assert [item["content"] for item in of_kind(library, "chunk") if item["id"] == "4"] == [CACHE]


# --- Refused ---


@pytest.mark.parametrize(
    "given",
    [
        "sol_0a1b2c3d",
        "fail_0a1b2c3d",
        "solution:sol_0a1b2c3d",
        "3f2b8c1e-9d4a-4c6b-8f0e-1a2b3c4d5e6f",
        "3F2B8C1E-9D4A-4C6B-8F0E-1A2B3C4D5E6F",
        "memory:3f2b8c1e-9d4a-4c6b-8f0e-1a2b3c4d5e6f",
    ],
)
@pytest.mark.parametrize("end", ["source_id", "target_id"])
def test_an_unknown_id_of_our_own_making_is_an_error_and_no_new_document(library, given, end):
    before = exported(library)
    ends = {"source_id": "login.md", "target_id": "login.md", end: given}
    with pytest.raises(NotFound, match=f"{end} '{given}' is unknown"):
        library.link_resources(**ends, relationship_type="uses")
    assert exported(library) == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"source_id": "login.md", "target_id": "doc_1"}, "target_id 'doc_1' is source_id itself"),
        ({"source_id": "new", "target_id": "new"}, "target_id 'new' is source_id itself"),
        ({"source_id": "", "target_id": "doc_1"}, "source_id must have at least 1 character"),
        ({"source_id": 1, "target_id": "doc_1"}, "source_id must be a text, got 1"),
        ({"source_id": "doc_1"}, "target_id is required"),
        ({"source_id": "doc_1", "target_id": " \t"}, "target_id must have at least one visible character"),
        ({"source_id": "doc_1", "target_id": "x" * 1025}, "target_id must have at most 1,024 characters"),
        ({"source_id": "doc_1", "target_id": "doc_3", "relationship_type": ""}, "relationship_type must have at least"),
        ({"source_id": "doc_1", "target_id": "doc_3", "relationship_type": "ü" * 1001}, "relationship_type has 2,002"),
        ({"source_id": "doc_1", "target_id": "doc_3", "weight": 1}, "unknown argument 'weight'"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(library, arguments, words):
    before = exported(library)
    with pytest.raises(InvalidInput, match=words):
        library.call("link_resources", **{"relationship_type": "uses", **arguments})
    assert exported(library) == before


def test_an_id_of_several_things_must_say_which(library):
    library.create_entities(entities=[{"name": "both", "entityType": "thing"}])
    library.memorize(id="both", vector={"1": 1.0})
    with pytest.raises(
        Conflict, match="source_id 'both' matches several records; choose one of: entity:both, vector:both"
    ):
        link(library, "both", "login.md")


def test_the_gates_of_the_graph_hold_here_too(library):
    library.create_entities(
        entities=[
            {"name": "err#x", "entityType": "Error", "observations": []},
            {"name": "fix#x#0a1b2c3d", "entityType": "Fix", "observations": []},
        ]
    )
    link(library, "entity:fix#x#0a1b2c3d", "entity:err#x", "RESOLVES")
    with pytest.raises(InvalidInput, match="RESOLVES"):
        link(library, "entity:err#x", "entity:fix#x#0a1b2c3d", "RESOLVES")


@pytest.mark.process
def test_two_servers_that_link_the_same_at_once_make_one_relation_and_one_placeholder(tmp_path):
    calls = [
        ("link_resources", {"source_id": f"a{n % 3}.md", "target_id": "b.md", "relationship_type": "uses"})
        for n in range(30)
    ]
    with McpClient(tmp_path / "data") as one, McpClient(tmp_path / "data") as other:
        sent = [client.send_calls(calls) for client in (one, other)]
        answers = [
            [client.answer(n)["structuredContent"] for n in numbers]
            for client, numbers in zip((one, other), sent, strict=True)
        ]
        ids = {(each["source_id"], each["relationship_id"]) for answer in answers for each in answer}
        assert len(ids) == 3
        assert one.call("codemem_stats")["graph"]["node_kinds"] == {"document": 4}


# --- query_graph ---


def test_a_resource_comes_with_its_relations_of_both_directions(library):
    link(library, "login.md", "cache.md", "depends_on")
    link(library, "resource_900", "login.md", "related_to")
    answer = library.query_graph(query="session token")
    (found,) = answer["results"]
    assert found == {
        "resource_id": "resource_1",
        "content": LOGIN,
        "relationships": [
            {"target_id": "resource_900", "relationship_type": "related_to", "strength": 1.0},
            {"target_id": "resource_3", "relationship_type": "depends_on", "strength": 1.0},
        ],
        "relevance_score": found["relevance_score"],
    }
    assert 0 < found["relevance_score"] <= 1
    assert (answer["query"], answer["total_results"]) == ("session token", 1)


@pytest.mark.parametrize(
    ("types", "shown"),
    [
        (["depends_on"], ["depends_on"]),
        (["DEPENDS_ON", "Related_To"], ["related_to", "depends_on"]),
        (["uses"], None),
        ([], None),
        (None, ["related_to", "depends_on"]),
    ],
)
def test_only_the_named_relations_and_what_has_one_of_them_are_shown(library, types, shown):
    link(library, "login.md", "cache.md", "depends_on")
    link(library, "resource_900", "login.md", "related_to")
    library.store_memory(content="The session token is rotated", file_name="alone.md")
    arguments = {} if types is None else {"relationship_types": types}
    results = library.query_graph(query="session token", **arguments)["results"]
    related = {hit["resource_id"]: [end["relationship_type"] for end in hit["relationships"]] for hit in results}
    assert related.get("resource_1") == shown
    assert ("resource_901" in related) is (types is None)


def test_what_has_no_number_is_shown_by_its_own_id(library):
    memory_id = library.store_memory(content="Why a session token lasts an hour")["id"]
    library.create_entities(
        entities=[{"name": "Ann", "entityType": "person", "observations": ["wrote the session token"]}]
    )
    library.associate_memories(source_id=memory_id, target_id="entity:Ann", relationship="EXPLAINS", weight=0.5)
    results = {hit["resource_id"]: hit for hit in library.query_graph(query="session token")["results"]}
    assert set(results) == {"resource_1", memory_id, "Ann"}
    assert results[memory_id]["relationships"] == [
        {"target_id": "Ann", "relationship_type": "EXPLAINS", "strength": 0.5}
    ]
    assert results["Ann"]["relationships"][0]["target_id"] == memory_id


def test_at_most_ten_come_the_nearest_first(memory):
    for number in range(30):
        memory.store_memory(content=f"Lizard house {number} " + "and more of it " * number, file_name=f"{number}.md")
    results = memory.query_graph(query="lizard house")["results"]
    scores = [hit["relevance_score"] for hit in results]
    assert len(results) == 10
    assert scores == sorted(scores, reverse=True)


def test_what_is_related_is_found_from_behind_many_that_are_not(memory):
    for number in range(90):
        memory.store_memory(content=f"Lizard house lizard house {number}", file_name=f"{number}.md")
    memory.store_memory(content="In other places, too, there is many a house with a lizard in it", file_name="far.md")
    link(memory, "far.md", "later.md", "moved_to")
    answer = memory.query_graph(query="lizard house", relationship_types=["moved_to"])
    assert [hit["content"][:15] for hit in answer["results"]] == ["In other places"]


def test_relations_of_a_chunk_are_shown_with_its_document(library):
    link(library, "chunk_2", "cache.md", "quotes")
    (found,) = library.query_graph(query="session token")["results"]
    assert (found["resource_id"], found["relationships"][0]["relationship_type"]) == ("resource_1", "quotes")
    (other,) = library.query_graph(query="image cache")["results"]
    assert other["relationships"] == [{"target_id": "resource_2", "relationship_type": "quotes", "strength": 1.0}]


def test_a_relation_to_one_resource_is_shown_once_the_strongest(memory):
    text = "\n\n".join(f"## The lizard house {number}\n\n" + "Lizards sleep on stones. " * 30 for number in range(4))
    chunks = memory.store_memory(content=text, file_name="lizards.md")["chunk_ids"]
    assert len(chunks) > 2
    memory.store_context_links(message_id="m-1", chunk_ids=chunks)
    memory.create_entities(entities=[{"name": "Ann", "entityType": "keeper", "observations": []}])
    for number, chunk in enumerate(chunks):
        memory.associate_memories(
            source_id=f"chunk_{chunk}", target_id="entity:Ann", relationship="EXPLAINS", weight=0.5 + number / 10
        )
    link(memory, "Ann", "lizards.md", "explains")
    link(memory, "lizards.md", "Ann", "is kept by")
    results = {hit["resource_id"]: hit["relationships"] for hit in memory.query_graph(query="lizard house")["results"]}
    found = [(end["target_id"], end["relationship_type"].upper()) for end in results["resource_1"]]
    assert sorted(found) == [("Ann", "EXPLAINS"), ("Ann", "IS KEPT BY"), ("m-1", "REFERENCES")]
    (explains,) = [end for end in results["resource_1"] if end["relationship_type"].upper() == "EXPLAINS"]
    assert explains["strength"] == 1.0


def test_only_what_comes_back_is_counted_as_read(library):
    link(library, "login.md", "resource_900")
    library.store_memory(content="The session token is rotated", file_name="alone.md")
    library.query_graph(query="session token", relationship_types=["depends_on"])
    library.context.write_behind.flush()
    assert [item["id"] for item in of_kind(library, "chunk") if item["access_count"]] == ["2"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": " "}, "query must have at least one visible character"),
        ({"query": "x", "relationship_types": "uses"}, "relationship_types must be a list, got 'uses'"),
        ({"query": "x", "relationship_types": [""]}, "relationship_types.0 must have at least 1 character"),
        ({"query": "x", "relationship_types": [3]}, "relationship_types.0 must be a text, got 3"),
        ({"query": "x", "top_k": 3}, "unknown argument 'top_k'; allowed are: query, relationship_types"),
    ],
)
def test_bad_queries_are_refused(library, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        library.query_graph(**arguments)


@pytest.mark.parametrize("query", ["xylophone quartet", "дом саламандры"])
def test_a_query_about_nothing_finds_nothing(library, query):
    assert library.query_graph(query=query) == {"success": True, "query": query, "results": [], "total_results": 0}
