"""Captures of sessions that are told in a test."""

from indelible.extraction.extraction import Capture, captures
from told import Told

CWD = "/home/dev/shop"
WRONG_TOTAL = """\
Exit code 1
    def test_total():
>       assert cart().total() == 42
E       assert 40 == 42

/home/dev/shop/tests/test_cart.py:12: AssertionError
FAILED tests/test_cart.py::test_total - assert 40 == 42
1 failed, 2 passed in 0.03s"""


def of_kind(kind: str, told: Told) -> list[Capture]:
    return [capture for capture in captures(told.events) if capture.kind == kind]


def fixed(line: str, output: str, *, again: str = "", passed: str = "3 passed in 0.02s") -> list[Capture]:
    """The failures of a session in which a command failed, a file was edited, and the command passed."""
    told = Told(CWD)
    told.command(line, output, failed=True)
    told.edit("src/cart.py", "return a", "return b")
    told.command(again or line, passed)
    return of_kind("failure", told)
