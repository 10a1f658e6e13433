"""The languages that are indexed: a language is a query file and one row of a table.

Queries use the community's capture names (tree-sitter's tags.scm): `@definition.<kind>` with `@name`, and
`@reference.<kind>`. Ours beside them: `@declarator` (a C declarator that the name is inside of), `@receiver` (Go),
`@scope.<what>` (qualifies names but is no symbol), `@wrapper` with `@wrapped` (decorators and template headers belong
to what they precede), `@import`, `@package`, `@export` (names that a module exports), `@access` (sections of C++
classes), `@binding.<how>` with `@name` and `@type`. A pattern has one of these roles.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from indelible.source.parse import comments, conventions, import_statements, repairs
from indelible.source.parse.comments import CommentStyle
from indelible.source.parse.conventions import Definition, Scope
from indelible.source.parse.import_statements import Imported


@dataclass(frozen=True, slots=True)
class Language:
    """One language. `family` groups dialects; `grammar` is the wheel's module and its function.

    `top` names the beginning of qualified names: `module` (the path in its package), `crate`, `file` (the path
    without its extension), `package` (the clause in the file) or "" (nothing). `prepare` rewrites, at the same length,
    text that the grammar misreads; `repair` yields rewrites of text that it fails on, the gentlest first.
    """

    name: str
    family: str
    grammar: tuple[str, str]
    queries: tuple[str, ...]
    extensions: tuple[str, ...]
    separator: str
    top: str
    comments: CommentStyle
    visibility: Callable[[Definition, Scope], str]
    is_test: Callable[[Definition, Scope, bool], bool]
    imports: Callable[[str], Iterator[Imported]]
    file_names: tuple[str, ...] = ()
    prepare: Callable[[bytes], bytes] | None = None
    repair: Callable[[bytes], Iterator[bytes]] | None = None


def _ecmascript(name: str, grammar: tuple[str, str], queries: tuple[str, ...], extensions: tuple[str, ...]) -> Language:
    return Language(
        *(name, "ecmascript", grammar, ("ecmascript", *queries), extensions, ".", "file", comments.JSDOC),
        *(conventions.ecmascript_visibility, conventions.ecmascript_test, import_statements.ecmascript),
        repair=repairs.typescript if name == "typescript" else None,
    )


def _c(name: str, queries: tuple[str, ...], extensions: tuple[str, ...]) -> Language:
    return Language(
        *(name, "c", (f"tree_sitter_{name}", "language"), queries, extensions, "::", "", comments.ANY_COMMENT),
        *(conventions.c_visibility, conventions.c_test, import_statements.c),
        prepare=repairs.class_attributes,
        repair=repairs.c_family,
    )


PYTHON = Language(
    *("python", "python", ("tree_sitter_python", "language"), ("python",), (".py", ".pyi", ".pyw"), ".", "module"),
    *(comments.DOCSTRINGS, conventions.python_visibility, conventions.python_test, import_statements.python),
    file_names=("SConstruct", "SConscript", "wscript"),
)
JAVASCRIPT = _ecmascript(
    "javascript", ("tree_sitter_javascript", "language"), ("javascript", "jsx"), (".js", ".jsx", ".mjs", ".cjs")
)
TYPESCRIPT = _ecmascript(
    *("typescript", ("tree_sitter_typescript", "language_typescript"), ("typescript",), (".ts", ".mts", ".cts"))
)
TSX = _ecmascript("tsx", ("tree_sitter_typescript", "language_tsx"), ("typescript", "jsx"), (".tsx",))
RUST = Language(
    *("rust", "rust", ("tree_sitter_rust", "language"), ("rust",), (".rs",), "::", "crate", comments.RUSTDOC),
    *(conventions.rust_visibility, conventions.rust_test, import_statements.rust),
)
GO = Language(
    *("go", "go", ("tree_sitter_go", "language"), ("go",), (".go",), ".", "package", comments.SLASHES),
    *(conventions.go_visibility, conventions.go_test, import_statements.go),
)
C = _c("c", ("c",), (".c", ".h"))
CPP = _c("cpp", ("c", "cpp"), (".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp"))
JAVA = Language(
    *("java", "java", ("tree_sitter_java", "language"), ("java",), (".java",), ".", "package", comments.JAVADOC),
    *(conventions.java_visibility, conventions.java_test, import_statements.java),
)

LANGUAGES = (C, CPP, GO, JAVA, JAVASCRIPT, PYTHON, RUST, TSX, TYPESCRIPT)
BY_NAME = {language.name: language for language in LANGUAGES}
_BY_EXTENSION = {extension: language for language in LANGUAGES for extension in language.extensions}
_BY_FILE_NAME = {name: language for language in LANGUAGES for name in language.file_names}

_ONLY_CPP = re.compile(
    rb"^[ \t]*+(class\s+\w+[\s:{]|namespace\b|template\s*<|using\s|public:|private:|protected:)|\w::~?\w|"
    rb"^#\s*include\s*<(string|vector|memory|cstd\w+|map|utility|iostream|functional|algorithm)>",
    re.MULTILINE,
)
_PYTHON_FIRST_LINE = re.compile(rb"#!.*\bpython[\d.]*\b")


def language_of(path: str, start: bytes) -> Language | None:
    """Return the language of a file by its name and its first few thousand bytes, None if it is not indexed.

    A header `.h` is C++ if it uses something that C lacks. A file without extension is Python if its first line runs
    Python.
    """
    name = PurePosixPath(path)
    language = _BY_EXTENSION.get(name.suffix) or _BY_EXTENSION.get(name.suffix.lower()) or _BY_FILE_NAME.get(name.name)
    if language is C and name.suffix == ".h" and _ONLY_CPP.search(start):
        return CPP
    if language is None and not name.suffix and _PYTHON_FIRST_LINE.match(start):
        return PYTHON
    return language
