"""Codex: openai/codex, codex-rs/hooks/schema/generated; what a shell answers: codex-rs/core/src/tools/context.rs.

The shape is Claude Code's. There is no SessionEnd and no event of its own for a call that failed: an exit status is in
the answer of some tools, of a shell, which answers its output alone, it is told by that. Edits come as patches.
"""

import json
import os

from indelible import hook_settings
from indelible.extraction import verdicts
from indelible.extraction.calls import call, is_own, object_of, patched, text_of

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
    **dict.fromkeys(("pretooluse", "permissionrequest", "postcompact", "subagentstart", "subagentstop", "stopfailure")),
}
# Imported late (hooks): tomllib

_ATTENDED = ("cli", "vscode")  # the sources of sessions with a person: `codex exec` and subagents have others
_ASKING = ("prompt", "writes")  # approval modes of a tool that open a dialog before it stores
_SHELLS = frozenset(("Bash", "shell", "local_shell", "shell_command", "exec_command", "unified_exec", "container.exec"))
_LONGEST_LINE = 1 << 20  # characters: the first one of a transcript has the instructions


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools."""
    if what == "prompt":
        return {"text": payload.get("prompt")}  # a turn may have several, and several ends: its id names none of them
    if what == "turn_ended":
        return {"text": payload.get("last_assistant_message")}
    if what == "tool":
        return _call(payload)
    return payload


def _call(payload: "dict[str, Any]") -> "dict[str, Any] | None":
    tool, own_id = text_of(payload.get("tool_name")), payload.get("tool_use_id")
    if is_own(tool):
        return None
    given, response = object_of(payload.get("tool_input")), payload.get("tool_response")
    if tool in _SHELLS:
        command = _command(given)
        outcome, output = _result(command, response)
        return call(tool, "command", command, outcome, output, own_id=own_id)
    if tool == "apply_patch":
        changes = patched(text_of(given.get("command") or given.get("input") or given.get("patch")))
        outcome, output = _result("", response)
        subject = changes[0]["path"] if changes else ""
        return call(tool, "edit", subject, "ok" if outcome == "unknown" else outcome, output, changes, own_id)
    if tool in ("view_image", "read_file"):
        return call(tool, "read", given.get("path") or given.get("file_path"), "ok", own_id=own_id)
    if tool in ("grep_files", "list_dir", "web_search"):
        subject = given.get("pattern") or given.get("dir_path") or given.get("query")
        return call(tool, "search", subject, "ok", own_id=own_id)
    return call(tool, "other", "", "unknown", own_id=own_id)


def _command(given: "dict[str, Any]") -> str:
    """The command line; of a list of arguments with a shell before it, what the shell was given."""
    command = given.get("command") or given.get("cmd")
    if not isinstance(command, list):
        return text_of(command)
    words = [word for word in command if isinstance(word, str)]
    return words[2] if len(words) == 3 and words[1] in ("-c", "-lc", "-Command") else " ".join(words)


def _result(command: str, response: object) -> tuple[str, str]:
    answer = object_of(response)
    if not answer:
        output = text_of(response)
        return verdicts.of_output(command, output), output
    output = text_of(next((answer[name] for name in ("output", "stdout", "content") if name in answer), answer))
    about = object_of(answer.get("metadata")) or answer
    outcome = verdicts.of_status(about.get("exit_code"))
    return (verdicts.of_output(command, output) if outcome == "unknown" else outcome), output


# --- The question at the end of a turn ---


def may_be_asked(payload: "dict[str, Any]", project: str) -> bool:
    """Return whether a person sits there, and storing a memory opens no dialog.

    The transcript's first line names the session's source. A tool that says of itself that it destroys nothing and
    reaches no further than this machine opens none (codex-rs/core/src/mcp_tool_call.rs), unless the configuration asks.
    """
    if hook_settings.is_in_ci() or _source(payload.get("transcript_path")) not in _ATTENDED:
        return False
    places = [os.path.join(hook_settings.codex_directory(), "config.toml"), os.path.join(project, ".codex/config.toml")]
    servers = [server for path in places if (server := _server(path))]
    return bool(servers) and not any(_asks_before_storing(server) for server in servers)


def as_question(text: str) -> "dict[str, Any]":
    """Return what a hook prints at Stop so that the agent goes on and reads the text."""
    return {"decision": "block", "reason": text}


def _source(transcript: object) -> object:
    """Return where a session came from, by the first line of its transcript; None where that cannot be read."""
    try:
        with open(text_of(transcript), encoding="utf-8") as file:
            first = json.loads(file.readline(_LONGEST_LINE))
    except (OSError, ValueError, RecursionError):
        return None
    return object_of(object_of(first).get("payload")).get("source")


def _server(path: str) -> "dict[str, Any]":
    """Return this server's entry in a file of settings; nothing where there is none that can be read."""
    import tomllib

    try:
        with open(path, "rb") as file:
            servers = object_of(tomllib.load(file).get("mcp_servers"))
    except (OSError, ValueError, RecursionError):
        return {}
    return object_of(servers.get("indelible"))


def _asks_before_storing(server: "dict[str, Any]") -> bool:
    own = object_of(object_of(server.get("tools")).get("store_memory")).get("approval_mode")
    return (own or server.get("default_tools_approval_mode")) in _ASKING
