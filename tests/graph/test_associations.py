"""Pairs of memories by their tags: who is among the nearest of each other, held against all comparisons there are."""

import random

import numpy as np
import pytest

from indelible.graph import associations
from indelible.graph.associations import best_pairs


def found(types, tags, best=5):
    pairs = best_pairs(types, [frozenset(t.split()) for t in tags], best)
    return dict(zip(zip(pairs.low.tolist(), pairs.high.tolist(), strict=True), pairs.weight.tolist(), strict=True))


def by_comparing_all(types, tags, best):
    sets = [set(t.split()) for t in tags]
    chosen = []
    for one, own in enumerate(sets):
        near = [
            (-len(own & other) / len(own | other), abs(at - one), at)
            for at, other in enumerate(sets)
            if types[at] != types[one] and own & other
        ]
        chosen.append({at: -nearness for nearness, _, at in sorted(near)[:best]})
    return {(one, at): near[at] for one, near in enumerate(chosen) for at in near if one < at and one in chosen[at]}


@pytest.mark.parametrize(
    ("types", "tags", "pairs"),
    [
        ("", [], {}),
        ("d", ["a"], {}),
        ("dd", ["a", "a"], {}),  # of one type
        ("dp", ["a", "b"], {}),  # without a common tag
        ("dp", ["", ""], {}),
        ("dp", ["a", "a"], {(0, 1): 1.0}),
        ("dp", ["a b", "b c"], {(0, 1): 1 / 3}),
        ("dpi", ["a b c", "a b", "c"], {(0, 1): 2 / 3, (0, 2): 1 / 3}),
        ("dp", ["キャッシュ 缓存", "缓存"], {(0, 1): 0.5}),
    ],
)
def test_a_pair_shares_a_tag_and_differs_in_type(types, tags, pairs):
    assert found(list(types), tags) == pytest.approx(pairs)


def test_of_equally_near_ones_those_that_stand_nearest_come_first():
    assert set(found("pdddp", ["a"] * 5, best=1)) == {(0, 1), (3, 4)}
    assert set(found("dpdpdp", ["a"] * 6, best=2)) == {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)}


def test_nobody_has_more_partners_than_the_best_not_even_one_that_all_would_have():
    pairs = found(["d", *["p"] * 500], ["a"] * 501)
    assert set(pairs) == {(0, at) for at in range(1, 6)}


@pytest.mark.parametrize("seed", range(20))
def test_the_pairs_are_those_of_all_comparisons(seed):
    rng = random.Random(seed)
    count, vocabulary = rng.randint(2, 120), [f"t{n}" for n in range(rng.randint(1, 12))]
    types = [rng.choice("dpi") for _ in range(count)]
    tags = [" ".join(rng.sample(vocabulary, rng.randint(0, min(4, len(vocabulary))))) for _ in range(count)]
    best = rng.choice([1, 3, 5, 10])
    assert found(types, tags, best) == pytest.approx(by_comparing_all(types, tags, best))


def test_more_tags_than_there_is_time_for_give_the_same_pairs_each_time(monkeypatch):
    types = [("d", "p")[at % 2] for at in range(400)]
    tags = [f"all own{at // 2} {'few' if at % 50 == 0 else ''}" for at in range(400)]
    whole = found(types, tags)
    monkeypatch.setattr(associations, "BUDGET", 5_000)
    some = found(types, tags)
    assert some == found(types, tags)
    assert {pair: weight for pair, weight in whole.items() if weight > 0.6}.items() <= some.items()
    assert some.keys() != whole.keys()


def test_the_pairs_come_in_order_and_once():
    pairs = best_pairs(["d", "p"] * 30, [frozenset(("a", f"b{at % 4}")) for at in range(60)])
    keys = pairs.low * 60 + pairs.high
    assert np.all(np.diff(keys) > 0)
    assert np.all(pairs.low < pairs.high)
