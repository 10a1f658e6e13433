"""Conventions of languages beyond syntax: the visibility of a symbol, and whether it is a test."""

import re

from indelible.dataclass import dataclass
from indelible.source.parse.symbols import (
    CALLABLE,
    CLASS,
    CONSTANT,
    FUNCTION,
    INTERFACE,
    INTERNAL,
    MACRO,
    METHOD,
    PRIVATE,
    PROTECTED,
    PUBLIC,
    TYPES,
)


@dataclass(slots=True)
class Definition:
    """A definition before it becomes a Symbol. `head` is the text before it on its line, `above` its attributes."""

    kind: str
    name: str
    start: int
    end: int
    line: int = 0
    start_row: int = 0
    end_row: int = 0
    qualifier: str = ""
    outer_start: int = -1  # with decorators, template headers
    body_start: int = -1
    body_end: int = -1
    exported: bool = False
    declared: bool = False
    case: bool = False  # of describe/it
    head: str = ""
    signature: str = ""
    above: str = ""


@dataclass(slots=True)
class Scope:
    """The scope around definitions. `index` is that of its symbol, -1 if it has none; `access` of C++'s sections."""

    kind: str
    name: str
    qualified: str
    end: int
    index: int
    visibility: str = PUBLIC
    in_function: bool = False
    is_test: bool = False
    of_trait: bool = False
    access: str = ""
    tests: bool = False  # its methods may be tests


# --- Visibility ---


def python_visibility(definition: Definition, scope: Scope) -> str:
    """Return private for a leading underscore, unless the name is a dunder."""
    name = definition.name
    return PRIVATE if name.startswith("_") and not (name.startswith("__") and name.endswith("__")) else PUBLIC


_MODIFIER = re.compile(
    r"(?:(?:static|override|readonly|abstract|async|declare|@[\w.]+(?:\([^)]*\))?)\s+)*(private|protected)\b"
)


def ecmascript_visibility(definition: Definition, scope: Scope) -> str:
    """Return public for exports of a module and class members without `private`, `protected` or `#`."""
    if scope.kind in TYPES:
        found = _MODIFIER.match(definition.signature)
        return found.group(1) if found else PRIVATE if definition.name.startswith("#") else PUBLIC
    if definition.kind == METHOD and scope.index >= 0:
        return scope.visibility
    if definition.exported or re.match(r"\s*export\b", definition.head):
        return PUBLIC
    return PRIVATE


def rust_visibility(definition: Definition, scope: Scope) -> str:
    """Return the visibility by `pub`, `pub(crate)` and the like; members of a trait have that of the trait."""
    if definition.signature.startswith("pub"):
        return INTERNAL if definition.signature[3:].lstrip().startswith("(") else PUBLIC
    if scope.of_trait:
        return PUBLIC
    if scope.kind == INTERFACE or (definition.kind == CONSTANT and scope.kind == "enum"):
        return scope.visibility
    if definition.kind == MACRO:
        return PUBLIC if "macro_export" in definition.above else INTERNAL
    return PRIVATE


def go_visibility(definition: Definition, scope: Scope) -> str:
    """Return public for a capital letter."""
    return PUBLIC if definition.name[:1].isupper() else PRIVATE


_STATIC = re.compile(r"(?:[\w:]+\s+)*?static\b")


def c_visibility(definition: Definition, scope: Scope) -> str:
    """Return private for `static` at file level and in anonymous namespaces; members of classes by their section."""
    if scope.kind in TYPES:
        if scope.kind == "enum":
            return scope.visibility
        return scope.access or (PRIVATE if scope.kind == CLASS else PUBLIC)
    if scope.visibility == PRIVATE or (_STATIC.match(definition.signature) and not definition.qualifier):
        return PRIVATE
    return PUBLIC


def java_visibility(definition: Definition, scope: Scope) -> str:
    """Return the modifier; without one a member of an interface or enum is public, everything else of the package."""
    for word in (PUBLIC, PROTECTED, PRIVATE):
        if re.match(rf"(?:@[\w.]++(?:\([^)]*\))?+\s*+|[a-z]++\s++)*?{word}\b", definition.signature):
            return word
    if scope.kind == INTERFACE or (definition.kind == CONSTANT and scope.kind == "enum"):
        return PUBLIC
    return INTERNAL


# --- Tests: whether a definition is a test case, and whether a scope's methods may be ---

_TEST_FILE = {
    "python": re.compile(r"(^|/)(test_[^/]*|[^/]*_test|tests|conftest)\.py$|(^|/)tests?/"),
    "ecmascript": re.compile(r"\.(test|spec|cy|e2e)\.[cm]?[jt]sx?$|(^|/)(__tests__|tests?|specs?|e2e)/"),
    "rust": re.compile(r"(^|/)(tests|benches)/|(^|/)tests?\.rs$"),
    "go": re.compile(r"_test\.go$"),
    "java": re.compile(r"(^|/)tests?/|Tests?\.java$|TestCase\.java$|IT\.java$"),
    "csharp": re.compile(r"(^|/)[^/]*Tests?(/|\.cs$)|(^|/)tests?/"),
    "ruby": re.compile(r"(^|/)(tests?|spec|specs)/|_(spec|test)\.rb$|(^|/)test_[^/]*\.rb$"),
    "php": re.compile(r"(^|/)[Tt]ests?/|Test\.php$"),
    "kotlin": re.compile(r"(^|/)(tests?|\w+Test)/|Tests?\.kt$"),
    "scala": re.compile(r"(^|/)tests?/|(Test|Suite|Spec)s?\.scala$"),
    "swift": re.compile(r"(^|/)\w*Tests/|Tests?\.swift$"),
    "bash": re.compile(r"(^|/)tests?/|(^|/)test[-_][^/]*$|[-_]test\.(ba)?sh$"),
    "markdown": re.compile(r"(?!)"),
    "sql": re.compile(r"(?!)"),
    "c": re.compile(r"(^|/)(tests?|unittests?)/|(^|/)test_[^/]*$|_(unit)?test\.\w+$"),
}


def is_test_file(family: str, path: str) -> bool:
    """Whether a path is that of tests, as runners of the language find them."""
    return _TEST_FILE[family].search(path) is not None


def python_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it is a test: pytest's functions `test*` of test files and methods of `Test*`, or unittest's methods."""
    if definition.kind == CLASS:
        return "TestCase" in definition.signature or (in_test_file and definition.name.startswith("Test"))
    if definition.kind not in CALLABLE or not definition.name.startswith("test") or scope.in_function:
        return False
    return in_test_file or scope.tests


def ecmascript_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it is a case of describe, it or test."""
    return definition.case


_RUST_TEST = re.compile(r"#\[\s*(?:[\w:]*::)?(?:test|rstest|test_case|proptest|bench|quickcheck|wasm_bindgen_test)\b")


def rust_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether a function has `#[test]` or another runner's attribute, or a module `#[cfg(test)]`."""
    if definition.kind == "module":
        return "cfg(test)" in definition.above
    return definition.kind == FUNCTION and _RUST_TEST.search(definition.above) is not None


_GO_TEST = re.compile(r"(Test|Benchmark|Fuzz|Example)(?![a-z])")


def go_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it is `TestX`, `BenchmarkX`, `FuzzX` or `ExampleX` of a `_test.go`."""
    return in_test_file and definition.kind == FUNCTION and _GO_TEST.match(definition.name) is not None


_JAVA_TEST = re.compile(r"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Theory)\b")


def java_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it has one of JUnit's annotations, or is a method `test*` of a TestCase."""
    if definition.kind == CLASS:
        return re.search(r"\bextends\s+\w*TestCase\b", definition.signature) is not None
    if definition.kind != METHOD:
        return False
    return _JAVA_TEST.search(definition.signature) is not None or (scope.tests and definition.name.startswith("test"))


def c_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it is made by a macro of GoogleTest, Catch or Criterion."""
    return definition.case
