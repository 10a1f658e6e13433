"""Symbols of indexed code are found by their names: parts of them, whole ones, ends, and with their file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from indelible.core.context.context import Context, open_context
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.settings import Settings
from indexed_code import call, names, write

SHOP = {
    "app/__init__.py": "",
    "app/store.py": '''
class Store:
    """Keeps orders."""

    def __init__(self, path):
        self.path = path

    def save(self, order: "Order") -> None:
        """Write an order.

        Twice is once.
        """
        self.check(order)

    def check(self, order):
        return order


class SqlStore(Store):
    def check(self, order):
        return super().check(order)
''',
    "app/orders.py": """
from app.store import Store

LIMIT = 5


def place(store: Store, order):
    store.save(order)
    store.save(order)


def stored_by(größe):
    place(Store("x"), größe)


def Größenordnung_prüfen():
    return LIMIT
""",
    "tests/test_orders.py": "from app.orders import place\n\n\ndef test_an_order_is_stored():\n    place(None, 1)\n",
    "c/a.c": "static int init(void) { return 1; }\nint a_main(void) { return init(); }\n",
    "c/b.c": "static int init(void) { return 2; }\nint b_main(void) { return init(); }\n",
    "c/s.h": "class Stack {\n public:\n  int get();\n};\n",
    "c/s.cpp": '#include "s.h"\nint Stack::get() { return 1; }\nint use() { Stack s; return s.get(); }\n',
    "F.java": "package p;\nclass Frame {\n  Frame() {}\n  void show() {}\n}\n",
    "web/src/store.ts": "export class Cart {\n  save(): void {}\n}\n",
}
STORED = "test_an_order_is_stored"
OTHER = {"app/store.py": "class Store:\n    def rack(self):\n        pass\n\n\ndef only_here():\n    pass\n"}


@pytest.fixture(scope="module")
def places(tmp_path_factory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("lookup")
    return {"home": home, "shop": write(home / "shop", SHOP), "other": write(home / "other", OTHER)}


@pytest.fixture(scope="module")
def ctx(places: dict[str, Path]) -> Iterator[Context]:
    """A server of the shop, in a store where another project is indexed too."""
    opened = open_context(Settings(data=places["home"] / "data", start=places["shop"], home=places["home"]))
    call(opened, "index_codebase", path=str(places["other"]))
    call(opened, "index_codebase", path=str(places["shop"]))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def outside(places: dict[str, Path], ctx: Context) -> Iterator[Context]:
    """A server of the same store that belongs to no project."""
    opened = open_context(Settings(data=places["home"] / "data", start=places["home"], home=places["home"]))
    yield opened
    opened.close()


# --- Search ---


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("store", ["app.store.Store", "app.store.Store", "app.orders.stored_by", "app.store.SqlStore", STORED]),
        ("SAVE", ["app.store.Store.save", "web/src/store.Cart.save"]),
        ("größe", ["app.orders.Größenordnung_prüfen"]),
        ("PRÜFEN", ["app.orders.Größenordnung_prüfen"]),
        ("a_", ["a_main"]),
        ("y_", ["only_here"]),
        ("%", []),
        ("a%n", []),
        ("no_such", []),
        ("Store.sa", ["app.store.Store.save"]),
        ("store::save", ["app.store.Store.save"]),
        ("cart.SAVE", ["web/src/store.Cart.save"]),
    ],
)
def test_a_part_of_a_name_finds_the_closest_first(ctx, query, expected):
    found = names(call(ctx, "search_symbols", query=query))
    assert [each[-len(name) :] for each, name in zip(found, expected, strict=True)] == expected


def test_equal_names_come_from_the_servers_project_first(ctx, outside, places):
    found = call(ctx, "search_symbols", query="Store", limit=2)
    assert names(found)[0].endswith("store.Store")
    assert call(ctx, "get_symbol_info", qualified_name="Store")["doc_comment"] == "Keeps orders."
    assert len(call(outside, "search_symbols", query="store", kind="class")) == 3


def test_answers_over_several_projects_say_of_which_each_is(ctx, outside, places):
    own, other = (str(places[each]) for each in ("shop", "other"))
    found = call(outside, "search_symbols", query="store", kind="class")
    assert sorted(each["namespace"] for each in found) == sorted([own, own, other])
    assert [each["namespace"] for each in call(ctx, "search_symbols", query="Store", limit=2)] == [own, other]
    assert call(ctx, "get_symbol_info", qualified_name="only_here")["namespace"] == other


def test_a_hit_says_where_the_symbol_is_and_how_it_is_used(ctx, places):
    (hit,) = call(ctx, "search_symbols", query="save", kind="method", limit=1)
    assert hit == {
        "name": "save",
        "qualified_name": "app.store.Store.save",
        "kind": "method",
        "signature": 'def save(self, order: "Order") -> None',
        "file_path": "app/store.py",
        "line_start": 8,
        "line_end": 13,
        "visibility": "public",
        "parent": "app.store.Store",
        "namespace": str(places["shop"]),
    }


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("function", ["place"]),
        ("method", []),
        ("test", []),
        ("class", []),
    ],
)
def test_a_kind_narrows_the_search(ctx, kind, expected):
    assert [hit["name"] for hit in call(ctx, "search_symbols", query="place", kind=kind)] == expected


def test_tests_are_a_kind_of_their_own(ctx):
    (hit,) = call(ctx, "search_symbols", query="order", kind="test")
    assert hit["name"] == "test_an_order_is_stored"


def test_a_limit_of_nothing_finds_nothing_and_one_bounds(ctx):
    assert call(ctx, "search_symbols", query="s", limit=0) == []
    assert len(call(ctx, "search_symbols", query="s", limit=3)) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": ""}, "query must"),
        ({"query": " \n"}, "query must have at least one visible character"),
        ({"query": "x", "kind": "planet"}, "kind must be one of 'function', 'method', 'class', 'struct'"),
        ({"query": "x", "limit": -1}, "limit must be between 0 and 1000, got -1"),
        ({"query": "x", "limit": 2.5}, "limit must"),
        ({"query": "x", "limit": True}, "limit must"),
    ],
)
def test_a_wrong_search_is_refused_with_what_is_allowed(ctx, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        call(ctx, "search_symbols", **arguments)


# --- One symbol ---


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("app.store.Store.save", "app.store.Store.save"),
        ("sym:app.store.Store.save", "app.store.Store.save"),
        ("Store.save", "app.store.Store.save"),
        ("Store::save", "app.store.Store.save"),
        ("store/Store/save", "app.store.Store.save"),
        ("save@app/store.py", "app.store.Store.save"),
        ("save@store.py", "app.store.Store.save"),
        ("Cart.save", "web/src/store.Cart.save"),
        ("web/src/store.Cart.save", "web/src/store.Cart.save"),
        ("init@c/b.c", "init"),
        ("sym:init", "init"),  # as answers show it
        ("sym:init@c/b.c", "init"),
        ("SqlStore", "app.store.SqlStore"),
        ("Frame", "p.Frame"),  # and not its constructor, which stands in it
        ("Stack::get", "Stack::get"),  # the definition, not what declares it
        ("only_here", "app.store.only_here"),  # of the other project
        ("größe", None),
        ("Größenordnung_prüfen", "app.orders.Größenordnung_prüfen"),
    ],
)
def test_a_symbol_is_found_by_its_name_or_an_end_of_it(ctx, name, expected):
    if expected is None:
        with pytest.raises(NotFound, match="did you mean"):
            call(ctx, "get_symbol_info", qualified_name=name)
        return
    found = call(ctx, "get_symbol_info", qualified_name=name)
    assert found["qualified_name"].endswith(expected)


def test_a_definition_is_meant_where_a_header_declares_it(ctx):
    assert call(ctx, "get_symbol_info", qualified_name="Stack::get")["file_path"] == "c/s.cpp"
    assert call(ctx, "get_symbol_info", qualified_name="Stack::get@s.h")["file_path"] == "c/s.h"


def test_details_have_the_doc_comment_the_parent_and_the_references(ctx):
    found = call(ctx, "get_symbol_info", qualified_name="Store.save")
    assert found["doc_comment"] == "Write an order.\n\nTwice is once."
    assert found["parent"] == "app.store.Store"
    assert found["references"] == 2  # both calls in place
    bare = call(ctx, "get_symbol_info", qualified_name="orders.LIMIT")
    assert (bare["doc_comment"], bare["parent"], bare["kind"]) == (None, None, "constant")


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("init", ["init@c/a.c", "init@c/b.c"]),
        ("check", ["app.store.Store.check", "app.store.SqlStore.check"]),
        ("save", ["app.store.Store.save", "web/src/store.Cart.save"]),
    ],
)
@pytest.mark.parametrize("tool", ["get_symbol_info", "get_dependencies", "get_impact"])
def test_an_ambiguous_name_is_refused_with_names_that_are_not(ctx, tool, name, candidates):
    with pytest.raises(Conflict, match="matches several symbols; give one of: ") as refused:
        call(ctx, tool, qualified_name=name)
    told = str(refused.value).partition("give one of: ")[2].split(", ")
    assert sorted(told) == sorted(candidates)
    for each in told:
        call(ctx, tool, qualified_name=each)


def test_a_name_of_several_projects_is_told_apart_by_the_path(outside, places):
    with pytest.raises(Conflict) as refused:
        call(outside, "get_symbol_info", qualified_name="store.Store")
    told = str(refused.value).partition("give one of: ")[2].split(", ")
    assert sorted(each.partition("@")[2] for each in told) == [f"{places[p]}/app/store.py" for p in ("other", "shop")]
    docs = {call(outside, "get_symbol_info", qualified_name=each)["doc_comment"] for each in told}
    assert docs == {None, "Keeps orders."}


@pytest.mark.parametrize("name", ["nobody.knows", "sym:", "@", "init@", "init@c/none.c", "x" * 4_000, "Ⅷ"])
@pytest.mark.parametrize("tool", ["get_symbol_info", "get_dependencies", "get_impact"])
def test_an_unknown_name_is_refused_and_the_message_names_the_argument(ctx, tool, name):
    with pytest.raises(NotFound, match=r"qualified_name '.*' is unknown") as refused:
        call(ctx, tool, qualified_name=name)
    assert len(str(refused.value)) < 1_000


def test_an_unknown_name_is_answered_with_one_like_it(ctx):
    with pytest.raises(NotFound, match=r"did you mean app\.orders\.place"):
        call(ctx, "get_symbol_info", qualified_name="orders.plac")


def test_a_file_is_no_symbol_for_details(ctx):
    with pytest.raises(NotFound, match="unknown"):
        call(ctx, "get_symbol_info", qualified_name="file:app/store.py")


def test_a_store_without_code_says_what_to_do(tmp_path):
    ctx = open_context(Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path))
    for tool, arguments in (
        ("search_symbols", {"query": "x"}),
        ("search_code", {"query": "x"}),
        ("get_impact", {"qualified_name": "x"}),
    ):
        with pytest.raises(NotFound, match="no codebase is indexed yet; run index_codebase first"):
            call(ctx, tool, **arguments)
    assert call(ctx, "search_symbols", query="x", limit=0) == call(ctx, "search_code", query="x", k=0) == []
    ctx.close()


@pytest.mark.parametrize("tool", ["search_symbols", "search_code"])
def test_where_the_own_project_is_not_indexed_no_match_elsewhere_says_so(places, ctx, outside, tool):
    start = write(places["home"] / "unread", {"a.py": "def unread(): pass\n"})
    opened = open_context(Settings(data=places["home"] / "data", start=start, home=places["home"]))
    with pytest.raises(NotFound, match=r"query 'quokka' matches nothing.*this project is not indexed.*index_codebase"):
        call(opened, tool, query="quokka")
    assert call(opened, tool, query="SqlStore")
    opened.close()
    assert call(ctx, tool, query="quokka") == call(outside, tool, query="quokka") == []


def test_every_kind_that_a_search_shows_is_one_to_ask_for(tmp_path):
    files = {"a.py": "counter = []\n", "b.h": "#define LEAST(a, b) ((a) < (b) ? (a) : (b))\n", **SHOP}
    root = write(tmp_path / "kinds", files)
    ctx = open_context(Settings(data=tmp_path / "data", start=root, home=tmp_path))
    call(ctx, "index_codebase", path=str(root))
    shown = {hit["kind"] for letter in "aeiou" for hit in call(ctx, "search_symbols", query=letter, limit=1_000)}
    assert {"variable", "macro", "class", "method", "function", "constant", "test"} <= shown
    for kind in shown:
        found = [hit for letter in "aeiou" for hit in call(ctx, "search_symbols", query=letter, kind=kind)]
        assert {hit["kind"] for hit in found} == {kind}
    ctx.close()


def test_the_name_of_a_file_is_not_answered_with_a_symbol_like_its_extension(ctx):
    for tool, name in (("get_impact", "file:app/nobody.py"), ("get_symbol_info", "app/nobody.py")):
        with pytest.raises(NotFound, match="is unknown") as refused:
            call(ctx, tool, qualified_name=name)
        assert "did you mean" not in str(refused.value)
    with pytest.raises(NotFound, match="get_dependencies and get_impact take it"):
        call(ctx, "get_symbol_info", qualified_name="file:app/store.py")


def test_a_symbol_that_left_the_source_is_called_gone_by_any_end_of_its_name(tmp_path):
    root = write(tmp_path / "gone", {"app/a.py": "def kept(): pass\n\ndef went_away(): pass\n"})
    ctx = open_context(Settings(data=tmp_path / "data", start=root, home=tmp_path))
    call(ctx, "index_codebase", path=str(root))
    memory = call(ctx, "store_memory", content="It was slow")["id"]
    call(ctx, "associate_memories", source_id=memory, target_id="sym:app.a.went_away", relationship="EXPLAINS")
    write(root, {"app/a.py": "def kept(): pass\n"})
    call(ctx, "index_codebase", path=str(root))
    for name in ("sym:app.a.went_away", "app.a.went_away", "a.went_away", "went_away"):
        with pytest.raises(NotFound, match=r"gone from the source; it stood in 'app/a\.py'"):
            call(ctx, "get_symbol_info", qualified_name=name)
    with pytest.raises(NotFound, match="unknown"):
        call(ctx, "get_symbol_info", qualified_name="away")
    ctx.close()
