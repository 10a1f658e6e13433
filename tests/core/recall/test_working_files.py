"""Recall puts first, among the relevant, what is linked to the files in hand."""

import pytest

from codebases import Codebase
from indelible.store.tables import activity
from indelible.store.tables.activity import Activity
from indelible.store.views import code_links
from indelible.toolsets.code import links as linking

HERE = "/home/me/app"
QUERY = "is the lock slow with many people waiting"
FILES = {
    "src/store.py": ["app.store.Store.write", "app.store.open_store"],
    "src/pool.py": ["app.pool.Pool.close", "app.pool.retry_count"],
}
# Of the same words, in the same order of relevance as they are stored here: the newer first.
TEXTS = ("the lock is slow, says open_store", "the lock is slow, says retry_count", "the lock is slow, says somebody")


@pytest.fixture
def memory(open_store):
    memory = open_store(project=HERE)
    Codebase(memory, HERE).add(FILES)
    for text in TEXTS:
        memory.store_memory(content=text)
    memory.store_memory(content="bananas are yellow in open_store and retry_count")
    linking.catch_up(memory.context)
    return memory


def work_on(memory, path, *, namespace=HERE, action="edit", minutes_ago=0):
    """An agent edits a file, as its hook tells it."""
    ctx = memory.context
    time = ctx.now() - minutes_ago * 60_000_000
    done = Activity("claude-code:s", f"e{time}", time, "claude-code", "tool", namespace, action, path, "ok")
    ctx.store.write(lambda tx: activity.add(tx, [done]))


def found(memory, query=QUERY, **filters):
    return [hit["content"].rpartition(" ")[2] for hit in memory.recall_memory(query=query, **filters)]


def scores(memory, query=QUERY):
    return {hit["content"]: hit["score"] for hit in memory.recall_memory(query=query)}


@pytest.mark.parametrize(
    ("query", "first"),
    [
        (QUERY + " in src/store.py", "open_store"),
        (QUERY + " in src/pool.py", "retry_count"),
        (QUERY + " in pool.py?", "retry_count"),
    ],
)
def test_what_is_linked_to_a_file_that_the_query_names_comes_first(memory, query, first):
    assert found(memory, query)[0] == first


def test_what_is_linked_to_a_symbol_that_the_query_names_by_another_name_comes_first(memory):
    assert found(memory, QUERY + ", app.pool.retry_count")[0] == "retry_count"


@pytest.mark.parametrize("action", ["read", "edit"])
@pytest.mark.parametrize(("path", "first"), [("src/store.py", "open_store"), ("src/pool.py", "retry_count")])
def test_what_is_linked_to_a_file_that_an_agent_works_on_comes_first(memory, path, first, action):
    work_on(memory, f"{HERE}/{path}", action=action)
    assert found(memory)[0] == first
    assert found(memory, namespace=HERE)[0] == first


@pytest.mark.parametrize(
    "other", [{"minutes_ago": 21}, {"namespace": "/home/me/other"}, {"action": "command"}, {"path": "/tmp/notes.py"}]
)
def test_what_is_not_in_hand_changes_nothing(memory, other):
    before = scores(memory)
    work_on(memory, **{"path": f"{HERE}/src/store.py", **other})
    assert scores(memory) == pytest.approx(before, abs=1e-4)


def test_what_is_not_relevant_is_not_found_by_the_file_it_is_about(memory):
    for path in FILES:
        work_on(memory, f"{HERE}/{path}")
    assert not any("bananas" in hit["content"] for hit in memory.recall_memory(query=QUERY))
    assert memory.recall_memory(query="xyzzy quux in src/pool.py") == []


def test_a_score_stays_the_sum_that_it_shows(memory):
    work_on(memory, f"{HERE}/src/store.py")
    weights = memory.set_scoring_weights()
    weights = weights.get("weights", weights)
    for hit in memory.recall_memory(query=QUERY + " in src/pool.py"):
        assert hit["score"] == pytest.approx(
            sum(weights[name] * value for name, value in hit["score_breakdown"].items() if name in weights), abs=1e-3
        )
        assert all(0 <= value <= 1 for value in hit["score_breakdown"].values())


def test_where_no_code_is_indexed_nothing_is_looked_up(open_store, monkeypatch):
    memory = open_store(project=HERE)
    memory.store_memory(content=TEXTS[0])
    work_on(memory, f"{HERE}/src/store.py")
    monkeypatch.delattr(code_links, "subjects")
    assert found(memory, QUERY + " in src/store.py") == ["open_store"]
