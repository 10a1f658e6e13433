"""Claude Code: the types `...HookInput` of @anthropic-ai/claude-agent-sdk 0.3.330, tools as in its sdk-tools.d.ts."""

import json
import os

from indelible import hook_settings
from indelible.capture.clients.names import Names, fields_of
from indelible.extraction.calls import ASKS, is_own, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    "sessionstart": "session_started",
    "userpromptsubmit": "prompt",
    "pretooluse": "planned",  # not captured: a call that is about to run
    "posttooluse": "tool",
    "posttoolusefailure": "tool",
    "precompact": "compacting",
    "stop": "turn_ended",
    "sessionend": "session_ended",
    **dict.fromkeys(("permissionrequest", "postcompact", "notification", "stopfailure")),
    **dict.fromkeys(("subagentstart", "subagentstop")),
}
_FREE_MODES = ("bypassPermissions",)  # of permissions: where no dialog opens
_MACHINES = frozenset(("system", "loop_wakeup", "schedule_wakeup", "poll_event"))  # authors of prompts
_NAMES = Names(
    {
        **dict.fromkeys(("Bash", "PowerShell"), ("command", ("command",))),
        "Read": ("read", ("file_path",)),
        "NotebookRead": ("read", ("notebook_path",)),
        **dict.fromkeys(("Edit", "MultiEdit", "Write"), ("edit", ("file_path",))),
        "NotebookEdit": ("edit", ("notebook_path",)),
        **dict.fromkeys(("Grep", "Glob"), ("search", ("pattern",))),
        "LS": ("search", ("path",)),
        "WebSearch": ("search", ("query",)),
        "WebFetch": ("fetch", ("url",)),
    },
    old=("old_string",),
    new=("new_string", "content", "new_source"),
    said="last_assistant_message",
    prompt_id="prompt_id",
)


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a call of our own tools, and for a prompt that no person wrote."""
    if what == "prompt" and text_of(payload.get("source")) in _MACHINES:
        return None
    told = fields_of(what, payload, _NAMES, _result)
    if told is not None and told.get("tool") in ASKS:  # what the user said
        return {**told, "output": _result("other", "", payload)[1]}
    return told


def _result(action: str, subject: str, payload: "dict[str, Any]") -> tuple[str, str]:
    """Return the outcome of a call and its text: the kind of event shows a failure; an interrupted call has none."""
    if "error" in payload:
        return ("unknown" if payload.get("is_interrupt") else "failed"), text_of(payload["error"])
    response = payload.get("tool_response")
    if not isinstance(response, dict):
        return "ok", text_of(response)
    stopped = response.get("interrupted") or response.get("backgroundTaskId")
    streams = [response.get(name) for name in ("stdout", "stderr")]
    if all(stream is None for stream in streams):
        return "ok", text_of(response)
    return ("unknown" if stopped else "ok"), "\n".join(text_of(stream) for stream in streams if stream)


# --- The question at the end of a turn ---


def may_be_asked(payload: "dict[str, Any]", project: str) -> bool:
    """Return whether a person sits there, and storing a memory opens no dialog: a rule allows it, none asks or denies.

    Permissions are kept in three files: the user's, and the two of a project's directory.
    """
    if not hook_settings.is_interactive():
        return False
    own = hook_settings.claude_directory()
    places = [(own, "settings.json"), (project, ".claude/settings.json"), (project, ".claude/settings.local.json")]
    rules = [_permissions(os.path.join(*place)) for place in places]
    for refused in ("deny", "ask"):
        if any(map(_is_about_storing, (rule for each in rules for rule in each.get(refused, ())))):
            return False
    if payload.get("permission_mode") in _FREE_MODES:
        return True
    return any(map(_is_about_storing, (rule for each in rules for rule in each.get("allow", ()))))


def as_question(text: str) -> "dict[str, Any]":
    """Return what a hook prints at Stop so that the agent goes on and reads the text."""
    return {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": text}}


def _is_about_storing(rule: str) -> bool:
    """Whether a rule of permissions is about `store_memory`, alone or with all tools of this server."""
    return is_own(rule) and (rule.endswith(("__store_memory", "__*")) or rule.count("__") == 1)


def _permissions(path: str) -> "dict[str, list[str]]":
    """Return the rules of a file of settings; none of one that is missing or that nobody can read."""
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    found = value.get("permissions") if isinstance(value, dict) else None
    if not isinstance(found, dict):
        return {}
    return {
        name: [each for each in rules if isinstance(each, str)]
        for name, rules in found.items()
        if isinstance(rules, list)
    }
