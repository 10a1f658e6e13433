"""The common interface of the three formats of configuration files.

A client keeps its servers in one table (`section`), by name (`key`). A format finds our entry there, puts it in and
takes it out, by text offsets: whatever is not ours stays byte for byte as it is. Each edit is read again before it is
handed out, and refused where it did more or less than it should.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from indelible.dataclass import dataclass


class Unsure(Exception):
    """A text that cannot be read, or not be edited without a doubt; `line` counts from 1."""

    def __init__(self, line: int, what: str):
        super().__init__(what)
        self.line, self.what = line, what


@dataclass(frozen=True, slots=True)
class Found:
    """The content of a file: whether it has the section, the names in it, and our entry (None: missing)."""

    section: bool
    names: tuple[str, ...] = ()
    entry: Any = None
    line: int = 0


class Format(Protocol):
    """A kind of configuration file. Everything raises Unsure; texts begin after a byte order mark."""

    def look(self, text: str, section: str, key: str) -> Found:
        """Read the whole text and find the entry."""

    def put(self, text: str, section: str, key: str, entry: Mapping[str, Any]) -> str:
        """Set what `entry` names, in a new entry or in the one that is there; whatever else that has stays."""

    def drop(self, text: str, section: str, key: str, prune: bool) -> str:
        """Take the entry out; with `prune` the section too if nothing is left in it."""

    def is_plain(self, text: str, section: str, key: str) -> bool:
        """Can the client's own command write this file again without taking anything of the user's away?"""

    def same_but_for(self, one: str, other: str, section: str, key: str) -> bool:
        """Do two texts hold the same values, apart from our entry and a section that is empty without it?"""

    def snippet(self, section: str, key: str, entry: Mapping[str, Any]) -> str:
        """The entry as it stands in an otherwise empty file, with a final newline."""


def newline_of(text: str) -> str:
    """The line break that a text begins with; LF where it has none."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def line_at(text: str, offset: int) -> int:
    """The number of the line that an offset is in, from 1."""
    return text.count("\n", 0, offset) + 1


def edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """A text with spans (start, end, what stands there instead) replaced; they do not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
