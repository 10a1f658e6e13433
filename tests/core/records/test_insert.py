"""The one way in which a record of any kind is stored: complete, with its words, once, and on the list of work."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

import indelible
from indelible.core.context.call import Call
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.core.records import embedding_queue, insert
from indelible.errors import Conflict
from indelible.model import RECALLED_KINDS
from indelible.store.tables import records, terms

SOURCE = Path(indelible.__file__).parent


def stored(ctx, record, text_terms=None):
    return ctx.write(lambda tx: insert.add(ctx, tx, record, text_terms).id)


@pytest.mark.parametrize("kind", RECALLED_KINDS)
def test_a_record_of_any_kind_is_found_by_its_words_and_waits_to_be_embedded(memory, kind):
    ctx = memory.context
    row = stored(ctx, insert.new(ctx, kind, "the wombat queue hangs", key="k", metadata={"problem": "x"}))
    (hit,) = recall(ctx, Query("wombat", 3))
    assert (hit.record.id, hit.record.kind, hit.record.key) == (row, kind, "k")
    assert embedding_queue.waiting(ctx) == 1


def test_a_new_record_is_of_the_call_unless_it_is_said_otherwise(memory):
    ctx = memory.context
    made = insert.new(ctx, "memory", "text", key="k")
    assert made.session == ctx.session.id
    assert made.position == made.created == made.updated > 0
    other = insert.new(ctx, "memory", "text", session="s", created=1, updated=2, position=3)
    assert (other.session, other.created, other.updated, other.position) == ("s", 1, 2, 3)


def test_an_id_that_is_taken_is_a_conflict_and_changes_nothing(memory):
    ctx = memory.context
    row = stored(ctx, insert.new(ctx, "memory", "first", key="k"))
    with pytest.raises(Conflict, match="memory k already exists in namespace ''"):
        stored(ctx, insert.new(ctx, "memory", "second", key="k"))
    with ctx.store.read() as tx:
        assert [each.text for each in records.by_ids(tx, [row]).values()] == ["first"]
        assert len(terms.of_records(tx, [row, row + 1])) == 1


def test_a_write_with_a_request_key_stores_one_record(memory):
    ctx = memory.context.for_call(replace(Call(tool="store"), key="once", digest="d"))
    assert stored(ctx, insert.new(ctx, "memory", "text", key="a")) == stored(
        ctx, insert.new(ctx, "memory", "text", key="b")
    )
    assert embedding_queue.waiting(ctx) == 1


def test_records_are_made_in_one_place():
    """Outside of core, store and the index of source code (which writes many rows at once) none is made by hand."""
    found = []
    for room in ("toolsets", "capture", "transfer", "admin", "server", "cli"):
        for path in sorted((SOURCE / room).rglob("*.py")):
            if path.is_relative_to(SOURCE / "toolsets" / "code"):
                continue
            calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
            found += [f"{path.name}:{call.lineno}" for call in calls if getattr(call.func, "id", "") == "Record"]
    assert found == []
