"""What became of a symbol between two commits, by what git and the texts say; nothing here asks the index.

A definition is a line of its language's form, with the type that it stands in: the receiver of Go, the class of Python,
the `impl`, `trait` or `mod` of Rust. Where a line of the old commit is now is what `git blame -w -M -C -C` says, which
follows lines through each commit in between, within a file and into others. In this order, a symbol is

1. there, if its file (by `git diff -M` another, if it was renamed) defines its name in the same type, or it is found
   there by 2 to 4 in another that the memory does not name; it moved with a renamed file, and `changed` if a hunk of
   `git diff -w` touches its lines, unless they are in the file as they were;
2. moved, if half of its lines are now in one definition that the old commit did not have, the innermost with most of
   them: under another name, in another type or in another file. What was put into a definition that was there before
   is no place of its own;
3. moved, if another file defines its name in the same type and did not before; a name outside of any type must
   besides be the only one of the old commit, or the file have the same name as before, or be of the same package of Go;
4. moved, if its name was the only one and is the only one, of all or of its file, where what it stands in is new (its
   type was renamed), or it stood or stands in nothing (a method became a function), or the name is of several words,
   or the line that defines it is the same;
5. else gone.

Lines count by their letters and digits: those with less than `COMMON` say nothing (`return nil`, a bracket).
"""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

COMMON = 10  # letters and digits of a line that says something
SUFFIXES = (".py", ".go", ".rs")

_PYTHON = re.compile(r"^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)")
_GO = re.compile(r"^(?:func (?:\((?P<receiver>[^)]*)\) ?)?(?P<function>\w+)[(\[]|type (?P<type>\w+)\b)")
_GO_INNER = re.compile(r"^\t(\w+)(?:\(|\[| struct\b| interface\b| func\b)")
_RUST = re.compile(
    r'^([ \t]*)(?:pub(?:\([^)]*\))? )?(?:(?:default|async|const|unsafe|extern(?: "\w+")?) )*'
    r"(fn|struct|enum|union|trait|type|mod) (\w+)"
)
_IMPL = re.compile(r"^([ \t]*)(?:unsafe )?impl\b(.*)")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A symbol at the first commit of a window, and its lines."""

    name: str  # as a memory says it
    last: str  # its last segment
    path: str
    first_line: int
    last_line: int
    is_alone: bool  # whether no other symbol of the tree has its name


class Defined(NamedTuple):
    """A definition: its line from 1, its indentation, its name, and the type it stands in, "" for none."""

    line: int
    indent: int
    name: str
    within: str


class Became(NamedTuple):
    """What became of a symbol, whether its text changed where it is still there, and where that is."""

    state: str  # fresh, changed, moved, gone
    changed: bool
    place: str = ""


class Repository:
    """What git says of a repository; results are kept."""

    def __init__(self, directory: Path) -> None:
        inner = directory / "repo"
        found = inner if inner.exists() else directory
        self.git_directory = found / ".git" if (found / ".git").exists() else found

    def git(self, *arguments: str, **more: object) -> str:
        command = ["git", f"--git-dir={self.git_directory}", *arguments]
        done = subprocess.run(command, capture_output=True, check=True, **more)  # type: ignore[call-overload]
        return str(done.stdout.decode("utf-8", "replace"))

    def commits(self) -> list[str]:
        """The first-parent history of HEAD, oldest first."""
        return self.git("rev-list", "--first-parent", "--reverse", "HEAD").split()

    @cache  # noqa: B019
    def files(self, commit: str) -> dict[str, str]:
        """The blobs of a commit's files of the languages, by path."""
        found = {}
        for line in self.git("ls-tree", "-r", commit).splitlines():
            about, path = line.split("\t", 1)
            if Path(path).suffix in SUFFIXES:
                found[path] = about.split()[2]
        return found

    @cache  # noqa: B019
    def lines(self, commit: str, path: str) -> list[str]:
        return self.git("cat-file", "blob", self.files(commit)[path]).split("\n")

    @cache  # noqa: B019
    def defined(self, commit: str, path: str) -> list[Defined]:
        """The definitions of a file in the order of its lines."""
        return {".py": _in_python, ".go": _in_go, ".rs": _in_rust}[Path(path).suffix](self.lines(commit, path))

    @cache  # noqa: B019
    def everywhere(self, commit: str, suffix: str) -> dict[str, list[tuple[str, Defined]]]:
        """The definitions of a language by name, each with its path, without those of tests."""
        found: dict[str, list[tuple[str, Defined]]] = {}
        for path in self.files(commit):
            if Path(path).suffix == suffix and "test" not in path.lower():
                for each in self.defined(commit, path):
                    found.setdefault(each.name, []).append((path, each))
        return found

    @cache  # noqa: B019
    def renames(self, old: str, new: str) -> dict[str, str]:
        """Where each file of a commit is in another one; deleted files are left out."""
        there = {path: path for path in self.files(old)}
        fields = self.git("diff", "-M", "--name-status", "-z", old, new).split("\0")
        while len(fields) > 1:
            status = fields.pop(0)
            path = fields.pop(0)
            if status[:1] in ("R", "C"):
                to = fields.pop(0)
                if status[:1] == "R" and path in there:
                    there[path] = to
            elif status == "D":
                there.pop(path, None)
        return there

    @cache  # noqa: B019
    def hunks(self, old: str, new: str) -> dict[str, list[tuple[int, int, list[str]]]]:
        """(first line, lines, added lines) of each hunk of each file, on the old side: no lines for an insertion."""
        found: dict[str, list[tuple[int, int, list[str]]]] = {}
        own: list[tuple[int, int, list[str]]] = []
        for line in self.git("diff", "-w", "-M", "-U0", "--no-color", "--no-ext-diff", old, new).split("\n"):
            if line.startswith("--- "):
                own = found.setdefault(line[6:].rstrip("\t"), [])
            elif match := re.match(r"@@ -(\d+)(?:,(\d+))? ", line):
                own.append((int(match[1]), int(match[2] or 1), []))
            elif line.startswith("+") and not line.startswith("+++ ") and own:
                own[-1][2].append(line[1:])
        return found

    @cache  # noqa: B019
    def kept_lines(self, old: str, new: str) -> dict[tuple[str, int], set[tuple[str, int]]]:
        """Where lines (path, number) of the old commit are in files of the new one that differ from it."""
        found: dict[tuple[str, int], set[tuple[str, int]]] = {}
        before = self.files(old)
        for path, blob in self.files(new).items():
            if before.get(path) == blob:
                continue
            command = ("blame", "--first-parent", "-w", "-M", "-C", "-C", "--porcelain", f"{old}..{new}", "--", path)
            there = self.git(*command)
            origin = ""
            names: dict[str, str] = {}
            place = (0, 0)
            for line in there.split("\n"):
                if line.startswith("\t"):
                    if origin == old:
                        found.setdefault((names[origin], place[0]), set()).add((path, place[1]))
                elif match := re.match(r"([0-9a-f]{40,}) (\d+) (\d+)", line):
                    origin, place = match[1], (int(match[2]), int(match[3]))
                elif line.startswith("filename "):
                    names[origin] = line[9:]
        return found

    # --- What became of a symbol ---

    def became(self, chosen: Chosen, old: str, new: str) -> Became:
        """Return what became of a symbol of the old commit: see the head of the module."""
        lines = self.lines(old, chosen.path)[chosen.first_line - 1 : chosen.last_line]
        own = self._own(chosen, old)
        there = self.renames(old, new).get(chosen.path)
        found = None
        stays = there is not None and self._has_definition(new, there, own.name, own.within)
        if not stays:
            found = self._by_lines(chosen, old, new) or self._by_name(chosen, own, old, new)
            if found is None:
                return Became("gone", False)
            path, definition = found
            stays = (path, definition.name, chosen.name) == (there, own.name, own.name)  # the memory names no type
        if stays and there is not None:
            differs = self._differs(chosen, old, new, there, lines)
            return Became("moved" if there != chosen.path else "changed" if differs else "fresh", differs, there)
        assert found is not None
        return Became("moved", not _has(self.lines(new, path), lines), f"{path}:{definition.line} {definition.name}")

    def _own(self, chosen: Chosen, old: str) -> Defined:
        every = range(chosen.first_line, chosen.last_line + 1)
        return next(each for each in self.defined(old, chosen.path) if each.name == chosen.last and each.line in every)

    def _has_definition(self, commit: str, path: str, name: str, within: str) -> bool:
        if path not in self.files(commit):
            return False
        return any((each.name, each.within) == (name, within) for each in self.defined(commit, path))

    def _was_there(self, old: str, new: str, path: str, definition: Defined) -> bool:
        """Whether a definition of the new commit was in its file, or in the one that its file was, before."""
        origins = [before for before, after in self.renames(old, new).items() if after == path]
        return any(self._has_definition(old, each, definition.name, definition.within) for each in origins)

    def _by_lines(self, chosen: Chosen, old: str, new: str) -> tuple[str, Defined] | None:
        before = self.lines(old, chosen.path)
        kept = self.kept_lines(old, new)
        telling = [at for at in range(chosen.first_line, chosen.last_line + 1) if _tells(before[at - 1])]
        counted: Counter[tuple[str, Defined]] = Counter()
        for at in telling:
            places = {
                (path, definition)
                for path, line in kept.get((chosen.path, at), ())
                for definition in self._around(new, path, line)
            }
            counted.update(places)
        new_ones = {place: count for place, count in counted.items() if not self._was_there(old, new, *place)}
        best = max(new_ones, key=lambda place: (new_ones[place], place[0], place[1].line), default=None)
        return best if best is not None and 2 * new_ones[best] >= len(telling) else None

    def _around(self, commit: str, path: str, line: int) -> list[Defined]:
        """The definitions that a line stands in, by the indentation, the innermost first."""
        indent = _indent(self.lines(commit, path)[line - 1])
        found = []
        for each in reversed(self.defined(commit, path)):
            if each.line == line or (each.line < line and each.indent < indent):
                found.append(each)
                indent = each.indent
        return found

    def _by_name(self, chosen: Chosen, own: Defined, old: str, new: str) -> tuple[str, Defined] | None:
        suffix = Path(chosen.path).suffix
        before, after = (self.everywhere(commit, suffix).get(own.name, []) for commit in (old, new))
        fitting = [
            (path, each)
            for path, each in after
            if each.within == own.within and not self._has_definition(old, path, own.name, own.within)
        ]
        closest = [place for place in fitting if _is_alike(chosen.path, place[0], of_type=bool(own.within))]
        alike = [place for place in before if place[1].within == own.within]
        if closest or (fitting and (own.within or len(alike) == 1)):
            return (closest or fitting)[0]
        beside = self.renames(old, new).get(chosen.path)
        for one, other in ((before, after), (_in(before, chosen.path), _in(after, beside))):
            if len(one) == len(other) == 1:
                path, definition = other[0]
                is_new = definition.within not in self.everywhere(old, suffix)
                announced = _plain(self.lines(new, path)[definition.line - 1])
                is_said = _has_words(own.name) or announced == _plain(self.lines(old, chosen.path)[own.line - 1])
                if is_said or is_new or not own.within or not definition.within:
                    return other[0]
        return None

    def _differs(self, chosen: Chosen, old: str, new: str, there: str, lines: list[str]) -> bool:
        touched = tail = False
        for first, count, added in self.hunks(old, new).get(chosen.path, ()):
            if count:
                touched |= first <= chosen.last_line and chosen.first_line < first + count
                continue
            touched |= chosen.first_line <= first < chosen.last_line
            if first == chosen.last_line and chosen.path.endswith(".py"):
                tail |= _goes_on(lines, added)
        return tail or (touched and not _has(self.lines(new, there), lines))


def _is_alike(old: str, new: str, *, of_type: bool) -> bool:
    """Whether a file may be where a name outside of any type went, though there are others of the name."""
    package = new.endswith(".go") and not of_type and Path(old).parent == Path(new).parent
    return package or Path(old).name == Path(new).name


def _has_words(name: str) -> bool:
    """Whether a name is of several words: `write_help`, `hasFlag`."""
    return bool(re.search(r"[a-z0-9](?:_+[A-Za-z0-9]|[A-Z])", name))


def _in(places: list[tuple[str, Defined]], path: str | None) -> list[tuple[str, Defined]]:
    return [place for place in places if place[0] == path]


def _tells(line: str) -> bool:
    return sum(map(str.isalnum, line)) >= COMMON


def _has(lines: list[str], some: list[str]) -> bool:
    """Whether whole lines of a file, one after the other, are the same text, however it is laid out."""
    wanted, every = "".join(map(_plain, some)), [_plain(line) for line in lines]
    for start, first in enumerate(every):
        at, left = start, wanted
        while first and left and at < len(every) and left.startswith(every[at]):
            left = left[len(every[at]) :]
            at += 1
        if not left:
            return True
    return False


def _plain(line: str) -> str:
    """A line without white space, and without the word that a group of types of Go has only once."""
    return "".join(re.sub(r"^type (?=\w)", "", line).split())


def _goes_on(lines: list[str], added: list[str]) -> bool:
    """Whether lines that follow a definition of Python belong to it: they are indented more than it."""
    start = next((line for line in lines if re.match(r"\s*(async\s+)?(def|class)\b", line)), "")
    first = next((line for line in added if line.strip()), "")
    return bool(first) and _indent(first) > _indent(start)


# --- Definitions ---


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


class _Nest:
    """The types that the present line stands in, by their indentation."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def within(self, indent: int) -> str:
        while self._open and self._open[-1][0] >= indent:
            self._open.pop()
        return self._open[-1][1] if self._open else ""

    def enter(self, indent: int, name: str) -> None:
        self._open.append((indent, name))


def _in_python(lines: list[str]) -> list[Defined]:
    found, nest = [], _Nest()
    for number, line in enumerate(lines, 1):
        if match := _PYTHON.match(line):
            indent = _indent(match[1] + "x")
            found.append(Defined(number, indent, match[3], nest.within(indent)))
            if match[2] == "class":
                nest.enter(indent, match[3])
    return found


def _in_rust(lines: list[str]) -> list[Defined]:
    found, nest = [], _Nest()
    for number, line in enumerate(lines, 1):
        if match := _IMPL.match(line):
            indent = _indent(match[1] + "x")
            nest.within(indent)
            nest.enter(indent, _implemented(match[2]))
        elif match := _RUST.match(line):
            indent = _indent(match[1] + "x")
            found.append(Defined(number, indent, match[3], nest.within(indent)))
            if match[2] in ("trait", "mod"):
                nest.enter(indent, match[3])
    return found


def _implemented(text: str) -> str:
    """The last name of the type of an `impl`, without what it is generic in."""
    plain, depth = "", 0
    for letter in text.replace("->", ""):
        depth += (letter == "<") - (letter == ">")
        if not depth and letter != ">":
            plain += letter
    plain = plain.split("{")[0].split(" where ")[0]
    names = re.findall(r"\w+", plain.rsplit(" for ", 1)[-1])
    return names[-1] if names else ""


def _in_go(lines: list[str]) -> list[Defined]:
    found = []
    opened = ""  # the interface, or "(" for a group of types, that the present line stands in
    for number, line in enumerate(lines, 1):
        if match := _GO.match(line):
            receiver = re.findall(r"\w+", (match["receiver"] or "").split("[")[0])
            found.append(Defined(number, 0, match["function"] or match["type"], receiver[-1] if receiver else ""))
            opened = match["type"] if match["type"] and re.search(r"\binterface\b[^}]*$", line) else ""
        elif line.startswith("type ("):
            opened = "("
        elif line[:1] not in ("\t", "", "/", " "):
            opened = ""
        elif opened and (match := _GO_INNER.match(line)):
            found.append(Defined(number, 4, match[1], "" if opened == "(" else opened))
    return found
