"""The spool is drained once, by whoever comes first: events become activity, and what is worth it memories."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import purging
import store_file
from command_line import assert_sound, done, opened, undo
from indelible.admin import doctor, maintenance
from indelible.capture import hook_events, ingest, spool
from indelible.capture.hook_events import LONGEST_DETAIL
from indelible.cli import opening
from indelible.clock import micros, time_text, utc_now
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting, history
from indelible.errors import Conflict
from indelible.store.sqlite.connection import FILE, connect
from indelible.store.sqlite.salvage import salvage
from indelible.store.tables import activity
from indelible.toolsets import registry
from indelible.toolsets.memory import deletion, importing, memories
from mcp_client import McpClient, environment
from told import BEGAN, FAILED, SECOND, Told, repository, spooled, whole_session

Drain = Callable[..., ingest.Drained]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return repository(tmp_path / "app")


@pytest.fixture
def ctx(data: Path) -> Iterator[Context]:
    with opened(data) as ctx:
        yield ctx


def drained(ctx: Context, *sessions: Told) -> ingest.Drained:
    """Put whole sessions into the spool, and drain it."""
    for told in sessions:
        spooled(ctx.settings.data, told.events)
    return ingest.drain(ctx)


def captured(ctx: Context, kind: str | None = None) -> list[dict[str, Any]]:
    """The memories that were captured, as an export has them, the oldest first."""
    found = [thing for thing in exporting.export_all(ctx) if thing.get("metadata", {}).get("origin") == "capture"]
    return [thing for thing in found if kind in (None, thing["metadata"]["captured"])]


def events_of(ctx: Context, session: str = "claude-code:s1") -> list[activity.Activity]:
    with ctx.store.read() as tx:
        return activity.of_session(tx, ctx.tenant, session, (1 << 62, ""), 10_000)


def waiting(ctx: Context) -> list[str]:
    return spool.waiting(str(ctx.settings.data))


def call(ctx: Context, tool: str, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


# --- What comes in ---


def test_events_become_activity_and_memories_of_the_project_that_the_agent_worked_in(ctx, app):
    told = whole_session(app / "src" / "deep")
    assert drained(ctx, told) == ingest.Drained(events=len(told.events), memories=4)
    rows = events_of(ctx)
    assert [row.event for row in rows] == [event["id"] for event in told.events]
    assert {row.namespace for row in rows} == {str(app)}
    failed = next(row for row in rows if row.outcome == "failed")
    assert (failed.what, failed.action, failed.subject) == ("tool", "command", "pytest tests/test_cart.py")
    assert failed.detail["output"] == FAILED
    found = captured(ctx)
    assert {thing["namespace"] for thing in found} == {str(app)}
    assert sorted(thing["metadata"]["captured"] for thing in found) == ["decision", "decision", "failure", "session"]
    known = {"origin": "capture", "trust": "untrusted", "client": "claude-code", "session": "s1"}
    assert all(known.items() <= thing["metadata"].items() for thing in found)
    assert waiting(ctx) == []


def test_a_captured_memory_is_recalled_as_any_other_and_says_that_nobody_confirmed_it(ctx, app):
    drained(ctx, whole_session(app))
    hit = call(ctx, "recall_memory", query="assert 3 == 4 in the cart", namespace=str(app))[0]
    assert "in cart.py: `total = 3` -> `total = 4`" in hit["content"]
    assert (hit["origin"], hit["trust"]) == ("capture", "untrusted")


def test_a_memory_that_somebody_told_comes_before_a_captured_one_of_the_same_relevance(ctx):
    words = ("Redis is the cache of the cart", "Redis is the cache of the shop")
    for first in (0, 1):
        of = f"/p{first}"
        told, seen = words[first], words[1 - first]
        stored = memories.store(ctx, memories.NewMemory(told, namespace=of, type="decision"))
        mark = {"origin": "capture", "trust": "untrusted", "captured": "decision"}
        taken = importing.import_items(
            ctx, [{"content": seen, "namespace": of, "confidence": 0.5, "memory_type": "decision", "metadata": mark}]
        )
        hits = call(ctx, "recall_memory", query="Redis is the cache", namespace=of)
        assert [hit["id"] for hit in hits] == [stored["id"], *taken.ids]


def test_a_captured_memory_of_an_old_session_has_the_time_of_that(ctx, app):
    drained(ctx, whole_session(app))
    assert {thing["created_at"][:10] for thing in captured(ctx)} == {time_text(BEGAN)[:10]}


def test_what_an_agent_does_at_home_belongs_to_no_project(ctx, tmp_path):
    drained(ctx, whole_session(tmp_path))
    assert {row.namespace for row in events_of(ctx)} == {""}
    assert {thing["namespace"] for thing in captured(ctx)} == {None}


@pytest.mark.parametrize(("named", "namespace"), [("shop", "shop"), ("DIRECTORY", "DIRECTORY")])
def test_a_session_belongs_to_the_project_that_the_environment_of_its_hooks_names(ctx, app, tmp_path, named, namespace):
    other = str(repository(tmp_path / "other"))
    event = {**Told(app).prompt("hello"), "project": named.replace("DIRECTORY", other)}
    spooled(ctx.settings.data, [event])
    ingest.drain(ctx)
    assert {row.namespace for row in events_of(ctx)} == {namespace.replace("DIRECTORY", other)}


def test_a_session_stays_in_the_project_in_which_it_began(ctx, app, tmp_path):
    other = repository(tmp_path / "other")
    told = Told(app)
    told.prompt("hello")
    told.cwd = str(other)
    told.turn("I decided to use tabs because the linter asks for them.")
    spooled(ctx.settings.data, told.events[:1])
    ingest.drain(ctx)
    spooled(ctx.settings.data, told.events[1:])
    ingest.drain(ctx)
    assert {row.namespace for row in events_of(ctx)} == {str(app)}


def test_a_directory_that_is_gone_by_now_is_a_project_and_no_alias(ctx, tmp_path):
    drained(ctx, whole_session(tmp_path / "gone"))
    assert {row.namespace for row in events_of(ctx)} == {str(tmp_path / "gone")}
    with closing(store_file.opened(ctx.settings.data / FILE)) as connection:
        assert connection.execute("SELECT * FROM project").fetchall() == []


@pytest.mark.parametrize(
    "text", ["決定: キャッシュには Redis を使う", "Мы решили использовать SQLite ✓", "\u202eevil\x1b[31m"]
)
def test_texts_of_every_language_come_in(ctx, app, text):
    told = Told(app)
    told.prompt(text)
    told.command(f"grep '{text}' notes", text)
    told.turn(text)
    assert drained(ctx, told).events == 3
    assert events_of(ctx)[0].detail["text"] == text


def test_a_huge_event_is_cut_to_what_a_row_may_have(ctx, app):
    told = Told(app)
    told.command("make", "日" * 30_000 + "the end", failed=True)
    told.tell("prompt", text="x" * 100_000)
    assert drained(ctx, told).events == 2
    command, prompt = events_of(ctx)
    assert len(json.dumps(command.detail, ensure_ascii=False).encode()) <= LONGEST_DETAIL
    assert command.detail["output"].endswith("the end")
    assert len(prompt.detail["text"]) <= LONGEST_DETAIL


def test_halves_of_characters_and_nul_do_not_hold_up_a_drain(ctx, app):
    (name,) = spooled(ctx.settings.data, [Told(app).command("cat blob")])
    event = Told(app).command("cat blob", "a\0b\ud800c")  # which no hook of ours writes
    (ctx.settings.data / "spool" / "new" / name).write_text(json.dumps(event), encoding="ascii")
    assert ingest.drain(ctx) == ingest.Drained(events=1)
    assert events_of(ctx)[0].detail["output"] == "ab?c"


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
    ctx.store.write(lambda tx: activity.add(tx, ctx.tenant, rows))  # the first transaction of a drain that died then
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


# --- In pieces ---


def random_session(chance: random.Random, cwd: str) -> Told:
    """A session of chance in which things fail, are fixed, are decided and taken back."""
    told = Told(cwd, session=f"s{chance.random()}")
    told.start()

    def one() -> str:
        return chance.choice(("SQLite", "Redis", "Postgres", "MySQL", "DuckDB", "Kafka"))

    steps: list[Callable[[], Any]] = [
        lambda: told.prompt(f"Let's use {one()} instead of {one()} for the {chance.choice(('cart', 'orders'))} cache."),
        lambda: told.prompt("Scratch that."),
        lambda: told.command(f"pytest tests/test_{chance.randrange(3)}.py", FAILED, failed=True),
        lambda: told.command(f"pytest tests/test_{chance.randrange(3)}.py", "1 passed in 0.1s"),
        lambda: told.edit(f"m{chance.randrange(4)}.py", f"x = {chance.randrange(9)}", f"y = {chance.randrange(9)}"),
        lambda: told.read("m1.py"),
        lambda: told.turn(f"Done. I decided to keep the {one()} client, because the {one()} driver drifts."),
        told.end,
    ]
    for _ in range(chance.randrange(20, 60)):
        chance.choice(steps)()
    told.turn()
    return told


def test_drained_in_pieces_and_at_once_a_session_gives_the_same_memories(tmp_path):
    chance = random.Random(20261122)
    with opened(tmp_path / "pieces") as pieces, opened(tmp_path / "whole") as whole:
        for number in range(12):
            told = random_session(chance, str(tmp_path / f"app{number}"))
            rest = list(told.events)
            while rest:
                count = chance.randrange(1, 12)
                ingest.take_in(pieces, rest[:count])
                rest = rest[count:]
            ingest.take_in(whole, told.events)
        made = [{thing["id"]: known(thing) for thing in captured(ctx)} for ctx in (pieces, whole)]
        assert len(made[1]) > 40
        assert made[0] == made[1]


def known(thing: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(thing[name] for name in ("content", "namespace", "tags", "importance", "metadata", "memory_type"))


def test_more_events_than_a_batch_are_drained_in_one_go_or_as_many_as_are_asked_for(ctx, app):
    told = Told(app)
    for n in range(ingest.BATCH + 50):
        told.read(f"file{n}.py")
    spooled(ctx.settings.data, told.events)
    assert ingest.drain(ctx, most=30).events == 30
    assert len(waiting(ctx)) == ingest.BATCH + 20
    assert ingest.drain(ctx).events == ingest.BATCH + 20
    assert waiting(ctx) == []


def test_of_a_session_without_end_the_newest_events_are_looked_at(ctx, app):
    told = Told(app)
    told.prompt("Let's use SQLite instead of Redis for the cart cache.")
    drained(ctx, told)
    rows = [replace(hook_events.row_of(told.read(f"file{n}.py")), namespace=str(app)) for n in range(2_100)]
    ctx.store.write(lambda tx: activity.add(tx, ctx.tenant, rows))
    told.prompt("Let's use Postgres instead of MySQL for the orders.")
    spooled(ctx.settings.data, told.events[-1:])
    ingest.drain(ctx)
    assert len(captured(ctx, "decision")) == 2  # the first is not withdrawn, though it is not seen any more


# --- Bad input ---


def test_what_cannot_be_read_is_set_aside_and_holds_nothing_up(ctx, data, app):
    told = whole_session(app)
    spooled(data, told.events[:4])
    new = data / "spool" / "new"
    for name, text in {
        "00-broken.json": b'{"v": 1, "id"',
        "01-other.json": b"[1, 2]",
        "02-what.json": json.dumps({**told.events[0], "what": "captured"}).encode(),
        "03-time.json": json.dumps({**told.events[0], "time": -1}).encode(),
        "04-huge.json": b"x" * (1 << 20),
        "05-deep.json": b"[" * 100_000,
        "06-future.json": json.dumps({**told.events[0], "v": 99}).encode(),
    }.items():
        (new / name).write_bytes(text)
    spooled(data, told.events[4:])
    assert ingest.drain(ctx) == ingest.Drained(events=len(told.events), memories=4, bad=7)
    assert waiting(ctx) == []
    assert len(spool.set_aside_names(str(data))) == 7


def test_an_event_of_a_newer_version_waits_for_an_upgrade_and_doctor_says_so(ctx, data, app, caplog):
    event = Told(app).prompt("hello")
    spooled(data, [{**event, "v": 99}])
    assert ingest.drain(ctx) == ingest.Drained(bad=1)
    assert "upgrade" in caplog.records[-1].__dict__["message_text"]
    assert ingest.again(ctx) == 0
    report = doctor.examine(ctx.settings)
    assert report.sound
    (line,) = [line for line in report.lines if "could not be read" in line]
    assert "version 99" in line
    assert "upgrade" in line
    (name,) = spool.set_aside_names(str(data))
    (data / "spool" / "bad" / name).write_text(json.dumps(event))  # as this version would read it after an upgrade
    assert ingest.again(ctx) == 1
    assert ingest.drain(ctx) == ingest.Drained(events=1)


def test_a_rule_that_stumbles_costs_no_event(ctx, app):
    row = hook_events.row_of(Told(app).prompt("hello"))
    broken = replace(row, namespace=str(app), detail={"text": ["no text"]})
    ctx.store.write(lambda tx: activity.add(tx, ctx.tenant, [broken]))
    told = Told(app, began=BEGAN + SECOND)
    told.turn("I decided to use tabs because the linter asks for them.")
    assert drained(ctx, told).events == 1
    assert waiting(ctx) == []


@pytest.mark.sqlite("the file's schema number")
def test_while_the_store_cannot_be_written_events_stay_in_the_spool(ctx, data, app):
    spooled(data, whole_session(app).events)
    with closing(connect(data / FILE)) as connection:
        ((schema,),) = connection.execute("PRAGMA user_version").fetchall()
        connection.execute("PRAGMA user_version = 99").fetchall()  # somebody upgraded it
        with pytest.raises(Conflict):
            ingest.drain(ctx)
        assert len(waiting(ctx)) == 8
        connection.execute(f"PRAGMA user_version = {schema}").fetchall()
    assert ingest.drain(ctx).memories == 4


def test_a_read_only_server_leaves_the_spool_alone(ctx, data, app):
    spooled(data, whole_session(app).events)
    asleep = replace(ctx, settings=replace(ctx.settings, read_only=True))
    assert ingest.drain(asleep) == ingest.Drained()
    assert len(waiting(ctx)) == 8


# --- Beside it ---


def test_a_command_that_opens_the_store_takes_in_what_waits(ctx, data, app):
    spooled(data, whole_session(app).events)
    for open_it in (opening.open_context_of, opening.open_existing):
        with closing(open_it(Namespace(data=str(data), project=None))) as opened_:
            assert len(captured(opened_)) == 4
    assert waiting(ctx) == []


def test_who_is_limited_to_namespaces_sees_captured_memories_of_these_and_no_others(ctx, app, tmp_path):
    other = repository(tmp_path / "other")
    drained(ctx, whole_session(app), whole_session(other, "s2"))
    mine = ctx.granted(Grant("tok_a", "write", frozenset([str(app)])))
    hits = call(mine, "recall_memory", query="assert 3 == 4 in the cart")
    assert hits
    assert {hit["namespace"] for hit in hits} == {str(app)}
    with mine.store.read() as tx:
        assert activity.namespaces(tx, ctx.tenant) == [str(app)]
        assert activity.count(tx, ctx.tenant) == 8


def test_what_is_older_than_events_are_kept_is_forgotten(data, app):
    now = datetime(2026, 2, 2, tzinfo=UTC)
    with opened(data, lambda: now) as ctx:
        drained(ctx, whole_session(app))
        maintenance.trim(ctx)
        assert len(events_of(ctx)) == 8
        now += timedelta(days=ctx.settings.event_days + 1)
        maintenance.trim(ctx)
        assert events_of(ctx) == []
        assert len(captured(ctx)) == 4


@pytest.mark.sqlite("salvage of a damaged file")
def test_salvage_reads_activity_too(ctx, data, app, tmp_path):
    drained(ctx, whole_session(app))
    ctx.close()
    saved = salvage(data / FILE, tmp_path / "salvaged.db")
    assert saved["activity"] == (8 + 4, 0)  # the events, and what was made of them


def test_doctor_tells_what_waits(ctx, data, app):
    drained(ctx, whole_session(app))
    spooled(data, Told(app).events or [Told(app).prompt("hello")])
    report = doctor.examine(ctx.settings)
    assert "captured events: 8, in the spool: 1, memories to review: 4" in report.lines
    assert report.sound


# --- Processes ---

HOOKS = """
import json, sys
from indelible.capture import spool
data, events = sys.argv[1], json.load(sys.stdin)
for event in events:
    spool.put(data, event)
"""


@pytest.mark.process
def test_twenty_hooks_beside_a_server_a_command_and_a_drain_lose_nothing_and_double_nothing(data, app):
    hour = 3600 * SECOND  # in the past days: a server forgets older activity at once
    sessions = [whole_session(app, f"s{n}", began=micros(utc_now()) - n * hour - hour) for n in range(20)]
    with McpClient(data) as client:
        hooks = [start(["-c", HOOKS, str(data)], data, json.dumps(told.events)) for told in sessions]
        drains = [start(["-m", "indelible", "drain", "--data", str(data)], data, "") for _ in range(2)]
        recall = start(["-m", "indelible", "recall", "total", "--data", str(data)], data, "")
        assert [process.wait(50) for process in (*hooks, *drains)] == [0] * 22
        assert recall.wait(50) in (0, 1)
        done("drain", data=data)
        assert client.call("codemem_stats")["storage"]["memories"] == 20 + 3  # equal words are one memory
    with opened(data) as ctx:
        assert waiting(ctx) == []
        for told in sessions:
            rows = events_of(ctx, f"claude-code:{told.session}")
            assert [row.event for row in rows] == [event["id"] for event in told.events]
        assert len(captured(ctx)) == 20 + 3
    assert_sound(data)


def start(arguments: list[str], data: Path, stdin: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=environment(),
        cwd=data.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    return process


@pytest.mark.process
def test_a_server_drains_by_itself(data, app):
    spooled(data, whole_session(app).events)
    with McpClient(data) as client:
        while not spool.is_empty(str(data)):  # pytest's own limit ends it
            client.call("codemem_stats")
        assert client.call("codemem_stats")["storage"]["memories"] == 4
