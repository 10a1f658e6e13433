"""Texts put together for a model's context, by its tokens: whole while they fit, then one cut at a sentence's end.

Counted in o200k, the byte-pair encoding (Sennrich, Haddow and Birch, 2016) of current models.
"""

import importlib.util
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from typing import Any

from indelible.search.chunking import ends_in

BETWEEN = "\n\n"  # two texts
READ = 8  # characters a token that are looked at first: most texts have four


@dataclass(frozen=True, slots=True)
class Titled:
    """A text, and what its heading says in one line."""

    title: str
    text: str

    def entry(self, length: int | None = None) -> str:
        """The text under its heading, or its first `length` characters."""
        text = self.text if length is None else self.text[:length].rstrip()
        return f"# {self.title}\n{text}"


@dataclass(frozen=True, slots=True)
class Window:
    """What was put together; `tokens` are all of it, headings too.

    `included` counts the texts of which any part is there, `truncated` those that are cut or left out.
    """

    text: str
    tokens: int
    included: int
    truncated: int


def count(text: str) -> int:
    """How many o200k tokens a text is; what looks like a special token counts as the text that it is."""
    return int(_tokenizer().count(text))


def fits(text: str, most: int) -> bool:
    """Whether a text is at most so many tokens; a long one is not read to its end."""
    return most >= 0 and _tokenizer().count_till_limit(text, most) is not None


@cache
def _tokenizer() -> Any:
    return _bindings().tokenizer_for_encoding("o200k_base")


def _bindings() -> Any:
    """The compiled part of bpe_openai without the rest of it.

    That reads all ranks a second time (0.5 s, 70 MB), and refuses texts of over 200,000 tokens.
    """
    name = "bpe_openai._bindings"
    if name in sys.modules:
        return sys.modules[name]
    package = importlib.util.find_spec("bpe_openai")
    spec = PathFinder.find_spec(name, package.submodule_search_locations) if package is not None else None
    if spec is None or spec.loader is None:
        raise ImportError(f"{name} is not installed")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # it can be loaded once a process
    spec.loader.exec_module(module)
    return module


def fitted(parts: Sequence[Titled], most: int) -> Window:
    """The parts in their order in at most `most` tokens: the first that does not fit is cut, those after it left out.

    No token reaches over the end of a line that a `#` follows, so that the counts of entries can be added up.
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
    """The entry of as much of a text as fits into `room` tokens; "" where no part of it does."""
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
