"""What the parser says about a piece of source, in few words, for tables of cases."""

from indelible.source.parse.languages import BY_NAME
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
}


def parsed(language: str, source: str | bytes, path: str = "", module: str = "") -> ParsedFile:
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
