"""An earlier state is kept once: undo and a look at an earlier time read the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import store_file
from command_line import assert_sound, export, opened, undo
from history_times import moment_between
from indelible.admin import erasure, purge
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import history, past, trash
from indelible.errors import NotFound
from indelible.project import Location
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import records, versions
from indelible.toolsets import registry

LONG = "the harbour crane lifts forty tonnes " * 200


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    with opened(tmp_path / "data") as ctx:
        yield ctx


def call(ctx: Context, tool: str, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def store(ctx: Context, content: str, **more: Any) -> str:
    return str(call(ctx, "store_memory", content=content, **more)["id"])


def text_of(ctx: Context, key: str) -> str:
    with ctx.store.read() as tx:
        (record,) = records.by_key(tx, key)
    return record.text


@pytest.mark.sqlite("reads the file")
def test_a_text_that_was_changed_or_deleted_stands_in_the_store_once(ctx: Context):
    changed, deleted = store(ctx, LONG), store(ctx, LONG.upper())
    call(ctx, "update_memory", id=changed, content="the crane is gone")
    call(ctx, "delete_memory", id=deleted)
    with store_file.opened(ctx.settings.data / FILE) as file:
        bodies = [body for (body,) in file.execute("SELECT body FROM trash")]
        kept = [text for (text,) in file.execute("SELECT text FROM record_version ORDER BY id")]
    assert kept == [LONG, LONG.upper()]
    assert len(bodies) == 2
    assert max(map(len, bodies)) < 200
    assert [undo(ctx)["restored"], undo(ctx)["restored"]] == [[deleted], [changed]]
    assert (text_of(ctx, changed), text_of(ctx, deleted)) == (LONG, LONG.upper())


def test_each_of_several_states_comes_back_where_a_change_left_the_text_as_it_was(ctx: Context):
    key = store(ctx, "first")
    for arguments in (
        {"content": "first", "importance": 0.9},
        {"content": "second"},
        {"content": "second", "pinned": True},
    ):
        call(ctx, "update_memory", id=key, **arguments)
    assert [each["content"] for each in history.history(ctx, key)] == ["second", "first", "first"]
    undo(ctx)
    undo(ctx)
    assert text_of(ctx, key) == "first"
    undo(ctx)
    with ctx.store.read() as tx:
        (record,) = records.by_key(tx, key)
    assert (record.text, record.importance, record.metadata) == ("first", 0.5, {})


@pytest.mark.parametrize("fields", [{"importance": 0.125}, {"metadata": {"decayed_at": 7}}], ids=str)
def test_a_change_that_is_no_version_of_its_own_is_undone_too(ctx: Context, fields: dict[str, Any]):
    key = store(ctx, "the queue is drained at night")

    def change(tx: Any) -> None:
        (old,) = records.by_key(tx, key)
        trash.overwrite(calling, tx, old, replace(old, **fields))

    calling = ctx.for_call(Call(tool="test"))
    with ctx.store.read() as tx:
        (before,) = records.by_key(tx, key)
    calling.write(change)
    undo(ctx)
    with ctx.store.read() as tx:
        assert records.by_key(tx, key) == [before]


def test_what_a_change_left_as_it_was_is_undone_to_the_same(ctx: Context):
    key = store(ctx, "the queue is drained at night")

    def change(tx: Any) -> None:
        (old,) = records.by_key(tx, key)
        trash.overwrite(calling, tx, old, old)

    calling = ctx.for_call(Call(tool="test"))
    calling.write(change)
    assert [each["content"] for each in history.history(ctx, key)] == ["the queue is drained at night"]
    assert undo(ctx)["restored"] == [key]
    assert text_of(ctx, key) == "the queue is drained at night"


def test_states_before_one_that_is_purged_say_what_they_said(ctx: Context):
    """A state of one project that a record has left, between two of another, whose text the earlier one shares."""
    key = store(ctx, "stays the same for long", namespace="kept")
    call(ctx, "update_memory", id=key, content="stays the same for long", importance=0.9)
    moment = moment_between()

    def move(tx: Any, to: str) -> None:
        (old,) = records.by_key(tx, key)
        trash.keep(calling, tx, old, "update")
        records.move(tx, old.id, to)

    calling = ctx.for_call(Call(tool="test"))
    calling.write(lambda tx: move(tx, "left"))
    call(ctx, "update_memory", id=key, content="says another thing")
    calling.write(lambda tx: move(tx, "kept"))
    erasure.erase(ctx, purge.of_namespace(ctx, "left"))
    with ctx.store.read() as tx:
        then = past.at(ctx, tx, moment).find("id", key)
        (first, *_) = [state for state in versions.of_key(tx, key)][::-1]
    assert (then.text, first.text) == ("stays the same for long", "stays the same for long")
    assert {each["content"] for each in history.history(ctx, key)} == {"stays the same for long"}
    assert text_of(ctx, key) == "says another thing"


@pytest.mark.sqlite("removes rows from the file")
def test_a_state_that_a_damaged_file_has_lost_is_not_listed_and_cannot_be_undone(ctx: Context):
    lost, left = store(ctx, "lost soon"), store(ctx, "left alone")
    for key in (left, lost):
        call(ctx, "delete_memory", id=key)
    (operation, *_) = [each["operation"] for each in history.operations(ctx, 9)]
    ctx.store.write(lambda tx: versions.drop(tx, [state.id for state in versions.every(tx) if state.key == lost]))
    assert [each["ids"] for each in history.operations(ctx, 9)] == [[left]]
    assert history.history(ctx, lost) == []
    with pytest.raises(NotFound):
        undo(ctx, operation)
    assert undo(ctx, history.operations(ctx, 9)[0]["operation"])["restored"] == [left]
    assert_sound(ctx.settings.data)


# --- What is done again ---


def operations(ctx: Context) -> list[str]:
    return [each["operation"] for each in history.operations(ctx, 20)]


def test_what_was_undone_call_by_call_is_done_again_undo_by_undo(ctx: Context, tmp_path: Path):
    data = tmp_path / "data"
    key = store(ctx, "none yet")
    states = [export(data)]
    for content in ("first", "second", "third"):
        call(ctx, "update_memory", id=key, content=content)
        states.append(export(data))
    for _ in range(3):
        undo(ctx)
    assert export(data) == states[0]
    undos = operations(ctx)[:3]
    for operation, state in zip(undos, states[1:], strict=True):
        undo(ctx, operation)
        assert export(data) == state
    for state in states[2::-1]:
        undo(ctx)
        assert export(data) == state


def test_what_is_done_again_is_the_newest_change_of_its_project_too(ctx: Context):
    shop = ctx.at(Location("shop", None, here=False))
    one, other = (store(ctx, content, namespace="shop") for content in ("the pool is slow", "the pool is shared"))
    call(ctx, "update_memory", id=one, content="first")
    call(ctx, "update_memory", id=other, content="second")
    changed = operations(ctx)[0]
    assert history.newest_of_project(shop) == changed
    undo(ctx)
    undoing, _, before = operations(ctx)
    assert history.newest_of_project(shop) == before
    undo(ctx, undoing)
    assert history.newest_of_project(shop) == operations(ctx)[0] != before
