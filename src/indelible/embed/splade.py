"""The sparse model: SPLADE (Formal et al., 2021) on BERT-Tiny (Turc et al., 2019), 4.4 million weights, in numpy.

Each piece of a text votes for every piece of the vocabulary; a term's weight is log(1 + its highest vote, if positive).
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from indelible.embed.base import SparseVector
from indelible.embed.pinned import DATA, verified
from indelible.embed.wordpiece import MARKERS

_SHA256 = "3195ed146c4578c47262d113780a1c2133df3dfb11064556b391a7588ac541b7"
_HEADS, _LAYERS = 2, 2
_NORM_FLOOR = 1e-12
_SLICE = 1024  # terms voted on at once: 1 MB of votes for a batch of 256 pieces, which stays in the cache

Floats = NDArray[np.float32]


class Splade:
    """Windows of word pieces as weighted terms of the same vocabulary; safe to use from many threads."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._weights = weights
        # Stored so, each weight of all words side by side, they are voted on a third faster for a short text.
        self._words = np.ascontiguousarray(weights.pop("bert.embeddings.word_embeddings.weight").T)
        types = weights["bert.embeddings.token_type_embeddings.weight"]
        self._places = weights["bert.embeddings.position_embeddings.weight"] + types[0]
        self._bias = weights["cls.predictions.bias"].copy()
        self._bias[:MARKERS] = -np.inf  # [CLS] is never searched

    @classmethod
    def load(cls) -> "Splade":
        """Read the vendored weights as float32 (18 MB in all); raises StoreError if they are not the pinned ones."""
        path = verified(DATA / "splade_tiny.npz", _SHA256, "reinstall Indelible (pip install --force-reinstall)")
        with np.load(path) as stored:
            return cls({name: stored[name].astype(np.float32) for name in stored.files})

    def vectors(self, windows: Sequence[Sequence[int]], limit: int) -> list[SparseVector]:
        """The `limit` heaviest terms of each window, in the order given. All run at once: keep it small."""
        ends = np.cumsum([len(window) for window in windows]).tolist()
        spans = [slice(start, end) for start, end in pairwise([0, *ends])]
        votes = self._votes(self._states(windows, spans), spans)
        return [_heaviest(row, limit) for row in votes]

    def _states(self, windows: Sequence[Sequence[int]], spans: Sequence[slice]) -> Floats:
        """Return the last layer's output for each piece, comparable with all words: (pieces of all windows, 128)."""
        places = np.concatenate([np.arange(len(window)) for window in windows])
        pieces = np.concatenate([np.asarray(window) for window in windows])
        states = self._norm("bert.embeddings.LayerNorm", self._words[:, pieces].T + self._places[places])
        for number in range(_LAYERS):
            layer = f"bert.encoder.layer.{number}."
            heard = self._dense(f"{layer}attention.output.dense", self._attention(layer, states, spans))
            states = self._norm(f"{layer}attention.output.LayerNorm", states + heard)
            wide = _gelu(self._dense(f"{layer}intermediate.dense", states))
            states = self._norm(f"{layer}output.LayerNorm", states + self._dense(f"{layer}output.dense", wide))
        head = "cls.predictions.transform."
        return self._norm(f"{head}LayerNorm", _gelu(self._dense(f"{head}dense", states)))

    def _attention(self, layer: str, states: Floats, spans: Sequence[slice]) -> Floats:
        """Return the attention of each piece to the pieces of its own window."""
        shape = (len(states), _HEADS, -1)
        query, key, value = (
            self._dense(f"{layer}attention.self.{name}", states).reshape(shape).swapaxes(0, 1)
            for name in ("query", "key", "value")
        )
        query = query / np.float32(np.sqrt(query.shape[-1]))
        heard = np.empty_like(states)
        for span in spans:
            shares = query[:, span] @ key[:, span].swapaxes(1, 2)
            shares = np.exp(shares - shares.max(axis=-1, keepdims=True))
            shares /= shares.sum(axis=-1, keepdims=True)
            heard[span] = (shares @ value[:, span]).swapaxes(0, 1).reshape(-1, states.shape[1])
        return heard

    def _votes(self, states: Floats, spans: Sequence[slice]) -> Floats:
        """Return the highest vote for each term of the vocabulary in each window: (windows, terms)."""
        highest = np.empty((len(spans), self._words.shape[1]), np.float32)
        for start in range(0, highest.shape[1], _SLICE):
            terms = slice(start, start + _SLICE)
            votes = states @ self._words[:, terms]
            for row, span in zip(highest, spans, strict=True):
                votes[span].max(axis=0, out=row[terms])
        highest += self._bias  # the same for every piece, so it may wait until the highest is known
        return highest

    def _dense(self, name: str, states: Floats) -> Floats:
        product: Floats = states @ self._weights[f"{name}.weight"].T
        product += self._weights[f"{name}.bias"]
        return product

    def _norm(self, name: str, states: Floats) -> Floats:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(_NORM_FLOOR))
        normed: Floats = centred / spread * self._weights[f"{name}.gamma"] + self._weights[f"{name}.beta"]
        return normed


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


def _gelu(states: Floats) -> Floats:
    """Each number times the share of a normal distribution below it (Hendrycks and Gimpel, 2016)."""
    gated: Floats = states * np.float32(0.5) * (1 + _erf(states * np.float32(np.sqrt(0.5))))
    return gated


def _erf(x: Floats) -> Floats:
    """The error function to 1.5e-7 (Abramowitz and Stegun, 1964, 7.1.26); numpy has none."""
    size = np.abs(x)
    t = 1 / (1 + np.float32(0.3275911) * size)
    series = t * np.float32(1.061405429) - np.float32(1.453152027)
    for factor in (1.421413741, -0.284496736, 0.254829592):
        series = series * t + np.float32(factor)
    signed: Floats = np.copysign(1 - series * t * np.exp(-size * size), x)
    return signed
