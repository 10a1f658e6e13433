"""Vectors that are kept come back as they were, those kept first go first, and no row is given for another record."""

import numpy as np
import pytest

from indelible.search.index.kept_vectors import KeptVectors, Windows
from indelible.search.index.vectors import pack

D = 64


def row(record, window, version=0):
    return np.full(D, record + window / 16 + version * 100, np.float32)


def rows(record, windows, version=0):
    return [(record, pack(row(record, window, version)[np.newaxis])[0][0]) for window in range(windows)]


def keep(kept, sizes, version=0):
    ids = np.array(sorted(sizes), np.int64)
    stored = [each for record in sorted(sizes, reverse=True) for each in rows(record, sizes[record], version)]
    kept.keep(ids, Windows.of(ids, stored))


def found(kept, asked):
    windows, missing = kept.find(np.array(asked, np.int64))
    given = {}
    for vector, place in zip(windows.vectors, windows.places.tolist(), strict=True):
        given.setdefault(asked[place], []).append(vector)
    return given, missing.tolist()


def test_nothing_is_known_at_first():
    assert found(KeptVectors(8), [1, 2]) == ({}, [1, 2])


def test_windows_come_back_in_their_order_beside_what_is_missing():
    kept = KeptVectors(16)
    keep(kept, {2: 1, 5: 3, 9: 2})
    given, missing = found(kept, [1, 2, 5, 7, 9])
    assert missing == [1, 7]
    assert {record: [vector[0] for vector in vectors] for record, vectors in given.items()} == {
        2: [2],
        5: [5, 5.0625, 5.125],
        9: [9, 9.0625],
    }


def test_a_copy_is_given():
    kept = KeptVectors(4)
    keep(kept, {1: 1})
    windows, _ = kept.find(np.array([1]))
    keep(kept, {2: 1, 3: 1, 4: 1, 5: 1})
    assert windows.vectors[0, 0] == 1


def test_what_is_forgotten_or_too_long_is_missing():
    kept = KeptVectors(4)
    keep(kept, {1: 1, 2: 5, 3: 1})
    kept.forget([3, 77])
    assert found(kept, [1, 2, 3])[1] == [2, 3]
    assert len(kept) == 1


def test_a_record_that_is_kept_again_has_its_new_vectors_alone():
    kept = KeptVectors(8)
    keep(kept, {1: 3})
    keep(kept, {1: 2}, version=1)
    given, _ = found(kept, [1])
    assert [vector[0] for vector in given[1]] == [101, 101.0625]


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_kept_and_dropped_each_record_has_its_own_last_vectors(seed):
    random = np.random.default_rng(seed)
    kept, last = KeptVectors(20), {}
    for version in range(200):
        ids = random.choice(40, random.integers(1, 6), replace=False).tolist()
        if random.random() < 0.2:
            kept.forget(ids)
            for record in ids:
                last.pop(record, None)
            continue
        sizes = {record: int(random.integers(1, 5)) for record in ids}
        keep(kept, sizes, version)
        last.update({record: (size, version) for record, size in sizes.items()})
        given, missing = found(kept, list(range(40)))
        assert {*given, *missing} == set(range(40))
        assert not given.keys() - last.keys()
        assert given.keys() >= {ids[-1]} if sum(sizes.values()) <= 20 and len(ids) == 1 else True
        for record, vectors in given.items():
            size, at = last[record]
            assert [vector[0] for vector in vectors] == [
                np.float32(np.float16(row(record, window, at)[0])) for window in range(size)
            ]
    assert sum(map(len, given.values())) <= 20


@pytest.mark.parametrize("seed", range(5))
def test_texts_of_one_window_are_kept_together_and_the_last_stays(seed):
    random = np.random.default_rng(seed)
    kept, last = KeptVectors(20), {}
    for version in range(100):
        size = int(random.integers(1, 4)) if random.random() < 0.2 else 1
        ids = sorted(random.choice(60, random.integers(1, 31) if size == 1 else 1, replace=False).tolist())
        keep(kept, dict.fromkeys(ids, size), version)
        last.update(dict.fromkeys(ids, (size, version)))
        given, _ = found(kept, list(range(60)))
        assert ids[-1] in given
        assert len(kept) == len(given) <= 20
        for record, vectors in given.items():
            windows, at = last[record]
            expected = [np.float32(np.float16(row(record, window, at)[0])) for window in range(windows)]
            assert [vector[0] for vector in vectors] == expected


# --- The windows of one question ---


def test_of_several_windows_the_nearest_and_the_direction_of_all_count():
    vectors = np.eye(4, dtype=np.float32)[[0, 1, 2, 2]]
    windows = Windows(vectors, np.array([0, 0, 2, 3]))
    highest, has_any = windows.highest(4, np.array([0.25, 0.5, -2.0, 0.75], np.float32))
    directions = windows.directions(4, 4)
    assert highest.tolist() == [0.5, -1, -1, 0.75]
    assert has_any.tolist() == [True, False, True, True]
    half = np.sqrt(0.5)
    np.testing.assert_allclose(directions, [[half, half, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]], atol=1e-6)


def test_records_of_one_window_each_have_its_vectors_as_they_are():
    vectors, products = np.eye(3, dtype=np.float32), np.array([0.1, -2.0, 0.3], np.float32)
    for places in ([0, 1, 2], [2, 0, 1]):
        windows = Windows(vectors, np.array(places))
        (highest, has_any), directions = windows.highest(3, products), windows.directions(3, 3)
        assert has_any.all()
        assert highest[places].tolist() == [float(products[0]), -1, float(products[2])]
        assert directions[places].tolist() == vectors.tolist()


def test_records_without_windows_have_no_direction():
    windows = Windows.of(np.array([4, 7]), [])
    highest, has_any = windows.highest(2, np.zeros(0, np.float32))
    assert highest.tolist() == [-1, -1]
    assert not has_any.any()
    assert windows.directions(2, 3).tolist() == [[0, 0, 0], [0, 0, 0]]
