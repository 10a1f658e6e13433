"""The spool is drained by whoever comes first: events become activity, and what is worth it memories."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import store_file
from command_line import assert_sound, done, opened
from indelible.admin import doctor, maintenance
from indelible.capture import hook_events, ingest, spool
from indelible.capture.hook_events import LONGEST_DETAIL
from indelible.cli import opening
from indelible.clock import micros, time_text, utc_now
from indelible.core.context.permissions import Grant
from indelible.errors import Conflict
from indelible.store.sqlite.connection import FILE, connect
from indelible.store.sqlite.salvage import salvage
from indelible.store.tables import activity
from indelible.toolsets.memory import importing, memories
from ingested import call, captured, drained, events_of, waiting
from mcp_client import McpClient, environment
from told import BEGAN, FAILED, SECOND, Told, repository, spooled, whole_session

Drain = Callable[..., ingest.Drained]


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


@pytest.mark.slow
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


@pytest.mark.slow
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
    ctx.store.write(lambda tx: activity.add(tx, rows))
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
    ctx.store.write(lambda tx: activity.add(tx, [broken]))
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
        assert activity.namespaces(tx) == [str(app)]
        assert activity.count(tx) == 8


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
