"""Names in the lines of a diff, and where else they stand."""

from pathlib import Path

import pytest

from git_repository import GitRepository
from indelible.source.history import diff, mentions
from indelible.source.history.git import Git
from indelible.source.history.mentions import AROUND, Name


def test_names_of_removed_lines_come_first() -> None:
    text = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-old_name(kept_name)\n-return x\n+new_name(kept_name)\n+return y\n"
    assert mentions.names_in(diff.parse(text)) == [
        Name("old_name", "-"),
        Name("new_name", "+"),
        Name("kept_name", "="),
    ]


def test_names_around_a_change_come_last_and_are_those_of_no_changed_line() -> None:
    head, lines = "--- a/x.py\n+++ b/x.py\n", " first_entry\n second_one(added_entry)\n+added_entry\n return x\n end\n"
    assert mentions.names_in(diff.parse(f"{head}@@ -1,4 +1,5 @@\n{lines}")) == [
        Name("added_entry", "+"),
        Name("first_entry", AROUND),
        Name("second_one", AROUND),
    ]
    many = "".join(f" around_{number}\n" for number in range(500))
    found = mentions.names_in(diff.parse(f"{head}@@ -1,500 +1,501 @@\n+came\n{many}"))
    assert len(found) == 1 + mentions.MOST_AROUND


def test_they_are_bounded() -> None:
    lines = "".join(f"-gone_{number}\n" for number in range(500)) + "".join(
        f"+came_{number}\n" for number in range(500)
    )
    text = f"--- a/x.py\n+++ b/x.py\n@@ -1,500 +1,500 @@\n{lines}"
    found = mentions.names_in(diff.parse(text))
    assert len(found) <= mentions.MOST_NAMES
    assert {name.side for name in found} == {"-", "+"}


@pytest.mark.process
def test_the_files_with_whole_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = GitRepository(tmp_path / "repository")
    first = repository.commit({"a.py": "old_name\nold_name\n", "b/c d.md": "see `old_name`\n", "e.py": "old_names\n"})
    repository.commit({"a.py": "x\n"})
    git = Git(repository.path)
    names = [Name("old_name", "-"), Name("nowhere", "-")]
    assert mentions.files_with(git, names, first) == {"old_name": {"a.py": 2, "b/c d.md": 1}}
    assert mentions.files_with(git, names) == {"old_name": {"b/c d.md": 1}}
    assert mentions.files_with(git, []) == {}
    monkeypatch.setattr(mentions, "MOST_FILES", 1)
    assert mentions.files_with(git, names, first) == {}
