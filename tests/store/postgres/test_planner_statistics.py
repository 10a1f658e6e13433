"""Bulk work has a server count its rows, so that it plans for those of a tenant that it knew as small."""

from contextlib import closing

import pytest

import tenant_rows
from indelible.admin import maintenance
from indelible.core.context.context import context_on
from indelible.core.indexes.embedder import Embedder
from indelible.settings import Settings
from indelible.store.postgres.database import open_postgres

pytestmark = [pytest.mark.process, pytest.mark.one_server("has servers or schemas of its own, which are not spread")]

TENANT = 7
COUNTED = """SELECT reltuples >= 0 FROM pg_class
  WHERE relname = 'record' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s)"""


@pytest.fixture
def store(postgres_url, new_schema):
    """The URLs of owner and server of a store in which nothing was counted yet, and its schema."""
    schema = new_schema()
    owner, server = tenant_rows.store(postgres_url, schema)
    with closing(tenant_rows.connected(server, schema)) as connection:
        tenant_rows.fill(connection, TENANT)
    return owner, server, schema


# Called for each row of an index, and so for a sample of the rows when these are counted.
BREAKS = """CREATE FUNCTION breaks(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$
  BEGIN
    IF current_query() LIKE 'ANALYZE%' THEN
      RAISE 'no statistics today';
    END IF;
    RETURN $1;
  END $$;
  CREATE INDEX ON record (breaks(key))"""


def is_counted(url, schema):
    with closing(tenant_rows.connected(url, schema)) as connection:
        return connection.execute(COUNTED, [schema]).fetchall()[0][0]


def pauses(url, schema, tmp_path, batches):
    """Bulk work of so many batches."""
    ctx = context_on(open_postgres(url, schema, tenant=TENANT), Settings(data=tmp_path), Embedder(None))
    with closing(ctx):
        pause = maintenance.bulk_pause(ctx)
        for _ in range(batches):
            pause()


def test_the_rows_are_counted_after_some_batches(store, tmp_path):
    owner, _, schema = store
    pauses(owner, schema, tmp_path, maintenance.COUNTED_AFTER - 1)
    assert not is_counted(owner, schema)
    pauses(owner, schema, tmp_path, maintenance.COUNTED_AFTER)
    assert is_counted(owner, schema)


def test_a_role_that_may_not_goes_on_without(store, tmp_path):
    owner, server, schema = store
    pauses(server, schema, tmp_path, maintenance.COUNTED_AFTER)
    assert not is_counted(owner, schema)


def test_rows_that_cannot_be_counted_are_told_and_the_work_goes_on(store, tmp_path, capsys):
    owner, _, schema = store
    with closing(tenant_rows.connected(owner, schema)) as connection:
        connection.execute(BREAKS)
    pauses(owner, schema, tmp_path, maintenance.COUNTED_AFTER + 1)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("note: ")
    assert line.endswith("no statistics today")


def test_a_locked_table_is_not_waited_for(store):
    owner, _, schema = store
    with closing(tenant_rows.connected(owner, schema)) as other, other.transaction():
        other.execute("LOCK TABLE record IN SHARE UPDATE EXCLUSIVE MODE")
        with closing(open_postgres(owner, schema, tenant=TENANT)) as database:
            database.count_rows()
    assert not is_counted(owner, schema)
