"""What a symbol needs, who needs it, and what breaks if it changes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from indelible.core.context.context import Context, open_context
from indelible.errors import InvalidInput, NotFound
from indelible.sanitize.prompt_frame import json_text
from indelible.search.model_tokens.o200k import count
from indelible.settings import Settings
from indelible.toolsets import pages, registry
from indexed_code import call, write

SHOP = {
    "app/__init__.py": "",
    "app/base.py": """
class Base:
    def check(self, order):
        return order

    def label(self):
        return "base"
""",
    "app/store.py": """
from app.base import Base


class Store(Base):
    def save(self, order):
        return self.check(order)


def open_store():
    return Store()
""",
    "app/orders.py": """
from app.store import Store


def place(store: Store, order):
    return store.save(order)


def handle(order):
    return place(Store(), order)


def unrelated():
    return 1
""",
    "app/ring.py": """
def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def again(n):
    return again(n - 1)
""",
    "app/many.py": "def hub():\n    return 0\n\n\n"
    + "\n\n\n".join(f"def user_{number:03}():\n    return hub()" for number in range(230))
    + "\n",
    "c/stack.h": "class Stack {\n public:\n  int get();\n};\n",
    "c/stack.cpp": '#include "stack.h"\nint Stack::get() { return 1; }\nint use() { Stack s; return s.get(); }\n',
    "go.mod": "module example.org/shop\n",
    "till/till.go": "package till\n\ntype Till struct{}\n",
    "till/open.go": "package till\n\nfunc (t *Till) Open() int { return 1 }\n\n"
    "func Start() int { var t Till; return t.Open() }\n",
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory) -> Iterator[Context]:
    home = tmp_path_factory.mktemp("impact")
    shop = write(home / "shop", SHOP)
    opened = open_context(Settings(data=home / "data", start=shop, home=home))
    call(opened, "index_codebase", path=str(shop))
    yield opened
    opened.close()


def edges(found):
    return {(each["source"], each["relationship"], each["target"], each["direction"]) for each in found}


def reached(found):
    return {each["id"]: each["depth"] for each in found["reachable"]}


# --- Dependencies ---


def test_relations_are_told_with_the_ids_of_both_ends(ctx):
    assert edges(call(ctx, "get_dependencies", qualified_name="app.store.Store")) == {
        ("sym:app.orders.handle", "CALLS", "sym:app.store.Store", "incoming"),
        ("sym:app.store.open_store", "CALLS", "sym:app.store.Store", "incoming"),
        ("file:app/store.py", "CONTAINS", "sym:app.store.Store", "incoming"),
        ("file:app/orders.py", "IMPORTS", "sym:app.store.Store", "incoming"),
        ("sym:app.store.Store", "CONTAINS", "sym:app.store.Store.save", "outgoing"),
        ("sym:app.store.Store", "INHERITS", "sym:app.base.Base", "outgoing"),
    }


@pytest.mark.parametrize("direction", ["incoming", "outgoing"])
def test_a_direction_is_one_side_of_both(ctx, direction):
    both = call(ctx, "get_dependencies", qualified_name="Store.save")
    found = call(ctx, "get_dependencies", qualified_name="Store.save", direction=direction)
    assert found == [each for each in both if each["direction"] == direction] != []
    side = "target" if direction == "incoming" else "source"
    assert {each[side] for each in found} == {"sym:app.store.Store.save"}
    assert all(0 < each["weight"] <= 1 for each in found)


def test_ids_of_an_answer_can_be_asked_for(ctx):
    for each in call(ctx, "get_dependencies", qualified_name="app.store.Store"):
        for end in ("source", "target"):
            assert call(ctx, "get_dependencies", qualified_name=each[end]) != []


@pytest.mark.parametrize("name", ["app/orders.py", "file:app/orders.py"])
def test_a_file_has_relations_too(ctx, name):
    found = edges(call(ctx, "get_dependencies", qualified_name=name, direction="outgoing"))
    assert ("file:app/orders.py", "CONTAINS", "sym:app.orders.handle", "outgoing") in found
    assert ("file:app/orders.py", "IMPORTS", "sym:app.store.Store", "outgoing") in found


def test_a_file_is_found_by_its_absolute_path(ctx):
    root = call(ctx, "get_cross_repo")["root"]
    assert call(ctx, "get_impact", qualified_name=f"{root}/app/store.py")["symbol"] == "file:app/store.py"


def test_relations_of_a_caller_are_told_beside_those_of_the_index(ctx):
    memory = call(ctx, "store_memory", content="unrelated exists for the old importer")["id"]
    call(ctx, "associate_memories", source_id=memory, target_id="sym:app.orders.unrelated", relationship="EXEMPLIFIES")
    found = edges(call(ctx, "get_dependencies", qualified_name="orders.unrelated", direction="incoming"))
    assert (memory, "EXEMPLIFIES", "sym:app.orders.unrelated", "incoming") in found


def test_of_very_many_relations_a_page_is_shown_and_the_next_goes_on(ctx):
    seen, cursor = [], None
    while True:
        answer = registry.call(
            ctx,
            registry.find_tool("get_dependencies"),
            {"qualified_name": "many.hub", "direction": "incoming", **({"cursor": cursor} if cursor else {})},
        )
        assert count(json_text(answer.value)) <= pages.ROOM
        seen += answer.value
        if not answer.searched.more:
            break
        cursor = str(len(seen))
        assert answer.searched.more == (
            f"{len(answer.value)} of 231 are here; go on with cursor '{cursor}', or set limit"
        )
    assert len({each["source"] for each in seen}) == len(seen) == 231
    assert {each["relationship"] for each in seen} == {"CALLS", "CONTAINS"}
    whole = call(ctx, "get_dependencies", qualified_name="many.hub", direction="incoming", limit=1_000)
    assert whole == seen


def test_a_direction_that_there_is_not_is_refused_with_those_that_there_are(ctx):
    with pytest.raises(InvalidInput, match="direction must be one of 'incoming', 'outgoing' or 'both', got 'up'"):
        call(ctx, "get_dependencies", qualified_name="Store.save", direction="up")


# --- Impact ---


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (0, {}),
        (1, {"sym:app.orders.place": 1}),
        (2, {"sym:app.orders.place": 1, "sym:app.orders.handle": 2}),
        (100, {"sym:app.orders.place": 1, "sym:app.orders.handle": 2}),
    ],
)
def test_what_breaks_is_reached_within_the_depth(ctx, depth, expected):
    found = call(ctx, "get_impact", qualified_name="Store.save", depth=depth)
    assert reached(found) == expected
    assert found["depth"] == depth
    assert found["reachable_nodes"] == len(expected)
    assert found["symbol"] == "app.store.Store.save"
    files = {"app/store.py"} | ({"app/orders.py"} if expected else set())
    assert set(found["affected_files"]) == files


def test_direct_dependents_say_over_which_relation_and_where(ctx):
    found = call(ctx, "get_impact", qualified_name="app.base.Base", depth=3)
    assert sorted(found["direct_dependents"], key=lambda each: each["id"]) == [
        {"id": "file:app/store.py", "relationship": "IMPORTS", "file_path": "app/store.py"},
        {"id": "sym:app.store.Store", "relationship": "INHERITS", "file_path": "app/store.py"},
        {"id": "sym:app.store.Store.save", "relationship": "CALLS", "file_path": "app/store.py"},
    ]
    kinds = {each["id"]: (each["kind"], each["label"]) for each in found["reachable"]}
    assert kinds["sym:app.store.Store"] == ("class", "Store")
    assert kinds["file:app/store.py"] == ("file", "app/store.py")
    assert kinds["sym:app.orders.place"] == ("function", "place")


def test_a_change_of_a_class_concerns_who_uses_its_members_and_not_these(ctx):
    found = reached(call(ctx, "get_impact", qualified_name="app.store.Store", depth=1))
    assert found == {
        "sym:app.store.open_store": 1,
        "sym:app.orders.handle": 1,
        "file:app/orders.py": 1,
        "sym:app.orders.place": 1,  # it calls save
    }


def test_a_change_of_a_file_concerns_who_uses_what_is_in_it(ctx):
    found = call(ctx, "get_impact", qualified_name="app/base.py", depth=1)
    assert found["symbol"] == "file:app/base.py"
    assert set(reached(found)) == {"file:app/store.py", "sym:app.store.Store", "sym:app.store.Store.save"}


def test_rings_end_and_the_start_is_not_counted(ctx):
    assert reached(call(ctx, "get_impact", qualified_name="ring.even", depth=100)) == {"sym:app.ring.odd": 1}
    assert call(ctx, "get_impact", qualified_name="ring.again")["reachable_nodes"] == 0


def test_a_change_of_what_is_declared_elsewhere_counts_for_both(ctx):
    for name in ("Stack::get", "Stack"):
        assert reached(call(ctx, "get_impact", qualified_name=name, depth=1)) == {"sym:use": 1}


def test_methods_of_a_type_in_another_file_are_its_members(ctx):
    assert reached(call(ctx, "get_impact", qualified_name="till.Till", depth=1)).keys() >= {"sym:till.Start"}


def test_the_lists_of_a_large_impact_are_a_page_and_the_count_is_of_all(ctx):
    found = call(ctx, "get_impact", qualified_name="many.hub")
    assert found["reachable_nodes"] == 230
    assert len(found["reachable"]) == len(found["direct_dependents"]) < 230
    assert count(json_text(found)) <= pages.ROOM * 1.1
    whole = call(ctx, "get_impact", qualified_name="many.hub", limit=1_000)
    assert len(whole["reachable"]) == 230
    rest = call(ctx, "get_impact", qualified_name="many.hub", limit=1_000, cursor=str(len(found["reachable"])))
    assert found["reachable"] + rest["reachable"] == whole["reachable"]


@pytest.mark.parametrize(
    ("depth", "words"),
    [(-1, "depth must be between 0 and 100, got -1"), (101, "depth must be between 0 and 100"), (1.5, "depth must")],
)
def test_a_depth_out_of_range_is_refused(ctx, depth, words):
    with pytest.raises(InvalidInput, match=words):
        call(ctx, "get_impact", qualified_name="Store.save", depth=depth)


def test_a_symbol_that_left_the_source_is_told_as_gone(tmp_path):
    shop = write(tmp_path / "shop", {"a.py": "def keep():\n    pass\n\n\ndef leave():\n    keep()\n"})
    ctx = open_context(Settings(data=tmp_path / "data", start=shop, home=tmp_path))
    call(ctx, "index_codebase", path=str(shop))
    memory = call(ctx, "store_memory", content="The importer")["id"]
    call(ctx, "associate_memories", source_id=memory, target_id="sym:a.leave", relationship="EXPLAINS")
    (shop / "a.py").write_text("def keep():\n    return 22\n")
    call(ctx, "index_codebase", path=str(shop))
    for tool in ("get_symbol_info", "get_dependencies", "get_impact"):
        with pytest.raises(NotFound, match=r"'a\.leave' is gone from the source; it stood in 'a\.py'"):
            call(ctx, tool, qualified_name="a.leave")
    assert call(ctx, "search_symbols", query="leave") == []
    assert call(ctx, "get_impact", qualified_name="a.keep")["reachable_nodes"] == 0
    ctx.close()
