"""The interface of encoders, and their embeddings: a text as dense vectors and as weighted terms."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from indelible.dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from indelible.search.index.entries import Entry

# Imported late (start, cli): indelible.search.index.vectors, numpy


BUILT_IN = "builtin"  # what people call the models of the package
SPARSE = "splade-tiny/1"  # the sparse part; the number is of the code around the weights: windows, pooling, cuts
MODEL = f"minilm-l6-v2-int8+{SPARSE}"  # the built-in ones, as stores name them
LANGUAGES = frozenset({"en"})  # that they know


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

    @classmethod
    def stored(cls, bodies: Sequence[bytes], terms: "Entry | None") -> "Embedding":
        """Return the embedding of a text from the packed vectors of its windows and its sparse terms, None for none."""
        import numpy as np

        from indelible.search.index.vectors import unpack

        if terms is None:
            return cls(unpack(bodies), SparseVector(np.zeros(0, np.uint32), np.zeros(0, np.float32)))
        return cls(unpack(bodies), SparseVector(terms.terms, terms.weights))


def joined(parts: Sequence[Embedding]) -> Embedding:
    """Return the embedding of a text from those of its parts: all windows in order, each term's largest weight."""
    if len(parts) == 1:
        return parts[0]
    import numpy as np

    terms, places = np.unique(np.concatenate([part.sparse.terms for part in parts]), return_inverse=True)
    weights = np.zeros(len(terms), np.float32)
    np.maximum.at(weights, places, np.concatenate([part.sparse.weights for part in parts]))
    return Embedding(np.concatenate([part.dense for part in parts]), SparseVector(terms, weights))


@dataclass(frozen=True, slots=True)
class Chosen:
    """An installed model as an encoder process is told of it: its folder, and the identity that its description has.

    The process is not told its `languages`: who asks decides by them what is asked.
    """

    folder: str
    identity: str
    languages: frozenset[str] = frozenset()  # of its description: none where they are not known


def model_of(chosen: Chosen) -> str:
    """Return the name under which a store keeps what a dense model of choice and the built-in sparse one make."""
    return f"{chosen.identity}+{SPARSE}"


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


class Scorer(Protocol):
    """A cross-encoder, that tells how well texts answer a query. None stands for "not now", as with `Encoder`."""

    @property
    def languages(self) -> frozenset[str]:
        """The languages that it reads (ISO 639-1); empty where they are not known."""
        ...

    @property
    def state(self) -> str:
        """`ready`, `loading`, or why there are no scores."""
        ...

    def probe(self) -> str:
        """Return `state`, after asking for it; starts nothing."""
        ...

    def wake(self) -> None:
        """Start loading in the background; does not wait, may be called at any time."""
        ...

    def scores(self, query: str, texts: Sequence[str], timeout: float) -> list[float] | None:
        """Return scores of the first texts, as many as there was time for, in order; higher for what answers better."""
        ...

    def close(self) -> None:
        """Close connections, as with `Encoder`."""
        ...


class Encoder(Protocol):
    """Makes embeddings. None stands for "not now": not started yet, ended, or not answered in time."""

    @property
    def model(self) -> str:
        """The name of the weights and all else that vectors depend on: vectors of two models never compare."""
        ...

    @property
    def languages(self) -> frozenset[str]:
        """The languages whose texts it compares (ISO 639-1); empty where it compares those of any."""
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
