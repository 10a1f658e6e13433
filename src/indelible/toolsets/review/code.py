"""The code index around a diff: the symbols that it changes, and what depends on them elsewhere."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from indelible.code_states import GONE, MOVED, CodeState
from indelible.model import DEPENDING
from indelible.source.history.diff import Diff, FileDiff, Lines
from indelible.store.database import Transaction
from indelible.store.tables import edges, source_files, symbols
from indelible.store.tables.symbols import Found
from indelible.toolsets.code import link_states

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

    `files` are the records of the indexed files of the diff, by path; `after` says how it leaves the symbols and files
    that it deletes or moves, None where the index has seen it.
    """

    changed: list[Found]
    files: dict[str, int]
    uses: list[Use]
    after: dict[int, CodeState | None]


def around(
    tx: Transaction, repository: int, diff: Diff, is_old: Callable[[FileDiff], bool], *, with_uses: bool = True
) -> Around:
    """Return what the index of a codebase knows around a diff, whose paths are those of the codebase.

    `is_old` says of a file whether the index has it as it was before the change.
    """
    files: dict[str, int] = {}
    changed: list[Found] = []
    left: list[Found] = []
    for file in diff.files:
        old = is_old(file)
        known = source_files.by_path(tx, repository, file.old_path if old else file.path)
        if known is None:
            continue
        files[known.path] = known.record
        ranges = file.old if old else file.new
        every = symbols.of_file(tx, known.record)
        left += [each for each in every if each.row.gone]
        of_file = [each for each in every if not each.row.gone]
        changed += innermost([each for each in of_file if _meets(each, ranges)])
    asked = [each.row.record for each in changed[:MOST_SYMBOLS]] if with_uses else []
    uses = _uses(tx, asked, files, diff.paths) if with_uses else []
    return Around(changed, files, uses, _states(changed, left, files, diff))


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


def _states(
    changed: Iterable[Found], left: Iterable[Found], files: dict[str, int], diff: Diff
) -> dict[int, CodeState | None]:
    """Return how a diff leaves the symbols and files that it deletes, or moves to another file, by record.

    `changed` are symbols as they were before; one is deleted where all of its lines are removed, and no added line of
    its file has its name. `left` are symbols that the index has seen leave already: those whose name only removed lines
    have, left by this diff, and how is noted in the links to them: None.
    """
    found: dict[int, CodeState | None] = {}
    for file in diff.files:
        record = files.get(file.old_path)
        if record is not None and file.status == "D":
            found[record] = CodeState(file.old_path, GONE)
        elif record is not None and file.status == "R":
            found[record] = CodeState(file.old_path, MOVED, to=file.path)
    by_path = {each.old_path: each for each in diff.files}
    for symbol in changed:
        of_it = by_path.get(symbol.path)
        row = symbol.row
        before = None if of_it is None else _lines_of(of_it, row.start_line, row.end_line)
        if of_it is not None and before is not None and not _has(of_it.added, row.name):
            place = _moved_to(row.name, before, [each for each in diff.files if each is not of_it])
            found[row.record] = CodeState(row.qualified_name, MOVED if place else GONE, to=place)
    for symbol in left:
        of_it = by_path.get(symbol.path)
        row = symbol.row
        if of_it is not None and _has(of_it.removed, row.name) and not _has(of_it.added, row.name):
            found[row.record] = None
    return found


def _has(lines: Iterable[str], name: str) -> bool:
    return any(name in line for line in lines)


def _lines_of(file: FileDiff, first: int, last: int) -> list[str] | None:
    """Return the lines of a range that a diff removes as a whole; None where it leaves some of them."""
    at = 0
    for lines in file.old:
        if lines.first <= first and last <= lines.last:
            return file.removed[at + first - lines.first : at + last - lines.first + 1]
        at += lines.last - lines.first + 1
    return None


def _moved_to(name: str, lines: Iterable[str], others: Iterable[FileDiff]) -> str:
    """Return the first file that gets a symbol's name and half of its lines, as the code index asks it; "" for none."""
    before = _plain(lines)
    for file in others:
        has_most = len(before & _plain(file.added)) >= link_states.LEAST_KEPT * len(before)
        if before and has_most and _has(file.added, name):
            return file.path
    return ""


def _plain(lines: Iterable[str]) -> set[str]:
    return {" ".join(line.split()) for line in lines} - {""}
