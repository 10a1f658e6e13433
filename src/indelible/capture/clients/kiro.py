"""Kiro, its CLI 3 and IDE 1: kiro.dev/docs/hooks, /hooks/types and /hooks/actions (read 2026-11-29).

Only at a prompt its agent hears what a hook prints. The editor gives the prompt in USER_PROMPT too, and had it empty in
the payload (kirodotdev/Kiro#10346). The documents have the arguments of the reading tool alone; those of others are as
people reported them (#7500), and what is not there is left out.
"""

from indelible import hook_settings
from indelible.extraction import verdicts
from indelible.extraction.calls import call, edit, object_of, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    **dict.fromkeys(("sessionstart", "agentspawn"), "session_started"),
    "userpromptsubmit": "prompt",
    "posttooluse": "tool",
    "stop": "turn_ended",
    **dict.fromkeys(("pretooluse", "postfilecreate", "postfilesave", "postfiledelete", "pretaskexec", "posttaskexec")),
}
# Its built-in tools by their names and the short ones.
_TOOLS = {
    **dict.fromkeys(("execute_bash", "shell"), "command"),
    **dict.fromkeys(("fs_read", "read"), "read"),
    **dict.fromkeys(("fs_write", "write", "fs_append", "str_replace"), "edit"),
}


def in_common_names(payload: "dict[str, Any]") -> "dict[str, Any]":
    """Return a payload with its prompt, wherever that came."""
    if payload.get("prompt") or "tool_name" in payload:
        return payload
    given = hook_settings.kiro_prompt()
    return {**payload, "prompt": given} if given else payload


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools, and for a prompt that it does not tell."""
    if what == "prompt":
        return {"text": payload["prompt"]} if payload.get("prompt") else None
    if what == "turn_ended":
        return {"text": payload.get("assistant_response")}
    if what == "tool":
        return _call(payload)
    return payload


def _call(payload: "dict[str, Any]") -> "dict[str, Any] | None":
    tool = text_of(payload.get("tool_name"))
    if tool.startswith("@indelible/"):
        return None
    action = _TOOLS.get(tool, "other")
    given, answer = object_of(payload.get("tool_input")), object_of(payload.get("tool_response"))
    operations = given.get("operations")
    first = object_of(operations[0]) if isinstance(operations, list) and operations else given
    subject = text_of(given.get("command") if action == "command" else first.get("path"))
    output = text_of(answer.get("result"))
    if answer.get("success") is False:
        outcome = "failed"
    else:
        outcome = verdicts.of_output(subject, output) if action == "command" else "ok"
    new = next((given[name] for name in ("content", "text", "newStr", "new_str") if given.get(name)), "")
    old = given.get("oldStr", given.get("old_str", ""))
    edits = [edit(subject, old, new)] if action == "edit" and subject else []
    return call(tool, action, subject, outcome, output, edits, payload.get("tool_use_id"))
