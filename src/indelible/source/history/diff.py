"""A diff as files with the lines that it changes: of a text in git's unified form, or of what git compares itself."""

import re
from collections.abc import Iterator
from dataclasses import field
from typing import NamedTuple

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.source.history.git import COMPARING, Git

MOST_FILES = 2_000  # of one diff
MOST_LINES = 200_000  # changed lines that are kept, and as many around them, of all files together
MOST_BYTES = 16 << 20  # of a diff that git makes
LONGEST_LINE = 2_000  # characters of a line that are kept
CONTEXT = 3  # unchanged lines around a change that git shows

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_GIT = "diff --git "
_ESCAPE = re.compile(r'\\([abfnrtv"\\]|[0-7]{3})')
_SIGNS = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, '"': 34, "\\": 92}
_SUBMODULE = "160000"


class Lines(NamedTuple):
    """A range of lines, both ends included, counted from 1; `last` is `first` - 1 where it is a place between lines."""

    first: int
    last: int

    def meets(self, first: int, last: int) -> bool:
        """Whether any of it lies within two lines; a place between lines meets what is around it."""
        if self.last < self.first:
            return first <= self.last and self.first <= last
        return self.first <= last and first <= self.last


@dataclass(slots=True)
class FileDiff:
    """A file of a diff. `status` is A, M, D or R; `path` is that after the change, before it of a deleted file.

    `old_path` differs for a renamed one. `old` and `new` are the changed ranges of lines on either side, `removed` and
    `added` the texts of lines, without the sign before them, `context` the unchanged ones that the diff shows around
    them. A binary file or a submodule has none of these.
    """

    path: str
    old_path: str
    status: str = "M"
    binary: bool = False
    submodule: bool = False
    old: list[Lines] = field(default_factory=list)
    new: list[Lines] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    context: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Diff:
    """The files of a diff in its order, each path once, and whether some or some of their lines were left out."""

    files: tuple[FileDiff, ...]
    cut: bool = False

    @property
    def paths(self) -> frozenset[str]:
        """The paths of its files, before and after."""
        return frozenset(path for each in self.files for path in (each.path, each.old_path) if path)


def of_range(git: Git, given: str) -> Diff:
    """Return what a range changes: `A..B` or `A...B` (since they parted), one side left out for HEAD; `A` that commit.

    Raises InvalidInput for what is no range, and GitFailed.
    """
    first, sign, second = ends(git, given)
    if not sign:
        return _compared(git, "diff-tree", "--root", "-r", "--no-commit-id", "-m", "--first-parent", first)
    if len(sign) == 3:
        base = git.run("merge-base", first, second, ends=(0, 1)).content.decode("ascii", "replace").split()
        if not base:
            raise InvalidInput(f"range {given!r:.200} has no common commit; give A..B")
        first = base[0]
    return _compared(git, "diff-tree", "-r", first, second)


def ends(git: Git, given: str) -> tuple[str, str, str]:
    """Return the commits of a range as ids, and the sign between them; of one commit no sign, and it on both sides.

    Raises InvalidInput for what is no range, and GitFailed.
    """
    three, two = given.partition("..."), given.partition("..")
    before, sign, after = three if three[1] else two
    if not sign:
        commit = git.commit(given)
        return commit, "", commit
    return git.commit(before or "HEAD"), sign, git.commit(after or "HEAD")


def staged(git: Git) -> Diff:
    """Return what a commit would change now: the index against HEAD. Raises GitFailed."""
    head = git.head()
    return _compared(git, "diff-index", "--cached", head) if head else _compared(git, "diff", "--cached")


def _compared(git: Git, *command: str) -> Diff:
    found = git.run(*_with_form(command), most=MOST_BYTES, may_be_cut=True)
    diff = parse(found.content.decode("utf-8", "replace"))
    return Diff(diff.files, cut=True) if found.cut else diff


def _with_form(command: tuple[str, ...]) -> tuple[str, ...]:
    name, *rest = command
    return (
        *(name, "-p", f"-U{CONTEXT}", "--src-prefix=a/", "--dst-prefix=b/", "--inter-hunk-context=0", "--full-index"),
        *COMPARING,
        *rest,
        "--",
    )


# --- The text ---


def parse(text: str) -> Diff:
    """Return the files of a diff as text, of git's form or the plain unified one; anything else in it is passed over.

    A hunk ends with its counts, or earlier where another file or hunk begins, so that one whose lines were cut costs
    itself only. It takes linear time.
    """
    reader = _Reader()
    for line in text.split("\n"):
        reader.take(line)
    return Diff(tuple(reader.files.values()), reader.cut)


class _Reader:
    """The state between two lines."""

    def __init__(self) -> None:
        self.files: dict[str, FileDiff] = {}
        self.cut = False
        self._file: FileDiff | None = None
        self._minus: str | None = None  # the path of a line `--- `, until its `+++ ` comes
        self._old = self._new = 0  # the next line on either side
        self._left_old = self._left_new = 0  # of this hunk
        self._kept = self._shown = 0

    def take(self, line: str) -> None:
        if (self._left_old > 0 or self._left_new > 0) and self._in_hunk(line):
            return
        self._left_old = self._left_new = 0
        if line.startswith(_GIT):
            self._begin(*_paths_of(line[len(_GIT) :].removesuffix("\r")))
        elif line.startswith("@@ "):
            self._hunk(line)
        else:
            self._header(line.removesuffix("\r"))

    def _begin(self, old: str, new: str) -> None:
        self._minus = None
        self._file = None
        if not new:
            return
        if new not in self.files and len(self.files) >= MOST_FILES:
            self.cut = True
            return
        self._file = self.files.setdefault(new, FileDiff(new, old))

    def _header(self, line: str) -> None:
        if line.startswith("--- "):
            self._minus = _side(line[4:])
        elif line.startswith("+++ ") and self._minus is not None:
            self._sides(self._minus, _side(line[4:]))
        elif self._file is not None:
            self._extended(self._file, line)

    def _extended(self, file: FileDiff, line: str) -> None:
        if line.startswith("new file mode "):
            file.status, file.submodule = "A", line.endswith(_SUBMODULE)
        elif line.startswith("deleted file mode "):
            file.status, file.submodule = "D", line.endswith(_SUBMODULE)
        elif line.startswith("index ") and line.endswith(f" {_SUBMODULE}"):
            file.submodule = True
        elif line.startswith("rename from "):
            file.status, file.old_path = "R", unquoted(line[len("rename from ") :])
        elif line.startswith("rename to "):
            self._renamed(file, unquoted(line[len("rename to ") :]))
        elif line.startswith(("Binary files ", "GIT binary patch")):
            file.binary = True

    def _renamed(self, file: FileDiff, path: str) -> None:
        """Set the path of a file that the first line did not surely give."""
        if path and path != file.path and path not in self.files:
            del self.files[file.path]
            file.path = path
            self.files[path] = file

    def _sides(self, old: str, new: str) -> None:
        """Take the paths of `---` and `+++`, "" for /dev/null, where no line of git's form gave them."""
        self._minus = None
        path = new or old
        if self._file is not None and path in (self._file.path, self._file.old_path):
            return
        self._begin(old or path, path)
        if self._file is not None:
            if not old:
                self._file.status = "A"
            elif not new:
                self._file.status = "D"
            elif old != new:
                self._file.status = "R"

    def _hunk(self, line: str) -> None:
        found = _HUNK.match(line)
        if found is None or self._file is None:
            return
        old, old_count, new, new_count = (int(each) if each else 1 for each in found.groups())
        self._left_old, self._left_new = old_count, new_count
        self._old = old if old_count else old + 1
        self._new = new if new_count else new + 1
        self._minus = None

    def _in_hunk(self, line: str) -> bool:
        """Take a line of a hunk; False for what is none, where the hunk was cut."""
        file = self._file
        sign, rest = line[:1], line[1:]
        if file is None or line.startswith(_GIT) or (line.startswith("@@ -") and _HUNK.match(line)):
            return False
        if sign == "-":
            _extend(file.old, self._old)
            _extend_place(file.new, self._new)
            self._keep(file.removed, rest)
            self._old += 1
            self._left_old -= 1
        elif sign == "+":
            _extend(file.new, self._new)
            _extend_place(file.old, self._old)
            self._keep(file.added, rest)
            self._new += 1
            self._left_new -= 1
        elif sign in (" ", "", "\r"):
            self._show(file.context, rest)
            self._old, self._new = self._old + 1, self._new + 1
            self._left_old, self._left_new = self._left_old - 1, self._left_new - 1
        elif sign != "\\":  # "\ No newline at end of file"
            return False
        return True

    def _keep(self, lines: list[str], line: str) -> None:
        if self._kept < MOST_LINES:
            lines.append(line.removesuffix("\r")[:LONGEST_LINE])
            self._kept += 1
        else:
            self.cut = True

    def _show(self, lines: list[str], line: str) -> None:
        if self._shown < MOST_LINES:
            lines.append(line.removesuffix("\r")[:LONGEST_LINE])
            self._shown += 1


def _extend(ranges: list[Lines], line: int) -> None:
    """Add a line to ranges that end before it or at it."""
    if ranges and ranges[-1].first <= line == ranges[-1].last + 1:
        ranges[-1] = Lines(ranges[-1].first, line)
    elif not (ranges and ranges[-1].first <= line <= ranges[-1].last):
        ranges.append(Lines(line, line))


def _extend_place(ranges: list[Lines], line: int) -> None:
    """Add the place before a line, unless a range ends there already."""
    if not (ranges and ranges[-1].last + 1 == line):
        ranges.append(Lines(line, line - 1))


def _side(rest: str) -> str:
    """Return the path of a line `---` or `+++`: without the prefix of git, and the time that other programs add."""
    name = unquoted(rest) if rest.startswith('"') else rest.split("\t", 1)[0]
    if name == "/dev/null":
        return ""
    return name[2:] if name[:2] in ("a/", "b/") else name


def _paths_of(rest: str) -> tuple[str, str]:
    """Return both paths of `diff --git`; where they differ and have spaces, later lines say them again."""
    names = list(_quoted_or_not(rest)) if '"' in rest else []
    if len(names) != 2:
        half = len(rest) // 2
        same = rest[2:half] == rest[half + 3 :] and rest[half : half + 1] == " "
        at = half if same else rest.find(" b/")
        names = [rest[:at], rest[at + 1 :]] if at > 0 else [rest, rest]
    old, new = names
    return (old[2:] if old[:2] == "a/" else old), (new[2:] if new[:2] == "b/" else new)


def _quoted_or_not(rest: str) -> Iterator[str]:
    """Yield the two names of `diff --git`, of which one at least is quoted."""
    while rest:
        if rest.startswith('"'):
            end = _end_of_quote(rest)
            yield unquoted(rest[:end])
            rest = rest[end:].lstrip(" ")
        else:
            name, _, rest = rest.partition(' "')
            rest = f'"{rest}' if rest else ""
            yield name


def _end_of_quote(text: str) -> int:
    at = 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, len(text))


def unquoted(name: str) -> str:
    """Return a path as it is, of git's C-style quotes where it has them; bytes that are no UTF-8 get marks."""
    if len(name) < 2 or not (name.startswith('"') and name.endswith('"')):
        return name
    raw = bytearray()
    last = 1
    for found in _ESCAPE.finditer(name, 1, len(name) - 1):
        raw += name[last : found.start()].encode("utf-8", "replace")
        raw.append(_SIGNS[found[1]] if found[1] in _SIGNS else int(found[1], 8) & 0xFF)
        last = found.end()
    raw += name[last:-1].encode("utf-8", "replace")
    return raw.decode("utf-8", "replace")
