"""Records sessions for judging what is captured: real programs are run in a directory of their own.

`python tests/capture/precision/record.py` writes `sessions.jsonl`, an event a line. Prompts and edits are made up;
commands, exit statuses and outputs are real (Python, pytest, mypy, ruff, node, npm, cargo, gcc, make, javac, git). A
line of a script is `ask`, `say`, `put PATH TEXT`, `sub PATH OLD NEW`, `run LINE`, `quiet LINE` (run, not recorded),
`stop LINE` (a call that somebody stopped) or `end`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts import SESSIONS

from indelible.capture import clients

HERE = Path(__file__).parent
HOME = "/home/dev"
PATH = f"{Path(sys.executable).parent}:{Path.home()}/.cargo/bin:/usr/bin:/bin"


def main() -> None:
    with (HERE / "sessions.jsonl").open("w", encoding="utf-8") as file:
        for name, steps in SESSIONS.items():
            with tempfile.TemporaryDirectory() as place:
                for event in record(name, steps, Path(place)):
                    file.write(json.dumps(event, ensure_ascii=False) + "\n")


def record(name: str, steps: list[tuple[str, ...]], place: Path) -> Iterator[dict[str, Any]]:
    project = f"{HOME}/{name}"
    for at, (what, *given) in enumerate(steps):
        payload, kind = _payload(what, given, place)
        if payload is None:
            continue
        text = json.dumps({**payload, "session_id": name, "cwd": str(place), "tool_use_id": f"toolu_{name}_{at:03}"})
        text = text.replace(str(place), project).replace(str(Path(sys.executable).parent.parent), f"{project}/.venv")
        text = text.replace(sys.base_prefix, "/usr").replace(f"{Path.home()}/", f"{HOME}/")
        event = clients.event_of(json.loads(text), "claude-code", kind, 1_795_000_000_000_000 + at * 30_000_000)
        assert event is not None
        yield event


SAID = {
    "ask": ("prompt", "prompt"),
    "say": ("last_assistant_message", "turn_ended"),
    "end": ("reason", "session_ended"),
}


def _payload(what: str, given: list[str], place: Path) -> tuple[dict[str, Any] | None, str]:
    if what in SAID:
        field, kind = SAID[what]
        return {field: given[0] if given else "prompt_input_exit"}, kind
    if what in ("put", "sub"):
        return _edited(what, given, place), "tool"
    return _called(what, given[0], place)


def _edited(what: str, given: list[str], place: Path) -> dict[str, Any]:
    if what == "put":
        path = place / given[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(given[1])
        given_to = {"file_path": str(path), "content": given[1]}
        return {"tool_name": "Write", "tool_input": given_to, "tool_response": "File created"}
    path = place / given[0]
    assert given[1] in path.read_text(), given
    path.write_text(path.read_text().replace(given[1], given[2], 1))
    given_to = {"file_path": str(path), "old_string": given[1], "new_string": given[2]}
    return {"tool_name": "Edit", "tool_input": given_to, "tool_response": "The file has been updated"}


def _called(what: str, line: str, place: Path) -> tuple[dict[str, Any] | None, str]:
    call = {"tool_name": "Bash", "tool_input": {"command": line}}
    if what == "stop":
        return {**call, "error": "[Request interrupted by user for tool use]", "is_interrupt": True}, "tool"
    if what == "quiet":  # it is not recorded, only run
        subprocess.run(["bash", "-c", line], cwd=place, env=_environment(), check=True, capture_output=True)
        return None, ""
    ran = subprocess.run(
        ["bash", "-c", line],
        cwd=place,
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    output = ran.stdout + ran.stderr
    if ran.returncode:
        return {**call, "error": f"Exit code {ran.returncode}\n{output}"}, "tool"
    return {**call, "tool_response": {"stdout": output, "stderr": "", "interrupted": False}}, "tool"


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "RUSTUP_HOME", "CARGO_HOME") if name in os.environ}
    return {**kept, "PATH": PATH, "GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@example.com"} | {
        **{"GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@example.com", "PYTHONDONTWRITEBYTECODE": "1"},
        **{"PYTEST_ADDOPTS": "-p no:cacheprovider", "CARGO_NET_OFFLINE": "true", "NO_UPDATE_NOTIFIER": "1"},
    }


if __name__ == "__main__":
    main()
