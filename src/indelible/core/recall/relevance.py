"""How near records are to a query: what was measured, before it is scored."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from indelible.search.index.slots import Mask

    Floats = NDArray[np.floating[Any]]
    Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Nearness:
    """The two components of a record that look at its text, 0..1: `overlap` of words and `similarity` of meaning."""

    overlap: float
    similarity: float
    by_words: bool = False  # nothing is known of its meaning

    @property
    def relevance(self) -> float:
        """Both in one, 0..1: as the score weighs them, the words alone where there is nothing else."""
        from indelible.search.scoring import fused

        return self.overlap if self.by_words else float(fused(self.overlap, self.similarity))

    def part(self, share: float) -> "Nearness":
        """What it lends of itself."""
        return Nearness(self.overlap * share, self.similarity * share, self.by_words)

    def with_more(self, lent: "Nearness") -> "Nearness":
        """With what another lends it on top of its own."""
        return Nearness(
            min(1.0, self.overlap + lent.overlap), min(1.0, self.similarity + lent.similarity), self.by_words
        )


@dataclass(frozen=True, slots=True)
class Measured:
    """Some records against the query: arrays of one length, in the order of `ids`."""

    ids: list[int]
    overlaps: "Floats"
    similarities: "Floats"
    cosines: "Floats"  # of the nearest window's dense vector, -1 for texts without
    shares: "Floats"  # of the weight of the query's words
    worded: "Mask"  # by its words alone it has evidence
    embedded: "Mask"  # it has a vector of the model that is asked
    vectors: "Vectors"  # (ids, dimensions): the direction of each text, zeros where it has no vector

    def nearness(self) -> list[Nearness]:
        """The two components of each."""
        columns = (self.overlaps.tolist(), self.similarities.tolist(), (~self.embedded).tolist())
        return [Nearness(*row) for row in zip(*columns, strict=True)]
