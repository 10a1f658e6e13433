"""OpenCode: what cli/setup/opencode/indelible.js reports of its plugin events; seen live in 1.18.33.

A tool that failed itself ends without the event behind it; a command that failed comes with its exit status.
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
    "posttooluse": "tool",
    "precompact": "compacting",
    "stop": "turn_ended",
    "sessionend": "session_ended",
}
_NAMES = Names(
    {
        "bash": ("command", ("command",)),
        "read": ("read", ("filePath",)),
        **dict.fromkeys(("edit", "write"), ("edit", ("filePath",))),
        **dict.fromkeys(("grep", "glob"), ("search", ("pattern",))),
        "list": ("search", ("path",)),
        "websearch": ("search", ("query",)),
        "webfetch": ("fetch", ("url",)),
    },
    own=("indelible_",),
    old=("oldString",),
    new=("newString", "content"),
    prompt_id="prompt_id",
)


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    return fields_of(what, payload, _NAMES, _result)


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    answer = object_of(payload.get("tool_response"))
    output = text_of(answer.get("output"))
    if action != "command":
        return "ok", output
    outcome = verdicts.of_status(answer.get("exit"))
    return (verdicts.of_output(subject, output) if outcome == "unknown" else outcome), output
