"""Every door through which texts come in says what was redacted, by rule and never what it was."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from command_line import done, indelible, opened, result
from existing_files import add_failure, write_matrix
from existing_files import told as told_at_the_start
from indelible.admin import maintenance
from indelible.capture import spool
from indelible.extraction import events
from mcp_client import McpClient, value_of

BEGAN = 1_770_000_000_000_000  # 2026-02-02 02:40 UTC
TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3  # looks like a token of GitHub
RULE = "github-token"


def said(*arguments: str | Path, data: Path, stdin: bytes = b"") -> list[str]:
    """What a command that must succeed says beside its output, where no secret stands."""
    ran = indelible(*arguments, data=data, stdin=stdin)
    assert ran.returncode == 0, ran.stderr.decode()
    assert TOKEN.encode() not in ran.stdout + ran.stderr
    return ran.stderr.decode().splitlines()


def graph_file(path: Path) -> Path:
    path.write_text(
        json.dumps({"type": "entity", "name": "svc", "entityType": "service", "observations": [f"has {TOKEN}"]}) + "\n"
    )
    return path


def vectors_file(path: Path) -> Path:
    path.write_text(
        json.dumps({"id": "v", "metadata": {"text": f"has {TOKEN}"}, "vector": {"3": 1}, "score": 0}) + "\n"
    )
    return path


def matrix_file(path: Path) -> Path:
    add_failure(write_matrix(path), "f1", f"refused: {TOKEN}", 1, "told", "2026-02-02T02:40:00Z")
    return path


def source(root: Path) -> Path:
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / "keys.py").write_text(f'def sign():\n    """Signs with {TOKEN}."""\n')
    return root


def spooled(data: Path, cwd: Path) -> None:
    """Leave a session in the spool, as hooks leave it, in which a token was spoken of."""
    texts = {"prompt": f"We decided to sign in with {TOKEN} from now on.", "turn_ended": "Done."}
    for second, (what, text) in enumerate(texts.items()):
        event = events.build("claude-code", "s1", what, {"text": text}, time=BEGAN + second * 1_000_000, cwd=str(cwd))
        assert TOKEN not in str(event)
        spool.put(str(data), event)


@pytest.mark.process
def test_import_says_it_in_every_format(tmp_path: Path):
    data = tmp_path / "data"
    lines = "".join(json.dumps({"content": f"memory {number} has {TOKEN}"}) + "\n" for number in range(2))
    assert f"redacted in memories: {RULE} (2)" in said("import", data=data, stdin=lines.encode())
    for name, file in (
        ("memory-jsonl", graph_file(tmp_path / "memory.jsonl")),
        ("vecfs", vectors_file(tmp_path / "vectors.jsonl")),
        ("matrix", matrix_file(tmp_path / "matrix.db")),
    ):
        lines_of = said("import", "--from", name, file, data=data)
        assert any(line.startswith("redacted in ") and f": {RULE} (" in line for line in lines_of), (name, lines_of)
    prompt = {"role": "user", "content": f"We decided to sign in with {TOKEN}."}
    line = {"type": "user", "sessionId": "s", "uuid": "u", "timestamp": "2026-02-02T02:40:00Z", "cwd": str(tmp_path)}
    file = tmp_path / "s.jsonl"
    file.write_text(json.dumps({**line, "message": prompt}) + "\n")
    assert f"redacted in capture: {RULE} (1)" in said("import", "--from", "claude-code", file, data=data)
    assert not any("redacted" in line for line in said("import", "--from", "claude-code", file, data=data))


@pytest.mark.process
def test_a_server_says_it_of_each_file_that_it_takes_in_at_its_start(tmp_path: Path):
    files = {
        "MEMORY_FILE_PATH": graph_file(tmp_path / "memory.jsonl"),
        "VECFS_FILE": vectors_file(tmp_path / "vectors.jsonl"),
        "MATRIX_DB": matrix_file(tmp_path / "matrix.db"),
    }
    with McpClient(tmp_path / "data", env={name: str(path) for name, path in files.items()}) as client:
        client.call("read_graph")  # which waits for them
        client.close_input()
        client.process.wait(50)
        lines = [line for line in told_at_the_start(client.stderr) if line.startswith("redacted")]
        assert TOKEN not in client.stderr
    assert len(lines) == 3
    assert all(f": {RULE} (" in line for line in lines), lines


@pytest.mark.process
def test_the_index_says_it(tmp_path: Path):
    root, data = source(tmp_path / "app"), tmp_path / "data"
    lines = said("index", root, data=data)
    assert f"redacted in keys.py: {RULE} (1)" in lines
    assert not any("redacted" in line for line in said("index", root, data=data))  # nothing was read again
    with McpClient(tmp_path / "other") as client:
        answer = client.result("index_codebase", {"path": str(root)})
    assert answer["_meta"]["redacted"] == [{"rule": RULE, "argument": "keys.py", "count": 1}]
    assert value_of(answer)["files_parsed"] == 1


@pytest.mark.process
def test_a_drain_says_it_once_and_what_was_captured_shows_it(tmp_path: Path):
    data = tmp_path / "data"
    done("remember", "a store to drain into", data=data)
    spooled(data, source(tmp_path / "app"))
    assert f"redacted in capture: {RULE} (1)" in said("drain", data=data)
    assert not any("redacted" in line for line in said("drain", data=data))
    assert f"redacted in what is listed: {RULE} (1)" in said("captured", data=data)
    (captured,) = result("captured", data=data)["memories"]
    assert captured["redacted"] == [{"rule": RULE, "count": 1}]


@pytest.mark.process
def test_an_event_of_an_older_hook_is_drained_as_before(tmp_path: Path):
    data = tmp_path / "data"
    done("remember", "a store to drain into", data=data)
    event = events.build("claude-code", "s1", "prompt", {"text": "hello"}, time=BEGAN, cwd=str(tmp_path))
    spool.put(str(data), {name: value for name, value in event.items() if name != "redacted"})
    assert not any("redacted" in line for line in said("drain", data=data))


def test_what_a_server_drains_is_in_its_log(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with opened(tmp_path / "data") as ctx:
        spooled(ctx.settings.data, source(tmp_path / "app"))
        with caplog.at_level(logging.WARNING, "indelible"):
            maintenance.Housekeeper(ctx)._round()
    assert [vars(each)["message_text"] for each in caplog.records] == [f"redacted in capture: {RULE} (1)"]
