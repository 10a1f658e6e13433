"""What is noted of projects is read at most once in a transaction, and again where that changed it."""

import re
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import pytest

from every_tool import EXAMPLES, PREPARED
from indelible.core.context.permissions import EVERYTHING, Grant
from indelible.errors import IndelibleError
from indelible.project import REPOSITORY
from indelible.store import named_queries
from indelible.store.limited_form import FORM
from indelible.store.tables import projects, purge
from indelible.toolsets import registry

HERE = "/srv/api"
READING = ("projects.aliases", "recall.opening")  # the queries that read the notes of projects


class Watched:
    """A store that notes the queries of each transaction."""

    def __init__(self, store):
        self._store = store
        self.sent: list[list[str]] = []

    def __getattr__(self, name):
        return getattr(self._store, name)

    @contextmanager
    def read(self):
        with self._store.read() as tx:
            yield self._watched(tx)

    def write(self, work):
        return self._store.write(lambda tx: work(self._watched(tx)))

    def _watched(self, tx):
        self.sent.append([])
        return WatchedTransaction(tx, self.sent[-1])


class WatchedTransaction:
    def __init__(self, tx, sent):
        self._tx, self._sent = tx, sent

    def __getattr__(self, name):
        return getattr(self._tx, name)

    def rows(self, query, **parameters):
        self._sent.append(query)
        return self._tx.rows(query, **parameters)


def readings(memory, tool: str, arguments: dict[str, Any], grant: Grant = EVERYTHING) -> list[int]:
    """Call a tool; how often each of its transactions read the notes of projects."""
    watched = Watched(memory.context.store)
    registry.call(replace(memory.context, store=watched).granted(grant), registry.find_tool(tool), arguments)
    return [sum(query.removeprefix(FORM) in READING for query in sent) for sent in watched.sent]


@pytest.fixture
def noted(open_store):
    """A store in which the caller's project, and what the examples of tools need, is noted already."""
    memory = open_store(project=HERE)
    memory.store_memory(content="the deploy of the service waits")
    memory.import_memories(memories=PREPARED)
    return memory


@pytest.mark.process
@pytest.mark.slow
def test_no_transaction_of_any_tool_reads_twice_what_is_noted_of_projects(noted):
    found = {tool: readings(noted, tool, arguments) for tool, arguments in EXAMPLES.items()}
    assert {tool: counts for tool, counts in found.items() if max(counts, default=0) > 1} == {}
    assert {tool for tool, counts in found.items() if 1 in counts} > {
        "store_memory",
        "recall_memory",
        "matrix_store",
        "log_chat",
        "list_namespaces",
    }


@pytest.mark.process
@pytest.mark.slow
def test_nor_does_one_of_a_caller_that_is_limited_to_namespaces(noted):
    grant = Grant("someone", "write", frozenset({HERE, "elsewhere"}))
    found = {}
    for tool, arguments in EXAMPLES.items():
        with suppress(IndelibleError):  # what it may not do, or does not find
            found[tool] = readings(noted, tool, arguments, grant)
    assert {tool: counts for tool, counts in found.items() if max(counts, default=0) > 1} == {}
    assert {tool for tool, counts in found.items() if 1 in counts} > {"recall_memory", "log_chat", "list_namespaces"}


def test_a_write_sees_what_it_noted_itself(memory):
    def work(tx):
        before = memory.context.scope(tx).aliases.canonical("/srv/clone")
        projects.add(tx, "/srv/clone", HERE, 1, REPOSITORY)
        return before, memory.context.scope(tx).aliases.canonical("/srv/clone")

    assert memory.context.store.write(work) == ("/srv/clone", HERE)


def test_a_write_does_not_see_what_one_before_it_was_shown(memory):
    """The connection of the thread that writes is the same; what was made for a write is not."""
    store = memory.context.store
    one = store.write(memory.context.scope)
    assert store.write(memory.context.scope) is not one
    with store.read() as tx:
        assert memory.context.scope(tx) is memory.context.scope(tx)


# Every query that writes what is noted of projects, and the function that sends it.
WRITES = {
    "projects.add": lambda tx: projects.add(tx, "/srv/clone", HERE, 1),
    "projects.change": lambda tx: projects.change(tx, HERE, HERE, REPOSITORY),
    "projects.join": lambda tx: projects.join(tx, "/srv/clone", HERE),
    "projects.note_answer": lambda tx: projects.note_answer(tx, HERE),
    "purge.drop_aliases": lambda tx: purge.drop_aliases(tx, ["/srv/clone"]),
}


def test_the_writes_of_projects_are_these():
    queries = named_queries.load("sqlite")
    writing = re.compile(r"(INSERT INTO|UPDATE|DELETE FROM)\s+project\b")
    assert {name for name in queries if writing.search(queries[name])} == set(WRITES)


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_each_of_them_has_the_scope_made_anew(memory, write):
    def work(tx):
        before = memory.context.scope(tx)
        write(tx)
        return before is memory.context.scope(tx)

    assert not memory.context.store.write(work)
