"""Every client's payload becomes the common event; the shapes are the published ones, each named in its fixture."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from indelible.capture import clients
from indelible.errors import InvalidInput
from indelible.extraction import events

PAYLOADS = Path(__file__).parent / "payloads"
CASES = [case for path in sorted(PAYLOADS.glob("*.json")) for case in json.loads(path.read_text(encoding="utf-8"))]
CAPTURED = [case for case in CASES if case["expected"] is not None]


def captured(case: dict[str, Any], client: str | None = None) -> dict[str, Any] | None:
    payload = copy.deepcopy(case["payload"])
    client = client or clients.client_of(payload, case.get("named", ""))
    payload = clients.in_common_names(payload, client)
    what = clients.what_of(client, case["event"])
    return None if what is None else clients.event_of(payload, client, what, 1_700_000_000_000_000)


def named(case: dict[str, Any]) -> str:
    payload = clients.in_common_names(case["payload"], clients.client_of(case["payload"], case.get("named", "")))
    return f"{payload.get('hook_event_name', case['event'])}-{payload.get('tool_name', '')}"


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
    assert told >= {*events.TEXTS} - MISSING.get(client, set())


MISSING = {  # of which their documents have none
    "codex": {"session_ended"},
    "vscode": {"session_ended"},
    "goose": {"compacting"},
    "kiro": {"compacting", "session_ended"},
    "cline": {"compacting", "session_ended"},
    "windsurf": {"session_started", "compacting", "session_ended"},
    "antigravity": {"session_started", "tool", "compacting", "session_ended"},
}


def test_a_prompt_of_antigravity_is_what_the_user_wrote_last_into_its_transcript(tmp_path):
    steps = [
        {"step_index": 0, "source": "USER_EXPLICIT", "type": "USER_INPUT", "content": "an earlier one"},
        {"step_index": 7, "source": "USER_EXPLICIT", "type": "USER_INPUT", "status": "DONE",
         "content": "<USER_REQUEST>\nFix the memory leak\n</USER_REQUEST>\n<ADDITIONAL_METADATA>"},
        {"step_index": 8, "source": "SYSTEM", "type": "USER_INPUT", "content": "no person"},
    ]  # fmt: skip
    path = tmp_path / "transcript.jsonl"
    path.write_text("".join(json.dumps(step) + "\n" for step in steps) + "{ cut", "utf-8")
    payload = {"conversationId": "c1", "workspacePaths": ["/home/ann"], "transcriptPath": str(path)}
    told = [captured({"payload": {**payload, "invocationNum": number}, "event": "pre-invocation"}) for number in (0, 1)]
    assert told[1] is None
    assert told[0] is not None
    assert {name: told[0][name] for name in ("client", "session", "cwd", "id", "text")} == {
        **{"client": "antigravity", "session": "c1", "cwd": "/home/ann", "id": "prompt:step-7"},
        "text": "Fix the memory leak",
    }
    path.unlink()
    assert captured({"payload": {**payload, "invocationNum": 0}, "event": "pre-invocation"}) is None


def test_a_prompt_of_kiro_may_be_in_the_environment(monkeypatch):
    case = {"payload": {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": ""}}
    monkeypatch.setenv("USER_PROMPT", "fix the login page")
    event = captured({**case, "event": "user-prompt-submit"}, "kiro")
    assert event is not None
    assert event["text"] == "fix the login page"


@pytest.mark.parametrize("case", CAPTURED, ids=named)
def test_a_replayed_payload_has_the_id_that_it_had_and_no_other_one_has_it(case):
    event = captured(case)
    assert event is not None
    again = captured(case)
    assert again is not None
    assert again["id"] == event["id"]
    others = [captured(other) for other in CAPTURED if other is not case]
    assert all((other["session"], other["id"]) != (event["session"], event["id"]) for other in others if other)


def ids(client: str, name: str, *payloads: dict[str, Any], times: tuple[int, ...] = (1,)) -> list[Any]:
    """The ids of payloads that come one after the other, once a time (in seconds since 1970)."""
    what = clients.what_of(client, name)
    assert what is not None
    made = [
        clients.event_of({"session_id": "s", **payload}, client, what, time * 1_000_000)
        for time in times
        for payload in payloads
    ]
    return [event["id"] for event in made if event is not None]


def test_two_prompts_and_two_ends_of_one_turn_of_codex_are_two_and_a_replay_is_none():
    prompts = [{"turn_id": "t1", "prompt": "fix it"}, {"turn_id": "t1", "prompt": "and the docs"}]
    asked = ids("codex", "UserPromptSubmit", *prompts, {"turn_id": "t2", "prompt": "fix it"}, times=(1, 4000))
    assert len(set(asked)) == 3
    ends = [{"turn_id": "t1", "last_assistant_message": text} for text in ("Done.", "Done, with the docs.")]
    assert len(set(ids("codex", "Stop", *ends, times=(1, 4000)))) == 2


@pytest.mark.parametrize(
    ("client", "name", "payload"),
    [
        ("claude-code", "SessionStart", {"source": "resume"}),
        ("claude-code", "PreCompact", {"trigger": "auto"}),
        ("claude-code", "SessionEnd", {"reason": "other"}),
        ("codex", "PreCompact", {"trigger": "auto", "turn_id": "t1"}),
        ("cursor", "preCompact", {"trigger": "auto", "conversation_id": "c", "generation_id": "g"}),
        ("kimi", "Stop", {}),
        ("kiro", "PostToolUse", {"tool_name": "shell", "tool_input": {"command": "make"}}),
        ("goose", "UserPromptSubmit", {"prompt": "go on"}),
        ("antigravity", "Stop", {}),
    ],
)
def test_what_happens_more_than_once_in_a_session_is_more_than_one_event(client, name, payload):
    first, replayed, later = ids(client, name, payload, times=(6000, 6059, 6060))
    assert first == replayed
    assert later != first


def test_a_time_in_the_payload_tells_a_replay_from_a_second_one_whenever_it_comes():
    times = [{"trigger": "auto", "timestamp": f"2026-11-22T09:30:0{second}.000Z"} for second in (0, 1)]
    one, two, *replayed = ids("gemini-cli", "PreCompress", *times, times=(1, 4000))
    assert one != two
    assert replayed == [one, two]


@pytest.mark.parametrize("spelling", ["PostToolUse", "post-tool-use", "postToolUse", "post_tool_use", "POSTTOOLUSE"])
def test_an_event_is_known_in_any_spelling(spelling):
    assert clients.what_of("claude-code", spelling) == "tool"


def test_an_event_that_a_client_does_not_have_is_refused_with_those_it_has():
    with pytest.raises(InvalidInput, match="supported are sessionstart, beforeagent, aftertool"):
        clients.what_of("gemini-cli", "UserPromptSubmit")
    with pytest.raises(
        InvalidInput, match="--client is one of claude-code, codex, gemini-cli, cursor, copilot-cli, vscode, opencode, "
    ):
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


TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"
UNSEEN = [
    *("\x1b(B", "\x1b7", "\x1b8", "\x1b=", "\x1b[0m", "\x1b[1;31m", "\x1b%G", "\x1b(B\x1b[m", "\x1b]0;title\x07"),
    *("\x9b31m", "\x9b0m", "\x90q\x9c", "\x1bPq\x1b\\", "\x07", "\x08", "\x7f", "\x9c"),
    *("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066", "\ufe0f", "\U000e0041"),
]


@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
def test_a_secret_with_something_invisible_in_it_is_redacted(unseen):
    text = f"the token is {unseen}{TOKEN[:9]}{unseen}{TOKEN[9:]}{unseen} and more"
    event = clients.event_of({"session_id": "s", "prompt": text}, "claude-code", "prompt", 1)
    assert event is not None
    assert TOKEN[9:] not in event["text"]
    assert "\x1b" not in event["text"]
    assert event["text"].startswith("the token is ")
    assert event["text"].endswith(" and more")


def test_what_joins_letters_and_emoji_stays():
    text = "می\u200cخواهم 👩\u200d💻 1\ufe0f\u20e3\ttab\r\nline"
    event = clients.event_of({"session_id": "s", "prompt": text}, "claude-code", "prompt", 1)
    assert event is not None
    assert event["text"] == text


def test_an_event_of_another_version_or_shape_is_refused():
    event = clients.event_of({"session_id": "s", "tool_name": "Read"}, "claude-code", "tool", 1)
    assert event is not None
    broken = [[], None, {**event, "v": 2}, {**event, "what": "x"}, {**event, "what": []}, {**event, "time": "1"}]
    broken += [{**event, "id": ""}, {**event, "action": "x"}, {**event, "outcome": 1}, {**event, "edits": {}}]
    broken += [{**event, "edits": [{}]}, {**event, "subject": None}]
    for value in broken:
        with pytest.raises(InvalidInput, match="event"):
            events.check(value)
