"""Commands, hooks and Python programs on a store in PostgreSQL: how it is named, and what is other than with a file."""

import json
import os
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

import on_postgres
from http_server import HttpServer
from indelible import hook_settings
from indelible.admin import backups, dry_run
from indelible.api import open_memory
from indelible.capture import hook_brief, spool
from indelible.cli import hook, main
from indelible.core.context.context import Context, context_for_tenant, open_context
from indelible.errors import Conflict, InvalidInput, NotFound, StoreError
from indelible.project import Location
from indelible.settings import MOST_TENANT, Settings

URL = "postgresql://ann:s3cret-pw@db.example.org:6432/memory?sslpassword=hidden-pw"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("INDELIBLE_DATABASE", "INDELIBLE_TENANT", "INDELIBLE_DATA", "INDELIBLE_PROJECT", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capfd, database, tmp_path):
    """A command in this process on a tenant of the database: exit code, output, words on standard error."""

    def run_it(*words: str, tenant: int, data: str = "data") -> tuple[int, str, str]:
        place = ["--data", str(tmp_path / data), "--database", database, "--tenant", str(tenant)]
        code = main.main([*words, *place])
        said = capfd.readouterr()
        return code, said.out, said.err

    return run_it


# --- How it is named ---


def test_a_flag_is_stronger_than_the_environment_and_that_than_the_file_of_settings(tmp_path):
    (tmp_path / "indelible.toml").write_text('database = "postgresql://file/x"\ntenant = 3\ntrash_days = 9\n')
    env = {"INDELIBLE_DATABASE": "postgres://environment/x", "INDELIBLE_TENANT": "4"}
    by_file = Settings.load(str(tmp_path), environ={})
    assert (by_file.database, by_file.tenant, by_file.trash_days) == ("postgresql://file/x", 3, 9)
    by_env = Settings.load(str(tmp_path), environ=env)
    assert (by_env.database, by_env.tenant) == ("postgres://environment/x", 4)
    by_flag = Settings.load(str(tmp_path), environ=env, database="postgresql://flag/x", tenant="5")
    assert (by_flag.database, by_flag.tenant) == ("postgresql://flag/x", 5)


@pytest.mark.sqlite("that there is no file")
def test_without_a_database_the_store_is_a_file_with_one_tenant(tmp_path):
    settings = Settings.load(str(tmp_path), environ={})
    assert (settings.database, settings.tenant) == ("", 1)
    with pytest.raises(InvalidInput, match="a SQLite file has only tenant 1"):
        Settings.load(str(tmp_path), environ={"INDELIBLE_TENANT": "2"})


@pytest.mark.parametrize("given", ["0", "-1", "two", "1.5", str(MOST_TENANT + 1), "٢", " "])
def test_a_tenant_that_is_no_number_of_one_is_refused(tmp_path, given):
    with pytest.raises(InvalidInput, match="--tenant or INDELIBLE_TENANT must be a whole number"):
        Settings.load(str(tmp_path), environ={}, database="postgresql:///x", tenant=given)


@pytest.mark.parametrize("text", ["database = 5", 'tenant = "2"', "tenant = 0", 'databases = "postgresql:///x"'])
def test_a_wrong_line_in_the_file_of_settings_is_refused(tmp_path, text):
    (tmp_path / "indelible.toml").write_text(text)
    with pytest.raises(InvalidInput, match=r"indelible\.toml: "):
        Settings.load(str(tmp_path), environ={})


@pytest.mark.parametrize("given", ["mysql://ann:s3cret-pw@h/x", "host=h password=s3cret-pw", "/var/s3cret-pw"])
def test_what_is_no_url_of_postgresql_is_refused_and_not_repeated(tmp_path, given):
    with pytest.raises(InvalidInput, match="not a PostgreSQL URL") as refused:
        Settings.load(str(tmp_path), environ={}, database=given)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    "given",
    [
        "postgresql://ann:s3@cret#Pw@h/x",
        "postgresql://ann:s3cret/Pw@h/x",
        "postgresql://ann:s3cret#Pw@h/x",
        "postgresql://ann:12?s3cret@h/x",
        "postgresql://ann:12/s3cret@h/x",
        "postgresql://h:s3cret/x",
        "postgresql://[::1/x",
    ],
)
def test_a_url_whose_password_may_stand_where_the_host_is_is_refused_and_not_repeated(tmp_path, capfd, given):
    with pytest.raises(InvalidInput, match="write @ as %40") as refused:
        Settings.load(str(tmp_path), environ={}, database=given)
    assert main.main(["migrate", "--from", given, "--to", str(tmp_path / "file")]) == 1
    said = capfd.readouterr()
    assert "write @ as %40" in said.err
    assert not any(word in text for word in ("s3", "cret", "Pw") for text in (str(refused.value), said.out, said.err))


@pytest.mark.parametrize(
    "given",
    [
        "postgresql:///x",
        "postgresql://ann:a%40b@h1:1,h2/x?application_name=a",
        "postgres://[::1]:5432/x",
        "postgresql://%2Frun%2Fpg/x",
        "postgresql://postgres:@/x?host=/dev/shm/a&user=ann@corp",
    ],
)
def test_every_clear_url_is_taken(tmp_path, given):
    assert Settings.load(str(tmp_path), environ={}, database=given).database == given


@pytest.mark.parametrize("env", [{}, {"INDELIBLE_DATA": URL}])
def test_the_url_of_a_database_is_no_data_directory(env):
    with pytest.raises(InvalidInput, match="give that as --database") as refused:
        Settings.load(None if env else URL, environ=env)
    assert "s3cret" not in str(refused.value)


def test_neither_user_nor_password_of_a_url_are_shown(tmp_path):
    settings = Settings.load(str(tmp_path), environ={}, database=URL, tenant="2")
    assert settings.place == "postgresql://db.example.org:6432/memory (tenant 2)"
    assert not any(word in repr(settings) for word in ("ann", "s3cret-pw", "hidden-pw"))


def test_a_database_that_cannot_be_reached_is_told_without_its_password(tmp_path, capfd):
    url = "postgresql://ann:s3cret-pw@127.0.0.1:9/memory"
    assert main.main(["stats", "--data", str(tmp_path / "data"), "--database", url]) == 1
    said = capfd.readouterr()
    assert "cannot be reached" in said.err
    assert "s3cret-pw" not in said.out + said.err


@pytest.mark.sqlite("how a hook reads its environment")
@pytest.mark.parametrize("named", ["flag", "environment", "file", "nothing"])
def test_a_hook_looks_for_the_database_where_the_server_does(tmp_path, monkeypatch, named):
    flags: tuple[str | None, str | None] = (None, None)
    if named == "flag":
        flags = ("postgresql:///flag", "7")
    if named in ("flag", "environment"):
        monkeypatch.setenv("INDELIBLE_DATABASE", "postgresql:///environment")
        monkeypatch.setenv("INDELIBLE_TENANT", "8")
    if named != "nothing":
        (tmp_path / "indelible.toml").write_text('database = "postgresql:///file"\ntenant = 9\n')
    settings = Settings.load(str(tmp_path), database=flags[0], tenant=flags[1])
    found = (hook_settings.database(flags[0], str(tmp_path)), hook_settings.tenant(flags[1], str(tmp_path)))
    assert found == (settings.database, settings.tenant)


# --- One memory, many machines ---


@pytest.mark.process
def test_what_one_machine_stores_another_one_finds_and_another_tenant_does_not(database, tmp_path):
    given = {"database": database, "project": "shop"}
    with (
        open_memory(tmp_path / "one", tenant=11, **given) as one,
        open_memory(tmp_path / "two", tenant=11, **given) as two,
        open_memory(tmp_path / "two", tenant=12, **given) as other,
    ):
        one.store_memory(content="The tills close at noon")
        assert [hit["content"] for hit in two.recall_memory(query="tills close")] == ["The tills close at noon"]
        assert other.recall_memory(query="tills close") == []
    assert list((tmp_path / "one").iterdir()) == []  # no file
    assert (tmp_path / "one").stat().st_mode & 0o777 == 0o700


def opened(database: str, data: Path, tenant: int) -> Context:
    return open_context(Settings(data=data, database=database, tenant=tenant, start=data.parent, home=data.parent))


@pytest.mark.process
def test_a_process_serves_another_tenant_through_the_same_connections(database, tmp_path):
    with closing(opened(database, tmp_path / "data", 13)) as ctx:
        other = context_for_tenant(ctx, 14)
        assert (other.store.tenant, other.settings.tenant, other.store.dialect) == (14, 14, "postgres")
        assert other.indexes is not ctx.indexes
        assert other.session.id != ctx.session.id
        assert other.answering is ctx.answering  # an import of one gives way to the calls of the other
        other.close()
        with ctx.store.read() as tx:  # nothing of its own was closed
            assert tx.rows("records.count_by_kind", tenant=13) == []


@pytest.mark.sqlite("that a file has one tenant")
def test_a_file_has_no_other_tenant(tmp_path):
    with closing(open_context(Settings(data=tmp_path / "data"))) as ctx, pytest.raises(NotFound, match="SQLite file"):
        context_for_tenant(ctx, 2)


# --- Commands that are about a file ---


@pytest.mark.process
def test_a_tool_is_called_on_a_database_that_is_named_behind_it(run):
    assert run("call", "store_memory", "--content", "Tills close at noon", tenant=45)[0] == 0
    assert "Tills close" in run("call", "recall_memory", "--query", "tills", tenant=45)[1]


@pytest.mark.process
def test_backup_and_restore_are_of_the_tenant(run, tmp_path):
    copy = str(tmp_path / "copy.db")
    assert run("remember", "kept", tenant=21)[0] == 0
    assert run("backup", copy, tenant=21)[0] == 0
    assert run("remember", "kept later", tenant=21)[0] == 0
    code, out, _ = run("restore", copy, tenant=21)
    assert (code, f"the previous store: {tmp_path}" in out) == (0, True)
    assert "kept later" not in run("list", tenant=21)[1]
    assert "kept" in run("list", tenant=21)[1]
    assert not (tmp_path / "data" / "backups").exists()


@pytest.mark.process
def test_no_daily_backup_is_made_of_a_database(database, tmp_path):
    with closing(opened(database, tmp_path / "data", 22)) as ctx:
        assert backups.daily(ctx) is None
    assert list((tmp_path / "data").iterdir()) == []


@pytest.mark.process
def test_doctor_examines_and_repairs_the_rows(run, database):
    assert run("remember", "The queue is drained at night", tenant=23)[0] == 0
    code, out, _ = run("doctor", tenant=23)
    assert "store: postgresql://" in out
    assert "records: 1" in out
    assert "the store is sound" in out
    assert code in (0, 1)  # by the agents of this machine
    with psycopg.connect(database) as connection:
        connection.execute("SELECT set_config('indelible.tenant', '23', true)")
        connection.execute("DELETE FROM terms")
    assert "the words by which recall finds 1 record are lost" in run("doctor", tenant=23)[1]
    code, out, _ = run("doctor", "--repair", tenant=23)
    assert (code, "indexed 1 record again" in out) == (0, True)
    assert "drained at night" in run("recall", "queue drained", tenant=23)[1]


@pytest.mark.process
def test_a_dry_run_is_told_from_a_copy_and_changes_nothing(run, database, tmp_path):
    with closing(opened(database, tmp_path / "data", 24)) as ctx:
        from indelible.toolsets import registry

        for number in range(3):
            registry.call(ctx, registry.find_tool("store_memory"), {"content": f"queue {number}", "tags": ["a"]})
        with ctx.store.read() as tx:
            before = tx.rows("records.after", id=0, limit=100)
        assert len(before) == 3
        with dry_run.copied(ctx) as copy:
            assert copy.store.dialect == "sqlite"
            with copy.store.read() as tx:
                assert tx.rows("records.after", id=0, limit=100) == before
            registry.call(copy, registry.find_tool("store_memory"), {"content": "only in the copy"})
            assert registry.call(copy, registry.find_tool("recall_memory"), {"query": "only in the copy"}).value
        with ctx.store.read() as tx:
            assert tx.rows("records.after", id=0, limit=100) == before
    code, out, err = run("consolidate", "--dry-run", tenant=24)
    assert code == 0, out + err
    assert [each.name for each in (tmp_path / "data").iterdir() if each.is_dir()] == []


@pytest.mark.process
def test_a_purge_takes_the_rows_and_says_who_has_the_rest(run, database):
    assert run("remember", "The zebra code is 4711", tenant=25)[0] == 0
    assert run("remember", "The zebra code is another", tenant=26)[0] == 0
    key = json.loads(run("recall", "zebra code", "--json", tenant=25)[1])["result"]["hits"][0]["id"]
    code, out, err = run("purge", key, "--yes", tenant=25)
    assert code == 0, err
    assert "purged" in out
    assert "replicas and the backups of the database" in err
    assert run("recall", "zebra code", tenant=25)[1] == ""
    assert "another" in run("recall", "zebra code", tenant=26)[1]
    with psycopg.connect(database) as connection:
        connection.execute("SELECT set_config('indelible.tenant', '25', true)")
        for table in ("record", "trash", "terms", "pending"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)], table


# --- The owner and who serves ---


@pytest.mark.process
def test_the_owner_makes_the_tables_and_another_role_serves_them(administrator, database, tmp_path, capfd):
    with psycopg.connect(administrator, autocommit=True) as connection:
        connection.execute("CREATE ROLE server_of_suite LOGIN")
    for _ in range(2):  # also where there is nothing to do
        assert main.main(["database", "upgrade", "--database", database, "--role", "server_of_suite"]) == 0
        assert "role server_of_suite may serve it" in capfd.readouterr().out
    url = database.replace("//keeper@", "//server_of_suite@")
    with closing(opened(url, tmp_path / "data", 31)) as ctx:
        from indelible.toolsets import registry

        registry.call(ctx, registry.find_tool("store_memory"), {"content": "by the role that serves"})
        assert registry.call(ctx, registry.find_tool("recall_memory"), {"query": "role that serves"}).value
    with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("CREATE TABLE mine (id int)")


@pytest.mark.process
def test_the_owner_names_the_role_of_limited_tokens(administrator, database, capfd):
    upgrade = ["database", "upgrade", "--database", database, "--limited-role", "limited_of_suite"]
    assert main.main(upgrade) == 1
    assert "there is no role 'limited_of_suite'" in capfd.readouterr().err
    with psycopg.connect(administrator, autocommit=True) as connection:
        connection.execute("CREATE ROLE limited_of_suite NOLOGIN")
    for _ in range(2):  # also where the policies are there
        assert main.main(upgrade) == 0
        assert "role limited_of_suite is that of limited tokens" in capfd.readouterr().out
    with psycopg.connect(database) as connection:
        found = connection.execute("SELECT tablename, roles FROM pg_policies WHERE policyname = 'granted_namespaces'")
        assert {(table, *names) for table, names in found} == {
            (table, "limited_of_suite") for table in ("activity", "record", "record_version", "repository")
        }


def test_an_upgrade_needs_a_database(tmp_path, capfd):
    if "TESTS_POSTGRES_URL" not in os.environ:
        assert main.main(["database", "upgrade", "--data", str(tmp_path)]) == 1
        assert "no database is named" in capfd.readouterr().err


# --- Hooks ---

START = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s"}


@pytest.fixture
def told(monkeypatch, capfd, tmp_path):
    """A hook in this process: what it says on standard output and on standard error."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    outer = os.dup(0)

    def run_it(*options: str) -> tuple[str, str]:
        (tmp_path / "payload").write_text(json.dumps({**START, "cwd": str(tmp_path / "shop")}))
        given = os.open(tmp_path / "payload", os.O_RDONLY)
        os.dup2(given, 0)
        os.close(given)
        assert hook.main(["--client", "claude-code", "--data", str(tmp_path / "data"), *options]) == 0
        said = capfd.readouterr()
        return said.out, said.err

    (tmp_path / "shop").mkdir()
    yield run_it
    os.dup2(outer, 0)
    os.close(outer)


@pytest.mark.process
def test_a_session_starts_with_the_brief_of_the_teams_memory(told, database, tmp_path, monkeypatch):
    project = str(tmp_path / "shop")
    with open_memory(tmp_path / "of another", project=project, database=database, tenant=41) as memory:
        memory.store_memory(content="Axum was chosen over Actix", memory_type="decision")
    monkeypatch.setenv("INDELIBLE_PROJECT", project)
    assert "Axum was chosen" in told("--database", database, "--tenant", "41")[0]
    assert "Axum" not in told("--database", database, "--tenant", "42")[0]
    monkeypatch.setenv("INDELIBLE_DATABASE", database)
    monkeypatch.setenv("INDELIBLE_TENANT", "41")
    assert "Axum was chosen" in told()[0]
    inbox = hook_settings.inbox(str(tmp_path / "data"), database, 41)
    assert spool.waiting(inbox)  # what happened is kept on this machine


@pytest.mark.process
@pytest.mark.sqlite("several tenants of a data directory")
def test_what_hooks_leave_for_a_tenant_is_taken_in_by_no_other(told, run, database, tmp_path):
    told("--database", database, "--tenant", "43")
    told("--database", database)
    data = str(tmp_path / "data")
    assert [len(spool.waiting(hook_settings.inbox(data, database, tenant))) for tenant in (1, 43)] == [1, 1]
    for tenant, taken in ((44, 0), (43, 1), (43, 0), (1, 1)):
        assert f"processed {taken} event" in run("drain", tenant=tenant)[1]


@pytest.mark.process
@pytest.mark.sqlite("the file of a data directory beside a database")
def test_what_hooks_leave_for_the_file_and_for_each_database_is_taken_in_by_no_other(
    told, run, database, administrator, tmp_path, capfd
):
    another = on_postgres.database(administrator)
    told("--database", another)
    told()
    assert "processed 0 events" in run("drain", tenant=1)[1]
    for given in (["--database", another], []):
        for taken in (1, 0):
            assert main.main(["drain", "--data", str(tmp_path / "data"), *given]) == 0
            assert f"processed {taken} event" in capfd.readouterr().out


@pytest.mark.process
def test_a_purge_forgets_what_hooks_left_for_the_tenant_and_cannot_be_read(told, run, database, tmp_path):
    data = str(tmp_path / "data")
    told("--database", database, "--tenant", "46")
    told("--database", database, "--tenant", "47")
    unreadable = [
        Path(hook_settings.inbox(data, database, tenant), "spool", "bad", "01-1-aa.json") for tenant in (46, 47)
    ]
    for path in unreadable:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        path.write_text("{not JSON")
    assert run("remember", "this makes the store", tenant=46)[0] == 0
    code, _, said = run("purge", "--older-than", "2026-01-01", "--yes", tenant=46)
    assert code == 0, said
    assert [path.exists() for path in unreadable] == [False, True]


def test_a_hook_repeats_no_part_of_a_password_that_stands_where_the_host_is(told):
    _, said = told("--database", "postgresql://ann:s3@cret#Pw@127.0.0.1:9/x")
    assert "write @ as %40" in said
    assert "cret" not in said


def test_a_hook_whose_database_is_away_keeps_the_event_and_says_so_in_one_line(told, tmp_path):
    away = "postgresql://ann:s3cret-pw@127.0.0.1:9/memory"
    out, err = told("--database", away)
    assert out == ""
    assert err.count("\n") == 1
    assert "no brief for claude-code" in err
    assert "s3cret-pw" not in err
    data = str(tmp_path / "data")
    inbox = hook_settings.inbox(data, away, hook_settings.tenant(None, data))
    assert "s3cret-pw" not in inbox
    assert spool.waiting(inbox)


@pytest.mark.process
def test_a_glance_makes_no_store(administrator, tmp_path):
    with psycopg.connect(administrator, autocommit=True) as connection:
        connection.execute("CREATE DATABASE nothing_yet")
    url = administrator.replace("/postgres?", "/nothing_yet?")
    place = hook_brief.Place(str(tmp_path), url, 1)
    assert not hook_brief.is_current(place)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchall() == [(0,)]
    with pytest.raises(StoreError, match="cannot be reached"):
        hook_brief.is_current(hook_brief.Place(str(tmp_path), "postgresql://127.0.0.1:9/x", 1))


@pytest.mark.process
def test_no_brief_is_given_of_the_target_of_an_unfinished_migration(database, tmp_path):
    place = hook_brief.Place(str(tmp_path), database, 61)
    with open_memory(tmp_path / "data", project="shop", database=database, tenant=61) as memory:
        memory.store_memory(content="Axum was chosen over Actix", memory_type="decision")
    shop = Location("shop", None)
    assert "Axum" in hook_brief.brief(place, shop).text
    with psycopg.connect(database) as connection:
        connection.execute("SELECT set_config('indelible.tenant', '61', true)")
        connection.execute("INSERT INTO setting VALUES (61, 'migrating', 'record')")
    with pytest.raises(Conflict, match="a migration that is not finished"):
        hook_brief.brief(place, shop)


# --- A wrong database ---


@pytest.mark.process
def test_a_command_that_asks_what_is_stored_makes_no_store_in_a_database_without_one(administrator, capfd, tmp_path):
    with psycopg.connect(administrator, autocommit=True) as connection:
        connection.execute("CREATE DATABASE of_somebody_else")
    url = administrator.replace("/postgres?", "/of_somebody_else?")
    assert main.main(["stats", "--data", str(tmp_path / "data"), "--database", url]) == 1
    assert "holds no store of Indelible, and this command creates none" in capfd.readouterr().err
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://localhost/x?sslmod=require", "'sslmod' is no parameter of a connection"),
        ("postgresql://localhost/x?s3cretpassword=require", "write it as postgresql://USER@HOST:PORT/DATABASE"),
    ],
)
def test_a_parameter_that_no_connection_has_is_named_but_no_password(capfd, tmp_path, url, said):
    assert main.main(["stats", "--data", str(tmp_path / "data"), "--database", url]) == 1
    told = capfd.readouterr().err
    assert said in told
    assert "s3cret" not in told


@pytest.mark.process
def test_a_server_of_many_says_that_its_role_sees_all_tenants(administrator, database, tmp_path):
    for url, warned in ((administrator.replace("/postgres?", "/of_a_superuser?"), True), (database, False)):
        if warned:
            with psycopg.connect(administrator, autocommit=True) as connection:
                connection.execute("CREATE DATABASE of_a_superuser")
        with HttpServer(tmp_path / "data", "--database", url, "--tenant", "62") as server:
            assert server.get("/health").status == 200
        assert ("row-level security does not hold" in server.stderr) == warned
