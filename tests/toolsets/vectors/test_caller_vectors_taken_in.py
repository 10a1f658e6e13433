"""Entries of the toolset vectors, exported and taken in elsewhere, and those of foreign files."""

import base64
import math
import random
import struct

import pytest

from foreign import take_in
from in_turn import FULL_ON_BOTH
from park import exported


def test_an_export_is_taken_in_elsewhere_whole(memory, open_store):
    pick = random.Random(2)
    for n in range(40):
        vector = {str(pick.randrange(1 << 40)): pick.gauss(0, 1) for _ in range(20)}
        memory.memorize(id=f"e{n}", vector=vector, text=pick.choice(["", "日本語", "text"]), metadata={"n": n})
        memory.feedback(id=f"e{n}", scoreAdjustment=pick.random())
    other = open_store("other")
    take_in(other, *exported(memory))
    assert exported(other) == exported(memory)
    assert other.search(vector=vector, limit=100) == memory.search(vector=vector, limit=100)


def test_an_import_may_bring_vectors_in_their_other_forms_and_what_is_none(memory):
    known = {"kind": "vector", "content": "", "namespace": None}
    take_in(
        memory,
        {**known, "id": "object", "metadata": {"vector": {"1": 2.0}}},
        {**known, "id": "array", "metadata": {"vector": [0, 2.0], "score": 1}},
        {**known, "id": "damaged", "metadata": {"vector": {"indices": "AAAA", "weights": "?"}, "metadata": 5}},
        {**known, "id": "none", "content": "only a text", "metadata": {"score": "high", "metadata": {"n": 1}}},
    )
    array, object_, none, damaged = memory.search(vector=[0, 1])
    assert (array["id"], array["similarity"], array["score"]) == ("array", 1, 1)
    assert (object_["id"], object_["similarity"], object_["vector"]) == ("object", 1, {"1": 2})
    assert (none["id"], none["similarity"], none["metadata"]) == ("none", 0, {"n": 1, "text": "only a text"})
    assert (damaged["vector"], damaged["metadata"], damaged["score"]) == ({}, {}, 0)


@pytest.mark.slow
@pytest.mark.parametrize("length", [20_000, pytest.param(400_000, marks=FULL_ON_BOTH)])
def test_a_vector_of_any_length_is_taken_in_elsewhere(memory, open_store, length):
    memory.memorize(id="long", vector=[math.pi] * length)
    other = open_store("other")
    take_in(other, *exported(memory))
    (match,) = other.search(vector=[1])
    assert match["vector"] == {str(index): math.pi for index in range(length)}
    assert match["similarity"] == pytest.approx(math.sqrt(1 / length), rel=1e-5)


def as_stored(indices, weights):
    """A vector as exports have it."""
    data = struct.pack(f"<{len(indices)}I", *indices), struct.pack(f"<{len(weights)}d", *weights)
    return dict(zip(("indices", "weights"), (base64.b64encode(part).decode() for part in data), strict=True))


@pytest.mark.parametrize(
    ("indices", "weights"),
    [
        ([1], [math.nan]),
        ([1, 2], [1, math.inf]),
        ([1, 2], [-math.inf, 1]),
        ([1, 1], [1, 1]),
        ([2, 1], [1, 1]),
        ([1, 2], [1, 0]),
        ([1, 2, 3], [1]),
    ],
    ids=["NaN", "infinity", "minus infinity", "an index twice", "descending", "a zero", "a weight too few"],
)
def test_an_import_whose_numbers_are_no_vector_is_one_of_zeros(memory, indices, weights):
    known = {"kind": "vector", "content": "", "namespace": None}
    take_in(
        memory,
        {**known, "id": "before", "metadata": {"vector": as_stored([1, 3], [1, 1])}},
        {**known, "id": "damaged", "metadata": {"vector": as_stored(indices, weights), "score": 9}},
        {**known, "id": "empty", "metadata": {"vector": as_stored([], [])}},
        {**known, "id": "behind", "metadata": {"vector": as_stored([1, 4], [-1, -1])}},
    )
    half = round(math.sqrt(0.5), 6)
    matches = memory.search(vector=[0, 1])
    assert [(match["id"], match["similarity"]) for match in matches] == [
        ("before", half),
        ("damaged", 0),
        ("empty", 0),
        ("behind", -half),
    ]
    assert matches[1]["vector"] == {}


# --- Over MCP ---
