"""The text of a symbol or file that is embedded and shown, and its terms that are searched.

Both are made where the file is parsed. Terms are those of search/tokens, so that a query's words match them.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from indelible.search import tokens
from indelible.source.parse.symbols import CALLABLE, CONSTANT, MODULE, TEST, TYPES, VARIABLE, Symbol

NOT_EMBEDDED = frozenset((TEST, CONSTANT, VARIABLE, MODULE))  # searched by words; the trigger record_to_embed agrees

MOST_DOC = 1_200  # characters of a doc comment that are searched; its beginning says what it does
MOST_SIGNATURE = 400
MOST_BODY = 1_000  # characters of a body whose words are searched, each once
MOST_TYPE_BODY = 600  # the same of a type's: its fields; its methods are symbols of their own
MOST_EMBEDDED = 600  # characters of a doc comment that are embedded
MOST_SHOWN = 400  # characters of text up to which the beginning of the body is embedded with the rest
NAME_WEIGHT = 3  # times that a word of the name counts

_RUN = re.compile(r"\w+")
_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")


class Described(NamedTuple):
    """A symbol's text, and its terms, in no order, each as often as it counts."""

    text: str
    terms: list[int]


def described(symbol: Symbol, path: str, source: bytes, others: Sequence[Symbol] = ()) -> Described:
    """Return a symbol's text and terms; `others` are its other definitions in the file, of the same qualified name.

    `source` is the file's text as it was parsed: `parsing.decoded` gives it, and the symbol's bytes count in it.
    """
    doc = symbol.doc or next((each.doc for each in others if each.doc), "")
    around = symbol.qualified_name.removesuffix(symbol.name)
    body = _body(symbol, source)
    return Described(_text(symbol, around, path, doc, body), _terms(symbol, around, path, doc, body, others))


def file_terms(path: str) -> dict[int, int]:
    """Return the terms of a file: the words of its path."""
    return Counter(chain(_terms_in(path), _terms_in(posixpath.splitext(posixpath.basename(path))[0])))


def _body(symbol: Symbol, source: bytes) -> str:
    """Return the beginning of a symbol's body, without its docstring; "" for tests and symbols without a body."""
    if symbol.is_test or symbol.kind in NOT_EMBEDDED or symbol.declared:
        return ""
    most = MOST_BODY if symbol.kind in CALLABLE else MOST_TYPE_BODY if symbol.kind in TYPES else 0
    begin, end = symbol.start_byte, min(symbol.end_byte, symbol.start_byte + 2 * most + 2 * MOST_SIGNATURE)
    doc_first = symbol.doc.partition("\n")[0]
    if doc_first:
        end = min(symbol.end_byte, end + 2 * len(symbol.doc))
    text = source[begin:end].decode("utf-8", "ignore")
    if doc_first and (at := text.find(doc_first)) >= 0:
        last = symbol.doc.rpartition("\n")[2].strip() or doc_first
        after = text.find(last, at)
        text = text[max(after, at) + len(last) :].lstrip("\"' \n")
    else:
        text = text[len(symbol.signature) :] if text.startswith(symbol.signature) else text
    return text[:most]


def _text(symbol: Symbol, around: str, path: str, doc: str, body: str) -> str:
    """Return its words, then its source: a model of prose knows `get user name` better than `getUserName`."""
    words = " ".join(dict.fromkeys((*_words_of(symbol.name), *_words_of_place(around, path))))
    head = f"{symbol.signature[:MOST_SIGNATURE]}\n{doc[:MOST_EMBEDDED]}".strip()
    left = MOST_SHOWN - len(head) - len(words)
    shown = _on_one_line(body)[:left] if left > 0 else ""
    return "\n".join(filter(None, (words, head, shown)))


def _on_one_line(body: str) -> str:
    """Return a text with single spaces, also at its beginning and end; faster than a pattern."""
    words = " ".join(body.split())
    before = " " if body[:1].isspace() else ""
    return f"{before}{words} " if words and body[-1].isspace() else before + words


def _words_of(name: str) -> list[str]:
    """Return the words of a qualified name or path in lower case, the last segment's first."""
    if name.isascii() and name.isidentifier():
        return _words_in(name)
    return [word for segment in _RUN.findall(name)[::-1] for word in _words_in(segment)]


def _words_in(segment: str) -> list[str]:
    lower = segment.lower()
    if segment == lower:
        return lower.replace("_", " ").split()
    return [part.lower() for part in _SEAM.split(segment) if part]


@lru_cache(maxsize=1 << 10)
def _words_of_place(around: str, path: str) -> tuple[str, ...]:
    """Return the words shared by the symbols of one place: those of their container and their file."""
    return (*_words_of(around), *_words_of(posixpath.splitext(path)[0]))


def _terms(symbol: Symbol, around: str, path: str, doc: str, body: str, others: Sequence[Symbol]) -> list[int]:
    found = [*_terms_of_place(around, path), *[*_terms_in(symbol.name)] * (NAME_WEIGHT + 1)]
    found += _terms_in(f"{symbol.signature[:MOST_SIGNATURE]} {doc[:MOST_DOC]}")
    for each in others:
        found += _terms_in(each.signature[:MOST_SIGNATURE])
    if body:
        found += set(_terms_in(body))
    return found


def _terms_in(text: str) -> Iterable[int]:
    """Return the terms of a text with repetitions, in no order, as `tokens.terms` has them.

    Those of an ASCII text are always those of English: it is hardly ever prose of another language.
    """
    if text.isascii():
        return chain.from_iterable(map(_TERMS.__getitem__, tokens.runs(text)))
    return Counter(tokens.terms(text)).elements()


@lru_cache(maxsize=1 << 10)
def _terms_of_place(around: str, path: str) -> tuple[int, ...]:
    return (*_terms_in(around), *_terms_in(path))


_TERMS = tokens.TermsOfRuns()
