"""The brief of a project: what it tells, and in how many tokens."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from briefed import LINE, Clock, asked_for, call, capture, fail, opened, remember, sections, told
from indelible.capture import brief as briefs
from indelible.capture import project_brief
from indelible.core.context.call import NO_CALLER
from indelible.core.context.context import Context
from indelible.errors import InvalidInput
from indelible.model import Record
from indelible.search.model_tokens.o200k import count
from indelible.server.mcp import resources
from indelible.store.tables import records

DAY = timedelta(days=1)


# --- What it tells ---


def test_a_brief_names_decisions_todos_failures_preferences_insights_in_this_order(ctx: Context) -> None:
    remember(ctx, "Errors are values", "pattern")
    remember(ctx, "Answers are short", "preference")
    failure = fail(ctx, "TypeError: None has no len", rootCause="an empty page", fixApplied="check the page first")
    todo = call(ctx, "add_todo", title="Renew the certificate", description="before Friday", priority=2)["todo_id"]
    decision = remember(ctx, "Axum was chosen over Actix for its middleware")
    assert sections(told(ctx)) == {
        "Decisions": [f"- Axum was chosen over Actix for its middleware [today, {decision[:8]}]"],
        "Open todos": [f"- Renew the certificate: before Friday [priority 2, today, todo:{todo}]"],
        "Known failures": [
            f"- TypeError: None has no len; cause: an empty page; fix: check the page first [today, {failure}]"
        ],
        "Preferences": [f"- Answers are short [today, {sections(told(ctx))['Preferences'][0][-9:-1]}]"],
        "Patterns and insights": [
            f"- Errors are values [today, {sections(told(ctx))['Patterns and insights'][0][-9:-1]}]"
        ],
    }


def test_what_may_be_out_of_date_names_what_is_newer(ctx: Context) -> None:
    old = remember(ctx, "The rate limit is 100 requests per minute", "context")
    new = remember(ctx, "The rate limit is 60 requests per minute", "context")
    other = remember(ctx, "The rate limit is known to all", "context")
    for source, weight in ((other, 0.3), (new, 0.6)):
        relation = {"source_id": source, "target_id": old, "relationship": "MAY_SUPERSEDE"}
        call(ctx, "associate_memories", **relation, weight=weight)
    assert sections(told(ctx))["Patterns and insights"] == [
        f"- The rate limit is known to all [today, {other[:8]}]",
        f"- The rate limit is 60 requests per minute [today, {new[:8]}]",
        f"- The rate limit is 100 requests per minute [today, newer: {new[:8]}, {old[:8]}]",
    ]
    for source in (other, new):
        relation = {"source_id": source, "target_id": old, "relationship": "MAY_SUPERSEDE"}
        call(ctx, "associate_memories", **relation, weight=0)
    assert "newer" not in told(ctx)


def test_each_id_of_a_brief_brings_the_whole(ctx: Context) -> None:
    remember(ctx, "Axum was chosen. " + "It has middleware. " * 40)
    call(ctx, "add_todo", title="Renew the certificate")
    fail(ctx, "TypeError: None has no len")
    found = [line for lines in sections(told(ctx)).values() for line in lines]
    assert len(found) == 3
    for line in found:
        shown = LINE.fullmatch(line)
        assert shown
        id_ = shown[2].split(", ")[-1]
        text = resources.text_of(ctx, f"memory://{quote(id_, safe='')}", NO_CALLER)
        assert shown[1].split(".")[0].split(";")[0] in text


def test_the_more_important_and_the_newer_decisions_come_first(ctx: Context, clock: Clock) -> None:
    for content, importance in (("old", 0.5), ("vital", 0.9), ("new", 0.5), ("trivial", 0.1), ("newest", 0.5)):
        remember(ctx, f"{content} decision", importance=importance)
        clock.ahead += 2 * DAY
    lines = sections(told(ctx))["Decisions"]
    assert [line.split()[1] for line in lines] == ["vital", "newest", "new", "old", "trivial"]
    assert [line.partition("[")[2].split(",")[0] for line in lines] == [
        *("1 week ago", "2 days ago", "6 days ago", "1 week ago", "4 days ago")
    ]


def test_todos_come_by_priority_then_the_longest_waiting_first_and_done_ones_not(ctx: Context, clock: Clock) -> None:
    numbers = {}
    for title, priority in (("low", 1), ("waiting", 3), ("done", 3), ("fresh", 3)):
        numbers[title] = call(ctx, "add_todo", title=title, priority=priority)["todo_id"]
        clock.ahead += DAY
    call(ctx, "complete_todo", todo_id=numbers["done"])
    assert [line.split()[1] for line in sections(told(ctx))["Open todos"]] == ["waiting", "fresh", "low"]


def test_failures_that_come_often_and_lately_come_first(ctx: Context, clock: Clock) -> None:
    for _ in range(4):
        fail(ctx, "OldError: often, but a year ago")
    clock.ahead += 365 * DAY
    for _ in range(3):
        fail(ctx, "OftenError: this week")
    fail(ctx, "OnceError: today")
    lines = sections(told(ctx))["Known failures"]
    assert [line.split()[1] for line in lines] == ["OftenError:", "OnceError:", "OldError:"]
    assert "[3 times, last today, fail_" in lines[0]
    assert "[4 times, last 1 year ago, fail_" in lines[2]


def test_what_is_replaced_deleted_or_of_another_project_is_not_told(ctx: Context, tmp_path: Path) -> None:
    old, new = remember(ctx, "The queue is Redis"), remember(ctx, "The queue is Postgres")
    call(ctx, "associate_memories", source_id=new, target_id=old, relationship="SUPERSEDES")
    draft = remember(ctx, "The cache is in memory", "preference")
    call(ctx, "refine_memory", id=draft, content="The cache is on disk")
    call(ctx, "delete_memory", id=remember(ctx, "Nothing of this"))
    remember(ctx, "Decided elsewhere", namespace="/elsewhere")
    elsewhere = opened(ctx.settings.data, tmp_path / "other", Clock())
    try:
        call(elsewhere, "add_todo", title="Done elsewhere", priority=3)
        fail(elsewhere, "ElsewhereError: not here")
    finally:
        elsewhere.close()
    text = told(ctx)
    assert list(sections(text)) == ["Decisions", "Preferences"]
    assert "Postgres" in text
    assert "on disk" in text
    for gone in ("Redis", "in memory", "Nothing of this", "elsewhere", "Elsewhere"):
        assert gone not in text
    assert "The queue is Postgres" not in project_brief.brief_of(ctx, "/elsewhere")
    assert "Decided elsewhere" in project_brief.brief_of(ctx, "/elsewhere")


def test_a_brief_works_in_any_language_and_cuts_at_the_end_of_a_sentence_or_word(ctx: Context) -> None:
    remember(ctx, "認証サーバーは夜に再起動する。" * 60)
    remember(ctx, "Der Server startet nachts neu. " * 60, "preference")
    remember(ctx, "wort " * 300, "style")
    remember(ctx, "ohneende" * 300, "habit")
    found = sections(told(ctx))
    assert re.fullmatch(r"- (認証サーバーは夜に再起動する。)+\.\.\. \[.*\]", found["Decisions"][0])
    lines = "\n".join(found["Preferences"])
    assert re.search(r"- (Der Server startet nachts neu\.? ?)+\.\.\. \[", lines)
    assert re.search(r"- (wort )*wort\.\.\. \[", lines)
    assert re.search(r"- (ohneende)+o?h?n?e?e?n?d?\.\.\. \[", lines)


def test_records_without_their_own_fields_are_told_for_what_they_are(ctx: Context) -> None:
    now = ctx.now()
    where: dict[str, Any] = {
        "namespace": str(ctx.session.location.path) if ctx.session.location else "",
        "created": now,
    }
    where |= {"updated": now}
    odd = [
        Record(key="fail_0", kind="failure", type="x", text="Bare failure", **where),
        Record(
            key="fail_1", kind="failure", text="t", metadata={"errorMessage": {"a": 1}, "occurrences": "x"}, **where
        ),
        Record(key="fail_2", kind="failure", text="Hidden", metadata={"trust": "untrusted"}, **where),
        Record(key="8", kind="todo", type="pending", text="Hidden", metadata={"trust": "untrusted"}, **where),
        Record(key="9", kind="todo", type="odd", text="Bare todo", metadata={"priority": "high"}, **where),
        Record(key="x" * 300, kind="memory", type="decision", text="Long id", content_hash="1", **where),
        Record(key="a\nb <memory>", kind="memory", type="decision", text="Odd id", content_hash="2", **where),
    ]
    ctx.store.write(lambda tx: [records.insert(tx, each) for each in odd] and None)
    text = told(ctx)
    for line in ("- Bare failure [today, fail_0]", "- Bare todo [priority 1, today, todo:9]", "- Long id [today]"):
        assert line in text.splitlines()
    assert "- Odd id [today, a b &lt;memory>]" in text
    assert "Hidden" not in text


# --- How long it is ---


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    """A store that holds more of everything than any brief."""
    place = tmp_path_factory.mktemp("full")
    (place / "app").mkdir()
    ctx = opened(place / "data", place / "app", Clock())
    texts = [
        "The queue moved to Postgres since Redis lost messages at each restart. ",
        "Überprüfe vor jeder Änderung die Datenbankmigrationen der Auslieferung! ",
        "认证服务器在夜间重启，因此令牌的有效期必须超过八小时。",
        "def total(pages: list[Page]) -> int:\n    return sum(len(page) for page in pages)\n",
        "🚀🔥 ship it ✅ ",
        "kO3xZ9/aQ+17fGhYp==",
        "</memory><|im_end|> & &lt; ",
    ]
    types = ("decision", "preference", "style", "habit", "pattern", "insight", "context")
    memories = [
        {"content": f"{at} {text * (1 + at % 9)}", "memory_type": type_, "importance": at % 10 / 10}
        for at, (text, type_, _) in enumerate(product(texts, types, range(20)))
    ]
    call(ctx, "import_memories", memories=memories)
    for at, text in enumerate(texts * 20):
        call(ctx, "add_todo", title=f"{at} {text}", description=text, priority=1 + at % 3)
        fail(ctx, f"Error{chr(65 + at % 26)}{chr(65 + at // 26)}: {text}", rootCause=text * 2, fixApplied=text * 3)
        figures = {"prompts": at, "commands": 3 * at, "edits": at % 4}
        capture(ctx, f"session {at}", "session", client="codex", **figures, **asked_for(ctx, text[:50]))
    yield ctx
    ctx.close()


@pytest.mark.slow
def test_a_brief_has_at_most_the_tokens_that_it_is_asked_for(full: Context) -> None:
    for tokens in (*range(100, 1_300, 37), *range(1_300, 5_000, 311), 5_000, briefs.MOST):
        assert count(told(full, tokens)) <= tokens


@pytest.mark.slow
def test_a_brief_uses_most_of_its_tokens(full: Context) -> None:
    assert count(told(full)) > 0.6 * briefs.DEFAULT
    assert len(told(full, 5_000)) > 3 * len(told(full))


@pytest.mark.slow
def test_from_a_few_hundred_tokens_on_every_section_is_there(full: Context) -> None:
    titles = ["Decisions", "Last sessions", "Open todos", "Known failures", "Preferences", "Patterns and insights"]
    assert [re.sub("session$", "sessions", title) for title in sections(told(full, 800))] == titles
    assert list(sections(told(full))) == titles
    assert sections(told(full, 300))


def test_a_head_says_how_many_there_are_and_which_sessions_it_shows(ctx: Context, clock: Clock) -> None:
    def heads(tokens: int) -> list[str]:
        return [line for line in told(ctx, tokens).splitlines() if line.endswith(":") and not line.endswith("now:")]

    for at in range(4):
        remember(ctx, f"Insight {at} " + "and its reason " * 9, "insight")
    capture(ctx, "seen", "session", **asked_for(ctx, "Mend the queue of the billing service."))
    assert ["Last session:", "Patterns and insights (1 of 4):"] in map(heads, range(100, 400, 10))
    clock.ahead += DAY
    capture(ctx, "seen again", "session", **asked_for(ctx, "Move the queue."))
    assert heads(briefs.DEFAULT) == ["Last sessions, newest first:", "Patterns and insights:"]
    memories = [{"content": f"Decision {at}: " + "it is so " * 20, "memory_type": "decision"} for at in range(60)]
    call(ctx, "import_memories", memories=memories)
    assert re.fullmatch(r"Decisions \(\d+ of 30\+\):", heads(briefs.DEFAULT)[0])


@pytest.mark.slow
def test_a_brief_is_the_same_each_time(full: Context) -> None:
    assert len({told(full) for _ in range(3)}) == 1


def test_one_section_has_all_the_room_where_there_is_nothing_else(ctx: Context) -> None:
    memories = [{"content": f"Decision {at}: " + "it is so " * 20, "memory_type": "decision"} for at in range(60)]
    call(ctx, "import_memories", memories=memories)
    (lines,) = sections(told(ctx)).values()
    assert len(lines) >= 12


@pytest.mark.parametrize("tokens", [99, 20_001, 0, -5])
def test_a_number_of_tokens_that_no_brief_can_have_is_refused(ctx: Context, tokens: int) -> None:
    with pytest.raises(InvalidInput, match="tokens must be between 100 and 20,000"):
        told(ctx, tokens)
