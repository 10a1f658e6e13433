"""Without a serving process a prompt brings the user's rules about the files and names that it has, nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from briefed import call, opened_in_project, remember
from indelible.capture import ingest, named_rules, promotion
from indelible.capture.hook_brief import Place, place_of
from indelible.core.context.context import Context
from told import Told

PATHS = "Never join paths outside of pkg/utils/path_utils.go, that is what it is for."
LOGS = "Always name the log by GetLogPath, don't build the name yourself."
PNPM = "We use pnpm here, never npm."


@pytest.fixture
def ctx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    made = opened_in_project(tmp_path, monkeypatch)
    for number, rule in enumerate((PATHS, LOGS, PNPM)):
        said = Told(Path.cwd(), f"s{number}", began=made.now() - 60_000_000)
        said.prompt(rule)
        said.edit("a.go", "1", "2")
        said.turn("Done.")
        ingest.take_in(made, said.events)
    yield made
    made.close()


def about(ctx: Context, prompt: str, *shown: str, room: int = 250) -> dict[str, Any]:
    return named_rules.about(place_of(ctx.settings), ctx.session.location, prompt, list(shown), room)


@pytest.mark.parametrize(
    ("prompt", "rule"),
    [
        ("why does path_utils.go not know Windows?", PATHS),
        ("move the helpers of pkg/utils/path_utils.go into another file", PATHS),
        ("call getLogPath at the start, not in the loop", LOGS),
        ("please rename `GetLogPath` everywhere", LOGS),
    ],
)
def test_a_rule_that_names_what_the_prompt_names_is_shown_as_the_users(ctx: Context, prompt: str, rule: str) -> None:
    found = about(ctx, prompt)
    assert rule in found["text"]
    assert found["text"].startswith("Indelible: the user's own words about this")
    assert found["text"].count("\n- ") == len(found["names"]) == 1
    assert 0 < found["tokens"] <= 250
    assert about(ctx, prompt, *found["names"]) == {}


@pytest.mark.parametrize(
    "prompt", ["which package manager do we use here, pnpm or npm?", "fix the log of the paths", ""]
)
def test_words_that_a_rule_shares_are_not_enough(ctx: Context, prompt: str) -> None:
    assert about(ctx, prompt) == {}


def test_what_the_user_kept_is_shown_and_what_an_agent_stored_is_not(ctx: Context) -> None:
    remember(ctx, "The tests of billing_flow.py need a database.")
    assert about(ctx, "look at billing_flow.py") == {}
    (own,) = [each for each in call(ctx, "export_memories") if each["content"] == LOGS]
    promotion.promote(ctx, [own["id"]])
    assert LOGS in about(ctx, "call GetLogPath in the loop")["text"]


def test_no_more_is_shown_than_there_is_room_for(ctx: Context) -> None:
    prompt = "use GetLogPath in path_utils.go"
    both = about(ctx, prompt)
    assert len(both["names"]) == 2
    assert len(about(ctx, prompt, room=both["tokens"] - 1)["names"]) == 1
    assert about(ctx, prompt, room=20) == {}


def test_without_a_store_nothing_is_shown_and_none_is_made(tmp_path: Path) -> None:
    assert named_rules.about(Place(str(tmp_path / "none")), None, "use GetLogPath", [], 250) == {}
    assert not (tmp_path / "none").exists()
