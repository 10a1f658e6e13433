"""Summaries in the texts' own sentences."""

import pytest

from indelible.search import summaries
from indelible.search.summaries import summary

RETRIES = [
    "Retries back off from 100 ms. The office is closed on Mondays.",
    "The queue retries each job. It gives up after 5 s.",
    "Retries of the queue are logged.",
    "Somebody painted the door green.",
]


def test_what_several_texts_say_comes_into_the_summary_and_what_one_says_alone_does_not(monkeypatch):
    assert summary(RETRIES) == [
        "Retries back off from 100 ms.",
        "The queue retries each job.",
        "Retries of the queue are logged.",
    ]
    monkeypatch.setattr(summaries, "MOST", 1)
    assert summary(RETRIES) == ["The queue retries each job."]


def test_a_summary_has_sentences_of_the_texts_in_their_order_and_nothing_else():
    said = summary(RETRIES)
    assert 1 <= len(said) <= summaries.MOST
    whole = " ".join(RETRIES)
    places = [whole.index(sentence) for sentence in said]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([], []),
        ([""], []),
        (["...", " \n "], []),
        (["One thing"], ["One thing"]),
        (["One thing.", "one  thing!"], ["One thing."]),  # said once
        (["It is drained. Job 1.", "It is drained. Job 2."], ["It is drained.", "Job 1."]),
        (["the of and"], []),  # which says nothing
        (["Red paint", "A green door", "Blue"], ["Red paint", "A green door", "Blue"]),  # nothing in common
        (
            ["夜間バッチは三時に走る。猫が好き。", "夜間バッチは長い。"],
            ["夜間バッチは三時に走る。", "夜間バッチは長い。"],
        ),
        (["Кэш очищается ночью. Обед в час.", "Кэш большой."], ["Кэш очищается ночью.", "Кэш большой."]),
    ],
)
def test_summaries_of_few_words(texts, said):
    assert summary(texts) == said


def test_a_summary_is_short_whatever_the_texts_are():
    long = [f"word{n} " * 3_000 for n in range(50)]
    said = summary(long)
    assert sum(map(len, said)) <= summaries.LONGEST
    assert all(len(sentence) <= summaries.LONGEST_SENTENCE for sentence in said)
    assert said[0].endswith("…")


def test_the_same_texts_give_the_same_summary():
    texts = [f"Job {n} of queue {n % 3} waits for lock {n % 5}. Lock {n % 5} is held." for n in range(40)]
    assert summary(texts) == summary(list(texts))
