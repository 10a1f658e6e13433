"""Memories know their branch; a recall prefers its own and what is merged into it, and hides nothing."""

from dataclasses import replace

import pytest

from git_repository import GitRepository
from indelible import git
from indelible.core.context import checkout
from indelible.core.context.session import Session
from indelible.git import Head
from indelible.source.history import merges
from indelible.source.history.git import Git
from indelible.store.tables import records
from indelible.toolsets.code import index

CODE = "def till():\n    return [each * 2 for each in range(17)]\n"

pytestmark = pytest.mark.process


class Shop:
    """A repository with a store, whose branches are noted by the index."""

    def __init__(self, open_store, path):
        self.repository = GitRepository(path / "shop")
        self.run("checkout", "-q", "-b", "main")
        self.commit("till.py", CODE)
        self._open = open_store
        self.memory = open_store(start=self.repository.path)
        self.index()

    def run(self, *words):
        return self.repository.run(*words)

    def commit(self, name, text):
        return self.repository.commit({name: text})

    def index(self):
        index.index(self.memory.context, self.repository.path)

    def remember(self, content, memory=None):
        return (memory or self.memory).store_memory(content=content)["id"]

    def metadata(self, key):
        with self.memory.context.store.read() as tx:
            return records.by_key(tx, key)[0].metadata

    def marks(self, query="the till", memory=None):
        """What is marked in the hits of a recall, by id, in their order."""
        found = (memory or self.memory).recall_memory(query=query)
        return {hit["id"]: hit.get("unmerged_branch") for hit in found}


@pytest.fixture
def shop(open_store, tmp_path):
    return Shop(open_store, tmp_path)


def on_branch(shop, name="feature/till"):
    """Go to a new branch with a commit, and remember something there."""
    shop.run("checkout", "-q", "-b", name)
    shop.commit("other.py", "def other():\n    return sum(range(23))\n")
    return shop.remember("the till counts coins of two sorts")


def test_a_memory_knows_the_branch_and_the_commit_it_was_stored_on(shop):
    head = git.head(str(shop.repository.path))
    assert shop.metadata(shop.remember("the till is red")) == {"git": {"branch": "main", "commit": head.commit[:12]}}
    shop.run("checkout", "-q", "--detach")
    assert shop.metadata(shop.remember("the till is blue")) == {"git": {"commit": head.commit[:12]}}


def test_without_git_there_is_no_such_field(open_store, tmp_path):
    (tmp_path / "plain").mkdir()
    memory = open_store(start=tmp_path / "plain")
    stored = memory.store_memory(content="the till is red")["id"]
    with memory.context.store.read() as tx:
        assert records.by_key(tx, stored)[0].metadata == {}


def test_a_refinement_is_of_the_branch_on_which_it_is_made(shop):
    old = shop.remember("the till is red")
    shop.run("checkout", "-q", "-b", "blue")
    new = shop.memory.refine_memory(id=old, content="the till is blue")["new_id"]
    assert shop.metadata(new)["git"]["branch"] == "blue"


def test_what_comes_from_a_branch_that_is_not_merged_is_marked_and_stands_below_its_like(shop):
    far = on_branch(shop)
    shop.run("checkout", "-q", "main")
    own = shop.remember("the till counts coins of all sorts")
    assert set(shop.marks().values()) == {None}  # nobody has looked at the branches yet
    shop.index()
    assert list(shop.marks().items()) == [(own, None), (far, "feature/till")]
    shop.run("checkout", "-q", "feature/till")
    assert set(shop.marks().values()) == {None}  # main is in it


def test_what_was_stored_before_the_branch_had_commits_of_its_own_is_merged(shop):
    shop.run("checkout", "-q", "-b", "feature/till")
    early = shop.remember("the till counts coins of two sorts")
    shop.commit("other.py", "def other():\n    return sum(range(23))\n")
    late = shop.remember("the till counts notes of two sorts")
    shop.run("checkout", "-q", "main")
    shop.index()
    assert shop.marks() == {early: None, late: "feature/till"}


def test_what_is_merged_is_as_good_as_the_own(shop):
    far = on_branch(shop)
    shop.run("checkout", "-q", "main")
    shop.run("merge", "-q", "--no-ff", "-m", "merged", "feature/till")
    shop.index()
    assert shop.marks() == {far: None}


@pytest.mark.parametrize("how", ["squash", "cherry-pick"])
def test_changes_that_came_by_other_commits_are_merged(shop, how):
    far = on_branch(shop)
    shop.commit("third.py", "def third():\n    return sum(range(29))\n")
    shop.run("checkout", "-q", "main")
    shop.commit("fourth.py", "def fourth():\n    return sum(range(31))\n")
    if how == "squash":
        shop.run("merge", "-q", "--squash", "feature/till")
        shop.run("commit", "-q", "-m", "all of it")
    else:
        shop.run("cherry-pick", "main..feature/till")
    shop.commit("other.py", "def other():\n    return 0\n")
    shop.index()
    assert shop.marks() == {far: None}


def test_a_branch_that_is_deleted_is_never_set_back(shop):
    far = on_branch(shop)
    shop.run("checkout", "-q", "main")
    shop.index()
    assert shop.marks() == {far: "feature/till"}
    shop.run("branch", "-q", "-D", "feature/till")
    assert shop.marks() == {far: None}


def test_at_a_detached_head_nothing_is_set_back(shop):
    far = on_branch(shop)
    shop.run("checkout", "-q", "main")
    shop.index()
    shop.run("checkout", "-q", "--detach")
    assert shop.marks() == {far: None}


def test_worktrees_of_one_repository_are_one_project_with_two_branches(shop, open_store, tmp_path):
    far = on_branch(shop)
    shop.run("checkout", "-q", "main")
    shop.index()
    shop.run("worktree", "add", "-q", str(tmp_path / "beside"), "feature/till")
    beside = open_store(start=tmp_path / "beside")
    assert shop.marks(memory=beside) == {far: None}
    stored = shop.remember("the till counts notes", memory=beside)
    assert shop.metadata(stored)["git"]["branch"] == "feature/till"
    assert shop.marks("the till counts notes") == {stored: "feature/till", far: "feature/till"}


def test_over_the_network_the_word_of_the_client_counts_or_nothing(shop):
    session = Session(shop.memory.context.session.location, is_local=False, directory=str(shop.repository.path))
    ctx = shop.memory.context
    assert checkout.head_of(ctx) == git.head(str(shop.repository.path))
    assert checkout.head_of(replace(ctx, session=session)) is None
    assert checkout.head_of(replace(ctx, session=replace(session, head=Head("x", "")))) == Head("x", "")


def test_metadata_that_an_import_brought_in_another_shape_say_nothing():
    for metadata in ({}, {"git": 3}, {"git": {"branch": 3}}, {"git": ["main"]}):
        assert checkout.branch_of(metadata) == ""
    assert checkout.noted(None) == checkout.noted(Head("", "")) == {}


def test_branches_of_which_too_many_would_be_compared_are_not_known_to_be_unmerged(shop, monkeypatch):
    on_branch(shop)
    on_branch(shop, "another")
    monkeypatch.setattr(merges, "MOST_COMPARED", 1)
    repository = Git(shop.repository.path)
    found = merges.unmerged(repository, merges.tips(repository), "main")
    assert sum(map(len, found.values())) == 1
