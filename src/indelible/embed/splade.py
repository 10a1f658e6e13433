"""The sparse model: SPLADE (Formal et al., 2021) on BERT-Tiny (Turc et al., 2019), 4.4 million weights, in numpy.

Each piece of a text votes for every piece of the vocabulary; a term's weight is log(1 + its highest vote, if positive).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from indelible.embed.base import SparseVector
from indelible.embed.pinned import DATA, verified
from indelible.embed.wordpiece import MARKERS

_SHA256 = "3195ed146c4578c47262d113780a1c2133df3dfb11064556b391a7588ac541b7"
_HEADS, _LAYERS, _WIDTH = 2, 2, 128
_NORM_FLOOR = np.float32(1e-12)
_BLOCK = 320  # terms whose weights are stored together
_VOTES = 1 << 17  # votes counted at once where a text is short: 512 KB, which stays in the cache

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Layer:
    """A linear layer: inputs times `weight` (inputs, outputs) plus `bias`."""

    weight: Floats
    bias: Floats

    def __call__(self, states: Floats) -> Floats:
        product: Floats = states @ self.weight
        product += self.bias
        return product


@dataclass(frozen=True, slots=True)
class _Norm:
    """A layer norm (Ba et al., 2016), which changes the states that it is given."""

    gamma: Floats
    beta: Floats

    def __call__(self, states: Floats) -> Floats:
        states -= np.add.reduce(states, axis=1, keepdims=True) / np.float32(_WIDTH)
        spread = np.einsum("pw,pw->p", states, states) / np.float32(_WIDTH)
        states /= np.sqrt(spread + _NORM_FLOOR)[:, None]
        states *= self.gamma
        states += self.beta
        return states


@dataclass(frozen=True, slots=True)
class _Transformer:
    """A layer of BERT; the query's part of `attend` holds the division by the root of a head's width."""

    attend: _Layer  # query, key and value side by side
    heard: _Layer
    heard_norm: _Norm
    widen: _Layer
    narrow: _Layer
    narrow_norm: _Norm


class Splade:
    """Windows of word pieces as weighted terms of the same vocabulary; safe to use from many threads."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        words = weights["bert.embeddings.word_embeddings.weight"]
        count = -(-len(words) // _BLOCK)
        # (blocks, width, terms of a block): each block is read from memory in one piece and small enough for BLAS to
        # multiply it with a short text's states as it lies there. What fills the last one up is never a term.
        self._words = np.zeros((count, _WIDTH, _BLOCK), np.float32)
        for block, start in zip(self._words, range(0, len(words), _BLOCK), strict=True):
            part = words[start : start + _BLOCK]
            block[:, : len(part)] = part.T
        self._bias = np.full(count * _BLOCK, -np.inf, np.float32)
        self._bias[MARKERS : len(words)] = weights["cls.predictions.bias"][MARKERS:]  # [CLS] is never searched
        types = weights["bert.embeddings.token_type_embeddings.weight"]
        self._places = weights["bert.embeddings.position_embeddings.weight"] + types[0]
        self._places_norm = _norm(weights, "bert.embeddings.")
        self._layers = [_transformer(weights, f"bert.encoder.layer.{number}.") for number in range(_LAYERS)]
        head = "cls.predictions.transform."
        self._head, self._head_norm = _layer(weights, f"{head}dense"), _norm(weights, head)

    @classmethod
    def load(cls) -> "Splade":
        """Read the vendored weights as float32 (18 MB in all); raises StoreError if they are not the pinned ones."""
        path = verified(DATA / "splade_tiny.npz", _SHA256, "reinstall Indelible (pip install --force-reinstall)")
        with np.load(path) as stored:
            return cls({name: stored[name].astype(np.float32) for name in stored.files})

    def vectors(self, windows: Sequence[Sequence[int]], limit: int) -> list[SparseVector]:
        """The `limit` heaviest terms of each window, in the order given. All run at once: keep it small."""
        ends = accumulate(len(window) for window in windows)
        spans = [slice(start, end) for start, end in pairwise([0, *ends])]
        votes = self._votes(self._states(windows, spans), spans)
        return [_heaviest(row, limit) for row in votes]

    def _states(self, windows: Sequence[Sequence[int]], spans: Sequence[slice]) -> Floats:
        """Return the last layer's output for each piece, comparable with all words: (pieces of all windows, 128)."""
        pieces = np.concatenate([np.asarray(window, np.intp) for window in windows])
        places = np.concatenate([np.arange(len(window)) for window in windows])
        states = self._words[pieces // _BLOCK, :, pieces % _BLOCK]
        states += self._places[places]
        states = self._places_norm(states)
        for layer in self._layers:
            heard = layer.heard(_attention(layer.attend(states), spans))
            heard += states
            states = layer.heard_norm(heard)
            wide = layer.narrow(_gelu(layer.widen(states)))
            wide += states
            states = layer.narrow_norm(wide)
        return self._head_norm(_gelu(self._head(states)))

    def _votes(self, states: Floats, spans: Sequence[slice]) -> Floats:
        """Return the highest vote for each term of the vocabulary in each window: (windows, terms)."""
        count = len(self._words)
        highest = np.empty((len(spans), count, _BLOCK), np.float32)
        step = max(1, _VOTES // (len(states) * _BLOCK))
        votes = np.empty((step, len(states), _BLOCK), np.float32)
        for start in range(0, count, step):
            words = self._words[start : start + step]
            counted = np.matmul(states, words, out=votes[: len(words)])
            for row, span in zip(highest, spans, strict=True):
                counted[:, span].max(axis=1, out=row[start : start + step])
        flat = highest.reshape(len(spans), -1)
        flat += self._bias  # the same for every piece, so it may wait until the highest is known
        return flat


def _layer(weights: Mapping[str, Floats], name: str) -> _Layer:
    return _Layer(np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"])


def _norm(weights: Mapping[str, Floats], name: str) -> _Norm:
    return _Norm(weights[f"{name}LayerNorm.gamma"], weights[f"{name}LayerNorm.beta"])


def _transformer(weights: Mapping[str, Floats], name: str) -> _Transformer:
    parts = [_layer(weights, f"{name}attention.self.{part}") for part in ("query", "key", "value")]
    attend = _Layer(np.concatenate([p.weight for p in parts], axis=1), np.concatenate([p.bias for p in parts]))
    for numbers in (attend.weight, attend.bias):
        numbers[..., :_WIDTH] /= np.float32(np.sqrt(_WIDTH // _HEADS))
    return _Transformer(
        attend,
        _layer(weights, f"{name}attention.output.dense"),
        _norm(weights, f"{name}attention.output."),
        _layer(weights, f"{name}intermediate.dense"),
        _layer(weights, f"{name}output.dense"),
        _norm(weights, f"{name}output."),
    )


def _attention(attend: Floats, spans: Sequence[slice]) -> Floats:
    """Return the attention of each piece to the pieces of its own window."""
    query, key, value = attend.reshape(len(attend), 3, _HEADS, -1).transpose(1, 2, 0, 3)
    heard = np.empty((len(attend), _HEADS, _WIDTH // _HEADS), np.float32)
    for span in spans:
        shares = query[:, span] @ key[:, span].swapaxes(1, 2)
        shares -= shares.max(axis=-1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= np.add.reduce(shares, axis=-1, keepdims=True)
        np.matmul(shares, value[:, span], out=heard[span].swapaxes(0, 1))
    return heard.reshape(len(attend), -1)


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
    shares = _erf(states * np.float32(np.sqrt(0.5)))
    shares += 1
    shares *= states
    shares *= np.float32(0.5)
    return shares


def _erf(x: Floats) -> Floats:
    """The error function to 1.5e-7 (Abramowitz and Stegun, 1964, 7.1.26); numpy has none."""
    size = np.abs(x)
    t = size * np.float32(0.3275911)
    t += 1
    np.reciprocal(t, out=t)
    series = t * np.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series += np.float32(factor)
        series *= t
    size *= size
    series *= np.exp(np.negative(size, out=size), out=size)
    np.subtract(1, series, out=series)
    np.copysign(series, x, out=series)
    return series
