"""One thing that `doctor` examines: what is wrong, in sentences, and what mends it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from indelible.core.context.context import Context

REPAIR = "`indelible doctor --repair`"
SHOWN = 5  # ids that a sentence names


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, as one sentence that names the remedy; what is no `fault` is worth knowing only."""

    text: str
    fault: bool = True


@dataclass(frozen=True, slots=True)
class Check:
    """What is examined, and how; `mend` gives a line for each thing that it did, None where only the owner can mend.

    `find` changes nothing. Both open transactions of their own, none of them longer than a page of rows takes, so
    that others go on writing: what is written meanwhile is examined as it is when it is read.
    """

    name: str
    find: Callable[[Context], Iterable[Finding]]
    mend: Callable[[Context], Iterable[str]] | None = None


def counted(number: int, one: str, several: str | None = None) -> str:
    """`1 record`, `2,000 records`."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def named(ids: Iterable[str]) -> str:
    """The first of some ids, for a sentence: ` (a, b and 3 more)`; "" for none."""
    every = list(ids)
    more = f" and {len(every) - SHOWN:,} more" if len(every) > SHOWN else ""
    return f" ({', '.join(every[:SHOWN])}{more})" if every else ""
