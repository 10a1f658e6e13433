"""The interface of encoders, and their embeddings: a text as dense vectors and as weighted terms."""

from collections.abc import Callable, Sequence
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
    """The embedding of a text: `dense` has a unit row for each window of it, in order; `sparse` is of the whole."""

    dense: "NDArray[np.float32]"  # (windows, dimensions), at least one window
    sparse: SparseVector


class Pending(Protocol):
    """A query that is being encoded. It belongs to the thread that began it, which must call `result`, once."""

    def ready(self, seconds: float) -> bool:
        """Whether `result` has nothing more to wait for; waits for that, `seconds` at most."""
        ...

    def result(self) -> "Embedding | None":
        """Return what `query` would have; what has come in time is returned however late this is called."""
        ...


@dataclass(frozen=True, slots=True)
class Deferred:
    """A `Pending` of an encoder that works in its caller's thread: the query is encoded when it is waited for."""

    encode: "Callable[[], Embedding | None]"

    def ready(self, seconds: float) -> bool:
        """Nothing else is waited for."""
        return True

    def result(self) -> "Embedding | None":
        """Encode it now."""
        return self.encode()


class Encoder(Protocol):
    """Makes embeddings. None stands for "not now": not started yet, ended, or not answered in time."""

    @property
    def model(self) -> str:
        """The name of the weights and all else that vectors depend on: vectors of two models never compare."""
        ...

    @property
    def state(self) -> str:
        """`ready`, `loading`, or why there are no embeddings."""
        ...

    def probe(self) -> str:
        """Return `state`, after asking the encoder if nothing is known yet; starts nothing, waits 1 s."""
        ...

    def wake(self) -> None:
        """Start loading in the background; does not wait, may be called at any time."""
        ...

    def query(self, text: str, timeout: float) -> "Embedding | None":
        """Return the embedding of a query (one window, its 24 heaviest terms), ahead of waiting texts."""
        ...

    def begin(self, text: str, timeout: float) -> "Pending | None":
        """Start on what `query` returns, and leave the caller to other work; None where it would be None at once."""
        ...

    def texts(self, texts: Sequence[str], timeout: float) -> "list[Embedding] | None":
        """Return embeddings of texts in order (long ones in windows, 64 heaviest terms a window, 256 a text)."""
        ...

    def close(self) -> None:
        """Close connections. Embeddings can still be asked for afterwards; they are opened again."""
        ...
