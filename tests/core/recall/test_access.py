"""Reading changes nothing but how often and when a memory was returned."""

import threading
from pathlib import Path

import pytest

import indelible
import store_file
from indelible.errors import Conflict
from indelible.store.tables import records

NOTING = "write_behind.returned("


def counts(memory, query="axum", **arguments):
    return {hit["content"]: hit["access_count"] for hit in memory.recall_memory(query=query, **arguments)}


def kept(memory):
    """What an export tells of accesses, by content."""
    return {i["content"]: (i["access_count"], i["last_accessed_at"]) for i in memory.export_memories(limit=100)}


def rows(tmp_path, table):
    """Every row of a table, read past our code."""
    connection = store_file.opened(tmp_path / "data" / "indelible.db")
    try:
        return connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
    finally:
        connection.close()


def test_a_count_shows_the_recalls_before_this_one(memory):
    memory.store_memory(content="axum chosen")
    assert [counts(memory)["axum chosen"] for _ in range(4)] == [0, 1, 2, 3]


def test_only_what_was_returned_is_counted(memory):
    memory.store_memory(content="axum axum axum")
    memory.store_memory(content="axum once among other words")
    memory.store_memory(content="bananas")
    memory.recall_memory(query="axum", k=1)
    memory.recall_memory(query="axum", k=0)
    memory.recall_memory(query="no such thing")
    assert {text: count for text, (count, _) in kept(memory).items()} == {
        "axum axum axum": 1,
        "axum once among other words": 0,
        "bananas": 0,
    }


def test_an_export_a_walk_and_the_statistics_count_as_no_access(memory):
    stored = memory.store_memory(content="axum chosen")["id"]
    memory.export_memories()
    memory.graph_traverse(start_id=stored)
    memory.codemem_stats()
    memory.codemem_health()
    assert counts(memory) == {"axum chosen": 0}


def test_the_last_access_is_kept_and_makes_a_memory_recent_again(memory, clock):
    memory.store_memory(content="axum chosen")
    clock.pass_(days=14)
    (stale,) = memory.recall_memory(query="axum")
    (fresh,) = memory.recall_memory(query="axum")
    assert fresh["score_breakdown"]["recency"] > stale["score_breakdown"]["recency"]
    assert kept(memory)["axum chosen"][1].startswith("2026-03-15T12:00:00")


def test_the_own_process_sees_its_accesses_at_once_another_one_after_they_were_written(open_store):
    own, other = open_store(), open_store()
    own.store_memory(content="axum chosen")
    own.recall_memory(query="axum")
    assert counts(own) == {"axum chosen": 1}
    assert counts(other) == {"axum chosen": 0}
    own.context.write_behind.flush()
    assert counts(other)["axum chosen"] == 3  # two of the own process, one of the other's itself
    assert kept(own)["axum chosen"][0] == 2  # the other one's still wait
    other.close()
    assert kept(own)["axum chosen"][0] == 4


def test_counts_of_several_processes_add_up(open_store):
    first = open_store()
    first.store_memory(content="axum chosen")
    for _ in range(3):
        memory = open_store()
        memory.recall_memory(query="axum")
        memory.recall_memory(query="axum")
        memory.close()
    assert counts(first) == {"axum chosen": 6}


@pytest.mark.parametrize("table", ["record", "change", "edge", "terms", "trash", "setting", "project"])
def test_a_recall_writes_no_row_but_accesses_and_events(memory, tmp_path, table):
    first = memory.store_memory(content="axum chosen")["id"]
    memory.store_memory(content="axum router", links=[first])
    before = rows(tmp_path, table)
    for query in ("axum", "router last week", "nothing"):
        memory.recall_memory(query=query)
    memory.context.write_behind.flush()
    assert rows(tmp_path, table) == before
    assert len(rows(tmp_path, "access")) == 2
    assert len(rows(tmp_path, "event")) == 5


def test_a_call_leaves_an_event_that_tells_what_was_done_but_no_content(memory, tmp_path):
    stored = memory.store_memory(content="axum chosen by the pluperfect committee")["id"]
    memory.recall_memory(query="pluperfect axum")
    other = memory.store_memory(content="something else")["id"]
    with pytest.raises(Conflict):
        memory.update_memory(id=other, content="axum chosen by the pluperfect committee")
    memory.context.write_behind.flush()
    events = [(row[5], row[6], row[7]) for row in rows(tmp_path, "event")]
    assert events[0] == ("store_memory", f'["{stored}"]', "ok")
    assert events[1] == ("recall_memory", f'["{stored}"]', "ok")
    assert (events[3][0], events[3][2]) == ("update_memory", "conflict")
    assert "pluperfect" not in str(events)


def test_a_recall_that_began_before_the_counts_were_written_sees_them_once(memory):
    ctx = memory.context
    memory.store_memory(content="axum chosen")
    for _ in range(3):
        memory.recall_memory(query="axum")
    with ctx.store.read() as before:
        (record,) = records.newest(before, "memory", None)

        def count(tx):
            return ctx.write_behind.access_of(tx, [record.id])[record.id].count

        assert count(before) == 3
        writer = threading.Thread(target=ctx.write_behind.flush)
        writer.start()
        writer.join()
        assert count(before) == 3
        with ctx.store.read() as after:
            assert count(after) == 3
    ctx.write_behind.returned([record.id], ctx.now())
    with ctx.store.read() as tx:
        assert count(tx) == 4
    ctx.write_behind.flush()
    with ctx.store.read() as tx:
        assert count(tx) == 4


def test_what_another_process_deletes_changes_no_count_of_what_was_written_with_it(open_store):
    own, other = open_store(), open_store()
    contents = ("axum chosen", "axum router", "axum handlers")
    ids = {text: own.store_memory(content=text)["id"] for text in contents}
    counts(own)
    own.context.write_behind.flush()
    for gone in contents[:2]:  # whichever of them the count of the write was taken from
        other.delete_memory(id=ids.pop(gone))
        assert {text: count for text, (count, _) in kept(own).items()} == dict.fromkeys(ids, 1)


def test_a_read_only_process_counts_nothing_and_refuses_every_write(open_store, tmp_path):
    stored = open_store().store_memory(content="axum chosen")["id"]
    reader = open_store(read_only=True)
    assert counts(reader) == {"axum chosen": 0}
    assert counts(reader) == {"axum chosen": 0}
    writes = {
        "store_memory": {"content": "x"},
        "update_memory": {"id": stored, "content": "x"},
        "delete_memory": {"id": stored},
        "associate_memories": {"source_id": stored, "target_id": "x", "relationship": "LEADS_TO"},
        "import_memories": {"memories": [{"content": "x"}]},
    }
    for tool, arguments in writes.items():
        with pytest.raises(Conflict, match=f"{tool} writes, and this server is read-only"):
            reader.call(tool, **arguments)
    reader.close()
    assert rows(tmp_path, "access") == []
    assert len(rows(tmp_path, "record")) == 1


def test_the_accesses_of_a_deleted_memory_are_forgotten_and_come_back_with_undo(memory):
    from indelible.core.records import undo

    stored = memory.store_memory(content="axum chosen")["id"]
    memory.recall_memory(query="axum")
    memory.context.write_behind.flush()
    memory.delete_memory(id=stored)
    assert memory.recall_memory(query="axum") == []
    undo.undo(memory.context)
    assert counts(memory) == {"axum chosen": 1}


def test_only_one_module_notes_what_is_returned():
    package = Path(indelible.__file__).parent
    noting = [path.relative_to(package).as_posix() for path in package.rglob("*.py") if NOTING in path.read_text()]
    assert noting == ["core/recall/returned.py"]
