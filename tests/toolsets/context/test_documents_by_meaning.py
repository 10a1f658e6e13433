"""Documents are found, compared and asked for by what they mean, with a real encoder."""

import sys
import time

import pytest

import encoders
from encoders import PATIENCE
from indelible.core.records import embedding_queue

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="signals and modes are POSIX")]

BACKUP = "# Backup\n\nThe nightly job copies all data to the second site and reports what failed."
COPIES = "# Copies\n\nEvery night a task duplicates the whole data set at another location and tells about errors."
LOGIN = "# Login\n\nPasswords are hashed with argon2id and never leave the server."
LAMPS = "# Office\n\nLamps in the office switch themselves off at nine."


@pytest.fixture(scope="module", autouse=True)
def encoder():
    with encoders.running() as running:
        yield running


@pytest.fixture
def library(open_store):
    memory = open_store(encoder="shared")
    for name, text in {"backup.md": BACKUP, "copies.md": COPIES, "login.md": LOGIN, "lamps.md": LAMPS}.items():
        memory.store_memory(content=text, file_name=name)
    until = time.monotonic() + PATIENCE
    while left := embedding_queue.waiting(memory.context):
        embedding_queue.work_off(memory.context)
        assert time.monotonic() < until, f"{left} texts are not embedded: {memory.codemem_health()}"
    return memory


def names(answer):
    return [result["metadata"]["file_name"] for result in answer["results"]]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("how do we protect user credentials?", "login.md"),
        ("when does the light go out?", "lamps.md"),
        ("where is a replica of our information kept?", "copies.md"),
    ],
)
def test_a_passage_is_found_in_other_words(library, query, name):
    assert names(library.retrieve_memory(query=query))[0] == name
    assert names(library.retrieve_by_type(query=query, doc_type="document"))[0] == name
    assert library.ask_with_context(question=query)["context"][0]["source"] == name
    assert library.query_graph(query=query)["results"][0]["relevance_score"] > 0


@pytest.mark.parametrize("query", ["how do I bake sourdough bread?", "photosynthesis in desert plants"])
def test_what_is_about_something_else_is_not_found(library, query):
    assert library.retrieve_memory(query=query)["results"] == []
    assert library.query_graph(query=query)["results"] == []
    by_type = library.retrieve_by_type(query=query, doc_type="document")
    assert sorted(names(by_type)) == ["backup.md", "copies.md", "lamps.md", "login.md"]


def test_documents_that_say_the_same_in_other_words_are_alike(library):
    found = library.auto_link_documents(document_id="backup.md", similarity_threshold=0.5)
    assert [each["document_id"] for each in found["similar_documents"]] == [
        library.get_document_relationships(document_id="copies.md")["document_id"]
    ]
