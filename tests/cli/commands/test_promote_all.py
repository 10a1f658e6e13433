"""`indelible promote --all`: what waits becomes trusted at once, and `captured` lists nothing twice."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import forked
from command_line import assert_sound, export, opened, undo
from indelible.capture import ingest, promotion
from indelible.cli import main
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import history
from indelible.store.tables import records
from mcp_client import environment
from told import BEGAN, FAILED, SECOND, Told, repository, spooled, whole_session

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return repository(tmp_path / "app")


@pytest.fixture
def ctx(data: Path, app: Path) -> Iterator[Context]:
    """A store in which a session was captured: two decisions, a failure with its fix, the session."""
    spooled(data, whole_session(app).events)
    with opened(data) as ctx:
        assert ingest.drain(ctx).memories == 4
        yield ctx


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], data: Path) -> Run:
    """A command in this process: its exit code, output, and standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main.main([*arguments, "--data", str(data)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def kinds(ctx: Context) -> list[str]:
    return sorted(str(record.metadata["captured"]) for record in promotion.waiting(ctx, 100)[0])


def test_all_that_waits_is_trusted_and_one_undo_reverts_it(run, ctx, data, monkeypatch):
    monkeypatch.setattr(promotion, "TOGETHER", 3)
    before = export(data)
    code, out, err = run("promote", "--all", "--yes")
    assert (code, err) == (0, "")
    assert out.count(" is trusted now") == 4
    assert "and recorded as failure fail_" in out
    assert out.endswith(f"`indelible undo --operation {history.operations(ctx, 1)[0]['operation']}` reverts it\n")
    assert kinds(ctx) == []
    after = export(data)
    undo(ctx)
    assert export(data) == before
    undo(ctx, history.operations(ctx, 1)[0]["operation"])
    assert export(data) == after
    assert_sound(data)


@pytest.mark.parametrize(("speaker", "text"), [("user", "Let's use SQLite"), ("agent", "I decided to keep the total")])
def test_what_one_side_said_is_trusted_without_a_question(run, ctx, speaker, text):
    code, out, err = run("promote", "--all", "--said-by", speaker)
    assert (code, err) == (0, "")
    assert out.count(" is trusted now") == 1
    assert f": {text}" in out
    assert kinds(ctx) == ["decision", "failure", "session"]
    assert run("promote", "--all", "--said-by", speaker) == (
        0,
        "",
        f"no captured memory that the {speaker} said waits for review\n",
    )


def test_without_a_terminal_all_need_a_yes(run, ctx):
    code, out, err = run("promote", "--all")
    assert (code, out) == (1, "")
    assert err.startswith("indelible: promote --all would trust 4 memories; add --yes")
    assert len(kinds(ctx)) == 4
    assert run("promote", "--all", "--yes")[0] == 0
    assert run("promote", "--all") == (0, "", "no captured memory waits for review\n")


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="a terminal of POSIX")
@pytest.mark.parametrize(("answer", "left"), [("y", 0), ("n", 4), ("", 4)])
def test_in_a_terminal_it_asks_with_the_numbers_of_each_kind(ctx, data, answer, left):
    ours, theirs = pytest.importorskip("pty").openpty()
    os.write(ours, f"{answer}\n".encode())
    try:
        command = ["promote", "--all", "--data", str(data)]
        ran = forked.run(command, env=environment(), cwd=data.parent, stdin=theirs, text=True)
    finally:
        os.close(theirs)
        os.close(ours)
    assert ran.returncode == 0
    assert [line.split()[-1] for line in ran.stdout.splitlines()[1:5]] == ["1"] * 4
    assert "Trust 4 memories? Every brief may show them then. [y/N] " in ran.stderr
    assert ("nothing was promoted" in ran.stderr) == bool(left)
    assert len(kinds(ctx)) == left


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "choose what to trust: IDs as `indelible captured` lists them, or --all"),
        (["x", "--all"], "give IDs or --all, not both"),
        (["x", "--said-by", "user"], "--said-by goes with --all"),
        (["x", "--yes"], "--yes goes with --all"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_arguments_that_do_not_go_together_are_wrong_usage(run, ctx, arguments, words):
    assert run("promote", *arguments) == (2, "", f"indelible promote: {words}\n")
    assert len(kinds(ctx)) == 4


def test_what_changed_or_was_deleted_meanwhile_is_left_out(ctx):
    chosen = promotion.all_waiting(ctx)
    promotion.promote(ctx.for_call(Call()), [chosen[0].key])
    ctx.store.write(lambda tx: records.delete(tx, chosen[1].id))
    done = promotion.promote_all(ctx.for_call(Call()), chosen)
    assert [each.record.id for each in done] == [record.id for record in chosen[2:]]


# --- Nothing is listed twice ---


def listed(run: Run) -> list[str]:
    return [each["content"] for each in json.loads(run("captured", "--json")[1])["result"]["memories"]]


def test_a_promoted_failure_is_not_listed_beside_what_was_recorded_of_it(run, ctx, data, app):
    (key,) = [r.key for r in promotion.waiting(ctx, 100)[0] if r.metadata["captured"] == "failure"]
    run("promote", key)
    assert kinds(ctx) == ["decision", "decision", "session"]
    again = whole_session(app)
    again.prompt("Thanks.")
    again.turn("Bye.")
    spooled(data, again.events)
    ingest.drain(ctx)
    assert kinds(ctx) == ["decision", "decision", "session"]
    assert not [text for text in listed(run) if "assert 3 == 4" in text and "Session" not in text]


def test_what_two_sessions_have_in_common_is_listed_once(run, ctx, data, app):
    spooled(data, whole_session(app, "s2", began=BEGAN + 3600 * SECOND).events)
    ingest.drain(ctx)
    assert kinds(ctx) == ["decision", "decision", "failure", "session", "session"]
    texts = listed(run)
    assert len(texts) == len(set(texts))


def test_a_failure_that_came_again_with_another_fix_is_another_memory(run, ctx, data, app):
    told = Told(app, "s2", began=BEGAN + 3600 * SECOND)
    told.command("pytest tests/test_cart.py", FAILED, failed=True)
    told.edit("cart.py", "total = 5", "total = 6")
    told.command("pytest tests/test_cart.py", "1 passed in 0.1s")
    told.turn()
    told.end()
    spooled(data, told.events)
    ingest.drain(ctx)
    fixes = [text for text in listed(run) if "Fix: in cart.py" in text]
    assert len(fixes) == len(set(fixes)) == 2
    (first, second) = [r.key for r in promotion.waiting(ctx, 100)[0] if r.metadata["captured"] == "failure"]
    one, two = promotion.promote(ctx.for_call(Call()), [first, second])
    assert one.failure == two.failure
