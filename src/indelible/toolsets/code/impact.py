"""Dependencies of a symbol or file, its dependents, and the impact of a change to it."""

from collections.abc import Sequence
from dataclasses import field

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.records.relations import label_of
from indelible.dataclass import dataclass
from indelible.model import DEPENDING, Record
from indelible.source import dependencies
from indelible.source.dependencies import Direction, Related, Way
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, symbols
from indelible.toolsets.code import lookup

DEEPEST = 100
READ = 200  # records of an impact that are read for a page without a limit: more never fit


@dataclass(frozen=True, slots=True)
class Dependency:
    """A relation with the shown ids of its ends; `weight` is the confidence, 0..1, that the source states it."""

    source: str
    target: str
    relation: str
    weight: float
    direction: Way


@dataclass(frozen=True, slots=True)
class Reached:
    """A record that a change reaches, over `relation`; `path` is that of its file, "" for records that are not code."""

    id: str
    kind: str
    label: str
    depth: int
    relation: str
    path: str


@dataclass(frozen=True, slots=True)
class CodeImpact:
    """The impact of a change: `count` is the number of all records that it reaches.

    `reached` are some of these, nearest first, then by confidence, then by id; `path` is that of the file that changes,
    "" where what changes is in none.
    """

    symbol: str
    count: int
    reached: tuple[Reached, ...]
    path: str


def get_dependencies(ctx: Context, name: str, direction: Direction) -> list[Dependency]:
    """Return the relations of a symbol or file: incoming first, then by relation, confidence, other end.

    Relations of its members are not included, but CONTAINS names the members. Raises NotFound and Conflict as
    `lookup.find` does.
    """
    with ctx.store.read() as tx:
        start = lookup.find(ctx, tx, name).record
        found = edges.of_records(tx, [start])
        ends = {end for each in found for end in (each.source, each.target)}
        ends -= visibility.hidden(ctx, tx, ends)
        names = {record: ids.shown_key(*key) for record, key in records.keys_of(tx, ends).items()}
    seen = [
        Related(each.source, each.target, each.canonical, each.weight)
        for each in found
        if each.source in names and each.target in names
    ]
    ctx.call.touched.append(names[start])
    return [
        Dependency(
            names[each.related.source],
            names[each.related.target],
            each.related.relation,
            each.related.weight,
            each.direction,
        )
        for each in dependencies.dependencies(start, seen, names.__getitem__, direction)
    ]


def get_impact(ctx: Context, name: str, depth: int, start: int = 0, limit: int | None = None) -> CodeImpact:
    """Return the records that depend on a symbol or file within `depth` relations: so many from a place in their order.

    A change of a class changes its members, so that these belong to the start, and so do all symbols of a file, the
    contents of a module, and other declarations of the same symbol; the start itself is not counted. Reached records
    count without their members. Raises NotFound and Conflict as `lookup.find` does.
    """
    with ctx.store.read() as tx:
        changed = lookup.find(ctx, tx, name)
        walk = _Walk(ctx, tx, changed.record, frozenset(lookup.parts(ctx, tx, changed)), {changed.record: changed.key})
        found = dependencies.impact(changed.record, depth, walk.incoming, walk.keys.__getitem__)
        shown = _reached(tx, found.reached[start : start + (limit or READ)])
    ctx.call.touched.append(changed.key)
    return CodeImpact(symbol=changed.name, count=len(found.reached), reached=shown, path=changed.path)


@dataclass(frozen=True, slots=True)
class _Walk:
    """The walk from a start with all of its parts; `keys` are those of the start and of the records met."""

    ctx: Context
    tx: Transaction
    start: int
    parts: frozenset[int]
    keys: dict[int, str] = field(default_factory=dict)

    def incoming(self, nodes: Sequence[int]) -> list[Related[int]]:
        """Return the relations that lead to any of the nodes from records that the caller sees."""
        asked = [each for node in nodes for each in (self.parts if node == self.start else (node,))]
        found = edges.incoming(self.tx, asked, DEPENDING)
        fresh = {source for source, *_ in found} - self.keys.keys() - self.parts
        fresh -= visibility.hidden(self.ctx, self.tx, fresh)
        for record, (_, key) in records.keys_of(self.tx, fresh).items():
            self.keys[record] = key
        related = (Related(self._whole(a), self._whole(b), relation, weight) for a, b, relation, weight in found)
        return [each for each in related if each.source in self.keys]

    def _whole(self, node: int) -> int:
        return self.start if node in self.parts else node


def _reached(tx: Transaction, some: Sequence[dependencies.Reached[int]]) -> tuple[Reached, ...]:
    known = records.by_ids(tx, [each.node for each in some])
    paths = symbols.paths(tx, [each.node for each in some])
    return tuple(
        Reached(
            ids.shown(known[each.node]),
            kind_of(known[each.node]),
            label_of(known[each.node]),
            each.depth,
            each.relation,
            paths.get(each.node, ""),
        )
        for each in some
    )


def kind_of(record: Record) -> str:
    """Return the kind of a symbol (function, class, ...), or the record's kind for anything else."""
    return record.type if record.kind == "symbol" and record.type else record.kind
