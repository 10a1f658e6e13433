"""The changes between two states of a text, word by word; of long texts line by line."""

import re
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

MOST = 2_000  # words, else lines, of both texts together that are compared

_WORDS, _LINES = re.compile(r"\s+|\S+"), re.compile(r".*\n|.+")


class Piece(NamedTuple):
    """A piece of either text: in both, in the old one only (`gone`), or in the new one only."""

    kind: Literal["same", "gone", "new"]
    text: str


def between(old: str, new: str) -> list[Piece]:
    """Return the pieces in their order: without the new ones they are the old text, without the gone ones the new."""
    for parts in (_WORDS, _LINES):
        before, after = parts.findall(old), parts.findall(new)
        if len(before) + len(after) <= MOST:
            return _compared(before, after)
    return _pieces(old, new)


def _compared(before: list[str], after: list[str]) -> list[Piece]:
    found: list[Piece] = []
    for what, start, end, from_, to in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = "".join(before[start:end]), "".join(after[from_:to])
        found += [Piece("same", old)] if what == "equal" else _pieces(old, new)
    return found


def _pieces(old: str, new: str) -> list[Piece]:
    return [*([Piece("gone", old)] if old else []), *([Piece("new", new)] if new else [])]
