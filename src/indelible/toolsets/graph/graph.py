"""The knowledge graph with the operations of the reference memory server: many entities or relations a call.

A call is one transaction: all of it or nothing. Entities and relations stand in the order of creation everywhere.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NotRequired, TypedDict

from indelible.clock import sortable_text
from indelible.core.context.context import Context
from indelible.core.context.write_scope import shared_namespace_to_write
from indelible.core.recall.returned import returned
from indelible.core.records import entities, entity_fields, insert, lifetimes, trash
from indelible.core.records.lifetimes import Lifetime
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, NotFound
from indelible.graph import gates
from indelible.graph.envelopes import observation_text
from indelible.model import Edge, Record
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import edges
from indelible.store.views import entities as stored

SHOWN = 200  # characters of an unknown name that an error repeats


class Entity(TypedDict):
    """An entity with the field names of the reference server."""

    name: str
    entityType: str
    observations: list[str]


# Since when and until when it holds, and in answers whether it does not: `ended` or `ahead`.
Relation = TypedDict(
    "Relation",
    {
        "from": str,
        "to": str,
        "relationType": str,
        "valid_from": NotRequired[str | None],
        "valid_to": NotRequired[str | None],
        "validity": NotRequired[str],
    },
)


class Added(TypedDict):
    """The observations that were added to an entity, without those it had already."""

    entityName: str
    addedObservations: list[str]


class Graph(TypedDict):
    """A part of the graph, or all of it."""

    entities: list[Entity]
    relations: list[Relation]


@dataclass(frozen=True, slots=True)
class Observed:
    """An entity by its name, and observations to add to it or to take from it."""

    name: str
    observations: Sequence[str]


def texts(given: Iterable[str | Mapping[str, Any]]) -> list[str]:
    """Observations as they are stored: text as given, an object as its JSON."""
    return [observation_text(each) for each in given]


# --- Writing ---


def create_entities(ctx: Context, given: Sequence[Entity]) -> list[Entity]:
    """Store and return the entities whose names are free; of several with one name the first is stored.

    Raises InvalidInput that names the place in the list; nothing is stored then.
    """
    wanted = [_made(ctx, place, entity) for place, entity in enumerate(given)]
    new = {record.key: record for record in reversed(wanted)}
    counted = {name: tokens.terms(record.text) for name, record in new.items()}

    def work(tx: Transaction) -> list[Entity]:
        space = shared_namespace_to_write(ctx, tx)
        there = entities.named_in(ctx, tx, new, space)
        fresh = [name for name in dict.fromkeys(record.key for record in wanted) if name not in there]
        return [_shown(insert.add(ctx, tx, replace(new[name], namespace=space), counted[name])) for name in fresh]

    created = ctx.write(work)
    ctx.call.touched.extend(entity["name"] for entity in created)
    return created


def _made(ctx: Context, place: int, entity: Entity) -> Record:
    name, entity_type = entity["name"], entity["entityType"]
    with _at(f"entities.{place}"):
        entities.refuse_long(name, "name")
        entities.refuse_long(entity_type, "entityType")
        kept = gates.check_entity(name, entity_type, entity["observations"], ctx.settings.graph_validation)
    return entities.made(ctx, name, entity_type, kept)


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Prefix the message of an InvalidInput raised inside with a place in the arguments."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{place}: {error}") from None


def create_relations(ctx: Context, given: Sequence[Relation]) -> list[Relation]:
    """Store and return the relations that do not exist yet, or not with the times given for them.

    Of several equal ones the first is stored. Raises NotFound for an entity that does not exist, in the reference's
    words, and InvalidInput for a relation that the gates refuse and for wrong times; nothing is stored then.
    """

    def work(tx: Transaction) -> list[Relation]:
        known = _Known(ctx, tx, [relation[end] for relation in given for end in ("from", "to")])
        ends = [(known.get(relation["from"]), known.get(relation["to"])) for relation in given]
        created = []
        for place, (relation, (source, target)) in enumerate(zip(given, ends, strict=True)):
            with _at(f"relations.{place}"):
                entities.refuse_long(relation["relationType"], "relationType")
                times = Lifetime(relation.get("valid_from"), relation.get("valid_to"))
                new = entities.relate(ctx, tx, source, relation["relationType"], target, times)
            if new:
                made = edges.find(tx, source.id, target.id, relation["relationType"]) if times.is_given else None
                held = {} if made is None else lifetimes.times_of(made.metadata, sortable_text(ctx.now()))
                created.append(_relation(source.key, target.key, relation["relationType"], held))
        return created

    created = ctx.write(work)
    ctx.call.touched.extend(dict.fromkeys(end for relation in created for end in (relation["from"], relation["to"])))
    return created


class _Known:
    """The entities of some names within a transaction; with `to_write` only those of the caller's own partition."""

    def __init__(self, ctx: Context, tx: Transaction, names: Iterable[str], *, to_write: bool = False):
        found = entities.named(ctx, tx, (entities.key_name(name) for name in names))
        own_only = to_write and not ctx.session.grant.limited  # a limited caller has no other partitions
        self._foreign = {name: r.namespace for name, r in found.items() if own_only and r.namespace != stored.NAMESPACE}
        self._found = {name: record for name, record in found.items() if name not in self._foreign}

    def get(self, name: str) -> Record:
        """The entity of a name. Raises NotFound."""
        found = self.find(name)
        if found is None:
            space = self._foreign.get(entities.key_name(name))
            where = "" if space is None else f" here, only in namespace {space!r:.{SHOWN}}; create it first"
            raise NotFound(f"Entity with name {name[:SHOWN]} not found{where}")
        return found

    def find(self, name: str) -> Record | None:
        return self._found.get(entities.key_name(name))

    def put(self, record: Record) -> None:
        """Note the new state of an entity."""
        self._found[record.key] = record


def add_observations(ctx: Context, given: Sequence[Observed]) -> list[Added]:
    """Add observations to entities; return for each given entity those that are new.

    Raises NotFound for an entity that does not exist, in the reference's words, and InvalidInput for an observation
    that the gates refuse; nothing is stored then. Only entities of the caller's own partition are changed: callers
    limited to a namespace would otherwise read what is added to its entities.
    """

    def work(tx: Transaction) -> list[Added]:
        known = _Known(ctx, tx, [each.name for each in given], to_write=True)
        for each in given:
            known.get(each.name)
        results: list[Added] = []
        for place, each in enumerate(given):
            there = known.get(each.name)
            with _at(f"observations.{place}"):
                mode = ctx.settings.graph_validation
                checked = gates.check_observations(there.key, there.type, each.observations, mode)
            changed, added = entities.extend(ctx, tx, there, checked)
            known.put(changed)
            results.append({"entityName": there.key, "addedObservations": added})
        return results

    results = ctx.write(work)
    ctx.call.touched.extend(dict.fromkeys(result["entityName"] for result in results if result["addedObservations"]))
    return results


def delete_entities(ctx: Context, names: Sequence[str]) -> None:
    """Move entities and their relations to the trash; unknown names are ignored."""

    def work(tx: Transaction) -> list[str]:
        found = entities.named(ctx, tx, map(entities.key_name, names))
        trash.delete_all(ctx, tx, [record.id for record in found.values()])
        return list(found)

    ctx.write_behind.before_deletion()
    ctx.call.touched.extend(ctx.write(work))


def delete_observations(ctx: Context, given: Sequence[Observed], shown: Callable[[str], str] = str) -> None:
    """Remove observations from entities, whose old states go to the trash; unknown ones are ignored.

    An observation is given by its text, or by the text that callers see, which `shown` makes of it.
    """

    def work(tx: Transaction) -> list[str]:
        known = _Known(ctx, tx, [each.name for each in given])
        removed: dict[str, set[str]] = {}
        for each in given:
            there = known.find(each.name)
            if there is not None:
                removed.setdefault(there.key, set()).update(each.observations)
        return [name for name, texts in removed.items() if _without(ctx, tx, known.get(name), texts, shown)]

    ctx.call.touched.extend(ctx.write(work))


def _without(ctx: Context, tx: Transaction, there: Record, removed: set[str], shown: Callable[[str], str]) -> bool:
    before = stored.observations_of(there)
    kept = [text for text in before if text not in removed and shown(text) not in removed]
    if len(kept) == len(before):
        return False
    trash.overwrite(ctx, tx, there, entity_fields.replaced(there, kept, ctx.now()), additive=True)
    return True


def delete_relations(ctx: Context, given: Sequence[Relation]) -> None:
    """Move relations to the trash; unknown ones are ignored."""

    def work(tx: Transaction) -> list[str]:
        known = _Known(ctx, tx, [relation[end] for relation in given for end in ("from", "to")])
        touched: dict[str, None] = {}
        for relation in given:
            source, target = known.find(relation["from"]), known.find(relation["to"])
            edge = _edge(ctx, tx, source, target, relation["relationType"])
            if edge is not None and source is not None:
                trash.keep_edge(ctx, tx, edge, source)
                edges.delete(tx, edge)
                touched[source.key] = None
        return list(touched)

    ctx.call.touched.extend(ctx.write(work))


def _edge(ctx: Context, tx: Transaction, source: Record | None, target: Record | None, relation: str) -> Edge | None:
    if source is None or target is None:
        return None
    return edges.find(tx, source.id, target.id, relation)


# --- Reading ---


def read_graph(ctx: Context, limit: int | None = None, offset: int = 0) -> Graph:
    """All entities and relations, or a part of the entities with the relations that have an end among them.

    Reading everything does not count as an access.
    """
    with ctx.store.read() as tx:
        found = stored.page(tx, stored.ALL if limit is None else limit, offset)
        if limit is None and not offset:
            return shown(found, stored.relations(tx), ctx.now())
        return graph_of(ctx, tx, found)


def open_nodes(ctx: Context, names: Sequence[str]) -> Graph:
    """The entities of exactly these names, each once, and the relations that have an end among them."""
    with ctx.store.read() as tx:
        found = list(entities.named(ctx, tx, map(entities.key_name, names)).values())
        graph = graph_of(ctx, tx, found)
    returned(ctx, found)
    return graph


def graph_of(ctx: Context, tx: Transaction, found: Sequence[Record]) -> Graph:
    """Entities in the given order, with the relations that have at least one end among them."""
    return shown(found, stored.relations_of(tx, [record.id for record in found]), ctx.now())


def shown(found: Iterable[Record], relations: Iterable[stored.Relation], now: int) -> Graph:
    """Return entities and relations with the field names of the reference server, in the given orders.

    `now` is the time that is asked about: a relation that does not hold then says so.
    """
    moment = sortable_text(now)
    return {
        "entities": [_shown(record) for record in found],
        "relations": [
            _relation(each.from_name, each.to_name, each.relation, lifetimes.times_of(each.metadata, moment))
            for each in relations
        ],
    }


def _shown(record: Record) -> Entity:
    return {"name": record.key, "entityType": record.type, "observations": stored.observations_of(record)}


def _relation(source: str, target: str, relation: str, times: Mapping[str, Any]) -> Relation:
    return {"from": source, "to": target, "relationType": relation, **times}  # type: ignore[typeddict-item]
