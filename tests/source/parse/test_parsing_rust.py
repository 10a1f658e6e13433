"""Rust."""

import pytest

from source_code import bindings, imports, parsed, references, symbols, visibility


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("fn f() { fn g() {} }", ["function f", "function f::g"]),
        ("struct A { x: u8 } union U { a: u8 } struct T(u8);", ["struct A", "struct U", "struct T"]),
        ("impl<T> A<T> { pub fn new() -> Self { todo!() } const X: u8 = 1; }", ["method A::new", "constant A::X"]),
        ("impl fmt::Display for a::B<'_> { fn fmt(&self) {} }", ["method B::fmt"]),
        ("trait A { fn m(&self); fn n() {} type T; }", ["interface A", "method A::m", "method A::n", "type A::T"]),
        ("enum E { A(u8), B { x: u8 } }", ["enum E", "constant E::A", "constant E::B"]),
        ("mod m { fn f() {} }\nmod other;", ["module m", "function m::f"]),
        ("macro_rules! mac { () => {} }", ["macro mac"]),
        ("const A: u8 = 1; static B: u8 = 2; const _: () = ();", ["constant A", "constant B"]),
        ("type A = B;", ["type A"]),
        ('extern "C" { fn c(x: i32); }', ["function c"]),
    ],
)
def test_definitions_have_their_kind_and_their_qualified_name(source, expected):
    assert symbols("rust", source) == expected


def test_pub_says_who_may_use_it():
    source = (
        "pub fn a() {} pub(crate) fn b() {} fn c() {} pub trait T { fn m(); } impl T for A { fn m() {} } "
        "impl A { fn p() {} }"
    )
    expected = {
        "a": "public",
        "b": "internal",
        "c": "private",
        "T": "public",
        "T::m": "public",
        "A::m": "public",
        "A::p": "private",
    }
    assert visibility("rust", source) == expected


def test_doc_comments_are_found_above_attributes():
    source = (
        "/// What it is.\n///\n/// More.\n#[derive(\n    Debug,\n)]\n#[serde(x)]\npub struct A;\n// no doc\nfn f() {}"
    )
    struct, function = parsed("rust", source).symbols
    assert (struct.doc, function.doc) == ("What it is.\n\nMore.", "")


def test_tests_are_known_by_their_attribute():
    source = "#[cfg(test)]\nmod tests {\n  #[tokio::test]\n  async fn a() {}\n  #[test] fn b() {}\n  fn made() {}\n}"
    file = parsed("rust", source)
    assert [f"{s.kind} {s.name} {s.is_test}" for s in file.symbols] == [
        *("module tests True", "test a True", "test b True", "function made True")
    ]


def test_references_and_what_is_implemented():
    source = (
        "impl c::T for A { fn f(&self) { self.x.run::<B>(); Vec::<u8>::new(); g(1)?.h(); S { a: 1 }; "
        'log::info!("x"); } }\ntrait U: V + w::W {}'
    )
    assert references("rust", source) == [
        *("call self.x > run < A::f", "call Vec > new < A::f", "call g() > h < A::f", "call g < A::f"),
        *("construct S < A::f", "macro log > info < A::f", "extend V < U", "extend w > W < U", "implement c > T < A"),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('println!("{}", a::g(x).h(1), self.m(2));', ["a > g", "a::g() > h", "self > m"]),
        ("vec![a(), b(y)?.c()];", ["a", "b", "b() > c"]),
        ("assert_eq!(self.a.b(c[0]).d(), Foo::new(|y| k(y)));", ["self.a > b", "self.a.b() > d", "Foo > new", "k"]),
        ('write!(f, "{}", format!("{}", w()));', ["w"]),
        ("select! { Some(v) = rx.recv() => go(v), A(b) | C(b) => {} }", ["rx > recv", "go"]),  # patterns
        ("assert!(matches!(z(1), Some(B(_)) if p(1)));", ["z", "p"]),
        ("m! { #[cfg(any(a, b))] fn g(x: Fn(A) -> B) { h(1..n(2)); } }", ["h", "n"]),  # attribute, definition, type
        ("quote! { f(x) }; m!(quote!(g(y)), k());", ["k"]),  # code that another function will have
        ("m!(a (b), c + (d), x[0](1), (e)(f));", []),
    ],
)
def test_calls_in_the_arguments_of_a_macro(source, expected):
    found = [each for each in references("rust", f"fn f() {{ {source} }}") if each.startswith("call")]
    assert found == [f"call {each} < f" for each in expected]


def test_macros_in_macros_are_references_and_what_a_macro_is_defined_by_is_none():
    source = "fn f() { m!(a::n!(x), o![1]); }\nmacro_rules! p { ($a:expr) => { g($a) } }\n#[cfg(any(a, b))]\nfn h() {}"
    assert references("rust", source) == ["macro m < f", "macro a > n < f", "macro o < f"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("use a::b;", [("a", "b", "", False)]),
        (
            "pub use a::{self, b as c, d::{e, f::*}};",
            [("", "a", "", True), ("a", "b", "c", True), ("a::d", "e", "", True), ("a::d::f", "*", "", True)],
        ),
        ("mod a;", [("self", "a", "", False)]),
        ("pub(crate) mod a;", [("self", "a", "", True)]),
    ],
)
def test_use_trees_are_written_out(source, expected):
    assert imports("rust", source) == expected


def test_names_are_bound_to_types():
    source = (
        "struct A { s: Store<T> } fn f(a: &mut db::Row) { let b: Vec<u8> = x; let c = Engine::new(1); let d "
        "= S { a: 1 }; }"
    )
    assert bindings("rust", source) == {"s": "Store", "a": "db::Row", "b": "Vec", "c": "Engine::new()", "d": "S"}
