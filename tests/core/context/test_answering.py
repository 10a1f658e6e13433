"""Background work and bulk calls give way to the calls of all tenants of a process."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from embedding_rows import until
from indelible.admin import maintenance
from indelible.admin.maintenance import Housekeeper
from indelible.core.context import answering
from indelible.core.context.answering import Answering
from indelible.store.tables import records
from made_up_meaning import PATIENCE


@pytest.fixture
def patient(monkeypatch):
    """Who gives way does so for longer than a test lasts."""
    monkeypatch.setattr(answering, "LONGEST_WAY", 10 * PATIENCE)


def gives_way(calls):
    """Whether background work waits now."""
    looks = []
    calls.give_way(lambda: looks.append("waits") or True)
    return looks == ["waits"]


def test_background_work_waits_for_calls_and_a_moment_after_the_last(patient):
    calls = Answering()
    assert not gives_way(calls)
    with calls.call():
        with calls.call():
            assert gives_way(calls)
        assert gives_way(calls)
    looks = []
    calls.give_way(lambda: looks.append("after it") or True, quiet=PATIENCE)
    assert looks == ["after it"]


def test_who_gives_way_says_how_long_it_waited():
    calls = Answering()
    assert calls.give_way(lambda: True) == 0
    with calls.call():
        assert calls.give_way(longest=0.01) >= 0.01
        assert calls.give_way(longest=0) == 0


def test_a_bulk_call_is_not_waited_for_and_waits_for_the_others(patient):
    calls = Answering()
    with calls.call(), calls.bulk() as between_pieces:
        between_pieces()
        with ThreadPoolExecutor(1) as thread:
            with calls.call():
                waiting = thread.submit(between_pieces)
                assert gives_way(calls)
                assert not waiting.done()
            assert waiting.result(PATIENCE) > 0


def test_an_import_lets_a_call_by_before_it_goes_on(memory, patient):
    ctx = memory.context
    with ThreadPoolExecutor(1) as thread:
        with ctx.answering.call():
            done = thread.submit(memory.import_memories, memories=jars(40))
            until(lambda: ctx.answering._bulk)
            assert {count(ctx) for _ in range(100)} == {0}
            assert not done.done()
        assert done.result(PATIENCE)["imported"] == 40


def test_housekeeping_lets_a_call_by_before_it_begins(memory, patient):
    ctx = memory.context
    keeper = Housekeeper(ctx)
    with ThreadPoolExecutor(1) as thread:
        with ctx.answering.call():
            ctx.write_behind.returned([1], ctx.now())
            done = thread.submit(keeper._round)
            until(lambda: keeper._rounds)
            assert {bool(ctx.write_behind._accesses) for _ in range(100)} == {True}
            assert not done.done()
        done.result(PATIENCE)
    assert not ctx.write_behind._accesses


def test_housekeeping_takes_in_what_was_written_some_at_a_time(memory):
    ctx = memory.context
    with ctx.store.read() as tx, ctx.indexes.records.current(tx):
        pass
    memory.import_memories(memories=jars(3 * maintenance.TAKEN_IN))
    calls = CountingAnswering()
    Housekeeper(replace(ctx, answering=calls))._follow()
    assert calls.given_way >= 3
    with ctx.store.read() as tx:
        assert ctx.indexes.records.follow(tx, 1)


class CountingAnswering(Answering):
    """Counts how often other work gives way."""

    given_way = 0

    def give_way(self, *given, **named):
        self.given_way += 1
        return super().give_way(*given, **named)


def jars(number):
    return [{"content": f"the shelf {n} holds jars"} for n in range(number)]


def count(ctx):
    with ctx.store.read() as tx:
        return records.count_by_kind(tx).get("memory", 0)
