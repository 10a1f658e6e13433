"""Which records are about what was asked, and that all of those are found."""

import random

import numpy as np
import pytest

from indelible.search import evidence, tokens
from indelible.search.postings import Entry, Postings, best_of, unpack_terms


def entry(record, text, namespace=""):
    counts = tokens.terms(text)
    terms, numbers = unpack_terms(tokens.pack(counts))
    return Entry(record, namespace, "memory", "context", terms, numbers, sum(counts.values()))


def index(texts, namespace=""):
    postings = Postings()
    postings.put_many([entry(i, text, namespace) for i, text in enumerate(texts, 1)])
    return postings


def having(postings, query, subject=None):
    """The texts (from 1) with evidence, looked at one by one."""
    asked = evidence.question(query, query if subject is None else subject, postings)
    slots = np.arange(len(postings.records))
    return set((np.flatnonzero(evidence.having(asked, slots)) + 1).tolist())


FILLER = [f"filler {name}" for name in "quo zan mil ter vol bar dex fin gol hum jot kel lim nox".split()]


@pytest.mark.parametrize(
    ("texts", "query", "found"),
    [
        (["axum router", "actix router", "bananas"], "axum", {1}),
        (["axum router", "actix router", "bananas"], "router", {1, 2}),
        (["axum router", "actix router", "bananas"], "which router does the axum team like best of all?", {1, 2}),
        (["axum router", "actix router", "bananas"], "weather forecast", set()),
        (["the team", "a team", "and so on"], "the", {1}),
        (["the team", "a team", "and so on"], "what is it", set()),
        (["x", "y", "z"], "x", {1}),
        ([f"service {text}" for text in FILLER], "service", set(range(1, 15))),
        ([f"service {text}" for text in FILLER], "which service sells tropical bananas", set()),
        ([f"service {text}" for text in FILLER], "which filler service sells tropical bananas", set(range(1, 15))),
        ([f"service {text}" for text in FILLER], "which service sells zan bananas", {2}),
    ],
)
def test_evidence_is_a_rare_word_or_two_common_ones_or_much_of_the_query(texts, query, found):
    assert having(index(texts), query) == found


@pytest.mark.parametrize(
    ("query", "subject", "found"),
    [
        ("deploy in February", "deploy in", {1, 2, 3, 4, 5, 6}),
        ("deploy last week", "deploy", {1, 2, 3, 4, 5, 6}),
        ("February", "", {6}),
        ("last year", "", set()),
        ("bananas in February", "bananas in", {6}),
    ],
)
def test_the_words_of_a_time_may_be_in_a_record_but_need_not(query, subject, found):
    texts = [f"deploy {name}" for name in ("one", "two", "three", "four", "five")] + ["deploy of February"]
    assert having(index(texts), query, subject) == found


# --- Nothing that qualifies is left out ---


def crowded(*extra):
    """More records than there are candidates, whose words are common: alpha and beta in a third each, omega in one."""
    pick = random.Random(11)
    texts = [" ".join(pick.sample(["alpha", "beta", "gamma"], k=1)) + f" n{i % 97}" for i in range(15_000)]
    return index([*texts, *extra])


def found(postings, query, wanted, namespaces=None):
    asked = evidence.question(query, query, postings)
    mask = postings.mask(None, None, namespaces)
    slots = best_of(postings.bm25(asked.terms, mask, wanted), wanted)
    return slots[evidence.having(asked, slots)]


def test_common_words_find_the_rest_where_a_rare_word_finds_too_few():
    postings = crowded("alpha beta one", "alpha beta two", "beta alpha three", "omega alone")
    best = set(postings.records.values[found(postings, "alpha beta omega", 60)].tolist())
    assert {15_001, 15_002, 15_003, 15_004} <= best


def test_a_rare_word_outside_the_filter_hides_nothing_inside_it():
    postings = crowded("alpha beta one")
    postings.put_many([entry(20_000, "alpha beta inside", "mine"), entry(20_001, "omega alone", "theirs")])
    inside = found(postings, "omega alpha beta", 60, {"mine"})
    assert postings.records.values[inside].tolist() == [20_000]
