"""build_context: documents in one text that never exceeds its tokens."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tool_arguments as draw
from indelible.core.records.bounds import LONGEST_NAME
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.search.model_tokens.o200k import count
from park import GUIDE

LONG = "The keeper writes down what every animal of the park was fed. " * 400


@pytest.fixture
def park(memory):
    """A store with a document, a memory, a todo and a message."""
    memory.store_memory(content=GUIDE, file_name="docs/park.md")
    return memory


def built(memory, *documents, **more):
    return memory.build_context(documents=list(documents), **more)


def test_the_example_of_the_reference(memory):
    answer = built(
        memory,
        {"content": "Document 1 content...", "id": "doc1"},
        {"content": "Document 2 content...", "id": "doc2"},
        max_tokens=4000,
    )
    context = "# doc1\nDocument 1 content...\n\n# doc2\nDocument 2 content..."
    assert answer == {
        "success": True,
        "context": context,
        "token_count": count(context),
        "documents_included": 2,
        "documents_truncated": 0,
    }


def test_no_documents_are_no_context(memory):
    assert built(memory) == {
        "success": True,
        "context": "",
        "token_count": 0,
        "documents_included": 0,
        "documents_truncated": 0,
    }


def test_documents_are_whole_while_they_fit_one_is_cut_and_the_rest_is_left_out(memory):
    answer = built(
        memory,
        *({"content": text, "id": name} for name, text in zip("abcd", ["One.", LONG, "Two.", "Three."], strict=True)),
        max_tokens=300,
    )
    assert answer["context"].startswith("# a\nOne.\n\n# b\nThe keeper writes")
    assert answer["context"].endswith("was fed.")
    assert 280 < answer["token_count"] <= 300
    assert (answer["documents_included"], answer["documents_truncated"]) == (2, 3)
    assert answer["token_count"] == count(answer["context"])


@pytest.mark.parametrize(
    ("document", "title"),
    [
        ({"content": "x", "title": "A title", "id": "doc1"}, "A title"),
        ({"content": "x", "id": "doc1"}, "doc1"),
        ({"content": "x", "id": 7}, "7"),
        ({"content": "x", "file_name": "a.md", "id": "doc1"}, "a.md"),
        ({"content": "x", "resource_id": 3, "chunk_id": 4, "metadata": {"file_name": "a.md"}}, "a.md"),
        ({"content": "x", "resource_id": 3, "metadata": {"file_name": ""}}, "3"),
        ({"content": "x", "metadata": "of the caller", "id": "doc1"}, "doc1"),
        ({"content": "x", "title": "two\nlines\x1b[1m \u202e"}, "two lines"),
        ({"content": "x", "title": " "}, "Document 2"),
        ({"content": "x"}, "Document 2"),
        ({"content": "x", "anything": [1]}, "Document 2"),
    ],
)
def test_a_heading_is_the_title_or_the_id_in_one_line(memory, document, title):
    assert built(memory, {"content": "first", "id": "1st"}, document)["context"] == f"# 1st\nfirst\n\n# {title}\nx"


@pytest.mark.parametrize("given_id", ["doc_1", "resource_1", "1", 1, "docs/park.md", "document:1"])
def test_an_id_without_content_takes_what_is_stored(park, given_id):
    answer = built(park, {"id": given_id}, max_tokens=32_000)
    assert answer["context"] == f"# docs/park.md\n{GUIDE.strip(chr(10))}"
    assert built(park, {"id": given_id, "title": "Mine"})["context"].startswith("# Mine\n# The park")


def test_anything_that_is_stored_can_be_read(park):
    memory_id = park.store_memory(content="The lizards moved")["id"]
    todo = park.add_todo(title="Feed the owls")["todo_id"]
    said = park.log_chat(content="Who feeds the moles?", conversation_id="talk", message_id="m-1")["chat_id"]
    answer = built(park, {"id": memory_id}, {"id": todo}, {"id": "m-1"}, {"id": said}, {"chunk_id": 2})
    texts = ["The lizards moved", "Feed the owls", "Who feeds the moles?", "# The park\n\n## About owls"]
    places = [answer["context"].index(text) for text in texts]
    assert places == sorted(places)
    assert answer["documents_included"] == 5


def test_results_of_a_retrieval_can_be_given_as_they_are(park):
    found = park.retrieve_memory(query="who feeds the lizards")["results"]
    answer = park.build_context(documents=found, max_tokens=1000)
    assert answer["context"].startswith("# docs/park.md\n## About lizards")
    assert answer["documents_included"] == len(found)


def test_what_shows_nothing_is_passed_over(memory):
    answer = built(memory, {"content": ""}, {"content": " \n\u200b"}, {"content": "Seen", "id": "a"})
    assert (answer["context"], answer["documents_included"], answer["documents_truncated"]) == ("# a\nSeen", 1, 0)


@pytest.mark.parametrize("name", ["resource_900", "later.md"])
def test_a_placeholder_has_no_text_and_counts_for_nothing(park, name):
    park.link_resources(source_id=name, target_id="doc_1", relationship_type="uses")
    nothing = {"success": True, "context": "", "token_count": 0, "documents_included": 0, "documents_truncated": 0}
    assert built(park, {"id": name}) == nothing
    answer = built(park, {"id": name}, {"content": "Seen", "id": "a"})
    assert (answer["context"], answer["documents_included"], answer["documents_truncated"]) == ("# a\nSeen", 1, 0)


def test_secrets_and_hidden_characters_do_not_come_through(memory):
    secret = "ghp_" + "a1B2" * 9
    context = built(memory, {"content": f"token {secret}\x1b[31m red\u202e", "id": "a"})["context"]
    assert secret not in context
    assert "\x1b" not in context
    assert "\u202e" not in context


def test_a_document_that_names_several_kinds_must_say_which(park):
    park.create_entities(entities=[{"name": "both", "entityType": "thing"}])
    park.memorize(id="both", vector={"1": 1.0}, text="a vector")
    with pytest.raises(
        Conflict, match=r"documents.0.id 'both' matches several records; choose one of: entity:both, vector:both"
    ):
        built(park, {"id": "both"})


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"id": "doc_99"}, "documents.1.id 'doc_99' is unknown"),
        ({"id": ""}, "documents.1.id must be an id, as text or as a number, got ''"),
        ({"id": True}, "documents.1.id must be an id, as text or as a number, got True"),
        ({"id": ["a"]}, r"documents.1.id must be an id, as text or as a number, got \['a'\]"),
        ({"content": 5}, "documents.1.content must be text, got 5"),
        ({"content": "x", "title": 5}, "documents.1.title must be text, got 5"),
        ({}, "documents.1 needs content, or the id of what is stored; it has nothing"),
        ({"text": "x"}, "documents.1 needs content, or the id of what is stored; it has text"),
        ("text", "documents.1 must be an object, got 'text'"),
    ],
)
def test_bad_documents_are_refused_by_their_place(memory, document, words):
    with pytest.raises((InvalidInput, NotFound), match=words):
        built(memory, {"content": "right"}, document)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "documents is required"),
        ({"documents": "x"}, "documents must be a list, got 'x'"),
        ({"documents": [], "max_tokens": 99}, "max_tokens must be between 100 and 32000, got 99"),
        ({"documents": [], "max_tokens": 32_001}, "max_tokens must be between 100 and 32000, got 32001"),
        ({"documents": [], "max_tokens": "4000"}, "max_tokens must be a whole number, got '4000'"),
        ({"documents": [], "limit": 1}, "unknown argument 'limit'; allowed are: documents, max_tokens"),
    ],
)
def test_bad_input_is_refused_by_its_name(memory, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        memory.build_context(**arguments)


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_a_context_never_exceeds_max_tokens(park, data):
    content = st.one_of(draw.texts(), st.sampled_from([LONG, "語" * 9_000, "a" * 60_000, "x = 1\n" * 9_000]))
    ids = draw.texts(1).filter(lambda text: len(text) <= LONGEST_NAME)
    one = st.one_of(
        st.fixed_dictionaries({"content": content}, optional={"title": draw.texts(), "id": ids}),
        st.just({"id": "doc_1"}),
    )
    most = data.draw(st.integers(100, 32_000))
    answer = park.build_context(documents=data.draw(st.lists(one, max_size=6)), max_tokens=most)
    assert answer["token_count"] == count(answer["context"]) <= most


def test_a_stored_text_says_what_of_it_no_longer_holds(memory):
    old = memory.store_memory(content="The park has 4 keepers", memory_type="context")["id"]
    new = memory.refine_memory(id=old, content="The park has 16 keepers")["new_id"]
    ended = memory.store_memory(content="The park is closed", memory_type="context", valid_to="2020-01-01")["id"]
    assert built(memory, {"id": old, "title": "Keepers"}, {"id": new}, {"id": ended})["context"] == (
        f"# Keepers [replaced by {new}]\nThe park has 4 keepers\n\n# {new}\nThe park has 16 keepers\n\n"
        f"# {ended} [true until 2020-01-01 only]\nThe park is closed"
    )
