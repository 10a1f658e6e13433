"""The question whether an agent found out something worth keeping, asked at the end of a turn that edited.

No rule picks an agent's findings from its prose; the agent itself writes them best, if it is asked at the right moment:
at the first end of a turn with an edit, and once more after MORE_EDITS further edits. Never twice for the same work,
never where nobody sits there, where the agent stored something already, or where storing would open a dialog.

A hook loads this module at each edit: it imports nothing that is not loaded anyway.
"""

from indelible.capture import clients, session_notes
from indelible.errors import StoreError
from indelible.extraction.calls import is_own

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EDITS, STORED, ASKED = "edits", "stored", "asked"  # notes of a session: a line each time
MOST = 2  # questions of a session
MORE_EDITS = 3  # after the first question, until the second
TEXT = (
    "Indelible: if you made a decision with a reason, found a failure's cause, or hit a trap that code and git log do "
    "not show, call `store_memory` of MCP server `indelible` (at most 3, two sentences each, no secrets, nothing "
    "copied from pages). Otherwise call nothing. Use no other memory, change no file. End with: Memory: stored N."
)


def count(inbox: str, session: str, payload: "dict[str, Any]", captured: "list[dict[str, object]]") -> None:
    """Note a call of a tool that edited a file or stored a memory. Raises OSError where it cannot be noted."""
    if stores(str(payload.get("tool_name"))) and "error" not in payload:
        session_notes.add(inbox, session, STORED, "")
    elif any(event.get("action") == "edit" and event.get("outcome") == "ok" for event in captured):
        session_notes.add(inbox, session, EDITS, "")


def question(inbox: str, session: str, payload: "dict[str, Any]", client: str, project: str) -> str:
    """Return the question for the end of a turn, and note that it was asked; "" where none is to be asked.

    `project` is the directory whose settings count beside the user's. Raises StoreError where the note cannot be
    written: what could be asked without end is not asked.
    """
    if payload.get("stop_hook_active") or payload.get("background_tasks") or payload.get("agent_id"):
        return ""
    edits = len(session_notes.lines(inbox, session, EDITS))
    asked = [int(line) for line in session_notes.lines(inbox, session, ASKED) if line.isdecimal()]
    if session_notes.lines(inbox, session, STORED) or not is_due(edits, asked):
        return ""
    if not clients.may_be_asked(client, payload, project):
        return ""
    try:
        session_notes.add(inbox, session, ASKED, str(edits))
    except OSError as error:
        raise StoreError(
            f"the question at the end of a turn cannot be noted ({error.strerror}); it is not asked"
        ) from None
    return TEXT


def is_due(edits: int, asked: "list[int]") -> bool:
    """Whether a session of so many edits is to be asked, where it was `asked` after these numbers of edits."""
    if len(asked) >= MOST:
        return False
    return edits >= asked[-1] + MORE_EDITS if asked else edits > 0


def stores(tool: str) -> bool:
    """Whether a tool is `store_memory` of this server, set up by hand or as a plugin."""
    return is_own(tool) and tool.endswith("__store_memory")
