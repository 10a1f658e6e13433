"""The common event of every client's hook: a plain dict, one JSON object in the spool.

    {"v": 1, "id": str, "client": str, "session": str, "time": microseconds since 1970, "cwd": str, "what": str, ...}

`what` says which fields stand beside these:

    session_started  source
    prompt           text
    tool             tool (the client's name), action, subject, outcome, output, edits [{"path", "old", "new"}]
    compacting       trigger
    turn_ended       text of the last message of the assistant, "" where the client does not give it
    session_ended    reason

`action` is one of ACTIONS, `subject` a command line, path, pattern or URL; `outcome` is one of OUTCOMES. All texts are
redacted by the full rules and cut; `redacted` says by rule how many secrets were taken out, where any was. `id` is the
same for every replay of one payload (`clients.event_of` says for which
of OF_A_SESSION only within a minute). `project` is there where the
environment of the hook names one, as it names a server's: a directory, or a name.
"""

import json

from indelible.errors import InvalidInput
from indelible.extraction.texts import kept
from indelible.sanitize.secret_spans import redact_path, redact_text

# Imported late (hooks): _blake2, hashlib

VERSION = 1
ACTIONS = ("command", "read", "edit", "search", "fetch", "other")
OUTCOMES = ("ok", "failed", "unknown")
CLIENTS = (
    *("claude-code", "codex", "gemini-cli", "cursor", "copilot-cli", "vscode", "opencode"),
    *("antigravity", "goose", "kimi", "kiro", "cline", "windsurf"),
)

OF_A_SESSION = ("session_started", "compacting", "session_ended")  # which may come more than once in one, each the same

TEXTS = {  # of each `what`: its text fields, each with how much of its beginning and its end is kept
    "session_started": {"source": (40, 0)},
    "prompt": {"text": (6_000, 2_000)},
    "tool": {
        **{"tool": (120, 0), "action": (10, 0), "subject": (2_000, 0), "outcome": (10, 0)},
        "output": (2_000, 6_000),
    },
    "compacting": {"trigger": (40, 0)},
    "turn_ended": {"text": (2_000, 6_000)},
    "session_ended": {"reason": (40, 0)},
}
EDIT = {"path": (1_000, 0), "old": (400, 0), "new": (400, 0)}
MOST_EDITS = 10
_NAME = (200, 0)  # kept characters of the id of a session
_PLACE = (1_000, 0)  # and of a directory
_BYTES = 16  # of a digest


def build(
    client: str,
    session: object,
    what: str,
    fields: dict[str, object],
    *,
    time: int,
    cwd: object = "",
    project: str = "",
    own_id: object = "",
    distinct_by: object = "",
) -> dict[str, object]:
    """Return an event of raw values: redacted, cut, with its id.

    `own_id` is the client's id of the prompt, call or turn, where it gives one; two events of a session with the same
    one are one event. Without it the id is made from the event's values and `distinct_by`, JSON that differs where
    equal events are distinct (a turn, a time). Raises InvalidInput where the session has no id.
    """
    if not isinstance(session, str) or not session.strip():
        raise InvalidInput("the payload names no session")
    redacted: dict[str, int] = {}
    event: dict[str, object] = {
        **{"v": VERSION, "id": "", "client": client, "session": _identifier(session), "time": time},
        **{"cwd": kept(_place(cwd), *_PLACE, redacted), "what": what},
        **({"project": kept(_place(project), *_PLACE, redacted)} if project else {}),
    }
    texts: dict[str, object] = {name: kept(fields.get(name), *limits, redacted) for name, limits in TEXTS[what].items()}
    if what == "tool":
        texts["edits"] = _edits(fields.get("edits"), redacted)
    if isinstance(own_id, str) and own_id:
        event["id"] = f"{what}:{_identifier(own_id)}"
    else:
        event["id"] = f"{what}:{digest([client, session, what, texts, distinct_by])}"
    return {**event, **texts, **({"redacted": redacted} if redacted else {})}


def _place(given: object) -> object:
    """Return a path as the project of that path is named, without its secrets."""
    return redact_path(given) or given if isinstance(given, str) and redact_text(given)[1] else given


def _edits(given: object, redacted: dict[str, int]) -> list[dict[str, str]]:
    listed = given if isinstance(given, list) else []
    return [
        {name: kept(edit.get(name), *limits, redacted) for name, limits in EDIT.items()}
        for edit in listed[:MOST_EDITS]
        if isinstance(edit, dict)
    ]


def _identifier(given: str) -> str:
    """Return an id of a client as it is, where it looks like one; else a digest of it."""
    if len(given) <= _NAME[0] and given.isascii() and given.isprintable() and " " not in given and _is_plain(given):
        return given
    return digest(given)


def _is_plain(given: str) -> bool:
    """Whether the rules for secrets leave it alone, except the one for random-looking texts, as ids are."""
    return not redact_text(given)[1]


def digest(value: object) -> str:
    """Return the BLAKE2b digest of a value of JSON.

    It is from the module behind hashlib: loading OpenSSL would take longer than all else here.
    """
    try:
        from _blake2 import blake2b
    except ImportError:  # a Python whose hashlib has another one
        from hashlib import blake2b
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=_BYTES).hexdigest()


# --- Checking ---


def check(value: object) -> dict[str, object]:
    """Return the event in a file of the spool. Raises InvalidInput where it is none of this version."""
    if not isinstance(value, dict):
        raise InvalidInput("an event is a JSON object")
    if value.get("v") != VERSION:
        raise InvalidInput(
            f"an event of version {str(value.get('v'))[:20]}, and this program reads version {VERSION}; upgrade it"
        )
    what = value.get("what")
    if not isinstance(what, str) or what not in TEXTS:
        raise InvalidInput(f"`what` of an event is one of {', '.join(TEXTS)}")
    for name in ("id", "client", "session", "cwd", "project", *TEXTS[what]):
        if not isinstance(value.get(name, "" if name == "project" else None), str):
            raise InvalidInput(f"`{name}` of an event is a text")
    if type(value.get("time")) is not int:
        raise InvalidInput("`time` of an event is a whole number of microseconds")
    for name in ("id", "client", "session"):
        if not value[name]:
            raise InvalidInput(f"`{name}` of an event is not empty")
    _check_redacted(value.get("redacted", {}))
    if what == "tool":
        _check_call(value)
    return value


def _check_redacted(redacted: object) -> None:
    if not isinstance(redacted, dict) or not all(type(count) is int for count in redacted.values()):
        raise InvalidInput("`redacted` of an event has a whole number for each rule")


def _check_call(value: dict[str, object]) -> None:
    if value["action"] not in ACTIONS or value["outcome"] not in OUTCOMES:
        raise InvalidInput("`action` and `outcome` of an event are of their lists")
    edits = value.get("edits")
    if not isinstance(edits, list) or len(edits) > MOST_EDITS:
        raise InvalidInput(f"`edits` of an event is a list of at most {MOST_EDITS}")
    for edit in edits:
        if not isinstance(edit, dict) or not all(isinstance(edit.get(name), str) for name in EDIT):
            raise InvalidInput(f"each of `edits` of an event has {', '.join(EDIT)}")
