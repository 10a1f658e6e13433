"""Callers' vectors among the records: the same on both databases."""

import pytest

from indelible.core.context.call import Call
from indelible.core.context.context import context_on
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import exporting, undo
from indelible.settings import Settings
from indelible.store.views import vectors as rows
from indelible.toolsets.memory import importing
from indelible.toolsets.vectors import vectors
from indelible.toolsets.vectors.vectors import NewEntry
from samples import keep, of_tenant, record


def context(db, tmp_path):
    return context_on(db, Settings(data=tmp_path), Embedder(None))


@pytest.fixture
def ctx(db, tmp_path):
    """A context on the store, as an engine function takes it."""
    return context(db, tmp_path)


def test_only_vectors_are_read_by_ascending_id(db):
    first, _, third = keep(
        db,
        record("b", kind="vector", updated=7, metadata={"score": 1}),
        record("x", kind="memory"),
        record("a", kind="vector", namespace="elsewhere"),
    )
    with db.read() as tx:
        assert rows.ids(tx) == [first.id, third.id]
        assert rows.ids(of_tenant(tx, 2)) == []
        found = rows.of_records(tx, [third.id, first.id, first.id + 1, 999])
        assert [(row.id, row.key) for row in found] == [(first.id, "b"), (third.id, "a")]
        assert (found[0].updated, found[0].metadata) == (7, {"score": 1})
        assert rows.of_records(tx, []) == []


def exported(ctx):
    """Everything in the store but the counts of accesses, which a search changes."""
    accesses = dict.fromkeys(("access_count", "last_accessed_at"))
    return sorted(({**item, **accesses} for item in exporting.export_all(ctx)), key=str)


def found(ctx, vector, limit=9):
    return [(match["id"], match["similarity"], match["score"]) for match in vectors.search(ctx, vector, limit)]


def test_an_entry_is_stored_found_liked_replaced_undone_and_taken_elsewhere(ctx, open_db, tmp_path):
    other = context(open_db(), tmp_path)  # as another process
    vectors.memorize(ctx, NewEntry("first", {1: 1.0, 1 << 62: -0.1}, "the owls", {"topic": "park"}))
    vectors.memorize(other, NewEntry("second", {1: 1.0}))
    assert vectors.feedback(ctx, "second", 0.25)
    assert [found(each, {1: 1.0})[0] for each in (ctx, other)] == [("second", 1.0, 0.25)] * 2
    before = exported(ctx)
    vectors.memorize(ctx.for_call(Call(tool="memorize")), NewEntry("first", {7: 1.0}))
    assert found(other, {7: 1.0}, 1) == [("first", 1.0, 0.0)]
    undo.undo(ctx.for_call(Call(tool="undo")))
    assert exported(other) == before
    assert vectors.delete(other, "first")
    assert not vectors.delete(ctx, "first")
    assert found(ctx, {7: 1.0}) == [("second", 0.0, 0.25)]
    again = importing.import_items(ctx, [{name: item[name] for name in item if "acces" not in name} for item in before])
    assert (again.skipped, again.errors) == (1, [])
    assert exported(ctx) == before
