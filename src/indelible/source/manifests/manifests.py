"""The manifests of a source tree, and the names of the files near its top."""

import os
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from indelible.dataclass import dataclass
from indelible.source.manifests.formats import is_manifest, parse
from indelible.source.manifests.values import Manifest

MAX_BYTES = 512 * 1024  # of one manifest
MAX_MANIFESTS = 200
MAX_ENTRIES = 20_000  # of all folders below the top; the top is read whole
MAX_DEPTH = 3  # folders below the top: group/package/src

# Folders of vendored code, build output, tests and examples: a manifest in one says nothing of the tree.
_PASSED_OVER = frozenset(
    """node_modules bower_components vendor third_party third-party extern external deps target dist build out bin obj
    venv env virtualenv site-packages __pycache__ coverage tmp test tests __tests__ spec testdata fixtures e2e example
    examples sample samples demo demos docs doc bench benches benchmarks templates pods carthage deriveddata
    """.split()
)


@dataclass(frozen=True, slots=True)
class Survey:
    """The files near the top of a source tree, in order of depth, then path.

    `files` are the paths seen, relative with `/`, `manifests` those that declare something, `notes` a line for
    everything that was left out and why.
    """

    manifests: tuple[Manifest, ...]
    files: tuple[str, ...]
    notes: tuple[str, ...]


def survey(directory: Path) -> Survey:
    """Read the manifests of the tree at `directory`, three folders deep.

    Hidden, built, vendored, example and test folders are skipped, and so are symbolic links: those to folders always,
    those to files where they lead out of the tree. Never raises for the tree's content: unreadable files are noted. A
    directory that does not exist is empty.
    """
    notes: list[str] = []
    files = tuple(_files(directory, notes))
    candidates = [path for path in files if is_manifest(path.rpartition("/")[2])]
    if len(candidates) > MAX_MANIFESTS:
        notes.append(f"{len(candidates)} manifests: only the first {MAX_MANIFESTS} were read")
    read = (_read(directory, path, notes) for path in candidates[:MAX_MANIFESTS])
    return Survey(tuple(manifest for manifest in read if manifest is not None), files, tuple(notes))


def _files(directory: Path, notes: list[str]) -> Iterator[str]:
    top = os.path.realpath(directory)
    waiting, budget = deque([("", 0)]), MAX_ENTRIES
    while waiting:
        folder, depth = waiting.popleft()
        found = _entries(top, folder, budget if folder else None, notes)
        if folder:
            budget -= len(found)
        for entry in found:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if _is_folder(entry):
                if depth < MAX_DEPTH and not _is_passed_over(entry.name):
                    waiting.append((path, depth + 1))
            elif _is_own_file(entry, top):
                yield path
    if budget <= 0:
        notes.append(f"more than {MAX_ENTRIES} files below the top: the rest was not read")


def _entries(top: str, folder: str, most: int | None, notes: list[str]) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(os.path.join(top, folder)) as entries:
            return sorted(islice(entries, most), key=lambda entry: entry.name)
    except OSError as error:
        notes.append(f"{_shown(folder) or 'the directory'} cannot be read: {error.strerror}")
        return []


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_own_file(entry: "os.DirEntry[str]", top: str) -> bool:
    try:
        if entry.is_symlink() and not _is_inside(os.path.realpath(entry.path), top):
            return False
        return entry.is_file()
    except OSError:
        return False


def _is_inside(path: str, top: str) -> bool:
    return path.startswith(os.path.join(top, ""))


def _is_passed_over(name: str) -> bool:
    return name.startswith(".") or name.lower() in _PASSED_OVER


def _read(directory: Path, path: str, notes: list[str]) -> Manifest | None:
    try:
        with open(directory / path, "rb") as file:
            body = file.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
        return parse(path, body)
    except OSError as error:
        reason = error.strerror or "it cannot be read"
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as error:
        reason = str(error)
    notes.append(f"{_shown(path)} is ignored: {reason:.200}")
    return None


def _shown(path: str) -> str:
    """Return a path as text: of a name that is no valid Unicode the part that can be shown."""
    return os.fsencode(path).decode("utf-8", "replace")
