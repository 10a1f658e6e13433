"""Diffs as files with changed lines, of git's text and of git itself."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_repository import GitRepository
from indelible.errors import InvalidInput
from indelible.source.history import diff
from indelible.source.history.diff import Lines
from indelible.source.history.git import Git

PLAIN = """\
diff --git a/src/a.py b/src/a.py
index 1111111..2222222 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,4 +1,5 @@ def head():
 one
-two
+zwei
+drei
 three
 four
@@ -10,0 +12,2 @@
+eleven
+twelve
"""


def test_ranges_of_both_sides_and_the_texts_of_lines() -> None:
    (file,) = diff.parse(PLAIN).files
    assert (file.path, file.old_path, file.status) == ("src/a.py", "src/a.py", "M")
    assert file.old == [Lines(2, 2), Lines(11, 10)]
    assert file.new == [Lines(2, 3), Lines(12, 13)]
    assert (file.removed, file.added) == (["two"], ["zwei", "drei", "eleven", "twelve"])
    assert file.context == ["one", "three", "four"]


def test_a_place_between_lines_meets_what_is_around_it() -> None:
    assert Lines(11, 10).meets(5, 20)
    assert Lines(11, 10).meets(10, 11)
    assert not Lines(11, 10).meets(11, 20)
    assert not Lines(11, 10).meets(1, 10)
    assert Lines(3, 4).meets(4, 9)
    assert not Lines(3, 4).meets(5, 9)


def test_a_removed_line_that_looks_like_a_header_is_none() -> None:
    text = "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- a/comment\n kept\n"
    (file,) = diff.parse(text).files
    assert file.path == "x.sql"
    assert file.removed == ["-- a/comment"]


def test_new_deleted_renamed_binary_and_submodules() -> None:
    text = """\
diff --git a/new file.txt b/new file.txt
new file mode 100644
index 0000000..1111111
--- /dev/null
+++ b/new file.txt
@@ -0,0 +1 @@
+x
\\ No newline at end of file
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/old name.py b/new name.py
similarity index 90%
rename from old name.py
rename to new name.py
diff --git a/p.png b/p.png
index 1111111..2222222 100644
Binary files a/p.png and b/p.png differ
diff --git a/lib b/lib
index 1111111..2222222 160000
--- a/lib
+++ b/lib
@@ -1 +1 @@
-Subproject commit 1111111
+Subproject commit 2222222
"""
    files = {each.path: each for each in diff.parse(text).files}
    assert {path: each.status for path, each in files.items()} == {
        "new file.txt": "A",
        "gone.py": "D",
        "new name.py": "R",
        "p.png": "M",
        "lib": "M",
    }
    assert files["new name.py"].old_path == "old name.py"
    assert files["new file.txt"].new == [Lines(1, 1)]
    assert files["gone.py"].old == [Lines(1, 1)]
    assert files["p.png"].binary
    assert files["lib"].submodule


def test_paths_in_quotes_are_read_as_git_writes_them() -> None:
    text = 'diff --git "a/\\303\\244 \\"b\\".py" "b/\\303\\244 \\"b\\".py"\n@@ -1 +1 @@\n-a\n+b\n'
    (file,) = diff.parse(text).files
    assert file.path == 'ä "b".py'
    assert file.old_path == file.path


def test_line_ends_of_windows_are_no_part_of_paths_and_lines() -> None:
    (file,) = diff.parse(PLAIN.replace("\n", "\r\n")).files
    assert file.path == "src/a.py"
    assert file.removed == ["two"]
    assert file.old == [Lines(2, 2), Lines(11, 10)]


def test_a_plain_unified_diff_without_lines_of_git() -> None:
    text = "--- lib/x.c\t2024-01-01 00:00:00\n+++ lib/x.c\t2024-01-02 00:00:00\n@@ -5 +5 @@\n-a\n+b\n"
    (file,) = diff.parse(text).files
    assert (file.path, file.old, file.new) == ("lib/x.c", [Lines(5, 5)], [Lines(5, 5)])


def test_a_hunk_that_was_cut_costs_itself_only() -> None:
    text = PLAIN.replace("+zwei\n+drei\n three\n four\n", "[REDACTED:private_key]\n") + PLAIN.replace("a.py", "b.py")
    files = {each.path: each for each in diff.parse(text).files}
    assert set(files) == {"src/a.py", "src/b.py"}
    assert files["src/b.py"].new == [Lines(2, 3), Lines(12, 13)]


LINES = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            [
                *PLAIN.splitlines(),
                "diff --git a/x b/y",
                'diff --git "a/\\',
                "rename from x",
                "rename to src/a.py",
                "--- /dev/null",
                "+++ /dev/null",
                "@@ -0,0 +0,0 @@",
                "@@ -999999999,999999999 +1 @@",
                "\\ No newline",
                "",
            ]
        ),
    ),
    max_size=60,
).map("\n".join)


@given(LINES)
def test_any_text_is_read_without_an_error(text: str) -> None:
    found = diff.parse(text)
    paths = [each.path for each in found.files]
    assert len(paths) == len(set(paths))
    for each in found.files:
        for ranges in (each.old, each.new):
            assert all(lines.last >= lines.first - 1 for lines in ranges)


def test_more_files_and_lines_than_are_kept_are_said() -> None:
    one = "diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-a\n+b\n"
    many = "".join(one.format(f"f{number}") for number in range(diff.MOST_FILES + 1))
    found = diff.parse(many)
    assert found.cut
    assert len(found.files) == diff.MOST_FILES


# --- What git compares ---


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "repository")


@pytest.mark.process
def test_a_range_a_commit_and_what_is_staged(repository: GitRepository) -> None:
    first = repository.commit({"a.py": "one\ntwo\n", "b.py": "x\n"})
    repository.commit({"a.py": "one\nzwei\n"})
    git = Git(repository.path)
    assert diff.of_range(git, f"{first}..HEAD").paths == {"a.py"}
    assert diff.of_range(git, f"{first}..").paths == {"a.py"}
    assert diff.of_range(git, "HEAD").files[0].new == [Lines(2, 2)]
    assert diff.of_range(git, first).files[0].status == "A"  # the first commit of all
    assert not diff.staged(git).files
    repository.write({"b.py": "y\n", "c.py": "new\n"})
    assert not diff.staged(git).files
    repository.run("add", "-A")
    assert {each.path: each.status for each in diff.staged(git).files} == {"b.py": "M", "c.py": "A"}


@pytest.mark.process
def test_three_dots_are_since_the_branches_parted(repository: GitRepository) -> None:
    repository.commit({"a.py": "1\n"})
    repository.run("branch", "-M", "main")
    repository.run("checkout", "-q", "-b", "topic")
    repository.commit({"t.py": "1\n"})
    repository.run("checkout", "-q", "main")
    repository.commit({"m.py": "1\n"})
    git = Git(repository.path)
    assert diff.of_range(git, "main...topic").paths == {"t.py"}
    assert diff.of_range(git, "main..topic").paths == {"t.py", "m.py"}


@pytest.mark.process
def test_staged_before_the_first_commit(repository: GitRepository) -> None:
    repository.write({"a.py": "1\n"})
    repository.run("add", "-A")
    assert diff.staged(Git(repository.path)).files[0].status == "A"


@pytest.mark.process
def test_renames_are_found(repository: GitRepository) -> None:
    text = "".join(f"line {number}\n" for number in range(50))
    repository.commit({"old.py": text})
    repository.run("mv", "old.py", "new ä.py")
    repository.run("commit", "-qm", "move")
    (file,) = diff.of_range(Git(repository.path), "HEAD").files
    assert (file.status, file.old_path, file.path) == ("R", "old.py", "new ä.py")


NO_REVISIONS = ("", "--output=x", "-p", "a b..--all", "HEAD..-x", "a....b", "x" * 300, "HEAD;ls", "nope")


@pytest.mark.process
@pytest.mark.parametrize("given_", NO_REVISIONS)
def test_what_is_no_revision_is_refused(repository: GitRepository, given_: str) -> None:
    repository.commit({"a.py": "1\n"})
    with pytest.raises(InvalidInput):
        diff.of_range(Git(repository.path), given_)
