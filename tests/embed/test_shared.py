"""The shared encoder: what it gives and takes, and who may talk to it."""

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

from encoder_process import CLIENT, MANY, events, in_foreground, linux
from encoders import PATIENCE, ask, connected, place, status, suspend, tell, wait_for_end, wake, woken
from forbidden_calls import SETPRIORITY, forbidding
from indelible.embed import channel, frames
from indelible.embed.base import Embedding, SparseVector
from indelible.embed.local import LocalEncoder
from indelible.embed.shared import SharedEncoder
from indelible.errors import IndelibleError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals, modes and owners are POSIX")
root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as another user")


# --- What it gives ---


@pytest.mark.process
def test_the_shared_encoder_gives_what_the_models_give_in_this_process(running):
    texts = ["Team decided to use Axum over Actix", "a long text of many words " * 120, ""]
    local = LocalEncoder()
    local.load()
    ours, theirs = local.texts(texts, PATIENCE), running.texts(texts, PATIENCE)
    assert running.model == local.model
    for mine, other in zip(
        [*ours, local.query("Axum or Actix?", PATIENCE)],
        [*theirs, running.query("Axum or Actix?", PATIENCE)],
        strict=True,
    ):
        np.testing.assert_allclose(other.dense, mine.dense, atol=1e-5)
        np.testing.assert_array_equal(other.sparse.terms, mine.sparse.terms)
        np.testing.assert_allclose(other.sparse.weights, mine.sparse.weights, rtol=1e-3)
        assert (other.dense.dtype, other.sparse.terms.dtype, other.sparse.weights.dtype) == ("<f4", "<u4", "<f4")
    assert len(theirs[1].dense) > 1


@pytest.mark.process
def test_no_texts_are_no_embeddings(running):
    assert running.texts([], 1) == []


@pytest.mark.process
def test_texts_of_more_than_one_request_come_in_their_order(running):
    texts = [f"text number {number} " + "x" * 100_000 for number in range(4)]
    assert len(list(frames.portions(texts))) == 2
    found = running.texts(texts, PATIENCE)
    assert len(found) == 4
    for text, embedding in zip(texts, found, strict=True):
        alone = running.texts([text], PATIENCE)[0]
        np.testing.assert_allclose(embedding.dense, alone.dense, atol=1e-5)


# --- One process for all ---


@pytest.mark.process
def test_two_processes_share_one_encoder(running):
    before = status()["pid"]
    ran = subprocess.run([sys.executable, "-c", CLIENT], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert ran.stdout.split() == ["ready", "1"]
    assert status()["pid"] == before
    assert running.query("still there?", PATIENCE) is not None


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_of_eight_processes_that_wake_it_at_once_all_get_the_same_encoder():
    program = CLIENT + (
        "peer = channel.connect(channel.find_place(encoder.model))\n"
        "import time\n"
        "peer.send(frames.pack_request(frames.Request('status', (), 20)), time.monotonic() + 20)\n"
        "print(frames.unpack(peer.receive(time.monotonic() + 20))[0]['pid'])\n"
    )
    started = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(8)]
    said = [process.communicate(timeout=PATIENCE)[0].split() for process in started]
    assert said == [["ready", "1", said[0][2]]] * 8
    os.kill(int(said[0][2]), signal.SIGKILL)
    wait_for_end()
    with pytest.raises(ConnectionRefusedError):
        channel.connect(place())


@pytest.mark.process
def test_a_second_encoder_leaves_at_once_and_says_why(running):
    command = [sys.executable, "-m", "indelible", "encoder"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "already running" in ran.stderr
    assert running.query("still there?", PATIENCE) is not None


# --- Who may talk to it ---


@pytest.mark.process
def test_only_this_user_can_come_near_the_socket(running):
    found = place()
    assert stat.S_IMODE(found.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(found.path.parent.stat().st_mode) == 0o700
    assert running.state == "ready"


@pytest.mark.process
@root
@linux
@pytest.mark.usefixtures("own_runtime")
def test_another_user_is_turned_away_even_where_the_folder_lets_him_in():
    with in_foreground("--idle", "60") as process:
        events(process, "ready")
        path = place().path
        for each, mode in ((path, 0o666), (path.parent, 0o755), (path.parent.parent, 0o755)):
            each.chmod(mode)
        answered = []
        for user in (os.geteuid(), 65534):
            with connected_as(user, path) as peer:
                answered.append(answer_to(bytes_of(GOOD), peer))
        assert answered[0]
        assert not answered[1]


@contextmanager
def connected_as(user: int, path: Path) -> Iterator[socket.socket]:
    """A connection that the system says another user has made."""
    with socket.socket(socket.AF_UNIX) as peer:
        before = os.geteuid()
        os.seteuid(user)
        try:
            peer.connect(str(path))
        finally:
            os.seteuid(before)
        yield peer


def answer_to(said: bytes, peer: socket.socket) -> bytes:
    """The beginning of what comes back; nothing where the other side hangs up."""
    peer.settimeout(PATIENCE)
    try:
        peer.sendall(said)
        return peer.recv(4)
    except (BrokenPipeError, ConnectionResetError):
        return b""


def put_temporary_files_in(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For this process and those that it starts."""
    monkeypatch.setenv("TMPDIR", str(directory))
    monkeypatch.setattr(tempfile, "tempdir", None)


@pytest.mark.process
def test_a_folder_with_too_long_a_name_is_replaced_by_one_for_temporary_files(own_runtime, monkeypatch):
    long = own_runtime / ("x" * 60) / ("y" * 60)
    long.mkdir(mode=0o700, parents=True)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    put_temporary_files_in(own_runtime, monkeypatch)
    with in_foreground("--idle", "60") as process:
        assert events(process, "listening")
    found = place()
    assert found.path.parent == own_runtime / f"indelible-{os.geteuid()}"
    assert stat.S_IMODE(found.path.parent.stat().st_mode) == 0o700


def test_a_folder_of_ours_that_is_open_to_others_is_closed(own_runtime):
    folder = place().path.parent
    folder.chmod(0o777)
    assert place().path.parent == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.process
@pytest.mark.parametrize("trap", ["a link", "a file", "an open folder above", pytest.param("an owner", marks=root)])
def test_a_folder_that_others_could_have_made_is_not_used(trap, own_runtime, monkeypatch):
    temporary = own_runtime / "tmp"
    temporary.mkdir(mode=0o700)
    folder = temporary / f"indelible-{os.geteuid()}"
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(own_runtime / ("x" * 120)))
    put_temporary_files_in(temporary, monkeypatch)
    if trap == "a link":
        folder.symlink_to(own_runtime)
    elif trap == "a file":
        folder.touch()
    elif trap == "an open folder above":
        temporary.chmod(0o777)
    else:
        folder.mkdir(mode=0o700)
        os.chown(folder, 65534, 65534)
    with pytest.raises(IndelibleError, match="XDG_RUNTIME_DIR"):
        place()
    encoder = SharedEncoder()
    wake(encoder)
    assert "run `indelible encoder`" in encoder.state


# --- What it takes ---


GOOD = {"op": "status", "texts": [], "timeout": 0}
GARBAGE = {
    "no frame at all": b"GET / HTTP/1.1\r\n\r\n",
    "a frame over the limit": (frames.LARGEST + 1).to_bytes(4, "little"),
    "a header longer than its frame": b"\x08\0\0\0" + b"\xff\xff\0\0" + b"{}  ",
    "an empty frame": b"\0\0\0\0",
    "no JSON": frames.pack({})[:4] + b"{{{{",
    "deep JSON": b"[" * 100_000,
    "a list": b"[1]",
    "an unknown operation": {**GOOD, "op": "encode"},
    "an operation that is a list": {**GOOD, "op": []},
    "no texts": {"op": "texts", "timeout": 1},
    "texts that are numbers": {**GOOD, "op": "texts", "texts": [1]},
    "a query of two texts": {**GOOD, "op": "query", "texts": ["a", "b"]},
    "a negative timeout": {**GOOD, "timeout": -1},
    "a timeout that is not a number": {**GOOD, "timeout": float("nan")},
    "an endless timeout": {**GOOD, "timeout": float("inf")},
    "a timeout in words": {**GOOD, "timeout": "1"},
}


def bytes_of(garbage: bytes | dict) -> bytes:
    if isinstance(garbage, dict):
        frame = frames.pack(garbage)
    elif garbage.startswith(b"["):
        frame = len(garbage).to_bytes(4, "little") + garbage
    else:
        return garbage
    return len(frame).to_bytes(4, "little") + frame


@pytest.mark.process
@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
def test_garbage_ends_its_own_connection_and_nothing_else(garbage, running):
    with connected() as other, socket.socket(socket.AF_UNIX) as peer:
        peer.connect(str(place().path))
        assert answer_to(bytes_of(garbage), peer) == b""
        assert ask(other, "status")["state"] == "ready"
    assert running.query("still there?", PATIENCE) is not None


def test_an_answer_that_does_not_fit_its_header_is_refused():
    rows = np.ones((3, 2), np.float32)
    terms = SparseVector(np.arange(4, dtype=np.uint32), np.ones(4, np.float32))
    none = SparseVector(np.empty(0, np.uint32), np.empty(0, np.float32))
    sent = [Embedding(rows, terms), Embedding(rows[:1], none)]
    header, body = frames.unpack(bytearray(frames.pack_embeddings(sent)))
    for mine, other in zip(sent, frames.unpack_embeddings(header, body, 2), strict=True):
        np.testing.assert_array_equal(mine.dense, other.dense)
        np.testing.assert_array_equal(mine.sparse.terms, other.sparse.terms)
        np.testing.assert_array_equal(mine.sparse.weights, other.sparse.weights)
    wrong = [{"windows": [3]}, {"windows": [-1, 5]}, {"terms": "44"}, {"terms": [4, 1]}, {"dimensions": True}]
    for change in wrong:
        with pytest.raises(frames.Malformed):
            frames.unpack_embeddings({**header, **change}, body, 2)


# --- Queries, texts, and clients that give up ---


@pytest.mark.process
def test_a_question_does_not_wait_for_texts_and_texts_that_nobody_waits_for_end(running):
    with connected() as peer:
        tell(peer, "texts", *MANY)  # a minute of work
        assert running.query("which queue is drained?", 10) is not None
        with pytest.raises(TimeoutError):
            peer.receive(time.monotonic() + 0.01)
        assert running.texts(["one short text, as a write has"], 10) is not None
        assert running.texts(["several", "one request at a time"], 0.2) is None
        assert running.state == "ready"
    assert running.texts(["now it is our turn"], 15) is not None


@pytest.mark.process
@linux
@pytest.mark.usefixtures("own_runtime")
def test_texts_are_encoded_at_a_low_priority_a_single_one_too_and_questions_at_the_usual_one():
    encoder = woken()
    usual = os.getpriority(os.PRIO_PROCESS, 0)

    def priorities() -> set[int]:
        found = set()
        for thread in Path("/proc", str(status()["pid"]), "task").iterdir():
            with suppress(ProcessLookupError):  # the thread of a connection may have ended since it was listed
                found.add(os.getpriority(os.PRIO_PROCESS, int(thread.name)))
        return found

    assert encoder.query("a question?", PATIENCE) is not None
    assert priorities() == {usual}
    for texts in (["a text"], ["one", "two"]):
        assert encoder.texts(texts, PATIENCE) is not None
        assert priorities() == {usual, max(usual, 10)}  # not raised where a bulk command has started the encoder
    encoder.close()


@pytest.mark.process
@linux
@pytest.mark.skipif(SETPRIORITY is None, reason="the number of the call is known for x86_64 and aarch64")
@pytest.mark.usefixtures("own_runtime")
def test_where_priorities_are_forbidden_texts_are_encoded_at_the_usual_one():
    with in_foreground(under=forbidding(SETPRIORITY)) as process:
        assert events(process, "ready")[-1]["event"] == "ready"
        encoder = woken()
        assert status()["pid"] == process.pid
        assert encoder.texts(["a text"], PATIENCE) is not None
        assert encoder.texts(["one", "two"], PATIENCE) is not None
        encoder.close()


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_a_late_answer_is_not_taken_for_the_next_ones():
    encoder = woken()
    expected = encoder.query("the second question", PATIENCE)
    pid = status()["pid"]
    suspend(pid)
    late = encoder.query("the first question", 0.2)
    os.kill(pid, signal.SIGCONT)
    assert late is None
    np.testing.assert_allclose(encoder.query("the second question", PATIENCE).dense, expected.dense, atol=1e-5)
    encoder.close()


@pytest.mark.process
def test_after_closing_embeddings_come_anew(running):
    running.close()
    assert running.query("still there?", PATIENCE) is not None


@pytest.mark.process
def test_queries_are_encoded_while_their_caller_does_something_else(running):
    texts = ["Axum or Actix?", "where do we log?"]
    expected = [running.query(text, PATIENCE) for text in texts]
    begun = [running.begin(text, PATIENCE) for text in texts]
    assert all(pending.ready(PATIENCE) for pending in begun)
    for pending, known in zip(reversed(begun), reversed(expected), strict=True):
        np.testing.assert_allclose(pending.result().dense, known.dense, atol=1e-5)
    assert running.state == "ready"
