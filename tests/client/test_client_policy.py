"""How often a client tries, how long it waits in between, and how long it leaves a server alone."""

from __future__ import annotations

import pytest
from surroundings import Hours

from indelible.client.circuit import Circuit
from indelible.client.failures import Failure
from indelible.client.retries import Policy, attempted


@pytest.mark.parametrize(
    ("attempt", "least", "middle", "most"),
    [
        (0, 0.0, 0.125, 0.25),
        (1, 0.0, 0.25, 0.5),
        (2, 0.0, 0.5, 1.0),
        (3, 0.0, 1.0, 2.0),
        (4, 0.0, 2.0, 4.0),
        (5, 0.0, 2.0, 4.0),  # the cap
        (40, 0.0, 2.0, 4.0),
        (10_000, 0.0, 2.0, 4.0),
    ],
)
def test_a_wait_is_anything_up_to_the_doubled_base_and_never_above_the_cap(attempt, least, middle, most):
    policy = Policy()
    assert [policy.wait(attempt, chance) for chance in (0.0, 0.5, 1.0)] == [least, middle, most]


@pytest.mark.parametrize(
    ("failures", "least", "most"),
    [(1, 0.5, 1.0), (2, 1.0, 2.0), (3, 2.0, 4.0), (5, 8.0, 16.0), (6, 15.0, 30.0), (600, 15.0, 30.0)],
)
def test_a_pause_is_doubled_up_to_half_a_minute_and_half_of_it_is_chance(failures, least, most):
    assert [Policy().pause_after(failures, chance) for chance in (0.0, 1.0)] == [least, most]


def failing(*failures: Failure | Exception, value: str = "done"):
    """What fails in these ways, then works."""
    left = list(failures)

    def once() -> str:
        if left:
            raise left.pop(0)
        return value

    return once


def down(sent: bool = False, retry: bool = True, after: float | None = None) -> Failure:
    return Failure("down", sent=sent, retry=retry, after=after)


def test_two_failures_are_survived_and_the_waits_are_full_jitter():
    hours, heard = Hours(chance=0.5), []
    assert attempted(failing(down(), down()), Policy(), hours.timing, heard.append) == ("done", 2)
    assert hours.slept == [0.125, 0.25]
    assert [failure.retries for failure in heard] == [0, 1]


def test_the_third_failure_is_raised_and_knows_that_an_earlier_attempt_may_have_arrived():
    hours = Hours()
    with pytest.raises(Failure) as raised:
        attempted(failing(down(sent=True), down(), down()), Policy(), hours.timing, lambda _: None)
    assert raised.value.sent
    assert raised.value.retries == 2
    assert len(hours.slept) == 2


@pytest.mark.parametrize(
    ("failure", "waits"),
    [
        (down(after=2.0), [2.0]),  # what the server asks for, where it is more
        (down(after=0.0), [0.125]),
        (down(after=4.0), [4.0]),
        (down(after=4.1), None),  # longer than the cap: nobody waits for that
        (down(retry=False), None),
    ],
)
def test_what_the_server_asks_for_is_waited_up_to_the_cap(failure, waits):
    hours = Hours(chance=0.5)
    if waits is None:
        with pytest.raises(Failure):
            attempted(failing(failure), Policy(), hours.timing, lambda _: None)
        assert hours.slept == []
    else:
        assert attempted(failing(failure), Policy(), hours.timing, lambda _: None) == ("done", 1)
        assert hours.slept == waits


def test_what_is_no_failure_of_the_way_is_raised_at_once():
    hours = Hours()
    with pytest.raises(ValueError, match="wrong"):
        attempted(failing(ValueError("wrong")), Policy(), hours.timing, lambda _: None)
    assert hours.slept == []


# --- The circuit ---


def test_a_server_that_failed_is_left_alone_until_its_pause_is_over_and_then_asked_by_one():
    hours = Hours(chance=1.0)
    circuit = Circuit(Policy(), hours.timing)
    assert circuit.fails("refused") == 1.0
    assert (circuit.why, circuit.probes()) == ("refused", False)
    hours.sleep(1.0)
    assert circuit.probes()
    assert not circuit.probes()  # another call at the same time
    circuit.answers()
    assert circuit.why == ""
    assert circuit.works()
    assert not circuit.works()


def test_each_failure_of_a_probe_doubles_the_pause_and_a_call_that_works_ends_that():
    hours = Hours(chance=1.0)
    circuit = Circuit(Policy(), hours.timing)
    pauses = []
    for _ in range(7):
        pauses.append(circuit.fails("refused"))
        hours.sleep(pauses[-1])
        assert circuit.probes()
    assert pauses == [1, 2, 4, 8, 16, 30, 30]
    circuit.answers()
    assert circuit.fails("refused") == 30  # it answered, and did not work
    hours.sleep(30)
    circuit.probes()
    circuit.answers()
    circuit.works()
    assert circuit.fails("refused") == 1


def test_calls_that_fail_together_are_one_failure():
    circuit = Circuit(Policy(), Hours(chance=1.0).timing)
    assert [circuit.fails("refused") for _ in range(5)] == [1.0] * 5


def test_a_server_that_asks_for_a_minute_is_left_alone_for_a_minute():
    assert Circuit(Policy(), Hours().timing).fails("too many", after=60.0) == 60.0
    assert Circuit(Policy(), Hours().timing).fails("too many", after=1e9) == 300.0


def test_a_probe_that_nobody_finished_is_made_by_the_next():
    hours = Hours()
    circuit = Circuit(Policy(), hours.timing)
    circuit.fails("refused")
    hours.sleep(1.0)
    assert circuit.probes()
    circuit.gives_up()
    assert circuit.probes()
