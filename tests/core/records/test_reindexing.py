"""Words of stores that an earlier version filled: they get what this version notes, in any number of steps."""

from itertools import count

import pytest

from indelible.core.records import insert, reindexing
from indelible.search import rules, tokens
from indelible.store.tables import records, settings, terms
from indelible.toolsets import registry

RULE, OTHER = "Always use snake_case for columns.", "The deploy failed at night."


@pytest.fixture
def ctx(memory):
    return memory.context


def store(ctx, *contents):
    tool = registry.find_tool("store_memory")
    keys = [registry.call(ctx, tool, {"content": content}).value["id"] for content in contents]
    with ctx.store.read() as tx:
        return [record.id for key in keys for record in records.by_key(tx, key)]


def as_an_earlier_version(ctx, ids):
    """Store the words of records without marks, and forget that anybody looked."""

    def work(tx):
        for record in records.by_ids(tx, ids).values():
            terms.put(tx, record.id, {term: n for term, n in insert.words_of(record).items() if n})
        settings.drop(tx, reindexing.STATE)

    ctx.store.write(work)


def marked(ctx, ids):
    with ctx.store.read() as tx:
        return [entry.record for entry in terms.of_records(tx, ids) if rules.MARK in entry.terms]


def test_rules_of_an_earlier_version_are_marked_and_others_stay(ctx):
    ids = store(ctx, RULE, OTHER)
    as_an_earlier_version(ctx, ids)
    assert marked(ctx, ids) == []
    assert reindexing.catch_up(ctx, lambda: False)
    assert marked(ctx, ids) == ids[:1]
    with ctx.store.read() as tx:
        (entry,) = terms.of_records(tx, ids[1:])
        assert settings.find(tx, reindexing.STATE) == f"{reindexing.VERSION} {reindexing.DONE}"
    assert set(entry.terms.tolist()) == tokens.terms(OTHER).keys()


def test_it_goes_on_where_it_was_stopped(ctx, monkeypatch):
    monkeypatch.setattr(reindexing, "BATCH", 2)
    ids = store(ctx, *(f"Never use tool number {n}." for n in range(7)))
    as_an_earlier_version(ctx, ids)
    looks = count()
    assert not reindexing.catch_up(ctx, lambda: next(looks) == 2)
    assert marked(ctx, ids) == ids[:4]
    assert reindexing.catch_up(ctx, lambda: False)
    assert marked(ctx, ids) == ids


def test_a_running_search_sees_what_was_marked(ctx):
    ids = store(ctx, RULE)
    as_an_earlier_version(ctx, ids)
    with ctx.store.read() as tx, ctx.indexes.records.current(tx) as caches:
        assert caches.words.read([rules.MARK])[0].frequency == 0
    reindexing.catch_up(ctx, lambda: False)
    with ctx.store.read() as tx, ctx.indexes.records.current(tx) as caches:
        assert caches.words.read([rules.MARK])[0].frequency == 1
