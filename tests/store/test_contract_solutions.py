"""What both databases answer about solutions and failures."""

import json
import struct

import pytest

from indelible.store.tables import embeddings, records
from indelible.store.views import solutions
from samples import keep, of_tenant, record

STACK = {"name": "app", "languages": ["rust"]}


def solution(key, namespace="/a", scope="global", **fields):
    return record(key, kind="solution", type=scope, namespace=namespace, **fields)


def test_a_signature_stands_for_one_failure_of_a_namespace(db):
    keep(db, record("f1", kind="failure", content_hash="s", namespace="/a"))
    again = record("f2", kind="failure", content_hash="s", namespace="/a")
    assert db.write(lambda tx: records.insert(tx, again)) is None
    keep(db, record("f5", kind="failure", content_hash="s", namespace="/b"))
    keep(db, record("f3", kind="failure", content_hash=""), record("f4", kind="failure", content_hash=""))
    with db.read() as tx:
        assert [found.key for found in solutions.by_signatures(tx, ["s"])] == ["f1", "f5"]
        assert solutions.by_signatures(tx, [""]) == []
        assert solutions.by_signatures(of_tenant(tx, 2), ["s"]) == []


def test_solutions_of_one_text_are_found_in_order(db):
    keep(
        db, solution("a", "/b", content_hash="h"), solution("b", "/a", content_hash="h"), record("c", content_hash="h")
    )
    with db.read() as tx:
        assert [found.key for found in solutions.by_content(tx, "h")] == ["a", "b"]
        assert solutions.by_content(of_tenant(tx, 2), "h") == []


def test_namespaces_with_private_solutions_are_listed_once(db):
    kept = keep(
        db,
        solution("a", "/b", "repo"),
        solution("b", "/a", "repo"),
        solution("c", "/a", "repo"),
        solution("d", "/c", "stack"),
        solution("e", "", "repo"),
        record("f", type="repo", namespace="/d"),
    )
    with db.read() as tx:
        assert solutions.private_namespaces(tx) == ["", "/a", "/b"]
        assert solutions.private_namespaces(of_tenant(tx, 2)) == []
        private = solutions.private_among(tx, [each.id for each in kept] + [10**6])
    assert private == {kept[0].id: "/b", kept[1].id: "/a", kept[2].id: "/a", kept[4].id: ""}


def test_tags_are_ranked_without_those_that_are_hidden(db):
    keep(
        db,
        solution("a", tags=("x", "y")),
        solution("b", "/b", "repo", tags=("y", "z", "ä")),
        solution("c", "/b", tags=("z", "B")),
        record("d", tags=("x", "x2")),
    )
    with db.read() as tx:
        assert solutions.top_tags(tx, [], 10) == ["y", "z", "B", "x", "ä"]
        assert solutions.top_tags(tx, ["/b"], 10) == ["B", "x", "y", "z"]
        assert solutions.top_tags(tx, [], 1) == ["y"]
        assert solutions.top_tags(of_tenant(tx, 2), [], 10) == []


@pytest.mark.parametrize(
    ("metadata", "score", "stack"),
    [
        ({"score": 0.635, "fingerprint": STACK}, 0.635, STACK),
        ({"score": 1, "fingerprint": None}, 1.0, None),
        ({}, 0.5, None),
        ({"score": "much"}, 0.5, None),
        ({"score": 7}, 1.0, None),
        ({"score": -1}, 0.0, None),
        ({"score": {"a": 1}}, 0.5, None),
    ],
)
def test_experience_is_read_from_metadata_and_the_first_vector(db, metadata, score, stack):
    first, other = keep(db, solution("a", metadata=metadata, created=7), record("b", kind="failure", namespace="/f"))
    keep(db, record("m"))
    vector = struct.pack("<2e", 0.5, -1)

    def embed(tx):
        model = embeddings.add_model(tx, "m", 2)
        embeddings.put(tx, first.id, model.number, [(vector, b"c" * 16), (b"\0" * 4, b"c" * 16)])
        return model.number

    model = db.write(embed)
    with db.read() as tx:
        every = solutions.experience_in_range(tx, model, 0, 1 << 30)
        assert solutions.experience_of(tx, model, [other.id, first.id, 10**6]) == every
        without = solutions.experience_of(tx, 0, [first.id])
        assert solutions.experience_in_range(of_tenant(tx, 2), model, 0, 1 << 30) == []
        assert solutions.experience_in_range(tx, model, first.id, first.id + 1) == every[:1]
    assert [(known.record, known.group, known.vector) for known in every] == [
        (first.id, ("/a", "solution", "global"), vector),
        (other.id, ("/f", "failure", ""), None),
    ]
    assert (every[0].created, every[0].score) == (7, score)
    assert (json.loads(every[0].stack) if every[0].stack else None) == stack
    assert without[0].vector is None


def test_the_newest_solutions_come_first_without_what_is_hidden(db):
    keep(
        db,
        solution("old", created=1),
        solution("tied b", created=5),
        solution("tied a", created=5),
        solution("own", "/a", "repo", created=7),
        solution("theirs", "/b", "repo", created=9),
        solution("not private", "/b", created=3),
        record("failure", kind="failure", namespace="/a", created=8),
    )
    with db.read() as tx:

        def newest(hidden, limit):
            return [found.key for found in solutions.newest(tx, hidden, limit)]

        assert newest([], 10) == ["theirs", "own", "tied a", "tied b", "not private", "old"]
        assert newest(["/b"], 10) == ["own", "tied a", "tied b", "not private", "old"]
        assert newest(["/b", "/a"], 2) == ["tied a", "tied b"]
        assert newest([], 0) == []
        assert solutions.newest(of_tenant(tx, 2), [], 10) == []
