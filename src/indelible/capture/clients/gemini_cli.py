"""Gemini CLI: docs/hooks/reference.md and @google/gemini-cli-core 0.61.0 (hooks/types.d.ts, tools/shell.js)."""

from indelible.extraction import verdicts
from indelible.extraction.calls import call, edit, is_own, object_of, text_of

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
_TOOLS = {
    "run_shell_command": ("command", "command"),
    "read_file": ("read", "file_path"),
    "read_many_files": ("read", "include"),
    "replace": ("edit", "file_path"),
    "write_file": ("edit", "file_path"),
    "grep_search": ("search", "pattern"),
    "search_file_content": ("search", "pattern"),  # its name before 0.20
    "glob": ("search", "pattern"),
    "list_directory": ("search", "dir_path"),
    "google_web_search": ("search", "query"),
    "web_fetch": ("fetch", "prompt"),
}


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    if what == "prompt":
        return {"text": payload.get("prompt")}
    if what == "turn_ended":
        return {"text": payload.get("prompt_response")}
    if what == "tool":
        return _call(payload)
    return payload


def _call(payload: "dict[str, Any]") -> "dict[str, Any] | None":
    tool = text_of(payload.get("tool_name"))
    if is_own(tool) or object_of(payload.get("mcp_context")).get("server_name") == "indelible":
        return None
    action, argument = _TOOLS.get(tool, ("other", ""))
    given = object_of(payload.get("tool_input"))
    subject = given.get(argument)
    subject = ", ".join(text_of(part) for part in subject) if isinstance(subject, list) else subject
    outcome, output = _result(action, subject, payload)
    return call(tool, action, subject, outcome, output, _edits(tool, given))


def _result(action: str, subject: object, payload: "dict[str, Any]") -> tuple[str, str]:
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


def _edits(tool: str, given: "dict[str, Any]") -> "list[dict[str, Any]]":
    path = given.get("file_path")
    if tool == "replace":
        return [edit(path, given.get("old_string"), given.get("new_string"))]
    return [edit(path, "", given.get("content"))] if tool == "write_file" else []
