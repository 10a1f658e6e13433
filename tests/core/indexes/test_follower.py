"""A cache that follows the change log, on both databases."""

import pytest

from indelible.core.indexes.follower import ChangeFollower, last_operations
from indelible.store.tables import changes, settings
from indelible.store.tables.changes import Change

EVER = 1 << 60


class Kept:
    """A cache that notes what it is told."""

    def __init__(self):
        self.told = []
        self.fails = False

    def start_over(self, tx):
        self._fail_if_it_must()
        self.told.append("start over")

    def take_in(self, tx, news):
        self._fail_if_it_must()
        self.told += [(change.operation, change.record) for change in news]

    def _fail_if_it_must(self):
        if self.fails:
            raise RuntimeError("as the test wants it")


@pytest.fixture
def kept():
    return Kept()


@pytest.fixture
def follow(memory, kept):
    """Let the cache catch up, in a transaction of its own; what it was told then."""
    follower = ChangeFollower(kept, most=3)

    def caught_up():
        kept.told.clear()
        with memory.context.store.read() as tx:
            follower.catch_up(tx)
        return list(kept.told)

    caught_up.follower = follower
    return caught_up


def stored(memory, text):
    memory.store_memory(content=text)
    with memory.context.store.read() as tx:
        return changes.since(tx, 0)[-1].record


def test_the_first_look_starts_over_and_the_next_ones_get_what_is_new_once(memory, follow):
    stored(memory, "one")
    assert follow() == ["start over"]
    assert follow() == []
    two = stored(memory, "two")
    assert follow() == [("put", two)]
    assert follow() == []


def test_an_empty_log_is_something_to_start_from(memory, follow):
    assert follow() == ["start over"]
    assert follow() == []
    one = stored(memory, "one")
    assert follow() == [("put", one)]


def test_more_changes_than_are_taken_in_one_by_one_start_over(memory, follow):
    follow()
    for number in range(3):
        stored(memory, f"text {number}")
    assert [operation for operation, _ in follow()] == ["put"] * 3
    for number in range(4):
        stored(memory, f"more {number}")
    assert follow() == ["start over"]


def test_a_log_that_was_cut_before_it_was_read_starts_over(memory, follow):
    ctx = memory.context
    stored(memory, "zero")
    follow()
    for text in ("one", "two", "three"):
        stored(memory, text)
    ctx.store.write(lambda tx: changes.trim(tx, EVER, EVER))
    assert follow() == ["start over"]


def test_a_log_that_was_cut_up_to_what_was_read_does_not(memory, follow):
    ctx = memory.context
    stored(memory, "zero")
    follow()
    with ctx.store.read() as tx:
        read = changes.last(tx)
    one = stored(memory, "one")
    ctx.store.write(lambda tx: changes.trim(tx, 0, read))
    assert follow() == [("put", one)]


@pytest.mark.sqlite("the epoch of a database is that of all its tenants: another test would start over too")
def test_another_epoch_starts_over(memory, follow):
    follow()
    memory.context.store.write(lambda tx: settings.put_epoch(tx, "restored"))
    assert follow() == ["start over"]
    assert follow() == []


def test_what_a_cache_failed_to_take_in_comes_again(memory, follow, kept):
    follow()
    one = stored(memory, "one")
    kept.fails = True
    with pytest.raises(RuntimeError):
        follow()
    kept.fails = False
    assert follow() == [("put", one)]


def test_a_cache_that_failed_to_start_over_starts_over_again(memory, follow, kept):
    kept.fails = True
    with pytest.raises(RuntimeError):
        follow()
    kept.fails = False
    stored(memory, "one")
    assert follow() == ["start over"]


def test_a_reader_of_an_earlier_moment_leaves_a_newer_cache_as_it_is(memory, follow, kept):
    stored(memory, "one")
    follow()
    with memory.context.store.read() as earlier:
        changes.last(earlier)  # its moment is now
        two = stored(memory, "two")
        assert follow() == [("put", two)]
        kept.told.clear()
        follow.follower.catch_up(earlier)
        assert kept.told == []
    assert follow() == []


def test_of_several_changes_of_a_record_the_last_counts():
    news = [Change(1, 7, "put"), Change(2, 8, "put"), Change(3, 7, "embed"), Change(4, 8, "delete")]
    assert last_operations(news, ("put", "delete")) == {7: "put", 8: "delete"}
    assert last_operations(news, ("put", "delete", "embed")) == {7: "embed", 8: "delete"}


def test_changes_are_taken_in_some_at_a_time_each_once_and_in_their_order(memory, follow, kept):
    follow()
    stored_here = [stored(memory, f"text {number}") for number in range(3)]
    told, ends = [], []
    with memory.context.store.read() as tx:
        while not ends or not ends[-1]:
            kept.told.clear()
            ends.append(follow.follower.catch_up(tx, 2))
            told.append(list(kept.told))
    assert told == [[("put", record) for record in part] for part in (stored_here[:2], stored_here[2:])]
    assert ends == [False, True]
    assert follow() == []


def test_some_changes_that_are_all_leave_nothing_for_later(memory, follow, kept):
    follow()
    stored(memory, "one")
    stored(memory, "two")
    with memory.context.store.read() as tx:
        assert follow.follower.catch_up(tx, 2)
    assert follow() == []


def test_what_was_taken_in_in_part_is_whole_for_the_next_recall(memory):
    index = memory.context.indexes.records
    with memory.context.store.read() as tx, index.current(tx) as caches:
        assert caches.words.count == 0
    for number in range(5):
        memory.store_memory(content=f"the shelf {number} holds jars")
    with memory.context.store.read() as tx:
        assert not index.follow(tx, 2)
        with index.current(tx) as caches:
            assert caches.words.count == 5
        assert index.follow(tx, 2)
