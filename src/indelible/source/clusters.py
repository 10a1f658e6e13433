"""Communities of symbols described for people: a label for each, and its most central members."""

import math
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from indelible.dataclass import dataclass

MOST_WORDS = 3  # of a label
LARGE_SHARE = 0.6  # of the members, in one folder, that name the cluster after it
LEAST_SHARE = 0.2  # of the members that have a word of the label
SHORTEST = 3  # letters of a word that may be in a label

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+")
_IDLE = frozenset(
    """the and for with from get set init self this new test tests src lib main index mod init py impl str int
    bool object none null true false""".split()
)


@dataclass(frozen=True, slots=True)
class Member:
    """A symbol or file: `name` is its qualified name, or its path."""

    key: str
    name: str
    path: str
    rank: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """`members` by rank, then name; `modularity` is its part of that of the whole division."""

    number: int
    label: str
    modularity: float
    members: tuple[Member, ...]


def clusters(members: Sequence[Member], labels: Sequence[int], modularity: Sequence[float]) -> list[Cluster]:
    """Return the clusters in the order of their numbers; `labels` and `modularity` are by member and by cluster."""
    words = [frozenset(words_in(member.name, posixpath.splitext(member.path)[0])) for member in members]
    everywhere = Counter(word for found in words for word in found)
    inside: dict[int, list[int]] = {}
    for at, number in enumerate(labels):
        inside.setdefault(number, []).append(at)
    return [
        Cluster(
            number,
            _label(
                [members[at] for at in inside[number]], [words[at] for at in inside[number]], everywhere, len(members)
            ),
            modularity[number],
            tuple(sorted((members[at] for at in inside[number]), key=lambda member: (-member.rank, member.name))),
        )
        for number in sorted(inside)
    ]


def words_in(*texts: str) -> Iterator[str]:
    """Yield the words of names and paths in lower case, camelCase and snake_case split, without stop words."""
    for text in texts:
        for found in _WORD.finditer(text):
            word = found.group().lower()
            if len(word) >= SHORTEST and word not in _IDLE:
                yield word


def _label(members: Sequence[Member], words: Sequence[frozenset[str]], everywhere: Counter[str], all_: int) -> str:
    """Return the folder of most members with the words that distinguish them; else the first member's name.

    A word counts by the share of the members that have it times the logarithm of how rare it is elsewhere
    (Spärck Jones, 1972); of equal ones the first by the alphabet.
    """
    folder = _folder([member.path for member in members])
    in_folder = {found.group().lower() for found in _WORD.finditer(folder)}
    counts = Counter(word for found in words for word in found)
    scored = [
        (-(count / len(members)) * math.log(1 + all_ / everywhere[word]), word)
        for word, count in counts.items()
        if count >= LEAST_SHARE * len(members) and word not in in_folder
    ]
    telling = " ".join(word for _, word in sorted(scored)[:MOST_WORDS])
    label = ": ".join(filter(None, (folder, telling)))
    return label or min(members, key=lambda member: (-member.rank, member.name)).name


def _folder(paths: Iterable[str]) -> str:
    """Return the deepest folder that a large share of the files are in, "" for the top."""
    found = [posixpath.dirname(path) for path in paths]
    counts: Counter[str] = Counter()
    for folder in found:
        parts = folder.split("/") if folder else []
        counts.update("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    common = [folder for folder, count in counts.items() if count >= LARGE_SHARE * len(found)]
    return max(common, key=lambda folder: (folder.count("/"), counts[folder], folder), default="")
