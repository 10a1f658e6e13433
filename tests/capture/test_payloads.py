"""Every client's payload becomes the common event; the shapes are the published ones, each named in its fixture."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from indelible.capture import clients, events
from indelible.errors import InvalidInput

PAYLOADS = Path(__file__).parent / "payloads"
CASES = [case for path in sorted(PAYLOADS.glob("*.json")) for case in json.loads(path.read_text(encoding="utf-8"))]
CAPTURED = [case for case in CASES if case["expected"] is not None]


def captured(case: dict[str, Any], client: str | None = None) -> dict[str, Any] | None:
    payload = copy.deepcopy(case["payload"])
    client = client or clients.client_of(payload)
    what = clients.what_of(client, case["event"])
    return None if what is None else clients.event_of(payload, client, what, 1_700_000_000_000_000)


def named(case: dict[str, Any]) -> str:
    payload = case["payload"]
    return f"{payload['hook_event_name']}-{payload.get('tool_name', '')}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_a_payload_of_a_client_becomes_the_common_event(case):
    event = captured(case)
    if case["expected"] is None:
        assert event is None
        return
    assert event is not None
    assert {name: event[name] for name in case["expected"]} == case["expected"]
    assert events.check(json.loads(json.dumps(event))) == event
    assert event["id"].startswith(f"{event['what']}:")
    assert event["time"] == 1_700_000_000_000_000


@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.json")), ids=lambda path: path.stem)
def test_every_fixture_names_its_source_and_every_captured_event_of_a_client_has_one(path):
    cases = json.loads(path.read_text(encoding="utf-8"))
    assert all(len(case["source"]) > 20 for case in cases)
    client = path.stem.replace("_", "-")
    told = {clients.what_of(client, case["event"]) for case in cases}
    missing = {"session_ended"} if client == "codex" else set()  # of which its published schemas have none
    assert told >= {*events.TEXTS} - missing


@pytest.mark.parametrize("case", CAPTURED, ids=named)
def test_a_replayed_payload_has_the_id_that_it_had_and_no_other_one_has_it(case):
    event = captured(case)
    assert event is not None
    again = captured(case)
    assert again is not None
    assert again["id"] == event["id"]
    others = [captured(other) for other in CAPTURED if other is not case]
    assert all((other["session"], other["id"]) != (event["session"], event["id"]) for other in others if other)


@pytest.mark.parametrize("spelling", ["PostToolUse", "post-tool-use", "postToolUse", "post_tool_use", "POSTTOOLUSE"])
def test_an_event_is_known_in_any_spelling(spelling):
    assert clients.what_of("claude-code", spelling) == "tool"


def test_an_event_that_a_client_does_not_have_is_refused_with_those_it_has():
    with pytest.raises(InvalidInput, match="captured are sessionstart, beforeagent, aftertool"):
        clients.what_of("gemini-cli", "UserPromptSubmit")
    with pytest.raises(InvalidInput, match="--client is one of claude-code, codex, gemini-cli, cursor"):
        clients.what_of("emacs", "Stop")


@pytest.mark.parametrize("session", [None, "", "  ", 7, ["x"]])
def test_a_payload_without_a_session_is_refused(session):
    with pytest.raises(InvalidInput, match="names no session"):
        clients.event_of({"session_id": session, "prompt": "x"}, "claude-code", "prompt", 1)


@pytest.mark.parametrize("client", events.CLIENTS)
@pytest.mark.parametrize("odd", [None, 7, True, "text", [], [None], {}, {"a": [1]}, 1e300])
def test_a_payload_whose_fields_have_other_types_is_taken_as_far_as_it_goes(client, odd):
    names = [
        "cwd",
        "prompt",
        "tool_name",
        "tool_input",
        "tool_response",
        "tool_use_id",
        "tool_output",
        "source",
        "edits",
    ]
    names += ["workspace_roots", "command", "output", "last_assistant_message", "prompt_response", "text", "reason"]
    payload = {**dict.fromkeys(names, odd), "session_id": "s", "conversation_id": "s"}
    for what in events.TEXTS:
        event = clients.event_of(payload, client, what, 1)
        assert event is None or events.check(event) == event


def test_what_is_kept_of_an_event_is_bounded_and_says_what_was_left_out():
    edits = [{"file_path": "x"}] + [{"old_string": "o" * 5_000, "new_string": "n" * 5_000}] * 20
    payload = {"session_id": "s", "tool_name": "MultiEdit", "tool_input": {"file_path": "p" * 9_000, "edits": edits}}
    event = clients.event_of(payload, "claude-code", "tool", 1)
    assert event is not None
    assert len(event["edits"]) == events.MOST_EDITS
    assert {len(edit["new"]) for edit in event["edits"]} == {0, 400}
    output = "first " + "word " * 300_000 + "last"
    payload = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": output}
    event = clients.event_of(payload, "claude-code", "tool", 1)
    assert event is not None
    assert event["output"].startswith("first word ")
    assert event["output"].endswith("word last")
    assert "\n[... 1,492,010 characters left out ...]\n" in event["output"]
    assert len(event["output"]) < 8_100


def test_characters_that_no_store_takes_do_not_get_into_an_event():
    text = "a\0b \ud83d\ude00 \ud800 c\x1b[31mred\x1b[0m"
    event = clients.event_of({"session_id": "s", "prompt": text}, "claude-code", "prompt", 1)
    assert event is not None
    assert event["text"] == "ab 😀 � cred"


def test_an_event_of_another_version_or_shape_is_refused():
    event = clients.event_of({"session_id": "s", "tool_name": "Read"}, "claude-code", "tool", 1)
    assert event is not None
    broken = [[], None, {**event, "v": 2}, {**event, "what": "x"}, {**event, "what": []}, {**event, "time": "1"}]
    broken += [{**event, "id": ""}, {**event, "action": "x"}, {**event, "outcome": 1}, {**event, "edits": {}}]
    broken += [{**event, "edits": [{}]}, {**event, "subject": None}]
    for value in broken:
        with pytest.raises(InvalidInput, match="event"):
            events.check(value)
