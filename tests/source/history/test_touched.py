"""Which symbols commits changed: lines that are followed back, over renames, merges and histories drawn at random."""

import random
from pathlib import Path

import pytest

from git_repository import GitRepository
from indelible.source.history import touched
from indelible.source.history.git import Git
from indelible.source.history.touched import Place

pytestmark = pytest.mark.process

BODY = 3  # lines of a function


def source(functions: list[tuple[str, int]]) -> str:
    """Functions of a name with a body of some version, one after another."""
    return "".join(f"def {name}():\n    # {name}\n    return {version}\n" for name, version in functions)


def places(functions: list[tuple[str, int]]) -> list[Place]:
    return [Place(ord(name), BODY * at + 1, BODY * at + BODY) for at, (name, _) in enumerate(functions)]


def found_in(repository: GitRepository, where: dict[str, list[Place]]) -> dict[str, str]:
    """The names of the changed symbols, by the subject of the commit."""
    git = Git(repository.path)
    found = touched.touched(touched.steps(git, git.head(), "", 1_000), where)
    subjects = dict(
        line.split(" ", 1) for line in repository.run("log", "--all", "--format=%H %s").splitlines() if " " in line
    )
    return {subjects[name]: "".join(map(chr, records)) for name, records in found.items()}


def test_a_symbol_is_followed_as_lines_move(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "repository")
    repository.commit({"lib.py": source([("a", 1), ("b", 1)])}, "first")
    repository.commit({"lib.py": source([("z", 1), ("a", 1), ("b", 1)])}, "before")
    repository.commit({"lib.py": source([("z", 1), ("a", 1), ("b", 2)])}, "second")
    now = [("z", 1), ("a", 1), ("b", 2)]
    assert found_in(repository, {"lib.py": places(now)}) == {"first": "ab", "before": "z", "second": "b"}


def test_a_file_is_followed_over_its_name(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "repository")
    now = [("a", 1), ("b", 1), ("c", 1), ("d", 1)]
    repository.commit({"old.py": source(now)}, "first")
    repository.run("mv", "old.py", "nëw.py")
    repository.commit({}, "named anew")
    assert found_in(repository, {"nëw.py": places(now)}) == {"first": "abcd"}


def test_what_is_around_others_is_not_named(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "repository")
    repository.commit({"lib.py": "class A:\n    def b(self):\n        return 1\n"}, "first")
    repository.commit({"lib.py": "class A:\n    def b(self):\n        return 2\n"}, "second")
    where = [Place(ord("A"), 1, 3), Place(ord("b"), 2, 3, ord("A"))]
    assert found_in(repository, {"lib.py": where}) == {"first": "b", "second": "b"}


def test_a_branch_is_followed_through_its_merge(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "repository")
    repository.commit({"lib.py": source([("a", 1), ("b", 1)]), "other.py": source([("c", 1)])}, "first")
    repository.run("checkout", "-q", "-b", "side")
    repository.commit({"lib.py": source([("a", 2), ("b", 1)])}, "on the side")
    repository.run("checkout", "-q", "-")
    repository.commit({"other.py": source([("c", 2)])}, "meanwhile")
    repository.run("merge", "-q", "--no-edit", "side")
    where = {"lib.py": places([("a", 2), ("b", 1)]), "other.py": places([("c", 2)])}
    assert found_in(repository, where) == {"first": "abc", "on the side": "a", "meanwhile": "c"}


def test_a_file_of_both_sides_is_followed_on_the_first_alone(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "repository")
    long = [(name, 1) for name in "abcdef"]
    repository.commit({"lib.py": source(long)}, "first")
    repository.run("checkout", "-q", "-b", "side")
    repository.commit({"lib.py": source([("z", 1), ("y", 1), *long[:-1], ("f", 2)])}, "on the side")
    repository.run("checkout", "-q", "-")
    repository.commit({"lib.py": source([("a", 2), *long[1:]])}, "meanwhile")
    repository.run("merge", "-q", "--no-edit", "side")
    now = [("z", 1), ("y", 1), ("a", 2), *long[1:-1], ("f", 2)]
    found = found_in(repository, {"lib.py": places(now)})
    assert found["meanwhile"] == "a"
    assert found["first"] == "abcdef"
    assert "on the side" not in found  # never a wrong one


@pytest.mark.parametrize("seed", range(4))
def test_random_histories_are_followed_as_they_were_written(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    repository = GitRepository(tmp_path / "repository")
    now: list[tuple[str, int]] = []
    truth: dict[str, set[str]] = {}
    for number in range(12):
        changed: set[str] = set()
        free = [name for name in "abcdefghijkl" if name not in dict(now)]
        for _ in range(draw.randint(1, 2)):
            if free and (len(now) < 3 or draw.random() < 0.4):
                name = free.pop(draw.randrange(len(free)))
                now.insert(draw.randint(0, len(now)), (name, number))
                changed.add(name)
            elif now and draw.random() < 0.3:
                name, _ = now.pop(draw.randrange(len(now)))
                free.append(name)
                changed.discard(name)
                for names in truth.values():
                    names.discard(name)
            elif now:
                at = draw.randrange(len(now))
                now[at] = (now[at][0], 100 + number)
                changed.add(now[at][0])
        repository.commit({"lib.py": source(now)}, f"commit {number}")
        truth[f"commit {number}"] = changed
    found = found_in(repository, {"lib.py": places(now)})
    expected = {name: "".join(sorted(names)) for name, names in truth.items() if names}
    alive = {name for name, _ in now}
    assert {
        name: "".join(c for c in names if c in alive) for name, names in expected.items() if set(names) & alive
    } == found
