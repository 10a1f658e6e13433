"""The impact of a memory: its centrality, connected decisions, dependent files and number of modifications."""

from collections.abc import Iterable, Sequence

from indelible.core.context.context import Context
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.dataclass import dataclass
from indelible.model import CODE, DEPENDING, FILE, Hit
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, symbols, trash
from indelible.store.tables.edges import Linked
from indelible.store.views import code_links

MOST_THROUGH_CODE = 20  # decisions about the same code that are named beside those that are related themselves


@dataclass(frozen=True, slots=True)
class Impact:
    """The impact of one memory.

    `pagerank` and `centrality` (betweenness) are fractions, 0..1, of the largest value in the record's namespace.
    `connected_decisions` are keys of decisions one relation away: heaviest relation first, then newest, then key; after
    these, in the same order, at most 20 about the same code, or about code that directly depends on it.
    `dependent_files` are the sorted paths of existing files.
    """

    pagerank: float
    centrality: float
    connected_decisions: tuple[str, ...]
    dependent_files: tuple[str, ...]
    modification_count: int


def recall_with_impact(ctx: Context, query: Query) -> list[tuple[Hit, Impact]]:
    """Return the hits of a recall in its order, each with its impact."""
    hits = recall(ctx, query)
    if not hits:
        return []
    with ctx.store.read() as tx:
        return list(zip(hits, _impacts(ctx, tx, hits), strict=True))


def _impacts(ctx: Context, tx: Transaction, hits: Sequence[Hit]) -> list[Impact]:
    ids = [hit.record.id for hit in hits]
    ranks = ctx.indexes.graph.pagerank_of(tx, ids)
    between = ctx.indexes.graph.betweenness_of(tx, ids)
    code = _code_of(ctx, tx, ids)
    decisions = _decisions(ctx, tx, ids, code)
    files = _files(ctx, tx, ids, code)
    changes = modification_counts(ctx, tx, hits)
    return [
        Impact(ranks.get(i, 0.0), between.get(i, 0.0), tuple(decisions.get(i, ())), tuple(sorted(files[i])), changes[i])
        for i in ids
    ]


def modification_counts(ctx: Context, tx: Transaction, hits: Sequence[Hit]) -> dict[int, int]:
    """Return, by row id, how often each hit's record was changed: its updates and the refinements of its lineage.

    Updates are counted in the trash, which keeps them for 30 days; of older ones the record only shows that there was
    at least one. An undone update does not count. Refinements are the EVOLVED_INTO relations among its ancestors and
    those to its successors, of any age. Edits of files are not captured yet.
    """
    ids = [hit.record.id for hit in hits]
    updates = trash.count_updates(tx, ids)
    refinements = edges.refinements(tx, ids)
    return {
        hit.record.id: max(updates.get(hit.record.id, 0), int(hit.record.updated > hit.record.created))
        + refinements.get(hit.record.id, 0)
        for hit in hits
    }


@dataclass(frozen=True, slots=True)
class _Code:
    """The symbols and files that some records are related to, with their direct dependents by row id.

    `paths` are the files of indexed code; imported symbols carry their path in their metadata, or are contained in a
    file.
    """

    linked: list[Linked]
    depending: dict[int, list[int]]
    paths: dict[int, str]

    def around(self, code: int) -> list[int]:
        """Return a symbol or file and its direct dependents, as row ids."""
        return [code, *self.depending.get(code, ())]


def _code_of(ctx: Context, tx: Transaction, ids: Sequence[int]) -> _Code:
    """Return the code that the records are related to, without symbols and files that were removed from the source."""
    linked = edges.linked(tx, ids, CODE)
    removed = code_links.deleted_among(tx, _ids(linked)) if linked else set()
    linked = [each for each in linked if each.id not in removed]
    if not linked:
        return _Code([], {}, {})
    depending: dict[int, list[int]] = {}
    for source, target, _, _ in edges.incoming(tx, _ids(linked), DEPENDING):
        depending.setdefault(target, []).append(source)
    paths = symbols.paths(tx, {*_ids(linked), *(each for some in depending.values() for each in some)})
    return _Code(linked, depending, paths)


def _decisions(ctx: Context, tx: Transaction, ids: Sequence[int], code: _Code) -> dict[int, list[str]]:
    """Return the keys of the decisions connected to each record, by its row id."""
    found: dict[int, dict[str, None]] = {}
    for each in edges.linked(tx, ids, ("memory",), "decision"):
        found.setdefault(each.of, {})[each.key] = None
    direct = {record: len(keys) for record, keys in found.items()}
    touched = {each for linked in code.linked for each in code.around(linked.id)}
    about = code_links.decisions_about(tx, touched) if touched else {}
    weights: dict[int, dict[tuple[str, int, int], float]] = {}
    for linked in code.linked if about else ():
        own = weights.setdefault(linked.of, {})
        for place in code.around(linked.id):
            for key, created, record, weight in about.get(place, ()):
                if record != linked.of:
                    own[key, created, record] = max(weight, own.get((key, created, record), 0.0))
    for of, decisions in weights.items():
        keys = found.setdefault(of, {})
        for key, _, _ in sorted(decisions, key=lambda each: (-decisions[each], -each[1], each[0])):
            if len(keys) < direct.get(of, 0) + MOST_THROUGH_CODE:
                keys[key] = None
    return {of: list(keys) for of, keys in found.items()}


def _files(ctx: Context, tx: Transaction, ids: Sequence[int], code: _Code) -> dict[int, set[str]]:
    own = {each.id: each for each in code.linked}
    unknown = {each for some in code.depending.values() for each in some} - code.paths.keys() - own.keys()
    others = records.by_ids(tx, sorted(unknown))
    imported = [each for each in own.values() if each.id not in code.paths]
    imported += [Linked(0, r.id, r.kind, r.key, r.metadata) for r in others.values() if r.kind in CODE]
    found_paths = {record: {path} for record, path in code.paths.items()} | _paths(ctx, tx, imported)
    found: dict[int, set[str]] = {record: set() for record in ids}
    for linked in code.linked:
        for each in code.around(linked.id):
            found[linked.of] |= found_paths.get(each, set())
    return found


def _paths(ctx: Context, tx: Transaction, code: Sequence[Linked]) -> dict[int, set[str]]:
    """Return the paths of each symbol or file, by row id: its own, or those of the files that contain it."""
    own = {each.id: _own_path(each) for each in code}
    containers: dict[int, list[int]] = {}
    sought = [record for record, path in own.items() if not path]
    while sought:
        unknown = []
        for container in edges.sources(tx, sought, ("CONTAINS",), CODE):
            containers.setdefault(container.of, []).append(container.id)
            if container.id not in own:
                own[container.id] = _own_path(container)
                if not own[container.id]:
                    unknown.append(container.id)
        sought = unknown
    return {each.id: _paths_of(each.id, own, containers) for each in code}


def _paths_of(symbol: int, own: dict[int, str], containers: dict[int, list[int]]) -> set[str]:
    found, seen, waiting = set(), {symbol}, [symbol]
    while waiting:
        at = waiting.pop()
        if own[at]:
            found.add(own[at])
            continue
        outer = [container for container in containers.get(at, ()) if container not in seen]
        seen.update(outer)
        waiting += outer
    return found


def _own_path(code: Linked) -> str:
    """Return the path in a file's key or a symbol's metadata, "" if there is none."""
    if code.kind == "file":
        return code.key.removeprefix(FILE)
    path = code.metadata.get("file_path")
    return path if isinstance(path, str) else ""


def _ids(linked: Iterable[Linked]) -> list[int]:
    return sorted({each.id for each in linked})
