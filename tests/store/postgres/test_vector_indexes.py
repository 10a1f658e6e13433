"""Nearest vectors by pgvector's index: nearly all, at once, within the filters and the tenant."""

import itertools
from contextlib import closing
from dataclasses import replace
from importlib.resources import files

import numpy as np
import psycopg
import pytest

import many_vectors
import on_postgres
import tenant_rows
from indelible.admin import upgrade
from indelible.admin.maintenance import NeighborUpkeep
from indelible.core.context.context import open_context
from indelible.core.indexes import record_index as searched
from indelible.core.indexes.embedder import Embedder
from indelible.core.recall.candidates import Query, searching
from indelible.core.recall.recall import recall
from indelible.search.index.vectors import pack
from indelible.search.retrieval import Filters
from indelible.settings import Settings
from indelible.store import named_queries
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.migrate import upgrade_postgres
from indelible.store.postgres.server import Server
from indelible.store.postgres.vector_indexes import NeighborIndexes
from indelible.store.tables import embeddings
from indelible.store.views import nearest_vectors
from many_vectors import ASKING, MODEL, Asked, fill

pytestmark = [pytest.mark.process, pytest.mark.one_server("has servers or schemas of its own, which are not spread")]

FEW = 1300  # records, where a small index is enough to tell
ASKED = many_vectors.vectors(40, seed=9)
NUMBERS = itertools.count(101)


def as_administrator(url, user, statement):
    with psycopg.connect(url.replace(f"//{on_postgres.ROLE}@", f"//{user}@"), autocommit=True) as connection:
        connection.execute(statement)


@pytest.fixture(scope="module")
def url(administrator):
    """A database with the extension."""
    url = on_postgres.database(administrator)
    as_administrator(url, "postgres:", "CREATE EXTENSION vector")
    return url


@pytest.fixture
def indexes(url):
    return NeighborIndexes(Server.of(url, "public", 30.0), fewest=1000)


@pytest.fixture
def open_tenant(url, tmp_path, monkeypatch):
    """Contexts of one new tenant, each as another process would have it."""
    monkeypatch.setattr(searched, "FEWEST", 500)
    tenant, opened = next(NUMBERS), []

    def open_it(tenant=tenant):
        given = {"INDELIBLE_DATABASE": url, "INDELIBLE_TENANT": str(tenant), "INDELIBLE_ENCODER": "off"}
        ctx = open_context(Settings.load(str(tmp_path / f"data{len(opened)}"), environ=given))
        opened.append(ctx)
        return replace(ctx, embedder=Embedder(Asked(ASKED)))

    yield open_it
    for ctx in opened:
        ctx.close()


def by_the_index(ctx):
    with ctx.store.read() as tx, ctx.indexes.records.current(tx, MODEL) as caches:
        assert (caches.meaning.database_index is None) != (caches.meaning.vectors is None)
        return caches.meaning.database_index is not None


def nearest(ctx, number, count=200, **filters):
    with ctx.store.read() as tx, searching(ctx, tx, Query(f"x {ASKING + number}", 10, **filters), "", count) as search:
        found, whole = search._meaning.nearest(count)
        return found.tolist(), whole


def keys(ctx, number, **filters):
    return [
        hit.record.key for hit in recall(ctx, Query(f"what is {ASKING + number}", 10, relevance_only=True, **filters))
    ]


def shared(rows, found, number, passing):
    """What share of the ten nearest that pass was found."""
    ids = np.array(passing)
    near = rows[ids - 1].astype(np.float16).astype(np.float32) @ ASKED[number]
    best = ids[np.argsort(-near)[:10]].tolist()
    return len(set(best) & set(found)) / len(best)


def test_an_index_is_made_of_a_large_tenant_and_finds_nearly_all_of_the_nearest(open_tenant, indexes):
    rows, ctx = many_vectors.vectors(FEW), open_tenant()
    fill(ctx.store, rows)
    assert not by_the_index(ctx)
    assert indexes.keep(ctx.store.tenant) == [f"index neighbors_{ctx.store.tenant}_{_model(ctx)}_0 is made"]
    assert indexes.keep(ctx.store.tenant) == []
    for each in (ctx, open_tenant()):
        assert by_the_index(each)
        given = [[int(key.split()[1]) for key in keys(each, number)] for number in range(20)]
        assert np.mean([shared(rows, given[n], n, range(1, FEW + 1)) for n in range(20)]) >= 0.98
    for filters, passing in _filters(FEW):
        found = [nearest(ctx, number, **filters)[0] for number in range(20)]
        share = np.mean([shared(rows, found[number], number, passing) for number in range(20)])
        assert share >= 0.98, filters


def _filters(count):
    every = range(1, count + 1)
    named = ("/half", "/few")
    yield {}, every
    for name in named:
        yield {"namespace": name}, [record for record in every if many_vectors.namespace_of(record) == name]
    yield {"among": frozenset({5, 6, 77})}, [5, 6, 77]


def _model(ctx):
    with ctx.store.read() as tx:
        return embeddings.model(tx, MODEL).number


@pytest.mark.full
def test_a_model_of_other_dimensions_has_an_index_of_its_own(open_tenant, indexes):
    ctx, wide = open_tenant(), many_vectors.unit(np.random.default_rng(5).standard_normal((FEW, 256), np.float32))
    fill(ctx.store, many_vectors.vectors(FEW))
    packed = [(record, *each) for record, each in enumerate(pack(wide), 1)]

    def beside(tx):
        model = embeddings.add_model(tx, "wide", 256).number
        given = {"view": embeddings.VIEWS, "model": model}
        rows = ({"record": record, "vector": vector, "code": code, **given} for record, vector, code in packed)
        tx.run_many("embeddings.add", rows)

    ctx.store.write(beside)
    assert len(indexes.keep(ctx.store.tenant)) == 2
    with ctx.store.read() as tx, ctx.indexes.records.current(tx, "wide") as caches:
        assert caches.meaning.model.dimensions == 256
        assert caches.meaning.database_index is not None
        search = [caches.meaning.nearest(wide[number], caches.words, Filters().mask) for number in range(10)]
        found = [each(1)[0].tolist() for each in search]
        assert sum(each == [number + 1] for number, each in enumerate(found)) >= 8  # the index is built at random
    assert by_the_index(ctx)


def test_what_is_written_and_deleted_is_seen_at_once_by_every_process(open_tenant, indexes):
    one = open_tenant()
    fill(one.store, many_vectors.vectors(FEW))
    indexes.keep(one.store.tenant)
    other = open_tenant()
    assert by_the_index(one)
    assert by_the_index(other)
    for number in range(3):
        record = FEW + 1 + number
        fill(one.store, ASKED[number : number + 1], first=record)
        assert nearest(one, number)[0][0] == nearest(other, number)[0][0] == record
    changed = many_vectors.pack(ASKED[5:6])
    one.store.write(lambda tx: embeddings.put(tx, FEW + 1, _model(one), changed))
    assert nearest(other, 5)[0][0] == FEW + 1
    assert nearest(other, 0)[0][0] != FEW + 1
    other.store.write(lambda tx: tx.run("records.delete_many", ids=f"[{FEW + 2}]"))
    for each in (one, other):
        assert FEW + 2 not in nearest(each, 1)[0]


def test_a_filter_that_few_pass_finds_them_all_and_says_so(open_tenant, indexes):
    ctx = open_tenant()
    fill(ctx.store, many_vectors.vectors(FEW))
    indexes.keep(ctx.store.tenant)
    assert by_the_index(ctx)
    assert nearest(ctx, 1, among=frozenset({3, 4, 5})) == (sorted({3, 4, 5}, key=nearest(ctx, 1, FEW)[0].index), True)
    assert nearest(ctx, 1, among=frozenset()) == ([], True)
    found, whole = nearest(ctx, 1, FEW)
    assert (len(set(found)), whole) == (FEW, False)
    assert len(nearest(ctx, 1, FEW + 1)[0]) == FEW
    assert nearest(ctx, 1, FEW + 1)[1]


def test_no_other_tenant_is_found(open_tenant, indexes):
    one, rows = open_tenant(), many_vectors.vectors(FEW)
    other = open_tenant(one.store.tenant + 50)
    fill(one.store, rows)
    fill(other.store, ASKED[:1], first=FEW + 10_000)
    indexes.keep(one.store.tenant)
    assert by_the_index(one)
    assert set(nearest(one, 0, FEW + 1)[0]) == set(range(1, FEW + 1))
    with other.store.read() as tx:
        theirs = embeddings.Model(_model(one), many_vectors.DIMENSIONS)
        assert nearest_vectors.nearest(tx, theirs, ASKED[0].tolist(), 10, code=False) == []
        assert nearest_vectors.nearest(tx, theirs, ASKED[0].tolist(), 10, code=False, among=[1, 2]) == []


@pytest.mark.full
def test_the_index_serves_the_query_where_rows_are_hidden(open_tenant, indexes, url):
    ctx = open_tenant()
    fill(ctx.store, many_vectors.vectors(FEW))
    indexes.keep(ctx.store.tenant)
    name = f"neighbors_{ctx.store.tenant}_{_model(ctx)}_0"
    as_administrator(url, "postgres:", "SELECT pg_stat_reset()")
    for number in range(8):  # after some times a statement may get one plan for all values
        nearest(ctx, number)
    ctx.close()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT pg_stat_clear_snapshot()")
        used = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = %s"
        assert connection.execute(used, [name]).fetchall() == [(8,)]


def test_the_records_that_pass_are_looked_up_in_a_table_made_once_for_a_query(open_tenant, indexes, url):
    ctx = open_tenant()
    fill(ctx.store, many_vectors.vectors(FEW))
    indexes.keep(ctx.store.tenant)
    among = f"{{{','.join(map(str, range(1, FEW)))}}}"
    given = f"{ctx.store.tenant}, {_model(ctx)}, 0, {many_vectors.DIMENSIONS}, '{ASKED[0].tolist()}', 10, '{among}'"
    said = []
    with psycopg.connect(url.replace(f"//{on_postgres.ROLE}@", "//postgres:@")) as connection:
        connection.add_notice_handler(lambda notice: said.append(notice.message_primary))
        connection.execute("LOAD 'auto_explain'")
        for setting in ("log_min_duration = 0", "log_nested_statements = on"):
            connection.execute(f"SET auto_explain.{setting}")
        connection.execute("SET client_min_messages = log")
        assert len(connection.execute(f"SELECT nearest_embeddings({given})").fetchall()) == 10
    (plan,) = (text for text in said if text and "LIMIT 10" in text)
    # of constants the server makes a table; what it must work out, it works out and searches for each row
    assert "record = ANY ('{1,2,3," in plan
    assert "ANY (($" not in plan


@pytest.mark.full
def test_an_index_that_is_no_longer_due_is_let_go(open_tenant, indexes):
    ctx = open_tenant()
    fill(ctx.store, many_vectors.vectors(FEW))
    indexes.keep(ctx.store.tenant)
    assert by_the_index(ctx)
    gone = str(list(range(1, FEW - 400)))
    ctx.store.write(lambda tx: tx.run("records.delete_many", ids=gone))
    (said,) = indexes.keep(ctx.store.tenant)
    assert "is gone" in said
    fill(ctx.store, many_vectors.vectors(200, seed=3), first=FEW + 1)
    assert not by_the_index(ctx)
    assert len(nearest(ctx, 1, FEW)[0]) == 401 + 200


def test_a_half_made_index_is_made_again(open_tenant, indexes, url):
    ctx = open_tenant()
    fill(ctx.store, many_vectors.vectors(FEW))
    indexes.keep(ctx.store.tenant)
    name = f"neighbors_{ctx.store.tenant}_{_model(ctx)}_0"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"ALTER INDEX {name} RENAME TO {name}_half_made")
    assert not by_the_index(ctx)
    assert indexes.keep(ctx.store.tenant) == [f"index {name} is made"]
    assert by_the_index(ctx)


@pytest.mark.full
def test_two_stores_of_one_database_have_indexes_of_their_own(open_tenant, indexes, url):
    ctx, rows = open_tenant(), many_vectors.vectors(FEW)
    fill(ctx.store, rows)
    indexes.keep(ctx.store.tenant)
    with psycopg.connect(url) as connection:
        connection.execute("CREATE SCHEMA beside")
    with closing(open_postgres(url, "beside")) as store:
        fill(store, rows)
    made = NeighborIndexes(Server.of(url, "beside", 30.0), fewest=1000).keep()
    assert made == ["index neighbors_1_1_0 is made"]
    assert by_the_index(ctx)
    fill(ctx.store, ASKED[:1], first=FEW + 1)
    assert nearest(ctx, 0)[0][0] == FEW + 1


@pytest.mark.full
def test_an_upgrade_lets_go_of_the_indexes_of_schema_8_and_they_are_made_anew(url):
    schema = "eighth"
    with psycopg.connect(url) as connection:
        connection.execute(f"CREATE SCHEMA {schema}; SET search_path = {schema}, public")
        for _, sql in named_queries.migrations("postgres")[:8]:
            connection.execute(sql)
        connection.execute("INSERT INTO setting VALUES (0, 'schema', '8')")
        connection.execute((files("indelible.store") / "migrations" / "pgvector.sql").read_text())
        connection.execute(
            "CREATE INDEX neighbors_1_1_0 ON embedding_neighbor USING hnsw ((vector::halfvec(3)) halfvec_ip_ops)"
        )
    upgrade_postgres(url, schema)
    made = "SELECT indexdef FROM pg_indexes WHERE schemaname = %s AND indexname LIKE 'neighbors%%'"
    with psycopg.connect(url) as connection:
        assert connection.execute(made, [schema]).fetchall() == []
    with closing(open_postgres(url, schema)) as store:
        fill(store, many_vectors.vectors(200))
    indexes = NeighborIndexes(Server.of(url, schema, 30.0), fewest=50)
    assert indexes.keep() == ["index neighbors_1_1_0 is made"]
    with psycopg.connect(url) as connection:
        ((definition,),) = connection.execute(made, [schema]).fetchall()
    assert "ef_construction='200'" in definition


@pytest.mark.full
def test_symbols_have_an_index_of_their_own(open_tenant, indexes):
    ctx = open_tenant()
    fill(ctx.store, many_vectors.vectors(FEW), kind="symbol")
    fill(ctx.store, many_vectors.vectors(300), first=FEW + 1)
    assert indexes.keep(ctx.store.tenant) == [f"index neighbors_{ctx.store.tenant}_{_model(ctx)}_1 is made"]
    fill(ctx.store, ASKED[:1], first=FEW + 301)
    fill(ctx.store, ASKED[:1], first=FEW + 302, kind="symbol")
    assert not by_the_index(ctx)
    assert FEW + 301 in nearest(ctx, 0)[0]
    symbols = nearest(ctx, 0, kinds=("symbol",))[0]
    assert symbols[0] == FEW + 302
    assert FEW + 301 not in symbols


def test_a_record_of_several_windows_is_found_by_the_nearest_of_them(open_tenant, indexes):
    ctx = open_tenant()
    fill(ctx.store, many_vectors.vectors(FEW))
    indexes.keep(ctx.store.tenant)
    views = many_vectors.pack(np.stack([ASKED[3], ASKED[4], -ASKED[3]]))
    ctx.store.write(lambda tx: embeddings.put(tx, 9, _model(ctx), views))
    assert nearest(ctx, 3)[0][0] == nearest(ctx, 4)[0][0] == 9
    assert nearest(ctx, 3, FEW + 2)[0].count(9) == 3


def test_all_that_pgvector_needs_hides_the_rows_of_other_tenants(url, open_tenant, indexes):
    open_tenant()
    indexes.keep(1)
    with psycopg.connect(url, autocommit=True) as connection:
        hidden = "SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class WHERE relname = ANY (%s)"
        hidden += " AND relnamespace = current_schema()::regnamespace"
        tables = ["embedding_neighbor", "neighbor_partition"]
        found = connection.execute(hidden, [tables]).fetchall()
        assert sorted(found) == [(name, True, True) for name in tables]
        for table in tables:
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)]


def test_a_role_that_only_serves_uses_what_the_owner_made(administrator):
    url = on_postgres.database(administrator)
    own, serve = tenant_rows.roles(url.replace(f"//{on_postgres.ROLE}@", "//postgres:@"))
    as_administrator(url, "postgres:", "CREATE EXTENSION vector")
    upgrade_postgres(own, "shared", tenant_rows.SERVICE)
    assert NeighborIndexes(Server.of(serve, "shared", 30.0), fewest=50).keep(1) == []
    with closing(open_postgres(serve, "shared", tenant=7)) as store:
        fill(store, many_vectors.vectors(100))
        assert NeighborIndexes(Server.of(serve, "shared", 30.0), fewest=50).keep(7) == []
        assert NeighborIndexes(Server.of(own, "shared", 30.0), fewest=50).keep() == ["index neighbors_7_1_0 is made"]
        fill(store, ASKED[:1], first=101)
        with store.read() as tx:
            model = embeddings.model(tx, MODEL)
            assert nearest_vectors.whole(tx, model, code=False)
            assert nearest_vectors.nearest(tx, model, ASKED[0].tolist(), 5, code=False)[0] == 101


def test_without_the_extension_all_is_as_before(administrator):
    url = on_postgres.database(administrator)
    with closing(open_postgres(url)) as store:
        fill(store, many_vectors.vectors(100))
        assert NeighborIndexes(Server.of(url, "public", 30.0), fewest=50).keep() == []
        with store.read() as tx:
            model = embeddings.model(tx, MODEL)
            assert not nearest_vectors.whole(tx, model, code=False)
            assert nearest_vectors.nearest(tx, model, ASKED[0].tolist(), 10, code=False) == []


def test_the_extension_may_be_dropped_and_come_back(administrator):
    url = on_postgres.database(administrator)
    as_administrator(url, "postgres:", "CREATE EXTENSION vector")
    upkeep = NeighborIndexes(Server.of(url, "public", 30.0), fewest=50)
    with closing(open_postgres(url)) as store:
        fill(store, many_vectors.vectors(100))
        assert len(upkeep.keep()) == 1
        as_administrator(url, "postgres:", "DROP EXTENSION vector CASCADE")
        fill(store, many_vectors.vectors(100), first=101)
        with store.read() as tx:
            model = embeddings.model(tx, MODEL)
            assert not nearest_vectors.whole(tx, model, code=False)
        as_administrator(url, "postgres:", "CREATE EXTENSION vector")
        assert len(upkeep.keep()) == 1
        with store.read() as tx:
            assert len(nearest_vectors.nearest(tx, model, ASKED[0].tolist(), 300, code=False)) == 200


@pytest.mark.full
@pytest.mark.full
def test_with_twenty_thousand_vectors_recall_goes_over_to_the_index_by_itself(administrator, tmp_path):
    url, rows = on_postgres.database(administrator), many_vectors.vectors(20_000)
    as_administrator(url, "postgres:", "CREATE EXTENSION vector")
    settings = Settings.load(str(tmp_path), environ={"INDELIBLE_DATABASE": url, "INDELIBLE_ENCODER": "off"})
    with closing(open_context(settings)) as opened:
        ctx = replace(opened, embedder=Embedder(Asked(ASKED)))
        fill(ctx.store, rows[:-1])
        NeighborUpkeep(ctx).run()
        assert not by_the_index(ctx)
        fill(ctx.store, rows[-1:], first=20_000)
        assert upgrade.upgrade(settings) == ["index neighbors_1_1_0 is made"]
        assert by_the_index(ctx)
        every = range(1, 20_001)
        for filters in ({}, {"namespace": "/half"}, {"namespace": "/few"}, {"namespace": "/smallest"}):
            name = filters.get("namespace")
            passing = [record for record in every if name in (None, many_vectors.namespace_of(record))]
            shares = [shared(rows, nearest(ctx, number, **filters)[0], number, passing) for number in range(40)]
            assert np.mean(shares) >= 0.98, name
