"""Files that usually change together, counted over the commits of a history.

A commit with few files says more than one with many, and a new one more than an old one; merges, and commits with more
files than a person changes for one reason, say nothing (Zimmermann et al., 2005, leave them out likewise).
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from indelible.source.history.log import Commit

MOST_FILES = 30  # of a commit that counts
HALF_LIFE = 730 * 86_400_000_000  # microseconds after which a commit counts half
RECENT, NEWEST = 300, 30  # commits
UNSEEN = 3.0  # added to the commits of a file: what changed once with it is no habit


class Together(NamedTuple):
    """How a file changes with others: `chance` that it changes when they do, 0..1, and in how many commits it did.

    `with_path` is the one of the others that it changed with most.
    """

    chance: float
    commits: int
    with_path: str


class CoChanges:
    """The statistics of a history. Paths are those of today: renames are followed."""

    def __init__(self, commits: Sequence[Commit], renamed: Iterable[tuple[str, str]] = ()) -> None:
        """Count commits, newest first; `renamed` are (old, new) paths of what is not committed yet."""
        self._files: list[tuple[str, ...]] = []
        self._weights: list[float] = []
        self._of: dict[str, list[int]] = defaultdict(list)  # commits by path
        self._now: dict[str, str] = dict(renamed)  # former path: the one of today
        self._activity: dict[str, float] = defaultdict(float)
        newest = commits[0].time if commits else 0
        for commit in commits:
            self._count(commit, newest)

    @property
    def commits(self) -> int:
        """How many commits count."""
        return len(self._files)

    def _count(self, commit: Commit, newest: int) -> None:
        if commit.is_merge or not commit.files:
            return
        paths = tuple(dict.fromkeys(self._now.get(each.path, each.path) for each in commit.files))
        for each in commit.files:
            if each.status == "R" and each.old_path not in self._now:
                self._now[each.old_path] = self._now.get(each.path, each.path)
        if commit.file_count > MOST_FILES:
            return
        age = 0.5 ** (max(0, newest - commit.time) / HALF_LIFE)
        place = len(self._files)
        self._files.append(paths)
        self._weights.append(age / math.log2(1 + len(paths)) if len(paths) > 1 else age)
        for path in paths:
            self._of[path].append(place)
            self._activity[path] += age

    def activity(self, path: str) -> float:
        """Return how often a file changes: its commits, each counted by its age."""
        return self._activity.get(path, 0.0)

    def recency(self, path: str) -> float:
        """Return how lately a file changed: 1 in the newest commit that counts, 0 not in the newest 300."""
        places = self._of.get(path)
        return 1 / (1 + math.log2(places[0] + 1)) if places and places[0] < RECENT else 0.0

    def recent(self) -> set[str]:
        """Return the files of the newest 30 commits that count: what is worked at now."""
        return {path for paths in self._files[:NEWEST] for path in paths}

    def beside(self, paths: Collection[str]) -> dict[str, Together]:
        """Return the files that changed together with some, these left out: 1 - the product of (1 - chance) of each."""
        found: dict[str, tuple[float, float, str]] = {}
        times: dict[str, set[int]] = defaultdict(set)
        for path in sorted(paths):
            places = self._of.get(path, ())
            total = sum(self._weights[place] for place in places) + UNSEEN
            pairs: dict[str, float] = defaultdict(float)
            for place in places:
                for other in self._files[place]:
                    if other not in paths:
                        pairs[other] += self._weights[place]
                        times[other].add(place)
            for other, weight in pairs.items():
                chance = weight / total
                none, most, of = found.get(other, (1.0, 0.0, ""))
                found[other] = (none * (1 - chance), *((chance, path) if chance > most else (most, of)))
        return {path: Together(1 - none, len(times[path]), of) for path, (none, _, of) in found.items()}
