"""Texts joined for a model's context within a number of tokens: whole while they fit, then one cut at a sentence."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from indelible.dataclass import dataclass
from indelible.search.chunking import ends_in
from indelible.search.model_tokens.o200k import count, fits

BETWEEN = "\n\n"  # two texts
READ = 8  # characters a token that are counted at first: most texts have four


@dataclass(frozen=True, slots=True)
class Titled:
    """A text with a heading of one line."""

    title: str
    text: str

    def entry(self, length: int | None = None) -> str:
        """The text under its heading, or its first `length` characters."""
        text = self.text if length is None else self.text[:length].rstrip()
        return f"# {self.title}\n{text}"


@dataclass(frozen=True, slots=True)
class Window:
    """The joined text; `tokens` counts all of it, headings too.

    `included` counts the texts of which any part is there, `truncated` those that are cut or left out.
    """

    text: str
    tokens: int
    included: int
    truncated: int


def fitted(parts: Sequence[Titled], most: int) -> Window:
    """Return the parts in order within `most` tokens: the first that does not fit is cut, later ones are left out.

    No token crosses the end of a line that a `#` follows, so that the counts of entries can be added up.
    """
    taken: list[str] = []
    whole = used = 0
    for part in parts:
        if not fits(part.entry(), most - used):
            cut = _cut(part, most - used)
            taken += [cut] if cut else []
            break
        taken.append(part.entry())
        whole += 1
        used += count(part.entry() + BETWEEN)
    text = BETWEEN.join(taken)
    return Window(text, count(text), len(taken), len(parts) - whole)


def _cut(part: Titled, room: int) -> str:
    """Return the entry of as much of a text as fits into `room` tokens; "" where no part of it does."""
    read = max(0, room) * READ
    while read < len(part.text) and fits(part.entry(read), room):
        read *= 2
    begins = len(part.text) - len(part.text.lstrip())
    for places in ends_in(part.text[:read]):
        ends = places[bisect_right(places, begins) :]
        beyond = bisect_left(ends, True, key=lambda end: not fits(part.entry(end), room))
        for end in reversed(ends[:beyond]):  # counts do not always grow with the text: those not looked at may not fit
            if fits(part.entry(end), room):
                return part.entry(end)
    return ""
