"""Questions about a time bring what was stored then, not what has the words of a time in its text."""

import pytest

# Now is Sunday, 2026-03-01.
MEMORIES = {
    "filter": ("2025-11-03", "The report has a 'last week' filter: what happened last week, last month and yesterday."),
    "cache old": ("2025-12-10", "The cache of the gateway holds answers for ten minutes."),
    "cache week": ("2026-02-18", "Answers of the gateway stay in the cache for one hour now."),
    "lint week": ("2026-02-19", "Ruff replaces flake8 for the linting of all packages."),
    "outage week": ("2026-02-20", "The queue stood still for two hours because the disk of the broker was full."),
    "german": ("2025-10-01", "Der Bericht zeigt gestern, letzte Woche und was letzten Monat passiert ist."),
    "spanish": ("2025-10-02", "El informe muestra qué pasó ayer, la semana pasada y el mes pasado."),
    "french": ("2025-10-03", "Le rapport montre hier, la semaine dernière et ce qui s'est passé le mois dernier."),
    "russian": ("2025-10-04", "Отчёт показывает вчера, прошлую неделю и что произошло в прошлом месяце."),
    "chinese": ("2025-10-05", "报告显示昨天、上周和上个月发生了什么。"),
    "today": ("2026-02-28", "The release notes are written by hand."),
    "july": ("2025-07-12", "The domain moved to another registrar."),
    "planned": ("2025-09-09", "The domain contract ends in July and is not renewed."),
}
WEEK = ["outage week", "lint week", "cache week"]


@pytest.fixture
def stored(memory):
    items = [{"id": name, "content": text, "created_at": f"{day}T09:00:00Z"} for name, (day, text) in MEMORIES.items()]
    assert memory.import_memories(memories=items)["imported"] == len(items)
    return memory


def found(memory, query):
    return [hit["id"] for hit in memory.recall_memory(query=query)]


@pytest.mark.parametrize(
    "query",
    [
        "what happened last week",
        "last week",
        "what did we do last week?",
        "was ist letzte Woche passiert?",
        "¿qué pasó la semana pasada?",
        "qu'est-ce qui s'est passé la semaine dernière ?",
        "что произошло на прошлой неделе?",
        "上周发生了什么？",
    ],
)
def test_what_is_asked_of_a_time_alone_is_what_was_stored_then_the_newest_first(stored, query):
    assert found(stored, query) == WEEK


@pytest.mark.parametrize(
    "query",
    [
        *("what did we do yesterday?", "was haben wir gestern gemacht?", "¿qué hicimos ayer?"),
        *("qu'avons-nous fait hier ?", "что мы делали вчера?", "我们昨天做了什么？"),
    ],
)
def test_a_day_is_asked_for_in_six_languages(stored, query):
    hits = stored.recall_memory(query=query)
    assert [hit["id"] for hit in hits] == ["today"]
    assert "weak" not in hits[0]


def test_the_more_important_of_one_time_comes_first(memory):
    for name, importance in (("one", 0.2), ("two", 0.9), ("three", 0.5)):
        memory.store_memory(content=f"step {name} of the plan", importance=importance)
    hits = memory.recall_memory(query="what did we do today?")
    assert [hit["content"].split()[1] for hit in hits] == ["two", "three", "one"]


def test_a_month_brings_what_was_stored_in_it(stored):
    assert found(stored, "what happened in July") == ["july"]


def test_a_date_of_which_nothing_is_stored_brings_what_mentions_it(stored):
    stored.store_memory(content="The audit of 2024-05-06 found two open ports.")
    (hit,) = stored.recall_memory(query="what happened on 2024-05-06?")
    assert hit["content"].startswith("The audit")


@pytest.mark.parametrize("query", ["what happened 3 weeks ago", "vor drei Wochen", "三周前发生了什么"])
def test_a_relative_time_of_which_nothing_is_stored_brings_nothing(stored, query):
    assert found(stored, query) == []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("what did we decide last week about the cache of the gateway", "cache week"),
        ("was haben wir letzte Woche über gateway und cache entschieden", "cache week"),
        ("the linting of last week", "lint week"),
    ],
)
def test_beside_a_subject_the_time_is_preferred_and_its_words_are_none(stored, query, first):
    answer = found(stored, query)
    assert answer[0] == first
    assert "filter" not in answer
    assert "german" not in answer


@pytest.mark.parametrize(
    "query", ["the 'last week' filter of the report", "the last week filter", 'what is "last week"']
)
def test_a_quoted_time_is_content(stored, query):
    assert found(stored, query)[0] == "filter"


def test_an_open_time_alone_brings_all_of_it(stored):
    assert found(stored, "what happened since February 18?") == ["today", *WEEK]


def test_what_was_done_in_a_time_is_that_of_the_time(stored):
    stored.import_memories(
        memories=[
            {"id": "decided", "content": "We decided: tabs, not spaces", "created_at": "2025-06-01T09:00:00Z"},
            {"id": "decided then", "content": "It was decided to keep YAML", "created_at": "2026-02-17T09:00:00Z"},
        ]
    )
    answer = found(stored, "what did we decide last week?")
    assert answer[0] == "decided then"
    assert sorted(answer[1:]) == sorted(WEEK)
