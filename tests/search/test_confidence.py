"""When an answer as a whole is weak: each measure moves it the way that it says, and the scale follows the store."""

import math
from dataclasses import replace

import pytest

from indelible.search.confidence import MORE, Measures, certainty, is_about_something, is_less_sure, is_weak
from indelible.search.index.postings import idf

CLEAR = Measures(relevance=0.6, overlap=0.7, share=0.8, cosine=0.6, unknown=0.0, records=200)
NEAR = Measures(relevance=0.25, overlap=0.4, share=0.2, cosine=0.35, unknown=0.5, records=200)


def test_what_is_about_the_question_is_clear_and_what_is_near_it_is_weak() -> None:
    assert not is_weak(CLEAR)
    assert is_weak(NEAR)


@pytest.mark.parametrize("measure", ["relevance", "cosine"])
def test_one_measure_alone_can_make_an_answer_clear(measure: str) -> None:
    assert not is_weak(replace(NEAR, **{measure: 0.99}))


def test_words_that_no_record_has_make_an_answer_weak() -> None:
    between = replace(NEAR, relevance=0.46, unknown=0.0)
    assert not is_weak(between)
    assert is_weak(replace(between, unknown=1.0))


def test_the_more_records_the_nearer_must_a_vector_be() -> None:
    between = replace(NEAR, relevance=0.37, cosine=0.5, unknown=0.0)
    assert not is_weak(between)
    assert is_weak(replace(between, records=10_000))
    assert is_weak(replace(between, records=10**7)) == is_weak(replace(between, records=10_000))
    assert is_weak(replace(between, records=1)) == is_weak(replace(between, records=20))


def test_without_vectors_the_words_decide() -> None:
    assert not is_weak(replace(CLEAR, cosine=None, relevance=0.0))
    assert is_weak(replace(NEAR, cosine=None, relevance=1.0))


def test_a_vector_on_the_far_side_is_no_worse_than_an_unrelated_one() -> None:
    assert is_weak(replace(NEAR, cosine=-1.0)) == is_weak(replace(NEAR, cosine=0.0))


FOREIGN = Measures(
    relevance=0.0, overlap=0.4, share=0.3, cosine=None, unknown=0.4, records=200, found=12.0, foreign=True
)


def test_in_another_language_the_weight_of_the_words_found_counts_not_their_share_of_a_long_question() -> None:
    assert not is_weak(replace(FOREIGN, found=20.0))
    assert is_weak(replace(FOREIGN, found=2.0))
    assert is_weak(replace(FOREIGN, foreign=False, found=20.0))
    assert is_weak(replace(FOREIGN, found=20.0, unknown=1.0, overlap=0.2))


def test_the_more_texts_the_rarer_must_be_what_is_found() -> None:
    between = replace(FOREIGN, found=13.0, records=20)
    assert not is_weak(between)
    assert is_weak(replace(between, records=10_000))


# --- What is told unasked ---


def test_meaning_and_words_together_are_sure_and_one_of_them_is_not() -> None:
    assert certainty(0.6, 0.5, 10) >= 1
    assert certainty(0.75, 0.2, 10) < 1
    assert certainty(0.1, 0.6, 10) < 1
    assert certainty(-0.3, 0.1, 10) == 0


def test_among_many_records_more_is_needed_and_a_small_store_is_as_a_hundred() -> None:
    found = [certainty(0.6, 0.6, among) for among in (0, 1, 100, 1_000, 100_000)]
    assert found[0] == found[1] == found[2]
    assert found[2] > found[3] > found[4]
    assert found[4] == pytest.approx(found[0] / (1 + MORE * math.log(1_000)))


def test_less_sure_is_what_has_no_word_of_the_question_and_less_than_a_quarter_of_the_best_score() -> None:
    assert is_less_sure(0.09, 0.0, 0.4)
    assert not is_less_sure(0.11, 0.0, 0.4)
    assert not is_less_sure(0.09, 0.1, 0.4)
    assert not is_less_sure(0.05, 0.0, 0.06)


@pytest.mark.parametrize("among", [0, 1, 100, 100_000])
def test_a_message_whose_words_weigh_less_than_three_unknown_ones_is_about_nothing(among: int) -> None:
    three = 3 * idf(0, among)
    assert is_about_something(three + 0.01, among)
    assert not is_about_something(three - 0.01, among)
