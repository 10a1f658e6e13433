"""Parsing of import statements of further languages, as `import_statements` does it.

A file that is named by its path has it in quotes as the module.
"""

import re
from collections.abc import Iterator

from indelible.source.parse.import_statements import MOST_NAMES, Imported

_SPACE = re.compile(r"\s+")
_QUOTED = re.compile(r"""["']([^"'\n]{1,400})["']""")
_USING = re.compile(r"(?:global\s+)?using\s+(static\s+)?(?:(\w+)\s*=\s*)?([\w.:]+)")
_KOTLIN = re.compile(r"import\s+([\w.`]+?)(\.\*)?(?:\s+as\s+(\w+))?\s*$")


def csharp(statement: str) -> Iterator[Imported]:
    """`using A.B`, `using static A.B`, `using C = A.B`."""
    found = _USING.match(statement)
    if found is None:
        return
    path = found[3].replace("global::", "")
    if found[2]:
        module, _, name = path.rpartition(".")
        yield module, name, found[2], False
    else:
        yield path, "*", "", False


def kotlin(statement: str) -> Iterator[Imported]:
    """`import a.b.C`, `import a.b.*`, `import a.b.C as D`."""
    found = _KOTLIN.match(statement.strip().rstrip(";"))
    if found is None:
        return
    path = found[1].replace("`", "")
    if found[2]:
        yield path, "*", "", False
    else:
        module, _, name = path.rpartition(".")
        yield module, name, found[3] or "", False


def scala(statement: str) -> Iterator[Imported]:
    """`import a.B, c.{D, E => F, _}`, `import a.*`, `import a.B as C`."""
    text = _SPACE.sub(" ", statement).removeprefix("import ").strip()
    for path, names in _trees(text):
        for each in names.split(",")[:MOST_NAMES]:
            name, _, alias = each.replace("=>", " as ").partition(" as ")
            name, alias = name.strip().removeprefix("given ").strip(), alias.strip()
            if name in ("_", "*"):
                yield path, "*", "", False
            elif name and alias != "_":
                yield path, name, alias, False


_SCALA = re.compile(r"(?<![\w.`])([\w.`]+)\.(?:\{([^{}]*)\}|(\*|\w+(?: as \w+)?))")


def _trees(text: str) -> Iterator[tuple[str, str]]:
    for found in _SCALA.finditer(text):
        yield found[1].replace("`", "").removeprefix("_root_."), found[2] or found[3]


def swift(statement: str) -> Iterator[Imported]:
    """`import A`, `import class A.B`: of another module."""
    words = statement.split()
    if len(words) > 1:
        yield words[-1], "*", "", False


_PHP_USE = re.compile(r"use\s++(?:(?:function|const)\s++)?")
_PHP_GROUP = re.compile(r"(?<![\w\\])([\w\\]*+)\{([^{}]*)\}")


def php(statement: str) -> Iterator[Imported]:
    r"""`use A\B as C, D\E`, `use A\{B, C as D}`; `require "a.php"` is a file."""
    found = _PHP_USE.match(statement)
    if found is None:
        if quoted := _QUOTED.search(statement):
            yield f'"{quoted[1].lstrip("/")}"', "*", "", False
        return
    used = statement[found.end() :].rstrip().removesuffix(";").rstrip()
    group = _PHP_GROUP.search(used)
    prefix, names = (group[1], group[2]) if group else ("", used)
    for each in names.split(",")[:MOST_NAMES]:
        path, _, alias = _SPACE.sub(" ", each.strip()).partition(" as ")
        path = f"{prefix}{path.removeprefix('function ').removeprefix('const ')}".strip("\\ ")
        module, _, name = path.rpartition("\\")
        if name:
            yield module, name, alias.strip(), False


def ruby(statement: str) -> Iterator[Imported]:
    """`require "a/b"`, `require_relative "b"`: a file."""
    quoted = _QUOTED.search(statement)
    if quoted is None or "#{" in quoted[1]:
        return
    path = quoted[1].removesuffix(".rb") + ".rb"
    if "require_relative" in statement[: quoted.start()]:
        yield f'"{path}"', "*", "", False
    else:
        yield f"<{path.removeprefix('./')}>", "*", "", False


_SOURCE = re.compile(r"(?:source|\.)\s+(\S+)")


def bash(statement: str) -> Iterator[Imported]:
    """`source a.sh`, `. "$here/a.sh"`: a file, by the part of its path that is written out."""
    found = _SOURCE.match(statement)
    path = re.sub(r"^.*[$`)}][^/]*", "", found[1].replace('"', "").replace("'", "")) if found else ""
    if path.strip("/."):
        yield f'"{path.lstrip("/")}"', "*", "", False


def none(statement: str) -> Iterator[Imported]:
    """Nothing: there are no imports."""
    yield from ()
