"""GitHub Copilot: its CLI and VS Code. github/docs content/copilot/reference/hooks-reference.md; seen live in 1.0.102.

Of VS Code microsoft/vscode-docs docs/agent-customization/hooks.md: its names of tools and of their arguments are others
(`run_in_terminal`, `filePath`), and no payload says that a session ended. A command that failed comes as one that
succeeded; its exit status is in the last line of its output.
"""

import re

from indelible.capture.clients.names import Names, fields_of, first
from indelible.extraction import verdicts
from indelible.extraction.calls import object_of, text_of

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
_PATHS = ("path", "filePath", "file_path")
_COMMAND, _READ, _EDIT = ("command", ("command",)), ("read", _PATHS), ("edit", _PATHS)
_SEARCH, _FETCH = ("search", ("pattern", "query", *_PATHS)), ("fetch", ("url", "urls"))
_NAMES = Names(
    {
        **dict.fromkeys(("Bash", "bash", "powershell", "run_in_terminal"), _COMMAND),
        **dict.fromkeys(("Read", "view", "read_file"), _READ),
        **dict.fromkeys(("Write", "create", "create_file"), _EDIT),
        **dict.fromkeys(("Edit", "edit", "str_replace_editor", "apply_patch"), _EDIT),
        **dict.fromkeys(("replace_string_in_file", "multi_replace_string_in_file", "insert_edit_into_file"), _EDIT),
        **dict.fromkeys(("Grep", "grep", "rg", "grep_search", "semantic_search"), _SEARCH),
        **dict.fromkeys(("Glob", "glob", "file_search", "list_dir", "WebSearch", "web_search"), _SEARCH),
        **dict.fromkeys(("WebFetch", "web_fetch", "fetch_webpage"), _FETCH),
    },
    others=_PATHS,
    own=("indelible-",),
    old=("old_str", "oldString", "old_string"),
    new=("new_str", "newString", "new_string", "file_text", "content"),
)
_STATUS = re.compile(r"\n?<(?:shellId: \S+ completed|exited) with exit code (\d+)>\s*\Z")


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    return fields_of(what, payload, _NAMES, _result)


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    if "error" in payload:
        return "failed", text_of(payload["error"])
    told = object_of(payload.get("tool_result"))
    output = text_of(first(told, ("text_result_for_llm", "textResultForLlm")) or payload.get("tool_response"))
    if action != "command":
        return "ok", output
    found = _STATUS.search(output)
    if found is None:
        return verdicts.of_output(subject, output), output
    return verdicts.of_status(int(found[1])), output[: found.start()]
