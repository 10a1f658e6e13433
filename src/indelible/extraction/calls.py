"""The event fields of tool calls, shared by the modules of the clients."""

import json

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

# Files that hold only secrets: what is written to them is not captured, whatever it looks like.
_SECRET_FILES = frozenset(
    ".netrc .pgpass .npmrc .pypirc .htpasswd .git-credentials credentials id_rsa id_dsa id_ecdsa id_ed25519".split()
)
_SECRET_ENDINGS = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".tfvars")
_SERVER = "indelible"
_FILES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ")  # of a patch
ASKS = ("AskUserQuestion",)  # tools that ask the user: their output is what the user said


def is_own(tool: str) -> bool:
    """Whether a tool is one of this server's, by any client's name for it: `mcp__indelible__recall`."""
    name = tool.lower()
    if not name.startswith("mcp"):
        return False
    return any(part == _SERVER for part in name.replace("-", "_").replace(":", "_").split("_"))


def call(
    tool: str, action: str, subject: object, outcome: str, output: object = "", edits: object = (), own_id: object = ""
) -> "dict[str, Any]":
    """Return the fields of a call. Output is kept of commands, and of any failed tool: of others it is the file."""
    wanted = action == "command" or outcome == "failed"
    return {
        "tool": tool,
        "action": action,
        "subject": subject,
        "outcome": outcome,
        "output": text_of(output) if wanted else "",
        "edits": [edit for edit in edits if edit] if isinstance(edits, list) else [],
        "own_id": own_id,
    }


def edit(path: object, old: object, new: object) -> "dict[str, Any]":
    """Return the change of a file; of a file of secrets only that it changed."""
    if isinstance(path, str) and _is_secret_file(path):
        old = new = ""
    return {"path": path, "old": old, "new": new}


def edits(path: object, listed: object) -> "list[dict[str, Any]]":
    """The changes of one file, of a list of {"old_string", "new_string"}."""
    found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [edit(path, one.get("old_string"), one.get("new_string")) for one in found]


def patched(patch: str) -> "list[dict[str, Any]]":
    """Return the changes of a patch in the format of Codex: the removed and added lines of each file."""
    changes: list[dict[str, Any]] = []
    path, old, new = "", list[str](), list[str]()
    for line in [*patch.splitlines(), "*** End"]:
        if line.startswith("*** "):
            if path:
                changes.append(edit(path, "\n".join(old), "\n".join(new)))
                path, old, new = "", [], []
            if line.startswith(_FILES):
                path = line.partition(": ")[2].strip()
        elif line.startswith("-"):
            old.append(line[1:])
        elif line.startswith("+"):
            new.append(line[1:])
    return changes


def _is_secret_file(path: str) -> bool:
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    return name in _SECRET_FILES or name.startswith(".env") or name.endswith(_SECRET_ENDINGS)


def text_of(value: object) -> str:
    """Return a tool's answer as text: the text itself, the texts of its parts, or its JSON."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return str(value["text"])
    if isinstance(value, list) and all(isinstance(part, dict) and "text" in part for part in value):
        return "\n".join(text_of(part) for part in value)
    return json.dumps(value, ensure_ascii=False)


def object_of(value: object) -> "dict[str, Any]":
    """Return a JSON object, given as such or as its text; empty for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}
