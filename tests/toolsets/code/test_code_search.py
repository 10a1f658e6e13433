"""search_code finds code by what it does, in an index apart from that of memories."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from indelible.admin import doctor
from indelible.core.context.context import Context, open_context
from indelible.core.context.permissions import Grant
from indelible.core.indexes.indexes import Indexes
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.model import Record
from indelible.search import tokens
from indelible.settings import Settings
from indelible.store.tables import pending, records, symbols, terms
from indelible.toolsets.memory import memories
from indelible.toolsets.memory.memories import NewMemory
from indexed_code import call, write
from made_up_meaning import embed_all, seal_all, with_meaning

CONFIG = '''
def parse_settings(text):
    """Parse a JSON configuration file."""
    return loads(text)


class Ledger:
    """What customers owe."""

    def settle(self, amount):
        """Pay an invoice in full."""
        return amount
'''
MAIL = '''
def send(to):
    """Send an electronic letter about an overdue invoice."""
    return smtp(to)
'''
TEST = '''
from billing.config import parse_settings


def test_parse_settings():
    """A JSON configuration file is parsed."""
    assert parse_settings("{}")
'''
SHOP = {"billing/config.py": CONFIG, "billing/mail.py": MAIL, "tests/test_config.py": TEST}
OTHER = {"tool.py": 'def read_settings(text):\n    """Parse a JSON configuration file."""\n    return loads(text)\n'}


@pytest.fixture(scope="module")
def stored(tmp_path_factory) -> Iterator[Context]:
    """Two projects' code and a memory, without embeddings; the server's project is the shop."""
    home = tmp_path_factory.mktemp("code")
    shop, other = write(home / "shop", SHOP), write(home / "other", OTHER)
    opened = open_context(Settings(data=home / "data", start=shop, home=home))
    call(opened, "index_codebase", path=str(shop))
    call(opened, "index_codebase", path=str(other))
    memories.store(opened, NewMemory("We parse the JSON configuration file once, at the start"))
    yield opened
    opened.close()


@pytest.fixture
def ctx(stored) -> Context:
    return stored


def names(ctx, query, k=10):
    return [hit["qualified_name"] for hit in call(ctx, "search_code", query=query, k=k)]


def test_code_is_found_by_what_its_comment_says(ctx):
    assert names(ctx, "overdue letter")[0] == "billing.mail.send"


def test_a_query_that_nothing_is_about_finds_nothing(ctx):
    assert names(ctx, "xylophone quartz zebra") == []


def test_the_symbol_that_a_query_names_is_first(ctx):
    assert names(ctx, "Ledger.settle")[0] == "billing.config.Ledger.settle"
    assert names(ctx, "where do we call read_settings for a JSON configuration file")[0] == "tool.read_settings"


def test_the_servers_own_project_is_first(ctx):
    assert names(ctx, "parse a JSON configuration file")[:2] == ["billing.config.parse_settings", "tool.read_settings"]


def test_a_test_is_below_what_it_tests_unless_tests_are_asked_for(ctx):
    test, tested = "tests.test_config.test_parse_settings", "billing.config.parse_settings"
    assert names(ctx, "JSON configuration file parsed").index(tested) < names(
        ctx, "JSON configuration file parsed"
    ).index(test)
    asked = names(ctx, "test that a JSON configuration file is parsed")
    assert asked.index(test) < asked.index(tested)


def test_as_many_as_are_asked_for_come_and_none_for_none(ctx):
    assert len(names(ctx, "JSON configuration", 1)) == 1
    assert names(ctx, "JSON configuration", 0) == []


def test_recall_finds_no_code_and_a_search_of_code_finds_no_memory(ctx):
    assert {hit.record.kind for hit in recall(ctx, Query("JSON configuration file", 10))} == {"memory"}
    assert all(name.startswith(("billing", "tool", "tests")) for name in names(ctx, "JSON configuration file"))


def test_a_caller_sees_the_code_of_its_namespaces_only(ctx):
    with ctx.store.read() as tx:
        (namespace,) = {record.namespace for record in records.by_key(tx, "sym:tool.read_settings")}
    limited = ctx.granted(Grant(who="a token", namespaces=frozenset({namespace})))
    assert names(limited, "JSON configuration file") == ["tool.read_settings"]


def test_what_is_gone_from_the_source_is_not_found(ctx):
    with ctx.store.read() as tx:
        (record,) = records.by_key(tx, "sym:billing.mail.send")
    ctx.store.write(lambda tx: symbols.mark_deleted(tx, [record.id], ctx.now()))
    try:
        assert names(ctx, "overdue letter") == []
    finally:
        ctx.store.write(lambda tx: symbols.mark_deleted(tx, [record.id], 0))


def test_a_symbol_that_somebody_imported_is_found_and_recall_does_not_know_it(ctx):
    text = "def harvest(field)\nBring in the turnips"
    of = {"label": "harvest", "type": "function"}
    made = Record("sym:farm.harvest", "symbol", text, ctx.now(), ctx.now(), **of)

    def work(tx):
        record = records.insert(tx, made)
        terms.put(tx, record, tokens.terms(text), terms.words_of("symbol"))
        return record

    record = ctx.store.write(work)
    try:
        (hit,) = call(ctx, "search_code", query="turnips")
        assert (hit["qualified_name"], hit["name"]) == ("farm.harvest", "harvest")
        assert recall(ctx, Query("turnips", 10)) == []
    finally:
        ctx.store.write(lambda tx: records.delete(tx, record))
    assert names(ctx, "turnips") == []


def test_by_meaning_sealed_or_not_and_from_another_process_the_same_is_found(ctx):
    meant = with_meaning(ctx)
    embed_all(meant)
    text = call(meant, "search_code", query="Pay an invoice in full")
    assert text[0]["qualified_name"] == "billing.config.Ledger.settle"
    assert text[0]["similarity"] > 0
    seal_all(meant)
    fresh = replace(meant, indexes=Indexes())
    assert call(fresh, "search_code", query="Pay an invoice in full") == text
    assert [hit.record.kind for hit in recall(fresh, Query("JSON configuration file", 10))] == ["memory"]
    with fresh.store.read() as tx, fresh.indexes.records.current(tx, fresh.embedder.model) as caches:
        assert caches.words.count == caches.meaning.vectors.slots.count == 1


def test_a_memory_is_embedded_before_all_code_that_waits(ctx, tmp_path):
    opened = open_context(Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path))
    try:
        memories.store(opened, NewMemory("first of all"))
        call(opened, "index_codebase", path=str(write(tmp_path / "shop", SHOP)))
        with opened.store.read() as tx:
            (first,) = records.newest(tx, "memory", None)
        taken = opened.store.write(lambda tx: pending.take(tx, "me", opened.now(), opened.now() + 1, 3))
        assert taken[0] == first.id
        assert len(taken) == 3
    finally:
        opened.close()


def test_a_store_with_code_is_sound(ctx):
    report = doctor.examine(ctx.settings)
    assert report.sound, report.lines


def test_searches_beside_each_other_find_the_same(ctx):
    expected, found = names(ctx, "JSON configuration file"), []
    threads = [threading.Thread(target=lambda: found.append(names(ctx, "JSON configuration file"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
