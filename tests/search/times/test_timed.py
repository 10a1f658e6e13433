"""What a question about a time asks for: the time, the words that a record can have, and whether it has a subject."""

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from indelible.search.times.general_words import ACTIVITY, GENERAL, UNSPACED
from indelible.search.times.time_words import LANGUAGES
from indelible.search.times.timed import TimedQuestion, timed

NOW = datetime(2025, 8, 13, 15, 30, tzinfo=UTC)  # a Wednesday


def of(query: str) -> tuple[str, str, TimedQuestion]:
    asked = timed(query, NOW)
    assert asked.time is not None, query
    start, end = asked.time.start.isoformat()[:10], asked.time.end.isoformat()[:10]
    return start, end, asked


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("what happened last week", "2025-08-04", "2025-08-11"),
        ("last week", "2025-08-04", "2025-08-11"),
        ("what did we do yesterday?", "2025-08-12", "2025-08-13"),
        ("What's new since Monday?", "2025-08-11", "9999-12-31"),
        ("what did we work on 3 days ago", "2025-08-10", "2025-08-11"),
        ("summary of last month", "2025-07-01", "2025-08-01"),
        ('"what happened yesterday?"', "2025-08-12", "2025-08-13"),
        ("gestern", "2025-08-12", "2025-08-13"),
        ("was ist letzte Woche passiert?", "2025-08-04", "2025-08-11"),
        ("Was haben wir vor drei Tagen gemacht?", "2025-08-10", "2025-08-11"),
        ("was war im März los?", "2025-03-01", "2025-04-01"),
        ("was gibt es Neues seit Montag?", "2025-08-11", "9999-12-31"),
        ("¿qué pasó la semana pasada?", "2025-08-04", "2025-08-11"),
        ("que hicimos ayer", "2025-08-12", "2025-08-13"),
        ("¿Qué hicimos hace dos meses?", "2025-06-01", "2025-07-01"),
        ("¿qué hicimos en marzo?", "2025-03-01", "2025-04-01"),
        ("qu'est-ce qui s'est passé la semaine dernière ?", "2025-08-04", "2025-08-11"),
        ("qu'avons-nous fait hier ?", "2025-08-12", "2025-08-13"),
        ("qu'avons-nous fait il y a deux semaines ?", "2025-07-28", "2025-08-04"),
        ("o que aconteceu ontem?", "2025-08-12", "2025-08-13"),
        ("o que fizemos no mês passado?", "2025-07-01", "2025-08-01"),
        ("cosa è successo ieri?", "2025-08-12", "2025-08-13"),
        ("cosa abbiamo fatto tre giorni fa?", "2025-08-10", "2025-08-11"),
        ("что произошло на прошлой неделе?", "2025-08-04", "2025-08-11"),
        ("что мы делали вчера?", "2025-08-12", "2025-08-13"),
        ("что было в марте?", "2025-03-01", "2025-04-01"),
        ("что сделано за последние 3 дня?", "2025-08-10", "2025-08-13"),
        ("上周发生了什么？", "2025-08-04", "2025-08-11"),
        ("我们昨天做了什么", "2025-08-12", "2025-08-13"),
        ("三天前做了什么？", "2025-08-10", "2025-08-11"),
        ("3月发生了什么", "2025-03-01", "2025-04-01"),
        ("先週何をしましたか", "2025-08-04", "2025-08-11"),
        ("3日前に何をしましたか", "2025-08-10", "2025-08-11"),
        ("지난주에 무슨 일이 있었나요?", "2025-08-04", "2025-08-11"),
        ("어제 뭐 했어?", "2025-08-12", "2025-08-13"),
    ],
)
def test_a_question_of_a_time_and_general_words_asks_for_that_time_alone(query, start, end):
    *span, asked = of(query)
    assert span == [start, end]
    assert (asked.only_time, asked.bare, asked.words) == (True, True, "")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("what did we decide last week about caching", "what did we decide about caching"),
        ("yesterday's deploy of the gateway", "'s deploy of the gateway"),
        ("in the last 3 days the tests of the parser", "in the the tests of the parser"),
        ("was haben wir gestern über den Cache entschieden", "was haben wir über den Cache entschieden"),
        ("¿qué decidimos hace tres días sobre la caché?", "¿qué decidimos sobre la caché?"),
        ("qu'a-t-on décidé la semaine dernière pour le cache", "qu'a-t-on décidé la pour le cache"),
        ("что мы решили вчера про кэш", "что мы решили про кэш"),
        ("三天前关于缓存我们决定了什么", "关于缓存我们决定了什么"),
    ],
)
def test_beside_a_subject_words_of_a_relative_time_are_left_out(query, words):
    *_, asked = of(query)
    assert (asked.only_time, asked.bare, asked.words) == (False, False, words)


@pytest.mark.parametrize(
    "query", ["what did we decide last week?", "was wurde gestern geändert?", "что мы решили вчера?"]
)
def test_what_was_done_is_no_subject_but_has_words(query):
    *_, asked = of(query)
    assert (asked.only_time, asked.bare) == (True, False)
    assert asked.words


@pytest.mark.parametrize(
    ("query", "words", "bare"),
    [
        ("the release of March 2024", "the release of March 2024", False),
        ("what happened on 2025-08-08?", "2025-08-08", True),
        ("what happened in March", "March", True),
        ("what happened yesterday or on 2025-08-08", "2025-08-08", True),
    ],
)
def test_the_words_of_a_date_mean_the_same_in_any_text_and_stay(query, words, bare):
    *_, asked = of(query)
    assert (asked.words, asked.bare) == (words, bare)


@pytest.mark.parametrize(
    "query",
    [
        "the 'last week' filter of the report",
        'the "last week" filter of the report',
        "the `yesterday` macro",
        "der Filter „letzte Woche“ im Bericht",
        "el filtro «semana pasada» del informe",
        "报告的「上周」筛选",
        "the last week filter of the report",
        "the this month button",
        "port of the gateway",
        "hier ist der Fehler",
        "heuteliste und gesternwert",
        "gateway_gestern = 1",
        "",
    ],
)
def test_a_time_in_quotation_marks_or_the_name_of_a_control_is_content(query):
    asked = timed(query, NOW)
    assert (asked.time, asked.words, asked.only_time, asked.bare) == (None, query, False, False)


def test_what_stands_between_two_apostrophes_of_words_is_not_quoted():
    *span, asked = of("what's in last week's changes of Tom's gateway")
    assert span == ["2025-08-04", "2025-08-11"]
    assert "gateway" in asked.words


def test_no_time_lies_outside_of_the_calendar():
    assert timed("was war vor 999 Jahren", NOW).time is not None
    assert timed("was war vor 999 Jahren", datetime(500, 1, 1, tzinfo=UTC)).time is None


def test_a_naive_now_is_refused_in_any_language():
    with pytest.raises(ValueError, match="aware"):
        timed("was war gestern", datetime(2025, 8, 13))


def test_the_tables_know_the_same_languages():
    assert {*LANGUAGES, "en"} == {*GENERAL, *UNSPACED}
    assert set(ACTIVITY) == set(GENERAL)
    for words in LANGUAGES.values():
        assert len(words.units) == 6
        assert len(words.days) == 3
        assert len(words.weekdays) == 7
        assert len(words.months) in (0, 12)


@pytest.mark.process
def test_no_table_is_read_for_an_english_question_without_a_time():
    program = (
        "import sys; from datetime import UTC, datetime; from indelible.search.times.timed import timed\n"
        "timed('how is the key of the server stored', datetime.now(UTC))\n"
        "known = [name.removeprefix('indelible.search.times.') for name in sys.modules if '.search.times.' in name]\n"
        "print([name for name in known if name not in ('timed', 'time_expressions')])\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
