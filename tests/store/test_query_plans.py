"""Databases take the way that we mean: rows by their ids, the newest from the end, never all rows of a tenant."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from psycopg import Connection

import tenant_rows
from indelible.errors import Forbidden
from indelible.store import named_queries
from indelible.store.namespace_filter import FORM
from indelible.store.sqlite.connection import FILE, connect
from indelible.store.sqlite.opening import open_sqlite

Many = tuple[Connection[Any], Connection[Any]]

# Queries of the hot paths (store, recall, import, following) and of anything that runs again and again.
HOT = [
    "access.of_records",
    "activity.last_of",
    "activity.marks",
    "activity.namespace_of",
    "activity.of_session",
    "applied.find",
    "brief.failure_texts",
    "brief.failures",
    "brief.foremost",
    "brief.newer",
    "brief.newest",
    "brief.captured_fixes",
    "brief.recorded_fixes",
    "brief.sessions",
    "brief.keys_beginning",
    "brief.todos",
    "changes.last",
    "changes.moment",
    "changes.since",
    "documents.all_chunks",
    "chats.fill",
    "chats.numbered",
    "chats.of_tool",
    "chats.first_user_message",
    "code_links.about",
    "code_links.changed",
    "code_links.decisions_about",
    "code_links.explaining",
    "code_links.files_at",
    "code_links.files_below",
    "code_links.gone_among",
    "code_links.in_files",
    "code_links.names_of",
    "code_links.of_sources",
    "code_links.subjects",
    "code_links.symbols_called",
    "code_links.symbols_of",
    "code_links.texts",
    "consolidation.any_undone",
    "consolidation.related",
    "consolidation.relating",
    "consolidation.summaries",
    "consolidation.tagged",
    "consolidation.texts",
    "consolidation.unimportant",
    "consolidation.untrue",
    "consolidation.unused",
    "context_links.chunks",
    "context_links.of_chunk",
    "context_links.of_message",
    "documents.chunks",
    "documents.heads",
    "documents.layout",
    "documents.named",
    "documents.equal_record",
    "edges.drop_of_index",
    "edges.drop_of_index_at",
    "edges.find",
    "edges.held",
    "edges.of_index",
    "edges.of_records",
    "entities.contents_of",
    "entities.named",
    "entities.relations_of",
    "events.records_of",
    "patterns.decisions",
    "patterns.files_edited",
    "patterns.files_read",
    "patterns.sessions",
    "patterns.subjects",
    "patterns.reports",
    "patterns.tools",
    "pending.groups",
    "pending.newest",
    "pending.unembedded",
    "lifetimes.expired",
    "lifetimes.pinned",
    "lifetimes.pinned_by_namespace",
    "records.after",
    "records.begun_alike",
    "records.by_content",
    "recall.opening",
    "records.by_ids",
    "records.with_access",
    "records.by_key",
    "records.by_uid",
    "records.by_keys",
    "records.count_kinds_in",
    "records.count_types_in",
    "records.delete_many",
    "records.keys_beginning",
    "records.figures_in",
    "records.ids_in",
    "records.last_id",
    "repositories.find",
    "repositories.in_namespace",
    "settings.find",
    "settings.which_of",
    "solutions.by_content",
    "solutions.by_signatures",
    "solutions.experience_of",
    "solutions.private_among",
    "source_files.by_path",
    "source_files.by_records",
    "source_files.delete",
    "source_files.lookups",
    "source_files.of_repository",
    "source_files.outlines",
    "source_files.set_resolved",
    "symbols.by_records",
    "symbols.by_tail",
    "symbols.closest_like",
    "symbols.count_in",
    "symbols.delete_code",
    "symbols.derived",
    "symbols.find_names",
    "symbols.indexed",
    "symbols.names_beginning",
    "symbols.names_like",
    "symbols.of_files",
    "symbols.of_names",
    "symbols.named",
    "symbols.set_gone",
    "symbols.with_tail",
    "terms.count_in_range",
    "terms.in_range",
    "terms.of_records",
    "trash.of_key",
    "trash.keys_beginning",
    "trash.last_of_operation",
    "trash.of_operation",
    "trash.of_operation_last",
    "versions.edges_after",
    "versions.edges_now",
    "versions.following",
    "versions.newest_edge",
    "versions.numbered",
    "vectors.ids",
    "vectors.of_records",
]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an empty store."""
    data = tmp_path_factory.mktemp("empty") / "data"
    open_sqlite(data).close()
    return data / FILE


@pytest.mark.parametrize("name", HOT)
def test_a_hot_query_never_walks_all_rows_of_a_tenant(empty: Path, name: str) -> None:
    connection = connect(empty)
    sql = named_queries.load("sqlite")[name]
    parameters = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z_]+)\b", sql))
    plan = [str(row[3]) for row in connection.execute("EXPLAIN QUERY PLAN " + sql, parameters)]
    connection.close()
    rows = [step for step in plan if "VIRTUAL TABLE" not in step]  # what is given as JSON is read whole
    walks = [step for step in rows if re.search(r"\(tenant=\?\)$", step) or step.startswith("SCAN ")]
    few = {
        "changes.last",
        "changes.moment",
        "records.last_id",
        "pending.groups",  # a limited number of the newest
        "lifetimes.pinned_by_namespace",  # of those that are pinned, in their own index
        "recall.opening",  # and of codebases one is enough, of projects there are few
    }  # from one end, the first row is it
    assert walks == [] or name in few, plan


@pytest.mark.parametrize("name", ["captured.waiting", "captured.count", "consolidation.unseen_captures"])
def test_what_waits_for_review_is_found_by_its_own_index(empty: Path, name: str) -> None:
    connection = connect(empty)
    for form in (name, FORM + name):
        given = {"tenant": 1, "limit": 9, "granted": '["/a"]', "caller": "", "before": 7, "created": 9, "id": 9}
        plan = connection.execute("EXPLAIN QUERY PLAN " + named_queries.load("sqlite")[form], given).fetchall()
        assert "captured_memory" in str(plan), plan
    connection.close()


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("recall.opening", "record_expires"),
        ("lifetimes.expired", "record_expires"),
        ("lifetimes.pinned", "record_pinned"),
        ("lifetimes.pinned_by_namespace", "record_pinned"),
    ],
)
def test_what_expires_or_is_pinned_is_found_by_its_own_index(empty: Path, name: str, index: str) -> None:
    connection = connect(empty)
    for form in (name, FORM + name):
        sql = named_queries.load("sqlite")[form]
        plan = connection.execute(
            "EXPLAIN QUERY PLAN " + sql, dict.fromkeys(re.findall(r"(?<![:\w]):([a-z_]+)\b", sql))
        )
        assert index in str(plan.fetchall())
    connection.close()


FOUND_BY = {
    "chats.of_tool": "message_tool",
    "chats.numbered": "message_number",
    "captured.waiting": "captured_memory",
    "activity.of_session": "activity_session",
    "consolidation.unseen_captures": "captured_memory",
    "code_links.files_below": "source_file_name",
    "code_links.symbols_called": "symbol_tail",
    "documents.newest": "record_session",
    "edges.count_stated": "edge_told",
    "brief.foremost": "foremost_memory",
    "lifetimes.expired": "record_expires",
    "lifetimes.pinned": "record_pinned",
    "lifetimes.pinned_by_namespace": "record_pinned",
    "recall.opening": "record_expires",
    "records.by_ids": "record_pkey",
    "pending.groups": "pending_order",
    "pending.newest": "pending_order",
    "pending.take": "pending_order",
}
TENANT = 2
# Thousands of rows of each of two tenants, of which the ids of one begin at 2,000.
MANY = """
INSERT INTO record (id, tenant, namespace, kind, type, key, text, metadata, content_hash, session, position, importance,
  created, updated)
SELECT t * 1000 + 100008 * (t - 2) + g, t, '/ns' || g % 20, k, replace(k, 'memory', 'pattern'), k || g, 'x',
  CASE WHEN k = 'message' THEN json_build_object('source_tool', 'tool' || g % 40, 'number', g)::text
    WHEN g % 50 = 0 THEN '{"trust": "untrusted", "origin": "capture"}' ELSE '{}' END,
  md5(k || g), CASE k WHEN 'chunk' THEN 'document:document' || g % 2000 ELSE 's' || g % 200 END, g, g % 99 / 99.0, g, g
FROM generate_series(2, 3) AS t, generate_series(1, 8000) AS g, LATERAL (SELECT CASE WHEN g % 16 = 0 THEN 'document'
  WHEN g % 16 = 1 THEN 'message' WHEN g % 16 = 2 THEN 'file' WHEN g % 16 = 3 THEN 'chunk' WHEN g % 16 < 9 THEN 'symbol'
  ELSE 'memory' END) AS kinds (k);
INSERT INTO repository (id, tenant, root) SELECT tenant * 1000 + 1, tenant, '/r' FROM record GROUP BY tenant;
INSERT INTO source_file (record, tenant, repository, path, language, hash, size, modified, lines, looked_up, outline)
SELECT id, tenant, tenant * 1000 + 1, 'src/p' || id % 40 || '/f' || id || '.py', 'python', 'h', 1, 1, 1, '', ''
FROM record WHERE kind = 'file';
INSERT INTO symbol_name (id, tenant, name) SELECT id, tenant, 'name' || id FROM record WHERE kind = 'symbol';
INSERT INTO symbol (record, tenant, file, name, qualified_name, tail, signature, doc, visibility, line, start_line,
  end_line, parent, is_test, body_hash)
SELECT id, tenant, id - id % 16 + 2, id, 'a.n' || id, 'n' || id || '.a.', '', '', '', 1, 1, 1, '', 0, ''
FROM record WHERE kind = 'symbol';
INSERT INTO edge (tenant, source, target, relation, canonical, metadata, created)
SELECT tenant, id, id - id % 500 + 1 + g, 'calls', CASE WHEN g = 1 THEN 'EXPLAINS' ELSE 'CALLS' END,
  CASE WHEN id % 20 = 0 THEN '{}' ELSE '{"origin": "index"}' END, 1 FROM record, generate_series(1, 3) AS g;
INSERT INTO terms (record, space, tenant, size, body) SELECT id, 1, tenant, 1, '' FROM record;
INSERT INTO pending (record, tenant) SELECT id, tenant FROM record WHERE kind = 'memory';
INSERT INTO access (record, tenant, count, last) SELECT id, tenant, 1, 1 FROM record WHERE kind = 'memory';
INSERT INTO change (tenant, position, record, operation) SELECT tenant, id, id, 'put' FROM record;
INSERT INTO event (tenant, time, session, tool, outcome) SELECT tenant, 1, 's', 'recall', 'ok' FROM record;
INSERT INTO trash (tenant, operation, tool, action, record, key, body, time)
SELECT tenant, 'op' || id % 999, 'x', 'update', id, key, '{}', 1 FROM record WHERE kind = 'memory';
INSERT INTO activity (tenant, namespace, session, event, time, client, what)
SELECT tenant, '/ns' || id % 20, CASE WHEN id % 99 = 0 THEN 'cli:s' ELSE 's' || id % 99 END, 'e' || id, id, 'c', 'tool'
FROM record
"""


@pytest.fixture(scope="module")
def many(postgres_url: str) -> Iterator[tuple[Connection[Any], Connection[Any]]]:
    """A connection that sees rows of one tenant of a large store, and one from which nothing is hidden."""
    _, service = tenant_rows.store(postgres_url, "many")
    with (
        closing(tenant_rows.connected(postgres_url, "many")) as everything,
        closing(tenant_rows.connected(service, "many")) as hidden,
    ):
        everything.execute(
            "SET session_replication_role = replica; SET synchronous_commit = off"
        )  # no triggers: faster
        for statement in MANY.split(";\n"):
            everything.execute(statement.encode())
        everything.execute("VACUUM ANALYZE")
        for connection in (everything, hidden):
            connection.execute("SET max_parallel_workers_per_gather = 0")
        hidden.execute(f"SET indelible.tenant = '{TENANT}'".encode())
        yield hidden, everything


def plan_of(connection: Connection[Any], form: str) -> dict[str, Any]:
    sql = named_queries.load("postgres")[form]
    given = tenant_rows.given(form.removeprefix(FORM), sql, TENANT)
    found = connection.execute(b"EXPLAIN (FORMAT JSON) " + sql.encode(), given, prepare=False).fetchall()
    plan: dict[str, Any] = found[0][0][0]["Plan"]
    return plan


@pytest.mark.process
def test_in_postgresql_rows_are_found_by_the_indexes_made_for_them(many: Many) -> None:
    hidden, _ = many
    for name, index in FOUND_BY.items():
        for form in (name, FORM + name):
            assert f"'Index Name': '{index}'" in str(plan_of(hidden, form)), form


@pytest.mark.process
def test_hiding_the_rows_of_others_makes_no_query_of_postgresql_dearer(many: Many) -> None:
    """An index that serves a condition only where nothing is hidden would not be missed before there are many rows."""
    hidden, everything = many
    known = named_queries.load("postgres")
    dearer = {}
    for name in sorted(known):
        for form in (name, FORM + name.removesuffix("_limited")):
            try:
                cost, whole = (float(plan_of(one, form)["Total Cost"]) for one in (hidden, everything))
            except Forbidden:
                continue
            if cost > 1.5 * whole + 20:
                dearer[form] = (cost, whole)
    assert dearer == {}
