"""The journal of a purge: a file beside the store until the purge is done, so that it continues after a crash."""

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from indelible.admin.erasure import Selection
from indelible.dataclass import dataclass
from indelible.errors import StoreError
from indelible.filesystem import sync_directory
from indelible.settings import Settings

NAME = "purge.json"


@dataclass(frozen=True, slots=True)
class Journal:
    """The selections that are not purged everywhere yet, and the backups that are free of all of them."""

    selections: tuple[Selection, ...] = ()
    clean: tuple[str, ...] = ()


def path_of(settings: Settings) -> Path:
    """Return the journal's path for a store; one data directory may serve several tenants and databases."""
    if not settings.database:
        return settings.data / NAME
    digest = hashlib.sha256(settings.place.encode()).hexdigest()[:16]
    return settings.data / f"purge-{digest}.json"


def is_there(path: Path) -> bool:
    """Return whether there is an unfinished purge."""
    return path.exists()


def read(path: Path) -> Journal:
    """Return the journal; empty if there is no file. Raises StoreError for an unreadable file."""
    try:
        fields = json.loads(path.read_bytes())
        selections = tuple(map(_selection, fields["selections"]))
        return Journal(selections, tuple(fields["clean"]))
    except FileNotFoundError:
        return Journal()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"{path} says what an interrupted purge has still to do, and cannot be read "
            f"({type(error).__name__}); remove it and repeat the same purge"
        ) from error


def write(path: Path, journal: Journal) -> None:
    """Write the journal durably. Raises StoreError."""
    fields = {"v": 1, "selections": [_fields_of(each) for each in journal.selections], "clean": list(journal.clean)}
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(json.dumps(fields, ensure_ascii=False).encode(errors="surrogatepass"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
        sync_directory(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}; nothing was purged by this step") from error


def remove(path: Path) -> None:
    """Remove the journal of a finished purge. Raises StoreError."""
    try:
        for each in (path, path.with_name(f"{path.name}.unfinished")):
            each.unlink(missing_ok=True)
        sync_directory(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be removed: {error.strerror}; remove it") from error


def _fields_of(selection: Selection) -> dict[str, object]:
    lists = {name: sorted(value) for name, value in asdict(selection).items() if isinstance(value, frozenset)}
    return {**asdict(selection), **lists}


def _selection(fields: dict[str, Any]) -> Selection:
    pairs = {name: frozenset((kind, key) for kind, key in fields[name]) for name in ("records", "hashes")}
    sets = {name: frozenset(fields[name]) for name in ("names", "sessions", "captured", "blocks")}
    return Selection(**{**fields, **sets, **pairs})
