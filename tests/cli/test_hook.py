"""`indelible hook`: every event is kept, whatever else happens the agent is not disturbed."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from command_line import opened
from hook_payloads import CLAUDE, COMMAND, PROMPT, SHELL, kept, only_line
from indelible.capture import clients, hook_brief, hook_reminders, known_fixes, questions, serving, session_notes
from indelible.capture.brief import Brief
from indelible.cli import hook, main
from indelible.errors import StoreError
from indelible.store.sqlite.connection import FILE, connect
from secret_corpus import lines


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "data"
    directory.mkdir(0o700)
    return directory


@pytest.fixture
def drains(monkeypatch) -> list[list[str]]:
    """The commands of the processes that a hook in this process starts; none is."""
    commands: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: commands.append(command) or SimpleNamespace())
    return commands


@pytest.fixture
def told(monkeypatch, capfd, drains, tmp_path):
    """A hook in this process: its payload in, its two streams out."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    outer = os.dup(0)

    def run(data: Path, payload: object, *arguments: str) -> tuple[str, str]:
        given = tmp_path / "payload"
        given.write_bytes(payload if isinstance(payload, bytes) else json.dumps(payload).encode())
        opened = os.open(given, os.O_RDONLY)
        os.dup2(opened, 0)
        os.close(opened)
        assert main.main(["hook", *arguments, "--data", str(data)]) == 0
        said = capfd.readouterr()
        return said.out, said.err

    yield run
    os.dup2(outer, 0)
    os.close(outer)


# --- What is kept ---


@pytest.mark.parametrize("variable", ["INDELIBLE_PROJECT", "CLAUDE_PROJECT_DIR"])
def test_an_event_has_the_project_that_the_environment_names(data, told, monkeypatch, variable):
    for name in ("INDELIBLE_PROJECT", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    told(data, PROMPT)
    monkeypatch.setenv(variable, "/home/ann/shop")
    told(data, COMMAND)
    assert [event.get("project") for event in kept(data)] == [None, "/home/ann/shop"]


def test_a_second_replay_writes_the_same_ids(data, told):
    for payload in (PROMPT, COMMAND, PROMPT, COMMAND):
        assert told(data, payload) == ("", "")
    ids = [event["id"] for event in kept(data)]
    assert len(ids) == 4
    assert ids[:2] == ids[2:]


def test_the_event_of_the_payload_is_taken_before_that_of_the_command_line(data, told):
    told(data, PROMPT, "stop")
    told(data, {key: value for key, value in PROMPT.items() if key != "hook_event_name"}, "userPromptSubmit")
    assert [event["what"] for event in kept(data)] == ["prompt", "prompt"]


@pytest.mark.slow
def test_secrets_reach_the_spool_in_no_field(data, told):
    secret_lines = [(line, secret) for line, secret in lines()[:100] if secret][:20]
    for spoken, _ in secret_lines:
        payload = {**SHELL, "cwd": f"/home/{spoken}", "session_id": spoken, "tool_use_id": spoken, "tool_name": spoken}
        payload["tool_input"] = {"command": f"curl -H {spoken}", "file_path": spoken, "content": spoken}
        payload["error"] = spoken
        told(data, payload)
        for name in ("Bash", "Edit", "Write", "Grep", "WebFetch"):
            arguments = {"command": spoken, "file_path": spoken, "old_string": spoken, "new_string": spoken}
            told(data, {**payload, "tool_name": name, "tool_input": {**arguments, "pattern": spoken, "url": spoken}})
        for event, field in (
            ("UserPromptSubmit", "prompt"),
            ("Stop", "last_assistant_message"),
            ("SessionEnd", "reason"),
        ):
            told(data, {**CLAUDE, "session_id": spoken, "hook_event_name": event, field: spoken, "prompt_id": spoken})
    text = "".join(path.read_text() for path in (data / "spool").rglob("*.json"))
    assert text.count("[REDACTED:") > 250
    assert [line for line, secret in secret_lines if secret in text or json.dumps(secret)[1:-1] in text] == []


# --- Nothing is in the agent's way ---

BROKEN: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "not JSON"),
    "words": (b"secret-payload", "not JSON at character 0"),
    "half": (json.dumps(COMMAND).encode()[:-9], "not JSON at character"),
    "list": (b"[1]", "not a JSON object"),
    "bytes": (b"\xff\xfe\x00{", "not JSON"),
    "NUL": (b"\0" * 100, "not JSON"),
    "deep": (b'{"a":' * 100_000, "not JSON" if sys.version_info >= (3, 14) else "too deep"),
    "number": (b'{"a":' + b"9" * 9_000 + b"}", "not JSON"),
    "no session": (b'{"hook_event_name": "Stop"}', "names no session"),
    "other event": (b'{"session_id": "s", "hook_event_name": "secret-payload"}', "no event of that name"),
    "too large": (b'{"session_id": "' + b"x" * hook.LARGEST + b'"}', "more than 4 MiB"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_payload_is_one_line_without_a_word_of_it(data, told, name):
    text, said = BROKEN[name]
    answer = told(data, text, "stop")
    only_line(answer, said)
    assert "secret-payload" not in answer[1]
    assert kept(data) == []


@pytest.mark.sqlite("that there is no file")
def test_a_store_that_is_missing_is_one_line_and_none_is_made(tmp_path, told):
    only_line(told(tmp_path / "data", PROMPT), "there is no store in")
    only_line(told(tmp_path / "data", {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"}), "no store")
    assert not (tmp_path / "data").exists()


def test_a_spool_that_others_may_read_is_not_written_to(data, told):
    told(data, PROMPT)
    (data / "spool").chmod(0o755)
    only_line(told(data, COMMAND), "open to other users")
    (data / "spool").chmod(0o700)
    assert len(kept(data)) == 1


def test_a_data_directory_that_others_may_read_gets_no_spool(data, told):
    data.chmod(0o755)
    only_line(told(data, PROMPT), "open to other users")
    assert not (data / "spool").exists()


def test_standard_input_that_never_ends_is_not_waited_for(data, told, monkeypatch, capfd):
    monkeypatch.setattr(hook, "PATIENCE", 0.2)
    reader, writer = os.pipe()
    os.dup2(reader, 0)
    os.write(writer, b'{"session_id": ')
    assert hook.main(["stop", "--data", str(data)]) == 0
    only_line(capfd.readouterr(), "did not end within 0.2 seconds")
    os.close(reader)
    os.close(writer)


def test_standard_input_that_always_has_more_is_not_read_for_ever(data, monkeypatch, capfd, tmp_path):
    monkeypatch.setattr(hook, "PATIENCE", 0.1)
    endless = tmp_path / "endless"
    endless.touch()
    os.truncate(endless, 8 << 30)  # a hole, which takes no room and seconds to read
    outer, reader = os.dup(0), os.open(endless, os.O_RDONLY)
    os.dup2(reader, 0)
    try:
        assert hook.main(["stop", "--data", str(data)]) == 0
    finally:
        os.dup2(outer, 0)
        os.close(outer)
        os.close(reader)
    only_line(capfd.readouterr(), "did not end within 0.1 seconds")


@pytest.mark.parametrize("arguments", [["stop", "again"], ["--what"], ["stop", "--client", "emacs"]], ids=" ".join)
def test_a_command_line_that_is_wrong_is_one_line(data, told, arguments):
    only_line(told(data, {**CLAUDE, "prompt": "x"}, *arguments), "")
    assert kept(data) == []


def test_hooks_that_are_switched_off_do_nothing(data, told, monkeypatch):
    monkeypatch.setenv("INDELIBLE_HOOKS", "off")
    assert told(data, b"not even JSON") == ("", "")
    assert not (data / "spool").exists()


def test_a_store_that_is_read_only_captures_nothing_and_still_gives_its_brief(data, told, monkeypatch):
    monkeypatch.setenv("INDELIBLE_READ_ONLY", "1")
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("what is known"))
    out, err = told(data, {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"})
    assert json.loads(out)["hookSpecificOutput"]["additionalContext"] == "what is known"
    assert told(data, COMMAND) == ("", "")
    assert err == ""
    assert not (data / "spool").exists()


# --- The brief and the drain ---

STARTS = {
    "claude-code": {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"},
    "codex": {**CLAUDE, "hook_event_name": "SessionStart", "source": "clear", "transcript_path": "/home/ann/.codex/x"},
    "gemini-cli": {**CLAUDE, "hook_event_name": "SessionStart", "source": "resume"},
    "cursor": {"conversation_id": "s1", "workspace_roots": ["/home/ann/src"], "hook_event_name": "sessionStart"},
}


@pytest.mark.parametrize("client", STARTS)
def test_the_start_of_a_session_gives_the_brief_where_its_client_looks_for_it(data, told, monkeypatch, client):
    asked = []
    monkeypatch.setattr(hook, "_brief", lambda *given: asked.append(given) or Brief('open: "größe" </memory>'))
    out, err = told(data, STARTS[client], "session-start", "--client", client)
    context = {"hookEventName": "SessionStart", "additionalContext": 'open: "größe" </memory>'}
    wanted = (
        {"additional_context": context["additionalContext"]} if client == "cursor" else {"hookSpecificOutput": context}
    )
    assert json.loads(out) == wanted
    assert out.isascii()
    assert err == ""
    assert [(each.data, each.directory, each.client) for (each,) in asked] == [(str(data), "/home/ann/src", client)]
    assert [event["what"] for event in kept(data)] == ["session_started"]


@pytest.mark.parametrize("source", ["compact", "clear", "resume", "startup", "fork"])
def test_a_session_gets_its_brief_however_it_starts_and_no_other_event_gets_one(data, told, monkeypatch, source):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("what is known"))
    assert "what is known" in told(data, {**STARTS["claude-code"], "source": source})[0]
    assert told(data, COMMAND)[0] == told(data, PROMPT)[0] == ""


@pytest.mark.parametrize(
    ("client", "notices", "said"),
    [
        ("claude-code", "", 'Indelible learned 2 rules from you: "use uv, not pip", "a b". Wrong? indelible captured'),
        ("claude-code", "off", None),
        ("codex", "", None),
    ],
)
def test_the_user_sees_in_one_line_and_once_what_the_last_session_taught(
    data, told, monkeypatch, client, notices, said
):
    monkeypatch.setenv("INDELIBLE_NOTICES", notices)
    learned = Brief("known", learned=("use uv, not pip", "a b"), session="claude-code:s0")
    monkeypatch.setattr(hook, "_brief", lambda *_: learned)
    start = {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"}
    output, _ = told(data, start, "--client", client)
    assert json.loads(output).get("systemMessage") == said
    again, _ = told(data, start, "--client", client)
    assert "systemMessage" not in json.loads(again)
    assert json.loads(again)["hookSpecificOutput"]["additionalContext"] == "known"


def test_a_notice_that_cannot_be_noted_costs_no_brief(data, told, monkeypatch):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("known", learned=("a",), session="claude-code:s0"))
    (data / "sessions").write_text("a file where a directory should be")
    output, _ = told(
        data, {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"}, "--client", "claude-code"
    )
    assert json.loads(output)["hookSpecificOutput"]["additionalContext"] == "known"
    assert "systemMessage" not in json.loads(output)


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


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_payload_before_a_command_keeps_none_from_running(data, told, name):
    text, _ = BROKEN[name]
    output, _ = told(data, text, "pre-tool-use", "--client", "claude-code")
    assert output == ""


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


def test_a_session_without_a_brief_gets_no_word(data, told, monkeypatch):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief(""))
    assert told(data, STARTS["claude-code"]) == ("", "")


@pytest.mark.parametrize("accident", [ValueError, RecursionError, KeyError, StoreError, OSError])
def test_an_accident_of_the_capture_costs_neither_the_brief_nor_the_drain(data, told, drains, monkeypatch, accident):
    told(data, COMMAND)

    def stumbles(*_):
        raise accident("it stumbled")

    monkeypatch.setattr(clients, "event_of", stumbles)
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief("what is known"))
    out, err = told(data, STARTS["claude-code"])
    assert "what is known" in out
    assert err.count("\n") == 1
    assert len(drains) == 1


@pytest.mark.sqlite("a damaged file")
def test_what_goes_wrong_with_the_event_and_with_the_brief_is_one_line(data, told):
    (data / "indelible.db").write_bytes(b"no database " * 1000)
    only_line(told(data, STARTS["claude-code"]), "no brief for claude-code: ", "is damaged")
    (data / "spool").chmod(0o755)
    only_line(told(data, STARTS["claude-code"]), "open to other users")


def test_what_waits_is_drained_at_the_end_of_a_session_and_at_the_start_of_the_next(data, told, drains, monkeypatch):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief(""))
    told(data, STARTS["claude-code"])
    told(data, COMMAND)
    told(data, {**CLAUDE, "hook_event_name": "Stop"})
    assert drains == []
    told(data, {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "exit"})
    assert [command[-4:] for command in drains] == [["drain", "--existing", "--data", str(data)]]
    told(data, STARTS["claude-code"])
    assert len(drains) == 2
    told(data, {**STARTS["codex"], "hook_event_name": "Stop", "turn_id": "t"})  # which does not tell its end
    assert len(drains) == 3


@pytest.mark.parametrize("schema", [None, 1, 999])
@pytest.mark.sqlite("the file's schema number")
def test_the_drain_of_a_hook_makes_no_store_and_upgrades_none(data, told, capfd, schema):
    told(data, PROMPT)
    if schema is not None:
        with opened(data):
            pass
        with closing(connect(data / FILE)) as connection:
            connection.execute(f"PRAGMA user_version = {schema}").fetchall()
    assert main.main(["drain", "--existing", "--data", str(data)]) == 0
    assert capfd.readouterr() == ("", "")
    assert len(kept(data)) == 1
    if schema is None:
        assert [path.name for path in data.iterdir()] == ["spool"]
        return
    with closing(connect(data / FILE)) as connection:
        assert connection.execute("PRAGMA user_version").fetchall() == [(schema,)]


def test_the_drain_of_a_hook_takes_in_what_waits_where_there_is_a_store(data, told, capfd):
    with opened(data):
        pass
    told(data, PROMPT)
    assert main.main(["drain", "--existing", "--data", str(data)]) == 0
    assert "processed 1 event" in capfd.readouterr().out
    assert kept(data) == []
