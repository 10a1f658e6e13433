"""The words of the source: docstrings say what a function gives and takes, and do not begin as riddles."""

import ast
from collections.abc import Iterator
from pathlib import Path

import indelible

SOURCE = Path(indelible.__file__).parent
OPENINGS = ("What", "Whatever", "Who", "Whoever")


def riddles(module: ast.Module) -> Iterator[str]:
    """Yield the first line of every docstring of a module that begins with one of `OPENINGS`."""
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node) or ""
            if text.startswith(tuple(f"{each} " for each in OPENINGS)):
                yield text.splitlines()[0]


def test_a_docstring_does_not_begin_with_what_or_who() -> None:
    files = sorted(SOURCE.rglob("*.py"))
    assert files
    found = [f"{path.relative_to(SOURCE)}: {line}" for path in files for line in riddles(ast.parse(path.read_text()))]
    assert not found


def test_a_riddle_is_found_wherever_a_docstring_stands() -> None:
    for source in ('"""What is."""', 'class A:\n    """Who is."""', 'def f():\n    """Whatever is."""'):
        assert len(list(riddles(ast.parse(source)))) == 1
    assert not list(riddles(ast.parse('def f():\n    """Return what is."""')))
