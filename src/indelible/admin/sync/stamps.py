"""When a state came to be, in an order that all machines agree on: a hybrid logical clock (Kulkarni et al., 2014).

A stamp is a text that sorts by time (microseconds since 1970), then a counter, then the machine. A clock never goes
back, and after it has seen a stamp it gives only later ones: whoever changes what another machine wrote is later than
that machine, however wrong the clocks of the two are.
"""

import re
from collections.abc import Mapping

from indelible.dataclass import dataclass

_TIME, _COUNTER = 16, 8  # hexadecimal digits
_LENGTH = _TIME + _COUNTER  # of a stamp without its machine
FORM = re.compile(r"[0-9a-f]{24}[0-9a-z]{1,32}")
JOINED = "joined"  # in the place of a machine, with a part of the digest: made by each of them alike, of two states
_OF_DIGEST = 16  # of its digits
MOST_JOINED = 100  # states of a record that were joined and are known to its next one

Seen = Mapping[str, str]  # by machine the last stamp that is known there, without the machine


@dataclass(slots=True)
class Clock:
    """The clock of a machine: its last time and counter."""

    machine: str
    time: int = 0
    counter: int = 0

    def tick(self, moment: int) -> str:
        """Return the stamp of something that happened at a moment, later than all that were given or seen."""
        if moment > self.time:
            self.time, self.counter = moment, 0
        else:
            self.counter += 1
        return _text(self.time, self.counter, self.machine)

    def observe(self, stamp: str) -> None:
        """Note a stamp of another machine."""
        self.time, self.counter = max((self.time, self.counter), _parts(stamp))

    def stored(self) -> str:
        """Return the clock as it is stored."""
        return _text(self.time, self.counter, "")

    @classmethod
    def restored(cls, machine: str, stored: str | None) -> "Clock":
        """Return the clock of a machine as it was stored, a new one for None."""
        return cls(machine, *_parts(stored)) if stored else cls(machine)


def _parts(stamp: str) -> tuple[int, int]:
    return int(stamp[:_TIME], 16), int(stamp[_TIME:_LENGTH], 16)


def _text(time: int, counter: int, machine: str) -> str:
    return f"{max(0, time):0{_TIME}x}{counter:0{_COUNTER}x}{machine}"


def seen_with(stamp: str, *others: Seen) -> dict[str, str]:
    """Return what is known of a state with a stamp that came from states of which the others are known.

    Of joined states, each of which counts as a machine, the last ones.
    """
    found: dict[str, str] = {}
    for seen in (*others, {stamp[_LENGTH:]: stamp[:_LENGTH]}):
        for machine, last in seen.items():
            found[machine] = max(found.get(machine, ""), last)
    for _, machine in sorted((last, each) for each, last in found.items() if each.startswith(JOINED))[:-MOST_JOINED]:
        del found[machine]
    return found


def knows(seen: Seen, stamp: str) -> bool:
    """Return whether a state of which that is known came after one with a stamp, or is that one."""
    return seen.get(stamp[_LENGTH:], "") >= stamp[:_LENGTH]


def joined(stamp: str, digest: str) -> str:
    """Return the stamp of what two states were joined to, the later of which has that stamp: the same everywhere.

    Its digest makes it another one than that of any other state which the later one was joined with.
    """
    time, counter = _parts(stamp)
    return _text(time, counter + 1, f"{JOINED}{digest[:_OF_DIGEST]}")
