"""The trace of a recall: what its search saw on the way, kept as it was, and by what each record came to be found."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from indelible.dataclass import dataclass
from indelible.search.relevance import Floats, Measured, Relevances
from indelible.search.scoring import DEFAULT_WEIGHTS
from indelible.search.window import Pairs

NOTICED = 0.05  # of a component that is named as a reason

By = Literal["words", "meaning", "time", "relation", "neighbour", "mention", "newer", "failure", "rule"]


class Way(NamedTuple):
    """A way by which a record was found, and the row id of the record that it came by, 0 for none."""

    by: By
    record: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Borrowed:
    """Records raised by answers beside them in their session: what they have then, and how much which pair lent."""

    relevance: Relevances
    pairs: Pairs
    amounts: Floats

    def lenders(self) -> dict[int, int]:
        """Return for each record the one that lent it most, by row ids."""
        rows = zip(self.pairs.borrowers.tolist(), self.amounts.tolist(), self.pairs.lenders.tolist(), strict=True)
        return {borrower: lender for borrower, _, lender in sorted(rows)}


@dataclass(frozen=True, slots=True)
class Place:
    """The measures of one record, and the least that a query asks for.

    Beside its measures are the least that make it an answer, any of these: of relevance, of cosine, of the share of the
    words; and what the last record found by words, and by its dense vector, has. `word_rank` is 1 for the best by
    words, 0 where it has none of them. Cosines are None without vectors.
    """

    relevance: float
    overlap: float
    similarity: float
    cosine: float | None
    word_share: float
    word_rank: int
    least_relevance: float
    least_cosine: float
    least_word_share: float
    last_overlap: float
    last_cosine: float | None
    embedded: bool


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The values that a search for candidates had on its way, none computed for a trace.

    `measured` is all that was looked at, `answers` those of it with evidence, `timely` the records of the time that the
    query names. The others say by row ids which record raised which: one `beside` it in its session, one `related` to
    it, a file or symbol in use (`mentioned`), and the older version of a `newer` one; `nearest` was raised itself.
    """

    wanted: int
    timely: Sequence[int]
    measured: Measured
    answers: Relevances
    beside: Borrowed | None
    related: Mapping[int, int]
    mentioned: Mapping[int, int]
    nearest: Relevances
    newer: Mapping[int, int]


def direct(overlap: float, similarity: float) -> list[Way]:
    """Return the ways by the record's own text, the one that weighs more first: each noticed one, or the greater."""
    words, meaning = DEFAULT_WEIGHTS["token_overlap"] * overlap, DEFAULT_WEIGHTS["vector_similarity"] * similarity
    both: list[tuple[float, float, By]] = [(words, overlap, "words"), (meaning, similarity, "meaning")]
    both.sort(key=lambda each: -each[0])
    return [Way(by) for place, (_, value, by) in enumerate(both) if value >= NOTICED or (place == 0 and value > 0)]


def ways(steps: Steps, record: int) -> list[Way]:
    """Return all ways by which the search for candidates found a record, its own text first.

    Each of the others raised it, or brought it if its own text is no evidence.
    """
    found: list[Way] = []
    own = {**steps.answers.by_id(), **steps.nearest.by_id()}.get(record)
    if own is not None:
        found += [Way("time")] if record in steps.timely else []
        text = steps.measured.relevance.by_id()[record]
        found += direct(text.overlap, text.similarity)
    beside = {} if steps.beside is None else steps.beside.lenders()
    by: tuple[By, ...] = ("neighbour", "relation", "mention", "newer")
    lenders = (beside, steps.related, steps.mentioned, steps.newer)
    return found + [Way(name, of[record]) for name, of in zip(by, lenders, strict=True) if record in of]
