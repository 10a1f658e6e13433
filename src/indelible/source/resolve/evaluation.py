"""Evaluation of paths of names at a place in a file, by the rules of each language that need no type inference.

A path is evaluated from its head on: the scopes around it with their definitions, imports and bindings, then members
of the result. An unknown name stays unknown: a name that hides another never lets it show through.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from indelible.source.parse.symbols import CALLABLE, METHOD, MODULE_LEVEL, PRIVATE, TEST, TYPES, Import
from indelible.source.resolve import c_linkage, imports, namespaces, types
from indelible.source.resolve.ancestry import Ancestry
from indelible.source.resolve.definition_index import Definitions, Place
from indelible.source.resolve.meaning import EXACT, FIELD, GLOBBED, IMPORTED, INHERITED, TYPED, UNKNOWN, Meaning
from indelible.source.resolve.scopes import TITLED, FileScopes

DEEPEST = 40  # evaluations within one another
NO_RING = 1 << 30
MOST_BASES = 64  # types above one that are looked at

_PART = re.compile(r"::|\.")
_HEAD = re.compile(r"[^.:(\[]*")
_OWN_MEMBERS = frozenset(("java", "c", "csharp", "kotlin", "scala", "swift", "ruby"))  # need no `this` before them
_LEXICAL = frozenset(("python", "ecmascript", "go"))  # a name is looked for in the scopes around it and nowhere else


Key = tuple[str, Any, Any]  # of a file, a place or statement in it, and the question about it


class Evaluation:
    """Paths of one codebase; results are cached, so it is valid until a file changes."""

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions
        self._known: dict[Key, Meaning | None] = {}
        self._begun: dict[Key, int] = {}
        self._members: dict[tuple[str, str, str], Meaning | None] = {}
        self._ring = NO_RING
        self.ancestry = Ancestry(self)
        self.visible: dict[str, frozenset[str]] = {}
        self.includes: dict[str, tuple[str, ...]] = {}
        self.scripts: dict[str, list[Place]] = {}

    # --- Paths ---

    def value(self, file: FileScopes, scope: int, path: str) -> Meaning | None:
        """Return the meaning of a path in a scope; None or an unknown Meaning where that cannot be known."""
        if file.family in _LEXICAL:
            scope = self._deciding(file, scope, path)
        key = (file.path, scope, path)
        if key in self._known:  # as more than half are
            return self._known[key]
        return self._once(key, self._path, file, scope, path)

    def _deciding(self, file: FileScopes, scope: int, path: str) -> int:
        """Return the outermost scope in which a path means the same as in this one.

        Most names in a function are not its own: of 142,000 paths of Django, each in its scope, 73,000 are left.
        """
        head = _HEAD.match(path)[0]  # type: ignore[index]  # it matches everything
        word = _SPECIAL.get(file.family, {}).get(head)
        if word is None:
            return file.saying(scope, head)
        return file.first_of_owner(scope) if word != "super" else scope

    def _once(self, key: Key, evaluated: Callable[..., Meaning | None], *of: Any) -> Meaning | None:
        """Return the cached meaning for a key, else a new one, which is cached.

        A definition by itself has no meaning. That holds only where the ring was entered: a result that is missing
        because an outer evaluation is not done yet is not cached.
        """
        if key in self._known:
            return self._known[key]
        begun = self._begun.get(key, DEEPEST if len(self._begun) >= DEEPEST else None)
        if begun is not None:
            self._ring = min(self._ring, begun)
            return None
        own = self._begun[key] = len(self._begun)
        found = evaluated(*of)
        del self._begun[key]
        if found is not None or self._ring >= own:
            self._known[key] = found
        if self._ring >= own:
            self._ring = NO_RING
        return found

    def _path(self, file: FileScopes, scope: int, path: str) -> Meaning | None:
        parts = _PART.split(path) if file.family != "bash" else [path]
        name, calls = _called(parts.pop(0))
        found = self._called(self._head(file, scope, name, called=bool(calls)), calls)
        if name == "self" and file.family == "rust" and (found is None or path.startswith("self::")):
            found = self.module(file.namespace(scope))
        for part in parts:
            if found is None or found.kind == "unknown":
                return found
            name, calls = _called(part)
            found = self._called(self.member(file.family, found, name), calls)
        return found

    def _called(self, found: Meaning | None, calls: int | None) -> Meaning | None:
        if calls is None:  # an element of it
            return UNKNOWN
        for _ in range(calls):
            if found is None:
                return None
            found = types.result(self, found)
        return found

    # --- The first name of a path ---

    def _head(self, file: FileScopes, scope: int, name: str, *, called: bool) -> Meaning | None:
        special = self._special(file, scope, name, called=called)
        if special is not None:
            return special
        start = scope
        while True:
            hidden_class = scope != start and file.family == "python" and self._is_type(file, scope)
            found = None if hidden_class else self._in_scope(file, scope, name)
            if found is None and scope != MODULE_LEVEL and file.family in _OWN_MEMBERS:
                found = self._own_member(file, scope, name)
            if found is not None:
                return found
            if scope == MODULE_LEVEL:
                return self._around(file, start, name)
            scope = file.outer[scope]

    def _special(self, file: FileScopes, scope: int, name: str, *, called: bool) -> Meaning | None:
        words = _SPECIAL.get(file.family, {})
        word = words.get(name)
        if word is None:
            return None
        if word in ("crate", "parent"):
            namespace = file.namespace(scope)
            return self.module(namespace.partition("::")[0] if word == "crate" else namespace.rpartition("::")[0])
        owner = file.owner(scope)
        if not owner or (word == "super" and file.family == "python" and not called):
            return None if file.family in ("python", "rust") else UNKNOWN
        owner = self.ancestry.whole(file, owner)
        if word == "type":
            return Meaning("symbol", owner, tuple(self.definitions.named.get((file.family, owner), ())), EXACT)
        if word == "super":
            return Meaning("super", owner, (), INHERITED)
        return self.instance(file.family, owner, EXACT)

    def _in_scope(self, file: FileScopes, scope: int, name: str) -> Meaning | None:
        """Return the meaning of a name directly in a scope; unknown for a variable of no known type."""
        bindings = file.bound.get(scope, {}).get(name) if scope in file.bound else None
        defined = file.defined.get(scope, {}).get(name) if scope in file.defined else None
        if defined is not None and (not bindings or scope == MODULE_LEVEL or self._is_type(file, scope)):
            place = Place(file.path, defined)
            return Meaning("symbol", file.own_identity(defined), (place,), EXACT)
        for each in file.imported[scope].get(name, ()) if scope in file.imported else ():
            found = self.imported(file, each)
            if found is not None:
                return found.at_most(IMPORTED)
        if bindings and not self._is_type(file, scope):
            return types.typed(self, file, bindings, TYPED)
        if scope in file.imported and name in file.imported[scope]:
            return UNKNOWN  # from outside
        if scope != MODULE_LEVEL and file.is_parameter(scope, name):
            return UNKNOWN
        return self._globbed(file, scope, name) if scope != MODULE_LEVEL else None

    def _own_member(self, file: FileScopes, scope: int, name: str) -> Meaning | None:
        """Return a member of the type around a method, which needs no `this`."""
        owner = file.owner(scope)
        found = (
            self.member(file.family, self.instance(file.family, self.ancestry.whole(file, owner), EXACT), name)
            if owner
            else None
        )
        if found is not None or not owner or file.outer[scope] != MODULE_LEVEL:
            return found
        return None

    def _around(self, file: FileScopes, scope: int, name: str) -> Meaning | None:
        """Return the meaning of a name at module level: in the package, the namespaces, the whole imports."""
        if file.family == "c":
            return c_linkage.linked(self, file, scope, name)
        if file.family in namespaces.FAMILIES:
            return namespaces.around(self, file, scope, name) or self._globbed(file, MODULE_LEVEL, name)
        if file.family == "rust":
            namespace = file.namespace(scope)
            for module in dict.fromkeys((namespace, file.module)):
                found = self.member("rust", self.module(module), name, own=module == file.module)
                if found is not None:
                    return found
        else:
            found = self.of_container(file.family, file.module, name, file.path)
            if found is not None:
                return found
        found = self._globbed(file, MODULE_LEVEL, name)
        if found is None and file.family in ("rust", "java") and self.definitions.is_module(file.family, name):
            return self.module(name)
        return found

    def _globbed(self, file: FileScopes, scope: int, name: str) -> Meaning | None:
        """Return the meaning by the imports of everything in a scope."""
        for each in file.imported.get(scope, {}).get("*", ()) if scope in file.imported else ():
            whole = self._whole_import(file, each)
            found = self.member(file.family, whole, name) if whole is not None else None
            if found is not None and not (file.family == "python" and name.startswith("_")):
                return found.at_most(GLOBBED)
        return None

    # --- Members ---

    def member(self, family: str, of: Meaning, name: str, *, own: bool = False) -> Meaning | None:
        """Return a member's meaning; `own`: asked by the module itself, which sees names that it does not export."""
        if of.kind == "module":
            found = self._of_module(family, of.identity, name, own=own)
            if found is None and family == "ecmascript" and name != "default":  # the value of `module.exports` has it
                whole = self._of_module(family, of.identity, "default", own=False)
                found = self.member(family, whole, name) if whole is not None and whole.kind == "symbol" else None
        elif of.kind == "super":
            found = self._of_bases(family, of.identity, name, set())
        elif of.kind == "symbol" and self._is_variable(of):
            found = self._of_variable(family, of, name)
        else:
            found = self._inherited(family, of.identity, name)
        return found.at_most(of.confidence) if found is not None else None

    def _of_module(self, family: str, module: str, name: str, *, own: bool) -> Meaning | None:
        if family == "rust" and name == "super":
            return self.module(module.rpartition("::")[0])
        stub: Meaning | None = None
        found = self.of_container(family, module, name, "")
        if found is not None:
            if not found.places or not found.places[0].path.endswith(".pyi"):
                return found
            stub = found  # the module's own definition counts more
        found = self._reexported(family, module, name, own=own) or stub
        if found is not None:
            return found
        below = namespaces.below(family, module, name)
        if below is not None and self.definitions.is_module(family, below):
            return self.module(below)
        return self._exported_whole(family, module, name)

    def _reexported(self, family: str, module: str, name: str, *, own: bool) -> Meaning | None:
        """Return a name that a module imports, where others can import it from there."""
        for path in self.definitions.modules.get((family, module), ()):
            file = self.definitions.files[path]
            for each in file.imported.get(MODULE_LEVEL, {}).get(name, ()):
                found = self.imported(file, each) if each.exported or own or family == "rust" else None
                if found is not None:
                    return found.at_most(IMPORTED)
        return None

    def _exported_whole(self, family: str, module: str, name: str) -> Meaning | None:
        """Return a name that a module exports because it imports all of another."""
        if family not in ("python", "ecmascript", "rust"):
            return None
        for path in self.definitions.modules.get((family, module), ()):
            file = self.definitions.files[path]
            if "*" in file.imported.get(MODULE_LEVEL, {}):
                found = self._once((path, MODULE_LEVEL, f"* {name}"), self._globbed, file, MODULE_LEVEL, name)
                if found is not None:
                    return found
        return None

    def of_container(self, family: str, container: str, name: str, path: str) -> Meaning | None:
        """Return a module's, package's or namespace's own definition; those in the file at `path` come first."""
        places = self.definitions.members.get((family, container), {}).get(name)
        if places and family in TITLED:
            places = [place for place in places if not self._is_title(family, place)]
        if not places:
            return None
        own = [place for place in places if place.path == path]
        ordered = tuple(self._with_body(own or places))
        file, index = self.at(ordered[0])
        if family == "c" and file.symbols[index].kind == "module":
            return self.module(file.own_identity(index))
        if family == "rust" and file.symbols[index].kind == "module":
            return self.module(file.own_identity(index))
        return Meaning("symbol", file.own_identity(index), ordered, EXACT)

    def _inherited(self, family: str, identity: str, name: str) -> Meaning | None:
        """Return a member of a type or its bases; cached unless something it depends on is still being found."""
        key = (family, identity, name)
        if key in self._members:
            return self._members[key]
        found = self._of_type(family, identity, name, set())
        if self._ring == NO_RING and not self.ancestry.pending and len(self._begun) < DEEPEST // 2:
            self._members[key] = found
        return found

    def _of_type(self, family: str, identity: str, name: str, seen: set[str]) -> Meaning | None:
        if identity in seen or len(seen) > MOST_BASES:
            return None
        seen.add(identity)
        for container in (identity, *self.ancestry.apart_of(family).get(identity, ())):
            places = self.definitions.members.get((family, container), {}).get(name)
            kept = [
                place for place in places or () if not (self._is_local(family, place) or self._is_title(family, place))
            ]
            if kept:
                ordered = tuple(self._with_body(kept))
                file, index = self.at(ordered[0])
                return Meaning("symbol", file.own_identity(index), ordered, EXACT)
        for place in self.definitions.named.get((family, identity), ()):
            file = self.definitions.files[place.path]
            if name in file.fields.get(identity, {}):
                return types.typed(self, file, file.fields[identity][name], FIELD)
        return self._of_bases(family, identity, name, seen)

    def _of_bases(self, family: str, identity: str, name: str, seen: set[str]) -> Meaning | None:
        for base in self.ancestry.bases(family, identity):
            found = self._of_type(family, base.identity, name, seen)
            if found is not None:
                return found.at_most(min(INHERITED, base.confidence))
        return None

    def _of_variable(self, family: str, of: Meaning, name: str) -> Meaning | None:
        """Return a member of the value of a module's variable."""
        file, index = self.at(of.places[0])
        bindings = file.bound.get(file.outer[index], {}).get(file.symbols[index].name) or file.bound.get(index, {}).get(
            file.symbols[index].name
        )
        held = types.typed(self, file, bindings, TYPED) if bindings else None
        if held is not None and held.kind == "instance":
            return self.member(family, held, name)
        return self._inherited(family, of.identity, name)

    # --- Imports ---

    def imported(self, file: FileScopes, each: Import, *, whole: bool = False) -> Meaning | None:
        """Return the meaning of an import, None if it is outside. `whole`: the module of `import a.b`, not a."""
        return self._once((file.path, each, whole), imports.imported, self, file, each, whole)

    def _whole_import(self, file: FileScopes, each: Import) -> Meaning | None:
        return self.imported(file, each._replace(name="", alias=""), whole=True)

    # --- Small questions ---

    def at(self, place: Place) -> tuple[FileScopes, int]:
        """Return the file of a symbol, and its index there."""
        return self.definitions.files[place.path], place.at

    def module(self, identity: str) -> Meaning:
        """Return the meaning of a module, package or namespace."""
        return Meaning("module", identity, (), EXACT)

    def instance(self, family: str, identity: str, confidence: float) -> Meaning:
        """Return the meaning of an instance of a type."""
        return Meaning("instance", identity, tuple(self.definitions.named.get((family, identity), ())), confidence)

    def _is_type(self, file: FileScopes, scope: int) -> bool:
        return scope != MODULE_LEVEL and file.symbols[scope].kind in TYPES

    def _is_variable(self, of: Meaning) -> bool:
        file, index = self.at(of.places[0]) if of.places else (None, 0)
        return file is not None and file.symbols[index].kind in ("variable", "constant")

    def _is_local(self, family: str, place: Place) -> bool:
        """Whether a symbol is local to a function, and so cannot be reached by its name."""
        file, index = self.at(place)
        around = file.outer[index]
        symbol = file.symbols[index]
        return around != MODULE_LEVEL and file.symbols[around].kind in CALLABLE and symbol.kind != METHOD

    def _is_title(self, family: str, place: Place) -> bool:
        """Whether a symbol is a test with a title, which is no name."""
        return family in TITLED and self.definitions.files[place.path].symbols[place.at].kind == TEST

    def has_body(self, place: Place) -> bool:
        """Whether a symbol is more than declared."""
        file, index = self.at(place)
        return not file.symbols[index].declared

    def is_private(self, place: Place) -> bool:
        """Whether only its file, class or function sees a symbol."""
        file, index = self.at(place)
        return file.symbols[index].visibility == PRIVATE

    def _with_body(self, places: Sequence[Place]) -> list[Place]:
        if len(places) < 2:
            return list(places)
        return sorted(places, key=lambda place: (place.path.endswith(".pyi"), not self.has_body(place)))


def _called(part: str) -> tuple[str, int | None]:
    """Return a name, and how often it is called; None for calls where an element of it is taken."""
    name, calls = part, 0
    while name.endswith("()"):
        name, calls = name[:-2], calls + 1
    return name.partition("[")[0], None if "[" in name or "(" in name else calls


_SPECIAL = {
    "python": {"self": "instance", "cls": "type", "super": "super"},
    "ecmascript": {"this": "instance", "super": "super"},
    "java": {"this": "instance", "super": "super"},
    "c": {"this": "instance"},
    "csharp": {"this": "instance", "base": "super"},
    "kotlin": {"this": "instance", "super": "super"},
    "scala": {"this": "instance", "super": "super"},
    "swift": {"self": "instance", "Self": "type", "super": "super"},
    "ruby": {"self": "instance"},
    "php": {"$this": "instance", "self": "type", "static": "type", "parent": "super"},
    "rust": {"self": "instance", "Self": "type", "crate": "crate", "super": "parent"},
}
