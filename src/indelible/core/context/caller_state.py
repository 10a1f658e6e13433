"""State that a process keeps for each caller with a token, and caches for each set of namespaces of limited callers."""

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from indelible.core.context.metrics import Metrics
from indelible.core.context.permissions import Grant
from indelible.core.indexes.entity_index import EntityTexts
from indelible.core.indexes.graph_scores import GraphScores
from indelible.core.indexes.vector_index import CallerVectors
from indelible.errors import InvalidInput
from indelible.sanitize.validate import is_blank

ARGUMENT = "conversation_id"


LONGEST_ID = 1_000  # bytes of the ids of conversations and messages: both stand in indexes


class Conversations:
    """The conversations of one connection. Safe to share between threads."""

    def __init__(self) -> None:
        self._last = ""

    def of(self, arguments: Mapping[str, Any], reported: str = "") -> str:
        """Return the conversation of a call with these arguments, "" where none was ever named.

        `reported` is what the transport reports. A value that is no valid id counts as not given.
        """
        named = arguments.get(ARGUMENT)
        if not (isinstance(named, str) and len(named.encode()) <= LONGEST_ID and not is_blank(named)):
            named = reported
        if named:
            self._last = named
        return self._last


def refuse_long(given: str, argument: str) -> None:
    """Raise InvalidInput for an id that is too long to be looked up by."""
    size = len(given.encode())
    if size > LONGEST_ID:
        raise InvalidInput(f"{argument} must have at most {LONGEST_ID:,} bytes, got {size:,}; shorten it")


MOST_CALLERS = 1_000
MOST_LIMITS = 32  # sets of namespaces whose caches are kept; those of others are built again

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class CallerState:
    """State of one caller, never shown to another: conversations, figures, session."""

    conversations: Conversations = field(default_factory=Conversations)
    metrics: Metrics = field(default_factory=Metrics)
    session: str = field(default_factory=lambda: f"session_{uuid.uuid4().hex[:12]}")


@dataclass(frozen=True, slots=True)
class NamespaceCaches:
    """Caches built from the records of some namespaces; only callers limited to exactly these may use them."""

    graph_scores: GraphScores
    entity_texts: EntityTexts
    vectors: CallerVectors

    @classmethod
    def of(cls) -> "NamespaceCaches":
        """Return empty caches."""
        return cls(GraphScores(), EntityTexts(), CallerVectors())


class CallerStates:
    """The most recently used states of callers and caches of namespaces. Safe to share between threads."""

    def __init__(self) -> None:
        self._callers: _Kept[str, CallerState] = _Kept(MOST_CALLERS, CallerState)
        self._limits: _Kept[frozenset[str], NamespaceCaches] = _Kept(MOST_LIMITS, NamespaceCaches.of)

    def of_caller(self, grant: Grant) -> CallerState:
        """Return the state of the caller of a grant."""
        return self._callers.get(grant.who)

    def of_namespaces(self, namespaces: frozenset[str]) -> NamespaceCaches:
        """Return the caches of a set of namespaces."""
        return self._limits.get(namespaces)

    def in_use(self) -> list[tuple[frozenset[str], NamespaceCaches]]:
        """Return every set of namespaces with kept caches, and the caches, for the maintenance that updates them."""
        return self._limits.items()


class _Kept(Generic[K, V]):
    """The `most` values that were asked for last; others are made anew."""

    def __init__(self, most: int, make: Callable[[], V]) -> None:
        self._most = most
        self._make = make
        self._lock = threading.Lock()
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V:
        with self._lock:
            found = self._values.get(key)
            if found is None:
                found = self._values[key] = self._make()
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
            return found

    def items(self) -> list[tuple[K, V]]:
        with self._lock:
            return list(self._values.items())
