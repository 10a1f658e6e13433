"""Who is limited to namespaces sees the code of these as if there were no other, over every tool."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from indelible.core.context.context import Context, open_context
from indelible.core.context.permissions import Grant
from indelible.errors import Conflict, Forbidden, IndelibleError
from indelible.settings import Settings
from indelible.toolsets import registry
from indexed_code import call, write

MINE = {
    "package.json": '{"name": "mine", "dependencies": {"react": "19"}}',
    "app/__init__.py": "",
    "app/store.py": "class Store:\n    def save(self, order):\n        return order\n\n\nclass Sub(Store):\n    pass\n",
    "app/orders.py": "from app.store import Store\n\n\ndef place(order):\n    return Store().save(order)\n",
}
THEIRS = {
    "package.json": '{"name": "quokka", "dependencies": {"quokka-kit": "1"}}',
    "app/__init__.py": "",
    "app/store.py": "class Store:\n    def quokka_save(self, order):\n        return order\n\n    def save(self):\n"
    "        return 1\n",
    "app/quokka.py": "from app.store import Store\n\n\ndef place(order):\n    return Store().save()\n\n\n"
    "def quokka():\n    return place(1)\n",
}
CALLS = [
    ("search_symbols", {"query": "s"}),
    ("search_symbols", {"query": "quokka"}),
    ("search_symbols", {"query": "Store", "kind": "class"}),
    ("get_symbol_info", {"qualified_name": "Store"}),
    ("get_symbol_info", {"qualified_name": "place"}),
    ("get_symbol_info", {"qualified_name": "quokka_save"}),
    ("get_symbol_info", {"qualified_name": "app.quokka.quokk"}),
    ("get_symbol_info", {"qualified_name": "place@app/quokka.py"}),
    ("get_dependencies", {"qualified_name": "Store.save"}),
    ("get_dependencies", {"qualified_name": "file:app/quokka.py"}),
    ("get_impact", {"qualified_name": "Store", "depth": 3}),
    ("get_impact", {"qualified_name": "app/store.py"}),
    ("get_impact", {"qualified_name": "app.quokka.place"}),
    ("get_clusters", {}),
    ("get_clusters", {"resolution": 2.0}),
    ("get_cross_repo", {}),
    ("get_pagerank", {}),
    ("get_pagerank", {"top_k": 3, "damping": 0.5}),
    ("search_code", {"query": "save an order"}),
    ("search_code", {"query": "quokka"}),
]
READING = {tool.name for tool in registry.all_tools().values() if tool.toolset == "code" and not tool.writes}


@pytest.fixture(scope="module")
def places(tmp_path_factory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("callers")
    return {"home": home, "mine": write(home / "mine", MINE), "theirs": write(home / "theirs", THEIRS)}


@pytest.fixture(scope="module")
def worlds(places) -> Iterator[tuple[Context, Context]]:
    """A store with my project alone, and one in which theirs is indexed too: my code was indexed last in neither."""
    opened = []
    for name, projects in (("alone", ["mine"]), ("both", ["theirs", "mine"])):
        opened.append(open_context(Settings(data=places["home"] / name, start=places["home"], home=places["home"])))
        for project in projects:
            call(opened[-1], "index_codebase", path=str(places[project]))
    yield opened[0], opened[1]
    for ctx in opened:
        ctx.close()


def limited(ctx: Context, project: Path, scope: str = "read") -> Context:
    return ctx.granted(Grant("tok_a", scope, frozenset({str(project)})))


def said(ctx: Context, tool: str, arguments: dict) -> str:
    try:
        value = call(ctx, tool, **arguments)
    except IndelibleError as error:
        value = f"{error.code}: {error}"
    return json.dumps(value, sort_keys=True, indent=1)


def test_every_tool_that_reads_is_asked():
    assert {tool for tool, _ in CALLS} == READING


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_a_limited_caller_cannot_tell_whether_there_is_other_code(worlds, places, tool, arguments):
    alone, both = (said(limited(ctx, places["mine"]), tool, arguments) for ctx in worlds)
    assert alone == both
    asked = json.dumps(arguments)
    assert "quokka" in asked or "quokka" not in both


def test_the_owner_of_the_store_sees_all_of_it(worlds):
    _, both = worlds
    assert len(call(both, "search_symbols", query="Store", kind="class")) == 2
    with pytest.raises(Conflict, match="matches several symbols"):
        call(both, "get_symbol_info", qualified_name="Store")
    assert call(both, "get_symbol_info", qualified_name="quokka")["name"] == "quokka"


def test_a_limited_caller_indexes_its_own_project_only(worlds, places):
    _, both = worlds
    me = limited(both, places["mine"], "write")
    assert call(me, "index_codebase", path=str(places["mine"]))["files_parsed"] == 0
    with pytest.raises(Forbidden, match="namespace"):
        call(me, "index_codebase", path=str(places["theirs"]))
    with pytest.raises(Forbidden, match="needs a token of scope write"):
        call(limited(both, places["mine"]), "index_codebase", path=str(places["mine"]))


def test_what_a_caller_relates_to_code_stays_in_its_namespaces(worlds, places):
    _, both = worlds
    me, they = limited(both, places["mine"], "write"), limited(both, places["theirs"], "write")
    memory = call(me, "store_memory", content="Why it is saved at once")["id"]
    call(me, "associate_memories", source_id=memory, target_id="sym:app.store.Store", relationship="EXEMPLIFIES")
    found = call(me, "get_dependencies", qualified_name="app.store.Store", direction="incoming")
    assert memory in {each["source"] for each in found}
    theirs = call(they, "get_dependencies", qualified_name="app.store.Store")
    assert memory not in {end for each in theirs for end in (each["source"], each["target"])}


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
@pytest.mark.parametrize("tool", ["index_codebase", "get_cross_repo"])
def test_a_limited_caller_learns_nothing_of_what_is_outside_of_its_projects(worlds, places, tool, tmp_path):
    _, both = worlds
    me = limited(both, places["mine"], "write")
    (tmp_path / "link").symlink_to(places["theirs"])
    (tmp_path / "ring").symlink_to("ring")
    there = [tmp_path, tmp_path / "link", tmp_path / "ring", places["theirs"], places["theirs"] / "package.json"]
    other = [
        places["mine"] / ".." / "theirs",
        tmp_path / "none",
        places["home"],
        Path("/"),
        Path("/etc"),
        Path("/x" * 2_000),
    ]
    said_of = set()
    for path in there + other:
        with pytest.raises(Forbidden) as refused:
            call(me, tool, path=str(path))
        said_of.add(str(refused.value).partition(" is ")[2])
    assert len(said_of) == 1
    assert "theirs" not in said_of.pop()
