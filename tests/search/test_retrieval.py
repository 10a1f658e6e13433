"""Retrieval over arrays, without a store: what is found, measured and judged, and what asking for more brings."""

from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest

from indelible.search import rules, scoring, tokens, window
from indelible.search.index import vectors
from indelible.search.index.entries import Entry, pack_weights
from indelible.search.index.kept_vectors import Windows
from indelible.search.index.postings import CANDIDATES, Postings
from indelible.search.index.vector_index import VectorIndex
from indelible.search.relevance import Relevance, Relevances
from indelible.search.retrieval import RESCORED, Asked, Filters, Meant, Retrieval, Snapshot
from indelible.search.window import Pairs

D = 64
EVERYTHING = Filters()


def direction(name):
    """A unit vector that is always the same for a name."""
    drawn = np.random.default_rng(crc32(name.encode())).standard_normal(D).astype(np.float32)
    return drawn / np.linalg.norm(drawn)


def near(vector, cosine, name="away"):
    """A unit vector of a cosine with another."""
    away = direction(name)
    away -= (away @ vector) * vector
    return (cosine * vector + (1 - cosine**2) ** 0.5 * away / np.linalg.norm(away)).astype(np.float32)


class Made:
    """The indexes of some texts, by record; `groups` are (namespace, kind, type), `meant` the windows of each text."""

    def __init__(self, texts, groups=None, meant=None):
        self.words, self.sparse = Postings(), Postings()
        self.dense = VectorIndex(D)
        self.meant = {} if meant is None else {record: np.atleast_2d(rows) for record, rows in meant.items()}
        self.read = []
        groups = groups or {}
        for record, text in texts.items():
            group = groups.get(record, ("", "memory", "context"))
            counts = tokens.terms(text)
            body = tokens.pack(counts | rules.marks(group[1], group[2], (), text))
            self.words.put_many([Entry(record, *group, sum(counts.values()), body)])
            if record in self.meant:
                weighted = pack_weights(np.array(sorted(counts), np.uint32), np.ones(len(counts), np.float32))
                self.sparse.put_many([Entry(record, *group, len(counts), weighted)])
                codes = [code for _, code in vectors.pack(self.meant[record])]
                self.dense.put_many([vectors.coded(record, group, codes)])

    def nearest(self, vector, passing):
        search = self.dense.search(vector, passing(self.dense.slots))

        def best(count):
            found = search.best(count)
            return self.dense.slots.records.values[found], len(found) < count

        return best

    def vectors_of(self, ids):
        self.read += ids.tolist()
        found = [record for record in ids.tolist() if record in self.meant][::-1]  # in no order
        return Windows.of(ids, [(record, body) for record in found for body, _ in vectors.pack(self.meant[record])])

    def search(self, text, vector=None, filters=EVERYTHING, own=None, wanted=10):
        meant = Meant(D, self.sparse, self.nearest, self.vectors_of)
        search = Retrieval(Asked(text, text), Snapshot(self.words, meant), filters, own, wanted)
        if vector is not None:
            counts = tokens.terms(text)
            search.ask(vector, np.array(sorted(counts), np.uint32), np.ones(len(counts), np.float32))
        return search


def found(search, wanted=10):
    return search.best(wanted)[0].tolist()


TEXTS = {
    3: "the deploy of the api fails at night",
    5: "bananas are yellow",
    8: "a deploy takes ten minutes",
    13: "apples and pears",
}


# --- What is found ---


def test_by_words_the_records_that_have_them_are_found_by_ascending_id():
    search = Made(TEXTS).search("deploy bananas")
    assert search.best(10)[0].tolist() == [3, 5, 8]
    assert not search.by_meaning


def test_whether_that_is_all_there_is():
    search = Made(TEXTS).search("deploy bananas")
    assert search.best(10)[1] is True
    ids, complete = search.best(2)
    assert (len(ids), complete) == (2, False)


def test_an_empty_index_finds_and_measures_nothing():
    for vector in (None, direction("any")):
        search = Made({}).search("deploy", vector)
        ids, complete = search.best(10)
        assert ids.tolist() == []
        assert complete
        measured = search.measured(ids)
        assert len(measured.relevance) == 0
        assert search.with_evidence(measured, []).tolist() == []
        assert search.allowed({1, 2}).tolist() == []
        assert len(search.nearest_raised(measured, measured.relevance)) == 0


def test_more_than_there_are_may_be_wanted():
    search = Made(TEXTS, meant={3: direction("a"), 5: direction("b")}).search("deploy", direction("a"))
    ids, complete = search.best(1 << 40)
    assert ids.tolist() == [3, 5, 8]
    assert complete


def test_what_shares_no_word_is_found_by_its_vector():
    made = Made(TEXTS, meant={13: near(direction("q"), 0.9), 5: near(direction("q"), 0.1)})
    assert 13 in found(made.search("cider", direction("q")))
    assert found(made.search("cider")) == []


def test_what_is_named_beside_comes_with_them():
    search = Made(TEXTS).search("bananas")
    assert search.best(10, [13, 5])[0].tolist() == [5, 13]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(namespaces={"a"}), [3]),
        (Filters(namespaces=set()), []),
        (Filters(kinds=("todo",)), [8]),
        (Filters(type="pattern"), [5]),
        (Filters(without={("a", "memory", "context")}), [5, 8]),
        (Filters(among=[5, 8, 99]), [5, 8]),
        (Filters(among=[]), []),
        (EVERYTHING, [3, 5, 8]),
    ],
)
@pytest.mark.parametrize("meaning", [False, True])
def test_nothing_passes_a_filter_that_it_should_not(filters, expected, meaning):
    groups = {3: ("a", "memory", "context"), 5: ("", "memory", "pattern"), 8: ("", "todo", "context")}
    texts = {record: TEXTS[record] for record in groups}
    vector = direction("q") if meaning else None
    made = Made(texts, groups, {record: near(vector, 0.9) for record in groups} if meaning else None)
    search = made.search("deploy bananas", vector, filters)
    assert found(search) == expected
    assert search.allowed(texts).tolist() == expected


# --- Asked for more ---


def test_asked_for_more_it_finds_what_a_search_for_that_many_finds():
    texts = {record: f"word{record % 7} common number{record}" for record in range(1, 400)}
    meant = {record: direction(str(record)) for record in texts}
    made = Made(texts, meant=meant)
    going_on = made.search("common word3 word4", direction("q"), wanted=20)
    for wanted in (20, 80, 320, 1280):
        ids, complete = going_on.best(wanted)
        anew = made.search("common word3 word4", direction("q"), wanted=wanted)
        assert (ids.tolist(), complete) == (anew.best(wanted)[0].tolist(), anew.best(wanted)[1])
        ours, theirs = going_on.measured(ids).relevance, anew.measured(ids).relevance
        np.testing.assert_array_equal(ours.values, theirs.values)
    assert complete


def test_no_vector_is_read_twice():
    texts = {record: f"common number{record}" for record in range(1, 2 * RESCORED)}
    made = Made(texts, meant={record: direction(str(record)) for record in texts})
    search = made.search("common", direction("q"))
    for wanted in (20, 80, 320):
        search.measured(search.best(wanted)[0])
    assert len(made.read) == len(set(made.read)) > RESCORED


def test_words_that_nearly_all_have_count_for_all_once_more_are_wanted_than_rarer_words_found():
    """Of 10,000 texts that have one word, one has another too: the first ones wanted are found by that alone."""
    count = 10_000
    made = Made({})
    common, rare = tokens.terms("common"), tokens.terms("common rare")
    made.words.put_many(
        [
            Entry(record, "", "memory", "context", 2, tokens.pack(rare if record == 7 else common))
            for record in range(1, count + 1)
        ]
    )
    search = made.search("common rare", wanted=1)
    assert found(search, 1) == [7]
    assert len(found(search, 50)) == 50
    assert count > CANDIDATES


def test_of_equal_ones_those_that_came_first_are_taken():
    made = Made({record: "deploy" for record in (9, 4, 6, 2)})  # in this order into the index
    assert found(made.search("deploy"), 2) == [4, 9]


# --- What is measured ---


def test_a_text_of_several_windows_is_as_near_as_its_nearest():
    query = direction("q")
    made = Made({1: "one", 2: "two"}, meant={1: [near(query, 0.2), near(query, 0.7, "b")], 2: near(query, 0.5)})
    measured = made.search("three", query).measured(np.array([1, 2]))
    assert measured.cosines == pytest.approx([0.7, 0.5], abs=2e-3)
    assert measured.embedded.tolist() == [True, True]


def test_a_sparse_term_that_nearly_every_record_has_says_less_than_a_rare_one():
    """In a talk of two, whose turns all begin with the speaker's name, a turn is about the other word."""
    query = direction("q")
    texts = {record: "caroline greets" for record in range(1, 30)} | {50: "parade"}
    made = Made(texts, meant={record: near(query, 0.3, str(record)) for record in texts})
    measured = made.search("caroline parade", query).measured(np.array([1, 50]))
    often, rare = measured.relevance.similarities.tolist()
    assert rare > often + 0.2


def test_terms_that_no_record_has_still_show_that_a_text_has_little_of_the_query():
    query = direction("q")
    made = Made(TEXTS, meant={5: near(query, 0.3), 13: near(query, 0.3, "b")})
    (whole,) = made.search("bananas", query).measured(np.array([5])).relevance.similarities
    (half,) = made.search("bananas zeppelin", query).measured(np.array([5])).relevance.similarities
    (none,) = made.search("zeppelin", query).measured(np.array([5])).relevance.similarities
    assert whole > half + 0.15 > none + 0.3


def test_what_is_not_embedded_counts_by_its_words():
    query = direction("q")
    made = Made(TEXTS, meant={3: near(query, 0.5)})
    measured = made.search("deploy", query).measured(np.array([3, 8]))
    assert measured.embedded.tolist() == [True, False]
    assert measured.cosines[1] == -1
    with_vector, without = measured.relevance
    assert without.by_words
    assert without.value == without.overlap
    assert with_vector.value == pytest.approx(scoring.fused(with_vector.overlap, with_vector.similarity))


def test_a_record_outside_the_index_measures_nothing():
    measured = Made(TEXTS, meant={}).search("deploy", direction("q")).measured(np.array([3, 77]))
    assert measured.relevance.overlaps[1] == 0
    assert measured.relevance.overlaps[0] > 0
    assert measured.worded.tolist() == [True, False]


def test_records_of_the_own_project_are_judged_among_themselves():
    """A far better record of another project takes no answer away."""
    query = direction("q")
    texts = {record: f"text{record}" for record in range(1, 60)}
    groups = {record: ("own" if record <= 20 else "other", "memory", "context") for record in texts}
    meant = {record: near(query, 0.05, str(record)) for record in texts} | {1: near(query, 0.21), 40: near(query, 0.95)}
    made = Made(texts, groups, meant)
    own = Filters(namespaces={"own"})
    search = made.search("paraphrase", query, own=own)
    measured = search.measured(search.best(20)[0])
    answers = measured.ids[search.with_evidence(measured, [])].tolist()
    assert {1, 40} <= set(answers)
    assert measured.own[measured.ids == 1].all()
    assert not measured.own[measured.ids == 40].any()


def test_the_nearest_by_its_vector_comes_no_lower_than_third_where_nothing_has_much_of_the_query():
    query = direction("q")
    texts = {record: "deploy fails at night" for record in (1, 2, 3, 4)} | {9: "something else"}
    made = Made(texts, meant={record: near(query, 0.3, str(record)) for record in (1, 2, 3, 4)} | {9: near(query, 0.6)})
    search = made.search("why does the deploy fail at night", query)
    measured = search.measured(search.best(10)[0])
    whole = measured.relevance
    answers = Relevances(whole.ids, whole.overlaps / 4, whole.similarities / 4, whole.by_words)
    assert answers.ids[answers.best(5)].tolist()[-1] == 9
    raised = answers.replaced_by(search.nearest_raised(measured, answers))
    assert 9 in raised.ids[raised.best(3)].tolist()
    assert len(search.nearest_raised(measured, answers.take(answers.ids != 9))) == 0


@pytest.mark.parametrize(
    ("own", "others", "least"),
    [
        (0.1, [0.3, 0.3, 0.2, 0.15], scoring.JUST_ABOVE * 0.2),  # third, and it stays there
        (0.1, [0.2, 0.2, 0.2, 0.15], scoring.JUST_ABOVE * 0.2),
        (0.2, [0.9, 0.8, 0.7, 0.6], scoring.NEAREST_WORTH),  # before nothing that is clearly about the query
        (0.5, [0.9, 0.8, 0.7, 0.6], 0.5),
        (0.2, [0.9, 0.8], 0.2),  # third already
        (0.2, [0.9 - place / 50 for place in range(10)], 0.73),  # but tenth: half way from the tenth to the ninth
        (0.72, [0.9 - place / 50 for place in range(10)], 0.72),  # tenth already
        (0.2, [0.9] * 10, 0.9),
    ],
)
def test_what_the_nearest_has_at_least(own, others, least):
    assert scoring.of_nearest(own, np.array([*others, own])) == pytest.approx(least)


# --- Neighbours ---


def talk():
    """A talk of ten topics of five turns each, and its pairs in both directions."""
    rows = {}
    for turn in range(50):
        topic = direction(f"topic {turn // 5}")
        rows[turn + 1] = near(topic, 0.5, f"turn {turn}")
    lines = [
        (*(place if 1 <= place <= 50 else 0 for place in (turn, turn - 1, turn - 2, turn + 1, turn + 2)), False)
        for turn in range(1, 51)
    ]
    return rows, Pairs.of(lines)


def test_an_answer_lends_to_its_neighbours_in_a_talk():
    rows, pairs = talk()
    made = Made({turn: f"turn{turn} word{turn // 5}" for turn in rows}, meant=rows)
    search = made.search("turn23", rows[23], wanted=5)
    measured = search.measured(np.array(sorted(rows), np.int64))
    answers = measured.relevance
    raised = search.from_neighbours(measured, answers, pairs).relevance
    assert {22, 24} & set(raised.ids.tolist())
    before = answers.take(answers.places_of(raised.ids))
    assert (raised.values > before.values).any()
    assert raised.overlaps.max() <= 1


def test_where_the_order_has_no_meaning_no_more_vectors_are_read_than_show_that():
    rows = {record: direction(str(record)) for record in range(1, 301)}
    made = Made({record: f"word text{record}" for record in rows}, meant=rows)
    search = made.search("word", direction("q"), wanted=5)
    lenders = range(3, 300, 5)  # of which each has neighbours of its own
    measured = search.measured(np.array(lenders, np.int64))
    pairs = Pairs.of([(each, each - 1, each - 2, each + 1, each + 2, False) for each in lenders])
    made.read.clear()
    borrowed = search.from_neighbours(measured, measured.relevance, pairs)
    assert not len(borrowed.pairs)
    judged = {each for each in made.read if each % 5 == 3}
    assert len(judged) == window.JUDGED < len(lenders)
    assert set(made.read) - judged == {each + side for each in judged for side in (-1, 1)}


def test_turns_of_a_talk_that_ask_or_are_short_count_for_less():
    rows, pairs = talk()
    asks = replace(pairs, answering=(pairs.lenders == 41) & (pairs.borrowers == 42))
    texts = {turn: " ".join(f"turn{turn}" for _ in range(30)) for turn in rows} | {43: "turn43"}
    search = Made(texts, meant=rows).search("turn3", rows[3], wanted=5)
    measured = search.measured(np.array(sorted(rows), np.int64))
    answers = measured.relevance
    changed = search.from_neighbours(measured, answers, asks).relevance
    before, after = answers.by_id(), changed.by_id()
    parts = {turn: after[turn].value / before[turn].value for turn in (41, 43, 45)}
    assert parts[45] == pytest.approx(1)
    assert parts[41] == pytest.approx(1 - window.ASKING)
    assert parts[43] == pytest.approx(1 - window.SHORT * (1 - 3 / window.WHOLE))  # turn43, turn and 43


def test_neighbours_outside_the_filters_get_nothing():
    rows, pairs = talk()
    groups = {turn: ("a" if turn % 2 else "b", "memory", "context") for turn in rows}
    made = Made({turn: f"turn{turn}" for turn in rows}, groups, rows)
    search = made.search("turn23", rows[23], Filters(namespaces={"a"}))
    odd = np.array([turn for turn in sorted(rows) if turn % 2], np.int64)
    measured = search.measured(odd)
    raised = search.from_neighbours(measured, measured.relevance, pairs.take(pairs.lenders % 2 == 1)).relevance
    assert all(turn % 2 for turn in raised.ids.tolist())
    assert all(turn % 2 for turn in made.read)


def test_without_neighbours_nobody_gets_anything():
    made = Made(TEXTS, meant={3: direction("a")})
    search = made.search("deploy", direction("a"))
    measured = search.measured(search.best(10)[0])
    assert len(search.from_neighbours(measured, measured.relevance, Pairs.of([])).relevance) == 0


def test_a_vector_of_another_models_dimensions_is_not_searched():
    search = Made(TEXTS, meant={13: direction("q")}).search("deploy", np.ones(D + 1, np.float32))
    assert not search.by_meaning
    assert found(search) == [3, 8]


def test_a_newer_rule_comes_before_an_older_text_though_neither_was_measured():
    notes = direction("notes")
    texts = {1: "notes hang beside the door", 2: "From now on put notes into the wiki", 3: "the door is red"}
    made = Made(texts, meant={1: notes, 2: near(notes, 0.8), 3: direction("door")})
    search = made.search("notes", notes)
    search.measured(np.array([3]))
    equal = Relevances.of(dict.fromkeys(texts, Relevance(0.5, 0.5)))
    assert search.newer_rules(equal, np.array([10, 20, 30]), [2, 0, 1]) == [(1, 2)]
    assert search.newer_rules(equal, np.array([20, 10, 30]), [2, 0, 1]) == []
    about_the_same = search.newer_rules(equal, np.array([10, 30, 20]), [2, 0, 1])
    assert about_the_same == [(1, 2)]  # not the door, which is older too
