"""A forked process of the tests (forked.py) is to its user what a real one is."""

import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import forked
import forked_commands
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


# --- The program of a shell (forked_commands.py) ---

ASK = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
SCRIPTS = {
    "output, exit code": "indelible --version; indelible remember x --type memo; echo $?",
    "both streams in order": "indelible remember x --data d; indelible stats --data d 2>&1 | grep -c memo",
    "a pipe on each side": 'echo \'{"content": "a"}\' | indelible import --data d | cat; echo ${PIPESTATUS[1]}',
    "a pipe that closes": "indelible tools --json | head -c 1; echo ${PIPESTATUS[0]}",
    "environment, directory": "mkdir a; cd a; INDELIBLE_DATA=$PWD/d indelible remember x; ls",
    "a signal": (
        "mkfifo in out; indelible serve --data d <in >out & exec 3>in 4<out; "
        f"echo '{ASK}' >&3; read -r said <&4; echo \"$said\"; kill -TERM $!; wait $!; echo $?"
    ),
    "a signal that kills": (
        "mkfifo in out; indelible serve --data d <in >out & exec 3>in 4<out; "
        f"echo '{ASK}' >&3; read -r said <&4; kill -ABRT $!; wait $! 2>/dev/null; echo $?"
    ),
    "its name": "indelible remember --help | head -3",
}


def in_shell(place, script, env=None):
    """What a script says, in a directory of its own with the program `indelible` in the PATH."""
    place.mkdir()
    given = {**environment(), "PYTHONUNBUFFERED": "1", "HOME": str(place)}
    programs = place / "bin"
    programs.mkdir()
    with forked_commands.installed(programs, given):
        is_real = (programs / "indelible").is_symlink()
        ran = subprocess.run(
            ["bash", "-c", script],
            env={**given, "PATH": f"{programs}:{given['PATH']}", **(env or {})},
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    return is_real, ran.stdout.replace(str(place), "PLACE")


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.sweep(2)
def test_a_shell_sees_what_it_sees_of_a_real_one(tmp_path, monkeypatch, script):
    is_real, said = in_shell(tmp_path / "forked", SCRIPTS[script])
    assert not is_real
    monkeypatch.setenv("INDELIBLE_TESTS_REAL", "1")
    is_real, real = in_shell(tmp_path / "real", SCRIPTS[script])
    assert is_real
    assert without_ids(said) == without_ids(real)
    assert said


def without_ids(said: str) -> str:
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "ID", said)


def test_a_shell_has_a_real_one_where_its_start_would_be_another(tmp_path):
    _, said = in_shell(tmp_path / "place", "PYTHONVERBOSE=1 indelible --version")
    assert "import _frozen_importlib" in said


def test_a_process_of_a_shell_ends_with_its_program_and_with_the_test(tmp_path):
    script = (
        "mkfifo in out; indelible serve --data d <in >out & exec 3>in 4<out; "
        f"echo '{ASK}' >&3; read -r said <&4; kill -KILL $!; cat <&4; echo ended"
    )
    assert in_shell(tmp_path / "killed", script)[1].endswith("ended\n")
    left = "mkfifo in out; indelible serve --data d <in >out 2>&1 & exec 3>in 4<out; " + f"echo '{ASK}' >&3; read x <&4"
    place = tmp_path / "left"
    in_shell(place, left)
    running = [int(process.name) for process in Path("/proc").iterdir() if process.name.isdigit()]
    assert all(ends(pid) for pid in running if is_in(pid, place))


def is_in(pid: int, place: Path) -> bool:
    try:
        return os.readlink(f"/proc/{pid}/cwd") == str(place)
    except OSError:  # it has ended, or is of another user
        return False


def ends(pid: int) -> bool:
    """Whether a process ends without more being done: what is killed or told to leave takes a moment to."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    return has_ended(process)


def has_ended(process: int) -> bool:
    """Whether the process of a pidfd ends within a time in which every machine comes to it; closes the pidfd."""
    end = select.poll()
    end.register(process, select.POLLIN)
    try:
        return bool(end.poll(200_000))
    finally:
        os.close(process)


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
    assert has_ended(server)
