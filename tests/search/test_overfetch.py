"""Filtered search by an index that knows no filters: what passes comes back, whatever the index gives up on."""

import numpy as np
import pytest

from indelible.search.index import overfetch
from indelible.search.index.entries import Entry
from indelible.search.index.postings import Postings

COUNT = 400


class Line:
    """Records 1 to 400, each as near as its id is low; at most `gives` are found by the index."""

    def __init__(self, gives: int = COUNT):
        self.gives = gives
        self.asked: list[tuple[int, int | None]] = []

    def __call__(self, most: int, among: list[int] | None = None) -> list[int]:
        self.asked.append((most, None if among is None else len(among)))
        if among is not None:
            return sorted(among)[:most]
        return list(range(1, COUNT + 1))[: min(most, self.gives)]


@pytest.fixture
def postings():
    found = Postings()
    found.put_many([Entry(record, "", "memory", "", 0, b"") for record in range(1, COUNT + 1)])
    return found


def passing(postings, allowed):
    return np.isin(postings.records.values, list(allowed))


def test_without_a_filter_the_index_is_asked_for_as_many_as_are_wanted(postings):
    line = Line()
    found, complete = overfetch.nearest(line, postings, passing(postings, range(1, COUNT + 1)), 5)
    assert (found.tolist(), complete, line.asked) == ([1, 2, 3, 4, 5], False, [(5, None)])


@pytest.mark.parametrize("gives", [COUNT, 20, 3, 0])
@pytest.mark.parametrize("step", [2, 7, 90])
def test_what_passes_is_found_nearest_first_whatever_the_index_gives(postings, step, gives):
    allowed = range(step, COUNT + 1, step)
    line = Line(gives)
    found, complete = overfetch.nearest(line, postings, passing(postings, allowed), 6)
    assert found.tolist() == list(allowed)[:6]
    assert complete == (len(allowed) < 6)


def test_where_the_nearest_do_not_pass_it_is_asked_for_more(postings):
    line = Line()
    found, _ = overfetch.nearest(line, postings, passing(postings, range(101, COUNT + 1)), 3)
    assert found.tolist() == [101, 102, 103]
    assert line.asked == [(6, None), (24, None), (3, 300)]  # more would cost more than to compare all that pass


def test_where_few_pass_only_these_are_compared(postings):
    line = Line()
    found, complete = overfetch.nearest(line, postings, passing(postings, [7, 300]), 5)
    assert (found.tolist(), complete, line.asked) == ([7, 300], True, [(5, 2)])


def test_a_record_that_the_index_knows_and_the_filters_do_not_is_left_out(postings):
    postings.remove(1)
    found, _ = overfetch.nearest(Line(), postings, postings.mask(None, None, None), 2)
    assert found.tolist() == [2, 3]
