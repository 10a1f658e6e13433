"""The line that a user sees at the start of a session."""

from pathlib import Path

import pytest

from indelible.capture import hook_notices
from indelible.capture.brief import Brief
from indelible.capture.hook_notices import counted, notice

KNOWN = Brief("a brief", counts=(("rule", 5), ("session", 1)), tokens=577, project="/app")


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((), ""),
        ((("rule", 1), ("session", 0)), "1 rule"),
        ((("pinned", 2), ("rule", 2), ("open todo", 1)), "2 pinned, 2 rules, 1 open todo"),
    ],
)
def test_what_a_brief_shows_is_counted_in_words(counts, said):
    assert counted(Brief("a brief", counts=counts)) == said


@pytest.mark.parametrize(
    ("waiting", "said"),
    [
        (0, ""),
        (1, " 1 waits for you: indelible review."),
        (34, " 34 wait for you: indelible review."),
        (500, " 500 or more wait for you: indelible review."),
    ],
)
def test_the_user_is_told_what_waits(tmp_path: Path, waiting: int, said: str):
    assert (
        notice(str(tmp_path), KNOWN._replace(waiting=waiting)) == f"Indelible: 5 rules, 1 session (577 tokens).{said}"
    )


def test_what_waits_is_told_once_a_day_in_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    brief = KNOWN._replace(waiting=34)

    def is_told(of: Brief = brief) -> bool:
        return "wait" in notice(str(tmp_path), of)

    monkeypatch.setattr(hook_notices, "_today", lambda: "2026-01-16")
    assert [is_told(), is_told(), is_told(brief._replace(project="/other"))] == [True, False, True]
    monkeypatch.setattr(hook_notices, "_today", lambda: "2026-01-17")
    assert [is_told(), is_told(brief._replace(waiting=35))] == [True, False]


def test_where_something_waits_and_no_more_is_known_that_alone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hook_notices, "_today", lambda: "2026-01-16")
    brief = Brief("", waiting=2, project="/app")
    assert notice(str(tmp_path), brief) == "Indelible: 2 wait for you: indelible review."
    assert notice(str(tmp_path), brief) == ""
    assert notice(str(tmp_path), Brief("")) == hook_notices.NOTHING


def test_what_cannot_be_noted_is_not_told(tmp_path: Path):
    (tmp_path / "sessions").write_text("a file where a directory should be")
    assert "wait" not in notice(str(tmp_path), KNOWN._replace(waiting=34))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "keep the rules of the billing table apart from those of the shop, and never join them",
            "from those of the shop",
        ),
        (
            "keep one of each kind, and where there is none yet, make sure to have one... or two of them",
            "to have one...",
        ),
        ("use uv, not pip", "use uv, not pip"),
    ],
)
def test_what_was_learned_is_cut_between_words(tmp_path: Path, text: str, said: str):
    line = notice(str(tmp_path), Brief("a brief", learned=(text,), session="s"))
    quoted = line.split('"')[1]
    assert said in quoted
    assert len(quoted) <= hook_notices.SHOWN_LENGTH
    assert text == quoted or (text.startswith(quoted.removesuffix("...")) and text[len(quoted) - 3] in " ,.")
