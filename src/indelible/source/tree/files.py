"""The files of a directory without those that git ignores, and never outside the directory.

Rules are those of gitignore(5): of each directory's `.gitignore`, of the directories above up to the repository's top,
and of its `.git/info/exclude`. Git's files are read, git is never run.
"""

import codecs
import os
import stat
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from indelible.dataclass import dataclass
from indelible.source.tree.gitignore import Rule, bytewise, decided, rules

RULES = ".gitignore"
BY_GIT_ALONE = Path("info", "exclude")
VERSION_CONTROL = frozenset((".git", ".hg", ".svn", ".jj", ".bzr", "CVS"))  # their files are internal
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"", "utf-8-sig"))  # the first bytes of a text

BINARY = "binary"
NO_UTF8 = "not UTF-8"
EMPTY = "empty"
LINK_OUT = "a link out of the tree"
LINK_TO_NOTHING = "a link to nothing"
NO_FILE = "not a regular file"
WORKTREE = "a worktree"
ANOTHERS = "another project's repository"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is not taken, and why; `failed` where a person would expect it to be taken."""

    path: Path
    why: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class _Rules:
    """The ignore rules in a directory: those of each file with the directory that they hold for, innermost last."""

    of: tuple[tuple[str, list[Rule]], ...] = ()

    def with_file(self, directory: str, file: str) -> "_Rules":
        """Return these with the rules of a file, where it exists, for a directory."""
        found = rules(_lines(file))
        return replace(self, of=(*self.of, (directory, found))) if found else self

    def ignore(self, path: str, is_directory: bool) -> bool:
        """Whether a path is ignored: the innermost rules that name it decide."""
        for directory, found in reversed(self.of):
            relative = os.path.relpath(path, directory).replace(os.sep, "/")
            answer = decided(found, bytewise(os.fsencode(relative)), is_directory)
            if answer is not None:
                return answer
        return False


def _nothing(name: str, beside: Collection[str]) -> str:
    """Return "": no directory is left out."""
    return ""


def none_is_anothers(top: str) -> bool:
    """Return False: no repository is taken for another project's."""
    return False


def files(directory: Path) -> Iterator[Path | Skipped]:
    """Yield the regular files of a directory and those below it that are not ignored, in the order of their names.

    Links are not followed: a target in the directory is met anyway, one outside is skipped. So is a linked worktree in
    it, whose files are those of the repository once more. The directory itself, which must be absolute and without
    links, is taken even where a rule names it, or where it is such a worktree.
    """
    for each in entries(directory):
        yield each if isinstance(each, Skipped) else Path(each.path)


def entries(
    directory: Path,
    leave_out: Callable[[str, Collection[str]], str] = _nothing,
    is_anothers: Callable[[str], bool] = none_is_anothers,
) -> Iterator["os.DirEntry[str] | Skipped"]:
    """Yield the same as directory entries, which have sizes and times.

    `leave_out` is asked for each directory, by its name and the names beside it: why it is skipped, "" to enter it.
    `is_anothers` is asked for the top of each repository below the directory, which is skipped where it is.
    """
    waiting: list[tuple[str, _Rules]] = [(str(directory), _rules_above(str(directory)))]
    while waiting:
        path, rules = waiting.pop()
        try:
            with os.scandir(path) as found:
                listed = {entry.name: entry for entry in found}
        except OSError as error:
            yield _unreadable(Path(path), error)
            continue
        if ".git" in listed and path != str(directory) and _is_worktree(path):
            yield Skipped(Path(path), WORKTREE)
            continue
        if ".git" in listed and path != str(directory) and is_anothers(path):
            yield Skipped(Path(path), ANOTHERS)
            continue
        rules = rules.with_file(path, os.path.join(path, RULES)) if RULES in listed else rules
        below = []
        for name in sorted(listed):
            entry = listed[name]
            is_directory = entry.is_dir(follow_symlinks=False)
            of_git = name == ".git" or (is_directory and name in VERSION_CONTROL)
            if of_git or rules.ignore(entry.path, is_directory):
                continue
            if not is_directory:
                yield from _file(directory, entry)
            elif why := leave_out(name, listed):
                yield Skipped(Path(entry.path), why)
            else:
                below.append((entry.path, rules))
        waiting += reversed(below)


def text_of(path: Path, longest: int) -> str | Skipped:
    """Return the text of a regular file (UTF-8, or UTF-16 with its mark), or why it has none; up to `longest` bytes."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # opening a pipe would wait for its other end
            return Skipped(path, NO_FILE)
        with open(path, "rb") as file:
            data = file.read(longest + 1)
    except OSError as error:
        return _unreadable(path, error)
    text = _text(data) if len(data) <= longest else None
    if text is None:
        why = f"over {longest:,} bytes" if len(data) > longest else BINARY if b"\0" in data else NO_UTF8
        return Skipped(path, why)
    return text if text.strip() else Skipped(path, EMPTY)


def _text(data: bytes) -> str | None:
    encoding = next(name for mark, name in _MARKS if data.startswith(mark))
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def repository_top(directory: Path) -> Path | None:
    """Return the top of the repository or worktree that a directory is in, None where there is none."""
    return next((each for each in (directory, *directory.parents) if os.path.lexists(each / ".git")), None)


def _is_worktree(directory: str) -> bool:
    """Whether it is a linked worktree: see gitrepository-layout(5)."""
    pointer = _lines(os.path.join(directory, ".git"))[:1]
    if not pointer or not pointer[0].startswith("gitdir:"):
        return False
    git = os.fsdecode(pointer[0].removeprefix("gitdir:").strip().encode("latin-1"))
    return os.path.isfile(os.path.join(directory, git, "commondir"))


def _file(top: Path, entry: "os.DirEntry[str]") -> Iterator["os.DirEntry[str] | Skipped"]:
    if not entry.is_symlink():
        yield entry if entry.is_file(follow_symlinks=False) else Skipped(Path(entry.path), NO_FILE)
        return
    path = Path(entry.path)
    target = Path(os.path.realpath(path))
    if not target.exists():
        yield Skipped(path, LINK_TO_NOTHING)
    elif not target.is_relative_to(top):
        yield Skipped(path, LINK_OUT)


def _rules_above(directory: str) -> _Rules:
    """Return the rules of the repository for a directory in it, without the directory's own."""
    top = repository_top(Path(directory))
    rules = _Rules()
    if top is None:
        return rules
    rules = rules.with_file(str(top), os.path.join(top, ".git", BY_GIT_ALONE))
    above = [each for each in Path(directory).parents if each.is_relative_to(top)]
    for each in reversed(above):
        rules = rules.with_file(str(each), os.path.join(each, RULES))
    return rules


def _lines(file: str) -> list[str]:
    """Return the lines of one of git's files, none where it cannot be read: git does the same."""
    if not os.path.isfile(file):
        return []
    try:
        with open(file, "rb") as opened:
            return bytewise(opened.read().removeprefix(codecs.BOM_UTF8)).split("\n")
    except OSError:
        return []


def _unreadable(path: Path, error: OSError) -> Skipped:
    return Skipped(path, f"unreadable: {error.strerror or error}", failed=True)
