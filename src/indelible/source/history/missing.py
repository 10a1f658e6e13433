"""Files that a diff may have left out, ranked by all that is known around it.

Evidence of five kinds: files that usually change together, in a commit or in a series of one author; files of commits
whose messages are about the like; code that depends on what is changed; files in which the names of the changed lines
stand, or of those around them; and names of files that belong together (a test and what it tests, a header and its
implementation). The score is linear in the features of `candidates`; the weights were fitted by bench/fit_review.py, as
a choice of the file that a follow-up fix changed among all candidates (conditional logit, McFadden 1974).
"""

import math
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from indelible.source.history.cochange import Together
from indelible.source.history.mentions import AROUND, MOST_FILES, Name
from indelible.source.history.messages import Alike

NAMES = (
    *("together", "uses", "depends", "removed names", "kept names", "names' rank", "names around", "pair", "near"),
    *("recency", "series", "alike", "test"),
)
WEIGHTS: tuple[float, ...] = (0.15, 0.3, 0.16, 1.33, 0.78, 2.5, 0.34, 0.74, 0.34, 0.62, 0.75, 1.06, 0.6)
MOST_OF_SERIES = 200  # files that changed in series with the changed ones, the likeliest
SIDES = "-+="  # of names in changed lines, see `mentions.Name`
_LEAST = 0.01  # of `together`, before its logarithm

_TEST = re.compile(
    r"^(?:tests?|unit|spec|check)[-_.]|[-_.](?:tests?|unittest|spec|bench)$|(?<=[a-z0-9])(?:Tests?|IT|Spec)$"
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


class Use(NamedTuple):
    """A dependence of a file outside of the diff on a changed symbol or file.

    `confidence` is that of the relation, `among` how many depend on the same.
    """

    path: str
    user: str
    of: str
    confidence: float
    among: int


class Evidence(NamedTuple):
    """All that is known around a diff of the files `changed`.

    `mentions` are the files with each of the `names`, and how often. `recency` says how lately a file changed, `recent`
    are the files that changed last, `files` all that are there.
    """

    changed: frozenset[str]
    together: Mapping[str, Together]
    series: Mapping[str, Together]
    alike: Mapping[str, Alike]
    uses: Sequence[Use]
    names: Sequence[Name]
    mentions: Mapping[str, Mapping[str, int]]
    recency: Callable[[str], float]
    recent: Collection[str]
    files: Collection[str]


class Missing(NamedTuple):
    """A file that may have to change too, its score, and the evidence: names and users, the strongest first."""

    path: str
    score: float
    together: Together | None
    series: Together | None
    alike: Alike | None
    uses: tuple[str, ...]
    names: tuple[str, ...]
    names_around: tuple[str, ...]
    pair: str


def ranked(evidence: Evidence, weights: Sequence[float] = WEIGHTS) -> list[Missing]:
    """Return the candidates with any evidence, the best first, ties by path."""
    if not evidence.changed:
        return []
    users: dict[str, list[Use]] = defaultdict(list)
    for use in evidence.uses:
        users[use.path].append(use)
    found = []
    for path, features in candidates(evidence).items():
        own = sorted(users.get(path, ()), key=lambda use: (use.among, -use.confidence, use.of))
        names = sorted(
            (name for name in evidence.names if path in evidence.mentions.get(name.text, ())),
            key=lambda name: (len(evidence.mentions[name.text]), name.text),
        )
        score = sum(weight * value for weight, value in zip(weights, features, strict=True))
        found.append(
            Missing(
                path,
                score,
                evidence.together.get(path),
                evidence.series.get(path),
                evidence.alike.get(path),
                tuple(dict.fromkeys(use.of for use in own)),
                tuple(name.text for name in names if name.side != AROUND),
                tuple(name.text for name in names if name.side == AROUND),
                next((each for each in sorted(evidence.changed) if _is_pair(each, path)), ""),
            )
        )
    found.sort(key=lambda each: (-each.score, each.path))
    return found


def candidates(evidence: Evidence) -> dict[str, tuple[float, ...]]:
    """Return the features, as `NAMES` lists them, of every file with any evidence."""
    uses: dict[str, float] = defaultdict(float)
    for use in evidence.uses:
        uses[use.path] += use.confidence / math.sqrt(use.among)
    by_side: dict[str, dict[str, float]] = {side: defaultdict(float) for side in (*SIDES, AROUND)}
    for name in evidence.names:
        paths = evidence.mentions.get(name.text, {})
        for path in paths:
            rare = math.log1p(2 * MOST_FILES / len(paths)) if name.side == AROUND else 1 / len(paths)
            by_side[name.side][path] += rare
    ranks = _ranks(by_side)
    stems = _by_stem(evidence.files)
    related = {path for changed in evidence.changed for path in stems.get(_stem(changed), ())}
    likeliest = sorted(evidence.series, key=lambda path: (-evidence.series[path].chance, path))[:MOST_OF_SERIES]
    named = {*evidence.together, *likeliest, *evidence.alike, *uses, *related, *evidence.recent}
    named = named.union(*by_side.values())
    there = evidence.files if isinstance(evidence.files, set | frozenset) else frozenset(evidence.files)
    changed = _Changed(evidence.changed)
    return {
        path: (
            _of_history(evidence.together.get(path)),
            math.log1p(uses.get(path, 0.0)),
            float(path in uses),
            math.log1p(by_side["-"].get(path, 0.0)),
            math.log1p(by_side["="].get(path, 0.0)),
            ranks.get(path, 0.0),
            math.log1p(by_side[AROUND].get(path, 0.0)),
            *changed.features(path),
            evidence.recency(path),
            _of_history(evidence.series.get(path)),
            math.log1p(evidence.alike[path].score) if path in evidence.alike else 0.0,
            float(is_test(path)),
        )
        for path in named
        if path in there and path not in evidence.changed
    }


def _ranks(by_side: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return for each path with a name of changed lines how far in front of the others it stands: 1 is the first."""
    sums: dict[str, float] = defaultdict(float)
    for side in SIDES:
        for path, value in by_side[side].items():
            sums[path] += math.log1p(value)
    ordered = sorted(sums, key=lambda path: (-sums[path], path))
    return {path: 1 / math.log2(2 + place) for place, path in enumerate(ordered)}


def _of_history(together: Together | None) -> float:
    return math.log(max(together.chance, _LEAST) / _LEAST) if together is not None else 0.0


class _Changed:
    """The changed files as names are compared with them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = sorted(paths)
        self._words = [_words(path) for path in self._paths]

    def features(self, path: str) -> tuple[float, ...]:
        """Return the features of a path: pair, near."""
        words = _words(path)
        near = max((len(words & other) / len(words | other) for other in self._words if words or other), default=0.0)
        return (
            float(any(_is_pair(each, path) for each in self._paths)),
            near,
        )


def _is_pair(one: str, other: str) -> bool:
    """Whether one of two is a test of the other, or they differ in their ending only (a header)."""
    if _stem(one) != _stem(other):
        return False
    tests = bool(is_test(one)) + bool(is_test(other))
    return tests == 1 or posixpath.splitext(one)[0] == posixpath.splitext(other)[0]


def is_test(path: str) -> bool:
    """Return whether a path is that of a test, by its name or a folder around it."""
    folder, name = posixpath.split(path)
    if _TEST.search(name.partition(".")[0]) or _TEST.search(posixpath.splitext(name)[0]):
        return True
    return any(part in ("test", "tests", "spec", "__tests__", "testdata") for part in folder.split("/"))


def _stem(path: str) -> str:
    name = posixpath.basename(path).lstrip(".")
    stem = name.partition(".")[0] or name
    return _TEST.sub("", stem).lower()


def _by_stem(files: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in files:
        found[_stem(path)].append(path)
    return {stem: paths for stem, paths in found.items() if len(paths) <= 20}


def _words(path: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(path))
