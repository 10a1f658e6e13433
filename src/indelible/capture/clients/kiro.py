"""Kiro, its CLI 3 and IDE 1: kiro.dev/docs/hooks, /hooks/types and /hooks/actions (read 2026-11-29).

Only at a prompt its agent hears what a hook prints. The editor gives the prompt in USER_PROMPT too, and had it empty in
the payload (kirodotdev/Kiro#10346). The documents have the arguments of the reading tool alone; those of others are as
people reported them (#7500), and what is not there is left out.
"""

from indelible import hook_settings
from indelible.capture.clients.names import Names, fields_of
from indelible.extraction import verdicts
from indelible.extraction.calls import object_of, text_of

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
_NAMES = Names(
    {
        **dict.fromkeys(("execute_bash", "shell"), ("command", ("command",))),
        **dict.fromkeys(("fs_read", "read"), ("read", ("path",))),
        **dict.fromkeys(("fs_write", "write", "fs_append", "str_replace"), ("edit", ("path",))),
    },
    others=("path",),
    own=("@indelible/",),
    old=("oldStr", "old_str"),
    new=("content", "text", "newStr", "new_str"),
    said="assistant_response",
)


def in_common_names(payload: "dict[str, Any]") -> "dict[str, Any]":
    """Return a payload with its prompt, wherever that came, and the arguments of a tool's first operation."""
    if "tool_name" in payload:
        operations = object_of(payload.get("tool_input")).get("operations")
        first = operations[0] if isinstance(operations, list) and operations else None
        return payload if first is None else {**payload, "tool_input": object_of(first)}
    given = "" if payload.get("prompt") else hook_settings.kiro_prompt()
    return {**payload, "prompt": given} if given else payload


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools, and for a prompt that it does not tell."""
    if what == "prompt" and not payload.get("prompt"):
        return None
    return fields_of(what, payload, _NAMES, _result)


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    answer = object_of(payload.get("tool_response"))
    output = text_of(answer.get("result"))
    if answer.get("success") is False:
        return "failed", output
    return (verdicts.of_output(subject, output) if action == "command" else "ok"), output
