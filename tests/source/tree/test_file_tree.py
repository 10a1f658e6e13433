"""The files of a directory as git sees them, and their texts."""

import os
import sys

import pytest

from indelible.source.tree.files import Skipped, files, repository_top, text_of

MOST = 1 << 20
posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, links and modes are POSIX")


@pytest.fixture
def tree(tmp_path):
    """A directory without links in its path."""
    top = tmp_path.resolve() / "tree"
    top.mkdir()
    return top


def make(top, **texts):
    """Files by their paths, `/` written as `__`."""
    for path, text in texts.items():
        write(top, path.replace("__", "/"), text)


def write(top, path, text="text"):
    file = top / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


def found(directory, top=None):
    return [each.relative_to(top or directory).as_posix() for each in files(directory) if not isinstance(each, Skipped)]


def skipped(directory):
    return {each.path.name: each.why for each in files(directory) if isinstance(each, Skipped)}


def test_files_come_in_the_order_of_their_names_those_of_a_directory_first(tree):
    for path in ("b.md", "a/z.md", "a/b/c.md", "ä.md", "Z.md", "c/d.md"):
        write(tree, path)
    assert found(tree) == ["Z.md", "b.md", "ä.md", "a/z.md", "a/b/c.md", "c/d.md"]


def test_an_empty_directory_has_none(tree):
    (tree / "empty").mkdir()
    assert list(files(tree)) == []


def test_what_gitignore_names_is_left_out_with_all_that_is_in_it(tree):
    for path in ("a.md", "b.log", "sub/c.log", "build/d.md", "build/keep/e.md", "docs/f.md"):
        write(tree, path)
    write(tree, ".gitignore", "*.log\nbuild/\n!build/keep/\n.gitignore\n")
    assert found(tree) == ["a.md", "docs/f.md"]


def test_the_rules_of_inner_directories_hold_there_and_overrule_the_outer_ones(tree):
    for path in ("a.md", "sub/a.md", "sub/b.md", "sub/deep/a.md", "sub/deep/c.md", "other/b.md"):
        write(tree, path)
    make(tree, sub__deep__x="x")
    write(tree, ".gitignore", "a.md\n.gitignore")
    write(tree, "sub/.gitignore", "!a.md\nb.md")
    write(tree, "sub/deep/.gitignore", "a.md")
    assert set(found(tree)) == {"sub/a.md", "sub/deep/c.md", "sub/deep/x", "other/b.md"}


def test_the_rules_of_the_repository_hold_in_a_directory_of_it(tree):
    for path in ("docs/a.md", "docs/out/b.md", "docs/c.tmp", "docs/d.log"):
        write(tree, path)
    make(tree, **{".git__HEAD": "ref", ".git__info__exclude": "*.log"})
    write(tree, ".gitignore", "/docs/out\n*.tmp")
    assert found(tree / "docs") == ["a.md"]
    assert repository_top(tree / "docs" / "out") == tree


def test_rules_above_a_repository_do_not_hold_in_it(tree):
    write(tree, ".gitignore", "*")
    make(tree, inner__a="a", **{"inner__.git": "gitdir: elsewhere"})
    assert set(found(tree / "inner")) == {"a"}


def test_a_directory_that_is_named_itself_is_taken_though_a_rule_names_it(tree):
    make(tree, build__a="a", build__b="b", **{".git__HEAD": "ref"})
    write(tree, ".gitignore", "build/\nb")
    assert found(tree / "build") == ["a"]


@pytest.mark.parametrize("name", [".git", ".hg", ".svn", ".jj"])
def test_what_version_control_keeps_is_nobodys_file(tree, name):
    make(tree, **{f"{name}__config": "x", f"sub__{name}__config": "x", "a": "a"})
    assert found(tree) == ["a"]


def test_a_rule_that_is_no_text_stops_nothing(tree):
    write(tree, ".gitignore", b"\xff\xfe\x00[\n*.log\n")
    make(tree, **{"a.log": "a", "a.md": "a"})
    assert "a.md" in found(tree)


@posix
def test_links_are_not_followed_and_those_out_of_the_tree_are_told(tree):
    make(tree, a="a", sub__b="b")
    outside = tree.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (tree / "in").symlink_to("a")
    (tree / "up").symlink_to("..")
    (tree / "loop").symlink_to("loop")
    (tree / "gone").symlink_to("nowhere")
    (tree / "out").symlink_to(outside)
    (tree / "out.md").symlink_to(outside / "secret.md")
    (tree / "sub" / "circle").symlink_to(tree)
    assert found(tree) == ["a", "sub/b"]
    out = "a link out of the tree"
    assert skipped(tree) == {
        "up": out,
        "out": out,
        "out.md": out,
        "gone": "a link to nothing",
        "loop": "a link to nothing",
    }


@posix
def test_what_is_no_regular_file_is_told_and_never_opened(tree):
    os.mkfifo(tree / "pipe")
    assert skipped(tree) == {"pipe": "not a regular file"}
    assert text_of(tree / "pipe", MOST) == Skipped(tree / "pipe", "not a regular file")


def test_a_tree_of_any_depth_is_walked(tree):
    deep = tree
    for _ in range(200):
        deep = deep / "d"
    write(deep, "a.md")
    assert found(tree) == ["d/" * 200 + "a.md"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain", "plain"),
        ("naïve 日本語 🚀\r\n".encode(), "naïve 日本語 🚀\r\n"),
        (b"\xef\xbb\xbfwith a mark", "with a mark"),
        ("Größe".encode("utf-16"), "Größe"),
        ("Größe".encode("utf-16-le").join([b"\xff\xfe", b""]), "Größe"),
    ],
)
def test_a_text_is_read_as_it_is(tree, data, text):
    write(tree, "a", data)
    assert text_of(tree / "a", MOST) == text


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
        ("nul\0inside".encode("utf-16"), "binary"),
        (b"caf\xe9", "not UTF-8"),
        (b"\xff\xfe\x00", "binary"),
        (b"a" * 101, "over 100 bytes"),
    ],
)
def test_what_is_no_text_is_told(tree, data, why):
    write(tree, "a", data)
    assert text_of(tree / "a", 100) == Skipped(tree / "a", why)


def test_what_is_gone_meanwhile_has_failed(tree):
    assert text_of(tree / "gone", MOST) == Skipped(tree / "gone", "unreadable: No such file or directory", failed=True)
