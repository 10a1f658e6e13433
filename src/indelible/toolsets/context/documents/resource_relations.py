"""Creating and querying relations between any two records (resources) for the toolset `context`."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TypedDict

from indelible.core.context import ids, numbers, visibility
from indelible.core.context.context import Context
from indelible.core.context.ids import number_of
from indelible.core.context.write_scope import namespace_to_write
from indelible.core.recall import recall
from indelible.core.recall.candidates import Query
from indelible.core.recall.returned import returned
from indelible.core.records import entities, insert
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, NotFound
from indelible.model import NUMBERED_KINDS, Edge, Hit, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, trash
from indelible.store.views import code_links
from indelible.store.views import documents as stored
from indelible.toolsets.context.documents import documents
from indelible.toolsets.context.documents.context_building import OWN_KINDS

MOST = 10  # records that a query of the graph gives
STRENGTH = 1.0  # of a relation that a caller states
FAR = 1_000_000  # numbers above the last one that can be reserved: what is reserved is never given again
WIDER = 4  # times as many hits are looked at where too few have a relation


@dataclass(frozen=True, slots=True)
class Link:
    """A relation: its number, its name as given, and its time of creation (microseconds since 1970 UTC)."""

    number: int
    relation: str
    created: int


@dataclass(frozen=True, slots=True)
class End:
    """A relation seen from one end: the other end's shown id, its name as given, its strength."""

    other: str
    relation: str
    strength: float


@dataclass(frozen=True, slots=True)
class Related:
    """A record that a query finds, by its shown id, with its relations; a document has the text of its best chunk."""

    id: str
    text: str
    relevance: float
    relations: list[End]


class _Made(TypedDict):
    """The part of an answer that is stored for a retry with the same request key."""

    number: int
    relation: str
    created: int
    ends: list[str]


# --- Making ---


def link(ctx: Context, source_id: str, target_id: str, relation: str) -> Link:
    """Relate two records; an existing relation of that name, in any case, is kept.

    An unknown id gets a placeholder, a document without text: `resource_N` reserves the number N, anything else the
    name, until a document of that name is stored. Raises InvalidInput for a relation of a record to itself, for names
    that are too long, for numbers far above the last one, and if the gates of the knowledge graph refuse it; NotFound
    for an unknown id of the form of a memory's, a solution's or a failure's; Conflict for an id of several records.
    """
    entities.refuse_long(relation, "relationship_type")

    def work(tx: Transaction) -> _Made:
        source, target = (
            _end(ctx, tx, name, given) for name, given in (("source_id", source_id), ("target_id", target_id))
        )
        if source.id == target.id:
            raise InvalidInput(f"target_id {target_id!r} is source_id itself; a relation needs two different ends")
        entities.check_relation(ctx, source, relation, target)
        edge = _known(ctx, tx, source, target, relation)
        if edge is None:
            edges.add(tx, Edge(source.id, target.id, relation, relation.upper(), STRENGTH, ctx.now()))
            edge = edges.find(tx, source.id, target.id, relation)
        else:
            code_links.adopt(tx, edge)
        assert edge is not None
        ends = [ids.shown(source), ids.shown(target)]
        number = _number_of(source, target, edge)
        return {"number": number, "relation": edge.relation, "created": edge.created, "ends": ends}

    answer = ctx.write(work)
    ctx.call.touched.extend(answer["ends"])
    return Link(answer["number"], answer["relation"], answer["created"])


def _number_of(source: Record, target: Record, edge: Edge) -> int:
    """Return the number of a relation, a hash of its parts: a counter would reveal how many relations there are."""
    named = [source.namespace, ids.name_of(source), edge.canonical, target.namespace, ids.name_of(target)]
    return int.from_bytes(sha256("\n".join(named).encode()).digest()[:6])


def _known(ctx: Context, tx: Transaction, source: Record, target: Record, relation: str) -> Edge | None:
    found = edges.among(tx, [source.id, target.id], [relation.upper()])
    return next((edge for edge in found if (edge.source, edge.target) == (source.id, target.id)), None)


def _end(ctx: Context, tx: Transaction, argument: str, given: str) -> Record:
    try:
        return ids.find(ctx, tx, argument, given, OWN_KINDS)
    except NotFound:
        if ids.is_generated(given):
            raise
        number = ids.reserved_number(given)
        if number is not None and (ids.numbered(ctx, tx, number) or _may_be_anothers(ctx, number)):
            raise  # `doc_5` where 5 is a todo
        return _placeholder(ctx, tx, argument, given, number)


def _may_be_anothers(ctx: Context, number: str) -> bool:
    """Return whether a caller limited to namespaces asks for a number that may belong to others.

    Such a caller must learn nothing of it and reserves none, since all namespaces share the numbers.
    """
    return ctx.session.grant.limited and number_of(number) is not None


def _placeholder(ctx: Context, tx: Transaction, argument: str, given: str, number: str | None) -> Record:
    """Create a placeholder document of that number or name, until one is stored under the name."""
    # the number of what was deleted stays its own: an undo brings that back
    reserves = number is not None and number_of(number) is not None and not trash.of_key(tx, number)
    if number is not None and reserves:
        key = number
        _refuse_far(ctx, tx, argument, int(key))
        numbers.keep(ctx, tx, int(key))
    else:
        documents.refuse_long_name(given, argument)
        key = str(numbers.take(ctx, tx, 1)[0])
    record = insert.new(
        ctx,
        "document",
        given,
        key=key,
        type=documents.PLACEHOLDER,
        label="" if reserves else given,
        namespace=namespace_to_write(ctx, tx, None),
    )
    return insert.add(ctx, tx, record)


def _refuse_far(ctx: Context, tx: Transaction, argument: str, number: int) -> None:
    last = stored.last_number(tx)
    if number > last + FAR:
        raise InvalidInput(
            f"{argument} {number} is unknown, and too far above the last number ({last}) to be reserved; "
            f"give one up to {last + FAR}, or a name"
        )


# --- Finding ---


def query_graph(ctx: Context, query: str, relations: Sequence[str] | None) -> list[Related]:
    """The records with evidence of being about the query, at most 10, nearest first, with their relations.

    With `relations`, named in any case, only records that have one of those, and only those of them.
    """
    wanted = None if relations is None else {relation.upper() for relation in relations}
    count = 5 * MOST
    while True:
        hits = recall.ranked(ctx, Query(query, count, relevance_only=True))
        with ctx.store.read() as tx:
            found = _related(ctx, tx, hits, wanted)
        if len(found) >= MOST or len(hits) < count or count >= recall.MOST:
            break
        count = min(recall.MOST, count * WIDER)
    chosen = found[:MOST]
    returned(ctx, [hit.record for hit, _ in chosen])
    return [related for _, related in chosen]


def _related(ctx: Context, tx: Transaction, hits: Sequence[Hit], wanted: set[str] | None) -> list[tuple[Hit, Related]]:
    """Each hit with the relations of its record and, for a chunk, of its document, which stands for it."""
    keys = {stored.key_of(hit.record.session) for hit in hits if hit.record.kind == "chunk"}
    heads = stored.heads(tx, sorted(keys))
    first: dict[tuple[str, int], Hit] = {}
    members: dict[int, set[int]] = {}
    for hit in hits:
        head = heads.get(stored.key_of(hit.record.session)) if hit.record.kind == "chunk" else None
        record = hit.record.id if head is None else head.id
        name = shown(hit.record.kind, hit.record.key) if head is None else shown("document", head.key)
        first.setdefault((name, record), hit)
        members.setdefault(record, {record}).add(hit.record.id)
    around = _around(ctx, tx, {end for ends in members.values() for end in ends}, wanted)
    found = []
    for (name, record), hit in first.items():
        ends = [pair for member in sorted(members[record]) for pair in around.get(member, [])]
        if wanted is None or ends:
            found.append((hit, Related(name, hit.record.text, hit.score, _ordered(ends))))
    return found


def _ordered(ends: Iterable[tuple[Edge, End]]) -> list[End]:
    """Strongest first, then the newest; one between a document and its own chunk is seen from both ends.

    Of several of one name to the same other end, as the chunks of a document have them, the first stands for all.
    """
    found: dict[tuple[str, str], End] = {}
    for edge, end in sorted(ends, key=lambda pair: (-pair[0].weight, -pair[0].created, -pair[0].id)):
        found.setdefault((end.other, edge.canonical), end)
    return list(found.values())


def _around(ctx: Context, tx: Transaction, ids: set[int], wanted: set[str] | None) -> dict[int, list[tuple[Edge, End]]]:
    """The relations of each record, those of the names that are wanted."""
    found = [e for e in edges.of_records(tx, sorted(ids)) if wanted is None or e.canonical in wanted]
    ends = {end for edge in found for end in (edge.source, edge.target)}
    named = records.keys_of(tx, ends - visibility.hidden(ctx, tx, ends))
    around: dict[int, list[tuple[Edge, End]]] = {}
    for edge in found:
        for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
            if near in ids and far in named:
                around.setdefault(near, []).append((edge, End(shown(*named[far]), edge.relation, edge.weight)))
    return around


def shown(kind: str, key: str) -> str:
    """The id of a record as a resource: `resource_N` for what has a number, else its own id."""
    return f"resource_{key}" if kind in NUMBERED_KINDS and key.isdecimal() else key
