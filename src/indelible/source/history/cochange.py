"""Files that usually change together, counted over the commits of a history.

A commit with few files says more than one with many, and a new one more than an old one; merges, and commits with more
files than a person changes for one reason, say nothing (Zimmermann et al., 2005, leave them out likewise). What one
author commits within hours is a *series*: one piece of work in several commits, as the sliding window of that paper
joins what a version control without commits recorded file by file.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from typing import NamedTuple

from indelible.dataclass import dataclass
from indelible.source.history.log import Commit

MOST_FILES = 30  # of a commit that counts
MOST_FILES_OF_SERIES = 80
WITHIN = 12 * 3_600_000_000  # microseconds between two commits of a series
HALF_LIFE = 730 * 86_400_000_000  # microseconds after which a commit counts half
RECENT, NEWEST = 300, 30  # commits
UNSEEN = 3.0  # added to the commits of a file: what changed once with it is no habit


class Together(NamedTuple):
    """How a file changes with others: `chance` that it changes when they do, 0..1, and how `often` it did.

    `with_path` is the one of the others that it changed with most.
    """

    chance: float
    often: int
    with_path: str


class CoChanges:
    """The statistics of a history. Paths are those of today: renames are followed."""

    def __init__(self, commits: Sequence[Commit], renamed: Iterable[tuple[str, str]] = ()) -> None:
        """Count commits, newest first; `renamed` are (old, new) paths of what is not committed yet."""
        self._commits, self._series = _Counts(), _Counts()
        self._now: dict[str, str] = dict(renamed)  # former path: the one of today
        self._newest = commits[0].time if commits else 0
        open_series: dict[str, _Series] = {}  # by author: to which an older commit may belong
        for commit in commits:
            self._count(commit, open_series)
        for series in open_series.values():
            self._series.add(tuple(series.paths), self._weight(series.began))

    @property
    def commits(self) -> int:
        """How many commits count."""
        return len(self._commits.files)

    def _count(self, commit: Commit, open_series: dict[str, "_Series"]) -> None:
        if commit.is_merge or not commit.files:
            return
        paths = tuple(dict.fromkeys(self._now.get(each.path, each.path) for each in commit.files))
        for each in commit.files:
            if each.status == "R" and each.old_path not in self._now:
                self._now[each.old_path] = self._now.get(each.path, each.path)
        if commit.file_count > MOST_FILES:
            return
        weight = self._weight(commit.time)
        self._commits.add(paths, weight)
        series = open_series.get(commit.author)
        if series is None or not series.take(paths, commit.time):
            if series is not None:
                self._series.add(tuple(series.paths), self._weight(series.began))
            open_series[commit.author] = _Series(commit.time, dict.fromkeys(paths))

    def _weight(self, time: int) -> float:
        return float(0.5 ** (max(0, self._newest - time) / HALF_LIFE))

    def recency(self, path: str) -> float:
        """Return how lately a file changed: 1 in the newest commit that counts, 0 not in the newest 300."""
        places = self._commits.of.get(path)
        return 1 / (1 + math.log2(places[0] + 1)) if places and places[0] < RECENT else 0.0

    def recent(self) -> set[str]:
        """Return the files of the newest 30 commits that count: what is worked at now."""
        return {path for paths in self._commits.files[:NEWEST] for path in paths}

    def beside(self, paths: Collection[str]) -> dict[str, Together]:
        """Return the files that changed in commits with some, these left out.

        The chances of several are independent: 1 - the product of (1 - chance).
        """
        return self._commits.beside(paths)

    def in_series(self, paths: Collection[str]) -> dict[str, Together]:
        """Return the same of series."""
        return self._series.beside(paths)


@dataclass(slots=True)
class _Series:
    """Commits of one author, read from the newest back: since when, and their files."""

    began: int
    paths: dict[str, None]

    def take(self, paths: Collection[str], time: int) -> bool:
        """Take an older commit in; False where it does not belong to these."""
        if abs(self.began - time) > WITHIN or len(self.paths.keys() | set(paths)) > MOST_FILES_OF_SERIES:
            return False
        self.began = time
        self.paths.update(dict.fromkeys(paths))
        return True


@dataclass(slots=True)
class _Counts:
    """Sets of files that changed together, and what each counts."""

    files: list[tuple[str, ...]] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    of: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # their places, by path

    def add(self, paths: tuple[str, ...], weight: float) -> None:
        """Count a set of files, the less the more they are."""
        place = len(self.files)
        self.files.append(paths)
        self.weights.append(weight / math.log2(1 + len(paths)) if len(paths) > 1 else weight)
        for path in paths:
            self.of[path].append(place)

    def beside(self, paths: Collection[str]) -> dict[str, Together]:
        """Return the files that are in sets with some, these left out."""
        found: dict[str, tuple[float, float, str]] = {}
        times: dict[str, set[int]] = defaultdict(set)
        for path in sorted(paths):
            places = self.of.get(path, ())
            total = sum(self.weights[place] for place in places) + UNSEEN
            pairs: dict[str, float] = defaultdict(float)
            for place in places:
                for other in self.files[place]:
                    if other not in paths:
                        pairs[other] += self.weights[place]
                        times[other].add(place)
            for other, weight in pairs.items():
                chance = weight / total
                none, most, of = found.get(other, (1.0, 0.0, ""))
                found[other] = (none * (1 - chance), *((chance, path) if chance > most else (most, of)))
        return {path: Together(1 - none, len(times[path]), of) for path, (none, _, of) in found.items()}
