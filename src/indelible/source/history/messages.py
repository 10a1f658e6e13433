"""Files of commits whose messages say the like of what a change is about: what such a change touched before."""

import math
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from indelible.source.history.cochange import MOST_FILES
from indelible.source.history.log import Commit
from indelible.source.history.mentions import AROUND, Name

LONGEST_BODY = 500  # characters of a message's body that are read: trailers and logs come later
MOST_COMMITS = 60  # the best, whose files count
TOO_OFTEN = 0.05  # of the messages: a word in more of them says nothing
_K1, _B = 1.2, 0.75  # BM25
_WHOLE = 40.0  # the score of a message that counts one

_WORD = re.compile(r"[^\W\d]\w{3,79}")


class Alike(NamedTuple):
    """How much the messages of a file's commits are alike, from 0; `commit` is the hash of the one that is most."""

    score: float
    commit: str


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a message as they are compared: names whole, in lower case, of four characters at least."""
    return (word.lower() for word in _WORD.findall(text))


def about(paths: Iterable[str], names: Iterable[Name], own: Iterable[Commit]) -> set[str]:
    """Return the words that a change is about: of its paths, its changed lines and its `own` commits' messages."""
    stems = " ".join(posixpath.splitext(posixpath.basename(path))[0] for path in paths)
    said = " ".join(f"{commit.subject}\n{commit.body}" for commit in own)
    return {*words_of(stems), *words_of(said), *(name.text.lower() for name in names if name.side != AROUND)}


def files_of_alike(commits: Sequence[Commit], words: Collection[str]) -> dict[str, Alike]:
    """Return the files of the commits whose messages have most of some words, by BM25 (Robertson et al., 1995).

    The subject counts twice. A commit with few files says more of each; merges and large commits say nothing.
    """
    found: list[tuple[int, int, Counter[str]]] = []  # its place, how many words it has, those asked for
    in_messages: Counter[str] = Counter()
    total, count = 0, 0
    for place, commit in enumerate(commits):
        if commit.is_merge or not 0 < commit.file_count <= MOST_FILES:
            continue
        said = list(words_of(f"{commit.subject}\n{commit.subject}\n{commit.body[:LONGEST_BODY]}"))
        total, count = total + len(said), count + 1
        own = Counter(word for word in said if word in words)
        if own:
            in_messages.update(own.keys())
            found.append((place, len(said), own))
    rarity = {
        word: math.log(1 + count / often)
        for word, often in in_messages.items()
        if often <= TOO_OFTEN * count or often == 1
    }
    scored = [
        (sum(_gain(own[word], length * count / total) * rarity[word] for word in own if word in rarity), place)
        for place, length, own in found
    ]
    scored.sort(key=lambda each: (-each[0], each[1]))
    return _by_file([(score, commits[place]) for score, place in scored[:MOST_COMMITS]])


def _gain(times: int, length: float) -> float:
    """Return what a word counts that stands so often in a message, whose length is 1 where it is that of the mean."""
    return times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length))


def _by_file(best: Iterable[tuple[float, Commit]]) -> dict[str, Alike]:
    sums: dict[str, float] = defaultdict(float)
    first: dict[str, str] = {}
    for score, commit in best:
        for each in commit.files if score > 0 else ():
            sums[each.path] += score / _WHOLE / math.sqrt(len(commit.files))
            first.setdefault(each.path, commit.hash)
    return {path: Alike(score, first[path]) for path, score in sums.items()}
