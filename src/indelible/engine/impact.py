"""What hangs on a memory: how central it is, which decisions and files it touches, how often it was changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indelible.engine.candidates import Query
from indelible.engine.context import Context
from indelible.engine.recall import recall
from indelible.model import Hit
from indelible.store import edges, trash
from indelible.store.database import Transaction
from indelible.store.edges import Linked

FILE = "file:"  # before the path in the key of a file record
CODE = ("symbol", "file")
DEPENDING = (
    "CALLS",
    "IMPORTS",
    "INHERITS",
    "EXTENDS",
    "IMPLEMENTS",
    "DEPENDS_ON",
)  # from what depends to what it needs


@dataclass(frozen=True, slots=True)
class Impact:
    """`pagerank` and `centrality` (betweenness) are fractions, 0..1, of the largest of the record's namespace.

    `connected_decisions` are keys of decisions one relation away: heaviest relation first, then newest, then key.
    `dependent_files` are paths, sorted.
    """

    pagerank: float
    centrality: float
    connected_decisions: tuple[str, ...]
    dependent_files: tuple[str, ...]
    modification_count: int


def recall_with_impact(ctx: Context, query: Query) -> list[tuple[Hit, Impact]]:
    """The hits of recall in its order, each with its impact."""
    hits = recall(ctx, query)
    if not hits:
        return []
    with ctx.store.read() as tx:
        return list(zip(hits, _impacts(ctx, tx, hits), strict=True))


def _impacts(ctx: Context, tx: Transaction, hits: Sequence[Hit]) -> list[Impact]:
    ids = [hit.record.id for hit in hits]
    ranks = ctx.graph_scores.pagerank_of(tx, ids)
    between = ctx.graph_scores.betweenness_of(tx, ids)
    decisions: dict[int, list[str]] = {}
    for linked in edges.linked(tx, ctx.tenant, ids, ("memory",), "decision"):
        decisions.setdefault(linked.of, []).append(linked.key)
    files = dependent_files(ctx, tx, ids)
    changes = modification_counts(ctx, tx, hits)
    return [
        Impact(ranks.get(i, 0.0), between.get(i, 0.0), tuple(decisions.get(i, ())), tuple(sorted(files[i])), changes[i])
        for i in ids
    ]


def modification_counts(ctx: Context, tx: Transaction, hits: Sequence[Hit]) -> dict[int, int]:
    """How often each hit's record was changed: its updates, and the refinements of the line that it stands in.

    Updates are counted in the trash, which keeps them for 30 days; of older ones the record only tells that there was
    one. What was undone is no update. Refinements are the EVOLVED_INTO that led to the record, over all that it
    evolved from, and those from it to what took its place; no time limits them. Edits of files are not captured yet.
    """
    ids = [hit.record.id for hit in hits]
    updates = trash.count_updates(tx, ctx.tenant, ids)
    refinements = edges.refinements(tx, ctx.tenant, ids)
    return {
        hit.record.id: max(updates.get(hit.record.id, 0), int(hit.record.updated > hit.record.created))
        + refinements.get(hit.record.id, 0)
        for hit in hits
    }


def dependent_files(ctx: Context, tx: Transaction, ids: Sequence[int]) -> dict[int, set[str]]:
    """Of each record: the paths of the symbols and files related to it, and of what depends on those directly.

    A symbol is in the file that its metadata names as `file_path`, else in the one that CONTAINS it, or what it is in.
    """
    linked = edges.linked(tx, ctx.tenant, ids, CODE)
    depending: dict[int, list[Linked]] = {}
    for source in edges.sources(tx, ctx.tenant, _ids(linked), DEPENDING, CODE):
        depending.setdefault(source.of, []).append(source)
    paths = _paths(ctx, tx, [*linked, *(source for sources in depending.values() for source in sources)])
    found: dict[int, set[str]] = {record: set() for record in ids}
    for code in linked:
        for touched in (code, *depending.get(code.id, ())):
            found[code.of] |= paths[touched.id]
    return found


def _paths(ctx: Context, tx: Transaction, code: Sequence[Linked]) -> dict[int, set[str]]:
    """The files of each symbol or file: itself, or what contains it; none where nothing does."""
    own = {each.id: _own_path(each) for each in code}
    containers: dict[int, list[int]] = {}
    sought = [record for record, path in own.items() if not path]
    while sought:
        unknown = []
        for container in edges.sources(tx, ctx.tenant, sought, ("CONTAINS",), CODE):
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
    """The path that a file is named by or that a symbol's metadata gives; "" where there is none."""
    if code.kind == "file":
        return code.key.removeprefix(FILE)
    path = code.metadata.get("file_path")
    return path if isinstance(path, str) else ""


def _ids(linked: Iterable[Linked]) -> list[int]:
    return sorted({each.id for each in linked})
