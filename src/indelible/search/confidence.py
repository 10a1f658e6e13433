"""How sure an answer is as a whole, whether what was found is about the question or only near it; and how sure one
record is that is told unasked.

A logistic model of three measures of an answer, and two others of three for questions that were compared by words
only, in English and in other languages. They were fitted, and their thresholds chosen, by `bench/confidence.py`;
docs/design/search.md has its record.
"""

import math

from indelible.dataclass import dataclass

SMALLEST, LARGEST = 20, 10_000  # records between which the nearest of unrelated texts comes nearer with their number

# The weights of the measures, divided so that an answer is weak below 1.
RELEVANCE, NEARNESS, UNKNOWN = 1.619, 4.761, -0.304
OVERLAP, SHARE, UNKNOWN_BY_WORDS = 1.315, 1.182, -0.096
FOREIGN_OVERLAP, FOREIGN_FOUND, FOREIGN_UNKNOWN = 1.575, 0.262, -0.397

LESS_SURE = 0.25  # of the best score

# What is told unasked must hardly ever be noise: docs/design/capture.md, "At the prompt".
SURE = 1.0  # of cosine and relevance together, in a store of FEW records at most
FEW = 100
MORE = 0.05  # for each e-fold of records beyond: the nearest of unrelated texts comes nearer with their number
TELLING = 3.0  # words that no record has are the least that a message's words weigh together


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures of the best few records of an answer, each the greatest among them, 0..1.

    `relevance` is what they are ranked by, `overlap` that of words, `share` that of the weight of the question's words
    that one record has, `cosine` that of the dense vectors, None where meaning was not compared. `unknown` is the share
    of the weight of the question's words that none of all the `records` has. `found` is that weight itself of the words
    that one record has, 0 or more, and `foreign` tells a question in another language than English.
    """

    relevance: float
    overlap: float
    share: float
    cosine: float | None
    unknown: float
    records: int
    found: float = 0.0
    foreign: bool = False


def nearness(of: Measures) -> float:
    """Return the cosine of the nearest in units of the one that the nearest of unrelated texts has: about 0 to 0.2.

    That grows with the logarithm of their number.
    """
    return max(of.cosine or 0.0, 0.0) / _size(of)


def surprise(of: Measures) -> float:
    """Return the weight of the words found in units of what chance finds: the rarest of n texts weighs about ln(n).

    Unlike a share of the question it does not fall with the length of that.
    """
    return of.found / _size(of)


def _size(of: Measures) -> float:
    return math.log(min(max(of.records, SMALLEST), LARGEST))


def is_weak(of: Measures) -> bool:
    """Whether nothing in an answer is clearly about the question."""
    if of.cosine is None and of.foreign:
        return FOREIGN_OVERLAP * of.overlap + FOREIGN_FOUND * surprise(of) + FOREIGN_UNKNOWN * of.unknown < 1
    if of.cosine is None:
        return OVERLAP * of.overlap + SHARE * of.share + UNKNOWN_BY_WORDS * of.unknown < 1
    return RELEVANCE * of.relevance + NEARNESS * nearness(of) + UNKNOWN * of.unknown < 1


def is_less_sure(score: float, overlap: float, best: float) -> bool:
    """Whether a hit is so far below the best one, and by meaning only, that a person is told so.

    `overlap` is that of words. Of the answers that tests/golden expects it is none.
    """
    return overlap == 0 and score < LESS_SURE * best


def is_about_something(weight: float, among: int) -> bool:
    """Whether a message is about anything by itself, and does not only go on with what was said ("ok, same log file").

    `weight` is the sum of the inverse document frequencies of its words `among` so many records.
    """
    return weight >= TELLING * math.log(2 * max(among, SMALLEST) + 2)


def certainty(cosine: float, relevance: float, among: int) -> float:
    """Return how sure it is that a record belongs to a message, at least 0, from 1 on sure enough to tell it unasked.

    `among` is the number of records that were searched. The dense cosine finds what means the same in other words, the
    relevance (words and sparse terms too) the same names; one alone has many chance hits, both together few.
    """
    return max(cosine + relevance, 0.0) / (SURE + MORE * math.log(max(among, FEW) / FEW))
