"""The indexes and caches that a process has of its store, so that a call need not read it again: one object."""

import threading
from dataclasses import field

from indelible.core.indexes.entity_index import EntityTexts
from indelible.core.indexes.graph_scores import GraphScores
from indelible.core.indexes.record_index import Index
from indelible.core.indexes.repo_fingerprint import Repository
from indelible.core.indexes.vector_index import CallerVectors
from indelible.dataclass import dataclass

MOST_LIMITS = 32  # sets of namespaces whose indexes are kept; those of others are built again


class _Limited:
    """The indexes of the sets of namespaces that were asked for last. Safe to share between threads."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.kept: dict[frozenset[str], Indexes] = {}  # the last that was asked for stands last


@dataclass(frozen=True, slots=True)
class Indexes:
    """The indexes and caches of a store, as far as a caller sees it. Safe to share between threads.

    All callers search the same `records`, under a mask of what each may see, and `repository` is of the process. The
    rest is small and built of visible records alone: of all, or of those of a set of namespaces.
    """

    records: Index = field(default_factory=Index)
    repository: Repository = field(default_factory=Repository)
    graph: GraphScores = field(default_factory=GraphScores)
    entities: EntityTexts = field(default_factory=EntityTexts)
    vectors: CallerVectors = field(default_factory=CallerVectors)
    _limited: _Limited = field(default_factory=_Limited)

    def limited(self, namespaces: frozenset[str]) -> "Indexes":
        """Return those of the callers that are limited to exactly these namespaces."""
        known = self._limited
        with known.lock:
            found = known.kept.pop(namespaces, None) or Indexes(self.records, self.repository)
            known.kept[namespaces] = found
            if len(known.kept) > MOST_LIMITS:
                del known.kept[next(iter(known.kept))]
        return found

    def in_use(self) -> list[tuple[frozenset[str], "Indexes"]]:
        """Return every set of namespaces with kept indexes, and these, for the maintenance that updates them."""
        with self._limited.lock:
            return list(self._limited.kept.items())
