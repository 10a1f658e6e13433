"""Paths of files, and their mentions in texts: absolute, or relative to any directory."""

import posixpath
import re
import unicodedata
from collections.abc import Iterator

from indelible.dataclass import dataclass

LONGEST = 4096  # characters; no system has longer paths

# Scripts written without spaces: one of their characters beside a path is no part of it.
_UNSPACED = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯฀-๿"
_IN_NAMES = rf"(?:[^\W{_UNSPACED}]|[-@+~])"
_NAME_GOES_ON = rf"(?!/?\.?{_IN_NAMES})"  # a full stop ends a sentence, unless a name follows it
_BEFORE = re.compile(rf"{_IN_NAMES}|[./]")


@dataclass(frozen=True, slots=True)
class FilePath:
    """A path in its parts, in the form of `normal`; `root` is "/", "C:/" or "" for a relative one."""

    root: str
    directories: tuple[str, ...]
    name: str

    @property
    def looks_like_file(self) -> bool:
        """Whether the bare name is more than a word of prose: `auth.rs`, `Makefile`, but not `auth`."""
        return re.search("[.A-Z]", self.name) is not None


def normal(text: str) -> str:
    """Return text with paths as they are compared: composed characters, `/` between names, one at a time."""
    return re.sub(r"[\\/]+", "/", unicodedata.normalize("NFC", text))


def parse(path: str) -> FilePath | None:
    """Return a path as a user gives it, of any system; None where it names no file."""
    if not path or len(path) > LONGEST:
        return None
    plain = posixpath.normpath(normal(path))
    root = match[0] if (match := re.match(r"(?:[A-Za-z]:)?/|[A-Za-z]:$", plain)) else ""
    *directories, name = plain[len(root) :].split("/")
    if name in ("", ".", ".."):
        return None
    return FilePath(root, tuple(directory for directory in directories if directory != ".."), name)


def mentions(path: FilePath, text: str) -> Iterator[int]:
    """Yield the end of each mention of a file in a text of `normal` form.

    Either path may be the longer one: `src/auth.rs` is mentioned by `/home/me/app/src/auth.rs`, and that one by
    `src/auth.rs`, but neither by `lib/auth.rs`, `src/oauth.rs` or `src/auth.rs.bak`. A name without its directory
    mentions a longer path only where it looks like a file's. Case counts.
    """
    for match in re.finditer(re.escape(path.name) + _NAME_GOES_ON, text):
        at, missing = match.start(), len(path.directories)
        while missing and text.endswith(path.directories[missing - 1] + "/", 0, at):
            missing -= 1
            at -= len(path.directories[missing]) + 1
        if _is_whole(path, text, at) if missing == 0 else _is_shorter(path, text, at, missing):
            yield match.end()


def _is_whole(path: FilePath, text: str, at: int) -> bool:
    """Whether all directories of a path, which begin here, are the path, or the end of a longer one."""
    root = len(path.root)
    if root and text[max(0, at - root) : at].lower() == path.root.lower():
        at -= root
        return _begins(text, at) or (root > 1 and text.endswith("/", 0, at))  # file:///C:/...
    return (not root and text.endswith("/", 0, at)) or _begins(text, at)


def _is_shorter(path: FilePath, text: str, at: int, missing: int) -> bool:
    """Whether the last parts of a path, which begin here, are a relative path of their own."""
    return (missing < len(path.directories) or path.looks_like_file) and _begins(text, at)


def _begins(text: str, at: int) -> bool:
    """Whether a path can begin here: after a character that is in no name, or after `./` or `~/`."""
    if text.endswith(("./", "~/"), 0, at):
        at -= 2
    return at == 0 or _BEFORE.match(text, at - 1) is None
