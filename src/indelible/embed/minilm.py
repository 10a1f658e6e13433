"""The dense model: all-MiniLM-L6-v2 (Reimers and Gurevych, 2019; Wang et al., 2020), weights in 8 bits, on onnxruntime.

States are rounded to 8 bits too where they meet the weights, 32 numbers with a scale of their own: a text's row does
not depend on what else is in its batch. On processors with other instructions it may differ a little.
`scripts/vendor_models.py` makes the graph.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from indelible.embed.pinned import DATA, verified
from indelible.embed.session import open_session, padded, sums

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

DIMENSIONS = 384

WEIGHTS = DATA / "minilm_int8.onnx"
_SHA256 = "7f84ae44a5d80365667b6ff5ff4c4553775843e9869da27db6c22c973dfd0b6f"


class MiniLM:
    """Windows of word pieces as unit vectors; safe to use from many threads, each on one core at a time."""

    def __init__(self, session: "InferenceSession") -> None:
        self._session = session

    @classmethod
    def load(cls) -> "MiniLM":
        """Load the vendored weights; raises StoreError if they are not the pinned ones."""
        return cls(open_session(verified(WEIGHTS, _SHA256, "reinstall Indelible (pip install --force-reinstall)")))

    def rows(self, windows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """(windows, 384): unit rows in order, the means of the pieces' vectors. All run at once: keep it small."""
        pieces, mask = padded(windows)
        feeds: dict[str, Any] = {"input_ids": pieces, "attention_mask": mask.astype(np.int64)}
        (states,) = self._session.run(["last_hidden_state"], feeds)
        rows = sums(states, mask)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows
