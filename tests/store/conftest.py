"""The storage contract runs on both databases: a SQLite file, and a PostgreSQL server started for the session."""

import itertools
import threading
from collections.abc import Callable, Iterator

import pytest

import on_postgres
from emptied_schema import EmptiedSchema
from empty_store import begin
from indelible.store.database import Database
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.distribution import distribute
from indelible.store.sqlite.opening import open_sqlite

Open = Callable[[], Database]


@pytest.fixture(scope="session")
def postgres_url(administrator: str) -> str:
    return administrator


@pytest.fixture(scope="session")
def schema_numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def new_schema(schema_numbers) -> Callable[[], str]:
    """The name of a schema that no other test uses."""
    return lambda: f"test {next(schema_numbers)}"


@pytest.fixture
def open_pg(request, new_schema) -> Iterator[Callable[..., Database]]:
    """Open one and the same PostgreSQL store, each time as another process would.

    By its administrator, from whom no rows are hidden: here the queries alone keep tenants apart. That the database
    does is what test_postgres_tenants.py shows.
    """
    postgres_url, schema, opened = request.getfixturevalue("postgres_url"), new_schema(), []
    first = threading.Lock()

    def open_it(url: str = postgres_url, **options) -> Database:
        if on_postgres.is_cluster():
            with first:  # its second run does nothing
                distribute(postgres_url, schema)
        opened.append(open_postgres(url, schema, **options))
        return opened[-1]

    yield open_it
    for database in opened:
        database.close()


@pytest.fixture(scope="session")
def emptied_schema(postgres_url) -> EmptiedSchema:
    """The schema that the tests of the contract have one after the other: to make one takes longer than a test."""
    return EmptiedSchema(postgres_url, "emptied", spread=on_postgres.is_cluster())


BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.process)]


@pytest.fixture(params=BOTH)
def open_db(request, tmp_path) -> Iterator[Open]:
    """Open one and the same empty store, each time as another process would."""
    opened: list[Database] = []

    if request.param == "postgres":
        schema = request.getfixturevalue("emptied_schema")
        schema.empty()
    else:
        begin(tmp_path / "store")

    def open_it() -> Database:
        opened.append(schema.open() if request.param == "postgres" else open_sqlite(tmp_path / "store"))
        return opened[-1]

    yield open_it
    for database in opened:
        database.close()


@pytest.fixture(params=BOTH)
def open_new(request, tmp_path) -> Iterator[Open]:
    """The same where there is no store yet: the first one makes it."""
    if request.param == "postgres":
        yield request.getfixturevalue("open_pg")
        return
    opened: list[Database] = []

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
