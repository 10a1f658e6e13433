"""The score of candidates, over arrays: eight components each, and their order."""

from collections.abc import Mapping, Sequence
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.model import COMPONENTS
from indelible.search import scoring
from indelible.search.index.slots import Ints, Mask
from indelible.search.relevance import Relevances
from indelible.search.time_spans import TimeSpan

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Query:
    """The part of a query that scores look at: when it is asked (microseconds since 1970), its time, its words.

    `weights` are those of the components by name; None scores by what looks at the query alone. With `only_time` the
    query names nothing but its time: a record of that is as relevant as can be.
    """

    now: int
    time: TimeSpan | None
    words: frozenset[str]
    weights: Mapping[str, float] | None
    only_time: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """The facts that scores look at beside the relevance of candidates: columns of one length, times in microseconds.

    `last` is the last access, 0 where there was none; `strengths` are those in the graph, 0..1; `own` tells which are
    the server's project's.
    """

    keys: Sequence[str]
    created: Ints
    last: Ints
    importance: Floats
    confidence: Floats
    strengths: Floats
    tags: Sequence[tuple[str, ...]]
    own: Mask

    @classmethod
    def of(cls, rows: Sequence[tuple[str, int, int, float, float, float, tuple[str, ...], bool]]) -> "Facts":
        """Return the columns of rows that have the fields in their order."""
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(fields(cls))
        keys, created, last, importance, confidence, strengths, tags, own = columns
        return cls(
            keys,
            np.array(created, np.int64),
            np.array(last, np.int64),
            np.array(importance, np.float64),
            np.array(confidence, np.float64),
            np.array(strengths, np.float64),
            tags,
            np.array(own, np.bool_),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Candidates by their places in what was given: the final order of these, and the score of each place."""

    order: list[int]
    scores: list[float]
    columns: Mapping[str, Floats]

    def components(self, place: int) -> dict[str, float]:
        """Return the components of a candidate by name, in their fixed order."""
        return {name: float(self.columns[name][place]) for name in COMPONENTS}

    def with_components(self, place: int, changed: Mapping[str, float], weights: Mapping[str, float]) -> "Scored":
        """Return the same with some components of one candidate changed, which then stands before those it beats."""
        columns = dict(self.columns)
        for name, value in changed.items():
            columns[name] = columns[name].copy()
            columns[name][place] = value
        scores = self.scores.copy()
        scores[place] = float(scoring.combine({name: columns[name][place] for name in COMPONENTS}, weights))
        order = [each for each in self.order if each != place]
        at = next((i for i, each in enumerate(order) if scores[each] < scores[place]), len(order))
        return Scored([*order[:at], place, *order[at:]], scores, columns)

    def times(self, factors: Mapping[int, float]) -> "Scored":
        """Return the same with the scores of some places, and all that they are the sum of, multiplied."""
        columns = {name: column.copy() for name, column in self.columns.items()}
        scores = self.scores.copy()
        for place, factor in factors.items():
            scores[place] *= factor
            for column in columns.values():
                column[place] *= factor
        return Scored(sorted(self.order, key=lambda place: -scores[place]), scores, columns)


def ranked(near: Relevances, facts: Facts, query: Query) -> Scored:
    """Score candidates, in the order of `near`: the best first, ties by newest, then key."""
    raised = 1 + (scoring.OWN_PROJECT - 1) * facts.own
    overlaps = np.where(facts.own, np.minimum(1.0, near.overlaps * raised), near.overlaps)
    similarities = np.where(facts.own, np.minimum(1.0, near.similarities * raised), near.similarities)
    values = Relevances(near.ids, overlaps, similarities, near.by_words).values
    relevance = scoring.relevance(values)
    temporal = scoring.temporal(query.now, facts.created, query.time)
    if query.only_time:
        relevance = np.maximum(relevance, temporal)
    tags = [scoring.tag_share(own, query.words) if own else 0.0 for own in facts.tags]
    columns = {
        "vector_similarity": similarities,
        "graph_strength": relevance * facts.strengths,
        "token_overlap": overlaps,
        "temporal": relevance * temporal if query.time is None else temporal,
        "tag_matching": np.array(tags, np.float64),
        "importance": relevance * facts.importance,
        "confidence": relevance * facts.confidence,
        "recency": relevance * scoring.recency(query.now, np.maximum(facts.created, facts.last)),
    }
    if query.weights is None:
        scores = scoring.relevance_score(values, None if query.time is None else temporal)
    else:
        scores = scoring.combine(columns, query.weights)
    listed, created = np.asarray(scores, np.float64).tolist(), facts.created.tolist()
    order = sorted(range(len(listed)), key=lambda place: (-listed[place], -created[place], facts.keys[place]))
    return Scored(order, listed, columns)
