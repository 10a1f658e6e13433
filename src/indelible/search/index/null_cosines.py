"""The cosines of texts that have nothing to do with each other, by one model in one store, and the scale made of them.

Floors, similarities and thresholds were fitted to the cosines of the built-in model. Another model's lie elsewhere:
those of multilingual-e5-small mostly between 0.7 and 1. Random pairs of the store's own texts tell where: most are
about different things, so their mean and deviation are put where the built-in model has them.
"""

from typing import Any

import numpy as np

from indelible.dataclass import dataclass
from indelible.search.index.slots import distinct
from indelible.search.index.vectors import unpack

FEWEST = 20  # texts whose pairs tell
TEXTS = 1_000  # that are taken, at most
PAIRS = 4_000
LEAST = 1e-3  # deviation of a model that tells texts apart
# Of the built-in model: medians of 34 stores of the shared sets, talks, code and documentation, by this very sample.
MEAN, DEVIATION = 0.29, 0.138

Values = Any  # a number, or an array of them


@dataclass(frozen=True, slots=True)
class Scale:
    """The map of a model's cosines to those that the built-in model would give, by mean and deviation of null pairs.

    Linear, and never above the cosine itself: a model whose unrelated texts are farther apart opens no floor. Vectors
    of one direction have 1 at most.
    """

    mean: float
    deviation: float

    @property
    def slope(self) -> float:
        """By what a difference of two cosines is multiplied: at most so that 1 stays below 1."""
        return min(DEVIATION / max(self.deviation, LEAST), (1 - MEAN) / max(1 - self.mean, LEAST))

    def of(self, cosines: Values) -> Values:
        """Return cosines as the built-in model would give them, -1..1."""
        return np.maximum(-1.0, np.minimum(cosines, MEAN + self.slope * (cosines - self.mean)))


def drawn(records: int, seed: int = 7) -> list[int]:
    """Return row ids, ascending, of records to look at, of those up to one: all, or a random part of them."""
    if records <= 4 * TEXTS:
        return list(range(1, records + 1))
    chosen = np.random.default_rng(seed).integers(1, records + 1, 4 * TEXTS)
    return [int(record) for record in distinct(chosen)]


def measured(stored: list[tuple[int, bytes]], seed: int = 7) -> Scale | None:
    """Return the scale of packed vectors, (record, vector) in any order, of which one a record is taken.

    None where there are fewer than FEWEST records, or all are the same to the model.
    """
    random = np.random.default_rng(seed)
    first = dict(sorted(stored, reverse=True))
    chosen = sorted(first)
    if len(chosen) > TEXTS:
        chosen = [chosen[at] for at in random.choice(len(chosen), TEXTS, replace=False).tolist()]
    if len(chosen) < FEWEST:
        return None
    vectors = unpack([first[record] for record in chosen])
    some, others = (random.integers(0, len(vectors), PAIRS) for _ in range(2))
    apart = some != others
    cosines = np.einsum("ij,ij->i", vectors[some[apart]], vectors[others[apart]])
    found = Scale(float(cosines.mean()), float(cosines.std()))
    return found if np.isfinite(found.deviation) and found.deviation >= LEAST else None
