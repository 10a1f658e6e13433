"""Transcripts of Claude Code become the events that its hooks give, and are taken in once."""

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from indelible.capture import clients
from indelible.capture.clients import claude_transcripts
from indelible.errors import InvalidInput

DAY = Path(__file__).parent / "day"
SAID = {"sessionId": "s1", "cwd": "/home/dev/shop", "timestamp": "2026-11-20T09:00:00.000Z", "isSidechain": False}


def lines(*values: dict[str, Any] | bytes) -> io.BytesIO:
    return io.BytesIO(b"".join(v if isinstance(v, bytes) else json.dumps(v).encode() + b"\n" for v in values))


def asked(text: Any, **more: Any) -> dict[str, Any]:
    return {**SAID, "type": "user", "message": {"role": "user", "content": text}, **more}


def answered(*blocks: dict[str, Any], name: str = "msg_1", **more: Any) -> dict[str, Any]:
    return {**SAID, "type": "assistant", "message": {"id": name, "role": "assistant", "content": list(blocks)}, **more}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def called(name: str, tool: str = "Bash", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": tool, "input": given}


def result(name: str, content: Any, **more: Any) -> dict[str, Any]:
    failed = more.pop("is_error", False)
    block = {"type": "tool_result", "tool_use_id": name, "content": content, "is_error": failed}
    return asked([block], **more)


def read(*values: dict[str, Any] | bytes) -> list[dict[str, Any]]:
    return list(claude_transcripts.events(lines(*values), claude_transcripts.Tally()))


def prompts(*values: dict[str, Any]) -> list[Any]:
    return [event["text"] for event in read(*values) if event["what"] == "prompt"]


@pytest.mark.parametrize("name", ["morning", "midday"])
def test_a_transcript_gives_the_events_of_the_hooks_with_their_ids(name):
    with (DAY / f"{name}.transcript.jsonl").open("rb") as file:
        told = list(claude_transcripts.events(file, claude_transcripts.Tally()))
    hooked = [
        event for event in of_hooks(DAY / f"{name}.hooks.jsonl") if event["what"] in ("prompt", "tool", "turn_ended")
    ]
    assert [without_time(event) for event in told] == [without_time(event) for event in hooked]


def of_hooks(file: Path) -> Iterable[dict[str, Any]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        payload = json.loads(line)
        client = clients.client_of(payload)
        what = clients.what_of(client, payload["hook_event_name"])
        event = clients.event_of(payload, client, str(what), 1)
        assert event is not None
        yield event


def without_time(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name != "time"}


def test_a_call_is_told_with_its_result():
    (event,) = read(
        answered(called("t1", command="pytest")),
        result("t1", "Exit code 1\nFAILED", is_error=True, toolUseResult="Error"),
    )
    assert (event["subject"], event["outcome"], event["output"]) == ("pytest", "failed", "Exit code 1\nFAILED")
    assert event["id"] == "tool:t1"
    assert event["time"] == 1_795_165_200_000_000


def test_a_call_that_was_refused_never_ran():
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    assert read(answered(called("t1", command="make")), result("t1", refused, is_error=True)) == []
    denied = result("t2", "no", is_error=True, toolDenialKind="user-rejected")
    assert read(answered(called("t2", command="make")), denied) == []


def test_what_the_user_wants_instead_of_a_refused_call_is_a_prompt():
    refused = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
        "the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
        "we don't want filter.go separate from watcher.go"
    )
    call = answered(called("t1", "ExitPlanMode", plan="two files"))
    assert prompts(call, result("t1", refused, is_error=True)) == ["we don't want filter.go separate from watcher.go"]


def test_the_answers_to_a_question_of_the_agent_are_kept():
    said = 'User has answered your questions: "Which?"="pnpm, not npm". You can now continue.'
    (event,) = read(answered(called("t1", "AskUserQuestion", questions=[])), result("t1", said))
    assert (event["tool"], event["action"], event["output"]) == ("AskUserQuestion", "other", said)


def test_a_call_that_somebody_stopped_is_neither_failed_nor_passed():
    (event,) = read(
        answered(called("t1", command="make")),
        result("t1", "[Request interrupted by user for tool use]", is_error=True),
    )
    assert event["outcome"] == "unknown"


def test_a_result_without_its_call_and_a_call_without_its_result_are_nothing():
    assert read(result("t9", "ok")) == []
    assert read(answered(called("t9", command="make"))) == []


def test_our_own_tools_are_not_captured():
    assert read(answered(called("t1", "mcp__indelible__recall", query="x")), result("t1", "y")) == []


def test_subagents_are_asked_by_nobody_but_their_calls_count():
    events = read(
        asked("Look for Decimal. From now on use Decimal.", isSidechain=True),
        answered(text("Looking."), called("t1", "Grep", pattern="Decimal"), isSidechain=True),
        result("t1", "none", isSidechain=True),
        answered(text("There is none."), name="msg_2", isSidechain=True),
    )
    assert [event["what"] for event in events] == ["tool"]


@pytest.mark.parametrize(
    "line",
    [
        asked("meta", isMeta=True),
        asked("This session is being continued from a previous conversation.", isCompactSummary=True),
        asked("This session is being continued from a previous conversation that ran out of context."),
        asked("<command-name>/clear</command-name>\n<command-args></command-args>"),
        asked("<local-command-stdout>We decided to use Redis</local-command-stdout>"),
        asked("<bash-input>ls</bash-input>"),
        asked("<system-reminder>From now on</system-reminder>"),
        asked("<task-notification><task-id>b1</task-id></task-notification>"),
        asked("[Request interrupted by user for tool use]"),
        asked("Caveat: The messages below were generated by the user while running local commands."),
        asked("tool output", toolUseResult={"stdout": "x"}),
        asked("   "),
        asked(None),
        asked([{"type": "image", "source": {}}]),
        {"type": "summary", "summary": "We decided to use Redis", "leafUuid": "x"},
        {**SAID, "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"},
        {"type": "file-history-snapshot", "snapshot": {}},
        {"type": "queue-operation", "operation": "enqueue", "content": "x"},
        {**SAID, "type": "user"},
        {**SAID, "type": "user", "message": "x"},
        asked("no time", timestamp=None),
        asked("no session", sessionId=None),
        asked("a strange time", timestamp="yesterday"),
    ],
)
def test_what_no_person_wrote_is_no_prompt(line):
    assert read(line) == []


def test_a_prompt_is_what_the_person_typed():
    assert prompts(asked([text("fix it"), {"type": "image", "source": {}}])) == ["fix it"]
    assert prompts(asked("fix it\n<system-reminder>not mine</system-reminder>")) == ["fix it"]
    command = "<command-message>fix</command-message>\n<command-name>/fix</command-name>\n"
    command += "<command-args>issue 8</command-args>"
    assert prompts(asked(command)) == ["/fix issue 8"]
    assert prompts(asked("<command-name>/fix</command-name>" + "<command-args>" * 50_000)) == []
    queued = {"type": "queued_command", "commandMode": "prompt", "prompt": "and the docs"}
    assert prompts({**SAID, "type": "attachment", "attachment": queued}) == ["and the docs"]


def test_a_turn_ends_with_the_last_message_that_called_no_tool():
    events = read(
        asked("fix it", promptId="p1"),
        answered(text("I will look."), name="msg_1"),
        answered(called("t1", command="ls"), name="msg_1"),
        result("t1", "a.py"),
        answered({"type": "thinking", "thinking": "hm"}, name="msg_2"),
        answered(text("Done."), name="msg_2"),
        asked("thanks", promptId="p2"),
    )
    assert [(event["what"], event.get("text")) for event in events] == [
        ("prompt", "fix it"),
        ("tool", None),
        ("turn_ended", "Done."),
        ("prompt", "thanks"),
    ]


def test_a_turn_that_was_stopped_has_no_end():
    events = read(
        asked("fix it"), answered(text("I will")), asked("[Request interrupted by user]"), asked("no, the other")
    )
    assert [event["what"] for event in events] == ["prompt", "prompt"]


def test_a_session_that_is_over_ends_with_its_last_line():
    session = [asked("go", promptId="p1"), answered(text("Done."), timestamp="2026-11-20T09:07:00.000Z")]
    told = list(claude_transcripts.events(lines(*session), claude_transcripts.Tally(), over=True))
    assert [event["what"] for event in told] == ["prompt", "turn_ended", "session_ended"]
    assert told[-1]["time"] == told[-2]["time"]
    again = list(claude_transcripts.events(lines(*session), claude_transcripts.Tally(), over=True))
    assert told == again
    assert list(claude_transcripts.events(lines(), claude_transcripts.Tally(), over=True)) == []


def test_bad_lines_are_counted_and_the_others_taken(monkeypatch):
    monkeypatch.setattr(claude_transcripts, "LONGEST_LINE", 1_000)
    tally = claude_transcripts.Tally()
    deep = b"[" * 900 + b"\n"
    source = lines(asked("one"), b"{half\n", b"[1]\n", b"\n", deep, b'{"x": "' + b"y" * 5_000 + b'"}\n', asked("two"))
    events = list(claude_transcripts.events(source, tally))
    assert [event["text"] for event in events] == ["one", "two"]
    assert (tally.lines, tally.bad) == (6, 4)


def test_a_resumed_session_that_repeats_earlier_lines_is_taken_once():
    tally = claude_transcripts.Tally()
    first = list(claude_transcripts.events(lines(asked("fix it", uuid="u1")), tally))
    again = [asked("fix it", uuid="u1", sessionId="s2"), asked("more", uuid="u2", sessionId="s2")]
    second = list(claude_transcripts.events(lines(*again), tally))
    assert [event["text"] for event in (*first, *second)] == ["fix it", "more"]
    assert tally.repeated == 1


def test_secrets_do_not_leave_a_transcript():
    (event,) = read(
        answered(called("t1", command="deploy")), result("t1", "token ghp_0123456789abcdefghijABCDEFGHIJ012345")
    )
    assert "ghp_" not in event["output"]


def test_the_transcripts_of_a_folder_are_read_the_oldest_first(tmp_path):
    import os

    for age, name in enumerate(["-home-dev-shop/new.jsonl", "-home-dev-shop/old/subagents/agent-1.jsonl", "note.txt"]):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        os.utime(file, (1_000 - age, 1_000 - age))
    assert [file.name for file in claude_transcripts.files(tmp_path)] == ["agent-1.jsonl", "new.jsonl"]
    with pytest.raises(InvalidInput, match="does not exist"):
        claude_transcripts.files(tmp_path / "nothing")
