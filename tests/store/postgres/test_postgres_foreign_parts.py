"""`check` names triggers, rules, policies and views that somebody put on the tables of a store in PostgreSQL."""

from __future__ import annotations

import psycopg
import pytest

from indelible.store.database import Transaction
from samples import stored

pytestmark = [pytest.mark.process, pytest.mark.one_server("has servers or schemas of its own, which are not spread")]

PUT = {
    "trigger": "CREATE TRIGGER spy AFTER INSERT ON record FOR EACH ROW EXECUTE FUNCTION record_change()",
    "rule": "CREATE RULE spy AS ON DELETE TO record DO INSTEAD NOTHING",
    "policy": "CREATE POLICY spy ON record USING (true)",
    "view": "CREATE VIEW spy AS SELECT text FROM record",
    "materialized view": "CREATE MATERIALIZED VIEW spy AS SELECT text FROM record",
}


def schema_of(tx: Transaction) -> str:
    return str(tx.connection.execute("SELECT current_schema()").fetchall()[0][0])  # type: ignore[attr-defined]


@pytest.fixture
def pg(open_pg):
    return open_pg()


@pytest.fixture
def run(pg, postgres_url):
    """Run a statement as another program does."""
    with pg.read() as tx:
        schema = schema_of(tx)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("SELECT set_config('search_path', quote_ident(%s), false)", [schema])
        yield connection.execute


@pytest.mark.parametrize("kind", PUT)
def test_a_foreign_part_is_named_and_the_store_opens(pg, open_pg, run, kind: str):
    assert pg.check() == []
    run(PUT[kind])
    (found,) = open_pg().check()
    assert f"foreign {kind.removeprefix('materialized ')} " in found
    assert "spy (of record)" in found
    pg.write(lambda tx: stored(tx, "a"))


def test_a_trigger_of_ours_that_is_missing_or_switched_off_is_named(pg, run):
    run("ALTER TABLE record DISABLE TRIGGER record_changed")
    (found,) = pg.check()
    assert "trigger record_changed (of record) switched off" in found
    run("DROP TRIGGER record_changed ON record")
    (found,) = pg.check()
    assert "no trigger record_changed (of record)" in found
