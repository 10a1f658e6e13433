"""A document that is stored again keeps the chunks that did not change; the rest can be brought back."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import store_file
from indelible.admin import doctor
from indelible.api import Memory
from indelible.core.records import history
from indelible.errors import Conflict
from indelible.search.chunking import chunks
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.salvage import salvage
from indelible.store.tables import embeddings, records
from made_up_meaning import embed_all, with_meaning
from mcp_client import McpClient
from park import EDITS, GUIDE, SUBJECTS, exported, of_kind, section, texts_in_order, undo

# --- Stored again ---


def test_the_same_text_again_is_a_duplicate_and_nothing_is_written(memory, clock):
    first = memory.store_memory(content=GUIDE, file_name="park.md", resource_type="guide", tags=["zoo"])
    other = memory.store_memory(content="something else")["id"]
    before = exported(memory)
    clock.pass_(days=1)
    again = memory.store_memory(content=GUIDE, file_name="park.md", resource_type="x", tags=["zoo"], links=[other])
    assert again == {**first, "status": "duplicate", "graph_node_created": False}
    assert exported(memory) == before
    assert history.history(memory.context) == []


def test_new_tags_of_a_duplicate_are_those_of_the_document_and_its_chunks_too(memory):
    first = memory.store_memory(content=GUIDE, file_name="park.md", tags=["zoo"])
    again = memory.store_memory(content=GUIDE, file_name="park.md", tags=["animals", "zoo"])
    assert again == {**first, "status": "duplicate", "graph_node_created": False}
    kinds = [(item["kind"], item["tags"]) for item in exported(memory)]
    assert kinds == [("document", ["zoo", "animals"]), *[("chunk", ["zoo", "animals"])] * first["chunk_count"]]
    undo(memory)
    assert {tuple(item["tags"]) for item in exported(memory)} == {("zoo",)}


def test_a_document_stored_again_keeps_the_chunks_that_did_not_change(memory):
    first = memory.store_memory(content=GUIDE, file_name="park.md")
    edited = GUIDE.replace("The otters of the park", "All otters of the park", 1)
    again = memory.store_memory(content=edited, file_name="park.md")
    assert (again["id"], again["status"], again["graph_node_created"]) == ("doc_1", "stored", False)
    assert again["chunk_count"] == first["chunk_count"]
    changed = [(a, b) for a, b in zip(first["chunk_ids"], again["chunk_ids"], strict=True) if a != b]
    assert changed == [(4, max(first["chunk_ids"]) + 1)]
    assert [item["content"] for item in of_kind(memory, "document")] == [edited]


def test_a_chunk_that_stays_keeps_its_relations_its_embedding_and_its_accesses(memory):
    warm = Memory(with_meaning(memory.context))
    first = warm.store_memory(content=GUIDE, file_name="park.md")
    noted = warm.store_memory(content="a note on owls and otters", links=["chunk_2", "chunk_4", "doc_1"])["id"]
    warm.recall_memory(query="owls", k=1)
    embed_all(warm.context)
    kept = [item for item in of_kind(warm, "chunk") if item["id"] != "4"]
    embedded = vectors(warm, kept)
    assert all(embedded)
    again = warm.store_memory(content=GUIDE.replace("The otters", "All otters", 1), file_name="park.md")
    assert set(first["chunk_ids"]) - set(again["chunk_ids"]) == {4}
    assert [item for item in of_kind(warm, "chunk") if int(item["id"]) in first["chunk_ids"]] == kept
    assert vectors(warm, kept) == embedded
    (memory_,) = warm.export_memories()
    assert {edge["target"] for edge in memory_["edges"]} == {"chunk:2", "document:1"}
    assert [step["id"] for step in warm.graph_traverse(start_id="chunk_2", max_depth=1)] == ["chunk_2", noted]


def vectors(memory, items):
    """The vectors of records by their exported ids."""
    with memory.context.store.read() as tx:
        (model,) = embeddings.models(tx)
        rows = [next(r for r in records.by_key(tx, item["id"]) if r.kind == item["kind"]) for item in items]
        found = dict(embeddings.vectors(tx, model.number, [row.id for row in rows]))
        return [found.get(row.id) for row in rows]


def test_what_has_its_default_when_a_document_is_stored_again_stays_as_it_was(memory):
    given = {"resource_type": "guide", "importance": 0.9, "tags": ["zoo"], "memory_type": "insight"}
    memory.store_memory(content="one", file_name="a.md", **given)
    memory.store_memory(content="two", file_name="a.md")
    (document, chunk) = of_kind(memory, "document") + of_kind(memory, "chunk")
    for item in (document, chunk):
        assert (item["memory_type"], item["importance"], item["tags"]) == ("guide", 0.9, ["zoo"])
    assert document["metadata"] == {"memory_type": "insight"}
    memory.store_memory(content="three", file_name="a.md", resource_type="code", importance=0.2, tags=["x", "y"])
    for item in of_kind(memory, "document") + of_kind(memory, "chunk"):
        assert (item["memory_type"], item["importance"], item["tags"]) == ("code", 0.2, ["x", "y"])


def test_new_tags_reach_the_chunks_that_stay_too(memory):
    first = memory.store_memory(content=GUIDE, file_name="park.md")
    again = memory.store_memory(content=GUIDE + "\nMore.\n", file_name="park.md", tags=["wildlife"])
    assert len(set(first["chunk_ids"]) & set(again["chunk_ids"])) >= len(SUBJECTS) - 1
    assert {hit["id"] for hit in memory.recall_memory(query="wildlife", k=50)} == {
        f"chunk_{number}" for number in again["chunk_ids"]
    }


def test_a_renamed_section_is_found_by_its_new_title_in_all_its_chunks(memory):
    long = "# Feeding\n\n" + " ".join(f"Line {i} of a text that names no subject." for i in range(60))
    stored = memory.store_memory(content=long, file_name="a.md")
    assert stored["chunk_count"] > 2
    again = memory.store_memory(content=long.replace("# Feeding", "# Nocturnal", 1), file_name="a.md")
    assert again["chunk_ids"][1:] == stored["chunk_ids"][1:]
    assert len(memory.recall_memory(query="nocturnal", k=50)) == stored["chunk_count"]
    assert memory.recall_memory(query="feeding") == []


def test_repeated_texts_keep_their_ids_in_their_order(memory):
    same = "# Same\n\n" + "Exactly the same words in every section of it, over and over again. " * 6 + "\n\n"
    first = memory.store_memory(content=same * 5, file_name="a.md")
    assert first["chunk_count"] == 5
    again = memory.store_memory(content=same * 4, file_name="a.md")
    assert again["chunk_ids"] == first["chunk_ids"][:4]
    last = memory.store_memory(content=same * 6, file_name="a.md")
    assert last["chunk_ids"][:4] == first["chunk_ids"][:4]
    assert len(set(last["chunk_ids"])) == 6


@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_the_chunks_are_those_of_the_text_in_its_order(memory, seed):
    pick = random.Random(seed)
    parts = [section(subject) for subject in SUBJECTS]
    known: dict[str, int] = {}
    for turn in range(25):
        edits = [
            lambda: parts.insert(pick.randint(0, len(parts)), section(f"visitor {turn} {pick.random()}")),  # noqa: B023
            lambda: parts.pop(pick.randrange(len(parts))),
            lambda: parts.insert(0, parts.pop(pick.randrange(len(parts)))),
            lambda: pick.shuffle(parts),
            lambda: parts.append(parts[pick.randrange(len(parts))]),
        ]
        pick.choice(edits)()
        text = "\n\n".join(parts) or "nothing"
        stored = memory.store_memory(content=text, file_name="park.md")
        wanted = [chunk.text for chunk in chunks(text)]
        assert texts_in_order(memory, stored["resource_id"]) == wanted
        now = dict(zip(wanted, stored["chunk_ids"], strict=True))
        repeated = {chunk for chunk in wanted if wanted.count(chunk) > 1}
        assert all(now[chunk] == known[chunk] for chunk in now.keys() & known.keys() - repeated)
        known = {chunk: number for chunk, number in now.items() if chunk not in repeated}


# --- Undo ---


def rows(memory):
    """Every row of the tables that say what is stored, and what was made of it."""
    with memory.context.store.read() as tx:
        tables = ("record", "edge", "terms", "access", "sequence")
        return {
            name: tx.connection.execute(f"SELECT {store_file.columns(name)} FROM {name} ORDER BY 1, 2").fetchall()
            for name in tables
        }


@pytest.mark.parametrize("edit", EDITS)
def test_undo_brings_back_the_text_and_its_chunks_and_another_undo_takes_them_again(memory, edit):
    memory.store_memory(content=GUIDE, file_name="park.md", tags=["zoo"])
    memory.store_memory(content="a note", links=["chunk_2", "chunk_4", "chunk_7", "park.md"])
    before = exported(memory), rows(memory)
    stored = memory.store_memory(content=EDITS[edit], file_name="park.md", importance=0.7)
    if stored["chunk_ids"]:
        memory.store_memory(content="a note on the new one", links=[f"chunk_{stored['chunk_ids'][0]}"])
    after = exported(memory), rows(memory)
    undone = undo(memory)
    assert undone["tool"] == "store_memory"
    back = rows(memory)
    assert [item for item in exported(memory) if item["content"] != "a note on the new one"] == before[0]
    assert texts_in_order(memory, 1) == [chunk.text for chunk in chunks(GUIDE)]
    for table in ("record", "terms"):
        assert {row for row in back[table] if row[0] in {r[0] for r in before[1][table]}} == set(before[1][table])
    assert memory.store_memory(content=GUIDE, file_name="park.md")["status"] == "duplicate"
    undo(memory, history.history(memory.context)[0]["operation"])
    assert exported(memory) == after[0]
    assert rows(memory) == after[1]


def test_an_undo_of_an_earlier_edit_than_the_last_is_refused(memory):
    for text in ("one", "two", "three"):
        memory.store_memory(content=text, file_name="a.md")
    operations = list(dict.fromkeys(past["operation"] for past in history.history(memory.context)))
    assert len(operations) == 2
    with pytest.raises(Conflict, match="a later store_memory changed the same records; undo that first"):
        undo(memory, operations[1])
    for wanted in ("two", "one"):
        undo(memory)
        assert texts_in_order(memory, 1) == [wanted]


def test_earlier_states_are_listed_by_the_shown_id(memory):
    for text in ("one", "two"):
        memory.store_memory(content=text, file_name="a.md")
    for given in ("doc_1", "resource_1", "1"):
        assert [past["content"] for past in history.history(memory.context, given)] == ["one"]
    assert [(past["action"], past["content"]) for past in history.history(memory.context, "chunk_2")] == [
        ("delete", "one")
    ]


# --- Numbers, servers and retries ---


def test_a_number_is_never_given_twice_not_even_after_a_deletion(memory):
    seen = set()
    for turn in range(4):
        stored = memory.store_memory(content=f"{turn} {GUIDE}"[: 3_000 - 700 * turn], file_name="park.md")
        fresh = set(stored["chunk_ids"]) - seen
        assert all(number > max(seen, default=0) for number in fresh)
        seen |= fresh
        undone = undo(memory) if turn else None
        assert turn == 0 or undone


@pytest.mark.process
def test_two_servers_that_store_one_name_at_once_have_one_document(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as one, McpClient(data) as two:

        def store(number):
            client = (one, two)[number % 2]
            return client.call("store_memory", {"content": f"version {number // 2} {GUIDE}", "file_name": "park.md"})

        with ThreadPoolExecutor(2) as threads:
            for number in range(0, 20, 2):
                answers = list(threads.map(store, (number, number + 1)))
                assert {answer["id"] for answer in answers} == {"doc_1"}
                assert sorted(answer["status"] for answer in answers) == ["duplicate", "stored"]
                assert answers[0]["chunk_ids"] == answers[1]["chunk_ids"]
        assert one.call("codemem_stats")["graph"]["node_kinds"]["document"] == 1


def test_a_retried_call_is_answered_and_not_repeated(memory):
    first = memory.call("store_memory", request_key="k", content="one", file_name="a.md")
    memory.store_memory(content="two", file_name="a.md")
    assert memory.call("store_memory", request_key="k", content="one", file_name="a.md") == first
    assert [item["content"] for item in of_kind(memory, "document")] == ["two"]


def test_a_store_with_documents_is_sound(open_store):
    memory = open_store("checked")
    for edit in EDITS.values():
        memory.store_memory(content=edit, file_name="park.md")
    settings = replace(memory.context.settings, read_only=False)
    memory.context.write_behind.flush()
    assert doctor.examine(settings).lines[-1] == "the store is sound"
    assert doctor.repair(settings).sound
    assert [hit["id"] for hit in memory.recall_memory(query="Our park lizards", k=1)] != []


@pytest.mark.sqlite("salvage of a damaged file")
def test_a_salvaged_store_goes_on_counting(open_store, tmp_path):
    memory = open_store("old")
    stored = memory.store_memory(content=GUIDE, file_name="park.md")
    memory.close()
    target = tmp_path / "new" / FILE
    target.parent.mkdir(mode=0o700)
    saved = salvage(tmp_path / "old" / FILE, target)
    assert saved["sequence"] == (1, 0)
    salvaged = open_store("new")
    assert salvaged.store_memory(content=GUIDE, file_name="park.md")["chunk_ids"] == stored["chunk_ids"]
    assert salvaged.store_memory(content="x", file_name="next")["resource_id"] == max(stored["chunk_ids"]) + 1
