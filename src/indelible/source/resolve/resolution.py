"""From parsed files to the edges between their symbols: calls, imports, inherits, implements, extends.

A reference that does not resolve makes no edge: calls through variables of unknown type stay unresolved rather than
wrong. The confidence of an edge is by the table in `meaning` (EXACT ... ALONE).
"""

from collections.abc import Iterator
from typing import NamedTuple

from indelible.source.parse.symbols import (
    CALLABLE,
    DECORATOR,
    EXTEND,
    IMPLEMENT,
    INHERIT,
    INTERFACE,
    MODULE_LEVEL,
    TYPE,
    TYPES,
    Import,
    Reference,
)
from indelible.source.resolve import module_paths, overloads
from indelible.source.resolve.definition_index import Definitions, Place
from indelible.source.resolve.evaluation import Evaluation
from indelible.source.resolve.imports import default_export
from indelible.source.resolve.meaning import FIELD, Meaning
from indelible.source.resolve.scopes import BASES, FileScopes, joined

CALLS, IMPORTS, INHERITS, IMPLEMENTS, EXTENDS = "CALLS", "IMPORTS", "INHERITS", "IMPLEMENTS", "EXTENDS"
_Known = dict[tuple[bool, str, str, int, int], tuple[Place, float] | None]  # targets of calls, by all that decides them

WHOLE_FILE = -1  # the index of a target that is a file
NO_PATH = "?"

_PACKAGES = frozenset(("go", "java", "csharp", "kotlin", "scala"))  # an import names many files
_BY_PATH = frozenset(("c", "php", "ruby", "bash"))  # an import names a file by its path
_BY_TARGET = frozenset(("csharp", "kotlin", "scala", "swift"))  # one list of bases: what a base is says how it is used
_RELATIONS = {INHERIT: INHERITS, IMPLEMENT: IMPLEMENTS, EXTEND: EXTENDS}


class Resolved(NamedTuple):
    """An edge from a symbol of a file, or the file itself (MODULE_LEVEL), to a symbol, or a file (WHOLE_FILE).

    `scope` and `target_index` are indices in `ParsedFile.symbols`. `subject` is the qualified name of the source where
    it stands in another file (Rust's impl blocks), else "". `confidence` is 0..1.
    """

    relation: str
    scope: int
    target_path: str
    target_index: int
    confidence: float
    line: int
    subject: str = ""


class Resolution:
    """The edges of a codebase as it is; a change of `definitions` needs a new one."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._evaluation = Evaluation(definitions)

    def edges(self, path: str) -> list[Resolved]:
        """The edges that begin in a file, in the order of its text, those of imports first."""
        file = self._definitions.files[path]
        known: _Known = {}
        named = (
            self._base(file, each) if each.kind in BASES else self._call(file, each, known)
            for each in file.parsed.references
        )
        found = [edge for edge in named if edge is not None]
        reached = {edge.target_path for edge in found}
        return [edge for each in file.parsed.imports for edge in self._used(file, each, reached)] + found

    def _used(self, file: FileScopes, each: Import, reached: set[str]) -> list[Resolved]:
        """Return the edges of an import; for a package of many files only to those that are referred to, or one."""
        edges = list(self._import(file, each))
        if len(edges) < 2 or file.family not in _PACKAGES:
            return edges
        return [edge for edge in edges if edge.target_path in reached] or edges[:1]

    def subject(self, path: str, edge: Resolved) -> Place | None:
        """Return the type that an edge with a `subject` belongs to, None where that is not known."""
        file = self._definitions.files[path]
        identity = self._evaluation.ancestry.whole(file, file.identity(edge.subject))
        places = self._definitions.named.get((file.family, identity), ())
        return next((place for place in places if place.path == path), places[0] if places else None)

    def calls(self, path: str) -> Iterator[tuple[Reference, Resolved]]:
        """The references of a file that call something, each with its edge."""
        file = self._definitions.files[path]
        known: _Known = {}
        for reference in file.parsed.references:
            edge = None if reference.kind in BASES else self._call(file, reference, known)
            if edge is not None:
                yield reference, edge

    def _call(self, file: FileScopes, reference: Reference, known: _Known) -> Resolved | None:
        """Return the edge of a call; `known` are the calls of the file so far: many a function repeats one."""
        kind, name, receiver, line, scope, _, arguments = reference
        if receiver == NO_PATH:
            return None
        key = (kind == DECORATOR, name, receiver, scope, arguments)
        called = known[key] if key in known else known.setdefault(key, self._called(file, reference))
        return Resolved(CALLS, scope, *called[0], called[1], line) if called is not None else None

    def _called(self, file: FileScopes, reference: Reference) -> tuple[Place, float] | None:
        """Return the target of a call, and its confidence."""
        scope = reference.scope
        around = file.outer[scope] if reference.kind == DECORATOR and scope != MODULE_LEVEL else scope
        found = None
        if reference.kind == DECORATOR and file.family == "csharp":  # `[Key]` is KeyAttribute, or Key
            whole = reference._replace(name=f"{reference.name}Attribute")
            found = self._evaluation.value(file, around, joined(file, whole))
        found = found or self._evaluation.value(file, around, joined(file, reference))
        if found is not None and found.kind == "super" and file.family != "python":
            found = self._evaluation.ancestry.superclass(file.family, found.identity)
        if found is not None and found.kind == "module" and file.family == "ecmascript":
            found = default_export(self._evaluation, found.identity, reference.name)
        found = overloads.callee(self._evaluation, file, reference, found) if found is not None else None
        place = self._target(file, found)
        if found is None or place is None:
            return None
        return place, self._confidence(found, place)

    def _target(self, file: FileScopes, found: Meaning | None) -> Place | None:
        if found is None or found.kind != "symbol" or not found.places:
            return None
        return overloads.nearest(self._evaluation, file, found.places)

    def _confidence(self, found: Meaning, place: Place) -> float:
        kind = self._definitions.files[place.path].symbols[place.at].kind
        called = kind in CALLABLE or kind in TYPES or kind == TYPE
        return found.confidence if called else min(found.confidence, FIELD)  # the value of a variable is called

    def _base(self, file: FileScopes, reference: Reference) -> Resolved | None:
        found = self._evaluation.ancestry.base(file, reference)
        place = self._target(file, found)
        if found is None or place is None or place == (file.path, reference.scope):
            return None
        relation = _RELATIONS[reference.kind]
        if file.family in _BY_TARGET and self._kind_of(place) == INTERFACE:
            stated = reference.scope if not reference.subject else MODULE_LEVEL
            own = file.symbols[stated].kind if stated != MODULE_LEVEL else ""
            relation = EXTENDS if own == INTERFACE else IMPLEMENTS
        return Resolved(relation, reference.scope, *place, found.confidence, reference.line, reference.subject)

    def _kind_of(self, place: Place) -> str:
        return self._definitions.files[place.path].symbols[place.at].kind

    def _import(self, file: FileScopes, each: Import) -> Iterator[Resolved]:
        """Yield edges from the file to its imports: a symbol, or the file of a module."""
        if not each.module:
            return  # its own default export
        if each.module[:1] in ('"', "<") and file.family in _BY_PATH:
            included = module_paths.included(self._definitions, file, each.module)
            targets = [(included, WHOLE_FILE, 1.0)] if included is not None and included != file.path else []
        else:
            found = self._evaluation.imported(file, each, whole=True)
            place = self._target(file, found)
            if found is None:
                return
            if place is not None:
                targets = [(*place, found.confidence)]
            else:
                paths = self._definitions.modules.get((file.family, found.identity), ())
                targets = [(path, WHOLE_FILE, 1.0) for path in paths if path != file.path and _is_of_package(path)]
        for path, index, confidence in targets:
            yield Resolved(IMPORTS, MODULE_LEVEL, path, index, confidence, each.line)


def _is_of_package(path: str) -> bool:
    return not path.endswith("_test.go")
