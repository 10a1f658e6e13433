"""`indelible hook` as an agent starts it: a process with its streams, rights and limits."""

import json
import os
import resource
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from command_line import BOUND_BY_MODES
from hook_payloads import CLAUDE, COMMAND, PROMPT, SLOW, kept, only_line
from indelible.capture import spool
from mcp_client import environment

pytestmark = pytest.mark.process


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "data"
    directory.mkdir(0o700)
    return directory


def started(data: Path, *arguments: str, env: dict[str, str] | None = None, **options: Any) -> subprocess.Popen[bytes]:
    """A hook as an agent starts it."""
    command = [*options.pop("python", (sys.executable,)), "-m", "indelible", "hook", *arguments, "--data", str(data)]
    given: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen(command, env=environment(env), cwd=data.parent, **given)


def hooked(data: Path, payload: object, *arguments: str, **options: Any) -> tuple[str, str]:
    """What a hook says on standard output and on standard error; it always ends with 0."""
    text = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    with started(data, *arguments, **options) as process:
        out, err = process.communicate(text, timeout=50)
    assert process.returncode == 0
    return out.decode(), err.decode()


def test_an_event_stands_in_a_private_spool_and_nothing_is_said(data):
    assert hooked(data, COMMAND, "post-tool-use", "--client", "claude-code") == ("", "")
    (event,) = kept(data)
    assert event["id"] == "tool:toolu_1"
    assert (event["action"], event["subject"], event["outcome"], event["output"]) == (
        "command",
        "pytest -q",
        "ok",
        "1 passed",
    )
    assert abs(event["time"] / 1e6 - time.time()) < 300
    files = [path for path in (data / "spool").rglob("*")]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in files if path.is_file()}
    assert modes == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in [data / "spool", *files] if path.is_dir()} == {0o700}


def test_twenty_hooks_at_once_lose_nothing(data, tmp_path):
    running = []
    for number in range(20):
        payload = tmp_path / f"{number}.json"
        payload.write_text(json.dumps({**PROMPT, "prompt": f"prompt {number}"}))
        with payload.open("rb") as given:
            running.append(started(data, "user-prompt-submit", stdin=given))
    assert [(*process.communicate(timeout=50), process.returncode) for process in running] == [(b"", b"", 0)] * 20
    assert {event["text"] for event in kept(data)} == {f"prompt {number}" for number in range(20)}
    assert list((data / "spool" / "tmp").iterdir()) == []


def test_a_full_disk_is_one_line_and_leaves_nothing_half(data):
    hooked(data, PROMPT)
    limited = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))  # noqa: E731
    only_line(hooked(data, COMMAND, preexec_fn=limited), "File too large")
    assert len(kept(data)) == 1
    assert list((data / "spool" / "tmp").iterdir()) == []


def test_a_directory_that_may_not_be_written_is_one_line(data):
    data.chmod(0o500)
    try:
        only_line(hooked(data, PROMPT, python=BOUND_BY_MODES), "Permission denied")
    finally:
        data.chmod(0o700)
    assert not (data / "spool").exists()


def test_a_person_at_a_terminal_is_told_what_the_command_is_for(data):
    terminal, end = os.openpty()
    out, err = started(data, "stop", stdin=end).communicate(timeout=50)
    os.close(terminal)
    os.close(end)
    only_line((out.decode(), err.decode()), "usage: indelible hook", "standard input")


@pytest.mark.parametrize("streams", [{"stdout": None}, {"stderr": None}, {"stdin": None}], ids=str)
def test_a_stream_that_is_closed_is_no_failure(data, streams):
    (name,) = streams
    number = {"stdin": 0, "stdout": 1, "stderr": 2}[name]
    process = subprocess.run(
        [sys.executable, "-m", "indelible", "hook", "stop", "--data", str(data)],
        input=None if name == "stdin" else b"{}",
        env=environment(),
        cwd=data.parent,
        preexec_fn=lambda: os.close(number),
        check=False,
    )
    assert process.returncode == 0


def test_an_accident_is_one_line_and_no_failure(data):
    broken = "import indelible.capture.spool as s; s.put = None; from indelible.cli.main import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", broken, "hook", "stop", "--data", str(data)],
        input=json.dumps(PROMPT).encode(),
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0
    only_line((ran.stdout.decode(), ran.stderr.decode()), "TypeError at hook.py:")


@pytest.mark.parametrize(
    ("arguments", "modules"),
    [
        (["hook"], {"indelible.cli.hook", "indelible.capture", "indelible.sanitize"}),
        (["--help"], {"indelible.core", "indelible.toolsets.code.code_map"}),
    ],
    ids=["hooks are off", "the help"],
)
def test_a_process_that_looks_into_no_store_loads_little(data, arguments, modules):
    program = (
        "import sys\nfrom indelible.cli.main import main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program + "print(*sys.modules, file=sys.stderr)", *arguments],
        env=environment({"INDELIBLE_DATA": str(data), "INDELIBLE_HOOKS": "off"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(ran.stderr.split())
    assert "indelible.cli.main" in loaded
    assert modules.isdisjoint(loaded)


def test_the_drain_holds_no_pipe_of_the_agent_and_loads_nothing_from_its_project(data):
    project = data.parent
    (project / "json.py").write_text("raise SystemExit('the module of a project was loaded')")
    script = Path(sys.executable).parent / "indelible"
    program = [sys.executable, "-P", "-m", "indelible"] if not script.exists() else [sys.executable, "-P", str(script)]
    end = {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "exit"}
    ran = subprocess.run(
        [*program, "hook", "session-end", "--data", str(data)],
        input=json.dumps(end).encode(),
        env=environment(),
        cwd=project,
        capture_output=True,
        timeout=50,
        check=True,
    )  # comes back when every holder of its pipes has closed them
    assert (ran.stdout, ran.stderr) == (b"", b"")
    assert spool.is_empty(str(data)) or len(kept(data)) == 1


@pytest.mark.parametrize(
    "payload", [PROMPT, COMMAND, {**CLAUDE, "hook_event_name": "Stop"}], ids=lambda p: p["hook_event_name"]
)
@pytest.mark.sqlite("what a process loads for a file")
def test_a_hook_loads_next_to_nothing(data, payload):
    report = "import sys; from indelible.cli.main import main; main(sys.argv[1:]); print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", report, "hook", "--data", str(data)],
        input=json.dumps(payload).encode(),
        env=environment(),
        capture_output=True,
        check=True,
    )
    assert set(ran.stdout.decode().split()) & SLOW == set()
    assert len(kept(data)) == 1
