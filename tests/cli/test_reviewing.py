"""The dialogue of `indelible review`: keys in, sentences out; the terminal and the editor behind it."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import forked
from command_line import opened, refused
from indelible.capture import ingest, promotion
from indelible.cli import reviewing
from indelible.core.context.context import Context
from indelible.errors import InvalidInput
from mcp_client import environment
from told import repository, spooled, whole_session

PATIENCE = 40  # seconds for the next output of a process


@pytest.fixture
def ctx(data: Path, tmp_path: Path) -> Iterator[Context]:
    """A store in which a session was captured: two decisions, a failure with its fix, the session."""
    spooled(data, whole_session(repository(tmp_path / "app")).events)
    with opened(data) as ctx:
        assert ingest.drain(ctx).memories == 4
        yield ctx


def keys(pressed: str) -> Callable[[str], str]:
    """A terminal on which these keys are pressed one after the other; then its input ends."""
    left = iter(pressed)
    return lambda prompt: next(left, "")


def no_editor(text: str) -> str:
    raise InvalidInput("no editor")


@pytest.fixture
def run(ctx: Context, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[list[str], str]]:
    """A review with these keys: the lines of its output, and standard error."""

    def run(read_key: Any, edit: reviewing.Edit = no_editor) -> tuple[list[str], str]:
        reviewing.review(ctx, read_key if callable(read_key) else keys(read_key), edit)
        captured = capsys.readouterr()
        return captured.out.splitlines(), captured.err

    return run


def waiting(ctx: Context) -> int:
    return promotion.waiting(ctx, 1)[1]


def test_all_are_decided_on_and_the_summary_counts_them(run, ctx):
    lines, err = run("ynyn")
    assert lines[-1] == "kept 2, rejected 2; 0 memories still wait"
    assert [line for line in lines if line.endswith(" to review")] == [
        "4 memories to review",
        "3 memories to review",
        "2 memories to review",
        "1 memory to review",
    ]
    assert (err, waiting(ctx)) == ("", 0)


def test_a_memory_is_shown_with_who_said_it_and_what_is_around_it(run):
    lines, _ = run("")
    assert "said by the agent, not reviewed, in " in lines[2]
    lines, _ = run("sss")
    assert any("said by the user, in your briefs, not reviewed, in " in line for line in lines)
    assert "    Let's use SQLite instead of Redis for the cart cache." in lines
    assert "  around it: Let's use SQLite instead of Redis for the cart cache. Please fix the failing test." in lines
    assert any(line.startswith("  session claude-code:s1, 2026-02-02T02:40:") for line in lines)


@pytest.mark.parametrize("end", ["yq", "y", "y\x04", "y\x03"], ids=["q", "end of input", "Ctrl-D", "Ctrl-C as a key"])
def test_an_early_end_says_what_was_done_and_what_waits(run, ctx, end):
    lines, _ = run(end)
    assert lines[-1] == "kept 1, rejected 0; 3 memories still wait"
    assert waiting(ctx) == 3


def test_an_interrupt_ends_it_with_the_same_summary(run, capsys):
    pressed = iter("ny")

    def read_key(prompt: str) -> str:
        key = next(pressed, None)
        if key is None:
            raise KeyboardInterrupt
        return key

    with pytest.raises(KeyboardInterrupt):
        run(read_key)
    assert capsys.readouterr().out.endswith("\nkept 1, rejected 1; 2 memories still wait\n")


def test_the_last_decision_can_be_undone_even_after_the_last_memory(run, ctx):
    lines, _ = run("yyynuq")
    assert "undone: it was rejected" in lines
    assert lines[-1] == "kept 3, rejected 0; 1 memory still waits"
    assert waiting(ctx) == 1


def test_where_nothing_was_decided_nothing_is_undone(run):
    assert "there is no decision to undo" in run("uq")[0]


def test_nothing_to_review_ends_at_once(run):
    run("yyyy")
    assert run(lambda prompt: pytest.fail("no key is asked for"))[0] == ["no captured memory waits for review"]


def test_an_unknown_key_decides_nothing(run, ctx):
    assert run("x\n7q")[0][-1] == "kept 0, rejected 0; 4 memories still wait"
    assert waiting(ctx) == 4


@pytest.mark.parametrize("key", "?\n")
def test_any_other_key_is_answered_with_what_each_does(run, key):
    lines = run(f"{key}q")[0]
    assert [line[:2] for line in lines if line in reviewing.HELP.splitlines()] == ["y ", "n ", "e ", "s ", "u ", "q "]


def test_capital_letters_are_keys_too(run):
    assert run("YNQ")[0][-1] == "kept 1, rejected 1; 2 memories still wait"


def test_an_edited_memory_is_kept_with_its_text(run, ctx):
    lines, _ = run("euq", lambda text: f"{text} Edited.")
    assert "undone: it was kept after an edit" in lines
    lines, err = run("eq", lambda text: "the token is ghp_" + "A1b2C3d4" * 4 + "E5f6")
    assert lines[-1] == "kept 1 (1 edited), rejected 0; 3 memories still wait"
    assert "redacted in content: " in err


def test_an_edit_that_fails_is_reported_and_the_memory_waits(run, ctx):
    lines, err = run("eyq")
    assert err == "no editor\n"
    assert lines[-1] == "kept 1, rejected 0; 3 memories still wait"
    assert run("eq", lambda text: " ")[1].startswith("content must have at least one visible character")


# --- The editor ---


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make a Python program the user's editor."""

    def use(program: str) -> None:
        file = tmp_path / "an editor.py"
        file.write_text(f"import os, sys\npath = sys.argv[-1]\n{program}\n")
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", f"'{sys.executable}' '{file}' --wait")

    return use


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="quotes of a POSIX shell")
@pytest.mark.parametrize(
    ("program", "text", "edited"),
    [
        ("", "as it was\nbefore", "as it was\nbefore"),
        ("open(path, 'a').write(' it is\\n')", "so", "so it is"),
        ("open(path, 'a').write('two\\n')", "one\n", "one\ntwo\n"),
        ("open(path, 'w', encoding='utf-8').write('队列')", "queue", "队列"),
    ],
)
def test_a_text_is_edited_in_the_users_editor(editor, program, text, edited):
    editor(program)
    assert reviewing.edit_in_editor(text) == edited


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="quotes of a POSIX shell")
def test_a_text_in_the_editor_is_for_the_user_alone(editor, tmp_path):
    editor(f"open({str(tmp_path / 'mode')!r}, 'w').write(str(os.stat(os.path.dirname(path)).st_mode))")
    reviewing.edit_in_editor("x")
    assert stat.S_IMODE(int((tmp_path / "mode").read_text())) == 0o700


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="quotes of a POSIX shell")
@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("sys.exit(3)", "ended with exit code 3; nothing was changed"),
        ("os.remove(path)", "cannot edit the text"),
        ("open(path, 'wb').write(b'\\xff')", "cannot edit the text"),
    ],
)
def test_an_editor_that_fails_is_named(editor, program, words):
    editor(program)
    with pytest.raises(InvalidInput, match=words):
        reviewing.edit_in_editor("x")


@pytest.mark.process
@pytest.mark.parametrize("command", ["no-such-editor", "'open"])
def test_an_editor_that_cannot_be_started_is_named(monkeypatch, command):
    monkeypatch.setenv("VISUAL", command)
    with pytest.raises(InvalidInput, match="set EDITOR to the command of an editor"):
        reviewing.edit_in_editor("x")


# --- The command ---


@pytest.mark.process
def test_without_a_terminal_it_names_the_commands_that_do_without_one(data, ctx):
    words = refused("review", data=data)
    assert "`indelible captured`" in words
    assert "`indelible promote ID...`" in words
    assert waiting(ctx) == 4


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="a terminal of POSIX")
def test_in_a_terminal_each_key_is_a_decision(data, ctx):
    ours, theirs = pytest.importorskip("pty").openpty()
    command = ["review", "--data", str(data)]
    process = forked.start(command, env=environment({"TERM": "xterm"}), cwd=data.parent, stdin=theirs, stdout=theirs)
    os.close(theirs)
    try:
        for key in "ynuq":
            assert reviewing.PROMPT in read_until(ours, reviewing.PROMPT)
            os.write(ours, key.encode())
        assert "kept 1, rejected 0; 3 memories still wait" in read_until(ours, "still wait")
        assert process.wait() == 0
    finally:
        os.close(ours)
    assert waiting(ctx) == 3


def read_until(terminal: int, words: str) -> str:
    """The output of a terminal up to these words."""
    output = ""
    while words not in output:
        ready, _, _ = select.select([terminal], [], [], PATIENCE)
        assert ready, output
        output += os.read(terminal, 1 << 16).decode()
    return output
