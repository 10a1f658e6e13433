"""JavaScript, TypeScript and JSX."""

import pytest

from source_code import bindings, imports, parsed, references, symbols, visibility


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("function f() { function g() {} }", ["function f", "function f.g"]),
        ("async function* f() {}", ["function f"]),
        ("const f = async (a) => a", ["function f"]),
        ("const f = function () {}", ["function f"]),
        (
            "class A { m() {} static #p() {} get g() {} x = () => 1; ['k']() {} }",
            ["class A"] + [f"method A.{n}" for n in ("m", "#p", "g", "x", "k")],
        ),
        ("const A = class { m() {} }", ["class A", "method A.m"]),
        ("const api = { get() {}, post: () => 1, n: 1 }", ["variable api", "method api.get", "method api.post"]),
        ("Foo.prototype.bar = function () {}", ["method Foo.bar"]),
        ("exports.run = () => {}", ["function run"]),
        ("module.exports = function () {}", ["function exports"]),
        ("export default () => 1", ["function default"]),
        ("app.use(function logger() {})", ["function logger"]),
        ("items.map((x) => x); (function () {})()", []),
        ("const LIMIT = 1; let name = 2; const x = require('x')", ["constant LIMIT", "variable name"]),
        ("function f() { const a = 1 }", ["function f"]),
    ],
)
def test_definitions_of_javascript(source, expected):
    assert symbols("javascript", source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "interface A { m(): void; p: (x: T) => void; q: string; new (): A }",
            ["interface A"] + [f"method A.{n}" for n in ("m", "p", "new")],
        ),
        ("enum E { A, B = 1 }", ["enum E", "constant E.A", "constant E.B"]),
        ("type A = { x: number }", ["type A"]),
        ("namespace N { export function f() {} }", ["module N", "function N.f"]),
        ("abstract class A<T> { abstract m(): void; private x = () => 1 }", ["class A", "method A.m", "method A.x"]),
        ("function f(a: string): void\nfunction f(a: any) {}", ["function f", "function f"]),
        ("declare function f(): void", ["function f"]),
        ("interface A<in R, out E> { m(): void }", ["interface A", "method A.m"]),
        (
            "const a: {\n  /** one */\n  <A>(x: A): A\n  /** two */\n  (x: B): B\n} = f\nclass C { m() {} }",
            ["variable a", "class C", "method C.m"],
        ),
    ],
)
def test_definitions_of_typescript(source, expected):
    assert symbols("typescript", source) == expected


def test_an_overload_without_a_body_is_only_declared():
    file = parsed("typescript", "function f(a: string): void\nfunction f(a: any) {}")
    assert [symbol.declared for symbol in file.symbols] == [True, False]


def test_a_component_of_tsx_is_called_where_it_stands():
    source = "export const App = () => <div><Menu.Item a={f()} /><Page>x</Page></div>"
    assert symbols("tsx", source) == ["function App"]
    assert references("tsx", source) == ["call Menu > Item < App", "call f < App", "call Page < App"]


def test_what_is_exported_is_public():
    source = (
        "export function a() {}\nfunction b() {}\nconst c = () => 1\nexport { c as d }\nclass E { m() {} "
        "private n() {} protected o() {} #p() {} }"
    )
    expected = {"a": "public", "b": "private", "c": "public", "E": "private"}
    expected |= {"E.m": "public", "E.n": "private", "E.o": "protected", "E.#p": "private"}
    assert visibility("typescript", source) == expected
    assert visibility("javascript", "function a() {}\nfunction b() {}\nmodule.exports = { a }") == {
        "a": "public",
        "b": "private",
    }


def test_cases_of_describe_and_it_are_tests_in_test_files_only():
    source = "describe('store', () => { it('keeps', async () => { open() }) })"
    assert symbols("typescript", source, "src/a.test.ts") == ["test store", "test store.keeps"]
    assert symbols("typescript", source, "src/a.ts") == []


@pytest.mark.parametrize(
    ("above", "doc"),
    [
        ("/**\n * Adds.\n * @param a one\n */", "Adds.\n@param a one"),
        ("// Adds\n// two.", "Adds\ntwo."),
        ("// eslint-disable-next-line\n// Adds.", "Adds."),
        ("// Adds.\n", ""),
        ("/* ---- */", ""),
    ],
)
def test_the_comment_right_above_is_the_documentation(above, doc):
    (symbol,) = parsed("javascript", f"{above}\nexport function f() {{}}").symbols
    assert symbol.doc == doc


def test_references_of_typescript():
    source = (
        "class A extends b.B<T> implements C, D.E<T> { m() { this.x?.run(); new F.G(1); super.m(); "
        "a.b(c).d() } }\ninterface I extends J, K<L> {}"
    )
    assert references("typescript", source) == [
        *("inherit b > B < A", "implement C < A", "implement D > E < A", "call this.x > run < A.m"),
        *("construct F > G < A.m", "call super > m < A.m", "call a.b() > d < A.m", "call a > b < A.m"),
        *("extend J < I", "extend K < I"),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a, { b as c, type D } from './m'", [("./m", "default", "a"), ("./m", "b", "c"), ("./m", "D", "")]),
        ("import * as ns from 'm'", [("m", "", "ns")]),
        ("import 'm'", [("m", "", "")]),
        ("import type { A } from 'm'", [("m", "A", "")]),
        ("export { a as b } from 'm'", [("m", "a", "b")]),
        ("export * from 'm'", [("m", "*", "")]),
        ("const { a: b, c } = require('m')", [("m", "a", "b"), ("m", "c", "")]),
        ("const m = require('m')", [("m", "", "m")]),
        ("const m = require('m').part", [("m", "part", "m")]),
    ],
)
def test_imports_of_both_module_systems(source, expected):
    assert [each[:3] for each in imports("typescript", source)] == expected


def test_names_are_bound_to_types_and_to_what_is_constructed():
    source = (
        "class A { s: Store<T>; m(a: db.Row) { const x = new Engine(); const y = await open(1); this.z = new Q() } }"
    )
    assert bindings("typescript", source) == {"s": "Store", "a": "db.Row", "x": "Engine", "y": "open()", "this.z": "Q"}


def test_a_parameter_of_a_constructor_with_a_modifier_is_a_property():
    source = """class A { constructor(
        private readonly db: Db, public x = new Foo(), y: Z, readonly q?: R, protected override s: S<T>) {} }"""
    assert bindings("typescript", source) == {
        **{"db": "Db", "this.db": "Db", "this.x": "Foo", "y": "Z"},
        **{"q": "R", "this.q": "R", "s": "S", "this.s": "S"},
    }
