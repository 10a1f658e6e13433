"""Writes the fixtures of the day: `python tests/capture/day/write.py`.

Shapes: Claude Code's hooks as the types `...HookInput` of @anthropic-ai/claude-agent-sdk 0.3.330; its transcripts as
lines of version 2.1 in github.com/oneryalcin/agent-schemas (claude-code/v2.1.144/session.schema.json), with what
github.com/DRMacIver/claude-reliability (notes/transcript-format.md) says of results that failed; Codex's hooks as
codex-rs/hooks/schema/generated of openai/codex.
"""

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from conversations import DAY, ROOT

HERE = Path(__file__).parent
STARTS = {"morning": 9, "midday": 12, "afternoon": 15}
CODEX = ("afternoon",)
SPACE = uuid.UUID("1d9e0f3a-8a55-4b0e-9a63-0e5b2f1c7d10")
TOOLS = {"ran": "Bash", "edited": "Edit", "read": "Read", "searched": "Grep", "helped": "Grep"}


def main() -> None:
    for name, steps in DAY.items():
        if name in CODEX:
            _write(f"{name}.codex.jsonl", codex(name, steps))
        else:
            _write(f"{name}.hooks.jsonl", claude_hooks(name, steps))
            _write(f"{name}.transcript.jsonl", transcript(name, steps))


def _write(name: str, lines: Iterator[dict[str, Any]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (HERE / name).write_text(text, encoding="utf-8")


def _id(*parts: object) -> str:
    return str(uuid.uuid5(SPACE, "/".join(map(str, parts))))


def _prompt(name: str, steps: list[Any], at: int) -> str:
    """The id of the prompt that a step belongs to."""
    return _id(name, "prompt", max((i for i in range(at + 1) if steps[i][0] == "asked"), default=0))


def _given(step: Any) -> dict[str, Any]:
    what = step[0]
    if what == "ran":
        return {"command": step[1], "description": "Runs a command"}
    if what == "edited":
        return {"file_path": f"{ROOT}/{step[1]}", "old_string": step[2], "new_string": step[3], "replace_all": False}
    if what == "read":
        return {"file_path": f"{ROOT}/{step[1]}"}
    return {"pattern": step[1], "output_mode": "content"}


def _answer(step: Any) -> Any:
    what = step[0]
    if what == "ran":
        return {"stdout": step[3], "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    if what == "edited":
        return {
            **{"filePath": f"{ROOT}/{step[1]}", "oldString": step[2], "newString": step[3], "originalFile": None},
            **{"structuredPatch": [], "userModified": False, "replaceAll": False},
        }
    if what == "read":
        file = {"filePath": f"{ROOT}/{step[1]}", "content": "...", "numLines": 1, "startLine": 1, "totalLines": 1}
        return {"type": "text", "file": file}
    return {"mode": "content", "numFiles": 0, "filenames": [], "content": "", "numLines": 0}


def claude_hooks(name: str, steps: list[Any]) -> Iterator[dict[str, Any]]:
    session = _id(name)
    slug = ROOT.replace("/", "-")

    def payload(event: str, at: int, **more: Any) -> dict[str, Any]:
        return {
            **{"session_id": session, "transcript_path": f"/home/dev/.claude/projects/{slug}/{session}.jsonl"},
            **{"cwd": ROOT, "prompt_id": _prompt(name, steps, at), "permission_mode": "acceptEdits"},
            **{"hook_event_name": event, **more},
        }

    yield payload("SessionStart", 0, source="startup", model="claude-opus-4-6")
    for at, step in enumerate(steps):
        what = step[0]
        if what == "asked":
            yield payload("UserPromptSubmit", at, prompt=step[1])
        elif what == "answered":
            yield payload("Stop", at, stop_hook_active=False, last_assistant_message=step[1])
        elif what == "compacted":
            yield payload("PreCompact", at, trigger="auto", custom_instructions=None)
        elif what in TOOLS:
            call = {"tool_name": TOOLS[what], "tool_input": _given(step), "tool_use_id": f"toolu_{name}_{at:02}"}
            if what == "helped":
                call |= {"agent_id": "a1b2c3d", "agent_type": "Explore"}
            if what == "ran" and step[2] == "failed":
                yield payload("PostToolUseFailure", at, **call, error=step[3], is_interrupt=False)
            else:
                yield payload("PostToolUse", at, **call, tool_response=_answer(step))
    yield payload("SessionEnd", len(steps) - 1, reason="prompt_input_exit")


def transcript(name: str, steps: list[Any]) -> Iterator[dict[str, Any]]:
    session = _id(name)
    now = datetime(2026, 11, 20, STARTS[name], tzinfo=UTC)
    before: str | None = None

    def line(kind: str, at: int, part: str, **more: Any) -> dict[str, Any]:
        nonlocal now, before
        now += timedelta(seconds=20)
        own = _id(name, at, part)
        made = {
            **{"parentUuid": before, "isSidechain": False, "type": kind, **more, "uuid": own},
            **{"timestamp": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"), "userType": "external"},
            **{"entrypoint": "cli", "cwd": ROOT, "sessionId": session, "version": "2.1.144", "gitBranch": "main"},
        }
        before = own
        return made

    def said(at: int, part: str, block: dict[str, Any], stop: str, **more: Any) -> dict[str, Any]:
        usage = {"input_tokens": 4, "cache_read_input_tokens": 26078, "output_tokens": 61, "service_tier": "standard"}
        message = {
            **{"model": "claude-opus-4-6", "id": f"msg_{name}_{at:02}", "type": "message", "role": "assistant"},
            **{"content": [block], "stop_reason": stop, "stop_sequence": None, "usage": usage},
        }
        return line("assistant", at, part, message=message, requestId=f"req_{name}_{at:02}", **more)

    yield {"type": "permission-mode", "permissionMode": "acceptEdits", "sessionId": session}
    yield {
        **{"type": "file-history-snapshot", "messageId": _id(name, 0, "asked"), "isSnapshotUpdate": False},
        "snapshot": {"messageId": _id(name, 0, "asked"), "trackedFileBackups": {}},
    }
    for at, step in enumerate(steps):
        what, prompt = step[0], _prompt(name, steps, at)
        if what == "asked":
            yield line("user", at, what, promptId=prompt, message={"role": "user", "content": step[1]})
        elif what == "answered":
            yield said(at, "thinking", {"type": "thinking", "thinking": "...", "signature": "..."}, "end_turn")
            yield said(at, "text", {"type": "text", "text": step[1]}, "end_turn")
        elif what == "noise":
            yield from _noise(line, at, prompt)
        elif what == "compacted":
            about = {"trigger": "auto", "preTokens": 181725, "postTokens": 12062}
            yield line(
                "system", at, what, subtype="compact_boundary", content="Conversation compacted", compactMetadata=about
            )
            summary = "This session is being continued from a previous conversation that ran out of context. "
            summary += "We decided to use MySQL."
            yield line("user", at, "summary", isCompactSummary=True, message={"role": "user", "content": summary})
        else:
            name_of_call = f"toolu_{name}_{at:02}"
            aside = {"isSidechain": True, "agentId": "a1b2c3d"} if what == "helped" else {}
            if what == "helped":
                asked = {"role": "user", "content": "Find out whether we decided to use Decimal in this repo."}
                yield line("user", at, "helper", promptId=prompt, message=asked, **aside)
            call = {"type": "tool_use", "id": name_of_call, "name": TOOLS[what], "input": _given(step)}
            yield said(at, "call", call, "tool_use", **aside)
            failed = what == "ran" and step[2] == "failed"
            result = {
                "tool_use_id": name_of_call,
                "type": "tool_result",
                "content": step[3] if what == "ran" else "done",
            }
            if what == "ran":
                result["is_error"] = failed
            told = f"Error: {step[3]}" if failed else _answer(step)
            message = {"role": "user", "content": [result]}
            yield line("user", at, "result", promptId=prompt, message=message, toolUseResult=told, **aside)
    yield {"type": "last-prompt", "leafUuid": before, "sessionId": session}


def _noise(line: Any, at: int, prompt: str) -> Iterator[dict[str, Any]]:
    """What stands in a transcript beside what was said and done."""
    for part, text in enumerate(
        (
            "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>",
            "<local-command-stdout>Set model to opus. From now on the API uses it.</local-command-stdout>",
            "[Request interrupted by user]",
            "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>",
        )
    ):
        yield line("user", at, f"noise{part}", promptId=prompt, message={"role": "user", "content": text})
    caveat = "Caveat: The messages below were generated by the user while running local commands."
    yield line("user", at, "meta", isMeta=True, message={"role": "user", "content": caveat})


def codex(name: str, steps: list[Any]) -> Iterator[dict[str, Any]]:
    session = _id(name)

    def payload(event: str, at: int, **more: Any) -> dict[str, Any]:
        turn = {} if event == "SessionStart" else {"turn_id": _prompt(name, steps, at)}
        return {
            **{
                "session_id": session,
                **turn,
                "transcript_path": f"/home/dev/.codex/sessions/2026/11/20/rollout-{session}.jsonl",
            },
            **{"cwd": ROOT, "hook_event_name": event, "model": "gpt-5.3-codex", "permission_mode": "default", **more},
        }

    yield payload("SessionStart", 0, source="startup")
    for at, step in enumerate(steps):
        what, called = step[0], {"tool_use_id": f"call_{name}_{at:02}"}
        if what == "asked":
            yield payload("UserPromptSubmit", at, prompt=step[1])
        elif what == "answered":
            yield payload("Stop", at, stop_hook_active=False, last_assistant_message=step[1])
        elif what == "ran":
            call = {"tool_name": "Bash", "tool_input": {"command": step[1]}, "tool_response": step[3], **called}
            yield payload("PostToolUse", at, **call)
        else:
            old = "".join(f"-{text}\n" for text in step[2].splitlines())
            new = "".join(f"+{text}\n" for text in step[3].splitlines())
            patch = f"*** Begin Patch\n*** Update File: {step[1]}\n@@\n{old}{new}*** End Patch\n"
            response = "Success. Updated the following files:\nM " + step[1]
            call = {"tool_name": "apply_patch", "tool_input": {"command": patch}, "tool_response": response, **called}
            yield payload("PostToolUse", at, **call)


if __name__ == "__main__":
    main()
