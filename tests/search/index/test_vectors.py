"""Vectors as blobs: what comes back is what was kept, and its signs are the code's."""

import numpy as np
import pytest

from indelible.search.index import vectors
from indelible.search.index.vector_index import Coded, VectorIndex, codes_of

D = 384


def unit(n, d=D, seed=0):
    dense = np.random.default_rng(seed).standard_normal((n, d)).astype(np.float32)
    return dense / np.linalg.norm(dense, axis=1, keepdims=True)


@pytest.mark.parametrize("d", [1, 8, 63, 64, 384, 1024])
def test_packed_vectors_come_back_in_order_as_near_as_float16_is(d):
    dense = unit(5, d)
    packed = vectors.pack(dense)
    assert [len(values) for values, _ in packed] == [2 * d] * 5
    found = vectors.unpack([values for values, _ in packed])
    assert (found.dtype, found.shape) == (np.float32, (5, d))
    np.testing.assert_allclose(found, dense, atol=5e-4)
    np.testing.assert_array_equal(vectors.unpack([values for values, _ in vectors.pack(found)]), found)


def test_cosines_of_packed_vectors_differ_by_less_than_a_thousandth():
    dense, query = unit(200), unit(1, seed=7)[0]
    found = vectors.unpack([values for values, _ in vectors.pack(dense)])
    assert np.abs(found @ query - dense @ query).max() < 0.001


def test_of_no_vectors_there_are_none():
    assert vectors.unpack([]).shape == (0, 0)
    assert vectors.pack(np.zeros((0, D), np.float32)) == []


@pytest.mark.parametrize("windows", [1, 2, 12])
def test_what_the_index_keeps_of_a_record_is_its_group_and_the_codes_of_its_windows_in_order(windows):
    dense = unit(windows)
    kept = vectors.coded(7, ("n", "memory", "style"), [code for _, code in vectors.pack(dense)])
    assert (kept.record, kept.group) == (7, ("n", "memory", "style"))
    np.testing.assert_array_equal(kept.codes, codes_of(dense))


def test_a_record_read_from_blobs_is_found_as_one_that_never_left_memory():
    index, dense = VectorIndex(D), unit(60)
    for record in range(20):
        of_it = dense[record * 3 : record * 3 + 3]
        index.put_many([vectors.coded(record, ("a", "memory", ""), [code for _, code in vectors.pack(of_it)])])
    direct = VectorIndex(D)
    direct.put_many([Coded(r, "a", "memory", "", codes_of(dense[r * 3 : r * 3 + 3])) for r in range(20)])
    query, mask = unit(1, seed=3)[0], np.ones(60, np.bool_)
    assert index.nearest(query, mask, 25).tolist() == direct.nearest(query, mask, 25).tolist()
