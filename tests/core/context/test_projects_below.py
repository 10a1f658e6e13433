"""Projects below a directory that is noted itself: a repository never belongs to a directory above it."""

import subprocess
from pathlib import Path

import pytest

from indelible.admin import purge, tokens
from indelible.errors import InvalidInput


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, "-C", str(folder), *arguments], check=True, capture_output=True)


def repository(folder: Path, origin: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    if origin:
        git(folder, "remote", "add", "origin", origin)
    return folder


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A directory that is no repository, with two that are."""
    repository(tmp_path / "w" / "a")
    repository(tmp_path / "w" / "b")
    return tmp_path / "w"


def remember(open_store, start: Path, content: str, **more: str):
    memory = open_store(start=start)
    memory.store_memory(content=content, **more)
    return memory


def listed(memory) -> dict[str, int]:
    return {item["name"]: item["memory_count"] for item in memory.list_namespaces()["namespaces"]}


def contents(memory, namespace) -> list[str]:
    return sorted(item["content"] for item in memory.export_memories(namespace=str(namespace)))


@pytest.mark.process
@pytest.mark.parametrize("order", [("", "a", "b"), ("a", "b", ""), ("a", "", "b")], ids=["above first", "last", "amid"])
def test_repositories_below_a_directory_are_projects_of_their_own(open_store, work, order):
    for name in order:
        remember(open_store, work / name, f"of {name or 'the directory'}")
    for start in (work, work / "a", work / "b", work.parent):
        memory = open_store(start=start)
        assert listed(memory) == {str(work): 1, str(work / "a"): 1, str(work / "b"): 1}
        assert contents(memory, work) == ["of the directory"]
        assert contents(memory, work / "a") == contents(memory, work / "a" / ".git") == ["of a"]
        assert contents(memory, work / "b" / "not" / "there") == ["of b"]
    assert memory.delete_namespace(namespace=str(work / "a"), confirm=True)["deleted"] == 1
    assert listed(open_store()) == {str(work): 1, str(work / "b"): 1}
    assert memory.delete_namespace(namespace=str(work), confirm=True)["deleted"] == 1
    assert listed(open_store()) == {str(work / "b"): 1}


@pytest.mark.process
def test_a_repository_in_a_repository_is_a_project_of_its_own(open_store, tmp_path):
    outer, inner = repository(tmp_path / "outer"), repository(tmp_path / "outer" / "vendor" / "inner")
    (inner / "src").mkdir()
    remember(open_store, outer, "of the outer")
    remember(open_store, inner, "of the inner")
    memory = remember(open_store, inner / "src", "of the inner, too")
    assert listed(memory) == {str(outer): 1, str(inner): 2}
    assert contents(memory, outer / "vendor") == ["of the outer"]


@pytest.mark.process
def test_a_plain_directory_belongs_to_the_noted_one_above_it(open_store, work):
    (work / "notes").mkdir()
    remember(open_store, work, "of the directory")
    memory = remember(open_store, work / "notes", "of the notes")
    assert listed(memory) == {str(work): 2}
    assert contents(memory, work / "notes") == contents(memory, work) == ["of the directory", "of the notes"]


@pytest.mark.process
def test_a_plain_directory_that_becomes_a_repository_is_its_own_from_then_on(open_store, work):
    remember(open_store, work, "of the directory")
    (work / "notes" / "sub").mkdir(parents=True)
    remember(open_store, work / "notes", "of the plain notes")
    repository(work / "notes")
    for start in (work / "notes", work, work / "notes" / "sub"):
        assert contents(open_store(start=start), work / "notes") == []
    memory = remember(open_store, work / "notes" / "sub", "of the repository")
    assert listed(memory) == {str(work): 2, str(work / "notes"): 1}


@pytest.mark.process
def test_a_noted_directory_that_becomes_a_repository_stays_the_same_project(open_store, work):
    remember(open_store, work, "of the directory")
    repository(work, "git@github.com:me/work.git")
    memory = remember(open_store, work, "of the repository")
    remember(open_store, repository(work.parent / "clone", "https://github.com/me/work"), "of its clone")
    assert listed(memory) == {str(work): 3}


@pytest.mark.process
def test_a_name_is_a_project_of_its_own_wherever_it_points(open_store, work):
    remember(open_store, work, "of the directory")
    memory = open_store(project=str(work / "later"))
    memory.store_memory(content="of a directory to come")
    memory.store_memory(content="filed by hand", namespace=str(work / "sold"))
    assert listed(memory) == {str(work): 1, str(work / "later"): 1, str(work / "sold"): 1}
    for name in (work / "later", work / "sold"):
        assert len(contents(open_store(start=work), name)) == 1
    assert contents(memory, work / "none") == []


@pytest.mark.process
def test_an_origin_of_a_repository_below_is_not_the_directorys(open_store, work):
    remember(open_store, work, "of the directory")
    below = repository(work / "c", "git@github.com:me/c.git")
    remember(open_store, below, "of c")
    clone = repository(work.parent / "elsewhere" / "c2", "https://github.com/Me/C")
    memory = remember(open_store, clone, "of its clone")
    assert listed(memory) == {str(work): 1, str(below): 2}


@pytest.mark.process
def test_a_worktree_below_another_directory_belongs_to_its_repository(open_store, work):
    git(work / "a", "commit", "-q", "--allow-empty", "-m", "first")
    tree = work.parent / "trees" / "a-feature"
    tree.parent.mkdir()
    git(work / "a", "worktree", "add", "-q", str(tree))
    remember(open_store, tree.parent, "of the directory of trees")
    memory = remember(open_store, tree, "of the worktree")
    assert listed(memory) == {str(tree.parent): 1, str(work / "a"): 1}
    assert contents(memory, tree / "src") == contents(memory, tree) == ["of the worktree"]


@pytest.mark.process
def test_a_repository_that_is_gone_keeps_what_was_stored_of_it(open_store, work):
    for start in (work, work / "a"):
        remember(open_store, start, f"of {start.name}")
    (work / "a").rename(work.parent / "moved")
    memory = open_store(start=work)
    assert listed(memory) == {str(work): 1, str(work / "a"): 1}
    assert contents(memory, work / "a") == contents(memory, work / "a" / "src") == ["of a"]


@pytest.mark.process
def test_a_repository_that_was_only_named_keeps_what_was_stored_of_it(open_store, tmp_path):
    outer, inner = repository(tmp_path / "outer"), repository(tmp_path / "outer" / "inner")
    remember(open_store, outer, "of the outer")
    remember(open_store, outer, "of the inner", namespace=str(inner))
    inner.rename(tmp_path / "gone")
    assert listed(open_store()) == {str(outer): 1, str(inner): 1}


@pytest.mark.process
def test_over_the_network_only_what_is_noted_counts(open_store, work):
    from dataclasses import replace

    from indelible.toolsets import registry

    memory = remember(open_store, work, "of the directory")
    remember(open_store, work, "of a, filed by hand", namespace=str(work / "a"))
    remember(open_store, work / "b", "of b")
    (work / "notes").mkdir()
    away = replace(memory.context, session=replace(memory.context.session, is_local=False))
    for given, found in {"": 1, "a": 1, "b": 1, "b/src": 1, "notes": 0}.items():
        arguments = {"namespace": str(work / given)}
        stats = registry.call(away, registry.find_tool("namespace_stats"), arguments).value
        assert stats["count"] == found, given


def test_a_token_of_a_project_below_the_working_directory_holds_there_only(open_store, tmp_path):
    projects = tmp_path / "projects"
    projects.mkdir()
    memory = open_store(start=projects)
    for name in ("shop", "bank"):
        (projects / name).mkdir()
        memory.store_memory(content=f"of the {name}", namespace=str(projects / name))
    shop = str(projects / "shop")
    assert tokens.create(memory.context, "", "read", [shop]).token.namespaces == (shop,)
    remember(open_store, projects, "of the directory")
    assert tokens.create(memory.context, "", "read", [shop]).token.namespaces == (shop,)


@pytest.mark.process
def test_a_delete_says_which_namespaces_it_takes(open_store, work):
    memory = remember(open_store, work / "a", "of a")
    (work / "a" / "src").mkdir()
    remember(open_store, work / "a", "filed by hand", namespace=str(work / "a" / "src"))
    with pytest.raises(InvalidInput, match=r"It would delete 1 of '\S+/a', 1 of '\S+/a/src'"):
        memory.delete_namespace(namespace=str(work / "a"), confirm=False)
    done = memory.delete_namespace(namespace=str(work / "a"), confirm=True)
    assert done["namespaces"] == [{"name": str(work / name), "memory_count": 1} for name in ("a", "a/src")]


@pytest.mark.process
def test_a_purge_of_what_was_filed_by_hand_takes_that_only(open_store, work):
    memory = remember(open_store, work / "a", "of a")
    remember(open_store, work / "a", "filed by hand", namespace=str(work / "a" / "src"))
    ctx = memory.context
    purge.run(ctx, purge.plan(ctx, purge.of_namespace(ctx, str(work / "a" / "src"))).selection, lambda _: None)
    assert contents(open_store(), work / "a") == ["of a"]


@pytest.mark.process
def test_a_directory_that_shares_the_memories_of_another_is_not_taken_for_it(open_store, work):
    (work / "notes").mkdir()
    remember(open_store, work, "of the directory")
    memory = remember(open_store, work / "notes", "of the notes")
    for take in (
        lambda name: tokens.create(memory.context, "", "read", [name]),
        lambda name: purge.of_namespace(memory.context, name),
    ):
        with pytest.raises(InvalidInput, match=r"is a part of the project '\S+/w'"):
            take(str(work / "notes"))
    assert listed(memory) == {str(work): 2}


@pytest.mark.process
def test_a_purge_takes_no_namespace_that_comes_to_be_of_its_project_meanwhile(open_store, work):
    memory = remember(open_store, work / "a", "of a")
    remember(open_store, work / "b", "of b")
    plan = purge.plan(memory.context, purge.of_namespace(memory.context, str(work / "a")))
    assert plan.namespaces == {str(work / "a"): {"memory": 1}}
    for folder in (work / "a", work / "b"):  # which makes them one project
        git(folder, "remote", "add", "origin", "git@github.com:me/both.git")
        remember(open_store, folder, f"more of {folder.name}")
    assert listed(open_store()) == {str(work / "a"): 4}
    purge.run(memory.context, plan.selection, lambda _: None)
    assert contents(open_store(), work / "b") == ["of b"]
