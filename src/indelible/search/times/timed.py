"""A question with the time that it names: what is left of it as words that a record can have, and whether that is all.

"What did we decide last week about caching" has the words "what did we decide about caching"; the time is a time, and
no record is the better for its words. "What happened last week" asks for nothing but that time.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from functools import cache

from indelible.dataclass import dataclass
from indelible.search import languages, tokens
from indelible.search.languages import ENGLISH, unaccented
from indelible.search.time_spans import TimeSpan
from indelible.search.times.time_expressions import Named, most_specific, named_times, unquoted, without

# Imported late (start, cli): indelible.search.times.general_words, indelible.search.times.other_languages
# Imported late (start, cli): indelible.search.times.time_words

READ = 2_000  # characters of a text that names its time in another language than English
_BEFORE_A_MARK = re.compile(r" (?=[?,.;:!])")
_SEPARATE = re.compile(r"[\s\W]+")


@dataclass(frozen=True, slots=True)
class TimedQuestion:
    """A question, the time that it names (None: none), and the question without words of times.

    `words` are without those of a time that is another in a text of another day ("last week"): what a record can have.
    `subject` is without those of any time ("in March 2024"): what a record must have. `only_time` tells that no subject
    is left; of a `bare` one not even what was done is ("what did we decide"), and its words are a date's, if any.
    """

    text: str
    time: TimeSpan | None
    words: str
    subject: str
    only_time: bool = False
    bare: bool = False


def timed(query: str, now: datetime) -> TimedQuestion:
    """Return a question with the time that it names, in English or another language whose times are known.

    Of several times the shortest counts, then the first; see `time_expressions.named_times` for what each means.
    ValueError if `now` has no time zone.
    """
    text = " ".join(query.split())
    named, language = named_times(text, now), ENGLISH
    if other := _in_other_languages(text):
        from indelible.search.times import other_languages

        found = [(each, unquoted(text, other_languages.named_times(text, each, now))) for each in other]
        language, more = max(found, key=lambda each: len(each[1]))
        named = _merged(named, more)
    if not named:
        return TimedQuestion(query, None, query, text)
    subject = without(text, named)
    general = _is_general(subject, language)
    if general:
        spoken = " ".join(text[each.start : each.end] for each in named if not each.relative)
    else:
        spoken = _BEFORE_A_MARK.sub("", " ".join(without(text, [each for each in named if each.relative]).split()))
    time = most_specific([each.span for each in named])
    only_time = general or _is_general(subject, language, activity=True)
    return TimedQuestion(query, time, spoken, subject, only_time, general)


def _merged(named: list[Named], more: list[Named]) -> list[Named]:
    """Both in the order of their places, without those of `more` that overlap one of `named`."""
    others = [each for each in more if not any(each.start < one.end and one.start < each.end for one in named)]
    return sorted([*named, *others], key=lambda each: each.start)


def _in_other_languages(text: str) -> list[str]:
    """Return the languages other than English in which a text may name a time; one of few words may be in any."""
    if len(text) > READ:
        return []
    if text.isascii() and languages.is_clearly_english(set(text.lower().split())):  # most questions
        return []
    from indelible.search.times import other_languages
    from indelible.search.times.time_words import LANGUAGES, OF_LATIN

    if not text.isascii() and (script := languages.language_of_script(text)):
        return [script] if script in LANGUAGES else []
    words = set(_SEPARATE.split(unaccented(text).lower()))
    if languages.is_clearly_english(words):
        return []
    hinted = [each for each in OF_LATIN if not other_languages.hints(each).isdisjoint(words)]
    if not hinted:
        return []
    language = tokens.language_of(text)
    return [language] if language in hinted else hinted if language == ENGLISH else []


def _is_general(subject: str, language: str, *, activity: bool = False) -> bool:
    """Whether what is left beside a time names no subject."""
    from indelible.search.times.general_words import UNSPACED

    if language in UNSPACED:
        return bool(_unspaced(language).fullmatch(_SEPARATE.sub("", subject)))
    general = _words_of(language, activity)
    return all(word in general or not tokens.is_telling(word, language) for word in tokens.words(subject))


@cache
def _unspaced(language: str) -> re.Pattern[str]:
    from indelible.search.times.general_words import UNSPACED

    forms = sorted(UNSPACED[language].split("|"), key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(forms)})*")


@cache
def _words_of(language: str, activity: bool) -> frozenset[str]:
    """The stems of words that name no subject."""
    from indelible.search.times.general_words import ACTIVITY, GENERAL

    given = (GENERAL, ACTIVITY) if activity else (GENERAL,)
    listed = [word for table in given for word in table.get(language, "").split()]
    return frozenset(stem for word in listed for stem in _stems(word, language))


def _stems(word: str, language: str) -> Iterable[str]:
    own = languages.stemmer(language)
    yield from tokens.words(unaccented(word))
    yield word
    if own is not None:
        yield unaccented(own(word))
