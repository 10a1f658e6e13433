"""The encoder process from its start to its end: woken, killed, idle, outlived."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from encoder_process import CLIENT, MANY, events, in_foreground, linux
from encoders import PATIENCE, ask, connected, place, rewoken, status, suspend, tell, wait_for_end, wake, woken
from indelible.embed import frames
from indelible.embed.shared import SharedEncoder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals, modes and owners are POSIX")


@pytest.mark.usefixtures("own_runtime")
def test_an_encoder_that_nobody_woke_gives_nothing():
    encoder = SharedEncoder()
    assert encoder.query("anyone?", 1) is None
    assert encoder.texts(["anyone?"], 1) is None
    assert encoder.state.startswith("not running")


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_a_client_that_woke_nobody_finds_out_what_runs_and_starts_nothing():
    encoder = SharedEncoder()
    assert encoder.probe().startswith("not running")
    assert not place().path.exists()
    woken().close()
    assert encoder.probe() == encoder.state == "ready"
    assert encoder.query("anyone?", PATIENCE) is not None
    encoder.close()
    pid = status()["pid"]
    suspend(pid)
    another = SharedEncoder()
    assert another.probe() == "the encoder runs, but did not answer within 0.3 s"
    os.kill(pid, signal.SIGKILL)
    wait_for_end()
    assert another.probe().startswith("not running")


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_an_embedding_that_came_in_time_is_taken_later_and_one_that_did_not_is_none():
    encoder = woken()
    pid = status()["pid"]
    in_time = encoder.begin("the first question", PATIENCE)
    assert in_time.ready(PATIENCE)
    suspend(pid)
    late = encoder.begin("the second question", 0.05)
    assert not late.ready(0)
    assert late.result() is None
    gone = encoder.begin("the third question", PATIENCE)
    os.kill(pid, signal.SIGKILL)
    assert gone.ready(PATIENCE), "there is nothing to wait for"
    assert gone.result() is None
    assert in_time.result() is not None, "it was there before the process died"
    assert encoder.begin("nobody there", PATIENCE) is None
    encoder.close()


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_what_came_within_its_time_is_read_after_it():
    encoder = woken()
    pending = encoder.begin("a question", PATIENCE)
    assert pending.ready(PATIENCE)
    assert replace(pending, until=time.monotonic() - 1).result() is not None
    encoder.close()


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_an_encoder_killed_in_the_middle_gives_nothing_and_then_a_new_one_works():
    encoder = woken()
    assert encoder.query("a question before", PATIENCE) is not None
    pid = status()["pid"]
    found: list[object] = ["no answer yet"]
    asking = threading.Thread(target=lambda: found.append(encoder.texts(MANY, PATIENCE)))
    asking.start()
    assert encoder.query("a question beside the texts", PATIENCE) is not None
    os.kill(pid, signal.SIGKILL)
    asking.join(PATIENCE)
    assert found[1:] == [None]
    assert encoder.query("nobody there", PATIENCE) is None
    assert encoder.state != "ready"
    rewoken(encoder)
    assert encoder.query("a question after", PATIENCE) is not None
    assert encoder.texts(["a text after"], PATIENCE) is not None
    assert status()["pid"] != pid
    encoder.close()


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_a_socket_that_a_killed_encoder_left_behind_is_replaced():
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(place().path))
    encoder = woken()
    assert encoder.query("anyone?", PATIENCE) is not None
    encoder.close()


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_an_idle_encoder_leaves_and_takes_its_socket_along():
    with in_foreground("--idle", "1") as process:
        said = events(process, "leaving")
        assert process.wait(PATIENCE) == 0
        assert said[-1]["reason"] == "idle"
    assert not place().path.exists()


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_a_client_of_an_encoder_that_left_says_so_and_wakes_another():
    with in_foreground("--idle", "60") as process:
        events(process, "ready")
        encoder = woken()
        assert encoder.query("the last question", PATIENCE) is not None
        process.terminate()
        assert process.wait(PATIENCE) == 0
    assert encoder.state.startswith("not running")
    assert encoder.query("anyone?", 1) is None
    rewoken(encoder)
    assert encoder.query("anyone?", PATIENCE) is not None
    encoder.close()


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_a_running_request_is_finished_before_the_encoder_leaves():
    with in_foreground("--idle", "60") as process:
        events(process, "ready")
        with connected() as peer, connected() as other:
            tell(peer, "texts", *MANY[:40])
            assert ask(other, "query", "which queue?")["windows"] == [1]
            process.terminate()
            header, _ = frames.unpack(peer.receive(time.monotonic() + PATIENCE))
            assert len(header["windows"]) == 40
        assert process.wait(PATIENCE) == 0


@pytest.mark.process
@linux
@pytest.mark.usefixtures("own_runtime")
def test_an_encoder_outlives_its_starter_and_holds_nothing_of_it():
    program = CLIENT + "import os, signal\nos.killpg(0, signal.SIGKILL)\n"
    starter = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    output, errors = starter.communicate(timeout=PATIENCE)  # comes back only when nobody holds the streams any more
    assert (output.split(), errors, starter.returncode) == (["ready", "1"], "", -signal.SIGKILL)
    of_process = Path("/proc") / str(status()["pid"])
    assert [os.readlink(of_process / "fd" / str(number)) for number in range(3)] == ["/dev/null"] * 3
    assert os.readlink(of_process / "cwd") == "/"
    assert os.getsid(int(of_process.name)) == int(of_process.name)


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_a_start_that_fails_is_told_and_not_repeated_at_once(tmp_path, monkeypatch):
    starts, python = tmp_path / "starts", tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho started >> {starts}\nexit 3\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    encoder = SharedEncoder()
    wake(encoder)
    assert "exit code 3" in encoder.state
    assert "run `indelible encoder`" in encoder.state
    wake(encoder)
    assert starts.read_text() == "started\n"
    assert encoder.query("anyone?", 1) is None


@pytest.mark.process
@pytest.mark.usefixtures("own_runtime")
def test_an_interpreter_that_is_not_there_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    encoder = SharedEncoder()
    wake(encoder)
    assert "run `indelible encoder`" in encoder.state


@pytest.mark.process
@pytest.mark.parametrize("idle", ["0", "-1", "nan", "inf"])
def test_an_idle_time_that_is_none_is_refused(idle):
    command = [sys.executable, "-m", "indelible", "encoder", f"--idle={idle}"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith("indelible: --idle must be")
