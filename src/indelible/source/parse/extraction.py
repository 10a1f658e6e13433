"""From the matches of a query in a tree to symbols, references, imports and bindings.

The tree is never walked here: one pass over the matches, one over the definitions in the order of the text.
"""

import bisect
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from tree_sitter import Node

from indelible.dataclass import dataclass
from indelible.source.parse import comments, token_trees
from indelible.source.parse.conventions import Definition, Scope, is_test_file
from indelible.source.parse.deadline import Deadline
from indelible.source.parse.definitions import Captures, body_hash, definition, signature, string
from indelible.source.parse.languages import Language
from indelible.source.parse.names import LONGEST, NO_PATH, callee, type_path
from indelible.source.parse.symbols import (
    CALL,
    CALLABLE,
    CLASS,
    CONSTANT,
    FUNCTION,
    IMPLEMENT,
    MACRO,
    METHOD,
    MODULE,
    MODULE_LEVEL,
    PRIVATE,
    TEST,
    TYPES,
    VARIABLE,
    Binding,
    Import,
    ParsedFile,
    Reference,
    Symbol,
)

MOST_SYMBOLS = 20_000  # of a file
MOST_REFERENCES = 50_000
DEEPEST = 48  # symbols in one another; deeper ones are no symbols of their own
LONGEST_STATEMENT = 20_000  # bytes of an import
TYPE_SCOPE = "impl"  # of Rust: qualifies, and functions in it are methods


@dataclass(frozen=True, slots=True)
class Role:
    """The role of a query's pattern: `definition.class` has the group definition and the kind class."""

    group: str
    kind: str
    capture: str
    LEADING: ClassVar[frozenset[str]] = frozenset(("wrapper", "import", "package", "export", "access"))


@dataclass(frozen=True, slots=True)
class Captured:
    """The matches of a query in a file: `roles` by the index of their patterns; `cut`: not all; `errors` of syntax."""

    matches: list[tuple[int, Captures]]
    roles: tuple[Role, ...]
    cut: bool
    errors: bool


def extract(
    text: bytes, captured: Captured, language: Language, path: str, module: str, encoding: str, late: Deadline
) -> ParsedFile:
    """Return the definitions and references of a file, by its text and captures. Raises NotSource if `late` passes."""
    found = _Found(captured)
    package = _package(text, found, language)
    in_test = is_test_file(language.family, path)
    sweep = _Sweep(text, language, package or module, in_test, late)
    sweep.run(found)
    places = _Places(sweep.symbols, sweep.parents)
    references = _references(text, found, places, language)
    references += sweep.implementations(places)
    references += _in_macros(text, found, places)
    late.check()
    return ParsedFile(
        language=language.name,
        module=package or module,
        package=package,
        symbols=tuple(sweep.symbols),
        references=tuple(references),
        imports=tuple(_imports(text, found, places, language, late)),
        bindings=tuple(_bindings(text, found, places, language)),
        lines=text.count(b"\n") + (not text.endswith(b"\n") and bool(text)),
        is_test=in_test,
        errors=captured.errors,
        cut=captured.cut or sweep.cut or len(found.of("reference")) > MOST_REFERENCES,
        encoding=encoding,
    )


def _package(text: bytes, found: "_Found", language: Language) -> str:
    """Return the package that a file states, "" where it states none; of several clauses of Scala all together."""
    clauses = [string(text, captures["package"][0]) for _, captures in found.of("package")]
    return language.separator.join(clauses if language.family == "scala" else clauses[:1])


class _Found:
    """The matches by the group of their patterns, in the order they were found."""

    def __init__(self, captured: Captured) -> None:
        self.roles = captured.roles
        groups: dict[str, list[tuple[int, Captures]]] = {role.group: [] for role in captured.roles}
        into = [groups[role.group] for role in captured.roles]
        for match in captured.matches:
            into[match[0]].append(match)
        self._groups = groups

    def of(self, group: str) -> list[tuple[int, Captures]]:
        return self._groups.get(group, [])


class _Places:
    """The innermost symbol around a byte."""

    def __init__(self, symbols: list[Symbol], parents: list[int]) -> None:
        self.starts = [symbol.start_byte for symbol in symbols]
        self.ends = [symbol.end_byte for symbol in symbols]
        self.parents = parents

    def scope(self, byte: int) -> int:
        index = bisect.bisect_right(self.starts, byte) - 1
        while index >= 0 and self.ends[index] <= byte:
            index = self.parents[index]
        return index


# --- Symbols ---


class _Sweep:
    """The definitions of a file in the order of its text, with a stack of the scopes around the current one."""

    def __init__(self, text: bytes, language: Language, top: str, in_test: bool, late: Deadline) -> None:
        self.symbols: list[Symbol] = []
        self.parents: list[int] = []
        self.cut = False
        self._text = text
        self._language = language
        self._in_test = in_test
        self._late = late
        self._root = Scope("", "", top, len(text) + 1, MODULE_LEVEL)
        self._namespaces: set[str] = set()
        self._classes: set[str] = set()
        self._exports: set[str] = set()
        self._implementations: list[tuple[Node, str]] = []

    def run(self, found: _Found) -> None:
        """Fill `symbols` and `parents` (the index of the symbol that each stands in)."""
        self._exports = {string(self._text, captures["export"][0]) for captures in self._exporting(found)}
        entries: list[tuple[int, int, int, Definition | tuple[Role, Captures]]] = []
        for made in self._definitions(found):
            entries.append((made.outer_start, -made.end, 1, made))
        for pattern, captures in (*found.of("scope"), *found.of("access")):
            role = found.roles[pattern]
            node = captures[role.capture][0]
            entries.append((node.start_byte, -node.end_byte, 0, (role, captures)))
        entries.sort(key=lambda entry: entry[:3])
        stack = [self._root]
        last = (-1, 0)
        for start, end, _, entry in entries:
            while stack[-1].end <= start or (last == (start, end) and isinstance(entry, Definition) and len(stack) > 1):
                stack.pop()  # one at the very same place (`const A, B = 1, 2`) stands beside, not in it
                last = (-1, 0)
            self._late.tick()
            if len(stack) > DEEPEST or len(self.symbols) >= MOST_SYMBOLS:
                self.cut = True
                continue
            pushed = self._symbol(entry, stack[-1]) if isinstance(entry, Definition) else self._scope(*entry, stack[-1])
            if pushed is not None:
                stack.append(pushed)
                last = (start, end) if isinstance(entry, Definition) else last

    def implementations(self, places: _Places) -> Iterator[Reference]:
        """Traits that are implemented for types (Rust)."""
        for node, subject in self._implementations:
            path = type_path(string(self._text, node))
            name, receiver = callee(path) if path else ("", "")
            if name:
                line, scope = node.start_point[0] + 1, places.scope(node.start_byte)
                yield Reference(IMPLEMENT, name, receiver, line, scope, subject)

    def _exporting(self, found: _Found) -> Iterator[Captures]:
        """Yield the matches that export a name: assignments only where they are to CommonJS's `exports`."""
        for _, captures in found.of("export"):
            callee_ = captures.get("callee")
            if callee_ is None or _EXPORTS.match(self._text, callee_[0].start_byte, callee_[0].end_byte):
                yield captures

    def _definitions(self, found: _Found) -> Iterator[Definition]:
        wrappers = {captures["wrapped"][0].start_byte: captures["wrapper"][0] for _, captures in found.of("wrapper")}
        best: dict[tuple[int, int, str], Definition] = {}
        for pattern, captures in found.of("definition"):
            self._late.tick()
            role = found.roles[pattern]
            made = definition(self._text, role.kind, captures[role.capture][0], captures)
            if made is None:
                continue
            if (wrapper := wrappers.get(made.start)) is not None:
                made.outer_start, made.start_row = wrapper.start_byte, wrapper.start_point[0]
                if _OVERLOAD.search(self._text, made.outer_start, made.start):
                    made.declared, made.body_start = True, -1
            if self._language.family == "c":
                self._note_container(made)
            key = (made.start, made.end, made.name)
            if key not in best or best[key].kind in (VARIABLE, CONSTANT):
                best[key] = made
        return iter(best.values())

    def _note_container(self, made: Definition) -> None:
        """Note what the text shows of C++: a namespace, or that the name before a function is that of a class."""
        if made.kind == MODULE:
            self._namespaces.update(made.name.split("::"))
        elif made.kind == FUNCTION and made.qualifier:
            around = made.qualifier.rpartition("::")[2]
            own = made.name.removeprefix("~") == around
            if own or _OF_OBJECT.search(self._text, made.start, max(made.start, made.body_end)):
                self._classes.add(around)

    def _is_method(self, around: str) -> bool:
        """Whether what is defined as `around::name` belongs to a class.

        Where nothing in the file tells, a name in lower case is taken for that of a namespace: so most styles have it.
        """
        return around in self._classes or (around not in self._namespaces and not around.islower())

    def _scope(self, role: Role, captures: Captures, around: Scope) -> Scope | None:
        """Return a scope that is no symbol: an impl block, an anonymous namespace. Notes a section of a C++ class."""
        node = captures[role.capture][0]
        if role.group == "access":
            around.access = string(self._text, node)
            return None
        if role.kind == "anonymous":
            return Scope(MODULE, "", around.qualified, node.end_byte, around.index, PRIVATE, around.in_function)
        written = string(self._text, captures["name"][0])
        name = type_path(written).rpartition("::")[2] or re.sub(r"\s+", " ", written)[:100]
        qualified = self._join(around.qualified, name)
        if trait := captures.get("trait"):
            self._implementations.append((trait[0], qualified))
        return Scope(
            *(TYPE_SCOPE, name, qualified, node.end_byte, around.index),
            in_function=False,
            is_test=around.is_test,
            of_trait=role.kind == "implementation",
        )

    def _symbol(self, made: Definition, scope: Scope) -> Scope | None:
        if made.kind == MACRO or (made.kind == CONSTANT and self._text.startswith(b"#", made.start)):
            scope = self._root if self._language.family == "c" else scope
        if not self._is_wanted(made, scope):
            return None
        text, language = self._text, self._language
        made.signature = signature(text, made)
        made.kind = self._kind(made, scope)
        made.exported = made.exported or made.name in self._exports
        doc = self._doc(made)
        tested = language.is_test(made, scope, self._in_test)
        kind = TEST if tested and made.kind in CALLABLE else made.kind
        parent = self._join(scope.qualified, made.qualifier) if made.qualifier else scope.qualified
        qualified = self._join(parent, made.name)
        visibility = PRIVATE if scope.in_function else language.visibility(made, scope)
        is_test = tested or scope.is_test
        self.parents.append(scope.index)
        self.symbols.append(
            Symbol(
                *(kind, made.name, qualified, made.signature, doc, visibility),
                *(made.line + 1, made.start_row + 1, made.end_row + 1, made.outer_start, made.end),
                parent if parent != self._root.qualified else "",
                *(is_test, made.declared and made.kind in CALLABLE, body_hash(text, made)),
            )
        )
        in_function = scope.in_function or (made.kind in (FUNCTION, METHOD) and not made.case)
        return Scope(
            *(made.kind, made.name, qualified, made.end, len(self.symbols) - 1, visibility, in_function, is_test),
            tests=tested and made.kind == CLASS,
        )

    def _is_wanted(self, made: Definition, scope: Scope) -> bool:
        """Whether it is to be indexed: no variable of a function, not every attribute of a Python class, no import."""
        if made.kind == TEST:
            return self._in_test
        if made.kind not in (VARIABLE, CONSTANT):
            return True
        if (
            scope.in_function
            or scope.kind in (VARIABLE, CONSTANT, TEST)
            or (made.name.startswith("__") and made.name.endswith("__"))
        ):
            return False
        if self._language.family == "python" and scope.kind == CLASS:
            return (
                made.name.isupper()
                or _ENUM_BASE.search(self.symbols[scope.index].signature.partition("(")[2]) is not None
            )
        if self._language.family == "ecmascript":
            return b"require(" not in self._text[made.start : min(made.end, made.start + LONGEST)]
        return True

    def _kind(self, made: Definition, scope: Scope) -> str:
        family = self._language.family
        if self._language.kind is not None:
            made.kind = self._language.kind(made, scope)
        if made.case:
            return TEST
        if made.kind == FUNCTION and (scope.kind in TYPES or scope.kind == TYPE_SCOPE):
            return METHOD
        if made.kind == FUNCTION and made.qualifier and self._is_method(made.qualifier.rpartition("::")[2]):
            return METHOD
        if made.kind == VARIABLE and (made.name.isupper() or (family == "c" and _CONSTANT.match(made.signature))):
            return CONSTANT
        return made.kind

    def _doc(self, made: Definition) -> str:
        """Return the documentation; also sets the attributes above and the head of the line in `made`."""
        text, style = self._text, self._language.comments
        if style.docstrings:
            return comments.docstring(text, made.body_start, made.body_end) if made.body_start >= 0 else ""
        line_start = text.rfind(b"\n", 0, made.outer_start) + 1
        made.head = text[max(line_start, made.outer_start - LONGEST) : made.outer_start].decode("utf-8", "replace")
        made.above = made.head
        if _SOMETHING_ELSE.search(_ATTRIBUTE.sub("", made.head)):
            return ""
        doc, between = comments.above(text, line_start, style)
        made.above = between.decode("utf-8", "replace") + made.head
        return doc

    def _join(self, parent: str, name: str) -> str:
        return f"{parent}{self._language.separator}{name}" if parent else name


# Of a head, which has at most LONGEST bytes: the bound leaves nothing out, and keeps the work in proportion to a text.
_ATTRIBUTE = re.compile(rf"#\[[^\]]{{0,{LONGEST}}}+\]|@[\w.]+(?:\([^()]*\))?")
_SOMETHING_ELSE = re.compile(r"[{(,]")  # a comment above the line is about something else
_OVERLOAD = re.compile(rb"@\s*(?:\w+\.)*overload\b")  # of Python's typing: the body follows with the last of them
_OF_OBJECT = re.compile(rb"\bthis\b|\)\s*(?:const|override|final)\b(?=\s*+(?:(?:noexcept|override|final)\s*+)?[{:])")
_CONSTANT = re.compile(r"(?:[\w:]+ )*?(?:const|constexpr|constinit)\b")
_WHOLE = frozenset(("module.exports", "exports"))
_EXPORTS = re.compile(rb"(module\s*\.\s*)?exports\b")
_ENUM_BASE = re.compile(r"(?:Enum|Flag|Choices)\b")


# --- References, imports, bindings ---


def _references(text: bytes, found: _Found, places: _Places, language: Language) -> list[Reference]:
    """Return the references; half the time of an extraction is spent here, hence the few calls."""
    roles, scope, new = found.roles, places.scope, tuple.__new__  # twice as fast as calling the class
    named, counts_arguments = language.named or _named, language.family == "java"
    made: list[Reference] = []
    for pattern, captures in found.of("reference")[:MOST_REFERENCES]:
        role = roles[pattern]
        node = captures[role.capture][0]
        start = node.start_byte
        last, subject = node, ""
        if len(captures) > 1:
            last = captures["name"][0] if "name" in captures else node
            subject = type_path(string(text, captures["subject"][0])) if "subject" in captures else ""
        name, receiver = named(text[start : last.end_byte])
        if not name or (role.kind == "component" and not name[0].isupper()):
            continue
        kind = CALL if role.kind == "component" else role.kind
        count = _arguments(node) if counts_arguments and node.type == "method_invocation" else -1
        made.append(new(Reference, (kind, name, receiver, last.end_point[0] + 1, scope(start), subject, count)))
    return made


def _in_macros(text: bytes, found: _Found, places: _Places) -> Iterator[Reference]:
    """Return the calls in the token trees of macros (Rust)."""
    tokens = [captures for _, captures in found.of("token")[:MOST_REFERENCES]]
    macros = (captures for _, captures in found.of("reference") if "tree" in captures) if tokens else ()
    trees = ((captures["reference.macro"][0], captures["tree"][0]) for captures in macros)
    return token_trees.calls(text, trees, tokens, places.scope)


@lru_cache(maxsize=1 << 15)
def _named(written: bytes) -> tuple[str, str]:
    """Return (name, receiver) of a reference; of a long chain only the name."""
    if len(written) > LONGEST:
        last = _LAST_NAME.search(written[-LONGEST:])
        return (last.group(1).decode("utf-8", "replace"), NO_PATH) if last else ("", "")
    return callee(written.decode("utf-8", "replace"))


def _arguments(call: "Node") -> int:
    """Return how many arguments a call of Java has."""
    arguments = call.child_by_field_name("arguments")
    if arguments is None:
        return -1
    return sum(child.type not in ("line_comment", "block_comment") for child in arguments.named_children)


_LAST_NAME = re.compile(rb"(?<![\w$])([\w$]++)\s*+$")


def _imports(text: bytes, found: _Found, places: _Places, language: Language, late: Deadline) -> Iterator[Import]:
    for _, captures in found.of("export"):
        node = captures["export"][0]
        if "default" in captures or ("callee" in captures and string(text, captures["callee"][0]) in _WHOLE):
            yield Import("", string(text, node), "default", node.start_point[0] + 1, MODULE_LEVEL, True)
    for _, captures in found.of("import"):
        node = captures["import"][0]
        at = node.start_byte
        if "callee" in captures and string(text, captures["callee"][0]) != "require":
            continue
        late.tick()
        statement = text[at : min(node.end_byte, at + LONGEST_STATEMENT)].decode("utf-8", "replace")
        line, scope = node.start_point[0] + 1, places.scope(at)
        for module, name, alias, exported in language.imports(statement):
            yield Import(module, name, alias, line, scope, exported)


def _bindings(text: bytes, found: _Found, places: _Places, language: Language) -> Iterator[Binding]:
    plain = language.plain
    known: dict[tuple[str, bytes], str] = {}
    for pattern, captures in found.of("binding"):
        node, typed = captures["name"][0], captures["type"][0]
        written = text[typed.start_byte : min(typed.end_byte, typed.start_byte + LONGEST + 1)]
        kind = found.roles[pattern].kind
        written = plain(written) if plain is not None else written
        path = known.get((kind, written))
        if path is None:
            path = known[kind, written] = _bound(kind, written)
        own = text[node.start_byte : min(node.end_byte, node.start_byte + LONGEST)]
        name = _BOUND.match(plain(own) if plain is not None else own)
        if path and name:
            named = ("this." if kind == "property" else "") + name.group(1).decode("utf-8", "replace")
            yield Binding(named, path, node.start_point[0] + 1, places.scope(node.start_byte))


_BOUND = re.compile(rb"[*&\s]*([\w$#.]+|[^\x00-\x7f]+)")  # a name in its declarator


def _bound(kind: str, written: bytes) -> str:
    """Return the path of a type, or with `()` of the called function."""
    if len(written) > LONGEST:
        return ""
    text = written.decode("utf-8", "replace")
    if kind != CALL:
        return type_path(text)
    name, receiver = callee(text)
    if not name or receiver == NO_PATH:
        return ""
    return f"{receiver}{'::' if '::' in text else '.'}{name}()" if receiver else f"{name}()"
