"""Open failures: what failed when it was last run, and for how long that counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from briefed import opened_in_project
from indelible.capture import ingest, open_failures
from indelible.core.context.context import Context
from told import FAILED, Told

DAY = 86_400_000_000


@pytest.fixture
def ctx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    made = opened_in_project(tmp_path, monkeypatch)
    yield made
    made.close()


def told(ctx: Context, *runs: tuple[str, str, bool], days: float = 1, session: str = "s1") -> None:
    session_ = Told(Path.cwd(), session, began=ctx.now() - int(days * DAY))
    session_.prompt("go on")
    for line, output, failed in runs:
        session_.command(line, output, failed=failed)
    session_.turn("Done.")
    ingest.take_in(ctx, session_.events)


def still_open(ctx: Context, most: int = 10) -> list[str]:
    with ctx.store.read() as tx:
        found = open_failures.newest(tx, [str(Path.cwd())], ctx.now(), most)
    return [each.command for each in found]


def test_the_last_run_of_a_command_decides_also_of_tests_and_over_sessions(ctx: Context) -> None:
    told(ctx, ("pytest tests/test_cart.py", FAILED, True), ("make build", "", False), days=3)
    assert still_open(ctx) == ["pytest tests/test_cart.py"]
    told(ctx, ("make build", "error: no target", True), ("ls", "", False), days=2, session="s2")
    assert still_open(ctx) == ["make build", "pytest tests/test_cart.py"]
    assert still_open(ctx, 1) == ["make build"]
    told(ctx, ("cd src && pytest tests/test_cart.py", "1 passed in 0.1s", False), session="s3")
    assert still_open(ctx) == ["make build"]


def test_the_same_command_in_two_packages_is_two(ctx: Context) -> None:
    told(ctx, ("cd till && make build", "error: no target", True), ("cd scale && make build", "", False))
    assert still_open(ctx) == ["cd till && make build"]
    told(ctx, ("cd ./till; make build", "", False), session="s2", days=0.5)
    assert still_open(ctx) == []


def test_an_edit_and_a_run_that_was_stopped_mend_nothing(ctx: Context) -> None:
    session = Told(Path.cwd(), "s1", began=ctx.now() - DAY)
    session.command("make build", "error: no target", failed=True)
    session.edit("Makefile", "cents", "euros")
    session.command("make build", "[Request interrupted by user for tool use]", failed=True)
    ingest.take_in(ctx, session.events)
    assert still_open(ctx) == ["make build"]


def test_what_failed_longer_ago_is_not_shown(ctx: Context) -> None:
    told(ctx, ("make build", "error: no target", True), days=open_failures.DAYS + 1)
    assert still_open(ctx) == []
