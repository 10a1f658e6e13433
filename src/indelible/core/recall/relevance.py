"""The relevance of records to a query as measured, before scoring."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from indelible.search.index.slots import Mask

    Floats = NDArray[np.floating[Any]]
    Vectors = NDArray[np.float32]

# Imported late (start, cli): indelible.search.scoring


@dataclass(frozen=True, slots=True)
class Relevance:
    """The two components of a record that look at its text, 0..1: `overlap` of words and `similarity` of meaning."""

    overlap: float
    similarity: float
    by_words: bool = False  # nothing is known of its meaning

    @property
    def value(self) -> float:
        """Both in one, 0..1: weighted as in the score, the words alone where there is nothing else."""
        from indelible.search.scoring import fused

        return self.overlap if self.by_words else float(fused(self.overlap, self.similarity))

    def part(self, share: float) -> "Relevance":
        """Return the fraction of it that is lent to another record."""
        return Relevance(self.overlap * share, self.similarity * share, self.by_words)

    def with_more(self, lent: "Relevance") -> "Relevance":
        """Return it with the relevance lent by another on top of its own."""
        return Relevance(
            min(1.0, self.overlap + lent.overlap), min(1.0, self.similarity + lent.similarity), self.by_words
        )


@dataclass(frozen=True, slots=True)
class Measured:
    """The measures of some records against the query: arrays of one length, in the order of `ids`."""

    ids: list[int]
    overlaps: "Floats"
    similarities: "Floats"
    cosines: "Floats"  # of the nearest window's dense vector, -1 for texts without
    shares: "Floats"  # of the weight of the query's words
    worded: "Mask"  # its words alone are evidence
    embedded: "Mask"  # it has a vector of the model that is asked
    vectors: "Vectors"  # (ids, dimensions): the direction of each text, zeros where it has no vector

    def relevances(self) -> list[Relevance]:
        """Return the relevance of each record."""
        columns = (self.overlaps.tolist(), self.similarities.tolist(), (~self.embedded).tolist())
        return [Relevance(*row) for row in zip(*columns, strict=True)]
