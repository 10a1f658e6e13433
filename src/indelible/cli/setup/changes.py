"""Changing a file of a client and taking that back: what set-up puts there may be an entry, hooks, or both in one file.

Each is a part. The ledger knows of a file what it was before the first part and what set-up left; where nothing else
changed since, the first bytes go back when the last part goes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from indelible.cli.setup import files, ledger
from indelible.cli.setup.clients import Client
from indelible.cli.setup.files import Snapshot
from indelible.cli.setup.formats import Unsure
from indelible.cli.setup.surroundings import Surroundings
from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput

TRIES = 3  # while another program changes the file
SERVER = "server"
HOOKS = "hooks"
SKILL = "skill"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a client's file, done or, with `dry`, planned.

    `part` is server, hooks or skill. `action` is added, changed, removed, unchanged (already set up) or absent (nothing
    to take back). `by` is the client's own command where that did it. `was` is the command line that stood there
    before, `starts` the one that stands there now; `events` are the client's names of when hooks run. `diff` is a
    unified one.
    """

    client: Client
    scope: str
    path: Path
    action: str
    part: str = SERVER
    dry: bool = False
    by: str | None = None
    was: str | None = None
    starts: str | None = None
    events: tuple[str, ...] = ()
    backup: Path | None = None
    diff: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part(ABC):
    """A part that set-up writes into one file of a client; `data` is the directory of the ledger."""

    client: Client
    scope: str
    path: Path
    around: Surroundings
    data: Path
    dry: bool = False
    notes: list[str] = field(default_factory=list)

    kind = SERVER

    @property
    def mode(self) -> int:
        """Return the mode of a file that is new."""
        return 0o666

    @abstractmethod
    def is_in(self, seen: Snapshot) -> bool:
        """Is this part of ours in the file. InvalidInput, with file, line and remedy, where that cannot be told."""

    @abstractmethod
    def has_company(self, seen: Snapshot) -> bool:
        """Is another part of ours in the file."""

    @abstractmethod
    def says_the_same(self, one: Snapshot, other: Snapshot) -> bool:
        """Do two contents say the same, apart from this part."""

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Turn a doubt into InvalidInput."""
        try:
            yield
        except Unsure as doubt:
            raise InvalidInput(
                f"{self.path}, line {doubt.line}: {doubt.what}; fix that and run it again (nothing was written)"
            ) from doubt

    def change(self, action: str, **more: Any) -> Change:
        """The report of what was done."""
        return Change(self.client, self.scope, self.path, action, self.kind, self.dry, notes=tuple(self.notes), **more)


def trying(one: Part, work: Callable[[], Change]) -> Change:
    """Do it, again where another program changed the file meanwhile; no other set-up works on the ledger."""
    with nullcontext() if one.dry else ledger.held(one.data):
        for _ in range(TRIES - 1):
            try:
                return work()
            except Conflict:
                continue
        return work()


# --- Putting in ---


def write(seen: Snapshot, content: bytes, keep: bool = True, mode: int = 0o666) -> Path | None:
    """Replace a file, and keep a backup of what was there; a new one gets a mode."""
    backup = files.back_up(seen) if keep else None
    try:
        files.replace(seen, content, mode)
    except (Conflict, InvalidInput):
        if backup is not None:
            backup.unlink()
        raise
    return backup


def put(one: Part, seen: Snapshot, content: bytes, **sections: bool) -> Path | None:
    """Write what a part makes of a file, with a backup unless the first one is still good; keep it in the ledger."""
    made = files.make_parents(one.path)
    known, _ = start_of(one, seen, ledger.trace_of(one.data, one.path))
    backup = write(seen, content, keep=not known, mode=one.mode)
    note(one, seen, backup, content, made, **sections)
    return backup


def note(
    one: Part, seen: Snapshot, backup: Path | None, after: bytes, made: tuple[Path, ...], **sections: bool
) -> None:
    """Keep in the ledger what is needed to take the change back; `sections` are those that it made."""
    before = ledger.trace_of(one.data, one.path)
    digest = files.digest(after)
    made_now: dict[str, Any] = {name: True for name, value in sections.items() if value}
    if before is not None and seen.content is not None and before.after == files.digest(seen.content):
        trace = replace(before, after=digest, **made_now)
    else:
        kept = {name: getattr(before, name) for name in ("section", "hooks")} if before and one.is_in(seen) else {}
        trace = ledger.Trace(
            start=None if seen.content is None else files.digest(seen.content),
            backup=str(backup) if backup else None,
            after=digest,
            made=tuple(map(str, made)),
            **{**kept, **made_now},
        )
    remember(one, trace)


def remember(one: Part, trace: ledger.Trace | None) -> None:
    """Write the ledger; the file itself is done already, so that it cannot be written is only said."""
    before = ledger.trace_of(one.data, one.path)
    try:
        ledger.keep(one.data, one.path, trace)
        if trace is None and before is not None:
            ledger.hand_on(one.data, before.made)
    except (InvalidInput, Conflict) as error:
        one.notes.append(f"the previous state of the file cannot be recorded: {error}")


# --- Taking back ---


def start_of(
    one: Part, seen: Snapshot, trace: ledger.Trace | None, without: bytes | None = None
) -> tuple[bool, bytes | None]:
    """Return the file's state before set-up, if it is known and nothing changed since; (True, None) for no file.

    With `without`, the file without the part, it must also say nothing else than that: another part may be left.
    """
    if trace is None or seen.content is None or files.digest(seen.content) != trace.after:
        return False, None
    if trace.start is None:
        return without is None or not one.has_company(seen), None
    start = ledger.start_of(trace)
    if start is None:
        return False, None
    before = replace(seen, content=start)
    same = without is None or one.says_the_same(before, replace(seen, content=without))
    return (same and not one.is_in(before), start)


def restore(one: Part, seen: Snapshot, content: bytes | None, trace: ledger.Trace | None) -> Path | None:
    """Put other bytes there, or with None remove the file, which holds nothing but ours; the backup if one is made."""
    if content is not None:
        return write(seen, content, keep=not start_of(one, seen, trace)[0])
    files.remove(seen, tuple(map(Path, trace.made)) if trace else ())
    return None


def forget(one: Part, seen: Snapshot, trace: ledger.Trace | None, left: bytes | None) -> None:
    """Part with what the ledger knows of a file, unless another part of ours is in what was left there."""
    if left is not None and one.has_company(replace(seen, content=left)):
        if trace is not None and seen.content is not None and trace.after == files.digest(seen.content):
            remember(one, replace(trace, after=files.digest(left)))
        return
    remember(one, None)
    _part_with_backup(one, trace)


def _part_with_backup(one: Part, trace: ledger.Trace | None) -> None:
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
        one.notes.append(f"the backup of set-up is kept: {error}")
