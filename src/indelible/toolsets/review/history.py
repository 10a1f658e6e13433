"""Git around a diff of this machine: the diff itself, the history, and where the names of its lines stand."""

import threading
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from indelible.source.history import diff as diffs
from indelible.source.history import log, mentions, messages
from indelible.source.history.cochange import CoChanges
from indelible.source.history.diff import Diff
from indelible.source.history.git import Git, GitFailed
from indelible.source.history.log import Commit
from indelible.source.history.mentions import Name
from indelible.source.history.messages import Alike
from indelible.toolsets.review.place import Place

MOST_COMMITS = 10_000  # of a history that are counted
MOST_OWN = 200  # commits of a range whose messages are read
KEPT = 4  # repositories whose history a process keeps

_LOCK = threading.Lock()
_KNOWN: OrderedDict[Path, tuple[str, list[Commit]]] = OrderedDict()  # by top directory: HEAD, and its newest commits


class Known(NamedTuple):
    """All that git knows around a diff; `lacks` says what could not be had."""

    changes: CoChanges
    alike: dict[str, Alike]
    names: list[Name]
    mentions: dict[str, dict[str, int]]
    files: frozenset[str]
    lacks: list[str]


def commits(git: Git, top: Path) -> list[Commit]:
    """Return the newest commits of HEAD, those that this process has read before without reading them again.

    Raises GitFailed.
    """
    head = git.head()
    with _LOCK:
        before, known = _KNOWN.get(top, ("", []))
    if head == before:
        return known
    found = _newer(git, before, known) if before else log.commits(git, most=MOST_COMMITS)
    with _LOCK:
        _KNOWN[top] = (head, found)
        _KNOWN.move_to_end(top)
        while len(_KNOWN) > KEPT:
            _KNOWN.popitem(last=False)
    return found


def _newer(git: Git, before: str, known: list[Commit]) -> list[Commit]:
    """Return a history read on from an earlier HEAD, or anew where that is no part of it any more."""
    try:
        git.run("merge-base", "--is-ancestor", before, "HEAD")
    except GitFailed:
        return log.commits(git, most=MOST_COMMITS)
    return [*log.commits(git, without=before, most=MOST_COMMITS), *known][:MOST_COMMITS]


def around(where: Place | None, diff: Diff, range_: str | None) -> Known:
    """Return what git knows around a diff; nothing, and that it lacks, without a repository.

    A range has commits of its own: their messages say what it is about, and they are no history of it.
    """
    names = mentions.names_in(diff)
    if where is None:
        why = "git: no repository of this machine, so neither history nor names in other files"
        return Known(CoChanges([]), {}, names, {}, frozenset(), [why])
    renamed = [(each.old_path, each.path) for each in diff.files if each.status == "R"]
    lacks: list[str] = []
    changes, alike, found, files = CoChanges([]), {}, {}, frozenset[str]()
    try:
        own = _own_commits(where.git, range_)
        inside = {each.hash for each in own}
        history = [each for each in commits(where.git, where.top) if each.hash not in inside]
        changes = CoChanges(history, renamed)
        lacks += [] if history or own else ["history: there is no commit yet"]
        alike = messages.files_of_alike(history, messages.about(diff.paths, names, own))
        files = tracked(where.git)
        found = mentions.files_with(where.git, names)
    except GitFailed as error:
        lacks.append(f"git: {error}")
    return Known(changes, alike, names, found, files, lacks)


def _own_commits(git: Git, range_: str | None) -> list[Commit]:
    if range_ is None:
        return []
    first, sign, last = diffs.ends(git, range_)
    return log.commits(git, last, without=first, most=MOST_OWN) if sign else log.of_names(git, [last])


def tracked(git: Git) -> frozenset[str]:
    """Return the paths of the files in git's index, of a repository given by its top directory. Raises GitFailed."""
    raw = git.run("ls-files", "-z", "--cached").content
    return frozenset(path.decode("utf-8", "replace") for path in raw.split(b"\0") if path)


def compared(git: Git, range_: str | None) -> Diff:
    """Return the diff of a range, or what is staged. Raises InvalidInput for what is no range, and GitFailed."""
    return diffs.staged(git) if range_ is None else diffs.of_range(git, range_)
