"""The score of a hit: a weighted sum of eight components, each in 0..1."""

import math
from collections.abc import Mapping
from datetime import datetime

from indelible.model import COMPONENTS
from indelible.search import tokens
from indelible.search.time_expressions import TimeSpan, alignment

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
OWN_PROJECT = 1.15  # relevance of the own project's records where the query names no namespace
LENT = 0.4  # share of a hit's token overlap that a relation of weight 1 lends to its other end
DAY = 86_400.0


def overlap(bm25: float, query_weight: float) -> float:
    """BM25 as 0..1: 0.75 for a record of average length that has every word of the query once."""
    return bm25 / (bm25 + query_weight / 3) if bm25 > 0 else 0.0


def relevance(token_overlap: float, vector_similarity: float) -> float:
    """How far the components that do not look at the query may count; steep, so that they order only near equals."""
    return float(max(token_overlap, vector_similarity)) ** 2


def tag_share(tags: tuple[str, ...], query_words: frozenset[str]) -> float:
    """Share of the tags' parts (split at `:`) all of whose words are in the query."""
    parts = [part for tag in tags for part in tag.split(":") if part]
    if not parts:
        return 0.0
    found = sum(1 for part in parts if (own := set(tokens.words(part))) and own <= query_words)
    return found / len(parts)


def recency(now: datetime, last: datetime) -> float:
    """exp(-days since the last access or, later than that, creation / 7)."""
    return math.exp(-max(0.0, (now - last).total_seconds()) / DAY / 7)


def temporal(now: datetime, created: datetime, asked: TimeSpan | None) -> float:
    """Alignment with the time that the query names; where it names none, exp(-age in days / 30)."""
    if asked is not None:
        return alignment(asked, created)
    return math.exp(-max(0.0, (now - created).total_seconds()) / DAY / 30)


def combine(components: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted sum, over the eight components in their fixed order."""
    return sum(weights[name] * components[name] for name in COMPONENTS)
