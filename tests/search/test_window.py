"""What neighbours lend each other, on made-up vectors."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

from indelible.search import window
from indelible.search.window import ANSWER, ASKING, COHERENT, FEWEST, LEAST, REPEATS, SHARES, SHORT, WHOLE, Pairs

D = 128


class Pair(NamedTuple):
    """One of the pairs that `Pairs` has as columns."""

    lender: int
    borrower: int
    distance: int


def columns(pairs, answering=()):
    """The pairs as columns; `answering` are (lender, borrower) of those whose lender asks something."""
    table = np.array(pairs, np.int64).reshape(-1, 3)
    asked = np.array([tuple(row) in answering for row in table[:, :2].tolist()], np.bool_)
    return Pairs(*table.T, asked)


def coherence(values, vectors, pairs):
    pairs = columns(pairs)
    return window.coherence(vectors, window.judged(np.asarray(values)[pairs.lenders], pairs))


def lent_to(values, vectors, pairs, answering=()):
    """What `Retrieval.from_neighbours` makes of them: the share of each pair, 0 for lenders that lend nothing."""
    values, pairs = np.asarray(values), columns(pairs, answering)
    own, shares = values[pairs.lenders], np.zeros(len(pairs))
    some = window.lending(own, values.max())
    trust = window.trust(vectors, window.judged(own, pairs))
    shares[some] = window.lent(own[some], values.max(), vectors, pairs.take(some), trust)
    return shares


def unit(rows):
    rows = np.asarray(rows, np.float32)
    return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)


def chance(n, seed=0):
    return unit(np.random.default_rng(seed).standard_normal((n, D)))


def topics(count, size, alike, seed=0):
    """`size` texts of each of `count` topics, each having about `alike` as its cosine with others of its topic."""
    return unit(
        np.repeat(chance(count, seed), size, axis=0) * alike**0.5 + chance(count * size, seed + 1) * (1 - alike) ** 0.5
    )


def side_by_side(n, distances=(1, 2)):
    """The pairs of n texts that stand in one row, both ways."""
    return [
        Pair(a, b, distance)
        for distance in distances
        for low in range(n - distance)
        for a, b in ((low, low + distance), (low + distance, low))
    ]


# --- Whether the order has a meaning ---


def test_a_talk_that_goes_from_topic_to_topic_is_coherent():
    talk = topics(10, 5, 0.5)
    assert coherence(np.ones(50), talk, side_by_side(50)) > 3 * COHERENT[1]


@pytest.mark.parametrize("seed", range(10))
def test_texts_in_random_order_are_not(seed):
    talk = topics(10, 5, 0.5)[np.random.default_rng(seed).permutation(50)]
    assert abs(coherence(np.ones(50), talk, side_by_side(50))) < COHERENT[1]


def test_texts_that_are_all_about_one_thing_are_in_no_order_either():
    talk = topics(1, 50, 0.5)
    assert coherence(np.ones(50), talk, side_by_side(50)) == pytest.approx(0, abs=COHERENT[0])


@pytest.mark.parametrize("count", range(FEWEST))
def test_few_neighbours_tell_nothing(count):
    pairs = [Pair(2 * i, 2 * i + 1, 1) for i in range(count)]
    assert coherence(np.ones(40), topics(20, 2, 0.9), pairs) == 0


def test_texts_two_apart_do_not_tell():
    assert coherence(np.ones(50), topics(10, 5, 0.5), side_by_side(50, (2,))) == 0


def test_neighbours_of_a_single_text_tell_nothing():
    pairs = [Pair(0, other, 1) for other in (1, 2, 3, 4)]
    assert coherence(np.ones(5), topics(1, 5, 0.9), pairs) == 0


def test_only_the_best_candidates_tell():
    """A coherent half that is relevant and a half in no order that is not."""
    n = 2 * window.JUDGED + 20
    vectors = np.concatenate([topics(n // 4, 4, 0.6), chance(n, 9)])
    pairs = [Pair(a, a + 1, 1) for a in itertools.chain(range(0, n - 1), range(n, 2 * n - 1))]
    values = np.concatenate([np.ones(n), np.full(n, 0.1)])
    best = coherence(values, vectors, pairs)
    assert best == pytest.approx(coherence(values[:n], vectors[:n], pairs[: n - 1]))
    assert coherence(1.1 - values, vectors, pairs) < best / 2


# --- What is lent ---


@pytest.fixture
def talk():
    """50 texts of ten topics, so coherent that all is lent that can be, and no two repeat each other."""
    vectors = topics(10, 5, 0.15)
    assert coherence(np.ones(50), vectors, side_by_side(50)) > COHERENT[1]
    return vectors


def shares(values, vectors, pairs):
    return dict(zip(pairs, lent_to(values, vectors, pairs).tolist(), strict=True))


def test_the_best_lends_the_next_ones_more_than_those_after_them(talk):
    values = np.full(50, 0.001)
    values[22] = 1.0
    found = shares(values, talk, side_by_side(50))
    lent = {pair: share for pair, share in found.items() if share > 0}
    assert {(pair.lender, pair.borrower) for pair in lent} == {(22, 20), (22, 21), (22, 23), (22, 24)}
    for pair, share in lent.items():
        assert share == pytest.approx((1 - LEAST) * SHARES[pair.distance - 1])


def test_what_asks_lends_most_to_what_comes_next(talk):
    values = np.full(50, 0.001)
    values[22] = 1.0
    pairs = side_by_side(50)
    lent = lent_to(values, talk, pairs, {(22, 23)})
    found = {pair: share for pair, share in zip(pairs, lent.tolist(), strict=True) if share > 0}
    assert found.pop(Pair(22, 23, 1)) == pytest.approx((1 - LEAST) * ANSWER)
    others = {pair: share for pair, share in shares(values, talk, pairs).items() if share > 0 and pair.borrower != 23}
    assert len(others) == 3
    assert found == pytest.approx(others)


@pytest.mark.parametrize(("value", "part"), [(1.0, 0.6), (0.8, 0.5), (0.5, 0.2), (LEAST, 0.0), (0.2, 0.0), (0.0, 0.0)])
def test_who_is_far_below_the_best_lends_nothing(talk, value, part):
    values = np.full(50, 0.001)
    values[[2, 32]] = 1.0, value
    assert shares(values, talk, side_by_side(50))[Pair(32, 33, 1)] == pytest.approx(part * SHARES[0], abs=1e-6)


def test_the_share_does_not_depend_on_how_good_the_best_is(talk):
    values = np.full(50, 0.001)
    values[[2, 32]] = 1.0, 0.7
    whole, half = (lent_to(by * values, talk, side_by_side(50)) for by in (1.0, 0.5))
    np.testing.assert_allclose(whole, half)


@pytest.mark.parametrize(
    ("cosine", "part"), [(-0.3, 1), (0.0, 1), (REPEATS[0], 1), (0.55, 0.5), (REPEATS[1], 0), (1.0, 0)]
)
def test_a_repeat_of_the_lender_gets_nothing(talk, cosine, part):
    across = unit([talk[22] * 0 + chance(1, 5)[0]])[0]
    across = unit([across - (across @ talk[22]) * talk[22]])[0]
    talk[23] = cosine * talk[22] + (1 - cosine**2) ** 0.5 * across
    values = np.full(50, 0.001)
    values[22] = 1.0
    found = shares(values, talk, side_by_side(50))[Pair(22, 23, 1)]
    assert found == pytest.approx(part * (1 - LEAST) * SHARES[0], abs=1e-4)


def test_a_text_without_a_vector_gets_its_share(talk):
    talk[23] = 0
    values = np.full(50, 0.001)
    values[22] = 1.0
    assert shares(values, talk, side_by_side(50))[Pair(22, 23, 1)] > 0


def test_in_an_order_of_no_meaning_nobody_lends():
    vectors = chance(50)
    assert coherence(np.ones(50), vectors, side_by_side(50)) < COHERENT[0]
    assert not lent_to(np.ones(50), vectors, side_by_side(50)).any()


def test_between_the_two_as_much_as_the_order_can_be_trusted():
    """Vectors that are more alike to their neighbours by exactly the middle of the ramp."""
    middle = sum(COHERENT) / 2
    eye = np.eye(D, dtype=np.float32)
    pairs, rows = [], []
    for i in range(20):
        pairs.append(Pair(2 * i, 2 * i + 1, 1))
        rows += [eye[2 * i], middle * eye[2 * i] + (1 - middle**2) ** 0.5 * eye[2 * i + 1]]
    vectors = np.array(rows, np.float32)
    assert coherence(np.ones(40), vectors, pairs) == pytest.approx(middle)
    np.testing.assert_allclose(lent_to(np.ones(40), vectors, pairs), 0.5 * (1 - LEAST) * SHARES[0], rtol=1e-4)


def test_neighbours_that_are_alike_only_here_and_there_are_trusted_less():
    """The mean is the same; by how far it may be chance is taken off."""
    eye = np.eye(D, dtype=np.float32)

    def order(cosines):
        pairs = [Pair(2 * i, 2 * i + 1, 1) for i in range(len(cosines))]
        rows = [
            row
            for i, c in enumerate(cosines)
            for row in (eye[2 * i], c * eye[2 * i] + (1 - c**2) ** 0.5 * eye[2 * i + 1])
        ]
        return coherence(np.ones(2 * len(cosines)), np.array(rows, np.float32), pairs)

    even, uneven = order([0.2] * 20), order([0.8] * 5 + [0.0] * 15)
    assert even == pytest.approx(0.2)
    assert uneven == pytest.approx(0.2 - np.std([0.8] * 5 + [0.0] * 15) / 20**0.5)


def test_without_pairs_nothing_is_lent(talk):
    assert lent_to(np.ones(50), talk, []).tolist() == []


# --- Turns that say little ---


@pytest.mark.parametrize("words", [WHOLE, WHOLE + 1, 10 * WHOLE])
def test_a_whole_turn_of_a_talk_keeps_its_relevance_and_one_that_asks_loses_some(words):
    assert window.said(1.0, np.array([words, words]), np.array([False, True])) == pytest.approx([1, 1 - ASKING])


def test_a_turn_of_few_words_says_the_less_the_fewer_it_has():
    said = window.said(1.0, np.array([0, WHOLE // 2, WHOLE]), np.zeros(3, np.bool_))
    assert said == pytest.approx([1 - SHORT, 1 - SHORT / 2, 1])


def test_short_texts_in_an_order_of_no_meaning_are_no_turns_of_a_talk():
    sizes, asking = np.array([0, 5, 40]), np.array([True, False, True])
    assert window.said(0.0, sizes, asking).tolist() == [1, 1, 1]
    half, whole = (1 - window.said(trust, sizes, np.zeros(3, np.bool_)) for trust in (0.5, 1.0))
    np.testing.assert_allclose(half, whole / 2)


# --- Pairs ---


def test_the_neighbours_of_rows_become_pairs_in_their_order():
    pairs = Pairs.of([(5, 4, 3, 6, 7, True), (9, 0, 0, 10, 0, 0), (20, 0, 0, 0, 0, 1)])
    assert list(zip(pairs.lenders.tolist(), pairs.borrowers.tolist(), pairs.distances.tolist(), strict=True)) == [
        (5, 4, 1),
        (5, 3, 2),
        (5, 6, 1),
        (5, 7, 2),
        (9, 10, 1),
    ]
    assert pairs.answering.tolist() == [False, False, True, False, False]
    assert len(pairs.take(pairs.distances == 2)) == 2
    assert len(Pairs.of([])) == 0
