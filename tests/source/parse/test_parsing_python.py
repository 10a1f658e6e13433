"""Python: what is a symbol, what refers to what, what is imported."""

import pytest

from indelible.source.parse.definitions import is_telling
from source_code import bindings, imports, parsed, references, symbols, visibility


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(): pass", ["function f"]),
        ("async def f(): pass", ["function f"]),
        ("class A:\n  def m(self): pass", ["class A", "method A.m"]),
        ("class A:\n  class B:\n    def m(self): pass", ["class A", "class A.B", "method A.B.m"]),
        ("def f():\n  def g(): pass", ["function f", "function f.g"]),
        ("def f():\n  class A:\n    def m(self): pass", ["function f", "class f.A", "method f.A.m"]),
        ("class A:\n  if X:\n    def m(self): pass", ["class A", "method A.m"]),
        (
            "class A:\n  @property\n  def m(self): ...\n  @m.setter\n  def m(self, x): ...",
            ["class A"] + ["method A.m"] * 2,
        ),
        (
            "LIMIT = 3\nname: str = 'x'\n__all__ = []\na, b = 1, 2",
            ["constant LIMIT", "variable name", "variable a", "variable b"],
        ),
        ("def f():\n  LIMIT = 3", ["function f"]),
        ("class A:\n  LIMIT = 3\n  field = 4", ["class A", "constant A.LIMIT"]),
        ("class A(Enum):\n  red = 3", ["class A", "constant A.red"]),
        ("type Pair = tuple[int, int]", ["type Pair"]),
        ("f = lambda x: x", ["variable f"]),
    ],
)
def test_definitions_have_their_kind_and_their_qualified_name(source, expected):
    assert symbols("python", source) == expected


def test_qualified_names_begin_with_the_module():
    file = parsed("python", "class A:\n  def m(self): pass\ndef f(): pass", module="pkg.mod")
    assert [symbol.qualified_name for symbol in file.symbols] == ["pkg.mod.A", "pkg.mod.A.m", "pkg.mod.f"]
    assert [symbol.parent for symbol in file.symbols] == ["", "pkg.mod.A", ""]


def test_a_symbol_has_its_signature_its_docstring_and_its_lines():
    source = (
        '@cache\ndef f(\n    a: int,\n    b: str = "x",\n) -> int:  # note\n    """What it does.\n\n    '
        'More.\n    """\n    return a\n'
    )
    (symbol,) = parsed("python", source).symbols
    assert symbol.signature == 'def f( a: int, b: str = "x", ) -> int'
    assert symbol.doc == "What it does.\n\nMore."
    assert (symbol.start_line, symbol.line, symbol.end_line) == (1, 2, 10)
    assert source[symbol.start_byte : symbol.end_byte].startswith("@cache")


def test_names_with_an_underscore_are_private_and_so_is_what_is_in_a_function():
    source = "def _f(): pass\nclass A:\n  def __init__(self): pass\n  def __m(self): pass\ndef g():\n  def h(): pass"
    expected = {
        "_f": "private",
        "A": "public",
        "A.__init__": "public",
        "A.__m": "private",
        "g": "public",
        "g.h": "private",
    }
    assert visibility("python", source) == expected


@pytest.mark.parametrize(
    ("path", "source", "tests"),
    [
        ("tests/test_a.py", "def test_x(): pass\ndef made(): pass", ["test_x"]),
        ("a.py", "def test_x(): pass", []),
        ("test_a.py", "class TestA:\n  def test_x(self): pass\n  def made(self): pass", ["TestA.test_x"]),
        ("a.py", "class A(unittest.TestCase):\n  def test_x(self): pass", ["A.test_x"]),
    ],
)
def test_tests_are_recognised_as_pytest_and_unittest_do(path, source, tests):
    assert [s.qualified_name for s in parsed("python", source, path).symbols if s.kind == "test"] == tests


def test_references_know_what_they_are_said_on_and_where():
    source = (
        "class A(b.Base, Generic[T]):\n  def m(self):\n    self.x.run(); super().m(); f(g()); B().c(); "
        "'a'.join(x); y[0].z()\n"
    )
    assert references("python", source) == [
        *("inherit b > Base < A", "inherit Generic < A", "call self.x > run < A.m", "call super() > m < A.m"),
        *("call super < A.m", "call f < A.m", "call g < A.m", "call B() > c < A.m", "call B < A.m"),
        *("call ? > join < A.m", "call y[] > z < A.m"),
    ]


def test_a_decorator_belongs_to_what_it_decorates():
    assert references("python", "@a.b\n@c(1)\ndef f(): pass") == ["decorator a > b < f", "call c < f"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a.b as c, d", [("a.b", "", "c"), ("d", "", "")]),
        ("from .a import (b as c,  # note\n  d,)", [(".a", "b", "c"), (".a", "d", "")]),
        ("from . import *", [(".", "*", "")]),
        ("from .. import a", [("..", "a", "")]),
        ("from a.b import \\\n  c", [("a.b", "c", "")]),
    ],
)
def test_imports_say_what_comes_from_where(source, expected):
    assert [each[:3] for each in imports("python", source)] == expected


def test_names_are_bound_to_the_types_written_beside_them():
    source = (
        "def f(a: Store, b: db.Row = None, *c: list[int]):\n  self.d = Engine(1)\n  e: Final[X] = g.made()\n "
        " with h() as i: pass"
    )
    expected = {"a": "Store", "b": "db.Row", "self.d": "Engine()", "e": "g.made()", "i": "h()"}
    assert expected.items() <= bindings("python", source).items()


def test_what_moved_has_the_same_body_hash_and_a_short_body_a_shorter_one():
    body = "    total = sum(values)\n    return total / len(values)\n"
    (plain,) = parsed("python", f"def mean(values):\n{body}").symbols
    _, moved = parsed("python", "class A:\n  def average(self, values):\n" + body.replace("    ", "      ")).symbols
    (other,) = parsed("python", f"def mean(values):\n{body.replace('sum', 'max')}").symbols
    assert plain.body_hash == moved.body_hash != other.body_hash
    short, other = (parsed("python", f"def f(): {body}").symbols[0].body_hash for body in ("pass", "return"))
    assert short != other
    assert not is_telling(short)
    assert is_telling(plain.body_hash)
