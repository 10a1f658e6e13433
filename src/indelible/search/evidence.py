"""Evidence that a record is about the query at all, judged on absolute values, before anything is ranked."""

import math
from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from indelible.dataclass import dataclass
from indelible.search import languages, tokens
from indelible.search.index.postings import Postings, TermPostings, idf
from indelible.search.index.slots import Ints, Mask

# Measured on bench data, from every word counting: 0.02 costs commit 0.18 recall@10, 0.2 costs 0.026.
COMMON_SHARE = 0.2  # a word in more of the records than this is common; one common word is no evidence
COMMON_COUNT = 3  # but a word in so few records is never common, however small the store
SEVERAL = 2  # common words that are evidence together
ENOUGH = 0.3  # share of the query's weight that is evidence even if it is one common word

# Measured on bench data: of questions that the store cannot answer, those from another field find nothing in 93 to 100%
# of cases, those about another conversation in 62%, those from another set of the same field in 0 to 75% (a stricter
# rule would cost more of what is found); recall@10 falls by 0.009. docs/benchmarks.md has it through the tools.
FLOOR = 0.051  # times ln(records) is the relevance that an answer has at least,
NEAR = 0.064  # or this times ln(records) its dense cosine
SMALLEST, LARGEST = 20, 10_000  # records between which the floor rises
TIMELY = 0.1  # of the floor is enough for a record of the time that the query names
BESIDE_AN_ANSWER = 0.5  # of the floor is enough for a further record once one reaches it
ABOUT = 0.5  # share of a message's words, by weight, that a text must have for the message to be about it
FITS, LEAST_FIT = 0.03, 0.15  # times ln(rules), and at least this, a standing rule fits: see docs/design/search.md
SECOND_STEM = 0.5  # of its weight for the English stem of a word of another language: a text in English has no other
LANGUAGE_LOOKED_AT = 1 << 16  # slots, the newest, that tell how common a word is among the texts of a language
LITERAL = 0.6  # share of the query's weight that is an answer in a text of any length


Values = np.ndarray[Any, np.dtype[np.floating[Any]]]


@dataclass(frozen=True, slots=True)
class Question:
    """The words of a query, and those of them that can be evidence, as this store has them."""

    words: list[str]  # all, each once
    terms: list[TermPostings]
    weights: list[float]  # of each as evidence: none where a stem of the query's own language stands for it
    telling: list[bool]  # rare enough to be evidence alone
    only_time: bool  # it names no subject
    total: float  # the weight of the words that name the subject: a time is no word that a record must have
    marks: Sequence[TermPostings] = field(default=())  # words of its language, other than English, if some text has it
    english: Sequence[TermPostings] = field(default=())  # the same of English, where there are `marks`
    foreign: bool = False  # it is in another language than English

    @property
    def unknown(self) -> float:
        """The share of the weight of its words that no record has, 0..1."""
        weighed = zip(self.terms, self.weights, strict=True)
        return sum(weight for term, weight in weighed if not term.frequency) / max(sum(self.weights), 1e-9)


def question(query: str, subject: str, postings: Postings) -> Question:
    """Return the question of a query; `subject` is the query without its time expression.

    A query of function words only is taken by them, and one of only a time expression by its words, since there is
    nothing else.
    """
    every, language = tokens.words_and_language(query)
    words = list(dict.fromkeys(every))
    asked = [word for word in words if tokens.is_telling(word, language)] or words
    numbers = list(dict.fromkeys(tokens.term(word) for word in asked))
    terms = postings.read(numbers)
    marks = [] if language == languages.ENGLISH else _marks(language, postings)
    english = _marks(languages.ENGLISH, postings) if marks else []
    frequencies, count = [term.frequency for term in terms], postings.count
    if marks and (own := _own_frequencies(terms, marks, english, postings)) is not None:
        terms, frequencies, count = own
    else:
        marks = []
    limit = max(COMMON_COUNT, COMMON_SHARE * count)
    of_subject = words if subject == query else list(tokens.words(subject))
    subjects = [word for word in of_subject if tokens.is_telling(word, language)]
    named = {tokens.term(word) for word in subjects or of_subject}
    total = sum(term.idf for number, term in zip(numbers, terms, strict=True) if number in named)
    twice = {tokens.term(word) for word in tokens.stood_for(query, language)}
    weights = [
        SECOND_STEM * term.idf if number in twice else term.idf for number, term in zip(numbers, terms, strict=True)
    ]
    telling = [0 < frequency <= limit for frequency in frequencies]
    total = total or sum(term.idf for term in terms)
    return Question(
        *(words, terms, weights, telling, not subjects, total, marks, english if marks else ()),
        foreign=language != languages.ENGLISH,
    )


def _marks(language: str, postings: Postings) -> list[TermPostings]:
    return [mark for mark in postings.read([tokens.term(word) for word in tokens.marks(language)]) if mark.frequency]


def _own_frequencies(
    terms: Sequence[TermPostings],
    marks: Sequence[TermPostings],
    english: Sequence[TermPostings],
    postings: Postings,
) -> tuple[list[TermPostings], list[int], int] | None:
    """Return terms with their weights among the texts in the query's language, their frequencies there, and how many
    texts that are; None where there is none.

    Among texts of two languages the words of each are rarer than among its own, the common ones most. A word that only
    texts in other languages have weighs as one that no text has, if not less.
    """
    first = max(0, len(postings.slots) - LANGUAGE_LOOKED_AT)
    counts = np.zeros((2, len(postings.slots) - first), np.int64)
    for row, words in enumerate((marks, english)):
        for word in words:
            counts[row, word.slots_from(first)] += 1
    among = (counts[0] >= languages.MARKED) & (counts[0] >= counts[1]) & postings.slots.alive.values[first:]
    count = int(np.count_nonzero(among))
    if not count:
        return None
    found = [int(np.count_nonzero(among[term.slots_from(first)])) for term in terms]
    weights = [idf(own, count) if own else min(term.idf, idf(0, count)) for term, own in zip(terms, found, strict=True)]
    weighed = [term._replace(idf=weight) for term, weight in zip(terms, weights, strict=True)]
    return weighed, [own or term.frequency for term, own in zip(terms, found, strict=True)], count


def in_english(asked: Question, slots: Ints) -> Mask:
    """Return which texts are rather in English than in the query's language; none where it has no texts in that."""
    if not asked.marks:
        return np.zeros(len(slots), np.bool_)
    order = np.argsort(slots, kind="stable")
    ascending = slots[order]
    own, english = (
        sum((word.has(ascending).astype(np.int64) for word in words), np.zeros(len(slots), np.int64))
        for words in (asked.marks, asked.english)
    )
    found = np.empty(len(slots), np.bool_)
    found[order] = english > own
    return found


@dataclass(frozen=True, slots=True)
class Worded:
    """The query's words that slots have, in the order of the slots."""

    enough: Mask  # evidence in words alone: a telling word, several common ones, or much of the query's weight
    shares: Values  # of the weight of all the query's words, 0..1


def worded(asked: Question, slots: Ints) -> Worded:
    """Return the evidence in words of each slot."""
    order = np.argsort(slots, kind="stable")
    ascending = slots[order]
    found = np.array([term.has(ascending) for term in asked.terms], np.bool_).reshape(len(asked.terms), len(slots))
    weights = np.array(asked.weights)
    weight = (found * weights[:, np.newaxis]).sum(axis=0)
    several = found[weights >= [term.idf for term in asked.terms]].sum(axis=0)
    rare = found[np.array(asked.telling, np.bool_)].any(axis=0)
    enough, shares = np.empty(len(slots), np.bool_), np.empty(len(slots))
    enough[order] = rare | (several >= SEVERAL) | (weight >= ENOUGH * max(asked.total, 1e-9))
    shares[order] = weight / max(sum(asked.weights), 1e-9)
    return Worded(enough, shares)


def floor(records: int) -> float:
    """Return the least relevance of the best of so many records for there to be an answer at all.

    The more unrelated texts there are, the nearer the best of them comes to a question by chance.
    """
    return FLOOR * _size(records)


def near(cosines: Values, records: int) -> Mask:
    """Return a mask of candidates near enough by dense vector alone: a paraphrase may share no word."""
    return np.asarray(cosines >= nearest_unrelated(records), np.bool_)


def nearest_unrelated(records: int) -> float:
    """Return the cosine that is `near` among so many records."""
    return NEAR * _size(records)


def fits(values: Values, rules: int) -> Mask:
    """Return a mask of the standing rules that fit a query well enough, of so many in the index."""
    return np.asarray(values >= max(FITS * _size(rules), LEAST_FIT), np.bool_)


def answering(relevances: Values, word_shares: Values, cosines: Values, records: int) -> Mask:
    """Return a mask of candidates that answer, by meaning and words together: none, unless one of them clearly does."""
    clear = (word_shares >= LITERAL) | near(cosines, records)
    return np.asarray(clear | (relevances >= least(relevances, clear, records)), np.bool_)


def least(relevances: Values, clear: Mask, records: int) -> float:
    """Return the relevance that any of some candidates needs: less of the floor once one of them is an answer."""
    whole = floor(records)
    return BESIDE_AN_ANSWER * whole if clear.any() or (relevances >= whole).any() else whole


def says_something(message: str) -> bool:
    """Whether the words of a message can tell its subject: one word, or function words, could be about anything."""
    language = tokens.language_of(message)
    return len({word for word in tokens.words(message) if tokens.is_telling(word, language)}) >= SEVERAL


def about(relevances: Values, word_shares: Values, cosines: Values, embedded: Mask, records: int) -> Mask:
    """Return a mask of the texts that a message is about. Unasked, none is better than a wrong one: the floor holds.

    Texts without an embedding are judged by the share of the message's words that they have.
    """
    by_meaning = (relevances >= floor(records)) & near(cosines, records)
    return np.asarray(np.where(embedded, by_meaning, word_shares >= ABOUT), np.bool_)


def _size(records: int) -> float:
    return math.log(min(max(records, SMALLEST), LARGEST))
