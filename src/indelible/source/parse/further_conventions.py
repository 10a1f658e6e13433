"""Conventions of further languages beyond syntax: visibility, tests, and kinds that the grammar leaves open."""

import re

from indelible.source.parse.conventions import Definition, Scope
from indelible.source.parse.symbols import (
    CALLABLE,
    CLASS,
    CONSTANT,
    ENUM,
    FUNCTION,
    INTERFACE,
    INTERNAL,
    METHOD,
    MODULE,
    PRIVATE,
    PROTECTED,
    PUBLIC,
    TYPES,
    VARIABLE,
)

# --- Visibility ---

_WORDS = re.compile(r"\b(public|open|protected|private|fileprivate|internal)\b")
_KEPT = {"open": PUBLIC, "fileprivate": PRIVATE}


def _head(definition: Definition) -> str:
    """Return what stands before the name in a signature: modifiers, the keyword."""
    found = re.search(rf"(?<!\w){re.escape(definition.name)}(?!\w)", definition.signature)
    return definition.signature[: found.start()] if found else definition.signature


def _stated(definition: Definition) -> str:
    """Return the visibility that a modifier before the name states, "" without one."""
    found = _WORDS.search(_head(definition))
    return _KEPT.get(found[1], found[1]) if found else ""


def open_visibility(definition: Definition, scope: Scope) -> str:
    """Return the modifier, public without one (Kotlin, Scala)."""
    return _stated(definition) or PUBLIC


def csharp_visibility(definition: Definition, scope: Scope) -> str:
    """Return the modifier; without one members are private, those of interfaces and enums public, types internal."""
    if scope.kind == INTERFACE or (definition.kind == CONSTANT and scope.kind == ENUM):
        return scope.visibility
    return _stated(definition) or (PRIVATE if scope.kind in TYPES else INTERNAL)


def swift_visibility(definition: Definition, scope: Scope) -> str:
    """Return the modifier; without one that of the protocol or enum around, else internal."""
    if scope.kind == INTERFACE or (definition.kind == CONSTANT and scope.kind == ENUM):
        return scope.visibility
    return _stated(definition) or INTERNAL


def php_visibility(definition: Definition, scope: Scope) -> str:
    """Return the modifier of a member, else public."""
    return (_stated(definition) if scope.kind in TYPES else "") or PUBLIC


def ruby_visibility(definition: Definition, scope: Scope) -> str:
    """Return what stands before `def` on its line, else what the last line of `private` or the like says."""
    words = definition.head.split()
    for word in (PRIVATE, PROTECTED, PUBLIC):
        if word in words:
            return word
    return scope.access or PUBLIC if definition.kind in CALLABLE else PUBLIC


def bash_visibility(definition: Definition, scope: Scope) -> str:
    """Return private for a leading underscore."""
    return PRIVATE if definition.name.startswith("_") else PUBLIC


def all_public(definition: Definition, scope: Scope) -> str:
    """Return public."""
    return PUBLIC


# --- Tests ---

_CSHARP_TEST = re.compile(r"\[\s*(?:\w+\.)*(?:Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|Fact|Theory)\b")
_KOTLIN_TEST = re.compile(r"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b")


def csharp_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether a method has an attribute of NUnit, xUnit or MSTest."""
    return definition.kind == METHOD and _CSHARP_TEST.search(definition.signature) is not None


def kotlin_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether a function has an annotation of JUnit or kotlin.test."""
    return definition.kind in CALLABLE and _KOTLIN_TEST.search(definition.signature) is not None


def scala_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it is a case of `test`, or has an annotation of JUnit."""
    return definition.case or kotlin_test(definition, scope, in_test_file)


def swift_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it is a method `test*` of a class of tests, or has `@Test`."""
    if definition.kind == CLASS:
        return "XCTestCase" in definition.signature
    if definition.kind not in CALLABLE:
        return False
    named = definition.name.startswith("test") and (scope.tests or in_test_file)
    return named or "@Test" in definition.signature


def php_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it is a method `test*` in a file of tests, or has `#[Test]` of PHPUnit."""
    if definition.kind != METHOD:
        return False
    return (in_test_file and definition.name.startswith("test")) or "#[Test" in definition.signature


def ruby_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it is a case of RSpec, or a method `test_*` in a file of tests (Minitest)."""
    if definition.case:
        return True
    return in_test_file and definition.kind == METHOD and definition.name.startswith("test_")


def bash_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Whether it is a function `test*` in a file of tests (shUnit2)."""
    return in_test_file and definition.kind == FUNCTION and definition.name.startswith("test")


def no_test(definition: Definition, scope: Scope, in_test_file: bool) -> bool:
    """Return False: there are no tests."""
    return False


# --- Kinds ---


def kotlin_kind(definition: Definition, scope: Scope) -> str:
    """Return which kind of class a class is, and a constant for `const val`."""
    words = _head(definition).split()
    if definition.kind == CLASS:
        return ENUM if "enum" in words else INTERFACE if {"interface", "annotation"} & {*words} else CLASS
    return CONSTANT if definition.kind == VARIABLE and "const" in words else definition.kind


def swift_kind(definition: Definition, scope: Scope) -> str:
    """Return a constant for `static let`."""
    if definition.kind != VARIABLE:
        return definition.kind
    words = _head(definition).split()
    return CONSTANT if "let" in words and "static" in words else VARIABLE


def ruby_kind(definition: Definition, scope: Scope) -> str:
    """Return a method for a function of a module."""
    return METHOD if definition.kind == FUNCTION and scope.kind == MODULE else definition.kind
