"""Lines for people: without what a terminal would obey, and broken between words where it is narrow."""

import os
import re
import shutil
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TextIO

NARROWEST = 20  # cells: no line is broken to fit into fewer
_HANGING = "  "  # before what follows in a broken line
_BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_STEERS = (*(code for code in range(0x20) if code not in (0x09, 0x0A)), *range(0x7F, 0xA0), 0x2028, 0x2029, *_BIDI)
_AS_SPACE = dict.fromkeys(_STEERS, " ")
_AS_JSON = {code: f"\\u{code:04x}" for code in _STEERS}


def for_people(text: str, stream: TextIO, hanging: str | None = None) -> str:
    """Return a text as it is written to a stream for people: what steers a terminal is a space, and on one it fits."""
    text = harmless(text)
    return wrapped(text, width_of(stream), hanging) if stream.isatty() else text


def harmless(text: str) -> str:
    r"""Return a text with a space for each control (but \n and \t) and each character that turns the direction.

    The last guard before a terminal, for whatever comes: `visible` takes whole sequences out of stored texts before.
    """
    return text if text.isprintable() else text.translate(_AS_SPACE)


def harmless_json(text: str) -> str:
    """Return JSON that means the same, in which these are escapes: its strings are all that can hold them."""
    return text if text.isprintable() else text.translate(_AS_JSON)


def width_of(stream: TextIO) -> int:
    """Return the width in cells of the terminal that a stream is; COLUMNS of the environment counts first."""
    try:
        columns, lines = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):  # no terminal, or no file
        columns, lines = 0, 0
    return shutil.get_terminal_size((columns or 80, lines or 24)).columns


def cells(text: str) -> int:
    """Return how many cells of a terminal a text takes: 2 for a wide character, 0 for one that joins the last one."""
    if text.isascii():
        return len(text)
    return sum(map(_cells_of, text))


@lru_cache(4096)
def _cells_of(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def wrapped(text: str, width: int, hanging: str | None = None) -> str:
    """Return a text whose lines take at most so many cells each, broken between words.

    A word that is wider stays whole, as a path or an address that somebody copies, but for words of wide characters,
    which are written without spaces. What follows in a broken line is indented by `hanging`, else by two more than it.
    """
    width = max(width, NARROWEST)
    return "\n".join(_wrapped(line, width, hanging) for line in text.split("\n"))


def _wrapped(line: str, width: int, hanging: str | None) -> str:
    if len(line) * 2 <= width or cells(line.expandtabs()) <= width:
        return line
    lead = line[: len(line) - len(line.lstrip())]
    indent = lead + _HANGING if hanging is None else hanging
    done: list[str] = []
    current, used = lead, cells(lead.expandtabs())
    is_begun = False  # whether there is a word in the current line
    for space, part in _parts(line[len(lead) :]):
        taken = cells(part)
        if is_begun and used + len(space) + taken > width:
            done.append(current.rstrip())
            current, used = indent + part, cells(indent.expandtabs()) + taken
        else:
            current += space + part
            used += len(space) + taken
        is_begun = True
    return "\n".join([*done, current])


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield what stands together, with the spaces before it: words, and the wide characters of a word one by one."""
    words = re.split(r"(\s+)", text.strip())
    for space, word in zip(["", *words[1::2]], words[::2], strict=True):
        if len(word) < 2 or word.isascii():
            yield space, word
            continue
        first, *others = _pieces(word)
        yield space, first
        yield from (("", part) for part in others)


def _pieces(word: str) -> Iterator[str]:
    """Yield a word in the pieces between which it may be broken: before and behind wide characters."""
    piece, was_wide = "", False
    for char in word:
        width = cells(char)
        is_wide = width == 2
        if piece and width and (is_wide or was_wide):
            yield piece
            piece = ""
        piece += char
        was_wide = is_wide if width else was_wide
    yield piece
