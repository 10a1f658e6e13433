"""How the code that a text names is now: plain values, which every room may show and a hook may load."""

from collections.abc import Sequence
from typing import NamedTuple

FRESH, CHANGED, MOVED, GONE = "fresh", "changed", "moved", "gone"
STATES = (FRESH, CHANGED, MOVED, GONE)  # from the best to the worst
LEAST_GONE = 0.5  # of what a text names, by weight, from which on the text speaks of what is gone
NAMED = 3  # names that a mark has at most


class CodeState(NamedTuple):
    """A symbol or file that a text names: its name there, its state since, and how sure it is that it is meant.

    `changed` tells that what moved has changed too; `to` is the new path, or the new name in the same file. `commit` is
    the beginning of the one that did it, `part` how much of the lines has changed, 0..1: "" and 0 for unknown.
    """

    name: str
    state: str
    weight: float = 1.0
    changed: bool = False
    to: str = ""
    commit: str = ""
    part: float = 0.0


def worst(states: Sequence[CodeState]) -> str:
    """Return the state of a text: gone where at least half of what it names is, else the worst of the others."""
    if is_gone(states):
        return GONE
    return max((CHANGED if each.state == GONE else each.state for each in states), key=STATES.index, default=FRESH)


def share_gone(states: Sequence[CodeState]) -> float:
    """Return which part of what a text names is gone, by weight: 0..1, 0 where it names nothing."""
    every = sum(each.weight for each in states)
    return sum(each.weight for each in states if each.state == GONE) / every if every > 0 else 0.0


def is_gone(states: Sequence[CodeState]) -> bool:
    """Return whether a text speaks of what is gone: of which it can be no evidence any more."""
    return share_gone(states) >= LEAST_GONE


def mark(states: Sequence[CodeState], most: int = NAMED) -> str:
    """Return in a few words what is no longer as the text says, the worst first, "" if everything is as it was."""
    stale = sorted((each for each in states if each.state != FRESH), key=lambda each: -STATES.index(each.state))
    words = [_words(each) for each in stale[:most]]
    return ", ".join(words) + (f" and {len(stale) - most} more" if len(stale) > most else "")


def _words(each: CodeState) -> str:
    commit = f" in {each.commit}" if each.commit else ""
    part = f" ({each.part:.0%})" if each.part else ""
    if each.state == MOVED:
        return f"{each.name} moved to {each.to}{' and changed' if each.changed else ''}{commit}{part}"
    return f"{each.name} {each.state}{commit}{part}"
