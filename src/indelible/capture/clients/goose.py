"""Goose: block/goose documentation/docs/guides/context-engineering/hooks.md, crates/goose/src/hooks/mod.rs (0825b570).

Its hooks can say nothing to the model. A tool that failed comes by an event of its own; of what a tool printed the
documented payload has nothing.
"""

import os

from indelible.extraction.calls import call, edit, object_of, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    "sessionstart": "session_started",
    "userpromptsubmit": "prompt",
    **dict.fromkeys(("posttooluse", "posttoolusefailure"), "tool"),
    "stop": "turn_ended",
    "sessionend": "session_ended",
    **dict.fromkeys(("pretooluse", "pretooluseresult", "beforereadfile", "afterfileedit")),
    **dict.fromkeys(("beforeshellexecution", "aftershellexecution")),
}
# What a tool does, and the argument that says to what.
_TOOLS = {
    "developer__shell": ("command", "command"),
    "developer__write": ("edit", "path"),
    "developer__edit": ("edit", "path"),
    "developer__tree": ("search", "path"),
    "developer__read_image": ("read", "source"),
}


def in_common_names(payload: "dict[str, Any]") -> "dict[str, Any]":
    """Return a payload under the common names; Goose starts a hook where it works itself, and rarely says where."""
    return {
        "hook_event_name": payload.get("event"),
        "prompt": payload.get("message"),
        "cwd": payload.get("working_dir") or os.getcwd(),
        "tool_use_id": payload.get("tool_call_id"),
        **payload,
    }


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    if what == "prompt":
        return {"text": payload.get("prompt")}
    if what == "turn_ended":
        return {"text": payload.get("last_assistant_message")}
    if what == "tool":
        return _call(payload)
    return payload


def _call(payload: "dict[str, Any]") -> "dict[str, Any] | None":
    tool = text_of(payload.get("tool_name"))
    if tool.startswith("indelible__"):
        return None
    action, argument = _TOOLS.get(tool, ("other", ""))
    given = object_of(payload.get("tool_input"))
    subject = text_of(given.get(argument))
    outcome = "failed" if payload.get("hook_event_name") == "PostToolUseFailure" else "ok"
    new = given.get("after", given.get("content"))
    edits = [edit(subject, given.get("before", ""), new)] if action == "edit" and subject else []
    return call(tool, action, subject, outcome, payload.get("tool_output"), edits, payload.get("tool_use_id"))
