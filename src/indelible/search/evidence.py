"""Is a record about what was asked at all? Judged on absolute values, before anything is ranked."""

from dataclasses import dataclass

import numpy as np

from indelible.search import tokens
from indelible.search.postings import Ints, Mask, Postings, TermPostings

# Measured on bench data, from every word counting: 0.02 costs commit 0.18 recall@10, 0.2 costs 0.026.
COMMON_SHARE = 0.2  # a word in more of the records than this is common; one common word is no evidence
COMMON_COUNT = 3  # but a word in so few records is never common, however small the store
SEVERAL = 2  # common words that are evidence together
ENOUGH = 0.3  # share of the query's weight that is evidence even if it is one common word


@dataclass(frozen=True, slots=True)
class Question:
    """The words of a query that can be evidence, as this store has them."""

    terms: list[TermPostings]
    telling: list[bool]  # rare enough to be evidence alone
    total: float  # the weight of the words that name the subject: a time is no word that a record must have


def question(query: str, subject: str, postings: Postings) -> Question:
    """What a query asks for; `subject` is the query without the words that name a time.

    A query of nothing but function words is taken by them, and one of nothing but a time by its words, since there is
    nothing else.
    """
    words = list(dict.fromkeys(tokens.words(query)))
    told = [word for word in words if tokens.is_telling(word)] or words
    numbers = list(dict.fromkeys(tokens.term(word) for word in told))
    terms = postings.read(numbers)
    limit = max(COMMON_COUNT, COMMON_SHARE * postings.count)
    named = {tokens.term(word) for word in tokens.words(subject)}
    total = sum(term.idf for number, term in zip(numbers, terms, strict=True) if number in named)
    return Question(terms, [0 < len(term.slots) <= limit for term in terms], total or sum(term.idf for term in terms))


def having(asked: Question, slots: Ints) -> Mask:
    """Which slots have evidence: a telling word of the query, several common ones, or much of the query's weight."""
    share = np.zeros(len(slots))
    several = np.zeros(len(slots), np.int64)
    rare = np.zeros(len(slots), np.bool_)
    for term, telling in zip(asked.terms, asked.telling, strict=True):
        found, _ = term.at(slots)
        share[found] += term.idf
        several[found] += 1
        if telling:
            rare |= found
    enough: Mask = rare | (several >= SEVERAL) | (share >= ENOUGH * max(asked.total, 1e-9))
    return enough
