import subprocess
import sys
from datetime import UTC, datetime, timedelta
from math import exp
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indelible.search.time_spans import TimeSpan, alignment
from indelible.search.times import time_expressions
from indelible.search.times.timed import timed

NOW = datetime(2025, 8, 13, 15, 30, tzinfo=UTC)  # a Wednesday
BEGINNING = datetime.min.replace(tzinfo=UTC)
END = datetime.max.replace(tzinfo=UTC)


def at(text: str) -> datetime:
    return {"-": BEGINNING, "+": END}.get(text) or datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("what did we do today?", "2025-08-13", "2025-08-14"),
        ("Yesterday's decisions", "2025-08-12", "2025-08-13"),
        ("the day before yesterday", "2025-08-11", "2025-08-12"),
        ("this morning", "2025-08-13", "2025-08-13T12:00"),
        ("yesterday evening", "2025-08-12T18:00", "2025-08-13"),
        ("last night", "2025-08-12T18:00", "2025-08-13T06:00"),
        ("what did we decide last week", "2025-08-04", "2025-08-11"),
        ("this week", "2025-08-11", "2025-08-18"),
        ("the week before last", "2025-07-28", "2025-08-04"),
        ("last weekend", "2025-08-09", "2025-08-11"),
        ("this month", "2025-08-01", "2025-09-01"),
        ("last month's incident", "2025-07-01", "2025-08-01"),
        ("last quarter", "2025-04-01", "2025-07-01"),
        ("last year", "2024-01-01", "2025-01-01"),
        ("2 days ago", "2025-08-11", "2025-08-12"),
        ("a week ago", "2025-08-04", "2025-08-11"),
        ("three weeks ago", "2025-07-21", "2025-07-28"),
        ("a couple of months ago", "2025-06-01", "2025-07-01"),
        ("two years back", "2023-01-01", "2024-01-01"),
        ("2h ago", "2025-08-13T13:00", "2025-08-13T14:00"),
        ("past 3 months", "2025-05-13T15:30", "2025-08-13T15:30"),
        ("in the last 24 hours", "2025-08-12T15:30", "2025-08-13T15:30"),
        ("over the last few days", "2025-08-10T15:30", "2025-08-13T15:30"),
        ("the past week", "2025-08-06T15:30", "2025-08-13T15:30"),
        ("last 7d", "2025-08-06T15:30", "2025-08-13T15:30"),
        ("in less than 2 days ago", "2025-08-11T15:30", "2025-08-13T15:30"),
        ("more than 3 months ago", "-", "2025-05-13T15:30"),
    ],
)
def test_a_time_relative_to_now_is_understood(query, start, end):
    assert timed(query, NOW).time == TimeSpan(at(start), at(end))


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("on 2025-08-08", "2025-08-08", "2025-08-09"),
        ("8月の2025-08-08に何を", "2025-08-08", "2025-08-09"),
        ("8 August 2025", "2025-08-08", "2025-08-09"),
        ("the 8th of August, 2025", "2025-08-08", "2025-08-09"),
        ("August 8, 2025", "2025-08-08", "2025-08-09"),
        ("on December 1,2023 taken", "2023-12-01", "2023-12-02"),
        ("Aug 8", "2025-08-08", "2025-08-09"),
        ("Sept. 3, 2024", "2024-09-03", "2024-09-04"),
        ("on may 8", "2025-05-08", "2025-05-09"),
        ("August 14", "2024-08-14", "2024-08-15"),
        ("Feb 29", "2024-02-29", "2024-03-01"),
        ("in March 2024", "2024-03-01", "2024-04-01"),
        ("may 2024", "2024-05-01", "2024-06-01"),
        ("in 2024-03", "2024-03-01", "2024-04-01"),
        ("in 2023", "2023-01-01", "2024-01-01"),
        ("in 2023 this was slow", "2023-01-01", "2024-01-01"),
        ("early 2023", "2023-01-01", "2024-01-01"),
        ("summer of 2023", "2023-01-01", "2024-01-01"),
        ("Q3 2024", "2024-07-01", "2024-10-01"),
        ("2024-Q3", "2024-07-01", "2024-10-01"),
        ("the third quarter of 2024", "2024-07-01", "2024-10-01"),
        ("2025-08-08T10:30:00Z", "2025-08-08T10:30:00", "2025-08-08T10:30:01"),
        ("at 2025-08-08 10:30", "2025-08-08T10:30:00", "2025-08-08T10:31:00"),
        ("2025-08-08T10:30:15+02:00", "2025-08-08T08:30:15", "2025-08-08T08:30:16"),
    ],
)
def test_a_date_is_understood(query, start, end):
    assert timed(query, NOW).time == TimeSpan(at(start), at(end))


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("in March", "2025-03-01", "2025-04-01"),
        ("in march", "2025-03-01", "2025-04-01"),
        ("in May", "2025-05-01", "2025-06-01"),
        ("in August", "2025-08-01", "2025-09-01"),
        ("last August", "2024-08-01", "2024-09-01"),
        ("in December", "2024-12-01", "2025-01-01"),
        ("the January incident", "2025-01-01", "2025-02-01"),
        ("the second week of November", "2024-11-01", "2024-12-01"),
        ("in Q4", "2024-10-01", "2025-01-01"),
        ("on Wednesday", "2025-08-13", "2025-08-14"),
        ("last Wednesday", "2025-08-06", "2025-08-07"),
        ("last Friday", "2025-08-08", "2025-08-09"),
        ("on Fri", "2025-08-08", "2025-08-09"),
        ("Monday morning", "2025-08-11", "2025-08-11T12:00"),
        ("this Monday", "2025-08-11", "2025-08-12"),
        ("Tuesday last week", "2025-08-05", "2025-08-06"),
    ],
)
def test_a_month_or_weekday_without_a_year_is_the_most_recent_one_not_in_the_future(query, start, end):
    assert timed(query, NOW).time == TimeSpan(at(start), at(end))


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("since Monday", "2025-08-11", "+"),
        ("since last week", "2025-08-04", "+"),
        ("since the end of 2023", "2024-01-01", "+"),
        ("from May onwards", "2025-05-01", "+"),
        ("after 2023", "2024-01-01", "+"),
        ("before June 2024", "-", "2024-06-01"),
        ("before the end of 2023", "-", "2024-01-01"),
        ("until March 2024", "-", "2024-04-01"),
        ("after March 2024 and before June 2024", "2024-04-01", "2024-06-01"),
        ("between March and May 2024", "2024-03-01", "2024-06-01"),
        ("March to May 2024", "2024-03-01", "2024-06-01"),
        ("March–May 2024", "2024-03-01", "2024-06-01"),
        ("between November and February 2024", "2023-11-01", "2024-03-01"),
        ("from Monday to Friday", "2025-08-04", "2025-08-09"),
        ("from 2022 to 2023", "2022-01-01", "2024-01-01"),
        ("between August 11 and August 15 2023", "2023-08-11", "2023-08-16"),
        ("between 2025-08-01 and 2025-08-03", "2025-08-01", "2025-08-04"),
        ("the week before 16 November 2023", "2023-11-09", "2023-11-16"),
        ("on the Monday before July 24, 2023", "2023-07-17", "2023-07-18"),
        ("the Saturday after October 28, 2023", "2023-11-04", "2023-11-05"),
    ],
)
def test_words_before_and_between_times_bound_a_span(query, start, end):
    assert timed(query, NOW).time == TimeSpan(at(start), at(end))


@pytest.mark.parametrize(
    "query",
    [
        "",
        "axum or actix",
        "the write may fail",
        "the last may fail",
        "a step we pass in may fail",
        "this may 8 threads",
        "march on to the next step",
        "this march of progress",
        "gcc -march=native",
        "April said so",
        "dec 10 to hex",
        "split sep 2 from the rest",
        "the cat sat on the wed",
        "first, second, third",
        "a second and a minute",
        "format and back again",
        "Sunday.com and monday.com",
        "bumped to 2023.1.2",
        "fixed in 2023.1.2",
        "port 2024",
        "listen on 2024",
        "sum 2020 rows",
        "in 2020 rows",
        "sleeps in 2020 ms",
        "after 2010 iterations",
        "in 2048",
        "who knows now",
        "last commit",
        "past errors of the previous version",
        "INC-2024-03-01-77",
        "id 2024-03-01-a8f3",
        "CVE-2024-0301",
        "notes/2025-08-08.md",
        "protocol version 2025-06-18",
        "2025-02-30",
        "2025-08-08T99:99",
        "Feb 30",
        "9999 years ago",
        "next Monday",
        "every Friday",
        "this Friday",
        "this weekend",
        "yesterday() and datetime.today()",
        "today_rows = $yesterday",
        "half a year ago",
        "le marché in marché",
        "in ſecond quarter, 2 ſec ago",
    ],
)
def test_what_only_looks_like_a_time_names_none(query):
    assert timed(query, NOW).time is None


@pytest.mark.parametrize(
    ("query", "start"),
    [
        ("last week, I think on Friday", "2025-08-08"),
        ("since Monday, in the outage of 2025-08-12", "2025-08-12"),
        ("on 2025-08-01 or 2025-08-02", "2025-08-01"),
    ],
)
def test_the_shortest_of_several_times_wins_and_then_the_first(query, start):
    span = timed(query, NOW).time
    assert span is not None
    assert span.start == at(start)


def test_days_are_those_of_the_zone_that_now_is_given_in():
    now = datetime(2025, 3, 10, 1, 0, tzinfo=ZoneInfo("America/New_York"))  # the day after the clocks went forward
    assert timed("yesterday", now).time == TimeSpan(at("2025-03-09T05:00"), at("2025-03-10T04:00"))


def test_a_range_to_an_open_time_is_no_range_in_any_zone():
    now = datetime(2025, 8, 13, 12, tzinfo=ZoneInfo("America/New_York"))
    span = timed("from Monday to more than 3 months ago", now).time
    assert span is not None
    assert span.start == at("2025-08-11T04:00")


def test_a_span_is_counted_back_over_the_ends_of_shorter_months():
    now = datetime(2024, 3, 31, 12, tzinfo=UTC)
    assert timed("past month", now).time == TimeSpan(at("2024-02-29T12:00"), at("2024-03-31T12:00"))


def test_a_naive_now_is_refused_with_the_remedy():
    with pytest.raises(ValueError, match="aware"):
        timed("today", datetime(2025, 8, 13))


def test_alignment_is_one_inside_and_falls_off_by_the_length_of_the_span():
    week = TimeSpan(at("2025-08-04"), at("2025-08-11"))
    assert alignment(week, at("2025-08-04")) == 1.0
    assert alignment(week, at("2025-08-10T23:59")) == 1.0
    assert alignment(week, at("2025-08-18")) == pytest.approx(exp(-1))
    assert alignment(week, at("2025-07-28")) == pytest.approx(exp(-1))


def test_alignment_with_a_span_under_a_day_falls_off_by_the_day():
    minute = TimeSpan(at("2025-08-08T10:30"), at("2025-08-08T10:31"))
    assert alignment(minute, at("2025-08-09T10:31")) == pytest.approx(exp(-1))


@pytest.mark.parametrize("moment", ["1970-01-01", "2025-01-01", "2025-07-12"])
def test_alignment_with_an_open_span_falls_off_by_thirty_days(moment):
    before, since = TimeSpan(BEGINNING, at("2025-08-11")), TimeSpan(at("2025-08-11"), END)
    assert alignment(before, at(moment)) == 1.0
    assert alignment(since, at(moment)) == pytest.approx(exp(-(at("2025-08-11") - at(moment)) / timedelta(days=30)))
    assert 0.0 <= alignment(since, at(moment)) < 1.0


WORDS = """since before after between from to and until by the last this next every past previous of in on ago back
week weeks day month year weekend monday Friday wed may May march Sep aug 8 31 0 99 2024 2025 1900 2099 9999 Q3 q5
2025-08-08 2025-02-30 2025-08-08T10:30 2025-08 yesterday today morning night early end half more than a couple few
second quarter onwards , – - ( 日""".split()


@settings(max_examples=300)
@given(st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from(["UTC", "Asia/Kolkata", "America/New_York"]))
def test_any_words_give_a_span_that_ends_after_it_starts_or_none(words, zone):
    span = timed(" ".join(words), NOW.astimezone(ZoneInfo(zone))).time
    assert span is None or (span.start < span.end and span.start.tzinfo is UTC and span.end.tzinfo is UTC)


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from([*WORDS, *"june-q2 日last an hours; 2h back, tonight. fourth prior".split()]), max_size=6)
)
def test_no_phrase_is_without_a_hint_of_one(words):
    text = " ".join(words)
    assert time_expressions._compiled(time_expressions._HINT).search(text) or not time_expressions._phrases(text)


@pytest.mark.process
def test_no_rule_is_made_for_a_question_that_hints_at_no_time():
    program = (
        "from datetime import UTC, datetime; from indelible.search.times import time_expressions as times\n"
        "from indelible.search.times.timed import timed\n"
        "asked = timed('why was axum  chosen over actix', datetime.now(UTC))\n"
        "assert (asked.time, asked.subject) == (None, 'why was axum chosen over actix'), asked\n"
        "print(times._rules.cache_info().currsize)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "0\n"


@pytest.mark.process
def test_importing_the_module_compiles_no_pattern():
    program = (
        "import re; seen = []; compile = re.compile; re.compile = lambda *a: seen.append(a) or compile(*a)\n"
        "import dataclasses; seen.clear(); import indelible.search.times.time_expressions; raise SystemExit(len(seen))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
