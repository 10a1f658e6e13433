"""The score of a hit: a weighted sum of eight components, each in 0..1."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indelible.clock import moment_of
from indelible.model import COMPONENTS
from indelible.search import tokens
from indelible.search.time_spans import TimeSpan, alignment

DEFAULT_WEIGHTS: Mapping[str, float] = {
    "vector_similarity": 0.25,
    "graph_strength": 0.25,
    "token_overlap": 0.15,
    "temporal": 0.10,
    "tag_matching": 0.10,
    "importance": 0.05,
    "confidence": 0.05,
    "recency": 0.05,
}
# What does not look at the query is multiplied by the hit's relevance; `temporal` only where the query names no time.
BY_RELEVANCE = ("graph_strength", "temporal", "importance", "confidence", "recency")
SPARSE_SHARE = 0.4  # of the similarity, the rest is the dense vector's; fitted with EVERYWHERE by bench/fit_ranking.py
EVERYWHERE = 1.0  # weight of a sparse term that every record has; a rarer one has its inverse document frequency more
FULL_OVERLAP = 1.25  # BM25 per weight of the query that counts as 1
NEAREST_PLACE = 3  # that the nearest by its dense vector has at least: it finds paraphrases,
JUST_ABOVE = 1.15  # times the one in its place, since components that do not look at the query must not reverse it;
NEAREST_WORTH = 0.4  # but it comes before none of more relevance than this: words and terms know better then,
NEAREST_LAST = 10  # unless it would come after this place: bench/fit_ranking.py, and tests/golden for the 0.4
OWN_PROJECT = 1.15  # relevance of the own project's records where the query names no namespace
MENTIONED = 0.4  # of the overlap of words, for a record that mentions the time which is all that the query names
FOREIGN = 0.8  # of the overlap of words, for an English text where the query and others are in another language
LENT = 0.4  # fraction of a hit's relevance that a relation of weight 1 lends to its other end
DAY = 86_400_000_000.0  # microseconds

Values = Any  # a number, or an array of them
Times = NDArray[np.int64]


def overlap(bm25: Values, query_weight: float) -> Values:
    """BM25 as 0..1: 0.89 for a record of average length that has every word of the query once."""
    return np.sqrt(np.minimum(1.0, np.maximum(bm25, 0.0) / max(FULL_OVERLAP * query_weight, 1e-9)))


def similarity(cosine: Values, sparse: Values, own: float) -> Values:
    """Dense cosine and the sparse model's dot product, as a share of `own`, the query's with itself: 0..1.

    The sum of such nearly linear values ranks within 0.005 recall@10 of sums that are divided by each query's best, and
    it can be compared between queries, as the evidence floor must. A model without sparse terms counts by its cosine.
    """
    near = np.clip(cosine, 0.0, 1.0)
    if own <= 0:
        return near
    return (1 - SPARSE_SHARE) * near + SPARSE_SHARE * np.minimum(1.0, sparse / own)


def telling(weights: Values, idf: Values, known: Values) -> tuple[Values, float]:
    """Return the weights of a query's sparse terms by how rare each is in this store, and its product with itself.

    `weights` are the model's, `idf` each term's inverse document frequency, `known` which terms any record has. The
    model knows how telling a term is among all texts of its training, not that each record of this store is about
    "order" or starts with the same speaker's name. (Weighing learned sparse terms by the idf of the collection:
    Geng et al., 2024.) What no record has is taken to be as telling as the others: it says nothing of the store.
    """
    rated, squares = weights * (EVERYWHERE + idf), weights * weights
    there = float(squares[known].sum())
    mean = float((weights * rated)[known].sum()) / there if there else 1.0
    return rated, mean * float(squares.sum())


def fused(token_overlap: Values, vector_similarity: Values) -> Values:
    """Return the two components that look at the text combined, as they weigh in the score by default: 0..1."""
    words, meaning = DEFAULT_WEIGHTS["token_overlap"], DEFAULT_WEIGHTS["vector_similarity"]
    return (words * token_overlap + meaning * vector_similarity) / (words + meaning)


def of_nearest(own: float, values: NDArray[np.floating[Any]]) -> float:
    """Return the relevance that the nearest by its dense vector has at least, of its own and those of all answers."""
    best = np.sort(values)[::-1][:NEAREST_LAST]
    place, last = float(best[:NEAREST_PLACE][-1]), float(best[-1])
    if own < place:
        own = max(own, min(JUST_ABOVE * place, NEAREST_WORTH))
    if own < last:
        own = min(JUST_ABOVE * last, float(best[-2:].mean()))  # half way to the one before
    return own


def similarity_for(value: float, token_overlap: float) -> float:
    """The vector similarity that makes a record of this token overlap `fused` to a value, as far as one can."""
    words, meaning = DEFAULT_WEIGHTS["token_overlap"], DEFAULT_WEIGHTS["vector_similarity"]
    return min(1.0, max(0.0, (value * (words + meaning) - words * token_overlap) / meaning))


def relevance(value: Values) -> Values:
    """Return the weight of the components that do not look at the query; steep, so they order only near equals."""
    return value**2


def tag_share(tags: tuple[str, ...], query_words: frozenset[str]) -> float:
    """Share of the tags' parts (split at `:`) all of whose words are in the query."""
    parts = [part for tag in tags for part in tag.split(":") if part]
    if not parts:
        return 0.0
    found = sum(1 for part in parts if (own := set(tokens.words(part))) and own <= query_words)
    return found / len(parts)


def recency(now: int, last: Times) -> Values:
    """exp(-days since the last access or, later than that, creation / 7); times in microseconds since 1970."""
    return np.exp(-_days(now, last) / 7)


def temporal(now: int, created: Times, asked: TimeSpan | None) -> Values:
    """Alignment with the time that the query names; where it names none, exp(-age in days / 30). Times as above."""
    if asked is not None:
        return np.array([alignment(asked, moment_of(each)) for each in created.tolist()], np.float64)
    return np.exp(-_days(now, created) / 30)


def _days(now: int, then: Times) -> Values:
    return np.maximum(0, now - then) / DAY


def relevance_score(value: Values, asked_time: Values | None) -> Values:
    """Return a score by relevance alone, 0..1: `fused`, with the match of the record's time to the time asked for."""
    if asked_time is None:
        return value
    text = DEFAULT_WEIGHTS["token_overlap"] + DEFAULT_WEIGHTS["vector_similarity"]
    time = DEFAULT_WEIGHTS["temporal"]
    return (text * value + time * asked_time) / (text + time)


def combine(components: Mapping[str, Values], weights: Mapping[str, float]) -> Values:
    """The weighted sum, over the eight components in their fixed order."""
    return sum(weights[name] * components[name] for name in COMPONENTS)
