"""The languages that are indexed: a language is a query file and one row of a table.

Queries use the community's capture names (tree-sitter's tags.scm): `@definition.<kind>` with `@name`, and
`@reference.<kind>`. Ours beside them: `@declarator` (a C declarator that the name is inside of), `@receiver` (Go),
`@scope.<what>` (qualifies names but is no symbol), `@wrapper` with `@wrapped` (decorators and template headers belong
to what they precede), `@import`, `@package`, `@export` (names that a module exports), `@access` (sections of C++
classes), `@binding.<how>` with `@name` and `@type`. A pattern has one of these roles.
"""

import importlib.util
import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from indelible.dataclass import dataclass
from indelible.source.parse import (
    comments,
    conventions,
    further_conventions,
    further_imports,
    import_statements,
    repairs,
    spellings,
)
from indelible.source.parse.comments import CommentStyle
from indelible.source.parse.conventions import Definition, Scope
from indelible.source.parse.import_statements import Imported
from indelible.source.parse.readers import markdown, sql
from indelible.source.parse.readers.section import Section


@dataclass(frozen=True, slots=True)
class Language:
    """One language. `family` groups dialects; `grammar` is the wheel's module and its function.

    `top` names the beginning of qualified names: `module` (the path in its package), `crate`, `file` (the path
    without its extension), `package` (the clause in the file) or "" (nothing). `prepare` rewrites, at the same length,
    text that the grammar misreads; `repair` yields rewrites of text that it fails on, the gentlest first.

    `runs` are the interpreters, separated by `|`, that the first line of a file without an extension may name. `plain`
    rewrites the text of a name with separators as other languages have them, `named` takes one apart. `kind` corrects
    that of a definition. A language without a grammar has `read`. The grammars of those `in_extra` come with
    `indelible[languages]`; `label` is the language's own name.
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
    runs: str = ""
    label: str = ""
    in_extra: bool = False
    plain: Callable[[bytes], bytes] | None = None
    named: Callable[[bytes], tuple[str, str]] | None = None
    kind: Callable[[Definition, Scope], str] | None = None
    read: Callable[[bytes], Iterator[Section]] | None = None
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
    runs=r"python[\d.]*",
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

BASH = Language(
    *("bash", "bash", ("tree_sitter_bash", "language"), ("bash",), (".sh", ".bash"), ".", "file", comments.HASHES),
    *(further_conventions.bash_visibility, further_conventions.bash_test, further_imports.bash),
    runs="(?:ba|da|k)?sh",
    label="Bash",
    named=spellings.word,
)
CSHARP = Language(
    *("csharp", "csharp", ("tree_sitter_c_sharp", "language"), ("csharp",), (".cs", ".csx"), ".", "package"),
    *(comments.XMLDOC, further_conventions.csharp_visibility, further_conventions.csharp_test, further_imports.csharp),
    label="C#",
    in_extra=True,
)
RUBY = Language(
    *("ruby", "ruby", ("tree_sitter_ruby", "language"), ("ruby",), (".rb", ".rake", ".gemspec", ".ru"), "::", ""),
    *(comments.HASHES, further_conventions.ruby_visibility, further_conventions.ruby_test, further_imports.ruby),
    file_names=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile", "Capfile"),
    runs=r"j?ruby[\d.]*",
    label="Ruby",
    in_extra=True,
    plain=spellings.ruby,
    named=spellings.named_of_ruby,
    kind=further_conventions.ruby_kind,
)
PHP = Language(
    *("php", "php", ("tree_sitter_php", "language_php"), ("php",), (".php", ".phtml"), "\\", "package"),
    *(comments.PHPDOC, further_conventions.php_visibility, further_conventions.php_test, further_imports.php),
    runs=r"php[\d.]*",
    label="PHP",
    in_extra=True,
    plain=spellings.php,
    named=spellings.named_of_php,
)
KOTLIN = Language(
    *("kotlin", "kotlin", ("tree_sitter_kotlin", "language"), ("kotlin",), (".kt", ".kts"), ".", "package"),
    *(comments.KDOC, further_conventions.open_visibility, further_conventions.kotlin_test, further_imports.kotlin),
    label="Kotlin",
    in_extra=True,
    prepare=repairs.kotlin_receivers,
    repair=repairs.kotlin,
    kind=further_conventions.kotlin_kind,
)
SWIFT = Language(
    *("swift", "swift", ("tree_sitter_swift", "language"), ("swift",), (".swift",), ".", "", comments.SWIFTDOC),
    *(further_conventions.swift_visibility, further_conventions.swift_test, further_imports.swift),
    label="Swift",
    in_extra=True,
    kind=further_conventions.swift_kind,
)
SCALA = Language(
    *("scala", "scala", ("tree_sitter_scala", "language"), ("scala",), (".scala", ".sc"), ".", "package"),
    *(comments.KDOC, further_conventions.open_visibility, further_conventions.scala_test, further_imports.scala),
    label="Scala",
    in_extra=True,
)
MARKDOWN = Language(
    *("markdown", "markdown", ("", ""), (), (".md", ".markdown"), "#", "file", comments.HASHES),
    *(further_conventions.all_public, further_conventions.no_test, further_imports.none),
    label="Markdown",
    read=markdown.sections,
)
SQL = Language(
    *("sql", "sql", ("", ""), (), (".sql",), ".", "", comments.HASHES),
    *(further_conventions.all_public, further_conventions.no_test, further_imports.none),
    label="SQL",
    read=sql.definitions,
)

LANGUAGES = (
    *(BASH, C, CPP, CSHARP, GO, JAVA, JAVASCRIPT, KOTLIN, MARKDOWN, PHP, PYTHON, RUBY, RUST, SCALA, SQL, SWIFT),
    *(TSX, TYPESCRIPT),
)
BY_NAME = {language.name: language for language in LANGUAGES}
_BY_EXTENSION = {extension: language for language in LANGUAGES for extension in language.extensions}
_BY_FILE_NAME = {name: language for language in LANGUAGES for name in language.file_names}

_ONLY_CPP = re.compile(
    rb"^[ \t]*+(class\s+\w+[\s:{]|namespace\b|template\s*<|using\s|public:|private:|protected:)|\w::~?\w|"
    rb"^#\s*include\s*<(string|vector|memory|cstd\w+|map|utility|iostream|functional|algorithm)>",
    re.MULTILINE,
)
_RUN_BY = tuple(
    (re.compile(rb"[/ ]" + language.runs.encode() + rb"(?![\w.-])"), language)
    for language in LANGUAGES
    if language.runs
)


def language_of(path: str, start: bytes) -> Language | None:
    """Return the language of a file by its name and its first few thousand bytes, None if it is not indexed.

    A header `.h` is C++ if it uses something that C lacks. A file without extension is of the language that its first
    line runs.
    """
    name = PurePosixPath(path)
    language = _BY_EXTENSION.get(name.suffix) or _BY_EXTENSION.get(name.suffix.lower()) or _BY_FILE_NAME.get(name.name)
    if language is C and name.suffix == ".h" and _ONLY_CPP.search(start):
        return CPP
    if language is None and not name.suffix and start.startswith(b"#!"):
        first = start.partition(b"\n")[0]
        return next((each for line, each in _RUN_BY if line.search(first)), None)
    return language


def is_readable(language: Language) -> bool:
    """Whether what reads a language is installed; its grammar is looked for, and not loaded."""
    return not language.in_extra or importlib.util.find_spec(language.grammar[0]) is not None


def missing(language: Language) -> str:
    """Return why the files of a language are left out where its grammar is not installed, and what installs it."""
    return f"of {language.label}, which needs pip install 'indelible[languages]'"
