"""The question at the end of a turn: at the right moment, at most twice, and never where nobody sits."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from indelible.capture import questions, session_notes
from indelible.errors import StoreError
from indelible.search.model_tokens.o200k import count

STORING = "mcp__indelible__store_memory"
ALLOWED = {"permissions": {"allow": [STORING]}}


@pytest.fixture(autouse=True)
def interactive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "none"))
    monkeypatch.delenv("CI", raising=False)


def settings(tmp_path: Path, given: Any = ALLOWED) -> str:
    """Return a project's directory with permissions of Claude Code."""
    file = tmp_path / ".claude" / "settings.local.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(given if isinstance(given, str) else json.dumps(given))
    return str(tmp_path)


def edited(inbox: Path, times: int = 1, session: str = "s") -> None:
    for _ in range(times):
        session_notes.add(str(inbox), session, questions.EDITS, "")


def asked(inbox: Path, project: str, session: str = "s", client: str = "claude-code", **payload: Any) -> bool:
    return questions.question(str(inbox), session, payload, client, project) == questions.TEXT


def test_it_comes_at_the_first_end_with_an_edit_and_once_more_after_three_further_ones(tmp_path: Path) -> None:
    files = settings(tmp_path)
    assert not asked(tmp_path, files)
    edited(tmp_path)
    assert asked(tmp_path, files)
    assert not asked(tmp_path, files)
    edited(tmp_path, 2)
    assert not asked(tmp_path, files)
    edited(tmp_path)
    assert asked(tmp_path, files)
    edited(tmp_path, 20)
    assert not asked(tmp_path, files)
    assert not asked(tmp_path, files, session="another")


@pytest.mark.parametrize(
    "payload",
    [{"stop_hook_active": True}, {"background_tasks": [{"id": "b1"}]}, {"agent_id": "a1"}],
)
def test_not_where_the_hook_asked_itself_or_work_goes_on(tmp_path: Path, payload: dict[str, Any]) -> None:
    edited(tmp_path)
    assert not asked(tmp_path, settings(tmp_path), **payload)
    assert asked(tmp_path, settings(tmp_path), background_tasks=[], stop_hook_active=False)


@pytest.mark.parametrize("entrypoint", ["sdk-cli", "sdk-py", "sdk-ts", "", None, "something new"])
def test_never_headless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entrypoint: str | None) -> None:
    edited(tmp_path)
    if entrypoint is None:
        monkeypatch.delenv("CLAUDE_CODE_ENTRYPOINT")
    else:
        monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", entrypoint)
    assert not asked(tmp_path, settings(tmp_path))


def test_never_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edited(tmp_path)
    monkeypatch.setenv("CI", "true")
    assert not asked(tmp_path, settings(tmp_path))


def test_not_after_the_agent_stored_something_itself(tmp_path: Path) -> None:
    edited(tmp_path)
    session_notes.add(str(tmp_path), "s", questions.STORED, "")
    assert not asked(tmp_path, settings(tmp_path))


@pytest.mark.parametrize(
    ("given", "mode", "may"),
    [
        ({}, "default", False),
        (ALLOWED, "default", True),
        ({"permissions": {"allow": ["mcp__indelible"]}}, "default", True),
        ({"permissions": {"allow": ["mcp__indelible__*"]}}, "default", True),
        ({"permissions": {"allow": ["mcp__plugin_indelible_indelible__store_memory"]}}, "default", True),
        ({"permissions": {"allow": ["mcp__indelible__recall_memory", "Bash(ls:*)"]}}, "default", False),
        ({"permissions": {"allow": ["mcp__other__store_memory"]}}, "default", False),
        ({"permissions": {"allow": [1, None], "deny": {}}}, "default", False),
        ({"permissions": []}, "default", False),
        ("{no json", "default", False),
        ({}, "bypassPermissions", True),
        ({"permissions": {"deny": ["mcp__indelible__store_memory"]}}, "bypassPermissions", False),
        ({"permissions": {**ALLOWED["permissions"], "ask": ["mcp__indelible"]}}, "default", False),
    ],
)
def test_only_where_storing_opens_no_dialog(tmp_path: Path, given: Any, mode: str, may: bool) -> None:
    edited(tmp_path)
    assert asked(tmp_path, settings(tmp_path, given), permission_mode=mode) == may


REGISTERED = '[mcp_servers.indelible]\ncommand = "indelible"\nargs = ["serve"]\n'


def codex(tmp_path: Path, source: Any = "cli", config: str = REGISTERED) -> dict[str, Any]:
    """Return the payload of a session of Codex that came from `source`, in a project with its configuration."""
    (tmp_path / ".codex").mkdir(exist_ok=True)
    (tmp_path / ".codex" / "config.toml").write_text(config)
    transcript = tmp_path / "rollout.jsonl"
    first = {"type": "session_meta", "payload": {"id": "s", "originator": "codex", "source": source}}
    transcript.write_text(json.dumps(first) + "\n{}\n")
    return {"client": "codex", "transcript_path": str(transcript)}


@pytest.mark.parametrize(
    ("source", "may"),
    [("cli", True), ("vscode", True), ("exec", False), ({"subagent": "review"}, False), (None, False), ("", False)],
)
def test_in_codex_only_a_session_with_a_person(tmp_path: Path, source: Any, may: bool) -> None:
    edited(tmp_path)
    assert asked(tmp_path, str(tmp_path), **codex(tmp_path, source)) == may


def test_in_codex_not_without_a_readable_transcript_nor_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edited(tmp_path)
    payload = codex(tmp_path)
    for path in (None, 7, str(tmp_path / "none.jsonl"), str(tmp_path)):
        assert not asked(tmp_path, str(tmp_path), **{**payload, "transcript_path": path})
    monkeypatch.setenv("CI", "1")
    assert not asked(tmp_path, str(tmp_path), **payload)


@pytest.mark.parametrize(
    ("config", "may"),
    [
        ("", False),
        ("no toml", False),
        ("mcp_servers = 7", False),
        (REGISTERED.replace("indelible]", "other]"), False),
        (f'{REGISTERED}default_tools_approval_mode = "prompt"', False),
        (f'{REGISTERED}default_tools_approval_mode = "writes"', False),
        (f'{REGISTERED}default_tools_approval_mode = "auto"', True),
        (f'{REGISTERED}default_tools_approval_mode = "approve"', True),
        (f'{REGISTERED}[mcp_servers.indelible.tools.store_memory]\napproval_mode = "prompt"', False),
        (
            f'{REGISTERED}default_tools_approval_mode = "prompt"\n'
            '[mcp_servers.indelible.tools.store_memory]\napproval_mode = "approve"',
            True,
        ),
    ],
)
def test_in_codex_only_where_storing_opens_no_dialog(tmp_path: Path, config: str, may: bool) -> None:
    edited(tmp_path)
    assert asked(tmp_path, str(tmp_path), **codex(tmp_path, config=config)) == may


@pytest.mark.parametrize("client", ["gemini-cli", "cursor"])
def test_never_in_a_client_that_cannot_be_asked(tmp_path: Path, client: str) -> None:
    edited(tmp_path)
    assert not asked(tmp_path, settings(tmp_path), client=client)


def test_what_cannot_be_noted_is_not_asked(tmp_path: Path) -> None:
    edited(tmp_path)
    for file in (tmp_path / "sessions").iterdir():
        (file.with_suffix(".asked")).mkdir()
    with pytest.raises((StoreError, OSError)):
        questions.question(str(tmp_path), "s", {}, "claude-code", settings(tmp_path))


def test_counts_of_old_sessions_are_swept_and_those_of_now_stay(tmp_path: Path) -> None:
    session_notes.sweep(str(tmp_path))  # there is nothing yet
    edited(tmp_path, session="old")
    (old,) = (tmp_path / "sessions").iterdir()
    os.utime(old, (0, time.time() - session_notes.KEPT - 60))
    edited(tmp_path, session="new")
    session_notes.sweep(str(tmp_path))
    assert not old.exists()
    assert len(list((tmp_path / "sessions").iterdir())) == 1


def test_the_question_is_short_and_names_the_tool_and_the_server() -> None:
    assert count(questions.TEXT) <= 120
    assert "`store_memory` of MCP server `indelible`" in questions.TEXT
