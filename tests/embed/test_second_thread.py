"""A thread beside its caller: what it is given comes back, from another core where there is one."""

import os
import threading

import pytest

from indelible.embed.second_thread import SecondThread

several_cores = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="this process may use one core only, or the system does not tell, so this test did NOT run",
)


@pytest.fixture
def second() -> SecondThread:
    made = SecondThread("test")
    made.submit(int)  # the thread starts with the first work
    return made


def _cores(second: SecondThread) -> set[int]:
    asked = second.submit(os.sched_getaffinity, 0)
    assert asked is not None
    return asked.result()


def _in_a_thread(work) -> list:
    """What comes of work in a thread of its own, whose cores may be changed."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found


def test_work_is_done_in_one_other_thread():
    second = SecondThread("test")
    asked = [second.submit(threading.get_ident) for _ in range(5)]
    threads = {each.result() for each in asked if each is not None}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_what_the_work_raises_is_the_callers_to_see(second):
    asked = second.submit(int, "no number")
    assert asked is not None
    with pytest.raises(ValueError, match="no number"):
        asked.result()


@several_cores
def test_the_thread_is_kept_off_one_of_the_callers_cores(second):
    every = os.sched_getaffinity(0)
    assert _cores(second) < every
    assert len(_cores(second)) == len(every) - 1


@several_cores
def test_no_core_is_used_that_the_caller_may_not(second):
    first, other = sorted(os.sched_getaffinity(0))[:2]

    def narrowed() -> set[int]:
        os.sched_setaffinity(0, {first, other})
        return _cores(second)

    assert _in_a_thread(narrowed) in ([{first}], [{other}])


@several_cores
def test_a_caller_with_one_core_leaves_the_thread_as_it_is(second):
    before = _cores(second)

    def alone() -> set[int]:
        os.sched_setaffinity(0, {min(before)})
        return _cores(second)

    assert _in_a_thread(alone) == [before]


def test_a_system_that_does_not_tell_the_core_is_no_obstacle(second, monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    from indelible.embed import second_thread

    second_thread._asking.cache_clear()
    try:
        asked = second.submit(str, 5)
    finally:
        second_thread._asking.cache_clear()
    assert asked is not None
    assert asked.result() == "5"
