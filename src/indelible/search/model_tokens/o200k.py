"""Counts of o200k tokens: the byte-pair encoding (Sennrich, Haddow and Birch, 2016) of current models.

The counts are those of OpenAI's tiktoken. It knows the characters of Unicode 16; the library that counts here takes the
4,699 that Unicode 17 added for letters, where tiktoken takes them for signs. So each of those is replaced, before it is
counted, by one that no version takes for a letter and whose bytes are joined to tokens as its own are: its last byte is
the same, and the bytes before that are as many tokens.
"""

import re
from functools import cache

# Imported late (start, cli): toktok

ENCODING = "o200k_base"
LONGEST = 128  # characters of the longest token: of spaces

_UNASSIGNED = 0xC0000  # from other characters to those of planes 13 to 15 that differ in the first byte only
_ALIKE = (
    {"\u088f": "\ue88f", "\u0c5c": "\U0009009c", "\u0cdc": "\U0009009c"}
    | {chr(code): chr(code + 0x8F000) for code in (*range(0x1ACF, 0x1ADE), *range(0x1AE0, 0x1AEC))}
    | {chr(code): chr(code + 0x4000) for code in (0xA7CE, 0xA7CF, 0xA7D2, 0xA7D4, 0xA7F1)}
)
_UNICODE_17 = (
    "\u088f\u0c5c\u0cdc\u1acf-\u1add\u1ae0-\u1aeb\ua7ce\ua7cf\ua7d2\ua7d4\ua7f1"
    "\U00010940-\U00010959\U00010ec5-\U00010ec7\U00010efa\U00010efb\U00011b60-\U00011b67\U00011db0-\U00011ddb"
    "\U00011de0-\U00011de9\U00016ea0-\U00016eb8\U00016ebb-\U00016ed3\U00016ff2-\U00016ff6\U000187f8-\U000187ff"
    "\U00018d09-\U00018d1e\U00018d80-\U00018df2\U0001e6c0-\U0001e6de\U0001e6e0-\U0001e6f5\U0001e6fe\U0001e6ff"
    "\U0002b73a-\U0002b73f\U0002cea2-\U0002cead\U000323b0-\U00033479"
)


def count(text: str) -> int:
    """Return how many o200k tokens a text is, in time that grows with its length.

    The text of a special token counts as ordinary text. UnicodeEncodeError for half of a surrogate pair.
    """
    from toktok import batch_count  # its first count takes 0.4 s: all ranks are read

    if not text.isascii():
        text = _unicode_17().sub(_as_sign, text)
    return int(batch_count([text], ENCODING, threads=1)[0])


def fits(text: str, most: int) -> bool:
    """Whether a text has at most so many tokens; one that cannot by its length is not counted."""
    return most >= 0 and len(text) <= most * LONGEST and count(text) <= most


@cache
def _unicode_17() -> re.Pattern[str]:
    return re.compile(f"[{_UNICODE_17}]")


def _as_sign(found: re.Match[str]) -> str:
    return _ALIKE.get(found[0]) or chr(ord(found[0]) + _UNASSIGNED)
