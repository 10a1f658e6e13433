"""How many statements a recall sends to the database: each is a round trip where that is a server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from indelible.core.context.permissions import Grant
from indelible.toolsets import registry
from made_up_meaning import embed_all, with_meaning

MOST = 7


class Counted:
    """A store whose reads note the names of the queries that they send."""

    def __init__(self, store):
        self._store = store
        self.sent = []
        self.rows = 0

    def __getattr__(self, name):
        return getattr(self._store, name)

    @contextmanager
    def read(self) -> Iterator[object]:
        with self._store.read() as tx:
            yield CountedTransaction(tx, self)


class CountedTransaction:
    def __init__(self, tx, counted):
        self._tx, self._counted = tx, counted
        self.tenant, self.scopes = tx.tenant, tx.scopes

    @property
    def remembered(self):
        return self._tx.remembered

    def rows(self, query, **parameters):
        self._counted.sent.append(query)
        found = self._tx.rows(query, **parameters)
        self._counted.rows += len(found)
        return found


@pytest.fixture
def counted(open_store) -> Callable[..., Counted]:
    """What one recall reads of a store that an earlier one has loaded, in which so many records wait."""
    memory = open_store(project="/srv/api")
    for number in range(60):
        place = {} if number % 3 else {"namespace": "elsewhere"}
        memory.store_memory(content=f"the deploy number {number} of the service", tags=["deploy"], **place)
    ctx = with_meaning(memory.context)
    embed_all(ctx)

    def recalled(tool="recall_memory", grant=None, waiting=0, **arguments) -> Counted:
        for number in range(waiting):
            memory.store_memory(content=f"another text, {number}")
        counted = Counted(ctx.store)
        own = replace(ctx, store=counted)
        own = own if grant is None else own.granted(grant)
        called = registry.find_tool(tool)
        assert registry.call(own, called, {"query": "number of the deploy", "k": 10, **arguments}).value
        counted.sent.clear()
        counted.rows = 0
        assert registry.call(own, called, {"query": "number of the deploy", "k": 10, **arguments}).value
        return counted

    return recalled


@pytest.fixture
def sent(counted) -> Callable[..., list[str]]:
    """The queries that one recall sends, as `counted`."""
    return lambda **arguments: counted(**arguments).sent


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"k": 1},
        {"k": 50},
        {"namespace": "elsewhere"},
        {"memory_type": "context"},
        {"query": "the deploy last week"},
    ],
)
def test_a_recall_without_relations_sends_at_most_seven(sent, arguments):
    found = sent(**arguments)
    assert 0 < len(found) <= MOST, found


def test_that_of_a_caller_limited_to_namespaces_too(sent):
    found = sent(grant=Grant("someone", namespaces=frozenset({"elsewhere"})))
    assert 0 < len(found) <= MOST, found


@pytest.mark.slow
def test_beside_an_import_it_reads_nothing_for_each_record_that_waits(counted):
    before = counted()
    beside = counted(waiting=200)
    assert 0 < len(beside.sent) <= MOST, beside.sent
    assert before.rows <= beside.rows <= before.rows + 10


def test_no_fact_of_the_store_is_looked_up_twice(sent):
    found = sent()
    once = [query for query in found if query != "embeddings.vectors"]  # of the candidates, then of their neighbours
    assert len(once) == len(set(once)), found
