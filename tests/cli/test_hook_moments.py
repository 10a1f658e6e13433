"""`indelible hook`: what an agent is told at a prompt, before a command, after a failed one, at the end of a turn."""

import json
from pathlib import Path

import pytest

from hook_payloads import CLAUDE, PROMPT, SHELL, STARTS, kept, only_line
from indelible.capture import hook_brief, hook_reminders, known_fixes, questions, serving, session_notes
from indelible.capture.brief import Brief
from indelible.cli import hook
from indelible.errors import StoreError


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "data"
    directory.mkdir(0o700)
    return directory


FAILURE = {
    **CLAUDE,
    "hook_event_name": "PostToolUseFailure",
    "tool_name": "Bash",
    "tool_input": {"command": "python load.py"},
    "tool_use_id": "toolu_9",
    "error": "Exit code 1\nsqlite3.OperationalError: no such column: invoice.net_cents",
}


def test_the_known_fix_of_a_failed_command_is_told_where_its_client_looks_for_it(data, told, monkeypatch):
    asked = []
    monkeypatch.setattr(known_fixes, "known_fix", lambda *given: asked.append(given) or "Fix: run the migration")
    monkeypatch.setattr(hook_brief, "is_there", lambda _: True)
    output, error = told(data, FAILURE, "--client", "claude-code")
    assert json.loads(output) == {
        "hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": "Fix: run the migration"}
    }
    assert error == ""
    assert asked[0][2]["output"].endswith("no such column: invoice.net_cents")
    assert len(kept(data)) == 1

    monkeypatch.setenv("INDELIBLE_KNOWN_FIXES", "off")
    assert told(data, FAILURE, "--client", "claude-code") == ("", "")
    assert len(asked) == 1


@pytest.mark.parametrize(
    "payload",
    [
        {**FAILURE, "is_interrupt": True},
        {**FAILURE, "tool_name": "Read", "tool_input": {"file_path": "/x"}},
        {**SHELL, "tool_input": {"command": "make"}, "tool_response": {"stdout": "ok", "stderr": ""}},
    ],
)
def test_nothing_is_told_of_what_did_not_fail(data, told, monkeypatch, payload):
    monkeypatch.setattr(known_fixes, "known_fix", lambda *_: "a fix")
    monkeypatch.setattr(hook_brief, "is_there", lambda _: True)
    assert told(data, payload, "--client", "claude-code") == ("", "")


@pytest.mark.parametrize("accident", [ValueError, RecursionError, KeyError, StoreError, OSError])
def test_an_accident_of_the_known_fix_is_one_line_and_the_event_is_kept(data, told, monkeypatch, accident):
    def fail(*_):
        raise accident("the payload's words")

    monkeypatch.setattr(known_fixes, "known_fix", fail)
    monkeypatch.setattr(hook_brief, "is_there", lambda _: True)
    only_line(told(data, FAILURE, "--client", "claude-code"))
    assert len(kept(data)) == 1


ASKED = {
    "claude-code": ("UserPromptSubmit", CLAUDE),
    "codex": ("UserPromptSubmit", {**STARTS["codex"], "turn_id": "t"}),
    "gemini-cli": ("BeforeAgent", STARTS["gemini-cli"]),
}


@pytest.mark.parametrize("client", ASKED)
def test_what_a_prompt_brings_is_told_where_its_client_looks_for_it(data, told, monkeypatch, client):
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(hook_reminders, "of_prompt", lambda *given: asked.append(given) or "known about this")
    event, base = ASKED[client]
    payload = {**base, "hook_event_name": event, "prompt": "why does the billing test hang?"}
    output, error = told(data, payload, "--client", client)
    told_there = {"hookEventName": event, "additionalContext": "known about this"}
    assert (json.loads(output), error) == ({"hookSpecificOutput": told_there}, "")
    assert asked[0][:3] == (str(data), base["session_id"], "why does the billing test hang?")
    assert [each["what"] for each in kept(data)] == ["prompt"]

    monkeypatch.setenv("INDELIBLE_REMINDERS", "off")
    assert told(data, payload, "--client", client) == ("", "")
    monkeypatch.delenv("INDELIBLE_REMINDERS")
    monkeypatch.setenv("INDELIBLE_READ_ONLY", "1")
    assert told(data, payload, "--client", client) == ("", "")
    assert len(asked) == 1


def test_a_prompt_that_no_person_wrote_brings_nothing(data, told, monkeypatch):
    monkeypatch.setattr(hook_reminders, "of_prompt", lambda *_: "known about this")
    payload = {**PROMPT, "prompt": "why does the billing test hang?", "source": "loop_wakeup"}
    assert told(data, payload, "--client", "claude-code") == ("", "")
    assert kept(data) == []


def test_cursor_hears_nothing_at_a_prompt_and_is_told_nothing(data, told, monkeypatch):
    monkeypatch.setattr(hook_reminders, "of_prompt", lambda *_: "known about this")
    payload = {**STARTS["cursor"], "hook_event_name": "beforeSubmitPrompt", "prompt": "why does the test hang?"}
    assert told(data, payload, "--client", "cursor") == ("", "")
    assert len(kept(data)) == 1


@pytest.mark.parametrize("accident", [ValueError, RecursionError, KeyError, StoreError, OSError])
def test_an_accident_at_a_prompt_is_one_line_and_the_event_is_kept(data, told, monkeypatch, accident):
    def fail(*_):
        raise accident("the payload's words")

    monkeypatch.setattr(hook_reminders, "of_prompt", fail)
    only_line(told(data, {**PROMPT, "prompt": "why does the billing test hang?"}, "--client", "claude-code"))
    assert len(kept(data)) == 1


def test_what_a_brief_told_is_noted_and_told_again_after_a_compaction(data, told, monkeypatch):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("a brief", (1, 2), ("first", "second")))
    start = STARTS["claude-code"]
    told(data, start)
    session_notes.add(str(data), start["session_id"], hook_reminders.SHOWN, "90 third")
    told(data, {**start, "source": "resume"})
    noted = ["0 first second", "90 third", "0 first second"]
    assert session_notes.lines(str(data), start["session_id"], hook_reminders.SHOWN) == noted
    output, _ = told(data, {**start, "source": "compact"})
    assert json.loads(output)["hookSpecificOutput"]["additionalContext"] == "a brief"
    assert session_notes.lines(str(data), start["session_id"], hook_reminders.SHOWN) == noted[:1]


def test_a_brief_that_cannot_be_noted_is_told_all_the_same(data, told, monkeypatch):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("a brief", (1,), ("first",)))
    (data / "sessions").write_text("a file where the notes should be")
    output, error = told(data, STARTS["claude-code"])
    assert json.loads(output)["hookSpecificOutput"]["additionalContext"] == "a brief"
    assert error == ""


OF_CURSOR = {
    "conversation_id": "s1", "generation_id": "g1", "session_id": "s1", "cursor_version": "2026.08.11",
    "workspace_roots": ["/home/ann/src"], "transcript_path": None,
}  # fmt: skip


def test_an_event_of_cursor_counts_once_whichever_clients_hook_brings_it(data, told, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    prompt = {**OF_CURSOR, "hook_event_name": "beforeSubmitPrompt", "prompt": "why does the test hang?"}
    for arguments in (
        ("before-submit-prompt", "--client", "cursor"),
        ("user-prompt-submit", "--client", "claude-code"),
    ):
        assert told(data, b"\xef\xbb\xbf" + json.dumps(prompt).encode(), *arguments) == ("", "")
    first, second = kept(data)
    assert first["id"] == second["id"]
    assert (first["client"], first["session"]) == (second["client"], second["session"]) == ("cursor", "s1")


def test_cursor_is_told_its_brief_by_claudes_hook_where_it_has_none_of_its_own(data, told, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("a brief"))
    start = {**OF_CURSOR, "hook_event_name": "sessionStart"}
    arguments = ("session-start", "--client", "claude-code")
    assert json.loads(told(data, start, *arguments)[0]) == {"additional_context": "a brief"}
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "hooks.json").write_text('{"hooks": {"sessionStart": [{"command": "indelible hook"}]}}')
    assert told(data, start, *arguments) == ("", "")
    assert json.loads(told(data, start, "session-start", "--client", "cursor")[0]) == {"additional_context": "a brief"}


PLANNED = {**CLAUDE, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "make deploy"}}


def test_the_warning_before_a_command_is_told_once_a_session_and_no_event_is_kept(data, told, monkeypatch):
    asked: list[dict[str, object]] = []
    monkeypatch.setattr(serving, "ask", lambda _, request: asked.append(request) or {"text": "it failed before"})
    output, error = told(data, PLANNED, "--client", "claude-code")
    context = {"hookEventName": "PreToolUse", "additionalContext": "it failed before"}
    assert (json.loads(output), error) == ({"hookSpecificOutput": context}, "")
    assert (asked[0]["moment"], asked[0]["command"], asked[0]["session"]) == (
        "command",
        "make deploy",
        "claude-code:s1",
    )
    assert told(data, PLANNED, "--client", "claude-code") == ("", "")
    assert told(data, {**PLANNED, "session_id": "s2"}, "--client", "claude-code")[0] == output
    assert kept(data) == []

    monkeypatch.setenv("INDELIBLE_WARNINGS", "off")
    assert told(data, {**PLANNED, "session_id": "s3"}, "--client", "claude-code") == ("", "")


@pytest.mark.parametrize("answer", [None, {}, {"text": ""}, {"text": 1}, {"error": "x"}])
def test_without_a_warning_the_hook_says_nothing_and_the_command_runs(data, told, monkeypatch, answer):
    monkeypatch.setattr(serving, "ask", lambda *_: answer)
    assert told(data, PLANNED, "--client", "claude-code") == ("", "")


@pytest.mark.parametrize("accident", [ValueError, RecursionError, KeyError, StoreError, OSError])
def test_an_accident_before_a_command_is_one_line_and_the_command_runs(data, told, monkeypatch, accident):
    def fail(*_):
        raise accident("the payload's words")

    monkeypatch.setattr(serving, "ask", fail)
    only_line(told(data, PLANNED, "--client", "claude-code"))


def test_a_warning_that_cannot_be_noted_is_not_told(data, told, monkeypatch):
    monkeypatch.setattr(serving, "ask", lambda *_: {"text": "it failed before"})
    (data / "sessions").write_text("a file where the notes should be")
    only_line(told(data, PLANNED, "--client", "claude-code"))


def test_a_failure_is_asked_of_the_serving_process_and_read_where_there_is_none(data, told, monkeypatch):
    read: list[object] = []
    monkeypatch.setattr(hook_brief, "is_there", lambda _: True)
    monkeypatch.setattr(known_fixes, "known_fix", lambda *given: read.append(given) or "read by the hook")
    for answer, expected in ((None, "read by the hook"), ({"text": "of the server"}, "of the server"), ({}, "")):
        monkeypatch.setattr(serving, "ask", lambda *_, answer=answer: answer)
        output, error = told(data, FAILURE, "--client", "claude-code")
        said = json.loads(output)["hookSpecificOutput"]["additionalContext"] if output else ""
        assert (said, error) == (expected, "")
    assert len(read) == 1


EDIT = {
    **CLAUDE,
    "hook_event_name": "PostToolUse",
    "tool_name": "Edit",
    "tool_input": {"file_path": "/app/a.py", "old_string": "1", "new_string": "2"},
    "tool_use_id": "toolu_5",
    "tool_response": {"filePath": "/app/a.py"},
}
STOP = {**CLAUDE, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": "Done."}
STORED = {**EDIT, "tool_name": "mcp__indelible__store_memory", "tool_input": {}, "tool_use_id": "toolu_6"}


@pytest.fixture
def asking(monkeypatch, tmp_path):
    """A person at Claude Code who lets agents store memories."""
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    (tmp_path / "settings.json").write_text('{"permissions": {"allow": ["mcp__indelible__store_memory"]}}')


def test_an_agent_that_edited_is_asked_at_the_end_of_its_turn_where_its_client_looks_for_it(data, told, asking):
    assert told(data, STOP, "--client", "claude-code") == ("", "")
    assert told(data, EDIT, "--client", "claude-code") == ("", "")
    output, error = told(data, STOP, "--client", "claude-code")
    said = json.loads(output)["hookSpecificOutput"]
    assert said == {"hookEventName": "Stop", "additionalContext": questions.TEXT}
    assert error == ""
    assert told(data, {**STOP, "stop_hook_active": True}, "--client", "claude-code") == ("", "")
    assert told(data, STOP, "--client", "claude-code") == ("", "")


def test_the_agent_of_codex_is_asked_only_with_the_flag_and_in_its_form(data, told, monkeypatch, tmp_path):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    (tmp_path / "config.toml").write_text('[mcp_servers.indelible]\ncommand = "indelible"\n')
    (tmp_path / "rollout.jsonl").write_text('{"type": "session_meta", "payload": {"source": "cli"}}\n')
    patch = {"command": "*** Begin Patch\n*** Update File: a.py\n-1\n+2\n*** End Patch"}
    edit = {**EDIT, "tool_name": "apply_patch", "tool_input": patch, "tool_response": "Success."}
    stop = {**STOP, "transcript_path": str(tmp_path / "rollout.jsonl")}
    codex = ("--client", "codex", "--ask-agent")
    told(data, edit, *codex)
    assert told(data, stop, "--client", "codex") == ("", "")
    output, error = told(data, stop, *codex)
    assert (json.loads(output), error) == ({"decision": "block", "reason": questions.TEXT}, "")
    assert told(data, {**stop, "stop_hook_active": True}, *codex) == ("", "")


def test_an_agent_that_stored_something_failed_to_edit_or_is_another_is_not_asked(data, told, asking, monkeypatch):
    told(data, EDIT, "--client", "claude-code")
    told(data, STORED, "--client", "claude-code")
    assert told(data, STOP, "--client", "claude-code") == ("", "")
    other = {"session_id": "s2"}
    failed = {**EDIT, **other, "hook_event_name": "PostToolUseFailure", "error": "String to replace not found"}
    told(data, failed, "--client", "claude-code")
    assert told(data, {**STOP, **other}, "--client", "claude-code") == ("", "")
    told(data, {**EDIT, "session_id": "s3"}, "--client", "gemini-cli")
    assert told(data, {**STOP, "session_id": "s3"}, "--client", "codex") == ("", "")
    monkeypatch.setenv("INDELIBLE_ASK_AGENT", "off")
    told(data, {**EDIT, "session_id": "s4"}, "--client", "claude-code")
    assert told(data, {**STOP, "session_id": "s4"}, "--client", "claude-code") == ("", "")


KIMI = {"session_id": "s1", "cwd": "/home/ann/src", "client_type": "kimi_code_cli"}


def test_an_agent_that_hears_nothing_at_the_start_gets_its_brief_at_the_first_prompt(data, told, monkeypatch):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("a brief", (1,), ("first",)))
    monkeypatch.setattr(hook_reminders, "of_prompt", lambda *_: "known about this")
    hooked = ("--client", "kimi")
    start = {**KIMI, "hook_event_name": "SessionStart", "source": "startup"}
    prompt = {**KIMI, "hook_event_name": "UserPromptSubmit", "prompt": [{"type": "text", "text": "why does it hang?"}]}
    assert told(data, start, *hooked) == ("", "")
    assert told(data, prompt, *hooked) == ("a brief\nknown about this\n", "")
    assert told(data, prompt, *hooked) == ("known about this\n", "")
    assert session_notes.lines(str(data), "s1", hook_reminders.SHOWN) == ["0 first"]
    assert told(data, {**KIMI, "hook_event_name": "PreCompact", "trigger": "auto"}, *hooked) == ("", "")
    monkeypatch.setenv("INDELIBLE_REMINDERS", "off")
    assert told(data, {**prompt, "session_id": "s2"}, *hooked) == ("a brief\n", "")
    assert told(data, prompt, *hooked) == ("a brief\n", "")
    monkeypatch.setenv("INDELIBLE_READ_ONLY", "1")  # that it was told cannot be noted
    assert told(data, {**prompt, "session_id": "s3"}, *hooked) == ("", "")


def test_an_agent_that_hears_only_what_comes_behind_a_tool_gets_its_brief_and_a_fix_there(data, told, monkeypatch):
    monkeypatch.setattr(hook_brief, "for_hook", lambda *_: Brief("a brief", (1,), ("first",)))
    monkeypatch.setattr(hook_brief, "is_there", lambda _: True)
    monkeypatch.setattr(known_fixes, "known_fix", lambda *_: "Fix: run the migration")
    base = {"taskId": "t1", "workspaceRoots": ["/home/ann/src"], "timestamp": "1795980707314"}
    ran = {
        "toolName": "run_commands",
        "parameters": {"commands": '["python load.py"]'},
        "success": True,
        "result": "ok",
    }
    failed = {"toolName": "run_commands", "parameters": {"commands": '["python load.py"]'}, "result": "no such column"}
    assert told(data, base, "task-start", "--client", "cline") == ("", "")
    prompt = {**base, "userPromptSubmit": {"prompt": "why?"}}
    assert told(data, prompt, "user-prompt-submit", "--client", "cline") == ("", "")
    answers = []
    for call, session in ((failed, "t1"), (failed, "t1"), (ran, "t1"), (ran, "t2"), (ran, "t2")):
        payload = {**base, "taskId": session, "postToolUse": call}
        answers.append(told(data, payload, "post-tool-use", "--client", "cline"))
    fix = "Fix: run the migration"
    assert [json.loads(out) if out else None for out, _ in answers] == [
        *({"contextModification": text} for text in (f"a brief\n{fix}", fix)),
        *(None, {"contextModification": "a brief"}, None),
    ]
    monkeypatch.setenv("INDELIBLE_KNOWN_FIXES", "off")
    payload = {**base, "taskId": "t3", "postToolUse": failed}
    told_now, _ = told(data, payload, "post-tool-use", "--client", "cline")
    assert json.loads(told_now) == {"contextModification": "a brief"}


def test_what_a_prompt_brings_is_told_where_the_brief_cannot_be_made(data, told, monkeypatch):
    def fail(*_):
        raise StoreError("the store is away")

    monkeypatch.setattr(hook, "_brief", fail)
    monkeypatch.setattr(hook_reminders, "of_prompt", lambda *_: "known about this")
    payload = {"session_id": "s1", "cwd": "/home/ann", "hook_event_name": "userPromptSubmit", "prompt": "why?"}
    assert told(data, payload, "--client", "kiro") == ("known about this\n", "indelible hook: the store is away\n")


def test_antigravity_is_answered_with_json_whatever_happens(data, told, monkeypatch, tmp_path):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("a brief"))
    monkeypatch.setattr(hook_reminders, "of_prompt", lambda *_: "")
    transcript = tmp_path / "transcript.jsonl"
    step = {"step_index": 3, "source": "USER_EXPLICIT", "type": "USER_INPUT", "content": "why does it hang?"}
    transcript.write_text(json.dumps(step) + "\n")
    base = {"conversationId": "c1", "workspacePaths": ["/home/ann"], "transcriptPath": str(transcript)}
    first = {**base, "invocationNum": 0}

    def answered(payload, event):
        out, _ = told(data, payload, event, "--client", "antigravity")
        return json.loads(out)

    assert answered(first, "pre-invocation") == {"injectSteps": [{"ephemeralMessage": "a brief"}]}
    assert answered(first, "pre-invocation") == {}
    assert answered({**base, "invocationNum": 1}, "pre-invocation") == {}
    assert answered({**base, "executionNum": 1, "fullyIdle": True}, "stop") == {}
    assert answered({**base, "stepIdx": 1}, "post-tool-use") == {}
    assert answered(b"[", "stop") == {}
    prompt, again, ended = kept(data)
    assert (prompt["what"], again["id"], ended["what"]) == ("prompt", prompt["id"], "turn_ended")
    monkeypatch.setenv("INDELIBLE_HOOKS", "off")
    assert answered(first, "pre-invocation") == {}


def test_goose_is_told_nothing_and_what_it_did_is_kept(data, told, monkeypatch):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("a brief"))
    monkeypatch.setattr(known_fixes, "known_fix", lambda *_: "a fix")
    base = {"session_id": "s1", "tool_name": "developer__shell", "tool_input": {"command": "make"}}
    for event in ("SessionStart", "PostToolUseFailure"):
        assert told(data, {**base, "event": event}, "--client", "goose") == ("", "")
    start, failed = kept(data)
    assert start["cwd"] == str(Path.cwd())
    assert (failed["subject"], failed["outcome"]) == ("make", "failed")
