"""The stored form of a parsed file: its packed outline, and the names by which others' changes affect it."""

import json
import posixpath
import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from zlib import crc32

from indelible.dataclass import dataclass
from indelible.source.parse.symbols import CALLABLE, MODULE_LEVEL, TYPES, Binding, Import, ParsedFile, Reference, Symbol
from indelible.source.resolve.scopes import BASES, FAMILIES
from indelible.source.resolve.types import return_type

LEVEL = 1  # of zlib: more takes longer than it saves
_HEAD = struct.Struct("<6I")
_NO_MODULE = ("..", ".")  # at the beginning of paths
_MAIN_FILES = frozenset(("index", "__init__", "mod", "main", "lib"))  # that go by the name of their folder
_STATED = ("self", "this", "cls", "$this")
_NAME, _RECEIVER, _SUBJECT = attrgetter("name"), attrgetter("receiver"), attrgetter("subject")


def pack(parsed: ParsedFile) -> bytes:
    """Return the outline of a file as bytes: the part that others need to resolve theirs, as JSON, compressed.

    That leaves out its references, the texts inside its symbols, and names local to its functions. A codebase of which
    most files did not change is composed of outlines; only the files whose edges are asked for are needed whole.
    """
    kept = [
        *(parsed.language, parsed.module, parsed.package),
        [(*each[:4], *each[5:14]) for each in parsed.symbols],  # without doc and body_hash
        [each for each in parsed.references if each.kind in BASES],
        *(parsed.imports, [each for each in parsed.bindings if not _is_local(parsed, each)]),
        *(parsed.lines, parsed.is_test, parsed.errors, parsed.cut, parsed.encoding),
    ]
    return zlib.compress(_encode(kept).encode(), LEVEL)


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def unpack(packed: bytes) -> ParsedFile:
    """Return the outline that `pack` packed. Raises ValueError for invalid bytes."""
    try:
        language, module, package, symbols, references, imports, bindings, *figures = json.loads(
            zlib.decompress(packed)
        )
        lines, is_test, errors, cut, encoding = figures
        return ParsedFile(
            *(language, module, package),
            tuple([Symbol._make((*each[:4], "", *each[4:], "")) for each in symbols]),
            tuple([Reference(*each) for each in references]),
            tuple([Import(*each) for each in imports]),
            tuple([Binding(*each) for each in bindings]),
            *(lines, is_test, errors, cut, encoding),
        )
    except (TypeError, KeyError, zlib.error) as error:
        raise ValueError(f"the outline of a file is damaged: {error}") from error


# --- Names ---


@lru_cache(maxsize=1 << 16)
def hashed(name: str) -> int:
    """Return a name as 32 bits. A collision makes a file be resolved again in vain, and nothing worse."""
    return crc32(name.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Names:
    """The names by which a file depends on others, as hashes.

    `looked_up` are the plain names that it looks up. `stated` are pairs: a name that the file defines, and one that it
    depends on (a base, its result, the type of a field, its import): a change of the second may change the first.
    `extended` are types elsewhere that it adds members to (Rust's impls), `types` its own that others may extend.
    `module` is the prefix of its qualified names; `references` counts all its references.
    """

    module: str
    references: int
    looked_up: frozenset[int]
    stated: tuple[tuple[int, int], ...]
    extended: frozenset[int]
    types: frozenset[int]

    def pack(self) -> bytes:
        """These as bytes."""
        module = self.module.encode("utf-8", "surrogatepass")
        flat = [*sorted(self.looked_up), *(each for pair in self.stated for each in pair)]
        flat += [*sorted(self.extended), *sorted(self.types)]
        counts = (len(self.looked_up), len(self.stated), len(self.extended), len(self.types))
        return _HEAD.pack(len(module), self.references, *counts) + module + _little(array("I", flat)).tobytes()

    @classmethod
    def unpack(cls, packed: bytes) -> "Names":
        """Return the names that `pack` packed. Raises ValueError for invalid bytes."""
        try:
            size, references, *counts = _HEAD.unpack_from(packed)
            start = _HEAD.size + size
            numbers = array("I")
            numbers.frombytes(packed[start:])
        except struct.error as error:
            raise ValueError(f"the names of a file are damaged: {error}") from error
        flat = _little(numbers)
        looked, pairs, extended_end = counts[0], counts[0] + 2 * counts[1], counts[0] + 2 * counts[1] + counts[2]
        return cls(
            packed[_HEAD.size : start].decode("utf-8", "surrogatepass"),
            references,
            frozenset(flat[:looked]),
            tuple(zip(flat[looked:pairs:2], flat[looked + 1 : pairs : 2], strict=True)),
            frozenset(flat[pairs:extended_end]),
            frozenset(flat[extended_end:]),
        )


def module_in(packed: bytes) -> str:
    """`Names.module` of packed names, without the rest."""
    (size,) = struct.unpack_from("<I", packed)
    return packed[_HEAD.size : _HEAD.size + size].decode("utf-8", "surrogatepass")


def references_in(packed: bytes) -> int:
    """`Names.references` of packed names, without the rest."""
    return int(_HEAD.unpack_from(packed)[1])


def _little(numbers: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def names(path: str, parsed: ParsedFile) -> Names:
    """The names of a file, see `Names`."""
    written = {*map(_NAME, parsed.references), *map(_RECEIVER, parsed.references), *map(_SUBJECT, parsed.references)}
    written |= {each.type for each in parsed.bindings} | {each.name for each in parsed.imports}
    looked_up = set(chain.from_iterable(map(_parts, written)))
    if parsed.language == "bash":
        looked_up |= written  # `log::all` is one name
    for each in parsed.imports:
        looked_up.update(module_parts(path, parsed, each.module))
    if any(not each.name for each in parsed.imports):
        looked_up.add("default")  # `require` returns the export of the whole module
    stated = {(name, of) for name, of in _stated(path, parsed) if name != of}
    looked_up.update(of for _, of in stated)
    extended, types = _extended(parsed)
    return Names(
        module=parsed.module,
        references=len(parsed.references),
        looked_up=frozenset(map(hashed, looked_up)),
        stated=tuple(sorted((hashed(name), hashed(of)) for name, of in stated)),
        extended=frozenset(map(hashed, extended)),
        types=frozenset(map(hashed, types)),
    )


@lru_cache(maxsize=1 << 16)
def _parts(name: str) -> tuple[str, ...]:
    """Return the plain names in a path of names."""
    if name.isidentifier():
        return (name,)
    plain = tuple(name.translate(_SEPARATORS).split())
    return plain if name.isascii() and name[-1:].isalnum() and "-" not in name else (*plain, name)


_SEPARATORS = str.maketrans(dict.fromkeys(".:/()[]<>\"'!?&* \\", " "))


def module_parts(path: str, parsed: ParsedFile, module: str) -> Iterable[str]:
    """Yield the plain names by which an import names a module: a relative one's are found from the file's place."""
    family = FAMILIES.get(parsed.language, parsed.language)
    if family == "python" and module.startswith("."):
        name = module.lstrip(".")
        package = parsed.module.split(".")
        up = len(module) - len(name) - (posixpath.basename(path) in ("__init__.py", "__init__.pyi"))
        return [*package[: max(0, len(package) - up)][-1:], *_parts(name)]
    if module.startswith(_NO_MODULE):
        return _parts(posixpath.normpath(posixpath.join(posixpath.dirname(path), module)))
    return _parts(module)


def _stated(path: str, parsed: ParsedFile) -> Iterator[tuple[str, str]]:
    family = FAMILIES.get(parsed.language, parsed.language)
    for symbol in parsed.symbols:
        if symbol.kind in CALLABLE and (written := return_type(family, symbol.signature, symbol.name)):
            yield from ((symbol.name, part) for part in _parts(written))
    for reference in parsed.references:
        if reference.kind in BASES:
            of = reference.subject or (parsed.symbols[reference.scope].name if reference.scope != MODULE_LEVEL else "")
            for named in (*_parts(reference.name), *_parts(reference.receiver)):
                yield last_part(of), named
    for binding in parsed.bindings:
        if is_shared(parsed, binding):
            yield from ((last_part(binding.name), named) for named in _parts(binding.type))
    for each in parsed.imports:
        if each.scope == MODULE_LEVEL:
            module = list(module_parts(path, parsed, each.module))
            local = [each.alias or each.name] if each.name not in ("", "*") else list(file_names(path, parsed.module))
            local += [each.alias] if each.alias else []
            yield from ((name, named) for name in local for named in (*_parts(each.name), *module))


def is_shared(parsed: ParsedFile, binding: Binding) -> bool:
    """Whether other files may use the value of a name: a field, or a variable of a module."""
    if binding.scope == MODULE_LEVEL or parsed.symbols[binding.scope].kind in TYPES:
        return True
    return binding.name.partition(".")[0] in _STATED and "." in binding.name


def _is_local(parsed: ParsedFile, binding: Binding) -> bool:
    """Whether a name's value is local to a function. (The variable itself is the scope of `x = Store()`.)"""
    return not is_shared(parsed, binding) and parsed.symbols[binding.scope].kind in CALLABLE


def last_part(path: str) -> str:
    """Return the last of the plain names in a path of names, "" without one."""
    return (_parts(path) or ("",))[-1]


def file_names(path: str, module: str) -> set[str]:
    """Return the plain names by which others name a file or its module."""
    folder, _, base = path.rpartition("/")
    stem = base.partition(".")[0]
    found = {stem, last_part(module)}
    if stem in _MAIN_FILES:
        found.add(folder.rpartition("/")[2])
    return found - {""}


def _extended(parsed: ParsedFile) -> tuple[set[str], set[str]]:
    """Return (types elsewhere that a file adds members to, own types that others may add members to)."""
    if parsed.language != "rust":
        return set(), set()
    own = {symbol.qualified_name for symbol in parsed.symbols}
    subjects = {each.subject for each in parsed.references if each.subject}
    return {last_part(each) for each in subjects - own}, {each.name for each in parsed.symbols if each.kind in TYPES}
