"""The local socket of a serving process: who gets in, what it answers, and what is left when it ends."""

from __future__ import annotations

import json
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from briefed import Clock, opened
from encoders import runtime
from indelible.capture import serving
from indelible.core.context.context import Context, open_context
from indelible.embed import channel
from indelible.server.local import listening
from indelible.server.local.listening import HookListener
from indelible.settings import Settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sockets and modes are POSIX")

PATIENCE = 30.0  # seconds
REQUEST = {"moment": "prompt", "prompt": "why?", "project": [None, None], "directory": "/", "shown": [], "room": 250}


@pytest.fixture(autouse=True)
def private_place(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(serving, "PATIENCE", PATIENCE)
    with runtime():
        yield


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    made = opened(tmp_path / "data", tmp_path, Clock())
    yield made
    made.close()


@contextmanager
def listens(ctx: Context) -> Iterator[HookListener]:
    listener = HookListener(ctx)
    listener.start()
    try:
        yield listener
    finally:
        listener.stop()


def wait_for(what: Callable[[], object]) -> None:
    """Wait until something holds."""
    never = threading.Event()
    for _ in range(int(PATIENCE * 100)):
        if what():
            return
        never.wait(0.01)
    raise AssertionError("it did not come")


def address(ctx: Context) -> Path:
    return Path(ctx.settings.inbox, serving.ADDRESS)


def answered(ctx: Context, request: object = None) -> dict[str, object] | None:
    return serving.ask(ctx.settings.inbox, REQUEST if request is None else request)  # type: ignore[arg-type]


def test_only_the_user_may_enter_and_nothing_is_left_behind(ctx: Context) -> None:
    with listens(ctx) as listener:
        wait_for(address(ctx).exists)
        socket = Path(address(ctx).read_text())
        assert stat.S_IMODE(socket.stat().st_mode) == 0o600
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        listener.stop()
        assert not socket.exists()
        assert not address(ctx).exists()
        assert answered(ctx) is None


def test_a_request_of_a_hook_is_answered(ctx: Context) -> None:
    with listens(ctx):
        wait_for(address(ctx).exists)
        assert answered(ctx) == {"text": "", "names": [], "tokens": 0}
        assert answered(ctx, {**REQUEST, "directory": "/no/such/place"}) == {"text": "", "names": [], "tokens": 0}


@pytest.mark.parametrize("request_", [{}, [], "x", {**REQUEST, "shown": "x"}, {**REQUEST, "moment": "end"}], ids=str)
def test_what_is_no_request_is_refused_and_the_next_one_is_answered(ctx: Context, request_: object) -> None:
    with listens(ctx):
        wait_for(address(ctx).exists)
        refused = answered(ctx, request_)
        assert refused is not None
        assert "start a new session" in str(refused["error"])
        assert answered(ctx) == {"text": "", "names": [], "tokens": 0}


@pytest.mark.parametrize("frame", [b"", b"{", b"\xff\xfe", b"[" * 100_000], ids=["nothing", "half", "bytes", "deep"])
def test_who_sends_no_json_gets_no_answer_and_disturbs_nobody(ctx: Context, frame: bytes) -> None:
    with listens(ctx):
        wait_for(address(ctx).exists)
        peer = channel.connect(channel.private_place("hooks", str(Path(ctx.settings.inbox).resolve())))
        if frame:
            peer.send(frame, time.monotonic() + PATIENCE)
            with pytest.raises(OSError, match="gone away"):
                peer.receive(None)
        peer.close()
        assert answered(ctx) == {"text": "", "names": [], "tokens": 0}


def test_many_hooks_at_once_are_all_answered(ctx: Context) -> None:
    answers: list[object] = []
    with listens(ctx):
        wait_for(address(ctx).exists)
        threads = [threading.Thread(target=lambda: answers.append(answered(ctx))) for _ in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == [{"text": "", "names": [], "tokens": 0}] * 32


def test_one_of_several_listens_and_another_takes_its_place(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "LOOK", 0.01)
    with listens(ctx) as first:
        wait_for(address(ctx).exists)
        with listens(ctx):
            first.stop()
            assert not first._thread.is_alive()
            wait_for(address(ctx).exists)
            assert answered(ctx) == {"text": "", "names": [], "tokens": 0}


def test_the_socket_of_a_killed_process_is_replaced(ctx: Context) -> None:
    place = channel.private_place("hooks", str(Path(ctx.settings.inbox).resolve()))
    channel.open_listener(place).close()  # as a killed one leaves it: a file, no lock, and nobody listens
    address(ctx).write_text(str(place.path))
    with listens(ctx):
        wait_for(lambda: answered(ctx) is not None)


def test_a_read_only_server_does_not_listen(ctx: Context, tmp_path: Path) -> None:
    only = open_context(Settings(data=ctx.settings.data, start=tmp_path, home=tmp_path, read_only=True))
    with listens(only):
        assert not address(ctx).exists()
    only.close()


def test_where_there_is_no_private_place_the_server_serves_without(
    ctx: Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/" + "long" * 40)
    monkeypatch.setenv("TMPDIR", "/" + "long" * 40)
    monkeypatch.setattr("tempfile.tempdir", "/" + "long" * 40)
    with listens(ctx):
        wait_for(lambda: caplog.records)
    assert not address(ctx).exists()
    assert "no private place" in json.dumps([vars(record).get("error") for record in caplog.records])
