"""A forked process of the tests (forked.py) is to its user what a real one is."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import forked
from command_line import indelible
from mcp_client import McpClient, environment

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="there all processes are real")]


@pytest.fixture(autouse=True)
def forks(monkeypatch):
    """Also in a run that asks for real processes (`.ci/run --full`)."""
    monkeypatch.delenv("INDELIBLE_TESTS_REAL", raising=False)


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (("--version",), b""),
        (("remember", "x", "--type", "memo"), b""),
        (("recall", ""), b""),
        (("import",), b'{"content": "axum, with \xe6\x97\xa5\xe6\x9c\xac"}\nno JSON\n'),
    ],
    ids=["output", "wrong usage", "refusal", "input"],
)
def test_it_says_and_returns_what_a_real_one_does(tmp_path, arguments, stdin):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    ran = indelible(*arguments, data=tmp_path / "one" / "data", stdin=stdin)
    real = indelible(*arguments, data=tmp_path / "two" / "data", stdin=stdin, python=forked.REAL)
    assert (ran.returncode, ran.stdout, ran.stderr) == (real.returncode, real.stdout, real.stderr)
    assert ran.stdout + ran.stderr


def test_it_is_a_process_of_its_own_and_shares_nothing_with_another(tmp_path):
    before = os.umask(0o027)
    try:
        with McpClient(tmp_path / "data") as one, McpClient(tmp_path / "data", env={"HOME": "/nowhere"}) as two:
            ours = [Path("/proc") / str(client.process.pid) for client in (one, two)]
            assert type(one.process) is forked.Forked
            assert {os.readlink(of / "cwd") for of in ours} == {str(tmp_path)}
            assert {os.getsid(client.process.pid) for client in (one, two)} == {one.process.pid, two.process.pid}
            assert all("Umask:\t0027" in (of / "status").read_text() for of in ours)
            assert not sockets_and_pipes(ours[0]) & sockets_and_pipes(ours[1])
    finally:
        os.umask(before)


def sockets_and_pipes(process: Path) -> set[str]:
    links = {os.readlink(fd) for fd in (process / "fd").iterdir()}
    return {link for link in links if link.startswith(("socket:", "pipe:"))}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT])
def test_its_end_by_a_signal_is_told_as_subprocess_tells_it(tmp_path, number):
    with McpClient(tmp_path / "data") as client:
        assert client.process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            client.process.wait(0)
        os.kill(client.process.pid, number)
        assert client.process.wait(50) == client.process.poll() == -number
        client.process.kill()  # nobody by now


def test_a_real_one_is_started_where_a_start_is_asked_for(tmp_path, monkeypatch):
    def kind(**options):
        env = environment(options.pop("env", {}))
        process = forked.start(["--version"], env=env, cwd=tmp_path, stdout=subprocess.DEVNULL, **options)
        assert process.wait(50) == 0
        return type(process)

    assert kind() is kind(env={"PYTHONUTF8": ""}) is forked.Forked
    assert kind(env={"PYTHONUTF8": "1"}) is kind(python=forked.REAL) is subprocess.Popen
    monkeypatch.setenv("INDELIBLE_TESTS_REAL", "1")
    assert kind() is subprocess.Popen


OWNER = """
import forked, sys
from mcp_client import McpClient
from pathlib import Path
with McpClient(Path(sys.argv[1])) as client:
    print(Path(f"/proc/{client.process.pid}/stat").read_text().rpartition(") ")[2].split()[1], flush=True)
    sys.stdin.read()
"""


def test_the_fork_server_leaves_when_its_owner_is_killed(tmp_path):
    command = [sys.executable, "-c", OWNER, str(tmp_path / "data")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as owner:
        server = os.pidfd_open(int(owner.stdout.readline()))
        owner.kill()
    left = select.poll()
    left.register(server, select.POLLIN)
    assert left.poll(50_000)
    os.close(server)
