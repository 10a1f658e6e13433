"""The ledger: the state of each file before set-up changed it, so that it can be restored byte for byte.

One small file in the data directory. It holds no content: digests, names of backups, and which directories were made.
Without it, or where a file was changed since, only our entry is taken out.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from indelible.cli.setup import files
from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput, StoreError
from indelible.filesystem import FileLock

FILE = "registrations.json"
LOCK = "registrations.lock"
MADE = "made"  # beside the files: the directories that were made for the ledger itself, outermost first
TRIES = 100  # while others who leave take the directory or the lock away


@dataclass(frozen=True, slots=True)
class Trace:
    """A file before and after: `start` is the digest of its first bytes and `backup` holds them (None: no file).

    `after` is the digest of what set-up left; `made` the directories that it made, outermost first; `section` and
    `hooks` whether it made the section of servers and that of hooks.
    """

    start: str | None
    backup: str | None
    after: str
    made: tuple[str, ...] = ()
    section: bool = False
    hooks: bool = False


def trace_of(data: Path, path: Path) -> Trace | None:
    """Return the ledger's entry for a file, None where there is none."""
    try:
        found = _parsed(files.read(data / FILE).content).get(str(path))
        return Trace(**{**found, "made": tuple(found["made"])}) if found else None
    except (TypeError, KeyError, InvalidInput):  # of another version, or unreadable: only our entry is taken out
        return None


@contextmanager
def held(data: Path) -> Iterator[None]:
    """Let no other set-up on this data directory work meanwhile; where it cannot be locked, go on without.

    Who leaves when nothing is registered any more takes the lock with him, and the directory if it was made for this.
    """
    made: list[str] = []
    lock = None
    with suppress(OSError, StoreError):
        lock = _locked(data, made)
    try:
        if lock is not None and made:
            _note_made(data, made)
        yield
    finally:
        if lock is not None:
            _leave(data, lock)


def _locked(data: Path, made: list[str]) -> FileLock | None:
    """The lock, taken; None where others kept taking it away. The directories that had to be made go into `made`."""
    path = data / LOCK
    for _ in range(TRIES):
        missing = [str(place) for place in (data, *data.parents) if not place.exists()]
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        made += [place for place in reversed(missing) if place not in made]
        with suppress(FileNotFoundError), open(path, "ab", opener=_private) as seen:
            lock = _acquired(path)
            with suppress(FileNotFoundError):
                # No other file can have the number of one that is open: if it still stands there, that is locked.
                if os.path.samestat(os.fstat(seen.fileno()), path.stat()):
                    return lock
            lock.release()
    return None


def _acquired(path: Path) -> FileLock:
    """The lock, waited for. FileNotFoundError where its directory went away, StoreError where it cannot be locked."""
    lock = FileLock(path)
    try:
        lock.acquire()
    except StoreError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise error.__cause__ from None
        raise
    return lock


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _note_made(data: Path, made: list[str]) -> None:
    """Keep in mind which directories are ours; where that cannot be written they stay."""
    with suppress(InvalidInput, Conflict):
        seen = files.read(data / FILE)
        kept = _parsed(seen.content)
        files.replace(seen, json.dumps({**kept, MADE: [*kept.get(MADE, []), *made]}, indent=1).encode())


def _leave(data: Path, lock: FileLock) -> None:
    """Release the lock; where the ledger holds no file, remove both and the empty directories that were made."""
    try:
        kept = _parsed(files.read(data / FILE).content)
        if set(kept) <= {MADE}:
            (data / FILE).unlink(missing_ok=True)
            if os.name == "nt":
                lock.release()  # an open file cannot be removed there, so nobody else has it when it can
            (data / LOCK).unlink(missing_ok=True)
            for place in reversed(kept.get(MADE, [])):
                Path(place).rmdir()
    except (OSError, InvalidInput):  # something else is in it by now, or it is not ours to remove: it stays
        return
    finally:
        lock.release()


def keep(data: Path, path: Path, trace: Trace | None) -> None:
    """Remember, or with None forget, what a file was. InvalidInput or Conflict if that cannot be written."""
    seen = files.read(data / FILE)
    kept = _parsed(seen.content)
    if trace is None:
        if kept.pop(str(path), None) is None:
            return
    else:
        kept[str(path)] = asdict(trace)
    files.replace(seen, json.dumps(kept, indent=1).encode())


def hand_on(data: Path, made: Iterable[str]) -> None:
    """Let another file of the ledger take away the directories that were made and hold that file still.

    InvalidInput or Conflict if that cannot be written.
    """
    seen = files.read(data / FILE)
    kept = _parsed(seen.content)
    changed = False
    for place in reversed([place for place in made if Path(place).is_dir()]):
        for path, trace in kept.items():
            if path != MADE and Path(os.path.realpath(path)).is_relative_to(place):
                trace["made"] = [place, *trace["made"]]
                changed = True
                break
    if changed:
        files.replace(seen, json.dumps(kept, indent=1).encode())


def start_of(trace: Trace | None) -> bytes | None:
    """The first bytes of a file, None where there was no file or its backup is gone or changed."""
    if trace is None or trace.backup is None:
        return None
    content = files.read(Path(trace.backup)).content
    return content if content is not None and files.digest(content) == trace.start else None


def _parsed(content: bytes | None) -> dict[str, Any]:
    try:
        kept = json.loads(content) if content else {}
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}
