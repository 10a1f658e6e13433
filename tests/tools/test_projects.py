"""Which project a memory belongs to, and which memories a namespace means."""

import subprocess

import pytest

ORIGIN = "git@github.com:team/app.git"


def git(folder, *arguments):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    command = ["git", *identity, "-C", str(folder), *arguments]
    subprocess.run(command, check=True, capture_output=True, env={"PATH": "/usr/bin:/bin", "HOME": str(folder)})


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "work" / "app"
    (folder / "src" / "deep").mkdir(parents=True)
    git(folder, "init")
    git(folder, "remote", "add", "origin", ORIGIN)
    git(folder, "commit", "--allow-empty", "-m", "first")
    return folder


@pytest.fixture
def worktree(repository, tmp_path):
    folder = tmp_path / "work" / "app-feature"
    git(repository, "worktree", "add", str(folder))
    return folder


@pytest.fixture
def clone(repository, tmp_path):
    folder = tmp_path / "elsewhere" / "app-copy"
    folder.mkdir(parents=True)
    git(folder, "init")
    git(folder, "remote", "add", "origin", "https://github.com/Team/App")
    return folder


def namespaces(memory):
    return {item["namespace"] for item in memory.export_memories(limit=1000)}


def recalled(memory, query, **arguments):
    return [hit["content"] for hit in memory.recall_memory(query=query, **arguments)]


def test_a_memory_without_a_namespace_belongs_to_the_repository_that_the_server_was_started_in(open_store, repository):
    open_store(start=repository / "src" / "deep").store_memory(content="axum chosen")
    memory = open_store(start=repository)
    assert namespaces(memory) == {str(repository)}
    assert memory.store_memory(content="axum chosen")["status"] == "duplicate"


def test_a_worktree_and_a_clone_of_the_same_origin_are_that_project(open_store, repository, worktree, clone):
    memory = open_store(start=repository)
    memory.store_memory(content="axum chosen in the repository")
    open_store(start=worktree).store_memory(content="axum chosen in the worktree")
    open_store(start=clone).store_memory(content="axum chosen in the clone")
    assert namespaces(memory) == {str(repository)}
    for start in (worktree, clone):
        assert open_store(start=start).store_memory(content="axum chosen in the repository")["status"] == "duplicate"


def test_a_path_inside_a_project_or_of_a_clone_means_the_project_in_a_filter(open_store, repository, worktree, clone):
    memory = open_store(start=repository)
    memory.store_memory(content="axum chosen")
    memory.store_memory(content="axum elsewhere", namespace="/some/other")
    open_store(start=clone).store_memory(content="axum in the clone")  # from now on its path is known
    for path in (
        repository,
        f"{repository}/",
        repository / "src",
        f"{repository}/src/deep/",
        repository / "not" / "there",
        clone,
        clone / "sub",
    ):
        assert sorted(recalled(memory, "axum", namespace=str(path))) == ["axum chosen", "axum in the clone"], path
        assert len(memory.export_memories(namespace=str(path))) == 2
    for path in (f"{repository}-2", repository.parent, "/", "/some", "/some/other/sub"):
        assert recalled(memory, "axum", namespace=str(path)) == [], path
        assert memory.export_memories(namespace=str(path)) == []
    assert worktree.is_dir()


def test_a_namespace_that_the_caller_gives_is_kept_as_given_and_belongs_to_its_project(open_store, repository):
    memory = open_store(start=repository)
    memory.store_memory(content="axum at the top")
    memory.store_memory(content="axum in the sources", namespace=f"{repository}/src")
    memory.store_memory(content="axum by name", namespace="app")
    hits = {hit["content"]: hit["namespace"] for hit in memory.recall_memory(query="axum")}
    assert hits == {
        "axum at the top": str(repository),
        "axum in the sources": f"{repository}/src",
        "axum by name": "app",
    }
    assert sorted(recalled(memory, "axum", namespace=str(repository))) == ["axum at the top", "axum in the sources"]
    assert recalled(memory, "axum", namespace="app") == ["axum by name"]


def test_a_recall_without_a_namespace_sees_all_projects_the_own_one_first(open_store):
    first, second = open_store(project="first"), open_store(project="second")
    first.store_memory(content="axum router of one team")
    second.store_memory(content="axum router of two teams")
    assert recalled(first, "axum router") == ["axum router of one team", "axum router of two teams"]
    assert recalled(second, "axum router") == ["axum router of two teams", "axum router of one team"]


def test_the_own_project_comes_first_by_whatever_alias_it_was_stored(open_store, repository):
    memory = open_store(start=repository)
    memory.store_memory(content="unrelated, so that the project is known")
    memory.store_memory(content="axum router of one team", namespace=f"{repository}/src")
    memory.store_memory(content="axum router of two teams", namespace="/other")
    (own, other) = memory.recall_memory(query="axum router")
    assert own["namespace"] == f"{repository}/src"
    assert own["score_breakdown"]["token_overlap"] == pytest.approx(
        min(1, 1.15 * other["score_breakdown"]["token_overlap"]), abs=1e-5
    )


def test_a_more_relevant_memory_of_another_project_still_comes_first(open_store):
    memory = open_store(project="mine")
    memory.store_memory(content="a router was bought for the office and nobody knows where it stands now or why")
    memory.store_memory(content="axum router timeout", namespace="theirs")
    assert recalled(memory, "axum router timeout")[0] == "axum router timeout"


def test_with_a_namespace_no_project_is_preferred(open_store):
    memory = open_store(project="mine")
    memory.store_memory(content="axum router of one team")
    (free,) = memory.recall_memory(query="axum router")
    (asked,) = memory.recall_memory(query="axum router", namespace="mine")
    assert free["score_breakdown"]["token_overlap"] > asked["score_breakdown"]["token_overlap"]


def test_a_server_in_the_home_directory_has_no_project(memory):
    memory.store_memory(content="axum chosen")
    assert namespaces(memory) == {None}
