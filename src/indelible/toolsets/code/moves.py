"""Moves within one run: symbols and files found again elsewhere keep their records, other removed ones are deleted."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from indelible.core.context.context import Context
from indelible.model import Record
from indelible.source.indexing import CONTAINS
from indelible.source.parse.definitions import has_words, is_telling
from indelible.source.parse.symbol_rows import SymbolRow as ParsedRow
from indelible.source.parse.symbols import METHOD
from indelible.store.database import Transaction
from indelible.store.group_commit import unrepeated
from indelible.store.tables import edges, records, source_files, symbols
from indelible.store.tables.source_files import FileRow, SourceFile
from indelible.store.tables.symbols import Found, SymbolRow, segments
from indelible.toolsets.code.roots import Codebase
from indelible.toolsets.code.writer import Arrived, CodeWriter, Written

TOGETHER = 200  # symbols in one transaction


def moved_files(removed: Sequence[SourceFile], come: Mapping[str, str]) -> dict[str, SourceFile]:
    """Return the removed files that reappeared with the same bytes, by new path; `come` are new paths with hashes.

    Only where exactly one removed and one new file have these bytes.
    """
    went, came = Counter(file.hash for file in removed), Counter(come.values())
    by_hash = {file.hash: file for file in removed if went[file.hash] == 1}
    return {path: by_hash[hash_] for path, hash_ in come.items() if hash_ in by_hash and came[hash_] == 1}


def pairs(departed: Iterable[Found], arrived: Iterable[Arrived]) -> list[tuple[Found, Arrived]]:
    """Return the pairs of removed and new symbols that are the same, only where exactly one of either matches.

    They have the same file, kind, name and name of what they stand in (only what a qualified name begins with is
    another), else the same kind and body, else the same kind, name and signature (a method of one word, such as
    `String`, in a type of the same name), else the same kind and name, in one file or in the one where most of the
    file's symbols are.
    """
    went, came = list(departed), list(arrived)
    found: list[tuple[Found, Arrived]] = []

    def pair(of_old: Callable[[Found], Hashable], of_new: Callable[[Arrived], Hashable]) -> None:
        taken = {old.row.record for old, _ in found} | {new.record for _, new in found}
        found.extend(
            _paired(
                [(key, each) for each in went if each.row.record not in taken and (key := of_old(each)) is not None],
                [(key, each) for each in came if each.record not in taken and (key := of_new(each)) is not None],
            )
        )

    pair(lambda old: (old.path, *_place(old.kind, old.row)), lambda new: (new.path, *_place(new.row.kind, new.row)))
    pair(lambda old: _body(old.kind, old.row), lambda new: _body(new.row.kind, new.row))
    pair(
        lambda old: (*_named(old.kind, old.row), old.row.signature),
        lambda new: (*_named(new.row.kind, new.row), new.row.signature),
    )
    there = _moved_to(found, {old.path for old in went} - {new.path for new in came})
    pair(
        lambda old: (there.get(old.path, old.path), old.kind, old.row.name),
        lambda new: (new.path, new.row.kind, new.row.name),
    )
    return found


def _place(kind: str, row: SymbolRow | ParsedRow) -> tuple[str, ...]:
    return kind, row.name, *segments(row.qualified_name)[-2:-1]


def _named(kind: str, row: SymbolRow | ParsedRow) -> tuple[str, ...]:
    """Return what makes a name one of a kind: that of a method of one word (`String`) needs that of its type."""
    return (kind, row.name) if kind != METHOD or has_words(row.name) else _place(kind, row)


def _body(kind: str, row: SymbolRow | ParsedRow) -> tuple[str, str] | None:
    return (kind, row.body_hash) if is_telling(row.body_hash) else None


def _paired(
    went: Sequence[tuple[Hashable, Found]], came: Sequence[tuple[Hashable, Arrived]]
) -> list[tuple[Found, Arrived]]:
    count_went, count_came = Counter(key for key, _ in went), Counter(key for key, _ in came)
    by_key = {key: each for key, each in came if count_came[key] == 1}
    return [(each, by_key[key]) for key, each in went if count_went[key] == 1 and key in by_key]


def settle(
    ctx: Context, codebase: Codebase, writer: CodeWriter, removed: Sequence[SourceFile], pause: Callable[[], None]
) -> None:
    """Keep the records of moved symbols, and delete those of removed symbols and files."""
    done = writer.done
    ids = [file.record for file in removed]
    for at in range(0, len(ids), TOGETHER):
        with ctx.store.read() as tx:
            there = symbols.of_files(tx, ids[at : at + TOGETHER])
        done.departed.update((each.row.record, each) for each in there if not each.row.gone)
    same = pairs(done.departed.values(), done.arrived.values())
    done.moved_to = _moved_to(same, {file.path for file in removed})
    for at in range(0, len(same), TOGETHER):
        part = same[at : at + TOGETHER]
        ctx.store.write(unrepeated(partial(writer.move, same=part)))
        pause()
    for old, _ in same:
        del done.departed[old.row.record]
    forget(ctx, done, {i: each.row.name for i, each in done.departed.items()}, pause)
    forget_files(ctx, codebase, done, removed, pause)


def forget(ctx: Context, done: Written, names: Mapping[int, str], pause: Callable[[], None]) -> None:
    """Delete symbols, except those related to records that are not code: these are kept and marked as removed."""
    ids = list(names)
    for at in range(0, len(ids), TOGETHER):
        part = ids[at : at + TOGETHER]

        def work(tx: Transaction, part: Sequence[int] = part) -> tuple[set[int], int]:
            lost = _edges_at(ctx, tx, part)
            held = edges.held(tx, part)
            edges.drop_all_index_edges(tx, held)
            symbols.mark_deleted(tx, held, ctx.now())
            symbols.delete_code(tx, [each for each in part if each not in held])
            return held, lost

        held, lost = ctx.store.write(work)
        done.edges -= lost
        done.kept |= held
        done.changed -= set(part)
        done.forgotten.update(names[each] for each in part if each not in held)
        pause()


def forget_unheld(
    ctx: Context, codebase: Codebase, done: Written, removed: Sequence[SourceFile], pause: Callable[[], None]
) -> None:
    """Delete removed symbols and files whose relations, for which they were kept, no longer exist."""
    with ctx.store.read() as tx:
        names = symbols.deleted_names_in(tx, codebase.repository.id)
        held = edges.held(tx, names) if names else set()
    free = {record: name for record, name in names.items() if record not in held}
    forget(ctx, done, free, pause)
    if not removed:
        return
    with ctx.store.read() as tx:
        ids = [file.record for file in removed]
        kept = edges.held(tx, ids) | {each.row.file for each in symbols.of_files(tx, ids)}
    forget_files(ctx, codebase, done, [file for file in removed if file.record not in kept], pause)


def forget_files(
    ctx: Context, codebase: Codebase, done: Written, removed: Sequence[SourceFile], pause: Callable[[], None]
) -> None:
    """Delete files, except those that are related to other records or have a symbol that is."""
    for at in range(0, len(removed), TOGETHER):
        part = removed[at : at + TOGETHER]

        def work(tx: Transaction, part: Sequence[SourceFile] = part) -> tuple[set[int], int]:
            ids = [file.record for file in part]
            lost = _edges_at(ctx, tx, ids)
            kept = edges.held(tx, ids) | {each.row.file for each in symbols.of_files(tx, ids)}
            edges.drop_all_index_edges(tx, kept)
            held = records.by_ids(tx, list(kept))
            records.update_many(
                tx,
                [
                    replace(record, metadata=_marked(ctx, done, record), updated=ctx.now())
                    for record in held.values()
                    if "gone" not in record.metadata
                ],
            )
            rows = [FileRow(f.record, f.path, f.language, "", 0, 0, 0, b"", b"", 1) for f in part if f.record in kept]
            source_files.put_many(tx, codebase.repository.id, rows)
            symbols.delete_code(tx, [each for each in ids if each not in kept])
            return kept, lost

        kept, lost = ctx.store.write(work)
        done.edges -= lost
        done.kept |= kept
        done.forgotten.update(file.path for file in part if file.record not in kept)
        pause()


def _moved_to(same: Sequence[tuple[Found, Arrived]], removed: Collection[str]) -> dict[str, str]:
    """Return the files where most of the symbols of removed files are now, by the path of these."""
    places: dict[str, Counter[str]] = {}
    for old, new in same:
        if old.path in removed:
            places.setdefault(old.path, Counter())[new.path] += 1
    return {path: found.most_common(1)[0][0] for path, found in places.items()}


def _marked(ctx: Context, done: Written, file: Record) -> dict[str, Any]:
    """Return the metadata of a file that left the source: when, and where its symbols are."""
    path = done.moved_to.get(str(file.metadata.get("file_path")))
    return {**file.metadata, "gone": ctx.now(), **({} if path is None else {"moved": path})}


def _edges_at(ctx: Context, tx: Transaction, ids: Sequence[int]) -> int:
    """Return how many relations counted by the index are deleted with some records."""
    found = edges.of_records(tx, ids)
    return sum(edge.metadata.get("origin") == "index" and edge.relation != CONTAINS for edge in found)
