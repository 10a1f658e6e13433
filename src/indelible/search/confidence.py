"""How sure an answer is as a whole: whether what was found is about the question, or only near it.

A logistic model of three measures of an answer, and another of three for questions that were compared by words only.
Both were fitted, and their thresholds chosen, by `bench/confidence.py`; docs/design/search.md has its record.
"""

import math
from dataclasses import dataclass

SMALLEST, LARGEST = 20, 10_000  # records between which the nearest of unrelated texts comes nearer with their number

# The weights of the measures, divided so that an answer is weak below 1.
RELEVANCE, NEARNESS, UNKNOWN = 1.520, 4.936, -0.252
OVERLAP, SHARE, UNKNOWN_BY_WORDS = 1.315, 1.182, -0.096


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures of the best few records of an answer, each the greatest among them, 0..1.

    `relevance` is what they are ranked by, `overlap` that of words, `share` that of the weight of the question's words
    that one record has, `cosine` that of the dense vectors, None where meaning was not compared. `unknown` is the share
    of the weight of the question's words that none of all the `records` has.
    """

    relevance: float
    overlap: float
    share: float
    cosine: float | None
    unknown: float
    records: int


def nearness(of: Measures) -> float:
    """Return the cosine of the nearest in units of the one that the nearest of unrelated texts has: about 0 to 0.2.

    That grows with the logarithm of their number.
    """
    return max(of.cosine or 0.0, 0.0) / math.log(min(max(of.records, SMALLEST), LARGEST))


def is_weak(of: Measures) -> bool:
    """Whether nothing in an answer is clearly about the question."""
    if of.cosine is None:
        return OVERLAP * of.overlap + SHARE * of.share + UNKNOWN_BY_WORDS * of.unknown < 1
    return RELEVANCE * of.relevance + NEARNESS * nearness(of) + UNKNOWN * of.unknown < 1
