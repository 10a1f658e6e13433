"""Which symbols of now commits changed: their lines are followed back through the diffs, from the newest commit on.

Lines are followed as `git log -L` does it, for all symbols at once and over merges: to the first parent by the diff to
it, to another parent where the merge took a file as that has it. A file that a merge took from neither is followed no
further there. So a commit may be missing, and none is wrong.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from indelible.source.history import diff as diffs
from indelible.source.history.diff import FileDiff, Lines
from indelible.source.history.git import COMPARING, Git
from indelible.source.history.log import AT_ONCE

MOST_BYTES = 96 << 20  # of the diffs that are read
MOST_SYMBOLS = 60  # of one commit: one that changes more says little of each

_HEAD = b"\n\0"  # no line of a diff begins with NUL


class Place(NamedTuple):
    """A symbol in a file of now or of then: its row id, its first and last line, the symbol `around` it, 0 for none."""

    record: int
    first: int
    last: int
    around: int = 0


Places = dict[str, tuple[Place, ...]]  # by path


class Step(NamedTuple):
    """A commit with its parents, and how it differs from the first of them; `both`: files that it took from none."""

    name: str
    parents: tuple[str, ...]
    files: tuple[FileDiff, ...]
    both: frozenset[str] = frozenset()


def steps(git: Git, head: str, without: str, most: int) -> list[Step]:
    """Return the newest commits of a history with their diffs, newest first, without those of another commit's.

    Raises GitFailed, also where git is too old to compare merges with their first parent (2.31).
    """
    chosen = (f"--max-count={most}", head, *((f"^{without}",) if without else ()), "--")
    form = ("log", "--format=%x00%H %P%x00", "--no-show-signature", "--no-decorate", "--no-notes")
    compared = ("-p", "-U0", "--src-prefix=a/", "--dst-prefix=b/", "--inter-hunk-context=0", "--full-index")
    found = git.run(
        *(*form, "--diff-merges=first-parent", *compared, *COMPARING, *chosen), most=MOST_BYTES, may_be_cut=True
    )
    read = list(_parts(found.content))
    if found.cut:
        read = read[:-1]  # it may lack files
    merges = [name for name, parents, _ in read if len(parents) > 1]
    both: dict[str, frozenset[str]] = {}
    for at in range(0, len(merges), AT_ONCE):
        asked = (*form, "--no-walk=unsorted", "--diff-merges=combined", "--name-only", *COMPARING, "--no-renames")
        output = git.run(*asked, *merges[at : at + AT_ONCE], "--").content
        both.update((name, frozenset(map(diffs.unquoted, rest.split("\n")))) for name, _, rest in _parts(output))
    return [Step(name, parents, diffs.parse(rest).files, both.get(name, frozenset())) for name, parents, rest in read]


def _parts(log: bytes) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for part in (b"\n" + log).split(_HEAD)[1:]:
        head, _, rest = part.partition(b"\0")
        names = head.decode("ascii", "replace").split()
        if names:
            yield names[0], tuple(names[1:]), rest.decode("utf-8", "replace")


def touched(history: Iterable[Step], places: Mapping[str, Sequence[Place]]) -> dict[str, list[int]]:
    """Return the records of the symbols that each commit changed, ascending, without those around them.

    `history` begins at the commit at which the symbols are in those places, and has children before their parents. A
    merge changes nothing: what came with it is its branch's.
    """
    found: dict[str, list[int]] = {}
    waiting: dict[str, Places] = {}
    first = True
    for step in history:
        if first:
            waiting[step.name] = {path: tuple(each) for path, each in places.items()}
            first = False
        here = waiting.pop(step.name, None)
        if here is None:
            continue
        if len(step.parents) < 2:
            changed = sorted(_changed(step.files, here))
            if 0 < len(changed) <= MOST_SYMBOLS:
                found[step.name] = changed
        else:
            theirs = {each.path: here[each.path] for each in step.files if each.path in here}
            for parent in step.parents[1:]:
                _wait(waiting, parent, {path: each for path, each in theirs.items() if path not in step.both})
        _back(step.files, here)
        if step.parents:
            _wait(waiting, step.parents[0], here)
    return found


def _wait(waiting: dict[str, Places], parent: str, places: Places) -> None:
    """Add places at a commit that several lead to; those of a file are the same from wherever they come."""
    known = waiting.get(parent)
    if known is None:
        waiting[parent] = places
        return
    for path, each in places.items():
        known.setdefault(path, each)


def _changed(files: Iterable[FileDiff], here: Places) -> set[int]:
    found: set[int] = set()
    for file in files:
        own = [
            each for each in here.get(file.path, ()) if any(lines.meets(each.first, each.last) for lines in file.new)
        ]
        found.update({each.record for each in own} - {each.around for each in own})
    return found


def _back(files: Iterable[FileDiff], here: Places) -> None:
    """Take places from after a change to before it."""
    before: Places = {}
    for file in files:
        places = here.pop(file.path, ())
        if file.status in "MR" and not file.binary and len(file.old) == len(file.new):
            moved = [_before(each, file) for each in places]
            before[file.old_path] = tuple(each for each in moved if each is not None)
    here.update(before)


def _before(place: Place, file: FileDiff) -> Place | None:
    """Return the lines of a symbol before a change, None where it came with it."""
    shift = 0
    first = last = None
    for old, new in zip(file.old, file.new, strict=True):
        if first is None and place.first <= new.last:
            first = place.first + shift if place.first < new.first else old.first
        if place.last < new.first:
            break
        if new.first <= place.first and place.last <= new.last:
            return None
        if place.last <= new.last:
            last = old.last
            break
        shift += _size(old) - _size(new)
    first = place.first + shift if first is None else first
    last = place.last + shift if last is None else last
    return place._replace(first=first, last=last) if first <= last else None


def _size(lines: Lines) -> int:
    return lines.last - lines.first + 1
