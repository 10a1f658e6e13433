"""Copilot CLI and VS Code run their own hooks and Claude Code's: an event counts once, and its agent is told once."""

import json

import pytest

from hook_payloads import kept
from indelible.capture import hook_brief, known_fixes
from indelible.capture.brief import Brief
from indelible.cli import hook

COPILOT = {"session_id": "s1", "timestamp": "2026-11-29T06:15:37.077Z", "cwd": "/home/ann/src"}  # as 1.0.102 wrote it
VSCODE = {"sessionId": "s1", "timestamp": "2026-11-29T06:15:37.077Z", "cwd": "/home/ann/src", "transcript_path": "/t"}
COMMAND = {"tool_name": "Bash", "tool_input": {"command": "make deploy"}}
FAILED = "no rule to make target\n<shellId: 1 completed with exit code 2>"


def of(client, event, **more):
    return {**COPILOT, "hook_event_name": event, **more} if client == "copilot-cli" else {
        **VSCODE, "hookEventName": event, **more,
    }  # fmt: skip


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("COPILOT_HOME", raising=False)
    directory = tmp_path / "data"
    directory.mkdir(0o700)
    return directory


def own_hooks(tmp_path):
    path = tmp_path / ".copilot" / "hooks" / "indelible.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"hooks": {"SessionStart": [{"type": "command", "command": "indelible hook"}]}}')


EVENTS = [
    ("copilot-cli", "SessionStart", {"source": "new"}),
    ("copilot-cli", "UserPromptSubmit", {"prompt": "say hi"}),
    ("copilot-cli", "PostToolUse", {**COMMAND, "tool_result": {"text_result_for_llm": "ok"}}),
    ("copilot-cli", "PostToolUseFailure", {**COMMAND, "error": "Path does not exist"}),
    ("copilot-cli", "Stop", {"stop_reason": "end_turn"}),
    ("copilot-cli", "SessionEnd", {"reason": "complete"}),
    ("vscode", "SessionStart", {"source": "new"}),
    ("vscode", "UserPromptSubmit", {"prompt": "say hi"}),
    ("vscode", "PostToolUse", {**COMMAND, "tool_use_id": "t1", "tool_response": "ok"}),
    ("vscode", "Stop", {"stop_hook_active": False}),
]


@pytest.mark.parametrize(("client", "event", "more"), EVENTS, ids=lambda value: value if isinstance(value, str) else "")
def test_an_event_counts_once_whichever_clients_hook_brings_it(data, told, tmp_path, monkeypatch, client, event, more):
    monkeypatch.setattr(hook, "_start_drain", lambda *_: None)
    own_hooks(tmp_path)
    for name in ("copilot-cli", "claude-code"):
        told(data, of(client, event, **more), event, "--client", name)
    first, second = kept(data)
    assert first["id"] == second["id"]
    assert (first["client"], first["session"]) == (second["client"], second["session"]) == (client, "s1")


@pytest.mark.parametrize("client", ["copilot-cli", "vscode"])
def test_the_brief_is_told_once_in_the_clients_form(data, told, tmp_path, monkeypatch, client):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("a brief"))
    expected = {
        "copilot-cli": {"additionalContext": "a brief"},
        "vscode": {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "a brief"}},
    }[client]
    start = of(client, "SessionStart", source="new")
    by_claude = ("session-start", "--client", "claude-code")
    assert json.loads(told(data, start, *by_claude)[0]) == expected
    own_hooks(tmp_path)
    assert told(data, start, *by_claude) == ("", "")
    assert json.loads(told(data, start, "session-start", "--client", "copilot-cli")[0]) == expected


def test_the_known_fix_of_a_command_that_failed_is_told_to_copilot(data, told, monkeypatch):
    monkeypatch.setattr(known_fixes, "known_fix", lambda *_: "Fix: run the migration")
    monkeypatch.setattr(hook_brief, "is_there", lambda _: True)
    failed = of("copilot-cli", "PostToolUse", **COMMAND, tool_result={"text_result_for_llm": FAILED})
    output, error = told(data, failed, "post-tool-use", "--client", "copilot-cli")
    assert (json.loads(output), error) == ({"additionalContext": "Fix: run the migration"}, "")
    [event] = kept(data)
    assert (event["outcome"], event["output"]) == ("failed", "no rule to make target")


@pytest.mark.parametrize("client", ["copilot-cli", "vscode"])
def test_before_a_tool_nothing_is_said_or_kept_that_could_keep_it_from_running(data, told, client):
    planned = of(client, "PreToolUse", **COMMAND)
    assert told(data, planned, "pre-tool-use", "--client", "claude-code") == ("", "")
    assert kept(data) == []
