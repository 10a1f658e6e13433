"""Memory meets code: what is remembered is linked to the symbols and files of its project that it names."""

import pytest

from codebases import Codebase
from command_line import undo
from indelible.admin.maintenance import Housekeeper
from indelible.core.context.permissions import Grant
from indelible.store.tables import leases, records
from indelible.store.views import code_links
from indelible.toolsets.code import index
from indelible.toolsets.code import links as linking
from indelible.toolsets.memory import decisions

HERE = "/home/me/app"
FILES = {
    "src/db/store.py": [
        "app.db.store.Store",
        "app.db.store.Store.write",
        "app.db.store.open_store",
        "app.db.store.run",
    ],
    "src/db/pool.py": ["app.db.pool.Pool", "app.db.pool.Pool.close", "app.db.pool.retry_count"],
    "src/web/session.py": ["app.web.session.Session.close", "app.web.session.make_id", "app.web.session.make_url"],
    "tests/test_store.py": ["tests.test_store.test_open_store()", "tests.test_store.make_id()"],
}


SOURCE = """
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
"""


@pytest.fixture
def code(memory):
    codebase = Codebase(memory, HERE)
    codebase.add(FILES)
    return codebase


def remember(memory, content, namespace=HERE, **fields):
    return memory.store_memory(content=content, namespace=namespace, **fields)["id"]


def links(memory, of):
    """What a memory is linked to because its text names it, and how sure that is; with * where it is gone."""
    with memory.context.store.read() as tx:
        (record,) = records.by_key(tx, of)
        found = [link for link in code_links.of_sources(tx, [record.id]) if link.by_mention]
        names = records.keys_of(tx, [link.target for link in found])
    shown = {link.target: names[link.target][1].partition(":")[2].partition("@")[0] for link in found}
    return {shown[link.target] + "*" * link.metadata.get("stale", False): round(link.weight, 2) for link in found}


def linked(memory, content, **fields):
    """What a new memory of this content is linked to."""
    stored = remember(memory, content, **fields)
    linking.catch_up(memory.context)
    return links(memory, stored)


# --- Which links a text makes ---


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("app.db.store.Store.write holds the lock", {"app.db.store.Store.write": 1.0}),
        ("Store.write holds the lock", {"app.db.store.Store.write": 0.9}),
        ("`open_store` waits", {"app.db.store.open_store": 0.9}),
        ("`def run(self)` is the loop", {"app.db.store.run": 0.9}),
        ("open_store waits, and open_store() too", {"app.db.store.open_store": 0.7}),
        ("run() is the loop", {"app.db.store.run": 0.6}),
        ("we run it, and open the store: write, close", {}),
        ("`close` it", {}),  # there are two
        ("`close` it, as src/web/session.py does", {"app.web.session.Session.close": 0.9, "src/web/session.py": 1.0}),
        ("see db/pool.py", {"src/db/pool.py": 0.9}),
        ("see pool.py, line 3", {"src/db/pool.py": 0.8}),
        ("see /home/you/other/app/src/db/pool.py:12", {"src/db/pool.py": 0.9}),
        ("see lib/pool.py or src/db/pool.py.bak", {}),
        ("see https://example.com/blob/main/src/db/pool.py", {}),
        ("make_id is fast", {"app.web.session.make_id": 0.7}),  # the other one is a test's
        (
            "tests/test_store.py::test_open_store failed",
            {"tests/test_store.py": 1.0, "tests.test_store.test_open_store": 0.9},
        ),
        ("Store.unknown and no_such_name of GitHub", {}),
        ("接続はopen_storeで開き、src/db/pool.pyを読む", {"app.db.store.open_store": 0.7, "src/db/pool.py": 1.0}),
    ],
)
def test_a_text_is_linked_to_what_it_names_for_sure(memory, code, content, expected):
    assert linked(memory, content) == expected


def test_a_name_that_several_symbols_of_one_file_have_names_the_file(memory):
    Codebase(memory, HERE).add({"src/a.py": ["a.First.write_all", "a.Second.write_all"], "src/b.py": ["b.other"]})
    assert linked(memory, "write_all is slow") == {"src/a.py": 0.49}


def test_a_class_comes_before_its_constructor_and_a_definition_before_its_declaration(memory):
    Codebase(memory, HERE).add(
        {"A.java": ["app.RowReader", "app.RowReader.RowReader"], "b.h": ["parse_row"], "b.c": ["parse_row"]}
    )
    assert linked(memory, "RowReader calls parse_row") == {"app.RowReader": 0.7, "parse_row": 0.7}


def test_a_text_makes_no_more_than_twenty_links_the_surest(memory):
    names = [f"app.all.name_{i}" for i in range(40)]
    Codebase(memory, HERE).add({"all.py": names})
    found = linked(memory, " ".join(f"name_{i}" for i in range(40)) + " app.all.name_39")
    assert len(found) == 20
    assert found["app.all.name_39"] == 1.0


def test_solutions_failures_and_messages_are_linked_too_and_todos_are_not(open_store):
    memory = open_store(project=HERE)
    code = Codebase(memory, HERE)
    code.add(FILES)
    memory.matrix_store(problem="open_store is slow", solution="pool it", scope="global")
    memory.matrix_failure(
        errorType="runtime", errorMessage="open_store timed out", rootCause="no pool", fixApplied="a pool"
    )
    memory.log_chat(conversation_id="c", message_id="m", role="user", content="what does open_store do?")
    memory.add_todo(title="look at open_store")
    linking.catch_up(memory.context)
    with memory.context.store.read() as tx:
        sources = code_links.explaining(tx, [code.ids["app.db.store.open_store"]])
        assert sorted(kind for kind, _ in records.keys_of(tx, sources).values()) == [
            "failure",
            "message",
            "solution",
        ]


# --- Projects ---


def test_only_code_of_the_own_project_is_named(memory, code):
    assert linked(memory, "open_store waits", namespace="/home/me/other") == {}
    Codebase(memory, "/home/me/other").add({"x.py": ["x.open_store"]})
    assert linked(memory, "open_store waits long", namespace="/home/me/other") == {"x.open_store": 0.7}
    assert linked(memory, "open_store waits longer") == {"app.db.store.open_store": 0.7}


def test_a_path_in_a_project_is_that_project(open_store, tmp_path):
    (tmp_path / "app" / "src").mkdir(parents=True)
    memory = open_store(start=tmp_path / "app")
    memory.store_memory(content="the project is known from now on")
    Codebase(memory, str(tmp_path / "app")).add(FILES)
    assert linked(memory, "open_store waits", namespace=str(tmp_path / "app" / "src")) == {
        "app.db.store.open_store": 0.7
    }


# --- When ---


def test_what_was_remembered_before_is_linked_when_the_code_is_indexed(memory):
    early = remember(memory, "open_store waits")
    Codebase(memory, HERE).add(FILES)
    assert links(memory, early) == {"app.db.store.open_store": 0.7}


def test_a_new_symbol_is_linked_to_what_named_it_before(memory, code):
    early = remember(memory, "flush_all comes, in src/db/log.py")
    linking.catch_up(memory.context)
    assert links(memory, early) == {}
    code.add({"src/db/log.py": ["app.db.log.flush_all"]})
    assert links(memory, early) == {"app.db.log.flush_all": 0.7, "src/db/log.py": 1.0}


def test_what_a_killed_process_left_is_linked_by_the_next_one(open_store):
    first = open_store()
    codebase = Codebase(first, HERE)
    early = remember(first, "open_store waits")
    codebase.write(FILES)  # and killed
    late = remember(first, "open_store waits again")
    linking.catch_up(open_store().context)
    assert links(first, early) == links(first, late) == {"app.db.store.open_store": 0.7}


def test_a_server_links_between_its_calls_and_one_that_only_reads_never(open_store, memory, code):
    stored = remember(memory, "open_store waits")
    Housekeeper(open_store(read_only=True).context)._round()
    assert links(memory, stored) == {}
    Housekeeper(memory.context)._round()
    assert links(memory, stored) == {"app.db.store.open_store": 0.7}


def test_who_is_limited_to_a_project_indexes_and_sees_its_links_and_no_others(memory, code):
    stored = remember(memory, "open_store waits", memory_type="decision")
    limited = memory.context.granted(Grant("agent", "write", frozenset({HERE})))
    linking.after_index(limited)
    assert links(memory, stored) == {"app.db.store.open_store": 0.7}
    other = memory.context.granted(Grant("other", "write", frozenset({"/home/me/other"})))
    for ctx, seen in ((limited, [stored]), (other, [])):
        chain = decisions.decision_chain(ctx, "src/db/store.py", None)
        assert [each.record.key for each in chain] == seen


def test_texts_are_linked_in_batches_that_can_be_stopped_between(memory, monkeypatch):
    many = [remember(memory, f"open_store waits {i} seconds") for i in range(60)]
    Codebase(memory, HERE).write(FILES)
    looks = iter([False, False, *[True] * 9])
    monkeypatch.setattr(linking, "AT_ONCE", 25)
    linking.catch_up(memory.context, lambda: next(looks))
    some = sum(bool(links(memory, each)) for each in many)
    assert 0 < some < 60
    linking.catch_up(memory.context)
    assert all(links(memory, each) for each in many)
    assert linking.catch_up(memory.context) == 0


def test_nothing_is_linked_while_the_index_is_being_made(memory, code):
    ctx = memory.context
    stored = remember(memory, "open_store waits")
    now = ctx.now()
    ctx.store.write(lambda tx: leases.take(tx, "index:1", "another", now, now + 60_000_000))
    assert linking.catch_up(ctx) == 0
    assert links(memory, stored) == {}


def test_a_log_that_was_cut_costs_a_look_at_every_text_and_no_link(memory, code):
    ctx = memory.context
    stored = remember(memory, "open_store waits")
    ctx.store.write(lambda tx: tx.run("changes.trim", before=1 << 62, up_to=1 << 62, limit=100_000))
    linking.catch_up(ctx)
    assert links(memory, stored) == {"app.db.store.open_store": 0.7}


def test_another_linker_that_was_faster_is_not_overwritten(memory, code):
    ctx = memory.context
    stored = remember(memory, "open_store waits")
    work = linking._next(ctx)
    memory.update_memory(id=stored, content="retry_count is 3")
    linking.catch_up(ctx)
    assert not linking._relink(ctx, work, lambda: None)
    assert links(memory, stored) == {"app.db.pool.retry_count": 0.7}


# --- What changes ---


def test_a_changed_text_loses_the_links_that_it_does_not_make_any_more(memory, code):
    stored = remember(memory, "open_store and retry_count")
    linking.catch_up(memory.context)
    memory.update_memory(id=stored, content="`retry_count` only")
    linking.catch_up(memory.context)
    assert links(memory, stored) == {"app.db.pool.retry_count": 0.9}
    undo(memory.context)
    linking.catch_up(memory.context)
    assert links(memory, stored) == {"app.db.store.open_store": 0.7, "app.db.pool.retry_count": 0.7}


def test_a_link_made_by_hand_is_never_touched(memory, code):
    stored = remember(memory, "open_store and retry_count")
    for name in ("app.db.store.open_store", "app.db.store.run"):
        memory.associate_memories(
            source_id=stored, target_id=_key(memory, code, name), relationship="EXPLAINS", weight=0.3
        )
    linking.catch_up(memory.context)
    assert links(memory, stored) == {"app.db.pool.retry_count": 0.7}
    memory.update_memory(id=stored, content="nothing of it")
    linking.catch_up(memory.context)
    assert _by_hand(memory, code) == {"app.db.store.open_store": 0.3, "app.db.store.run": 0.3}


@pytest.mark.parametrize("weight", [0.7, 0.2])
def test_a_link_that_somebody_confirms_is_theirs(memory, code, weight):
    stored = remember(memory, "open_store waits")
    linking.catch_up(memory.context)
    key = _key(memory, code, "app.db.store.open_store")
    memory.associate_memories(source_id=stored, target_id=key, relationship="explains", weight=weight)
    memory.update_memory(id=stored, content="nothing of it")
    linking.catch_up(memory.context)
    assert _by_hand(memory, code) == {"app.db.store.open_store": weight}


def test_a_name_that_two_symbols_have_now_names_none_and_one_again_when_the_other_is_gone(memory, code):
    stored = remember(memory, "retry_count is 3")
    code.add({"src/other.py": ["app.other.retry_count"]})
    assert links(memory, stored) == {}
    code.lose("app.other.retry_count")
    assert links(memory, stored) == {}  # the log says nothing of it
    linking.after_index(memory.context, forgotten=["retry_count"])
    assert links(memory, stored) == {"app.db.pool.retry_count": 0.7}


# --- What moves and goes ---


def test_a_link_follows_a_symbol_that_is_renamed_and_a_file_that_is_moved(memory, code):
    stored = remember(memory, "Pool.close and src/db/pool.py")
    linking.catch_up(memory.context)
    code.rename("app.db.pool.Pool.close", "app.db.pool.Pool.shut_down", "src/db/pool.py")
    code.move("src/db/pool.py", "src/net/pool.py")
    assert links(memory, stored) == {"app.db.pool.Pool.shut_down": 0.9, "src/net/pool.py": 1.0}
    memory.update_memory(id=stored, content="nothing of it")
    linking.catch_up(memory.context)
    assert links(memory, stored) == {}


def test_a_link_to_what_is_gone_is_stale_until_it_is_there_again(memory, code):
    stored = remember(memory, "open_store waits")
    linking.catch_up(memory.context)
    code.lose("app.db.store.open_store")
    assert links(memory, stored) == {"app.db.store.open_store*": 0.7}
    code.find_again("app.db.store.open_store", "src/db/store.py")
    assert links(memory, stored) == {"app.db.store.open_store": 0.7}


def test_another_symbol_of_the_name_takes_the_link_of_one_that_is_gone(memory, code):
    stored = remember(memory, "open_store waits")
    linking.catch_up(memory.context)
    code.lose("app.db.store.open_store")
    code.add({"src/new.py": ["app.new.open_store"]})
    assert links(memory, stored) == {"app.new.open_store": 0.7}


def test_what_is_gone_is_named_by_nothing_new(memory, code):
    remember(memory, "open_store waits")
    linking.catch_up(memory.context)
    code.lose("app.db.store.open_store")
    assert linked(memory, "open_store waited") == {}


def test_links_follow_what_a_real_index_says_of_real_source(open_store, tmp_path):
    app = tmp_path / "app"
    (app / "pkg").mkdir(parents=True)
    (app / "pkg" / "__init__.py").write_text("")
    (app / "pkg" / "db.py").write_text(SOURCE)
    (app / "pkg" / "web.py").write_text("from pkg.db import open_store\n\ndef handle():\n    return open_store()\n")
    memory = open_store(start=app)
    ctx = memory.context
    text = "Store.write doubles everything; open_store in pkg/db.py"
    stored = memory.store_memory(content=text, memory_type="decision")["id"]
    index.index(ctx, app)
    assert links(memory, stored) == {"pkg.db.Store.write": 0.9, "pkg.db.open_store": 0.7, "pkg/db.py": 1.0}
    (hit,) = memory.recall_with_impact(query="doubles everything")
    assert hit["impact"]["dependent_files"] == ["pkg/db.py", "pkg/web.py"]

    (app / "pkg" / "db.py").write_text(SOURCE.replace("write(", "write_all("))
    index.index(ctx, app)
    assert links(memory, stored) == {"pkg.db.Store.write_all": 0.9, "pkg.db.open_store": 0.7, "pkg/db.py": 1.0}
    (app / "pkg" / "db.py").rename(app / "pkg" / "database.py")
    index.index(ctx, app)
    moved = {"pkg.database.Store.write_all": 0.9, "pkg.database.open_store": 0.7, "pkg/database.py": 1.0}
    assert links(memory, stored) == moved
    (app / "pkg" / "database.py").unlink()
    index.index(ctx, app)
    assert links(memory, stored) == {f"{name}*": weight for name, weight in moved.items()}
    (hit,) = memory.recall_with_impact(query="doubles everything")
    assert hit["impact"]["dependent_files"] == []


# --- Who asks ---


def test_a_decision_about_a_symbol_of_a_file_is_in_the_chain_of_the_file(memory, code):
    named = remember(memory, "open_store waits for the lock", memory_type="decision")
    remember(memory, "something else", memory_type="decision")
    linking.catch_up(memory.context)
    (decision,) = memory.get_decision_chain(file_path="src/db/store.py")["decisions"]
    connection = {"relationship": "EXPLAINS", "source": named, "target": _key(memory, code, "app.db.store.open_store")}
    assert (decision["id"], decision["connections"]) == (named, [connection])
    code.lose("app.db.store.open_store")
    (decision,) = memory.get_decision_chain(file_path=f"{HERE}/src/db/store.py")["decisions"]
    assert decision["connections"] == [{**connection, "stale": True}]
    assert memory.get_decision_chain(file_path="src/db/pool.py")["decisions"] == []


def test_impact_names_the_files_of_what_depends_on_a_symbol_and_decisions_about_it(memory, code):
    remember(memory, "axum router: open_store waits")
    same = remember(memory, "open_store it is", memory_type="decision")
    caller = remember(memory, "make_id is ours", memory_type="decision")
    far = remember(memory, "retry_count is ours", memory_type="decision")
    linking.catch_up(memory.context)
    _call(memory, code, "app.web.session.make_id", "app.db.store.open_store")
    _call(memory, code, "app.db.pool.retry_count", "app.web.session.make_id")
    impact = memory.recall_with_impact(query="axum router", k=1)[0]["impact"]
    assert impact["dependent_files"] == ["src/db/store.py", "src/web/session.py"]
    assert impact["connected_decisions"] == [caller, same]
    assert far not in impact["connected_decisions"]
    code.lose("app.db.store.open_store")
    impact = memory.recall_with_impact(query="axum router", k=1)[0]["impact"]
    assert (impact["dependent_files"], impact["connected_decisions"]) == ([], [])


def _call(memory, code, source, target):
    ends = {"source_id": _key(memory, code, source), "target_id": _key(memory, code, target)}
    memory.associate_memories(**ends, relationship="CALLS")


def _key(memory, code, name):
    with memory.context.store.read() as tx:
        return tx.rows("records.keys_of", ids=f"[{code.ids[name]}]")[0][2]


def _by_hand(memory, code):
    names = {record: name for name, record in code.ids.items()}
    with memory.context.store.read() as tx:
        rows = tx.rows(
            "edges.sources",
            ids=str(list(names)),
            names='["EXPLAINS"]',
            kinds='["memory"]',
        )
        found = code_links.of_sources(tx, {row[1] for row in rows})
    return {names[link.target]: link.weight for link in found if not link.by_mention}
