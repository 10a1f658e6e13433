"""The ranking of files that a diff may have left out."""

from indelible.source.history import missing
from indelible.source.history.cochange import CoChanges, Together
from indelible.source.history.log import Commit, FileChange
from indelible.source.history.mentions import AROUND, Name
from indelible.source.history.messages import Alike
from indelible.source.history.missing import Evidence, Use

FILES = frozenset(["lib.py", "test_lib.py", "user.py", "habit.py", "old.md", "far.py", "lib.h", "src/a.c", "inc/a.h"])


def commit(*paths: str, author: str = "") -> Commit:
    files = tuple(FileChange("M", path) for path in paths)
    return Commit("h", ("p",), 0, author, "", "", files, len(files))


def evidence(*changed: str, history: tuple[Commit, ...] = (), **given: object) -> Evidence:
    changes = CoChanges(list(history))
    known = (changes.beside(changed), changes.in_series(changed), {})
    made = Evidence(frozenset(changed), *known, [], [], {}, changes.recency, frozenset(), FILES)
    return made._replace(**given)  # type: ignore[arg-type]


def named(found: Evidence) -> list[str]:
    return [each.path for each in missing.ranked(found)]


def test_each_kind_of_evidence_names_a_file_and_says_why() -> None:
    history = (*(commit("lib.py", "habit.py") for _ in range(4)), commit("far.py"))
    found = evidence(
        "lib.py",
        history=history,
        uses=[Use("user.py", "1", "parse", 1.0, 1)],
        names=[Name("old_name", "-"), Name("beside_it", AROUND)],
        mentions={"old_name": {"old.md": 2}, "beside_it": {"src/a.c": 1}},
        series={"far.py": Together(0.3, 2, "lib.py")},
        alike={"inc/a.h": Alike(0.5, "abc")},
    )
    by_path = {each.path: each for each in missing.ranked(found)}
    assert by_path.keys() == {
        *("test_lib.py", "lib.h", "user.py", "habit.py", "old.md", "src/a.c", "far.py", "inc/a.h")
    }
    assert by_path["src/a.c"].names_around == ("beside_it",)
    assert by_path["src/a.c"].names == ()
    assert by_path["far.py"].series == Together(0.3, 2, "lib.py")
    assert by_path["inc/a.h"].alike == Alike(0.5, "abc")
    assert by_path["user.py"].uses == ("parse",)
    assert by_path["old.md"].names == ("old_name",)
    assert by_path["test_lib.py"].pair == "lib.py"
    together = by_path["habit.py"].together
    assert together is not None
    assert together.often == 4


def test_stronger_evidence_comes_first() -> None:
    history = (*(commit("lib.py", "habit.py") for _ in range(8)), commit("lib.py", "far.py"))
    order = named(evidence("lib.py", history=history))
    assert order.index("habit.py") < order.index("far.py")
    rare = evidence("lib.py", names=[Name("x_name", "-")], mentions={"x_name": {"old.md": 1}})
    common = evidence("lib.py", names=[Name("x_name", "-")], mentions={"x_name": dict.fromkeys(sorted(FILES), 1)})
    assert _score(rare, "old.md") > _score(common, "old.md")
    together = (commit("lib.py", author="Ann"), commit("habit.py", author="Ann"))
    apart = (commit("lib.py", author="Ann"), commit("habit.py", author="Bob"))
    in_series, not_in_series = (evidence("lib.py", history=given, recent={"habit.py"}) for given in (together, apart))
    assert _score(in_series, "habit.py") > _score(not_in_series, "habit.py")
    likely = evidence("lib.py", alike={"far.py": Alike(0.9, "a"), "old.md": Alike(0.1, "b")})
    assert _score(likely, "far.py") > _score(likely, "old.md")
    beside = evidence("lib.py", names=[Name("x_name", AROUND)], mentions={"x_name": {"far.py": 1}}, recent={"old.md"})
    assert _score(beside, "far.py") > _score(beside, "old.md")


def _score(found: Evidence, path: str) -> float:
    return {each.path: each.score for each in missing.ranked(found)}[path]


def test_what_changes_or_is_not_there_is_not_named() -> None:
    history = (commit("lib.py", "deleted.py", "user.py"),)
    assert "deleted.py" not in named(evidence("lib.py", history=history))
    assert "user.py" not in named(evidence("lib.py", "user.py", history=history))


def test_no_change_names_nothing() -> None:
    assert named(evidence(recent={"user.py"})) == []


def test_tests_are_known_by_their_names_and_folders() -> None:
    for path in ("tests/a.py", "a_test.go", "src/test_a.py", "FooTest.java", "a.spec.ts", "x/__tests__/a.js"):
        assert missing.is_test(path), path
    for path in ("src/a.py", "contest.py", "latest.go", "attest/a.c"):
        assert not missing.is_test(path), path
