"""What an encoder gives: a text as dense vectors and as weighted terms, and whoever can make these."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SparseVector:
    """The heaviest terms of a text, ascending by number, with their positive weights. Empty where a model has none."""

    terms: "NDArray[np.uint32]"
    weights: "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class Embedding:
    """A text as a model sees it: `dense` has a unit row for each window of it, in order; `sparse` is of the whole."""

    dense: "NDArray[np.float32]"  # (windows, dimensions), at least one window
    sparse: SparseVector


class Encoder(Protocol):
    """Makes embeddings. None stands for "not now": not started yet, gone, or not answered in time."""

    @property
    def model(self) -> str:
        """Names the weights and everything else that the vectors depend on: vectors of two models never compare."""
        ...

    @property
    def state(self) -> str:
        """`ready`, `loading`, or why there are no embeddings."""
        ...

    def probe(self) -> str:
        """`state`, where nothing is known yet after asking whoever makes the embeddings; starts nothing, waits 1 s."""
        ...

    def wake(self) -> None:
        """Begin to get ready, in the background; does not wait, may be called at any time."""
        ...

    def query(self, text: str, timeout: float) -> "Embedding | None":
        """A question (one window, its 24 heaviest terms), before all texts that wait; seconds to wait."""
        ...

    def texts(self, texts: Sequence[str], timeout: float) -> "list[Embedding] | None":
        """Texts to be found (long ones in windows, 64 heaviest terms a window, 256 a text), in the order given."""
        ...

    def close(self) -> None:
        """Let go of connections. Embeddings can still be asked for afterwards; they come anew."""
        ...
