"""What goes wrong with one event, or with one drain, costs no other."""

from __future__ import annotations

import errno
import os
from argparse import Namespace
from pathlib import Path

import pytest

from indelible.admin import doctor, maintenance
from indelible.capture import ingest, spool
from indelible.cli.commands import purge
from indelible.core.context.context import Context
from indelible.errors import StoreError
from indelible.store.tables import activity
from told import Told, spooled


def events_of(ctx: Context) -> list[activity.Activity]:
    with ctx.store.read() as tx:
        return activity.of_session(tx, "claude-code:s1", (1 << 62, ""), 1_000)


def waiting(ctx: Context) -> list[str]:
    return spool.waiting(str(ctx.settings.data))


def files(ctx: Context) -> Path:
    return ctx.settings.data / "spool" / "new"


def asked(data: Path, app: Path) -> Namespace:
    return Namespace(
        data=str(data),
        project=None,
        ids=[],
        namespace=str(app),
        older_than=None,
        expired=False,
        dry_run=False,
        yes=True,
    )


# --- One event ---


@pytest.mark.parametrize("directory", ["/" + "a" * 300, "/" + "a/" * 3_000, "/dev/null/below", "relative", "/\0"])
def test_an_event_of_a_directory_that_no_system_can_have_is_taken_in_as_any_other(ctx, directory):
    spooled(ctx.settings.data, [Told(directory).prompt("hello")])
    assert ingest.drain(ctx) == ingest.Drained(events=1)
    assert waiting(ctx) == []


def test_an_event_of_a_directory_that_does_not_answer_is_taken_in_as_any_other(ctx, tmp_path, monkeypatch):
    here, stat = str(tmp_path / "mounted"), os.stat

    def dead(path, *given, **named):
        if str(path).startswith(here):
            raise OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN), str(path))
        return stat(path, *given, **named)

    monkeypatch.setattr(os, "stat", dead)
    spooled(ctx.settings.data, [Told(here).prompt("hello")])
    assert ingest.drain(ctx) == ingest.Drained(events=1)
    assert {row.namespace for row in events_of(ctx)} == {here}


def test_an_event_that_cannot_be_taken_in_is_set_aside_without_its_neighbours(ctx, data, app, tmp_path):
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / ".git").write_bytes(b"gitdir: a\0b\n")  # a path that no call of the system takes
    told = Told(app)
    odd = Told(broken, session="odd").prompt("hello")
    spooled(data, [told.prompt("one"), odd, told.prompt("two")])
    assert ingest.drain(ctx) == ingest.Drained(events=2, bad=1)
    assert [row.detail["text"] for row in events_of(ctx)] == ["one", "two"]
    assert waiting(ctx) == []
    (name,) = spool.set_aside_names(str(data))
    assert spool.read(str(data), name, "bad") == odd
    assert ingest.again(ctx) == 0
    (line,) = [line for line in doctor.examine(ctx.settings).lines if "could not be read" in line]
    assert "ValueError" in line
    (broken / ".git").unlink()
    assert ingest.again(ctx) == 1
    assert ingest.drain(ctx) == ingest.Drained(events=1)


def test_the_folder_of_what_is_set_aside_is_made_where_it_is_missing(ctx, data, app):
    spooled(data, [Told(app).prompt("hello")])
    (data / "spool" / "bad").rmdir()
    (files(ctx) / "00-broken.json").write_bytes(b"{")
    assert ingest.drain(ctx) == ingest.Drained(events=1, bad=1)
    assert spool.set_aside_names(str(data)) == ["00-broken.json"]


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO])
def test_a_disk_that_fails_sets_no_event_aside(ctx, data, app, monkeypatch, number):
    spooled(data, [Told(app).prompt("hello")])

    def failing(*_):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(spool, "read", failing)
        with pytest.raises(StoreError, match=os.strerror(number)):
            ingest.drain(ctx)
    assert spool.set_aside_names(str(data)) == []
    assert ingest.drain(ctx) == ingest.Drained(events=1)


def test_a_drain_looks_once_at_what_waits(ctx, data, app, monkeypatch):
    told = Told(app)
    spooled(data, [told.read(f"file{number}.py") for number in range(5)])
    looks, listed = [], spool.waiting
    monkeypatch.setattr(ingest, "BATCH", 2)
    monkeypatch.setattr(spool, "waiting", lambda *given: looks.append(given) or listed(*given))
    assert ingest.drain(ctx).events == 5
    assert len(looks) == 1


# --- Beside the drain ---


@pytest.mark.parametrize("error", [StoreError("the disk is full"), ValueError("nobody foresaw it")], ids=repr)
def test_housekeeping_goes_on_where_a_drain_fails(ctx, data, app, monkeypatch, error):
    spooled(data, [Told(app).read(f"file{number}.py") for number in range(2)])
    monkeypatch.setattr(ingest, "BATCH", 1)
    keeper, drain = maintenance.Housekeeper(ctx), ingest.drain
    keeper._round()  # the first of two: there is more, so the next round drains again
    assert len(waiting(ctx)) == 1

    def failing(*_, **__):
        raise error

    monkeypatch.setattr(ingest, "drain", failing)
    with pytest.raises(type(error)):
        keeper._round()
    done = []
    monkeypatch.setattr(maintenance, "trim", done.append)
    keeper._rounds = 121
    keeper._round()  # the daily one
    assert done == [ctx]
    monkeypatch.setattr(ingest, "drain", drain)
    keeper._rounds = 0
    keeper._round()
    assert waiting(ctx) == []


def test_an_accident_does_not_end_housekeeping(ctx, monkeypatch):
    keeper = maintenance.Housekeeper(ctx)
    rounds = []

    def stumbling():
        rounds.append(len(rounds))
        if len(rounds) < 4:
            raise (OSError, ValueError, RecursionError)[len(rounds) - 1]
        keeper._stop.set()

    monkeypatch.setattr(maintenance, "EVERY", 0)
    monkeypatch.setattr(maintenance, "PAUSE", 0)
    monkeypatch.setattr(keeper, "_round", stumbling)
    keeper._run()
    assert len(rounds) == 4


def test_a_purge_goes_on_where_the_spool_cannot_be_drained_and_says_so(ctx, data, app, monkeypatch, capsys):
    told = Told(app)
    spooled(data, [told.prompt("hello")])
    ingest.drain(ctx)
    spooled(data, [told.prompt("again")])

    def failing(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(spool, "read", failing)
    assert purge._purge(asked(data, app)) == 1  # it may not be whole
    said = capsys.readouterr()
    assert "1 event of a session" in said.out
    assert "may be stored after the purge" in said.err


def test_a_purge_tells_of_events_that_nobody_can_read(ctx, data, app, capsys):
    spooled(data, [Told(app).prompt("hello")])
    (files(ctx) / "00-broken.json").write_bytes(b"{")
    assert purge._purge(asked(data, app)) == 0
    assert f"1 event in {data}/spool/bad" in capsys.readouterr().err


def test_a_purge_waits_for_whoever_drains(ctx, data, app, monkeypatch):
    waits = []
    monkeypatch.setattr(ingest, "drain", lambda *_, **named: waits.append(named.get("wait", False)))
    purge._purge(asked(data, app))
    assert waits[-1]
