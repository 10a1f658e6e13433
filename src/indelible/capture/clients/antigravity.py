"""Antigravity: hooks.md of its built-in skill agy-customizations, as a program of 2026-09-18 showed it.

No event is named in a payload, and none brings a prompt: that is the last step of the transcript which the user wrote
(automatis-tools/agents-can-communicate#177, seen in 1.2.7). Which tool ran is not told behind it, so none is captured.
Every hook has to answer with JSON.
"""

import json
import os
import re

from indelible.extraction.calls import text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

EVENTS: dict[str, str | None] = {
    "preinvocation": "prompt",
    "stop": "turn_ended",
    **dict.fromkeys(("pretooluse", "posttooluse", "postinvocation", "sessionstart")),
}
_READ = 1 << 20  # bytes of a transcript's end that are read
_REQUEST = re.compile(r"<USER_REQUEST>(.*?)(?:</USER_REQUEST>|\Z)", re.DOTALL)


def in_common_names(payload: "dict[str, Any]") -> "dict[str, Any]":
    """Return a payload under the common names, with the prompt where this is the first call of the model for one."""
    paths = payload.get("workspacePaths")
    named = {
        "session_id": payload.get("conversationId"),
        "transcript_path": payload.get("transcriptPath"),
        "workspace_roots": paths if isinstance(paths, list) else [],
        **payload,
    }
    if payload.get("invocationNum") == 0 and isinstance(payload.get("transcriptPath"), str):
        named["prompt_id"], named["prompt"] = _prompt(payload["transcriptPath"])
    return named


def fields(what: str, payload: "dict[str, Any]") -> "dict[str, Any] | None":
    """The fields of the common event; None for a later call of the model."""
    if what == "prompt":
        return {"text": payload["prompt"], "own_id": payload.get("prompt_id")} if payload.get("prompt") else None
    return {"text": ""} if what == "turn_ended" else None  # what was said last is not in the payload


def _prompt(path: str) -> tuple[str, str]:
    """Return the last thing that the user wrote, and which step it is; "" for both where none can be read."""
    for line in reversed(_end_of(path)):
        if "USER_INPUT" not in line:
            continue
        try:
            step = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(step, dict) and step.get("type") == "USER_INPUT" and step.get("source") == "USER_EXPLICIT":
            text = text_of(step.get("content"))
            found = _REQUEST.search(text)
            return f"step-{step.get('step_index')}", found[1].strip() if found else text
    return "", ""


def _end_of(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _READ))
            return file.read(_READ).decode("utf-8", "replace").splitlines()
    except OSError:
        return []
