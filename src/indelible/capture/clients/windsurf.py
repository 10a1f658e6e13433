"""Windsurf: docs.windsurf.com/windsurf/cascade/hooks, as patrickcarmichael/claude-docs keeps it (a9add268).

That copy is older than `pre_user_prompt` and `post_cascade_response`, whose fields are as other programs read them. Its
hooks can say nothing to the model. Of a command only the line is told, not how it ended or what it printed.
"""

import os

from indelible.capture.clients.names import Names, fields_of
from indelible.extraction.calls import object_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    "preuserprompt": "prompt",
    **dict.fromkeys(("postreadcode", "postwritecode", "postruncommand", "postmcptooluse"), "tool"),
    "postcascaderesponse": "turn_ended",
    **dict.fromkeys(("prereadcode", "prewritecode", "preruncommand", "premcptooluse")),
}
_NAMES = Names(
    {
        "read_code": ("read", ("file_path",)),
        "write_code": ("edit", ("file_path",)),
        "run_command": ("command", ("command_line",)),
    },
    said="response",
)


def in_common_names(payload: "dict[str, Any]") -> "dict[str, Any]":
    """Return a payload under the common names; Windsurf starts a hook in the root of the project."""
    told, action = object_of(payload.get("tool_info")), str(payload.get("agent_action_name") or "")
    tool = action.removeprefix("post_")
    if tool == "mcp_tool_use":
        tool = f"mcp__{told.get('mcp_server_name')}__{told.get('mcp_tool_name')}"
    return {
        "session_id": payload.get("trajectory_id"),
        "hook_event_name": action,
        "prompt": told.get("user_prompt"),
        "response": told.get("response"),
        "cwd": told.get("cwd") or os.getcwd(),
        "tool_name": tool,
        "tool_input": told,
        **payload,
    }


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    return fields_of(what, payload, _NAMES, _result)


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    return ("unknown" if action == "command" else "ok"), ""
