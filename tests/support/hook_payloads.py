"""Payloads as Claude Code hands them to a hook, and what a hook left of them."""

from pathlib import Path
from typing import Any

from indelible.capture import spool

CLAUDE = {"session_id": "s1", "transcript_path": "/home/ann/.claude/x.jsonl", "cwd": "/home/ann/src"}
SHELL = {**CLAUDE, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "toolu_1"}
COMMAND = {**SHELL, "tool_input": {"command": "pytest -q"}, "tool_response": {"stdout": "1 passed", "stderr": ""}}
PROMPT = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "fix it"}
STARTS = {  # of a session, by client
    "claude-code": {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"},
    "codex": {**CLAUDE, "hook_event_name": "SessionStart", "source": "clear", "transcript_path": "/home/ann/.codex/x"},
    "gemini-cli": {**CLAUDE, "hook_event_name": "SessionStart", "source": "resume"},
    "cursor": {"conversation_id": "s1", "workspace_roots": ["/home/ann/src"], "hook_event_name": "sessionStart"},
}

SLOW = {  # what the standard library has that takes as long to load as all of the hook
    *(
        "typing",
        "dataclasses",
        "argparse",
        "pathlib",
        "inspect",
        "hashlib",
        "subprocess",
        "logging",
        "tomllib",
        "asyncio",
    ),
    *(
        "platformdirs",
        "pydantic",
        "apsw",
        "mcp",
        "numpy",
        "indelible.settings",
        "indelible.sanitize.redact",
        "indelible.sanitize.prompt_frame",
    ),
}


def kept(data: Path) -> list[dict[str, Any]]:
    return [spool.read(str(data), name) for name in spool.waiting(str(data))]


def only_line(said: tuple[str, str], *words: str) -> None:
    out, err = said
    assert out == ""
    assert err.count("\n") == 1, err
    assert err.endswith("\n")
    assert all(word in err for word in words), err
