"""How records stand in the graph of all relations: kept with the change position that it was computed at."""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from indelible.store import changes, edges, settings
from indelible.store.database import Transaction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAGERANK, BETWEENNESS, DEGREE, COMMUNITY = 0.4, 0.3, 0.2, 0.1  # shares of graph strength
REST = 20  # times as long as a computation took, the background rests before the next
SMALL = 2_000  # relations up to which a recall computes them at once; above, in the background

State = tuple[str, int]  # epoch of the store, position of the last change of a relation


@dataclass(frozen=True, slots=True)
class _Graph:
    """All relations as `edges.ends` gives them, and the records that have some, by kind and key."""

    ends: list[tuple[int, int, float, str, str]]
    nodes: list[int]


@dataclass(frozen=True, slots=True)
class _Computed:
    """Arrays by record, ascending by id; the measures are fractions (0..1) of the namespace's largest."""

    state: State
    relations: int
    ids: "NDArray[np.int64]"
    pagerank: "NDArray[np.float64]"
    betweenness: "NDArray[np.float64]"
    degree: "NDArray[np.float64]"
    community: "NDArray[np.int64]"

    def places(self, records: Iterable[int]) -> "NDArray[np.int64]":
        """Where those records stand that have relations, each once, ascending by id."""
        import numpy as np

        wanted = np.unique(np.fromiter(records, np.int64))
        at = np.minimum(np.searchsorted(self.ids, wanted), len(self.ids) - 1)
        found: NDArray[np.int64] = at[self.ids[at] == wanted]
        return found

    def strengths(self, records: Iterable[int]) -> dict[int, float]:
        """Graph strength (0..1) of each of those that has relations."""
        import numpy as np

        at = self.places(records)
        _, number, members = np.unique(self.community[at], return_inverse=True, return_counts=True)
        total = PAGERANK * self.pagerank[at] + BETWEENNESS * self.betweenness[at] + DEGREE * self.degree[at]
        total += COMMUNITY * (members > 1)[number]
        return dict(zip(self.ids[at].tolist(), total.tolist(), strict=True))

    def of(self, measure: Any, records: Iterable[int]) -> dict[int, Any]:
        """One measure of each of those that has relations."""
        at = self.places(records)
        return dict(zip(self.ids[at].tolist(), measure[at].tolist(), strict=True))


class GraphScores:
    """The scores of one process. Nobody waits for a large graph: its last scores are taken, none before the first."""

    def __init__(self, tenant: int = 1) -> None:
        self._tenant = tenant
        self._lock = threading.Lock()
        self._last: _Computed | None = None
        self._thread: threading.Thread | None = None
        self._not_before = 0.0
        self._large = False

    def of(self, tx: Transaction, candidates: Iterable[int]) -> dict[int, float]:
        """Graph strength (0..1) of those candidates of one ranking that have relations.

        0.4 PageRank + 0.3 betweenness + 0.2 degree, each as a fraction of the namespace's largest, + 0.1 where another
        of the candidates is of the same community.
        """
        computed = self._current(tx)
        return {} if computed is None else computed.strengths(candidates)

    def pagerank_of(self, tx: Transaction, records: Iterable[int]) -> dict[int, float]:
        """PageRank, as a fraction of the namespace's largest, of those records that have relations."""
        computed = self._current(tx)
        return {} if computed is None else computed.of(computed.pagerank, records)

    def betweenness_of(self, tx: Transaction, records: Iterable[int]) -> dict[int, float]:
        """Betweenness, as a fraction of the namespace's largest, of those records that have relations."""
        computed = self._current(tx)
        return {} if computed is None else computed.of(computed.betweenness, records)

    def refresh(self, tx: Transaction) -> threading.Thread | None:
        """Begin to compute all scores again in a thread, which is returned.

        None if nothing changed, if it is being done, or if the last time took long and is not long ago.
        """
        state = self._state(tx)
        with self._lock:
            busy = self._thread is not None and self._thread.is_alive()
            if busy or time.monotonic() < self._not_before or (self._last is not None and self._last.state == state):
                return None
        began = time.monotonic()
        graph = self._read(tx)
        self._thread = threading.Thread(
            target=self._compute, args=(state, graph, began), name="indelible-graph", daemon=True
        )
        self._thread.start()
        return self._thread

    @property
    def waits(self) -> bool:
        """Whether the graph was asked for and is too large for a recall to compute its scores at once."""
        return self._large

    def _state(self, tx: Transaction) -> State:
        return settings.epoch(tx), changes.last_link(tx, self._tenant)

    def _read(self, tx: Transaction) -> _Graph:
        return _Graph(edges.ends(tx, self._tenant), edges.nodes(tx, self._tenant))

    def _current(self, tx: Transaction) -> _Computed | None:
        """The scores as of the transaction where the graph is small, else the last; None where there is nothing."""
        state = self._state(tx)
        with self._lock:
            last = self._last
        if last is not None and (last.state == state or last.relations > SMALL):
            return last if last.relations else None
        relations = sum(edges.count_by_relation(tx, self._tenant).values())
        self._large = relations > SMALL
        if relations == 0:
            return None
        if relations <= SMALL:
            last = self._compute(state, self._read(tx), time.monotonic())
        return last if last is not None and last.relations else None

    def _compute(self, state: State, graph: _Graph, began: float) -> _Computed:
        computed = _computed(state, graph)
        with self._lock:
            newer = self._last is not None and self._last.state[0] == state[0] and self._last.state[1] > state[1]
            if not newer:
                self._last = computed
            self._not_before = time.monotonic() + REST * (time.monotonic() - began)
        return computed


def _computed(state: State, graph: _Graph) -> _Computed:
    """All scores of a graph.

    What is estimated depends on the order of records and relations: here on their keys, so that the same data has the
    same scores in every store, whatever was stored first.
    """
    import numpy as np

    from indelible.graph import centrality
    from indelible.graph.communities import communities

    place = {record: at for at, record in enumerate(graph.nodes)}
    ends = sorted(graph.ends, key=lambda row: (place[row[0]], place[row[1]], row[2]))
    nodes, count = len(place), len(ends)
    sources = np.fromiter((place[row[0]] for row in ends), np.int64, count)
    targets = np.fromiter((place[row[1]] for row in ends), np.int64, count)
    weights = np.fromiter((row[2] for row in ends), np.float64, count)
    ids = np.array(graph.nodes, np.int64)
    by_id = np.argsort(ids)
    groups = np.zeros(nodes, np.int64)
    names: dict[str, int] = {}
    groups[sources] = np.fromiter((names.setdefault(row[3], len(names)) for row in ends), np.int64, count)
    groups[targets] = np.fromiter((names.setdefault(row[4], len(names)) for row in ends), np.int64, count)

    def fractions(values: "NDArray[Any]") -> "NDArray[np.float64]":
        return centrality.fraction_of_largest(values.astype(np.float64), groups)[by_id]

    return _Computed(
        state=state,
        relations=count,
        ids=ids[by_id],
        pagerank=fractions(centrality.pagerank(nodes, sources, targets, weights)),
        betweenness=fractions(centrality.betweenness(nodes, sources, targets, quick=count <= SMALL)),  # a recall waits
        degree=fractions(centrality.degree(nodes, sources, targets)),
        community=communities(nodes, sources, targets, weights)[by_id],
    )
