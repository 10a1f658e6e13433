"""Which texts mention a file: absolute or relative, of any system."""

import pytest

from indelible.search import file_paths

ABSOLUTE = "/home/me/app/src/auth.rs"
LONGER = ["src/auth.rs", ABSOLUTE, "C:\\app\\src\\auth.rs", "./src/auth.rs", "../app/src/auth.rs"]
RELATIVE = ["src/auth.rs", "./src/auth.rs", "src\\auth.rs", "src//auth.rs", "../src/auth.rs", "auth.rs"]
SHORTER = ["src/auth.rs", "app/src/auth.rs", "auth.rs", "./src/auth.rs", "~/app/src/auth.rs", ABSOLUTE]


def is_mentioned(path, text):
    parsed = file_paths.parse(path)
    return parsed is not None and any(file_paths.mentions(parsed, file_paths.normal(text)))


@pytest.mark.parametrize("text", LONGER)
@pytest.mark.parametrize("path", RELATIVE)
def test_a_relative_path_is_mentioned_by_every_path_that_ends_in_it(path, text):
    assert is_mentioned(path, text)


@pytest.mark.parametrize("text", SHORTER)
def test_an_absolute_path_is_mentioned_by_every_relative_one_that_it_ends_in(text):
    assert is_mentioned(ABSOLUTE, text)


@pytest.mark.parametrize(
    "text",
    [
        "see src/auth.rs.",
        "(src/auth.rs)",
        "`src/auth.rs`",
        '"src/auth.rs"',
        "src/auth.rs:42",
        "src/auth.rs#L42",
        "file:src/auth.rs",
        "file:///home/me/app/src/auth.rs",
        "https://example.org/app/blob/main/src/auth.rs",
        "--file=src/auth.rs,src/db.rs",
        "src/auth.rs...",
        "auth.rs",
        "über src/auth.rs",
        "認証はsrc/auth.rsで",
        "first lib/auth.rs, then src/auth.rs",
        "src\\auth.rs",
    ],
)
def test_what_stands_around_a_path_in_prose_does_not_matter(text):
    assert is_mentioned("src/auth.rs", text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lib/auth.rs",
        "/src-old/auth.rs",
        "mysrc/auth.rs",
        "src/oauth.rs",
        "src/my-auth.rs",
        "src/auth.rs.bak",
        "src/auth.rst",
        "src/auth.rs_old",
        "src/auth.rs-old",
        "src/auth.rs/mod.rs",
        "src/auth",
        "src/Auth.rs",
        "src / auth",
        "x.auth.rs",
        "/auth.rs",
    ],
)
def test_other_files_are_no_mention(text):
    assert not is_mentioned("src/auth.rs", text)


@pytest.mark.parametrize(
    "text", ["/etc/home/me/app/src/auth.rs", "/home/you/app/src/auth.rs", "/app/src/auth.rs", "you/app/src/auth.rs"]
)
def test_an_absolute_path_is_not_mentioned_by_one_of_another_root(text):
    assert not is_mentioned(ABSOLUTE, text)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("C:\\app\\src\\auth.rs", "c:/app/src/auth.rs", True),
        ("C:\\app\\src\\auth.rs", "file:///C:/app/src/auth.rs", True),
        ("C:\\app\\src\\auth.rs", "src\\auth.rs", True),
        ("C:\\app\\src\\auth.rs", "D:\\app\\src\\auth.rs", False),
        ("/app/Makefile", "the Makefile builds it", True),
        ("/app/auth", "how auth is done", False),
        ("/app/auth", "how app/auth is done", True),
        ("auth", "how auth is done", True),
        ("/app/.env", "never commit .env files", True),
        ("/My Docs/src/a b.txt", "in /My Docs/src/a b.txt it says", True),
        ("src/../lib/auth.rs", "lib/auth.rs", True),
        ("docs/u\u0308bersicht.md", "docs/\u00fcbersicht.md", True),
        ("docs/\u00fcbersicht.md", "u\u0308bersicht.md", True),
        ("文档/设计.md", "见文档/设计.md。", True),
        ("src/auth/", "src/auth/ holds it", True),
        ("src/a+b.py", "src/a+b.py", True),
        ("b.py", "src/a+b.py", False),
        ("a.a", "x a.a.a", False),
        ("a.*", "src/auth.rs", False),
    ],
)
def test_paths_of_every_kind(path, text, expected):
    assert is_mentioned(path, text) == expected


@pytest.mark.parametrize("path", ["", ".", "..", "/", "//", "./", "../..", "C:\\", "\\", "a" * 4097])
def test_what_names_no_file_is_no_path(path):
    assert file_paths.parse(path) is None


def test_the_end_of_every_mention_is_given():
    path = file_paths.parse("src/auth.rs")
    assert path is not None
    assert list(file_paths.mentions(path, "auth.rs, lib/auth.rs and src/auth.rs")) == [7, 36]
