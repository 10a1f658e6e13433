"""Time expressions of nine languages other than English: "letzte Woche", "hace tres días", "в марте", "上周".

The forms that questions have: days, calendar units, so many units ago or past, months and weekdays. Whole dates are
read as in English where they are ISO dates.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache, partial

from indelible.search.languages import unaccented
from indelible.search.time_spans import BEGINNING, END, TimeSpan, calendar_unit, days, is_open, months, stretch
from indelible.search.times.time_expressions import Named
from indelible.search.times.time_words import LANGUAGES, UNITS, Words

_MONTH_DIGITS = r"(?<!\d)(?P<number>1[0-2]|0?[1-9])"
_YEAR = r"(?P<year>20\d\d)"
_Read = Callable[[re.Match[str], datetime], TimeSpan | None]


def named_times(text: str, language: str, now: datetime) -> list[Named]:
    """Return the times that a text names in one of `LANGUAGES`, in the order of their places; none in any other.

    Where two overlap, the one of the earlier and surer form counts.
    """
    if language not in LANGUAGES:
        return []
    words, found, taken = LANGUAGES[language], list[Named](), bytearray(len(text))
    for pattern, read in _rules(language):
        for phrase in pattern.finditer(text):
            start, end = phrase.span()
            try:
                span = None if any(taken[start:end]) else read(phrase, now)
            except (ValueError, OverflowError):  # 9999 years ago
                span = None
            if span is not None:
                taken[start:end] = b"\1" * (end - start)
                lead = phrase.groupdict().get("lead") or text[max(0, start - 20) : start].rstrip()
                found.append(Named(_bounded(span, lead, words), start, end, relative=True))
    return sorted(found, key=lambda each: each.start)


@cache
def hints(language: str) -> frozenset[str]:
    """Return words, small and without accents, one of which is in every time that a text names in a language."""
    words = LANGUAGES[language]
    forms = [*words.units, *words.days, *words.months, *words.weekdays]
    return frozenset(
        part for form in forms for word in form.split() for part in re.split(r"[_'’-]", unaccented(word)) if part
    )


def _bounded(span: TimeSpan, before: str, words: Words) -> TimeSpan:
    if is_open(span):
        return span
    for leads, bounded in (
        (words.since, TimeSpan(span.start, END)),
        (words.before, TimeSpan(BEGINNING, span.start)),
        (words.until, TimeSpan(BEGINNING, span.end)),
    ):
        if leads and re.search(rf"(?:^|\W)(?:{_one_of(leads)})(?: (?:la|el|los|las|le|o|a))?$", before, re.IGNORECASE):
            return bounded
    return span


def _one_of(forms: str) -> str:
    """An alternation of forms, the longest first, with and without their accents."""
    every = {each for form in forms.split() for each in (form, unaccented(form))}
    return "|".join(re.escape(form.replace("_", " ")) for form in sorted(every, key=lambda form: (-len(form), form)))


class _Forms:
    """The forms of a language, as expressions with what reads their matches."""

    def __init__(self, language: str) -> None:
        words = LANGUAGES[language]
        self.language, self.words = language, words
        self.gap = r"\s+" if words.spaced else r"\s*"
        self.numbers = {
            unaccented(form): number
            for number, forms in enumerate(words.numbers.split(), 1)
            for form in forms.split("|")
        }
        self.unit_of = {
            unaccented(form): unit for unit, forms in zip(UNITS, words.units, strict=True) for form in forms.split()
        }
        self.units = rf"(?P<unit>{_one_of(' '.join(words.units))})"
        self.count = rf"(?P<count>\d{{1,3}}|{_one_of(words.numbers.replace('|', ' '))})"
        self.amount = self.count + (r"\s+(?:de\s+)?" if words.spaced else r"\s*") + self.units

    def all(self) -> Iterator[tuple[str, _Read]]:
        """Yield the forms, the surer first."""
        yield from self._amounts()
        for phrase, (unit, back) in self.words.calendar.items():
            yield phrase, partial(_calendar_unit, unit, back)
        for back, forms in reversed(list(enumerate(self.words.days))):
            yield _one_of(forms), partial(_day, back)
        yield from self._months()
        yield from self._weekdays()
        for which, back in ((self.words.last, 1), (self.words.this, 0)):
            yield rf"(?:{_one_of(which)}){self.gap}{self.units}", partial(self._unit, back)
            if self.words.after and back:
                yield rf"{self.units}{self.gap}(?:{_one_of(which)})", partial(self._unit, back)

    def _amounts(self) -> Iterator[tuple[str, _Read]]:
        for form in self.words.ago.split(" | "):
            yield self._with_amount(form), self._ago
        for form in self.words.past.split(" | ") if self.words.past else ():
            yield self._with_amount(form), self._past
        if self.language == "fr":  # "les trois derniers jours"
            yield rf"{self.count}\s+(?:{_one_of(self.words.last)})\s+{self.units}", self._past
        if self.language == "ru":  # "неделю назад"
            yield rf"{self.units}\s+назад", self._unit_ago

    def _with_amount(self, form: str) -> str:
        """A form with `#` where an amount stands."""
        before, _, behind = form.partition("#")
        first = rf"(?:{_one_of(before)}){self.gap if before.endswith(' ') else ''}" if before.strip() else ""
        last = rf"{self.gap if behind.startswith(' ') else ''}(?:{_one_of(behind)})" if behind.strip() else ""
        return first + self.amount + last

    def _months(self) -> Iterator[tuple[str, _Read]]:
        year = rf"(?:\s+(?:de\s+)?{_YEAR})?"
        for number, forms in enumerate(self.words.months, 1):
            yield rf"(?P<lead>{_one_of(self.words.in_month)})\s+(?:{_one_of(forms)}){year}", partial(_month, number)
        if not self.words.spaced:
            of_year, of_month = ("년", "월") if self.language == "ko" else ("年", "月")
            yield rf"(?:{_YEAR}\s*{of_year}\s*)?{_MONTH_DIGITS}\s*{of_month}份?(?!前|間|间|曜)", partial(_month, 0)
            yield rf"{_YEAR}\s*{of_year}(?!前|전)", _year

    def _weekdays(self) -> Iterator[tuple[str, _Read]]:
        lead, last = rf"(?P<lead>{_one_of(self.words.on_day)})", rf"(?P<last>{_one_of(self.words.last)})"
        for number, forms in enumerate(self.words.weekdays):
            if not self.words.spaced:
                form = rf"(?:{last}\s*)?(?:{_one_of(forms)})"
            elif self.words.after:
                form = rf"{lead}\s+(?:{_one_of(forms)})(?:\s+{last})?"
            else:
                form = rf"(?:{lead}|{last})\s+(?:{_one_of(forms)})"
            yield form, partial(_weekday, number)

    # --- What reads their matches ---

    def _of(self, found: re.Match[str]) -> tuple[str, int]:
        """The unit and the count that are named."""
        word = found["count"]
        count = int(word) if word.isdecimal() else self.numbers[unaccented(word.lower())]
        return self.unit_of[unaccented(found["unit"].lower())], count

    def _ago(self, found: re.Match[str], now: datetime) -> TimeSpan:
        return calendar_unit(*self._of(found), now)

    def _past(self, found: re.Match[str], now: datetime) -> TimeSpan:
        return stretch(*self._of(found), now)

    def _unit_ago(self, found: re.Match[str], now: datetime) -> TimeSpan:
        return calendar_unit(self.unit_of[unaccented(found["unit"].lower())], 1, now)

    def _unit(self, back: int, found: re.Match[str], now: datetime) -> TimeSpan | None:
        unit = self.unit_of[unaccented(found["unit"].lower())]
        return None if unit in ("d", "h") else calendar_unit(unit, back, now)


def _calendar_unit(unit: str, back: int, found: re.Match[str], now: datetime) -> TimeSpan:
    return calendar_unit(unit, back, now)


def _day(back: int, found: re.Match[str], now: datetime) -> TimeSpan:
    return days(now.date() - timedelta(days=back), 1, now.tzinfo)


def _month(number: int, found: re.Match[str], now: datetime) -> TimeSpan:
    which = number or int(found["number"])
    year = int(found["year"]) if found["year"] else now.year - (which > now.month)
    return months(year * 12 + which - 1, 1, now.tzinfo)


def _year(found: re.Match[str], now: datetime) -> TimeSpan:
    return months(int(found["year"]) * 12, 12, now.tzinfo)


def _weekday(number: int, found: re.Match[str], now: datetime) -> TimeSpan:
    back = (now.weekday() - number) % 7 or (7 if found["last"] else 0)
    return days(now.date() - timedelta(days=back), 1, now.tzinfo)


@cache
def _rules(language: str) -> tuple[tuple[re.Pattern[str], _Read], ...]:
    """The forms of a language, the surer first, and what reads each."""
    left, right = (r"(?<![\w@/#$=-])", r"(?![\w@(=]|[/-]\w)") if LANGUAGES[language].spaced else ("", "")
    forms = _Forms(language).all()
    return tuple((re.compile(f"{left}(?:{form}){right}", re.IGNORECASE), read) for form, read in forms)
