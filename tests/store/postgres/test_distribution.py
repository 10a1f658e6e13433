"""A store that is spread over the nodes of a Citus cluster; on a cluster only where its build is there."""

import contextlib
import re
from contextlib import closing

import psycopg
import pytest

import on_postgres
from indelible.core.context import quota
from indelible.errors import Forbidden, StoreError
from indelible.store import named_queries
from indelible.store.namespace_filter import FORM
from indelible.store.postgres import tenants, transactions
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.distribution import distribute
from indelible.store.postgres.migrate import suitable, upgrade_postgres
from indelible.store.postgres.server import Server
from indelible.store.tables import records, settings, versions
from indelible.store.views import usage
from postgres_store import fetch
from samples import stored

OURS, THEIRS = 1, 2  # tenants, on different nodes
PLACED = """SELECT logicalrelid::text, partmethod = 'h', colocationid FROM pg_dist_partition ORDER BY 1"""
NODES = """SELECT nodeport FROM citus_shards
  WHERE shardid = get_shard_id_for_distribution_column('record', %s::bigint)"""
COUNTED = """SELECT query_execution_single_shard, query_execution_multi_shard FROM citus_stat_counters
  WHERE name = current_database()"""


@pytest.mark.process
@pytest.mark.one_server("a cluster has it")
def test_a_server_without_citus_is_refused(postgres_url, new_schema):
    with pytest.raises(StoreError, match="has no Citus in this database; CREATE EXTENSION citus on every node"):
        distribute(postgres_url, new_schema())


@pytest.fixture(scope="module")
def spread(citus):
    """A store with a record of each of two tenants, which was spread then; the URL of its owner."""
    with citus.cluster(citus.default_directory()) as url:
        own = citus.database(url, "spread", on_postgres.ROLE).replace("//postgres:@", f"//{on_postgres.ROLE}@")
        upgrade_postgres(own)
        for tenant in (OURS, THEIRS):
            with closing(open_postgres(own, tenant=tenant)) as store:
                store.write(lambda tx: stored(tx, "before"))
        placed = distribute(own)
        assert placed["on_every_node"] == ["setting"]
        assert len(placed["by_tenant"]) > 20
        yield own


@pytest.fixture
def administrator_of(spread):
    with psycopg.connect(spread.replace(f"//{on_postgres.ROLE}@", "//postgres@"), autocommit=True) as connection:
        yield connection


@pytest.mark.full
@pytest.mark.timeout(600)
def test_all_of_a_tenant_is_on_one_node(spread, administrator_of):
    placed = administrator_of.execute(PLACED).fetchall()
    assert len({beside for _, by_tenant, beside in placed if by_tenant}) == 1
    assert [name for name, by_tenant, _ in placed if not by_tenant] == ["setting"]
    ours, theirs = (administrator_of.execute(NODES, [tenant]).fetchall() for tenant in (OURS, THEIRS))
    assert len(ours) == len(theirs) == 1
    assert ours != theirs


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_write_asks_no_other_node_whether_it_may_begin(spread):
    with psycopg.connect(spread, autocommit=True) as connection:
        begin = suitable(connection, Server.of(spread, None, 30)).begin_write(OURS)
        asked = begin.rsplit(";", 1)[1]
        connection.execute("BEGIN")
        connection.execute(
            "SELECT set_config('search_path', 'public', true), set_config('indelible.tenant', '1', true)"
        )
        plan = "\n".join(row[0] for row in connection.execute(f"EXPLAIN {asked}").fetchall())
    assert "setting" in plan
    assert "Citus" not in plan


@pytest.mark.full
@pytest.mark.timeout(600)
def test_it_is_spread_once(spread):
    assert distribute(spread) == {"by_tenant": [], "on_every_node": []}


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_store_works_there_and_no_statement_reaches_two_nodes(spread, administrator_of):
    administrator_of.execute("SELECT citus_stat_counters_reset(0)")
    for tenant in (OURS, THEIRS):
        with closing(open_postgres(spread, tenant=tenant)) as store:
            # triggers number the record on the node, and write the log of changes there
            (made,) = store.write(lambda tx: stored(tx, "after"))
            store.write(lambda tx, made=made: records.delete(tx, made))
            with store.read() as tx:
                assert fetch(tx, "SELECT key FROM record ORDER BY 1") == [("before",)]  # row-level security alone
                logged = fetch(tx, f"SELECT record, operation FROM change WHERE tenant = {tenant} ORDER BY position")
                assert logged == [(made - 1, "put"), (made, "put"), (made, "delete")]
                assert settings.epoch(tx) != ""  # a fact of the whole store
    single, several = administrator_of.execute(COUNTED).fetchall()[0]
    assert single > 0
    assert several == 2  # the question above that names no tenant, of each


INSERT = """INSERT INTO record (tenant, kind, key, text, content_hash, created, updated)
  VALUES (1, 'memory', gen_random_uuid()::text, 'a', gen_random_uuid()::text, 1, 1)"""
KEPT = "SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts"


@pytest.mark.full
@pytest.mark.timeout(600)
def test_the_session_of_a_node_does_not_grow_with_each_record(spread, administrator_of):
    """It did by 140 kB, for as long as the coordinator kept it: what triggers do was planned again and never freed."""
    ((port,),) = administrator_of.execute(NODES, [OURS]).fetchall()
    whole = administrator_of.info
    node = f"postgresql://postgres@{whole.host}:{port}/{whole.dbname}"
    with psycopg.connect(node) as session:
        grown = [session.execute(KEPT).fetchall()[0][0] for _ in range(4) if inserted(session, 50)]
        session.rollback()
    assert grown[-1] - grown[0] < 1_000_000


def inserted(session, number):
    """Whether so many records of a tenant were added, each by a statement of its own."""
    return [session.execute(INSERT).rowcount for _ in range(number)] == [1] * number


@pytest.mark.full
@pytest.mark.timeout(600)
def test_what_a_transaction_wrote_is_known_by_its_last_row(spread):
    """Without it a write whose COMMIT got no answer would be made twice: the coordinator has no number of it."""
    with closing(open_postgres(spread, tenant=OURS)) as store:
        store.write(lambda tx: stored(tx, "known"))
        with store.read() as tx:
            assert fetch(tx, "SELECT count(*) > 0 FROM lease WHERE tenant = 1 AND name LIKE 'commit %%'") == [(True,)]


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_write_after_a_failure_that_was_ignored_keeps_nothing(spread):
    def work(tx):
        stored(tx, "half")
        with contextlib.suppress(psycopg.Error):
            fetch(tx, "SELECT nothing")

    with closing(open_postgres(spread, tenant=OURS)) as store:
        with pytest.raises(StoreError):
            store.write(work)
        with store.read() as tx:
            assert fetch(tx, "SELECT id FROM record WHERE tenant = 1 AND key = 'half'") == []


@pytest.mark.full
@pytest.mark.timeout(600)
def test_another_role_serves_it(spread, administrator_of):
    administrator_of.execute("CREATE ROLE serving LOGIN")
    upgrade_postgres(spread, role="serving")
    with closing(open_postgres(spread.replace(f"//{on_postgres.ROLE}@", "//serving@"), tenant=THEIRS)) as store:
        store.write(lambda tx: stored(tx, "served"))
        with store.read() as tx:
            assert fetch(tx, "SELECT key FROM record WHERE tenant = 2 ORDER BY id") == [("before",), ("served",)]
        assert store.check() == []


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_tenant_is_counted_and_deleted_for_good_as_on_one_server(spread):
    gone = 3
    with closing(open_postgres(spread, tenant=gone)) as store:
        store.write(lambda tx: stored(tx, "a"))
        store.write(lambda tx: quota.put(tx, quota.Quota(records=5)))
        with store.read() as tx:
            assert (usage.stored(tx).records, quota.of(tx).records) == (1, 5)
        assert gone in store.tenants()
        tenants.mark(spread, gone)
        assert tenants.delete(spread, gone, lambda _table, _rows: None) == []
        with pytest.raises(Forbidden, match="tenant 3 was deleted for good"):
            store.write(lambda tx: settings.put(tx, "after", "1"))
        assert gone not in store.tenants()
    assert tenants.contents(spread, gone) == tenants.Contents({}, frozenset(), is_deleted=True)
    assert tenants.contents(spread, THEIRS).rows["record"] >= 1


# what writers leave in `lease` there: the column is of schema 16
LEFT = """INSERT INTO lease (tenant, name, owner, until) VALUES ({tenant}, '{name}', '{number}', {until})
  ON CONFLICT (tenant, name) DO UPDATE SET owner = excluded.owner RETURNING 0"""


@pytest.fixture
def older(citus, administrator_of, monkeypatch):
    """A store of schema 12 with a record of a tenant, which was spread by the version that made it."""
    whole = administrator_of.info
    cluster = f"postgresql://postgres:@{whole.host}:{whole.port}/postgres"
    own = citus.database(cluster, "older", on_postgres.ROLE).replace("//postgres:@", f"//{on_postgres.ROLE}@")
    known = named_queries.migrations("postgres")
    with monkeypatch.context() as patch:
        patch.setattr(named_queries, "migrations", lambda _: known[:12])
        patch.setattr(named_queries, "newest_schema", lambda _: 12)
        patch.setattr(transactions, "_LEAVE_FIRST", LEFT)
        assert "sync_state" not in distribute(own)["by_tenant"]
        with closing(open_postgres(own, tenant=OURS)) as store:
            (made,) = store.write(lambda tx: stored(tx, "before"))
            store.write(lambda tx: records.set_replaced(tx, made, True))  # a version, numbered by the node
    return own


CHANGE = """
-- A column; and it is filled.
ALTER TABLE record ADD COLUMN colour TEXT NOT NULL DEFAULT '';
UPDATE record SET colour = 'red; or ''blue''';
CREATE TABLE coloured (tenant BIGINT NOT NULL DEFAULT 1, record BIGINT NOT NULL, PRIMARY KEY (tenant, record));
ALTER TABLE coloured ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON coloured USING (tenant = nullif(current_setting('indelible.tenant', true), '')::bigint)
  WITH CHECK (tenant = nullif(current_setting('indelible.tenant', true), '')::bigint);
CREATE FUNCTION record_coloured() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO coloured (tenant, record) VALUES (new.tenant, new.id);
  RETURN NULL;
END $$;
CREATE TRIGGER record_coloured AFTER INSERT ON record FOR EACH ROW EXECUTE FUNCTION record_coloured();
"""


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_store_that_is_spread_is_upgraded_where_it_is(older, monkeypatch):
    upgrade_postgres(older)  # two migrations: columns that are made of others, and a table
    with closing(open_postgres(older, tenant=OURS)) as store:
        store.write(lambda tx: stored(tx, "after"))
        with store.read() as tx:
            found = fetch(tx, "SELECT key, pinned FROM record WHERE tenant = 1 ORDER BY id")
        assert found == [("before", None), ("after", None)]
        store.write(lambda tx: records.set_replaced(tx, 1, False))
        with store.read() as tx:
            first, second = (state.id for state in versions.every(tx))
        assert second == first + 1 > 2**48
        assert store.check() == []
    assert distribute(older) == {"by_tenant": [], "on_every_node": []}

    known = named_queries.migrations("postgres")
    monkeypatch.setattr(named_queries, "migrations", lambda _: [*known, (len(known) + 1, CHANGE)])
    monkeypatch.setattr(named_queries, "newest_schema", lambda _: len(known) + 1)
    upgrade_postgres(older)
    with closing(open_postgres(older, tenant=OURS)) as store:
        store.write(lambda tx: stored(tx, "later"))
        with store.read() as tx:
            found = fetch(tx, "SELECT key, colour FROM record WHERE tenant = 1 ORDER BY id")
            assert found == [("before", "red; or 'blue'"), ("after", "red; or 'blue'"), ("later", "")]
            assert fetch(tx, "SELECT record FROM coloured WHERE tenant = 1") == [(3,)]


@pytest.mark.full
@pytest.mark.timeout(600)
def test_the_coordinator_keeps_a_plan_of_each_query_of_a_tenant(spread):
    """Else every recall would be planned anew, which takes longer than all else that a coordinator does."""
    with closing(open_postgres(spread, tenant=OURS)) as store:
        store.write(lambda tx: stored(tx, "planned"))
        for _ in range(20):
            with store.read() as tx:
                tx.rows("recall.opening", now="2026")
        with store.read() as tx:
            ours = "SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE '%%scoring_weights%%'"
            found = fetch(tx, ours.replace("%%", "%"))
    assert found
    assert found[0][0] > 0


NODES_ASKED = re.compile(r"Task Count: (\d+)")
VALUES = ("1", "[1]", "{}", None)  # of all parameters but the tenant: one of them suits each query


@pytest.mark.full
@pytest.mark.timeout(600)
def test_every_query_reaches_one_node(spread):
    """Each of them is explained, in its form for limited callers too."""
    known = named_queries.load("postgres")
    refused = {name for name, text in known.texts.items() if "refused" in named_queries.declared(text)}
    forms = {*known, *(f"{FORM}{name}" for name in {name.removesuffix("_limited") for name in known} - refused)}
    with psycopg.connect(spread, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        plans = {form: plan_of(connection, known[form]) for form in sorted(forms)}
    reached = {form: set(map(int, NODES_ASKED.findall(plan))) for form, plan in plans.items()}
    assert {form: found for form, found in reached.items() if found - {0, 1}} == {}
    assert sum(found == {1} for found in reached.values()) > 700
    # such rows are copied to a node, which row-level security refuses, but for those that may conflict
    copied = {form for form, plan in plans.items() if "pull to coordinator" in plan}
    assert {form for form in copied if "ON CONFLICT" not in known[form]} == set()


def plan_of(connection, sql):
    """How a coordinator has a query done."""
    names = dict.fromkeys(re.findall(r"%\((\w+)\)s", sql))
    for value in VALUES:
        try:
            plan = connection.execute(f"EXPLAIN (COSTS OFF) {sql}", {**dict.fromkeys(names, value), "tenant": OURS})
        except (psycopg.errors.DataError, psycopg.errors.ProgrammingError):
            if value is None:
                raise
            continue
        return "\n".join(line for (line,) in plan.fetchall())
    raise AssertionError
