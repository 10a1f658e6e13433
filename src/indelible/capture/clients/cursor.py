"""Cursor: cursor.com/docs/hooks as of 2026-05, as openlit/openlit's adapter types it, and cupcake's reference of it.

A command comes by `postToolUse` and once more by `afterShellExecution`, an edit by `afterFileEdit` alone: only that one
says what was changed. Register one of the first two; each is read.
"""

from indelible.extraction import verdicts
from indelible.extraction.calls import call, edits, is_own, object_of, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    "sessionstart": "session_started",
    "beforesubmitprompt": "prompt",
    **dict.fromkeys(("posttooluse", "posttoolusefailure"), "tool"),
    **dict.fromkeys(("aftershellexecution", "afterfileedit", "aftermcpexecution"), "tool"),
    "precompact": "compacting",
    "afteragentresponse": "turn_ended",
    "stop": "turn_ended",
    "sessionend": "session_ended",
    **dict.fromkeys(("pretooluse", "beforeshellexecution", "beforemcpexecution", "beforereadfile")),
    **dict.fromkeys(("afteragentthought", "subagentstart", "subagentstop", "beforetabfileread", "aftertabfileedit")),
}
_TOOLS = {
    "Shell": ("command", ("command",)),
    "Read": ("read", ("file_path", "path", "target_file")),
    "Write": ("edit", ("file_path", "path")),
    "StrReplace": ("edit", ("file_path", "path")),
    "Delete": ("edit", ("file_path", "path")),
    "Grep": ("search", ("pattern", "query")),
    "Glob": ("search", ("pattern", "glob_pattern")),
    "LS": ("search", ("path", "target_directory")),
    "SemanticSearch": ("search", ("query",)),
    "WebSearch": ("search", ("query", "search_term")),
    "WebFetch": ("fetch", ("url",)),
}


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools, and for an edit that comes twice."""
    if what == "prompt":
        return {"text": payload.get("prompt"), "own_id": payload.get("generation_id")}
    if what == "turn_ended":
        return {"text": payload.get("text")}
    if what == "session_started":
        return {"source": payload.get("source") or payload.get("composer_mode")}
    if what == "tool":
        return _call(payload)
    return payload


def _call(payload: "dict[str, Any]") -> "dict[str, Any] | None":
    if "edits" in payload:
        path = payload.get("file_path")
        return call("afterFileEdit", "edit", path, "ok", edits=edits(path, payload["edits"]))
    if "tool_name" in payload:
        return _tool(payload)
    command, output = text_of(payload.get("command")), text_of(payload.get("output"))
    return call("afterShellExecution", "command", command, verdicts.of_output(command, output), output)


def _tool(payload: "dict[str, Any]") -> "dict[str, Any] | None":
    tool = text_of(payload.get("tool_name"))
    server = f"{text_of(payload.get('command'))} {text_of(payload.get('url'))}"
    if is_own(tool) or "indelible" in server:
        return None
    action, names = _TOOLS.get(tool, ("other", ()))
    given = object_of(payload.get("tool_input"))
    subject = next((given[name] for name in names if given.get(name)), "")
    if "error_message" in payload:
        stopped = payload.get("is_interrupt") or payload.get("failure_type") == "permission_denied"
        outcome, output = "unknown" if stopped else "failed", text_of(payload["error_message"])
    elif action == "edit":
        return None
    else:
        outcome, output = _result(action, text_of(subject), payload.get("tool_output"))
    return call(tool, action, subject, outcome, output, own_id=payload.get("tool_use_id"))


def _result(action: str, subject: str, given: object) -> tuple[str, str]:
    answer = object_of(given)
    streams = [answer.get(name) for name in ("stdout", "stderr", "output")]
    output = "\n".join(text_of(stream) for stream in streams if stream) if any(streams) else text_of(given)
    if action != "command":
        return "ok", output
    outcome = verdicts.of_status(answer.get("exitCode", answer.get("exit_code")))
    return (verdicts.of_output(subject, output) if outcome == "unknown" else outcome), output
