"""What `setup` and `unsetup` say of each change, in lines and as JSON; no key of other people's entries is shown."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from indelible.cli.terminal import printable

if TYPE_CHECKING:
    from indelible.cli.setup.changes import Change
    from indelible.cli.setup.clients import Client

_WORDS = {  # action: done, would be done
    "added": ("set up", "would be set up"),
    "changed": ("changed", "would be changed"),
    "removed": ("removed", "would be removed"),
    "unchanged": ("already set up", "already set up"),
    "absent": ("not set up, nothing to remove", "not set up, nothing to remove"),
}
_PARTS = {"server": "", "hooks": "hooks ", "skill": "skill "}


def lines(change: "Change") -> Iterator[str]:
    """What was done to a client's file, or would be, and what is to be done next."""
    yield f"{change.client.title}: {_PARTS[change.part]}{_WORDS[change.action][change.dry]} ({change.path})"
    for note in change.notes:
        yield f"  {safe(note)}"
    if change.starts and change.action in ("added", "changed"):
        yield f"  {'runs' if change.events else 'starts'}: {safe(change.starts)}"
        if change.events:
            yield f"  at: {', '.join(change.events)}"
    if change.by:
        yield f"  {'would run' if change.dry else 'ran'}: {safe(change.by)}"
    if change.was and change.action == "changed":
        yield f"  was: {safe(change.was)}"
    if change.backup:
        yield f"  before: {change.backup}"
    if change.dry and change.diff:
        yield redacted(change.diff).rstrip("\n")
    if not change.dry:
        yield from _next(change)


def _next(change: "Change") -> Iterator[str]:
    title = change.client.title
    if change.action == "removed" and change.part == "server":
        yield f"  next: end the open sessions of {title}; they still have the server"
    then = _then(change)
    if then:
        yield f"  next: {then}"
        if change.scope == "project" and change.part != "skill":
            yield "  the file contains a path of this machine: others who share it run `indelible setup` themselves"


def _then(change: "Change") -> str | None:
    """What the user does after something was put there."""
    if change.dry or change.action not in ("added", "changed") or change.part == "skill":
        return None
    if change.part == "hooks":
        return change.client.hooks.then if change.client.hooks else None
    return change.client.then[change.scope]


def as_json(done: "Sequence[Change]", scope: str, client: "Client") -> dict[str, Any]:
    """What was done to one client: the server's change, those of hooks and skill inside it."""
    told: dict[str, Any] = {"client": client.name, "scope": scope}
    for change in done:
        if change.part == "server":
            told |= _change_as_json(change)
        else:
            told[change.part] = _change_as_json(change)
    return told


def _change_as_json(change: "Change") -> dict[str, Any]:
    told = {
        "action": change.action,
        "dry_run": change.dry,
        "file": str(change.path),
        "command": change.by,
        "starts": redacted(change.starts) if change.starts else None,
        "was": redacted(change.was) if change.was else None,
        "backup": str(change.backup) if change.backup else None,
        "diff": redacted(change.diff),
        "notes": [safe(note) for note in change.notes],
        "next": _then(change),
    }
    return {**told, "events": list(change.events)} if change.part == "hooks" else told


def redacted(text: str) -> str:
    """What is shown of other people's entries holds no key of theirs."""
    from indelible.sanitize.secret_spans import redact_text

    return redact_text(text)[0]


def safe(text: str) -> str:
    """Redacted, and without what a terminal would obey."""
    return printable(redacted(text))
