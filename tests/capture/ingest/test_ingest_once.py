"""Captured memories are stored once, renewed in their place, and left as somebody changed or deleted them."""

from __future__ import annotations

import shutil
from dataclasses import replace

import purging
from command_line import assert_sound, undo
from indelible.capture import hook_events, ingest
from indelible.core.context.call import Call
from indelible.core.records import exporting, history
from indelible.store.tables import activity
from indelible.toolsets.memory import deletion, memories
from ingested import call, captured, drained, events_of, waiting
from told import Told, spooled, whole_session

# --- Once ---


def test_an_empty_spool_and_none_at_all_are_nothing(ctx):
    assert ingest.drain(ctx) == ingest.Drained()
    spooled(ctx.settings.data, [])
    (ctx.settings.data / "spool" / "new").mkdir(parents=True)
    assert ingest.drain(ctx) == ingest.Drained()


def test_a_replay_stores_nothing_twice(ctx, app):
    drained(ctx, whole_session(app))
    before = list(exporting.export_all(ctx)), events_of(ctx)
    assert drained(ctx, whole_session(app)) == ingest.Drained()
    assert (list(exporting.export_all(ctx)), events_of(ctx)) == before
    assert waiting(ctx) == []


def test_a_crash_before_the_files_are_removed_does_no_harm(ctx, data, app, tmp_path):
    spooled(data, whole_session(app).events)
    shutil.copytree(data / "spool", tmp_path / "copy")
    ingest.drain(ctx)
    before = list(exporting.export_all(ctx)), events_of(ctx)
    shutil.copytree(tmp_path / "copy", data / "spool", dirs_exist_ok=True)  # as if they had never been removed
    assert ingest.drain(ctx) == ingest.Drained()
    assert (list(exporting.export_all(ctx)), events_of(ctx)) == before


def test_a_crash_between_the_events_and_what_is_captured_of_them_loses_nothing(ctx, data, app):
    told = whole_session(app)
    spooled(data, told.events)
    rows = [replace(hook_events.row_of(event), namespace=str(app)) for event in told.events]
    ctx.store.write(lambda tx: activity.add(tx, rows))  # the first transaction of a drain that died then
    assert ingest.drain(ctx) == ingest.Drained(events=0, memories=4)


def test_the_same_words_in_two_sessions_are_one_memory(ctx, app):
    first, second = Told(app, "s1"), Told(app, "s2")
    for told in (first, second):
        told.prompt("Let's use SQLite instead of Redis for the cart cache.")
    drained(ctx, first, second)
    assert len(captured(ctx, "decision")) == 1


def test_what_two_sessions_say_stays_where_one_of_them_takes_it_back(ctx, app):
    first, second = Told(app, "s1"), Told(app, "s2")
    for told in (first, second):
        told.prompt("Let's use SQLite instead of Redis for the cart cache.")
    drained(ctx, first, second)
    first.prompt("Scratch that.")
    drained(ctx, first)
    second.turn()
    drained(ctx, second)
    assert [thing["metadata"]["session"] for thing in captured(ctx, "decision")] == ["s2"]
    second.prompt("Scratch that.")
    drained(ctx, second)
    assert captured(ctx, "decision") == []


def test_what_two_sessions_say_and_somebody_deleted_does_not_come_back(ctx, app):
    first, second = Told(app, "s1"), Told(app, "s2")
    for told in (first, second):
        told.prompt("Let's use SQLite instead of Redis for the cart cache.")
    drained(ctx, first, second)
    deletion.delete(ctx, [thing["id"] for thing in captured(ctx)])
    for told in (first, second):
        told.turn()
    drained(ctx, first, second)
    assert captured(ctx) == []


def test_what_a_memory_says_already_is_not_captured_beside_it(ctx, app):
    words = "Let's use SQLite instead of Redis for the cart cache."
    stored = memories.store(ctx, memories.NewMemory(words, namespace=str(app)))
    told = Told(app)
    told.prompt(words)
    drained(ctx, told)
    assert captured(ctx) == []
    memories.update(ctx, stored["id"], "We use SQLite", None)
    told.turn()
    drained(ctx, told)  # the words were seen, whatever became of that memory
    assert captured(ctx) == []


def test_memories_of_a_project_that_were_deleted_do_not_come_back_with_its_next_turn(ctx, app):
    told = whole_session(app)
    drained(ctx, told)
    assert call(ctx, "delete_namespace", namespace=str(app), confirm=True)["deleted"] == 4
    told.prompt("Let's use Postgres instead of MySQL for the orders.")
    drained(ctx, told)
    assert [thing["content"] for thing in captured(ctx)] == ["Let's use Postgres instead of MySQL for the orders."]


# --- Renewed, deleted, changed ---


def test_the_record_of_a_session_is_renewed_in_its_place_and_leaves_no_history(ctx, app):
    told = Told(app)
    told.prompt("Fix the parser please")
    told.edit("parser.py", "a", "b")
    told.turn()
    drained(ctx, told)
    (before,) = captured(ctx, "session")
    told.edit("lexer.py", "c", "d")
    told.turn()
    drained(ctx, told)
    (after,) = captured(ctx, "session")
    assert (after["id"], after["created_at"]) == (before["id"], before["created_at"])
    assert "lexer.py" in after["content"]
    assert "lexer.py" not in before["content"]
    assert history.history(ctx) == []
    assert after["id"] in {hit["id"] for hit in call(ctx, "recall_memory", query="lexer", namespace=str(app))}
    assert_sound(ctx.settings.data)


def test_a_turn_that_runs_changes_nothing_until_it_ends(ctx, app):
    told = Told(app)
    told.prompt("Fix the parser please")
    for n in range(5):
        told.edit(f"part{n}.py", "a", "b")
    assert drained(ctx, told) == ingest.Drained(events=6)
    told.turn()
    assert drained(ctx, told) == ingest.Drained(events=1, memories=1)


def test_what_the_next_message_takes_back_is_withdrawn(ctx, app):
    told = Told(app)
    told.prompt("Let's use SQLite instead of Redis for the cart cache.")
    drained(ctx, told)
    assert len(captured(ctx, "decision")) == 1
    told.turn()
    told.prompt("Scratch that.")
    drained(ctx, told)
    assert captured(ctx, "decision") == []
    told.prompt("Let's use SQLite instead of Redis for the cart cache.")
    drained(ctx, told)
    assert len(captured(ctx, "decision")) == 1


def test_what_somebody_deleted_does_not_come_back(ctx, app):
    told = whole_session(app)
    drained(ctx, told)
    deletion.delete(ctx, [thing["id"] for thing in captured(ctx)])
    told.turn()
    told.end()
    drained(ctx, told)
    assert captured(ctx) == []
    undo(ctx)
    assert len(captured(ctx)) == 4


def test_what_somebody_changed_stays_as_it_is(ctx, app):
    told = Told(app)
    told.prompt("Fix the parser please")
    told.edit("parser.py", "a", "b")
    told.turn()
    drained(ctx, told)
    (session,) = captured(ctx, "session")
    call(ctx, "update_memory", id=session["id"], content="The day of the parser")
    told.edit("lexer.py", "c", "d")
    told.turn()
    drained(ctx, told)
    (after,) = captured(ctx, "session")
    assert after["content"] == "The day of the parser"
    assert (after["metadata"]["trust"], after["metadata"]["promoted_by"]) == ("trusted", "update_memory")


def test_a_session_that_goes_on_after_its_project_was_purged_is_stored_anew(ctx, app):
    told = whole_session(app)
    drained(ctx, told)
    purging.purge(ctx.for_call(Call(tool="purge")), str(app))
    assert events_of(ctx) == []
    assert captured(ctx) == []
    told.edit("lexer.py", "c", "d")
    told.turn()
    spooled(ctx.settings.data, told.events[-2:])
    assert ingest.drain(ctx) == ingest.Drained(events=2, memories=1)
    assert [row.event for row in events_of(ctx)] == [event["id"] for event in told.events[-2:]]
    undo(ctx)
    assert len(captured(ctx)) == 5  # what was purged, and the session since
