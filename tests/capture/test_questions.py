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

ALLOWED = {"permissions": {"allow": ["mcp__indelible__store_memory"]}}


@pytest.fixture(autouse=True)
def interactive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
    monkeypatch.delenv("CI", raising=False)


def settings(tmp_path: Path, given: Any = ALLOWED) -> list[str]:
    file = tmp_path / "settings.json"
    file.write_text(given if isinstance(given, str) else json.dumps(given))
    return [str(tmp_path / "none.json"), str(file)]


def edited(inbox: Path, times: int = 1, session: str = "s") -> None:
    for _ in range(times):
        session_notes.add(str(inbox), session, questions.EDITS, "")


def asked(inbox: Path, files: list[str], session: str = "s", **payload: Any) -> bool:
    return questions.question(str(inbox), session, payload, files) == questions.TEXT


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


def test_what_cannot_be_noted_is_not_asked(tmp_path: Path) -> None:
    edited(tmp_path)
    for file in (tmp_path / "sessions").iterdir():
        (file.with_suffix(".asked")).mkdir()
    with pytest.raises((StoreError, OSError)):
        questions.question(str(tmp_path), "s", {}, settings(tmp_path))


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
