"""C and C++ before their preprocessor: what a condition or a macro cuts through is still found."""

import pytest

from indelible.source.parse.conditionals import whole_statements
from source_code import parsed, references, symbols


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("#ifdef A\n if(a) {\n#else\n if(b) {\n#endif\n f(); }", ["if(a) {", "f(); }"]),
        ("#if 0\n if(a) {\n#else\n if(b) {\n#endif\n f(); }", ["if(b) {", "f(); }"]),
        ("void f() {\n#ifdef A\n if(a)\n#endif\n  g();\n}", ["void f() {", "if(a)", "g();", "}"]),
        ("x = a\n#ifdef A\n + b\n#endif\n ;", ["x = a", "+ b", ";"]),
        ("if(a) f();\n#ifdef A\nelse g();\n#endif\n", ["if(a) f();", "else g();"]),
        ('f("#ifdef A");\n', ['f("#ifdef A");']),
        (
            "#ifdef A\n#ifdef B\n if(a) {\n#else\n if(b) {\n#endif\n f(); }\n#endif",
            ["#ifdef A", "if(a) {", "f(); }", "#endif"],
        ),
    ],
)
def test_a_condition_within_a_statement_leaves_one_branch(source, kept):
    made = whole_statements(source.encode()).decode()
    assert len(made) == len(source)
    assert [line.strip() for line in made.splitlines() if line.strip()] == kept


@pytest.mark.parametrize(
    "source",
    [
        "#ifdef A\nint f(void) { return 1; }\n#else\nint g(void) { return 2; }\n#endif\n",
        "void f() {\n#ifdef A\n g();\n#else\n h();\n#endif\n}",
        "#ifdef A\n" + "int x;\n" * 1_000 + "int f(\n#else\nint g(\n#endif\n",
        "#endif\n#else\n#if",
        "int a;\n",
    ],
)
def test_a_condition_between_statements_is_left_as_it_is(source):
    assert whole_statements(source.encode()).decode() == source


def test_functions_around_a_broken_condition_are_found_and_those_of_both_branches_elsewhere():
    source = (
        "int a(void) { return 1; }\n"
        "int b(int x) {\n#ifdef A\n  if(x) {\n#else\n  if(!x) {\n#endif\n    c();\n  }\n  return 0;\n}\n"
        "#ifdef A\nint d(void) { return e(); }\n#else\nint d2(void) { return e(); }\n#endif\n"
    )
    assert symbols("c", source) == ["function a", "function b", "function d", "function d2"]
    assert references("c", source) == ["call c < b", "call e < d", "call e < d2"]
    assert not parsed("c", source).errors


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("TEST_IMPL(foo) {\n  int x;\n  return 0;\n}", ["test foo"]),
        ("static ALLOC_FUNC(my_malloc)\n{\n  return 1;\n}", ["function my_malloc"]),
        ("UNUSED_BY_SOME(static int f(int x)) {\n  return x;\n}", ["function f"]),
        ("void f() {\n  if(a)\n    b();\n  }\n  else if(c) { d(); }\n}", ["function f"]),
    ],
)
def test_what_a_macro_makes_is_named_by_what_it_is_given_and_no_statement_is_a_function(source, expected):
    assert symbols("c", source) == expected


def test_macros_that_stand_alone_hide_no_namespace():
    source = 'DEFINE_FLAG(int, size, 8, "words; and more");\n\nnamespace re2 {\nint f() { return 1; }\n}\n'
    assert symbols("cpp", source) == ["module re2", "function re2::f"]


@pytest.mark.parametrize("line", ["#if A\n", "#if A\n{\n#else\n", "#endif\n", "#define X \\\n", "AAAA(", "/*", '"\\'])
def test_many_conditions_take_little_time(line):
    assert len(whole_statements(line.encode() * (200_000 // len(line)))) <= 200_000
