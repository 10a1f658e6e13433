"""The relevance of many records as arrays: what one record's would be, in the order of ids."""

import numpy as np
import pytest

from indelible.search.relevance import Relevance, Relevances, lent, together

ONE, TWO, THREE = Relevance(0.4, 0.2), Relevance(0.9, 0.0, True), Relevance(0.4, 0.2)
SOME = {7: ONE, 3: TWO, 11: THREE}


def test_each_is_found_again_by_its_id_and_values_are_those_of_one():
    found = Relevances.of(SOME)
    assert found.ids.tolist() == [3, 7, 11]
    assert found.by_id() == SOME
    assert found.values.tolist() == pytest.approx([each.value for each in (TWO, ONE, THREE)])
    assert len(Relevances.of({})) == 0


def test_the_best_come_first_and_of_equal_ones_the_last_stored():
    found = Relevances.of(SOME)
    assert found.ids[found.best(9)].tolist() == [3, 11, 7]
    assert found.ids[found.best(1)].tolist() == [3]
    assert found.best(0).tolist() == []


def test_of_a_record_in_both_the_others_count():
    merged = Relevances.of(SOME).replaced_by(Relevances.of({7: TWO, 5: ONE}))
    assert merged.by_id() == {**SOME, 7: TWO, 5: ONE}
    assert merged.ids.tolist() == [3, 5, 7, 11]
    assert Relevances.of(SOME).replaced_by(Relevances.of({})).by_id() == SOME
    assert Relevances.of({}).replaced_by(Relevances.of(SOME)).by_id() == SOME


def test_some_are_taken_by_id_mask_or_place():
    found = Relevances.of(SOME)
    assert found.among({7, 99}).by_id() == {7: ONE}
    assert found.take(np.array([False, True, True])).by_id() == {7: ONE, 11: THREE}
    assert found.places_of(np.array([11, 4, 3, 99])).tolist() == [2, -1, 0, -1]
    assert Relevances.of({}).places_of(np.array([1])).tolist() == [-1]


def test_one_between_two_answers_gets_of_both_and_of_several_relations_the_heaviest_counts():
    best = {1: ONE, 2: ONE}
    alone = lent([(1, 9, 0.5), (1, 9, 1.0), (1, 9, 0.1)], best)[9]
    assert alone == ONE.part(0.4)
    both = lent([(1, 9, 1.0), (2, 9, 1.0)], best)[9]
    assert both == together([ONE.part(0.4), ONE.part(0.4)])
    assert both.value > alone.value
    assert lent([(1, 9, 7.0)], best)[9] == alone
    assert lent([], best) == {}
