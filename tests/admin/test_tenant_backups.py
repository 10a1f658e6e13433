"""Backups of one tenant of a database, and a restore in the place of what it has."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

import apart
import tenant_rows
from indelible.admin import backups, doctor, tenant_usage, tokens
from indelible.core.context.context import Context, open_context
from indelible.errors import Forbidden, IndelibleError, InvalidInput
from indelible.settings import Settings
from indelible.store.copy import tenant_file
from indelible.store.copy.tables import Copy
from indelible.store.database import Transaction
from indelible.store.postgres.database import open_postgres
from indelible.store.sqlite.database import SqliteDatabase
from open_stores import OpenTenant

pytestmark = pytest.mark.process

OWN, OTHER = 2, 3
NUMBERS = count(7_600)
UNLIKE = {
    *tenant_file.STAYS,
    "lease",
    "record_number",
}  # what a restore leaves, and who writes, and how far numbers are
Connection = psycopg.Connection[Any]


@pytest.fixture
def filled(administrator: str, tmp_path: Path) -> Iterator[tuple[str, str, Connection]]:
    """A schema in which two tenants have rows in every table: it, the URL of a server's role, and who sees all."""
    schema = f"restoring_{tmp_path.name.replace('-', '_')[-30:]}"
    _, serve = tenant_rows.store(administrator, schema)
    with closing(tenant_rows.connected(serve, schema)) as connection:
        for tenant in (OWN, OTHER):
            tenant_rows.fill(connection, tenant)
    with closing(tenant_rows.connected(administrator, schema)) as seeing:
        yield schema, serve, seeing


def changed(serve: str, schema: str) -> None:
    """Delete, change and add rows of the tenant, as its servers would."""
    base = OWN * tenant_rows.STEP
    with closing(tenant_rows.connected(serve, schema)) as connection, connection.transaction():
        connection.execute("SELECT set_config('indelible.tenant', %s, true)", [str(OWN)])
        connection.execute("DELETE FROM record WHERE id = %s", [base + 1])
        connection.execute("UPDATE record SET text = 'changed' WHERE id = %s", [base + 2])
        connection.execute(
            "INSERT INTO record (tenant, id, kind, namespace, key, text, type, created, updated, position, uid, "
            "content_hash) VALUES (%s, %s, 'memory', '/p', 'later', 'later', 'decision', 1, 1, 1, 'later', 'later')",
            [OWN, base + 700],
        )
        connection.execute("DELETE FROM trash WHERE tenant = %s", [OWN])
        connection.execute("INSERT INTO setting (tenant, name, value) VALUES (%s, 'later', '1')", [OWN])


def nothing(_: Transaction) -> None:
    return None


def test_every_row_is_as_it_was_and_those_of_another_tenant_are_untouched(
    filled: tuple[str, str, Connection], tmp_path: Path
) -> None:
    schema, serve, seeing = filled
    before, theirs = tenant_rows.rows(seeing, schema, OWN), tenant_rows.rows(seeing, schema, OTHER)
    with closing(open_postgres(serve, schema, tenant=OWN)) as store:
        tenant_file.backup(store, tmp_path / "was.db")
        changed(serve, schema)
        now = tenant_rows.rows(seeing, schema, OWN)
        assert [name for name in ("record", "setting", "trash", "record_version") if before[name] == now[name]] == []
        with closing(SqliteDatabase(tmp_path / "was.db")) as file:
            tenant_file.put_back(store, file, nothing)
        after = tenant_rows.rows(seeing, schema, OWN)
        assert [name for name in before.keys() - UNLIKE if before[name] != after[name]] == []
        assert [name for name in tenant_file.STAYS if set(now[name]) - set(after[name])] == []
        assert tenant_rows.rows(seeing, schema, OTHER) == theirs
        with closing(SqliteDatabase(tmp_path / "was.db")) as file, pytest.raises(KeyboardInterrupt):
            tenant_file.put_back(store, file, interrupted)
    assert {name: found for name, found in tenant_rows.rows(seeing, schema, OWN).items() if name != "lease"} == {
        name: found for name, found in after.items() if name != "lease"
    }


def interrupted(_: Transaction) -> None:
    raise KeyboardInterrupt


def contents(ctx: Context) -> set[str]:
    found = apart.call(ctx, "recall_memory", query="the animal", k=100)
    return {each["content"] for each in found}


def test_other_processes_see_what_is_restored_and_what_was_there_is_in_a_file(
    open_tenant: OpenTenant, tmp_path: Path
) -> None:
    number = next(NUMBERS)
    ctx, other = open_tenant(number), open_tenant(number)
    first = apart.call(ctx, "store_memory", content="the animal is a quoll")["id"]
    copy = backups.backup(ctx, tmp_path / "copy.db")
    apart.call(ctx, "store_memory", content="the animal is a bilby")
    apart.call(ctx, "delete_memory", id=first)
    secret = tokens.create(ctx, "made since", "write").secret
    tenant_usage.set_quota(ctx, {"records": 50})
    assert contents(other) == {"the animal is a bilby"}
    before = backups.restore(ctx, copy)
    assert contents(ctx) == contents(other) == {"the animal is a quoll"}
    assert before.parent == tmp_path
    assert tokens.verify(other, secret) is not None
    assert tenant_usage.of_one(other).quota.records == 50
    apart.call(other, "store_memory", content="the animal is a numbat")
    assert contents(ctx) == {"the animal is a quoll", "the animal is a numbat"}
    backups.restore(other, before)
    assert contents(ctx) == {"the animal is a bilby"}
    with pytest.raises(InvalidInput, match="overwrites nothing"):
        backups.backup(ctx, copy)


def test_a_backup_of_a_tenant_is_a_store_of_its_own_and_that_of_a_file_becomes_a_tenant(
    open_tenant: OpenTenant, tmp_path: Path
) -> None:
    ctx = open_tenant(next(NUMBERS))
    apart.call(ctx, "store_memory", content="the animal is a quoll")
    copy = backups.backup(ctx, tmp_path / "copy.db")
    own = Settings(data=tmp_path / "own", encoder="off", start=tmp_path, home=tmp_path)
    with closing(open_context(own)) as alone:
        apart.call(alone, "store_memory", content="the animal is a bilby")
        backups.restore(alone, copy)
        assert contents(alone) == {"the animal is a quoll"}
        apart.call(alone, "store_memory", content="the animal is a numbat")
        whole = backups.backup(alone, tmp_path / "whole.db")
    backups.restore(ctx, whole)
    assert contents(ctx) == {"the animal is a quoll", "the animal is a numbat"}


def test_a_tenant_that_had_nothing_goes_on_writing_and_is_among_those_that_are_billed(
    open_tenant: OpenTenant, tmp_path: Path
) -> None:
    ctx, into = open_tenant(next(NUMBERS)), open_tenant(next(NUMBERS))
    apart.call(ctx, "store_memory", content="the animal is a quoll")
    backups.restore(into, backups.backup(ctx, tmp_path / "copy.db"))
    assert into.settings.tenant in {each.tenant for each in tenant_usage.of_all(into)}
    apart.call(into, "store_memory", content="the animal is a numbat")
    assert contents(into) == {"the animal is a quoll", "the animal is a numbat"}


def test_calls_stay_billed_to_the_tenant_that_made_them(open_tenant: OpenTenant, tmp_path: Path) -> None:
    ctx, into = open_tenant(next(NUMBERS)), open_tenant(next(NUMBERS))
    apart.call(ctx, "store_memory", content="the animal is a quoll")
    ctx.write_behind.flush()
    copy = backups.backup(ctx, tmp_path / "copy.db")
    apart.call(ctx, "store_memory", content="the animal is a bilby")
    ctx.write_behind.flush()
    months = tenant_usage.of_one(ctx).months
    assert [month.calls for month in months] == [2]
    backups.restore(ctx, copy)
    assert tenant_usage.of_one(ctx).months == months
    backups.restore(into, copy)
    assert tenant_usage.of_one(into).months == ()


def without_a_count(tx: Any) -> None:
    tx.connection.execute("DELETE FROM record_number WHERE tenant = %s", [tx.tenant])


def test_a_count_of_records_that_is_missing_is_mended(open_tenant: OpenTenant) -> None:
    ctx = open_tenant(next(NUMBERS))
    apart.call(ctx, "store_memory", content="the animal is a quoll")
    ctx.store.write(without_a_count)
    assert "set the counter of records to (1)" in doctor.mend(ctx)
    assert doctor.mend(ctx) == []
    apart.call(ctx, "store_memory", content="the animal is a numbat")


def test_what_is_written_meanwhile_is_in_the_file_or_in_the_store(open_tenant: OpenTenant, tmp_path: Path) -> None:
    number = next(NUMBERS)
    ctx, other = open_tenant(number), open_tenant(number)
    apart.call(ctx, "store_memory", content="the animal is a quoll")
    copy = backups.backup(ctx, tmp_path / "copy.db")
    acknowledged: list[str] = []
    begun, ended = threading.Event(), threading.Event()

    def write() -> None:
        for turn in count():
            if ended.is_set():
                return
            apart.call(other, "store_memory", content=f"the animal is number {turn}")
            acknowledged.append(f"the animal is number {turn}")
            if turn == 5:
                begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert begun.wait(60)
        before = backups.restore(ctx, copy)
        done = len(acknowledged)
        while len(acknowledged) < done + 3 and writer.is_alive():
            ended.wait(0.01)
    finally:
        ended.set()
        writer.join()
    with closing(SqliteDatabase(before)) as file:
        kept = texts(file)
    left = texts(ctx.store)
    assert len(acknowledged) > 8
    assert set(acknowledged) <= kept | left
    assert "the animal is a quoll" in left
    assert acknowledged[0] not in left


def texts(store: Any) -> set[str]:
    with store.read() as tx:
        own = "SELECT text FROM record WHERE kind = 'memory' AND tenant = "
        return {str(text) for (text,) in tx.connection.execute(f"{own}{tx.tenant}").fetchall()}


@pytest.mark.sqlite("numbers that a file has given")
def test_numbers_given_in_a_file_are_not_given_again(filled: tuple[str, str, Connection], tmp_path: Path) -> None:
    schema, serve, _ = filled
    own = Settings(data=tmp_path / "own", encoder="off", start=tmp_path, home=tmp_path)
    with closing(open_context(own)) as alone:
        apart.call(alone, "store_memory", content="the animal is a bilby")
        alone.store.write(lambda tx: given(tx, trash=1 << 40))
        whole = backups.backup(alone, tmp_path / "whole.db")
    with (
        closing(open_postgres(serve, schema, tenant=OWN)) as store,
        closing(SqliteDatabase(whole)) as file,
        pytest.raises(Forbidden, match="numbers of trash are higher"),
    ):
        tenant_file.put_back(store, file, nothing)


def given(tx: Any, **numbers: int) -> None:
    """Let a store file have given numbers of its tables."""
    for table, number in numbers.items():
        tx.connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, number])


@pytest.mark.sqlite("numbers that a file has given")
def test_who_may_not_set_numbers_takes_those_that_a_recovered_server_is_ahead(
    filled: tuple[str, str, Connection], tmp_path: Path
) -> None:
    schema, serve, seeing = filled
    own = Settings(data=tmp_path / "own", encoder="off", start=tmp_path, home=tmp_path)
    with closing(open_postgres(serve, schema, tenant=OWN)) as store, store.read() as tx:
        ahead = Copy(store, tx).numbers.last()["trash"] + 33
    with closing(open_context(own)) as alone:
        alone.store.write(lambda tx: given(tx, trash=ahead))
        whole = backups.backup(alone, tmp_path / "whole.db")
    with closing(open_postgres(serve, schema, tenant=OWN)) as store:
        with closing(SqliteDatabase(whole)) as file:
            tenant_file.put_back(store, file, nothing)
        with store.read() as tx:
            assert Copy(store, tx).numbers.last()["trash"] == ahead
    assert tenant_rows.rows(seeing, schema, OWN)["trash"] == []


def test_a_file_that_is_no_backup_changes_nothing(open_tenant: OpenTenant, tmp_path: Path) -> None:
    ctx = open_tenant(next(NUMBERS))
    apart.call(ctx, "store_memory", content="the animal is a quoll")
    (tmp_path / "text").write_text("the animal")
    for path in (tmp_path / "text", tmp_path / "missing", tmp_path):
        with pytest.raises(IndelibleError):
            backups.restore(ctx, path)
    assert contents(ctx) == {"the animal is a quoll"}
