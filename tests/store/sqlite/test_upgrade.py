"""A store of every schema that was released opens with this version, and everything in it is there."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import pytest

import released
import store_file
from command_line import assert_sound, done, export, opened, result, undo
from indelible.core.records import embedding_queue
from indelible.model import NUMBERED_KINDS
from indelible.store.named_queries import newest_schema
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.opening import schema_of
from indelible.store.sqlite.salvage import salvage
from indelible.store.tables import trash
from indelible.toolsets import registry
from made_up_meaning import embed_all, seal_all, with_meaning
from released import Released

pytestmark = pytest.mark.sqlite("the file of an earlier schema")

NEVER_EMBEDDED = ("document", "file")
FOUND_BY_WORDS = ("test", "constant", "variable", "module")  # types of symbols, which schema 7 does not embed


@pytest.fixture(scope="module", params=released.ALL, ids=lambda store: f"schema {store.schema}")
def old(request: pytest.FixtureRequest) -> Released:
    store: Released = request.param
    return store


@pytest.fixture(scope="module")
def made(old: Released, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store as it was left, for all tests to look at and to copy: nobody opens it."""
    return old.make(tmp_path_factory.mktemp("made") / "data")


@pytest.fixture(scope="module")
def before(made: Path) -> dict[str, released.Rows]:
    """The rows that it had."""
    return released.rows(made / FILE)


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """A copy of that store for one test."""
    store_file.copy(made, tmp_path / "data")
    return tmp_path / "data"


@dataclass(frozen=True)
class Upgraded:
    """The store after this version, as a process, exported it."""

    data: Path
    exported: list[dict[str, Any]]
    rows: dict[str, released.Rows]


@pytest.fixture(scope="module")
def upgraded(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Upgraded:
    """For all tests that only look at it."""
    data = tmp_path_factory.mktemp("upgraded") / "data"
    store_file.copy(made, data)
    said = exported(data)
    return Upgraded(data, said, released.rows(data / FILE))


def exported(data: Path) -> list[dict[str, Any]]:
    """What this version exports, as another process."""
    return [json.loads(line) for line in done("export", data=data).splitlines()]


def as_before(exported: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return an export as older versions wrote it: without uids, nor `replaced_by` beside the relation it is from."""
    return [
        {name: value for name, value in record.items() if name not in ("replaced_by", "uid")} for record in exported
    ]


def embeddable(store: Released) -> list[dict[str, Any]]:
    return [record for record in store.exported if record["kind"] not in NEVER_EMBEDDED and record["content"]]


def count_embeddable(store: Released, before: dict[str, released.Rows]) -> int:
    """How many records have an embedding or wait for one: of code, the export has only what an import had brought."""
    rows = before["record"]
    code = [row for row in rows if row["kind"] == "symbol" and row["type"] in FOUND_BY_WORDS and store.schema >= 7]
    return sum(row["kind"] not in NEVER_EMBEDDED and bool(row["text"]) for row in rows) - len(code)


def test_a_store_of_every_schema_that_was_released_is_kept():
    assert [store.schema for store in released.ALL] == list(range(1, newest_schema("sqlite")))


@pytest.mark.process
@pytest.mark.sweep(3)
def test_every_row_is_there_after_the_upgrade(old: Released, before: dict[str, released.Rows], upgraded: Upgraded):
    assert all(before[table] for table in ("record", "edge", "terms", "access", "trash", "applied", "posting_block"))
    assert as_before(upgraded.exported) == as_before(old.exported)
    assert schema_of(upgraded.data / FILE) == newest_schema("sqlite")
    after = dict(upgraded.rows)
    wanted = dict(released.with_code_apart(before) if old.schema < 7 else before)
    for found in (after, wanted):
        found["trash"] = [{**row, "body": released.before_notes(row["body"])} for row in found["trash"]]
    for table, rows in wanted.items():
        # Schema 15 marks changes of a text: `test_what_was_discarded_says_how_it_is_brought_back`.
        columns = [name for name in (rows[0] if rows else ()) if (table, name) != ("trash", "revision")]
        wanted_rows = [{name: row[name] for name in columns} for row in rows]
        found = [{name: row[name] for name in columns} for row in after[table]]
        same = all(row in found for row in rows) if table == "terms" else found[: len(rows)] == wanted_rows
        assert same, table
    assert_sound(upgraded.data)


@pytest.mark.process
def test_each_record_and_relation_has_a_name_of_its_own_after_the_upgrade(
    old: Released, before: dict[str, released.Rows], upgraded: Upgraded
):
    assert_named(upgraded.rows)
    if old.schema >= 10:  # no cache has to follow
        assert upgraded.rows["change"] == before["change"]


def assert_named(rows: dict[str, released.Rows]) -> None:
    """Fail unless each record and relation has a name of its own, given by this store."""
    named = [row for table in ("record", "edge") for row in rows[table]]
    assert len({row["uid"] for row in named}) == len(named) > 0
    assert all(re.fullmatch("[0-9a-f]{32}", row["uid"]) and row["origin"] == "" for row in named)


@pytest.mark.slow
def test_what_was_discarded_says_how_it_is_brought_back(tmp_path: Path):
    data = released.Released(10).make(tmp_path / "data")
    with opened(data):
        pass
    trash = released.rows(data / FILE)["trash"]
    assert {row["tool"] for row in trash if row["bulk"]} == {"consolidate_forget", "undo"}
    assert {row["tool"] for row in trash if row["additive"]} == {"delete_observations"}
    assert {row["tool"] for row in trash if row["revision"]} == {"update_memory", "delete_observations"}
    assert {row["tool"] for row in trash if row["reverses"]} == {"undo"}
    (noted,) = [row for row in trash if "unchanged" in json.loads(row["body"]).get("added", {})]
    assert noted["tool"] == "promote"


def test_a_damaged_row_of_the_trash_stops_no_upgrade(tmp_path: Path):
    data = released.Released(14).make(tmp_path / "data")
    connection = apsw.Connection(str(data / FILE))
    connection.execute("UPDATE trash SET body = substr(body, 1, 20) WHERE action = 'update'").fetchall()
    connection.close()
    with opened(data) as ctx, ctx.store.read() as tx:
        assert trash.count(tx) > 0
    assert schema_of(data / FILE) == newest_schema("sqlite")


@pytest.mark.process
def test_what_the_earlier_version_did_is_undone_as_that_would_have(tmp_path: Path):
    data = released.Released(10).make(tmp_path / "data")
    operations = {row["tool"]: row["operation"] for row in released.rows(data / FILE)["trash"]}
    known = {record["id"]: record for record in exported(data)}
    (failure,) = [found["metadata"]["failure_id"] for found in known.values() if "failure_id" in found["metadata"]]
    with opened(data) as ctx:
        undo(ctx, operations["delete_observations"])
        undo(ctx, operations["promote"])
        undo(ctx, operations["undo"])
    back = {record["id"]: record for record in exported(data)}
    assert back["ledger"]["metadata"]["observations"] == ["closes at noon", "is kept in euro", "closes at six"]
    forgotten = "87eb469b-7f0f-49a3-815d-05173274714f"
    recorded = {failure, *known[failure]["metadata"]["entities"], "file:cart.py"}
    assert known.keys() - back.keys() == {forgotten, *recorded}


@pytest.mark.slow
def test_what_is_salvaged_of_an_earlier_version_is_named_and_marked_as_after_the_upgrade(tmp_path: Path):
    data, file = released.Released(10).make(tmp_path / "data"), tmp_path / "salvaged.db"
    salvage(data / FILE, file)
    with opened(data):
        pass
    found = released.rows(file)
    assert found["trash"] == released.rows(data / FILE)["trash"]
    assert_named(found)


@pytest.mark.process
def test_the_store_as_it_was_is_kept_beside_it(old: Released, before: dict[str, released.Rows], upgraded: Upgraded):
    (copy,) = (upgraded.data / "backups").iterdir()
    assert copy.name.startswith(f"before-schema-{old.schema + 1}-")
    assert schema_of(copy) == old.schema
    assert released.rows(copy) == before


@pytest.mark.process
@pytest.mark.sweep(3)
def test_all_is_found_by_words_at_once(old: Released, data: Path):
    (found, *_) = result("recall", embeddable(old)[0]["content"], data=data)["hits"]
    assert found["content"] == embeddable(old)[0]["content"]
    recall = registry.find_tool("recall_memory")
    with opened(data) as ctx:
        for record in embeddable(old):
            if record["id"] in released.twins(old.exported) or record["kind"] in released.CODE:
                continue
            hits = registry.call(ctx, recall, {"query": record["content"], "k": 2}).value
            assert record["content"] in [hit["content"] for hit in hits]


@pytest.mark.process
@pytest.mark.sweep(3)
def test_all_waits_for_its_embedding_and_is_then_found_by_meaning(
    old: Released, before: dict[str, released.Rows], data: Path
):
    number = count_embeddable(old, before)
    said = done("doctor", data=data)
    counted = re.search(
        r"embedded: (\d+)(?: \(.*\))?, pending: (\d+)(?:, found by words only: \d+)?\n(?:captured.*\n)?"
        r"(?:codebases.*\n)?(?:2 documents.*\n)?"
        r"(?:the words of .*\n)?the store is sound",
        said,
    )
    assert counted is not None, said
    embedded, waiting = map(int, counted.groups())
    assert embedded + waiting == number
    assert embedded == 0 or old.schema > 1  # schema 1 had no embeddings
    with opened(data) as plain:
        ctx = with_meaning(plain)
        embed_all(ctx)
        seal_all(ctx)
        assert embedding_queue.waiting(ctx) == 0
        hits = registry.call(ctx, registry.find_tool("recall_memory"), {"query": embeddable(old)[0]["content"]}).value
    assert hits[0]["content"] == embeddable(old)[0]["content"]
    assert hits[0]["score_breakdown"]["vector_similarity"] == pytest.approx(1, abs=0.01)
    said = done("doctor", data=data)
    assert re.search(rf"embedded: {number}(?: \(.*\))?, pending: 0", said), said
    assert "the store is sound" in said


@pytest.mark.process
@pytest.mark.sweep(3)
def test_what_the_earlier_version_discarded_can_be_brought_back(before: dict[str, released.Rows], data: Path):
    trash = before["trash"]
    past = result("history", "--limit", str(len(trash)), data=data)["operations"]
    assert sorted(thing["operation"] for thing in past) == sorted(thing["operation"] for thing in trash)
    deleted = [thing for thing in trash if thing["action"] == "delete" and not thing["undone"]]
    assert deleted
    for thing in deleted:
        text, relations = released.discarded(before, thing)
        done("undo", "--operation", thing["operation"], data=data)
        (back,) = (record for record in exported(data) if record["id"] == thing["key"])
        assert back["content"] == text
        assert len(back["edges"]) == relations > 0
        with opened(data) as ctx:
            hits = registry.call(ctx, registry.find_tool("recall_memory"), {"query": back["content"], "k": 1}).value
            assert [hit["id"] for hit in hits] == [back["id"]]
    assert_sound(data)


@pytest.mark.slow
def test_documents_are_numbered_after_the_numbers_that_an_import_had_brought(old: Released, data: Path):
    numbers = [int(record["id"]) for record in old.exported if record["kind"] in NUMBERED_KINDS]
    with opened(data) as ctx:
        arguments = {"content": "by this version", "file_name": "new.md"}
        stored = registry.call(ctx, registry.find_tool("store_memory"), arguments).value
    if old.schema < 5:
        assert stored["resource_id"] == max(numbers, default=0) + 1
    else:  # there is a token that is limited to a namespace, so numbers are drawn by lot
        assert stored["resource_id"] > 10**12


@pytest.mark.process
def test_documents_of_one_name_that_an_import_had_brought_are_told_apart(tmp_path: Path):
    data = released.Released(2).make(tmp_path / "data")
    connection = apsw.Connection(str(data / FILE))
    for number in (501, 502):
        connection.execute(
            "INSERT INTO record (kind, key, label, text, created, updated) VALUES ('document', ?, 'twice.md', ?, 1, 1)",
            (str(number), f"text {number}"),
        ).fetchall()
    connection.close()
    labels = {record["id"]: record.get("label") for record in exported(data)}
    assert (labels["501"], labels["502"]) == ("twice.md", "twice.md (502)")


@pytest.mark.process
@pytest.mark.sweep(3)
def test_a_backup_of_the_earlier_version_is_restored_into_a_store_of_this_one(
    old: Released, made: Path, tmp_path: Path
):
    copy, data = tmp_path / "copy.db", tmp_path / "data"
    shutil.copyfile(made / FILE, copy)
    done("remember", "stored by this version", data=data)
    done("restore", copy, data=data)
    back = [json.loads(line) for line in export(data).splitlines()]
    assert as_before(back) == as_before(old.exported)
    assert schema_of(copy) == old.schema
    assert_sound(data)
