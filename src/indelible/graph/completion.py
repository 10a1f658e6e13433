"""Completion of an entity's name to its key: a model cannot compute SHA-256, so the right key is returned to it."""

from collections.abc import Iterable, Mapping
from typing import Any

from indelible.errors import InvalidInput
from indelible.graph import keys
from indelible.graph.envelopes import parse_observation

_ENVELOPES = {
    "run#": "command.exec",
    "cmd#": "command.exec",
    "fix#": "fix.apply",
    "outcome#": "fix.outcome",
    "doc#": "doc.note",
}  # what holds the values that the hash of a key is made of


def completed(name: str, observations: Iterable[str]) -> str | None:
    """Return the key that a name begins, completed from the first envelope that allows it; None where none does.

    Without an envelope the name of a command or document may be enough: the command as typed, the URL.
    """
    prefix = keys.key_form(name)
    if prefix not in _ENVELOPES:
        return None
    read = map(parse_observation, observations)
    fields = next((each.fields for each in read if each.envelope == _ENVELOPES[prefix]), None)
    if fields is None and prefix not in ("cmd#", "doc#"):
        return None
    try:
        return _made(prefix, name[len(prefix) :], fields or {})
    except InvalidInput:
        return None


def _made(prefix: str, rest: str, fields: Mapping[str, Any]) -> str:
    """Return the key of a prefix and fields. Raises InvalidInput where a value is missing or cannot be in a key."""
    execution: tuple[Any, ...] = tuple(fields.get(name) for name in ("cwd", "exitCode", "stdoutHead", "stderrHead"))
    if prefix == "cmd#":
        return keys.command_key(fields.get("cmd", rest), *execution)
    if prefix == "run#":
        return keys.run_key(rest.partition("#")[0], fields.get("cmd", ""), *execution)
    if prefix == "doc#":
        return keys.doc_key(fields.get("url", rest))
    if prefix == "outcome#":
        verified = fields.get("verificationMethod"), fields.get("durationToVerify")
        return keys.outcome_key(fields.get("status", ""), fields.get("fixId", ""), *verified)
    return keys.fix_key(f"err#{rest.rpartition('#')[0] or rest}", fields.get("strategy"), fields.get("changes"))
