"""The repository of the server's project: its fingerprint, and its similarity to others."""

import json
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from indelible.project import Location

if TYPE_CHECKING:
    from indelible.source.manifests.fingerprint import Fingerprint

# Imported late (start, cli): indelible.source.manifests.fingerprint, indelible.source.manifests.formats

GROUPS = ("languages", "frameworks", "patterns", "dependencies")
MOST_DEPENDENCIES = 100  # that are kept with a solution
AGE = 60.0  # seconds after which manifests below the top are looked at again


class Repository:
    """One process's knowledge of its repository. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: Fingerprint | None = None
        self._stamp: tuple[Any, ...] = ()
        self._until = 0.0
        self._alike: dict[str, float] = {}

    def fingerprint(self, location: Location | None) -> "Fingerprint | None":
        """Return the fingerprint of the project, None for a server without one; read again when its manifests changed.

        A change at the top is seen at once, one further down within a minute. A project that is a name without a
        directory, or a client's on another machine, has nothing but that name.
        """
        from indelible.source.manifests.fingerprint import Fingerprint, fingerprint

        if location is None:
            return None
        if not location.here or not os.path.isabs(location.path):
            return Fingerprint(location.path)
        with self._lock:
            stamp = (location, *_stamp(location.path))
            if self._known is None or stamp != self._stamp or time.monotonic() > self._until:
                known = _sampled(fingerprint(Path(location.path), location.origin))
                if known != self._known:
                    self._alike.clear()
                self._known, self._stamp, self._until = known, stamp, time.monotonic() + AGE
            return self._known

    def alike(self, location: Location | None, stored: Sequence[str]) -> list[float]:
        """Return the similarity (0..1) of the project to each of the stored fingerprints; 0 where either is missing."""
        from indelible.source.manifests.fingerprint import similarity

        own = self.fingerprint(location)
        if own is None:
            return [0.0] * len(stored)
        with self._lock:
            known = self._alike if own is self._known else {}  # a project that has just changed
            for text in stored:
                if text not in known:
                    other = parsed(text)
                    known[text] = 0.0 if other is None else similarity(own, other)
            return [known[text] for text in stored]


def as_json(fingerprint: "Fingerprint") -> dict[str, Any]:
    """Return a fingerprint as it is stored with a record; `parsed` reads it back."""
    return {name: list(value) if name in GROUPS else value for name, value in asdict(fingerprint).items()}


def parsed(stored: str) -> "Fingerprint | None":
    """Return the fingerprint in JSON, None for invalid JSON: an import may bring anything."""
    from indelible.source.manifests.fingerprint import Fingerprint

    if not stored:
        return None
    found = json.loads(stored)
    if not isinstance(found, dict):
        return None
    groups = {group: _texts(found.get(group)) for group in GROUPS}
    return Fingerprint(str(found.get("name", "")), **groups)


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(sorted(each for each in value if isinstance(each, str))) if isinstance(value, list) else ()


def _sampled(whole: "Fingerprint") -> "Fingerprint":
    """Return it with at most the kept number of dependencies, the same names in every repository (bottom-k sample)."""
    if len(whole.dependencies) <= MOST_DEPENDENCIES:
        return whole
    kept = sorted(whole.dependencies, key=lambda name: (crc32(name.encode()), name))[:MOST_DEPENDENCIES]
    return replace(whole, dependencies=tuple(sorted(kept)))


def _stamp(path: str) -> list[tuple[str, int, int]]:
    """Return name, time and size of each manifest at the top, which show whether one changed."""
    from indelible.source.manifests.formats import is_manifest

    try:
        with os.scandir(path) as entries:
            return sorted(_figures(entry) for entry in entries if is_manifest(entry.name))
    except OSError:  # deleted, or not ours to read: the fingerprint is that of an empty folder
        return []


def _figures(entry: os.DirEntry[str]) -> tuple[str, int, int]:
    try:
        stat = entry.stat()
    except OSError:  # a link to nothing
        return entry.name, 0, 0
    return entry.name, stat.st_mtime_ns, stat.st_size
