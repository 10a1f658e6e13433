"""The content of one source file: its symbols, references, imports and bindings.

They are named tuples: a repository has them by the hundred thousand, and they pass between processes.
"""

from typing import NamedTuple

from indelible.dataclass import dataclass

# Kinds of symbols. `test` is a function or method that a test runner calls, or a case of describe/it.
FUNCTION, METHOD, CLASS, STRUCT, ENUM, INTERFACE = "function", "method", "class", "struct", "enum", "interface"
TYPE, CONSTANT, VARIABLE, MODULE, MACRO, TEST = "type", "constant", "variable", "module", "macro", "test"
CALLABLE = frozenset((FUNCTION, METHOD, TEST, MACRO))
TYPES = frozenset((CLASS, STRUCT, ENUM, INTERFACE))  # symbols that have methods

# Visibility. `internal`: within the crate (Rust) or package (Java).
PUBLIC, PROTECTED, INTERNAL, PRIVATE = "public", "protected", "internal", "private"

# Kinds of references.
CALL, CONSTRUCT, MACRO_CALL, DECORATOR = "call", "construct", "macro", "decorator"
INHERIT, IMPLEMENT, EXTEND = "inherit", "implement", "extend"

MODULE_LEVEL = -1  # the scope outside any symbol


class Symbol(NamedTuple):
    """A named definition in a file.

    Lines count from 1, bytes from 0 in the file's text as UTF-8 without its mark; both ends include decorators,
    attributes inside the node and the body, `line` is that of the name. `parent` is the qualified name of its
    container, "" at the top; that need not be a symbol of this file (an impl block, a method of Go or C++). Several
    symbols may share a qualified name: overloads, a property's getter and setter, a declaration and its definition.
    `declared`: it has no body where others of its kind have one. `body_hash` is of the body without its layout,
    of the whole where there is none; shorter where that does not distinguish it from others.
    """

    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    visibility: str
    line: int
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    parent: str
    is_test: bool
    declared: bool
    body_hash: str


class Reference(NamedTuple):
    """A place that names a symbol.

    `receiver` is the text before the name, joined with the language's separator: `self.store`, `crate::db`, `Foo()` for
    the result of a call; "" for a plain name and "?" for an expression without a path. `scope` is the index in
    `ParsedFile.symbols` of the innermost symbol around it, or MODULE_LEVEL. `subject` is the qualified name of the type
    of an `implement` where that is not the scope (Rust's impl blocks), else "". `arguments` is how many a call
    of Java has, -1 where that is not counted.
    """

    kind: str
    name: str
    receiver: str
    line: int
    scope: int
    subject: str = ""
    arguments: int = -1


class Import(NamedTuple):
    """One name imported by a statement.

    `module` is as written (Python's leading dots, a path in quotes of JavaScript, C or Go, segments of Rust's `use`
    before the last joined with `::`). `name` is what is taken from it: "" the module itself, "*" everything, "default"
    the default export. `alias` is the name in this file, "" if it gets none. `exported`: others can import it from
    here. A default export of JavaScript is an import from "" of what it names under the alias "default".
    """

    module: str
    name: str
    alias: str
    line: int
    scope: int
    exported: bool = False


class Binding(NamedTuple):
    """A name whose type is written beside it: a parameter, a variable or a field.

    `type` is the type as written without its arguments, pointers and references; it ends with `()` for the result of a
    call (`x = Store(path)` binds x to `Store()`). Fields have their path as `name` (`self.store`) or are in the scope
    of their class.
    """

    name: str
    type: str
    line: int
    scope: int


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A parsed file. `package` is its package clause (Go, Java), `module` the prefix of its qualified names.

    `errors`: it has syntax errors, and symbols in them may be missing. `cut`: it has more than the limits allow.
    """

    language: str
    module: str
    package: str
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    imports: tuple[Import, ...]
    bindings: tuple[Binding, ...]
    lines: int
    is_test: bool
    errors: bool
    cut: bool
    encoding: str
