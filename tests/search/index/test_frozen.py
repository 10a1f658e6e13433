"""An index that is frozen stays as it is, whatever is added to the one that it was made of or removed from it."""

import tracemalloc

import numpy as np
import pytest

from indelible.search.index.entries import Entry
from indelible.search.index.postings import Bm25, Postings, pack_block
from indelible.search.index.slots import Slots

TERMS = 30


def entry(random, record):
    terms = np.unique(random.integers(0, TERMS, 6)).astype(np.uint32)
    counts = random.integers(1, 4, len(terms)).astype(np.uint8)
    return Entry(record, f"n{record % 3}", "memory", "", int(counts.sum()), terms.tobytes() + counts.tobytes())


def look(postings, terms):
    """All that a search asks of an index once it has read its terms."""
    mask = postings.mask(("memory",), None, {"n0", "n2"})
    return [
        postings.count,
        postings.namespaces,
        postings.records.values.tolist(),
        mask.tolist(),
        postings.slots_of(np.arange(220)).tolist(),
        Bm25(postings, terms, mask).of_best(10).tolist(),
    ]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("limited", [False, True])
def test_what_is_frozen_stays(seed, limited):
    random = np.random.default_rng(seed)
    postings = Postings()
    postings.add_block(pack_block([entry(random, record) for record in range(60)]))
    earlier = []
    for step in range(12):
        postings.put_many([entry(random, int(record)) for record in random.choice(200, 5, replace=False)])
        own = postings.within(frozenset({"n0", "n1"})) if limited else postings
        frozen, terms = own.frozen(), own.read(range(TERMS))
        earlier.append((frozen, terms, look(own, terms)))
        for record in random.choice(200, 4, replace=False).tolist():
            postings.remove(record)
        if step == 6:
            postings.add_block(pack_block([entry(random, record) for record in range(205, 215)]))
        for then, read, seen in earlier:
            assert look(then, read) == seen
    assert look(postings, postings.read(range(TERMS))) != earlier[0][2]


GROUP = ("n0", "memory", "")
MANY = 50_000
SMALL = 20_000  # bytes: what is kept of so many records takes millions


@pytest.fixture
def slots():
    found = Slots()
    found.add(list(range(MANY - 1)), [GROUP] * (MANY - 1))
    found.add([MANY - 1], [GROUP])  # so that the columns have just grown
    return found


def test_adding_to_what_is_frozen_copies_nothing_of_it(slots):
    frozen = slots.frozen()
    tracemalloc.start()
    try:
        slots.add([MANY], [GROUP])
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < SMALL
    assert slots.slots_of([MANY, 7]).tolist() == [MANY, 7]
    assert frozen.slots_of([MANY, 7]).tolist() == [-1, 7]
    assert frozen.span(MANY) == (-1, 0)
    assert (len(frozen), frozen.count, slots.count) == (MANY, MANY, MANY + 1)


def test_a_group_that_came_later_is_none_of_what_is_frozen(slots):
    frozen = slots.frozen()
    slots.add([MANY], [("n1", "memory", "")])
    assert (frozen.namespaces, slots.namespaces) == ({"n0"}, {"n0", "n1"})
    assert frozen.mask(None, None, None).sum() == MANY
