"""Relations between any two records: making them, and walking along them."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Literal, TypedDict

from indelible.clock import sortable_text
from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.records import entities, lifetimes, past, trash
from indelible.core.records.lifetimes import UNCHANGED, Lifetime
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import MODIFIES, Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import code_links

Direction = Literal["outgoing", "incoming"]
LABEL = 80  # characters of a text that stand for it


class Associated(TypedDict):
    """A relation with the ids of its ends as the caller gave them."""

    source: str
    target: str
    relationship: str
    weight: float


@dataclass(frozen=True, slots=True)
class Way:
    """The relation from one record on a walk to the next: its name, and whether it leads there or comes from there.

    `times` are what `lifetimes.times_of` shows of it.
    """

    relation: str
    direction: Direction
    times: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """A record on a walk: how many relations from the start, and the ids on the way, both ends included.

    `way` is the last relation on the way, the heaviest of several; the start has none. `replaced_by` is the id of what
    replaces the record, "" for nothing.
    """

    record: Record
    depth: int
    path: tuple[str, ...]
    way: Way | None = None
    replaced_by: str = ""

    def to(self, record: Record, way: Way) -> "Step":
        """Return the step from here to a neighbour."""
        return Step(record, self.depth + 1, (*self.path, ids.shown(record)), way)


def associate(
    ctx: Context, source_id: str, target_id: str, relationship: str, weight: float, times: Lifetime = UNCHANGED
) -> Associated:
    """Relate two records; an existing relation of that name takes the new weight and times, the old state is kept.

    Raises NotFound for an unknown id and InvalidInput for a relation of a record to itself, or one between two
    entities that the gates of the knowledge graph refuse.
    """
    relation = relationship.upper()

    def work(tx: Transaction) -> Associated:
        source = ids.find(ctx, tx, "source_id", source_id)
        target = ids.find(ctx, tx, "target_id", target_id)
        if source.id == target.id:
            raise InvalidInput(f"target_id {target_id!r} is source_id itself; a relation needs two different ends")
        entities.check_relation(ctx, source, relation, target)
        old = edges.find(tx, source.id, target.id, relation)
        before = {} if old is None or edges.is_of_code(old) else code_links.stated(relation, old.metadata)
        metadata = lifetimes.with_lifetime(ctx, before, times)
        times_before = {} if old is None else lifetimes.times_in(old.metadata)
        if old is not None and (old.weight != weight or times_before != lifetimes.times_in(metadata)):
            trash.keep_edge(ctx, tx, old, source)
        edges.put(tx, Edge(source.id, target.id, relation, relation, weight, ctx.now(), metadata))
        if old is not None and metadata != old.metadata:
            edges.set_metadata(tx, old.id, metadata)
        ends = ids.shown(source), ids.shown(target)
        return {"source": ends[0], "target": ends[1], "relationship": relation, "weight": weight}

    answer = ctx.write(work)
    ctx.call.touched.extend((answer["source"], answer["target"]))
    return answer


def label_of(record: Record) -> str:
    """Return a record's name, or the beginning of its text's first line."""
    if record.label:
        return record.label
    head = record.text.strip().split("\n", 1)[0]
    return head if len(head) <= LABEL else head[: LABEL - 1].rstrip() + "…"


def traverse(ctx: Context, start_id: str, max_depth: int, algorithm: str, as_of: int | None = None) -> list[Step]:
    """Walk the relations from a record in both directions, each record once, neighbours by weight, then id.

    `bfs` gives each record at its least depth; `dfs` goes deep first. `as_of` walks over what was there at that time,
    in microseconds since 1970, without source code. Raises NotFound for an unknown start, and InvalidInput for a time
    before the store's history.
    """
    with ctx.store.read() as tx:
        then = None if as_of is None else past.at(ctx, tx, as_of)
        start = ids.find(ctx, tx, "start_id", start_id) if then is None else then.find("start_id", start_id)
        walk = _breadth_first if algorithm == "bfs" else _depth_first
        steps = walk(_Graph(ctx, tx, then, start), start, max_depth)
        walked = [step.record for step in steps]
        newer = past.replacing(ctx, tx, walked) if then is None else then.replacing(walked)
        steps = [replace(step, replaced_by=newer.get(step.record.id, "")) for step in steps] if newer else steps
    ctx.call.touched.append(start.key)
    return steps


_Around = list[tuple[Record, Way]]  # the neighbours of a record


class _Graph:
    """The relations around records, read a set of records at a time."""

    def __init__(self, ctx: Context, tx: Transaction, then: past.Past | None, start: Record):
        """`then` reads them as they were; None as they are. Commits are followed from `start` alone."""
        self._ctx = ctx
        self._tx = tx
        self._then = then
        self._start = start
        self._now = sortable_text(ctx.now() if then is None else then.time)
        self._neighbours: dict[int, _Around] = {}

    def neighbours(self, of: list[Record]) -> dict[int, _Around]:
        """Return for each record the other ends of its relations, heaviest first, then by id."""
        missing = [record.id for record in of if record.id not in self._neighbours]
        if missing:
            self._read(missing)
        return {record.id: self._neighbours[record.id] for record in of}

    def _read(self, ids: list[int]) -> None:
        heaviest: defaultdict[int, dict[int, tuple[float, Way]]] = defaultdict(dict)
        around = edges.of_records(self._tx, ids) if self._then is None else self._then.relations_of(ids)
        for edge in sorted(around, key=lambda edge: (-edge.weight, edge.canonical, edge.id)):
            if edge.canonical == MODIFIES and self._start.id not in (edge.source, edge.target):
                continue
            times = lifetimes.times_of(edge.metadata, self._now)
            heaviest[edge.source].setdefault(edge.target, (edge.weight, Way(edge.relation, "outgoing", times)))
            heaviest[edge.target].setdefault(edge.source, (edge.weight, Way(edge.relation, "incoming", times)))
        ends = {far for near in ids for far in heaviest[near]}
        known = self._visible(ends)
        for near in ids:
            seen = ((known[far], weight, way) for far, (weight, way) in heaviest[near].items() if far in known)
            order = sorted(seen, key=lambda each: (-each[1], each[0].key))
            self._neighbours[near] = [(record, way) for record, _, way in order]

    def _visible(self, ends: set[int]) -> dict[int, Record]:
        if self._then is not None:
            return self._then.by_ids(ends)
        return records.by_ids(self._tx, sorted(ends - visibility.hidden(self._ctx, self._tx, ends)))


def _breadth_first(graph: _Graph, start: Record, max_depth: int) -> list[Step]:
    steps, seen = [Step(start, 0, (ids.shown(start),))], {start.id}
    layer = steps
    while layer and layer[0].depth < max_depth:
        around = graph.neighbours([step.record for step in layer])
        following = []
        for step in layer:
            for record, way in around[step.record.id]:
                if record.id not in seen:
                    seen.add(record.id)
                    following.append(step.to(record, way))
        steps = steps + following
        layer = following
    return steps


def _depth_first(graph: _Graph, start: Record, max_depth: int) -> list[Step]:
    steps: list[Step] = []
    seen: set[int] = set()
    waiting = [Step(start, 0, (ids.shown(start),))]
    while waiting:
        step = waiting.pop()
        if step.record.id in seen:
            continue
        seen.add(step.record.id)
        steps.append(step)
        if step.depth < max_depth:
            around = graph.neighbours([step.record])[step.record.id]
            waiting += [step.to(record, way) for record, way in reversed(around) if record.id not in seen]
    return steps
