"""HEAD and branches read from git's files, in every form that git gives them."""

import shutil

import pytest

from git_repository import GitRepository
from indelible import git
from indelible.git import Head

pytestmark = pytest.mark.process


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path / "shop")
    made.run("checkout", "-q", "-b", "main")
    return made


def head(repository, inside=""):
    return git.head(str(repository.path / inside))


def test_a_branch_and_its_commit_from_any_directory_in_it(repository):
    commit = repository.commit({"src/a.py": "a = 1\n"})
    assert head(repository) == head(repository, "src") == Head("main", commit)
    repository.run("checkout", "-q", "-b", "fix/the-till")
    assert head(repository) == Head("fix/the-till", commit)


def test_before_the_first_commit_there_is_a_branch_and_no_commit(repository):
    assert head(repository) == Head("main", "")


def test_outside_of_git_and_in_a_broken_repository_nothing_is_known(repository, tmp_path):
    assert git.head(str(tmp_path)) is None
    (repository.path / ".git" / "HEAD").write_text("what is this\n")
    assert head(repository) is None


def test_packed_references_count_and_loose_ones_before_them(repository):
    first = repository.commit({"a.py": "a = 1\n"})
    repository.run("tag", "-a", "-m", "one", "v1")
    repository.run("pack-refs", "--all")
    assert not (repository.path / ".git" / "refs" / "heads" / "main").exists()
    assert head(repository) == Head("main", first)
    assert git.has_branch(str(repository.path), "main")
    second = repository.commit({"a.py": "a = 2\n"})
    assert head(repository) == Head("main", second)


def test_a_detached_head_has_a_commit_and_no_branch(repository):
    commit = repository.commit({"a.py": "a = 1\n"})
    repository.run("checkout", "-q", "--detach")
    assert head(repository) == Head("", commit)


def test_a_symbolic_reference_leads_to_another_and_a_circle_to_nothing(repository):
    commit = repository.commit({"a.py": "a = 1\n"})
    repository.run("symbolic-ref", "refs/heads/latest", "refs/heads/main")
    repository.run("symbolic-ref", "HEAD", "refs/heads/latest")
    assert head(repository) == Head("main", commit)
    (repository.path / ".git" / "refs" / "heads" / "main").write_text("ref: refs/heads/latest\n")
    assert head(repository) is None


def test_a_linked_worktree_and_a_separate_git_directory_have_their_own_head(repository, tmp_path):
    commit = repository.commit({"a.py": "a = 1\n"})
    repository.run("worktree", "add", "-q", "-b", "beside", str(tmp_path / "beside"))
    assert git.head(str(tmp_path / "beside")) == Head("beside", commit)
    assert git.has_branch(str(tmp_path / "beside"), "main")
    repository.run("init", "-q", f"--separate-git-dir={tmp_path / 'apart'}")
    assert head(repository) == Head("main", commit)


def test_a_bare_repository_has_its_default_branch(repository, tmp_path):
    commit = repository.commit({"a.py": "a = 1\n"})
    repository.run("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    assert git.head(str(tmp_path / "bare.git")) == Head("main", commit)


def test_what_is_in_no_files_is_unknown(repository):
    repository.commit({"a.py": "a = 1\n"})
    (repository.path / ".git" / "reftable").mkdir()
    (repository.path / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    assert head(repository) is None
    shutil.rmtree(repository.path / ".git" / "refs")
    assert not git.has_branch(str(repository.path), "main")


@pytest.mark.parametrize("name", ["../../HEAD", "a/../../../config", "", "/etc/passwd", "x\\..\\y", "a\0b"])
def test_a_branch_leads_out_of_no_repository(repository, name):
    repository.commit({"a.py": "a = 1\n"})
    assert not git.has_branch(str(repository.path), name)
    if "\0" not in name:
        (repository.path / ".git" / "HEAD").write_text(f"ref: refs/heads/{name}\n")
        assert head(repository) is None


def test_a_pointer_to_a_deleted_git_directory_is_unknown(repository, tmp_path):
    place = tmp_path / "lost"
    place.mkdir()
    (place / ".git").write_text(f"gitdir: {tmp_path / 'nowhere'}\n")
    assert git.head(str(place)) is None


def test_what_was_checked_out_at_a_time_is_read_from_the_log_of_the_head(repository):
    first = repository.commit({"a.py": "a = 1\n"})
    at_first = repository.now
    repository.pass_(60)
    repository.run("checkout", "-q", "-b", "fix/the-till")
    switched = repository.now
    second = repository.commit({"a.py": "a = 2\n"})
    repository.pass_(60)
    repository.run("checkout", "-q", "--detach", first)
    detached = repository.now
    repository.pass_(60)
    repository.run("checkout", "-q", "main")
    place = str(repository.path)
    assert git.head_at(place, at_first - 1) == Head("main", "")
    assert git.head_at(place, at_first + 1) == Head("main", first)
    assert git.head_at(place, switched) == Head("main", first)  # who asks in that second asks before
    assert git.head_at(place, switched + 1) == Head("fix/the-till", first)
    assert git.head_at(place, detached - 1) == Head("fix/the-till", second)
    assert git.head_at(place, detached + 1) == Head("", first)
    assert git.head_at(place, repository.now + 1) == git.head(place) == Head("main", first)


def test_without_a_log_of_the_head_it_is_what_is_checked_out_now(repository, tmp_path):
    commit = repository.commit({"a.py": "a = 1\n"})
    (repository.path / ".git" / "logs" / "HEAD").write_bytes(b"\xff no log\n\n" + b"x" * 100)
    assert git.head_at(str(repository.path), 0) == Head("main", commit)
    (repository.path / ".git" / "logs" / "HEAD").unlink()
    assert git.head_at(str(repository.path), 0) == Head("main", commit)
    assert git.head_at(str(tmp_path), 0) is None


def test_a_log_that_is_too_long_is_read_from_its_end(repository, monkeypatch):
    repository.commit({"a.py": "a = 1\n"})
    begun = repository.now
    for number in range(8):
        repository.commit({"a.py": f"a = {number}\n"})
    last = repository.commit({"b.py": "b = 1\n"})
    monkeypatch.setattr(git, "LARGEST_LOG", 500)
    before = repository.run("rev-parse", "HEAD~1").strip()
    assert git.head_at(str(repository.path), repository.now) == Head("main", before)
    assert git.head_at(str(repository.path), begun) == Head("main", last)  # not known any more


def test_a_worktree_has_a_log_of_its_own(repository, tmp_path):
    first = repository.commit({"a.py": "a = 1\n"})
    repository.run("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    repository.pass_(60)
    repository.run("checkout", "-q", "-b", "third")
    repository.pass_(60)
    assert git.head_at(str(tmp_path / "tree"), repository.now) == Head("other", first)
    assert git.head_at(str(repository.path), repository.now) == Head("third", first)
