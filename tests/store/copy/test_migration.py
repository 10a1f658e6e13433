"""A store moves to PostgreSQL and back: the same rows, the same export; interrupted, it goes on where it stopped."""

import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

import everything
from command_line import done, environment, indelible
from every_tool import SMALL_CODEBASE
from hook_payloads import PROMPT
from indelible.api import open_memory
from indelible.core.records import undo
from indelible.errors import Conflict, Forbidden, StoreError
from indelible.store.copy import tables
from indelible.store.copy.tables import NOT_COPIED, TABLES, Copy
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.migrate import upgrade_postgres
from indelible.store.sqlite.opening import open_sqlite
from indelible.store.tables import settings
from indelible.transfer import migration

pytestmark = [pytest.mark.process, pytest.mark.sqlite("a move from a file to a database")]

OTHER = 7  # a tenant that is not the first
EXTRA = 30  # memories beside one thing of each kind


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> Path:
    """A data directory with a store that has something of everything, deleted things and codebases too."""
    data = tmp_path_factory.mktemp("filled") / "data"
    with closing(open_memory(data)) as memory:
        ids = everything.fill(memory)
        for number in range(EXTRA):
            memory.store_memory(content=f"Кот number {number} sleeps on the 暖房器", tags=[f"cat:{number}"])
        memory.delete_memory(id=memory.store_memory(content="was deleted, the newest of all")["id"])
        memory.update_memory(id=ids["memory"], content="Wombat builds run at dawn")
        memory.index_codebase(path=SMALL_CODEBASE)
        memory.recall_memory(query="wombat")
    return data


@pytest.fixture
def schema(new_schema, postgres_url) -> str:
    name = new_schema()
    open_postgres(postgres_url, name).close()
    return name


@pytest.fixture
def url(postgres_url, schema) -> str:
    return f"{postgres_url}&options=-csearch_path%3D%22{schema.replace(' ', '%5C%20')}%22"


def ran_migrate(*arguments):
    """The command, whose own `--data` is not asked."""
    return indelible("migrate", *arguments, data=Path("unused"))


def moved(*arguments):
    ran = ran_migrate(*arguments)
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout.decode()


def rows_of(store):
    """Every row that is copied, as (table, values), without the tenant."""
    with store.read() as tx:
        copy = Copy(store, tx)
        return {table.name: sorted((tuple(map(str, row)) for row in _all(copy, table)), key=str) for table in TABLES}


def _all(copy, table):
    columns, last, rows = copy.columns(table), None, []
    while found := copy.batch(table, columns, last):
        rows += found
        last = copy.key_of(table, columns, found[-1])
    return rows


def test_every_table_of_both_databases_is_copied_or_named(filled, postgres_url, schema):
    named = {table.name for table in TABLES} | set(NOT_COPIED)
    with closing(open_sqlite(filled)) as store, store.read() as tx:
        found = tx.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        assert {name for (name,) in found if not name.startswith("symbol_gram_")} <= named
    with closing(open_postgres(postgres_url, schema)) as store, store.read() as tx:
        found = tx.connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
        assert {name for (name,) in found} <= named


def test_there_and_back_the_export_is_the_same(filled, url, tmp_path):
    assert "the two stores are identical" in moved("--from", str(filled), "--to", url, "--to-tenant", "7")
    back = tmp_path / "back"
    moved("--from", url, "--from-tenant", "7", "--to", str(back))
    assert done("export", data=back) == done("export", data=filled)
    assert "is sound" in done("doctor", data=back)


def test_every_row_arrives_as_it_was_under_its_tenant_only(filled, postgres_url, schema):
    source = open_sqlite(filled)
    target = open_postgres(postgres_url, schema, tenant=OTHER)
    with closing(source), closing(target):
        found = migration.migrate(source, target)
        assert (found.resumed, found.changed) == (False, False)
        assert rows_of(target) == rows_of(source)
        assert found.rows == {name: len(rows) for name, rows in rows_of(source).items()}
        assert found.rows["record"] > EXTRA
        assert found.rows["symbol"]
        assert found.rows["trash"]
        with closing(target.for_tenant(1)) as first:
            assert not any(rows_of(first).values())


def test_what_was_deleted_before_a_move_is_brought_back_in_the_tenant_that_it_was_moved_to(tmp_path, url):
    """Earlier versions wrote the number of the tenant into what they put into the trash."""
    data = tmp_path / "data"
    with closing(open_memory(data)) as memory:
        lost = memory.store_memory(content="Wombats dig at dusk")["id"]
        memory.delete_memory(id=lost)
    with closing(open_sqlite(data)) as store:
        store.write(
            lambda tx: tx.connection.execute("UPDATE trash SET body = json_set(body, '$.record.tenant', 1)").fetchall()
        )
    moved("--from", str(data), "--to", url, "--to-tenant", str(OTHER))
    with closing(open_memory(tmp_path / "here", database=url, tenant=OTHER)) as memory:
        assert len(undo.undo(memory.context)["restored"]) == 1
        assert [each["id"] for each in memory.recall_memory(query="wombats")] == [lost]
    with closing(open_memory(tmp_path / "here", database=url)) as memory:
        assert memory.recall_memory(query="wombats") == []


def test_numbers_that_were_given_in_the_old_store_are_not_given_again_in_the_new_one(filled, postgres_url, schema):
    source = open_sqlite(filled)
    target = open_postgres(postgres_url, schema)
    with closing(source), closing(target):
        migration.migrate(source, target)
        with source.read() as ours, target.read() as theirs:
            before = Copy(source, ours).numbers.last()
            after = Copy(target, theirs).numbers.last()
    assert before["record"] > len(rows_of_file(filled, "record"))  # the last one was deleted
    assert {table: number for table, number in before.items() if after[table] < number} == {}


def rows_of_file(data, table):
    with closing(open_sqlite(data)) as store:
        return rows_of(store)[table]


@pytest.mark.parametrize("table", ["record", "edge", "pending", "change"])
def test_an_interrupted_migration_goes_on_where_it_stopped(filled, postgres_url, schema, table, monkeypatch):
    source = open_sqlite(filled)
    target = open_postgres(postgres_url, schema)
    small = [tables.Table(each.name, each.key, min(each.batch, 7)) for each in TABLES]
    monkeypatch.setattr(tables, "TABLES", small)

    class Stopped(Exception):
        pass

    def stop(name, done, total):
        if name == table and done >= min(7, total):
            raise Stopped

    told = []
    with closing(source), closing(target):
        with pytest.raises(Stopped):
            migration.migrate(source, target, stop)
        found = migration.migrate(source, target, lambda name, done, total: told.append((name, done)))
        assert found.resumed
        assert told[0][0] in (
            table,
            small[[each.name for each in small].index(table) + 1 :][0].name if table != "change" else table,
        )
        assert rows_of(target) == rows_of(source)


KILLED = """
import os, signal, sys
from indelible.transfer import migration
from indelible.cli import main
from indelible.cli.commands import database

def told(table, done, total):
    if table == "terms":
        os.kill(os.getpid(), signal.SIGKILL)

database._show_progress = told
main.main(sys.argv[1:])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_store_with_a_part_of_its_rows_is_opened_by_nobody_until_the_rest_is_there(filled, url, tmp_path):
    back = tmp_path / "back"
    command = [sys.executable, "-c", KILLED, "migrate", "--from", str(filled), "--to", str(back)]
    killed = subprocess.run(command, check=False, env=environment(), capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    refused = indelible("stats", data=back)
    assert refused.returncode == 1
    assert "run the same `indelible migrate` again" in refused.stderr.decode()
    ran = ran_migrate("--from", str(filled), "--to", str(back))
    assert (ran.returncode, "continued" in ran.stderr.decode()) == (0, True), ran.stderr.decode()
    assert done("export", data=back) == done("export", data=filled)


def test_a_source_that_was_written_to_between_two_runs_is_copied_anew(tmp_path, postgres_url, schema):
    data = tmp_path / "data"
    with closing(open_memory(data)) as memory:
        everything.fill(memory)
    target = open_postgres(postgres_url, schema)

    def stop(name, _done, _total):
        if name == "edge":
            raise KeyboardInterrupt

    with closing(target):
        with closing(open_sqlite(data)) as store, pytest.raises(KeyboardInterrupt):
            migration.migrate(store, target, stop)
        with closing(open_memory(data)) as memory:
            memory.store_memory(content="came in between")
        with closing(open_sqlite(data)) as store:
            found = migration.migrate(store, target)
            assert not found.resumed
            assert rows_of(target) == rows_of(store)


def test_what_is_written_to_the_source_meanwhile_is_told_and_stays_there(tmp_path, postgres_url, schema):
    data = tmp_path / "data"
    memory = open_memory(data)
    memory.store_memory(content="was there before")

    def write(name, _done, _total):
        if name == "change":
            memory.store_memory(content="came in the middle")

    with closing(memory), closing(open_sqlite(data)) as store, closing(open_postgres(postgres_url, schema)) as target:
        found = migration.migrate(store, target, write)
        assert found.changed
        assert found.rows["record"] == 1
        assert len(memory.recall_memory(query="came in the middle")) >= 1
        with pytest.raises(Conflict, match="not finished"):
            tables.refuse_unusable(target)
    with closing(open_sqlite(data)) as store, closing(open_postgres(postgres_url, schema)) as target:
        found = migration.migrate(store, target)  # the same again, with nobody who writes
        assert not found.changed
        assert found.rows["record"] == 2
        tables.refuse_unusable(target)


def test_a_store_with_a_part_of_its_rows_is_no_source(filled, postgres_url, schema, tmp_path):
    target = open_postgres(postgres_url, schema)

    def stop(name, _done, _total):
        if name == "edge":
            raise KeyboardInterrupt

    with closing(target), closing(open_sqlite(filled)) as store, closing(open_sqlite(tmp_path / "next")) as other:
        with pytest.raises(KeyboardInterrupt):
            migration.migrate(store, target, stop)
        with pytest.raises(Conflict, match="not finished"):
            migration.migrate(target, other)
        assert not any(rows_of(other).values())


@pytest.mark.parametrize("table", ["record", "change"])
def test_of_two_migrations_into_one_target_one_stops_and_spoils_nothing(filled, postgres_url, schema, table):
    source = open_sqlite(filled)
    target = open_postgres(postgres_url, schema)
    second = []

    def go_on_with_another(name, _done, _total):
        if name == table and not second:
            second.append(migration.migrate(source, target))

    with closing(source), closing(target):
        with pytest.raises(Conflict, match="another migration"):
            migration.migrate(source, target, go_on_with_another)
        assert second[0].resumed
        assert rows_of(target) == rows_of(source)


def test_numbers_that_another_tenant_takes_meanwhile_are_not_given_a_second_time(postgres_url, schema):
    store = open_postgres(postgres_url, schema)
    waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with closing(store), closing(store.for_tenant(OTHER)) as other, ThreadPoolExecutor() as pool:

        def work(_):
            finishing = pool.submit(store.write, lambda own: Copy(store, own).numbers.go_on_after({"event": 5}))
            with psycopg.connect(postgres_url, autocommit=True) as asked:
                while not (finishing.done() or asked.execute(waits).fetchall()):
                    pass
            return finishing, finishing.done()

        finishing, too_early = other.write(work)
        finishing.result()
        assert not too_early
        assert store.write(lambda tx: Copy(store, tx).numbers.last())["event"] == 5


def test_a_target_that_holds_something_is_refused_and_left_as_it_is(filled, tmp_path):
    data = tmp_path / "data"
    with closing(open_memory(data)) as memory:
        memory.store_memory(content="mine")
    before = done("export", data=data)
    ran = ran_migrate("--from", str(filled), "--to", str(data))
    assert (ran.returncode, "rows already" in ran.stderr.decode()) == (1, True)
    assert done("export", data=data) == before


def test_rows_that_are_not_as_they_were_read_are_found(filled, postgres_url, schema):
    target = open_postgres(postgres_url, schema)

    def spoil(name, _done, _total):
        if name == "pending":
            target.write(
                lambda tx: tx.connection.execute(
                    "UPDATE record SET importance = 0.25 WHERE text LIKE %s", ["%number 3 %"]
                )
            )

    with closing(open_sqlite(filled)) as store, closing(target):
        with pytest.raises(StoreError, match=r"record: .* rows arrived"):
            migration.migrate(store, target, spoil)
        with pytest.raises(Conflict, match="not finished"):
            tables.refuse_unusable(target)


def test_a_user_who_may_not_set_numbers_is_refused_before_anything_is_copied(filled, postgres_url, schema):
    with psycopg.connect(postgres_url, autocommit=True) as admin:
        admin.execute("CREATE ROLE mover LOGIN NOSUPERUSER NOBYPASSRLS")
    upgrade_postgres(postgres_url, schema, "mover")
    target = open_postgres(postgres_url.replace("//postgres:@", "//mover@"), schema)
    with closing(open_sqlite(filled)) as store, closing(target):
        with pytest.raises(Forbidden, match="URL of the tables' owner"):
            migration.migrate(store, target)
        assert not any(rows_of(target).values())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--from", "{nowhere}", "--to", "{nowhere}"], "has no indelible.db"),
        (["--from", "{filled}", "--to", "{nowhere}", "--to-tenant", "2"], "holds tenant 1 only"),
        (["--from", "{filled}", "--to", "postgresql://nobody@127.0.0.1:1/none"], "cannot be reached"),
    ],
)
def test_a_place_that_cannot_be_used_is_said(filled, tmp_path, arguments, said):
    places = {"filled": str(filled), "nowhere": str(tmp_path / "nowhere")}
    ran = ran_migrate(*(each.format(**places) for each in arguments))
    assert ran.returncode == 1
    assert said in ran.stderr.decode()
    assert not (tmp_path / "nowhere").exists()


def test_an_empty_store_is_moved_too(tmp_path, postgres_url, schema):
    target = open_postgres(postgres_url, schema)
    with closing(open_sqlite(tmp_path / "empty")) as store, closing(target):
        found = migration.migrate(store, target)
        assert not any(found.rows.values())
        with target.read() as tx:
            assert settings.find(tx, tables.PROGRESS) is None


def test_what_hooks_left_goes_along_and_what_is_paused_stays_paused(url, tmp_path):
    data, back, paused, other = (tmp_path / name for name in ("data", "back", "paused", "other"))
    paused.mkdir()
    done("remember", "the first", data=data)
    done("pause", "--for-good", "--project", paused, data=data)
    prompt = json.dumps({**PROMPT, "cwd": str(other)}).encode()
    done("hook", "--client", "claude-code", data=data, stdin=prompt)
    for place, given, beside in ((url, str(data), data), (str(back), url, data)):
        ran = indelible("migrate", "--from", given, "--to", place, data=beside)
        assert ran.returncode == 0, ran.stderr.decode()
        there = {"data": back} if place == str(back) else {"data": data, "env": {"INDELIBLE_DATABASE": url}}
        assert "captured events: 1, in the spool: 0" in done("doctor", **there)
        assert f"left out for good for {paused}" in done("pause", "--status", **there)
        done("hook", "--client", "claude-code", stdin=json.dumps({**PROMPT, "cwd": str(paused)}).encode(), **there)
        assert "captured events: 1, in the spool: 0" in done("doctor", **there)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_empty_target_that_was_asked_before_is_filled(kind, filled, url, tmp_path):
    place = str(tmp_path / "data") if kind == "sqlite" else url
    asked = {} if kind == "sqlite" else {"database": url}
    with closing(open_memory(tmp_path / "data", **asked)) as memory:
        memory.recall_memory(query="wombat")
    moved("--from", str(filled), "--to", place)
    with closing(open_memory(tmp_path / "data", **asked)) as memory, closing(open_memory(filled)) as source:
        assert everything.of_all(memory) == everything.of_all(source)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_server_that_had_the_empty_target_open_writes_nothing_into_an_unfinished_one(kind, open_pg, tmp_path):
    open_it = open_pg if kind == "postgres" else (lambda: open_sqlite(tmp_path / "target"))
    with closing(open_it()) as server, closing(open_it()) as target:
        target.receives = True
        target.write(lambda tx: settings.put(tx, tables.PROGRESS, "begun"))
        with pytest.raises(Conflict, match="a migration that is not finished"):
            server.write(lambda tx: settings.put(tx, "mixed", "in"))
        target.write(lambda tx: settings.drop(tx, tables.PROGRESS))
        server.write(lambda tx: settings.put(tx, "later", "is fine"))
