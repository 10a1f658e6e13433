"""Writing the relations of a run: those that each file states replace those that it stated before."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter

from indelible.core.context.context import Context
from indelible.source.indexing import CONTAINS, Relation
from indelible.store.database import Transaction
from indelible.store.group_commit import unrepeated
from indelible.store.tables import edges, source_files, symbols
from indelible.toolsets.code.roots import Codebase
from indelible.toolsets.code.writer import Pace, Written

_Key = tuple[int, int, str]  # source, target, relation
_Attributes = tuple[float, int, int]  # confidence, line, how often
_SOURCE, _TARGET = attrgetter("source_path"), attrgetter("target_path")


class CodeRelater:
    """Writes the relations of one run of one codebase. `fresh` are the files that had none before."""

    def __init__(
        self, ctx: Context, codebase: Codebase, done: Written, fresh: frozenset[str], pause: Callable[[], None]
    ) -> None:
        self._ctx, self._codebase, self._done, self._fresh, self._pause = ctx, codebase, done, fresh, pause
        self._pace = Pace()
        self._waiting: list[tuple[str, list[Relation]]] = []
        self._size = 0
        self._apart: list[tuple[str, list[Relation]]] = []  # what files say of symbols of others

    def state(self, found: Iterable[tuple[str, list[Relation]]]) -> None:
        """Add the relations that files state; they are written in batches."""
        for path, relations in found:
            own = [each for each in relations if each.source_path == path]
            if len(own) < len(relations):
                self._apart.append((path, [each for each in relations if each.source_path != path]))
            self._waiting.append((path, own))
            self._size += 1 + len(own)
            if self._size >= self._pace.most:
                self._flush()

    def finish(self) -> None:
        """Write the remaining relations; those to other files' symbols come last, when these are final."""
        self._flush()
        apart, self._apart = self._apart, []
        if apart:

            def work(tx: Transaction) -> None:
                self._load(tx, [each for _, relations in apart for each in relations])
                self._add(tx, self._keyed([each for _, relations in apart for each in relations]))
                source_files.mark_resolved(tx, [self._done.file_ids[path] for path, _ in apart])

            self._ctx.store.write(unrepeated(work))
            self._pause()

    def _flush(self) -> None:
        waiting, size = self._waiting, self._size
        self._waiting, self._size = [], 0
        if waiting:
            self._ctx.store.write(unrepeated(self._pace.timed(size, lambda tx: self._write(tx, waiting))))
            self._pause()

    def _write(self, tx: Transaction, stated: Sequence[tuple[str, list[Relation]]]) -> None:
        relations = [each for _, own in stated for each in own]
        self._load(tx, relations, [path for path, _ in stated])
        self._forget_strangers(stated)
        wanted = self._keyed(relations)
        old = [path for path, _ in stated if path not in self._fresh]
        if old:
            wanted = self._without_kept(tx, old, wanted)
        self._add(tx, wanted)
        later = {path for path, _ in self._apart}
        ids = [self._done.file_ids[path] for path, _ in stated if path not in later]
        source_files.mark_resolved(tx, ids)

    def _load(self, tx: Transaction, relations: Sequence[Relation], paths: Iterable[str] = ()) -> None:
        """Load the records of all symbols that are ends of the relations."""
        ids, files = self._done.ids, self._done.file_ids
        wanted = {*paths, *map(_SOURCE, relations), *map(_TARGET, relations)}
        missing = {files[path]: path for path in wanted if path not in ids and path in files}
        for path in missing.values():
            ids[path] = {}
        for file, name, record in symbols.ids_of_files(tx, missing) if missing else ():
            ids[missing[file]][name] = record

    def _forget_strangers(self, stated: Sequence[tuple[str, list[Relation]]]) -> None:
        """Note symbols that a file no longer has, left behind by an interrupted run."""
        for path, own in stated:
            ids = self._done.ids[path]
            if path not in self._fresh:
                there = {each.target for each in own if each.name == CONTAINS}
                self._done.strangers.update((ids.pop(name), name) for name in ids.keys() - there)

    def _keyed(self, relations: Iterable[Relation]) -> dict[_Key, _Attributes]:
        """Return the relations by source, target and name, without those whose ends are not stored."""
        ids, files = self._done.ids, self._done.file_ids
        ends: dict[str, dict[str, int]] = {}  # by path: its symbols, and the file itself as ""
        found: dict[_Key, _Attributes] = {}
        for name, source_path, source, target_path, target, confidence, line, times in relations:
            for path in (source_path, target_path):
                if path not in ends:
                    ends[path] = {**ids.get(path, {}), "": files.get(path, 0)}
            first, second = ends[source_path].get(source), ends[target_path].get(target)
            if first and second and first != second:
                found[first, second, name] = (confidence, line, times)
        return found

    def _without_kept(
        self, tx: Transaction, paths: Sequence[str], wanted: dict[_Key, _Attributes]
    ) -> dict[_Key, _Attributes]:
        """Remove the relations that are no longer stated, and return those of `wanted` that are new."""
        sources = [i for path in paths for i in (self._done.file_ids[path], *self._done.ids[path].values())]
        dropped = []
        left = dict(wanted)
        for edge in edges.of_index(tx, sources):
            key = (edge.source, edge.target, edge.relation)
            attributes = (edge.weight, edge.metadata.get("line", 0), edge.metadata.get("count", 1))
            known = left.get(key)
            if known is not None and (edge.relation == CONTAINS or known == attributes):
                del left[key]
            else:
                dropped.append(edge.id)
                self._done.edges -= edge.relation != CONTAINS
        edges.drop_many(tx, dropped)
        return left

    def _add(self, tx: Transaction, wanted: dict[_Key, _Attributes]) -> None:
        edges.add_index_edges(tx, wanted, self._ctx.now())
        self._done.edges += sum([relation != CONTAINS for _, _, relation in wanted])
