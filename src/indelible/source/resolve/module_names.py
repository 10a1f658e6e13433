"""The prefix of the qualified names of a file, by its place in its codebase."""

import posixpath
from collections.abc import Container, Mapping
from dataclasses import field
from pathlib import PurePosixPath

from indelible.dataclass import dataclass
from indelible.source.parse.languages import Language

SOURCE_FOLDERS = frozenset(("src", "lib", "python"))  # that are on the path, not in the name
_CRATE_ROOTS = frozenset(("lib", "main", "mod"))
_TARGETS = frozenset(("tests", "examples", "benches"))  # each file of them is a crate


@dataclass(frozen=True, slots=True)
class Layout:
    """The facts of a codebase that names depend on. Folders are relative with `/`, "" the top.

    `packages`: folders with an `__init__.py` (or `.pyi`). `crates`: folders with a Cargo.toml and the crate's name.
    """

    packages: Container[str] = frozenset()
    crates: Mapping[str, str] = field(default_factory=dict)


def module_name(language: Language, path: str, layout: Layout) -> str:
    """Return the prefix of a file's qualified names; "" where the file says it (Go, Java) or there is none (C)."""
    stem = path[: -len(PurePosixPath(path).suffix)] if PurePosixPath(path).suffix else path
    if language.top == "file":
        return stem
    if language.top == "module":
        return _python(stem, layout.packages)
    return _rust(stem, layout.crates) if language.top == "crate" else ""


def _python(stem: str, packages: Container[str]) -> str:
    """`src/a/b.py` is a.b if src/a is a package; without one the path below the last source folder counts."""
    parts = stem.split("/")
    top = len(parts) - 1
    while top > 0 and "/".join(parts[:top]) in packages:
        top -= 1
    if top == len(parts) - 1:
        sources = [index for index, part in enumerate(parts[:-1]) if part in SOURCE_FOLDERS]
        top = sources[-1] + 1 if sources else 0
    names = parts[top:]
    if names[-1] == "__init__" and len(names) > 1:
        names.pop()
    return ".".join(names)


def _rust(stem: str, crates: Mapping[str, str]) -> str:
    """The crate's name and the modules below its `src`; a file of tests, examples, benches or src/bin is a crate."""
    folder = posixpath.dirname(stem)
    while folder and folder not in crates:
        folder = posixpath.dirname(folder)
    parts = stem[len(folder) + 1 if folder else 0 :].split("/")
    crate = crates.get(folder, "")
    if parts[0] in _TARGETS and len(parts) > 1:
        return "::".join(_without_root(parts[1:]))
    if parts[:2] == ["src", "bin"] and len(parts) > 2:
        return "::".join(_without_root(parts[2:]))
    if "src" in parts[:-1]:
        at = parts.index("src")
        crate = crate or "::".join(parts[:at][-1:])
        parts = parts[at + 1 :]
    return "::".join([crate.replace("-", "_") or "crate", *_without_root(parts)])


def _without_root(parts: list[str]) -> list[str]:
    return parts[:-1] if parts[-1] in _CRATE_ROOTS and len(parts) > 0 else parts
