"""Go and Java: languages whose files say their package."""

import pytest

from source_code import bindings, imports, parsed, references, symbols, visibility


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("func F() { g := func() {}; g() }", ["function p.F"]),
        ("func (s *S[T]) M() {}", ["method p.S.M"]),
        ("type S struct { A int }", ["struct p.S"]),
        ("type I interface { M(x int) error; io.Reader }", ["interface p.I", "method p.I.M"]),
        ("type A = B\ntype F func(int) int\ntype M map[string]int", ["type p.A", "type p.F", "type p.M"]),
        ("const ( C1, C2 = 1, 2 )\nvar v = 1\nvar _ I = x", ["constant p.C1", "constant p.C2", "variable p.v"]),
        ("func f() { const c = 1 }", ["function p.f"]),
    ],
)
def test_definitions_of_go(source, expected):
    assert symbols("go", f"package p\n{source}") == expected


def test_a_capital_letter_exports_in_go():
    assert visibility("go", "package p\nfunc F() {}\nfunc f() {}") == {"p.F": "public", "p.f": "private"}


def test_go_documents_with_the_comment_above_and_tests_by_name():
    source = "package p\n\n// TestF checks F.\n// It is slow.\nfunc TestF(t *testing.T) {}\nfunc Testify() {}"
    first, second = parsed("go", source, "p_test.go").symbols
    assert (first.kind, first.doc) == ("test", "TestF checks F.\nIt is slow.")
    assert second.kind == "function"


def test_references_imports_and_bindings_of_go():
    source = (
        'package p\nimport (\n f "fmt"\n . "x/y"\n)\ntype A struct { Base; *q.Other; n Name }\ntype I '
        "interface { io.Reader }\n"
    )
    source += "func (a *A) M(r q.Row) { a.n.run(); x := NewFoo(); y := &Bar{}; f.Println(x) }"
    assert references("go", source) == [
        *("inherit Base < p.A", "inherit q > Other < p.A", "extend io > Reader < p.I", "call a.n > run < p.A.M"),
        *("call NewFoo < p.A.M", "construct Bar < p.A.M", "call f > Println < p.A.M"),
    ]
    assert imports("go", source) == [("fmt", "", "f", False), ("x/y", "*", "", False)]
    assert bindings("go", source) == {"n": "Name", "a": "A", "r": "q.Row", "x": "NewFoo()", "y": "Bar"}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "class A { A() {} void m() {} static class B {} }",
            ["class a.b.A", "method a.b.A.A", "method a.b.A.m", "class a.b.A.B"],
        ),
        (
            "interface I { int X = 1; void m(); default void n() {} }",
            ["interface a.b.I", "constant a.b.I.X", "method a.b.I.m", "method a.b.I.n"],
        ),
        (
            "enum E { A, B { void q() {} }; void m() {} }",
            ["enum a.b.E", "constant a.b.E.A", "constant a.b.E.B", "method a.b.E.B.q", "method a.b.E.m"],
        ),
        ("record R(int x) { R {} }", ["class a.b.R", "method a.b.R.R"]),
        ("@interface N { int value() default 1; }", ["interface a.b.N", "method a.b.N.value"]),
        (
            "class A { static final int X = 1; int y; void m() { int z; } }",
            ["class a.b.A", "constant a.b.A.X", "method a.b.A.m"],
        ),
    ],
)
def test_definitions_of_java(source, expected):
    assert symbols("java", f"package a.b;\n{source}") == expected


def test_modifiers_say_who_may_use_it_in_java():
    source = (
        "public class A { private int a() {} protected int b() {} @Foo(1) public int c() {} int d() {} } "
        "interface I { void m(); }"
    )
    expected = {
        "A": "public",
        "A.a": "private",
        "A.b": "protected",
        "A.c": "public",
        "A.d": "internal",
        "I": "internal",
        "I.m": "public",
    }
    assert visibility("java", source) == expected


def test_java_documents_with_javadoc_above_annotations_and_tests_by_annotation():
    source = "class ATest {\n  /** Checks a. */\n  @Test\n  public void checks() {}\n  // no doc\n  void made() {}\n}"
    _, test, made = parsed("java", source, "src/test/java/ATest.java").symbols
    assert (test.kind, test.doc, made.kind, made.doc) == ("test", "Checks a.", "method", "")


def test_references_imports_and_bindings_of_java():
    source = "import a.b.C;\nimport static x.Y.z;\nimport q.*;\n"
    source += (
        "class A extends B<T> implements C, d.E { Store s; void m(Row r) { r.get(1).run(); new Foo<>(); "
        "this.s.y(); Q q = null; } }\ninterface I extends J<K> {}"
    )
    assert references("java", source) == [
        *("inherit B < A", "implement C < A", "implement d > E < A", "call r > get < A.m", "call r.get() > run < A.m"),
        *("construct Foo < A.m", "call this.s > y < A.m", "extend J < I"),
    ]
    assert imports("java", source) == [("a.b", "C", "", False), ("x.Y", "z", "", False), ("q", "*", "", False)]
    assert bindings("java", source) == {"s": "Store", "r": "Row", "q": "Q"}
