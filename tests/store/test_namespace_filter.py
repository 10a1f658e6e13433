"""A store that is limited to namespaces: what lies outside is not there, for no statement, on both databases."""

import re
from contextlib import closing

import pytest
from test_query_plans import HOT

import apart
from indelible.core.context.context import Context
from indelible.core.context.write_behind import WriteBehind
from indelible.core.indexes.embedder import Embedder
from indelible.core.indexes.graph_scores import GraphScores
from indelible.core.indexes.record_index import Index
from indelible.errors import Forbidden
from indelible.settings import Settings
from indelible.store import named_queries
from indelible.store.namespace_filter import FORM, HANG_ON, PLACING, LimitedStore, limited_sql
from indelible.store.sqlite.connection import connect
from indelible.store.sqlite.opening import open_sqlite
from indelible.store.tables import edges, records, settings, terms, tokens, trash
from indelible.store.views import chunk_links
from samples import TENANT, edge, keep, link, record

DIALECTS = ("sqlite", "postgres")
# What only the store as a whole is asked for: by housekeeping, by the command line, by the caches that all share.
REFUSED = {
    *("applied.trim", "changes.trim", "events.add", "events.fold", "events.trim", "leases.take", "leases.release"),
    *("pending.add_other_models", "pending.add_forgotten", "projects.add", "projects.join", "settings.put"),
    *("projects.change", "projects.note_answer", "settings.drop"),
    *("terms.block", "terms.blocks", "terms.put_block", "terms.block_sizes", "terms.move_block"),
    "terms.drop_space",
    *(
        "tokens.add",
        "tokens.by_hash",
        "tokens.all",
        "tokens.any",
        "tokens.any_for_some",
        "tokens.revoke",
        "tokens.used",
        "tokens.clear",
    ),
    *("trash.set_body", "trash.mark_undone", "trash.mark_part_undone", "trash.trim"),
    "access.remove",
    *("activity.add", "activity.mark", "activity.move", "activity.remove_in", "activity.trim", "activity.trim_first"),
    "code_links.indexing",
    *("purge.drop_trash", "purge.fold_events", "purge.drop_events", "purge.drop_days", "purge.drop_answers"),
    *("purge.drop_activity", "purge.drop_aliases", "purge.drop_blocks"),
    *(name for name in named_queries.load("sqlite") if name.startswith("soundness.")),
    *("secrets.put_event", "secrets.put_trash", "secrets.put_answer", "secrets.put_activity"),
    *("secrets.token_after", "secrets.put_token"),
}
OWN_TABLES = (
    *("record", "edge", "embedding", "terms", "access", "pending", "trash", "event", "event_day", "activity"),
    *("repository", "source_file", "symbol"),
)


def limited(db, *namespaces):
    return LimitedStore(db, frozenset(namespaces), "tok_a")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_query_has_a_limited_form_or_is_refused(dialect):
    known = named_queries.load(dialect)
    refused = set()
    for name in [name for name in known if not name.endswith("_limited")]:
        try:
            text = known[FORM + name]
        except Forbidden:
            refused.add(name)
            continue
        if f"{name}_limited" in known:
            continue
        body = re.sub(r"^WITH .*?\n(?!limited_)", "", text, flags=re.DOTALL)
        for table in OWN_TABLES:
            assert not re.search(rf"\b(FROM|JOIN) {table}\b(?! WHERE EXISTS)", body, re.IGNORECASE), (name, table)
    assert refused == REFUSED


def test_new_rows_of_records_and_of_what_hangs_on_them_come_by_the_queries_that_are_checked():
    texts = named_queries.load("sqlite")
    row = r"(--.*\n)*INSERT INTO (record|edge|terms|embedding|trash|repository|source_file|symbol)\b[^()]*\([^()]*\)"
    given = r"\s+(VALUES|SELECT (value|:tenant|:record))"
    inserting = {n.removeprefix(FORM) for n, sql in texts.items() if re.match(row + given, sql)}
    assert inserting | {"symbols.change"} == {*PLACING, *HANG_ON}


def test_every_limited_form_is_one_that_the_database_understands(db):
    known = named_queries.load(db.dialect)
    names = {name.removesuffix("_limited") for name in known} - REFUSED
    with db.read() as tx:
        for name in sorted(names):
            sql = known[FORM + name]
            given = dict.fromkeys(re.findall(r"(?<![:\w])[:(]([a-z_]+)\b", sql))
            tx.connection.execute("EXPLAIN " + sql, given).fetchall()


def test_a_limited_form_goes_the_way_of_the_whole_one(tmp_path):
    """In SQLite, which would else walk all rows of a namespace, or make the limited tables whole."""
    open_sqlite(tmp_path / "data").close()
    connection = connect(tmp_path / "data" / "indelible.db")
    known = named_queries.load("sqlite")

    def steps(sql):
        given = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z_]+)\b", sql))
        plan = [str(row[3]) for row in connection.execute("EXPLAIN QUERY PLAN " + sql, given)]
        return [re.sub(r"\b(of_it|limited_)", "", step) for step in plan if not step.startswith(("SCAN json", "LIST"))]

    for name in HOT:
        if name not in REFUSED and f"{name}_limited" not in known:
            found = steps(known[FORM + name])
            assert not any(step.startswith(("MATERIALIZE", "CO-ROUTINE")) for step in found), (name, found)
            whole = [step for step in steps(known[name]) if step.startswith("SCAN")]
            assert len([step for step in found if step.startswith("SCAN")]) == len(whole), (name, found)
    connection.close()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM record INDEXED BY record_key WHERE tenant = :tenant",
        "SELECT id FROM record NOT INDEXED",
        "SELECT r.id FROM record r",
        "SELECT r.id FROM record AS r INDEXED BY record_key",
        "SELECT a.id FROM record AS a, record AS b",
        "SELECT record.id FROM json_each(:ids) AS wanted, record",
        "SELECT id FROM json_each(:ids) AS wanted JOIN edge ON edge.id = wanted.value, record",
        "SELECT id FROM (record JOIN edge ON edge.source = record.id)",
        "SELECT id FROM main.record",
        'SELECT id FROM "record"',
        "SELECT id FROM Record",
        "select id from record",
        "SELECT id FROM ONLY record",
        "TABLE record",
        "DELETE FROM record USING edge WHERE edge.source = record.id",
        "DELETE FROM main.record WHERE id = :id",
        "DELETE FROM record WHERE id = :id ORDER BY id LIMIT 1",
        "INSERT OR REPLACE INTO record (id) VALUES (:id)",
        "REPLACE INTO record (id) VALUES (:id)",
        "UPDATE OR IGNORE record SET text = '' WHERE id = :id",
        "UPDATE Record SET text = '' WHERE id = :id",
        "WITH gone AS (DELETE FROM edge WHERE id = :id RETURNING source) DELETE FROM record WHERE id = :id",
    ],
)
def test_a_query_of_a_shape_that_no_form_can_be_made_of_is_refused(sql):
    for dialect in DIALECTS:
        with pytest.raises(ValueError, match="no limited form can be made"):
            limited_sql(sql, dialect)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE record SET text = 'x' WHERE id = :a OR id = :b -- whichever",
        "UPDATE record SET text = (SELECT 'x' FROM edge WHERE edge.id = :none OR 1 = 1)\nWHERE\n  id = :a OR id = :b",
        "DELETE FROM record WHERE id = :a OR id = :b",
        "DELETE FROM record\nWHERE id = :a OR id = :b RETURNING id",
    ],
)
def test_a_change_reaches_nothing_elsewhere_however_its_condition_is_written(tmp_path, sql):
    with closing(open_sqlite(tmp_path / "data")) as db:
        a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
        link(db, edge(a.id, a.id), edge(b.id, b.id))
    connection = connect(tmp_path / "data" / "indelible.db")
    given = {"a": a.id, "b": b.id, "none": 0, "granted": '["/a"]', "caller": ""}
    connection.execute(limited_sql(sql, "sqlite"), given).fetchall()
    left = connection.execute("SELECT key, text FROM record ORDER BY key").fetchall()
    connection.close()
    assert left in ([("b", "text of b")], [("a", "x"), ("b", "text of b")])


def test_what_is_elsewhere_is_not_there(db):
    a, b, none = keep(db, record("a", namespace="/a"), record("b", namespace="/b"), record("none"))
    link(db, edge(a.id, b.id), edge(none.id, a.id), edge(a.id, a.id, "IS"))
    with limited(db, "/a").read() as tx:
        assert records.by_ids(tx, TENANT, [a.id, b.id, none.id]).keys() == {a.id}
        assert records.by_key(tx, TENANT, "b") == []
        assert records.namespaces(tx, TENANT) == ["/a"]
        assert records.count_by_kind(tx, TENANT) == {"memory": 1}
        assert [each.relation for each in edges.of_records(tx, TENANT, [a.id, b.id])] == ["IS"]
        assert edges.count_by_relation(tx, TENANT) == {"IS": 1}
    with limited(db, "/a", "/b").read() as tx:
        assert records.namespaces(tx, TENANT) == ["/a", "/b"]
        assert len(edges.of_records(tx, TENANT, [a.id])) == 2
    with limited(db).read() as tx:
        assert records.namespaces(tx, TENANT) == []


def test_chunks_of_elsewhere_are_unknown(db):
    keep(db, record("7", kind="chunk", namespace="/a"), record("8", kind="chunk", namespace="/b"))
    with limited(db, "/a").read() as tx:
        assert chunk_links.chunks(tx, TENANT, [7, 8]).keys() == {7}


def test_what_is_elsewhere_cannot_be_changed_or_made(db):
    a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
    own = limited(db, "/a")
    assert own.write(lambda tx: records.delete(tx, TENANT, b.id)) == 0
    assert own.write(lambda tx: records.delete_many(tx, TENANT, [b.id])) == 0
    own.write(lambda tx: records.set_replaced(tx, TENANT, b.id, True))
    for work in (
        lambda tx: records.insert(tx, record("new", namespace="/b")),
        lambda tx: records.insert(tx, record("new")),
        lambda tx: edges.put(tx, TENANT, edge(a.id, b.id)),
        lambda tx: edges.add(tx, TENANT, edge(b.id, a.id)),
        lambda tx: terms.put(tx, TENANT, b.id, {1: 1}),
        lambda tx: trash.add(tx, TENANT, trash.Discarded("op_1", "test", "delete", b.id, "b", {}, 1)),
        lambda tx: settings.put(tx, TENANT, "x", "y"),
        lambda tx: tokens.everything(tx, TENANT),
        lambda tx: tokens.revoke(tx, TENANT, "tok_b", 1),
    ):
        with pytest.raises(Forbidden):
            own.write(work)
    assert own.write(lambda tx: records.insert(tx, record("new", namespace="/a")))
    with db.read() as tx:
        assert records.by_ids(tx, TENANT, [b.id])[b.id].replaced is False
        assert edges.of_records(tx, TENANT, [a.id, b.id]) == []


def test_a_record_that_another_namespace_replaces_stays_replaced(db):
    a, b, c = keep(db, record("a", namespace="/a"), record("b", namespace="/b"), record("c", namespace="/a"))
    link(db, edge(a.id, b.id, "EVOLVED_INTO"), edge(a.id, c.id, "EVOLVED_INTO"))
    limited(db, "/a").write(lambda tx: records.delete(tx, TENANT, c.id))
    limited(db, "/a").write(lambda tx: records.set_replaced(tx, TENANT, a.id, False))
    with db.read() as tx:
        assert records.by_ids(tx, TENANT, [a.id])[a.id].replaced is True


def context(db, tmp_path, clock):
    return Context(
        store=db,
        settings=Settings(data=tmp_path),
        location=None,
        index=Index(),
        graph_scores=GraphScores(),
        write_behind=WriteBehind(db),
        embedder=Embedder(None),
        clock=clock,
    )


@pytest.mark.process
def test_in_postgresql_too_every_tool_answers_as_if_nothing_else_were_stored(
    open_pg, tmp_path, postgres_url, new_schema
):
    from indelible.store.postgres.database import open_postgres

    clocks = apart.Clock(), apart.Clock()
    among = apart.among_others(context(open_pg(), tmp_path, clocks[0]), clocks[0])
    second = open_postgres(postgres_url, new_schema())
    try:
        alone = apart.only_beta(context(second, tmp_path, clocks[1]), clocks[1])
        few = [call for at, call in enumerate(apart.reads(among.ids, among.foreign)) if at % 4 == 0]
        assert apart.differing((alone, among), [*few, *apart.writes(among.ids, among.foreign)]) == []
    finally:
        second.close()
