"""PgBouncer between a process and its server, which gives each transaction another session: nothing of one is left.

It is Debian's package `pgbouncer`.
"""

import itertools
import shutil
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from indelible.errors import StoreError
from indelible.store.postgres.database import open_postgres
from indelible.store.tables import records
from pooler import Pooler
from samples import keep, of_tenant, record

pytestmark = [
    pytest.mark.process,
    pytest.mark.needs("pgbouncer"),
    pytest.mark.one_server("has servers or schemas of its own, which are not spread"),
]

SESSIONS = 2  # fewer than whoever uses them, so that each gets one that another had

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def pooled(postgres_url) -> Iterator[str]:
    """The URL of the pooler, for a role from which rows can be hidden."""
    name = f"pooled_{next(numbers)}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE ROLE {name} LOGIN")
        server.execute(f"GRANT CREATE ON DATABASE postgres TO {name}")
    directory = Path(tempfile.mkdtemp(prefix="indelible-pooler-"))
    try:
        with Pooler(make_conninfo(postgres_url, user=name), directory, sessions=SESSIONS) as pooler:
            yield pooler.url
    finally:
        shutil.rmtree(directory)


@pytest.fixture
def open_pooled(pooled):
    """Open one and the same store through the pooler, each time as another process would."""
    schema, opened = f"pooled {next(numbers)}", []

    def open_it(tenant=1):
        opened.append(open_postgres(pooled, schema, tenant=tenant))
        return opened[-1]

    yield open_it
    for database in opened:
        database.close()


def keys(db, tenant):
    with db.read() as tx:
        return [r.key for r in records.after(of_tenant(tx, tenant), 0, 1000)]


def everything(tx):
    """What a query sees that forgets the tenant."""
    return [key for (key,) in tx.connection.execute("SELECT key FROM record ORDER BY id").fetchall()]


def test_tenants_that_share_the_sessions_of_a_pooler_see_their_own_rows_only(open_pooled):
    first = open_pooled()
    stores = {1: first, 2: first.for_tenant(2), 3: open_pooled(3)}
    seen = {tenant: set() for tenant in stores}

    def use(tenant, turn):
        for number in range(10):
            keep(stores[tenant], record(f"{tenant} {turn} {number}", tenant=tenant))
            with stores[tenant].read() as tx:
                seen[tenant].update(key.split()[0] for key in everything(tx))

    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(use, tenant, turn) for tenant in stores for turn in range(3)]:
            done.result()
    assert seen == {tenant: {str(tenant)} for tenant in stores}
    assert {len(keys(stores[tenant], tenant)) for tenant in stores} == {30}
    stores[2].close()


def fail(tx):
    tx.connection.execute("SELECT 1 / 0")


def lose(tx):
    tx.connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")


def test_a_session_of_a_pooler_goes_on_without_tenant_settings_locks_and_statements(pooled, open_pooled):
    """The sessions that our transactions had, those that failed too, are another program's next."""
    db = open_pooled(7)

    def read(work):
        with db.read() as tx:
            work(tx)

    lost = []

    def lose_once(tx):
        records.last_id(tx)
        if not lost:
            lost.append(True)
            lose(tx)

    for number in range(8):
        keep(db, record(str(number), tenant=7))
        keys(db, 7)
        for use in (read, db.write):
            with pytest.raises((StoreError, psycopg.DataError), match=r"failed|division by zero"):
                use(fail)
        db.write(lose_once)
    with ThreadPoolExecutor() as pool:
        together = threading.Barrier(SESSIONS)
        for found in pool.map(lambda _: what_is_left(pooled, together), range(SESSIONS)):
            assert found == [("", '"$user", public', "0", "0", "on", 0, 0)]
    assert keys(db, 7) == [str(number) for number in range(8)]


def what_is_left(url, together):
    with psycopg.connect(url) as connection:
        connection.execute("BEGIN")
        together.wait()  # both have a session now, and these are all there are
        return connection.execute(
            "SELECT coalesce(current_setting('indelible.tenant', true), ''), current_setting('search_path'),"
            " current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'),"
            " current_setting('synchronous_commit'), (SELECT count(*)::int FROM pg_prepared_statements),"
            " (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())"
        ).fetchall()


def test_statements_are_prepared_where_a_session_is_ones_own_and_never_behind_a_pooler(open_pooled, open_pg):
    for db, prepares in ((open_pg(), True), (open_pooled(), False)):
        for _ in range(12):
            keys(db, 1)
        with db.read() as tx:
            found = tx.connection.execute("SELECT count(*) > 0 FROM pg_prepared_statements").fetchall()
        assert found == [(prepares,)]


END_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'pooled%'"


def test_sessions_that_die_behind_a_pooler_cost_nobody_an_answer(postgres_url, open_pooled):
    stores = [open_pooled(), open_pooled()]

    def use(at):
        with psycopg.connect(postgres_url, autocommit=True) as server:
            for number in range(40):
                keep(stores[at], record(f"{at} {number}"))
                if number % 5 == at:  # the other's too, at whatever it is
                    server.execute(END_SESSIONS)

    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(use, at) for at in range(2)]:
            done.result()
    assert sorted(keys(stores[0], 1)) == sorted(f"{at} {number}" for at in range(2) for number in range(40))
