"""Writing parsed files: the records of files and symbols, their index terms, and their relations."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from indelible.core.context.context import Context
from indelible.core.context.quota import size_of
from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.search import tokens
from indelible.source.indexing import CONTAINS, Read
from indelible.source.parse.symbol_rows import SymbolRow
from indelible.source.parse.texts import file_terms
from indelible.store.database import Transaction
from indelible.store.group_commit import unrepeated
from indelible.store.tables import edges, records, source_files, symbols, terms
from indelible.store.tables.source_files import FileRow, SourceFile
from indelible.store.tables.symbols import Found
from indelible.toolsets.code.roots import Codebase

LONGEST = 0.04  # seconds of work in one transaction that are aimed at: others wait for it
_FIRST = 200  # symbols or edges of the first one
_LEAST, _MOST = 100, 20_000
_ROOM = 1.6  # by how much a batch may grow over the last one
FILE, SYMBOL = "file:", "sym:"


class Pace:
    """Adapts the amount of work in one transaction to the time that the last ones took."""

    def __init__(self) -> None:
        self.most = _FIRST

    def timed(self, amount: int, work: Callable[[Transaction], None]) -> Callable[[Transaction], None]:
        """Return the work wrapped so that its time is measured."""

        def timed(tx: Transaction) -> None:
            began = time.thread_time()
            work(tx)
            fitting = amount * LONGEST / max(1e-6, time.thread_time() - began)
            self.most = int(min(max(fitting, _LEAST), _MOST, max(self.most * _ROOM, _LEAST)))

        return timed


@dataclass(frozen=True, slots=True)
class Arrived:
    """A symbol that was stored as a new one in this run."""

    record: int
    path: str
    row: SymbolRow


@dataclass(slots=True)
class Written:
    """The records that a run has written so far, for its figures and for the relations to them."""

    file_ids: dict[str, int] = field(default_factory=dict)
    ids: dict[str, dict[str, int]] = field(default_factory=dict)  # by path: symbols by qualified name
    changed: set[int] = field(default_factory=set)
    arrived: dict[int, Arrived] = field(default_factory=dict)
    departed: dict[int, Found] = field(default_factory=dict)
    kept: set[int] = field(default_factory=set)  # removed from the source, but records are related to them
    forgotten: set[str] = field(default_factory=set)  # names of symbols and paths of files that were deleted
    strangers: dict[int, str] = field(default_factory=dict)  # symbols that an interrupted run left behind, with names
    moved_to: dict[str, str] = field(default_factory=dict)  # where the symbols of removed files are, by their paths
    edges: int = 0  # more, or fewer, than before


class CodeWriter:
    """Writes one run of one codebase."""

    def __init__(
        self, ctx: Context, codebase: Codebase, known: Iterable[SourceFile], pause: Callable[[], None]
    ) -> None:
        self._ctx, self._codebase, self._pause = ctx, codebase, pause
        self._known = {file.path: file for file in known}
        self._moved: dict[str, SourceFile] = {}  # new path: the file that is there now
        self._pace = Pace()
        self._strays: dict[str, int] | None = None  # records of symbols that no codebase has, by key
        self.done = Written(file_ids={path: file.record for path, file in self._known.items()})

    # --- Files and symbols ---

    def moved(self, moves: Mapping[str, SourceFile]) -> None:
        """Move the records of files to their new paths."""
        self._moved.update(moves)

    def store(self, reads: Sequence[Read], unresolved: Sequence[int] = ()) -> None:
        """Write the parsed files; the files of the records `unresolved` are marked to be resolved again."""
        batch: list[Read] = []
        size = 0
        waiting = list(unresolved)
        for read in reads:
            batch.append(read)
            size += 1 + len(read.rows)
            if size >= self._pace.most:
                self._commit(batch, size, waiting)
                batch, size, waiting = [], 0, []
        if batch or waiting:
            self._commit(batch, size, waiting)

    def _commit(self, batch: list[Read], size: int, unresolved: list[int]) -> None:
        def work(tx: Transaction) -> None:
            if unresolved:
                source_files.mark_unresolved(tx, unresolved)
            self._store(tx, batch)

        self._ctx.store.write(unrepeated(self._pace.timed(max(1, size), work)))
        self._pause()

    def _store(self, tx: Transaction, batch: Sequence[Read]) -> None:
        now = self._ctx.now()
        self.add_files(tx, [read.path for read in batch if read.path not in self.done.file_ids], now)
        ids = self.done.file_ids
        known = {ids[r.path]: r for r in batch if r.path in self._known or r.path in self._moved}
        there: dict[int, list[Found]] = {}
        for found in symbols.of_files(tx, known) if known else ():
            there.setdefault(found.row.file, []).append(found)
        rows = [
            FileRow(ids[r.path], r.path, r.language, r.hash, r.size, r.modified, r.lines, r.names, r.outline)
            for r in batch
        ]
        source_files.put_many(tx, self._codebase.repository.id, rows)
        fresh: list[tuple[Read, SymbolRow]] = []
        for read in batch:
            own = self.done.ids[read.path] = {}
            if there.get(ids[read.path]):
                fresh += self._update(tx, read, there[ids[read.path]], own, now)
            else:
                fresh += [(read, row) for row in read.rows]
        self._add_symbols(tx, fresh, now)

    def add_files(self, tx: Transaction, files: Sequence[str], now: int) -> None:
        """Add records for the files of these paths; existing records that represent these files are taken over."""
        if not files:
            return
        namespace, prefix = self._codebase.repository.namespace, self._codebase.prefix
        moved = {path: self._moved[path].record for path in files if path in self._moved}
        if moved:
            source_files.move(tx, self._codebase.repository.id, {i: path for path, i in moved.items()})
            records.rekey_many(tx, {i: f"{FILE}{prefix}{path}" for path, i in moved.items()})
        paths = [path for path in files if path not in moved]
        taken = records.by_keys(tx, namespace, "file", [f"{FILE}{prefix}{path}" for path in paths])
        new = [path for path in paths if f"{FILE}{prefix}{path}" not in taken]
        made = [self._record("file", "", f"{FILE}{prefix}{path}", path, path, {"file_path": path}, now) for path in new]
        there = {path: taken[f"{FILE}{prefix}{path}"] for path in paths if f"{FILE}{prefix}{path}" in taken} | moved
        held = records.by_ids(tx, list(there.values()))
        records.update_many(
            tx,
            [
                replace(
                    held[i], label=path, text=path, metadata=_without_removal_mark(held[i].metadata, path), updated=now
                )
                for path, i in there.items()
                if i in held
            ],
        )
        self._ctx.take_room(tx, len(made), lambda: size_of(made))
        ids = there | dict(zip(new, records.add_many(tx, made), strict=True))
        counted = ((i, file_terms(path)) for path, i in ids.items())
        terms.put_many(tx, terms.CODE_WORDS, [(i, sum(each.values()), tokens.pack(each)) for i, each in counted])
        self.done.file_ids.update(ids)
        self.done.changed.update(ids.values())

    def _update(
        self, tx: Transaction, read: Read, there: list[Found], own: dict[str, int], now: int
    ) -> list[tuple[Read, SymbolRow]]:
        """Update the symbols of a file to the parsed ones; return the new rows."""
        by_name = {found.row.qualified_name: found for found in there}
        if read.path in self._moved:  # its bytes are the same: only what the names begin with is another
            at = {(found.row.name, found.row.start_line): found for found in there}
            by_name = {row.qualified_name: at[key] for row in read.rows if (key := (row.name, row.start_line)) in at}
        kept = [(by_name[row.qualified_name], row) for row in read.rows if row.qualified_name in by_name]
        held = records.by_ids(tx, [found.row.record for found, _ in kept])
        changed = [
            (record, row)
            for found, row in kept
            if (record := held[found.row.record]) and _is_changed(record, found, row, read.path)
        ]
        self._overwrite(tx, changed, read.path, now)
        file = self.done.file_ids[read.path]
        rows = [_row(found.row.record, file, row) for found, row in kept]
        old = {found.row.record: found.row for found, _ in kept}
        symbols.put_many(tx, [row for row in rows if old[row.record] != row])
        rekeyed = [(found.row.record, row) for found, row in kept if found.row.qualified_name != row.qualified_name]
        self._rekey(tx, [(record, row.qualified_name, read.path) for record, row in rekeyed])
        own.update((row.qualified_name, found.row.record) for found, row in kept)
        staying = {found.row.record for found, _ in kept}
        self.done.departed.update((f.row.record, f) for f in there if f.row.record not in staying and not f.row.gone)
        return [(read, row) for row in read.rows if row.qualified_name not in own]

    def _overwrite(self, tx: Transaction, changed: Sequence[tuple[Record, SymbolRow]], path: str, now: int) -> None:
        records.update_many(
            tx,
            [
                replace(record, type=row.kind, label=row.name, text=row.text, metadata={"file_path": path}, updated=now)
                for record, row in changed
            ],
        )
        terms.put_many(tx, terms.CODE_WORDS, [(record.id, row.size, row.terms) for record, row in changed])
        self.done.changed.update(record.id for record, _ in changed)

    def move(self, tx: Transaction, same: Sequence[tuple[Found, Arrived]]) -> None:
        """Give new symbols the records of the removed ones that they are the same as."""
        now = self._ctx.now()
        symbols.delete_code(tx, [new.record for _, new in same])
        ids = [old.row.record for old, _ in same]
        self.done.edges -= sum(edge.relation != CONTAINS for edge in edges.of_index(tx, ids))
        edges.drop_index_edges(tx, ids)  # those of the new place are stated anew
        held = records.by_ids(tx, ids)
        for old, new in same:
            self._overwrite(tx, [(held[old.row.record], new.row)], new.path, now)
            self.done.ids[new.path][new.row.qualified_name] = old.row.record
            del self.done.arrived[new.record]
            self.done.changed.discard(new.record)
        files = self.done.file_ids
        symbols.put_many(tx, [_row(old.row.record, files[new.path], new.row) for old, new in same])
        self._rekey(tx, [(old.row.record, new.row.qualified_name, new.path) for old, new in same])

    def _rekey(self, tx: Transaction, moved: Sequence[tuple[int, str, str]]) -> None:
        """Set the keys of symbols after a rename; `moved` has record, qualified name and path of each."""
        if moved:
            keys = self._keys(tx, [(name, path) for _, name, path in moved])
            records.rekey_many(tx, dict(zip((i for i, _, _ in moved), keys, strict=True)))
            self.done.changed.update(i for i, _, _ in moved)

    def _add_symbols(self, tx: Transaction, fresh: Sequence[tuple[Read, SymbolRow]], now: int) -> None:
        fresh = self._without_taken_over(tx, fresh, now)
        keys = self._keys(tx, [(row.qualified_name, read.path) for read, row in fresh])
        metadata = {path: records.dump({"file_path": path}) for path in {read.path for read, _ in fresh}}
        own = [
            records.Own(row.kind, key, row.name, row.text, metadata[read.path])
            for key, (read, row) in zip(keys, fresh, strict=True)
        ]
        self._ctx.take_room(
            tx, len(own), lambda: sum(len((each.label + each.text + each.metadata).encode()) for each in own)
        )
        ids = records.add_alike(tx, self._record("symbol", "", "", "", "", {}, now), own)
        files = self.done.file_ids
        symbols.add_many(tx, [_row(i, files[r.path], row) for i, (r, row) in zip(ids, fresh, strict=True)])
        terms.put_many(tx, terms.CODE_WORDS, [(i, row.size, row.terms) for i, (_, row) in zip(ids, fresh, strict=True)])
        self.done.changed.update(ids)
        for i, (read, row) in zip(ids, fresh, strict=True):
            self.done.ids[read.path][row.qualified_name] = i
            if self._known:
                self.done.arrived[i] = Arrived(i, read.path, row)

    def _without_taken_over(
        self, tx: Transaction, fresh: Sequence[tuple[Read, SymbolRow]], now: int
    ) -> list[tuple[Read, SymbolRow]]:
        """Give symbols their imported or restored records where there are any, and return the other symbols."""
        prefix = self._codebase.prefix
        if self._strays is None:
            self._strays = symbols.strays(tx, self._codebase.repository.namespace) if fresh else None
        if not self._strays:
            return list(fresh)
        held = records.by_ids(tx, list(self._strays.values()))
        left = []
        for read, row in fresh:
            short = f"{SYMBOL}{row.qualified_name}"
            known = (held.get(self._strays.get(key, 0)) for key in (f"{short}@{prefix}{read.path}", short))
            same = next((each for each in known if each and each.metadata.get("file_path") == read.path), None)
            if same is None:
                left.append((read, row))
                continue
            del self._strays[same.key], held[same.id]
            self._overwrite(tx, [(same, row)], read.path, now)
            symbols.put_many(tx, [_row(same.id, self.done.file_ids[read.path], row)])
            self.done.ids[read.path][row.qualified_name] = same.id
        return left

    def _record(
        self, kind: str, type_: str, key: str, label: str, text: str, metadata: dict[str, Any], now: int
    ) -> Record:
        return Record(
            *(key, kind, text, now, now),
            namespace=self._codebase.repository.namespace,
            type=type_,
            label=label,
            metadata=metadata,
        )

    def _keys(self, tx: Transaction, named: Sequence[tuple[str, str]]) -> list[str]:
        """Return a free key for each symbol (qualified name, path): its name, else its name and path."""
        namespace, prefix = self._codebase.repository.namespace, self._codebase.prefix
        short = [f"{SYMBOL}{name}" for name, _ in named]
        taken = set(records.by_keys(tx, namespace, "symbol", short)) if short else set()
        keys: list[str] = []
        for key, (_, path) in zip(short, named, strict=True):
            own, number = key, 1
            while own in taken:
                own = f"{key}@{prefix}{path}" + (f"#{number}" if number > 1 else "")
                number += 1
                if own not in taken and records.by_keys(tx, namespace, "symbol", [own]):
                    taken.add(own)
            taken.add(own)
            keys.append(own)
        return keys


def _row(record: int, file: int, row: SymbolRow) -> symbols.SymbolRow:
    shared = row[1:12]  # from the name to the hash of the body, in the order of both
    return symbols.SymbolRow(record, file, *shared, 0, row.places)


def _is_changed(record: Record, found: Found, row: SymbolRow, path: str) -> bool:
    """Return whether a symbol's record or its index terms changed; line numbers do not count."""
    old = found.row
    return (record.type, record.label, record.text, record.metadata.get("file_path")) != (
        *(row.kind, row.name, row.text, path),
    ) or (old.signature, old.doc, old.body_hash, bool(old.gone)) != (row.signature, row.doc, row.body_hash, False)


def _without_removal_mark(metadata: Mapping[str, Any], path: str) -> dict[str, Any]:
    return {**{name: value for name, value in metadata.items() if name not in ("gone", "moved")}, "file_path": path}
