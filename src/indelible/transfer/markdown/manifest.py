"""The folder `.indelible` of a tree: what was written last, and what no file of Markdown can carry readably.

`manifest.jsonl` has each file with the digest of its bytes and that of its record, so that an edit of either is seen;
`records.jsonl` the records without a file (parts of documents, vectors, code that something is related to);
`access.jsonl` how often each record was returned, which would otherwise change a file with every question.
"""

import hashlib
import json
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from indelible.core.records.item_schema import item_state
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.filesystem import replace_file

FOLDER = ".indelible"
MANIFEST, RECORDS, ACCESS, LOCK = "manifest.jsonl", "records.jsonl", "access.jsonl", "lock"
LONGEST = 32 << 20  # bytes of a file that is read


@dataclass(frozen=True, slots=True)
class Entry:
    """A file as it was written: the uid of its record, the digests of its bytes and of the record's state."""

    path: str
    uid: str
    sha256: str
    state: str


def digest(content: bytes) -> str:
    """Return the SHA-256 of some bytes, in hex."""
    return hashlib.sha256(content).hexdigest()


def state_of(item: Mapping[str, Any]) -> str:
    """Return the digest of what a record is, whenever that was written and however often it was returned."""
    return digest(json.dumps(item_state(item), ensure_ascii=False, sort_keys=True).encode())


def load(root: Path) -> dict[str, Entry]:
    """Return what was written last, by path. What is no entry, or leads out of the tree, is passed over."""
    found = {}
    for value in values(root, MANIFEST):
        with suppress(TypeError):
            entry = Entry(**value)
            if all(isinstance(each, str) for each in value.values()) and is_inside(entry.path):
                found[entry.path] = entry
    return found


def is_inside(path: str) -> bool:
    """Whether a path names a file of Markdown below the root of a tree and outside of its hidden folders."""
    parts = PurePosixPath(path).parts
    plain = path.endswith(".md") and "\\" not in path and "\0" not in path and ":" not in path
    return plain and "/".join(parts) == path and not any(part.startswith(".") or part == "/" for part in parts)


def values(root: Path, name: str) -> list[Any]:
    """Return the objects of one of the files, one a line; none where it is not there. Other lines are left out."""
    content = content_of(root, f"{FOLDER}/{name}")
    found = []
    for line in (content or b"").split(b"\n"):
        with suppress(ValueError, RecursionError):
            if isinstance(value := json.loads(line), dict):
                found.append(value)
    return found


def lines(items: Iterable[Mapping[str, Any]]) -> bytes:
    """Return the content of one of the files."""
    return "".join(json.dumps(item, ensure_ascii=False, sort_keys=True) + "\n" for item in items).encode()


def content_of(root: Path, path: str) -> bytes | None:
    """Return the bytes of a file below the root, None where there is none.

    Raises InvalidInput where a link leads to it, or it is no regular file.
    """
    refuse_links(root, path)
    try:
        with open(root / path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def refuse_links(root: Path, path: str) -> None:
    """Raise InvalidInput where a path below the root goes over a link, or is there and no regular file."""
    place = root
    for part in PurePosixPath(path).parts:
        place /= part
        try:
            mode = place.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return
        if stat.S_ISLNK(mode):
            raise InvalidInput(f"{place.relative_to(root)} is a link; links are not followed")
    if not stat.S_ISREG(mode):
        raise InvalidInput(f"{path} is not a regular file")


def put(root: Path, path: str, content: bytes) -> None:
    """Write a file below the root whole or not at all. Raises InvalidInput where a link leads to it."""
    refuse_links(root, path)
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    replace_file(place, content)
