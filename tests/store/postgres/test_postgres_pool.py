"""Connections to PostgreSQL: how many there are, how often a call waits for the server, and who sees whose rows."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from indelible.core.context.context import context_on
from indelible.core.indexes.embedder import Embedder
from indelible.errors import InvalidInput, StoreError
from indelible.settings import Settings
from indelible.store.postgres.database import open_postgres
from indelible.store.tables import records
from indelible.toolsets.memory import diagnostics
from samples import keep, of_tenant, record
from wire import Wire

pytestmark = pytest.mark.process

numbers = itertools.count(1)


@pytest.fixture
def plain(postgres_url):
    """The URL of a role from which rows can be hidden, with a name for its sessions."""
    name = f"plain_{next(numbers)}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE ROLE {name} LOGIN")
        server.execute(f"GRANT CREATE ON DATABASE postgres TO {name}")
    return make_conninfo(postgres_url, user=name, application_name=name)


@pytest.fixture
def db(plain, new_schema):
    with closing(open_postgres(plain, new_schema())) as db:
        yield db


def sessions(plain, postgres_url):
    """How many sessions of a role there are."""
    name = psycopg.conninfo.conninfo_to_dict(plain)["user"]
    with psycopg.connect(postgres_url) as server:
        query = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s"
        return server.execute(query, [name]).fetchall()[0][0]


def keys(db, tenant):
    with db.read() as tx:
        return [r.key for r in records.after(of_tenant(tx, tenant), 0, 1000)]


def everything(tx):
    """What a query sees that forgets the tenant."""
    return [key for (key,) in tx.connection.execute("SELECT key FROM record ORDER BY key").fetchall()]


# --- Tenants ---


def test_each_tenant_has_its_own_rows_and_none_of_the_others(db):
    with closing(db.for_tenant(2)) as two, closing(two.for_tenant(3)) as three:
        for tenant, each in ((1, db), (2, two), (3, three)):
            keep(each, record("same", tenant=tenant), record(f"own {tenant}", tenant=tenant))
        for tenant, each in ((1, db), (2, two), (3, three)):
            assert each.tenant == tenant
            assert keys(each, tenant) == ["same", f"own {tenant}"]
            assert keys(each, tenant % 3 + 1) == []
            with each.read() as tx:
                assert everything(tx) == [f"own {tenant}", "same"]
            assert each.write(everything) == [f"own {tenant}", "same"]


def test_a_row_of_another_tenant_is_not_taken(db):
    with pytest.raises(StoreError, match=r"refused a row of another tenant .*No GRANT helps"):
        keep(db, record("a", tenant=2))
    assert keys(db, 1) == []


def test_a_connection_that_comes_back_after_a_failure_has_no_tenant_left(db):
    keep(db, record("of one"))

    def fail(tx):
        everything(tx)
        tx.connection.execute("SELECT 1 / 0")

    with closing(db.for_tenant(2)) as two:
        for _ in range(5):
            with pytest.raises(StoreError, match="division by zero"), db.read() as tx:
                fail(tx)
            with pytest.raises(psycopg.DataError):
                db.write(fail)
            with two.read() as tx:
                assert everything(tx) == []
                assert tx.connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
            assert two.write(everything) == []


def test_tenants_do_not_wait_for_each_others_writes(db):
    with closing(db.for_tenant(2)) as two:
        db.write(lambda tx: keep(two, record("meanwhile", tenant=2)))
        assert keys(two, 2) == ["meanwhile"]


@pytest.mark.parametrize("tenant", [0, -1, 1 << 63])
def test_a_tenant_is_a_number_from_one(db, plain, tenant):
    with pytest.raises(InvalidInput, match="a tenant is a number from 1"):
        db.for_tenant(tenant)
    with pytest.raises(InvalidInput, match="a tenant is a number from 1"):
        open_postgres(plain, tenant=tenant)


def test_a_tenant_that_is_closed_leaves_the_others_open_and_the_last_one_closes_all(plain, postgres_url, new_schema):
    db = open_postgres(plain, new_schema())
    two = db.for_tenant(2)
    keep(two, record("a", tenant=2))
    keys(db, 1)
    db.close()
    db.close()
    for use in (lambda: keys(db, 1), lambda: keep(db, record("b")), lambda: db.for_tenant(3)):
        with pytest.raises(StoreError, match="the store is closed; open it again"):
            use()
    assert keys(two, 2) == ["a"]
    two.close()
    wait_until_gone(plain, postgres_url)


def wait_until_gone(plain, postgres_url):
    while sessions(plain, postgres_url):
        pass


def test_a_role_that_sees_all_rows_is_known_and_is_a_fault_where_there_are_several_tenants(open_pg, db):
    assert not db.bypasses_row_security()
    administrator = open_pg()
    keep(administrator, record("a"))
    assert administrator.bypasses_row_security()
    assert administrator.check() == []
    with closing(administrator.for_tenant(2)) as two:
        keep(two, record("b", tenant=2))
    (found,) = administrator.check()
    assert "holds several tenants" in found
    assert "NOBYPASSRLS" in found or "BYPASSRLS" in found
    assert db.check() == []


# --- How many ---


def test_forty_threads_of_three_tenants_use_four_readers_and_a_writer_each(db, plain, postgres_url):
    tenants = [db, db.for_tenant(2), db.for_tenant(3)]
    before = {thread.name for thread in threading.enumerate()}
    most = []

    def use(number):
        each = tenants[number % 3]
        keep(each, record(str(number), tenant=each.tenant))
        keys(each, each.tenant)
        if number % 8 == 0:
            most.append(sessions(plain, postgres_url))

    with ThreadPoolExecutor(40, "caller") as pool:
        for done in [pool.submit(use, number) for number in range(120)]:
            done.result()
        started = [t.name for t in threading.enumerate() if t.name not in before and not t.name.startswith("caller")]
    assert max(most) <= 4 + 3
    assert set(started) <= {"indelible-writer"}
    assert sum(thread.name == "indelible-writer" for thread in threading.enumerate()) <= 3 + len(before)
    for each in tenants[1:]:
        each.close()


def test_a_connection_that_is_given_back_after_the_last_close_is_closed(plain, postgres_url, new_schema):
    db = open_postgres(plain, new_schema())
    with db.read() as tx:
        db.close()
        assert records.last_id(tx) == 0
    wait_until_gone(plain, postgres_url)


# --- How often a call waits for the server ---


def test_a_read_and_a_write_wait_for_the_server_once_to_begin_and_once_to_end(plain, new_schema):
    with closing(Wire(plain)) as wire, closing(open_postgres(wire.url, new_schema())) as db:

        def asks(tx, queries):
            for _ in range(queries):
                records.last_id(tx)

        def trips(use):
            before = wire.trips
            use()
            return wire.trips - before

        def read(queries):
            with db.read() as tx:
                asks(tx, queries)

        for queries in (0, 1, 3) * 5:  # the statement is prepared meanwhile
            read(queries)
            db.write(lambda tx, queries=queries: asks(tx, queries))
        for queries in (0, 1, 3):
            assert trips(lambda queries=queries: read(queries)) == 2 + queries
            assert trips(lambda queries=queries: db.write(lambda tx: asks(tx, queries))) == 2 + queries
        assert trips(lambda: keep(db, record("a"))) == 3


def test_a_look_at_the_health_waits_for_one_answer_and_sees_that_a_table_is_gone(plain, new_schema, tmp_path):
    schema = new_schema()
    with closing(Wire(plain)) as wire, closing(open_postgres(wire.url, schema)) as db:
        ctx = context_on(db, Settings(data=tmp_path), Embedder(None))
        assert diagnostics.reachable(ctx) is None
        before = wire.trips
        diagnostics.reachable(ctx)
        assert wire.trips - before == 3, "one beside the begin and the end"
        with psycopg.connect(plain, autocommit=True) as owner:
            owner.execute(f'ALTER TABLE "{schema}".setting RENAME TO lost')
        with pytest.raises(StoreError):
            diagnostics.reachable(ctx)
