"""Text as numbered tokens, by a model's own `tokenizer.json`."""

from array import array
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.embed.windows import windows
from indelible.errors import InvalidInput, MissingExtra

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

# Imported late (extra): tokenizers

_OVERLAP = 32  # tokens that a window shares with the next, or an eighth of it where that is less
_LONGEST_QUERY = 20_000  # characters; of a longer question the rest is not even cut into tokens


class Tokens:
    """Cuts texts into a model's tokens; safe to use from many threads. Markers in a text, as "[SEP]", are plain text.

    `limit` is the most tokens that a row may have, with prefix and markers.
    """

    def __init__(self, tokenizer: "Tokenizer", limit: int) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True
        self._tokenizer = tokenizer
        self._limit = limit
        self._head, self._tail = _markers(tokenizer.encode("a"), 1)
        self._pair_markers = _markers(tokenizer.encode("a", "a"), 2)
        self._second_type = max(tokenizer.encode("a", "a").type_ids)

    @classmethod
    def load(cls, path: Path, limit: int) -> "Tokens":
        """Read a tokenizer.json; raises MissingExtra without the package, InvalidInput where the file is no such."""
        try:
            from tokenizers import Tokenizer
        except ImportError as problem:
            raise MissingExtra(
                "a model of your own choice needs the package tokenizers: `pip install 'indelible[models]'`"
            ) from problem
        try:
            return cls(Tokenizer.from_file(str(path)), limit)
        except InvalidInput:
            raise
        except Exception as problem:  # the package raises Exception itself, with no class of its own
            raise InvalidInput(f"{path} is no tokenizer.json that can be read: {problem}") from problem

    def windows(self, text: str, prefix: str = "") -> "list[array[int]]":
        """A text in rows of tokens, at least one, each with the prefix and the markers; neighbours overlap."""
        encoded = self._encoded(prefix + text)
        begin, body = self._split(encoded, prefix)
        content = self._limit - len(self._head) - len(self._tail) - len(begin)
        if content < 1:
            raise InvalidInput(f"the prefix {prefix!r} leaves no room in a window of {self._limit} tokens")
        parts = windows(body, content, min(_OVERLAP, content // 8))
        return [self._head + begin + part + self._tail for part in parts]

    def first_window(self, text: str, prefix: str = "") -> "array[int]":
        """As much of a text as a row holds."""
        encoded = self._encoded(prefix + text[:_LONGEST_QUERY])
        content = self._limit - len(self._head) - len(self._tail)
        return self._head + array("I", encoded.ids[:content]) + self._tail

    def pair(self, query: str, text: str) -> "tuple[array[int], array[int]]":
        """A query and a text as one row, and the number of the part, 0 or 1, that each token is of.

        What does not fit is cut off, of the text first: the query keeps half of the room at least.
        """
        head, middle, tail = self._pair_markers
        room = self._limit - len(head) - len(middle) - len(tail)
        first = array("I", self._encoded(query[:_LONGEST_QUERY]).ids)
        second = array("I", self._encoded(text[:_LONGEST_QUERY]).ids)
        first = first[: max(room // 2, room - len(second))]
        second = second[: room - len(first)]
        before = len(head) + len(first) + len(middle)
        types = array("I", [0] * before + [self._second_type] * (len(second) + len(tail)))
        return head + first + middle + second + tail, types

    def _split(self, encoded: "Encoding", prefix: str) -> "tuple[array[int], array[int]]":
        ids = array("I", encoded.ids)
        end = len(prefix.rstrip())
        count = (
            next((place for place, (start, _) in enumerate(encoded.offsets) if start >= end), len(ids)) if end else 0
        )
        return ids[:count], ids[count:]

    def _encoded(self, text: str) -> "Encoding":
        return self._tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8"), add_special_tokens=False)


def _markers(encoded: "Encoding", texts: int) -> "list[array[int]]":
    """The markers before, between and after so many texts of plain tokens; raises InvalidInput where these are none."""
    found = [array("I")]
    inside = False
    for token, marker in zip(encoded.ids, encoded.special_tokens_mask, strict=True):
        if marker:
            found[-1].append(token)
        elif not inside:
            found.append(array("I"))
        inside = not marker
    if texts == 2 and len(found) == 2:  # nothing is between: both texts are one run of tokens
        found.insert(1, array("I"))
    if len(found) != texts + 1:
        raise InvalidInput("the tokenizer makes no tokens of a letter: its file is not complete")
    return found
