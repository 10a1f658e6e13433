"""`indelible hook`: every event is kept, whatever else happens the agent is not disturbed."""

import json
import os
import re
import sys
from contextlib import closing
from pathlib import Path

import pytest

from command_line import opened
from hook_payloads import CLAUDE, COMMAND, PROMPT, SHELL, STARTS, kept, only_line
from indelible.capture import clients
from indelible.capture.brief import Brief
from indelible.cli import hook, hook_input, main
from indelible.errors import StoreError
from indelible.store.sqlite.connection import FILE, connect
from secret_corpus import lines

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "data"
    directory.mkdir(0o700)
    return directory


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


def test_a_message_that_only_closes_what_an_earlier_one_opened_is_private_too(data, told):
    told(data, {**PROMPT, "prompt": "<private>\nthe contract with Klaus ends"})
    told(data, {**PROMPT, "prompt": "and nobody knows\n</private>\nNow fix the menu."})
    cut = {**COMMAND["tool_response"], "stdout": "nobody knows\n</private>\nlast line"}
    told(data, {**COMMAND, "tool_response": cut})
    text = "".join(path.read_text() for path in (data / "spool" / "new").iterdir())
    assert "Klaus" not in text
    assert "nobody" not in text
    assert "Now fix the menu." in text
    assert "last line" in text


@pytest.mark.parametrize("line", ["\u001b[31mcc -c a.c\u001b[0m\r\n", "größer als üblich\n"])
def test_of_an_output_of_ten_megabytes_the_beginning_and_the_end_are_kept(data, told, line):
    output = f"Exit code 2\n{line * (10_000_000 // len(line.encode()))}Error: no rule to make target\n"
    told(data, {**SHELL, "hook_event_name": "PostToolUseFailure", "tool_input": {"command": "make"}, "error": output})
    (event,) = kept(data)
    assert event["outcome"] == "failed"
    assert event["output"].startswith("Exit code 2\n")
    assert event["output"].endswith("Error: no rule to make target\n")


@pytest.mark.parametrize(
    ("client", "tool", "given", "directory"),
    [
        ("gemini-cli", "run_shell_command", {"dir_path": "packages/a"}, "/home/ann/src/packages/a"),
        ("gemini-cli", "run_shell_command", {"directory": "./packages/a/"}, "/home/ann/src/packages/a"),
        ("gemini-cli", "list_directory", {"dir_path": "packages/a"}, "/home/ann/src"),
        ("opencode", "bash", {"workdir": "/home/ann/src/packages/a"}, "/home/ann/src/packages/a"),
        ("opencode", "bash", {"workdir": ["x"]}, "/home/ann/src"),
        ("claude-code", "Bash", {}, "/home/ann/src"),
    ],
)
def test_an_event_has_the_directory_in_which_its_command_ran(data, told, client, tool, given, directory):
    name = "AfterTool" if client == "gemini-cli" else "PostToolUse"
    told(
        data,
        {**SHELL, "hook_event_name": name, "tool_name": tool, "tool_input": {"command": "make", **given}},
        "--client",
        client,
    )
    assert [event["cwd"] for event in kept(data)] == [directory]


def test_bytes_that_are_no_text_cost_these_only(data, told):
    told(data, json.dumps({**PROMPT, "prompt": "Use tabs X here"}).encode().replace(b"X", b"\xff\xfe"))
    assert [event["text"] for event in kept(data)] == ["Use tabs \ufffd\ufffd here"]


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
    "too large": (b'{"session_id": "' + b"x" * hook_input.LARGEST + b'"}', "more than 32 MiB"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_payload_is_one_line_without_a_word_of_it(data, told, name):
    text, said = BROKEN[name]
    answer = told(data, text, "stop")
    only_line(answer, said)
    assert "secret-payload" not in answer[1]
    assert kept(data) == []


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_payload_before_a_command_keeps_none_from_running(data, told, name):
    text, _ = BROKEN[name]
    output, _ = told(data, text, "pre-tool-use", "--client", "claude-code")
    assert output == ""


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
    monkeypatch.setattr(hook_input, "PATIENCE", 0.2)
    reader, writer = os.pipe()
    os.dup2(reader, 0)
    os.write(writer, b'{"session_id": ')
    assert hook.main(["stop", "--data", str(data)]) == 0
    only_line(capfd.readouterr(), "did not end within 0.2 seconds")
    os.close(reader)
    os.close(writer)


def test_standard_input_that_always_has_more_is_not_read_for_ever(data, monkeypatch, capfd, tmp_path):
    monkeypatch.setattr(hook_input, "PATIENCE", 0.1)
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
        ("claude-code", "", 'Indelible learned 2 rules from you: "use uv, not pip", "a b". Wrong? indelible review'),
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


@pytest.mark.parametrize("client", STARTS)
def test_an_agent_without_a_brief_gets_no_word_and_the_user_of_claude_code_one_line(data, told, monkeypatch, client):
    monkeypatch.setattr(hook, "_brief", lambda *_: Brief(""))
    output, error = told(data, STARTS[client], "--client", client)
    assert error == ""
    if client == "claude-code":
        assert json.loads(output) == {"systemMessage": "Indelible: nothing is known of this project yet."}
        assert told(data, {**STARTS[client], "source": "compact"}, "--client", client)[0] == ""
        monkeypatch.setenv("INDELIBLE_NOTICES", "off")
        output, _ = told(data, STARTS[client], "--client", client)
    assert output == ""


@pytest.mark.sqlite("the file's schema number")
@pytest.mark.parametrize(("schema", "mend"), [(5, "its next server or command upgrades the store"), (999, "update it")])
def test_of_a_store_of_another_schema_it_is_not_said_that_nothing_is_known(data, told, schema, mend):
    with opened(data):
        pass
    with closing(connect(data / FILE)) as connection:
        connection.pragma("user_version", schema)
    output, error = told(data, STARTS["claude-code"])
    assert error == ""
    said = json.loads(output)["systemMessage"]
    assert said.startswith("Indelible: no brief this time: ")
    assert f"has schema {schema}, this version of indelible reads " in said
    assert mend in said


def test_the_user_sees_what_the_agent_was_given(data, told, monkeypatch):
    known = Brief("known", counts=(("rule", 2), ("decision", 0), ("known failure", 1)), tokens=180)
    monkeypatch.setattr(hook, "_brief", lambda *_: known)
    output, _ = told(data, STARTS["claude-code"])
    assert json.loads(output)["systemMessage"] == "Indelible: 2 rules, 1 known failure (180 tokens)."


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
    assert [command[-4:] for command in drains] == [["drain", "--no-upgrade", "--data", str(data)]]
    told(data, STARTS["claude-code"])
    assert len(drains) == 2
    told(data, {**STARTS["codex"], "hook_event_name": "Stop", "turn_id": "t"})  # which does not tell its end
    assert len(drains) == 3


@pytest.mark.parametrize("schema", [1, 999])
@pytest.mark.sqlite("the file's schema number")
def test_the_drain_of_a_hook_upgrades_no_store(data, told, capfd, schema):
    told(data, PROMPT)
    with opened(data):
        pass
    with closing(connect(data / FILE)) as connection:
        connection.execute(f"PRAGMA user_version = {schema}").fetchall()
    assert main.main(["drain", "--no-upgrade", "--data", str(data)]) == 0
    assert capfd.readouterr() == ("", "")
    assert len(kept(data)) == 1
    with closing(connect(data / FILE)) as connection:
        assert connection.execute("PRAGMA user_version").fetchall() == [(schema,)]


@pytest.mark.sqlite("which a drain makes where there is none; the tables of a database are made by its owner")
def test_the_second_session_is_told_what_the_first_one_taught_without_any_server(data, told, monkeypatch):
    """The dialogue that README.md begins with."""
    monkeypatch.setattr(hook, "_start_drain", lambda place, _: main.main(["drain", "--no-upgrade", "--data", place]))
    dialogue = r'- Monday, you: "(.+)"\n- Tuesday, a new session is given: "(.+)"\n'
    said, given = re.search(dialogue, README.read_text(encoding="utf-8")).groups()
    for payload in (
        STARTS["claude-code"],
        {**PROMPT, "prompt": said},
        {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "exit"},
    ):
        told(data, payload)
    answer = json.loads(told(data, {**STARTS["claude-code"], "session_id": "second"})[0].splitlines()[-1])
    rules = answer["hookSpecificOutput"]["additionalContext"].partition("</memory>")[0].splitlines()
    assert rules[0].startswith("The user's own rules for this project (follow them")
    assert rules[-1].startswith(given)


def test_the_drain_of_a_hook_takes_in_what_waits_where_there_is_a_store(data, told, capfd):
    with opened(data):
        pass
    told(data, PROMPT)
    assert main.main(["drain", "--no-upgrade", "--data", str(data)]) == 0
    assert "processed 1 event" in capfd.readouterr().out
    assert kept(data) == []
