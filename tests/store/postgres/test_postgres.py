"""What is PostgreSQL's own: other programs, settings of the server, upgrades."""

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from indelible.cli.main import main
from indelible.errors import Conflict, IndelibleError, InvalidInput, StoreError
from indelible.store import named_queries
from indelible.store.postgres.database import open_postgres
from indelible.store.sqlite.opening import open_sqlite
from indelible.store.tables import changes, records
from postgres_store import NOTHING_WRITTEN, fail_with, fetch, keys, wait_for_a_waiting_writer
from samples import keep, record, stored


@pytest.fixture
def database(postgres_url, schema_numbers):
    """Make a database, with the options given; its URL. The server goes after the tests, and they with it."""

    def make(options=""):
        name = f"database_{next(schema_numbers)}"
        server.execute(f"CREATE DATABASE {name} {options}")
        return make_conninfo(postgres_url, dbname=name)

    with psycopg.connect(postgres_url, autocommit=True) as server:
        yield make


# --- The order of the change log ---


INSERT = "INSERT INTO record (kind, key, text, content_hash, created, updated) VALUES ('memory', %s, '', %s, 1, 1)"


@pytest.mark.process
@pytest.mark.one_server("another program meets our writes on the node, whose locks are apart from the coordinator's")
def test_a_transaction_that_commits_late_is_still_seen_by_followers(pg, psql):
    """Whoever writes later waits, so that no follower passes the position of a transaction that is still open."""
    other, watch = psql(), psql()
    with ThreadPoolExecutor() as pool:
        with other.transaction():
            other.execute(INSERT, ["late", "late"])
            waiting = pool.submit(keep, pg, record("later"))
            wait_for_a_waiting_writer(watch)
            assert not waiting.done()
            with pg.read() as tx:
                assert changes.since(tx, 0) == []
            other.execute(INSERT, ["late too", "late too"])
        waiting.result()
    with pg.read() as tx:
        names = records.by_ids(tx, [1, 2, 3])
        assert [names[c.record].key for c in changes.since(tx, 0)] == ["late", "late too", "later"]


@pytest.mark.process
@pytest.mark.one_server("another program meets our writes on the node, whose locks are apart from the coordinator's")
def test_another_program_waits_for_a_write_that_is_open(pg, psql):
    other = psql()
    other.execute("SET lock_timeout = 50")

    def work(tx):
        stored(tx, "a")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            other.execute(INSERT, ["b", "b"])

    pg.write(work)
    other.execute(INSERT, ["b", "b"])
    assert keys(pg) == ["a", "b"]


@pytest.mark.process
def test_another_programs_changes_are_logged_whatever_its_search_path_is(pg, psql, schema):
    keep(pg, record("a"))
    other = psql()
    other.execute("SET search_path = pg_catalog")
    other.execute(f'DELETE FROM "{schema}".record')
    with pg.read() as tx:
        assert [c.operation for c in changes.since(tx, 0)] == ["put", "delete"]


# --- Failures that the server reports ---


@pytest.mark.process
def test_a_write_gives_up_when_others_keep_the_store_busy(open_pg):
    db, other = open_pg(wait=1), open_pg()

    def work(tx):
        stored(tx, "a")
        with pytest.raises(StoreError, match=rf"kept busy for 1 s by other processes; {NOTHING_WRITTEN}"):
            keep(db, record("b"))

    other.write(work)
    keep(db, record("b"))
    assert keys(db) == ["a", "b"]


@pytest.mark.process
def test_a_read_only_server_is_named_as_such(postgres_url, open_pg):
    open_pg()
    db = open_pg(make_conninfo(postgres_url, options="-c default_transaction_read_only=on"))
    assert keys(db) == []
    with pytest.raises(StoreError, match=r"is read-only .* URL of the primary server"):
        keep(db, record("a"))


@pytest.mark.process
@pytest.mark.parametrize(
    ("state", "meaning"),
    [
        ("53100", f"is on a full disk; {NOTHING_WRITTEN}. Free some space"),
        ("53200", "out of memory"),
        ("40P01", "changed by another program in the same moment.*Repeat the call"),
        ("40001", "changed by another program in the same moment.*Repeat the call"),
        ("42501", "GRANT USAGE"),
        ("57014", "statement_timeout"),
        ("XX001", "is damaged; restore it with pg_restore"),
        ("58030", f"failed: told to; {NOTHING_WRITTEN}"),
    ],
)
def test_a_failure_of_the_server_is_told_with_its_remedy_and_undoes_the_write(open_pg, state, meaning):
    pg = open_pg(wait=1)

    def work(tx):
        stored(tx, "a")
        fail_with(tx, state)

    with pytest.raises(StoreError, match=rf"^the store postgresql://.*\(schema test \d+\) .*{meaning}"):
        pg.write(work)
    assert keys(pg) == []
    assert keep(pg, record("a"))


@pytest.mark.process
def test_a_failure_that_a_write_ignores_is_not_acknowledged(pg):
    def work(tx):
        stored(tx, "a")
        with pytest.raises(psycopg.errors.CheckViolation):
            stored(tx, "b", importance=7.0)

    with pytest.raises(StoreError, match=NOTHING_WRITTEN):
        pg.write(work)
    assert keys(pg) == []


@pytest.mark.process
def test_a_name_that_is_too_long_for_an_index_is_refused_and_the_others_are_kept(pg):
    name = "".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(5000))  # nothing that compresses
    with pytest.raises(InvalidInput, match="too long: PostgreSQL allows about 2,700 bytes"):
        keep(pg, record("a"), record("b", namespace=name))
    keep(pg, record("c", text=name * 100))
    assert keys(pg) == ["c"]


@pytest.mark.process
def test_an_acknowledged_write_is_on_the_disk_whatever_the_server_is_set_to(postgres_url, open_pg):
    for given, used in (("off", "on"), ("local", "local"), ("on", "on")):
        db = open_pg(make_conninfo(postgres_url, options=f"-c synchronous_commit={given}"))
        assert db.write(lambda tx: fetch(tx, "SHOW synchronous_commit")) == [(used,)]


@pytest.mark.process
def test_a_server_without_fsync_is_what_a_check_finds(open_pg, psql):
    server = psql()

    def set_fsync(value):
        server.execute(f"ALTER SYSTEM SET fsync = {value}")
        server.execute("SELECT pg_reload_conf()")
        while server.execute("SHOW fsync").fetchall() != [(value,)]:
            pass

    set_fsync("off")
    try:
        (found,) = open_pg().check()  # a new connection has the new value, an older one gets it at some later moment
    finally:
        set_fsync("on")
    assert "fsync is off" in found
    assert open_pg().check() == []


# --- Opening ---


@pytest.mark.parametrize(
    "command",
    [
        ["recall", "x", "--database", "postgresql://localhost/x"],
        ["database", "upgrade", "--database", "postgresql://localhost/x"],
        ["migrate", "--from", "DATA", "--to", "postgresql://localhost/x"],
    ],
    ids=lambda command: command[0],
)
def test_psycopg_is_asked_for_where_it_is_missing(command, monkeypatch, tmp_path, capsys):
    with closing(open_sqlite(tmp_path)):
        pass
    for name in [each for each in sys.modules if each.startswith("indelible.store.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert main([str(tmp_path) if each == "DATA" else each for each in command]) == 1
    assert "pip install 'indelible[postgres]'" in capsys.readouterr().err


@pytest.mark.parametrize("url", ["postgresql://ann:{}@127.0.0.1:1/x", "postgresql//ann:{}@x", "host=x passw={}", "{}"])
def test_no_message_repeats_a_password(url):
    secret = "sword" + "fish"
    with pytest.raises((InvalidInput, StoreError)) as caught:
        open_postgres(url.format(secret))
    assert secret not in f"{caught.value} {caught.value.__cause__}"
    assert "URL" in str(caught.value)


@pytest.mark.process
def test_without_a_schema_the_connections_own_is_used(database):
    url = database()
    with closing(open_postgres(url)) as db:
        keep(db, record("a"))
        assert keys(db) == ["a"]
    with closing(open_postgres(url, "public")) as db:
        assert keys(db) == ["a"]


@pytest.mark.process
def test_two_schemas_of_a_database_are_two_stores(open_pg, pg, postgres_url, new_schema):
    with closing(open_postgres(postgres_url, new_schema())) as other:
        keep(other, record("a"))
        pg.write(lambda tx: keep(other, record("b")))  # and neither waits for the other
        assert (keys(pg), keys(other)) == ([], ["a", "b"])


@pytest.mark.process
def test_a_connection_without_a_schema_is_refused(postgres_url):
    with pytest.raises(StoreError, match="CREATE SCHEMA indelible"):
        open_postgres(make_conninfo(postgres_url, options="-c search_path=no_such_schema"))


@pytest.mark.process
def test_a_database_that_is_not_in_utf_8_is_refused(database):
    with pytest.raises(StoreError, match=r"kept in LATIN1; .*createdb .*-E UTF8"):
        open_postgres(database("TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'"))


@pytest.mark.process
@pytest.mark.parametrize(
    "table", ["setting (name TEXT)", "event (id INT)", "setting (tenant INT, name TEXT, value TEXT)"]
)
def test_a_schema_that_holds_tables_of_another_program_is_left_alone(database, table):
    url = database()
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(f"CREATE TABLE {table}")
        with pytest.raises(StoreError, match=r"tables of another program.*a schema of its own"):
            open_postgres(url)
        assert len(other.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").fetchall()) == 1


@pytest.mark.process
def test_a_database_that_does_not_exist_is_named(postgres_url):
    with pytest.raises(StoreError, match=r"no_such_database.*does not exist"):
        open_postgres(make_conninfo(postgres_url, dbname="no_such_database"))


@pytest.mark.process
def test_both_databases_have_the_same_tables_columns_and_indexes(pg, tmp_path):
    with closing(open_sqlite(tmp_path / "store")) as sqlite, sqlite.read() as tx:
        named = "SELECT tbl_name, name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
        indexes = tx.connection.execute(named).fetchall()
        columns = tx.connection.execute(
            "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c"
            " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE 'symbol_gram%'"
        ).fetchall()
    with pg.read() as tx:
        assert sorted(indexes) == sorted(
            fetch(
                tx,
                "SELECT tablename, indexname FROM pg_indexes WHERE schemaname = current_schema() AND indexname NOT IN"
                " (SELECT conname FROM pg_constraint WHERE connamespace::regnamespace::text = quote_ident(schemaname))",
            )
        )
        assert sorted(columns) == sorted(
            fetch(
                tx,
                "SELECT table_name::text, column_name::text FROM information_schema.columns"
                " WHERE table_schema = current_schema() AND is_generated = 'NEVER'"
                " AND table_name <> 'record_number'"  # in SQLite it is `sqlite_sequence`
                " AND (table_name, column_name) <> ('lease', 'projects')",  # which writers in a cluster count by
            )
        )


@pytest.mark.process
def test_names_are_compared_by_their_bytes_whatever_the_database_orders_by(pg):
    """The test server itself orders by bytes, and has no other order to offer."""
    with pg.read() as tx:
        by_language = fetch(
            tx,
            "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE data_type = 'text'"
            " AND table_schema = current_schema() AND collation_name IS DISTINCT FROM 'C' ORDER BY 1, 2",
        )
    assert by_language == [  # content, which no statement orders
        ("activity", "detail"),
        ("applied", "result"),
        ("edge", "metadata"),
        ("edge_version", "metadata"),
        ("event", "records"),
        ("record", "metadata"),
        ("record", "tags"),
        ("record", "text"),
        ("record_version", "metadata"),
        ("record_version", "tags"),
        ("record_version", "text"),
        ("repository", "summary"),
        ("setting", "value"),
        ("symbol", "doc"),
        ("symbol", "places"),
        ("symbol", "signature"),
        ("sync_state", "seen"),
        ("token", "namespaces"),
        ("trash", "body"),
    ]


# --- Upgrades ---


@pytest.fixture
def next_version(monkeypatch):
    """Be a version of Indelible that has one migration more."""

    def be(sql):
        known = named_queries.migrations("postgres")
        number = len(known) + 1
        monkeypatch.setattr(named_queries, "migrations", lambda dialect: [*known, (number, sql)])
        monkeypatch.setattr(named_queries, "newest_schema", lambda dialect: number)

    return be


@pytest.mark.process
def test_an_upgrade_keeps_every_row_and_stops_older_writers(open_pg, pg, next_version):
    keep(pg, record("a"))
    next_version("ALTER TABLE record ADD COLUMN colour TEXT NOT NULL DEFAULT ''; CREATE TABLE colour (tenant BIGINT)")
    newer = open_pg()
    keep(newer, record("b"))
    with pytest.raises(Conflict, match="store was upgraded, restart me"):
        keep(pg, record("c"))
    assert keys(pg) == keys(newer) == ["a", "b"]
    assert open_pg().check() == []


@pytest.mark.process
@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("DELETE FROM record WHERE id = 2", "would lose rows of pending, record; nothing was changed"),
        ("CREATE TABLE fresh (tenant BIGINT); DROP TABLE setting CASCADE", "setting"),
        ("DROP TABLE lease; SELECT 1 / 0", "division by zero"),
    ],
)
def test_an_upgrade_that_fails_or_would_lose_rows_changes_nothing(open_pg, pg, monkeypatch, next_version, sql, message):
    keep(pg, record("a"), record("b"))
    with monkeypatch.context():
        next_version(sql)
        with pytest.raises(IndelibleError, match=message):
            open_pg()
    keep(pg, record("c"))
    assert keys(pg) == ["a", "b", "c"]
    with pg.read() as tx:
        assert fetch(tx, "SELECT to_regclass('lease') IS NULL, to_regclass('fresh') IS NULL") == [(False, True)]


@pytest.mark.process
def test_others_are_told_that_an_upgrade_is_under_way(open_pg, pg, psql, schema, next_version):
    upgrading = psql()
    next_version("SELECT 1")
    with upgrading.transaction():
        upgrading.execute("SELECT pg_advisory_xact_lock(hashtextextended('indelible upgrade ' || %s, 0))", [schema])
        with pytest.raises(StoreError, match="upgrading: another process"):
            open_pg()
    assert open_pg().check() == []
