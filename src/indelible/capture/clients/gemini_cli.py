"""Gemini CLI: docs/hooks/reference.md and @google/gemini-cli-core 0.61.0 (hooks/types.d.ts, tools/shell.js)."""

from indelible.capture.clients.names import Names, fields_of
from indelible.extraction import verdicts
from indelible.extraction.calls import object_of, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    "sessionstart": "session_started",
    "beforeagent": "prompt",
    "aftertool": "tool",
    "precompress": "compacting",
    "afteragent": "turn_ended",
    "sessionend": "session_ended",
    **dict.fromkeys(("beforetool", "beforemodel", "aftermodel", "beforetoolselection", "notification")),
}
_NAMES = Names(
    {
        "run_shell_command": ("command", ("command",)),
        "read_file": ("read", ("file_path",)),
        "read_many_files": ("read", ("include",)),
        **dict.fromkeys(("replace", "write_file"), ("edit", ("file_path",))),
        # `search_file_content` is the name of `grep_search` before 0.20.
        **dict.fromkeys(("grep_search", "search_file_content", "glob"), ("search", ("pattern",))),
        "list_directory": ("search", ("dir_path",)),
        "google_web_search": ("search", ("query",)),
        "web_fetch": ("fetch", ("prompt",)),
    },
    old=("old_string",),
    new=("new_string", "content"),
    said="prompt_response",
)


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    if what == "tool" and object_of(payload.get("mcp_context")).get("server_name") == "indelible":
        return None
    return fields_of(what, payload, _NAMES, _result)


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    """An `error` is a call that failed; a command that did says its exit status, and only then, to the model."""
    response = object_of(payload.get("tool_response"))
    output = text_of(response.get("llmContent")) or text_of(response.get("returnDisplay"))
    if response.get("error"):
        return "failed", output or text_of(object_of(response["error"]).get("message"))
    if action != "command":
        return "ok", output
    status = object_of(response.get("data")).get("exitCode")
    outcome = verdicts.of_status(status if status is not None else verdicts.status_in(output))
    if outcome == "unknown" and "Output: " in output:  # no status is said: it was 0
        outcome = "ok"
    return outcome, output
