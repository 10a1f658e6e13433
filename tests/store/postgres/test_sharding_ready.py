"""The tenant is in every key, index and query of PostgreSQL, so that tables can be spread over servers by it."""

import psycopg
import pytest

import tenant_rows
from indelible.errors import Forbidden
from indelible.store import named_queries
from indelible.store.namespace_filter import FORM
from tenant_conditions import unnamed

pytestmark = [pytest.mark.process, pytest.mark.one_server("has servers or schemas of its own, which are not spread")]

SCHEMA = "sharding"
KEYS = """SELECT i.indexrelid::regclass::text, i.indisprimary, array_agg(a.attname::text ORDER BY k.place)
  FROM pg_index AS i CROSS JOIN unnest(i.indkey[0:i.indnkeyatts - 1]) WITH ORDINALITY AS k (number, place)
  LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
  WHERE i.indrelid = ANY (SELECT oid FROM pg_class WHERE relnamespace = %s::regnamespace) GROUP BY 1, 2"""
REFERENCES = """SELECT c.conname, array_agg(own.attname::text ORDER BY k.place),
    array_agg(far.attname::text ORDER BY k.place)
  FROM pg_constraint AS c CROSS JOIN unnest(c.conkey, c.confkey) WITH ORDINALITY AS k (own, far, place)
  JOIN pg_attribute AS own ON own.attrelid = c.conrelid AND own.attnum = k.own
  JOIN pg_attribute AS far ON far.attrelid = c.confrelid AND far.attnum = k.far
  WHERE c.contype = 'f' AND c.connamespace = %s::regnamespace GROUP BY c.oid, c.conname"""
TABLES = """SELECT c.relname::text, a.attnotnull, c.relrowsecurity, c.relforcerowsecurity
  FROM pg_class AS c LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant'
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = %s::regnamespace"""
TRIGGERS = """SELECT proname::text, prosrc FROM pg_proc
  WHERE pronamespace = %s::regnamespace AND prorettype = 'trigger'::regtype"""


@pytest.fixture(scope="module")
def catalog(postgres_url):
    tenant_rows.store(postgres_url, SCHEMA)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield lambda sql: connection.execute(sql, [SCHEMA]).fetchall()


@pytest.fixture(scope="module")
def tables(catalog):
    return frozenset(name for name, *_ in catalog(TABLES))


def forms():
    """Every named query as PostgreSQL gets it, and the form of it for who is limited to namespaces."""
    known = named_queries.load("postgres")
    for name in list(known):
        yield name, known[name]
        try:
            if not name.endswith("_limited"):
                yield FORM + name, known[FORM + name]
        except Forbidden:
            continue


def test_every_table_has_a_tenant_and_hides_the_rows_of_the_others_even_from_its_owner(catalog):
    found = catalog(TABLES)
    assert len(found) > 20
    assert [row for row in found if row[1:] != (True, True, True)] == []


def test_every_key_and_index_begins_with_the_tenant(catalog):
    found = catalog(KEYS)
    assert sum(primary for _, primary, *_ in found) == len(catalog(TABLES))
    assert [(index, columns) for index, _, columns in found if columns[0] != "tenant"] == []


def test_every_reference_stays_within_a_tenant(catalog):
    found = catalog(REFERENCES)
    assert len(found) > 10
    assert [row for row in found if ("tenant", "tenant") not in zip(row[1], row[2], strict=True)] == []


def test_no_index_is_of_an_expression(catalog):
    """Where rows are hidden, it would serve no query: most functions could tell of a hidden row."""
    assert [index for index, _, columns in catalog(KEYS) if None in columns] == []


def test_every_query_names_the_tenant_of_every_table_in_it(tables):
    # the epoch is a fact of the whole store, in a row that every tenant reads
    found = {name: unnamed(sql.replace("setting WHERE tenant = 0", "epoch"), tables) for name, sql in forms()}
    assert len(found) > 600
    assert {name: missing for name, missing in found.items() if missing} == {}


def test_what_the_triggers_do_names_the_tenant(catalog, tables):
    bodies = catalog(TRIGGERS)
    assert {name for name, _ in bodies} >= {"record_change", "edge_change", "record_to_embed", "symbol_name_left"}
    for name, body in bodies:
        statements = [one.strip() for one in body.replace("THEN", ";").replace("BEGIN", ";").split(";")]
        changing = [one for one in statements if one.startswith(("DELETE", "INSERT", "UPDATE"))]
        assert changing, name
        assert [(name, one) for one in changing if unnamed(one, tables)] == []


@pytest.mark.parametrize(
    ("sql", "missing"),
    [
        ("SELECT id FROM record WHERE id = %(id)s", ["record"]),
        ("SELECT id FROM record WHERE tenant = 1", ["record"]),
        ("SELECT id FROM record AS a WHERE a.tenant = %(tenant)s", []),
        ("SELECT 1 FROM edge JOIN record ON record.id = edge.source WHERE edge.tenant = %(tenant)s", ["record"]),
        ("SELECT 1 FROM edge JOIN record ON record.tenant = edge.tenant WHERE tenant = %(tenant)s", ["edge", "record"]),
        ("SELECT 1 FROM edge JOIN record ON record.tenant = edge.tenant WHERE edge.tenant = %(tenant)s", []),
        ("SELECT 1 FROM record WHERE tenant = %(tenant)s AND EXISTS (SELECT 1 FROM edge WHERE source = 1)", ["edge"]),
        ("SELECT 1 FROM record WHERE tenant = %(tenant)s UNION SELECT 1 FROM edge", ["edge"]),
        ("DELETE FROM record WHERE id IN (SELECT record FROM access WHERE tenant = %(tenant)s)", ["record"]),
        ("UPDATE record SET key = '' WHERE tenant = %(tenant)s", []),
        ("INSERT INTO record (id) VALUES (%(tenant)s)", ["INSERT"]),
        ("INSERT INTO lease (tenant, name) VALUES (1, 2) ON CONFLICT (name) DO NOTHING", ["ON CONFLICT"]),
    ],
)
def test_a_query_that_forgets_a_tenant_is_found(tables, sql, missing):
    assert unnamed(sql, tables) == missing
