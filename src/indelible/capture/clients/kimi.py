"""Kimi Code: MoonshotAI/kimi-code docs/en/customization/hooks.md, packages/agent-core-v2/src/features/externalHooks.

Only at a prompt its model hears what a hook prints. A prompt is a text or a list of parts; what failed is an object.
"""

from indelible.capture.clients.names import Names, fields_of
from indelible.extraction import verdicts
from indelible.extraction.calls import object_of, text_of

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
_NAMES = Names(
    {
        "Bash": ("command", ("command",)),
        "Read": ("read", ("path",)),
        **dict.fromkeys(("Edit", "Write"), ("edit", ("path",))),
        **dict.fromkeys(("Grep", "Glob"), ("search", ("pattern",))),
        "WebSearch": ("search", ("query",)),
        "FetchURL": ("fetch", ("url",)),
    },
    old=("old_string",),
    new=("new_string", "content"),
    call_id="tool_call_id",
)


def in_common_names(payload: "dict[str, Any]") -> "dict[str, Any]":
    """Return a payload with its prompt as one text."""
    if not isinstance(payload.get("prompt"), list):
        return payload
    parts = [part for part in payload["prompt"] if isinstance(part, dict) and part.get("type") == "text"]
    return {**payload, "prompt": text_of(parts)}


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    return fields_of(what, payload, _NAMES, _result)


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    if payload.get("error"):
        return "failed", text_of(object_of(payload["error"]).get("message") or payload["error"])
    output = text_of(payload.get("tool_output"))
    return (verdicts.of_output(subject, output) if action == "command" else "ok"), output
