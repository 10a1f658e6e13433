"""The index of callers' vectors against the plain definition of what it is to find."""

import math
import random

import numpy as np
import pytest

from indelible.search.index import sparse_vectors
from indelible.search.index.sparse_vectors import Entry, SparseVectors

HIGH = (1 << 63) - 1


def entry(record, vector, *, score=0.0, time=0, key=None):
    indices = sorted(vector)
    return Entry(
        record,
        f"key-{record:06}" if key is None else key,
        score,
        time,
        np.array(indices, np.int64),
        np.array([vector[index] for index in indices], np.float64),
    )


def index_of(*entries):
    index = SparseVectors()
    index.put_many(entries)
    return index


def search(index, vector, limit=5):
    indices = sorted(vector)
    return index.search(np.array(indices, np.int64), np.array([vector[i] for i in indices], np.float64), limit)


def cosine(one, other):
    norms = math.hypot(*one.values()) * math.hypot(*other.values())
    return round(math.fsum(one[i] * other[i] for i in one.keys() & other.keys()) / norms, 12) if norms else 0.0


def by_definition(entries, query, limit):
    """Every entry compared, all of them sorted."""
    found = []
    for each in entries:
        vector = dict(zip(each.indices.tolist(), each.weights.tolist(), strict=True))
        found.append((-cosine(vector, query), -each.score, -each.time, each.key, each.record))
    return [record for *_, record in sorted(found)[:limit]]


def drawn(pick, dimensions, most):
    return {index: pick.gauss(0, 1) for index in pick.sample(range(dimensions), pick.randint(0, most))}


@pytest.mark.parametrize("dimensions", [5, 40, 3000], ids=["dense", "half dense", "sparse"])
def test_a_search_finds_what_comparing_all_finds(dimensions):
    pick = random.Random(dimensions)
    entries = [
        entry(record, drawn(pick, dimensions, min(dimensions, 20)), score=pick.choice([0.0, 1.0]), time=record % 7)
        for record in range(400)
    ]
    index = index_of(*entries)
    for _ in range(30):
        query = drawn(pick, dimensions, min(dimensions, 20))
        found = search(index, query, 25)
        assert [record for record, _ in found] == by_definition(entries, query, 25)
        assert [similarity for _, similarity in found] == sorted((s for _, s in found), reverse=True)


def test_what_was_put_changed_and_removed_one_by_one_is_what_is_found():
    pick, index, there = random.Random(3), SparseVectors(), {}
    for step in range(1500):
        record = pick.randrange(200)
        if pick.random() < 0.2:
            index.remove(record)
            there.pop(record, None)
        else:
            there[record] = entry(record, drawn(pick, 60, 12), time=step)
            index.put_many([there[record]])
        assert index.count == len(there)
    for _ in range(30):
        query = drawn(pick, 60, 12)
        assert [record for record, _ in search(index, query, 40)] == by_definition(there.values(), query, 40)


@pytest.mark.slow
def test_entries_added_one_by_one_take_no_more_room_than_at_once():
    entries = [entry(record, {record: 1.0, 7: 2.0}) for record in range(2000)]
    index = SparseVectors()
    for each in entries:
        index.put_many([each])
    assert len(index._parts) <= 12
    for each in entries:  # each of them again, as feedback does it
        index.put_many([each])
    assert index.count == 2000
    assert sum(len(part.alive) for part in index._parts) <= 4000


def test_more_entries_than_a_part_holds_are_all_searched(monkeypatch):
    monkeypatch.setattr(sparse_vectors, "LARGEST", 64)
    entries = [entry(record, {record % 50: 1.0, 100 + record: 0.5}) for record in range(300)]
    index = index_of(*entries)
    assert [record for record, _ in search(index, {7: 1.0}, 6)] == [7, 57, 107, 157, 207, 257]
    for record in range(0, 300, 2):
        index.remove(record)
    assert [record for record, _ in search(index, {7: 1.0}, 6)] == [7, 57, 107, 157, 207, 257]
    assert [record for record, _ in search(index, {8: 1.0}, 1000)] == list(range(1, 300, 2))  # all at 0, by key


TIES = {
    "the higher score": (entry(1, {1: 1.0}, score=1.0), entry(2, {1: 1.0}, score=0.5, time=9)),
    "the newer": (entry(1, {1: 1.0}, time=6, key="b"), entry(2, {1: 1.0}, time=5, key="a")),
    "the lower key": (entry(1, {1: 1.0}, key="a"), entry(2, {1: 1.0}, key="b")),
    "of parallel ones the higher score": (
        entry(1, {1: 3.0, 2: 6.0, 5: 0.3}, score=1.0),
        entry(2, {1: 1.0, 2: 2.0, 5: 0.1}, time=9),
    ),
    "of orthogonal ones the higher score": (entry(1, {1: 0.1, 2: -0.1}, score=1.0), entry(2, {8: 1.0}, time=9)),
    "of zero and orthogonal ones the higher score": (entry(1, {}, score=1.0), entry(2, {8: 1.0}, time=9)),
}


@pytest.mark.parametrize(("first", "second"), TIES.values(), ids=TIES)
def test_among_equally_similar_ones_comes_first(first, second):
    for order in ([first, second], [second, first]):
        together = index_of(*order)
        apart = SparseVectors()
        for each in order:
            apart.put_many([each])
        for index in (together, apart):
            found = search(index, {1: 1.0, 2: 1.0, 5: 0.0})
            assert [record for record, _ in found] == [1, 2]
            assert found[0][1] == found[1][1]


def test_ties_are_decided_among_all_that_tie():
    pick = random.Random(1)
    entries = [entry(n, {4: 1.0}, score=float(pick.randrange(5)), time=pick.randrange(4)) for n in range(3000)]
    query = {4: 2.0}
    for limit in (1, 5, 700):
        found = search(index_of(*entries), query, limit)
        assert [record for record, _ in found] == by_definition(entries, query, limit)


def test_equal_vectors_tie_wherever_they_stand(monkeypatch):
    """In a part of its own, in a column, among others: the same sum."""
    monkeypatch.setattr(sparse_vectors, "DECIMALS", 17)
    pick = random.Random(5)
    same = {index: pick.gauss(0, 1) for index in range(0, 90, 3)}
    index = SparseVectors()
    index.put_many([entry(n, drawn(pick, 90, 30)) for n in range(100)])
    index.put_many([entry(1000, same), *(entry(n, drawn(pick, 90, 30)) for n in range(200, 260))])
    index.put_many([entry(n, same) for n in range(300, 340)])
    index.put_many([entry(2000, same)])
    found = search(index, {index: pick.gauss(0, 1) for index in range(90)}, 10_000)
    assert len({similarity for record, similarity in found if record >= 1000 or 300 <= record < 340}) == 1


@pytest.mark.parametrize("weight", [1e308, 1e-308, 5e-324, 1.7e-200])
def test_weights_at_the_ends_of_their_range_have_a_direction(weight):
    index = index_of(entry(1, {1: weight, 2: weight}), entry(2, {1: -weight}), entry(3, {9: 1.0}))
    assert search(index, {1: weight, 2: weight}) == [(1, 1.0), (3, 0.0), (2, round(-math.sqrt(0.5), 12))]
    assert search(index, {1: 1e-300}) == [(1, round(math.sqrt(0.5), 12)), (3, 0.0), (2, -1.0)]


def test_indices_may_be_as_high_as_they_can_be_counted():
    vectors = [{HIGH: 1.0}, {HIGH - 1: 1.0}, {1 << 32: 1.0}, {(1 << 32) - 1: 1.0}, {0: 1.0}]
    index = index_of(*(entry(record, vector) for record, vector in enumerate(vectors)))
    index.remove(9)
    index.put_many([entry(10, {HIGH: 1.0, 5: 1.0})])
    for record, vector in enumerate(vectors):
        assert search(index, vector, 1) == [(record, 1.0)]


@pytest.mark.parametrize("limit", [0, -1])
def test_nothing_is_found_where_nothing_is_asked_for(limit):
    assert search(index_of(entry(1, {1: 1.0})), {1: 1.0}, limit) == []


def test_an_empty_index_finds_nothing():
    index = index_of(entry(1, {1: 1.0}))
    index.remove(1)
    index.remove(1)
    assert (index.count, search(index, {1: 1.0}), search(SparseVectors(), {})) == (0, [], [])


def test_a_query_of_zeros_is_similar_to_nothing():
    assert search(index_of(entry(1, {1: 1.0}), entry(2, {}, score=1.0)), {}) == [(2, 0.0), (1, 0.0)]


def test_weights_of_single_precision_take_half_the_room_and_nothing_else_changes():
    pick = random.Random(6)
    short = [
        entry(n, {index: float(np.float32(weight)) for index, weight in drawn(pick, 40, 30).items()}) for n in range(90)
    ]
    index = index_of(*short)
    assert {part.weights.dtype for part in index._parts} == {np.dtype(np.float32)}
    query = drawn(pick, 40, 30)
    before = search(index, query, 90)
    assert [record for record, _ in before] == by_definition(short, query, 90)
    long = [entry(n, drawn(pick, 40, 30)) for n in range(90, 150)]  # a part with both
    index.put_many(long)
    assert {part.weights.dtype for part in index._parts} == {np.dtype(np.float64)}
    after = search(index, query, 150)
    assert [record for record, _ in after] == by_definition(short + long, query, 150)
    assert [pair for pair in after if pair[0] < 90] == before
