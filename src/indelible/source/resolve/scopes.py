"""The names of one file by scope: its definitions, imports and bindings."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from indelible.source.parse.symbols import (
    CALLABLE,
    EXTEND,
    IMPLEMENT,
    INHERIT,
    METHOD,
    MODULE,
    MODULE_LEVEL,
    TEST,
    TYPES,
    Binding,
    Import,
    ParsedFile,
    Reference,
)

FAMILIES = {"javascript": "ecmascript", "typescript": "ecmascript", "tsx": "ecmascript", "cpp": "c"}
SEPARATORS = {"rust": "::", "c": "::", "ruby": "::", "php": "\\"}  # of qualified names; "." of the other families
TITLED = frozenset(("ecmascript", "ruby", "scala"))  # a test may have a title, which is no name
BASES = frozenset((INHERIT, IMPLEMENT, EXTEND))

_WORD = re.compile(r"[A-Za-z_$][\w$]*")


class FileScopes:
    """The meaning of a file's names by its own text alone. A scope is an index in `parsed.symbols`, or MODULE_LEVEL."""

    def __init__(self, path: str, parsed: ParsedFile) -> None:
        self.path, self.parsed = path, parsed
        self.symbols = parsed.symbols  # in the order of the text
        self.family = FAMILIES.get(parsed.language, parsed.language)
        self.folder = posixpath.dirname(path)
        self.module = self.identity(parsed.module)
        self._parameters: dict[int, frozenset[str]] = {}
        self._owners: dict[int, str] = {MODULE_LEVEL: ""}
        self._first: dict[str, int] = {}
        self._defined: dict[int, frozenset[str]] = {}

    def identity(self, qualified: str) -> str:
        """Return a qualified name made unique in a codebase: packages of Go in two folders may share theirs."""
        return f"{self.folder}:{qualified}" if self.family == "go" else qualified

    def container(self, scope: int) -> str:
        """Return the identity of the container that a symbol is a member of."""
        return self.identity(self.symbols[scope].parent) if self.symbols[scope].parent else self.module

    def own_identity(self, scope: int) -> str:
        """Return the identity of a symbol."""
        return self.identity(self.symbols[scope].qualified_name)

    @cached_property
    def outer(self) -> list[int]:
        """The index of the symbol around each symbol."""
        found: list[int] = []
        stack: list[int] = []
        for index, symbol in enumerate(self.symbols):
            while stack and self.symbols[stack[-1]].end_byte <= symbol.start_byte:
                stack.pop()
            found.append(stack[-1] if stack else MODULE_LEVEL)
            stack.append(index)
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        """The plain names of all symbols."""
        return frozenset(symbol.name for symbol in self.symbols)

    @cached_property
    def defined(self) -> dict[int, dict[str, int]]:
        """By scope: the symbols directly in it. Of several with one name the first that has a body counts."""
        found: dict[int, dict[str, int]] = defaultdict(dict)
        for index, symbol in enumerate(self.symbols):
            around = self.outer[index]
            if symbol.kind == TEST and self.family in TITLED:
                continue  # its title is no name
            if symbol.parent and (around == MODULE_LEVEL or symbol.parent != self.symbols[around].qualified_name):
                continue  # a method outside of its type
            known = found[around].get(symbol.name)
            if known is None or (self.symbols[known].declared and not symbol.declared):
                found[around][symbol.name] = index
        return found

    @cached_property
    def imported(self) -> dict[int, dict[str, list[Import]]]:
        """By scope: imports by the name that they have in it, "*" for those that bring all."""
        found: dict[int, dict[str, list[Import]]] = defaultdict(lambda: defaultdict(list))
        for each in self.parsed.imports:
            found[each.scope][_local_name(self.family, each)].append(each)
        return found

    @cached_property
    def bound(self) -> dict[int, dict[str, list[Binding]]]:
        """By scope: names whose type is known."""
        found: dict[int, dict[str, list[Binding]]] = defaultdict(lambda: defaultdict(list))
        for each in self.parsed.bindings:
            found[each.scope][each.name].append(each)
        return found

    @cached_property
    def fields(self) -> dict[str, dict[str, list[Binding]]]:
        """By the identity of a type: its fields whose type is known, without `self.` or `this.`."""
        found: dict[str, dict[str, list[Binding]]] = defaultdict(lambda: defaultdict(list))
        for each in self.parsed.bindings:
            head, dot, name = each.name.partition(".")
            if dot and head in ("self", "this", "cls", "$this") and "." not in name:
                found[self.owner(each.scope)][name].append(each)
            elif each.scope != MODULE_LEVEL and self.symbols[each.scope].kind in TYPES:
                found[self.own_identity(each.scope)][each.name].append(each)
        return found

    @cached_property
    def bases(self) -> dict[str, list[Reference]]:
        """By the identity of a type: the types it is stated to inherit, extend or implement, in order."""
        found: dict[str, list[Reference]] = defaultdict(list)
        for each in self.parsed.references:
            if each.kind in BASES and (each.subject or each.scope != MODULE_LEVEL):
                found[self.identity(each.subject) if each.subject else self.own_identity(each.scope)].append(each)
        return found

    def owner(self, scope: int) -> str:
        """Return the identity of the type in whose method (or body) a scope is, "" where there is none."""
        found = self._owners.get(scope)
        if found is None:
            found = self._owners[scope] = self._owner(scope)
        return found

    def _owner(self, scope: int) -> str:
        while scope != MODULE_LEVEL:
            symbol, around = self.symbols[scope], self.outer[scope]
            if symbol.kind in TYPES:
                return self.own_identity(scope)
            apart = around == MODULE_LEVEL or symbol.parent != self.symbols[around].qualified_name
            if symbol.parent and symbol.kind in CALLABLE and apart:
                return self.identity(symbol.parent)
            if symbol.kind == METHOD and around != MODULE_LEVEL and self.symbols[around].kind not in CALLABLE:
                return self.identity(symbol.parent)
            scope = around
        return ""

    def first_of_owner(self, scope: int) -> int:
        """Return the first scope asked for with the same owner, itself where it has none."""
        owner = self.owner(scope)
        return self._first.setdefault(owner, scope) if owner else scope

    def saying(self, scope: int, name: str) -> int:
        """Return the innermost scope from one outwards that defines a name, MODULE_LEVEL where none does.

        A function of Python does not see the names of the class around it.
        """
        start = scope
        while scope != MODULE_LEVEL:
            if scope == start or self.family != "python" or self.symbols[scope].kind not in TYPES:
                there = self._defined.get(scope)
                if there is None:
                    there = self._defined[scope] = self._names_of(scope)
                if name in there or "*" in there:
                    break
            scope = self.outer[scope]
        return scope

    def _names_of(self, scope: int) -> frozenset[str]:
        tables: tuple[Mapping[int, Mapping[str, Any]], ...] = (self.bound, self.defined, self.imported)
        return self._parameters_of(scope).union(*(table[scope] for table in tables if scope in table))

    def namespace(self, scope: int) -> str:
        """Return the identity of the module or namespace around a scope."""
        while scope != MODULE_LEVEL:
            if self.symbols[scope].kind == MODULE:
                return self.own_identity(scope)
            scope = self.outer[scope]
        return self.module

    def is_parameter(self, scope: int, name: str) -> bool:
        """Whether a callable has a parameter of the name, whatever its type."""
        return name in self._parameters_of(scope)

    def _parameters_of(self, scope: int) -> frozenset[str]:
        if scope not in self._parameters:
            symbol = self.symbols[scope]
            start = symbol.signature.find("(", symbol.signature.find(symbol.name))
            written = symbol.signature[start:] if start >= 0 and symbol.kind in CALLABLE else ""
            self._parameters[scope] = _parameters(self.family, written)
        return self._parameters[scope]


@lru_cache(maxsize=1 << 14)  # most tests have `(self)`
def _parameters(family: str, written: str) -> frozenset[str]:
    """Return the names of a callable's parameters, as far as its signature reaches from their bracket on."""
    last = family in ("java", "c", "csharp", "php")  # the name stands after the type
    found: list[str] = []
    depth, part = 0, ""
    for character in written:
        if depth == 1 and character in ",)":
            words = _WORD.findall(part.partition("=")[0] if last else re.split(r"[:=]", part)[0])
            found += words[-1:] if last or family in _BEFORE_COLON else words[:1]
            part = ""
        elif depth == 1 and character not in "([{<":
            part += character
        depth += (character in "([{<") - (character in ")]}>")
        if depth <= 0:
            break
    return frozenset(found)


_BEFORE_COLON = frozenset(("rust", "kotlin", "scala", "swift"))  # the last word there is the name


def _local_name(family: str, each: Import) -> str:
    if each.alias:
        return each.alias
    if each.name or family == "rust":
        return each.name
    if family == "python":
        return each.module.partition(".")[0]
    last = re.sub(r"/v\d+$", "", each.module).rpartition("/")[2]
    return last.rpartition(".")[2] if family == "go" and last.startswith("gopkg") else last


def joined(file: FileScopes, reference: Reference) -> str:
    """Return the path of a reference."""
    if not reference.receiver:
        return reference.name
    separator = "::" if file.family in ("rust", "c") and reference.receiver != "self" else "."
    return f"{reference.receiver}{separator}{reference.name}"
