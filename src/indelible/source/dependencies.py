"""Dependencies of a symbol in both directions, and the impact of a change of it.

Nodes are of any type that the caller chooses; relations are asked for a level at a time, so that a store answers each
level with one query.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Final, Generic, Literal, TypeVar

from indelible.dataclass import dataclass

INCOMING: Final = "incoming"
OUTGOING: Final = "outgoing"
BOTH: Final = "both"
Way = Literal["incoming", "outgoing"]
Direction = Literal["incoming", "outgoing", "both"]
MOST = 10_000  # nodes that are reached; the nearest count

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Related(Generic[N]):
    """One relation, from the dependent to what it depends on. `weight` is the confidence, 0..1, that it exists."""

    source: N
    target: N
    relation: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Dependency(Generic[N]):
    """A relation at a symbol, and its direction as seen from there."""

    related: Related[N]
    direction: Way


@dataclass(frozen=True, slots=True)
class Reached(Generic[N]):
    """A node that a change reaches: over `relation` from `through`, which is one step nearer.

    `confidence` is the largest product of weights over the ways of least depth.
    """

    node: N
    depth: int
    relation: str
    through: N
    confidence: float


@dataclass(frozen=True, slots=True)
class Impact(Generic[N]):
    """The nodes that a change reaches, nearest first, then surest, then by name. `cut`: there are more."""

    reached: tuple[Reached[N], ...]
    cut: bool

    @property
    def direct(self) -> tuple[Reached[N], ...]:
        """The nodes one step away."""
        return tuple(each for each in self.reached if each.depth == 1)


Ask = Callable[[Sequence[N]], Iterable[Related[N]]]  # the relations that lead to any of the nodes


def dependencies(
    node: N, relations: Iterable[Related[N]], name: Callable[[N], str], direction: Direction = "both"
) -> list[Dependency[N]]:
    """Return the relations at a node in a direction: incoming first, then by relation, surest, name of the other end.

    One from the node to itself leads both ways, and is returned once, as outgoing.
    """
    found = []
    for each in relations:
        way: Way = OUTGOING if each.source == node else INCOMING
        if node in (each.source, each.target) and direction in (BOTH, way):
            found.append(Dependency(each, way))

    def order(each: Dependency[N]) -> tuple[str, str, float, str]:
        other = each.related.target if each.direction == OUTGOING else each.related.source
        return each.direction, each.related.relation, -each.related.weight, name(other)

    return sorted(found, key=order)


def impact(
    start: N, depth: int, incoming: Ask[N], name: Callable[[N], str], *, most: int = MOST, least: float = 0.0
) -> Impact[N]:
    """Return the nodes that reach a node within `depth` relations: those that may break if it changes, without itself.

    `incoming` is asked once a level for the relations that lead to its nodes. Each node is met once, at its least
    depth, so rings end. Relations below the weight `least` are not followed. Of more than `most` nodes the nearest and
    surest are kept.
    """
    reached: list[Reached[N]] = []
    level: dict[N, float] = {start: 1.0}
    seen = {start}
    for step in range(1, depth + 1):
        fresh = _next_level(level, incoming, seen, step, least)
        found = sorted(fresh.values(), key=lambda each: (-each.confidence, name(each.node)))
        if len(reached) + len(found) > most:
            return Impact((*reached, *found[: most - len(reached)]), cut=True)
        if not found:
            break
        reached += found
        seen.update(fresh)
        level = {each.node: each.confidence for each in found}
    return Impact(tuple(reached), cut=False)


def _next_level(level: dict[N, float], incoming: Ask[N], seen: set[N], step: int, least: float) -> dict[N, Reached[N]]:
    """Return the nodes first met from a level, each over its surest relation; of equal ones the first by name."""
    fresh: dict[N, Reached[N]] = {}
    for each in incoming(list(level)):
        if each.source in seen or each.weight < least:
            continue
        confidence = level[each.target] * each.weight
        known = fresh.get(each.source)
        if known is None or (-confidence, each.relation) < (-known.confidence, known.relation):
            fresh[each.source] = Reached(each.source, step, each.relation, each.target, confidence)
    return fresh
