"""A fast upper bound on a text's o200k tokens: the exact encoding's 200,000 merges take 0.4 s to load.

Byte-pair encoding (Sennrich, Haddow and Birch, 2016) cuts a text into pieces and then joins, in each, the neighbours of
the lowest rank until no two make a token. With the first merges only, the same steps are done up to the point where
those are used up; every further merge would make the count smaller. So the count after the first 10,000
merges is never below the whole one. It is a quarter above it for English and code, up to twice for other languages.

The pieces are those of o200k as far as Python's Unicode tables know its characters. Where a piece has characters beyond
ASCII, a second bound is what they take one by one, most of them a token each.
"""

import re
import unicodedata
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

_DATA = Path(__file__).parent / "data"
_LONGEST = 64  # bytes of a piece whose merges are followed: the work grows with their square

_BRAHMIC = frozenset(map(chr, range(0x0900, 0x1100)))  # Devanagari to Myanmar

# The pieces of o200k. Characters beyond ASCII stand there as one of their class.
_UPPER, _LOWER, _OTHER, _NUMBER, _SPACE, _SIGN = map(chr, range(0xE000, 0xE006))
_U, _L, _N = f"A-Z{_UPPER}{_OTHER}", f"a-z{_LOWER}{_OTHER}", f"0-9{_NUMBER}"
_S = f" \t\n\r\x0b\x0c{_SPACE}"
_BEGIN = rf"[^\r\nA-Za-z{_UPPER}{_LOWER}{_OTHER}{_N}]?"
_END = r"(?:'(?:[sStTmMdD]|[rRvV][eE]|[lL]{2}))?"
_PIECE = (
    rf"{_BEGIN}[{_U}]*[{_L}]+{_END}|{_BEGIN}[{_U}]+[{_L}]*{_END}|[{_N}]{{1,3}}"
    rf"| ?[^{_S}A-Za-z{_UPPER}{_LOWER}{_OTHER}{_N}]+[\r\n/]*|[{_S}]*[\r\n]+|[{_S}]+(?![^{_S}])|[{_S}]+"
)
_CLASSES = {"Lu": _UPPER, "Lt": _UPPER, "Ll": _LOWER, "Lo": _OTHER, "Lm": _OTHER, "Zs": _SPACE, "Zl": _SPACE}
_FIRST = {"M": _OTHER, "N": _NUMBER, "Z": _SPACE}  # by the first letter of a category


def at_most(text: str) -> int:
    """Return an upper bound on the o200k tokens of a text.

    It adds up: that of lines is the sum of each with its line break, where the next begins with neither white space nor
    a slash.
    """
    classes = text if text.isascii() else "".join(map(_class, text))
    return sum(_bound(text[found.start() : found.end()]) for found in _pieces().finditer(classes))


@lru_cache(4_096)
def _class(char: str) -> str:
    if char.isascii():
        return char
    category = unicodedata.category(char)
    return _SPACE if char == "\x85" else _CLASSES.get(category) or _FIRST.get(category[0], _SIGN)


@lru_cache(8_192)  # most words come again
def _bound(piece: str) -> int:
    data = piece.encode("utf-8", "surrogatepass")
    if len(data) == len(piece):
        return _merged(data) if len(data) <= _LONGEST else len(data)
    one_by_one = sum(
        1 if char.isascii() or char in _characters() else len(char.encode("utf-8", "surrogatepass")) for char in piece
    )
    # Bytes of these join those of neighbours of another script, so that two characters can make three tokens.
    one_by_one += sum((a in _BRAHMIC) != (b in _BRAHMIC) for a, b in pairwise(piece))
    return min(_merged(data), one_by_one) if len(data) <= _LONGEST else one_by_one


def _merged(data: bytes) -> int:
    """Return how many tokens are left of a piece after the known merges."""
    ranks = _ranks()
    if data in ranks:
        return 1
    parts = [data[at : at + 1] for at in range(len(data))]
    while len(parts) > 1:
        rank, at = min((ranks.get(parts[at] + parts[at + 1], len(ranks)), at) for at in range(len(parts) - 1))
        if rank == len(ranks):
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return len(parts)


@cache
def _ranks() -> dict[bytes, int]:
    known = (_DATA / "o200k_merges").read_bytes().split(b"\xff")
    return dict(zip(known, range(len(known)), strict=True))


@cache
def _characters() -> frozenset[str]:
    return frozenset((_DATA / "o200k_characters").read_text(encoding="utf-8"))


@cache
def _pieces() -> re.Pattern[str]:
    return re.compile(_PIECE)
