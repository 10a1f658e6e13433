"""What a cycle did to many memories is taken back in several transactions, all of it, also after a death in between."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from command_line import opened, undo
from indelible import batching
from indelible.core.context.call import Call
from indelible.core.records import exporting, history, trash
from indelible.core.records import undo as records_undo
from indelible.errors import Conflict
from indelible.store.tables import records
from indelible.toolsets import registry
from indelible.toolsets.lifecycle import associate, decay
from indelible.toolsets.memory import importing

CALLS = {
    "consolidate_decay": {},
    "consolidate_cluster": {},
    "consolidate_forget": {"importance_threshold": 0.9},
    "consolidate_creative": {},
}
OLD = (datetime.now(UTC) - timedelta(days=60)).isoformat()


@pytest.fixture
def ctx(tmp_path, monkeypatch):
    monkeypatch.setattr(records_undo, "LONG", 0)
    monkeypatch.setattr(records_undo, "TOGETHER", 1)
    monkeypatch.setattr(decay, "TOGETHER", 4)
    monkeypatch.setattr(associate, "TOGETHER", 4)
    monkeypatch.setattr(records_undo, "BUSY", 0.0)
    with opened(tmp_path / "data") as ctx:
        items = [
            {
                "id": f"m{n:02}",
                "content": f"Job {n // 2} is retried" + "." * (n % 2),
                "memory_type": ("decision", "pattern")[n // 2 % 2],
                "tags": [f"t{n % 3}"],
                "created_at": OLD,
                "updated_at": OLD,
                "edges": [{"source": f"m{n:02}", "target": f"m{(n + 7) % 40:02}", "relationship": "EVOLVED_INTO"}]
                if n % 10 == 0
                else [],
            }
            for n in range(40)
        ]
        assert importing.import_items(ctx, items).errors == []
        yield ctx


def whole(ctx):
    return json.dumps(list(exporting.export_all(ctx)))


def call(ctx, tool):
    return registry.call(ctx, registry.find_tool(tool), CALLS[tool]).value


@pytest.mark.parametrize("tool", CALLS)
def test_an_undo_in_parts_gives_back_the_same_export_and_can_be_undone(ctx, tool):
    before = whole(ctx)
    call(ctx, tool)
    after = whole(ctx)
    undone = undo(ctx)
    assert undone["tool"] == tool
    assert whole(ctx) == before
    with pytest.raises(Conflict, match="already undone"):
        undo(ctx, undone["operation"])
    again = history.operations(ctx, 1)[0]
    assert again["tool"] == "undo"
    with ctx.store.read() as tx:
        assert records_undo.is_long(ctx, tx, again["operation"])
    undo(ctx, again["operation"])
    assert whole(ctx) == after


@pytest.mark.parametrize(
    ("tool", "was", "is_then"),
    [
        ("consolidate_decay", "(memories had another importance)", "(memories had another importance)"),
        ("consolidate_creative", "(relations were not there)", "(relations were there)"),
    ],
)
def test_the_history_counts_all_parts_of_a_cycle_and_of_its_undo(ctx, tool, was, is_then):
    done = call(ctx, tool)
    undo(ctx)
    undone, cycle = history.operations(ctx, 2)
    count = done["affected" if tool == "consolidate_decay" else "new_connections"]
    assert count > associate.TOGETHER  # in several parts
    assert (cycle["count"], cycle["content"]) == (count, was)
    assert (undone["count"], undone["content"]) == (count, is_then)


def test_the_history_counts_what_an_import_brought(ctx):
    items = [{"content": f"Brought {n}"} for n in range(100)]
    importing.import_items(ctx.for_call(Call(tool="import", bulk=True)), items)
    (brought,) = history.operations(ctx, 1)
    assert (brought["count"], brought["content"]) == (100, "(records were not there)")


@pytest.mark.parametrize("is_long_still", [True, False])
@pytest.mark.parametrize("tool", CALLS)
def test_an_undo_that_was_killed_goes_on(ctx, tool, is_long_still, monkeypatch):
    before = whole(ctx)
    call(ctx, tool)
    calls = []

    def dies():
        calls.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(batching, "breathe", dies)
    with pytest.raises(KeyboardInterrupt):
        undo(ctx)
    monkeypatch.setattr(batching, "breathe", lambda: None)
    monkeypatch.setattr(records_undo, "LONG", 0 if is_long_still else 1_000)
    assert undo(ctx)["tool"] == tool
    assert whole(ctx) == before


def test_an_undo_of_what_was_changed_since_is_refused_before_anything_comes_back(ctx):
    call(ctx, "consolidate_cluster")
    kept = next(record["id"] for record in exporting.export_all(ctx) if len(record["tags"]) > 1)
    registry.call(ctx, registry.find_tool("update_memory"), {"id": kept, "content": "changed"})
    after = whole(ctx)
    operation = history.operations(ctx, 2)[1]["operation"]
    with pytest.raises(Conflict, match="a later update_memory changed the same"):
        undo(ctx, operation)
    assert whole(ctx) == after


def test_an_undo_is_refused_before_anything_comes_back_where_a_content_is_another_s_by_now(ctx):
    before = whole(ctx)
    call(ctx, "consolidate_forget")
    operation = history.operations(ctx, 1)[0]["operation"]
    stored = registry.call(ctx, registry.find_tool("store_memory"), {"content": "Job 3 is retried"}).value
    after = whole(ctx)
    for _ in range(2):
        with pytest.raises(Conflict, match="memory m06 cannot be restored: its id, name or content is taken by a new"):
            undo(ctx, operation)
        assert whole(ctx) == after
    registry.call(ctx, registry.find_tool("delete_memory"), {"id": stored["id"]})
    undo(ctx, operation)
    assert whole(ctx) == before


def test_the_same_holds_of_the_name_of_a_document(ctx):
    def store(content, **given):
        registry.call(ctx, registry.find_tool("store_memory"), {"content": content, "namespace": "/zoo", **given})

    def delete(tool, *, bulk):
        own = ctx.for_call(Call(tool=tool, bulk=bulk))
        with ctx.store.read() as tx:
            there = [record.id for record in records.after(tx, 0, 100) if record.namespace == "/zoo"]
        own.store.write(lambda tx: trash.delete_all(own, tx, there))
        return history.operations(ctx, 1)[0]["operation"]

    store("The park opens at nine.", file_name="guide.md")
    store("The lake is closed in winter.")
    before = whole(ctx)
    operation = delete("import", bulk=True)  # as one of Markdown does what was deleted by hand
    store("The park opens at ten.", file_name="guide.md")
    after = whole(ctx)
    with pytest.raises(Conflict, match="cannot be restored: its id, name or content is taken by a newer one"):
        undo(ctx, operation)
    assert whole(ctx) == after
    delete("delete_namespace", bulk=False)
    undo(ctx, operation)
    assert whole(ctx) == before
