"""The similarity of two documents by their chunks: the mean similarity of mutually nearest chunks.

A chunk that is no other's nearest counts as 0. The mean is taken over the chunks of either document, and the better
one counts: a short document can match a part of a long one, while a passage shared by two long ones counts little.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from indelible.search.index.entries import Entry
from indelible.search.index.vectors import unpack

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

NEARLY = 0.05  # the most that similarities of equally near chunks differ by


def of_chunks(similarities: Floats) -> float:
    """Return the similarity of two documents from a matrix (own chunks, other chunks), 0..1 where its values are.

    Of chunks that are about equally near each counts as the nearest: of a text that repeats itself all do.
    """
    own, other = similarities.max(axis=1), similarities.max(axis=0)
    mutual = (similarities >= own[:, None] - NEARLY) & (similarities >= other - NEARLY)
    return max(float((own * mutual.any(axis=1)).mean()), float((other * mutual.any(axis=0)).mean()))


def by_document(similarities: Floats, documents: Sequence[str]) -> Iterator[tuple[str, float]]:
    """`of_chunks` of each document of the columns; those of one document stand together."""
    starts = [at for at, name in enumerate(documents) if at == 0 or documents[at - 1] != name]
    for start, end in zip(starts, [*starts[1:], len(documents)], strict=True):
        yield documents[start], of_chunks(similarities[:, start:end])


class Windows:
    """Some chunks by their vectors: unit rows (windows, dimensions); `owners`, ascending, are the places of chunks."""

    def __init__(self, vectors: Floats, owners: Ints):
        self._vectors = vectors
        self._owners = owners

    @classmethod
    def of(cls, chunks: Sequence[int], rows: Iterable[tuple[int, bytes]]) -> "Windows":
        """Return those of chunks from their packed vectors (chunk, values), each chunk's in order."""
        place = {chunk: at for at, chunk in enumerate(chunks)}
        ordered = sorted(rows, key=lambda row: place[row[0]])
        return cls(unpack([body for _, body in ordered]), np.array([place[chunk] for chunk, _ in ordered], np.int64))

    @property
    def embedded(self) -> set[int]:
        """The places of the chunks that have a vector."""
        return set(self._owners.tolist())

    def similarities(self, others: "Windows") -> Floats:
        """Return the cosine of the nearest windows of each of these chunks and each of others, 0..1: (own, others).

        Chunks without a vector are left out.
        """
        # einsum: with `@` numpy's BLAS waits for threads on other cores, which may be busy
        cosines = np.einsum("id,jd->ij", self._vectors, others._vectors)
        of_own = np.maximum.reduceat(cosines, _starts(self._owners), axis=0)
        found = np.maximum.reduceat(of_own, _starts(others._owners), axis=1)
        return np.asarray(np.clip(found, 0.0, 1.0), np.float32)

    def by_document(self, others: "Windows", documents: Sequence[str]) -> Iterator[tuple[str, float]]:
        """`of_chunks` of each document, the name of which stands beside each of the other chunks; not of a document
        with a chunk that has no vector.
        """
        incomplete = {documents[at] for at in set(range(len(documents))) - others.embedded}
        kept = np.array([documents[at] not in incomplete for at in others._owners.tolist()], np.bool_)
        if kept.any():
            complete = Windows(others._vectors[kept], others._owners[kept])
            yield from by_document(self.similarities(complete), [documents[at] for at in sorted(complete.embedded)])


def _starts(owners: Ints) -> Ints:
    return np.flatnonzero(np.diff(owners, prepend=-1)).astype(np.int64)


class Rarity:
    """The weights of terms: ln(1 + chunks / chunks with the term), so that a term of all of few chunks still counts."""

    def __init__(self, batches: Iterable[Sequence[Entry]]):
        terms, frequencies, count = [np.zeros(0, np.uint32)], [np.zeros(0, np.int64)], 0
        for chunks in batches:
            found, times = np.unique(np.concatenate([chunk.terms for chunk in chunks]), return_counts=True)
            terms.append(found)
            frequencies.append(times)
            count += len(chunks)
        self._terms, places = np.unique(np.concatenate(terms), return_inverse=True)
        self._idf = np.log1p(count / np.bincount(places, np.concatenate(frequencies))).astype(np.float32)

    def of(self, terms: NDArray[np.uint32]) -> Floats:
        """The weight of each term, all of which stand in the chunks."""
        return self._idf[np.searchsorted(self._terms, terms)]


class Words:
    """The chunks of one document by their words: cosines of (1 + ln count) x inverse document frequency."""

    def __init__(self, chunks: Sequence[Entry], rarity: Rarity):
        self._rarity = rarity
        terms, weights, owners = self._weighted(chunks)
        self._terms, places = np.unique(terms, return_inverse=True)
        self._weights = np.zeros((len(self._terms), len(chunks)), np.float32)
        self._weights[places, owners] = weights

    def similarities(self, chunks: Sequence[Entry]) -> Floats:
        """The cosine of each of these chunks and each of others, 0..1: (own, others)."""
        terms, weights, owners = self._weighted(chunks)
        shared = np.isin(terms, self._terms)
        places, weights = np.searchsorted(self._terms, terms[shared]), weights[shared]
        starts = np.searchsorted(owners[shared], np.arange(len(chunks) + 1))
        found = np.zeros((self._weights.shape[1], len(chunks)), np.float32)
        for column, (start, end) in enumerate(pairwise(starts.tolist())):
            if start < end:
                found[:, column] = np.einsum("ti,t->i", self._weights[places[start:end]], weights[start:end])
        return np.clip(found, 0.0, 1.0)

    def _weighted(self, chunks: Sequence[Entry]) -> tuple[NDArray[np.uint32], Floats, Ints]:
        """The terms of all chunks, their weights, by which each chunk is a unit vector, and the place of its chunk."""
        owners = np.repeat(np.arange(len(chunks)), [len(chunk.terms) for chunk in chunks])
        terms = np.concatenate([chunk.terms for chunk in chunks])
        counts = np.concatenate([chunk.counts for chunk in chunks]).astype(np.float32)
        weights = (1 + np.log(np.maximum(counts, 1))) * self._rarity.of(terms)
        lengths = np.sqrt(np.bincount(owners, weights * weights, len(chunks)))
        return terms, np.asarray(weights / np.maximum(lengths, 1e-9)[owners], np.float32), owners
