"""Sessions that were killed in the middle of a turn: what they mended is known when the next one begins."""

from __future__ import annotations

from pathlib import Path

from indelible.capture import captured_memories, ingest
from indelible.core.context.call import Call
from indelible.toolsets.memory import deletion
from ingested import captured, drained
from told import FAILED, SECOND, Told, repository

DAY = 86_400 * SECOND


def killed(app: Path, session: str = "killed", **more: int) -> Told:
    told = Told(app, session, **more)
    told.prompt("Please fix the total of the cart.")
    told.command("pytest tests/test_cart.py", FAILED, failed=True)
    told.edit("cart.py", "total = 3", "total = 4")
    told.command("pytest tests/test_cart.py", "1 passed in 0.1s")
    return told


def next_one(app: Path, after: Told, gap: int = 60 * SECOND, session: str = "next", **more: str) -> Told:
    told = Told(app, session, began=after.time + gap, **more)
    told.prompt("What is left to do?")
    return told


def fixes(ctx) -> list[str]:
    return [each["metadata"]["fix"] for each in captured(ctx, "failure")]


def test_what_a_killed_session_mended_is_captured_when_the_next_one_begins(ctx, app):
    told = killed(app)
    drained(ctx, told)
    assert fixes(ctx) == []
    drained(ctx, next_one(app, told))
    assert fixes(ctx) == ["in cart.py: `total = 3` -> `total = 4`."]
    assert "Edited cart.py." in captured(ctx, "session")[0]["content"]


def test_both_may_wait_in_the_spool_together_and_be_of_two_clients(ctx, app):
    told = killed(app)
    drained(ctx, told, next_one(app, told, client="codex"))
    assert len(fixes(ctx)) == 1


def test_a_session_that_goes_on_after_all_gives_the_same_memories_once(ctx, app):
    told = killed(app)
    drained(ctx, told, next_one(app, told))
    told.turn("Done.")
    told.end()
    drained(ctx, told)
    assert len(fixes(ctx)) == 1
    assert len(captured(ctx, "session")) == 1


def test_a_session_that_still_works_is_left_alone(ctx, app):
    told = killed(app)
    drained(ctx, told, next_one(app, told, gap=-SECOND))
    assert fixes(ctx) == []


def test_sessions_of_other_projects_and_of_long_ago_are_left_alone(ctx, app, tmp_path):
    told = killed(app)
    old = killed(app, "old", began=told.time - 9 * DAY)
    drained(ctx, told, old, next_one(repository(tmp_path / "blog"), told, session="other"))
    assert fixes(ctx) == []
    drained(ctx, next_one(app, told))
    assert {each["metadata"]["session"] for each in captured(ctx, "failure")} == {"killed"}


def test_what_somebody_deleted_of_a_killed_session_does_not_come_back(ctx, app):
    told = killed(app)
    drained(ctx, told, next_one(app, told))
    (failure,) = captured(ctx, "failure")
    deletion.delete(ctx, [failure["id"]])
    drained(ctx, next_one(app, told, gap=DAY, session="third"))
    assert fixes(ctx) == []


def test_an_import_captures_of_its_own_sessions_only(ctx, app):
    told = killed(app)
    drained(ctx, told)
    ingest.take_in(ctx.for_call(Call(tool="import", bulk=True)), next_one(app, told).events)
    assert fixes(ctx) == []


def test_at_most_so_many_are_looked_at(ctx, app, monkeypatch):
    monkeypatch.setattr(captured_memories, "LEFT", 1)
    first = killed(app, "first")
    second = killed(app, "second", began=first.time)
    drained(ctx, first, second, next_one(app, second))
    assert len(fixes(ctx)) == 1
