"""The type of a check of `doctor`: it finds faults, as sentences, and may repair them."""

from collections.abc import Callable, Iterable

from indelible.core.context.context import Context
from indelible.dataclass import dataclass

REPAIR = "`indelible doctor --repair`"
SHOWN = 5  # ids that a sentence names


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check, as one sentence that names the remedy; without `fault` it is only a remark."""

    text: str
    fault: bool = True


@dataclass(frozen=True, slots=True)
class Check:
    """A check; `mend` repairs what `find` reports, with a line for each repair; None if only the owner can repair it.

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
