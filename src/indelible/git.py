"""Which branch and commit a directory has checked out, read from git's files: git is never run.

See gitrepository-layout(5). What is in no files of this form (the reftable format) or cannot be read is unknown.
"""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

LINKS = 5  # symbolic references that are followed, one to the next, as git does
LARGEST = 64 << 10  # bytes of a file that holds one line
LARGEST_PACKED = 64 << 20  # bytes of packed-refs that are looked through
LARGEST_LOG = 256 << 10  # bytes at the end of the log of a head that are read: some thousand moves
BRANCHES = "refs/heads/"
_CHECKOUT = "checkout: moving from "
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Head(NamedTuple):
    """The branch that is checked out, "" for a detached head, and its commit, "" before the first one."""

    branch: str
    commit: str


def head(directory: str) -> Head | None:
    """Return what is checked out in a directory, or the one around it; None outside of git, or where it is unknown.

    A linked worktree has a head of its own, and so does a submodule. Of a bare repository it is the default branch.
    """
    found = _git_directory(directory)
    if found is None:
        return None
    own, common = found
    target = _line(own, "HEAD")
    for _ in range(LINKS):
        if _HASH.fullmatch(target):
            return Head("", target)
        name = target.removeprefix("ref:").strip()
        if not target.startswith("ref:") or not _is_name(name) or _is_reftable(common):
            return None
        following = _line(own, name) or _line(common, name) or _packed(common, name)
        if not following.startswith("ref:"):
            commit = following if _HASH.fullmatch(following) else ""
            return Head(name.removeprefix(BRANCHES), commit) if name.startswith(BRANCHES) else Head("", commit)
        target = following
    return None


def head_at(directory: str, second: int) -> Head | None:
    """Return what was checked out in a directory before a second since 1970, by the log that git keeps of its head.

    What is checked out now where there is no such log, or none that goes back so far; None where `head` is.
    """
    now, found = head(directory), _git_directory(directory)
    if now is None or found is None:
        return now
    moves, is_whole = _moves(found[0])
    branch, commit = now
    for at, (old, new, when, source) in enumerate(reversed(moves)):
        if when < second:
            return Head(branch, new) if at else now
        commit = old if old.strip("0") else ""
        if source:
            branch = "" if _HASH.fullmatch(source) else source
    return Head(branch, commit) if moves and is_whole else now


def _moves(own: str) -> tuple[list[tuple[str, str, int, str]], bool]:
    """Return the moves of a head, the oldest first, and whether these are all that git knows of.

    Each is the commit before and after, the second, and the branch or commit that was left, "" where none was.
    """
    place = os.path.join(own, "logs", "HEAD")
    try:
        size = os.path.getsize(place)
        with open(place, "rb") as file:
            file.seek(max(0, size - LARGEST_LOG))
            lines = os.fsdecode(file.read(LARGEST_LOG)).split("\n")
    except OSError:
        return [], False
    is_whole = size <= LARGEST_LOG
    found = (_move(line) for line in (lines if is_whole else lines[1:]))
    return [each for each in found if each is not None], is_whole


def _move(line: str) -> tuple[str, str, int, str] | None:
    said, _, message = line.partition("\t")
    commits, times = said.split(" ", 2)[:2], said.rsplit(" ", 2)[1:]
    if len(commits) < 2 or len(times) < 2 or not all(map(_HASH.fullmatch, commits)) or not times[0].isdecimal():
        return None
    source = message.removeprefix(_CHECKOUT).rpartition(" to ")[0] if message.startswith(_CHECKOUT) else ""
    return commits[0], commits[1], int(times[0]), source


def shared_directory(directory: str) -> str:
    """Return the git directory that all worktrees of the repository of a directory share, "" outside of git."""
    found = _git_directory(directory)
    return os.path.realpath(found[1]) if found is not None else ""


def has_branch(directory: str, branch: str) -> bool:
    """Return whether the repository of a directory has a branch; False too where that is unknown."""
    found = _git_directory(directory)
    name = f"{BRANCHES}{branch}"
    if found is None or not _is_name(name):
        return False
    common = found[1]
    return bool(_line(common, name) or _packed(common, name))


def _is_name(name: str) -> bool:
    """Return whether a name is one of a reference, and none that leads out of the directory of references."""
    parts = name.split("/")
    is_inside = not any(part in ("", ".", "..") for part in parts) and "\\" not in name
    return parts[0] == "refs" and len(parts) > 2 and is_inside


def _is_reftable(common: str) -> bool:
    return os.path.isdir(os.path.join(common, "reftable"))


def _git_directory(directory: str) -> tuple[str, str] | None:
    """Return the git directory of the nearest work tree or bare repository, and the one that worktrees share."""
    for place in _upwards(directory):
        marker = os.path.join(place, ".git")
        if os.path.isdir(marker):
            own = marker
        elif os.path.lexists(marker):
            pointer = _line(place, ".git")
            if not pointer.startswith("gitdir:"):
                return None
            own = os.path.join(place, pointer.removeprefix("gitdir:").strip())
        elif os.path.isfile(os.path.join(place, "HEAD")) and os.path.isdir(os.path.join(place, "objects")):
            own = place
        else:
            continue
        shared = _line(own, "commondir")
        return own, os.path.join(own, shared) if shared else own
    return None


def _upwards(directory: str) -> Iterator[str]:
    place = os.path.abspath(directory)
    while True:
        yield place
        above = os.path.dirname(place)
        if above == place:
            return
        place = above


def _line(*path: str) -> str:
    """Return the text of one of git's one-line files, "" where there is none that can be read."""
    place = os.path.join(*path)
    try:
        if not os.path.isfile(place):
            return ""
        with open(place, "rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError):  # ValueError: a name with a zero byte
        return ""
    return os.fsdecode(content).strip() if len(content) <= LARGEST else ""


def _packed(common: str, name: str) -> str:
    """Return the commit of a packed reference, "" if there is none."""
    place = os.path.join(common, "packed-refs")
    wanted = os.fsencode(f" {name}")
    try:
        if os.path.getsize(place) > LARGEST_PACKED:
            return ""
        with open(place, "rb") as file:
            for line in file:
                if line.rstrip(b"\r\n").endswith(wanted) and not line.startswith((b"#", b"^")):
                    commit, _, found = line.rstrip(b"\r\n").partition(b" ")
                    if found == wanted[1:]:
                        return commit.decode("ascii", "replace")
    except OSError:
        return ""
    return ""
