"""Names in the lines of a diff, and the files in which they stand: what else may have to change."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from indelible.source.history.diff import Diff
from indelible.source.history.git import Git

MOST_NAMES, MOST_AROUND = 48, 40  # of changed lines, and of those around them, that are looked for
AROUND = " "
SHORTEST, LONGEST = 4, 80  # characters of a name
MOST_BYTES = 16 << 20  # of what is found
MOST_FILES = 200  # in which a name stands that says anything

_NAME = re.compile(rf"[^\W\d]\w{{{SHORTEST - 1},{LONGEST - 1}}}")
_COMMON = frozenset(
    "abstract assert async auto await bool boolean break byte case catch char class const continue default define "
    "delete double elif else elseif endif enum except export extends extern false final finally float from func "
    "function global goto import include inline instanceof interface lambda long match module namespace native none "
    "null nullptr package pass print private protected public raise register return self short signed sizeof static "
    "string struct super switch this throw throws true type typedef typename union unsigned using void volatile when "
    "where while with yield todo fixme".split()
)


class Name(NamedTuple):
    """A name in a diff; `side` says where: "-" in removed lines only, "+" in added ones only, "=" in both, or AROUND.

    That is in the unchanged lines around: what a new entry of a list stands beside may be in another list too.
    """

    text: str
    side: str


def names_in(diff: Diff) -> list[Name]:
    """Return the names to look for: at most MOST_NAMES of changed lines, those only removed first, then MOST_AROUND.

    Of each kind the longest first.
    """
    removed, added, around = (set(_names(diff, side)) for side in ("removed", "added", "context"))
    found = [
        Name(text, "=" if text in removed and text in added else "-" if text in removed else "+")
        for text in removed | added
    ]
    found.sort(key=lambda name: ("-=+".index(name.side), -len(name.text), name.text))
    chosen: list[Name] = []
    for side, share in (("-", MOST_NAMES // 2), ("+", MOST_NAMES * 3 // 4), ("=", MOST_NAMES)):
        chosen += [name for name in found if name.side == side][: share - len(chosen)]
    beside = sorted(around - removed - added, key=lambda text: (-len(text), text))
    return chosen + [Name(text, AROUND) for text in beside[:MOST_AROUND]]


def _names(diff: Diff, side: str) -> Iterator[str]:
    for file in diff.files:
        for line in getattr(file, side):
            yield from (name for name in _NAME.findall(line) if name.lower() not in _COMMON)


def files_with(git: Git, names: list[Name], commit: str = "") -> dict[str, dict[str, int]]:
    """Return how often each name stands in each file, as a whole word; names in over MOST_FILES files are left out.

    Of the files of a commit, by default of the index of what will be committed. Raises GitFailed.
    """
    if not names:
        return {}
    # One expression for all: of several patterns git tries each on every line. A name holds no sign that means more.
    pattern = f"({'|'.join(name.text for name in names)})"
    place = (commit,) if commit else ("--cached",)
    found = git.run(
        *("grep", "-I", "-o", "-w", "-E", "-z", "--full-name", "--no-color", "--no-textconv", "--no-line-number"),
        *("--no-column", "--no-recurse-submodules", "-e", pattern, *place, "--"),
        most=MOST_BYTES,
        may_be_cut=True,
        ends=(0, 1),
    )
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    skip = len(commit) + 1 if commit else 0
    for path, name in _matches(found.content):
        own = counts[name]
        own[path[skip:]] = own.get(path[skip:], 0) + 1
    return {name: paths for name, paths in counts.items() if len(paths) <= MOST_FILES}


def _matches(output: bytes) -> Iterator[tuple[str, str]]:
    at = 0
    while (end := output.find(b"\0", at)) >= 0:
        stop = output.find(b"\n", end)
        if stop < 0:
            return
        yield output[at:end].decode("utf-8", "replace"), output[end + 1 : stop].decode("utf-8", "replace")
        at = stop + 1
