"""The code index around a diff: the symbols that it changes, and what depends on them elsewhere."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from indelible.model import DEPENDING
from indelible.source.history.diff import Diff, FileDiff, Lines
from indelible.store.database import Transaction
from indelible.store.tables import edges, source_files, symbols
from indelible.store.tables.symbols import Found

MOST_SYMBOLS = 400  # changed ones whose dependents are looked for
MOST_EDGES = 20_000


class Use(NamedTuple):
    """A relation from a file outside of the diff to a changed symbol or file.

    `user` is the record that depends, `of` the changed one, `confidence` that of the edge, `among` how many records
    depend on `of` in all.
    """

    path: str
    user: int
    of: int
    relation: str
    confidence: float
    among: int


class Around(NamedTuple):
    """The index around a diff: changed symbols, innermost only, and the uses of them and of their files.

    `files` are the records of the indexed files of the diff, by path; `removed` the symbols and files that it removes.
    """

    changed: list[Found]
    files: dict[str, int]
    uses: list[Use]
    removed: set[int]


def around(
    tx: Transaction, repository: int, diff: Diff, is_old: Callable[[FileDiff], bool], *, with_uses: bool = True
) -> Around:
    """Return what the index of a codebase knows around a diff, whose paths are those of the codebase.

    `is_old` says of a file whether the index has it as it was before the change.
    """
    files: dict[str, int] = {}
    changed: list[Found] = []
    for file in diff.files:
        old = is_old(file)
        known = source_files.by_path(tx, repository, file.old_path if old else file.path)
        if known is None:
            continue
        files[known.path] = known.record
        ranges = file.old if old else file.new
        of_file = [each for each in symbols.of_file(tx, known.record) if not each.row.gone]
        changed += innermost([each for each in of_file if _meets(each, ranges)])
    asked = [each.row.record for each in changed[:MOST_SYMBOLS]] if with_uses else []
    uses = _uses(tx, asked, files, diff.paths) if with_uses else []
    return Around(changed, files, uses, _removed(changed, files, diff))


def _meets(symbol: Found, ranges: Iterable[Lines]) -> bool:
    places = [(symbol.row.start_line, symbol.row.end_line), *((first, last) for _, first, last in symbol.row.places)]
    return any(lines.meets(first, last) for lines in ranges for first, last in places)


def innermost(found: Sequence[Found]) -> list[Found]:
    """Return the symbols that contain none of the others, by their first line."""
    around = {each.row.parent for each in found}
    return [each for each in found if each.row.qualified_name not in around]


def _uses(tx: Transaction, changed: Sequence[int], files: dict[str, int], inside: frozenset[str]) -> list[Use]:
    asked = [*changed, *files.values()]
    if not asked:
        return []
    return _outside(tx, edges.incoming(tx, asked, DEPENDING), inside)


def _outside(tx: Transaction, found: Sequence[tuple[int, int, str, float]], inside: frozenset[str]) -> list[Use]:
    among = Counter(target for _, target, _, _ in found)
    paths = symbols.paths(tx, {source for source, *_ in found[:MOST_EDGES]})
    return [
        Use(paths[source], source, target, relation, weight, among[target])
        for source, target, relation, weight in found[:MOST_EDGES]
        if source in paths and paths[source] not in inside
    ]


def users_of(tx: Transaction, ids: Iterable[int], inside: frozenset[str]) -> list[Use]:
    """Return the uses of some records from files outside of a diff, as `Around` has them."""
    asked = sorted(ids)[:MOST_SYMBOLS]
    found = edges.incoming(tx, asked, DEPENDING) if asked else []
    return _outside(tx, found, inside)


def _removed(changed: Iterable[Found], files: dict[str, int], diff: Diff) -> set[int]:
    """Return the symbols and files that a diff removes: the whole of them, and no added line has the name."""
    found = {files[each.path] for each in diff.files if each.status == "D" and each.path in files}
    by_path = {each.old_path: each for each in diff.files}
    for symbol in changed:
        file = by_path.get(symbol.path)
        if file is None:
            continue
        row = symbol.row
        within = any(lines.first <= row.start_line and row.end_line <= lines.last for lines in file.old)
        if within and not any(row.name in line for line in file.added):
            found.add(row.record)
    return found
