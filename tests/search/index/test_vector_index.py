"""The scan of sign codes, held against comparing bit by bit."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indelible.search.index import vector_index
from indelible.search.index.vector_index import (
    NARROWED,
    Coded,
    VectorIndex,
    codes_of,
    pack_codes_block,
    pool_size,
    width,
)


def vectors(n, d, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)).astype(np.float32)


def coded(record, dense, namespace="a", kind="memory", type_="context"):
    return Coded(record, namespace, kind, type_, codes_of(np.atleast_2d(dense)))


def by_bits(dense, query, mask, count):
    """What `nearest` says that it gives, over whole numbers, two bits a value."""
    differing = ((dense > 0) != (query > 0)).sum(axis=1)
    order = np.lexsort((np.arange(len(dense)), differing))
    pool = np.sort(order[mask[order]][: pool_size(count, int(mask.sum()))])
    levels = np.rint(query * (31 / np.abs(query).max())).astype(np.int64)
    if len(pool) > NARROWED * count:
        pool = np.sort(pool[np.argsort(-((dense[pool] > 0) @ levels), kind="stable")][: NARROWED * count])
    large = np.abs(dense[pool]) > np.abs(dense[pool]).mean(axis=1, keepdims=True)
    coarse = np.where(dense[pool] > 0, 1, -1) * np.where(large, 3, 1)
    estimates = (coarse @ levels).astype(np.float32) / np.sqrt((coarse**2).sum(axis=1), dtype=np.float32)
    return pool[np.argsort(-estimates, kind="stable")][:count].tolist()


@pytest.mark.parametrize("d", [1, 7, 8, 63, 64, 65, 100, 256, 384, 768, 1024, 1030])
def test_the_nearest_are_those_that_comparing_bit_by_bit_finds(d):
    dense = vectors(300, d)
    index = VectorIndex(d)
    index.put_many([coded(i + 1, row) for i, row in enumerate(dense)])
    mask = index.slots.mask(None, None, None)
    for seed in range(1, 6):
        query = vectors(1, d, seed)[0]
        assert index.nearest(query, mask, 25).tolist() == by_bits(dense, query, mask, 25)


@pytest.mark.parametrize("share", [0.0, 0.0005, 0.03, 0.3, 1.0])
@pytest.mark.parametrize("count", [1, 10, 400, 5000])
def test_only_what_the_mask_passes_is_found_over_many_slices(share, count):
    n, d = 3 * vector_index.SLICE + 17, 16  # so few bits that ties are everywhere
    dense = vectors(n, d)
    index = VectorIndex(d)
    index.put_many([Coded(1, "a", "memory", "context", codes_of(dense))])
    mask = np.random.default_rng(5).random(n) < share
    query = vectors(1, d, 9)[0]
    assert index.nearest(query, mask, count).tolist() == by_bits(dense, query, mask, count)


def test_the_mask_may_pass_one_end_of_the_index_only():
    n, d = 2 * vector_index.SLICE + 5, 64
    dense = vectors(n, d)
    index = VectorIndex(d)
    index.put_many([Coded(1, "a", "memory", "context", codes_of(dense))])
    query = vectors(1, d, 9)[0]
    for mask in (np.arange(n) < 9000, np.arange(n) >= n - 9000):
        assert index.nearest(query, mask, 50).tolist() == by_bits(dense, query, mask, 50)


@given(st.integers(0, 10_000), st.integers(1, 130), st.integers(0, 60), st.integers(0, 70))
def test_any_size_mask_and_count_give_what_comparing_bit_by_bit_gives(seed, d, n, count):
    dense, query = vectors(n, d, seed), vectors(1, d, seed + 1)[0]
    index = VectorIndex(d)
    index.put_many([coded(i, row) for i, row in enumerate(dense)])
    mask = np.random.default_rng(seed).random(n) < 0.6
    assert index.nearest(query, mask, count).tolist() == by_bits(dense, query, mask, count)


@pytest.mark.parametrize("seed", range(3))
def test_an_index_kept_up_in_pieces_finds_what_brute_force_finds(seed):
    pick, d = random.Random(seed), 48
    known, views, index = {}, {}, VectorIndex(d)
    for step in range(60):
        changed = {pick.randrange(1, 80): pick.randint(0, 3) for _ in range(pick.choice([1, 3, 20]))}
        for record, number in changed.items():
            views[record] = vectors(number, d, seed * 1000 + step * 100 + record)
            known[record] = (pick.choice("abc"), pick.choice(["memory", "solution"]))
        entries = [Coded(r, *known[r], "", codes_of(views[r])) for r in changed]
        if pick.random() < 0.3:  # what a start does: sealed blocks, some of whose records changed since
            index = VectorIndex(d)
            sealed = [Coded(r, *known[r], "", codes_of(views[r])) for r in sorted(known)]
            index.add_block(pack_codes_block(sealed), stale=changed)
        index.put_many(entries)
        gone = pick.randrange(1, 80)
        index.remove(gone)
        known.pop(gone, None)
        namespaces = pick.choice([None, {"a"}, {"b", "c"}])
        kinds = pick.choice([None, ("memory",)])
        mask = index.slots.mask(kinds, None, namespaces)
        query = vectors(1, d, seed + step)[0]
        living = np.flatnonzero(mask)
        held = list(
            zip(index.slots.records.values[living].tolist(), index.slots.views_of(living).tolist(), strict=True)
        )
        assert sorted(held) == [
            (record, view)
            for record, (namespace, kind) in sorted(known.items())
            for view in range(len(views[record]))
            if (namespaces is None or namespace in namespaces) and (kinds is None or kind in kinds)
        ]
        dense = np.array([views[record][view] for record, view in held], np.float32).reshape(-1, d)
        places = by_bits(dense, query, np.ones(len(dense), np.bool_), 20)
        assert index.nearest(query, mask, 20).tolist() == living[places].tolist()


def test_a_sealed_block_finds_what_the_records_that_it_was_made_of_find():
    dense, d = vectors(500, 384), 384
    entries = [coded(i, dense[i * 2 : i * 2 + 2], "ab"[i % 2]) for i in range(250)]
    direct, sealed = VectorIndex(d), VectorIndex(d)
    direct.put_many(entries)
    sealed.add_block(pack_codes_block(entries[:100]))
    sealed.add_block(pack_codes_block(entries[100:]))
    query = vectors(1, d, 3)[0]
    for namespaces in (None, {"a"}):
        mask = direct.slots.mask(None, None, namespaces)
        assert np.array_equal(mask, sealed.slots.mask(None, None, namespaces))
        assert np.array_equal(direct.nearest(query, mask, 40), sealed.nearest(query, mask, 40))
    assert sealed.slots.count == 250


@pytest.mark.slow
def test_the_nearest_by_cosine_are_among_the_candidates():
    pick, n, d = np.random.default_rng(2), 12_000, 384
    spread = (1 / np.sqrt(np.arange(1, d + 1))).astype(np.float32)  # few directions carry most, as in real texts
    turned = np.linalg.qr(vectors(d, d, 8))[0].astype(np.float32)
    topics = vectors(40, d, 1) * spread
    dense = (topics[pick.integers(0, 40, n)] + vectors(n, d, 3) * spread) @ turned
    dense /= np.linalg.norm(dense, axis=1, keepdims=True)
    index = VectorIndex(d)
    index.put_many([Coded(1, "a", "memory", "context", codes_of(dense))])
    mask = index.slots.mask(None, None, None)
    missed = 0
    for query in dense[:30] + 0.02 * vectors(30, d, 5):
        exact = np.argsort(-(dense @ query))[:10]
        missed += len(set(exact.tolist()) - set(index.nearest(query, mask, 200).tolist()))
    assert missed <= 3  # of 300


def test_an_empty_index_finds_nothing():
    index = VectorIndex(384)
    index.put_many([])
    index.add_block(pack_codes_block([]))
    query = vectors(1, 384)[0]
    assert index.nearest(query, index.slots.mask(None, None, None), 10).tolist() == []
    index.put_many([coded(1, query)])
    assert index.nearest(query, np.zeros(1, np.bool_), 10).tolist() == []
    assert index.nearest(query, np.ones(1, np.bool_), 0).tolist() == []
    assert index.nearest(query, np.ones(1, np.bool_), 10).tolist() == [0]


def test_a_record_without_vectors_any_more_is_gone():
    index = VectorIndex(64)
    index.put_many([coded(1, vectors(2, 64)), coded(2, vectors(1, 64))])
    index.put_many([Coded(1, "a", "memory", "context", np.zeros((0, 16), np.uint8))])
    assert index.slots.count == 1
    assert index.nearest(vectors(1, 64)[0], index.slots.mask(None, None, None), 9).tolist() == [2]


@pytest.mark.parametrize("shape", [(1, 104), (2, 48), (96,), (1, 2, 96)])
def test_codes_of_another_width_are_refused_and_change_nothing(shape):
    index = VectorIndex(384)
    index.put_many([coded(1, vectors(1, 384))])
    with pytest.raises(ValueError, match="384 dimensions need"):
        index.put_many([coded(1, vectors(1, 384)), Coded(2, "a", "memory", "", np.zeros(shape, np.uint8))])
    assert index.slots.slots_of([1, 2]).tolist() == [0, -1]


def test_a_query_of_other_dimensions_is_refused():
    index = VectorIndex(384)
    with pytest.raises(ValueError, match=r"\(100,\)"):
        index.nearest(vectors(1, 100)[0], index.slots.mask(None, None, None), 1)


def test_a_block_of_other_dimensions_is_refused_and_changes_nothing():
    index = VectorIndex(384)
    with pytest.raises(ValueError, match="384 dimensions need 12"):
        index.add_block(pack_codes_block([coded(1, vectors(3, 100))]))
    assert len(index.slots) == 0


def test_a_damaged_block_is_refused():
    body = bytearray(pack_codes_block([coded(1, vectors(3, 384))]))
    body[-10] ^= 4
    with pytest.raises(ValueError, match="damaged"):
        VectorIndex(384).add_block(bytes(body))


@pytest.mark.parametrize("dimensions", [-1, 0, 65_535])
def test_an_index_of_impossible_dimensions_is_refused(dimensions):
    with pytest.raises(ValueError, match="dimensions"):
        VectorIndex(dimensions)


@pytest.mark.parametrize(("d", "size"), [(1, 16), (64, 16), (65, 32), (384, 96), (1536, 384)])
def test_a_code_has_16_bytes_for_each_64_dimensions_the_signs_first(d, size):
    dense = vectors(4, d)
    codes = codes_of(dense)
    assert width(d) == size
    assert codes.shape == (4, size)
    for half, expected in enumerate((dense > 0, np.abs(dense) > np.abs(dense).mean(axis=1, keepdims=True))):
        bits = np.unpackbits(codes[:, half * size // 2 : (half + 1) * size // 2], axis=1)
        assert np.array_equal(bits[:, :d], expected)
        assert not bits[:, d:].any()


@pytest.mark.slow
def test_asked_for_more_a_search_goes_on_without_comparing_a_code_again(monkeypatch):
    index, query = VectorIndex(64), vectors(1, 64)[0]
    index.put_many([coded(record, vector) for record, vector in enumerate(vectors(40_000, 64, seed=3))])
    for mask in (index.slots.mask(None, None, None), np.arange(40_000) % 50 == 3):
        fresh = [index.nearest(query, mask, count).tolist() for count in (10, 40, 900)]
        search = index.search(query, mask)
        assert search.best(10).tolist() == fresh[0]
        with monkeypatch.context() as again:
            again.setattr(vector_index, "distances", None)
            assert [search.best(40).tolist(), search.best(900).tolist()] == fresh[1:]
