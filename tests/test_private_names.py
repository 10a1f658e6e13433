"""A name that begins with an underscore is its own module's: no other one imports it or reads it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import indelible

PACKAGE = Path(indelible.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
NAMED_TUPLE = {"_make", "_replace", "_asdict", "_fields"}  # its public methods, in spite of their names


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in NAMED_TUPLE


def borrowed(text: str) -> Iterator[str]:
    """The private names of other modules of ours that a file uses, each with its line."""
    tree = ast.parse(text)
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "indelible":
            imported.update(alias.asname or alias.name for alias in node.names)
            yield from (f"{node.lineno}: {alias.name}" for alias in node.names if is_private(alias.name))
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            continue
        if node.value.id in imported and is_private(node.attr):
            yield f"{node.lineno}: {node.value.id}.{node.attr}"


def test_no_module_uses_a_private_name_of_another():
    used = {path.relative_to(PACKAGE): list(borrowed(path.read_text(encoding="utf-8"))) for path in SOURCES}
    assert len(used) > 400
    assert {path: names for path, names in used.items() if names} == {}


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("from indelible.core.recall.browse import _names", ["1: _names"]),
        ("from indelible.core.recall import browse\nbrowse._names()", ["2: browse._names"]),
        ("from indelible.core.recall import browse as b\ndef f():\n    return b._names", ["3: b._names"]),
        ("from indelible.source.parse.symbols import Symbol\nSymbol._make([])", []),
        ("from ctypes import _SimpleCData\nself._names = 1", []),
        ("from indelible import __version__", []),
    ],
)
def test_a_planted_use_is_found(planted, found):
    assert list(borrowed(planted)) == found
