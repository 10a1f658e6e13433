"""Registering Indelible with a client and taking that back.

The client's own command is used where the file has nothing that such a command would lose: it is as a program writes
it (JSON), or holds no other server (TOML). Claude Code formats its files anew; Codex writes all its servers anew,
without their comments and the keys it does not know (openai/codex#45432). Everywhere else, and to change an entry that
is there, the file is edited.
"""

import os
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from indelible.cli.setup import changes, entries, files, hook_edits, ledger, process
from indelible.cli.setup.changes import Change, Part, trying
from indelible.cli.setup.clients import Client
from indelible.cli.setup.entries import NAME, argv_of, behind_serve, is_ours
from indelible.cli.setup.files import Snapshot, unified
from indelible.cli.setup.formats import Found, Unsure
from indelible.cli.setup.surroundings import Surroundings
from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput

PATIENCE = 30.0  # seconds for a client's own command


@dataclass(frozen=True, slots=True)
class Registration(Part):
    """The entry of one client in one scope."""

    def look(self, seen: Snapshot) -> Found:
        """Return the file's content. Raises InvalidInput, with file, line and remedy, where it cannot be parsed."""
        with self.refusing():
            return self.client.form.look(seen.text, self.client.section, NAME)

    def is_in(self, seen: Snapshot) -> bool:
        """See Part; an entry of our name counts, whatever it starts."""
        return self.look(seen).entry is not None

    def has_company(self, seen: Snapshot) -> bool:
        """See Part."""
        hooks = self.client.hooks
        if hooks is None or not hooks.has_scope(self.scope) or hooks.file(self.scope, self.around) != self.path:
            return False
        with self.refusing():
            return bool(hook_edits.look(seen.text, hooks).commands)

    def says_the_same(self, one: Snapshot, other: Snapshot) -> bool:
        """See Part."""
        with self.refusing():
            return self.client.form.same_but_for(one.text, other.text, self.client.section, NAME)

    def own_command(self, seen: Snapshot, kind: str) -> tuple[str, ...] | None:
        """The client's own command, its program found, or None where it is not to be used."""
        own = self.client.own
        if own is None or self.scope not in own.scopes:
            return None
        words = own.add if kind == "add" else own.remove
        program = self.around.command(words[0])
        if program is None:
            return None
        if not self.client.form.is_plain(seen.text, self.client.section, NAME):
            self.notes.append(f"edited the file: `{' '.join(words[:3])}` would rewrite it and lose what is yours in it")
            return None
        return (program, *(word.replace("{scope}", self.scope) for word in words[1:]))

    def run(self, command: tuple[str, ...]) -> str | None:
        """Run the client's own command in the project, or at home."""
        cwd = self.around.project if self.scope == "project" and self.around.project else self.around.home
        return process.run(command, self.around.environ, cwd, PATIENCE)

    def fell_back(self, command: tuple[str, ...], failed: str | None) -> None:
        """Say why the file is edited after all."""
        why = failed or "did not do it"
        self.notes.append(f"`{shlex.join(command[:3])}` {why}; edited the file instead")


def registration(client: Client, scope: str, around: Surroundings, data: Path, dry: bool = False) -> Registration:
    """The registration of a client in a scope. InvalidInput for the project's where there is no project."""
    return Registration(client, scope, client.file(scope, around), around, data, dry)


def is_registered(client: Client, scope: str, around: Surroundings) -> bool:
    """Has the file an entry of ours; also where it cannot be read, so that somebody looks at it."""
    path = client.file(scope, around)
    try:
        seen = files.read(path)
        return is_ours(client.form.look(seen.text, client.section, NAME).entry)
    except (Unsure, InvalidInput):
        return True


# --- Setting up ---


def set_up(one: Registration, launch: tuple[str, ...], defaults: Mapping[str, str] = {}) -> Change:
    """Register a command line, or change the one that is registered.

    Of an entry of ours its other keys stay, and behind `serve` every word but the flags that `launch` gives; those of
    `defaults` are added where nothing there says otherwise.
    InvalidInput where the file cannot be read or an entry of our name is not ours; Conflict while it keeps changing.
    """
    if entries.value_of(launch, "--data") is None:
        one = replace(one, data=data_of(one))
    return trying(one, lambda: _set_up(one, launch, defaults))


def _set_up(one: Registration, launch: tuple[str, ...], defaults: Mapping[str, str]) -> Change:
    one.notes.clear()  # of an earlier try
    seen = files.read(one.path)
    found = one.look(seen)
    _refuse_foreign(one, found)
    argv, entry = _entry(one, found, launch, defaults)
    if _is_same(found.entry, entry):
        return one.change("unchanged")
    with one.refusing():
        new = seen.encoded(one.client.form.put(seen.text, one.client.section, NAME, entry))
    done = one.change(
        "added" if found.entry is None else "changed",
        was=shlex.join(argv_of(found.entry)) or None,
        starts=shlex.join(argv),
        diff=unified(one.path, seen.content, new),
    )
    command = one.own_command(seen, "add") if found.entry is None else None
    if command is not None:
        command = (*command, *argv)
    if one.dry:
        return replace(done, by=_shown(command), notes=tuple(one.notes))
    if command is not None:
        failed = one.run(command)
        after = files.read(one.path)
        if after.content is not None and _is_same(one.look(after).entry, entry):
            backup = files.back_up(seen) if after.content != seen.content else None
            changes.note(one, seen, backup, after.content, (), section=not found.section)
            return replace(done, by=_shown(command), backup=backup, notes=tuple(one.notes))
        one.fell_back(command, failed)
        seen = after
        with one.refusing():
            new = seen.encoded(one.client.form.put(seen.text, one.client.section, NAME, entry))
    backup = changes.put(one, seen, new, section=not found.section)
    return replace(done, backup=backup, notes=tuple(one.notes))


def _entry(
    one: Registration, found: Found, launch: tuple[str, ...], defaults: Mapping[str, str]
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the command to start and our entry for it; values that the user set in an existing entry stay."""
    words: list[Any] = list(launch)
    place = words.index("serve") + 1
    words[place:] = entries.with_defaults(entries.merged(behind_serve(found.entry) or (), words[place:]), defaults)
    entry = one.client.entry(words)
    if found.entry is not None:
        chosen = [*one.client.beside, *(() if one.client.listed or "type" in found.entry else ("type",))]
        entry = {name: value for name, value in entry.items() if name not in chosen}
    return tuple(map(str, words)), entry


def _refuse_foreign(one: Registration, found: Found) -> None:
    if found.entry is not None and not is_ours(found.entry):
        raise InvalidInput(
            f"{one.path}, line {found.line}: {_foreign(found)}, so it is not ours to change; "
            "give it another name, or remove it, and run this again (nothing was written)"
        )


def _foreign(found: Found) -> str:
    what = shlex.join(argv_of(found.entry)) or "no command of Indelible"
    return f"the server named {NAME} there runs {what[:200]}"


def _is_same(there: object, entry: dict[str, Any]) -> bool:
    return isinstance(there, dict) and all(
        there.get(name, "stdio" if name == "type" else None) == value for name, value in entry.items()
    )


def _shown(command: tuple[str, ...] | None) -> str | None:
    return shlex.join(command) if command else None


# --- Taking back ---


def take_back(one: Registration) -> Change:
    """Take our entry out; where nothing else changed since set-up, the file is what it was, to the byte.

    Then the backup of set-up goes too, since the file says the same again. An entry of our name that is none of ours
    stays. Raises as `set_up` does.
    """
    one = replace(one, data=data_of(one))
    return trying(one, lambda: _take_back(one))


def data_of(one: Registration) -> Path:
    """The data directory that our entry names, if it names one: set-up kept its ledger there."""
    named = named_data(one)
    return named if named is not None else one.data


def named_data(one: Registration) -> Path | None:
    """The data directory that our entry names, None where it names none."""
    entry = one.look(files.read(one.path)).entry
    named = entries.value_of(argv_of(entry), "--data") if is_ours(entry) else None
    place = Path(os.path.expanduser(named or ""))
    return place if place.is_absolute() else None


def named_database(one: Registration) -> tuple[str, ...]:
    """The flags of our entry that name a database and a tenant in it, () where it has none."""
    entry = one.look(files.read(one.path)).entry
    words = argv_of(entry) if is_ours(entry) else ()
    named = [(name, entries.value_of(words, name)) for name in ("--database", "--tenant")]
    return tuple(part for name, value in named if value is not None for part in (name, value))


def _take_back(one: Registration) -> Change:
    one.notes.clear()  # of an earlier try
    seen = files.read(one.path)
    found = one.look(seen)
    trace = ledger.trace_of(one.data, one.path)
    if not is_ours(found.entry):
        if found.entry is not None:
            one.notes.append(f"{_foreign(found)}, which is not Indelible's; it is kept")
        if not one.dry:
            changes.forget(one, seen, trace, seen.content)
        return one.change("absent")
    with one.refusing():
        prune = trace is not None and trace.section
        dropped = seen.encoded(one.client.form.drop(seen.text, one.client.section, NAME, prune))
    known, start = changes.start_of(one, seen, trace, dropped)
    new = start if known else dropped
    done = one.change("removed", was=shlex.join(argv_of(found.entry)), diff=unified(one.path, seen.content, new))
    command = one.own_command(seen, "remove")
    if one.dry:
        return replace(done, by=_shown(command), notes=tuple(one.notes))
    taken = _taken_by_command(one, command, seen, (known, start), trace) if command is not None else None
    backup = taken[0] if taken is not None else changes.restore(one, seen, new, trace)
    changes.forget(one, seen, trace, new)
    return replace(done, by=_shown(command) if taken else None, backup=backup, notes=tuple(one.notes))


def _taken_by_command(
    one: Registration,
    command: tuple[str, ...],
    seen: Snapshot,
    start: tuple[bool, bytes | None],
    trace: ledger.Trace | None,
) -> tuple[Path | None] | None:
    """Let the client's own command remove the entry: the backup in a tuple, or None where it did not do it."""
    failed = one.run(command)
    after = files.read(one.path)
    if one.look(after).entry is not None:
        if after.content != seen.content:
            raise Conflict(f"{one.path} was changed by `{shlex.join(command[:3])}`, but {NAME} is still in it")
        one.fell_back(command, failed)
        return None
    known, content = start
    if not known or not one.says_the_same(after, replace(after, content=content)):
        backup = files.back_up(seen)
    elif content is None:
        backup = None
        if after.content is not None:
            files.remove(after, tuple(map(Path, trace.made)) if trace else ())
    else:
        backup = None
        files.replace(after, content)
    return (backup,)
