"""Newer versions of a text: it says another value of the same thing, such as a number, a name, an affix, a negation.

Texts are compared statement by statement, since the turn of a talk says several things. A version is told by a logistic
regression over a few measures of two statements. Its weights were fitted on half A of `bench/version_pairs.json`, pairs
of our own wording; the figures are those of half B: see `bench/version_pairs.py`.
"""

import math
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache

from indelible.dataclass import dataclass
from indelible.search import tokens

VERSION = 2  # of what is told to be a version; a change compares what is stored again, in the background

LEAST_COSINE = 0.3  # of two texts that are compared word by word
LEAST_ODDS = 0.6  # log odds of a version: the least with which .98 of those found in half A are right
MOST_STATEMENTS = 12  # of each text that are compared, the first
LONGEST = 600  # characters of a text that is compared: logs and reports share lines that only differ in a number
FEWEST, LONGEST_STATEMENT = 2, 40  # words; a negation needs but one: "avoid mocks"
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
_TIMES = re.compile(r"\b(?:once|twice)\b(?= (?:an?|per|each|every)\b)", re.IGNORECASE)
_BOUND = r"(?! (?:\w+er|more|less) than\b)"  # "no more than" gives a number, and is no negation
# What turns a statement into its opposite, in any form of the word; `off` is that of a switch, not of "first off".
_NEGATION = re.compile(
    rf"\b(?:not|no{_BOUND}|never|none|nobody|nothing|nor|without|cannot|stop(?:s|ped|ping)?|avoid(?:s|ed|ing)?|skip(?:s|ped|ping)?"
    r"|refrain(?:s|ed|ing)?(?: from)?|disabl(?:es?|ed|ing)|forbid(?:s|den|ding)?|disallow\w*|prohibit\w*|\w+n't"
    r"|(?:is|are|was|were|be|been|stays?|kept|set to|turn(?:s|ed|ing)?|switch(?:es|ed|ing)?) off|off by default)\b",
    re.IGNORECASE,
)
# The opposites of these in words.
_AFFIRMATION = re.compile(
    r"\b(?:enabl(?:es?|ed|ing)|allow(?:s|ed|ing)?|permit(?:s|ted|ting)?|again"
    r"|(?:start(?:s|ed|ing)?|begin|begun|keep) (?:to|us(?:e|ing)))\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:instead|no longer(?! than\b)|any ?more|from now on|now|switch(?:ed)?|moved? (?:from|to)|replaced?"
    r"|rather than|upgraded?|changed?|correction|update|actually|raised|lowered|drop(?:ped)?|no more(?! than\b)|new)\b",
    re.IGNORECASE,
)
# What frames a statement and is no part of it: somebody wants it, or stresses it, and it holds from now on.
_FRAME = re.compile(
    r"\b(?:please|kindly"
    r"|(?:i|we)(?:'d|'ll)?(?: (?:would|will|do|really|now|just|also|still|am|going to)){0,3} +"
    r"(?:want|need|like|expect|prefer|ask)(?:ed|ing)?(?: (?:you|us|everyone|everybody))?(?: to)?"
    r"(?: (?:emphasi[sz]e|stress|underline|point out|mention|say|add|remind you|let you know|tell you))?"
    r"(?: is)?(?: that)?"
    r"|(?:make|be) sure(?: to| that| you)?|ensure that|remember (?:to|that)|(?:do(?: not|n't) )?forget to"
    r"|(?:first|second|third|last|final)(?:ly)?(?: off| of all)?(?=,)|(?:one|another) (?:more )?thing|by the way"
    r"|in addition|additionally|also|from now on|(?:going|moving) forward|from here on|henceforth|as of (?:now|today)"
    r"|starting (?:now|today)|instead|any ?(?:more|longer)|longer|now|rather than|actually|correction|always)\b,?",
    re.IGNORECASE,
)
# What people say to each other without saying anything of a thing, in several words, and in one, as stems.
_COURTESY = re.compile(
    r"\b(?:no (?:worries|problem|doubt|wonder)|take care|let me know|see you"
    r"|(?:do not|don't) (?:worry|hesitate)(?: to)?)\b",
    re.IGNORECASE,
)
_COURTESIES = """thank thanks appreciate grateful welcome sorry congratulations congrats luck worry worries hi hey hello
    morning bye wow oh so well yeah yep sure absolutely definitely exactly indeed okay ok alright right understood noted
    great good nice fine cool awesome amazing fantastic wonderful excellent perfect glad happy hope hoping hear hearing
    heard sound sounds care see bit lot much"""
_PROMISE = re.compile(r"\b(?:i|we)(?:'ll| will|(?:'m| am|'re| are) going to| shall)\b|\bwill do\b", re.IGNORECASE)
_PERSONAL = re.compile(
    r"\b(?:i|me|my|mine|you|your|he|him|his|she|her|they|them|their|it|that|this)\b|\w'(?:ve|re|m|d|ll)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"\?\W*$")
_REQUEST = re.compile(r"\b(?:can|could|would|will) (?:you|we)\b", re.IGNORECASE)
_CAPTION = re.compile(r"(?<!\S)\[[^\W\d]+ [^\]\n]+\](?!\()")  # `[shares a picture]`, not `[svc]`, no link
SAME_NAMES = 0.5  # of the names of code in two texts that both must have, or they are about different code
# A report of what happened is not replaced by the next one: the subject of a commit, a log, a numbered thing of many.
_REPORT = re.compile(
    r"\W*(?:\w+\([^)]*\)!?: |(?:\w+ )?(?:(?:added|fixed|removed|ran|refactored|reviewed|renamed|released?|merged"
    r"|updated|implemented|bumped|met|wrote|fix(?:es|ing)?|removes?|refactor|bump|redo|adds?(?!.*\b(?:any|all|every|each)\b))\b"
    r"|(?:bug|step|chapter|error|meeting) (?:\W?\w*\d|on\b|with\b)))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement: its telling words in order, without its values and its frame; the values quoted, and the numbers.

    `negated` tells that it denies or forbids, `changes` that it has a word for a change, `promises` that somebody says
    what he will do, `personal` that it speaks of a person, or of what was said before, and `reports` that its text
    begins as a report of what happened.
    """

    words: tuple[str, ...]
    quoted: frozenset[str]
    numbers: frozenset[str]
    negated: bool
    changes: bool
    promises: bool
    personal: bool
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
    return max((_odds(each) for each in measures(newer, older, cosine)), default=-math.inf)


def measures(newer: str, older: str, cosine: float) -> list[tuple[float, ...]]:
    """Return the measures of every two statements of two texts, those that the weights are of, for the fit."""
    found = (_measures(a, b, cosine) for a in _statements(newer) for b in _statements(older))
    return [each for each in found if each is not None]


def _are_about_different_code(newer: str, older: str) -> bool:
    """Whether both texts name code, mostly other code: entries of a list, such as docstrings, are no versions.

    A single name in the middle of a text may be the value that has changed: where a file lies, which option is set.
    """
    new, old = _code_names(newer), _code_names(older)
    if not new or not old:
        return False
    if new[0] != old[0] and _begins_with(newer, new[0]) and _begins_with(older, old[0]):
        return True
    if len(set(new) & set(old)) >= SAME_NAMES * len({*new, *old}):
        return False
    return len(set(new)) > 1 or len(set(old)) > 1


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
    """Return the first statements of a text that are no paragraph."""
    found = []
    reports = bool(_REPORT.match(_SPEAKER.sub("", text)))
    for part in _STATEMENT.split(_CAPTION.sub("\n", text)):
        statement = _statement(_SPEAKER.sub("", part), reports=reports)
        if statement is not None and len(statement.words) <= LONGEST_STATEMENT:
            found.append(statement)
        if len(found) == MOST_STATEMENTS:
            break
    return found


def _statement(text: str, *, reports: bool) -> _Statement | None:
    """Return a statement; None where nothing is stated: by a courtesy, or a question that asks for no deed."""
    if _QUESTION.search(text) and not _REQUEST.search(text):
        return None
    quoted = frozenset(match[1:-1] for match in _VALUE.findall(text))
    bare = _COURTESY.sub(" ", _VALUE.sub(" ", text))
    numbers = {match.lower() for match in _NUMBER.findall(bare)} | {match.lower() for match in _TIMES.findall(bare)}
    bare = _TIMES.sub(" ", _NUMBER.sub(" ", bare))
    promises, negated, changes = (bool(said.search(bare)) for said in (_PROMISE, _NEGATION, _CHANGE))
    for said in (_NEGATION, _AFFIRMATION, _FRAME):
        bare = said.sub(" ", bare)
    words = []
    for word in tokens.words(bare.lower()):  # else `FastAPI` would be three words that two texts have in common
        if word in _NUMBER_WORDS:
            numbers.add(_NUMBER_WORDS[word])
        elif tokens.is_telling(word) and word not in _courtesies():
            words.append(word)
    if not words:
        return None
    personal = bool(_PERSONAL.search(bare))
    return _Statement(tuple(words), quoted, frozenset(numbers), negated, changes, promises, personal, reports)


@cache
def _courtesies() -> frozenset[str]:
    return frozenset(tokens.stems(_COURTESIES.split()))


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
    if min(len(new), len(old)) < FEWEST and not negated:
        return None
    spans: Sequence[tuple[int, int]] = () if either else _replaced(older.words, newer.words)
    renamed = len(spans) == 1 and max(spans[0]) <= LONGEST_NAME
    alone = renamed and sum(spans[0]) >= len(added) + len(lost)
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
        float(newer.promises),
        float(newer.personal and older.personal),
        float(alone),
        math.log(len(shared)),
    )


def _replaced(older: Sequence[str], newer: Sequence[str]) -> list[tuple[int, int]]:
    """Return the lengths of what was replaced by what, in order; none where much else was added or left out."""
    steps = SequenceMatcher(None, older, newer, autojunk=False).get_opcodes()
    others = sum(b - a + d - c for step, a, b, c, d in steps if step in ("insert", "delete"))
    return [(b - a, d - c) for step, a, b, c, d in steps if step == "replace"] if others <= LONGEST_NAME else []


# Of the measures above, by `bench/version_pairs.py fit`.
WEIGHTS = (-3.45, 1.43, 2.32, -1.83, 0.53, -0.82, -0.66, 0.85, 0.79, 2.16, -0.36, -1.67, 0.97, 1.3)


def _odds(measured: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(WEIGHTS, measured, strict=True))
