"""What keeps the tenants of one PostgreSQL store apart, and who may do what in it: with plain connections.

The rows of one tenant are in every table; somebody else, with the rights of a server and all that is to be known about
them, asks for them. What is asked is what the product asks, with its own filter taken out, and what an attacker would.
"""

import re
from contextlib import closing, contextmanager

import psycopg
import pytest
from psycopg import errors

import samples
import tenant_rows
from indelible.errors import Forbidden, InvalidInput, StoreError
from indelible.store import named_queries
from indelible.store.namespace_filter import FORM
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.migrate import upgrade_postgres
from indelible.store.tables import records, versions
from tenant_rows import OWNER, SERVICE

pytestmark = [pytest.mark.process, pytest.mark.one_server("has servers or schemas of its own, which are not spread")]

SCHEMA, OTHER = "tenants", "other store"
THEIRS, MINE = 2, 3
SECRET = tenant_rows.secret(THEIRS)
FILTER = re.compile(r"(?<![\w.])(\w+\.)?tenant = (%\(tenant\)s|\w+\.tenant\b)")
# Nobody limited to namespaces has daily counts; what pgvector's indexes hold is in a table of their own; parts of names
# are indexed in SQLite only. What `doctor` looks for is damage, of which these rows have none.
NEVER_FIND = {
    *(f"soundness.{name}" for name in ("files_of_other_kinds", "orphan_chunks", "uncounted", "wrong_pending")),
    *("soundness.orphan_names", "soundness.drop_name"),
    *("pending.unlinked", f"{FORM}pending.unlinked"),  # of an earlier version
    *("edges.newer", f"{FORM}edges.newer", "brief.newer", f"{FORM}brief.newer"),  # no relation there supposes one
    *("pending.add_compare", f"{FORM}pending.add_compare"),  # what is embedded there waits already
    *("embeddings.lacking", "embeddings.lacking_of", "embeddings.drop_from"),  # there is one model
    "limited.events.days",
    *(f"{form}symbols.{name}" for form in ("", FORM) for name in ("gram_pieces", "merge_grams")),
    *(f"{form}neighbors.{name}" for form in ("", FORM) for name in ("whole", "nearest", "nearest_limited")),
}
OF_THE_LOG = {"recall.opening"}  # in part: where it stands
OF_NO_TABLE = {"records.next_ids", "symbols.gram_pieces"}
FAMILIES = {
    "memory": ("record", "access", "terms", "posting_block", "trash", "applied", "change", "event", "event_day"),
    "solutions": ("record",),
    "vectors": ("record", "record_number", "embedding", "model", "pending"),
    "graph": ("record", "edge"),
    "context": ("record", "sequence", "activity", "project"),
    "code": ("repository", "source_file", "symbol", "symbol_name"),
    "lifecycle": ("token", "lease", "setting", "trash", "event"),
}
EVERY_TABLE = sorted({table for tables in FAMILIES.values() for table in tables})


@pytest.fixture(scope="module")
def urls(postgres_url):
    owner, service = tenant_rows.store(postgres_url, SCHEMA)
    with closing(tenant_rows.connected(service, SCHEMA)) as connection:
        tenant_rows.fill(connection, THEIRS)
    with closing(tenant_rows.connected(postgres_url, SCHEMA)) as connection:  # what every tenant reads of the store
        connection.execute("DELETE FROM setting WHERE tenant = 0 AND name = 'epoch'")
    return owner, service


@pytest.fixture(scope="module")
def service(urls):
    with closing(tenant_rows.connected(urls[1], SCHEMA)) as connection:
        yield connection


@pytest.fixture(scope="module")
def owner(urls):
    with closing(tenant_rows.connected(urls[0], SCHEMA)) as connection:
        yield connection


@pytest.fixture(scope="module")
def everything(postgres_url, urls):
    """A connection from which nothing is hidden."""
    with closing(tenant_rows.connected(postgres_url, SCHEMA)) as connection:
        yield connection


@contextmanager
def asking(connection, tenant=MINE):
    """What is asked in a transaction: the rows, or how many were changed, of which nothing is kept."""
    named = "" if tenant is None else f"SET LOCAL indelible.tenant = '{tenant}'; "
    connection.execute(f"BEGIN; {named}SAVEPOINT before")

    def ask(sql, parameters=None):
        try:
            cursor = connection.execute(sql, parameters, prepare=False)
            return cursor.fetchall() if cursor.description else cursor.rowcount
        finally:
            if re.search(r"\b(INSERT|UPDATE|DELETE)\b", sql):  # the others need no round trip more
                connection.execute("ROLLBACK TO before")

    try:
        yield ask
    finally:
        connection.execute("ROLLBACK")


def ask(connection, sql, parameters=None, tenant=MINE):
    with asking(connection, tenant) as ask_it:
        return ask_it(sql, parameters)


def is_nothing(found):
    """No row, no change; or rows of counts that count nothing."""
    nothing = (None, 0, -1, "", "[]")  # -1: the end of no range; the others: no epoch, no aliases
    return found == 0 if isinstance(found, int) else all(value in nothing for row in found for value in row)


def forms():
    known = named_queries.load("postgres")
    for name in sorted(known):
        for form in (name, *([] if name.endswith("_limited") else [FORM + name])):
            try:
                yield form, known[form], tenant_rows.given(name, known[form], THEIRS)
            except Forbidden:
                continue


def inserts(sql):
    return re.match(r"INSERT INTO \w+ \([^)]*\)\s+(VALUES|SELECT (value|%\(tenant\)s|\(value))", sql) is not None


# --- What the product asks ---


def test_every_query_finds_the_rows_that_it_is_to_be_kept_from(everything):
    """Else the tests below would prove nothing."""
    with asking(everything, THEIRS) as ask_it:
        for name, sql, given in forms():
            found = ask_it(FILTER.sub("1 = 1", sql), given)
            assert name in NEVER_FIND or not is_nothing(found), name


def test_a_server_may_run_every_query_for_the_tenant_that_it_serves(service):
    with asking(service, THEIRS) as ask_it:
        for name, sql, given in forms():
            assert name in NEVER_FIND or not is_nothing(ask_it(sql, given)), name


def test_no_query_leaks_when_its_filter_is_removed(service):
    removed = 0
    with asking(service) as ask_it:
        for name, sql, given in forms():
            bare = FILTER.sub("1 = 1", sql)
            removed += bare != sql
            if inserts(sql):
                with pytest.raises(errors.InsufficientPrivilege, match="violates row-level security policy"):
                    ask_it(bare, given)
            elif name.removeprefix(FORM) not in OF_NO_TABLE:
                assert is_nothing(ask_it(bare, given)), name
    assert removed > 550


def test_no_query_leaks_when_it_names_another_tenant_than_its_transaction(service):
    with asking(service) as ask_it:
        for name, sql, given in forms():
            if not inserts(sql) and name.removeprefix(FORM) not in OF_NO_TABLE:
                assert is_nothing(ask_it(sql, given)), name


def test_no_query_leaks_by_its_own_filter_alone(everything):
    """For a role from which nothing is hidden."""
    with asking(everything) as ask_it:
        for name, sql, given in forms():
            if not inserts(sql) and name.removeprefix(FORM) not in OF_NO_TABLE:
                assert is_nothing(ask_it(sql, {**given, "tenant": MINE})), name


def test_no_limited_form_finds_or_changes_anything_where_nothing_is_granted(service):
    """Whatever a text of PostgreSQL alone reads by a way that `declarations.faults` does not know."""
    known = named_queries.load("postgres")
    with asking(service, THEIRS) as ask_it:
        for name, sql, given in forms():
            query = name.removeprefix(FORM)
            whole = query in OF_THE_LOG or "whole" in named_queries.declared(known.texts[query])
            if name == query or inserts(sql) or whole:
                continue
            found = ask_it(sql, {**given, "granted": "[]", "caller": "somebody else"})
            assert is_nothing(found), name


@pytest.mark.parametrize("connection", ["service", "owner"])
def test_a_transaction_without_a_tenant_sees_no_rows(connection, request):
    who = request.getfixturevalue(connection)
    for table in EVERY_TABLE:
        for none in (None, ""):  # which is what the setting is after a transaction that had set it
            # of `setting` everybody sees the facts of the store
            assert ask(who, f"SELECT count(*) FROM {table} WHERE tenant > 0", tenant=none) == [(0,)], table


def test_no_query_of_a_transaction_without_a_tenant_leaks(service):
    with asking(service, None) as ask_it:
        for name, sql, given in forms():
            if not inserts(sql) and name.removeprefix(FORM) not in OF_NO_TABLE:
                assert is_nothing(ask_it(sql, given)), name


# --- What an attacker asks ---


@pytest.mark.parametrize("family", FAMILIES)
def test_a_query_that_is_crafted_to_cross_tenants_returns_nothing(service, everything, family):
    for table in FAMILIES[family]:
        assert ask(everything, f"SELECT count(*) > 0 FROM {table} WHERE tenant = 2") == [(True,)]
        for sql in (
            f"SELECT * FROM {table} WHERE tenant = 2",
            f"SELECT * FROM {table} WHERE (tenant > 0 OR 1 = 1 OR tenant IN (SELECT 2)) AND tenant <> 0",
            f"SELECT a.* FROM {table} AS a LEFT JOIN {table} AS b ON b.tenant <> a.tenant WHERE a.tenant <> 0",
            f"WITH every AS MATERIALIZED (SELECT * FROM {table}) SELECT * FROM every WHERE tenant = 2",
            f"SELECT * FROM {table} WHERE {table}::text LIKE '%2%' AND tenant <> 0",
            f"DELETE FROM {table} WHERE tenant = 2",
            f"UPDATE {table} SET tenant = 3 WHERE tenant = 2",
        ):
            found = ask(service, sql)
            assert found in ([], 0), sql


def test_a_condition_that_fails_on_a_hidden_row_does_not_tell_of_it(service, everything):
    tells = "SELECT id FROM record WHERE 1 / (length(text) - %s) > 1000"
    with pytest.raises(errors.DivisionByZero):
        ask(everything, tells, [len(SECRET)])
    assert ask(service, tells, [len(SECRET)]) == []


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO record (tenant, kind, key, text, created, updated) VALUES (2, 'memory', 'planted', 'x', 1, 1)",
        "INSERT INTO change (tenant, position, record, operation) VALUES (2, 9000, 2001, 'put')",
        "INSERT INTO token (tenant, key, hash, scope, namespaces, created) VALUES (2, 'k', 'h', 'admin', '[\"*\"]', 1)",
        "UPDATE lease SET tenant = 2",
        "INSERT INTO lease (tenant, name, owner, until) VALUES (2, 'index:1', 'x', 1)"
        " ON CONFLICT (tenant, name) DO UPDATE SET owner = excluded.owner",
    ],
)
def test_nothing_is_written_into_another_tenant(service, sql):
    with service.transaction(force_rollback=True):
        service.execute("SET LOCAL indelible.tenant = '3'")
        service.execute("INSERT INTO lease (tenant, name, owner, until) VALUES (3, 'own', 'x', 1)")
        with pytest.raises(errors.InsufficientPrivilege, match="violates row-level security policy"):
            service.execute(sql)


def test_ids_and_names_of_another_tenant_are_free_and_what_refers_to_them_refers_to_nothing(service):
    """Neither a key that is taken nor a reference tells that another tenant has a row of that name or number."""
    with service.transaction(force_rollback=True):
        tenant_rows.fill(service, THEIRS - 1)  # the same keys, names, hashes and labels
        service.execute("SET LOCAL indelible.tenant = '3'")
        row = "INSERT INTO record (tenant, id, kind, key, text, created, updated) VALUES (3, 2001, %s, 'k', 'x', 1, 1)"
        service.execute(row, ["memory"])
        edge = (
            "INSERT INTO edge (tenant, source, target, relation, canonical, created) VALUES (3, 2001, %s, 'r', 'r', 1)"
        )
        for unknown in (2002, 999_999):
            with pytest.raises(errors.ForeignKeyViolation), service.transaction():
                service.execute(edge, [unknown])


def test_what_hangs_on_a_deleted_record_goes_with_it_and_is_logged_for_its_tenant(service):
    with service.transaction(force_rollback=True):
        service.execute("SET LOCAL indelible.tenant = '2'")
        last = service.execute("SELECT max(position) FROM change").fetchall()[0][0]
        service.execute("DELETE FROM record")
        for table in ("edge", "terms", "access", "embedding", "pending", "source_file", "symbol", "symbol_name"):
            assert service.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)], table
        logged = service.execute(
            "SELECT tenant, operation, count(*) FROM change WHERE position > %s GROUP BY 1, 2", [last]
        )
        assert sorted(logged.fetchall()) == [(2, "delete", 21), (2, "link", 8)]


def test_writers_of_two_tenants_do_not_wait_for_each_other_and_those_of_one_do(urls, service):
    row = "INSERT INTO record (tenant, kind, key, text, created, updated) VALUES (%s, 'memory', 'new', 'x', 1, 1)"
    with closing(tenant_rows.connected(urls[1], SCHEMA)) as other, other.transaction(force_rollback=True):
        other.execute("SET LOCAL indelible.tenant = '2'")
        other.execute(row, [2])
        with service.transaction(force_rollback=True):
            service.execute("SET LOCAL lock_timeout = 50")
            service.execute("SET LOCAL indelible.tenant = '3'")
            service.execute(row, [3])
            service.execute("SET LOCAL indelible.tenant = '2'")
            with pytest.raises(errors.LockNotAvailable), service.transaction():
                service.execute(row.replace("new", "newer"), [2])


def test_records_are_numbered_tenant_by_tenant_and_no_number_is_given_twice(urls):
    def added(store, *keys):
        first, *many = map(samples.record, keys)
        return store.write(lambda tx: [records.insert(tx, first), *records.add_many(tx, many)])

    with closing(open_postgres(urls[1], SCHEMA, tenant=71)) as one, closing(one.for_tenant(72)) as other:
        assert added(one, "a", "b", "c") == [1, 2, 3]
        assert added(other, "a", "b") == [1, 2]
        with pytest.raises(ZeroDivisionError):
            one.write(lambda tx: [records.insert(tx, samples.record("d")), 1 // 0])
        assert added(one, "e") == [4]
        assert one.write(lambda tx: records.delete(tx, 4)) == 1
        assert added(one, "f", "g") == [5, 6]
        assert added(other, "c") == [3]


def test_earlier_states_are_numbered_tenant_by_tenant_and_no_number_is_given_twice(urls):
    def numbers(store):
        with store.read() as tx:
            return [state.id for state in versions.every(tx)]

    with closing(open_postgres(urls[1], SCHEMA, tenant=73)) as one, closing(one.for_tenant(74)) as other:
        for store in (one, other):
            store.write(lambda tx: records.insert(tx, samples.record("a")))
            store.write(lambda tx: records.set_replaced(tx, 1, True))
        assert numbers(one) == numbers(other) == [1]
        with pytest.raises(ZeroDivisionError):
            one.write(lambda tx: [records.set_replaced(tx, 1, False), 1 // 0])
        one.write(lambda tx: versions.drop(tx, [1]))
        one.write(lambda tx: records.delete(tx, 1))
        assert (numbers(one), numbers(other)) == ([2], [1])


# --- The facts of the store ---


def test_everybody_reads_the_facts_of_the_store_and_nobody_who_serves_changes_them(service):
    facts = "SELECT name FROM setting WHERE tenant = 0 ORDER BY name"
    for tenant in (None, MINE, 0):
        assert ask(service, facts, tenant=tenant) == [("created",), ("schema",)]  # `urls` took the epoch out
        assert ask(service, "UPDATE setting SET value = '9' WHERE tenant = 0", tenant=tenant) == 0
        assert ask(service, "DELETE FROM setting WHERE tenant = 0", tenant=tenant) == 0
        with pytest.raises(errors.InsufficientPrivilege, match="violates row-level security policy"):
            ask(service, "INSERT INTO setting (tenant, name, value) VALUES (0, 'x', 'y')", tenant=tenant)


# --- Rights ---


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE mine (id BIGINT)",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE record DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE record NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE record ADD COLUMN x TEXT",
        "ALTER TABLE record DISABLE TRIGGER ALL",
        "DROP POLICY own_tenant ON record",
        "CREATE POLICY mine ON record USING (true)",
        "DROP TABLE record CASCADE",
        "TRUNCATE record CASCADE",
        "CREATE INDEX mine ON record (key)",
        f'DROP SCHEMA "{SCHEMA}" CASCADE',
        "SELECT setval('edge_id_seq', 1)",
        f"SET LOCAL ROLE {OWNER}",
        f"ALTER ROLE {SERVICE} BYPASSRLS",
        "SET LOCAL session_replication_role = replica",
        "SET LOCAL row_security = off; SELECT * FROM record",
        f'SELECT * FROM "{OTHER}".record',
        f"INSERT INTO \"{OTHER}\".lease (tenant, name, owner, until) VALUES (3, 'x', 'y', 1)",
    ],
)
def test_a_service_role_changes_rows_of_its_own_store_and_nothing_else(postgres_url, urls, service, sql):
    with psycopg.connect(postgres_url, autocommit=True) as administrator:
        if not administrator.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [OTHER]).fetchall():
            upgrade_postgres(urls[0], OTHER)
    with service.transaction(force_rollback=True):
        service.execute("SET LOCAL indelible.tenant = '3'")
        with pytest.raises(errors.InsufficientPrivilege):
            service.execute(sql)


def test_a_store_is_opened_and_used_by_a_role_that_only_serves(urls):
    with closing(open_postgres(urls[1], SCHEMA)) as db:
        assert db.write(lambda tx: tx.run("settings.put", name="a", value="b")) == 1
        with db.read() as tx:
            assert tx.rows("settings.find", name="a") == [("b",)]


@pytest.mark.parametrize(
    ("role", "message"),
    [
        ("nobody_there", "there is no role 'nobody_there'; CREATE ROLE"),
        ("postgres", "row-level security does not apply to role 'postgres'.*NOSUPERUSER NOBYPASSRLS"),
        (OWNER, "owns the store"),
    ],
)
def test_a_role_that_cannot_be_kept_to_its_tenant_is_not_given_the_store(urls, role, message):
    with pytest.raises(InvalidInput, match=message):
        upgrade_postgres(urls[0], SCHEMA, role)


def test_a_role_that_was_not_given_the_store_is_told_who_can_open_it(urls, new_schema):
    schema = new_schema()
    for made in (False, True):
        if made:
            upgrade_postgres(urls[0], schema)
        with pytest.raises(
            StoreError, match=r"permission denied .*`indelible database upgrade` with the URL of the role"
        ):
            open_postgres(urls[1], schema)


# --- Upgrades ---


@pytest.fixture
def next_version(monkeypatch):
    known = named_queries.migrations("postgres")

    def be(sql):
        monkeypatch.setattr(named_queries, "migrations", lambda dialect: [*known, (len(known) + 1, sql)])
        monkeypatch.setattr(named_queries, "newest_schema", lambda dialect: len(known) + 1)

    return be


@pytest.fixture
def filled(postgres_url, new_schema):
    """A store of two tenants."""
    schema = new_schema()
    _, service = tenant_rows.store(postgres_url, schema)
    with closing(tenant_rows.connected(service, schema)) as connection:
        for tenant in (THEIRS, MINE):
            tenant_rows.fill(connection, tenant)
        yield schema, connection


NEW_TABLE = """
CREATE TABLE colour (tenant BIGINT PRIMARY KEY);
ALTER TABLE colour ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON colour USING (tenant = nullif(current_setting('indelible.tenant', true), '')::bigint);
UPDATE record SET label = 'moved' WHERE kind = 'memory'"""


def test_the_owner_upgrades_the_rows_of_all_tenants_and_the_service_role_goes_on(urls, filled, next_version):
    schema, service = filled
    next_version(NEW_TABLE)
    with pytest.raises(StoreError, match=r"`indelible database upgrade` with the URL of the role that owns it"):
        open_postgres(urls[1], schema)
    upgrade_postgres(urls[0], schema)
    for tenant in (THEIRS, MINE):
        labels = "SELECT DISTINCT label FROM record WHERE kind = 'memory'"
        assert ask(service, labels, tenant=tenant) == [("moved",)]
    assert ask(service, f"INSERT INTO colour (tenant) VALUES ({MINE})") == 1
    open_postgres(urls[1], schema).close()
    with closing(tenant_rows.connected(urls[0], schema)) as owner:
        assert ask(owner, "SELECT count(*) FROM record", tenant=None) == [(0,)]


@pytest.mark.parametrize("sql", ["SELECT 1 / 0", "DELETE FROM record WHERE tenant = 2"])
def test_an_upgrade_that_fails_leaves_the_rows_as_hidden_as_they_were(urls, filled, next_version, sql):
    schema, service = filled
    next_version(sql)
    with pytest.raises(StoreError, match=r"division by zero|would lose rows"):
        upgrade_postgres(urls[0], schema)
    with closing(tenant_rows.connected(urls[0], schema)) as owner:
        assert ask(owner, "SELECT count(*) FROM record", tenant=None) == [(0,)]
    assert ask(service, "SELECT count(*) FROM record", tenant=THEIRS) == [(21,)]


def test_tables_of_another_program_in_the_schema_are_neither_hidden_nor_granted(postgres_url, urls, new_schema):
    schema = new_schema()
    upgrade_postgres(urls[0], schema)
    with closing(tenant_rows.connected(urls[0], schema)) as owner:
        owner.execute("CREATE TABLE theirs AS SELECT 1 AS one")
        upgrade_postgres(urls[0], schema, SERVICE)
        assert owner.execute("SELECT * FROM theirs").fetchall() == [(1,)]
    with closing(tenant_rows.connected(urls[1], schema)) as service:
        assert ask(service, "SELECT name FROM setting WHERE name = 'schema'") == [("schema",)]
        with pytest.raises(errors.InsufficientPrivilege):
            service.execute("SELECT * FROM theirs")
