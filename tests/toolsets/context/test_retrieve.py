"""Documents and messages by what is asked: retrieve_memory, retrieve_by_type, ask_with_context, route_query."""

import json

import pytest

from foreign import take_in
from indelible.api import Memory
from indelible.errors import InvalidInput
from indelible.search.model_tokens.o200k import count
from made_up_meaning import embed_all, with_meaning
from mcp_client import McpClient, value_of
from park import GUIDE, of_kind, section

AUTH = (
    "# Login\n\nA session token is checked by the middleware of every route, and refused when it is older than an hour."
)
CACHE = "# Cache\n\nThe image cache is emptied at the start of each night shift."
CODE = "def retry(call):\n    for pause in backoff():\n        return call() or sleep(pause)\n"


@pytest.fixture
def library(memory):
    """Documents of two types, and a message."""
    memory.store_memory(content=AUTH, file_name="login.md", resource_type="guide")
    memory.store_memory(content=CACHE, file_name="cache.md", resource_type="guide")
    memory.store_memory(content=CODE, file_name="retry.py", resource_type="code")
    memory.log_chat(content="Who empties the image cache?", conversation_id="talk", message_id="question")
    return memory


def names(answer):
    return [result["metadata"]["file_name"] for result in answer["results"]]


def scores(answer):
    return [result["similarity_score"] for result in answer["results"]]


# --- retrieve_memory ---


def test_a_passage_comes_with_its_document(library):
    answer = library.retrieve_memory(query="session token middleware")
    (found,) = answer["results"]
    assert found == {
        "resource_id": 1,
        "chunk_id": 2,
        "content": AUTH,
        "similarity_score": found["similarity_score"],
        "resource_type": "guide",
        "metadata": {"file_name": "login.md", "created_at": "2026-03-01T12:00:00Z"},
    }
    assert answer == {"success": True, "results": [found], "total_results": 1}
    assert 0 < found["similarity_score"] <= 1


def test_a_message_has_its_own_id_and_no_chunk(library):
    answer = library.retrieve_memory(query="who empties the image cache", conversation_id="another")
    by_type = {result["resource_type"]: result for result in answer["results"]}
    message = by_type["message"]
    assert "chunk_id" not in message
    assert message["message_id"] == "question"
    assert "message_id" not in by_type["guide"]
    assert message["metadata"]["conversation_id"] == "talk"
    assert message["metadata"]["file_name"] == ""
    assert by_type["guide"]["metadata"]["file_name"] == "cache.md"
    assert set(by_type) == {"guide", "message"}
    assert scores(answer) == sorted(scores(answer), reverse=True)


def test_what_a_retrieval_gave_can_be_linked(library):
    found = library.retrieve_memory(query="who empties the image cache")["results"]
    chunks = [result["chunk_id"] for result in found if "chunk_id" in result]
    (message,) = [result["message_id"] for result in found if "message_id" in result]
    assert library.store_context_links(message_id=message, chunk_ids=chunks)["linked_chunks"] == chunks
    links = library.get_context_links_for_message(message_id=message)["context_links"]
    assert {link["chunk_id"] for link in links} == set(chunks)
    assert library.store_context_links(message_id="answer", chunk_ids=chunks)["links_created"] == len(chunks)


def test_what_has_no_text_is_no_result_of_any_recall(library):
    library.store_context_links(message_id="empty", chunk_ids=[2])
    library.memorize(id="bare", vector={"1": 1.0})
    library.associate_memories(source_id="vector:bare", target_id="chunk_2", relationship="EXPLAINS")
    query = "session token middleware"
    shown = [
        *library.retrieve_memory(query=query)["results"],
        *library.query_graph(query=query)["results"],
        *library.ask_with_context(question=query)["context"],
        *library.recall_memory(query=query),
        *library.recall_with_expansion(query=query, expansion_depth=2),
        *library.recall_with_impact(query=query),
    ]
    assert {hit["content"] for hit in shown} == {AUTH}


def test_memories_and_todos_are_no_documents(library):
    library.store_memory(content="session token middleware")
    library.add_todo(title="session token middleware")
    assert names(library.retrieve_memory(query="session token middleware")) == ["login.md"]


@pytest.mark.parametrize("query", ["xylophone quartet", "gibt es Saurier im Zoo", "量子力学"])
def test_a_question_about_nothing_that_is_stored_finds_nothing(library, query):
    assert library.retrieve_memory(query=query) == {"success": True, "results": [], "total_results": 0}


def test_as_many_come_back_as_are_asked_for_and_the_first_of_many_are_the_few(memory):
    for number in range(30):
        memory.store_memory(content=f"The lizard keeper of house {number} writes it down", file_name=f"{number}.md")
    few = memory.retrieve_memory(query="lizard keeper", top_k=3)
    many = memory.retrieve_memory(query="lizard keeper", top_k=25)
    assert (few["total_results"], many["total_results"]) == (3, 25)
    assert [result["chunk_id"] for result in many["results"]][:3] == [result["chunk_id"] for result in few["results"]]


def test_equal_ones_come_newest_first(memory):
    for name in ("a.md", "b.md", "c.md"):
        memory.store_memory(content=f"The lizard keeper writes {name[0] * 9}", file_name=name)
    assert names(memory.retrieve_memory(query="lizard keeper")) == ["c.md", "b.md", "a.md"]


def test_the_own_project_comes_first_among_equals_and_all_projects_are_searched(open_store):
    open_store(project="theirs").store_memory(content="The lizard keeper writes it down", file_name="theirs.md")
    open_store(project="mine").store_memory(content="The lizard keeper writes it down", file_name="mine.md")
    for project in ("theirs", "mine"):
        found = names(open_store(project=project).retrieve_memory(query="lizard keeper"))
        assert (found[0], sorted(found)) == (f"{project}.md", ["mine.md", "theirs.md"])


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("认证服务器每晚重启，缓存随之清空。", "缓存"),
        ("El guardián alimenta a los búhos al anochecer", "guardian de los buhos"),
        ("Хранитель кормит сов на закате", "хранитель сов"),
        ("関数 `parse_requestHeader` は例外を投げる", "parse request header"),
    ],
)
def test_documents_of_any_language_are_found(memory, text, query):
    memory.store_memory(content=text, file_name="文書.md")
    memory.store_memory(content="Nothing of that stands here", file_name="other.md")
    assert names(memory.retrieve_memory(query=query)) == ["文書.md"]


def test_what_the_query_says_of_the_time_counts(memory, clock):
    memory.log_chat(content="The lizard house was painted", conversation_id="a")
    clock.pass_(days=60)
    memory.log_chat(content="The lizard house was cleaned", conversation_id="b")
    clock.pass_(days=1)
    found = memory.retrieve_memory(query="the lizard house yesterday")["results"]
    assert found[0]["content"] == "The lizard house was cleaned"


def test_only_what_comes_back_is_counted_as_read(library):
    library.retrieve_memory(query="image cache", top_k=1)
    library.context.write_behind.flush()
    read = [item["label"] for item in of_kind(library, "chunk") if item["access_count"]]
    said = [item["id"] for item in of_kind(library, "message") if item["access_count"]]
    assert len(read) + len(said) == 1


def test_what_an_import_brought_without_a_number_is_passed_over(memory):
    take_in(memory, {"kind": "chunk", "id": "loose", "content": "lizards of a book", "session": "book"})
    memory.store_memory(content="lizards", file_name="a.md")
    assert names(memory.retrieve_memory(query="lizards")) == ["a.md"]


# --- retrieve_by_type ---


def test_each_document_of_a_type_comes_once_with_its_best_passage(memory):
    memory.store_memory(content=GUIDE, file_name="park.md", resource_type="guide")
    memory.store_memory(content=section("bats"), file_name="bats.md", resource_type="guide")
    answer = memory.retrieve_by_type(query="who feeds the lizards", doc_type="guide")
    assert names(answer) == ["park.md", "bats.md"]
    assert (answer["total_results"], answer["query_type"]) == (2, "guide")
    best = answer["results"][0]
    assert best["content"].startswith("## About lizards")
    assert set(best) == {"resource_id", "content", "similarity_score", "resource_type", "metadata"}
    assert best["metadata"] == {"file_name": "park.md", "created_at": "2026-03-01T12:00:00Z"}


def test_there_is_no_floor_and_what_says_nothing_comes_last_newest_first(library):
    library.store_memory(content="Of something else", file_name="last.md", resource_type="guide")
    answer = library.retrieve_by_type(query="session token", doc_type="guide")
    assert names(answer) == ["login.md", "last.md", "cache.md"]
    assert scores(answer)[0] > scores(answer)[1] == scores(answer)[2] == 0
    assert answer["results"][1]["content"] == "Of something else"


@pytest.mark.parametrize("with_vectors", [False, True])
def test_as_many_documents_come_as_are_asked_for_also_from_behind_a_long_one(memory, with_vectors):
    long = "\n\n".join(f"## Lizards {number}\n\n{section('lizards')}" for number in range(120))
    memory.store_memory(content=long, file_name="long.md")
    for number in range(8):
        memory.store_memory(content=f"{section('moles', 160)} House {number}: lizards.", file_name=f"{number}.md")
    if with_vectors:
        memory = Memory(with_meaning(memory.context))
        embed_all(memory.context)
    answer = memory.retrieve_by_type(query="lizards of the park", doc_type="document", top_k=6)
    assert len(set(names(answer))) == 6
    assert with_vectors or names(answer)[0] == "long.md"
    assert scores(answer) == sorted(scores(answer), reverse=True)
    if with_vectors:
        memory._worker.stop()


def test_two_documents_of_one_text_are_two_results(memory):
    for name in ("a.md", "b.md"):
        memory.store_memory(content=AUTH, file_name=name)
    answer = memory.retrieve_by_type(query="session token", doc_type="document")
    assert names(answer) == ["b.md", "a.md"]
    assert scores(answer)[0] == scores(answer)[1] > 0


@pytest.mark.parametrize("doc_type", ["nothing", "GUIDE", "message", "placeholder"])
def test_a_type_that_no_document_has_has_no_results(library, doc_type):
    library.link_resources(source_id="login.md", target_id="resource_900", relationship_type="uses")
    answer = library.retrieve_by_type(query="session token", doc_type=doc_type)
    assert answer == {"success": True, "results": [], "total_results": 0, "query_type": doc_type}


def test_a_text_that_is_stored_again_is_found_by_its_new_words_and_type(library):
    library.store_memory(content="Now of bananas", file_name="login.md", resource_type="fruit")
    assert names(library.retrieve_by_type(query="token", doc_type="guide")) == ["cache.md"]
    assert names(library.retrieve_by_type(query="bananas", doc_type="fruit")) == ["login.md"]


# --- ask_with_context ---


def test_a_question_is_answered_from_every_kind(library):
    memory_id = library.store_memory(content="The image cache moved to the second disk")["id"]
    todo = library.add_todo(title="Measure the image cache")["todo_id"]
    answer = library.ask_with_context(question="where is the image cache", conversation_id="talk")
    assert answer["question"] == "where is the image cache"
    assert {text["source"] for text in answer["context"]} == {
        "cache.md",
        "message:question",
        f"memory:{memory_id}",
        f"todo:{todo}",
    }
    relevances = [text["relevance"] for text in answer["context"]]
    assert relevances == sorted(relevances, reverse=True)
    assert all(0 < relevance <= 1 for relevance in relevances)
    assert answer["token_count"] == sum(count(text["content"]) for text in answer["context"])


def test_a_source_is_an_id_that_other_tools_take(library):
    for text in library.ask_with_context(question="image cache")["context"]:
        assert library.graph_traverse(start_id=text["source"])[0]["depth"] == 0
        assert library.build_context(documents=[{"id": text["source"]}])["documents_included"] == 1


def test_what_was_replaced_stands_below_its_replacement(memory):
    old = memory.store_memory(content="The image cache is on the first disk of the image cache server")["id"]
    memory.refine_memory(id=old, content="The image cache is on the second disk")
    sources = [text["content"] for text in memory.ask_with_context(question="the image cache")["context"]]
    assert sources == [
        "The image cache is on the second disk",
        "The image cache is on the first disk of the image cache server",
    ]


def test_a_question_about_nothing_has_no_context(library):
    answer = library.ask_with_context(question="xylophone quartet")
    assert answer == {"success": True, "question": "xylophone quartet", "context": [], "token_count": 0}


def test_the_limit_is_that_of_the_texts(library):
    assert len(library.ask_with_context(question="image cache", context_limit=1)["context"]) == 1


def test_ask_with_context_says_what_was_replaced_and_what_is_not_true_now(memory):
    old = memory.store_memory(content="The image cache has 4 shelves", memory_type="context")["id"]
    new = memory.refine_memory(id=old, content="The image cache has 16 shelves")["new_id"]
    memory.store_memory(content="The image cache is closed", valid_to="2020-01-01T00:00:00Z")
    told = {each["content"]: each for each in memory.ask_with_context(question="the image cache")["context"]}
    assert told["The image cache has 4 shelves"]["replaced_by"] == new
    assert told["The image cache is closed"]["validity"] == "ended"
    assert told["The image cache has 16 shelves"].keys() == {"content", "source", "relevance"}
    routed = memory.route_query(query="the image cache")["results"]
    assert {each["content"]: each.get("replaced_by") for each in routed} == {
        each["content"]: each.get("replaced_by") for each in told.values()
    }


# --- route_query ---


@pytest.mark.parametrize(
    ("query", "route"),
    [
        ("session token of the middleware", "retrieve_memory"),
        ("what did we decide about tabs and spaces", "recall_memory"),
        ("oauth popup closes", "matrix_recall"),
        ("what is still to do: rotate the keys", "search_todos"),
        ("write a haversine function", "get_code_patterns"),
        ("Ann the reviewer", "search_nodes"),
    ],
)
def test_a_query_goes_where_what_it_is_about_is_stored(library, query, route):
    library.store_memory(content="We decided for spaces and against tabs", memory_type="decision")
    library.matrix_store(problem="The OAuth popup closes at once", solution="Open it on a click", scope="global")
    library.add_todo(title="Rotate the keys")
    library.log_code_attempt(input_prompt="Write a haversine function", generated_code="def h(): ...", result="pass")
    library.create_entities(entities=[{"name": "Ann", "entityType": "reviewer", "observations": ["reviews"]}])
    answer = library.route_query(query=query)
    assert answer["route"] == route
    assert 0.5 <= answer["confidence"] <= 1
    assert answer["results"]
    assert set(answer["results"][0]) == {"id", "kind", "content", "source", "relevance"}


def test_words_of_a_query_speak_for_a_tool_where_nothing_is_stored(memory):
    assert memory.route_query(query="which todos are left?")["route"] == "search_todos"
    assert memory.route_query(query="what depends on the parser?")["route"] == "query_graph"
    assert memory.route_query(query="xyz") == {
        "success": True,
        "route": "ask_with_context",
        "confidence": 0.0,
        "results": [],
    }


def test_where_several_kinds_answer_the_tool_for_all_of_them_does(library):
    library.store_memory(content="The image cache is large")
    library.add_todo(title="Measure the image cache")
    answer = library.route_query(query="the image cache")
    assert answer["route"] == "ask_with_context"
    assert len({hit["kind"] for hit in answer["results"]}) > 2


@pytest.mark.process
def test_no_query_goes_to_a_tool_that_the_server_does_not_have(tmp_path):
    with McpClient(tmp_path / "data", "--toolsets", "context") as client:
        client.call("add_todo", {"title": "Fix the parser error"})
        assert client.call("route_query", {"query": "which error has the parser"})["route"] == "search_todos"
    with McpClient(tmp_path / "data", "--tools", "route_query") as client:
        assert client.call("route_query", {"query": "which error has the parser"})["route"] == "route_query"


# --- Bad input, empty store ---


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("retrieve_memory", {"query": ""}, "query must have at least 1 character"),
        ("retrieve_memory", {"query": " \n"}, "query must have at least one visible character"),
        ("retrieve_memory", {"query": "x", "top_k": 0}, "top_k must be between 1 and 100, got 0"),
        ("retrieve_memory", {"query": "x", "top_k": 101}, "top_k must be between 1 and 100, got 101"),
        ("retrieve_memory", {"query": "x", "top_k": True}, "top_k must be a whole number, got True"),
        ("retrieve_memory", {"query": "x", "top_k": 1.5}, "top_k must be a whole number, got 1.5"),
        ("retrieve_memory", {"query": "x", "top_k": "3"}, "top_k must be a whole number, got '3'"),
        ("retrieve_memory", {"query": "x", "conversation_id": ""}, "conversation_id must have at least 1 character"),
        ("retrieve_memory", {"query": "x", "conversation_id": "c" * 1001}, "conversation_id must have at most 1,000"),
        (
            "retrieve_memory",
            {"query": "x", "limit": 3},
            "unknown argument 'limit'; allowed are: query, conversation_id",
        ),
        ("retrieve_by_type", {"query": "x"}, "doc_type is required"),
        ("retrieve_by_type", {"query": "x", "doc_type": ""}, "doc_type must have at least 1 character"),
        ("retrieve_by_type", {"query": "x", "doc_type": "a", "top_k": 99}, "top_k must be between 1 and 50, got 99"),
        ("ask_with_context", {"question": "\u200b"}, "question must have at least one visible character"),
        ("ask_with_context", {"question": "x", "context_limit": 51}, "context_limit must be between 1 and 50, got 51"),
        ("ask_with_context", {"query": "x"}, "question is required"),
        ("route_query", {"query": 5}, "query must be a text, got 5"),
        ("route_query", {"query": "x", "conversation_id": "c" * 1001}, "conversation_id must have at most 1,000 bytes"),
    ],
)
def test_bad_input_is_refused_by_its_name(memory, tool, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        memory.call(tool, **arguments)


def test_an_empty_store_has_nothing(memory):
    nothing = {"success": True, "results": [], "total_results": 0}
    assert memory.retrieve_memory(query="x") == nothing
    assert memory.retrieve_by_type(query="x", doc_type="code") == {**nothing, "query_type": "code"}
    assert memory.ask_with_context(question="x")["context"] == []


@pytest.mark.process
def test_over_mcp_a_failed_call_is_an_object_that_says_so(tmp_path):
    with McpClient(tmp_path / "data") as client:
        refused = client.result("retrieve_by_type", {"query": "x", "doc_type": "a", "top_k": 99})
        assert refused["isError"] is True
        assert "structuredContent" not in refused
        (text,) = refused["content"]
        assert json.loads(text["text"]) == {"success": False, "error": "top_k must be between 1 and 50, got 99"}
        unknown = client.result("get_document_relationships", {"document_id": "doc_</x>\x1b[1m"})
        said = json.loads(unknown["content"][0]["text"])
        assert said["success"] is False
        assert "doc_</x>" in said["error"]
        assert "\x1b" not in said["error"]
        keyed = client.request("tools/call", {"name": "list_todos", "arguments": {}, "_meta": {"indelible/key": 7}})
        assert json.loads(keyed["content"][0]["text"])["success"] is False
        assert value_of(client.result("retrieve_memory", {"query": "x"}))["success"] is True


@pytest.mark.process
def test_two_servers_see_each_others_documents_at_once(tmp_path):
    with McpClient(tmp_path / "data") as one, McpClient(tmp_path / "data") as other:
        other.call("retrieve_memory", {"query": "lizards"})
        one.call("store_memory", {"content": "lizards are fed at noon", "file_name": "a.md"})
        assert other.call("retrieve_memory", {"query": "lizards"})["total_results"] == 1
        one.call("store_memory", {"content": "owls are fed at night", "file_name": "a.md"})
        assert other.call("retrieve_memory", {"query": "lizards"})["total_results"] == 0
