"""The languages whose grammars come with `indelible[languages]`, and shells: definitions, references, imports."""

import pytest

from source_code import bindings, imports, parsed, references, symbols, visibility

CASES = [
    (
        "csharp",
        "class A { A() {} ~A() {} void M<T>() { int L(int q) => q; } }",
        ["class A", "method A.A", "method A.~A", "method A.M", "function A.M.L"],
    ),
    (
        "csharp",
        "struct S { } interface I { void m(); } enum E { A, B = 2 } record R(int A); delegate void D(int x);",
        ["struct S", "interface I", "method I.m", "enum E", "constant E.A", "constant E.B", "class R", "type D"],
    ),
    (
        "csharp",
        "class A { const int X = 1, Y = 2; static readonly int Zed = 3; readonly Db db; int q; }",
        ["class A", "constant A.X", "constant A.Y", "constant A.Zed"],
    ),
    (
        "csharp",
        "class A { public int Prop { get; set; } event Foo Ev { add {} remove {} } public int this[int i] => 1; }",
        ["class A", "variable A.Prop", "variable A.Ev", "method A.this"],
    ),
    (
        "csharp",
        "class A { public static A operator +(A a, A b) => a; public static implicit operator "
        "int(A c) => 1; void IFoo.Bar() {} }",
        ["class A", "method A.operator+", "method A.operator int", "method A.Bar"],
    ),
    ("csharp", "namespace N.M { class A { class B { } } }", ["class N.M.A", "class N.M.A.B"]),
    ("csharp", "namespace N; class A { }", ["class N.A"]),
    (
        "ruby",
        "module A::B\n class C < D\n  def m; end\n  def self.n; end\n  class << self\n   def k!; end\n  end\n end\nend",
        ["module A::B", "class A::B::C", "method A::B::C::m", "method A::B::C::n", "method A::B::C::k!"],
    ),
    (
        "ruby",
        "class C\n attr_accessor :a, :b\n define_method(:dyn) { 1 }\n alias_method :aa, :m\n alias old m\n"
        " def ==(o); end\nend",
        ["class C", "method C::a", "method C::b", "method C::dyn", "method C::aa", "method C::old", "method C::=="],
    ),
    (
        "ruby",
        "X = 1\nP = Struct.new(:x) do\n def m; end\nend\ndef top; y = 1; end",
        ["constant X", "class P", "method P::m", "function top"],
    ),
    ("ruby", "module M\n def f; end\n def self.g; end\nend", ["module M", "method M::f", "method M::g"]),
    (
        "php",
        "<?php namespace App\\Db;\n"
        "abstract class M { const A = 1, B = 2; function m() {} abstract static function s(); }",
        [
            "class App\\Db\\M",
            "constant App\\Db\\M\\A",
            "constant App\\Db\\M\\B",
            "method App\\Db\\M\\m",
            "method App\\Db\\M\\s",
        ],
    ),
    (
        "php",
        "<?php interface I { function m(); } trait T { function n() {} } enum E: string { case A = "
        "'a'; const B = self::A; }",
        ["interface I", "method I\\m", "class T", "method T\\n", "enum E", "constant E\\A", "constant E\\B"],
    ),
    (
        "php",
        "<?php const Z = 1; define('Q', 1); function f() { function inner() {} $x = 1; }",
        ["constant Z", "constant Q", "function f", "function f\\inner"],
    ),
    (
        "kotlin",
        "package a.b\nclass C(val x: Int) {\n  constructor() : this(1) {}\n"
        "  companion object { const val K = 1 }\n  val p: Int get() = 1\n  fun m() { val local = 1 }\n}",
        ["class a.b.C", "method a.b.C.constructor", "constant a.b.C.K", "variable a.b.C.p", "method a.b.C.m"],
    ),
    (
        "kotlin",
        "fun String.ext(): Int = 1\nfun <T> List<T>.gen() = 3\nfun `a name`() {}\nval Foo.prop: Int get() = 1",
        ["function ext", "function gen", "function a name", "variable prop"],
    ),
    (
        "kotlin",
        "enum class En(val a: Int) {\n  A(1), B(2);\n  fun x() {}\n}\ninterface I { fun m() }\n"
        "object O { fun f() {} }\ntypealias T = Int",
        [
            "enum En",
            "constant En.A",
            "constant En.B",
            "method En.x",
            "interface I",
            "method I.m",
            "class O",
            "method O.f",
            "type T",
        ],
    ),
    ("kotlin", "@Target(X)\nannotation class An\n", ["interface An"]),
    (
        "swift",
        "class C { var p: Int { 1 }\n static let shared = C()\n init() {}\n deinit {}\n"
        " func m() { let local = 1 }\n subscript(i: Int) -> Int { 1 } }",
        [
            "class C",
            "variable C.p",
            "constant C.shared",
            "method C.init",
            "method C.deinit",
            "method C.m",
            "method C.subscript",
        ],
    ),
    (
        "swift",
        'struct S { func f() {} }\nenum E: String { case a, b = "x"; case c(Int) }\nactor A {}\n'
        "protocol P { func m(); var v: Int { get }; associatedtype T }",
        [
            "struct S",
            "method S.f",
            "enum E",
            "constant E.a",
            "constant E.b",
            "constant E.c",
            "class A",
            "interface P",
            "method P.m",
            "variable P.v",
            "type P.T",
        ],
    ),
    (
        "swift",
        "extension A.B { func ext() {} }\nfunc == (l: A, r: A) -> Bool { true }\ntypealias T = Int\nlet global = 1",
        ["method A.B.ext", "function ==", "type T", "variable global"],
    ),
    (
        "scala",
        "package a.b\npackage c\n"
        "class C(val x: Int) { type A = Int; val v = 1; def m() = { val local = 1 }; def this() = this(1) }",
        ["class a.b.c.C", "type a.b.c.C.A", "variable a.b.c.C.v", "method a.b.c.C.m", "method a.b.c.C.this"],
    ),
    (
        "scala",
        "object O { def f = 1 }\ntrait T { def abs: Int }\ncase class D(a: Int)\ncase object E",
        ["class O", "method O.f", "interface T", "method T.abs", "class D", "class E"],
    ),
    (
        "scala",
        "enum Color { case Red, Green; case X(a: Int) }\ndef top = 1",
        ["enum Color", "constant Color.Red", "constant Color.Green", "class Color.X", "function top"],
    ),
    (
        "bash",
        "f() { local x=1; }\nfunction g { :; }\nmy-fun () ( : )\nlib::f() { :; }",
        ["function f", "function g", "function my-fun", "function lib::f"],
    ),
    ("bash", "readonly AN=1\ndeclare -r other=2\nx=3", ["constant AN", "variable other"]),
]


@pytest.mark.parametrize(("language", "source", "expected"), CASES)
def test_definitions_have_their_kind_and_their_qualified_name(language, source, expected):
    assert symbols(language, source) == expected
    assert not parsed(language, source).errors


REFERENCES = [
    (
        "csharp",
        "[Test] class A : B<T>, N.I { A() { this.M(1); base.M(); N.S.T(); new Foo<int>(1); foo?.bar(); x.Y<int>(); } }",
        [
            "decorator Test < A",
            "inherit B < A",
            "inherit N > I < A",
            "call this > M < A.A",
            "call base > M < A.A",
            "call N.S > T < A.A",
            "construct Foo < A.A",
            "call foo > bar < A.A",
            "call x > Y < A.A",
        ],
    ),
    (
        "ruby",
        "class A < B::C\n include D\n def m; f(1); self.g; E::F.new(1); a&.h!(1); @db.run(1); end\nend",
        [
            "inherit B > C < A",
            "call include < A",
            "implement D < A",
            "call f < A::m",
            "call self > g < A::m",
            "call E::F > new < A::m",
            "construct E > F < A::m",
            "call a > h! < A::m",
            "call self.db > run < A::m",
        ],
    ),
    (
        "php",
        "<?php #[At] class A extends B implements C, \\X\\Y { use T; function m() { f(); \\g(); "
        "$this->db->run(); $x?->h(); parent::m(); self::s(); N\\O::k(); new P(1); } }",
        [
            "decorator At < A",
            "inherit B < A",
            "implement C < A",
            "implement X > Y < A",
            "implement T < A",
            "call f < A\\m",
            "call g < A\\m",
            "call $this.db > run < A\\m",
            "call $x > h < A\\m",
            "call parent > m < A\\m",
            "call self > s < A\\m",
            "call N.O > k < A\\m",
            "construct P < A\\m",
        ],
    ),
    (
        "kotlin",
        "@An\nclass A : B(1), C, D by d {\n fun m() { f(); this.g(); super.h(); a?.i(); b.c(1).d { e() } }\n}",
        [
            "decorator An < A",
            "inherit B < A",
            "inherit C < A",
            "inherit D < A",
            "call d < A",
            "call f < A.m",
            "call this > g < A.m",
            "call super > h < A.m",
            "call a > i < A.m",
            "call b.c() > d < A.m",
            "call b > c < A.m",
            "call e < A.m",
        ],
    ),
    (
        "swift",
        "@objc class A: B, C { func m() { f(); self.g(); super.h(); a?.i(); b.c(1).d { e() } } }\n"
        "extension A: D {}\nprotocol P: Q {}",
        [
            "decorator objc < A",
            "inherit B < A",
            "inherit C < A",
            "call f < A.m",
            "call self > g < A.m",
            "call super > h < A.m",
            "call a > i < A.m",
            "call b > c < A.m",
            "call b.c() > d < A.m",
            "call e < A.m",
            "implement D < A",
            "extend Q < P",
        ],
    ),
    (
        "scala",
        "@an class A extends B(1) with C { def m = { f(1); this.g(); super.h(); a.i[Int](1); new D(2) } }\n"
        "trait T extends U with V",
        [
            "decorator an < A",
            "inherit B < A",
            "inherit C < A",
            "call f < A.m",
            "call this > g < A.m",
            "call super > h < A.m",
            "call a > i < A.m",
            "construct D < A.m",
            "inherit U < T",
            "inherit V < T",
        ],
    ),
    ("bash", "f() { g a | h; x=$(k); /bin/ls; }", ["call g < f", "call h < f", "call k < f"]),
]


@pytest.mark.parametrize(("language", "source", "expected"), REFERENCES)
def test_references_have_their_receiver_and_what_they_stand_in(language, source, expected):
    assert references(language, source) == expected


IMPORTS = [
    (
        "csharp",
        "using A.B;\nusing S = A.B.C;\nusing static A.D;\nglobal using E;",
        [("A.B", "*", "", False), ("A.B", "C", "S", False), ("A.D", "*", "", False), ("E", "*", "", False)],
    ),
    (
        "ruby",
        "require 'set'\nrequire_relative 'a/b'\nrequire \"#{x}\"",
        [("<set.rb>", "*", "", False), ('"a/b.rb"', "*", "", False)],
    ),
    (
        "php",
        "<?php use A\\B as C, D\\E; use function F\\g; use H\\{I, J as K}; require_once 'x/y.php';",
        [
            ("A", "B", "C", False),
            ("D", "E", "", False),
            ("F", "g", "", False),
            ("H", "I", "", False),
            ("H", "J", "K", False),
            ('"x/y.php"', "*", "", False),
        ],
    ),
    (
        "kotlin",
        "import a.b.C\nimport a.d.*\nimport e.F as G\n",
        [("a.b", "C", "", False), ("a.d", "*", "", False), ("e", "F", "G", False)],
    ),
    ("swift", "import A\nimport class B.C", [("A", "*", "", False), ("B.C", "*", "", False)]),
    (
        "scala",
        "import a.B\nimport c.{D, E => F, _}\nimport g._, h.I\nimport j.K as L",
        [
            ("a", "B", "", False),
            ("c", "D", "", False),
            ("c", "E", "F", False),
            ("c", "*", "", False),
            ("g", "*", "", False),
            ("h", "I", "", False),
            ("j", "K", "L", False),
        ],
    ),
    ("bash", 'source ./a.sh\n. "$HERE/b/c.sh"\n. "$x"', [('"./a.sh"', "*", "", False), ('"b/c.sh"', "*", "", False)]),
]


@pytest.mark.parametrize(("language", "source", "expected"), IMPORTS)
def test_imports(language, source, expected):
    assert imports(language, source) == expected


BINDINGS = [
    (
        "csharp",
        "class A { Db db; N.T P { get; } void M(Row? r) { var s = new Store<int>(); var t = Make(); Foo f = new(); } }",
        {"db": "Db", "P": "N.T", "r": "Row", "s": "Store", "t": "Make()", "f": "Foo"},
    ),
    ("ruby", "@db = Db.new(1)\nx = A::B.new", {"self.db": "Db", "x": "A::B"}),
    (
        "php",
        "<?php class A { private Db $db; function m(private Row $r, ?Foo $f) { $s = new Store; $this->t = new T; } }",
        {"db": "Db", "$r": "Row", "this.r": "Row", "$f": "Foo", "$s": "Store", "$this.t": "T"},
    ),
    (
        "kotlin",
        "class A(private val db: Db) {\n fun m(r: Row?) { val s = Store(1)\n val t: T = x }\n}",
        {"db": "Db", "r": "Row", "s": "Store()", "t": "T"},
    ),
    (
        "swift",
        "class A { let db: Db\n func m(_ r: Row?, with q: N.Q) { let s = Store(1); let t: T? = x } }",
        {"db": "Db", "r": "Row", "q": "N.Q", "s": "Store()", "t": "T"},
    ),
    (
        "scala",
        "class A(db: Db) { val t: T = x; def m(r: Row[Int]) = { val s = new Store; val u = make() } }",
        {"db": "Db", "t": "T", "s": "Store", "u": "make()"},
    ),
]


@pytest.mark.parametrize(("language", "source", "expected"), BINDINGS)
def test_names_are_bound_to_types(language, source, expected):
    assert bindings(language, source) == expected


VISIBILITY = [
    (
        "csharp",
        "class A { void a() {} public void b() {} protected int C { get; } internal class D {} }\n"
        "interface I { void m(); }",
        {
            "A": "internal",
            "A.a": "private",
            "A.b": "public",
            "A.C": "protected",
            "A.D": "internal",
            "I": "internal",
            "I.m": "internal",
        },
    ),
    (
        "ruby",
        "class A\n def a; end\n private\n def b; end\n public def c; end\n protected\n def d; end\nend",
        {"A": "public", "A::a": "public", "A::b": "private", "A::c": "public", "A::d": "protected"},
    ),
    (
        "php",
        "<?php class A { function a() {} private function b() {} protected static function c() {} const D = 1; }",
        {"A": "public", "A\\a": "public", "A\\b": "private", "A\\c": "protected", "A\\D": "public"},
    ),
    (
        "kotlin",
        "class A {\n fun a() {}\n private fun b() {}\n protected fun c() {}\n internal fun d() {}\n}",
        {"A": "public", "A.a": "public", "A.b": "private", "A.c": "protected", "A.d": "internal"},
    ),
    (
        "swift",
        "public class A { func a() {}\n private func b() {}\n fileprivate func c() {}\n open func d() {} }\n"
        "public protocol P { func m() }",
        {
            "A": "public",
            "A.a": "internal",
            "A.b": "private",
            "A.c": "private",
            "A.d": "public",
            "P": "public",
            "P.m": "public",
        },
    ),
    (
        "scala",
        "class A { def a = 1; private def b = 1; protected[x] def c = 1 }",
        {"A": "public", "A.a": "public", "A.b": "private", "A.c": "protected"},
    ),
    ("bash", "f() { :; }\n_g() { :; }", {"f": "public", "_g": "private"}),
]


@pytest.mark.parametrize(("language", "source", "expected"), VISIBILITY)
def test_who_may_use_a_symbol(language, source, expected):
    assert visibility(language, source) == expected


DOCS = [
    ("csharp", "/// <summary>What.</summary>\n[At]\nclass A { }", "<summary>What.</summary>"),
    ("ruby", "# What.\n# More.\nclass A; end", "What.\nMore."),
    ("ruby", "#!/usr/bin/ruby\n# frozen_string_literal: true\nclass A; end", ""),
    ("php", "<?php\n/** What. */\nclass A {}", "What."),
    ("kotlin", "/** What. */\n@At\nclass A", "What."),
    ("swift", "/// What.\n@At\nclass A {}", "What."),
    ("scala", "/** What. */\nclass A", "What."),
    ("bash", "#!/bin/sh\n# What.\nf() { :; }", "What."),
]


@pytest.mark.parametrize(("language", "source", "expected"), DOCS)
def test_the_comment_above_is_the_documentation(language, source, expected):
    assert parsed(language, source).symbols[0].doc == expected


TESTS = [
    (
        "csharp",
        "ATests.cs",
        "class A { [Test] public void One() {} [Fact] void Two() {} void Three() {} }",
        ["One", "Two"],
    ),
    ("ruby", "spec/a_spec.rb", "describe 'A' do\n it 'works' do\n  f(1)\n end\nend", ["A", "works"]),
    ("ruby", "test/a_test.rb", "class A < T\n def test_one; end\n def two; end\nend", ["test_one"]),
    (
        "php",
        "tests/ATest.php",
        "<?php class ATest { function testOne() {} #[Test] function two() {} function three() {} }",
        ["testOne", "two"],
    ),
    ("kotlin", "ATest.kt", "class A {\n @Test fun one() {}\n fun two() {}\n}", ["one"]),
    ("swift", "Tests/ATests.swift", "class A: XCTestCase { func testOne() {} func two() {} }", ["testOne"]),
    (
        "scala",
        "src/test/A.scala",
        'class A extends S { test("one") { f(1) }\n @Test def two = 1\n def three = 1 }',
        ["one", "two"],
    ),
    ("bash", "tests/test_a.sh", "test_one() { :; }\ntwo() { :; }", ["test_one"]),
]


@pytest.mark.parametrize(("language", "path", "source", "expected"), TESTS)
def test_tests_are_known_as_their_runner_finds_them(language, path, source, expected):
    assert [each.name for each in parsed(language, source, path).symbols if each.kind == "test"] == expected
