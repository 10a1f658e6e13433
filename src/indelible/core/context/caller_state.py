"""What a process keeps for each caller that has a token, and for each set of namespaces that some are limited to."""

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
from indelible.core.indexes.vector_index import VectorSpace
from indelible.errors import InvalidInput
from indelible.sanitize.validate import is_blank

ARGUMENT = "conversation_id"


LONGEST_ID = 1_000  # bytes of the ids of conversations and messages: both stand in indexes


class Conversations:
    """The conversations of one connection. Safe to share between threads."""

    def __init__(self) -> None:
        self._last = ""

    def of(self, arguments: Mapping[str, Any], told: str = "") -> str:
        """The conversation of a call with these arguments, "" where nobody ever named one.

        `told` is what the transport says of it. What is no id counts as not said.
        """
        named = arguments.get(ARGUMENT)
        if not (isinstance(named, str) and len(named.encode()) <= LONGEST_ID and not is_blank(named)):
            named = told
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
class OfCaller:
    """What belongs to one caller: nobody learns of another's conversations, calls and figures."""

    conversations: Conversations = field(default_factory=Conversations)
    metrics: Metrics = field(default_factory=Metrics)
    session: str = field(default_factory=lambda: f"session_{uuid.uuid4().hex[:12]}")


@dataclass(frozen=True, slots=True)
class OfNamespaces:
    """Caches that are built of what stands in some namespaces: only the transactions of such callers may use them."""

    graph_scores: GraphScores
    entity_texts: EntityTexts
    vectors: VectorSpace

    @classmethod
    def of(cls, tenant: int) -> "OfNamespaces":
        """Empty ones."""
        return cls(GraphScores(tenant), EntityTexts(tenant), VectorSpace(tenant))


class Shares:
    """Both, those used last. Safe to share between threads."""

    def __init__(self, tenant: int = 1) -> None:
        self._callers: _Kept[str, OfCaller] = _Kept(MOST_CALLERS, OfCaller)
        self._limits: _Kept[frozenset[str], OfNamespaces] = _Kept(MOST_LIMITS, lambda: OfNamespaces.of(tenant))

    def of_caller(self, grant: Grant) -> OfCaller:
        """What belongs to the caller of a grant."""
        return self._callers.get(grant.who)

    def of_namespaces(self, namespaces: frozenset[str]) -> OfNamespaces:
        """The caches of a set of namespaces."""
        return self._limits.get(namespaces)

    def in_use(self) -> list[tuple[frozenset[str], OfNamespaces]]:
        """All sets of namespaces whose caches are kept, for whoever keeps these up."""
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
