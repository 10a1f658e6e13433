"""Rules of stores that an earlier version filled are marked in the background, with the words that it read."""

import pytest

from indelible.admin import maintenance, tokenizer
from indelible.core.records import insert
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
        settings.drop(tx, tokenizer.SETTING)

    ctx.store.write(work)


def marked(ctx, ids):
    with ctx.store.read() as tx:
        return [entry.record for entry in terms.of_records(tx, ids) if rules.MARK in entry.terms]


def test_rules_of_an_earlier_version_are_marked_and_others_stay(ctx):
    ids = store(ctx, RULE, OTHER)
    as_an_earlier_version(ctx, ids)
    assert marked(ctx, ids) == []
    assert maintenance.read_words_again(ctx, 10.0)
    assert marked(ctx, ids) == ids[:1]
    with ctx.store.read() as tx:
        (entry,) = terms.of_records(tx, ids[1:])
    assert set(entry.terms.tolist()) == tokens.terms(OTHER).keys()


def test_a_running_search_sees_what_was_marked(ctx):
    ids = store(ctx, RULE)
    as_an_earlier_version(ctx, ids)
    with ctx.store.read() as tx, ctx.indexes.records.current(tx) as caches:
        assert caches.words.read([rules.MARK])[0].frequency == 0
    assert maintenance.read_words_again(ctx, 10.0)
    with ctx.store.read() as tx, ctx.indexes.records.current(tx) as caches:
        assert caches.words.read([rules.MARK])[0].frequency == 1
