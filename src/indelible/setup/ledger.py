"""What set-up found before it changed a file, so that it can be taken back to the byte.

One small file in the data directory. It holds no content: digests, names of backups, and which directories were made.
Without it, or where a file was changed since, only our entry is taken out.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from indelible.errors import InvalidInput, StoreError
from indelible.setup import files
from indelible.store.places import FileLock

FILE = "registrations.json"
LOCK = "registrations.lock"


@dataclass(frozen=True, slots=True)
class Trace:
    """A file before and after: `start` is the digest of its first bytes and `backup` holds them (None: no file).

    `after` is the digest of what set-up left; `made` the directories that it made, outermost first; `section` whether
    it made the section.
    """

    start: str | None
    backup: str | None
    after: str
    made: tuple[str, ...] = ()
    section: bool = False


def trace_of(data: Path, path: Path) -> Trace | None:
    """What is known of a file."""
    try:
        found = _parsed(files.read(data / FILE).content).get(str(path))
        return Trace(**{**found, "made": tuple(found["made"])}) if found else None
    except (TypeError, KeyError, InvalidInput):  # of another version, or unreadable: only our entry is taken out
        return None


@contextmanager
def held(data: Path) -> Iterator[None]:
    """Let no other set-up on this data directory work meanwhile; where it cannot be locked, go on without."""
    with ExitStack() as stack:
        with suppress(OSError, StoreError):
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
            stack.enter_context(FileLock(data / LOCK))
        yield


def keep(data: Path, path: Path, trace: Trace | None) -> None:
    """Remember, or with None forget, what a file was. InvalidInput or Conflict if that cannot be written."""
    seen = files.read(data / FILE)
    kept = _parsed(seen.content)
    if trace is None:
        if kept.pop(str(path), None) is None:
            return
    else:
        kept[str(path)] = asdict(trace)
    if kept:
        files.replace(seen, json.dumps(kept, indent=1).encode())
    elif seen.content is not None:
        files.remove(seen, ())


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
