"""Names that more than one definition has: the one that is meant, or none where that cannot be said."""

import pytest

from code_edges_of import calls, imported
from indelible.source.resolve.affected import Changes, affected
from indelible.source.resolve.outlines import names
from source_code import parsed


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (  # a method that takes another number of arguments is not the one that is called
            {"A.java": "class A extends Out { void put() {} void f() { put(1); put(); } }"},
            ["A.f CALLS A.put"],
        ),
        (
            {
                "B.java": "class B { void put(int a, int b) {} }",
                "A.java": "class A extends B { void put(int a) {} void f() { put(1, 2); } }",
            },
            ["A.f CALLS B.put"],
        ),
        (
            {"A.java": "class A { void put(String a, int... b) {} void f() { put(x); put(x, 1, 2); put(); } }"},
            ["A.f CALLS A.put"] * 2,
        ),
        (  # JUnit's are overloaded by argument types, which nobody knows here
            {
                "A.java": "class A extends TestCase { void assertEquals(int[] a, int[] b) {} }",
                "B.java": "class B extends A { void f() { assertEquals(1, 2); } }",
            },
            [],
        ),
        (  # a constructor's super() is that of the class, not of an interface
            {
                "A.java": "interface A {} class B {} class C implements A { C() { super(); } } "
                "class D extends B { D() { super(); } }"
            },
            ["D.D CALLS B"],
        ),
        (  # of copies the nearest
            {
                "a/old/Store.java": "package s; class Store { void put() {} }",
                "b/src/Store.java": "package s; class Store { void put() {} }",
                "b/src/Main.java": "package s; class Main { void f(Store store) { store.put(); } }",
            },
            ["s.Main.f CALLS s.Store.put b/src/Store.java"],
        ),
        (  # the title of a test is no name
            {"a.test.ts": "import { run } from 'x';\ndescribe('run', () => { it('does', () => { run(); }); });"},
            [],
        ),
        (  # another name for what is outside
            {
                "vms.h": "#define getenv decc_getenv\n#define log own_log\nvoid own_log(int x) { }",
                "a.c": '#include "vms.h"\nvoid f(void) { getenv("A"); log(1); }',
            },
            ["f CALLS log"],
        ),
        (  # the C library, unless it is in sight
            {
                "win.c": "int snprintf(char *a) { return 0; }\nint own(char *a) { return 0; }",
                "a.c": "void f(void) { snprintf(0); own(0); }",
            },
            ["f CALLS own"],
        ),
    ],
)
def test_a_call_means_the_definition_that_it_can_mean_or_none(files, expected):
    assert calls(files, with_path=any("b/src/" in each for each in expected)) == sorted(expected)


def test_an_overload_of_python_is_declared_and_the_last_definition_counts():
    body = (
        "from typing import overload\nimport typing\n@overload\ndef f(a: int) -> int: ...\n"
        "@typing.overload\ndef f(a: str) -> str: ...\ndef f(a):\n    return a\ndef g():\n    f(1)\n"
    )
    assert calls({"m.py": body}, with_line=True) == ["m.g CALLS m.f 7"]


@pytest.mark.parametrize(
    ("exporting", "target"),
    [
        ("function a() {}\nexport function b() {}\nexport default a;", "a"),
        ("export default function a() {}\nexport function b() {}", "a"),
        ("export default class a {}\nexport class b {}", "a"),
        ("export default () => 1;\nexport function other() {}", "default"),
        ("function a() {}\nfunction b() {}\nmodule.exports = a;\nmodule.exports.b = b;", "a"),
        ("module.exports = function a() {};\nmodule.exports.b = function b() {};", "a"),
        ("module.exports = class a { m() {} };", "a"),
    ],
)
def test_a_default_export_is_found_under_any_name_that_an_importer_gives_it(exporting, target):
    es = "import any from './lib';" if "export default" in exporting else "const any = require('./lib');"
    found = calls({"lib.js": exporting, "main.js": f"{es}\nfunction f() {{ any(); }}"})
    assert found == [f"main.f CALLS lib.{target}"]


def test_classes_and_members_are_named_by_what_they_are_assigned_to():
    found = calls(
        {
            "dep.js": "class Dep {}\nDep.Template = class DepTemplate extends Base { m() {} };\nmodule.exports = Dep;",
            "doc.js": "function Doc() {}\nDoc.prototype.get = function() {};\nDoc.prototype.$get = Doc.prototype.get;\n"
            "Doc.prototype.f = function() { this.get(); this.$get(); };",
            "main.js": "const Dep = require('./dep');\nfunction f() { new Dep.Template(); }",
        }
    )
    assert found == ["doc.Doc.f CALLS doc.Doc.$get", "doc.Doc.f CALLS doc.Doc.get", "main.f CALLS dep.Dep.Template"]


@pytest.mark.parametrize(
    "main",
    [
        "const any = require('./lib');\nany();\n",
        "import any from './lib';\nany();\n",
        "const l = require('./lib');\nl.m();\n",
    ],
)
def test_who_imports_a_default_export_is_asked_again_when_it_is_another(main):
    old, new = ("function a() {}\nfunction b() {}\nmodule.exports = " + name for name in "ab")
    before, after, importer = (parsed("javascript", text, "lib.js", "lib") for text in (old, new, main))
    changes = Changes()
    changes.add("lib.js", before, after)
    known = {"lib.js": names("lib.js", after), "main.js": names("main.js", importer)}
    assert affected(changes, ["lib.js"], known) == {"main.js"}


def test_an_import_of_a_package_leads_to_the_files_that_are_used():
    files = {
        "a/A.java": "package a; public class A { public static void f() {} }",
        "a/B.java": "package a; public class B { public static void f() {} }",
        "a/C.java": "package a; public class C {}",
        "b/Main.java": "package b; import a.*; class Main { void g() { A.f(); } }",
        "b/Idle.java": "package b; import a.*; class Idle {}",
    }
    assert imported(files) == ["b/Idle.java IMPORTS a/A.java", "b/Main.java IMPORTS a/A.java"]
