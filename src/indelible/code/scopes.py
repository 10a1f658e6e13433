"""The names of one file by where they hold: what each scope defines, imports and binds."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from indelible.code.symbols import (
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
    Symbol,
)

FAMILIES = {"javascript": "ecmascript", "typescript": "ecmascript", "tsx": "ecmascript", "cpp": "c"}
BASES = frozenset((INHERIT, IMPLEMENT, EXTEND))

_WORD = re.compile(r"[A-Za-z_$][\w$]*")


class FileScopes:
    """What the names in a file mean by its own text alone. A scope is an index in `parsed.symbols`, or MODULE_LEVEL."""

    def __init__(self, path: str, parsed: ParsedFile) -> None:
        self.path, self.parsed = path, parsed
        self.family = FAMILIES.get(parsed.language, parsed.language)
        self.folder = posixpath.dirname(path)
        self.module = self.identity(parsed.module)
        self._parameters: dict[int, frozenset[str]] = {}

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Those of the file, in the order of its text."""
        return self.parsed.symbols

    def identity(self, qualified: str) -> str:
        """A qualified name that is unique in a codebase: packages of Go in two folders may share theirs."""
        return f"{self.folder}:{qualified}" if self.family == "go" else qualified

    def container(self, scope: int) -> str:
        """The identity of what a symbol is a member of."""
        return self.identity(self.symbols[scope].parent) if self.symbols[scope].parent else self.module

    def own_identity(self, scope: int) -> str:
        """The identity of a symbol."""
        return self.identity(self.symbols[scope].qualified_name)

    @cached_property
    def outer(self) -> list[int]:
        """The symbol that each symbol stands in."""
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
        """By scope: the symbols that stand right in it. Of several with one name the first that has a body counts."""
        found: dict[int, dict[str, int]] = defaultdict(dict)
        for index, symbol in enumerate(self.symbols):
            around = self.outer[index]
            if symbol.kind == TEST and self.family == "ecmascript":
                continue  # its title is no name
            if symbol.parent and (around == MODULE_LEVEL or symbol.parent != self.symbols[around].qualified_name):
                continue  # a method that stands outside of its type
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
            if dot and head in ("self", "this", "cls") and "." not in name:
                found[self.owner(each.scope)][name].append(each)
            elif each.scope != MODULE_LEVEL and self.symbols[each.scope].kind in TYPES:
                found[self.own_identity(each.scope)][each.name].append(each)
        return found

    @cached_property
    def bases(self) -> dict[str, list[Reference]]:
        """By the identity of a type: what it is said to inherit, extend or implement, in order."""
        found: dict[str, list[Reference]] = defaultdict(list)
        for each in self.parsed.references:
            if each.kind in BASES and (each.subject or each.scope != MODULE_LEVEL):
                found[self.identity(each.subject) if each.subject else self.own_identity(each.scope)].append(each)
        return found

    def owner(self, scope: int) -> str:
        """The identity of the type in whose method (or body) a scope is, "" where there is none."""
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

    def space(self, scope: int) -> str:
        """The identity of the module or namespace around a scope."""
        while scope != MODULE_LEVEL:
            if self.symbols[scope].kind == MODULE:
                return self.own_identity(scope)
            scope = self.outer[scope]
        return self.module

    def is_parameter(self, scope: int, name: str) -> bool:
        """Whether a callable has a parameter of the name, whatever its type."""
        if self.symbols[scope].kind not in CALLABLE:
            return False
        if scope not in self._parameters:
            self._parameters[scope] = frozenset(_parameters(self.family, self.symbols[scope]))
        return name in self._parameters[scope]


def _parameters(family: str, symbol: Symbol) -> Iterator[str]:
    """The names of a callable's parameters, as far as its signature reaches."""
    last = family in ("java", "c")  # the name stands after the type
    start = symbol.signature.find("(", symbol.signature.find(symbol.name))
    depth, part = 0, ""
    for character in symbol.signature[start:] if start >= 0 else "":
        if depth == 1 and character in ",)":
            words = _WORD.findall(part.partition("=")[0] if last else re.split(r"[:=]", part)[0])
            yield from words[-1:] if last else words[:1] if family != "rust" else words[-1:]
            part = ""
        elif depth == 1 and character not in "([{<":
            part += character
        depth += (character in "([{<") - (character in ")]}>")
        if depth <= 0:
            return


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
    """The path of a reference."""
    if not reference.receiver:
        return reference.name
    separator = "::" if file.family in ("rust", "c") and reference.receiver != "self" else "."
    return f"{reference.receiver}{separator}{reference.name}"
