"""The entries that an inverted index is made of, and the packed terms that the store keeps of each record."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from indelible.search.index.slots import Group

WEIGHT_STEP = 1 / 64  # of the sparse model's weights; theirs are log(1 + x) and below 3.5, 8 bits reach 3.98

Floats = NDArray[np.float32]
Counts = NDArray[np.uint8]


class Entry(NamedTuple):
    """The index entry of a record, as the store has its row.

    `packed` are its distinct terms, with how often it has each (`tokens.pack`) or their weights (`pack_weights`).
    """

    record: int
    namespace: str
    kind: str
    type: str
    size: int  # words of the record, with repeats
    packed: bytes

    @property
    def group(self) -> Group:
        """The fields that filters test."""
        return self.namespace, self.kind, self.type

    @property
    def terms(self) -> NDArray[np.uint32]:
        """The terms, ascending."""
        return unpack_terms(self.packed)[0]

    @property
    def counts(self) -> Counts:
        """How often it has each term, or the weight of each in steps."""
        return unpack_terms(self.packed)[1]

    @property
    def weights(self) -> "Floats":
        """The weights that `counts` stand for in steps."""
        return np.asarray(self.counts * np.float32(WEIGHT_STEP), np.float32)


def unpack_terms(body: bytes) -> tuple[NDArray[np.uint32], Counts]:
    """Return the two arrays of a body that `tokens.pack` or `pack_weights` made."""
    count = len(body) // 5
    return np.frombuffer(body, "<u4", count), np.frombuffer(body, np.uint8, count, count * 4)


def pack_weights(terms: NDArray[np.uint32], weights: Floats) -> bytes:
    """Return a record's weighted terms as stored: the numbers (little-endian uint32, ascending), then the weights in
    steps of `WEIGHT_STEP` (a byte each). Weights not above 0 are left out, those above 3.98 become 3.98.

    Raises ValueError for a repeated term and for a weight that is no number.
    """
    numbers, first = np.unique(terms, return_index=True)
    if len(numbers) < len(terms):
        raise ValueError(f"{len(terms) - len(numbers)} of `terms` stand twice; add their weights before")
    ordered = np.asarray(weights, np.float64)[first]
    if not np.isfinite(ordered).all():
        raise ValueError("`weights` has a NaN or an infinity; a weight must be a number")
    kept = ordered > 0
    steps = np.clip(np.rint(ordered[kept] / WEIGHT_STEP), 1, 255).astype(np.uint8)
    return numbers[kept].astype("<u4").tobytes() + steps.tobytes()
