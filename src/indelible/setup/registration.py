"""Registering Indelible with a client and taking that back.

The client's own command is used where the file has nothing that such a command would lose: it is as a program writes
it (JSON), or holds no other server (TOML). Claude Code formats its files anew; Codex writes all its servers anew,
without their comments and the keys it does not know (openai/codex#45432). Everywhere else, and to change an entry that
is there, the file is edited.
"""

import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from indelible.errors import Conflict, InvalidInput
from indelible.setup import files, flags, ledger, process
from indelible.setup.clients import NAME, Client, Surroundings, argv_of, behind_serve, is_ours
from indelible.setup.differences import unified
from indelible.setup.files import Snapshot
from indelible.setup.formats import Found, Unsure

PATIENCE = 30.0  # seconds for a client's own command
TRIES = 3  # while another program changes the file


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to a client's file, or with `dry` what would be.

    `action` is added, changed, removed, unchanged (set up already) or absent (nothing to take back). `by` is the
    client's own command where that did it. `was` is the command line that stood there before, `starts` the one that
    stands there now. `diff` is a unified one.
    """

    client: Client
    scope: str
    path: Path
    action: str
    dry: bool = False
    by: str | None = None
    was: str | None = None
    starts: str | None = None
    backup: Path | None = None
    diff: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Registration:
    """The entry of one client in one scope; `data` is the directory where the ledger is kept."""

    client: Client
    scope: str
    path: Path
    around: Surroundings
    data: Path
    dry: bool = False
    notes: list[str] = field(default_factory=list)

    # --- What both ways need ---

    def look(self, seen: Snapshot) -> Found:
        """What is in the file. InvalidInput, with file, line and remedy, where that cannot be told."""
        with self.refusing():
            return self.client.form.look(seen.text, self.client.section, NAME)

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Turn a doubt into InvalidInput."""
        try:
            yield
        except Unsure as doubt:
            raise InvalidInput(
                f"{self.path}, line {doubt.line}: {doubt.what}; mend that and run it again (nothing was written)"
            ) from doubt

    def change(self, action: str, **more: Any) -> Change:
        """The report of what was done."""
        return Change(self.client, self.scope, self.path, action, self.dry, notes=tuple(self.notes), **more)

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
            self.notes.append(
                f"edited the file: `{' '.join(words[:3])}` would write it anew and lose what is yours in it"
            )
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


def _trying(one: Registration, work: Callable[[], Change]) -> Change:
    """Do it, again where another program changed the file meanwhile."""
    with nullcontext() if one.dry else ledger.held(one.data):
        return _tried(work)


def _tried(work: Callable[[], Change]) -> Change:
    for _ in range(TRIES - 1):
        try:
            return work()
        except Conflict:
            continue
    return work()


# --- Setting up ---


def set_up(one: Registration, launch: tuple[str, ...]) -> Change:
    """Register a command line, or change the one that is registered.

    Of an entry of ours its other keys stay, and behind `serve` every word but the flags that `launch` gives.
    InvalidInput where the file cannot be read or an entry of our name is not ours; Conflict while it keeps changing.
    """
    if flags.value_of(launch, "--data") is None:
        one = replace(one, data=_data_of(one))
    return _trying(one, lambda: _set_up(one, launch))


def _set_up(one: Registration, launch: tuple[str, ...]) -> Change:
    one.notes.clear()  # of an earlier try
    seen = files.read(one.path)
    found = one.look(seen)
    _refuse_foreign(one, found)
    entry = _entry(one, found, launch)
    if _is_same(found.entry, entry):
        return one.change("unchanged")
    with one.refusing():
        new = seen.encoded(one.client.form.put(seen.text, one.client.section, NAME, entry))
    done = one.change(
        "added" if found.entry is None else "changed",
        was=shlex.join(argv_of(found.entry)) or None,
        starts=shlex.join(argv_of(entry)),
        diff=unified(one.path, seen.content, new),
    )
    command = one.own_command(seen, "add") if found.entry is None else None
    if command is not None:
        command = (*command, entry["command"], *entry["args"])
    if one.dry:
        return replace(done, by=_shown(command), notes=tuple(one.notes))
    if command is not None:
        failed = one.run(command)
        after = files.read(one.path)
        if after.content is not None and _is_same(one.look(after).entry, entry):
            backup = files.back_up(seen) if after.content != seen.content else None
            _note(one, seen, found, backup, after.content, ())
            return replace(done, by=_shown(command), backup=backup, notes=tuple(one.notes))
        one.fell_back(command, failed)
        seen = after
        with one.refusing():
            new = seen.encoded(one.client.form.put(seen.text, one.client.section, NAME, entry))
    made = files.make_parents(one.path)
    backup = _write(seen, new, keep=not _is_known(one, seen))
    _note(one, seen, found, backup, new, made)
    return replace(done, backup=backup, notes=tuple(one.notes))


def _entry(one: Registration, found: Found, launch: tuple[str, ...]) -> dict[str, Any]:
    """What is to stand in the file: our entry, with what the user gave the server in the one that is there."""
    entry: dict[str, Any] = one.client.entry(launch)
    if found.entry is None:
        return entry
    if "type" not in found.entry:
        entry.pop("type", None)
    kept = behind_serve(found.entry)
    if kept is not None:
        place = entry["args"].index("serve") + 1
        entry["args"][place:] = flags.merged(kept, entry["args"][place:])
    return entry


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


def _is_known(one: Registration, seen: Snapshot) -> bool:
    """Is the file as set-up left it, and what it was before not lost?"""
    return _start(one, seen, ledger.trace_of(one.data, one.path))[0]


def _write(seen: Snapshot, content: bytes, keep: bool = True) -> Path | None:
    """Replace a file, and keep a backup of what was there."""
    backup = files.back_up(seen) if keep else None
    try:
        files.replace(seen, content)
    except (Conflict, InvalidInput):
        if backup is not None:
            backup.unlink()
        raise
    return backup


def _note(
    one: Registration, seen: Snapshot, found: Found, backup: Path | None, after: bytes, made: tuple[Path, ...]
) -> None:
    """Keep in the ledger what is needed to take the change back."""
    before = ledger.trace_of(one.data, one.path)
    digest = files.digest(after)
    if before is not None and seen.content is not None and before.after == files.digest(seen.content):
        trace = replace(before, after=digest)
    else:
        trace = ledger.Trace(
            start=None if seen.content is None else files.digest(seen.content),
            backup=str(backup) if backup else None,
            after=digest,
            made=tuple(map(str, made)),
            section=before.section if before and found.entry is not None else not found.section,
        )
    _remember(one, trace)


def _remember(one: Registration, trace: ledger.Trace | None) -> None:
    """Write the ledger; the file itself is done already, so that it cannot be written is only said."""
    try:
        ledger.keep(one.data, one.path, trace)
    except (InvalidInput, Conflict) as error:
        one.notes.append(f"what the file was before cannot be kept in mind: {error}")


# --- Taking back ---


def take_back(one: Registration) -> Change:
    """Take our entry out; where nothing else changed since set-up, the file is what it was, to the byte.

    Then the backup of set-up goes too, since the file says the same again. An entry of our name that is none of ours
    stays. Raises as `set_up` does.
    """
    one = replace(one, data=_data_of(one))
    return _trying(one, lambda: _take_back(one))


def _data_of(one: Registration) -> Path:
    """The data directory that our entry names, if it names one: set-up kept its ledger there."""
    entry = one.look(files.read(one.path)).entry
    named = flags.value_of(argv_of(entry), "--data") if is_ours(entry) else None
    place = Path(os.path.expanduser(named or ""))
    return place if place.is_absolute() else one.data


def _take_back(one: Registration) -> Change:
    one.notes.clear()  # of an earlier try
    seen = files.read(one.path)
    found = one.look(seen)
    trace = ledger.trace_of(one.data, one.path)
    if not is_ours(found.entry):
        if found.entry is not None:
            one.notes.append(f"{_foreign(found)}, which is none of ours; it stays")
        if not one.dry:
            _remember(one, None)
            _part_with_backup(one, trace)
        return one.change("absent")
    known, start = _start(one, seen, trace)
    if known:
        new = start
    else:
        with one.refusing():
            prune = trace is not None and trace.section
            new = seen.encoded(one.client.form.drop(seen.text, one.client.section, NAME, prune))
    done = one.change("removed", was=shlex.join(argv_of(found.entry)), diff=unified(one.path, seen.content, new))
    command = one.own_command(seen, "remove")
    if one.dry:
        return replace(done, by=_shown(command), notes=tuple(one.notes))
    taken = _taken_by_command(one, command, seen, (known, start), trace) if command is not None else None
    backup = taken[0] if taken is not None else _restore(seen, new, trace, keep=not known)
    _remember(one, None)
    _part_with_backup(one, trace)
    return replace(done, by=_shown(command) if taken else None, backup=backup, notes=tuple(one.notes))


def _part_with_backup(one: Registration, trace: ledger.Trace | None) -> None:
    """Remove the backup of set-up where the file is what it holds; where it is not, say where the backup is."""
    if trace is None or trace.backup is None:
        return
    try:
        backup, now = files.read(Path(trace.backup)), files.read(one.path)
        if backup.content is None:
            return
        if backup.content == now.content:
            files.remove(backup, ())
        else:
            one.notes.append(f"as it was before set-up: {backup.path}")
    except (InvalidInput, Conflict) as error:
        one.notes.append(f"the backup of set-up stays: {error}")


def _start(one: Registration, seen: Snapshot, trace: ledger.Trace | None) -> tuple[bool, bytes | None]:
    """What the file was before set-up, if that is known and nothing changed since; (True, None) for no file."""
    if trace is None or seen.content is None or files.digest(seen.content) != trace.after:
        return False, None
    if trace.start is None:
        return True, None
    start = ledger.start_of(trace)
    if start is None:
        return False, None
    before = replace(seen, content=start)
    return (one.look(before).entry is None, start)


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
    if not known or not _says_the_same(one, after, content):
        backup = files.back_up(seen)
    elif content is None:
        backup = None
        if after.content is not None:
            files.remove(after, tuple(map(Path, trace.made)) if trace else ())
    else:
        backup = None
        files.replace(after, content)
    return (backup,)


def _says_the_same(one: Registration, now: Snapshot, content: bytes | None) -> bool:
    """Is nothing in a file that was not in its first bytes, and nothing missing?"""
    with one.refusing():
        first = replace(now, content=content).text
        return one.client.form.same_but_for(now.text, first, one.client.section, NAME)


def _restore(seen: Snapshot, content: bytes | None, trace: ledger.Trace | None, keep: bool) -> Path | None:
    """Put other bytes there, or with None remove the file, which holds nothing but ours; the backup if one is kept."""
    if content is not None:
        return _write(seen, content, keep)
    files.remove(seen, tuple(map(Path, trace.made)) if trace else ())
    return None
