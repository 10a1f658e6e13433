"""OpenCode: what cli/setup/opencode/indelible.js reports of its plugin events; seen live in 1.18.33.

A tool that failed itself ends without the event behind it; a command that failed comes with its exit status.
"""

from indelible.extraction import verdicts
from indelible.extraction.calls import call, edit, object_of, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    "sessionstart": "session_started",
    "userpromptsubmit": "prompt",
    "posttooluse": "tool",
    "precompact": "compacting",
    "stop": "turn_ended",
    "sessionend": "session_ended",
}
# What a tool does, and the argument that says to what.
_TOOLS = {
    "bash": ("command", "command"),
    "read": ("read", "filePath"),
    "edit": ("edit", "filePath"),
    "write": ("edit", "filePath"),
    "grep": ("search", "pattern"),
    "glob": ("search", "pattern"),
    "list": ("search", "path"),
    "websearch": ("search", "query"),
    "webfetch": ("fetch", "url"),
}


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    if what == "prompt":
        return {"text": payload.get("prompt"), "own_id": payload.get("prompt_id")}
    if what == "turn_ended":
        return {"text": ""}
    if what == "tool":
        return _call(payload)
    return payload


def _call(payload: "dict[str, Any]") -> "dict[str, Any] | None":
    tool = text_of(payload.get("tool_name"))
    if tool.startswith("indelible_"):
        return None
    action, argument = _TOOLS.get(tool, ("other", ""))
    given, answer = object_of(payload.get("tool_input")), object_of(payload.get("tool_response"))
    subject, output = text_of(given.get(argument)), text_of(answer.get("output"))
    outcome = verdicts.of_status(answer.get("exit")) if action == "command" else "ok"
    if outcome == "unknown":
        outcome = verdicts.of_output(subject, output)
    new = given.get("newString", given.get("content"))
    edits = [edit(subject, given.get("oldString", ""), new)] if action == "edit" and subject else []
    return call(tool, action, subject, outcome, output, edits, payload.get("tool_use_id"))
