"""auto_link_documents links what is alike; get_document_relationships shows what a document leads to."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from indelible.api import Memory
from indelible.errors import InvalidInput, NotFound
from made_up_meaning import embed_all, with_meaning
from mcp_client import McpClient
from park import SUBJECTS, exported, of_kind, section, text_of, undo

PARK = text_of(*SUBJECTS)
QUAY = "## The {}\n\n" + "Cranes lift steel containers onto {} while tugs wait outside the locks at low tide. " * 3


def auto(memory, document, threshold=None):
    more = {} if threshold is None else {"similarity_threshold": threshold}
    return memory.auto_link_documents(document_id=document, **more)


def ids(answer):
    return [each["document_id"] for each in answer["similar_documents"]]


def store(memory, content, name):
    return memory.store_memory(content=content, file_name=name)["id"]


def alike_edges(memory):
    return [e for item in exported(memory) for e in item["edges"] if e["relationship"] == "similar_content"]


@pytest.fixture
def park(memory):
    """A document, a copy with one section changed, one with half of it, and one of something else."""
    store(memory, PARK, "park.md")
    store(memory, PARK.replace("The owls", "All owls"), "copy.md")
    store(
        memory,
        "\n\n".join([text_of(*SUBJECTS[:2]), *(QUAY.replace("{}", ship) for ship in ("barges", "ferries"))]),
        "half.md",
    )
    store(memory, "# Cache\n\nThe image cache is emptied each night.", "cache.md")
    return memory


# --- Linking what is alike ---


def test_documents_at_or_above_the_threshold_are_linked_most_alike_first(park):
    copy, half = (f"doc_{each['id']}" for each in of_kind(park, "document") if each["label"] in ("copy.md", "half.md"))
    answer = auto(park, "doc_1", 0.3)
    first, second = answer["similar_documents"]
    assert answer == {
        "success": True,
        "document_id": "doc_1",
        "links_created": 2,
        "similar_documents": [
            {
                "document_id": copy,
                "similarity_score": first["similarity_score"],
                "relationship_type": "similar_content",
            },
            {
                "document_id": half,
                "similarity_score": second["similarity_score"],
                "relationship_type": "similar_content",
            },
        ],
    }
    assert 1 > first["similarity_score"] > 0.9 > second["similarity_score"] >= 0.3
    assert {edge["weight"] for edge in alike_edges(park)} == {first["similarity_score"], second["similarity_score"]}


def test_the_threshold_is_that_of_the_shown_similarity(park):
    (best, *_) = auto(park, "doc_1", 0.0)["similar_documents"]
    assert ids(auto(park, "doc_1", best["similarity_score"])) == [best["document_id"]]
    assert ids(auto(park, "doc_1", best["similarity_score"] + 0.000001)) == []


def test_the_default_threshold_is_that_of_copies(park):
    assert len(ids(auto(park, "park.md"))) == 1
    assert auto(park, "cache.md") == {
        "success": True,
        "document_id": auto(park, "cache.md")["document_id"],
        "links_created": 0,
        "similar_documents": [],
    }


def test_at_zero_every_document_is_shown_and_no_placeholder(park):
    park.link_resources(source_id="doc_1", target_id="resource_900", relationship_type="uses")
    assert len(ids(auto(park, "doc_1", 0.0))) == 3


def test_again_and_from_the_other_side_no_link_is_new(park):
    first = auto(park, "park.md", 0.3)
    assert auto(park, "park.md", 0.3) == {**first, "links_created": 0}
    back = auto(park, "copy.md", 0.9)
    assert (ids(back), back["links_created"]) == (["doc_1"], 0)
    assert len(alike_edges(park)) == 2


def test_a_link_takes_the_similarity_of_the_texts_as_they_are_now(park):
    before = auto(park, "park.md", 0.9)["similar_documents"][0]["similarity_score"]
    store(park, PARK, "copy.md")
    answer = auto(park, "park.md", 0.9)
    assert answer["links_created"] == 0
    assert [edge["weight"] for edge in alike_edges(park)] == [answer["similar_documents"][0]["similarity_score"]]
    assert alike_edges(park)[0]["weight"] > before
    undo(park)
    assert alike_edges(park)[0]["weight"] == before


def test_no_recall_waits_while_documents_are_compared(park):
    held, compared = threading.Event(), threading.Event()

    def recalling():
        with park.context.store.read() as tx, park.context.indexes.records.current(tx):
            held.set()
            compared.wait(30)

    with ThreadPoolExecutor(2) as pool:
        try:
            pool.submit(recalling)
            held.wait(30)
            answer = pool.submit(auto, park, "park.md", 0.9).result(timeout=20)
        finally:
            compared.set()
    assert len(ids(answer)) == 1


def test_a_short_document_is_like_a_part_of_a_long_one(park):
    small = store(park, section("zebras"), "zebras.md")
    assert small in ids(auto(park, "park.md", 0.7))


@pytest.mark.parametrize("given_id", ["doc_1", "resource_1", "1", "document:1", "park.md"])
def test_a_document_is_named_in_every_way(park, given_id):
    assert auto(park, given_id, 0.9)["document_id"] == "doc_1"


def test_vectors_tell_where_documents_are_embedded_and_words_where_they_are_not(park):
    meaning = Memory(with_meaning(park.context))
    meaning._worker.stop()  # what is not embedded stays so
    embed_all(meaning.context)
    store(meaning, PARK.replace("lizards", "skinks"), "late.md")
    known = {item["label"]: f"doc_{item['id']}" for item in of_kind(park, "document")}
    found = {
        each["document_id"]: each["similarity_score"] for each in auto(meaning, "park.md", 0.0)["similar_documents"]
    }
    # Made-up vectors of two texts have nothing in common but by chance: words alone find the late one
    assert found[known["late.md"]] > 0.8 > found[known["copy.md"]]
    by_words = {
        each["document_id"]: each["similarity_score"] for each in auto(park, "park.md", 0.0)["similar_documents"]
    }
    assert by_words[known["copy.md"]] > 0.9


def test_documents_of_any_language_are_compared(memory):
    store(memory, "数据库每晚备份，设置从环境变量读取。" * 20, "一.md")
    same = store(memory, "数据库每晚备份，设置从环境变量读取！" * 20, "二.md")
    store(memory, "猫头鹰在夜里捕捉老鼠。" * 20, "三.md")
    assert ids(auto(memory, "一.md", 0.8)) == [same]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"document_id": "doc_999"}, "document_id 'doc_999' is unknown: there is no document with that id"),
        ({"document_id": "chunk_2"}, "document_id 'chunk_2' is a chunk, not a document"),
        ({"document_id": ""}, "document_id must have at least 1 character"),
        ({"document_id": 1}, "document_id must be a text, got 1"),
        ({}, "document_id is required"),
        (
            {"document_id": "doc_1", "similarity_threshold": 1.01},
            "similarity_threshold must be between 0 and 1, got 1.01",
        ),
        ({"document_id": "doc_1", "similarity_threshold": -0.1}, "similarity_threshold must be between 0 and 1"),
        (
            {"document_id": "doc_1", "similarity_threshold": float("nan")},
            "similarity_threshold must be a finite number",
        ),
        ({"document_id": "doc_1", "similarity_threshold": "0.8"}, "similarity_threshold must be a number"),
    ],
)
def test_bad_input_links_nothing(park, arguments, words):
    before = exported(park)
    with pytest.raises((InvalidInput, NotFound), match=words):
        park.auto_link_documents(**arguments)
    assert exported(park) == before


def test_the_only_document_is_like_nothing(memory):
    store(memory, PARK, "park.md")
    assert auto(memory, "park.md", 0.0)["similar_documents"] == []


@pytest.mark.process
def test_two_servers_that_link_at_once_make_each_link_once(tmp_path):
    with McpClient(tmp_path / "data") as one, McpClient(tmp_path / "data") as other:
        for number in range(6):
            one.call("store_memory", {"content": f"{section('owls')} House {number}.", "file_name": f"{number}.md"})
        calls = [("auto_link_documents", {"document_id": f"{n}.md", "similarity_threshold": 0.5}) for n in range(6)]
        sent = [client.send_calls(calls) for client in (one, other)]
        for client, numbers in zip((one, other), sent, strict=True):
            for number in numbers:
                assert len(client.answer(number)["structuredContent"]["similar_documents"]) == 5
        assert one.call("codemem_stats")["graph"]["relationship_types"] == {"SIMILAR_CONTENT": 15}


# --- What a document leads to ---


def link(memory, source, target, relation="depends_on"):
    memory.link_resources(source_id=source, target_id=target, relationship_type=relation)


def related(memory, document, depth=None):
    more = {} if depth is None else {"max_depth": depth}
    return memory.get_document_relationships(document_id=document, **more)


@pytest.fixture
def chain(memory):
    """a -> b -> c -> d, and e -> a."""
    for name in "abcde":
        store(memory, f"of {name}", name)
    for source, target in ("ab", "bc", "cd", "ea"):
        link(memory, source, target)
    return memory


def test_relations_of_both_directions_are_shown_by_depth_with_the_path_from_the_second_on(chain):
    answer = related(chain, "a")
    one, three, five, nine = "doc_1", "doc_3", "doc_5", "doc_9"
    assert answer == {
        "success": True,
        "document_id": one,
        "relationships": {
            "depth_1": [
                {"document_id": three, "relationship_type": "depends_on", "strength": 1.0},
                {"document_id": nine, "relationship_type": "depends_on", "strength": 1.0},
            ],
            "depth_2": [
                {
                    "document_id": five,
                    "relationship_type": "depends_on",
                    "strength": 1.0,
                    "path": [one, three, five],
                }
            ],
        },
        "total_relationships": 3,
        "max_depth_reached": 2,
    }


@pytest.mark.parametrize(("depth", "reached", "total"), [(1, 1, 2), (2, 2, 3), (3, 3, 4), (5, 3, 4)])
def test_levels_go_as_far_as_there_is_something(chain, depth, reached, total):
    answer = related(chain, "a", depth)
    assert list(answer["relationships"]) == [f"depth_{level}" for level in range(1, reached + 1)]
    assert (answer["max_depth_reached"], answer["total_relationships"]) == (reached, total)


def test_each_is_shown_once_at_its_least_depth_also_in_a_circle(chain):
    link(chain, "d", "a")
    link(chain, "a", "c", "related_to")
    answer = related(chain, "a", 5)
    found = [each["document_id"] for level in answer["relationships"].values() for each in level]
    assert sorted(found) == ["doc_3", "doc_5", "doc_7", "doc_9"]
    assert answer["max_depth_reached"] == 1


def test_of_several_relations_the_strongest_is_shown_and_the_strongest_come_first(chain):
    chain.associate_memories(source_id="c", target_id="document:a", relationship="EXPLAINS", weight=3)
    chain.associate_memories(source_id="b", target_id="document:a", relationship="BLOCKS", weight=2)
    level = related(chain, "a")["relationships"]["depth_1"]
    assert [(each["document_id"], each["relationship_type"], each["strength"]) for each in level] == [
        ("doc_5", "EXPLAINS", 3.0),
        ("doc_3", "BLOCKS", 2.0),
        ("doc_9", "depends_on", 1.0),
    ]


def test_whatever_is_stored_can_be_an_end(chain):
    memory_id = chain.store_memory(content="a note", links=["a"])["id"]
    link(chain, memory_id, "entity-to-be", "explains")
    level = related(chain, "a")["relationships"]
    assert memory_id in [each["document_id"] for each in level["depth_1"]]
    assert related(chain, memory_id)["document_id"] == memory_id
    assert related(chain, "chunk_2")["total_relationships"] == 0


def test_what_is_not_for_this_server_is_not_shown_nor_passed(open_store):
    theirs = open_store(project="theirs")
    solved = theirs.matrix_store(problem="A secret of theirs", solution="Keep it", scope="repo")["id"]
    for name in "ab":
        store(theirs, f"of {name}", name)
        link(theirs, name, solved)
    assert related(theirs, "a")["total_relationships"] == 2
    assert related(open_store(project="ours"), "a")["total_relationships"] == 0


def test_a_document_without_relations_has_none(memory):
    store(memory, PARK, "park.md")
    assert related(memory, "park.md", 5) == {
        "success": True,
        "document_id": "doc_1",
        "relationships": {},
        "total_relationships": 0,
        "max_depth_reached": 0,
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"document_id": "nowhere.md"}, "document_id 'nowhere.md' is unknown"),
        ({"document_id": "\u200b"}, "document_id must have at least one visible character"),
        ({"document_id": "a", "max_depth": 0}, "max_depth must be between 1 and 5, got 0"),
        ({"document_id": "a", "max_depth": 6}, "max_depth must be between 1 and 5, got 6"),
        ({"document_id": "a", "max_depth": 1.5}, "max_depth must be a whole number, got 1.5"),
        ({"document_id": "a", "depth": 1}, "unknown argument 'depth'; allowed are: document_id, max_depth"),
    ],
)
def test_bad_questions_are_refused(chain, arguments, words):
    with pytest.raises((InvalidInput, NotFound), match=words):
        chain.get_document_relationships(**arguments)
