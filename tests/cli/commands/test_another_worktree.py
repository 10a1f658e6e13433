"""Worktrees of a repository share one index of its code: what it was read from last is said where another one asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import done, indelible
from git_repository import GitRepository

pytestmark = pytest.mark.process

CODE = "def gross(net):\n    return [net * 1.19 for each in range(17)]\n"


@pytest.fixture
def shop(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "shop")
    made.run("checkout", "-q", "-b", "main")
    made.commit({"prices.py": CODE})
    return made


@pytest.mark.parametrize("command", ["stale", "map"])
def test_another_worktree_that_was_indexed_last_is_named(tmp_path, shop, command):
    data, tree = tmp_path / "data", tmp_path / "tree"
    done("remember", "gross prices are made by gross in prices.py", "--project", shop.path, data=data)
    done("index", shop.path, data=data)
    here = indelible(command, "--project", shop.path, data=data)
    assert b"last read" not in here.stderr
    shop.run("worktree", "add", "-q", "-b", "next", str(tree))
    (tree / "prices.py").write_text(CODE.replace("gross", "total"))
    done("index", tree, data=data)
    said = indelible(command, "--project", shop.path, data=data).stderr.decode()
    assert f"the code of this project was last read in {tree}: `indelible index` reads what is here" in said
    assert b"last read" not in indelible(command, "--project", tree, data=data).stderr
    done("index", shop.path, data=data)
    assert b"last read" not in indelible(command, "--project", shop.path, data=data).stderr


def test_a_part_that_was_indexed_by_itself_is_of_here(tmp_path, shop):
    data = tmp_path / "data"
    shop.commit({"web/page.py": CODE})
    done("index", shop.path / "web", data=data)
    assert b"last read" not in indelible("map", "--project", shop.path, data=data).stderr
    assert b"last read" not in indelible("map", "--project", shop.path / "web", data=data).stderr


def test_a_map_of_code_without_symbols_does_not_ask_for_more_tokens(tmp_path, shop):
    data = tmp_path / "data"
    done("index", shop.path, data=data)
    (shop.path / "prices.py").unlink()
    done("index", shop.path, data=data)
    drawn = indelible("map", "--project", shop.path, data=data)
    assert (drawn.stdout, drawn.stderr) == (b"", b"the code that is indexed here has no symbols\n")
