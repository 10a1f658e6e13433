"""Dependencies of a symbol or file, its dependents, and the impact of a change to it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.records.relations import label_of
from indelible.model import DEPENDING, Record
from indelible.source import dependencies
from indelible.source.dependencies import Direction, Impact, Related, Way
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, symbols
from indelible.toolsets.code import lookup

DEEPEST = 100
SHOWN = 100  # entries of each list of an impact: more would fill a model's window
SHOWN_OF_EACH = 100  # relations of one name and direction


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

    `reached` are the first 100 of these, nearest first, then by confidence, then by id; `direct` are those of depth 1
    among them. `files` are the sorted paths of the first 100 files, the changed one included.
    """

    symbol: str
    count: int
    direct: tuple[Reached, ...]
    reached: tuple[Reached, ...]
    files: tuple[str, ...]


def get_dependencies(ctx: Context, name: str, direction: Direction) -> list[Dependency]:
    """Return the relations of a symbol or file: incoming first, then by relation, confidence, other end.

    At most 100 for each relation and direction. Relations of its members are not included, but CONTAINS names the
    members. Raises NotFound and Conflict as `lookup.find` does.
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
    return _first(dependencies.dependencies(start, seen, names.__getitem__, direction), names)


def _first(found: Iterable[dependencies.Dependency[int]], names: dict[int, str]) -> list[Dependency]:
    counts: Counter[tuple[str, str]] = Counter()
    shown = []
    for each in found:
        group = each.direction, each.related.relation
        counts[group] += 1
        if counts[group] <= SHOWN_OF_EACH:
            source, target = names[each.related.source], names[each.related.target]
            shown.append(Dependency(source, target, each.related.relation, each.related.weight, each.direction))
    return shown


def get_impact(ctx: Context, name: str, depth: int) -> CodeImpact:
    """Return the records that depend on a symbol or file within `depth` relations.

    A change of a class changes its members, so that these belong to the start, and so do all symbols of a file, the
    contents of a module, and other declarations of the same symbol; the start itself is not counted. Reached records
    count without their members. Raises NotFound and Conflict as `lookup.find` does.
    """
    with ctx.store.read() as tx:
        start = lookup.find(ctx, tx, name)
        walk = _Walk(ctx, tx, start.record, frozenset(lookup.parts(ctx, tx, start)), {start.record: start.key})
        found = dependencies.impact(start.record, depth, walk.incoming, walk.keys.__getitem__)
        paths = symbols.paths(tx, [each.node for each in found.reached])
        shown = _reached(ctx, tx, found, paths)
    files = dict.fromkeys([start.path, *(paths[each.node] for each in found.reached if each.node in paths)])
    ctx.call.touched.append(start.key)
    return CodeImpact(
        symbol=start.name,
        count=len(found.reached),
        direct=tuple(each for each in shown if each.depth == 1),
        reached=shown,
        files=tuple(sorted([path for path in files if path][:SHOWN])),
    )


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


def _reached(ctx: Context, tx: Transaction, found: Impact[int], paths: dict[int, str]) -> tuple[Reached, ...]:
    first = found.reached[:SHOWN]
    known = records.by_ids(tx, [each.node for each in first])
    return tuple(
        Reached(
            ids.shown(known[each.node]),
            kind_of(known[each.node]),
            label_of(known[each.node]),
            each.depth,
            each.relation,
            paths.get(each.node, ""),
        )
        for each in first
    )


def kind_of(record: Record) -> str:
    """Return the kind of a symbol (function, class, ...), or the record's kind for anything else."""
    return record.type if record.kind == "symbol" and record.type else record.kind
