"""Measures of all relations of a store, those of source code included: computed on request, kept until it changes."""

import threading
import time
from typing import TYPE_CHECKING

from indelible.core.indexes.graph_snapshot import read
from indelible.store.database import Database, Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import changes, edges, repositories

if TYPE_CHECKING:
    from indelible.graph.analysis import Measures
    from indelible.graph.snapshot import Drawn

# Imported late (start, cli): indelible.graph.analysis

KEPT = 8  # answers to different questions about one state
REST = 20  # times as long as the answers took, before they are computed again in advance

State = tuple[str, int, int, tuple[int, ...]]  # of the store, of stated relations, of others, of runs of the index
Question = tuple[float, float]  # damping, resolution (0: no communities)


class WholeGraph:
    """The measures of one process, as of the transaction; a large graph is computed by a child process."""

    def __init__(self) -> None:
        self._turn = threading.Lock()  # one graph is measured at a time
        self._lock = threading.Lock()
        self._state: State | None = None
        self._drawn: Drawn | None = None
        self._answers: dict[Question, Measures] = {}
        self._asked: Question | None = None
        self._thread: threading.Thread | None = None
        self._not_before = 0.0

    def measures(self, store: Database, damping: float, resolution: float = 0.0) -> "Measures":
        """Return PageRank with a damping and, for a resolution above 0, communities of all that the reader sees."""
        self._asked = damping, resolution
        return self._measured(store, (damping, resolution))

    def refresh(self, store: Database) -> threading.Thread | None:
        """Start to compute the last answers again in a thread, which is returned; None where nothing is to be done.

        That is: nothing was asked yet, nothing changed, it is running, or it ran not long ago.
        """
        question = self._asked
        if question is None or time.monotonic() < self._not_before or self._turn.locked():
            return None
        with store.read() as tx:
            state = self._state_of(tx)
        if self._kept(state, question) is not None:
            return None
        self._thread = threading.Thread(
            target=self._measured, args=(store, question), name="indelible-whole-graph", daemon=True
        )
        self._thread.start()
        return self._thread

    def _measured(self, store: Database, question: Question) -> "Measures":
        from indelible.graph import analysis

        with store.read() as tx:
            known = self._kept(self._state_of(tx), question)
        if known is not None:
            return known
        with self._turn:
            began = time.monotonic()
            with store.read() as tx:
                known, drawn = self._known(tx, question)
            if known is not None:  # another asked the same
                return known
            damping, resolution = question
            found = analysis.measures(drawn.task(damping=damping, resolution=resolution))
            with self._lock:
                while len(self._answers) >= KEPT:
                    del self._answers[next(iter(self._answers))]
                self._answers[question] = found
            self._not_before = time.monotonic() + REST * (time.monotonic() - began)
        return found

    def _kept(self, state: State, question: Question) -> "Measures | None":
        with self._lock:
            return self._answers.get(question) if self._state == state else None

    def _known(self, tx: Transaction, question: Question) -> "tuple[Measures | None, Drawn]":
        """Return the answer, if it is kept, and the graph as of the transaction."""
        state = self._state_of(tx)
        with self._lock:
            if self._state == state and self._drawn is not None:
                return self._answers.get(question), self._drawn
        drawn = read(tx, stated=False)
        with self._lock:
            self._state, self._drawn, self._answers = state, drawn, {}
        return None, drawn

    def _state_of(self, tx: Transaction) -> State:
        runs = tuple(each.indexed for each in repositories.everything(tx))
        now = changes.moment(tx)
        return now.epoch, now.last_link, edges.last_id(whole(tx)), runs
