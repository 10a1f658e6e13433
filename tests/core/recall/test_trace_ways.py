"""Why a hit is there where its own text is not the reason: by a neighbour, a mention, a newer version, a failure."""

from dataclasses import replace

import pytest

from codebases import Codebase
from indelible.core.indexes.embedder import Embedder
from indelible.core.recall import trace
from indelible.core.recall.candidates import Query
from indelible.toolsets.code import links
from made_up_meaning import WordsEncoder, compare_all


@pytest.fixture
def meant(memory):
    """A store whose encoder knows which texts share words."""
    return type(memory)(replace(memory.context, embedder=Embedder(WordsEncoder())))


def by(ctx, query, k=10, **filters):
    """The reasons of each hit by its text."""
    found = trace.explained(ctx, Query(query, k, **filters))
    return {each.hit.record.text: {why.by: why for why in each.reasons} for each in found}


def test_a_file_that_the_question_names_is_the_reason_of_what_is_linked_to_it(open_store):
    memory = open_store(project="/home/me/app")
    Codebase(memory, "/home/me/app").add({"src/store.py": ["app.store.Store.write", "app.store.open_store"]})
    for end in ("open_store", "somebody"):
        memory.store_memory(content=f"{end} says that the lock is slow")
    links.catch_up(memory.context)
    found = by(memory.context, "is the lock slow in src/store.py")
    assert found["open_store says that the lock is slow"]["mention"].id == "file:src/store.py"
    assert "mention" not in found["somebody says that the lock is slow"]


def test_the_older_version_is_the_reason_of_a_newer_one_that_stands_before_it(meant):
    ctx, older, newer = (
        meant.context,
        "The lease of a worker lasts 20 seconds",
        "The lease of a worker lasts 90 seconds",
    )
    ids = []
    for text in (older, newer):
        ids.append(meant.store_memory(content=text)["id"])
        compare_all(ctx)
    found = by(ctx, "how long does the lease of a worker last, 20?")
    assert list(found) == [newer, older]
    assert found[newer]["newer"].id == ids[0]
    assert "newer" not in found[older]


def test_a_failure_stands_for_its_entity_and_says_so(memory):
    error = "redis refused the connection of the checkout"
    memory.matrix_failure(errorType="runtime", errorMessage=error, rootCause="none runs", fixApplied="start redis")
    ctx = memory.context
    (failure,) = trace.explained(ctx, Query(error, 10))
    assert [(why.by, why.id[:5]) for why in failure.reasons] == [
        ("words", ""),
        ("failure", "err#r"),
        ("failure", "fix#r"),
    ]
    found = trace.explain(ctx, Query(error, 10), f"err#{error}")
    assert (found.stage, found.reason, found.into) == ("collapse", "failure", failure.hit.record.key)
    assert "says the same of one failure and is number 1" in found.sentence
