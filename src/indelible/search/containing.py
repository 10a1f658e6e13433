"""The records that have certain words, by the postings alone: whoever needs to be sure looks into their texts."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from indelible.search import tokens
from indelible.search.index.postings import Postings
from indelible.search.index.slots import Ints

Alternatives = Sequence[Collection[str]]  # sets of words, of one of which a text must have every word


def of_type(postings: Postings, kind: str, type_: str) -> list[int]:
    """Return the records of a kind and type, in the order in which they were read."""
    return _records(postings, np.flatnonzero(postings.mask((kind,), type_, None)))


def having(postings: Postings, kind: str, type_: str, asked: Iterable[Alternatives]) -> list[int]:
    """Return those of a kind and type that have all that is asked; none where nothing is."""
    slots: Ints | None = None
    for alternatives in asked:
        slots = np.flatnonzero(postings.mask((kind,), type_, None)) if slots is None else slots
        if len(slots):
            found = np.zeros(len(slots), np.bool_)
            for words in alternatives:
                terms = postings.read([tokens.term(word) for word in words])
                found |= np.logical_and.reduce([term.at(slots)[0] for term in terms])
            slots = slots[found]
    return [] if slots is None else _records(postings, slots)


def of_kinds(postings: Postings, kinds: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return the records of some kinds that have all of the words, of which there is one at least.

    Those of the rarest word are looked at, not all of the kinds.
    """
    terms = postings.read([tokens.term(word) for word in words])
    slots = min(terms, key=lambda term: term.frequency).slots
    if len(slots):
        has = np.logical_and.reduce([term.at(slots)[0] for term in terms])
        slots = slots[has & postings.mask(kinds, None, None)[slots]]
    return _records(postings, slots)


def _records(postings: Postings, slots: Ints) -> list[int]:
    found: list[int] = postings.records.values[slots].tolist()
    return found
