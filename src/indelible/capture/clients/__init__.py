"""Conversion of the clients' payloads to common events, with one module for each client.

A module has EVENTS, which maps the client's events to common kinds (`None`: not captured), and `fields(what, payload)`,
which returns the fields of the common event of a payload; `names.fields_of` does where only the names are a client's
own. One whose payload has other names for what all have brings `in_common_names(payload)`. Further differences between
clients are handled here.
"""

import json
import os
from importlib import import_module

from indelible import hook_settings
from indelible.errors import InvalidInput
from indelible.extraction import events

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_SHARED = {"copilot-cli": "copilot", "vscode": "copilot"}  # the modules that do not have the name of their client

# Clients that report the end of a session; of others the end of a turn is the last event.
TELL_THE_END = frozenset(("claude-code", "gemini-cli", "cursor", "copilot-cli", "goose", "kimi"))

# Clients whose model hears nothing when a session starts, and the kind of event at whose first it gets the brief.
# Goose's and Windsurf's hear nothing at all.
BRIEF_AT = {**dict.fromkeys(("antigravity", "kimi", "kiro"), "prompt"), "cline": "tool"}
DEAF = ("goose", "windsurf")
MUST_ANSWER = frozenset(("antigravity",))  # with JSON, to each event: what it does without is not documented
# The event at which a client's model hears what its hook says to a prompt, and after a failed command. Cursor's hooks
# can say nothing to it at a prompt, and what they say after a tool does not reach it.
AT_PROMPT = {
    **dict.fromkeys(("claude-code", "codex", "opencode"), "UserPromptSubmit"),
    "gemini-cli": "BeforeAgent",
    **{"antigravity": "PreInvocation", "kimi": "UserPromptSubmit", "kiro": "UserPromptSubmit"},
}
AFTER_FAILURE = {
    **{"claude-code": "PostToolUseFailure", "codex": "PostToolUse", "gemini-cli": "AfterTool"},
    **dict.fromkeys(("copilot-cli", "opencode", "cline"), "PostToolUse"),
}
# And before a command runs: only where neither an empty answer nor a crash of the hook keeps it from running. Copilot
# CLI denies a tool where the hook before it crashes.
BEFORE_COMMAND = {"claude-code": "PreToolUse"}
# Clients whose agent can be asked something at the end of a turn. In Gemini CLI asking would reject the answer.
AT_TURN_END = ("claude-code", "codex")

_WHERE = ("workdir", "dir_path", "directory", "working_directory")  # arguments of shells: where a command runs
_MINUTE = 60_000_000  # microseconds
_WITHOUT_IDS = ("antigravity", "goose", "kimi", "kiro")  # of prompts and ends of turns, some also of tools
_OTHER_NAMES = {  # in payloads of VS Code and Copilot
    **{"sessionId": "session_id", "hookEventName": "hook_event_name"},
    **{"toolName": "tool_name", "toolArgs": "tool_input", "toolResult": "tool_result"},
}


def client_of(payload: "dict[str, Any]", named: str = "") -> str:
    """Return the client of a payload: one that its fields show, then the one that the hook's line has `named`.

    Cursor, VS Code and Copilot CLI run the hooks of Claude Code too, with payloads of their own, and VS Code those of
    Copilot CLI: an event is the same whichever hook brings it.
    Without a name the client is told by distinctive fields; default Claude Code, whose shape others took over.
    """
    return _shown_by(payload, named) or named or _guessed(payload)


def _shown_by(payload: "dict[str, Any]", named: str) -> str:
    """Return the client that fields show whichever hook brings them, "" where they show none."""
    if "cursor_version" in payload:
        return "cursor"
    if "conversationId" in payload:
        return "antigravity"
    if "hookEventName" in payload:
        return "vscode"
    return "copilot-cli" if "sessionId" in payload or (named == "claude-code" and "timestamp" in payload) else ""


def _guessed(payload: "dict[str, Any]") -> str:
    if "conversation_id" in payload:
        return "cursor"
    path = payload.get("transcript_path")
    if isinstance(path, str):
        for part, client in ((".codex", "codex"), (".gemini", "gemini-cli"), (".claude", "claude-code")):
            if f"/{part}/" in path.replace("\\", "/"):
                return client
    if "turn_id" in payload:
        return "codex"
    return "gemini-cli" if "timestamp" in payload else "claude-code"


def in_common_names(payload: "dict[str, Any]", client: str) -> "dict[str, Any]":
    """Return a payload with its session, event, prompt and directory under the names that most clients have for them.

    Raises InvalidInput for a client that is not known.
    """
    named = getattr(_module(client), "in_common_names", None)
    if named is not None:
        changed: dict[str, Any] = named(payload)
        return changed
    others = {common: payload[name] for name, common in _OTHER_NAMES.items() if name in payload}
    return {**others, **payload} if others else payload


def hears_the_start(client: str) -> bool:
    """Return whether a client's model hears what its hook says when a session starts."""
    return client not in BRIEF_AT and client not in DEAF


def as_context(client: str, text: str, event: str) -> str:
    """Return what a hook prints so that a client's model hears a text. No other key: Codex refuses what it has not."""
    if client in ("kimi", "kiro"):
        return text
    if client == "antigravity":
        return json.dumps({"injectSteps": [{"ephemeralMessage": text}]})
    return json.dumps(context_of(client, text, event))


def context_of(client: str, text: str, event: str) -> "dict[str, Any]":
    """Return the object in which a client looks for what to tell its model."""
    if client == "cursor":
        return {"additional_context": text}
    if client == "copilot-cli":
        return {"additionalContext": text}
    if client == "cline":
        return {"contextModification": text}
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def has_hooks_of_its_own(client: str, directory: str) -> bool:
    """Return whether hooks of ours are set up for a client itself, which runs those of Claude Code too.

    They may stand in a file of the user's, or of the project in `directory`.
    """
    if client == "cursor":
        places = [os.path.expanduser("~/.cursor/hooks.json"), os.path.join(directory, ".cursor/hooks.json")]
    elif client in ("copilot-cli", "vscode"):
        own = hook_settings.copilot_directory()
        places = [os.path.join(own, "hooks/indelible.json"), os.path.join(directory, ".github/hooks/indelible.json")]
    else:
        places = []
    return any(map(_names_us, places))


def _names_us(path: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return "indelible" in file.read()
    except OSError:
        return False


def what_of(client: str, name: str) -> str | None:
    """Return the common kind of a client's event, by any spelling of its name; None for one that is not captured.

    Raises InvalidInput for a name that the client does not have.
    """
    known: dict[str, str | None] = _module(client).EVENTS
    plain = "".join(char for char in name.lower() if char.isalnum())
    if plain not in known:
        captured = ", ".join(event for event, what in known.items() if what)
        raise InvalidInput(f"{client} has no event of that name; supported are {captured}")
    return known[plain]


def event_of(
    payload: "dict[str, Any]", client: str, what: str, time: int, project: str = ""
) -> dict[str, object] | None:
    """Return the common event of a payload; None if there is nothing to capture, as for calls of our own tools.

    A replay has the id of the first. Only the starts, compactions and ends of sessions say nothing that tells a second
    one from a replay, unless the client gives a time: those of one minute of `time` are one. So are equal events of a
    client that gives most of them no id.

    Raises InvalidInput where the payload has not the shape of the client.
    """
    fields = _module(client).fields(what, payload)
    if fields is None:
        return None
    stamp = payload.get("timestamp")
    if client == "vscode":  # that its hooks of one event get one time is not known
        stamp = str(stamp)[: len("2026-11-29T06:15")]
    distinct_by = [stamp, *(payload.get(name) for name in ("turn_id", "prompt_id", "generation_id", "duration"))]
    if not payload.get("timestamp") and (what in events.OF_A_SESSION or client in _WITHOUT_IDS):
        distinct_by.append(time // _MINUTE)
    session = payload.get("session_id") if client != "cursor" else _first(payload, "conversation_id", "session_id")
    return events.build(
        client,
        session,
        what,
        fields,
        time=time,
        cwd=_runs_in(payload, fields),
        project=project,
        own_id=fields.get("own_id"),
        distinct_by=distinct_by,
    )


def may_be_asked(client: str, payload: "dict[str, Any]", project: str) -> bool:
    """Return whether an agent may be asked what it found out: a person sits there, and storing opens no dialog."""
    return client in AT_TURN_END and bool(_module(client).may_be_asked(payload, project))


def as_question(client: str, text: str) -> "dict[str, Any]":
    """Return what a hook of a client in AT_TURN_END prints so that its agent goes on and reads a text."""
    answer: dict[str, Any] = _module(client).as_question(text)
    return answer


def directory_of(payload: "dict[str, Any]") -> object:
    """Return the directory that the agent works in, "" if the payload does not have it."""
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return payload.get("cwd") or first


def _runs_in(payload: "dict[str, Any]", fields: "dict[str, Any]") -> object:
    """Return the directory of an event: of a command whose call names one, that one."""
    directory, given = directory_of(payload), payload.get("tool_input")
    if fields.get("action") != "command" or not isinstance(given, dict) or not isinstance(directory, str):
        return directory
    named = _first(given, *_WHERE)
    return os.path.normpath(os.path.join(directory, named)) if isinstance(named, str) else directory


def _first(payload: "dict[str, Any]", *names: str) -> object:
    return next((payload[name] for name in names if payload.get(name)), None)


def _module(client: str) -> "ModuleType":
    """The module of a client; only that of the client that calls is loaded."""
    if client not in events.CLIENTS:
        raise InvalidInput(f"--client is one of {', '.join(events.CLIENTS)}")
    name = _SHARED.get(client, client.replace("-", "_"))
    return import_module(f"indelible.capture.clients.{name}")
