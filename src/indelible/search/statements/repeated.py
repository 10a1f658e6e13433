"""Whether two statements are one that was said twice, in nearly the same words."""

import re
from difflib import SequenceMatcher

from indelible.search import tokens

ALIKE = 0.85  # share of the telling words that both have in the same order
FEWEST = 3  # telling words of a statement, or it has too few to be compared
# A text that differs in one of these says something else, however long the rest is that both have.
_NEGATIONS = re.compile(
    r"\b(?:no|not|never|none|nor|without|instead|only|cannot|always|don|won|isn|doesn|shouldn|aren)\b"
)
_NAMES = re.compile(r"\d[\w.]*|\b\w*[a-z][A-Z]\w*|\b\w+[_./-]\w[\w./-]*")


def say_the_same(one: str, other: str) -> bool:
    """Return whether two statements have nearly the same telling words in one order, and all that decides in common.

    What decides are numbers, negations and names of code: "use 3 retries" is not "use 5 retries".
    """
    if _deciding(one) != _deciding(other):
        return False
    first, second = _telling(one), _telling(other)
    if min(len(first), len(second)) < FEWEST:
        return False
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= ALIKE


def _deciding(text: str) -> tuple[list[str], list[str]]:
    return sorted(_NEGATIONS.findall(text.casefold())), sorted(_NAMES.findall(text))


def _telling(text: str) -> list[str]:
    return [word for word in tokens.words(text) if tokens.is_telling(word)]
