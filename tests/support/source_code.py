"""What the parser says about a piece of source, in few words, for tables of cases."""

import os

import pytest

from indelible.source.parse.languages import BY_NAME, is_readable
from indelible.source.parse.parsing import parse
from indelible.source.parse.symbols import ParsedFile

PATHS = {
    "python": "pkg/mod.py",
    "javascript": "src/mod.js",
    "typescript": "src/mod.ts",
    "tsx": "src/mod.tsx",
    "rust": "src/mod.rs",
    "go": "mod.go",
    "c": "mod.c",
    "cpp": "mod.cpp",
    "java": "Mod.java",
    "bash": "mod.sh",
    "csharp": "Mod.cs",
    "kotlin": "Mod.kt",
    "markdown": "mod.md",
    "php": "mod.php",
    "ruby": "mod.rb",
    "scala": "Mod.scala",
    "sql": "mod.sql",
    "swift": "Mod.swift",
}


def need_grammar(language: str) -> None:
    """Skip a test without the grammar of `indelible[languages]`; `.ci/run` installs them, and then it fails."""
    if not is_readable(BY_NAME[language]):
        required = os.environ.get("INDELIBLE_TESTS_PACKAGES") == "required"
        (pytest.fail if required else pytest.skip)(f"the grammar of {language} is not installed")


def parsed(language: str, source: str | bytes, path: str = "", module: str = "") -> ParsedFile:
    need_grammar(language)
    body = source.encode() if isinstance(source, str) else source
    return parse(body, BY_NAME[language], path or PATHS[language], module)


def symbols(language: str, source: str, path: str = "") -> list[str]:
    """`kind qualified_name` of each symbol."""
    return [f"{symbol.kind} {symbol.qualified_name}" for symbol in parsed(language, source, path).symbols]


def visibility(language: str, source: str) -> dict[str, str]:
    return {symbol.qualified_name: symbol.visibility for symbol in parsed(language, source).symbols}


def references(language: str, source: str) -> list[str]:
    """`kind receiver > name < scope` of each reference, without what is empty."""
    file = parsed(language, source)
    made = []
    for each in file.references:
        scope = each.subject or (file.symbols[each.scope].qualified_name if each.scope >= 0 else "")
        receiver = f"{each.receiver} > " if each.receiver else ""
        made.append(f"{each.kind} {receiver}{each.name}" + (f" < {scope}" if scope else ""))
    return made


def imports(language: str, source: str) -> list[tuple[str, str, str, bool]]:
    return [(each.module, each.name, each.alias, each.exported) for each in parsed(language, source).imports]


def bindings(language: str, source: str) -> dict[str, str]:
    return {each.name: each.type for each in parsed(language, source).bindings}
