"""How sure an edge is, what types that are written tell, changed files, and what is deep or goes in a ring."""

from dataclasses import replace

import pytest

from code_edges_of import edges, edges_of, index, shown
from indelible.source.parse.symbols import Binding
from indelible.source.resolve.resolution import Resolution


def with_bindings(definitions, path, *bindings):
    """The same with types that are written in a file: (name, type, the name of the scope)."""
    parsed = definitions.files[path].parsed
    scopes = {symbol.qualified_name: at for at, symbol in enumerate(parsed.symbols)}
    made = tuple(Binding(name, type_, 1, scopes.get(scope, -1)) for name, type_, scope in bindings)
    definitions.put(path, replace(parsed, bindings=made))
    return definitions


def test_what_a_variable_holds_is_known_by_the_type_that_is_written():
    store = (
        "class Store:\n    def put(self): pass\nclass Other:\n    def put(self): pass\ndef opened() -> Store: pass\n"
    )
    use = (
        "from s import Store, Other, opened\napp = Store()\nclass User:\n    def run(self, "
        "given):\n        given.put()\n"
        "    def own(self):\n        self.kept.put()\n    def two(self):\n        x.put()\n"
        "    def made(self):\n        y.put()\n    def top(self):\n        app.put()\n    def "
        "gone(self):\n        z.put()\n"
    )
    definitions = with_bindings(
        index({"s.py": store, "u.py": use, "v.py": "import u\nu.app.put()\n"}),
        "u.py",
        ("app", "Store()", ""),
        ("given", "Store", "u.User.run"),
        ("self.kept", "Other()", "u.User.run"),
        *(("x", "Store()", "u.User.two"), ("x", "Other()", "u.User.two")),
        ("y", "opened()", "u.User.made"),
        ("z", "elsewhere()", "u.User.gone"),
    )
    found = {edge: sure for edge, sure in edges_of(definitions, "u.py").items() if edge.endswith(".put")}
    assert found == {
        "u.User.run CALLS s.Store.put": 0.85,
        "u.User.own CALLS s.Other.put": 0.8,
        "u.User.made CALLS s.Store.put": 0.75,
        "u.User.top CALLS s.Store.put": 0.85,
    }
    assert "v.py CALLS s.Store.put" in edges_of(definitions, "v.py")


def test_an_edge_is_as_sure_as_the_weakest_rule_on_its_way():
    found = edges(
        {
            "a.py": (
                "def f(): pass\ndef g(): f()\nclass A:\n    def m(self): pass\nclass B(A):\n    def n(self): self.m()\n"
            ),
            "b.py": "from a import f\ndef h(): f()\n",
            "c.py": "from a import *\ndef i(): f()\n",
            "d.c": "int j(void) { return 1; }",
            "e.c": "int k(void) { return j(); }",
        }
    )
    sure = {line: found[line] for line in found if " CALLS " in line}
    assert sure == {
        "a.g CALLS a.f": 1.0,
        "b.h CALLS a.f": 0.95,
        "c.i CALLS a.f": 0.9,
        "a.B.n CALLS a.A.m": 0.9,
        "k CALLS j": 0.6,
    }


def test_a_file_that_changes_or_goes_takes_its_edges_with_it():
    definitions = index({"a.py": "def f(): pass\n", "b.py": "from a import f\nf()\n"})
    assert "b.py CALLS a.f" in edges_of(definitions, "b.py")
    definitions.put("a.py", index({"a.py": "def other(): pass\n"}).files["a.py"].parsed)
    assert edges_of(definitions, "b.py") == {}
    definitions.drop("a.py")
    assert edges_of(definitions, "b.py") == {}
    assert not definitions.is_module("python", "a")


def test_the_order_of_the_files_makes_no_difference_to_what_rings_of_imports_resolve_to():
    files = {
        "p/__init__.py": "from p.a import *\nfrom p.b import *\n",
        "p/a.py": "from p import two\nfrom p.b import *\ndef one(): two()\n",
        "p/b.py": "from p import one\nfrom p.a import *\ndef two(): one()\n",
        "q.py": "import p\np.one()\np.two()\n",
    }
    expected = edges(files)
    assert {"q.py CALLS p.a.one", "q.py CALLS p.b.two", "p.a.one CALLS p.b.two", "p.b.two CALLS p.a.one"} <= set(
        expected
    )
    for order in (sorted(files, reverse=True), ["q.py", "p/b.py", "p/__init__.py", "p/a.py"]):
        definitions = index({path: files[path] for path in order})
        resolution = Resolution(definitions)
        found = {shown(definitions, path, edge) for path in order for edge in resolution.edges(path)}
        assert found == set(expected)


def _deep(count):
    chain = "class C0:\n    def m(self): pass\n" + "".join(f"class C{n}(C{n - 1}): pass\n" for n in range(1, count))
    calls = "class A:\n    def m(self): return self\n\na = A()\na" + ".m()" * count + "\n"
    held = "v0 = C0()\n" + "".join(f"def f{n}() -> f{n - 1}: pass\nv{n} = f{n}()\n" for n in range(1, count))
    modules = {f"p{n}.py": f"from p{n + 1} import x\nfrom p{n + 1} import *\n" for n in range(count)}
    return {
        "a.py": f"{chain}C{count - 1}().m()\n{held}v{count - 1}.m()\n",
        "b.py": calls,
        **modules,
        f"p{count}.py": "def x(): pass\ndef y(): pass\n",
        "q.py": "from p0 import x, y\nx()\ny()\n",
        "r.ts": "".join(f"class K{n} extends K{n + 1} {{ m() {{ this.n(); }} }}\n" for n in range(count)),
        "ring.py": "".join(f"class R{n}(R{(n + 1) % count}): pass\n" for n in range(count)) + "R0().nothing()\n",
    }


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 30, 400])
def test_what_is_deep_or_a_ring_ends_and_what_is_not_too_deep_is_found(count):
    found = edges(_deep(count))
    assert "b.A.m CALLS b.A.m" not in found
    if count <= 30:
        assert {"a.py CALLS a.C0.m", f"q.py CALLS p{count}.x"} <= set(found)
