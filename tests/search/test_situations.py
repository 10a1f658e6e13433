"""Standing rules among the answers: which fit, and where they stand."""

import numpy as np
import pytest

from indelible.search import rules, scoring, situations
from indelible.search.index.entries import Entry
from indelible.search.index.postings import Postings
from indelible.search.ranking import Facts, Query, ranked
from indelible.search.relevance import Relevance, Relevances
from indelible.search.situations import Rules
from indelible.search.tokens import pack, terms, words

NOW = 1_800_000_000_000_000
ASKED = Query(NOW, None, frozenset(), scoring.DEFAULT_WEIGHTS)
FLAT = [0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.19, 0.18, 0.17, 0.16, 0.15]


def indexed(*texts):
    """The words of some memories, by record from 1 on."""
    postings = Postings()
    for record, text in enumerate(texts, 1):
        counts = terms(text) | rules.marks("memory", "context", (), text)
        postings.put_many([Entry(record, "", "memory", "context", len(text.split()), pack(counts))])
    return postings


def found(postings, query, hidden=()):
    mask = np.array([record not in hidden for record in postings.records.values.tolist()])
    return Rules(postings, mask, frozenset(words(query)))


def after(values, *brought, query=ASKED):
    """The ids in their order with rules brought; 1 is that of the first value."""
    near = Relevances.of({record: Relevance(value, value) for record, value in enumerate(values, 1)})
    facts = Facts.of([(str(record), NOW, 0, 0.5, 1.0, 0.0, (), False) for record in near.ids.tolist()])
    scored = situations.placed(ranked(near, facts, query), near, brought, query)
    return [place + 1 for place in scored.order], scored


def test_the_rules_are_those_that_are_marked_and_pass():
    postings = indexed("Always use tabs.", "The tabs were closed.", "Never use spaces.")
    assert found(postings, "indent").ids().tolist() == [1, 3]
    assert found(postings, "indent", hidden={3}).ids().tolist() == [1]
    assert found(postings, "indent").among(np.array([3, 2, 1, 9])).tolist() == [3, 1]
    assert not found(indexed("The tabs were closed."), "indent")


def test_a_word_of_the_same_spelling_is_no_mark():
    assert not found(indexed("\0rule rule rule:database"), "database")


def test_a_shared_topic_raises_a_rule_and_another_language_lowers_it():
    postings = indexed(
        "Always use snake_case for columns.", "Never use unwrap in Rust.", "Never use var in JavaScript."
    )
    ids, cosines = np.array([1, 2, 3]), np.full(3, 0.2)
    about = found(postings, "write a migration that adds the order table")
    fits = about.fits(ids, cosines, about.shared(ids))
    assert fits[0] > 0.2
    assert fits[0] > max(fits[1], fits[2])
    about = found(postings, "parse the config in Rust")
    fits = about.fits(ids, cosines, about.shared(ids))
    assert fits[1] > 0.2 > fits[2]


def test_a_rule_no_nearer_than_everything_else_does_not_fit():
    postings = indexed("Always use tabs.", "Never use spaces.")
    about, ids, yes = found(postings, "zebra"), np.array([1, 2]), np.ones(2, np.bool_)
    few, many = np.full(5, 0.5), np.full(20, 0.5)
    assert situations.fitting(about, ids, np.array([0.3, 0.4]), yes, few, alone=False).tolist() == [1, 0]
    assert situations.fitting(about, ids, np.array([0.3, 0.4]), yes, many, alone=False).tolist() == []
    assert situations.fitting(about, ids, np.array([0.01, 0.7]), yes, many, alone=False).tolist() == [1]


def test_where_nothing_answers_a_rule_needs_a_topic_or_to_be_near():
    postings = indexed("Always use snake_case for columns.", "Never use spaces.")
    about, ids, yes = found(postings, "add the order table"), np.array([1, 2]), np.ones(2, np.bool_)
    few = np.full(2, 0.18)
    assert situations.fitting(about, ids, np.array([0.18, 0.18]), yes, few, alone=True).tolist() == [0]
    assert situations.fitting(about, ids, np.array([0.18, 0.3]), yes, few, alone=True).tolist() == [0, 1]


def test_brought_rules_have_the_fifth_and_the_tenth_place():
    order, _ = after(FLAT, 11, 12)
    assert order == [1, 2, 3, 4, 11, 5, 6, 7, 8, 12, 9, 10]


def test_a_rule_that_stands_higher_stays():
    assert after(FLAT, 2)[0] == list(range(1, 13))


def test_what_is_as_clear_as_the_best_keeps_its_place():
    order, _ = after([0.5] * 5 + [0.48, 0.47, 0.2, 0.1], 9)
    assert order == [1, 2, 3, 4, 5, 6, 7, 9, 8]
    assert after([0.5, 0.1], 2)[0] == [1, 2]


@pytest.mark.parametrize("weights", [{}, {"vector_similarity": 1.0}, {"recency": 5.0, "vector_similarity": 0.01}])
def test_the_score_stays_the_weighted_sum_of_components_in_0_to_1(weights):
    query = Query(NOW, None, frozenset(), {**scoring.DEFAULT_WEIGHTS, **weights})
    _, scored = after(FLAT, 11, 12, query=query)
    for place, score in enumerate(scored.scores):
        components = scored.components(place)
        assert score == pytest.approx(sum(query.weights[name] * value for name, value in components.items()))
        assert all(0 <= value <= 1 for value in components.values())
    assert [scored.scores[place] for place in scored.order] == sorted(scored.scores, reverse=True)


def test_scored_by_relevance_alone_no_rule_is_raised():
    assert after(FLAT, 11, query=Query(NOW, None, frozenset(), None))[0] == list(range(1, 13))


# --- Newer rules before older texts ---


def before(place=(0, 1, 2), values=(0.5, 0.5, 0.5), created=(1, 2, 3), found=(False, False, True)):
    old, new = situations.newer_rules(*(np.array(each) for each in (place, values, created, found)))
    return list(zip(old.tolist(), new.tolist(), strict=True))


def test_a_newer_rule_comes_before_what_is_older_and_about_as_relevant():
    assert before() == [(0, 2), (1, 2)]
    assert before(values=(0.5, 0.7, 0.45)) == [(0, 2)]


def test_nothing_comes_before_what_is_newer_or_stands_below_it_already():
    assert before(created=(1, 3, 2)) == [(0, 2)]
    assert before(place=(0, 2, 1)) == [(0, 2)]


def test_only_a_rule_does():
    assert before(found=(True, False, False)) == []
    assert before(found=(False, True, True)) == [(0, 1), (0, 2), (1, 2)]
