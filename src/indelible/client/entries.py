"""The files of the client's spool: one write each, as JSON."""

import json
import os
import stat
from dataclasses import asdict
from pathlib import Path
from typing import Any

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Entry:
    """A write that waits: what is to be called with which request key.

    Times are nanoseconds since 1970. `tried`: when the server may have done it first, 0 if it cannot have. `id` is the
    name under which it waits, "" before it does.
    """

    tool: str
    arguments: dict[str, Any]
    key: str
    time: int
    tried: int = 0
    id: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A write that a server refused for good when it was replayed, or that cannot be read; `code` as in `errors`."""

    id: str
    tool: str
    arguments: dict[str, Any]
    key: str
    code: str
    message: str


def size_of(arguments: dict[str, Any]) -> int:
    """Bytes of arguments as JSON. Raises InvalidInput for what cannot be written as JSON."""
    try:
        return len(json.dumps(arguments, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"the arguments are no JSON: {error}") from None


def text_of(entry: Entry) -> bytes:
    """Return the content of a write's file."""
    fields = {name: value for name, value in asdict(entry).items() if name != "id"}
    return json.dumps({"v": 1, **fields}, ensure_ascii=False, separators=(",", ":")).encode()


def entry_of(text: bytes, id: str) -> Entry:
    """The write of a file. Raises InvalidInput where it is damaged."""
    try:
        fields = json.loads(text)
        tool, arguments, key, time, tried = (fields[name] for name in ("tool", "arguments", "key", "time", "tried"))
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise InvalidInput(f"the file of the write {id} is damaged: {type(error).__name__}") from error
    fits = isinstance(tool, str) and isinstance(arguments, dict) and isinstance(key, str)
    if not fits or type(time) is not int or type(tried) is not int:
        raise InvalidInput(f"the file of the write {id} is damaged: it does not contain a call")
    return Entry(tool, arguments, key, time, tried, id)


def write_new(path: Path, text: bytes) -> None:
    """Write a file that is not there yet, 0600, and bring it to the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    opened = os.open(path, flags, 0o600)
    try:
        rest = memoryview(text)
        while rest:
            rest = rest[os.write(opened, rest) :]
        os.fsync(opened)
    finally:
        os.close(opened)


def content_of(path: Path) -> bytes:
    """Return the content of a regular file. Raises OSError for a link or a pipe in its place."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise InvalidInput(f"{path} is not a regular file")
    return path.read_bytes()


def as_refused(path: Path, id: str) -> tuple[dict[str, Any], bool]:
    """Return the fields kept of a write that is moved aside, and whether they are all of its file."""
    nothing: dict[str, Any] = {"tool": "", "arguments": {}, "key": ""}
    try:
        text = content_of(path)
    except (OSError, InvalidInput):
        return nothing, False
    try:
        return asdict(entry_of(text, id)), True
    except InvalidInput:
        return {**nothing, "unreadable": text.decode(errors="replace")}, True


def parts(name: str) -> tuple[str, str]:
    """The id in the name of a file whose replay was begun, and when that was."""
    id, _, begun = name.removesuffix(".json").rpartition(",")
    return (id, begun) if id else (begun, "")


def size_on_disk(path: Path) -> int:
    """Return the size of a file in bytes, 0 if it does not exist."""
    try:
        return path.stat().st_size
    except FileNotFoundError:  # replayed meanwhile
        return 0


def time_of(name: str) -> int:
    """Return the nanoseconds with which a name begins, 0 if there are none."""
    digits = name.partition("-")[0]
    return int(digits) if digits.isdecimal() else 0
