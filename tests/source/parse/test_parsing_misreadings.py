"""What the grammars of `indelible[languages]` misread, and is read right all the same."""

from source_code import parsed, references, symbols


def test_the_result_of_a_function_of_a_swift_protocol_is_no_name():
    assert symbols("swift", "protocol P { func m(x: A) throws -> B?\n static func == (l: P, r: P) -> Bool }") == [
        *("interface P", "method P.m", "method P.==")
    ]


def test_a_statement_of_csharp_beside_a_directive_is_no_function():
    source = """class A { void M() {
#if X
if (a) { f(); }
else
#endif
if (b) { g(); } else if (v is D d) { h(); }
} }"""
    assert symbols("csharp", source) == ["class A", "method A.M"]


def test_an_element_of_swift_is_no_call():
    source = "func f() { a[1]; b.c[2] = 3; d(4); e { 1 }; g(5) { 6 } }"
    assert references("swift", source) == ["call d < f", "call e < f", "call g < f"]


def test_a_constructor_of_kotlin_may_stand_on_a_line_of_its_own():
    source = "class A\n@Inject internal constructor(\n  val b: B,\n) : C() {\n  fun f() {}\n}\n/** D. */\nclass D"
    file = parsed("kotlin", source)
    assert [(each.qualified_name, each.line) for each in file.symbols] == [("A", 1), ("A.f", 5), ("D", 8)]
    assert not file.errors


def test_a_statement_of_kotlin_may_end_with_its_block():
    source = "open class A { fun f() {} }\nclass B { val x = 1 }\nfun g() { h { it.k() } }"
    assert symbols("kotlin", source) == ["class A", "method A.f", "class B", "variable B.x", "function g"]
    assert not parsed("kotlin", source).errors
