"""store_memory with a file name: a document, named by its number or its file name, found by its chunks."""

import hashlib
import json
from itertools import pairwise

import pytest

from foreign import take_in
from indelible.api import Memory
from indelible.core.recall.candidates import WINDOW
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.search.chunking import chunks
from indelible.search.window import Pairs
from indelible.store.tables import records
from indelible.store.views import documents
from indelible.toolsets.context.documents.documents import APART, STEP, positions
from made_up_meaning import embed_all, with_meaning
from park import EDITS, GUIDE, SUBJECTS, exported, of_kind, text_of

# --- The answer ---


def test_a_document_is_stored_under_its_name_with_numbers_for_itself_and_its_chunks(memory):
    stored = memory.store_memory(content=GUIDE, file_name="docs/park.md", resource_type="guide")
    count = len(chunks(GUIDE))
    assert count >= len(SUBJECTS)
    assert stored == {
        "id": "doc_1",
        "status": "stored",
        "content_hash": hashlib.sha256(GUIDE.encode()).hexdigest(),
        "graph_node_created": True,
        "success": True,
        "resource_id": 1,
        "file_name": "docs/park.md",
        "resource_type": "guide",
        "chunk_count": count,
        "chunk_ids": list(range(2, count + 2)),
    }
    assert memory.store_memory(content="x", file_name="other")["id"] == f"doc_{count + 2}"


def test_a_memory_has_none_of_the_keys_of_a_document(memory):
    assert set(memory.store_memory(content="a memory")) == {"id", "status", "content_hash", "graph_node_created"}


def test_the_text_is_kept_as_it_was_given_and_a_type_that_is_not_given_is_document(memory):
    content = "  First line\r\n\r\n\tsecond — naïve 日本語 🚀\n\n"
    stored = memory.store_memory(content=content, file_name="notes.txt")
    assert stored["resource_type"] == "document"
    (document,) = of_kind(memory, "document")
    assert (document["content"], document["label"], document["memory_type"]) == (content, "notes.txt", "document")


def test_a_document_is_no_memory(memory):
    memory.store_memory(content=GUIDE, file_name="park.md")
    assert memory.export_memories() == []
    stats = memory.codemem_stats()
    assert stats["storage"]["memories"] == 0
    assert stats["graph"]["node_kinds"] == {"chunk": len(chunks(GUIDE)), "document": 1}
    with pytest.raises(NotFound, match="is a document, not a memory"):
        memory.delete_memory(id="doc_1")


def test_a_document_and_its_chunks_carry_what_was_given(memory):
    memory.store_memory(
        content=GUIDE, file_name="park.md", resource_type="guide", importance=0.8, tags=["zoo:park"], namespace="/zoo"
    )
    found = of_kind(memory, "document") + of_kind(memory, "chunk")
    assert len(found) == len(chunks(GUIDE)) + 1
    for item in found:
        assert (item["memory_type"], item["importance"], item["tags"]) == ("guide", 0.8, ["zoo:park"])
        assert item["namespace"] == "/zoo"
    assert {item["label"] for item in found[1:]} >= {"park.md > The park > About owls"}


def test_a_memory_type_that_is_given_with_a_document_is_kept_beside_it(memory):
    memory.store_memory(content="one", file_name="a.md", memory_type="decision")
    memory.store_memory(content="two", file_name="b.md")
    assert [item["metadata"] for item in of_kind(memory, "document")] == [{"memory_type": "decision"}, {}]


@pytest.mark.parametrize("content", [" \n\t ", "\r\n"])
def test_a_document_of_nothing_but_white_space_is_refused(memory, content):
    with pytest.raises(InvalidInput, match="content must have at least one visible character"):
        memory.store_memory(content=content, file_name="blank.txt")


@pytest.mark.parametrize("unit", ["word ", "a", "語", "# a\n\nb c d e f\n\n", "x = call(y)\n"])
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_a_document_of_one_mebibyte_is_stored_whole_and_stored_again(memory, unit):
    size = 1 << 20
    text = unit * (size // len(unit.encode()))
    stored = memory.store_memory(content=text, file_name="large.md")
    assert stored["chunk_count"] == len(stored["chunk_ids"]) > 900
    assert of_kind(memory, "document")[0]["content"] == text
    assert memory.store_memory(content=text[: -len(unit)], file_name="large.md")["status"] == "stored"
    with pytest.raises(InvalidInput, match=r"content has 1,048,577 bytes"):
        memory.store_memory(content="x" * (size + 1), file_name="large.md")


def test_secrets_are_in_no_part_of_a_document(memory):
    secret = "ghp_" + "a1B2" * 9
    memory.store_memory(content=f"# Access\n\ntoken = {secret}\n\n{GUIDE}", file_name="access.md")
    assert secret not in json.dumps(exported(memory))


# --- Names ---


def test_a_name_stands_for_one_document_in_each_namespace(memory):
    first = memory.store_memory(content="of a", file_name="a.md", namespace="/a")
    second = memory.store_memory(content="of b", file_name="a.md", namespace="/b")
    third = memory.store_memory(content="of none", file_name="a.md")
    assert len({stored["id"] for stored in (first, second, third)}) == 3
    assert memory.store_memory(content="new", file_name="a.md", namespace="/b")["id"] == second["id"]
    assert sorted(item["content"] for item in of_kind(memory, "document")) == ["new", "of a", "of none"]


def test_a_document_belongs_to_the_servers_project_by_whatever_path(open_store, tmp_path):
    project = tmp_path / "work"
    (project / "src").mkdir(parents=True)
    first = open_store(project=str(project)).store_memory(content="one", file_name="a.md")
    memory = open_store()
    again = memory.store_memory(content="two", file_name="a.md", namespace=f"{project}/src")
    assert (again["id"], again["graph_node_created"]) == (first["id"], False)
    assert [item["namespace"] for item in of_kind(memory, "document")] == [str(project)]


@pytest.mark.parametrize("name", ["ü ö.md", "日本語.txt", "a b\tc", "..", "x" * 1024, "doc_1", "document:1"])
def test_a_document_may_have_any_name(memory, name):
    stored = memory.store_memory(content=GUIDE, file_name=name)
    assert stored["file_name"] == name
    assert memory.store_memory(content=GUIDE, file_name=name)["status"] == "duplicate"
    assert memory.graph_traverse(start_id=name)[0]["id"] == "doc_1"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"resource_type": "code"}, "resource_type 'code' is the type of a document, which needs a file_name"),
        ({"file_name": ""}, "file_name must .*got ''"),
        ({"file_name": " \t"}, "file_name must have at least one visible character"),
        ({"file_name": "a", "resource_type": " "}, "resource_type must have at least one visible character"),
        ({"file_name": 5}, "file_name must be a text, got 5"),
        ({"file_name": "x" * 1025}, "file_name must have at most 1,024 characters"),
        ({"file_name": "a", "resource_type": ""}, "resource_type must .*got ''"),
        ({"file_name": "a", "tags": [""]}, "tags.0 must"),
        ({"file_name": "a", "namespace": ""}, "namespace must"),
        ({"file_name": "a", "links": ["no-such-id"]}, "links 'no-such-id' is unknown"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_stored(memory, arguments, words):
    with pytest.raises((InvalidInput, NotFound), match=words):
        memory.store_memory(content="x", **arguments)
    assert exported(memory) == []
    assert memory.store_memory(content="x", file_name="first")["id"] == "doc_1"


def test_what_every_chunk_would_carry_must_not_fill_the_disk(memory):
    tags = [f"{n:0512}" for n in range(256)]
    assert memory.store_memory(content="one chunk", file_name="small.txt", tags=tags)["status"] == "stored"
    with pytest.raises(InvalidInput, match=r"tags are kept with each of the document's [\d,]+ chunks: they must have"):
        memory.store_memory(content="word " * 200_000, file_name="large.txt", tags=tags)


# --- Ids and links ---


@pytest.fixture
def park(memory):
    """A store with a document of the number 1, whose first chunk is 2."""
    memory.store_memory(content=GUIDE, file_name="park.md")
    return memory


@pytest.mark.parametrize(
    "given", ["doc_1", "resource_1", "1", "document:1", "park.md", "document:park.md", "document:doc_1"]
)
def test_a_document_is_named_by_its_number_or_its_name(park, given):
    noted = park.store_memory(content="a note", links=[given])["id"]
    related = park.associate_memories(source_id=given, target_id=noted, relationship="EXPLAINS")
    assert (related["source"], related["target"]) == ("doc_1", noted)
    assert [step["id"] for step in park.graph_traverse(start_id=given)] == ["doc_1", noted]
    assert park.graph_traverse(start_id=noted)[1]["path"] == [noted, "doc_1"]


@pytest.mark.parametrize("given", ["chunk_2", "resource_2", "2", "chunk:2", "chunk:chunk_2"])
def test_a_chunk_is_named_by_its_number(park, given):
    assert park.graph_traverse(start_id=given)[0] == {
        "id": "chunk_2",
        "kind": "chunk",
        "label": "park.md > The park > About owls",
        "depth": 0,
        "path": ["chunk_2"],
    }


@pytest.mark.parametrize(
    "given", ["doc_2", "chunk_1", "doc_999", "chunk_", "document:2", "resource_999", "other.md", "doc_"]
)
def test_an_id_of_nothing_is_refused_by_its_name(park, given):
    with pytest.raises(NotFound, match=given):
        park.graph_traverse(start_id=given)


def test_a_name_that_fits_several_kinds_must_say_which(park):
    take_in(park, {"kind": "entity", "id": "park.md", "content": "the park"})
    with pytest.raises(Conflict, match=r"'park.md' matches several records.*document:park.md, entity:park.md"):
        park.graph_traverse(start_id="park.md")
    assert park.graph_traverse(start_id="document:park.md")[0]["id"] == "doc_1"
    assert park.graph_traverse(start_id="entity:park.md")[0]["kind"] == "entity"


def test_of_several_documents_of_a_name_the_own_projects_is_meant(open_store):
    open_store(project="theirs").store_memory(content="theirs", file_name="a.md")
    memory = open_store(project="mine")
    own = memory.store_memory(content="mine", file_name="a.md")
    assert memory.graph_traverse(start_id="a.md")[0]["id"] == own["id"]
    assert open_store(project="theirs").graph_traverse(start_id="a.md")[0]["id"] == "doc_1"


def test_a_document_links_to_what_is_named_and_to_more_when_it_is_stored_again(memory):
    first, second = (memory.store_memory(content=text)["id"] for text in ("first", "second"))
    memory.store_memory(content="one", file_name="a.md", links=[first, first, "memory:" + second])
    memory.store_memory(content="two", file_name="a.md", links=[second, "a.md"])
    (document,) = of_kind(memory, "document")
    assert {(e["source"], e["relationship"], e["target"]) for e in document["edges"]} == {
        ("document:1", "RELATES_TO", first),
        ("document:1", "RELATES_TO", second),
    }


# --- Recall ---


def test_a_document_is_found_by_its_chunks(park):
    (hit, *_) = park.recall_memory(query="who feeds the lizards?")
    assert (hit["kind"], hit["memory_type"], hit["id"]) == ("chunk", "context", "chunk_7")
    assert hit["content"].startswith("## About lizards")
    assert {hit["kind"] for hit in park.recall_memory(query="park keeper", k=100)} == {"chunk"}
    assert park.recall_memory(query="lizards", memory_type="context") == []
    assert park.recall_memory(query="volcano") == []


def test_a_chunk_is_found_by_the_name_and_the_titles_of_its_document(memory):
    memory.store_memory(
        content="# Install\n\n## Windows\n\n" + "Nothing is said here. " * 90, file_name="setup_guide.md"
    )
    memory.store_memory(content="bananas are yellow", file_name="fruit.md")
    for query in ("windows", "setup_guide", "install windows"):
        hits = memory.recall_memory(query=query, k=20)
        assert len(hits) > 1
        assert all("Nothing is said" in hit["content"] for hit in hits)


def test_a_chunk_is_embedded_with_its_title(memory):
    warm = Memory(with_meaning(memory.context))
    body = "# Install\n\n" + " ".join(f"Step {i} of many is done by hand." for i in range(60))
    warm.store_memory(content=body, file_name="setup.md")
    embed_all(warm.context)
    last = of_kind(warm, "chunk")[-1]
    assert last["label"] == "setup.md > Install"
    (hit,) = warm.recall_memory(query=f"setup.md > Install\n\n{last['content']}"[:2000], k=1)
    assert hit["content"] == last["content"]
    assert hit["score_breakdown"]["vector_similarity"] == pytest.approx(1, abs=0.01)
    assert warm.codemem_stats()["storage"]["embeddings"] == len(of_kind(warm, "chunk"))  # the document has none
    warm.store_memory(content=body.replace("# Install", "# Set up", 1), file_name="setup.md")
    (hit,) = warm.recall_memory(query=f"setup.md > Set up\n\n{last['content']}"[:2000], k=1)
    embed_all(warm.context)
    (again,) = warm.recall_memory(query=f"setup.md > Set up\n\n{last['content']}"[:2000], k=1)
    assert (hit["id"], again["id"]) == (f"chunk_{last['id']}",) * 2
    assert again["score_breakdown"]["vector_similarity"] == pytest.approx(1, abs=0.01)


def test_the_chunks_of_a_document_are_neighbours_in_its_order_and_those_of_others_are_not(park):
    park.store_memory(content=text_of("bats", "bees", "bears"), file_name="other.md")
    for text in (GUIDE, EDITS["half of it"], EDITS["sections in another order"], EDITS["a new section before all"]):
        park.store_memory(content=text, file_name="park.md")
        with park.context.store.read() as tx:
            ids = [chunk for chunk, _, _ in documents.layout(tx, "1")]
            pairs = Pairs.of(records.beside(tx, ids, WINDOW))
        columns = (pairs.lenders.tolist(), pairs.borrowers.tolist(), pairs.distances.tolist())
        pairs = {(lender, borrower): distance for lender, borrower, distance in zip(*columns, strict=True)}
        assert pairs == {
            (a, b): abs(i - j) for i, a in enumerate(ids) for j, b in enumerate(ids) if 0 < abs(i - j) <= 2
        }


@pytest.mark.parametrize(
    ("old", "moves"),
    [
        ([None, None, None], False),
        ([10 * STEP, None, 11 * STEP], False),
        ([None, 10 * STEP, None], False),
        ([10 * STEP, 11 * STEP], False),
        ([10 * STEP, 25 * STEP], False),
        ([10 * STEP, 26 * STEP], True),
        ([None, STEP // 2], True),
        ([11 * STEP, 10 * STEP], True),
        ([10, None, None, 12], True),
        ([5, 5], True),
    ],
)
def test_chunks_keep_their_positions_where_the_order_has_room(old, moves):
    new = positions(old)
    assert all(0 < b - a <= APART for a, b in pairwise(new))
    assert new[0] >= 0
    kept = [(a, b) for a, b in zip(old, new, strict=True) if a is not None]
    assert all(a != b for a, b in kept) if moves else all(a == b for a, b in kept)
    assert positions([]) == []
