"""The vectors that recalls keep: never those of an earlier text, whoever read them and when."""

import numpy as np
import pytest

from indelible.core.indexes import read_vectors
from indelible.store.tables import records
from made_up_meaning import embed_all, with_meaning


@pytest.fixture
def ctx(memory):
    return with_meaning(memory.context)


@pytest.fixture
def stored(memory, ctx):
    """Store texts and embed them; their row ids in order."""

    def store(*texts):
        keys = [memory.store_memory(content=text)["id"] for text in texts]
        embed_all(ctx)
        with ctx.store.read() as tx:
            return [records.by_key(tx, key)[0].id for key in keys]

    return store


def read(ctx, tx, ids):
    """The vectors of records as the index gives them, by record."""
    with ctx.indexes.records.current(tx, ctx.embedder.model) as caches:
        ids = np.array(sorted(ids))
        found = caches.meaning.read(ids)
        return dict(zip(ids[found.places].tolist(), found.vectors, strict=True))


def now(ctx, ids):
    with ctx.store.read() as tx:
        return read(ctx, tx, ids)


def vector(ctx, text):
    return ctx.embedder.question(text).dense[0]


def is_of(ctx, body, text):
    return np.allclose(body, vector(ctx, text), atol=1e-3)


def kept(ctx):
    return sum(len(each) for each in ctx.indexes.records._read.values())


def test_what_was_read_is_not_read_again(ctx, stored):
    ids = stored("one", "two")
    first = now(ctx, ids)
    assert kept(ctx) == 2
    again = now(ctx, ids)
    assert {record: body.tobytes() for record, body in first.items()} == {
        record: body.tobytes() for record, body in again.items()
    }


def test_after_a_change_of_the_text_its_new_vector_is_given(memory, ctx, stored):
    (one,) = stored("one")
    assert is_of(ctx, now(ctx, [one])[one], "one")
    key = memory.recall_memory(query="one")[0]["id"]
    memory.update_memory(id=key, content="another text")
    embed_all(ctx)
    assert is_of(ctx, now(ctx, [one])[one], "another text")


def test_a_deleted_record_has_none(memory, ctx, stored):
    (one,) = stored("one")
    now(ctx, [one])
    memory.delete_memory(id=memory.recall_memory(query="one")[0]["id"])
    assert now(ctx, [one]) == {}
    assert kept(ctx) == 0


def test_what_a_reader_of_an_earlier_moment_reads_is_not_kept_for_others(memory, ctx, stored):
    (one,) = stored("one")
    with ctx.store.read() as earlier:
        assert is_of(ctx, read(ctx, earlier, [one])[one], "one")  # its moment is now
        ctx.indexes.records._read.clear()
        memory.update_memory(id=memory.recall_memory(query="one")[0]["id"], content="another text")
        embed_all(ctx)
        with ctx.store.read() as tx, ctx.indexes.records.current(tx, ctx.embedder.model):
            pass  # the index has followed the change, and nothing is kept of it
        assert is_of(ctx, read(ctx, earlier, [one])[one], "one")
    assert is_of(ctx, now(ctx, [one])[one], "another text")


def test_no_more_are_kept_than_there_is_room_for_and_those_read_first_go(ctx, stored, monkeypatch):
    monkeypatch.setattr(read_vectors, "MOST", 3)
    ids = stored("one", "two", "three", "four", "five")
    now(ctx, ids[:3])
    assert set(now(ctx, ids)) == set(ids)
    assert kept(ctx) == 3


def test_a_text_of_several_windows_has_all_of_them_each_time(ctx, stored):
    (long,) = stored("long " * 300)
    for _ in range(2):
        with ctx.store.read() as tx, ctx.indexes.records.current(tx, ctx.embedder.model) as caches:
            assert len(caches.meaning.read(np.array([long])).places) > 2
