"""The rules of gitignore(5), entry by entry; on trees and rules of chance git itself says the same."""

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from indelible.source.tree.files import Skipped, files
from indelible.source.tree.gitignore import bytewise, decided, rules


def ignored(lines, path, is_directory=False):
    return decided(rules(bytewise(lines.encode()).split("\n")), bytewise(path.encode()), is_directory)


@pytest.mark.parametrize(
    ("lines", "path", "answer"),
    [
        ("*.md", "a.md", True),
        ("*.md", "sub/a.md", True),
        ("*.md", "a.mdx", None),
        ("/*.md", "sub/a.md", None),
        ("sub/*.md", "sub/a.md", True),
        ("sub/*.md", "x/sub/a.md", None),
        ("a?c", "abc", True),
        ("a?c", "a/c", None),
        ("a[!b]c", "abc", None),
        ("a[!b]c", "adc", True),
        ("a[]]c", "a]c", True),
        ("a[^/]c", "a/c", None),
        ("[[:digit:]].md", "7.md", True),
        ("[[:nothing:]].md", "7.md", None),
        ("**/a", "x/y/a", True),
        ("**/a", "a", True),
        ("a/**", "a/x/y", True),
        ("a/**", "a", None),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a**b", "axxb", True),
        ("\\#a", "#a", True),
        ("#a", "#a", None),
        ("\\!a", "!a", True),
        ("a ", "a", True),
        ("a\\ ", "a ", True),
        ("a\r", "a", True),
        ("a\\", "a", None),
        ("[a", "[a", None),
        ("", "a", None),
        ("/", "a", None),
        ("!", "a", None),
        ("*.md\n!keep.md", "keep.md", False),
        ("!keep.md\n*.md", "keep.md", True),
        ("日本語/*.md", "日本語/a.md", True),
        ("[z-a]", "b", None),
    ],
)
def test_the_last_rule_that_names_a_file_decides(lines, path, answer):
    assert ignored(lines, path) is answer


@pytest.mark.parametrize(
    ("lines", "path", "answer"),
    [
        ("build/", "build", True),
        ("build/", "x/build", True),
        ("/build/", "x/build", None),
        ("/*\n!/src/", "src", False),
        ("/*\n!/src/", "docs", True),
        ("*\n!*/", "sub", False),
    ],
)
def test_a_rule_with_a_slash_at_its_end_names_directories_only(lines, path, answer):
    assert ignored(lines, path, is_directory=True) is answer
    if "\n" not in lines:
        assert ignored(lines, path) is None


@pytest.mark.parametrize(
    ("line", "path", "answer"),
    [
        ("*a" * 30 + "*b", "a" * 250, None),
        ("*a" * 30 + "*b", "a" * 250 + "b", True),
        ("/x/" + "**/a/" * 30 + "b", "x/" + "a/" * 1000 + "c", None),
        ("/x/" + "**/a/" * 30 + "b", "x/" + "a/" * 1000 + "b", True),
        ("*ab*ab", "abab", True),
        ("*ab*ab", "aab", None),
        ("**/a/**/a", "a/b/a", True),
        ("**/a*b/**/c", "ab/x/aab/c", True),
    ],
)
def test_a_rule_of_many_stars_is_soon_decided(line, path, answer):
    assert ignored(line, path) is answer


def test_a_rule_that_names_a_directory_does_not_name_what_is_in_it():
    assert ignored("/*\n!/src/", "src/main.c") is None


NAMES = ["a", "b", "ab", "a.md", "b.md", "c.log", "sub", "build", "x y", "[z]", "-", "#c", "!d", "é", "1", "A"]
PIECES = ["a", "b", "*", "**", "?", "[ab]", "[!a]", "[a-c]", "[[:alpha:]]", "*.md", "*.log", "sub", "build", "/", "/"]
PIECES += ["\\#c", "\\!d", "#c", "!", "x y", " ", "[z]", "[]a]", "[", "\\", "é", "[z-a]", "[^b]", "A", "[!-b]"]


def write_tree(top: Path, chance: random.Random) -> None:
    for _ in range(25):
        path = top.joinpath(*(chance.choice(NAMES) for _ in range(chance.randint(1, 4))))
        if not any(parent.is_file() for parent in path.parents) and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x")


def write_rules(directory: Path, chance: random.Random) -> None:
    def rule():
        pieces = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 4)))
        begin = "!" if chance.random() < 0.3 else ""
        return f"{begin}{'/' if chance.random() < 0.2 else ''}{pieces}{'/' if chance.random() < 0.25 else ''}"

    lines = [rule() for _ in range(chance.randint(1, 5))]
    # To git `x**` is a name that begins with x, or anything in a directory x: an accident of its shortcut for prefixes.
    lines = [line for line in lines if "**" not in line.replace("/**/", "").removeprefix("**/")]
    (directory / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.process
@pytest.mark.skipif(shutil.which("git") is None or os.name == "nt", reason="it is git that is asked")
@pytest.mark.parametrize("seed", range(40))
def test_git_says_the_same(tmp_path, seed):
    chance, top = random.Random(seed), tmp_path.resolve() / "tree"
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(tmp_path)}

    def git(*arguments):
        return subprocess.run(["git", *arguments], capture_output=True, check=True, env=environment).stdout

    git("init", "--quiet", str(top))
    write_tree(top, chance)
    for directory in (top, *(each for each in sorted(top.iterdir()) if each.is_dir() and each.name != ".git")):
        if chance.random() < 0.5:
            write_rules(directory, chance)
    listed = git("-C", str(top), "ls-files", "-z", "--others", "--exclude-standard").split(b"\0")
    found = (each.relative_to(top) for each in files(top) if not isinstance(each, Skipped))
    assert sorted(map(os.fsencode, found)) == sorted(filter(None, listed))
