"""The review of a change: what it names, in which order, and what it says that it lacks."""

from pathlib import Path
from typing import Any

import pytest

from git_repository import GitRepository
from indelible.core.context.context import Context, open_context
from indelible.errors import IndelibleError, InvalidInput
from indelible.sanitize.prompt_frame import json_text
from indelible.search.model_tokens.o200k import count
from indelible.settings import Settings
from indelible.toolsets.code import index
from indelible.toolsets.review import findings
from indexed_code import call

pytestmark = pytest.mark.process

LIBRARY = "def parse(text):\n    return text.split()\n\n\ndef other():\n    return 1\n"
USER = "from lib import parse\n\n\ndef use(text):\n    return parse(text)\n"
TEST = "from lib import parse\n\n\ndef test_parse():\n    assert parse('a') == ['a']\n"


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "repository")
    repository.commit({"lib.py": LIBRARY, "user.py": USER, "tests/test_lib.py": TEST, "notes.md": "See `parse`.\n"})
    for number in range(3):
        repository.commit({"lib.py": LIBRARY + f"# {number}\n", "changes.txt": f"{number}\n"})
    repository.commit({"lib.py": LIBRARY})
    return repository


@pytest.fixture
def ctx(repository: GitRepository, tmp_path: Path) -> Any:
    from indelible.project import locate

    settings = Settings(data=tmp_path / "data", start=repository.path, home=tmp_path / "home")
    ctx = open_context(settings)
    ctx = ctx.at(locate(None, {}, repository.path, settings.home))
    yield ctx
    ctx.close()


def subjects(found: Any, kind: str) -> list[str]:
    return [each["subject"] for each in found["findings"] if each["kind"] == kind]


def change(repository: GitRepository) -> None:
    repository.write({"lib.py": LIBRARY.replace("split()", "split(',')")})
    repository.run("add", "-A")


def test_of_no_change_it_says_just_that(repository: GitRepository, ctx: Context) -> None:
    assert findings.text_of(call(ctx, "review_diff", staged=True)) == "there is no change to review"
    assert findings.text_of(call(ctx, "review_diff", range="HEAD..HEAD")) == "there is no change to review"


def test_what_a_staged_change_concerns(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    call(ctx, "store_memory", content="`lib.parse` splits at white space, never at commas", memory_type="decision")
    change(repository)
    found = call(ctx, "review_diff", staged=True)
    assert found["files"] == 1
    assert found["symbols"] == ["lib.parse"]
    assert {"user.py", "tests/test_lib.py", "changes.txt", "notes.md"} <= set(subjects(found, "file"))
    assert subjects(found, "test") == ["tests/test_lib.py"]
    (why,) = [each["why"] for each in found["findings"] if each["subject"] == "user.py"]
    assert "depends on parse" in why
    assert found["lacks"] == []


def test_decisions_about_what_changes_come_first(repository: GitRepository, ctx: Context) -> None:
    stored = call(ctx, "store_memory", content="`lib.parse` splits at white space", memory_type="decision")
    index.index(ctx, repository.path)  # which links it
    change(repository)
    first = call(ctx, "review_diff", staged=True)["findings"][0]
    assert (first["kind"], first["subject"]) == ("decision", stored["id"])
    assert "about lib.parse" in first["why"]


def test_a_memory_about_what_is_removed_becomes_stale(repository: GitRepository, ctx: Context) -> None:
    stored = call(ctx, "store_memory", content="`lib.other` always answers 1", memory_type="insight")
    index.index(ctx, repository.path)
    repository.write({"lib.py": LIBRARY.partition("\n\n\ndef other")[0] + "\n"})
    repository.run("add", "-A")
    found = call(ctx, "review_diff", staged=True)
    assert subjects(found, "stale") == [stored["id"]]


def test_a_memory_about_what_moves_to_another_file_says_where(repository: GitRepository, ctx: Context) -> None:
    stored = call(ctx, "store_memory", content="`lib.other` always answers 1", memory_type="insight")
    index.index(ctx, repository.path)
    before, _, after = LIBRARY.partition("\n\n\ndef other")
    repository.write({"lib.py": before + "\n", "more.py": "def other" + after})
    repository.run("add", "-A")
    found = call(ctx, "review_diff", staged=True)
    assert subjects(found, "stale") == [stored["id"]]
    (why,) = [each["why"] for each in found["findings"] if each["kind"] == "stale"]
    assert "moved to more.py" in why


def test_a_memory_stays_where_a_diff_that_the_index_has_seen_deleted_its_code(
    repository: GitRepository, ctx: Context
) -> None:
    stored = call(ctx, "store_memory", content="`lib.other` always answers 1", memory_type="insight")
    index.index(ctx, repository.path)
    repository.write({"lib.py": LIBRARY.partition("\n\n\ndef other")[0] + "\n"})
    repository.run("add", "-A")
    index.index(ctx, repository.path)
    found = call(ctx, "review_diff", staged=True)
    assert subjects(found, "stale") == [stored["id"]]


def test_a_range_and_a_text_are_reviewed_alike(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    change(repository)
    repository.run("commit", "-qm", "change")
    by_range = call(ctx, "review_diff", range="HEAD~1..HEAD")
    text = repository.run("diff", "HEAD~1", "HEAD")
    by_text = call(ctx, "review_diff", diff=text)
    assert by_range["symbols"] == by_text["symbols"] == ["lib.parse"]
    assert subjects(by_range, "file") == subjects(by_text, "file")


def test_without_an_index_it_says_so_and_history_still_speaks(repository: GitRepository, ctx: Context) -> None:
    change(repository)
    found = call(ctx, "review_diff", staged=True)
    assert found["symbols"] == []
    assert "changes.txt" in subjects(found, "file")
    assert any("not indexed" in each for each in found["lacks"])


def test_without_git_a_text_is_reviewed_by_the_index(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    for name, text in {"lib.py": LIBRARY, "user.py": USER}.items():
        (folder / name).write_text(text)
    from indelible.project import locate

    settings = Settings(data=tmp_path / "data", start=folder, home=tmp_path / "home")
    ctx = open_context(settings)
    try:
        ctx = ctx.at(locate(None, {}, folder, settings.home))
        index.index(ctx, folder)
        text = "--- a/lib.py\n+++ b/lib.py\n@@ -2 +2 @@\n-    return text.split()\n+    return text.split(',')\n"
        found = call(ctx, "review_diff", diff=text)
        assert subjects(found, "file") == ["user.py"]
        assert any(each.startswith("git: ") for each in found["lacks"])
        with pytest.raises(IndelibleError, match="give the change as diff"):
            call(ctx, "review_diff", staged=True)
    finally:
        ctx.close()


@pytest.mark.parametrize("given", [{}, {"staged": True, "range": "HEAD"}, {"diff": "x", "range": "HEAD"}])
def test_exactly_one_form_is_given(ctx: Context, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="exactly one"):
        call(ctx, "review_diff", **given)


@pytest.mark.parametrize("given", [{"diff": "no diff"}, {"range": "--output=x"}, {"range": "nope..HEAD"}])
def test_what_is_no_change_is_refused(ctx: Context, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        call(ctx, "review_diff", **given)


def test_secrets_of_a_diff_are_not_shown(repository: GitRepository, ctx: Context) -> None:
    secret = "ghp_" + "Ab1" * 12
    repository.commit({"other.py": f"{secret}\n"})
    repository.write({"lib.py": LIBRARY + f"TOKEN = {secret}\n"})
    repository.run("add", "-A")
    assert secret not in json_text(call(ctx, "review_diff", staged=True))


def test_a_secret_beside_a_change_is_not_shown_either(repository: GitRepository, ctx: Context) -> None:
    secret = "ghp_" + "Ab1" * 12
    beside = LIBRARY + f"TOKEN = {secret}\n"
    repository.commit({"lib.py": beside, "other.py": f"{secret}\n"})
    repository.write({"lib.py": beside + "unseen = 2\n"})
    repository.run("add", "-A")
    assert secret not in json_text(call(ctx, "review_diff", staged=True))


def test_files_of_commits_whose_messages_are_alike_are_named(repository: GitRepository, ctx: Context) -> None:
    before = repository.commit({"grammar.txt": "1\n"}, "Accept trailing commas in tuples")
    for number in range(40):
        repository.commit({f"{number}.txt": "x"}, f"Something else {number}")
    repository.commit({"lib.py": LIBRARY.replace("split()", "split(',')")}, "Accept trailing commas in lists")
    found = call(ctx, "review_diff", range="HEAD~1..HEAD")
    (why,) = [each["why"] for each in found["findings"] if each["subject"] == "grammar.txt"]
    assert why == f"changed in {before[:10]}, whose message is alike"
    assert call(ctx, "review_diff", range="HEAD") == found


def test_a_range_is_no_history_of_its_own(repository: GitRepository, ctx: Context) -> None:
    change(repository)
    staged = call(ctx, "review_diff", staged=True)
    repository.run("commit", "-qm", "x")
    assert call(ctx, "review_diff", range="HEAD") == staged


def test_an_entry_that_stands_beside_others_names_where_these_stand_too(
    repository: GitRepository, ctx: Context
) -> None:
    repository.commit({"kinds.txt": "KIND_APPLE\nKIND_PEAR\n", "table.txt": "KIND_PEAR = 2\n"})
    repository.write({"kinds.txt": "KIND_APPLE\nKIND_PEAR\nKIND_PLUM\n"})
    repository.run("add", "-A")
    found = call(ctx, "review_diff", staged=True)
    (why,) = [each["why"] for each in found["findings"] if each["subject"] == "table.txt"]
    assert "has KIND_PEAR, which the changed lines stand beside" in why


def test_nothing_staged_is_an_empty_review(ctx: Context) -> None:
    found = call(ctx, "review_diff", staged=True)
    assert (found["files"], found["findings"]) == (0, [])


def test_an_answer_has_at_most_its_tokens_and_says_what_it_leaves_out() -> None:
    many = [
        findings.Finding(kind, f"{kind}/{number}.py", "because of so many words and names " * 9, number / 100)
        for kind in ("file", "decision", "test", "failure")
        for number in range(60)
    ]
    found = findings.fitting(3, [f"module.symbol_{number}" for number in range(90)], many, ["history"])
    shape = findings.shape(found)
    assert count(json_text(shape)) <= findings.TOKENS
    assert count(findings.text_of(shape)) <= findings.TOKENS
    assert sum(shape["left_out"].values()) == 240 - len(found.findings) + 90 - len(found.symbols)
    severities = [each.severity for each in found.findings]
    assert severities == sorted(severities, reverse=True)
    assert "left out: " in findings.text_of(shape)


def test_a_history_that_goes_on_is_read_on(repository: GitRepository, ctx: Context) -> None:
    change(repository)
    assert "later.txt" not in subjects(call(ctx, "review_diff", staged=True), "file")
    repository.run("commit", "-qm", "change")
    for number in range(3):
        repository.commit({"lib.py": LIBRARY + f"# {number}\n", "later.txt": f"{number}\n"})
    change(repository)
    assert "later.txt" in subjects(call(ctx, "review_diff", staged=True), "file")
