"""Which records are about what was asked, and that all of those are found."""

import random

import numpy as np
import pytest

from indelible.search import evidence, tokens
from indelible.search.index.entries import Entry
from indelible.search.index.postings import Bm25, Postings
from indelible.search.index.slots import best_of


def entry(record, text, namespace=""):
    counts = tokens.terms(text)
    return Entry(record, namespace, "memory", "context", sum(counts.values()), tokens.pack(counts))


def index(texts, namespace=""):
    postings = Postings()
    postings.put_many([entry(i, text, namespace) for i, text in enumerate(texts, 1)])
    return postings


def having(postings, query, subject=None):
    """The texts (from 1) with evidence, looked at one by one."""
    asked = evidence.question(query, query if subject is None else subject, postings)
    slots = np.arange(len(postings.records))
    return set((np.flatnonzero(evidence.worded(asked, slots).enough) + 1).tolist())


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


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("axum", [1, 0, 0]),
        ("axum router", [1, 0.338, 0]),
        ("zebra", [0, 0, 0]),
        ("axum zebra", [0.338, 0, 0]),  # a word that nobody has weighs the most
        ("router", [1, 1, 0]),
        ("", [0, 0, 0]),
    ],
)
def test_the_share_of_a_querys_words_is_weighed_by_how_rare_they_are(query, expected):
    postings = index(["axum router", "actix router", "bananas"])
    asked = evidence.question(query, query, postings)
    found = evidence.worded(asked, np.arange(3)).shares.tolist()
    assert all(0 <= share <= 1 for share in found)
    assert [share == 0 for share in found] == [share == 0 for share in expected]
    assert [share == 1 for share in found] == [share == 1 for share in expected]


def test_a_rare_word_has_more_of_a_query_than_a_common_one():
    postings = index(["axum", "router", *["router of the cluster"] * 9])
    rare, common, _ = evidence.worded(evidence.question("axum router", "axum router", postings), np.arange(3)).shares
    assert rare > 2 * common > 0
    assert rare + common == pytest.approx(1)


def test_in_a_store_of_one_a_word_that_its_record_has_weighs_nearly_as_much_as_those_that_it_lacks():
    postings = index(["Team decided to use Axum over Actix for the API layer api framework axum"])
    question = "which web framework did we choose?"
    (share,) = evidence.worded(evidence.question(question, question, postings), np.arange(1)).shares
    assert 0.25 < share < 1 / 3


# --- What can be an answer, by meaning and words together ---

AMONG = 100  # records
JUST = 1.01  # above a limit, as `1 / JUST` is below it
FAR = -1.0  # cosine


def test_the_floor_rises_with_the_logarithm_of_the_records_between_two_bounds():
    few, many = evidence.SMALLEST, evidence.LARGEST
    assert evidence.floor(0) == evidence.floor(1) == evidence.floor(few) > 0
    assert evidence.floor(few) < evidence.floor(few + 1) < evidence.floor(many - 1) < evidence.floor(many) < 1
    assert evidence.floor(many) == evidence.floor(many + 1) == evidence.floor(10**6)
    assert evidence.floor(1000) == pytest.approx(1.5 * evidence.floor(100))


@pytest.mark.parametrize(
    ("floors", "shares", "expected"),
    [
        ([], [], []),
        ([JUST], [0], [True]),
        ([1 / JUST], [0], [False]),
        ([1 / JUST, 0.9, 0.7], [0.5, 0, 0], [False, False, False]),  # many near misses are no answer
        ([JUST, 0.5 * JUST, 0.5 / JUST], [0, 0, 0], [True, True, False]),  # beside an answer half is enough
        ([0.5 / JUST, 0.5 * JUST, JUST], [0, 0, 0], [False, True, True]),
        ([0.01], [evidence.LITERAL], [True]),  # most of the query's words, in a text of any length
        ([0.01], [evidence.LITERAL / JUST], [False]),
        ([0.01, 0.6, 0.4], [0.7, 0, 0.5], [True, True, False]),  # it too is an answer that others stand beside
        ([4, 0], [0, 1], [True, True]),
    ],
)
def test_an_answer_clears_the_floor_or_has_most_of_the_words_and_what_stands_beside_it_half(floors, shares, expected):
    relevances = np.array(floors, np.float64) * evidence.floor(AMONG)
    found = evidence.answering(relevances, np.array(shares, np.float64), np.full(len(floors), FAR), AMONG)
    assert (found.dtype, found.tolist()) == (np.bool_, expected)


def test_a_text_that_is_near_by_its_vector_alone_is_an_answer():
    limit = next(value for value in np.arange(0, 1, 0.001) if evidence.near(np.array([value]), AMONG)[0])
    assert 0.1 < limit < 0.9
    assert evidence.near(np.array([limit, limit - 0.002, FAR, 1.0]), AMONG).tolist() == [True, False, False, True]
    assert evidence.near(np.array([limit]), 10 * AMONG).tolist() == [False]
    nothing = np.zeros(3)
    for cosine, expected in ((limit, True), (limit - 0.002, False)):
        found = evidence.answering(nothing, nothing, np.array([FAR, cosine, FAR]), AMONG)
        assert found.tolist() == [False, expected, False]


@pytest.mark.parametrize(("records", "answers"), [(1, True), (20, True), (100, True), (200, False), (10**6, False)])
def test_the_same_relevance_is_an_answer_among_few_and_none_among_many(records, answers):
    relevance = np.array([evidence.floor(150)])
    assert evidence.answering(relevance, np.zeros(1), np.full(1, FAR), records).tolist() == [answers]


# --- Nothing that qualifies is left out ---


def crowded(*extra):
    """More records than there are candidates, whose words are common: alpha and beta in a third each, omega in one."""
    pick = random.Random(11)
    texts = [" ".join(pick.sample(["alpha", "beta", "gamma"], k=1)) + f" n{i % 97}" for i in range(15_000)]
    return index([*texts, *extra])


def found(postings, query, wanted, namespaces=None):
    asked = evidence.question(query, query, postings)
    mask = postings.mask(None, None, namespaces)
    slots = best_of(Bm25(postings, asked.terms, mask).of_best(wanted), wanted)
    return slots[evidence.worded(asked, slots).enough]


def test_common_words_find_the_rest_where_a_rare_word_finds_too_few():
    postings = crowded("alpha beta one", "alpha beta two", "beta alpha three", "omega alone")
    best = set(postings.records.values[found(postings, "alpha beta omega", 60)].tolist())
    assert {15_001, 15_002, 15_003, 15_004} <= best


def test_a_rare_word_outside_the_filter_hides_nothing_inside_it():
    postings = crowded("alpha beta one")
    postings.put_many([entry(20_000, "alpha beta inside", "mine"), entry(20_001, "omega alone", "theirs")])
    inside = found(postings, "omega alpha beta", 60, {"mine"})
    assert postings.records.values[inside].tolist() == [20_000]


# --- What a message is about ---


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("why do tokens expire", True),
        ("夜間バッチ", True),
        ("retry queue", True),
        ("token", False),
        ("tokens, tokens, Tokens!", False),
        ("yes, do that", False),
        ("the the the", False),
        ("", False),
        ("42", False),
    ],
)
def test_a_message_says_something_by_two_telling_words(message, says):
    assert evidence.says_something(message) is says


@pytest.mark.parametrize("records", [1, 20, 500, 10_000, 1_000_000])
def test_a_message_is_about_what_reaches_the_whole_floor_by_relevance_and_by_its_vector(records):
    floor = evidence.floor(records)
    near = 1.5 * floor  # as a cosine, that is over the least one too
    relevances = np.array([floor, floor, 0.9 * floor, 0.9 * floor])
    cosines = np.array([near, 0.5 * floor, near, 0.5 * floor])
    everything, embedded = np.ones(4), np.ones(4, np.bool_)
    about = evidence.about(relevances, everything, cosines, embedded, records)
    assert about.tolist() == [True, False, False, False]


def test_what_is_not_embedded_is_judged_by_its_share_of_the_words():
    shares = np.array([1.0, evidence.ABOUT, evidence.ABOUT - 0.01, 0.0])
    nothing = np.zeros(4)
    about = evidence.about(nothing, shares, nothing - 1, np.zeros(4, np.bool_), 100)
    assert about.tolist() == [True, True, False, False]


# --- Texts in two languages ---

GERMAN = [
    "Der Server ist mit dem Token und der Sitzung verbunden.",
    "Die Sitzung wird nicht auf dem Server gespeichert.",
    "Das Passwort und der Schlüssel stehen nicht in der Datei.",
    "Die Sicherung ist mit einem Schlüssel verschlüsselt.",
    "Der Bericht wird mit dem Server erzeugt und nicht gespeichert.",
] * 6
ENGLISH = [
    "The server is the owner of the token and the session.",
    "This session of the server is not stored with the key.",
    "The report is made for you with the token of the server.",
] * 10
ASKED = "Wie wird der Schlüssel für den Server gespeichert, und mit welchem token?"


def test_a_word_weighs_among_the_texts_of_the_querys_language_as_in_a_store_of_these_alone():
    own = evidence.question(ASKED, ASKED, index(GERMAN))
    mixed = evidence.question(ASKED, ASKED, index([*GERMAN, *ENGLISH]))
    assert mixed.weights == own.weights
    assert mixed.telling == own.telling


def test_a_word_that_only_texts_in_another_language_have_weighs_no_more_than_an_unknown_one():
    question = "Wie wird der owner mit dem Server und der Sitzung nicht verbunden?"
    own = evidence.question(question, question, index(GERMAN))
    mixed = evidence.question(question, question, index([*GERMAN, *ENGLISH]))
    assert all(there <= alone for there, alone in zip(mixed.weights, own.weights, strict=True))


def test_english_texts_are_told_where_the_query_and_others_are_in_another_language():
    both = evidence.question(ASKED, ASKED, index([*GERMAN, *ENGLISH]))
    assert evidence.in_english(both, np.array([40, 0, 33])).tolist() == [True, False, True]
    alone = evidence.question(ASKED, ASKED, index(ENGLISH))
    assert not evidence.in_english(alone, np.arange(3)).any()


def test_an_english_query_weighs_its_words_over_all_texts():
    question = "how is the key of the server stored with the token"
    postings = index([*GERMAN, *ENGLISH])
    asked = evidence.question(question, question, postings)
    assert [term.idf for term in asked.terms] == [
        term.idf for term in postings.read(tokens.term(w) for w in ("key", "server", "store", "token"))
    ]
    assert not evidence.in_english(asked, np.arange(3)).any()


@pytest.mark.parametrize(("rules", "least"), [(1, 0.15), (20, 0.15), (100, 0.15), (1_000, 0.207), (1_000_000, 0.276)])
def test_a_rule_fits_from_a_floor_on_that_rises_with_many_rules(rules, least):
    assert evidence.fits(np.array([least - 0.002, least + 0.002]), rules).tolist() == [False, True]
