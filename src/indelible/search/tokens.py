"""Text to index terms, for prose and for code.

A term is the crc32 of its spelling: four bytes, no dictionary to keep in step between processes, and no
readable words in the index. Two of a million words collide with one in four thousand others; the score of
a record is then off by one posting.
"""

import re
import sys
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from zlib import crc32

from indelible.search import languages
from indelible.search.languages import ENGLISH, unaccented

# Imported late (start, cli): Stemmer

VERSION = 2  # of the tokenizer; a change re-indexes every store in the background

_TELL_LANGUAGE = 50  # words of a text, the first, that tell its language
MAX_WORD = 64  # characters; a longer run is a blob (base64, a minified file), indexed by its head

_CJK = r"぀-ヿ㐀-䶿一-鿿豈-﫿가-힯฀-๿"
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)*")
# aB | ABc | a1 | 1a : where an identifier's parts meet
_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])|_+")

# Function words and question words: they name no subject, so they are no evidence that a record is relevant.
STOP_WORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both but
    by can cannot could did do does doing done down during each few for from further get gets got had has have having
    he her here hers him his how i if in into is it its itself just let like many may me might more most much must my
    no nor not now of off on once only or other our out over own same shall she should so some such than that the
    their them then there these they this those through to too under until up upon us use used uses using very was
    we were what when where which while who whom whose why will with within without would yes yet you your
    s t d ll m re ve don doesn didn isn wasn aren won
    der die das und ist nicht ein eine mit von zu den dem im auf le la les des et est un une dans pour el los las en
    """.split()
)


@cache
def _stemmer() -> Callable[[str], str]:
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
    return stem


@cache
def _word() -> re.Pattern[str]:
    """Return the words of any script. Made where a text needs it: that takes longer than a short recall's search."""
    return re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:_+[^\W_{_CJK}]+)*")


@cache
def _cjk() -> re.Pattern[str]:
    return re.compile(rf"[{_CJK}]")


def words(text: str) -> Iterator[str]:
    """Return the words of a text: stems, parts of identifiers, whole identifiers, CJK characters and pairs.

    `getUserName` gives get, user, name, getusernam; `retry_count` gives retri, count, retry_count. They come in order.
    A text in another language than English has the stems of its own language beside, after all others.
    """
    return words_and_language(text)[0]


def words_and_language(text: str) -> tuple[Iterator[str], str]:
    """Return the `words` of a text and its language: to tell that takes as long as the words."""
    bare = unaccented(text)
    found = (_ASCII_WORD if bare.isascii() else _word()).findall(bare)
    language = _language(text, found)
    own = languages.stemmer(language)
    if own is None:
        return stems(found), language
    return chain(stems(found), (word for _, word in _of_language(text, own))), language


def marks(language: str) -> tuple[str, ...]:
    """Return the words by which an index tells texts in a language, as `words` gives them."""
    stem = _stemmer()
    return tuple(dict.fromkeys(stem(word) for word in languages.marks(language)))


def stood_for(text: str, language: str) -> frozenset[str]:
    """Return those of `words` for which a stem of the text's own language stands too: both are one word of the text."""
    own = languages.stemmer(language)
    if own is None:
        return frozenset()
    pairs = list(_of_language(text, own))
    return frozenset(word for word, _ in pairs).difference(other for _, other in pairs)


def language_of(text: str) -> str:
    """Return the language whose stems `words` gives."""
    bare = unaccented(text)
    return _language(text, (_ASCII_WORD if bare.isascii() else _word()).findall(bare))


def _language(text: str, found: Sequence[str]) -> str:
    """Return the language of a text by its script, or by its words, as they are without accents."""
    if not text.isascii() and (script := languages.language_of_script(text)):
        return script
    if languages.is_clearly_english(set(map(str.lower, found[:_TELL_LANGUAGE]))):  # most texts
        return ENGLISH
    plain = (run for run in found[:_TELL_LANGUAGE] if run[1:] == run[1:].lower() or run.isupper())
    return _language_of_words(tuple(dict.fromkeys(map(str.lower, plain))))


@lru_cache(maxsize=16)
def _language_of_words(plain: tuple[str, ...]) -> str:
    """Do `languages.language_of_words`; a recall asks of its query several times."""
    return languages.language_of_words(plain)


def stems(found: Iterable[str]) -> Iterator[str]:
    """Yield the words that `words` gives of an English text's runs of letters and digits, which have no accents."""
    stem = _stemmer()
    for run in found:
        if not run.isascii() and _cjk().match(run):
            yield from run
            yield from (run[i : i + 2] for i in range(len(run) - 1))
            continue
        word = run[:MAX_WORD]
        lower = word.lower() if word.isascii() else word.casefold()
        if word == lower and word.isalpha():  # most words of prose
            yield stem(lower)
            continue
        parts = [part for part in _SEAM.split(word) if part]
        if len(parts) > 1:
            for part in parts:
                yield stem(part.casefold())
        yield stem(lower)


def _of_language(text: str, own: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Yield the stems of words as of English and of their language, where they differ.

    The latter need the accents, which then go.
    """
    stem = _stemmer()
    for word in _word().findall(unicodedata.normalize("NFC", text)):
        if word.isalpha() and len(word) <= MAX_WORD:
            lower = word.casefold()
            other = unaccented(own(lower))
            if other != (english := stem(unaccented(lower))):
                yield english, other


def term(word: str) -> int:
    """Return the index term of one word as `words` gives it."""
    return crc32(word.encode())


class TermsOfRuns(dict[str, tuple[int, ...]]):
    """The terms of runs of ASCII letters, digits and `_`, as `words` gives them, cached: source repeats them."""

    def __init__(self) -> None:
        super().__init__()
        self._terms = _TermsOfParts()

    def __missing__(self, run: str) -> tuple[int, ...]:
        if len(self) >= _MOST_KEPT:
            self.clear()
        word = run.strip("_")[:MAX_WORD]
        lower = word.lower()
        if word == lower and word.isalpha():
            found: tuple[int, ...] = (self._terms[word],)
        else:
            parts = [part.lower() for part in _PARTS.findall(word)]
            whole = (crc32(_rare_stemmer()(lower).encode()),) if parts else ()
            found = (*map(self._terms.__getitem__, parts), *whole) if len(parts) > 1 else whole
        self[run] = found
        return found


class _TermsOfParts(dict[str, int]):
    """The terms of words in small letters."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _MOST_KEPT:
            self.clear()
        found = self[word] = crc32(_rare_stemmer()(word).encode())
        return found


_MOST_KEPT = 1 << 16
_PARTS = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")  # what _SEAM leaves of ASCII, in a fourth of the time
_BETWEEN_RUNS = "".join(chr(code) if chr(code).isalnum() or code == ord("_") else " " for code in range(128))


def runs(text: str) -> list[str]:
    r"""Return the runs of letters, digits and `_` of an ASCII text: the matches of `\w+`, in a third of the time."""
    return text.translate(_BETWEEN_RUNS).split()


@cache
def _rare_stemmer() -> Callable[[str], str]:
    """Return a `_stemmer` without a cache, which costs more than it saves where few words repeat."""
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer("english", 0).stemWord
    return stem


def terms(text: str) -> dict[int, int]:
    """Return the terms of a text with their counts."""
    counts: dict[int, int] = {}
    for word in words(text):
        number = crc32(word.encode())
        counts[number] = counts.get(number, 0) + 1
    return counts


def is_telling(word: str, language: str = ENGLISH) -> bool:
    """Whether a word of `words` can name a subject in a question of that language.

    No function word can, nor a single letter, character or ending.
    """
    if word in _stopped(language):
        return False
    if word.isascii():
        return len(word) > 1 or word.isdigit()
    return len(word) > 1 and not _particles(language).fullmatch(word)


@cache
def _particles(language: str) -> re.Pattern[str]:
    """Return pairs that are hardly ever a subject: of hiragana, endings; in Chinese, with a particle or a pronoun.

    A Chinese pair with a particle reaches over the end of a word.
    """
    if language != "zh":
        return re.compile("[ぁ-ゟ]{1,2}")
    return re.compile(
        "[的了吗呢吧着是在和与你我他她它这那哪谁]."
        "|.[的了吗呢吧着是在和与你我他她它这那哪谁]"
        "|如何|怎么|什么|为何|可以|一个"
    )


@cache
def _stopped(language: str) -> frozenset[str]:
    stem, own = _stemmer(), languages.stemmer(language)
    found = STOP_WORDS | languages.function_words(language)
    stemmed = {stem(word) for word in found}
    if own is not None:
        stemmed |= {unaccented(own(word)) for word in languages.function_words(language)}
    return found | stemmed


def pack(counts: dict[int, int]) -> bytes:
    """Return a record's terms as stored: the numbers (little-endian uint32, ascending), then the counts."""
    ascending = sorted(counts)
    numbers = array("I", ascending)
    if sys.byteorder == "big":
        numbers.byteswap()
    try:
        often = bytes(map(counts.__getitem__, ascending))
    except ValueError:  # hardly ever: a count over 255
        often = bytes(min(255, counts[number]) for number in ascending)
    return numbers.tobytes() + often
