"""A PostgreSQL store of every schema that was released is upgraded with all its rows, and answers."""

from contextlib import closing

import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Placeholder

import released
import samples
from indelible.core.context.call import Call
from indelible.core.context.context import context_on
from indelible.core.indexes.embedder import Embedder
from indelible.core.recall import candidates, recall
from indelible.core.records import undo
from indelible.settings import Settings
from indelible.store import named_queries
from indelible.store.postgres.database import open_postgres
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import pending, records
from made_up_meaning import embed_all, with_meaning

pytestmark = [pytest.mark.process, pytest.mark.one_server("has servers or schemas of its own, which are not spread")]

NUMBERED = "record edge event trash change model token activity repository symbol_name".split()


@pytest.fixture(params=released.ALL, ids=lambda store: f"schema {store.schema}")
def old(request):
    return request.param


@pytest.fixture
def rows(old, tmp_path):
    """What is in the stored file: the schemas of the two databases have the same columns."""
    found = released.rows(old.make(tmp_path / "old") / FILE)
    return {table: found[table] for table in found if not table.startswith(("sqlite_", "symbol_gram"))}


@pytest.fixture
def schema(postgres_url, new_schema, old, rows):
    """A PostgreSQL schema that an earlier version made and filled."""
    name = new_schema()
    with psycopg.connect(postgres_url) as connection:
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(name)))
        connection.execute("SELECT set_config('search_path', quote_ident(%s), false)", [name])
        for number, sql in named_queries.migrations("postgres")[: old.schema]:
            connection.execute(sql)
            schema_number = str(number)
        connection.execute("SET session_replication_role = replica")  # the log is copied too, not written anew
        connection.execute("DELETE FROM setting")
        connection.execute("INSERT INTO setting VALUES (0, 'schema', %s)", [schema_number])
        for table, filled in rows.items():
            for row in filled:
                columns, values = SQL(", ").join(map(Identifier, row)), SQL(", ").join(map(Placeholder, row))
                connection.execute(
                    SQL("INSERT INTO {} ({}) VALUES ({})").format(Identifier(table), columns, values), row
                )
        for table in [table for table in NUMBERED if rows.get(table)]:
            query = SQL("SELECT setval(pg_get_serial_sequence({}, {}), {})")
            key = "position" if table == "change" else "id"
            if (table, old.schema >= 9) != ("record", True):
                connection.execute(query.format(table, key, max(row[key] for row in rows[table])))
        if old.schema >= 9:  # which numbers records itself
            connection.execute("INSERT INTO record_number SELECT tenant, max(id) FROM record GROUP BY tenant")
    return name


@pytest.fixture
def db(postgres_url, schema):
    with closing(open_postgres(postgres_url, schema)) as database:
        yield database


@pytest.fixture
def ctx(db, tmp_path):
    """A context on that store, as an engine function takes it."""
    return context_on(db, Settings(data=tmp_path), Embedder(None))


def found(ctx, query, k=10):
    return [hit.record.text for hit in recall.recall(ctx, candidates.Query(query, k))]


@pytest.mark.sweep(3)
def test_every_row_is_there_after_the_upgrade(db, rows, old):
    rows = released.with_code_apart(rows) if old.schema < 7 else rows
    with db.read() as tx:
        for table, before in rows.items():
            columns = SQL(", ").join(map(Identifier, before[0])) if before else SQL("*")
            after = tx.connection.execute(SQL("SELECT {} FROM {}").format(columns, Identifier(table))).fetchall()
            wanted = [tuple(row.values()) for row in before]
            if table == "trash":
                wanted, after = _without_marks(before, wanted), _without_marks(before, after)
            assert set(wanted) <= {tuple(row) for row in after}, table
            # of which there are the schema's number here, and when the history begins
            new = {"schema", "history begins"} - {row.get("name") for row in before} if table == "setting" else ()
            assert len(after) == len(before) + len(new), table
    assert db.check() == []


def _without_marks(rows, found):
    """Rows of the trash without what later schemas write into them, of changes that are there."""
    names = [name for name in rows[0] if name != "revision"]
    told = [dict(zip(rows[0], row, strict=True)) for row in found]
    return [tuple(row[name] if name != "body" else released.before_notes(row[name]) for name in names) for row in told]


@pytest.mark.sweep(3)
def test_new_records_are_numbered_above_all_that_were_there(ctx, rows):
    added = samples.record("new")
    assert ctx.store.write(lambda tx: records.insert(tx, added)) == max(row["id"] for row in rows["record"]) + 1


@pytest.mark.sweep(3)
def test_all_is_found_by_words_at_once_and_waits_to_be_found_by_meaning(old, ctx, rows):
    texts = [row["text"] for row in rows["record"] if row["kind"] not in ("document", "file", "symbol") and row["text"]]
    waiting = len(texts) + sum(row["kind"] == "symbol" for row in rows["record"])
    with ctx.store.read() as tx:
        assert pending.count(tx) == waiting or old.schema > 1
        assert pending.forgotten(tx) == 0
    twins = released.twins(rows["record"])
    shown = [row["text"] for row in rows["record"] if row["text"] in texts and row["key"] not in twins]
    assert all(text in found(ctx, text, 2) for text in shown)
    warm = with_meaning(ctx)
    embed_all(warm)
    with ctx.store.read() as tx:
        assert pending.count(tx) == 0
    assert all(text in found(warm, text, 2) for text in shown)


@pytest.mark.sweep(3)
def test_what_the_earlier_version_discarded_can_be_brought_back(ctx, rows):
    deleted = [thing for thing in rows["trash"] if thing["action"] == "delete" and not thing["undone"]]
    assert deleted
    for thing in deleted:
        done = undo.undo(ctx.for_call(Call(tool="undo")), thing["operation"])
        assert done["restored"] == [thing["key"]]
        text, _ = released.discarded(rows, thing)
        assert found(ctx, text, 1) == [text]
