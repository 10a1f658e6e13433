"""`indelible fixes` and `failures` say what was captured and waits for review: what a hook tells the agent already."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import opened
from indelible.capture import ingest
from indelible.cli import main
from told import Told, repository, spooled, whole_session

Run = Callable[..., tuple[int, str, str]]
MISSING = "sqlite3.OperationalError: no such column: invoice.net_cents"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return repository(tmp_path / "app")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], data: Path, app: Path) -> Run:
    """A command in this process, of the project: its exit code, output, and standard error."""

    def run(*arguments: str, project: Path = app) -> tuple[int, str, str]:
        code = main.main([*arguments, "--data", str(data), "--project", str(project)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def capture(data: Path, told: Told) -> None:
    spooled(data, told.events)
    with opened(data) as ctx:
        ingest.drain(ctx)


@pytest.mark.parametrize("error", ["assert 3 == 4", "ASSERT 3 ==", "E       AssertionError: assert 3 == 4"])
def test_a_fix_that_waits_for_review_is_shown_and_marked(run, data, app, error):
    capture(data, whole_session(app))
    code, out, err = run("fixes", error)
    assert code == 0
    _, row = out.splitlines()
    assert row.startswith("not reviewed  ")
    assert "AssertionError: assert 3 == 4" in row
    assert row.endswith("in cart.py: `total = 3` -> `total = 4`.")
    assert err.startswith("not reviewed: captured in a session")


@pytest.mark.parametrize("error", ["assert 3 == 5", "err#AssertionError"])
def test_the_fix_of_another_error_is_not_shown(run, data, app, error):
    capture(data, whole_session(app))
    assert run("fixes", error)[1:] == (
        "",
        "no fix is known; `indelible recall WORDS` searches all that is remembered\n",
    )


def test_a_message_that_differs_in_numbers_only_has_the_same_fix_where_its_words_are_its_own(run, data, app):
    told = Told(app, "earlier")
    told.prompt("go")
    told.command(
        "python load.py", f"Exit code 1\nTraceback (most recent call last):\n  line 4\n{MISSING}7", failed=True
    )
    told.edit("store.py", "old", "new")
    told.command("python load.py", "ok")
    told.turn("Done.")
    capture(data, told)
    (fix,) = json.loads(run("fixes", f"{MISSING}9", "--json")[1])["result"]["not_reviewed"]
    assert (fix["error"], fix["files"]) == (f"{MISSING}7", ["store.py"])


def test_a_fix_of_another_project_is_not_shown(run, data, app, tmp_path):
    capture(data, whole_session(app))
    assert run("fixes", "assert 3 == 4", project=repository(tmp_path / "other"))[1] == ""


def test_failures_say_how_many_wait_until_they_are_kept(run, data, app):
    capture(data, whole_session(app))
    waits = (
        "1 captured failure waits for review: `indelible review` keeps or rejects, `indelible fixes ERROR` finds them\n"
    )
    assert run("failures")[1:] == ("", f"no failure is stored\n{waits}")
    (fix,) = json.loads(run("fixes", "assert 3 == 4", "--json")[1])["result"]["not_reviewed"]
    run("promote", fix["id"])
    assert json.loads(run("fixes", "assert 3 == 4", "--json")[1])["result"]["not_reviewed"] == []
    assert "waits" not in run("failures")[2]


@pytest.mark.parametrize("error", ["assert 3 == 4", "E       AssertionError: assert 3 == 4"])
def test_a_fix_that_was_kept_is_found_by_the_same_words(run, data, app, error):
    capture(data, whole_session(app))
    run("promote", "--all", "--yes")
    _, out, err = run("fixes", error)
    assert "in cart.py: `total = 3` -> `total = 4`." in out
    assert err == ""
    assert run("fixes", "assert 3 == 5")[1] == ""
