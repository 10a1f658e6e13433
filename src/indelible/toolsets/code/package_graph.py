"""The packages of a codebase in the graph: the manifest of one DEPENDS_ON those of the packages that it needs.

A manifest has the record and the row of a file whose language is `MANIFEST`. A run of the index neither parses such a
file nor counts it, and here states anew which there are.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial

from indelible.core.context.context import Context
from indelible.model import Edge
from indelible.source.manifests.workspaces import workspaces
from indelible.store.database import Transaction
from indelible.store.group_commit import unrepeated
from indelible.store.tables import edges, source_files
from indelible.store.tables.source_files import FileRow, SourceFile
from indelible.toolsets.code import moves
from indelible.toolsets.code.roots import Codebase
from indelible.toolsets.code.writer import CodeWriter

MANIFEST = "manifest"  # in the place of a language
RELATION = "DEPENDS_ON"
TOGETHER = 200  # manifests, or relations, in one transaction

log = logging.getLogger("indelible")


def relate(
    ctx: Context, codebase: Codebase, writer: CodeWriter, known: Sequence[SourceFile], pause: Callable[[], None]
) -> None:
    """Write the dependencies between packages of the codebase to the graph; `known` are the stored manifests.

    Only packages with a dependency or a dependent are included. Outdated dependencies and manifests are deleted, except
    manifests that other records are related to: these are kept like removed files.
    """
    found = workspaces(codebase.root)
    for note in found.notes:
        log.warning("manifests of a codebase", extra={"key": str(codebase.root), "message_text": note})
    needs = {(each.source.manifest, each.target.manifest) for each in found.edges}
    there = {path for pair in needs for path in pair}
    stored = {file.path: file for file in known}
    fresh = sorted(path for path in there if path not in stored or not stored[path].hash)
    for at in range(0, len(fresh), TOGETHER):
        part = fresh[at : at + TOGETHER]
        ctx.store.write(unrepeated(partial(_add, ctx, codebase, writer, part)))
        pause()
    _state(ctx, writer, [file.record for file in known], sorted(needs), pause)
    removed = [file for path, file in stored.items() if path not in there and file.hash]
    if removed:
        moves.forget_files(ctx, codebase, writer.done, removed, pause)


def _add(ctx: Context, codebase: Codebase, writer: CodeWriter, paths: Sequence[str], tx: Transaction) -> None:
    writer.add_files(tx, paths, ctx.now())
    ids = writer.done.file_ids
    rows = [FileRow(ids[path], path, MANIFEST, MANIFEST, 0, 0, 0, b"", b"", 1) for path in paths]
    source_files.put_many(tx, codebase.repository.id, rows)


def _state(
    ctx: Context, writer: CodeWriter, known: Sequence[int], needs: Sequence[tuple[str, str]], pause: Callable[[], None]
) -> None:
    """Write the new relations, and remove those that no longer hold."""
    ids, done = writer.done.file_ids, writer.done
    wanted = {(ids[source], ids[target]) for source, target in needs}
    sources = sorted({*known, *(source for source, _ in wanted)})
    with ctx.store.read() as tx:
        old = {(edge.source, edge.target): edge.id for edge in edges.of_index(tx, sources)}
    dropped = [relation for ends, relation in old.items() if ends not in wanted]
    if dropped:
        done.edges -= ctx.store.write(lambda tx: edges.drop_many(tx, dropped))
    added = sorted(wanted - old.keys())
    for at in range(0, len(added), TOGETHER):
        part = [
            Edge(source, target, RELATION, RELATION, 1.0, ctx.now(), metadata={"origin": "index"})
            for source, target in added[at : at + TOGETHER]
        ]
        ctx.store.write(partial(edges.add_many, relations=part))
        done.edges += len(part)
        pause()
