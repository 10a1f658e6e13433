"""Cline: cline/cline 21cb8d25 (2026-08-22), sdk/packages/core/src/hooks and apps/vscode/src/sdk/hooks-adapter.ts.

Its CLI (seen live in 3.0.65) tells a tool's answer whole and no prompt; its editor tells prompts, and of most answers
nothing but whether the tool failed. Its names of tools before the SDK: docs.cline.bot/features/hooks/hook-reference.
"""

import json
import re

from indelible.capture.clients.names import Names, fields_of
from indelible.extraction import verdicts
from indelible.extraction.calls import object_of, patched, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    **dict.fromkeys(("taskstart", "taskresume"), "session_started"),
    "userpromptsubmit": "prompt",
    "posttooluse": "tool",
    **dict.fromkeys(("taskcomplete", "taskcancel"), "turn_ended"),
    **dict.fromkeys(("pretooluse", "taskerror", "precompact", "sessionshutdown", "notification")),
}
_NAMES = Names(
    {
        **dict.fromkeys(("run_commands", "execute_command"), ("command", ("commands",))),
        "read_files": ("read", ("files", "file_paths", "paths", "path")),
        "read_file": ("read", ("path",)),
        **dict.fromkeys(("editor", "write_to_file", "replace_in_file", "apply_patch"), ("edit", ("path",))),
        "search_codebase": ("search", ("queries",)),
        "search_files": ("search", ("regex",)),
        "list_files": ("search", ("path",)),
        "fetch_web_content": ("fetch", ("requests",)),
        "web_fetch": ("fetch", ("url",)),
    },
    own=("indelible__",),
    old=("old_text",),
    new=("new_text", "content"),
    said="said",
)
_SEVERAL = {"commands": "", "queries": "", "files": "path", "file_paths": "", "paths": "path", "requests": "url"}
_WRITTEN = re.compile(r"<user_input\b[^<>]*>")
_ADDED = re.compile(r"<(mode_notice|hook_context)\b")  # by Cline, not by the user
_UNREADABLE = re.compile(r"\[object Object\](,\[object Object\])*")  # what its editor makes of an answer


def in_common_names(payload: "dict[str, Any]") -> "dict[str, Any]":
    """Return a payload under the common names."""
    end = object_of(object_of(payload.get("taskComplete")).get("taskMetadata"))
    return {
        "session_id": object_of(payload.get("sessionContext")).get("rootSessionId") or payload.get("taskId"),
        "prompt": _prompt(object_of(payload.get("userPromptSubmit")).get("prompt")),
        "workspace_roots": payload.get("workspaceRoots"),
        "said": object_of(payload.get("turn")).get("outputText") or end.get("result"),
        **_call(object_of(payload.get("postToolUse")), object_of(payload.get("tool_result"))),
        **payload,
    }


def _call(data: "dict[str, Any]", whole: "dict[str, Any]") -> "dict[str, Any]":
    """Return the fields of a call, which the CLI tells whole; of several commands in one call those that failed."""
    if not data:
        return {}
    given = _given(whole["input"] if "input" in whole else data.get("parameters"))
    answer = whole["output"] if "output" in whole else data.get("result")
    results = [each for each in _listed(answer) if isinstance(each, dict)]
    failed = [at for at, each in enumerate(results) if each.get("success") is False]
    commands = given.get("commands", [])
    if failed and len(commands) == len(results):
        commands, results = ([listed[at] for at in failed] for listed in (commands, results))
    if whole:
        outcome = "failed" if failed or whole.get("error") else "ok" if results else ""
    else:
        outcome = "" if data.get("success") is True else "failed"
    output = "\n".join(text_of(each.get("result") or each.get("error")) for each in results) if results else answer
    return {
        "tool_name": data.get("toolName"),
        "tool_input": {**given, "commands": "\n".join(map(_command, commands))},
        "tool_use_id": whole.get("id"),
        "tool_response": output,
        "tool_outcome": outcome,
    }


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools, an empty prompt, and a subagent's whole run."""
    if what == "prompt" and not payload.get("prompt"):
        return None
    if what in ("session_started", "turn_ended") and payload.get("parent_agent_id"):
        return None
    told = fields_of(what, payload, _NAMES, _result)
    if told is not None and told.get("tool") == "apply_patch":
        changes = patched(text_of(object_of(payload.get("tool_input")).get("input")))
        told |= {"edits": changes, "subject": changes[0]["path"] if changes else ""}
    return told


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    output = text_of(payload.get("tool_response"))
    is_unreadable = _UNREADABLE.fullmatch(output) is not None
    output = "" if is_unreadable else output
    if payload.get("tool_outcome") or action != "command":
        return payload.get("tool_outcome") or "ok", output
    return ("unknown" if is_unreadable else verdicts.of_output(subject, output)), output


def _prompt(given: object) -> str:
    """Return what the user wrote, without what Cline puts around it."""
    text = _without_added(text_of(given))
    begin, end = _WRITTEN.search(text), text.rfind("</user_input>")
    return (text[begin.end() : end] if begin and begin.end() <= end else text).strip()


def _without_added(text: str) -> str:
    """Return a text without the elements that Cline adds: one expression for all would go back again and again."""
    kept, at, open_ones = [], 0, set()
    for begin in _ADDED.finditer(text):
        if begin.start() < at or begin[1] in open_ones:
            continue
        end = text.find(f"</{begin[1]}>", begin.end())
        if end < 0:
            open_ones.add(begin[1])
            continue
        kept.append(text[at : begin.start()])
        at = end + len(f"</{begin[1]}>")
    return "".join(kept) + text[at:]


def _given(value: object) -> "dict[str, Any]":
    """Return a call's arguments, those that are one or several as lists of texts; the editor gives these as JSON."""
    if not isinstance(value, dict):
        return {"commands": _listed(value)}
    given = dict(value)
    for name, part in _SEVERAL.items():
        if name in given:
            given[name] = [each.get(part, each) if isinstance(each, dict) else each for each in _listed(given[name])]
    command: object = next((given[name] for name in ("commands", "command", "cmd") if name in given), [])
    return {**given, "commands": _listed(command)}


def _listed(value: object) -> "list[Any]":
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value]
    return value if isinstance(value, list) else [value]


def _command(value: object) -> str:
    """Return a command line; one that needs no shell is a program and its arguments."""
    if not isinstance(value, dict):
        return text_of(value)
    return " ".join(map(text_of, [value.get("command"), *_listed(value.get("args", []))]))
