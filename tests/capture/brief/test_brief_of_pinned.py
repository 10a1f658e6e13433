"""What is pinned opens every brief of its project, at most ten; what has expired is in none."""

from __future__ import annotations

from datetime import timedelta

import pytest

from briefed import Clock, call, hooked, remember, told
from indelible.capture import brief as briefs
from indelible.core.context.context import Context
from indelible.search.model_tokens.o200k import count

LONG = "The release branch is cut on Monday and is frozen until Thursday, when the owner of the week signs it off. " * 6


def lines(text: str) -> list[str]:
    if 'kind="pinned"' not in text:
        return []
    block = text.split('kind="pinned"')[1].split("</memory>", maxsplit=1)[0]
    return [line[2:].partition(" [")[0] for line in block.splitlines() if line.startswith("- ")]


def test_what_is_pinned_comes_first_and_once(ctx: Context) -> None:
    remember(ctx, "We deploy with Argo", importance=0.9)
    remember(ctx, "The queue is Postgres", importance=0.2, pinned=True)
    call(ctx, "matrix_store", problem="The build is slow", solution="Use the cache", scope="repo", pinned=True)
    for text in (told(ctx), hooked(ctx)):
        assert text.index('kind="pinned"') < text.index("The queue") < text.index('kind="brief"') < text.index("Argo")
        assert text.count("The queue is Postgres") == 1
        assert len(lines(text)) == 2


@pytest.mark.parametrize("tokens", [briefs.AT_START, briefs.DEFAULT, 4_000])
def test_a_brief_has_room_for_ten_and_shows_the_most_important(ctx: Context, tokens: int) -> None:
    for number in range(12):
        remember(ctx, f"{number}: {LONG}", importance=number / 12, pinned=True)
    remember(ctx, "Not pinned, and known", importance=0.9)
    text = told(ctx, tokens)
    assert [int(line.partition(":")[0]) for line in lines(text)] == [*range(11, 1, -1)]
    assert "Not pinned" in text
    assert count(text) <= tokens


def test_a_small_brief_shows_what_there_is_room_for(ctx: Context) -> None:
    remember(ctx, LONG, pinned=True)
    assert count(told(ctx, briefs.LEAST)) <= briefs.LEAST


def test_what_is_replaced_expired_unpinned_or_of_another_project_opens_no_brief(ctx: Context) -> None:
    old = remember(ctx, "The queue is Redis", pinned=True)
    call(ctx, "refine_memory", id=old, content="The queue is Kafka")  # takes the pin over
    gone = remember(ctx, "Freeze this week", pinned=True, expires_at="1d")
    other = remember(ctx, "Unpinned again", pinned=True)
    call(ctx, "update_memory", id=other, content="Unpinned again", pinned=False)
    remember(ctx, "Of another project", pinned=True, namespace="elsewhere")
    assert set(lines(told(ctx))) == {"The queue is Kafka", "Freeze this week"}
    clock = ctx.clock
    assert isinstance(clock, Clock)
    clock.ahead = timedelta(days=2)
    assert lines(told(ctx)) == ["The queue is Kafka"]
    assert "Freeze" not in told(ctx)
    assert gone


def test_what_has_expired_is_in_no_section(ctx: Context) -> None:
    for type_ in ("decision", "preference", "insight"):
        remember(ctx, f"A {type_} for a day", type_, expires_at="1d", importance=0.9)
        remember(ctx, f"A {type_} that stays", type_)
    clock = ctx.clock
    assert isinstance(clock, Clock)
    assert told(ctx).count("for a day") == 3
    clock.ahead = timedelta(days=2)
    assert "for a day" not in told(ctx)
    assert told(ctx).count("that stays") == 3


@pytest.mark.parametrize("pinned", [True, False])
def test_what_is_not_true_now_says_so(ctx: Context, pinned: bool) -> None:
    remember(ctx, "We deploy with Jenkins", importance=0.9, pinned=pinned, valid_to="2020-05-01")
    remember(ctx, "We deploy with Argo", importance=0.8, pinned=pinned, valid_from="2020-05-01", valid_to="2099-01-01")
    remember(ctx, "We will deploy with Flux", memory_type="decision", pinned=pinned, valid_from="2099-01-01")
    remember(ctx, "The clock is in UTC", memory_type="context", pinned=pinned, valid_to="2020-05-01")
    for text in (told(ctx), hooked(ctx)):
        said = {line[2:].partition(" [")[0]: line for line in text.splitlines() if line.startswith("- ")}
        assert "true until 2020-05-01 only" in said["We deploy with Jenkins"]
        assert "true until 2020-05-01 only" in said["The clock is in UTC"]
        assert "true from 2099-01-01 on only" in said["We will deploy with Flux"]
        assert "true" not in said["We deploy with Argo"]
