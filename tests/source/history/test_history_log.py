"""Commits of a log: their texts, files and order; what a hostile commit or output cannot do."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_repository import GitRepository
from indelible.errors import InvalidInput
from indelible.source.history import diff, log, mentions
from indelible.source.history import git as running
from indelible.source.history.git import Git, GitFailed
from indelible.source.history.log import FileChange

pytestmark = pytest.mark.process


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "repository")


def test_a_commit_has_its_texts_files_time_and_parents(repository: GitRepository) -> None:
    first = repository.commit({"a.py": "1\n"}, "begin")
    second = repository.commit({"a.py": "2\n", "b c.py": "1\n"}, "the subject\n\nthe body\nof two lines\n")
    newest, oldest = log.commits(Git(repository.path))
    assert (newest.hash, newest.parents, newest.author) == (second, (first,), "Ada")
    assert (newest.subject, newest.body) == ("the subject", "the body\nof two lines")
    assert newest.files == (FileChange("M", "a.py"), FileChange("A", "b c.py"))
    assert newest.time - oldest.time == 3_600_000_000
    assert oldest.parents == ()
    assert oldest.files == (FileChange("A", "a.py"),)


def test_a_log_is_read_on_where_it_was_read_to(repository: GitRepository) -> None:
    repository.commit({"a.py": "1\n"})
    seen = repository.commit({"a.py": "2\n"})
    newer = repository.commit({"a.py": "3\n"})
    assert [each.hash for each in log.commits(Git(repository.path), without=seen)] == [newer]
    assert log.commits(Git(repository.path), without=newer) == []
    assert len(log.commits(Git(repository.path), most=2)) == 2


def test_a_repository_without_a_commit_has_none(repository: GitRepository) -> None:
    assert log.commits(Git(repository.path)) == []


def test_no_repository_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match="not a git repository"):
        log.commits(Git(tmp_path))


def test_renames_and_merges(repository: GitRepository) -> None:
    repository.commit({"old.py": "".join(f"{number}\n" for number in range(40))})
    repository.run("branch", "-M", "main")
    repository.run("mv", "old.py", "new.py")
    repository.commit({})
    repository.run("checkout", "-q", "-b", "topic", "HEAD~1")
    repository.commit({"t.py": "1\n"})
    repository.run("checkout", "-q", "main")
    repository.run("merge", "-q", "--no-ff", "-m", "merge", "topic")
    found = log.commits(Git(repository.path))
    assert found[0].is_merge
    assert found[0].files == ()
    assert FileChange("R", "new.py", "old.py") in {each for commit in found for each in commit.files}


def test_a_message_cannot_be_taken_for_a_commit(repository: GitRepository) -> None:
    hostile = f"\x1e\x1f M\tx\n\n{'0' * 40}\nM\nA\n\n"
    repository.commit({"tab\there.py": "1\n", "line\nbreak.py": "2\n"}, hostile)
    (commit,) = log.commits(Git(repository.path))
    assert {each.path for each in commit.files} == {"tab\there.py", "line\nbreak.py"}
    assert commit.body.startswith("0" * 40)


def test_a_path_that_is_no_utf_8_and_a_message_in_latin_1(repository: GitRepository) -> None:
    repository.run("config", "i18n.commitEncoding", "latin1")
    (repository.path / "m").write_bytes("gr\xfc\xdfe".encode("latin1"))
    repository.write({"a.py": "1\n"})
    repository.run("add", "a.py")
    repository.run("commit", "-q", "-F", "m")
    (commit,) = log.commits(Git(repository.path))
    assert commit.subject == "grüße"


def test_a_commit_of_many_files_keeps_the_first_and_counts_all(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MOST_FILES", 3)
    repository.commit({f"{number}.py": "1\n" for number in range(5)})
    (commit,) = log.commits(Git(repository.path))
    assert (len(commit.files), commit.file_count) == (3, 5)


PARTS = st.lists(st.sampled_from([b"", b"a" * 40, b"1", b"\nM", b"R100", b"p"]), max_size=40)


@given(st.binary(max_size=400) | PARTS.map(b"\0".join))
def test_any_output_is_read_without_an_error(output: bytes) -> None:
    for commit in log.parse(output):
        assert commit.hash
        assert all(each.path for each in commit.files)


# --- How git is run ---


def test_no_program_of_a_repository_is_run(repository: GitRepository, tmp_path: Path) -> None:
    evidence = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0" >> "{evidence}"\ncat "$1" 2>/dev/null\n')
    program.chmod(0o755)
    repository.commit({"a.py": "1\n", ".gitattributes": "*.py diff=mine filter=mine\n"})
    for name in (
        *("core.fsmonitor", "core.pager", "pager.log", "diff.external", "diff.mine.command", "diff.mine.textconv"),
        *("filter.mine.clean", "filter.mine.smudge", "gpg.program", "core.sshCommand", "core.alternateRefsCommand"),
    ):
        repository.run("config", name, str(program))
    repository.run("config", "log.showSignature", "true")
    repository.write({"a.py": "2\n"})
    git = Git(repository.path)
    log.commits(git)
    diff.of_range(git, "HEAD")
    diff.staged(git)
    mentions.files_with(git, [mentions.Name("name", "+")])
    assert not evidence.exists()


def test_variables_of_git_do_not_lead_it_elsewhere(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a.py": "1\n"})
    other = GitRepository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/false")
    assert len(log.commits(Git(repository.path))) == 1


def test_an_output_is_bounded(repository: GitRepository) -> None:
    for number in range(30):
        repository.commit({"a.py": f"{number}\n"}, "m" * 1_000)
    git = Git(repository.path)
    with pytest.raises(GitFailed, match="gave more than 5,000 bytes"):
        git.run("log", most=5_000)
    found = git.run("log", most=5_000, may_be_cut=True)
    assert found.cut
    assert len(found.content) == 5_000


def test_a_log_that_was_cut_leaves_out_its_last_commit(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        repository.commit({"a.py": f"{number}\n"}, "m" * 1_000)
    monkeypatch.setattr(log, "MOST_BYTES", 5_000)
    found = log.commits(Git(repository.path))
    assert 0 < len(found) < 30
    assert all(each.files for each in found)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_run_that_takes_too_long_is_ended(repository: GitRepository) -> None:
    repository.commit({"a.py": "1\n"})
    config = repository.path / ".git" / "config"
    config.unlink()
    os.mkfifo(config)  # whoever reads it waits for ever
    with pytest.raises(GitFailed, match=r"took longer than 0\.2 s"):
        Git(repository.path, seconds=0.2).run("log")


def test_git_that_is_not_there_is_an_error(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "git_environment", lambda: {"PATH": ""})
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitFailed, match="could not be run"):
        log.commits(Git(repository.path))


def test_an_unknown_revision_is_the_callers_fault(repository: GitRepository) -> None:
    repository.commit({"a.py": "1\n"})
    with pytest.raises(InvalidInput, match="names no commit here"):
        log.commits(Git(repository.path), "nope")
