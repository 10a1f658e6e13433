"""The words of the source: docstrings say what a function gives and takes, and do not begin as riddles."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import indelible

SOURCE = Path(indelible.__file__).parent
OPENINGS = ("What", "Whatever", "Who", "Whoever")
MAY_OPEN = re.compile(rf"""["']\s*({"|".join(OPENINGS)}) """)  # in a file without it no docstring does


def riddles(source: str) -> Iterator[str]:
    """Yield the first line of every docstring of a module that begins with one of `OPENINGS`."""
    for node in ast.walk(ast.parse(source)) if MAY_OPEN.search(source) else ():
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node) or ""
            if text.startswith(tuple(f"{each} " for each in OPENINGS)):
                yield text.splitlines()[0]


def test_a_docstring_does_not_begin_with_what_or_who() -> None:
    files = sorted(SOURCE.rglob("*.py"))
    assert files
    found = [f"{path.relative_to(SOURCE)}: {line}" for path in files for line in riddles(path.read_text("utf-8"))]
    assert not found


def test_a_riddle_is_found_wherever_a_docstring_stands() -> None:
    for source in ('"""What is."""', 'class A:\n    """Who is."""', 'def f():\n    """\n    Whatever is.\n    """'):
        assert len(list(riddles(source))) == 1
    assert not list(riddles('def f():\n    """Return what is."""'))
