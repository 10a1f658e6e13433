"""Every hit says how the code that it names is now."""

import json
import os
import re

import pytest

from indelible.capture import project_brief
from indelible.cli.main import main
from indelible.core.records.exporting import export_all
from indelible.errors import InvalidInput
from indelible.server.mcp import lean
from indelible.store.tables import changes, records
from indelible.store.views import code_links
from indelible.toolsets import registry
from indelible.toolsets.code import index, stale
from indelible.toolsets.code import links as linking

STORE = """
class Store:
    def write(self, some):
        total = 0
        for each in some:
            total += each * 2 + 17
        return total


def open_store(path=None):
    store = Store()
    store.write([1, 2, 3])
    return store


def limit():
    return 1
"""
WEB = """
def handle(request):
    answer = request.answer()
    answer.status = 200
    return answer
"""


class App:
    """A small codebase on disk, indexed, and what is remembered of it."""

    def __init__(self, open_store, path):
        self.path = path / "app"
        for name, text in (("pkg/__init__.py", ""), ("pkg/db.py", STORE), ("pkg/web.py", WEB)):
            self.write(name, text)
        self.memory = open_store(start=self.path)
        self.index()

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def change(self, name, old, new):
        text = (self.path / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def index(self):
        index.index(self.memory.context, self.path)

    def remember(self, content, **fields):
        stored = self.memory.store_memory(content=content, **fields)["id"]
        linking.catch_up(self.memory.context)
        return stored

    def found(self, query):
        return self.memory.recall_memory(query=query)

    def states(self, query):
        """The names in the first hit and their states."""
        return {each["name"]: each["state"] for each in self.found(query)[0]["freshness"]["code"]}


@pytest.fixture
def app(open_store, tmp_path):
    return App(open_store, tmp_path)


def test_what_is_as_it_was_is_fresh_and_what_names_no_code_says_nothing(app):
    app.remember("Store.write doubles everything")
    app.remember("the deploy is on Fridays")
    (hit,) = app.found("doubles")
    assert hit["freshness"] == {"state": "fresh", "code": [{"name": "Store.write", "state": "fresh"}]}
    (hit,) = app.found("deploy on Fridays")
    assert "freshness" not in hit


def test_a_symbol_that_changes_is_named_and_how_much_of_it(app):
    app.remember("Store.write doubles everything, `handle` answers")
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    app.index()
    (hit,) = app.found("doubles")
    changed, fresh = sorted(hit["freshness"]["code"], key=lambda each: each["name"])
    assert (changed["name"], changed["state"]) == ("Store.write", "changed")
    assert 0 < changed["part"] < 1
    assert fresh == {"name": "handle", "state": "fresh"}
    assert hit["freshness"]["state"] == "changed"


def test_a_symbol_that_changes_before_anything_linked_the_text_is_named_too(app):
    """As on the command line, where no server links what is stored."""
    app.memory.store_memory(content="Store.write doubles everything")
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    app.index()
    assert app.states("doubles") == {"Store.write": "changed"}


def test_a_text_about_an_edit_that_is_not_indexed_yet_speaks_of_the_edit(app):
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    edited = app.memory.context.clock().timestamp()
    os.utime(app.path / "pkg/db.py", (edited, edited))
    app.memory.store_memory(content="Store.write triples everything")
    app.index()
    assert app.states("triples") == {"Store.write": "fresh"}


def test_a_short_body_that_changes_is_seen_too(app):
    app.remember("`limit` is one")
    app.change("pkg/db.py", "return 1\n", "return 2\n")
    app.index()
    assert app.states("limit") == {"limit": "changed"}


def test_layout_and_what_stands_beside_a_symbol_change_nothing(app):
    app.remember("Store.write doubles everything")
    app.change("pkg/db.py", "        total = 0\n", "        total  =  0\n\n")
    app.change("pkg/db.py", "return 1\n", "return 2\n")
    app.write("pkg/db.py", "import os\n\n" + (app.path / "pkg/db.py").read_text())
    app.index()
    assert app.states("doubles") == {"Store.write": "fresh"}


def test_what_is_changed_back_is_fresh_again(app):
    app.remember("Store.write doubles everything")
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    app.index()
    app.change("pkg/db.py", "each * 3 + 17", "each * 2 + 17")
    app.index()
    assert app.states("doubles") == {"Store.write": "fresh"}


def test_a_renamed_symbol_and_one_of_another_file_moved(app):
    app.remember("Store.write doubles everything, `handle` answers")
    app.change("pkg/db.py", "def write(", "def write_all(")
    app.write("pkg/answers.py", WEB)
    app.write("pkg/web.py", "answers = 1\n")
    app.index()
    (hit,) = app.found("doubles")
    assert {each["state"] for each in hit["freshness"]["code"]} == {"moved"}
    assert {each["name"]: each["to"] for each in hit["freshness"]["code"]} == {
        "Store.write": "pkg.db.Store.write_all",
        "handle": "pkg/answers.py",
    }


def test_a_symbol_that_is_moved_and_written_anew_is_both(app):
    app.remember("`handle` answers")
    app.write("pkg/web.py", "answers = 1\n")
    app.write("pkg/answers.py", "def handle(request, context):\n    return context.answers.pop(request, None)\n")
    app.index()
    (hit,) = app.found("answers")
    (state,) = hit["freshness"]["code"]
    assert (state["state"], state["to"], state["changed"]) == ("moved", "pkg/answers.py", True)


def test_what_is_deleted_is_gone_though_its_record_is_deleted_later(app):
    app.remember("`open_store` waits for the lock")
    app.change("pkg/db.py", "def open_store(path=None):\n    store = Store()\n    store.write([1, 2, 3])\n", "")
    app.change("pkg/db.py", "    return store\n", "")
    app.index()
    app.index()
    (hit,) = app.found("waits for the lock")
    assert hit["freshness"] == {"state": "gone", "code": [{"name": "open_store", "state": "gone"}]}


def test_another_symbol_of_the_name_that_was_there_before_is_not_where_it_went(app):
    app.write("pkg/other.py", "def open_store():\n    return [each for each in range(17) if each % 3 == 0]\n")
    app.index()
    app.remember("`open_store` in pkg/db.py waits for the lock")
    old = "def open_store(path=None):\n    store = Store()\n    store.write([1, 2, 3])\n    return store\n"
    app.change("pkg/db.py", old, "def fetch(one, two):\n    return sorted([one, two, 5, 7, 11], reverse=True)\n")
    app.index()
    assert app.states("waits for the lock") == {"open_store": "gone", "pkg/db.py": "fresh"}


def test_a_name_that_another_symbol_gets_still_means_the_one_that_had_it(app):
    app.remember("`handle` answers")
    app.write("pkg/other.py", "def handle():\n    return [each for each in range(17) if each % 3 == 0]\n")
    app.index()
    assert app.states("answers") == {"handle": "fresh"}
    app.change("pkg/web.py", "status = 200", "status = 201")
    app.index()
    assert app.states("answers") == {"handle": "changed"}


def test_a_file_that_is_named_alone_changes_with_its_bytes(app):
    app.remember("the requests are in pkg/web.py")
    app.change("pkg/web.py", "status = 200", "status = 201")
    app.index()
    assert app.states("requests") == {"pkg/web.py": "changed"}


def test_a_file_that_is_moved_and_changed_is_where_its_symbols_are(app):
    app.remember("the store is in pkg/db.py")
    (app.path / "pkg" / "db.py").rename(app.path / "pkg" / "database.py")
    app.change("pkg/database.py", "return 1\n", "return 2\n")
    app.index()
    (hit,) = app.found("the store")
    assert hit["freshness"]["code"] == [{"name": "pkg/db.py", "state": "moved", "to": "pkg/database.py"}]


def test_a_text_that_is_written_again_speaks_of_what_is_there_then(app):
    stored = app.remember("Store.write doubles everything")
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    app.index()
    app.memory.update_memory(id=stored, content="Store.write triples everything")
    linking.catch_up(app.memory.context)
    assert app.states("triples") == {"Store.write": "fresh"}


def test_a_text_about_what_the_index_has_not_seen_yet_is_fresh_when_it_has(app):
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    late = app.memory.context.now() * 1_000 - 1
    os.utime(app.path / "pkg" / "db.py", ns=(late, late))
    app.remember("Store.write triples everything")
    app.index()
    assert app.states("triples") == {"Store.write": "fresh"}


def test_what_names_the_deleted_stands_below_its_like(app):
    first = app.remember("`open_store` waits for the lock of the database")
    second = app.remember("`handle` waits for the lock of the database")
    app.remember("`limit` waits for the lock of the database")
    before = [hit["id"] for hit in app.found("waits for the lock of the database")]
    assert {first, second} < set(before)
    app.write("pkg/web.py", "answers = 1\n")
    app.index()
    found = app.found("waits for the lock of the database")
    assert [hit["id"] for hit in found][-1] == second
    assert found[-1]["freshness"]["state"] == "gone"
    assert 0 < found[-1]["score"] < 0.95 * found[0]["score"]


def test_lean_answers_mark_what_is_stale_and_nothing_else(app):
    app.remember("Store.write doubles everything, `handle` answers")
    context = app.memory.context

    def text():
        tool = registry.find_tool("recall_memory")
        arguments = {"query": "doubles everything"}
        called = registry.call(context, tool, arguments)
        return lean.text(context, tool, called.value, arguments, context.call.searched)

    assert "stale" not in text()
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    app.write("pkg/web.py", "answers = 1\n")
    app.index()
    assert re.search(r"; stale: handle gone, Store\.write changed \(\d+%\)\]", text())


def test_a_brief_marks_the_lines_of_what_is_stale(app):
    app.remember("`open_store` waits for the lock", memory_type="decision", importance=0.9)
    app.remember("`handle` answers", memory_type="decision", importance=0.9)
    assert "stale" not in project_brief.brief_of(app.memory.context, None)
    app.write("pkg/web.py", "answers = 1\n")
    app.index()
    brief = project_brief.brief_of(app.memory.context, None)
    (line,) = [line for line in brief.splitlines() if "stale" in line]
    assert "`handle` answers" in line
    assert "stale: handle gone" in line


def test_stale_lists_what_names_the_deleted_first_and_leaves_out_what_is_fresh(app):
    changed = app.remember("Store.write doubles everything")
    deleted = app.remember("`handle` answers")
    app.remember("`open_store` waits")
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    app.write("pkg/web.py", "answers = 1\n")
    app.index()
    found, count = stale.stale(app.memory.context, 10)
    assert [stale.fields(each)["id"] for each in found] == [deleted, changed]
    assert count == 2
    assert stale.fields(found[0])["freshness"] == {"state": "gone", "code": [{"name": "handle", "state": "gone"}]}
    assert len(stale.stale(app.memory.context, 1)[0]) == 1
    with pytest.raises(InvalidInput, match="limit must be from 1 to"):
        stale.stale(app.memory.context, 0)


def test_the_command_says_when_no_code_is_indexed(memory, capfd, tmp_path):
    place = ["--data", str(memory.context.settings.data), "--project", str(tmp_path)]
    assert main(["stale", *place]) == 0
    assert "no code of this project is indexed: `indelible index`" in " ".join(capfd.readouterr().err.split())


def test_the_command_prints_them_for_people_and_as_json(app, capfd):
    place = ["--data", str(app.memory.context.settings.data), "--project", str(app.path)]
    app.index()
    assert main(["stale", *place]) == 0
    assert "`indelible index` reads what has changed since" in " ".join(capfd.readouterr().err.split())
    stored = app.remember("`handle` answers")
    app.write("pkg/web.py", "answers = 1\n")
    app.index()
    assert main(["stale", *place]) == 0
    assert "handle gone" in capfd.readouterr().out
    assert main(["stale", "--json", *place]) == 0
    (found,) = json.loads(capfd.readouterr().out)["result"]["records"]
    assert (found["id"], found["freshness"]["state"]) == (stored, "gone")


def test_no_summary_and_no_association_is_made_of_what_is_gone(app):
    ids = [
        app.remember(f"`{name}` waits for the lock {place}", memory_type=type_, tags=["lock"])
        for name, place, type_ in (
            *(("handle", "here", "decision"), ("open_store", "there", "insight")),
            ("limit", "everywhere", "pattern"),
        )
    ]
    for one, other in ((0, 1), (1, 2), (0, 2)):
        app.memory.associate_memories(source_id=ids[one], target_id=ids[other], relationship="SHARES_THEME")
    app.write("pkg/web.py", "answers = 1\n")
    app.index()
    assert app.memory.consolidate_creative()["new_connections"] == 1
    assert app.memory.consolidate_summarize(cluster_size=3)["summarized"] == 0


def test_a_symbol_that_is_renamed_and_changed_at_once_is_found_by_its_lines(app):
    app.remember("Store.write doubles everything")
    app.change("pkg/db.py", "def write(self, some):", "def sum_up(self, all_of_them, factor):")
    app.change("pkg/db.py", "each * 2 + 17", "each * factor + 17")
    app.index()
    (hit,) = app.found("doubles")
    (state,) = hit["freshness"]["code"]
    assert (state["state"], state["to"], state["changed"]) == ("moved", "pkg.db.Store.sum_up", True)
    app.change("pkg/db.py", "factor + 17", "factor + 18")
    app.index()
    assert app.states("doubles") == {"Store.write": "moved"}


def test_another_place_of_the_package_moves_nothing_in_it(app):
    app.remember("`limit` is one, Store.write doubles")
    app.write("pyproject.toml", '[project]\nname = "app"\n')
    (app.path / "pkg" / "__init__.py").unlink()
    app.index()
    assert app.states("doubles") == {"limit": "fresh", "Store.write": "fresh"}


# --- Links that a caller makes ---


def link(app, target, content="the till doubles everything"):
    """Remember something that names no code, and link it to a symbol or file by hand."""
    stored = app.memory.store_memory(content=content)["id"]
    app.memory.associate_memories(source_id=stored, target_id=target, relationship="EXPLAINS", weight=0.4)
    return stored


def linked(app):
    """How the one piece of code is that the memory is linked to."""
    (hit,) = app.found("the till doubles")
    (state,) = hit["freshness"]["code"]
    return state


@pytest.mark.parametrize("looked_at", [False, True])
def test_what_a_caller_linked_by_hand_changes(app, looked_at):
    """Also on the command line, where no server looks at links."""
    link(app, "sym:pkg.db.Store.write")
    if looked_at:
        linking.catch_up(app.memory.context)
    assert linked(app) == {"name": "pkg.db.Store.write", "state": "fresh"}
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    app.index()
    found = linked(app)
    assert found.pop("part", None) is not None or not looked_at
    assert found == {"name": "pkg.db.Store.write", "state": "changed"}
    app.change("pkg/db.py", "each * 3 + 17", "each * 2 + 17")
    app.index()
    assert linked(app) == {"name": "pkg.db.Store.write", "state": "fresh"}


def test_a_file_that_a_caller_linked_by_hand_changes_moves_and_goes(app):
    link(app, "file:pkg/db.py")
    app.change("pkg/db.py", "return 1", "return 2")
    app.index()
    assert (linked(app)["name"], linked(app)["state"]) == ("pkg/db.py", "changed")
    (app.path / "pkg/db.py").rename(app.path / "pkg/store.py")
    app.index()
    assert (linked(app)["name"], linked(app)["state"], linked(app)["to"]) == ("pkg/db.py", "moved", "pkg/store.py")
    (app.path / "pkg/store.py").unlink()
    app.index()
    assert (linked(app)["name"], linked(app)["state"]) == ("pkg/db.py", "gone")


def test_a_symbol_that_a_caller_linked_by_hand_is_renamed_and_the_link_stays(app):
    stored = link(app, "sym:pkg.db.Store.write")
    app.change("pkg/db.py", "def write(self, some):", "def sum_up(self, some):")
    app.index()
    state = linked(app)
    assert (state["name"], state["state"], state["to"]) == ("pkg.db.Store.write", "moved", "pkg.db.Store.sum_up")
    app.write("pkg/db.py", "answers = 1\n")
    app.index()
    with app.memory.context.store.read() as tx:
        (found,) = code_links.of_sources(tx, [records.by_key(tx, stored)[0].id])
    assert (found.by_mention, found.weight) == (False, 0.4)


def test_a_link_by_hand_to_what_is_gone_says_so(app):
    link(app, "sym:pkg.db.limit")
    app.write("pkg/db.py", STORE.partition("def limit")[0])
    app.index()
    assert linked(app) == {"name": "pkg.db.limit", "state": "gone"}


def test_a_link_that_a_caller_states_again_is_of_now(app):
    stored = link(app, "sym:pkg.db.Store.write")
    app.change("pkg/db.py", "each * 2 + 17", "each * 3 + 17")
    app.index()
    assert linked(app)["state"] == "changed"
    again = {"source_id": stored, "target_id": "sym:pkg.db.Store.write", "relationship": "EXPLAINS"}
    app.memory.associate_memories(**again, weight=0.4)
    linking.catch_up(app.memory.context)
    assert linked(app)["state"] == "fresh"
    app.index()
    assert linked(app)["state"] == "fresh"


def test_looking_at_links_by_hand_comes_to_rest(app):
    link(app, "sym:pkg.db.Store.write")
    linking.catch_up(app.memory.context)
    linking.catch_up(app.memory.context)
    with app.memory.context.store.read() as tx:
        before = changes.moment(tx).last
    assert linking.catch_up(app.memory.context) == 0
    with app.memory.context.store.read() as tx:
        assert changes.moment(tx).last == before


def test_an_export_says_of_a_link_by_hand_what_the_caller_said(app, open_store):
    stored = link(app, "sym:pkg.db.Store.write")
    linking.catch_up(app.memory.context)
    memories = [each for each in export_all(app.memory.context) if each["id"] == stored]
    ((relation,),) = [each["edges"] for each in memories]
    assert relation["metadata"] == {}
    for broken in ({"was": "x", "now": "x"}, {"now": 3}, {"was": {}}):
        relation["metadata"] = {**broken, "by": "me"}
        app.memory.delete_memory(id=stored)
        assert app.memory.import_memories(memories=memories)["errors"] == []
        linking.catch_up(app.memory.context)
        assert linked(app)["state"] == "fresh"
        again = next(each for each in export_all(app.memory.context) if each["id"] == stored)
        assert again["edges"][0]["metadata"] == {"by": "me"}
