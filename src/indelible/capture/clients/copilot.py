"""GitHub Copilot: its CLI and VS Code. github/docs content/copilot/reference/hooks-reference.md; seen live in 1.0.102.

Of VS Code microsoft/vscode-docs docs/agent-customization/hooks.md: its names of tools and of their arguments are others
(`run_in_terminal`, `filePath`), and no payload says that a session ended. A command that failed comes as one that
succeeded; its exit status is in the last line of its output.
"""

import re

from indelible.extraction import verdicts
from indelible.extraction.calls import call, edit, is_own, object_of, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    "sessionstart": "session_started",
    **dict.fromkeys(("userpromptsubmit", "userpromptsubmitted"), "prompt"),
    **dict.fromkeys(("posttooluse", "posttoolusefailure"), "tool"),
    "precompact": "compacting",
    **dict.fromkeys(("stop", "agentstop"), "turn_ended"),
    "sessionend": "session_ended",
    **dict.fromkeys(("pretooluse", "permissionrequest", "notification", "erroroccurred", "userprompttransformed")),
    **dict.fromkeys(("subagentstart", "subagentstop")),
}
_TOOLS = {
    **dict.fromkeys(("Bash", "bash", "powershell", "run_in_terminal"), "command"),
    **dict.fromkeys(("Read", "view", "read_file"), "read"),
    **dict.fromkeys(("Write", "create", "create_file"), "edit"),
    **dict.fromkeys(("Edit", "edit", "str_replace_editor", "apply_patch"), "edit"),
    **dict.fromkeys(("replace_string_in_file", "multi_replace_string_in_file", "insert_edit_into_file"), "edit"),
    **dict.fromkeys(("Grep", "grep", "rg", "grep_search", "semantic_search"), "search"),
    **dict.fromkeys(("Glob", "glob", "file_search", "list_dir", "WebSearch", "web_search"), "search"),
    **dict.fromkeys(("WebFetch", "web_fetch", "fetch_webpage"), "fetch"),
}
_PATHS = ("path", "filePath", "file_path")
_SUBJECTS = {"command": ("command",), "search": ("pattern", "query", *_PATHS), "fetch": ("url", "urls")}
_OLD, _NEW = ("old_str", "oldString", "old_string"), ("new_str", "newString", "new_string", "file_text", "content")
_STATUS = re.compile(r"\n?<(?:shellId: \S+ completed|exited) with exit code (\d+)>\s*\Z")


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    if what == "prompt":
        return {"text": payload.get("prompt")}
    if what == "turn_ended":
        return {"text": ""}  # what was said last is in neither's payload
    if what == "tool":
        return _call(payload)
    return payload


def _call(payload: "dict[str, Any]") -> "dict[str, Any] | None":
    tool = text_of(payload.get("tool_name", payload.get("toolName")))
    if is_own(tool) or tool.startswith("indelible-"):
        return None
    action = _TOOLS.get(tool, "other")
    given = object_of(payload.get("tool_input", payload.get("toolArgs")))
    subject = _first(given, _SUBJECTS.get(action, _PATHS))
    outcome, output = _result(action, text_of(subject), payload)
    edits = [edit(subject, _first(given, _OLD), _first(given, _NEW))] if action == "edit" and subject else []
    return call(tool, action, text_of(subject), outcome, output, edits, payload.get("tool_use_id"))


def _first(given: "dict[str, Any]", names: tuple[str, ...]) -> "Any":
    return next((given[name] for name in names if given.get(name)), "")


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    if "error" in payload:
        return "failed", text_of(payload["error"])
    told = object_of(payload.get("tool_result", payload.get("toolResult")))
    output = text_of(_first(told, ("text_result_for_llm", "textResultForLlm")) or payload.get("tool_response"))
    if action != "command":
        return "ok", output
    found = _STATUS.search(output)
    if found is None:
        return verdicts.of_output(subject, output), output
    return verdicts.of_status(int(found[1])), output[: found.start()]
