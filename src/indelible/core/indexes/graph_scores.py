"""Scores of records in the graph of stated relations: kept with the change position that they were computed at.

Relations derived from source code are left out, both those in the code and those from memories to code: a codebase has
a hundred times as many as a user states in a year, and beside its classes every memory would score nothing. So a
codebase indexed beside the memories changes none of their scores. `WholeGraph` has all relations, for tools that
analyse the graph itself.
"""

import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from indelible.core.indexes.full_graph import WholeGraph
from indelible.core.indexes.graph_snapshot import read
from indelible.dataclass import dataclass
from indelible.store.database import Transaction
from indelible.store.tables import changes, edges

if TYPE_CHECKING:
    from indelible.graph.snapshot import Drawn, Strengths

# Imported late (start, cli): indelible.graph.snapshot

REST = 20  # times as long as a computation took, the background rests before the next
SMALL = 2_000  # relations up to which a recall computes them at once; above, in the background

State = tuple[str, int]  # epoch of the store, position of the last change of a relation


@dataclass(frozen=True, slots=True)
class _Computed:
    """The scores of a state, and the number of its relations."""

    state: State
    relations: int
    found: "Strengths"


class GraphScores:
    """The scores of one process. No recall waits for a large graph: it uses the last scores, none before the first."""

    def __init__(self) -> None:
        self.whole = WholeGraph()
        self._lock = threading.Lock()
        self._last: _Computed | None = None
        self._thread: threading.Thread | None = None
        self._not_before = 0.0
        self._large = False
        self._without: State | None = None  # the last moment at which nothing was related

    def of(self, tx: Transaction, candidates: Iterable[int]) -> dict[int, float]:
        """Return the graph strength (0..1) of those candidates of one ranking that have relations.

        0.4 PageRank + 0.3 betweenness + 0.2 degree, each as a fraction of the namespace's largest (symbols and files
        among themselves), + 0.1 where another of the candidates is in the same community.
        """
        computed = self._current(tx)
        return {} if computed is None else computed.found.strengths_of(candidates)

    def pagerank_of(self, tx: Transaction, records: Iterable[int]) -> dict[int, float]:
        """Return the PageRank, as a fraction of the largest, of those records that have relations."""
        computed = self._current(tx)
        return {} if computed is None else computed.found.pagerank_of(records)

    def betweenness_of(self, tx: Transaction, records: Iterable[int]) -> dict[int, float]:
        """Return the betweenness, as a fraction of the largest, of those records that have relations."""
        computed = self._current(tx)
        return {} if computed is None else computed.found.betweenness_of(records)

    def refresh(self, tx: Transaction) -> threading.Thread | None:
        """Start to compute all scores again in a thread, which is returned.

        None if nothing changed, if it is running, or if the last run took long and was recent.
        """
        state = self._state(tx)
        with self._lock:
            busy = self._thread is not None and self._thread.is_alive()
            if busy or time.monotonic() < self._not_before or (self._last is not None and self._last.state == state):
                return None
        began = time.monotonic()
        drawn = read(tx, stated=True)
        self._thread = threading.Thread(
            target=self._compute, args=(state, drawn, began), name="indelible-graph", daemon=True
        )
        self._thread.start()
        return self._thread

    @property
    def waits(self) -> bool:
        """Whether the graph was asked for and is too large for a recall to compute its scores at once."""
        return self._large

    def _state(self, tx: Transaction) -> State:
        now = changes.moment(tx)
        return now.epoch, now.last_link

    def _current(self, tx: Transaction) -> _Computed | None:
        """Return the scores as of the transaction if the graph is small, else the last; None if there are none."""
        state = self._state(tx)
        with self._lock:
            last = self._last
        if last is not None and (last.state == state or last.relations > SMALL):
            return last if last.relations else None
        if self._without == state:
            return None
        relations = edges.count_stated(tx)
        self._large = relations > SMALL
        if relations == 0:
            self._without = state
            return None
        if relations <= SMALL:
            last = self._compute(state, read(tx, stated=True, at_once=True), time.monotonic())
        return last if last is not None and last.relations else None

    def _compute(self, state: State, drawn: "Drawn", began: float) -> _Computed:
        from indelible.graph.snapshot import Strengths

        relations = len(drawn.sources)
        computed = _Computed(state, relations, Strengths.of(drawn, quick=relations <= SMALL))
        with self._lock:
            newer = self._last is not None and self._last.state[0] == state[0] and self._last.state[1] > state[1]
            if not newer:
                self._last = computed
            self._not_before = time.monotonic() + REST * (time.monotonic() - began)
        return computed
