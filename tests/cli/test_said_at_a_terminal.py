"""What a person at a terminal is told who gives a wrong choice, or nothing where something is waited for."""

import sys

import pytest

from mcp_client import environment
from terminals import END, TERMINAL, run

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["remember", "x", "--type", "memo"], "argument --type: invalid choice: 'memo'; allowed: decision, pattern, "),
        (["token", "creat"], "invalid choice: 'creat'; allowed: create, list, "),
    ],
    ids=["option", "action"],
)
def test_a_wrong_choice_is_answered_with_all_that_is_allowed_and_nothing_else(words, message, tmp_path):
    ran = run(words, TERMINAL, env=environment(), cwd=tmp_path)
    lines = ran.errors.decode().splitlines()
    assert (ran.code, ran.output) == (2, b"")
    assert " ".join(line.strip() for line in lines).startswith(f"indelible {words[0]}: error: {message}")
    assert len(lines) <= 3
    assert all(len(line) <= TERMINAL.columns for line in lines)


def test_an_import_at_a_terminal_says_what_it_waits_for(tmp_path):
    place = ["--data", str(tmp_path / "data")]
    ran = run(["import", *place], TERMINAL, env=environment(), cwd=tmp_path, typed=END)
    lines = ran.errors.decode().splitlines()
    assert lines[0].startswith("reading JSON lines, as `indelible export` writes them, from this terminal;")
    assert "for what other tools have here --from auto" in " ".join(line.strip() for line in lines)
    assert ran.code == 0
