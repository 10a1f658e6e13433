"""A store that is limited to namespaces: what lies outside is not there, for no statement, on both databases."""

import re
from contextlib import closing

import pytest
from test_query_plans import HOT

import apart
import declarations
from indelible.core.context.context import context_on
from indelible.core.indexes.embedder import Embedder
from indelible.errors import Forbidden
from indelible.settings import Settings
from indelible.store import named_queries
from indelible.store.limited_form import FORM
from indelible.store.namespace_filter import LimitedStore
from indelible.store.sqlite.connection import connect
from indelible.store.sqlite.opening import open_sqlite
from indelible.store.tables import edges, records, settings, terms, tokens, trash
from indelible.store.views import chunk_links
from samples import edge, keep, link, record

DIALECTS = ("sqlite", "postgres")
# What only the store as a whole is asked for: by housekeeping, by the command line, by the caches that all share.
REFUSED = {
    *("applied.trim", "changes.trim", "events.add", "events.fold", "events.trim", "leases.take", "leases.release"),
    *(
        "pending.add_compare",
        "pending.add_other_models",
        "pending.add_forgotten",
        "pending.add_link",
        "projects.add",
        "projects.join",
        "settings.put",
    ),
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
        "tokens.expire",
        "tokens.used",
        "tokens.clear",
    ),
    *("trash.set_body", "trash.mark_undone", "trash.mark_part_undone", "trash.trim"),
    "access.remove",
    "usage.months",
    *(f"embeddings.{name}" for name in ("drop_of", "drop_from", "lacking", "lacking_of", "log")),
    *("activity.add", "activity.mark", "activity.move", "activity.remove_in", "activity.trim", "activity.trim_first"),
    "code_links.indexing",
    *("purge.drop_trash", "purge.fold_events", "purge.drop_events", "purge.drop_days", "purge.drop_answers"),
    *("purge.drop_activity", "purge.drop_aliases", "purge.drop_blocks"),
    *(name for name in named_queries.load("sqlite") if name.startswith(("soundness.", "sync."))),
    *("secrets.put_event", "secrets.put_trash", "secrets.put_answer", "secrets.put_activity"),
    *("secrets.token_after", "secrets.put_token", "secrets.put_record_version", "secrets.put_edge_version"),
    *(
        "versions.drop",
        "versions.drop_rows",
        "versions.drop_edges",
        "versions.drop_edges_before",
        "versions.fill",
        "versions.set_text",
    ),
}


def limited(db, *namespaces):
    return LimitedStore(db, frozenset(namespaces), "tok_a")


def texts(dialect):
    """What the files say of each query, but of those beside which stands the one that limited callers get."""
    known = named_queries.load(dialect)
    return {name: text for name, text in known.texts.items() if f"{name}_limited" not in known}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_query_declares_what_a_limited_caller_sees_of_it_or_why_that_is_all(dialect):
    assert {name: found for name, text in texts(dialect).items() if (found := declarations.faults(text))} == {}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_query_gives_a_reason_for_which_there_is_no_need(dialect):
    for name, text in texts(dialect).items():
        assert re.search("^-- whole: ", text, re.MULTILINE) is None or declarations.faults(
            re.sub("^-- whole: .*", "", text, flags=re.MULTILINE)
        ), name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_is_refused_to_limited_callers_is_this(dialect):
    refused = {name for name, text in texts(dialect).items() if "refused" in named_queries.declared(text)}
    assert refused == REFUSED
    for name in refused:
        with pytest.raises(
            Forbidden, match=r"this affects the whole store, as .*; it needs a token that is not limited"
        ):
            named_queries.load(dialect)[FORM + name]


def test_both_dialects_of_a_query_declare_the_same():
    one, other = ({name: named_queries.declared(text) for name, text in texts(dialect).items()} for dialect in DIALECTS)
    assert one == other


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A connection to an empty store in which nothing is read and changed beside a statement."""
    data = tmp_path_factory.mktemp("alone") / "data"
    open_sqlite(data).close()
    with closing(connect(data / "indelible.db")) as connection:
        declarations.bare(connection)
        yield connection


def test_sqlite_itself_finds_no_table_read_whole_where_nothing_says_so(alone):
    known = named_queries.load("sqlite")
    names = [name for name in texts("sqlite").keys() - REFUSED if not name.endswith("_limited")]
    found = {name: declarations.read_whole(alone, known[FORM + name]) for name in names}
    assert {name for name in names if found[name] and "whole" not in named_queries.declared(known.texts[name])} == set()


READ = [
    "SELECT id FROM record WHERE tenant = :tenant",
    "SELECT a.id FROM scoped.record AS a, record AS b WHERE a.tenant = :tenant AND b.tenant = a.tenant",
    "SELECT e.id FROM scoped.edge AS e JOIN record ON record.id = e.source",
    "SELECT e.id FROM scoped.edge AS e LEFT JOIN record r ON r.id = e.source",
    'SELECT e.id FROM scoped.edge AS e CROSS JOIN "record" ON "record".id = e.source',
    "SELECT e.id FROM scoped.edge AS e JOIN main.record ON record.id = e.source",
    "SELECT e.id FROM scoped.edge AS e JOIN Record ON Record.id = e.source",
    "select id from record where id in (select source from scoped.edge)",
    "SELECT id FROM scoped.record WHERE id IN (SELECT source FROM edge WHERE tenant = :tenant)",
    "SELECT e.id FROM (record JOIN scoped.edge AS e ON e.source = record.id)",
    "DELETE FROM edge WHERE scoped(edge) AND source IN (SELECT id FROM record WHERE tenant = :tenant)",
]
CHANGED = [
    "SELECT id FROM ONLY record WHERE id IN (SELECT source FROM scoped.edge)",
    "DELETE FROM record WHERE id = :id",
    "DELETE FROM record WHERE scoped(record) AND id = :a OR id = :b",
    "DELETE FROM record USING edge WHERE scoped(record) AND edge.source = record.id",
    "DELETE FROM main.record WHERE scoped(record) AND id = :id",
    "UPDATE OR IGNORE record SET text = '' WHERE scoped(record) AND id = :id",
    "UPDATE record SET text = (SELECT 'x' FROM scoped.edge WHERE scoped(record) AND edge.id = 1) WHERE id = :id",
    "UPDATE record SET namespace = :namespace WHERE scoped(record) AND id = :id",
    "UPDATE record SET text = 'WHERE scoped(record) AND'",
    "UPDATE setting SET value = '' WHERE tenant = :tenant",
    "-- checks: source\nINSERT INTO edge (tenant, source, target) VALUES (:tenant, :source, :target)",
    "-- checks: record\nINSERT INTO record (tenant, namespace) VALUES (:tenant, :namespace)",
    "INSERT OR REPLACE INTO record (id) VALUES (:id)",
    "REPLACE INTO record (id) VALUES (:id)",
    "INSERT INTO setting (tenant) SELECT tenant FROM scoped.record",
    "WITH gone AS (DELETE FROM edge WHERE id = 1 RETURNING source) DELETE FROM record WHERE scoped(record) AND id = 1",
]


@pytest.mark.parametrize("text", READ + CHANGED)
def test_a_planted_query_that_forgets_a_limit_is_found(text):
    assert declarations.faults(text)


FORMS = {
    "source": r"\bscoped\.(?=[a-z])",
    "change": r"\bscoped\([a-z_]+\)\s+AND\s+",
    "checks": r"^-- checks: .*\n",
    "whole": r"^-- whole: .*\n",
    "refused": r"^-- refused: .*\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_any_declaration_that_is_taken_out_of_any_query_is_missed(dialect, form):
    found = {name: list(re.finditer(FORMS[form], text, re.MULTILINE)) for name, text in texts(dialect).items()}
    assert any(found.values())
    for name, places in found.items():
        text = texts(dialect)[name]
        for place in places:
            assert declarations.faults(text[: place.start()] + text[place.end() :]), (name, place[0])


@pytest.mark.parametrize("text", READ)
def test_sqlite_finds_it_too(alone, text):
    known = named_queries.Queries("sqlite", {"planted": "-- whole: a test\n" + text})
    assert declarations.read_whole(alone, known[FORM + "planted"]) & {"record", "edge"}


def test_a_query_that_declares_nothing_has_no_limited_form():
    known = named_queries.Queries("sqlite", {"planted": "SELECT id FROM record WHERE tenant = :tenant"})
    assert known["planted"]
    with pytest.raises(ValueError, match="does not declare what a limited caller sees of it"):
        known[FORM + "planted"]
    with pytest.raises(KeyError):
        known[FORM + "unknown"]


@pytest.mark.one_server("a coordinator of Citus explains no statement that has parameters")
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
            found, whole = steps(known[FORM + name]), steps(known[name])
            apart = [step for step in found if step.startswith(("MATERIALIZE", "CO-ROUTINE")) and step not in whole]
            assert apart == [], (name, found)
            walks = [step for step in whole if step.startswith("SCAN")]
            assert len([step for step in found if step.startswith("SCAN")]) == len(walks), (name, found)
    connection.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE record SET text = 'x' WHERE scoped(record) AND (id = :a OR id = :b)",
        "UPDATE record SET text = (SELECT 'x' FROM scoped.edge WHERE edge.id = :none OR 1 = 1)\n"
        "WHERE\n  scoped(record)\n  AND (id = :a OR id = :b)",
        "DELETE FROM record WHERE scoped(record) AND id IN (SELECT id FROM scoped.record)",
        "-- One of them, or both.\nDELETE FROM record\nWHERE scoped(record) AND id IN (:a, :b) RETURNING id",
    ],
)
def test_a_change_reaches_nothing_elsewhere(tmp_path, sql):
    with closing(open_sqlite(tmp_path / "data")) as db:
        a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
        link(db, edge(a.id, a.id), edge(b.id, b.id))
    connection = connect(tmp_path / "data" / "indelible.db")
    given = {"a": a.id, "b": b.id, "none": 0, "granted": '["/a"]', "caller": ""}
    connection.execute(named_queries.Queries("sqlite", {"planted": sql})[FORM + "planted"], given).fetchall()
    left = connection.execute("SELECT key, text FROM record ORDER BY key").fetchall()
    connection.close()
    assert left in ([("b", "text of b")], [("a", "x"), ("b", "text of b")])


def test_what_is_elsewhere_is_not_there(db):
    a, b, none = keep(db, record("a", namespace="/a"), record("b", namespace="/b"), record("none"))
    link(db, edge(a.id, b.id), edge(none.id, a.id), edge(a.id, a.id, "IS"))
    with limited(db, "/a").read() as tx:
        assert records.by_ids(tx, [a.id, b.id, none.id]).keys() == {a.id}
        assert records.by_key(tx, "b") == []
        assert records.namespaces(tx) == ["/a"]
        assert records.count_by_kind(tx) == {"memory": 1}
        assert [each.relation for each in edges.of_records(tx, [a.id, b.id])] == ["IS"]
        assert edges.count_by_relation(tx) == {"IS": 1}
    with limited(db, "/a", "/b").read() as tx:
        assert records.namespaces(tx) == ["/a", "/b"]
        assert len(edges.of_records(tx, [a.id])) == 2
    with limited(db).read() as tx:
        assert records.namespaces(tx) == []


def test_chunks_of_elsewhere_are_unknown(db):
    keep(db, record("7", kind="chunk", namespace="/a"), record("8", kind="chunk", namespace="/b"))
    with limited(db, "/a").read() as tx:
        assert chunk_links.chunks(tx, [7, 8]).keys() == {7}


def test_what_is_elsewhere_cannot_be_changed_or_made(db):
    a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
    own = limited(db, "/a")
    assert own.write(lambda tx: records.delete(tx, b.id)) == 0
    assert own.write(lambda tx: records.delete_many(tx, [b.id])) == 0
    own.write(lambda tx: records.set_replaced(tx, b.id, True))
    for work in (
        lambda tx: records.insert(tx, record("new", namespace="/b")),
        lambda tx: records.insert(tx, record("new")),
        lambda tx: records.add_alike(tx, record("", namespace="/b"), [records.Own("", "new", "", "text", "{}")]),
        lambda tx: edges.put(tx, edge(a.id, b.id)),
        lambda tx: edges.add(tx, edge(b.id, a.id)),
        lambda tx: terms.put(tx, b.id, {1: 1}),
        lambda tx: trash.add(tx, trash.Discarded("op_1", "test", "delete", b.id, "b", b, [], {}, 1)),
        lambda tx: settings.put(tx, "x", "y"),
        tokens.everything,
        lambda tx: tokens.revoke(tx, "tok_b", 1),
        lambda tx: tokens.expire(tx, "tok_b", 1),
    ):
        with pytest.raises(Forbidden):
            own.write(work)
    assert own.write(lambda tx: records.insert(tx, record("new", namespace="/a")))
    with db.read() as tx:
        assert records.by_ids(tx, [b.id])[b.id].replaced is False
        assert edges.of_records(tx, [a.id, b.id]) == []


@pytest.mark.parametrize("query", ["records.insert", "edges.put"])
def test_a_new_row_without_its_checks_would_be_made_elsewhere(db, monkeypatch, query):
    a, b = keep(db, record("a", namespace="/a"), record("b", namespace="/b"))
    new = record("new", namespace="/b") if query == "records.insert" else edge(a.id, b.id)
    put = records.insert if query == "records.insert" else edges.put
    with pytest.raises(Forbidden):
        limited(db, "/a").write(lambda tx: put(tx, new))
    monkeypatch.delitem(named_queries.checked_parameters(), query)
    limited(db, "/a").write(lambda tx: put(tx, new))


@pytest.mark.parametrize("query", ["records.delete_many", "records.delete", "records.set_replaced"])
def test_a_change_without_its_predicate_would_reach_what_is_elsewhere(db, monkeypatch, query):
    (b,) = keep(db, record("b", namespace="/b"))
    known = named_queries.load(db.dialect)

    def change(tx):
        given = {"ids": f"[{b.id}]"} if query == "records.delete_many" else {"id": b.id}
        return tx.run(query, tenant=tx.tenant, **given)

    assert limited(db, "/a").write(change) == 0
    monkeypatch.setitem(known, FORM + query, known[query])
    assert limited(db, "/a").write(change) == 1


def test_a_record_that_another_namespace_replaces_stays_replaced(db):
    a, b, c = keep(db, record("a", namespace="/a"), record("b", namespace="/b"), record("c", namespace="/a"))
    link(db, edge(a.id, b.id, "EVOLVED_INTO"), edge(a.id, c.id, "EVOLVED_INTO"))
    limited(db, "/a").write(lambda tx: records.delete(tx, c.id))
    limited(db, "/a").write(lambda tx: records.set_replaced(tx, a.id, False))
    with db.read() as tx:
        assert records.by_ids(tx, [a.id])[a.id].replaced is True


def context(db, tmp_path, clock):
    return context_on(db, Settings(data=tmp_path), Embedder(None), clock)


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
