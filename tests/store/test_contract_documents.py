"""Documents and chunks among the records, and the sequence that numbers them: the same on both databases."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from indelible.core.context.call import Call
from indelible.core.context.context import context_on
from indelible.core.indexes.embedder import Embedder
from indelible.core.recall import candidates, recall
from indelible.core.records import exporting, undo
from indelible.errors import Conflict
from indelible.model import Record
from indelible.settings import Settings
from indelible.store.tables import pending, records
from indelible.store.views import chats, documents
from indelible.toolsets.context.documents import documents as engine
from indelible.toolsets.context.documents import links, passages, resource_relations
from indelible.toolsets.context.documents.documents import NewDocument
from indelible.toolsets.memory import importing
from samples import keep, of_tenant, record


def read(db, query, *arguments):
    with db.read() as tx:
        return query(tx, *arguments)


def document(key: str, name: str, **fields) -> Record:
    return record(key, kind="document", label=name, **fields)


def chunk(key: str, of: str, position: int, **fields) -> Record:
    return record(key, kind="chunk", session=documents.session_of(of), position=position, **fields)


# --- Numbers ---


def test_numbers_follow_each_other_and_are_never_given_twice(db):
    take = lambda count: list(db.write(lambda tx: documents.take_numbers(tx, count)))  # noqa: E731
    assert [take(1), take(3), take(0), take(1)] == [[1], [2, 3, 4], [], [5]]
    assert list(db.write(lambda tx: documents.take_numbers(of_tenant(tx, 2), 2))) == [1, 2]  # each tenant has its own


def test_a_number_that_came_from_elsewhere_is_not_given_again(db):
    db.write(lambda tx: documents.raise_numbers(tx, 41))
    assert list(db.write(lambda tx: documents.take_numbers(tx, 1))) == [42]
    db.write(lambda tx: documents.raise_numbers(tx, 7))
    assert list(db.write(lambda tx: documents.take_numbers(tx, 1))) == [43]


def test_a_call_that_fails_gives_its_numbers_back_before_anybody_saw_them(db):
    def fail(tx):
        documents.take_numbers(tx, 5)
        raise Conflict("no")

    with pytest.raises(Conflict, match="no"):
        db.write(fail)
    assert list(db.write(lambda tx: documents.take_numbers(tx, 1))) == [1]


def test_processes_that_take_numbers_at_once_get_different_ones(open_db):
    stores = [open_db() for _ in range(4)]

    def take(store):
        return [n for _ in range(25) for n in store.write(lambda tx: documents.take_numbers(tx, 3))]

    with ThreadPoolExecutor(4) as threads:
        taken = [number for numbers in threads.map(take, stores) for number in numbers]
    assert sorted(taken) == list(range(1, 301))


# --- Documents by name ---


def test_a_document_is_found_by_its_name_in_every_namespace_oldest_first(db):
    kept = keep(
        db,
        document("1", "a.md"),
        document("2", "b.md"),
        document("3", "a.md", namespace="n"),
        record("4", kind="chunk", label="a.md"),
        document("5", "", namespace="n"),
        document("6", "A.md"),
        document("7", "a.md", tenant=2),
    )
    assert read(db, documents.named, "a.md") == [kept[0], kept[2]]
    assert read(db, documents.named, "") == []
    assert read(db, documents.named, "no") == []


def test_there_is_one_document_of_a_name_in_a_namespace(db):
    keep(db, document("1", "a.md"), document("2", ""), document("3", "", text="another without a name"))
    same = document("4", "a.md", text="other")
    assert db.write(lambda tx: records.insert(tx, same)) is None
    assert db.write(lambda tx: records.insert(tx, replace(same, namespace="n"))) is not None
    assert db.write(lambda tx: records.insert(tx, replace(same, key="5", kind="entity"))) is not None


# --- Documents without their texts ---


def test_heads_tell_of_documents_by_their_numbers(db):
    first, other, _ = keep(
        db,
        document("1", "a.md", type="guide", created=5),
        document("2", "b.md", namespace="n", created=6),
        record("3", kind="todo"),
    )
    keep(db, document("4", "d.md", tenant=2))
    assert read(db, documents.heads, ["2", "1", "3", "4", "99", "x"]) == {
        "1": documents.Head(first.id, "1", first.namespace, "a.md", "guide", 5),
        "2": documents.Head(other.id, "2", "n", "b.md", other.type, 6),
    }
    assert read(db, documents.heads, []) == {}


def test_documents_of_a_type_are_listed_newest_first(db):
    keep(
        db,
        document("10", "a", type="t", created=5),
        document("9", "b", type="t", created=5),
        document("11", "c", type="t", created=6),
        document("12", "d", type="T", created=7),
        document("13", "e", type="t", created=8, tenant=2),
        record("14", kind="chunk", type="t"),
    )
    keep(
        db,
        *(chunk(f"1{key}", key, 1) for key in ("9", "10", "11", "12", "13")),
        document("15", "f", type="t", created=9),
    )
    assert [head.key for head in read(db, documents.newest, "t", 9)] == ["11", "9", "10"]
    assert [head.key for head in read(db, documents.newest, "t", 1)] == ["11"]
    assert read(db, documents.newest, "", 9) == []


def test_every_document_has_its_first_chunk_and_all_chunks_their_document(db):
    late, first, other = keep(db, chunk("9", "1", 300), chunk("7", "1", 100), chunk("8", "11", 200))
    keep(db, record("12", session="document:1", position=1), chunk("13", "1", 0, tenant=2))
    keep(db, replace(chunk("14", "1", 0), session="book"))
    assert {c.key for c in read(db, documents.first_chunks, ["1", "11", "2"])} == {"7", "8"}
    assert read(db, documents.first_chunks, []) == []
    assert read(db, documents.all_chunks) == [(first.id, "1"), (late.id, "1"), (other.id, "11")]


def test_digests_tell_the_contents_of_what_has_a_name(db):
    keep(
        db,
        document("1", "a.md", content_hash="h1"),
        document("2", "a.md", namespace="n", content_hash="h2"),
        document("3", "", content_hash="h3"),
        document("4", "b.md", content_hash="h4", tenant=2),
    )
    default = document("1", "a.md").namespace
    assert read(db, documents.digests) == {(default, "a.md"): "h1", ("n", "a.md"): "h2"}


def test_a_message_is_found_by_its_number_too(db):
    message, _ = keep(
        db,
        record("m-1", kind="message", metadata={"number": 7}),
        record("m-2", kind="message", metadata={"number": 77}),
    )
    keep(
        db,
        record("m-3", kind="message", metadata={"number": 7}, tenant=2),
        record("t", kind="todo", metadata={"number": 7}),
    )
    assert read(db, chats.numbered, "7") == [message]
    assert read(db, chats.numbered, "m-1") == []


# --- Chunks in their order ---


def test_chunks_are_read_in_their_order(db):
    late, early, middle = keep(db, chunk("9", "1", 300), chunk("7", "1", 100), chunk("8", "1", 200))
    keep(db, chunk("10", "11", 1), record("12", session="document:1"), chunk("13", "1", 0, tenant=2))
    assert read(db, documents.chunks, "1") == [early, middle, late]
    assert read(db, documents.layout, "1") == [(early.id, 100, "7"), (middle.id, 200, "8"), (late.id, 300, "9")]
    assert read(db, documents.chunks, "2") == []


def test_chunks_are_moved_to_other_positions(db):
    first, second = keep(db, chunk("2", "1", 100), chunk("3", "1", 200))
    db.write(lambda tx: documents.place(tx, [(first.id, 300), (second.id, 200), (999, 5)]))
    assert read(db, documents.layout, "1") == [(second.id, 200, "3"), (first.id, 300, "2")]
    db.write(lambda tx: documents.place(of_tenant(tx, 2), [(second.id, 900)]))
    db.write(lambda tx: documents.place(tx, []))
    assert read(db, documents.layout, "1")[0] == (second.id, 200, "3")


def test_a_record_is_known_again_by_what_an_import_keeps(db):
    kept, _ = keep(db, record("5", kind="todo", created=77), record("6", kind="todo", created=78))
    assert read(db, documents.equal_record, replace(kept, key="99", id=0)) == kept
    for other in ({"created": 78}, {"text": "other"}, {"kind": "attempt"}, {"namespace": "n"}):
        assert read(db, documents.equal_record, replace(kept, **other)) is None


# --- The engine on both ---


@pytest.fixture
def ctx(db, tmp_path):
    """A context on the store, as an engine function takes it."""
    return context_on(db, Settings(data=tmp_path), Embedder(None))


OTHERS = {"namespace": "elsewhere", "created_at": "2020-01-01T00:00:00Z"}  # documents of another store


def paragraphs(*subjects: str) -> str:
    return "\n\n".join(f"## {name}\n\n" + f"The {name} are fed by one keeper. " * 12 for name in subjects)


def test_a_document_is_stored_found_edited_undone_and_taken_elsewhere(ctx):
    first = engine.store(ctx, NewDocument("park.md", paragraphs("owls", "otters", "zebras")))
    assert first["chunks"] == [2, 3, 4]
    before = list(exporting.export_all(ctx))
    edited = NewDocument("park.md", paragraphs("zebras", "bats", "owls"))
    again = engine.store(ctx.for_call(Call(tool="store_memory")), edited)
    assert again["chunks"] == [4, 5, 2]
    assert engine.store(ctx, edited)["status"] == "duplicate"
    assert [hit.record.key for hit in recall.recall(ctx, candidates.Query("bats", 5))] == ["5"]
    assert recall.recall(ctx, candidates.Query("otters", 5)) == []
    undo.undo(ctx.for_call(Call(tool="undo")))
    assert sorted(exporting.export_all(ctx), key=str) == sorted(before, key=str)
    assert engine.store(ctx, NewDocument("next", "x"))["number"] == 6
    taken = importing.import_items(ctx, [{**item, **OTHERS} for item in before])
    assert (taken.errors, taken.ids) == ([], ["8", "9", "10", "11"])
    with ctx.store.read() as tx:
        assert [chunk.text for chunk in documents.chunks(tx, "8")] == [
            item["content"] for item in before if item["kind"] == "chunk"
        ]


def test_documents_are_found_linked_and_walked(ctx):
    for name in ("park.md", "copy.md"):
        engine.store(ctx, NewDocument(name, paragraphs("owls", "otters"), "guide"))
    engine.store(ctx, NewDocument("quay.md", "Cranes lift containers at low tide.", "guide"))
    assert [found.name for found in passages.retrieve(ctx, "cranes", 5)] == ["quay.md"]
    by_type = passages.by_type(ctx, "cranes", "guide", 5)
    assert [(found.name, found.similarity > 0) for found in by_type] == [
        ("quay.md", True),
        ("copy.md", False),
        ("park.md", False),
    ]
    linked = links.link_alike(ctx, "park.md", 0.9)
    assert (linked["created"], [each["id"] for each in linked["similar"]]) == (1, ["doc_4"])
    made = resource_relations.link(ctx, "copy.md", "resource_900", "uses")
    assert resource_relations.link(ctx, "doc_4", "900", "USES") == made
    _, depths = links.relations_of(ctx, "doc_1", 5)
    assert [[step.id for step in steps] for steps in depths] == [["doc_4"], ["doc_900"]]
    (related,) = resource_relations.query_graph(ctx, "otters", ["uses"])
    assert (related.id, related.relations[0].other) == ("resource_4", "resource_900")
    assert engine.store(ctx, NewDocument("next", "x"))["number"] == 901


# --- What is embedded ---


@pytest.mark.parametrize(
    ("kind", "change", "again"),
    [
        ("chunk", {"label": "a.md > New title"}, True),
        ("chunk", {"text": "new"}, True),
        ("chunk", {"tags": ("t",), "type": "code", "importance": 0.9}, False),
        ("entity", {"label": "renamed"}, False),
        ("document", {"label": "renamed", "text": "new"}, False),
    ],
)
def test_a_chunk_is_embedded_again_with_its_new_title(db, kind, change, again):
    (kept,) = keep(db, record("2", kind=kind, label="a.md > Title"))
    waits = kind != "document"
    assert db.write(lambda tx: pending.done(tx, kept.id, "")) is waits
    db.write(lambda tx: records.update(tx, replace(kept, **change)))
    assert read(db, pending.count) == again
