"""Look-up of the files and symbols of a codebase that texts mention (found by `search/code_mentions.py`).

A name that several symbols share refers to none, unless one is clearly more likely: the whole name is its own, it
stands in a file that the text mentions too, it is no test, or the others only declare it. If all symbols of the name
are in one file, the mention refers to that file.
"""

import posixpath
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from indelible.search import code_mentions
from indelible.search.code_mentions import IDENTIFIER, Mentions, Name, Path
from indelible.store.database import Transaction
from indelible.store.tables.repositories import Repository
from indelible.store.tables.symbols import tail_of
from indelible.store.views import code_links
from indelible.store.views.code_links import File, Symbol

MOST_CALLED = 12  # symbols of one name that are looked at
MOST_ENDING = 2  # files that a path may mean: two are ambiguous already
MOST_FILES = 5  # files named by a text in which a name is looked for that too many symbols have
IN_ONE_FILE = 0.7  # of a name's sureness, where only its file is known
DECLARING = (".h", ".hh", ".hpp", ".hxx", ".pyi", ".d.ts")  # files that declare what others define


class Target(NamedTuple):
    """A symbol or file that a text mentions: how sure that is, 0..1, and the mention as written."""

    record: int
    sureness: float
    text: str


def fits(written: Sequence[str], path: str) -> bool:
    """Whether a path in a text may be the path of a file of a codebase: either may be the longer one."""
    parts = tuple(path.split("/"))
    shorter = min(len(written), len(parts))
    return tuple(written[-shorter:]) == parts[-shorter:]


class Lookup:
    """The possible targets of the mentions of some texts in some codebases, all looked up at once."""

    def __init__(self, tx: Transaction, codebases: Sequence[Repository], texts: Iterable[Mentions]):
        self._tx = tx
        self._roots = {each.id: posixpath.basename(each.root.replace("\\", "/").rstrip("/")) for each in codebases}
        every = list(texts)
        self._files: dict[str, list[File]] = {}
        paths = {path for mentions in every for path in mentions.paths}
        if paths and codebases:
            self._read_files(paths)
        starts = {tail for mentions in every for name in mentions.names for tail in _tails(name)}
        self._symbols = code_links.symbols_called(tx, self._roots, starts, MOST_CALLED) if starts and codebases else {}

    def _read_files(self, paths: set[Path]) -> None:
        """Read the files of paths: those that they equal or end with, for the rest those that end with them."""
        ends = {"/".join(path.parts[at:]) for path in paths for at in range(len(path.parts))}
        self._add_files(code_links.files_at(self._tx, self._roots, ends))
        rest = {path.text for path in paths if not any(self._may_be(path, file) for file in self._called(path))}
        if rest:
            self._add_files(code_links.files_below(self._tx, self._roots, rest, MOST_ENDING))

    def _add_files(self, found: Iterable[File]) -> None:
        for file in found:
            if not file.gone:
                self._files.setdefault(posixpath.basename(file.path), []).append(file)

    def _called(self, path: Path) -> list[File]:
        return self._files.get(path.parts[-1], [])

    def targets(self, mentions: Mentions) -> list[Target]:
        """Return the targets of a text, each once, the surest first, ties in the order of the text, files first."""
        found: dict[int, Target] = {}
        for path in mentions.paths:
            if (file := self._file(path)) is not None:
                sureness = code_mentions.EXACT if path.text == file.path and len(path.parts) > 1 else path.sureness
                _keep(found, Target(file.record, sureness, path.text))
        files = list(found)
        for name in mentions.names:
            target = self._named(name, files)
            if target is not None:
                _keep(found, target)
        return sorted(found.values(), key=lambda target: -target.sureness)

    # --- Files ---

    def _file(self, path: Path) -> File | None:
        """Return the file of a path: the one with exactly that path, else the only or the nearest that it may be."""
        fitting = [file for file in self._called(path) if self._may_be(path, file)]
        whole = [file for file in fitting if file.path == path.text]
        if len(whole) == 1:
            return whole[0]
        longer = [file for file in fitting if file.path.count("/") < len(path.parts) - 1]
        if longer:  # the path begins outside of the codebase: the file with the longest common ending
            most = max(file.path.count("/") for file in longer)
            fitting = [file for file in longer if file.path.count("/") == most]
        return fitting[0] if len(fitting) == 1 else None

    def _may_be(self, path: Path, file: File) -> bool:
        """Whether a path may be the file's; a longer one that ends with a bare name has the codebase before it."""
        if not fits(path.parts, file.path):
            return False
        return "/" in file.path or len(path.parts) == 1 or path.parts[-2] == self._roots[file.repository]

    # --- Symbols ---

    def _named(self, name: Name, files: Sequence[int]) -> Target | None:
        found = self._symbol(name.segments, files)
        if found is not None:
            record, whole = found
            sureness = code_mentions.EXACT if whole and len(name.segments) > 1 else name.sureness
            return Target(record, sureness if whole is not None else sureness * IN_ONE_FILE, name.text)
        if len(name.segments) > 1:
            for part in code_mentions.parts_of_type(name.segments):
                if (of_it := self._symbol((part,), files)) is not None and of_it[1] is not None:
                    return Target(of_it[0], min(IDENTIFIER, name.sureness), part)
        return None

    def _symbol(self, segments: tuple[str, ...], files: Sequence[int]) -> tuple[int, bool | None] | None:
        """Return the symbol of a name and whether that is its whole name; or the only file of such symbols and None."""
        start = _tail(segments)
        called = self._symbols.get(start, [])
        if len(called) >= MOST_CALLED:
            called = self._within(start, files)
        live = [symbol for symbol in called if not symbol.gone]
        for closer in (
            lambda each: tail_of(each.qualified_name) == start,
            lambda each: each.file in files,
            lambda each: not each.is_test,
            lambda each: not each.path.endswith(DECLARING),
        ):
            live = _closer(live, closer)
        live = _outermost(live)
        if not live:
            return None
        if len(live) == 1:
            return live[0].record, tail_of(live[0].qualified_name) == start
        one_file = {symbol.file for symbol in live}
        return (one_file.pop(), None) if len(one_file) == 1 else None

    def _within(self, start: str, files: Sequence[int]) -> list[Symbol]:
        """Return the symbols of a name in the files that the text mentions."""
        if not files:
            return []
        found = code_links.symbols_of(self._tx, files[:MOST_FILES])
        return [symbol for tail, symbol in found if tail.startswith(start)]


def _closer(found: list[Symbol], wanted: Callable[[Symbol], bool]) -> list[Symbol]:
    """Return the matching ones if there are any, else all."""
    return [symbol for symbol in found if wanted(symbol)] or found


def _outermost(found: list[Symbol]) -> list[Symbol]:
    """Return those not nested in another of them: a class, and not its constructor of the same name."""
    if len(found) < 2:
        return found
    around = [tail_of(symbol.qualified_name) for symbol in found]
    return [
        symbol
        for symbol, tail in zip(found, around, strict=True)
        if not any(other != tail and tail.endswith(f".{other}") for other in around)
    ]


def _keep(found: dict[int, Target], target: Target) -> None:
    before = found.get(target.record)
    if before is None or before.sureness < target.sureness:
        found[target.record] = target


def _tails(name: Name) -> list[str]:
    """Return the endings of a name to look up."""
    parts = code_mentions.parts_of_type(name.segments) if len(name.segments) > 1 else ()
    return [_tail(name.segments), *(_tail((part,)) for part in parts)]


def _tail(segments: Sequence[str]) -> str:
    return "".join(f"{segment}." for segment in reversed(segments))
