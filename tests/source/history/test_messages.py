"""Files of commits whose messages are alike."""

from indelible.source.history import messages
from indelible.source.history.cochange import MOST_FILES
from indelible.source.history.log import Commit, FileChange
from indelible.source.history.mentions import AROUND, Name


def commit(subject: str, *paths: str, body: str = "", name: str = "", parents: tuple[str, ...] = ("p",)) -> Commit:
    files = tuple(FileChange("M", path) for path in paths)
    return Commit(name or subject, parents, 0, "", subject, body, files, len(files))


def padded(*commits: Commit) -> list[Commit]:
    """A history in which no word of some commits is frequent."""
    return [*commits, *(commit(f"other{number} matters", "z.py") for number in range(100))]


def test_files_of_messages_with_more_and_rarer_of_the_words_come_first() -> None:
    history = padded(
        commit("parser: accept trailing commas", "parser.py", "grammar.md"),
        commit("parser: faster", "speed.py"),
        commit("docs", "docs.md"),
    )
    found = messages.files_of_alike(history, {"parser", "trailing", "commas"})
    assert found.keys() == {"parser.py", "grammar.md", "speed.py"}
    assert found["parser.py"].score == found["grammar.md"].score > found["speed.py"].score > 0
    assert found["grammar.md"].commit == "parser: accept trailing commas"


def test_a_word_of_many_messages_says_nothing() -> None:
    history = padded(commit("release notes matters", "notes.md"))
    assert messages.files_of_alike(history, {"matters"}) == {}
    assert messages.files_of_alike(history, {"matters", "release"}).keys() == {"notes.md"}


def test_merges_and_large_commits_say_nothing() -> None:
    many = [f"f{number}" for number in range(MOST_FILES + 1)]
    history = padded(commit("unicorn", *many), commit("unicorn", "a.py", parents=("p", "q")))
    assert messages.files_of_alike(history, {"unicorn"}) == {}


def test_the_beginning_of_a_body_counts_too_and_the_subject_more() -> None:
    long = "filler " * messages.LONGEST_BODY
    history = padded(
        commit("unicorn", "subject.py"),
        commit("x", "body.py", body="unicorn"),
        commit("x", "late.py", body=f"{long} unicorn"),
    )
    found = messages.files_of_alike(history, {"unicorn"})
    assert found.keys() == {"subject.py", "body.py"}
    assert found["subject.py"].score > found["body.py"].score


def test_no_history_or_no_word_finds_nothing() -> None:
    assert messages.files_of_alike([], {"unicorn"}) == {}
    assert messages.files_of_alike(padded(commit("unicorn", "a.py")), set()) == {}


def test_a_change_is_about_its_files_its_changed_lines_and_its_messages() -> None:
    names = [Name("newName", "+"), Name("around_it", AROUND)]
    found = messages.about(["src/parser_core.py"], names, [commit("Fix naïve split", body="Über alles, API")])
    assert found == {"parser_core", "newname", "naïve", "split", "über", "alles"}
