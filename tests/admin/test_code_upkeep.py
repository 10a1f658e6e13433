"""What is indexed of source code, under the doctor, backups, deletions, exports and imports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

import purging
import store_file
from command_line import assert_sound, done, opened, refused
from indelible.admin import backups, doctor
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import exporting, undo
from indelible.errors import InvalidInput
from indelible.model import Edge
from indelible.settings import Settings
from indelible.store.database import Transaction
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.database import SqliteDatabase
from indelible.store.sqlite.salvage import salvage
from indelible.store.tables import edges, records, repositories, source_files, symbols, terms
from indelible.toolsets.memory import deletion, importing, namespaces
from stored_code import PROJECT, Code

CODE = ["app.Cart", "app.Cart.total", "app.tax"]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with an indexed codebase, a memory about each of two of its symbols, and one that is imported."""
    data = tmp_path_factory.mktemp("code") / "data"
    with opened(data) as ctx:
        code = Code(ctx.store)
        cart, total, tax = code.symbols("app.py", *CODE)
        code.symbols("empty/__init__.py")
        ctx.store.write(lambda tx: source_files.mark_resolved(tx, code.files.values()))
        ctx.store.write(lambda tx: repositories.finished(tx, code.repository.id, 5, 3, {"files": 2}))
        done = importing.import_items(
            ctx,
            [
                {"id": "why", "content": "Totals are in cents", "namespace": PROJECT},
                {"id": "seen", "content": "Tax is due", "namespace": PROJECT},
                {"kind": "symbol", "id": "theirs.run", "content": "def run()", "memory_type": "function"},
                {"kind": "file", "id": "theirs.py", "content": "theirs.py", "namespace": PROJECT},
            ],
        )
        assert done.errors == []
        with ctx.store.read() as tx:
            ends = [records.by_key(tx, key)[0].id for key in ("why", "seen")]
        related = [
            Edge(cart, total, "CONTAINS", "CONTAINS", 1.0, 7, {"origin": "index"}),
            Edge(total, tax, "CALLS", "CALLS", 1.0, 7, {"origin": "index"}),
            Edge(ends[0], total, "EXPLAINS", "EXPLAINS", 1.0, 7, {}),
            Edge(ends[1], tax, "EXPLAINS", "EXPLAINS", 0.5, 7, {"origin": "mention"}),
        ]
        ctx.store.write(lambda tx: edges.add_many(tx, related))
    return data


@pytest.fixture
def data(full: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "data"
    store_file.copy(full, copy)
    return copy


@pytest.fixture
def ctx(data: Path) -> Iterator[Context]:
    with opened(data) as context:
        yield context


def code_in(ctx: Context) -> int:
    """How many files and symbols of source code a purge of the project would forget."""
    with ctx.store.read() as tx:
        return len(namespaces.code_of(ctx, tx, {PROJECT}))


def found(ctx: Context, part: str) -> list[str]:
    with ctx.store.read() as tx:
        return [each.row.qualified_name for each in symbols.search_names(tx, part, [PROJECT])]


def purge(ctx: Context) -> dict[str, int]:
    return purging.purge(ctx.for_call(Call(tool="purge")), PROJECT)


def exported(ctx: Context) -> dict[str, dict[str, Any]]:
    return {thing["id"]: thing for thing in exporting.export_all(ctx)}


# --- Doctor, backup ---


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM symbol_gram_data WHERE id > 10",
        "INSERT INTO symbol_gram (symbol_gram, rowid, name) SELECT 'delete', id, name FROM symbol_name LIMIT 1",
        "INSERT INTO symbol_gram (rowid, name) VALUES (4711, 'nobody')",
    ],
    ids=["lost", "without a name", "with one too many"],
)
@pytest.mark.sqlite("salvage of a damaged file")
def test_an_index_of_names_that_is_not_that_of_the_names_is_built_again(data: Path, damage: str):
    connection = apsw.Connection(str(data / FILE))
    connection.execute(damage).fetchall()
    connection.close()
    report = doctor.examine(Settings(data=data))
    assert not report.sound
    assert "the index of the names of symbols is damaged; `indelible doctor --repair`" in "\n".join(report.lines)
    assert doctor.repair(Settings(data=data)).sound
    with opened(data) as ctx:
        assert found(ctx, "tot") == ["app.Cart.total"]
        assert found(ctx, "nobody") == []


@pytest.mark.process
def test_the_doctor_tells_how_much_code_there_is(data: Path):
    said = done("doctor", data=data)
    assert "codebases: 1, symbols: 3\n" in said
    records, embedded, pending, others = map(int, re.findall(r"(?:records|embedded|pending|only): (\d+)", said)[:4])
    assert (embedded + pending + others, others > 0) == (records, True)
    assert "the store is sound" in said


@pytest.mark.sqlite("copies of the file")
def test_code_is_in_a_backup(ctx: Context, tmp_path: Path):
    copy = backups.backup(ctx, tmp_path / "copy.db")
    store = SqliteDatabase(copy)
    with store.read() as tx:
        assert [each.row.qualified_name for each in symbols.search_names(tx, "CART", [PROJECT])] == ["app.Cart"]
        assert [each.indexed for each in repositories.everything(tx)] == [5]
    store.close()


@pytest.mark.sqlite("salvage of a damaged file")
def test_what_can_be_read_of_code_is_salvaged_and_all_files_are_read_again(data: Path, tmp_path: Path):
    connection = apsw.Connection(str(data / FILE))
    connection.execute("UPDATE symbol SET places = 'no JSON' WHERE qualified_name = 'app.tax'").fetchall()
    connection.close()
    (tmp_path / "saved").mkdir()
    counts = salvage(data / FILE, tmp_path / "saved" / FILE)
    assert counts["symbol"] == (2, 1)
    store = SqliteDatabase(tmp_path / "saved" / FILE)
    assert store.check() == []
    with store.read() as tx:
        names = [each.row.qualified_name for each in symbols.search_names(tx, "a", [PROJECT])]
        (codebase,) = repositories.everything(tx)
        files = source_files.of_repository(tx, codebase.id)
    store.close()
    assert names == ["app.Cart", "app.Cart.total"]
    assert codebase.version == 0
    assert [(each.path, each.hash, each.resolved) for each in files] == [
        ("app.py", "", False),
        ("empty/__init__.py", "", False),
    ]


@pytest.mark.sqlite("salvage of a damaged file")
def test_code_that_is_salvaged_from_before_it_was_searched_apart_is_searched_apart(data: Path, tmp_path: Path):
    connection = apsw.Connection(str(data / FILE))
    connection.execute("UPDATE terms SET space = 1 WHERE space = 5").fetchall()
    connection.close()
    salvage(data / FILE, tmp_path / FILE)
    store = SqliteDatabase(tmp_path / FILE)
    with store.read() as tx:
        assert terms.records_without(tx) == 0
        assert len(terms.in_range(tx, 0, 100, terms.CODE_WORDS)) == 7
        assert len(terms.in_range(tx, 0, 100)) == 2
    store.close()


# --- Deletion, undo ---


def test_a_purge_forgets_code_and_keeps_in_the_trash_what_somebody_related(ctx: Context, data: Path):
    assert purging.contents(ctx, PROJECT) == {"file": 1, "memory": 2, "symbol": 1}
    assert code_in(ctx) == 4
    assert purge(ctx) == {"file": 1, "memory": 2, "symbol": 1}
    with ctx.store.read() as tx:
        assert repositories.everything(tx) == []
        assert records.count_by_kind(tx) == {"symbol": 1}
        assert tx.rows("symbols.names") == []
    undo.undo(ctx.for_call(Call(tool="undo")))
    back = exported(ctx)
    assert back.keys() >= {"sym:app.Cart.total@app.py", "theirs.py", "theirs.run"}
    (explains,) = [edge for thing in back.values() for edge in thing["edges"]]
    assert explains["target"] == "symbol:sym:app.Cart.total@app.py"
    assert_sound(data)


def test_a_purge_is_undone_after_another_run_found_the_code_again(ctx: Context, data: Path):
    purge(ctx)
    code = Code(ctx.store)
    (total,) = code.symbols("app.py", "app.Cart.total")
    back = undo.undo(ctx.for_call(Call(tool="undo")))["restored"]
    assert {"why", "seen", "theirs.py", "sym:app.Cart.total@app.py"} == set(back)
    with ctx.store.read() as tx:
        ((why, _),) = [(each.id, each) for each in records.by_key(tx, "why")]
        found = [(each.source, each.target) for each in edges.of_records(tx, [why])]
        assert records.count_by_kind(tx) == {"file": 2, "memory": 2, "symbol": 2}
    assert found == [(why, total)]
    assert_sound(data)


def test_what_somebody_relates_to_code_while_it_is_purged_goes_with_it(ctx: Context, monkeypatch: pytest.MonkeyPatch):
    with ctx.store.read() as tx:
        (other,) = records.by_key(tx, "theirs.run")
        (tax,) = records.by_key(tx, "sym:app.tax@app.py")

    def relate() -> None:
        said = Edge(other.id, tax.id, "EXPLAINS", "EXPLAINS", 1.0, 7, {})
        ctx.store.write(lambda tx: edges.put(tx, said))

    find = namespaces.code_of

    def late(*given: Any) -> dict[int, str]:
        known = find(*given)
        if tax.id in known:
            relate()
        return known

    monkeypatch.setattr(namespaces, "code_of", late)
    purge(ctx)
    with ctx.store.read() as tx:
        assert edges.of_records(tx, [tax.id, other.id]) == []
        assert records.by_key(tx, tax.key) == []
        assert records.ids_in(tx, [PROJECT], None) == []


@pytest.mark.process
def test_the_command_says_what_a_purge_forgets(data: Path):
    asked = refused("purge", "--namespace", PROJECT, data=data)
    assert "purge would delete 1 file, 2 memories, 1 symbol, 4 code entries of 'namespace /shop'" in asked
    said = done("purge", "--namespace", PROJECT, "--yes", data=data)
    assert "purged 1 file, 2 memories, 1 symbol, 4 code entries of namespace /shop, for good\n" in said


def test_a_namespace_without_its_memories_keeps_its_code(ctx: Context):
    assert namespaces.delete(ctx.for_call(Call(tool="delete_namespace")), PROJECT, True) == {PROJECT: 2}
    assert found(ctx, "cart") == ["app.Cart"]
    assert code_in(ctx) == 5
    undo.undo(ctx.for_call(Call(tool="undo")))
    assert code_in(ctx) == 4


@pytest.mark.parametrize("given", ["symbol:sym:app.tax@app.py", "file:file:app.py"])
def test_indexed_code_is_not_deleted_by_its_id(ctx: Context, given: str):
    with pytest.raises(InvalidInput, match=r"of indexed source code; it is deleted when it leaves the source"):
        deletion.delete(ctx.for_call(Call(tool="delete")), [given])
    assert found(ctx, "tax") == ["app.tax"]


def test_imported_code_is_deleted_and_comes_back_as_ever(ctx: Context):
    before = exported(ctx)
    deletion.delete(ctx.for_call(Call(tool="delete")), ["symbol:theirs.run"])
    assert "theirs.run" not in exported(ctx)
    undo.undo(ctx.for_call(Call(tool="undo")))
    assert exported(ctx) == before


# --- Export and import ---


def test_an_export_leaves_out_what_the_source_says_again(ctx: Context, tmp_path: Path):
    things = list(exporting.export_all(ctx))
    assert sorted((thing["kind"], thing["id"]) for thing in things if thing["kind"] != "memory") == [
        ("file", "theirs.py"),
        ("symbol", "sym:app.Cart.total@app.py"),
        ("symbol", "theirs.run"),
    ]
    assert [edge["relationship"] for thing in things for edge in thing["edges"]] == ["EXPLAINS"]
    with opened(tmp_path / "other") as other:
        result = importing.import_items(other, json.loads(json.dumps(things)))
        assert (len(result.ids), result.errors) == (5, [])
        assert list(exporting.export_all(other)) == things


def test_memories_are_exported_without_what_was_found_out_about_them(ctx: Context):
    told = exporting.export_memories(ctx, PROJECT, None, 10)
    assert sorted(len(memory["edges"]) for memory in told) == [0, 1]


def test_with_the_last_codebase_goes_what_is_sealed_of_code(ctx: Context):
    def seal(tx: Transaction) -> None:
        for space in (terms.WORDS, terms.CODE_WORDS, terms.CODE_SPARSE, terms.CODE_DENSE):
            terms.put_block(tx, space, 1, 0, 5, 3, b"sealed")

    def sealed() -> list[int]:
        with ctx.store.read() as tx:
            return [space for space in range(20) if terms.blocks(tx, space, 1)]

    ctx.store.write(seal)
    Code(ctx.store, "/other").symbols("a.py", "other.run")
    purge(ctx)
    assert sealed() == [terms.WORDS, terms.CODE_WORDS, terms.CODE_SPARSE, terms.CODE_DENSE]
    purging.purge(ctx.for_call(Call(tool="purge")), "/other")
    assert sealed() == [terms.WORDS]
