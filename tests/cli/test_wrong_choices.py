"""Values that are none of an argument's choices, at a terminal."""

import sys

import pytest

from mcp_client import environment
from terminals import TERMINAL, run

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
