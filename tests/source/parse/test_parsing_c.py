"""C and C++, with the macros of real headers."""

import pytest

from indelible.source.parse.languages import language_of
from source_code import bindings, imports, parsed, references, symbols, visibility


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("static const char **f(int x) { return 0; }", ["function f"]),
        ("int f(void);", []),
        (
            "struct A { int x; }; union U { int y; }; enum E { P, Q };",
            ["struct A", "struct U", "enum E", "constant E::P", "constant E::Q"],
        ),
        ("typedef struct { int x; } A; typedef int B; typedef int (*cb)(void);", ["struct A", "type B", "type cb"]),
        ("#define N 1\n#define ADD(x) (x)", ["constant N", "macro ADD"]),
        ("int table[] = {1, 2}; int f(void) { int x = 1; }", ["variable table", "function f"]),
        ("int (*fp)(int);", []),
        ("#ifdef X\nint f(void) { }\n#endif", ["function f"]),
        ("NPY_NO_EXPORT PyObject *\nf(PyObject *a) { return a; }", ["function f"]),
    ],
)
def test_definitions_of_c(source, expected):
    assert symbols("c", source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "namespace a::b { class A { void m() {} A(); ~A(); }; }",
            ["module a::b", "class a::b::A"] + [f"method a::b::A::{n}" for n in ("m", "A", "~A")],
        ),
        ("int ns::Foo<T>::m(int a) { }", ["method ns::Foo::m"]),
        ("namespace n {} int n::f() { }", ["module n", "function n::f"]),
        (
            "struct A { bool operator==(const A& b) const { } operator bool() const; };",
            ["struct A", "method A::operator==", "method A::operator bool"],
        ),
        ("template <class T> class A<T*> { };", ["class A"]),
        ("struct Table::Rep { int x; };", ["struct Table::Rep"]),
        ("using X = int; enum class E { A };", ["type X", "enum E", "constant E::A"]),
        ("struct A { int (*fp)(int); int x; };", ["struct A"]),
        ("auto f() -> int { auto l = [](int x) { return x; }; }", ["function f"]),
        (
            "class EXPORT_API A : public B { void m() REQUIRES_LOCK(mu); int x GUARDED_BY(mu); };",
            ["class A", "method A::m"],
        ),
    ],
)
def test_definitions_of_cpp(source, expected):
    assert symbols("cpp", source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("constexpr int kA = 1; const char* const kB = nullptr;", ["constant n::kA", "constant n::kB"]),
        ("inline constexpr std::size_t kC{3}; static const int kD[] = {1};", ["constant n::kC", "constant n::kD"]),
        ("namespace { const int kE = 2, kF = 3; }", ["constant n::kE", "constant n::kF"]),
        ("int count = 2; extern int e; int g;", ["variable n::count"]),
        ("void f() { const int z = 3; }", ["function n::f"]),
        ("#ifdef X\nconst int kG = 1;\n#endif", ["constant n::kG"]),
        ("inline A_MACRO a::a(int b) : lo_(b), hi_(0) {}", []),
        ("int (*hook)(int) = nullptr;", ["variable n::hook"]),
        ("struct S {\n#if X\nvirtual int f() const = 0;\n#endif\n};", ["struct n::S", "method n::S::f"]),
        ("TEST(A, b) {\n#if X\nconst int k = 1;\n#endif\n}", ["test n::A.b"]),
    ],
)
def test_constants_and_variables_of_a_namespace(source, expected):
    assert symbols("cpp", f"namespace n {{\n{source}\n}}") == ["module n", *expected]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int ns::f() { }", ["function ns::f"]),  # the header has the namespace
        ("int Foo::f() { }", ["method Foo::f"]),
        ("str::str() { } int str::f() { }", ["method str::str", "method str::f"]),
        ("int str::f() const { } int str::g() { }", ["method str::f", "method str::g"]),
        ("int str::f() { return this->x; }", ["method str::f"]),
    ],
)
def test_a_method_belongs_to_a_class_and_a_function_to_a_namespace(source, expected):
    assert symbols("cpp", source) == expected


def test_sections_and_static_say_who_may_use_it():
    source = (
        "class A { int a(); public: int b(); protected: int c(); struct S { int d(); }; private: int e(); "
        "};\nstatic int f() { }\nnamespace { int g() { } }"
    )
    expected = {"A": "public", "A::a": "private", "A::b": "public", "A::c": "protected", "A::S": "protected"}
    assert visibility("cpp", source) == expected | {
        "A::S::d": "public",
        "A::e": "private",
        "f": "private",
        "g": "private",
    }


def test_a_declaration_in_a_class_is_no_definition():
    file = parsed("cpp", "struct A { int m(); int n() { } A() = default; };")
    assert [symbol.declared for symbol in file.symbols] == [False, True, False, False]


def test_comments_above_document_also_before_a_template():
    source = "// Adds two.\ntemplate <class T>\nT add(T a, T b) { }\n/* Old. */\n\nint f() { }"
    add, f = parsed("cpp", source).symbols
    assert (add.doc, f.doc) == ("Adds two.", "")


def test_the_tests_of_googletest_are_tests():
    assert symbols("cpp", "TEST_F(StoreTest, Keeps) { open(); }") == ["test StoreTest.Keeps"]


def test_references_imports_and_bindings():
    source = '#include <a/b.h>\n#include "c.h"\nusing namespace n;\nusing n::X;\n'
    source += (
        "class A : public B<T>, ns::C { void m(Store *s, std::vector<int>& v) { s->y.z(); "
        "std::make_unique<Q>(1); new D(1); f(); } };"
    )
    assert references("cpp", source) == [
        *("inherit B < A", "inherit ns > C < A", "call s.y > z < A::m", "call std > make_unique < A::m"),
        *("construct D < A::m", "call f < A::m"),
    ]
    assert imports("cpp", source) == [
        *(("<a/b.h>", "*", "", True), ('"c.h"', "*", "", True), ("n", "*", "", False), ("n", "X", "", False))
    ]
    assert bindings("cpp", source) == {"s": "Store", "v": "std::vector"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("int f(void);\n", "c"),
        ("namespace a {\n", "cpp"),
        ("  class A {\n", "cpp"),
        ("#include <vector>\n", "cpp"),
        ('#ifdef __cplusplus\nextern "C" {\n', "c"),
    ],
)
def test_a_header_is_cpp_if_it_says_what_c_cannot(text, name):
    assert language_of("a/b.h", text.encode()).name == name
