"""A client in trouble: files that nobody can read, no room, a door that is shut."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from scripted import CLOSE, Scripted, reply
from surroundings import AWAY, SECRET, Hours, Lines, back, client, contents

from indelible.client.client import Client
from indelible.client.entries import Entry
from indelible.client.failures import Failure, answered
from indelible.client.retries import Policy
from indelible.client.spool import Spool
from indelible.errors import Forbidden, IndelibleError, InvalidInput, NotFound, StoreError, Unavailable

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")


# --- Files that hold up nobody ---


def a_link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("/nowhere/at/all")


def a_directory(path: Path) -> None:
    path.unlink()
    (path / "inside").mkdir(parents=True)


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_name_of_nobody(path: Path) -> None:
    path.rename(path.with_name("copy, of a file.json"))


def an_empty_file(path: Path) -> None:
    path.write_bytes(b"")


def deep(path: Path) -> None:
    path.write_bytes(b"[" * 100_000)


@POSIX
@pytest.mark.parametrize("becomes", [a_link_to_nothing, a_directory, a_pipe, an_empty_file, deep])
@pytest.mark.parametrize("folder", ["new", "cur"])
def test_whatever_stands_in_the_place_of_a_write_holds_up_nobody_and_is_reported(reach, hours, becomes, folder):
    with client(reach, hours) as asked:
        reach.away = AWAY
        for number in range(3):
            asked.call("store_memory", content=f"memory {number}")
        first = Spool(asked.spool, hours.now).waiting()[0]
        if folder == "cur":
            Spool(asked.spool, hours.now).begin([first])
        becomes(
            next((asked.spool / folder).iterdir() if folder == "cur" else iter(sorted((asked.spool / "new").iterdir())))
        )
        back(reach, hours)
        assert asked.flush() == 0
        assert contents(asked) == ["memory 1", "memory 2"]
        (refused,) = asked.refused()
        assert (refused.id, refused.code, refused.tool) == (first, "invalid_input", "")
        asked.forget(refused.id)
        assert list((asked.spool / "refused").iterdir()) == []


def test_a_file_that_may_not_be_read_holds_up_nobody_and_is_kept(reach, hours, monkeypatch):
    with client(reach, hours) as asked:
        reach.away = AWAY
        for number in range(3):
            asked.call("store_memory", content=f"memory {number}")
        first = min((asked.spool / "new").iterdir()).name
        read = Path.read_bytes

        def refuses(self: Path) -> bytes:  # root may read everything
            if self.name.startswith(first.removesuffix(".json")) and self.parent.name in ("new", "cur"):
                raise PermissionError(errno.EACCES, "Permission denied")
            return read(self)

        monkeypatch.setattr(Path, "read_bytes", refuses)
        back(reach, hours)
        assert asked.flush() == 0
        assert contents(asked) == ["memory 1", "memory 2"]
        (refused,) = asked.refused()
        assert "cannot be read: Permission denied" in refused.message
        assert len(list((asked.spool / "refused").glob("*.unreadable"))) == 1


@POSIX
def test_a_file_with_a_name_of_its_own_is_done_as_any_other(reach, hours):
    with client(reach, hours) as asked:
        reach.away = AWAY
        for number in range(2):
            asked.call("store_memory", content=f"memory {number}")
        a_name_of_nobody(min((asked.spool / "new").iterdir()))
        back(reach, hours)
        assert asked.flush() == 0
        assert sorted(contents(asked)) == ["memory 0", "memory 1"]


def test_what_can_neither_be_read_nor_moved_is_passed_over(reach, hours, monkeypatch):
    lines = Lines()
    with client(reach, hours, log=lines) as asked:
        reach.away = AWAY
        for number in range(3):
            asked.call("store_memory", content=f"memory {number}")
        min((asked.spool / "new").iterdir()).write_bytes(b"{")

        def fails(self: Spool, id: str, error: IndelibleError) -> None:
            raise StoreError("the spool cannot be used: Input/output error")

        monkeypatch.setattr(Spool, "refuse", fails)
        back(reach, hours)
        assert asked.flush() == 1
        assert contents(asked) == ["memory 1", "memory 2"]
        assert lines.named("not_set_aside")


@POSIX
def test_a_refused_write_whose_reason_is_damaged_is_listed_all_the_same(tmp_path, hours):
    spool = Spool(tmp_path / "spool", hours.now)
    for text in (b"", b"[1]", b'{"arguments": 7}', b'{"tool": "add_todo", "arguments": {}, "key": "k"}'):
        id = spool.put(Entry("add_todo", {}, "k", 1)).id
        spool.refuse(id, NotFound("unknown"))
        (spool.directory / "refused" / f"{id}.json").write_bytes(text)
    assert [refused.tool for refused in spool.refused()] == ["", "", "", "add_todo"]


# --- No room ---


def test_who_only_writes_comes_out_of_a_full_spool_when_the_server_is_back(reach, hours):
    with client(reach, hours, most_files=3) as asked:
        reach.away = AWAY
        for number in range(3):
            asked.call("store_memory", content=f"memory {number}")
        with pytest.raises(Unavailable, match="is full"):
            asked.call("store_memory", content="one too many")
        back(reach, hours)
        assert asked.call("store_memory", content="memory 3").value["status"] == "stored"
        assert contents(asked) == [f"memory {number}" for number in range(4)]


def test_a_full_spool_that_could_not_be_emptied_in_time_refuses_the_next_write(reach, hours):
    with client(reach, hours, Policy(catch_up=2.0), most_files=10) as asked:
        reach.away = AWAY
        for number in range(10):
            asked.call("store_memory", content=f"memory {number}")
        back(reach, hours)
        reach.between = lambda: hours.sleep(3.0)
        assert asked.call("store_memory", content="memory 10").deferred  # one went, so there was room for one
        assert asked.flush() == 0
        assert contents(asked) == [f"memory {number}" for number in range(11)]


# --- A door that is shut ---

HTML = b"<html><body>nginx</body></html>"


def over(url: str, tmp_path: Path, hours: Hours, **options) -> Client:
    return Client.http(
        url, data=tmp_path / "own", timing=hours.timing, policy=Policy(timeout=5.0), log=lambda _: None, **options
    )


def rpc_error(code: int, message: str) -> dict:
    return {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (reply(401, rpc_error(-32001, "no such token")), IndelibleError),
        (reply(403, rpc_error(-32003, "not this project")), Forbidden),
        (reply(404, HTML), NotFound),
        (reply(421, rpc_error(-32600, "none of my names")), InvalidInput),
        (reply(400, HTML), InvalidInput),
        (reply(301, b"", Location="https://elsewhere.example"), InvalidInput),
    ],
    ids=lambda given: given[9:12].decode() if isinstance(given, bytes) else "",
)
def test_who_shuts_the_door_says_nothing_of_the_writes_that_wait(tmp_path, answer, kind):
    hours = Hours()
    shut = reply(503, HTML)
    with Scripted(*[shut] * 3, reply(), answer, answer, reply()) as server, over(server.url, tmp_path, hours) as asked:
        assert asked.store_memory(content="waits").deferred
        hours.sleep(60)
        with pytest.raises(kind):  # the ping was answered, the first write that waits was not let in
            asked.flush()
        assert (asked.waiting, asked.refused()) == (1, [])
        with pytest.raises(kind):
            asked.store_memory(content="not kept either")
        assert asked.waiting == 1
        assert asked.flush() == 0


@pytest.mark.parametrize("answer", [reply(413, HTML), reply(400, rpc_error(-32600, "nested too deep"))])
def test_a_body_that_is_refused_is_the_fault_of_its_write(tmp_path, answer):
    hours = Hours()
    with Scripted(*[CLOSE] * 3, reply(), answer, reply()) as server, over(server.url, tmp_path, hours) as asked:
        asked.store_memory(content="too large for somebody")
        asked.store_memory(content="the next")
        hours.sleep(60)
        assert asked.flush() == 0
        assert [refused.arguments["content"] for refused in asked.refused()] == ["too large for somebody"]


@pytest.mark.parametrize("status", [500, 501, 507, 520, 521, 522, 524, 530])
def test_who_stands_before_a_server_that_cannot_be_reached_is_asked_again(tmp_path, status):
    with (
        Scripted(reply(status, HTML), reply()) as server,
        over(server.url, tmp_path, Hours()) as asked,
    ):
        result = asked.store_memory(content="c")
        assert (result.value, result.retries) == ({"done": True}, 1)


def test_a_write_on_a_kept_connection_that_broke_may_have_been_done(tmp_path):
    hours = Hours()
    with Scripted(reply(), CLOSE) as server, over(server.url, tmp_path, hours) as asked:
        asked.store_memory(content="first")
        server.stop_listening()  # killed with the write in its hands: nobody listens any more
        result = asked.store_memory(content="perhaps done")
        assert result.deferred
        (id,) = Spool(asked.spool, hours.now).waiting()
        assert Spool(asked.spool, hours.now).read(id).tried > 0


def drip(listening: socket.socket, head: bytes) -> None:
    """Answer with one byte now and then, until nobody reads any more."""
    with suppress(OSError):
        connection, _ = listening.accept()
        with connection:
            connection.recv(1 << 16)
            connection.sendall(head)
            while True:
                connection.sendall(b"x")
                threading.Event().wait(0.02)


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"])
def test_an_answer_that_drips_is_not_waited_for_longer_than_the_policy_says(tmp_path, head):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening, head))
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        policy = Policy(attempts=1, timeout=0.3)
        with Client.http(url, data=tmp_path / "own", policy=policy, log=lambda _: None) as asked:
            result = asked.store_memory(content="c")
            assert result.deferred
            assert "no answer within 0.3 s" in result.why
        thread.join(20)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    "url", ["http://host:99999", "http://host:port", "http://[::1", "http://a..b", "http://host:0"]
)
def test_a_url_that_no_socket_takes_is_refused(url, tmp_path):
    with pytest.raises(InvalidInput, match="the URL must be"):
        over(url, tmp_path, Hours())


def test_a_path_of_a_url_may_have_any_characters(tmp_path):
    with Scripted(reply()) as server, over(f"{server.url}/p/Kläranlage süd", tmp_path, Hours()) as asked:
        assert asked.store_memory(content="c").value == {"done": True}


@pytest.mark.parametrize("limits", [{"attempts": 0}, {"attempts": -1}, {"timeout": -1.0}, {"cap": float("nan")}])
def test_a_policy_that_is_none_is_refused(limits):
    with pytest.raises(InvalidInput, match="must be"):
        Policy(**limits)


# --- Older servers ---


@pytest.mark.parametrize(
    ("words", "passes"),
    [
        ("the store /data/indelible.db is on a full disk; nothing of this call was written. Free some space", True),
        ("the store /data/indelible.db was kept busy for 30 s by other processes; nothing was written", True),
        ("store was upgraded, restart me", True),
        ("the store /data/indelible.db is damaged; run `indelible doctor --repair`", False),
        ("memory 'x' is unknown", False),
    ],
)
def test_of_a_server_that_gives_no_codes_what_passes_is_known_by_its_words(words, passes):
    assert isinstance(answered("", words), Failure) == passes


# --- Request keys ---


def test_a_secret_in_a_request_key_goes_nowhere_and_the_key_is_the_same_each_time(reach):
    lines = Lines()
    with client(reach, log=lines, log_share=1.0) as asked:
        keys = {asked.call("add_todo", title="once", request_key=f"deploy with {SECRET}").key for _ in range(2)}
        assert len(keys) == 1
        assert SECRET not in keys.pop()
        assert asked.list_todos().value["total_count"] == 1
        reach.away = AWAY
        asked.call("add_todo", title="another", request_key=SECRET)
        (kept,) = (asked.spool / "new").iterdir()
        assert SECRET not in kept.read_text()
    assert SECRET not in lines.text


@pytest.mark.parametrize("key", [7, "half \ud83d", "nul\0"])
def test_a_request_key_that_is_no_text_is_refused(reach, key):
    with client(reach) as asked, pytest.raises(InvalidInput, match="request_key"):
        asked.call("add_todo", title="once", request_key=key)
