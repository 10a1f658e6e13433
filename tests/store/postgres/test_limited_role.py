"""The role under which limited callers are asked for: the database itself hides other namespaces from it."""

import json
from contextlib import closing

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

import tenant_rows
from indelible.errors import StoreError
from indelible.store.limited_form import FORM
from indelible.store.namespace_filter import LimitedStore, whole
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.migrate import upgrade_postgres
from indelible.store.tables import records, repositories
from samples import keep, record

pytestmark = [pytest.mark.process, pytest.mark.one_server("has servers or schemas of its own, which are not spread")]

SCHEMA = "limited role"
LIMITED, SERVING, INHERITING = "limited_of_store", "server_of_store", "heir_of_store"


@pytest.fixture(scope="module")
def urls(postgres_url):
    owner, _ = tenant_rows.roles(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as administrator:
        administrator.execute(f"CREATE ROLE {LIMITED} NOLOGIN")
        for role, inherits in ((SERVING, "NOINHERIT"), (INHERITING, "INHERIT")):
            administrator.execute(f"CREATE ROLE {role} LOGIN {inherits}; GRANT {LIMITED} TO {role}")
    upgrade_postgres(owner, SCHEMA, SERVING, LIMITED)
    return owner, make_conninfo(postgres_url, user=SERVING)


@pytest.fixture
def db(urls):
    with closing(open_postgres(urls[1], SCHEMA)) as opened:
        yield opened
        opened.write(lambda tx: records.delete_many(tx, records.ids_in(tx, ["/a", "/b", ""], None)))


def limited(db, *namespaces):
    return LimitedStore(db, frozenset(namespaces), "tok_a")


@pytest.fixture
def forgetting(db, monkeypatch):
    """Plant queries without their limits."""

    def forget(*names):
        with db.read() as tx:
            for name in names:
                monkeypatch.setitem(tx._sql, FORM + name, tx._sql[name])

    return forget


def test_a_query_without_its_predicate_finds_nothing_of_another_namespace(db, forgetting):
    a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
    forgetting("records.by_ids", "records.count_by_kind", "records.namespaces", "recall.opening")
    with limited(db, "/a").read() as tx:
        assert records.by_ids(tx, [a.id, b.id]).keys() == {a.id}
        assert records.count_by_kind(tx) == {"memory": 1}
        assert records.namespaces(tx) == ["/a"]
    with limited(db).read() as tx:
        assert records.by_ids(tx, [a.id, b.id]) == {}
    with limited(db, "/b", "/c").read() as tx:
        assert records.by_ids(tx, [a.id, b.id]).keys() == {b.id}


def test_the_planted_query_would_find_it_where_there_is_no_such_role(db, forgetting):
    a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
    forgetting("records.by_ids")
    with limited(db, "/a").read() as tx:
        whole(tx)._limited_role = ""
        assert records.by_ids(tx, [a.id, b.id]).keys() == {a.id, b.id}


def test_a_change_without_its_predicate_reaches_nothing_of_another_namespace(db, forgetting):
    a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
    forgetting("records.delete_many", "records.move")
    own = limited(db, "/a")
    assert own.write(lambda tx: records.delete_many(tx, [b.id])) == 0
    with pytest.raises(StoreError, match="refused a row"):  # past the checks of the product
        own.write(lambda tx: whole(tx).run(FORM + "records.move", id=a.id, namespace="/b", granted='["/a"]'))
    with db.read() as tx:
        assert {each.namespace for each in records.by_ids(tx, [a.id, b.id]).values()} == {"/a", "/b"}


def test_the_whole_store_is_seen_beside_and_by_all_others(db):
    a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
    with limited(db, "/a").read() as tx:
        for _ in range(2):
            assert records.by_ids(tx, [a.id, b.id]).keys() == {a.id}
            assert records.by_ids(whole(tx), [a.id, b.id]).keys() == {a.id, b.id}
    with db.read() as tx:
        assert records.by_ids(tx, [a.id, b.id]).keys() == {a.id, b.id}


def test_a_limited_caller_stores_changes_and_deletes_its_own(db):
    (b,) = keep(db, record("b", namespace="/b"))
    own = limited(db, "/a")
    made = own.write(lambda tx: records.insert(tx, record("a", namespace="/a")))
    assert own.write(lambda tx: repositories.find_or_add(tx, "/a", "", "/root")).root == "/root"
    with own.read() as tx:
        assert records.by_ids(tx, [made, b.id]).keys() == {made}
    assert own.write(lambda tx: records.delete_many(tx, [made, b.id])) == 1


def test_what_a_failed_write_had_taken_on_is_not_taken_for_granted(db):
    """Writes of one transaction stand in savepoints: undoing one undoes whose statements follow, too."""
    a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
    ids = json.dumps([a.id, b.id])

    def several(tx):
        def found(query, **more):
            return {row[0] for row in tx.rows(query, ids=ids, **more)}

        mine = {"granted": '["/a"]', "caller": ""}
        seen = [found(FORM + "records.keys_of", **mine)]
        tx.savepoint()
        seen.append(found("records.keys_of"))
        tx.undo_to_savepoint()
        return [*seen, found("records.keys_of"), found(FORM + "records.keys_of", **mine)]

    assert db.write(several) == [{a.id}, {a.id, b.id}, {a.id, b.id}, {a.id}]


def test_its_policies_are_no_foreign_parts(db, urls):
    assert not any("granted_namespaces" in fault for fault in db.check())
    with psycopg.connect(urls[0]) as connection:
        connection.execute(f'CREATE POLICY granted_namespaces ON "{SCHEMA}".edge USING (true)')
        connection.commit()
        assert any("foreign policy granted_namespaces (of edge)" in fault for fault in db.check())
        connection.execute(f'DROP POLICY granted_namespaces ON "{SCHEMA}".edge')


def test_a_store_without_such_a_role_is_served_as_before(urls, new_schema):
    schema = new_schema()
    upgrade_postgres(urls[0], schema, SERVING)
    with closing(open_postgres(urls[1], schema)) as db:
        a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
        with limited(db, "/a").read() as tx:
            assert records.by_ids(tx, [a.id, b.id]).keys() == {a.id}


def test_a_server_whose_role_inherits_the_limits_is_told_so(postgres_url, urls):
    upgrade_postgres(urls[0], SCHEMA, INHERITING)
    with pytest.raises(StoreError, match=f"ALTER ROLE {INHERITING} NOINHERIT"):
        open_postgres(make_conninfo(postgres_url, user=INHERITING), SCHEMA)
