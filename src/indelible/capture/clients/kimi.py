"""Kimi Code: MoonshotAI/kimi-code docs/en/customization/hooks.md, packages/agent-core-v2/src/features/externalHooks.

Only at a prompt its model hears what a hook prints. A prompt is a text or a list of parts; what failed is an object.
"""

from indelible.extraction import verdicts
from indelible.extraction.calls import call, edit, is_own, object_of, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    "sessionstart": "session_started",
    "userpromptsubmit": "prompt",
    **dict.fromkeys(("posttooluse", "posttoolusefailure"), "tool"),
    "precompact": "compacting",
    "stop": "turn_ended",
    "sessionend": "session_ended",
    **dict.fromkeys(("pretooluse", "userpromptqueued", "turnstarted", "permissionrequest", "permissionresult")),
    **dict.fromkeys(("sessionheartbeat", "subagentstart", "subagentstop", "taskstarted", "stopfailure", "interrupt")),
    **dict.fromkeys(("postcompact", "notification")),
}
# What a tool does, and the argument that says to what.
_TOOLS = {
    "Bash": ("command", "command"),
    "Read": ("read", "path"),
    "Edit": ("edit", "path"),
    "Write": ("edit", "path"),
    "Grep": ("search", "pattern"),
    "Glob": ("search", "pattern"),
    "WebSearch": ("search", "query"),
    "FetchURL": ("fetch", "url"),
}


def in_common_names(payload: "dict[str, Any]") -> "dict[str, Any]":
    """Return a payload with its prompt as one text."""
    if not isinstance(payload.get("prompt"), list):
        return payload
    parts = [part for part in payload["prompt"] if isinstance(part, dict) and part.get("type") == "text"]
    return {**payload, "prompt": text_of(parts)}


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    if what == "prompt":
        return {"text": payload.get("prompt")}
    if what == "turn_ended":
        return {"text": ""}  # what was said last is not in the payload
    if what == "tool":
        return _call(payload)
    return payload


def _call(payload: "dict[str, Any]") -> "dict[str, Any] | None":
    tool = text_of(payload.get("tool_name"))
    if is_own(tool):
        return None
    action, argument = _TOOLS.get(tool, ("other", ""))
    given = object_of(payload.get("tool_input"))
    subject = text_of(given.get(argument))
    if payload.get("error"):
        outcome, output = "failed", text_of(object_of(payload["error"]).get("message") or payload["error"])
    else:
        output = text_of(payload.get("tool_output"))
        outcome = verdicts.of_output(subject, output) if action == "command" else "ok"
    new = given.get("new_string", given.get("content"))
    edits = [edit(subject, given.get("old_string", ""), new)] if action == "edit" and subject else []
    return call(tool, action, subject, outcome, output, edits, payload.get("tool_call_id"))
