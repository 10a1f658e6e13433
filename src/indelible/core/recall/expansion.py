"""Recall that goes on along relations: the hits, and the records some relations away from them."""

import heapq
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.recall.candidates import SEEDS, Candidates, Query
from indelible.core.recall.recall import recall
from indelible.core.records import entities, solution_fields
from indelible.dataclass import dataclass
from indelible.model import Hit
from indelible.store.database import Transaction
from indelible.store.tables import edges, records

if TYPE_CHECKING:
    from indelible.search.relevance import Relevance
    from indelible.search.retrieval import Retrieval

# Imported late (start, cli): indelible.search.relevance, indelible.search.scoring

MOST_HOPS = 10
WALKED = 500  # records of a hop from which the next one starts, the strongest
MEASURED = 1000  # records reached that are read and ranked, the strongest; more where more results are asked for
READ = 100_000  # relations that are read a hop: a record with 50,000 of them takes a fifth of a second


@dataclass(frozen=True, slots=True)
class Expanded:
    """A hit, and the ids on the shortest way to it: its own alone, or from the direct hit that it was reached from."""

    hit: Hit
    path: tuple[str, ...]


def recall_with_expansion(ctx: Context, query: Query, depth: int) -> list[Expanded]:
    """Return the best `k` by score among the hits of recall and the records up to `depth` relations away from them.

    Relations are followed in both directions, whatever their name; one without a positive weight leads nowhere. A
    reached record has the relevance of its own text plus what the records before it on the way lend: 0.4 of theirs for
    a relation of weight 1, so a sixth over two. The filters hold for results; records on the way may be of any kind and
    namespace. Of several shortest ways the one with the heaviest relations (by their product) is shown, then the one
    with the lower ids. With `depth` 0 no relation is followed: a record that only others lead to is no hit.
    """
    walk = _Walk(ctx, query, depth)
    hits = recall(ctx, query, walk.expand)
    ways = {**_ways_to_failures(ctx, walk, hits), **walk.ways}
    return [Expanded(hit, (*ways.get(hit.record.id, ()), ids.shown(hit.record))) for hit in hits]


def _ways_to_failures(ctx: Context, walk: "_Walk", hits: Sequence[Hit]) -> dict[int, tuple[str, ...]]:
    """Return the ways to failures that replace reached entities; a shorter way before a longer one."""
    brought = [hit.record for hit in hits if hit.record.kind == "failure" and hit.record.id not in walk.direct]
    if not brought or not walk.ways:
        return {}
    with ctx.store.read() as tx:
        named = entities.named(
            ctx, tx, {name for failure in brought for name in solution_fields.entity_names_of(failure)}
        )
    ways = {}
    for failure in brought:
        there = [named[name] for name in solution_fields.entity_names_of(failure) if name in named]
        found = [(*walk.ways[entity.id], entity.key) for entity in there if entity.id in walk.ways]
        if found and not any(entity.id in walk.direct for entity in there):
            ways[failure.id] = min(found, key=lambda way: (len(way), way))
    return ways


@dataclass(frozen=True, slots=True)
class _Stop:
    """A record from which the walk goes on: the relevance that it can lend, and the way to it, itself included."""

    near: "Relevance"
    weight: float  # product of the relations' weights on the way
    way: tuple[str, ...]


@dataclass(slots=True)
class _Reached:
    """A record that a hop reached, and the weights of the heaviest relations to it from the hop's stops."""

    hop: int
    weights: dict[int, float]
    strength: float  # the most that one of them lends

    def add(self, stop: int, weight: float, share: float) -> None:
        """Add another relation, and what it lends."""
        self.weights[stop] = max(weight, self.weights.get(stop, 0.0))
        self.strength = max(share, self.strength)


@dataclass(slots=True)
class _Walk:
    """One expansion: the records reached, layer by layer, and the ways to those returned."""

    ctx: Context
    query: Query
    depth: int
    ways: dict[int, tuple[str, ...]] = field(default_factory=dict)  # of what was reached, without its own key
    direct: frozenset[int] = frozenset()

    def expand(self, tx: Transaction, search: "Retrieval", found: Candidates) -> Candidates:
        """Return the direct hits and the related records inside the filters, with their relevance."""
        from indelible.search.relevance import Relevances

        direct = found.near.take(found.near.places_of(found.direct.ids)).by_id()
        self.direct = frozenset(direct)
        if not direct:
            return replace(found, near=found.direct)
        layers = [self._seeds(tx, direct)]
        reached: dict[int, _Reached] = {}
        for hop in range(1, self.depth + 1):
            fresh = self._hop(tx, hop, layers[-1], layers[0].keys() | reached.keys())
            if not fresh:
                break
            reached |= fresh
            layers.append(self._stops(tx, fresh, layers[-1], direct) if hop < self.depth else {})
        lenders = {record: lender for record, lender in found.lenders.items() if record in direct}
        if not reached:
            return replace(found, near=Relevances.of(direct), lenders=lenders)
        allowed = search.allowed(reached.keys() - direct.keys()).tolist()
        chosen = search.allowed(_strongest(allowed, reached, max(MEASURED, 2 * self.query.k)))
        for record, near in search.measured(chosen).relevance.by_id().items():
            before = layers[reached[record].hop - 1]
            lenders[record] = _last_stop(reached[record], before)
            self.ways[record] = before[lenders[record]].way
            direct[record] = _lent(reached[record], before).with_more(near)
        return replace(found, near=Relevances.of(direct), lenders=lenders)

    def _seeds(self, tx: Transaction, direct: "dict[int, Relevance]") -> dict[int, _Stop]:
        """Return the best direct hits: all that can be results, and those whose relations recall follows itself."""
        best = heapq.nsmallest(max(SEEDS, self.query.k), direct, key=lambda record: (-direct[record].value, record))
        keys = records.keys_of(tx, best)
        # The caches may be ahead of the transaction: what another call stored meanwhile is no record of it yet.
        return {
            record: _Stop(direct[record], 1.0, (ids.shown_key(*keys[record]),)) for record in best if record in keys
        }

    def _hop(self, tx: Transaction, hop: int, stops: dict[int, _Stop], known: Collection[int]) -> dict[int, _Reached]:
        """Return the other ends of the stops' relations that are not known yet."""
        from indelible.search.scoring import LENT

        walked = self._affordable(tx, stops)
        lends = {record: LENT * stops[record].near.value for record in walked}
        fresh: dict[int, _Reached] = {}
        around = edges.around(tx, walked)
        hidden = visibility.hidden(self.ctx, tx, (far for _, far, _ in around))
        for near, far, weight in around:
            if far in known or far in hidden:
                continue
            share = lends[near] * min(1.0, weight)
            if far in fresh:
                fresh[far].add(near, weight, share)
            else:
                fresh[far] = _Reached(hop, {near: weight}, share)
        return fresh

    def _affordable(self, tx: Transaction, stops: dict[int, _Stop]) -> list[int]:
        """Return the strongest stops with at most `READ` relations together, and always the strongest one."""
        degrees = edges.degrees(tx, stops)
        walked: list[int] = []
        total = 0
        for record in sorted(stops, key=lambda record: (-stops[record].near.value, record)):
            if not walked or total + degrees[record] <= READ:
                walked.append(record)
                total += degrees[record]
        return walked

    def _stops(
        self, tx: Transaction, fresh: dict[int, _Reached], before: dict[int, _Stop], direct: "dict[int, Relevance]"
    ) -> dict[int, _Stop]:
        """Return the strongest records a hop reached, to go on from; a direct hit lends its own relevance."""
        found = {}
        best = _strongest(fresh, fresh, WALKED)
        keys = records.keys_of(tx, best)
        for record in best:
            last = _last_stop(fresh[record], before)
            lent, own = _lent(fresh[record], before), direct.get(record)
            near = lent if own is None or own.value < lent.value else own
            weight = before[last].weight * fresh[record].weights[last]
            found[record] = _Stop(near, weight, (*before[last].way, ids.shown_key(*keys[record])))
        return found


def _strongest(some: Iterable[int], reached: dict[int, _Reached], count: int) -> list[int]:
    """Return those to which most is lent; ties go to the record stored first."""
    return heapq.nsmallest(count, some, key=lambda record: (-reached[record].strength, record))


def _last_stop(reached: _Reached, before: dict[int, _Stop]) -> int:
    """Return the stop on the shown way to a record: over the heaviest relations, then by ids."""
    return min(reached.weights, key=lambda near: (-before[near].weight * reached.weights[near], before[near].way))


def _lent(reached: _Reached, before: dict[int, _Stop]) -> "Relevance":
    """Return the relevance that the stops before it lend to a record."""
    from indelible.search.relevance import together
    from indelible.search.scoring import LENT

    return together([before[near].near.part(LENT * min(1.0, w)) for near, w in reached.weights.items()])
