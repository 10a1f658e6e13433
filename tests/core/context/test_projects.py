"""Which project a memory belongs to, and which memories a namespace means."""

import subprocess

import pytest

from indelible.core.context import ids

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


@pytest.mark.process
def test_a_memory_without_a_namespace_belongs_to_the_repository_that_the_server_was_started_in(open_store, repository):
    open_store(start=repository / "src" / "deep").store_memory(content="axum chosen")
    memory = open_store(start=repository)
    assert namespaces(memory) == {str(repository)}
    assert memory.store_memory(content="axum chosen")["status"] == "duplicate"


@pytest.mark.process
def test_a_worktree_and_a_clone_of_the_same_origin_are_that_project(open_store, repository, worktree, clone):
    memory = open_store(start=repository)
    memory.store_memory(content="axum chosen in the repository")
    open_store(start=worktree).store_memory(content="axum chosen in the worktree")
    open_store(start=clone).store_memory(content="axum chosen in the clone")
    assert namespaces(memory) == {str(repository)}
    for start in (worktree, clone):
        assert open_store(start=start).store_memory(content="axum chosen in the repository")["status"] == "duplicate"


@pytest.mark.process
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


@pytest.mark.process
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


@pytest.mark.process
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


# --- An origin that comes later ---


def checkout(folder, origin=None):
    """A new repository in a folder of that name."""
    folder.mkdir(parents=True)
    git(folder, "init")
    git(folder, "commit", "--allow-empty", "-m", "first")
    if origin is not None:
        git(folder, "remote", "add", "origin", origin)
    return folder


def listed(memory):
    return {item["name"]: item["memory_count"] for item in memory.list_namespaces()["namespaces"]}


@pytest.fixture
def joined(open_store, tmp_path):
    """A checkout that got its origin after the first memory, and a clone that stored one in between."""
    first = checkout(tmp_path / "work" / "a")
    open_store(start=first).store_memory(content="axum alpha")
    git(first, "remote", "add", "origin", "https://github.com/me/alpha.git")
    clone = checkout(tmp_path / "work" / "b", "git@github.com:me/alpha.git")
    open_store(start=clone).store_memory(content="axum beta")
    return first, clone


@pytest.mark.process
def test_a_checkout_that_gets_an_origin_and_its_clone_are_one_project_to_every_reader(open_store, joined):
    first, clone = joined
    memory = open_store(start=first)
    memory.store_memory(content="axum gamma")
    memory.store_memory(content="axum elsewhere", namespace="/other")
    for start in (first, clone, first.parent):
        memory = open_store(start=start)
        assert listed(memory) == {str(first): 3, "/other": 1}
        for path in (first, clone, clone / "src", f"{clone}/"):
            assert sorted(recalled(memory, "axum", namespace=str(path))) == ["axum alpha", "axum beta", "axum gamma"]
            assert memory.namespace_stats(namespace=str(path))["count"] == 3
            assert len(memory.export_memories(namespace=str(path))) == 3
    assert memory.delete_namespace(namespace=str(clone), confirm=True)["deleted"] == 3
    assert listed(memory) == {"/other": 1}


@pytest.mark.process
def test_records_keep_the_namespace_that_they_were_stored_with(open_store, joined):
    first, clone = joined
    memory = open_store(start=first)
    memory.store_memory(content="axum gamma")
    open_store(start=clone).store_memory(content="axum delta")
    assert {item["content"]: item["namespace"] for item in memory.export_memories()} == {
        "axum alpha": str(first),
        "axum beta": str(clone),
        "axum gamma": str(first),
        "axum delta": str(first),
    }


@pytest.mark.process
def test_a_reader_sees_that_two_namespaces_are_one_project_before_anything_is_written(open_store, joined):
    first, clone = joined
    memory = open_store(start=first, read_only=True)
    assert listed(memory) == {str(first): 2}
    for path in (first, clone):
        assert sorted(recalled(memory, "axum", namespace=str(path))) == ["axum alpha", "axum beta"]
    assert listed(open_store(start=first.parent)) == {str(first): 1, str(clone): 1}  # nobody was told yet


@pytest.mark.process
def test_all_of_a_joined_project_comes_before_others(open_store, joined):
    first, _ = joined
    other = open_store(start=first, project="other")
    other.store_memory(content="axum omega")
    assert sorted(recalled(open_store(start=first), "axum")[:2]) == ["axum alpha", "axum beta"]
    assert recalled(other, "axum")[0] == "axum omega"


@pytest.mark.process
def test_the_namespace_that_was_known_first_is_the_projects_whichever_checkout_it_was(open_store, tmp_path):
    clone = checkout(tmp_path / "clone", ORIGIN)
    open_store(start=clone).store_memory(content="axum first")
    later = checkout(tmp_path / "also")
    open_store(start=later).store_memory(content="axum second")
    git(later, "remote", "add", "origin", ORIGIN)
    open_store(start=later).store_memory(content="axum third")
    memory = open_store()
    assert listed(memory) == {str(clone): 3}
    assert sorted(recalled(memory, "axum", namespace=str(later))) == ["axum first", "axum second", "axum third"]


@pytest.mark.process
def test_a_third_clone_and_a_worktree_belong_to_the_joined_project(open_store, joined, tmp_path):
    first, clone = joined
    third = checkout(tmp_path / "third")
    open_store(start=third).store_memory(content="axum of the third")
    open_store(start=first).store_memory(content="axum gamma")
    git(third, "remote", "add", "origin", "ssh://git@github.com/Me/Alpha")
    worktree = tmp_path / "worktree"
    git(third, "worktree", "add", str(worktree))
    assert listed(open_store(start=worktree)) == {str(first): 4}
    open_store(start=worktree).store_memory(content="axum of the worktree")
    memory = open_store()
    assert listed(memory) == {str(first): 5}
    for path in (first, clone, third):
        assert len(recalled(memory, "axum", namespace=str(path))) == 5


@pytest.mark.process
def test_a_new_clone_means_its_project_before_it_stored_anything(open_store, repository, clone):
    open_store(start=repository).store_memory(content="axum chosen")
    assert recalled(open_store(start=clone), "axum", namespace=str(clone)) == ["axum chosen"]


@pytest.mark.process
def test_a_directory_that_holds_another_repository_now_is_not_joined_with_the_one_before(open_store, tmp_path):
    known = checkout(tmp_path / "known", ORIGIN)
    open_store(start=known).store_memory(content="axum of the one")
    place = checkout(tmp_path / "place", "git@github.com:team/another.git")
    open_store(start=place).store_memory(content="axum of the other")
    git(place, "remote", "set-url", "origin", ORIGIN)
    open_store(start=place).store_memory(content="axum of the one again")
    assert listed(open_store()) == {str(known): 2, str(place): 1}


@pytest.mark.process
def test_a_name_of_the_joined_project_is_looked_up_before_that_of_another(open_store, joined):
    first, clone = joined
    open_store(project="other").store_memory(content="other notes", file_name="NOTES.md")
    open_store(start=clone).store_memory(content="notes of the clone", file_name="NOTES.md")
    ctx = open_store(start=first).context
    with ctx.store.read() as tx:
        assert [record.text for record in ids.candidates(ctx, tx, "NOTES.md")] == [
            "notes of the clone",
            "other notes",
        ]
