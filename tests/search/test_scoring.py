"""The components of a score and how they come together."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from indelible.clock import micros
from indelible.model import COMPONENTS
from indelible.search import scoring, tokens
from indelible.search.time_spans import TimeSpan

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


# --- Words ---


FULL = scoring.FULL_OVERLAP


@pytest.mark.parametrize(
    ("bm25", "weight", "expected"),
    [
        (0.0, 4.0, 0.0),
        (-1.0, 4.0, 0.0),  # a word in nearly every record
        (FULL * 4.0, 4.0, 1.0),
        (FULL * 40.0, 4.0, 1.0),
        (FULL, 4.0, 0.5),
        (FULL * 0.04, 4.0, 0.1),
        (0.0, 0.0, 0.0),  # a query of no known word
    ],
)
def test_overlap_is_the_root_of_the_share_of_what_a_full_match_has(bm25, weight, expected):
    assert scoring.overlap(bm25, weight) == pytest.approx(expected)
    assert scoring.overlap(np.array([bm25, 0.0]), weight).tolist() == pytest.approx([expected, 0])


def test_a_record_that_has_every_word_of_the_query_once_is_far_above_half():
    assert 0.7 < scoring.overlap(4.0, 4.0) < 1


# --- Meaning ---

SPARSE, DENSE = scoring.SPARSE_SHARE, 1 - scoring.SPARSE_SHARE


@pytest.mark.parametrize(
    ("cosine", "dot", "own", "expected"),
    [
        (1.0, 4.0, 4.0, 1.0),  # the text itself
        (1.0, 40.0, 4.0, 1.0),  # a text that says it over and over
        (0.0, 4.0, 4.0, SPARSE),
        (-0.5, 4.0, 4.0, SPARSE),  # the opposite is not less than nothing
        (-1.0, 0.0, 4.0, 0.0),
        (0.6, 1.0, 4.0, 0.6 * DENSE + 0.25 * SPARSE),
        (0.6, 0.0, 4.0, 0.6 * DENSE),
        (1.0001, 0.0, 4.0, DENSE),  # rounding
        (0.6, 0.0, 0.0, 0.6),  # a model without sparse terms
        (-0.6, 0.0, 0.0, 0.0),
    ],
)
def test_similarity_is_of_the_cosine_and_of_the_share_of_the_querys_sparse_weight(cosine, dot, own, expected):
    assert 0.3 < SPARSE < 0.7
    assert scoring.similarity(cosine, dot, own) == pytest.approx(expected)
    found = scoring.similarity(np.array([cosine, 0.0]), np.array([dot, 0.0]), own)
    assert found.tolist() == pytest.approx([expected, 0.0])


@pytest.mark.parametrize(
    ("idf", "known", "expected"),
    [
        ([1.0, 1.0], [True, True], 40.0),
        ([0.0, 1.0], [True, True], 36.0),
        ([1.0, 9.0], [True, False], 40.0),  # what no record has is as telling as the others
        ([9.0, 9.0], [False, False], 20.0),  # nothing is known of any: above 0, since there are sparse terms
    ],
)
def test_sparse_terms_count_by_how_rare_they_are(idf, known, expected):
    weights = np.array([2.0, 4.0], np.float32)
    rated, own = scoring.telling(weights, np.array(idf), np.array(known))
    assert rated.tolist() == [2 * (1 + idf[0]), 4 * (1 + idf[1])]
    assert own == pytest.approx(expected)


def test_a_model_without_sparse_terms_has_no_product():
    none = np.zeros(0, np.float32)
    rated, own = scoring.telling(none, none, np.zeros(0, np.bool_))
    assert (rated.tolist(), own) == ([], 0.0)


# --- Together ---


@pytest.mark.parametrize(
    ("overlap", "similarity", "expected"), [(0, 0, 0), (1, 1, 1), (1, 0, 0.375), (0, 1, 0.625), (0.5, 0.5, 0.5)]
)
def test_words_and_meaning_weigh_as_in_the_score(overlap, similarity, expected):
    assert scoring.fused(overlap, similarity) == pytest.approx(expected)
    assert scoring.fused(np.array([overlap]), np.array([similarity])).tolist() == [pytest.approx(expected)]


@pytest.mark.parametrize("overlap", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("value", [0.0, 0.2, 0.5, 0.9, 1.2])
def test_the_similarity_that_lifts_a_record_to_a_value_does_so_as_far_as_one_can(overlap, value):
    similarity = scoring.similarity_for(value, overlap)
    assert 0 <= similarity <= 1
    lowest, highest = scoring.fused(overlap, 0.0), scoring.fused(overlap, 1.0)
    assert scoring.fused(overlap, similarity) == pytest.approx(min(highest, max(lowest, value)))


def test_the_default_weights_are_those_of_the_reference_and_sum_to_1():
    assert dict(scoring.DEFAULT_WEIGHTS) == {
        "vector_similarity": 0.25,
        "graph_strength": 0.25,
        "token_overlap": 0.15,
        "temporal": 0.10,
        "tag_matching": 0.10,
        "importance": 0.05,
        "confidence": 0.05,
        "recency": 0.05,
    }
    assert set(scoring.DEFAULT_WEIGHTS) == set(COMPONENTS)
    assert sum(scoring.DEFAULT_WEIGHTS.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_component_counts_by_its_weight(name):
    none = dict.fromkeys(COMPONENTS, 0.0)
    assert scoring.combine({**none, name: 1.0}, scoring.DEFAULT_WEIGHTS) == scoring.DEFAULT_WEIGHTS[name]
    assert scoring.combine(none, scoring.DEFAULT_WEIGHTS) == 0


def test_what_does_not_look_at_the_query_makes_a_better_hit_of_an_equal_not_of_a_far_worse_one():
    def most(relevance):
        """The score of a record that has all else."""
        multiplied = scoring.relevance(relevance)
        rest = dict.fromkeys(COMPONENTS, multiplied)
        return scoring.combine(
            {**rest, "vector_similarity": relevance, "token_overlap": relevance, "tag_matching": 0},
            scoring.DEFAULT_WEIGHTS,
        )

    def least(relevance):
        none = dict.fromkeys(COMPONENTS, 0.0)
        return scoring.combine(
            {**none, "vector_similarity": relevance, "token_overlap": relevance}, scoring.DEFAULT_WEIGHTS
        )

    assert most(0.5) > least(0.5)
    assert most(0.2) < least(0.5)
    assert all(most(value) <= 2.26 * least(value) for value in (0.01, 0.1, 0.5, 1.0))


# --- Time and tags ---


@pytest.mark.parametrize(
    ("days", "temporal", "recency"),
    [(0, 1, 1), (7, 0.7919, 0.3679), (30, 0.3679, 0.0138), (-3, 1, 1), (36500, 0, 0)],
)
def test_age_counts_by_the_month_and_use_by_the_week(days, temporal, recency):
    then = np.array([micros(NOW - timedelta(days=days))])
    assert scoring.temporal(micros(NOW), then, None) == pytest.approx([temporal], abs=1e-4)
    assert scoring.recency(micros(NOW), then) == pytest.approx([recency], abs=1e-4)


def test_where_the_query_names_a_time_it_counts_how_well_the_record_fits_it():
    last_week = TimeSpan(NOW - timedelta(days=7), NOW)
    times = np.array([micros(NOW - timedelta(days=days)) for days in (3, 40)])
    inside, outside = scoring.temporal(micros(NOW), times, last_week).tolist()
    assert inside == 1
    assert outside < 0.1


@pytest.mark.parametrize(
    ("tags", "words", "expected"),
    [
        ((), "api", 0),
        (("api",), "docs of the api", 1),
        (("api", "axum"), "api", 0.5),
        (("lang:rust",), "rust", 0.5),
        (("lang:rust",), "which lang is rust", 1),
        (("error handling",), "error", 0),
        (("error handling",), "the handling of an error", 1),
        ((":", "::"), "api", 0),
        (("!!!",), "!!!", 0),
        (("API",), "api", 1),
    ],
)
def test_tags_count_by_the_share_of_their_parts_that_the_query_names(tags, words, expected):
    assert scoring.tag_share(tags, frozenset(tokens.words(words))) == expected
