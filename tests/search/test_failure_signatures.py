"""Which messages are one error."""

from hashlib import sha256

import pytest

from indelible.search.failures import LONGEST, names_the_same, normalised, signature


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        # numbers
        ("retried 3 times in 2.50 s", "retried N times in N.N s"),
        ("TS2322 at line 12:7", "TSN at line N:N"),
        ("exit code -1", "exit code -N"),
        ("٣ خطأ", "N خطأ"),
        # hex
        ("segfault at 0x7ffe12ab ip 0XDEADBEEF", "segfault at HEX ip HEX"),
        ("<Foo object at 0x10e5>", "<Foo object at HEX>"),
        ("image of 10x20", "image of NxN"),
        ("commit deadbeef", "commit deadbeef"),
        # quotes
        ("Cannot read property 'map' of undefined", "Cannot read property STR of undefined"),
        ('key "a" and key "b"', "key STR and key STR"),
        ("no module named `left-pad`", "no module named STR"),
        ("'' and \"\"", "STR and STR"),
        ("I don't know 'x'", "I don't know STR"),
        ("it's what it isn't", "it's what it isn't"),
        ("'I don't know'", "STR"),
        ("users' rights and 'x'", "users' rights and STR"),
        ("l'élève n'a pas 'été'", "l'élève n'a pas STR"),
        ("the cafe\u0301's 'menu'", "the cafe\u0301's STR"),
        ('"it\'s" and \'a "b" c\'', "STR and STR"),
        ("'a \"b' c\"", 'STR c"'),
        ("an 'open quote", "an 'open quote"),
        ("5 o'clock 'now", "N o'clock 'now"),
        ("odd 'one' two' three", "odd STR two' three"),
        ("'two\nlines'", "STR"),
        ("文件'a.txt'不存在", "文件STR不存在"),
        ("“typographic” quotes", "“typographic” quotes"),
        # POSIX paths
        ("ENOENT: /home/ann/app/src/main.ts:10:5", "ENOENT: PATH:N:N"),
        ("at run (/srv/app/x.js:1:2)", "at run (PATH:N:N)"),
        ("in /tmp.", "in PATH."),
        ("open '/etc/a b/c'", "open STR"),
        ("path=/usr/lib/x, y", "path=PATH, y"),
        ("-I/usr/include", "-I/usr/include"),
        ("no /home/o'neil/x.py here", "no PATH here"),
        ("/home/josé/проект/файл.py is gone", "PATH is gone"),
        ("app/[id]/(group)/page.tsx failed", "PATH failed"),
        ("src/components/UserList.tsx:42", "PATH:N"),
        ("src/a.ts(12,5): error", "PATH(N,N): error"),
        ("../lib and ./x and ~/notes and .venv/bin/python", "PATH and PATH and PATH and PATH"),
        ("node_modules/@babel/core/lib/index.js", "PATH"),
        ("无法打开文件/home/ann/a.txt的内容", "无法打开文件PATH的内容"),
        ("ファイル「/home/a/b.txt」が見つかりません", "ファイル「PATH」が見つかりません"),
        ("${HOME}/x.sh", "${HOME}PATH"),
        # what is not a path
        ("read/write and/or text/html 1/2 n/a", "read/write and/or text/html N/N n/a"),
        ("expected </div> before // end", "expected </div> before // end"),
        ("f(x)/y", "f(x)/y"),
        ("UserList.tsx:42 is wrong", "UserList.tsx:N is wrong"),
        ("node:internal/modules/cjs/loader:1143", "node:internal/modules/cjs/loader:N"),
        ("App\\Models\\User not found", "App\\Models\\User not found"),
        # Windows
        (r"C:\Users\ann\app\main.py:3: error", "PATH:N: error"),
        ("C:/Users/ann/main.py", "PATH"),
        (r"C:\\Users\\ann\\main.py", "PATH"),
        (r"in C:\Program Files (x86)\node\x.js now", "in PATH now"),
        (r"src\app\main.ts is bad", "PATH is bad"),
        (r"cannot read \\server\share\data.csv", "cannot read PATH"),
        (r"\\?\C:\very\long.txt", "PATH"),
        # URLs
        ("GET https://api.example.com/v1/users/42 -> 404", "GET https://api.example.com/vN/users/N -> N"),
        ("at file:///home/ann/x.mjs:3:7", "at PATH:N:N"),
        ("file:///C:/x/y.mjs:3", "PATH:N"),
        ("webpack:///./src/x.js:3", "PATH:N"),
        # white space
        ("  a\t b\r\n\n c\u00a0d ", "a b c d"),
        ("", ""),
        (" \n ", ""),
        # the order of the steps, and the case
        ("Error in '/home/x/0x1f/3.txt' At 7", "Error in STR At N"),
        ("/tmp/0x1f/run7/x", "PATH"),
        ("ошибка в строке 12: «файл»", "ошибка в строке N: «файл»"),
    ],
)
def test_a_message_is_left_without_what_differs_from_one_occurrence_to_the_next(message, expected):
    assert normalised(message) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TypeError at /home/ann/a.ts:1:2", "TypeError at /srv/ci/build/b.ts:30:4"),
        ("TypeError at /home/ann/a.ts:1", r"TypeError at C:\work\a.ts:9"),
        ("null at 0x00ff", "null at 0xabcdef12"),
        ("no 'a'   in 3 rows", 'no "bcd" in\n45 rows'),
        ("x in `a`", "x in 'b'"),
    ],
)
def test_messages_that_differ_in_what_varies_are_one_error(one, other):
    assert signature("runtime", one) == signature("runtime", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cannot read", "cannot read"),
        ("Expected </div>", "Expected </span>"),
        ("无法打开文件/a/b.txt", "无法删除文件/a/b.txt"),
        ("ファイル/a/b.txtが見つかりません", "ファイル/a/b.txtを開けません"),
        ("don't 'x'", "can't 'x'"),
    ],
)
def test_messages_that_say_something_else_are_two_errors(one, other):
    assert signature("runtime", one) != signature("runtime", other)


def test_the_type_of_an_error_is_part_of_its_signature():
    kinds = ["runtime", "build", "test", "type", "other"]
    assert len({signature(kind, "same words") for kind in kinds}) == len(kinds)


def test_a_signature_is_the_head_of_the_hash_of_type_and_normalised_message():
    expected = sha256("type:naïve STR in PATH:N".encode()).hexdigest()[:16]
    assert signature("type", "naïve 'x' in /a/b.ts:7") == expected
    assert signature("build", "").isalnum()


def test_what_comes_after_five_hundred_characters_does_not_count():
    message = "word " * 200
    assert len(normalised(message)) == LONGEST
    assert normalised("x" * LONGEST + "a") == normalised("x" * LONGEST + "b")
    assert normalised("x" * (LONGEST - 1) + "a") != normalised("x" * (LONGEST - 1) + "b")
    assert normalised("9" * 5000 + " end") == "N end", "the cut is made after the digits are one N"


MEBIBYTE = 1 << 20
QUARTER = MEBIBYTE // 4


@pytest.mark.parametrize(
    "piece",
    [
        "a", "'", "''", '"a', "' a", "a'", "a'b", "/", "/a", "\\", "a\\", "a/", "[a]", "[", "(a)", "(a)/", "a[b", ".",
        "../", "a文", "a/文", "文", "http", "a:", "a:/", "a://", "file://", "a+", "0x", "0", " ", "\n", "1 ", "\u0301",
        "Program Files", "Program Files (x86)\\", "a.b", "x.tsと/", "~/", "`'\"", "e\u0301'", "C:\\",
    ],
)  # fmt: skip
@pytest.mark.slow
@pytest.mark.sweep(8)
def test_a_long_run_of_anything_is_normalised(piece):
    """Quadratic behaviour would take an hour here, and the time limit of every test ends it."""
    message = (piece * (QUARTER // len(piece) + 1))[:QUARTER]
    assert len(normalised(message)) <= LONGEST
    assert normalised(f"{message} end of 'x'") is not None


@pytest.mark.slow
def test_a_mebibyte_of_errors_is_normalised():
    line = "TypeError: can't read 'map' of undefined at C:\\app\\x.ts:42 (src/a/b.ts, 0x7f, https://x.org/a/1)\n"
    message = (line * (MEBIBYTE // len(line) + 1))[:MEBIBYTE]
    assert normalised(message).startswith(
        "TypeError: can't read STR of undefined at PATH:N (PATH, HEX, https://x.org/a/N) TypeError:"
    )


@pytest.mark.parametrize(
    ("given", "message", "same"),
    [
        ("assert 3 == 4", "AssertionError: assert 3 == 4", True),
        ("E   ASSERT 3  == 4 in test_total", "AssertionError: assert 3 == 4", True),
        ("assert 3 == 5", "AssertionError: assert 3 == 4", False),
        ("3 ==", "AssertionError: assert 3 == 4", False),  # too short to name one
        ("KeyError: 'id' of a row", "KeyError: 'id'", False),
        ("no such column: a", "OperationalError: no such column: ab", True),
        ("", "AssertionError: assert 3 == 4", False),
        ("anything at all", "", False),
    ],
)
def test_an_error_is_named_by_a_part_of_its_message(given, message, same):
    assert names_the_same(given, message) is same
