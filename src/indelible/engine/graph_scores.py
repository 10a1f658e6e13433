"""Graph strength of records: computed over all relations, kept with the change position that it was computed at."""

import threading
import time
from typing import TYPE_CHECKING

from indelible.store import changes, edges, settings
from indelible.store.database import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGERANK, DEGREE = 0.4, 0.2  # shares of graph strength; betweenness and communities come with the code step
REST = 20  # times as long as a computation took, the background rests before the next
SMALL = 5_000  # relations up to which a recall computes them at once; above, in the background


class GraphScores:
    """The scores of one process, by record. A recall never waits for a large graph: it takes the last ones."""

    def __init__(self, tenant: int = 1) -> None:
        self._tenant = tenant
        self._lock = threading.Lock()
        self._scores: dict[int, float] = {}
        self._links_seen: tuple[str, int] = ("", -1)
        self._not_before = 0.0

    def of(self, tx: Transaction, records: "Iterable[int]") -> dict[int, float]:
        """Graph strength (0..1) of those records that have relations."""
        state = (settings.epoch(tx), changes.last_link(tx, self._tenant))
        with self._lock:
            stale = state != self._links_seen
        if stale and sum(edges.count_by_relation(tx, self._tenant).values()) <= SMALL:
            self._compute(tx)
        with self._lock:
            return {record: self._scores[record] for record in records if record in self._scores}

    def refresh(self, tx: Transaction) -> None:
        """Compute all scores again, unless nothing changed or the last time took long and is not long ago."""
        if time.monotonic() >= self._not_before:
            self._compute(tx)

    def _compute(self, tx: Transaction) -> None:
        state = (settings.epoch(tx), changes.last_link(tx, self._tenant))
        with self._lock:
            if state == self._links_seen:
                return
        began = time.monotonic()
        scores = strengths(edges.ends(tx, self._tenant))
        with self._lock:
            self._scores, self._links_seen = scores, state
        self._not_before = time.monotonic() + REST * (time.monotonic() - began)


def strengths(ends: list[tuple[int, int, float, str, str]]) -> dict[int, float]:
    """By record: 0.4 PageRank + 0.2 degree, each as a fraction of the namespace's largest."""
    if not ends:
        return {}
    import numpy as np

    from indelible.graph.centrality import degree, fraction_of_largest, pagerank

    namespace_of: dict[int, str] = {}
    for source, target, _, of_source, of_target in ends:
        namespace_of[source], namespace_of[target] = of_source, of_target
    ids = sorted(namespace_of)
    number = {record: i for i, record in enumerate(ids)}
    names: dict[str, int] = {}
    groups = np.array([names.setdefault(namespace_of[r], len(names)) for r in ids], np.int64)
    sources = np.array([number[e[0]] for e in ends], np.int64)
    targets = np.array([number[e[1]] for e in ends], np.int64)
    weights = np.array([e[2] for e in ends], np.float64)
    ranks = fraction_of_largest(pagerank(len(ids), sources, targets, weights), groups)
    degrees = fraction_of_largest(degree(len(ids), sources, targets).astype(np.float64), groups)
    total = PAGERANK * ranks + DEGREE * degrees
    return dict(zip(ids, total.tolist(), strict=True))
