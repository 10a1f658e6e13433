"""The brief that a hook reads by itself, out of the store's file."""

import os
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from briefed import Clock, hooked, opened, remember
from indelible.capture import hook_brief
from indelible.capture.hook_brief import Place
from indelible.core.context.context import Context
from indelible.errors import StoreError
from indelible.project import locate


@pytest.mark.sqlite("that there is no file")
def test_a_hook_makes_nothing_where_there_is_no_store(tmp_path: Path, project: Path) -> None:
    for data in (tmp_path / "none", tmp_path, "postgresql://localhost/indelible"):
        assert hook_brief.for_hook(Place(str(data)), str(project), "codex").text == ""
    assert sorted(each.name for each in tmp_path.iterdir()) == ["app"]


@pytest.mark.sqlite("the file's schema number")
@pytest.mark.parametrize("schema", [1, 5, 999])
def test_a_hook_leaves_a_store_of_another_schema_as_it_is(
    ctx: Context, capsys: pytest.CaptureFixture[str], schema: int
) -> None:
    remember(ctx, "Axum was chosen")
    path = ctx.settings.data / "indelible.db"
    connection = apsw.Connection(str(path))
    before = connection.pragma("user_version")
    connection.pragma("user_version", schema)
    assert hooked(ctx) == ""
    assert capsys.readouterr().err == ""
    assert connection.pragma("user_version") == schema
    connection.pragma("user_version", before)
    connection.close()
    assert "Axum" in hooked(ctx)


@pytest.mark.sqlite("a damaged file")
def test_a_damaged_store_is_said_to_the_hook_which_says_it_in_its_one_line(project: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "indelible.db").write_bytes(b"no database " * 1000)
    with pytest.raises(StoreError, match=r"^no brief for codex: .* is damaged"):
        hook_brief.for_hook(Place(str(tmp_path / "data")), str(project), "codex")
    assert (tmp_path / "data" / "indelible.db").read_bytes() == b"no database " * 1000


@pytest.mark.sqlite("locks on the file")
def test_a_store_that_somebody_holds_is_not_waited_for(ctx: Context) -> None:
    remember(ctx, "Axum was chosen")
    ctx.store.close()
    holder = apsw.Connection(str(ctx.settings.data / "indelible.db"))
    holder.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE record SET text = 'x'").fetchall()
    with pytest.raises(StoreError, match=r"^no brief for codex: the store "):
        hooked(ctx)
    holder.close()


@pytest.mark.sqlite("locks on the file")
def test_a_hook_reads_while_another_process_writes(ctx: Context) -> None:
    remember(ctx, "Axum was chosen")
    writer = apsw.Connection(str(ctx.settings.data / "indelible.db"))
    writer.execute("BEGIN IMMEDIATE; UPDATE record SET text = 'changed'").fetchall()
    assert "Axum was chosen" in hooked(ctx)
    writer.execute("ROLLBACK")
    writer.close()


@pytest.mark.sqlite("the file's bytes")
def test_a_glance_changes_nothing(ctx: Context) -> None:
    remember(ctx, "Axum was chosen")
    ctx.store.close()
    before = {path.name: path.read_bytes() for path in ctx.settings.data.glob("*.db")}
    assert "Axum" in hooked(ctx)
    assert {path.name: path.read_bytes() for path in ctx.settings.data.glob("*.db")} == before
    with pytest.raises(StoreError):
        hook_brief.brief(Place(str(ctx.settings.data / "x")), None).text or opened_read_only(ctx)


def opened_read_only(ctx: Context) -> None:
    from indelible.store.sqlite.connection import read_once as one_transaction

    with one_transaction(ctx.settings.data / "indelible.db", 0.05) as tx:
        tx.run("records.delete", id=1)


@pytest.mark.process
def test_the_project_is_found_as_a_server_finds_it(
    tmp_path: Path, project: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(at: Path, *words: str) -> None:
        command_ = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(at), *words]
        subprocess.run(
            command_, check=True, capture_output=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        )

    home, clone, tree = tmp_path / "repo", tmp_path / "clone", tmp_path / "tree"
    for place in (home, clone):
        (place / "src").mkdir(parents=True)
        git(place, "init")
        git(place, "remote", "add", "origin", "git@github.com:team/app.git")
    git(home, "commit", "--allow-empty", "-m", "first")
    git(home, "worktree", "add", str(tree))
    ctx = opened(tmp_path / "data", home, clock)
    try:
        remember(ctx, "Axum was chosen")
        for place in (home, home / "src", tree, clone, clone / "src"):
            assert "Axum was chosen" in hooked(ctx, place), place
        assert hooked(ctx, project) == ""
        monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(clone))
        assert "Axum was chosen" in hooked(ctx, project)
        monkeypatch.setenv("INDELIBLE_PROJECT", "something else")
        assert hooked(ctx, home) == ""
        assert locate(None, {}, tree, tmp_path) == locate(None, {}, home, tmp_path)
    finally:
        ctx.close()


@pytest.mark.process
@pytest.mark.sqlite("what a process loads for a file")
def test_a_hook_loads_nothing_heavy(ctx: Context) -> None:
    remember(ctx, "Axum was chosen; it is ünïcode")
    program = (
        "import sys, indelible.cli.hook; from indelible.capture.hook_brief import Place, for_hook; "
        "text = for_hook(Place(sys.argv[1]), *sys.argv[2:]).text; print(len(text), *sorted(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(ctx.settings.data), str(Path.cwd()), "codex"],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    length, *modules = ran.stdout.split()
    assert int(length) > 300
    heavy = {
        "numpy",
        "pydantic",
        "mcp",
        "Stemmer",
        "toktok",
        "dataclasses",
        "inspect",
        "logging",
        "argparse",
        "asyncio",
    }
    assert not heavy & set(modules)
    assert "indelible.core.context.context" not in modules
