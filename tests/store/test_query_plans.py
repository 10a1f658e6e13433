"""SQLite takes the way that we mean: rows by their ids, the newest from the end, never all rows of a tenant."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from indelible.store import queries
from indelible.store.database import Database
from indelible.store.limited import FORM
from indelible.store.sqlite import connect, open_sqlite

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
    "brief.newest",
    "brief.sessions",
    "brief.keys_beginning",
    "brief.todos",
    "changes.last",
    "changes.last_link",
    "changes.oldest",
    "changes.since",
    "documents.all_chunks",
    "chats.fill",
    "chats.numbered",
    "chats.of_tool",
    "chats.first_said",
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
    "consolidation.unused",
    "context_links.by_words",
    "context_links.chunks",
    "context_links.first_by_words",
    "context_links.of_chunk",
    "context_links.of_message",
    "documents.chunks",
    "documents.heads",
    "documents.layout",
    "documents.named",
    "documents.twin",
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
    "patterns.told",
    "patterns.tools",
    "records.after",
    "records.beginning",
    "records.by_content",
    "records.by_ids",
    "records.by_key",
    "records.by_keys",
    "records.count_kinds_in",
    "records.count_types_in",
    "records.delete_many",
    "records.figures_in",
    "records.ids_in",
    "records.last_id",
    "repositories.by_id",
    "repositories.find",
    "repositories.in_namespace",
    "settings.find",
    "solutions.by_content",
    "solutions.by_signatures",
    "solutions.experience_of",
    "solutions.private_among",
    "source_files.by_path",
    "source_files.by_records",
    "source_files.count_by_language",
    "source_files.delete",
    "source_files.lookups",
    "source_files.of_repository",
    "source_files.outlines",
    "source_files.set_resolved",
    "symbols.by_records",
    "symbols.by_tail",
    "symbols.closest_like",
    "symbols.count_by_kind",
    "symbols.count_in",
    "symbols.delete",
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
    "trash.last_of_operation",
    "trash.of_operation",
    "trash.of_operation_last",
    "vectors.ids",
    "vectors.of_records",
]


@pytest.mark.parametrize("name", HOT)
def test_a_hot_query_never_walks_all_rows_of_a_tenant(tmp_path: Path, name: str) -> None:
    open_sqlite(tmp_path / "data").close()
    connection = connect(tmp_path / "data" / "indelible.db")
    sql = queries.load("sqlite")[name]
    parameters = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z_]+)\b", sql))
    plan = [str(row[3]) for row in connection.execute("EXPLAIN QUERY PLAN " + sql, parameters)]
    connection.close()
    rows = [step for step in plan if "VIRTUAL TABLE" not in step]  # what is given as JSON is read whole
    walks = [step for step in rows if re.search(r"\(tenant=\?\)$", step) or step.startswith("SCAN ")]
    few = {
        "changes.last",
        "changes.last_link",
        "changes.oldest",
        "records.last_id",
    }  # from one end, the first row is it
    assert walks == [] or name in few, plan


@pytest.mark.parametrize("name", ["captured.waiting", "captured.count", "consolidation.unseen_captures"])
def test_what_waits_for_review_is_found_by_its_own_index(tmp_path: Path, name: str) -> None:
    open_sqlite(tmp_path / "data").close()
    connection = connect(tmp_path / "data" / "indelible.db")
    for form in (name, FORM + name):
        given = {"tenant": 1, "limit": 9, "granted": '["/a"]', "caller": "", "before": 7}
        plan = connection.execute("EXPLAIN QUERY PLAN " + queries.load("sqlite")[form], given).fetchall()
        assert "captured_memory" in str(plan), plan
    connection.close()


FOUND_BY = {
    "chats.of_tool": "message_tool",
    "chats.numbered": "message_number",
    "captured.waiting": "captured_memory",
    "activity.of_session": "activity_session",
    "consolidation.unseen_captures": "captured_memory",
}


def test_in_postgresql_rows_are_found_by_the_indexes_made_for_them(open_pg: Callable[[], Database]) -> None:
    known = queries.load("postgres")
    given = {"tenant": 1, "tool": "editor", "number": "7", "limit": 9, "granted": '["/a"]', "caller": ""}
    given |= {"session": "codex:s1", "time": 5, "event": "e", "before": 7}
    with open_pg().read() as tx:
        tx.connection.execute("SET LOCAL enable_seqscan = off")  # as with more than a few rows
        for name, index in FOUND_BY.items():
            for form in (name, FORM + name):
                plan = tx.connection.execute("EXPLAIN " + known[form], given).fetchall()
                assert index in str(plan), plan
