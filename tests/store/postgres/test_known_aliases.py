"""The names of projects that a writer in a cluster knows from its transactions before: never others than there are."""

import threading
from contextlib import closing

import psycopg
import pytest

import on_postgres
from indelible.store.named_queries import load, newest_schema
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.distribution import distribute
from indelible.store.postgres.known_aliases import may_change
from indelible.store.postgres.transactions import PostgresWriter
from indelible.store.tables import projects

pytestmark = [pytest.mark.full, pytest.mark.timeout(600)]

ASKED = """SELECT coalesce(sum(calls), 0)::int FROM pg_stat_statements
  WHERE query LIKE 'SELECT alias, namespace, kind FROM project%' AND dbid = (
    SELECT oid FROM pg_database WHERE datname = current_database())"""


@pytest.fixture(scope="module")
def spread(citus):
    """A store that is spread; the URL of its owner."""
    with citus.cluster(citus.default_directory()) as url:
        own = citus.database(url, "aliases", on_postgres.ROLE).replace("//postgres:@", f"//{on_postgres.ROLE}@")
        distribute(own)
        yield own


@pytest.fixture
def other(spread):
    """Connect as another program does, which knows nothing of Indelible's locks, and sees every row."""
    with psycopg.connect(spread.replace(f"//{on_postgres.ROLE}@", "//postgres@"), autocommit=True) as connection:
        yield connection


PUT = "INSERT INTO project (tenant, alias, namespace, created) VALUES (%s, 'here', 'one', 1)"
tenants = iter(range(1, 100))


@pytest.fixture
def writer(spread):
    with closing(open_postgres(spread, tenant=next(tenants))) as store:
        yield store


def known(store):
    return store.write(projects.aliases)


def note(store, alias, namespace):
    store.write(lambda tx: projects.add(tx, alias, namespace, 1))


def test_they_are_read_once_while_nothing_changes(writer, other):
    note(writer, "here", "one")
    known(writer)
    before = other.execute(ASKED).fetchall()
    assert before[0][0] > 0
    assert [known(writer) for _ in range(3)] == [{"here": "one"}] * 3
    assert other.execute(ASKED).fetchall() == before


def test_what_another_process_notes_is_seen_by_the_next_write(writer, spread):
    known(writer)
    with closing(open_postgres(spread, tenant=writer.tenant)) as beside:
        assert known(beside) == {}
        note(beside, "here", "one")
        assert known(writer) == {"here": "one"}
        writer.write(lambda tx: projects.change(tx, "here", "two", ""))
        assert known(beside) == {"here": "two"}
        beside.write(lambda tx: projects.join(tx, "two", "three"))
        assert known(writer) == known(beside) == {"here": "three"}


def test_what_another_program_changes_is_seen_too(writer, other):
    note(writer, "here", "one")
    assert known(writer) == {"here": "one"}
    other.execute("UPDATE project SET namespace = 'theirs' WHERE tenant = %s", [writer.tenant])
    assert known(writer) == {"here": "theirs"}
    other.execute("DELETE FROM project WHERE tenant = %s", [writer.tenant])
    assert known(writer) == {}


def test_they_are_read_again_where_the_row_that_counts_is_gone(writer, other):
    assert known(writer) == {}
    other.execute("DELETE FROM lease WHERE tenant = %s", [writer.tenant])
    other.execute(PUT, [writer.tenant])
    assert known(writer) == {"here": "one"}


def test_a_transaction_sees_its_own_changes(writer):
    def work(tx):
        before = projects.aliases(tx)
        projects.add(tx, "here", "one", 1)
        return before, projects.aliases(tx)

    assert writer.write(work) == ({}, {"here": "one"})
    assert known(writer) == {"here": "one"}


@pytest.mark.parametrize("in_savepoint", [False, True])
def test_what_is_undone_is_not_known(writer, in_savepoint):
    """Whether with its whole transaction, or alone among others that are committed with it."""
    connection = PostgresWriter(
        writer._connections, writer.tenant, lambda: False, newest_schema("postgres"), threading.Event()
    )
    with closing(connection):
        connection.begin()
        if in_savepoint:
            connection.savepoint()
        # past what tells a writer of its own changes
        connection.connection.execute(PUT, [writer.tenant])
        assert projects.aliases(connection) == {"here": "one"}
        if in_savepoint:
            connection.undo_to_savepoint()
            connection.commit()
        else:
            connection.rollback()
        connection.begin()
        assert projects.aliases(connection) == {}
        connection.rollback()


def test_every_query_that_changes_projects_is_known_to():
    known = load("postgres")
    changing = {name for name in known if may_change(name) and not known[name].startswith(("SELECT", "WITH"))}
    assert changing == {
        *(f"projects.{name}" for name in ("add", "change", "join", "note_answer")),
        "purge.drop_aliases",
    }
