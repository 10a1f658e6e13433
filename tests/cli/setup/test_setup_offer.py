"""`indelible setup` at a terminal: what is recorded is said first, Enter sets up all, past sessions can be taken in."""

import json
import os

import pytest

import on_postgres
from hook_handlers import value
from user_machine import at_terminal

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix"),
]
RULE = "mcp__indelible__store_memory"
TURN = {"sessionId": "s1", "cwd": "/home/ann/shop", "timestamp": "2026-03-01T10:00:00Z", "isSidechain": False}


@pytest.fixture
def claude(machine):
    """A machine with Claude Code and one past session of it."""
    folder = machine.home / ".claude" / "projects" / "shop"
    folder.mkdir(parents=True)
    said = {"role": "user", "content": "Never use npm here, always pnpm."}
    line = {**TURN, "type": "user", "uuid": "u1", "userType": "external", "message": said}
    (folder / "s1.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    return machine


def allowed(machine) -> list[str]:
    return value(machine.hook_file("claude-code", "user")).get("permissions", {}).get("allow", [])


def test_what_is_recorded_stands_before_the_first_question(claude):
    before = claude.tree()
    said, asked = at_terminal(claude, b"n\n", "setup")
    told, question, rest = asked.partition("Set this up for all your projects? [Y/n] ")
    assert question
    assert "Claude Code: hooks would be set up" in told
    lines = told.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("recorded: prompts"))
    assert len(lines) - first == 5
    for words in (
        "never: what",
        "secret",
        "postgresql:///" if on_postgres.is_chosen() else str(claude.data),
        "90 days, memories until you delete them",
        "leaves this machine: " + ("what goes to that database" if on_postgres.is_chosen() else "nothing"),
        "at most 600 for what it is told at its start",
    ):
        assert words in "\n".join(lines[first:])
    assert (said, rest, claude.tree()) == ("", "nothing was changed\n", before)


def test_enter_sets_up_server_hooks_and_skill_and_takes_in_past_sessions(claude):
    said, asked = at_terminal(claude, b"\n\n\n", "setup")
    for part in ("Claude Code: set up", "Claude Code: hooks set up", "Claude Code: skill set up"):
        assert part in said
    assert "Learn from 1 past session of Claude Code, too (about 1 s)? [Y/n] " in asked
    assert "read 1 transcript: " in asked
    after = asked.partition("next: ")[2]
    for words in (
        "brief    what the next session is told: your own rules at once\n",
        "indelible review ",
        "records nothing here until `resume` (--all, --for-good)\n",
        "takes this out again, but not what was recorded\n",
    ):
        assert words in after
    assert allowed(claude) == []  # Enter gives no permission
    assert "Never use npm here, always pnpm" in claude.done("captured")


def test_the_permission_to_store_is_asked_for_apart(claude):
    said, asked = at_terminal(claude, b"\nn\nn\n", "setup", "claude-code")
    assert "--allow-store" not in said + asked  # who has just said no
    claude.done("unsetup", "claude-code")
    _, asked = at_terminal(claude, b"\ny\nn\n", "setup", "claude-code")
    assert "May it store the answer without your permission each time?" in asked
    assert allowed(claude) == [RULE]
    assert "read 1 transcript" not in asked


def test_without_hooks_neither_permission_nor_sessions_are_asked_for(claude):
    said, asked = at_terminal(claude, b"\n", "setup", "--no-hooks")
    assert "hooks set up" not in said
    assert asked.count("[Y/n]") == 1
    assert "[y/N]" not in asked
    assert not claude.hook_file("claude-code", "user").exists()


def test_a_second_time_there_is_nothing_to_ask(claude):
    at_terminal(claude, b"\ny\nn\n", "setup")
    there = claude.tree()
    said, asked = at_terminal(claude, b"", "setup")
    assert said.count("already set up") == 3
    assert "?" not in asked
    assert claude.tree() == there


def test_who_takes_in_no_past_sessions_is_told_how_to_do_it_later(claude):
    _, asked = at_terminal(claude, b"\nn\nn\n", "setup")
    assert "`indelible import --from claude-code` does so later" in asked
    claude.done("import", "--from", "claude-code")
    assert "Never use npm here, always pnpm" in claude.done("captured")


def test_a_client_without_hooks_is_set_up_without_them(machine):
    said, asked = at_terminal(machine, b"\n", "setup", "zed")
    assert "Zed: set up" in said
    assert "recorded:" not in asked


def test_without_a_past_session_none_is_offered(machine):
    (machine.home / ".claude").mkdir()
    _, asked = at_terminal(machine, b"\nn\n", "setup")
    assert "past session" not in asked


def test_both_flags_are_refused(machine):
    assert "both --hooks and --no-hooks" in machine.refused("setup", "zed", "--hooks", "--no-hooks")
