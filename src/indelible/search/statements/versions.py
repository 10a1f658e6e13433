"""Newer versions of a text: it says another value of the same thing, such as a number, a name, an affix, a negation.

Texts are compared statement by statement, since the turn of a talk says several things. A version is told by a logistic
regression over a few measures of two statements. Its weights were fitted on half A of `bench/version_pairs.json`, pairs
of our own wording; the figures are those of half B: see `bench/version_pairs.py`.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from indelible.search import tokens

VERSION = 1  # of what is told to be a version; a change compares what is stored again, in the background

LEAST_COSINE = 0.3  # of two texts that are compared word by word
LEAST_ODDS = 0.3  # log odds of a version: of those found more than of those missed must be right
MOST_STATEMENTS = 12  # of each text that are compared, the first
LONGEST = 600  # characters of a text that is compared: logs and reports share lines that only differ in a number
SHORTEST, LONGEST_STATEMENT = 2, 40  # words
TEXTS_KEPT = 512  # taken apart, the last: each is compared with a dozen that are near to it, and these with each other
LONGEST_NAME = 4  # words of a name that takes the place of another: `GitHub Actions` has four

_STATEMENT = re.compile(r"(?<=[.!?;])\s+|\n+")
_SPEAKER = re.compile(r"^\s*\w{1,20}:\s+")
_VALUE = re.compile(r"(?<!\w)'[^'\n]{1,40}'(?!\w)|\"[^\"\n]{1,40}\"|`[^`\n]{1,40}`")
_NUMBER = re.compile(r"\bv?\d[\d.,:/-]*\d\b|\bv?\d\b")
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|without|cannot|stop|avoid|disabled?|off|forbidden|disallow\w*|\w+n't)\b", re.IGNORECASE
)
_CHANGE = re.compile(
    r"\b(?:instead|no longer|any ?more|from now on|now|switch(?:ed)?|moved? (?:from|to)|replaced?|rather than|"
    r"upgraded?|changed?|correction|update|actually|raised|lowered|drop(?:ped)?|no more|new)\b",
    re.IGNORECASE,
)
SAME_NAMES = 0.5  # of the names of code in two texts that both must have, or they are about different code
# A report of what happened is not replaced by the next one.
_REPORT = re.compile(
    r"^\W*(?:\w+(?:\([^)]*\))?!?: |(?:\w+ ){0,1}(?:added|fixed|removed|ran|refactored|reviewed|renamed|released|merged|"
    r"updated|implemented|bumped|met|wrote|meeting|bug|step|chapter|error|fix\w*|adds?|removes?|refactor|bump|redo|docs?)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement: its telling words in order, without its values; the values quoted, and the numbers.

    `reports` tells that its text begins as a report of what happened.
    """

    words: tuple[str, ...]
    quoted: frozenset[str]
    numbers: frozenset[str]
    negated: bool
    changes: bool
    reports: bool


def may_supersede(newer: str, older: str, cosine: float) -> bool:
    """Whether the newer of two texts may say another value of something that the older one says; see `surest`."""
    return surest(newer, older, cosine) > LEAST_ODDS


def surest(newer: str, older: str, cosine: float) -> float:
    """Return how sure that is (log odds, above 0 where it is likelier than not); `cosine` is of their vectors."""
    if cosine < LEAST_COSINE or newer == older or max(len(newer), len(older)) > LONGEST:
        return -math.inf
    if _are_about_different_code(newer, older):
        return -math.inf
    return max((_odds(a, b, cosine) for a in _statements(newer) for b in _statements(older)), default=-math.inf)


def measures(newer: str, older: str, cosine: float) -> list[tuple[float, ...]]:
    """Return the measures of every two statements of two texts, those that the weights are of, for the fit."""
    found = (_measures(a, b, cosine) for a in _statements(newer) for b in _statements(older))
    return [each for each in found if each is not None]


def _are_about_different_code(newer: str, older: str) -> bool:
    """Whether both texts name code, mostly other code: entries of a list, such as docstrings, are no versions.

    A single name in the middle of a text may be the value that has changed: where a file lies, which option is set.
    """
    new, old = _code_names(newer), _code_names(older)
    if not new or not old or len(set(new) & set(old)) >= SAME_NAMES * len({*new, *old}):
        return False
    return len(set(new)) > 1 or len(set(old)) > 1 or (_begins_with(newer, new[0]) and _begins_with(older, old[0]))


@lru_cache(TEXTS_KEPT)
def _code_names(text: str) -> Sequence[str]:
    """Return the names of code in a text, in order: `retry_count`, `src/app.py`, `getUser`, `save(`, not `GitHub`."""
    found = []
    for word in text.split():
        called, bracket, _ = word.partition("(")
        name = called.strip("`'\"*#,;:!?./-)[]{}")
        inner = name[1:-1]
        is_joined = "_" in inner or "." in inner or "/" in inner
        if name and (is_joined or (bracket and called) or (name[0].islower() and name != name.lower())):
            found.append(name)
    return found


def _begins_with(text: str, name: str) -> bool:
    return text.lstrip("`'\"*-# \n").startswith(name)


@lru_cache(TEXTS_KEPT)
def _statements(text: str) -> Sequence[_Statement]:
    """Return the first statements of a text that are neither a mere word nor a paragraph."""
    found, reports = [], bool(_REPORT.match(_SPEAKER.sub("", text)))
    for part in _STATEMENT.split(text):
        statement = _statement(_SPEAKER.sub("", part), reports=reports)
        if SHORTEST <= len(statement.words) <= LONGEST_STATEMENT:
            found.append(statement)
        if len(found) == MOST_STATEMENTS:
            break
    return found


def _statement(text: str, *, reports: bool) -> _Statement:
    quoted = frozenset(match[1:-1] for match in _VALUE.findall(text))
    bare = _VALUE.sub(" ", text)
    numbers = {match.lower() for match in _NUMBER.findall(bare)}
    bare = _NUMBER.sub(" ", bare)
    words = []
    for word in tokens.words(bare):
        if word in _NUMBER_WORDS:
            numbers.add(_NUMBER_WORDS[word])
        elif tokens.is_telling(word):
            words.append(word)
    negated = bool(_NEGATION.search(bare))
    return _Statement(tuple(words), quoted, frozenset(numbers), negated, bool(_CHANGE.search(bare)), reports)


def _measures(newer: _Statement, older: _Statement, cosine: float) -> tuple[float, ...] | None:
    """Return the measures of two statements; None where they share nothing, or the newer has no other value."""
    new, old = set(newer.words), set(older.words)
    shared, added, lost = new & old, new - old, old - new
    quoted = bool(newer.quoted - older.quoted) and bool(older.quoted - newer.quoted)
    numbers = bool(newer.numbers - older.numbers) and bool(older.numbers - newer.numbers)
    negated = newer.negated != older.negated
    either = quoted or numbers or negated
    if not shared or (newer.reports and older.reports) or not (either or newer.changes or (added and lost)):
        return None
    spans = () if either else _replaced(older.words, newer.words)
    renamed = len(spans) == 1 and max(spans[0]) <= LONGEST_NAME
    if not (either or renamed or (newer.changes and added)):
        return None
    return (
        1.0,
        cosine,
        2 * len(shared) / (len(new) + len(old)),
        min(len(added), len(lost)) / min(len(new), len(old)),
        float(quoted),
        float(numbers),
        float(negated),
        float(newer.changes),
        float(renamed),
        float(either and not (added and lost)),
    )


def _replaced(older: Sequence[str], newer: Sequence[str]) -> list[tuple[int, int]]:
    """Return the lengths of what was replaced by what, in order."""
    steps = SequenceMatcher(None, older, newer, autojunk=False).get_opcodes()
    return [(b - a, d - c) for step, a, b, c, d in steps if step == "replace"]


# Of the measures above, by `bench/version_pairs.py fit`.
WEIGHTS = (-2.54, 1.72, 2.79, -2.57, 0.2, -0.57, 0.35, 0.69, 1.22, 1.92)


def _odds(newer: _Statement, older: _Statement, cosine: float) -> float:
    found = _measures(newer, older, cosine)
    return -math.inf if found is None else sum(w * value for w, value in zip(WEIGHTS, found, strict=True))
