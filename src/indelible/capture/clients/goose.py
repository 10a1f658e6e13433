"""Goose: block/goose documentation/docs/guides/context-engineering/hooks.md, crates/goose/src/hooks/mod.rs (0825b570).

Its hooks can say nothing to the model. A tool that failed comes by an event of its own; of what a tool printed the
documented payload has nothing.
"""

import os

from indelible.capture.clients.names import Names, fields_of
from indelible.extraction.calls import text_of

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
_NAMES = Names(
    {
        "developer__shell": ("command", ("command",)),
        **dict.fromkeys(("developer__write", "developer__edit"), ("edit", ("path",))),
        "developer__tree": ("search", ("path",)),
        "developer__read_image": ("read", ("source",)),
    },
    own=("indelible__",),
    old=("before",),
    new=("after", "content"),
    said="last_assistant_message",
)


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
    return fields_of(what, payload, _NAMES, _result)


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    outcome = "failed" if payload.get("hook_event_name") == "PostToolUseFailure" else "ok"
    return outcome, text_of(payload.get("tool_output"))
