"""The time expression in a question: "last week", "in March 2024", "since Monday", "2025-08-08".

A phrase that is certain by itself ("yesterday", "August 8, 2025") always counts. One that could be something else
counts only after a preposition: "in 2023" but not "port 2023", "in May" but not "may fail". English, and ISO dates.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache

from indelible.dataclass import dataclass
from indelible.search.time_spans import (
    BEGINNING,
    END,
    TimeSpan,
    calendar_unit,
    days,
    is_open,
    latest_day,
    months,
    part_of_day,
    stretch,
)


@dataclass(frozen=True, slots=True)
class Named:
    """A time that a text names, and where. A `relative` one ("last week") is another time in a text of another day."""

    span: TimeSpan
    start: int
    end: int
    relative: bool


def named_times(text: str, now: datetime) -> list[Named]:
    """Return the times that a text names in English, in the order of their places; none inside quotation marks.

    Days, weeks (from Monday), months, quarters and years are those of the calendar in the zone of `now`: "last week"
    and "a week ago" are the calendar week before this one; "past week" and "last 3 days" are the stretch that ends
    now. A month, date or weekday without a year is the most recent one not in the future. "before", "after" and
    "since" give open ends, one of each the stretch between them.
    The text has single spaces. ValueError if `now` has no time zone.
    """
    if now.tzinfo is None:
        raise ValueError(f"now is {now!r}, without a time zone; give an aware time such as datetime.now(UTC)")
    if not _compiled(_HINT).search(text):
        return []
    return unquoted(text, list(_named_spans(text, _phrases(text), now)))


def unquoted(text: str, named: list[Named]) -> list[Named]:
    """Return those that stand in no quotation marks: such a time is a name ("the 'last week' filter of the report").

    Marks around the whole text are none.
    """
    if not named or not _compiled(_MARK).search(text):
        return named
    quoted = [found.span() for found in _compiled(_QUOTED).finditer(text) if len(found[0]) < len(text.rstrip(" ?!."))]
    return [each for each in named if not any(start < each.start and each.end < end for start, end in quoted)]


def without(text: str, named: Iterable[Named]) -> str:
    """Return a text without times that it names, which are in the order of their places."""
    parts, end = [], 0
    for each in named:
        parts.append(text[end : each.start])
        end = each.end
    return " ".join((*parts, text[end:]))


def most_specific(spans: list[TimeSpan]) -> TimeSpan | None:
    """Return the shortest of the spans, then the first; of open ones what they have in common."""
    closed = [span for span in spans if not is_open(span)]
    if closed:
        return min(closed, key=lambda span: span.end - span.start)
    start = max((span.start for span in spans), default=BEGINNING)
    end = min((span.end for span in spans), default=END)
    if spans and start < end:
        return TimeSpan(start, end)
    return spans[0] if spans else None


# --- Words ---

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_NUMBERS |= {"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple": 2, "few": 3, "several": 4}
_QUARTERS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "1": 0, "2": 1, "3": 2, "4": 3}

# The meaning of the word before a phrase.
_SINCE = frozenset({"since", "starting", "starting in", "starting on", "starting from"})
_AFTER = frozenset({"after", "later than"})
_BEFORE = frozenset({"before", "prior to", "earlier than"})
_UNTIL = frozenset({"until", "till", "through", "by"})
_NEVER = frozenset({"every", "each", "next", "coming", "upcoming"})
_BESIDE = {"day": 1, "week": 7, "weekend": 7, "month": 30, "year": 365}  # "the week before" a date, in days
_BOUNDS = _SINCE | _AFTER | _BEFORE | _UNTIL | {f"{unit} {side}" for unit in _BESIDE for side in ("before", "after")}
_LEADS = _BOUNDS | _NEVER | {"in", "on", "during", "throughout", "from", "of", "for", "around", "between"}
# "part" stands for "early", "the end of" and the like. A month after "by" or "for" is often a person.
_YEAR_LEADS = _BOUNDS - {"by"} | {"in", "during", "throughout", "from", "for", "part"}
_MONTH_LEADS = _YEAR_LEADS - {"for"} | {"of", "around"}
_DAY_LEADS = _BOUNDS | {"on", "from", "of"}
# Months whose names mean nothing else. The others are also people, verbs, or short for "decimal" and "separator".
_CLEAR_MONTHS = frozenset({"january", "february", "july", "september", "october", "november", "december"})
_UNCLEAR_BEFORE_A_NUMBER = frozenset({"mar", "march", "may", "sep", "oct", "dec"})

# A phrase is no part of a path, an address, a number or an identifier, but may touch a letter of another script.
_LEFT = r"(?<![\wÀ-ɏ/@#$\\=-])(?<!\w\.)(?<!\d,)"
_RIGHT = r"(?![\wÀ-ɏ@#=(]|[./:\\-]\w|,\d)"
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r?s(?:day)?)?|fri(?:day)?|sat(?:urday)?"
    r"|sun(?:day)?)"
)
_COUNT = (
    r"(?P<count>\d{1,4}|(?:a )?(?:couple(?: of)?|few)|several"
    r"|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
)
_UNIT = (
    r"(?P<unit>sec(?:ond)?s?|min(?:ute)?s?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:(?:ee)?ks?)?|months?|quarters?|y(?:ea)?rs?)"
)
_AMOUNT = rf"{_COUNT}(?:(?<=\d) ?| ){_UNIT}"
# "in 2020 rows" counts rows; "in 2020 this was" does not.
_NOT_COUNTED = (
    r"(?! (?!(?:was|is|has|does|this|its|as|us|always|versus|vs|plus)\b)\w*[a-rt-z]s\b)"
    r"(?! (?:[kmgt]b|px|fps|hz|rows?|percent|edition|port|mode)\b)"
)
# These name a part that is not distinguished from the whole: "late 2023" is 2023.
_PART = (
    r"(?:early(?: in)?|late(?: in)?|mid|(?:spring|summer|autumn|fall|winter)(?: of)?"
    r"|(?:start|beginning|middle|end|(?:first|second|third|last) (?:half|week|weekend|quarter)) of) (?:the )?"
)
_LEAD = rf"(?<![\w-])(?:(?P<lead>{'|'.join(sorted(_LEADS, reverse=True))}) )?(?:the )?(?P<part>{_PART})?$"
_JOINT = rf" ?(?:and|to|until|till|through|thru|[–—-]) ?(?:the )?(?:{_PART})?"
_MARK = r"[\"'`“”„‘’«»「『]"
_QUOTED = (
    r"\"[^\"]{1,200}\"|`[^`]{1,200}`|[“„][^“”„]{1,200}[”“]|«[^«»]{1,200}»|「[^「」]{1,200}」|『[^『』]{1,200}』"
    r"|(?<![\w])'[^']{1,200}'(?!\w)|(?<![\w])‘[^‘’]{1,200}’(?!\w)"
)
_NAMED_BY_IT = (
    r" (?:filter|view|tab|column|button|label|option|preset|widget|dropdown|menu|selector|picker|toggle|checkbox"
    r"|shortcut|parameter|flag|field|constant|placeholder|string|heading)s?\b"
)
_MAY_DO = r"may (?:be|have|not|also|only|still|fail|cause|need|break|occur|happen|lead|return|throw)\b"
# Every phrase has one of these. A question without them, as most are, names no time, and the rules are not even made.
_HINT = (
    rf"\d|\b(?:{'|'.join((*_MONTHS, *_WEEKDAYS))}|quarter|ago|back|this|last|past|previous|prior|before|today|tonight"
    r"|yesterday)"
)


# --- Phrases ---


@dataclass(frozen=True, slots=True)
class _Rule:
    """A form of words: `read(found, now, latest)` gives its span, `fits(found, lead)` whether it counts there.

    `latest` bounds what is named without a year. `read` may raise ValueError or OverflowError: there is no such time.
    A `relative` form is another time on another day.
    """

    pattern: str
    read: Callable[[re.Match[str], datetime, datetime], TimeSpan | None]
    fits: Callable[[re.Match[str], str], bool] = lambda found, lead: True
    relative: bool = False


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A rule's match with the preposition before it and the part named ("end of"), each lower-case or empty."""

    rule: _Rule
    found: re.Match[str]
    lead: str
    part: str

    def fits(self) -> bool:
        return self.lead not in _NEVER and self.rule.fits(self.found, self.lead or ("part" if self.part else ""))

    def read(self, now: datetime, latest: datetime) -> TimeSpan | None:
        try:
            return self.rule.read(self.found, now, latest)
        except (ValueError, OverflowError):
            return None  # February 30, 25 o'clock, 9999 years ago


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


def _phrases(text: str) -> list[_Phrase]:
    """Return the phrases in order of place; where two overlap, the earlier rule has it."""
    phrases: list[_Phrase] = []
    taken = bytearray(len(text))
    for rule in _rules():
        for found in _compiled(f"{_LEFT}(?:{rule.pattern}){_RIGHT}").finditer(text):
            place = slice(*found.span())
            if not any(taken[place]):
                taken[place] = b"\1" * len(found[0])
                phrases.append(_Phrase(rule, found, *_words_before(text, found.start())))
    return sorted(phrases, key=lambda phrase: phrase.found.start())


def _words_before(text: str, place: int) -> tuple[str, str]:
    before = _compiled(_LEAD).search(text[max(0, place - 50) : place])
    return ((before["lead"] or "").lower(), (before["part"] or "").lower()) if before else ("", "")


def _named_spans(text: str, phrases: list[_Phrase], now: datetime) -> Iterator[Named]:
    position = 0
    while position < len(phrases):
        phrase = phrases[position]
        span = _pair(text, phrase, phrases[position + 1], now) if position + 1 < len(phrases) else None
        position += 2 if span else 1
        if span is None and phrase.fits():
            span = _bounded(phrase, text, now)
        if span is not None:
            last = phrases[position - 1]
            relative = phrase.rule.relative and last.rule.relative
            yield Named(span, phrase.found.start(), last.found.end(), relative)


def _pair(text: str, first: _Phrase, last: _Phrase, now: datetime) -> TimeSpan | None:
    """Read "between X and Y", "from X to Y", "X to Y" and "Monday before Y"; X is the most recent one before Y."""
    joint, end = text[first.found.end() : last.found.start()].lower(), last.read(now, now)
    if end is None or is_open(end):
        return None
    if "weekday" in first.found.groupdict() and joint.removesuffix("the ") in (" before ", " after "):
        latest = end.start - timedelta(days=1) if joint.startswith(" before") else end.end + timedelta(days=6)
        return first.read(now, latest.astimezone(now.tzinfo))
    if not _compiled(_JOINT).fullmatch(joint) or joint.startswith(" and ") != (first.lead == "between"):
        return None
    if first.lead not in ("between", "from") and not (last.found.groupdict().get("year") or first.fits()):
        return None
    start = first.read(now, end.start.astimezone(now.tzinfo))
    return TimeSpan(start.start, end.end) if start and start.start < end.end else None


def _bounded(phrase: _Phrase, text: str, now: datetime) -> TimeSpan | None:
    """Read a phrase with what stands around it: "before", "since the end of", "onwards"."""
    span = phrase.read(now, now)
    if span is None or is_open(span):
        return span
    edge = span.end if phrase.part.startswith("end") else span.start
    onwards = text.startswith(" onward", phrase.found.end())
    unit, _, side = phrase.lead.partition(" ")
    if unit in _BESIDE:
        length = timedelta(days=_BESIDE[unit])
        return TimeSpan(edge - length, edge) if side == "before" else TimeSpan(span.end, span.end + length)
    if phrase.lead in _SINCE or onwards:
        return TimeSpan(edge, END)
    if phrase.lead in _AFTER:
        return TimeSpan(span.end, END)
    if phrase.lead in _BEFORE:
        return TimeSpan(BEGINNING, edge)
    return TimeSpan(BEGINNING, span.end) if phrase.lead in _UNTIL else span


# --- The meaning of each form of words ---


def _unit(word: str) -> str:
    return "mo" if word.lower().startswith("mo") else word[0].lower()


def _read_iso(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan:
    text = found[0].upper().replace(" ", "T").replace(",", ".")
    moment = datetime.fromisoformat(text)
    if "T" not in text:
        return days(moment.date(), 1, now.tzinfo)
    start = moment.replace(tzinfo=moment.tzinfo or now.tzinfo).astimezone(UTC)
    return TimeSpan(start, start + timedelta(seconds=1 if found["seconds"] else 60))


def _read_iso_month(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan:
    return months(int(found["year"]) * 12 + int(found["number"]) - 1, 1, now.tzinfo)


def _month_number(found: re.Match[str]) -> int:
    return _MONTHS.index(found["month"][:3].lower()) + 1


def _read_day(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan:
    month, number = _month_number(found), int(found["day"])
    day = date(int(found["year"]), month, number) if found["year"] else latest_day(month, number, latest)
    return days(day, 1, now.tzinfo)


def _day_fits(found: re.Match[str], lead: str) -> bool:
    unclear = found["month"].islower() and found["month"] in _UNCLEAR_BEFORE_A_NUMBER
    return bool(found["year"]) or not unclear or lead in _DAY_LEADS


def _read_month(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan | None:
    month, which = _month_number(found), (found["which"] or "").lower()
    if found["year"]:
        return months(int(found["year"]) * 12 + month - 1, 1, now.tzinfo)
    year = latest.year - (month > latest.month or (which == "last" and month == latest.month))
    if which == "this" and year != now.year:
        return None
    return months(year * 12 + month - 1, 1, now.tzinfo)


def _month_fits(found: re.Match[str], lead: str) -> bool:
    name, word = found["month"], found["month"].lower()
    if found["year"] or word in _CLEAR_MONTHS:
        return True
    if _compiled(_MAY_DO).match(found.string, found.start("month")):
        return False
    led = lead in _MONTH_LEADS or bool(found["which"])
    if name[0].isupper() and name[1:].islower():
        return led
    if word in ("may", "march"):
        return (found["which"] or "").lower() != "this" and lead in _MONTH_LEADS - {"of", "from"}
    return led and word in ("april", "june", "august")


def _read_quarter(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan:
    quarter, year = _QUARTERS[(found["digit"] or found["number"]).lower()], found["before"] or found["year"]
    number = int(year) if year else latest.year - (quarter * 3 + 1 > latest.month)
    return months(number * 12 + quarter * 3, 3, now.tzinfo)


def _quarter_fits(found: re.Match[str], lead: str) -> bool:
    return bool(found["before"] or found["year"]) or lead in _YEAR_LEADS


def _read_weekday(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan | None:
    which, weekday = (found["which"] or "").lower(), _WEEKDAYS.index(found["weekday"][:3].lower())
    if found["week"] or found["of_week"]:
        day = now.date() - timedelta(days=now.weekday() + 7 - weekday)
    elif which == "this":
        day = now.date() + timedelta(days=weekday - now.weekday())
    else:
        back = (latest.weekday() - weekday) % 7
        day = latest.date() - timedelta(days=back or (7 if which else 0))
    return part_of_day(day, found["part"], now.tzinfo) if day <= now.date() else None


def _weekday_fits(found: re.Match[str], lead: str) -> bool:
    """Tell a day from "sat", "wed" and "sun": an abbreviation is a day after a preposition and with a capital."""
    name = found["weekday"]
    return name.lower().endswith("day") or (name[0].isupper() and (lead in _DAY_LEADS or bool(found["which"])))


def _read_ago(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan:
    unit, count = _unit(found["unit"]), _counted(found["count"])
    edge = (found["edge"] or "").lower()
    if edge.startswith(("less", "later")):
        return stretch(unit, count, now)
    return TimeSpan(BEGINNING, stretch(unit, count, now).start) if edge else calendar_unit(unit, count, now)


def _counted(words: str) -> int:
    return int(words) if words.isdecimal() else max(_NUMBERS.get(word, 0) for word in words.lower().split())


def _read_unit(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan | None:
    which, name = found["which"].lower(), found["unit"].lower()
    if name == "weekend":
        week = calendar_unit("w", int(which != "this"), now)
        saturday = week.start.astimezone(now.tzinfo).date() + timedelta(days=5)
        return days(saturday, 2, now.tzinfo) if saturday <= now.date() else None
    if which == "past" or name in ("day", "hour"):
        return stretch(_unit(name), 1, now)
    return calendar_unit(_unit(name), int(which != "this"), now)


def _unit_fits(found: re.Match[str], lead: str) -> bool:
    """Tell the time from what a program has a name of: "the last week filter"."""
    return not _compiled(_NAMED_BY_IT).match(found.string, found.end())


def _read_day_word(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan:
    words = found[0].lower().split()
    back = timedelta(days=words[0] in ("yesterday", "last"))
    part = "night" if words[0] == "tonight" else words[1] if len(words) > 1 else None
    return part_of_day(now.date() - back, part, now.tzinfo)


def _read_year(found: re.Match[str], now: datetime, latest: datetime) -> TimeSpan | None:
    """Read a lone number as a year only from 2001 to the next: 1999, 2000 and 2048 are more often counts."""
    year = int(found["year"])
    return months(year * 12, 12, now.tzinfo) if 2000 < year <= now.year + 1 else None


def _year_fits(found: re.Match[str], lead: str) -> bool:
    return lead in _YEAR_LEADS or found[0][0] in "yY"


@cache
def _rules() -> tuple[_Rule, ...]:
    """Return the rules, the longer and surer forms first, since the first to match has the text."""
    clock = r"(?:[T ]\d\d:\d\d(?P<seconds>:\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?"
    year = rf"(?P<year>{_YEAR})"
    part = r"(?: (?P<part>morning|afternoon|evening|night))?"
    return (
        _Rule(rf"(?<!version )(?<!protocol )(?<!revision ){_YEAR}-\d\d-\d\d{clock}", _read_iso),
        _Rule(rf"(?:the )?{_DAY}(?: of)? {_MONTH}(?:,? {year})?", _read_day, _day_fits),
        _Rule(rf"{_MONTH} (?:the )?{_DAY}(?:,? ?{year})?", _read_day, _day_fits),
        _Rule(rf"(?:(?P<which>last|this) )?{_MONTH}(?:,? (?:of )?{year})?", _read_month, _month_fits),
        _Rule(rf"{year}-(?P<number>0[1-9]|1[0-2])", _read_iso_month, lambda found, lead: lead in _YEAR_LEADS),
        _Rule(
            rf"(?:(?P<before>{_YEAR})[ -]?)?(?:q(?P<digit>[1-4])|(?P<number>first|second|third|fourth) quarter)"
            rf"(?:,? (?:of )?{year})?",
            _read_quarter,
            _quarter_fits,
        ),
        _Rule(
            rf"(?:(?P<week>last week)(?: on)? )?(?:(?P<which>last|past|this) )?{_WEEKDAY}{part}"
            r"(?P<of_week> (?:of )?last week)?(?! of\b)",
            _read_weekday,
            _weekday_fits,
            relative=True,
        ),
        _Rule(
            rf"(?:(?P<edge>(?:more|less|older|earlier|later) than|over) )?(?<!half ){_AMOUNT} (?:ago|back)",
            _read_ago,
            relative=True,
        ),
        _Rule(
            rf"(?:last|past|previous|prior) {_AMOUNT}",
            lambda found, now, latest: stretch(_unit(found["unit"]), _counted(found["count"]), now),
            relative=True,
        ),
        _Rule(
            r"(?P<unit>day|week|month|quarter|year) before (?:last|yesterday)",
            lambda found, now, latest: calendar_unit(_unit(found["unit"]), 2, now),
            relative=True,
        ),
        _Rule(
            r"(?P<which>this|last|past|previous|prior) "
            r"(?P<unit>week(?:end)?|month|quarter|year|(?<=past |last )hour|(?<=past )day)(?! (?:of|in)\b)",
            _read_unit,
            _unit_fits,
            relative=True,
        ),
        _Rule(
            rf"(?:yesterday|today){part}|this (?:morning|afternoon|evening)|last (?:night|evening)|tonight",
            _read_day_word,
            relative=True,
        ),
        _Rule(rf"(?:year )?{year}{_NOT_COUNTED}", _read_year, _year_fits),
    )
