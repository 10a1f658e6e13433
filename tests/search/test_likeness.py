"""How alike two documents are: the mean over the chunks that are nearest to each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indelible.search import tokens
from indelible.search.index.entries import Entry
from indelible.search.likeness import Rarity, Windows, Words, by_document, of_chunks

bounded = settings(max_examples=100)


def matrix(*rows):
    return np.array(rows, np.float32)


@pytest.mark.parametrize(
    ("similarities", "expected"),
    [
        (matrix([0.9]), 0.9),
        (matrix([0.9, 0.1], [0.2, 0.7]), 0.8),  # both chunks have a nearest that has them
        (matrix([0.9, 0.1, 0.3]), 0.9),  # a short document is like a part of a long one
        (matrix([0.9], [0.8]), 0.9),
        (matrix([0.9, 0.8], [0.2, 0.1]), 0.45),  # the second chunk is nearest to what is nearer to the first
        (matrix([0.9, 0.2, 0.2], [0.1, 0.2, 0.2]), 0.55),  # equally near ones are all nearest
        (np.eye(10, dtype=np.float32)[[0, 0, 0, 0, 0]], 1.0),  # a repeated passage is whole in the other
        (np.diag([1.0, *[0.1] * 9]).astype(np.float32), 0.19),  # one passage that two long documents share
        (matrix([0.0, 0.0], [0.0, 0.0]), 0.0),
        (matrix([1.0, 1.0], [1.0, 1.0]), 1.0),
    ],
)
def test_the_mean_is_taken_over_those_that_are_nearest_to_each_other(similarities, expected):
    assert of_chunks(similarities) == pytest.approx(expected)


@bounded
@given(st.integers(1, 6), st.integers(1, 6), st.randoms(use_true_random=False))
def test_it_is_the_same_from_both_sides_and_no_more_than_the_best_pair(rows, columns, random):
    values = [[random.randint(0, 1000) / 1000 for _ in range(columns)] for _ in range(rows)]
    found = of_chunks(matrix(*values))
    assert 0 <= found <= max(map(max, values)) + 1e-6
    assert found == pytest.approx(of_chunks(matrix(*values).T))


def test_each_document_is_told_by_its_own_columns():
    found = dict(by_document(matrix([0.9, 0.1, 0.4], [0.2, 0.7, 0.5]), ["a", "a", "b"]))
    assert found == {"a": pytest.approx(0.8), "b": pytest.approx(0.5)}


def unit(*rows):
    rows = np.array(rows, np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_of_several_windows_the_nearest_counts():
    own = Windows(unit([1, 0], [0, 1]), np.array([0, 0]))  # one chunk of two windows
    found = own.similarities(Windows(unit([1, 0], [-1, 0], [1, 1]), np.array([3, 3, 7])))
    assert found.tolist() == [[1.0, pytest.approx(2**-0.5)]]
    apart = Windows(unit([1, 0], [0, 1]), np.array([0, 1])).similarities(Windows(unit([-1, 0]), np.array([0])))
    assert apart.tolist() == [[0.0], [0.0]]  # never below 0


def entry(record, text):
    counts = tokens.terms(text)
    return Entry(record, "", "chunk", "", sum(counts.values()), tokens.pack(counts))


TEXTS = ["owls hunt mice at night", "the queue is drained", "owls sleep by day", "", "夜間バッチ"]


def test_words_tell_how_alike_chunks_are():
    entries = [entry(number, text) for number, text in enumerate(TEXTS, 1)]
    found = Words(entries, Rarity([entries[:2], entries[2:]])).similarities(entries)
    assert np.diag(found).tolist() == [pytest.approx(1), pytest.approx(1), pytest.approx(1), 0, pytest.approx(1)]
    assert np.allclose(found, found.T)
    assert 0 < found[0, 2] < 0.9  # owls
    assert found[0, 1] == found[0, 4] == found[3].max() == 0


def test_chunks_without_any_word_are_like_nothing():
    own, others = [entry(1, "")], [entry(2, "owls"), entry(3, "")]
    assert Words(own, Rarity([own, others])).similarities(others).tolist() == [[0, 0]]


def test_a_rare_word_tells_more_than_a_frequent_one():
    entries = [entry(number, text) for number, text in enumerate(["a queue of owls", "queue", "owls", "queue"], 1)]
    with_frequent, with_rare, _ = Words(entries[:1], Rarity([entries])).similarities(entries[1:])[0]
    assert with_rare > with_frequent > 0
