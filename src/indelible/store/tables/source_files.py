"""Rows of `source_file`: the index of each file of a codebase. Its record has the kind `file`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from indelible.dataclass import dataclass
from indelible.store.database import Row, Transaction, listed, one
from indelible.store.tables import records


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was when it was last read, without its text.

    `path` is relative to the codebase's root, with "/". `hash` is of its bytes, `size` in bytes, `modified` in
    nanoseconds since 1970 UTC. `resolved` tells that the relations of its symbols match its text.
    """

    record: int
    repository: int
    path: str
    language: str
    hash: str
    size: int
    modified: int
    lines: int
    resolved: bool


class FileRow(NamedTuple):
    """A row to write; `outline` is the packed outline, `looked_up` the hashes of the names that the file looks up."""

    record: int
    path: str
    language: str
    hash: str
    size: int
    modified: int
    lines: int
    looked_up: bytes
    outline: bytes
    resolved: int = 0


class Lookups(NamedTuple):
    """The names that a file looks up, as ascending hashes of 4 bytes each."""

    record: int
    path: str
    looked_up: bytes


def put_many(tx: Transaction, repository: int, files: Iterable[FileRow]) -> None:
    """Write the rows of files whose records exist, replacing earlier rows.

    A path that another file of the codebase has is an error: rename (`move`) or delete that first.
    """
    fixed = {"repository": repository}
    tx.run_many("source_files.put", [{**each._asdict(), **fixed} for each in files])


def of_repository(tx: Transaction, repository: int) -> list[SourceFile]:
    """Every file of a codebase, by path."""
    return [_from_row(row) for row in tx.rows("source_files.of_repository", repository=repository)]


def by_records(tx: Transaction, ids: Iterable[int]) -> dict[int, SourceFile]:
    """The files that those records are, as far as they are files of a codebase."""
    rows = tx.rows("source_files.by_records", ids=listed(ids))
    return {row[0]: _from_row(row) for row in rows}


def by_path(tx: Transaction, repository: int, path: str) -> SourceFile | None:
    """The file of that path in a codebase."""
    row = one(tx.rows("source_files.by_path", repository=repository, path=path))
    return None if row is None else _from_row(row)


def outlines(tx: Transaction, repository: int, paths: Iterable[str]) -> dict[str, bytes]:
    """Return the packed outlines of those files of a codebase, by path; missing files are left out."""
    listed = records.dump(sorted(set(paths)))
    rows = tx.rows("source_files.outlines", repository=repository, paths=listed)
    return {str(path): bytes(outline) for path, outline in rows}


def lookups(tx: Transaction, repository: int) -> list[Lookups]:
    """Return the look-ups of every file of a codebase, by path."""
    rows = tx.rows("source_files.lookups", repository=repository)
    return [Lookups(record, path, bytes(looked_up)) for record, path, looked_up in rows]


def mark_resolved(tx: Transaction, ids: Iterable[int]) -> None:
    """Note of files that the relations of their symbols match their text."""
    tx.run("source_files.set_resolved", ids=listed(ids), resolved=1)


def mark_unresolved(tx: Transaction, ids: Iterable[int]) -> None:
    """Note of files that the relations of their symbols have to be made again."""
    tx.run("source_files.set_resolved", ids=listed(ids), resolved=0)


def touch_many(tx: Transaction, times: Mapping[int, int]) -> None:
    """Note when files were modified whose bytes are the same, by record."""
    tx.run_many("source_files.touch", [{"record": r, "modified": time} for r, time in sorted(times.items())])


def move(tx: Transaction, repository: int, paths: Mapping[int, str]) -> None:
    """Give files other paths, and that codebase; among them they may change places."""
    rows = [{"record": record} for record in sorted(paths)]
    tx.run_many("source_files.vacate_path", rows)
    fixed = {"repository": repository}
    tx.run_many("source_files.move", [{**row, **fixed, "path": paths[row["record"]]} for row in rows])


def delete(tx: Transaction, ids: Sequence[int]) -> int:
    """Forget that records are files of a codebase, with the rows of their symbols; the records stay."""
    return tx.run("source_files.delete", ids=listed(ids))


def _from_row(row: Row) -> SourceFile:
    record, repository, path, language, hash_, size, modified, lines, resolved = row
    return SourceFile(record, repository, path, language, hash_, size, modified, lines, bool(resolved))
