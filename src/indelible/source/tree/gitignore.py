"""Rules of gitignore(5) over `bytewise` texts, decided entry by entry on a walk that leaves out what is ignored.

As git does itself, and is not run for: its answers are those of tests/source/tree/test_gitignore.py.

Libraries decide for whole paths, and so take a rule that names a directory for one that names all that is in it:
`/*` with `!/src/` then ignores every file of `src`.
"""

import re
from collections.abc import Iterable, Sequence

from indelible.dataclass import dataclass

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_STAR, _DIRECTORIES = "\0*", "\0/"  # in expressions to be: no path has a NUL
_NAMED = re.compile(r"\[:(\w*):\]")


@dataclass(frozen=True, slots=True)
class Rule:
    """One line: the paths it matches (`whole` ones from its directory, else names anywhere), and what it decides."""

    pattern: re.Pattern[str]
    ignores: bool
    directories: bool  # and nothing else
    whole: bool

    def names(self, path: str, name: str, is_directory: bool) -> bool:
        """Whether it names an entry itself; `path` is relative to the rule's directory, with `/`."""
        if self.directories and not is_directory:
            return False
        return self.pattern.fullmatch(path if self.whole else name) is not None


def bytewise(data: bytes) -> str:
    """A file of rules or a path with a character for each byte: to git `?` is a byte."""
    return data.decode("latin-1")


def rules(lines: Iterable[str]) -> list[Rule]:
    """Return the rules of a file's lines; empty and malformed lines are skipped, as git does."""
    return [rule for line in lines if (rule := _rule(line)) is not None]


def decided(of: Sequence[Rule], path: str, is_directory: bool) -> bool | None:
    """Whether the rules of one file ignore an entry: the last that names it decides; None where none does."""
    name = path.rpartition("/")[2]
    return next((rule.ignores for rule in reversed(of) if rule.names(path, name, is_directory)), None)


def _rule(line: str) -> Rule | None:
    text = _trimmed(line.removesuffix("\r"))
    if not text or text.startswith("#"):
        return None
    ignores = not text.startswith("!")
    text = text if ignores else text[1:]
    directories = text.endswith("/")
    text = text.removesuffix("/")
    whole = "/" in text
    pattern = _translated(text.removeprefix("/"))
    return None if pattern is None or not text else Rule(pattern, ignores, directories, whole)


def _trimmed(line: str) -> str:
    """Return the line without the spaces at its end that no backslash keeps."""
    kept = line.rstrip(" ")
    escapes = len(kept) - len(kept.rstrip("\\"))
    return kept + " " if escapes % 2 and len(kept) < len(line) else kept


def _translated(glob: str) -> re.Pattern[str] | None:
    """Return the expression of a pattern in which `*` does not match `/`; None for a malformed one."""
    parts: list[str] = []
    at = 0
    while at < len(glob):
        step = _step(glob, at)
        if step is None:
            return None
        part, at = step
        parts.append(part)
    runs = (_fitted(run.split(_STAR), "[^/]*?") for run in "".join(parts).split(_DIRECTORIES))
    return re.compile(_fitted(list(runs), "(?:.*?/)??"), re.DOTALL)


def _fitted(pieces: list[str], between: str) -> str:
    """The expression of pieces with anything of a sort `between`, each piece where it comes first and nowhere else.

    A later place leaves less for the next one. To try them all makes `*a*a*a*a*a*a*b` take days for a name of `a`s.
    """
    if len(pieces) == 1:
        return pieces[0]
    first, *inner, last = pieces
    return first + "".join(f"(?>{between}{piece})" for piece in inner) + between + last


def _step(glob: str, at: int) -> tuple[str, int] | None:
    """Return the expression of the next part of a pattern, and the place after it."""
    char = glob[at]
    if char == "*":
        return _stars(glob, at)
    if char == "?":
        return "[^/]", at + 1
    if char == "[":
        return _bracket(glob, at)
    if char == "\\":
        return (re.escape(glob[at + 1]), at + 2) if at + 1 < len(glob) else None
    return re.escape(char), at + 1


def _stars(glob: str, at: int) -> tuple[str, int]:
    """`**` between slashes or at an end is any number of directories, any other run of stars a part of a name."""
    end = at
    while end < len(glob) and glob[end] == "*":
        end += 1
    begins, ends = at == 0 or glob[at - 1] == "/", end == len(glob) or glob[end] == "/"
    if end - at < 2 or not (begins and ends):
        return _STAR, end
    if end == len(glob):
        return ".+" if at else ".*", end
    return _DIRECTORIES, end + 1


def _bracket(glob: str, at: int) -> tuple[str, int] | None:
    """A set of characters; None where nothing closes it, or it has a class that does not exist."""
    at += 1
    negated = glob[at : at + 1] in ("!", "^")
    at += negated
    members: list[str] = []
    first = at
    while at < len(glob) and (glob[at] != "]" or at == first):
        step = _member(glob, at)
        if step is None:
            return None
        member, at = step
        members.append(member)
    if at >= len(glob):
        return None
    inside = "".join(members)
    if negated:
        return f"[^/{inside}]", at + 1
    return f"(?!/)[{inside}]" if inside else "(?!)", at + 1


def _member(glob: str, at: int) -> tuple[str, int] | None:
    """One character, range or class of a set, and the place after it."""
    named = _NAMED.match(glob, at)
    if named is not None:
        members = _CLASSES.get(named[1])
        return None if members is None else (members, named.end())
    low, at = _literal(glob, at)
    if glob[at : at + 1] != "-" or glob[at + 1 : at + 2] in ("", "]"):
        return re.escape(low), at
    high, at = _literal(glob, at + 1)
    return (f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low)), at


def _literal(glob: str, at: int) -> tuple[str, int]:
    if glob[at] == "\\" and at + 1 < len(glob):
        return glob[at + 1], at + 2
    return glob[at], at + 1
