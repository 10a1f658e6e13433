"""The work of an index run on source files, without a store: rows to keep, and the relations between them.

A `Share` is one process's part of a run. Its inputs and outputs are plain (tuples, lists, texts, numbers, bytes), so
that they can pass through a pipe: see `worker`.
"""

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from indelible.sanitize.secret_spans import mark_of, redact_text, spans_of
from indelible.source import source as source_source
from indelible.source.parse.deadline import Deadline, NotSource
from indelible.source.parse.languages import BY_NAME, Language, is_readable, language_of, missing
from indelible.source.parse.parsing import decoded, parse
from indelible.source.parse.symbol_rows import SymbolRow, rows_of
from indelible.source.parse.symbols import MODULE_LEVEL, ParsedFile
from indelible.source.resolve.definition_index import Definitions
from indelible.source.resolve.module_names import Layout, module_name
from indelible.source.resolve.outlines import names, pack, unpack
from indelible.source.resolve.resolution import WHOLE_FILE, Resolution, Resolved

VERSION = 4  # of the rules of extraction: files stored under an earlier one are parsed again

CONTAINS = "CONTAINS"
NEW, SAME, SKIPPED, GONE, AGAIN = "new", "same", "skipped", "gone", "again"
Counts = tuple[tuple[str, int], ...]  # secrets that were taken out, by rule
RACY = 2_000_000_000  # nanoseconds: a file that changed so shortly before it was read may change again unseen
_PART = 4  # where so many times more files are not asked for, they are loaded as they are needed
_START = 4_096  # bytes of a file that tell its language


class Project(NamedTuple):
    """The place of a codebase, and what its names depend on beside the files: see `source.Scan`."""

    root: str
    packages: frozenset[str]
    crates: Mapping[str, str]
    go_modules: Mapping[str, str]
    npm_packages: Mapping[str, str]


class Wanted(NamedTuple):
    """A file to read. `hash` is that of its bytes when it was stored, "" where it never was.

    `resolve`: its edges are asked for even if its bytes are the same.
    """

    path: str
    hash: str
    resolve: bool


class Read(NamedTuple):
    """The result of reading a file. `outcome`: NEW (its rows are given), SAME (its bytes are those stored; `modified`
    may be new), AGAIN (the same, and it was parsed for its edges), SKIPPED (`why`), GONE (deleted).
    `redacted` are the secrets that were redacted in its rows. `rows` comes last: see `worker`.
    """

    outcome: str
    path: str
    why: str = ""
    language: str = ""
    hash: str = ""
    size: int = 0
    modified: int = 0
    lines: int = 0
    names: bytes = b""
    outline: bytes = b""
    redacted: Counts = ()
    rows: tuple[SymbolRow, ...] = ()


class Relation(NamedTuple):
    """An edge: from a symbol of the file at `source_path` ("" as its name: the file itself) to another or a file."""

    name: str
    source_path: str
    source: str
    target_path: str
    target: str
    confidence: float
    line: int
    times: int


class Share:
    """The files that one process parses and resolves. `parse` them all, `take` the others' outlines, then `edges`.

    `begin` is called before the work for each file.
    """

    def __init__(self, project: Project, begin: Callable[[], None] = lambda: None) -> None:
        self._project = project
        self._begin = begin
        self._root = Path(project.root)
        self._layout = Layout(project.packages, project.crates)
        self._own: dict[str, ParsedFile] = {}
        self._others: dict[str, tuple[str, str, bytes]] = {}

    def parse(self, wanted: Iterable[Wanted]) -> Iterator[Read]:
        """Read and parse files; NEW and AGAIN ones belong to the edges of this share.

        Secrets are redacted in a file before it is parsed: stored texts are cut, and a cut could leave half of one.
        """
        wanted = list(wanted)
        secret = bool(redact_text("\n".join(each.path for each in wanted))[1])  # together, which is fast
        for each in wanted:
            yield self._read(each, _unfit(each.path, secret=secret))

    def _read(self, wanted: Wanted, unfit: str) -> Read:
        self._begin()
        path = wanted.path
        body = unfit or source_source.read(self._root, path)
        if isinstance(body, str):
            return Read(SKIPPED, path, body) if body else Read(GONE, path)
        digest = hash_of(body)
        same = digest == wanted.hash
        read = Read(SAME if same else NEW, path, hash=digest, size=len(body), modified=modified(self._root, path))
        if same and not wanted.resolve:
            return read
        language = language_of(path, body[:_START])
        if language is None or not is_readable(language):
            return Read(SKIPPED, path, "of no language that is indexed" if language is None else missing(language))
        late = Deadline()
        try:
            source, encoding, redacted = without_secrets(body, late)
            file = parse(source, language, path, module_name(language, path, self._layout), late)
            file = file if encoding == file.encoding else replace(file, encoding=encoding)
            rows = () if same else rows_of(path, file, source, late)
        except NotSource as error:
            return Read(SKIPPED, path, str(error))
        self._own[path] = file
        if same:
            return read._replace(outcome=AGAIN)
        return read._replace(
            language=file.language,
            lines=file.lines,
            names=names(path, file).pack(),
            outline=pack(file),
            redacted=redacted,
            rows=rows,
        )

    def take(self, outlines: Iterable[tuple[str, str, str, bytes]]) -> None:
        """Add the files that other shares parsed, or that did not change: path, language, module, outline."""
        self._others.update((path, (language, module, packed)) for path, language, module, packed in outlines)

    def edges(self) -> Iterator[tuple[str, list[Relation]]]:
        """Yield the relations that each file of this share states, by path."""
        lazily = len(self._own) * _PART < len(self._others)
        definitions = Definitions(self._project.go_modules, self._project.npm_packages, self._load if lazily else None)
        own = self._own if lazily else self._all()
        for path in sorted({*own, *self._others}):
            if path in own:
                definitions.put(path, own[path])
            else:
                definitions.expect(path, *self._others[path][:2])
        resolution = Resolution(definitions)
        for path in sorted(self._own):
            contained = _containment(path, self._own[path])
            yield path, [*contained, *_relations(definitions, resolution, path)]

    def _all(self) -> dict[str, ParsedFile]:
        """Return all files, loaded at once: nearly all are asked for."""
        found = {path: unpack(packed) for path, (_, _, packed) in self._others.items() if path not in self._own}
        return found | self._own

    def _load(self, paths: Sequence[str]) -> Iterator[tuple[str, ParsedFile]]:
        for path in paths:
            yield path, unpack(self._others[path][2])


def _unfit(path: str, *, secret: bool) -> str:
    """Return why a path, which is stored and shown, cannot be used; "" if it can. `secret`: it may contain a secret."""
    if not path.isprintable():
        return "a name with control characters"
    return "a secret in its name" if secret and redact_text(path)[1] else ""


def without_secrets(body: bytes, late: Deadline) -> tuple[bytes, str, Counts]:
    """Return a file's text without its secrets and in as many lines, its encoding, and the redactions by rule.

    Raises NotSource, also where `late` passes.
    """
    source, encoding = decoded(body)
    text = source.decode("utf-8", "replace")
    pieces: list[str] = []
    done = 0
    found = spans_of(text)
    for start, end, rule in found:
        pieces += (text[done:start], mark_of(rule), "\n" * text.count("\n", start, end))
        done = end
    late.check()
    if not found:
        return source, encoding, ()
    counts = Counter(rule for _, _, rule in found)
    return "".join([*pieces, text[done:]]).encode(), encoding, tuple(sorted(counts.items()))


def modified(root: Path, path: str) -> int:
    """Return when a file was modified, 0 if that is so recent that a later change could have the same time."""
    try:
        at = os.stat(os.path.join(root, path)).st_mtime_ns
    except OSError:
        return 0
    return at if time.time_ns() - at > RACY else 0


def hash_of(body: bytes) -> str:
    """Return a hash that identifies the bytes of a file."""
    return hashlib.blake2b(body, digest_size=16).hexdigest()


def module_of(path: str, language: str, layout: Layout) -> str | None:
    """Return the prefix of a file's qualified names by its place; None where the file itself says it."""
    known: Language = BY_NAME[language]
    return None if known.top == "package" else module_name(known, path, layout)


# --- Relations ---


def _containment(path: str, parsed: ParsedFile) -> Iterator[Relation]:
    """Yield a relation to each symbol from the symbol that contains it, else from the file."""
    own = {symbol.qualified_name for symbol in parsed.symbols}
    seen: set[str] = set()
    for symbol in parsed.symbols:
        if symbol.qualified_name not in seen:
            seen.add(symbol.qualified_name)
            parent = symbol.parent if symbol.parent in own and symbol.parent != symbol.qualified_name else ""
            yield Relation(CONTAINS, path, parent, path, symbol.qualified_name, 1.0, symbol.line, 1)


def _relations(definitions: Definitions, resolution: Resolution, path: str) -> Iterator[Relation]:
    """Yield resolved edges as relations: one for the same two ends, with the greatest confidence and first line."""
    merged: dict[tuple[str, str, str, str, str], tuple[float, int, int]] = {}
    symbols = definitions.files[path].symbols
    late = Deadline()
    for edge in resolution.edges(path):
        if late.passed():
            break
        stated = resolution.subject(path, edge) if edge.subject else None
        if stated is not None:
            source_path, source = stated.path, definitions.files[stated.path].symbols[stated.at].qualified_name
        else:
            source_path, source = path, symbols[edge.scope].qualified_name if edge.scope != MODULE_LEVEL else ""
        target = _target(definitions, edge)
        if (source_path, source) == (edge.target_path, target):
            continue  # a recursive call is no dependency
        key = (edge.relation, source_path, source, edge.target_path, target)
        known = merged.get(key)
        if known is None:
            merged[key] = (edge.confidence, edge.line, 1)
        else:
            confidence, line, count = known
            merged[key] = (max(confidence, edge.confidence), min(line, edge.line), count + 1)
    for key, figures in merged.items():
        yield Relation(*key, *figures)


def _target(definitions: Definitions, edge: Resolved) -> str:
    if edge.target_index == WHOLE_FILE:
        return ""
    return definitions.files[edge.target_path].symbols[edge.target_index].qualified_name
