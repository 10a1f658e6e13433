"""The sparse model: SPLADE (Formal et al., 2021) on BERT-Tiny (Turc et al., 2019), 4.4 million weights, on onnxruntime.

Each piece of a text votes for every piece of the vocabulary; a term's weight is log(1 + its highest vote, if positive).
`scripts/vendor_models.py` makes the graph, which gives the highest votes.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from indelible.embed.base import SparseVector
from indelible.embed.pinned import DATA, verified
from indelible.embed.session import open_session, padded
from indelible.embed.wordpiece import MARKERS

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

WEIGHTS = DATA / "splade_tiny.onnx"
_SHA256 = "1ab3f9ba179b97ec52f77cf1ef3c26aa2e6d1d47e5bd4a869755eb2788bb1bde"

Floats = NDArray[np.float32]


class Splade:
    """Windows of word pieces as weighted terms of the same vocabulary; safe to use from many threads."""

    def __init__(self, session: "InferenceSession") -> None:
        self._session = session

    @classmethod
    def load(cls) -> "Splade":
        """Load the vendored weights; raises StoreError if they are not the pinned ones."""
        return cls(open_session(verified(WEIGHTS, _SHA256, "reinstall Indelible (pip install --force-reinstall)")))

    def vectors(self, windows: Sequence[Sequence[int]], limit: int) -> list[SparseVector]:
        """The `limit` heaviest terms of each window, in the order given. All run at once: keep it small."""
        pieces, mask = padded(windows)
        feeds: dict[str, Any] = {"input_ids": pieces, "attention_mask": mask.astype(np.int64)}
        (votes,) = self._session.run(["votes"], feeds)
        votes[:, :MARKERS] = 0  # [CLS] is never searched
        return [_heaviest(row, limit) for row in votes]


def united(vectors: Iterable[SparseVector], limit: int) -> SparseVector:
    """Return the `limit` heaviest terms of several windows, each with its greatest weight."""
    parts = list(vectors)
    terms, places = np.unique(np.concatenate([part.terms for part in parts]), return_inverse=True)
    weights = np.zeros(len(terms), np.float32)
    np.maximum.at(weights, places, np.concatenate([part.weights for part in parts]))
    kept = _kept(weights, limit)
    return SparseVector(terms[kept], weights[kept])


def _heaviest(votes: Floats, limit: int) -> SparseVector:
    terms = np.flatnonzero(votes > 0)
    kept = terms[_kept(votes[terms], limit)]
    return SparseVector(kept.astype(np.uint32), np.log1p(votes[kept]))


def _kept(weights: Floats, limit: int) -> NDArray[np.intp]:
    """Return where the `limit` greatest are, ascending; of equals the first."""
    return np.sort(np.argsort(-weights, kind="stable")[:limit])
