"""The report of `setup` and `unsetup` on each change, in lines and as JSON, without secrets of other entries."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from indelible.capture import clients
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
_MOMENTS = {  # of a session, at which a hook can tell the agent something
    "brief": "at its start what is known",
    "prompt": "at a prompt what it is about",
    "failure": "after a failure what fixed it",
    "warning": "before a command that it failed before",
}
_PARTS = {"server": "", "hooks": "hooks ", "skill": "skill "}


def lines(change: "Change") -> Iterator[str]:
    """Yield the lines that report a change of a client's file, done or planned, and the user's next step."""
    yield f"{change.client.title}: {_PARTS[change.part]}{_WORDS[change.action][change.dry]} ({change.path})"
    for note in change.notes:
        yield f"  {safe(note)}"
    if change.starts and change.action in ("added", "changed"):
        yield f"  {'runs' if change.events else 'starts'}: {safe(change.starts)}"
        if change.events:
            yield f"  at: {', '.join(change.events)}"
            moments = moments_of(change.client.name)
            tells = [_MOMENTS[name] for name, can in moments.items() if can]
            yield f"  tells the agent: {', '.join(tells) or 'nothing; they only record what happens'}"
            cannot = [_MOMENTS[name] for name, can in moments.items() if not can]
            if cannot:
                yield f"  cannot tell it: {', '.join(cannot)}"
    if change.by:
        yield f"  {'would run' if change.dry else 'ran'}: {safe(change.by)}"
    if change.was and change.action == "changed":
        yield f"  was: {safe(change.was)}"
    if change.backup:
        yield f"  before: {change.backup}"
    if not change.dry:
        yield from _next(change)


def diff_of(change: "Change") -> str:
    """Return what a planned change would do to the file, line by line, "" where it is none."""
    return redacted(change.diff).rstrip("\n") if change.dry else ""


def moments_of(client: str) -> dict[str, bool]:
    """Return what the hooks of a client can tell its agent: whether they can at each moment."""
    return {
        "brief": client not in clients.DEAF,
        "prompt": client in clients.AT_PROMPT,
        "failure": client in clients.AFTER_FAILURE,
        "warning": client in clients.BEFORE_COMMAND,
    }


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
    """Return the user's next step after an entry was added or changed."""
    if change.dry or change.action not in ("added", "changed") or change.part == "skill":
        return None
    if change.part == "hooks":
        form = change.client.hooks or change.client.plugin
        return form.then if form else None
    return change.client.then[change.scope]


def as_json(done: "Sequence[Change]", scope: str, client: "Client") -> dict[str, Any]:
    """Return the changes of one client as JSON: the server's, with those of hooks and skill inside it."""
    fields: dict[str, Any] = {"client": client.name, "scope": scope}
    for change in done:
        if change.part == "server":
            fields |= _change_as_json(change)
        else:
            fields[change.part] = _change_as_json(change)
    return fields


def _change_as_json(change: "Change") -> dict[str, Any]:
    fields = {
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
    if change.part != "hooks":
        return fields
    return {**fields, "events": list(change.events), "tells": moments_of(change.client.name)}


def redacted(text: str) -> str:
    """Return a text of the user's files without the secrets in it."""
    from indelible.sanitize.secret_spans import redact_text

    return redact_text(text)[0]


def safe(text: str) -> str:
    """Redacted, and without what a terminal would obey."""
    return printable(redacted(text))
