"""The order of states, and which of them a state came after."""

from indelible.admin.sync.stamps import MOST_JOINED, joined, knows, seen_with

LATER = f"{7:016x}{0:08x}a"


def test_a_state_that_was_joined_with_two_others_is_neither_of_the_two():
    one, other = joined(LATER, "1" * 32), joined(LATER, "2" * 32)
    assert LATER < one < other
    assert joined(LATER, "1" * 32) == one
    assert not knows(seen_with(one), other)
    assert not knows(seen_with(other), one)


def test_of_joined_states_the_last_ones_are_known():
    seen = {}
    states = [joined(f"{number:016x}{0:08x}a", f"{number:032x}"[::-1]) for number in range(MOST_JOINED + 5)]
    for state in states:
        seen = seen_with(state, seen)
    assert [knows(seen, state) for state in states] == [False] * 5 + [True] * MOST_JOINED
