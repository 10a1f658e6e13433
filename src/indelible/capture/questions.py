"""The question whether an agent found out something worth keeping, asked at the end of a turn that edited.

No rule picks an agent's findings from its prose; the agent itself writes them best, if it is asked at the right moment:
at the first end of a turn with an edit, and once more after MORE_EDITS further edits. Never twice for the same work,
never where nobody sits there, where the agent stored something already, or where storing would open a dialog.

A hook loads this module at each edit: it imports nothing that is not loaded anyway.
"""

import json
import os

from indelible import hook_settings
from indelible.capture import session_notes
from indelible.errors import StoreError
from indelible.extraction.calls import is_own

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EDITS, STORED, ASKED = "edits", "stored", "asked"  # notes of a session: a line each time
MOST = 2  # questions of a session
MORE_EDITS = 3  # after the first question, until the second
_FREE_MODES = ("bypassPermissions",)  # of permissions: where no dialog opens
TEXT = (
    "Indelible: if you made a decision with a reason, found a failure's cause, or hit a trap that code and git log do "
    "not show, call `store_memory` of MCP server `indelible` (at most 3, two sentences each, no secrets, nothing "
    "copied from pages). Otherwise call nothing. Use no other memory, change no file. End with: Memory: stored N."
)


def question(inbox: str, session: str, payload: "dict[str, Any]", settings: "list[str]") -> str:
    """Return the question for the end of a turn, and note that it was asked; "" where none is to be asked.

    `settings` are the files in which a client keeps its permissions. Raises StoreError where the note cannot be
    written: what could be asked without end is not asked.
    """
    if payload.get("stop_hook_active") or payload.get("background_tasks") or payload.get("agent_id"):
        return ""
    if not hook_settings.is_interactive():
        return ""
    edits = len(session_notes.lines(inbox, session, EDITS))
    asked = [int(line) for line in session_notes.lines(inbox, session, ASKED) if line.isdecimal()]
    if session_notes.lines(inbox, session, STORED) or not is_due(edits, asked) or not _may_store(payload, settings):
        return ""
    try:
        session_notes.add(inbox, session, ASKED, str(edits))
    except OSError as error:
        raise StoreError(
            f"the question at the end of a turn cannot be noted ({error.strerror}); it is not asked"
        ) from None
    return TEXT


def settings_of(project: str) -> "list[str]":
    """Return the files in which Claude Code keeps permissions: the user's, and the two of a project's directory."""
    own = hook_settings.claude_directory()
    places = [(own, "settings.json"), (project, ".claude/settings.json"), (project, ".claude/settings.local.json")]
    return [os.path.join(*place) for place in places]


def is_due(edits: int, asked: "list[int]") -> bool:
    """Whether a session of so many edits is to be asked, where it was `asked` after these numbers of edits."""
    if len(asked) >= MOST:
        return False
    return edits >= asked[-1] + MORE_EDITS if asked else edits > 0


def _may_store(payload: "dict[str, Any]", settings: "list[str]") -> bool:
    """Whether a call of `store_memory` opens no dialog: a rule allows it, and none asks or denies."""
    rules = [_permissions(path) for path in settings]
    for refused in ("deny", "ask"):
        if any(map(_is_about_storing, (rule for each in rules for rule in each.get(refused, ())))):
            return False
    if payload.get("permission_mode") in _FREE_MODES:
        return True
    return any(map(_is_about_storing, (rule for each in rules for rule in each.get("allow", ()))))


def stores(tool: str) -> bool:
    """Whether a tool is `store_memory` of this server, set up by hand or as a plugin."""
    return is_own(tool) and tool.endswith("__store_memory")


def _is_about_storing(rule: str) -> bool:
    """Whether a rule of permissions is about `store_memory`, alone or with all tools of this server."""
    return stores(rule) or (is_own(rule) and (rule.count("__") == 1 or rule.endswith("__*")))


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
