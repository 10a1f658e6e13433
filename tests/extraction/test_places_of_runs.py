"""A run in one directory mends nothing in another: packages of a monorepo, worktrees of agents that work at once."""

from __future__ import annotations

import pytest

from captured_of import CWD, WRONG_TOTAL
from indelible.extraction import shell
from indelible.extraction.extraction import Capture, captures
from told import Told

PASSED = "3 passed in 0.02s"


def failures(told: Told) -> list[Capture]:
    return [capture for capture in captures(told.events, _worktree, _repository) if capture.kind == "failure"]


def _worktree(directory: str) -> str:
    """The top of a worktree, as `git worktree add ../shop-NAME` or an agent's client makes them."""
    for top in (f"{CWD}/.claude/worktrees/menu", "/home/dev/shop-menu"):
        if f"{directory}/".startswith(f"{top}/"):
            return top
    return CWD


def _repository(directory: str) -> str:
    return CWD


def runs(failed_in: str, failed: str, passed_in: str, passed: str, edited: str = "src/cart.py") -> list[Capture]:
    """The failures of a session in which a command failed, a file was edited, and a command passed."""
    told = Told(failed_in)
    told.command(failed, WRONG_TOTAL, failed=True)
    told.cwd = passed_in
    told.edit(edited, "return a", "return b")
    told.command(passed, PASSED)
    told.end()
    return failures(told)


@pytest.mark.parametrize(
    ("failed_in", "failed", "passed_in", "passed"),
    [
        (f"{CWD}/packages/a", "pnpm test", f"{CWD}/packages/b", "pnpm test"),
        (CWD, "cd packages/a && pnpm test", CWD, "cd packages/b && pnpm test"),
        (CWD, "(cd packages/a && pnpm test)", CWD, "(cd packages/b && pnpm test)"),
        (CWD, "cd packages/a && pnpm test", f"{CWD}/packages/b", "cd packages/b && pnpm test"),
        (CWD, f"cd {CWD}/packages/a; pnpm test", CWD, f"cd {CWD}/packages/b; pnpm test"),
        (CWD, "bash -lc 'cd packages/a && pnpm test'", CWD, "bash -lc 'cd packages/b && pnpm test'"),
        (CWD, "pnpm -C packages/a test", CWD, "pnpm -C packages/b test"),
        (CWD, "make -C a test", CWD, "make -C b test"),
        (CWD, "npm --prefix=a test", CWD, "npm --prefix=b test"),
        (CWD, "npm test -w a", CWD, "npm test -w b"),
        (CWD, "cargo test -p a", CWD, "cargo test -p b"),
        (CWD, "cargo test --package a", CWD, "cargo test --package b"),
        (CWD, "cargo test --manifest-path a/Cargo.toml", CWD, "cargo test --manifest-path b/Cargo.toml"),
        (CWD, "npx playwright test --project=chromium", CWD, "npx playwright test --project=webkit"),
        (CWD, "pnpm test", CWD, "cd packages/b && pnpm test"),  # the part passes, not the whole
        (CWD, "pnpm test", f"{CWD}/.claude/worktrees/menu", "pnpm test"),
        (f"{CWD}/.claude/worktrees/menu", "pnpm test", CWD, "pnpm test"),
        (CWD, "pnpm test", "/home/dev/shop-menu", "pnpm test"),
    ],
)
def test_a_run_elsewhere_is_no_fix(failed_in, failed, passed_in, passed):
    assert runs(failed_in, failed, passed_in, passed) == []


@pytest.mark.parametrize(
    ("failed_in", "failed", "passed_in", "passed"),
    [
        (CWD, "cd packages/a && pnpm test", f"{CWD}/packages/a", "pnpm test"),
        (f"{CWD}/packages/a", "pnpm test", f"{CWD}/packages/a", "cd packages/a && pnpm test"),  # as it is behind it
        (f"{CWD}/packages/a", "pnpm test", CWD, "pnpm -C packages/a test"),
        (f"{CWD}/packages/a", "pnpm test", f"{CWD}/packages/b", "cd ../a && pnpm test"),
        (f"{CWD}/packages/a", "pnpm test", CWD, "pnpm test"),  # all of it
        (f"{CWD}/packages/a", "pnpm test", "", "pnpm test"),  # a client that names no directory
        (f"{CWD}/packages/a", "pnpm test", "C:\\shop", "pnpm test"),
        (CWD, 'cd "$ROOT" && pnpm test', CWD, "pnpm test"),
        (f"{CWD}/packages/a", "pnpm test", f"{CWD}/packages", "cd .. && cd a && pnpm test"),
        (CWD, "cargo test -p a", CWD, "cargo test"),
        (CWD, "pytest -p no:cacheprovider", CWD, "pytest -p xdist -n 4"),
    ],
)
def test_a_run_in_the_same_directory_is_a_fix_however_it_is_written(failed_in, failed, passed_in, passed):
    (found,) = runs(failed_in, failed, passed_in, passed)
    assert "return a` -> `return b" in found.metadata["fix"]


def test_what_was_changed_in_another_worktree_is_no_part_of_a_fix():
    told = Told(CWD)
    told.command("pnpm test", WRONG_TOTAL, failed=True)
    told.cwd = f"{CWD}/.claude/worktrees/menu"
    told.edit("src/menu.py", "menu = 1", "menu = 2")
    told.command("pnpm install", "done")
    told.cwd = CWD
    told.edit("src/cart.py", "return a", "return b")
    told.command("pnpm test", PASSED)
    (found,) = failures(told)
    assert found.metadata["fix"] == "in src/cart.py: `return a` -> `return b`."
    assert found.metadata["files"] == ["src/cart.py"]


def test_a_session_says_of_a_command_that_it_passed_in_the_end_where_it_had_failed():
    told = Told(f"{CWD}/a")
    told.command("make", WRONG_TOTAL, failed=True)
    told.cwd = f"{CWD}/b"
    told.command("make", "done")
    assert "Ran make (2 times, 1 failed)." in captures(told.events)[-1].content
    told.cwd = CWD
    told.command("make", "done")
    assert "Ran make (3 times, 1 failed, passed in the end)." in captures(told.events)[-1].content


def test_what_was_changed_outside_of_the_repository_may_be_the_fix():
    told = Told(CWD)
    told.command("pnpm test", WRONG_TOTAL, failed=True)
    told.cwd = "/home/dev/api"
    told.edit("src/total.py", "return a", "return b")
    told.cwd = CWD
    told.command("pnpm test", PASSED)
    found = [each for each in captures(told.events) if each.kind == "failure"]
    assert [each.metadata["fix"] for each in found] == ["in src/total.py: `return a` -> `return b`."]


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("make", [CWD]),
        ("cd a && make && make b", [CWD, f"{CWD}/a", f"{CWD}/a"]),
        ("cd a && make; cd ../b; make", ["", "", "", ""]),
        ("cd /srv/x && make; cd /srv/y; make", [CWD, "/srv/x", "/srv/x", "/srv/y"]),
        ("cd .. && make", [CWD, ""]),
        ("cd - && make", [CWD, ""]),
        ("cd && make", [CWD, ""]),
        ("cd ~/x && make", [CWD, ""]),
        ("make -C a -C b", [f"{CWD}/a/b"]),
    ],
)
def test_where_the_commands_of_a_line_run(line, places):
    assert [command.place for command in shell.line(line, CWD).commands] == places
