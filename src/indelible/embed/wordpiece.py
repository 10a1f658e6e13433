"""BERT's uncased WordPiece: text as the numbers of word pieces, as both local models were trained.

Schuster and Nakajima, 2012 (the pieces); Devlin et al., 2018 (cleaning, splitting, the vocabulary).
"""

import unicodedata
from array import array
from collections.abc import Sequence

from indelible.embed.pinned import DATA, verified
from indelible.embed.windows import windows

UNKNOWN, START, END = 100, 101, 102
MARKERS = 999  # numbers below are [PAD], [UNK], [CLS], [SEP], [MASK] and [unused...]; the first real piece is "!"
CONTENT = 254  # pieces of a text in a window; with [CLS] and [SEP] the 256 that MiniLM was trained on
OVERLAP = 32

_VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
_LONGEST_WORD = 100
_CACHED_WORDS = 20_000
_CACHED_CHARACTERS = 10_000
_HAN = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),  # BERT's own code says 2B820; every tokenizer in use says this
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class _Cleaning(dict[int, str]):
    """A table for str.translate: control characters are removed, white space is a space, a Han character is a word."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in "\t\n\r":
            clean = " "
        elif code == 0xFFFD or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs"):
            clean = ""
        elif char.isspace():
            clean = " "
        else:
            clean = f" {char} " if any(first <= code <= last for first, last in _HAN) else char
        if len(self) < _CACHED_CHARACTERS:
            self[code] = clean
        return clean


class _Folding(dict[int, str]):
    """A table for str.translate, on decomposed text: no accents, small letters, a punctuation mark is a word."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        category = unicodedata.category(char)
        if category == "Mn":
            folded = ""
        elif category[0] == "P" or (code < 128 and not char.isalnum() and char.isprintable() and char != " "):
            folded = f" {char} "
        else:
            folded = char.lower()
        if len(self) < _CACHED_CHARACTERS:
            self[code] = folded
        return folded


class WordPiece:
    """Cuts text into numbered pieces; safe to use from many threads. Markers in a text, as "[SEP]", are plain text."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._cleaning = _Cleaning()
        self._folding = _Folding()
        self._cache: dict[str, tuple[int, ...]] = {}

    @classmethod
    def load(cls) -> "WordPiece":
        """Read the vendored vocabulary; raises StoreError if it is not the pinned one."""
        path = verified(DATA / "vocab.txt", _VOCABULARY_SHA256, "reinstall Indelible (pip install --force-reinstall)")
        return cls(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))

    def numbers(self, text: str) -> "array[int]":
        """The pieces of a text in order, without [CLS] and [SEP], two bytes each; empty if there is nothing to read."""
        clean = text.translate(self._cleaning)
        if not clean.isascii():
            clean = unicodedata.normalize("NFD", clean)
        pieces = array("H")
        cache = self._cache
        for word in clean.translate(self._folding).split():
            known = cache.get(word)
            if known is None:
                known = self._pieces(word)
                if len(cache) >= _CACHED_WORDS:
                    cache.clear()
                cache[word] = known
            pieces.extend(known)
        return pieces

    def first_window(self, text: str) -> "array[int]":
        """As much of a text as a window holds, from [CLS] to [SEP]."""
        return array("H", (START, *self.numbers(text)[:CONTENT], END))

    def windows(self, text: str) -> "list[array[int]]":
        """A text in windows that the models can read; at least one, each from [CLS] to [SEP]."""
        return [array("H", (START, *part, END)) for part in windows(self.numbers(text), CONTENT, OVERLAP)]

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The longest piece that fits, from left to right; one [UNK] where no piece does or the word is too long."""
        if len(word) > _LONGEST_WORD:
            return (UNKNOWN,)
        pieces, start = [], 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(prefix + word[start:end])
                if number is not None:
                    break
            else:
                return (UNKNOWN,)
            pieces.append(number)
            start = end
        return tuple(pieces)
