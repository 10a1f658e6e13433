"""Purging the files beside the store: waiting writes, unfinished files, copies of dry runs."""

import json
import os
import shutil
import stat
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from indelible import filesystem
from indelible.admin import dry_run
from indelible.admin.erasure import Found, Selection, spellings
from indelible.dataclass import dataclass
from indelible.errors import StoreError
from indelible.filesystem import FileLock, sync_directory
from indelible.sanitize.redact import Finding, redact
from indelible.sanitize.secret_spans import redact_text
from indelible.settings import Settings

UNFINISHED = 10.0  # seconds after which nobody writes a file any more that takes milliseconds
PATIENCE = 30.0  # seconds for a client that replays
WRITES = ("*.json", "*.unreadable")  # a write of a client, and what stood in the place of one
LEAST = 4  # characters of a text by which a damaged file is known


@dataclass(frozen=True, slots=True)
class Wanted:
    """The criteria for waiting writes: a time in nanoseconds, ids, names of a namespace, whole texts, spools."""

    before: int
    spelled: frozenset[str]
    names: frozenset[str]
    texts: frozenset[str]
    spools: frozenset[str]


def wanted(settings: Settings, selection: Selection, found: Found, names: Collection[str]) -> Wanted:
    """Return the criteria for the writes of a selection."""
    data, place = settings.data, settings.place if settings.database else ""
    ids = spellings(found.names | selection.records) if selection.what == "record" else set()
    spools = {filesystem.spool_of(data, filesystem.target_of(data, name, place)).name for name in names}
    texts = frozenset(found.texts)
    return Wanted(selection.before * 1_000, frozenset(ids), frozenset(names), texts, frozenset(spools))


def waiting(data: Path, what: Wanted) -> list[Path]:
    """Return the files of clients' writes that match: waiting ones, and those that a server refused."""
    return [path for spool in _spools(data) for path in _of_spool(spool, what)]


def _spools(data: Path) -> list[Path]:
    folder = data / filesystem.FOLDER
    return sorted(each for each in folder.iterdir() if each.is_dir()) if folder.is_dir() else []


def _of_spool(spool: Path, what: Wanted) -> Iterator[Path]:
    for folder in ("new", "cur", "refused"):
        for path in sorted(path for kind in WRITES for path in (spool / folder).glob(kind)):
            text = _content(path)
            if text is not None and _concerns(path, text, what, spool.name in what.spools):
                yield path


def _content(path: Path) -> bytes | None:
    """Return the content of a file; None if it was removed (replayed) or is a link or pipe. Raises StoreError."""
    try:
        return path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(
            f"{path} cannot be read ({error.strerror}), so that nobody can say whether it is of what goes; make it "
            "readable, or remove it"
        ) from error


def _concerns(path: Path, text: bytes, what: Wanted, is_of_project: bool) -> bool:
    try:
        entry = json.loads(text)
        arguments = entry["arguments"]
        at = int(entry.get("time") or path.name.partition("-")[0])
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        decoded = text.decode(errors="replace")
        return is_of_project or any(len(each) >= LEAST and each in decoded for each in (*what.names, *what.texts))
    if at < what.before or not what.names.isdisjoint(_strings(arguments)):
        return True
    if is_of_project and not (isinstance(arguments, dict) and arguments.get("namespace")):
        return True
    return not (what.spelled | what.texts).isdisjoint(_strings(arguments))


def _strings(value: Any) -> Iterator[str]:
    """Yield every string and integer in a value, at any depth, as text."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)


def forget_waiting(data: Path, what: Wanted) -> int:
    """Remove the matching writes while no client replays, which could bring one back; return how many.

    Raises StoreError if a client replays for too long, or a file cannot be removed.
    """
    removed = 0
    for spool in _spools(data):
        lock = FileLock(spool / "lock")
        until = time.monotonic() + PATIENCE
        while not lock.try_acquire():
            if time.monotonic() > until:
                raise StoreError(f"a client is replaying the writes in {spool}; purge again when it is done")
            time.sleep(0.05)
        try:
            _sweep(spool / "tmp")
            for path in _of_spool(spool, what):
                path.unlink(missing_ok=True)
                removed += 1
        except OSError as error:
            raise StoreError(f"{spool} cannot be purged: {error}; make it writable") from error
        finally:
            lock.release()
    return removed


def mend_waiting(data: Path) -> None:
    """Redact secrets in the waiting writes, while no client replays. Raises StoreError."""
    for spool in _spools(data):
        lock = FileLock(spool / "lock")
        until = time.monotonic() + PATIENCE
        while not lock.try_acquire():
            if time.monotonic() > until:
                raise StoreError(f"a client is replaying the writes in {spool}; run it again when that is done")
            time.sleep(0.05)
        try:
            _sweep(spool / "tmp")
            for folder in ("new", "cur", "refused"):
                for path in sorted(path for kind in WRITES for path in (spool / folder).glob(kind)):
                    _mend(path)
        except OSError as error:
            raise StoreError(f"{spool} cannot be rewritten: {error}; make it writable") from error
        finally:
            lock.release()


def mend_events(inbox: Path) -> None:
    """Redact secrets in events of hooks, unreadable ones included. Raises StoreError."""
    try:
        for folder in ("new", "cur", "bad"):
            for path in sorted((inbox / "spool" / folder).glob("*")):
                _mend(path)
    except OSError as error:
        raise StoreError(f"{inbox / 'spool'} cannot be rewritten: {error}; make it writable") from error


def _mend(path: Path) -> None:
    """Write a file anew without the secrets in it; one that is not JSON has them taken out of its text."""
    content = _content(path)
    if content is None:
        return
    try:
        clean, found = redact(json.loads(content), "")
        text = json.dumps(clean, ensure_ascii=False)
    except (ValueError, RecursionError):
        text, counts = redact_text(content.decode(errors="replace"))
        found = [Finding(rule, "", count) for rule, count in counts.items()]
    if found:
        fresh = path.with_name(f".{path.name}.mended")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(text.encode(errors="surrogatepass"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
        sync_directory(path.parent)


def _sweep(folder: Path) -> None:
    """Remove abandoned unfinished files."""
    for path in folder.glob("*"):
        try:
            if time.time() - path.lstat().st_mtime > UNFINISHED:
                path.unlink()
        except FileNotFoundError:  # it is finished
            continue


def unfinished_events(inbox: Path) -> None:
    """Remove unfinished files of hooks that died. Raises StoreError."""
    try:
        _sweep(inbox / "spool" / "tmp")
    except OSError as error:
        raise StoreError(f"{inbox / 'spool' / 'tmp'} cannot be purged: {error}; make it writable") from error


def set_aside(inbox: Path, selection: Selection, names: Collection[str], found: Found) -> list[Path]:
    """Return the unreadable events that may belong to the selection, by their time or their content."""
    known = [each for each in (*names, *found.texts, *(key for _, key in found.names)) if len(each) >= LEAST]
    patterns = [json.dumps(each, ensure_ascii=escaped)[1:-1].encode() for each in known for escaped in (True, False)]
    return [
        path
        for path in sorted((inbox / "spool" / "bad").glob("*"))
        if _time_of(path) < selection.before or _has_any(path, patterns)
    ]


def _time_of(path: Path) -> int:
    """When an event was written, in microseconds since 1970."""
    digits = path.name.partition("-")[0]
    return int(digits) // 1_000 if digits.isdecimal() else int(path.lstat().st_mtime * 1_000_000)


def _has_any(path: Path, patterns: Collection[bytes]) -> bool:
    text = _content(path)
    return text is not None and any(each in text for each in patterns)


def remove(paths: Collection[Path]) -> None:
    """Remove files. Raises StoreError."""
    try:
        for path in paths:
            path.unlink(missing_ok=True)
        for folder in {path.parent for path in paths}:
            sync_directory(folder)
    except OSError as error:
        raise StoreError(f"{error.filename} cannot be removed: {error.strerror}; remove it") from error


def copies(data: Path) -> list[Path]:
    """Return the copies of the store made by dry runs, also those of killed processes."""
    return sorted(data.glob(f"{dry_run.PREFIX}*"))


def forget_copies(data: Path) -> None:
    """Remove them. Raises StoreError."""
    for copy in copies(data):
        try:
            shutil.rmtree(copy)
        except FileNotFoundError:  # its dry run ended
            continue
        except OSError as error:
            raise StoreError(f"{copy} cannot be removed: {os.strerror(error.errno or 0)}; remove it") from error
