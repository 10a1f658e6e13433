"""The files that captured memories name are called as in their repository, wherever in it the agent worked."""

from __future__ import annotations

from pathlib import Path

from command_line import opened
from ingested import captured, drained
from told import Told, repository

FAILED = "error[E0277]: the trait bound `Till: Sync` is not satisfied\n  --> src/lib.rs:10:5"


def fixed(told: Told, path: str = "src/lib.rs") -> Told:
    """A command that failed, and passed after an edit."""
    told.prompt("Fix the build")
    told.command("cargo build", FAILED, failed=True)
    told.edit(path, "struct Till", "struct Till(Mutex)")
    told.command("cargo build", "Finished")
    told.turn()
    return told


def files(ctx, kind: str = "failure") -> list[list[str]]:
    return [each["metadata"]["files"] for each in captured(ctx, kind)]


def test_two_crates_with_a_file_of_the_same_name_are_told_apart(ctx, app):
    drained(ctx, fixed(Told(app / "crates/till", "s1")), fixed(Told(app / "crates/scale", "s2")))
    assert sorted(files(ctx)) == [["crates/scale/src/lib.rs"], ["crates/till/src/lib.rs"]]
    till = next(each for each in captured(ctx, "failure") if "till" in str(each["metadata"]["files"]))
    assert "Fix: in crates/till/src/lib.rs: `struct Till` -> " in till["content"]
    assert "Edited crates/till/src/lib.rs." in "".join(each["content"] for each in captured(ctx, "session"))


def test_a_file_is_called_the_same_after_the_agent_went_into_a_directory(ctx, app):
    told = Told(app)
    told.prompt("Rename the module")
    told.edit("crates/till/README.md", "a", "b")
    told.cwd = str(app / "crates/till")
    drained(ctx, fixed(told))
    (session,) = files(ctx, "session")
    assert session == ["crates/till/README.md", "crates/till/src/lib.rs"]


def test_a_path_that_a_patch_gives_is_of_the_directory_that_it_was_applied_in(ctx, app):
    told = fixed(Told(app / "crates/till", client="codex"))
    for event in told.events:
        if event.get("action") == "edit":
            event["subject"] = "src/lib.rs"
            event["edits"] = [{**event["edits"][0], "path": "../till/src/lib.rs"}]
    drained(ctx, told)
    assert files(ctx) == [["crates/till/src/lib.rs"]]


def worktree(app: Path) -> Path:
    tree = app / ".worktrees" / "next"
    (app / ".git" / "worktrees" / "next").mkdir(parents=True)
    (app / ".git" / "worktrees" / "next" / "HEAD").write_text("ref: refs/heads/next\n")
    (app / ".git" / "worktrees" / "next" / "commondir").write_text("../..\n")
    tree.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {app / '.git' / 'worktrees' / 'next'}\n")
    return tree


def test_files_of_a_worktree_are_called_as_in_the_repository(ctx, app):
    tree = worktree(app)
    told = Told(app)
    told.prompt("Go on in the worktree")
    told.cwd = str(tree / "crates/till")
    drained(ctx, fixed(told))
    assert files(ctx) == [["crates/till/src/lib.rs"]]


def test_a_repository_of_the_whole_home_directory_names_no_files_of_a_project_below(data: Path, tmp_path: Path):
    home = repository(tmp_path / "home")
    with opened(data, home=home) as ctx:
        drained(ctx, fixed(Told(home / "notes")))
        assert files(ctx) == [["src/lib.rs"]]


def test_what_one_agent_does_in_its_worktree_mends_nothing_in_that_of_another(ctx, app):
    tree = worktree(app)
    told = Told(app)
    told.prompt("Run both agents")
    told.command("cargo build", FAILED, failed=True)
    told.cwd = str(tree)
    told.edit("src/menu.rs", "menu = 1", "menu = 2")
    told.command("cargo build", "Finished")
    told.cwd = str(app)
    told.turn()
    drained(ctx, told)
    assert files(ctx) == []
    told.edit("src/lib.rs", "struct Till", "struct Till(Mutex)")
    told.command("cargo build", "Finished")
    told.turn()
    drained(ctx, told)
    assert files(ctx) == [["src/lib.rs"]]


def test_in_a_repository_of_the_whole_home_directory_an_edit_below_is_a_fix(data: Path, tmp_path: Path):
    home = repository(tmp_path / "home")
    told = Told(home / "notes")
    told.command("make notes", FAILED, failed=True)
    told.cwd = str(home)
    told.edit("template/page.py", "struct Till", "struct Till(Mutex)")
    told.cwd = str(home / "notes")
    told.command("make notes", "Finished")
    told.turn()
    with opened(data, home=home) as ctx:
        drained(ctx, told)
        assert len(files(ctx)) == 1
