"""A PostgreSQL store, and the ways to it that go past Indelible."""

from contextlib import closing

import psycopg
import pytest

import on_postgres
from postgres_store import fetch
from wire import Wire


@pytest.fixture
def pg(open_pg):
    return open_pg()


@pytest.fixture
def schema(pg):
    with pg.read() as tx:
        return fetch(tx, "SELECT current_schema()")[0][0]


@pytest.fixture
def psql(postgres_url, schema):
    """Connect as another program does, which knows nothing of Indelible's locks."""
    opened = []

    def connect():
        connection = psycopg.connect(postgres_url, autocommit=True)
        connection.execute("SELECT set_config('search_path', quote_ident(%s), false)", [schema])
        opened.append(connection)
        return connection

    yield connect
    for connection in opened:
        connection.close()


@pytest.fixture
def wire(postgres_url, open_pg):
    """A store behind a wire that can be cut."""
    with closing(Wire(postgres_url)) as wire:
        wire.db = open_pg(wire.url)
        yield wire
        wire.db.close()


@pytest.fixture(scope="session")
def citus():
    """The script that starts a cluster, where its build is there."""
    script = on_postgres.cluster_script()
    if not script.is_built(script.default_directory()):
        pytest.skip(f"there is no Citus in {script.default_directory()}, so this did NOT run; see {script.__file__}")
    return script
