"""Keys of canonical entities, against expectations that are spelled out here."""

import hashlib
import re
import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indelible.errors import InvalidInput
from indelible.graph.keys import (
    check_key,
    command_key,
    concept_key,
    dependency_key,
    doc_key,
    error_key,
    file_key,
    fix_key,
    fp8,
    key_form,
    mode_key,
    normalized_key,
    outcome_key,
    run_key,
    sha8,
    slug,
    stem,
    tool_key,
    warning_key,
)


def hexes(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


# --- normalizedKey ---

NORMALIZED = [
    ("TypeError: Cannot read X", "typeerror: cannot read x"),
    ("  a \t b\r\n\n c  ", "a b c"),
    ("a\u00a0b\u3000c", "a b c"),
    ("commit 3f2a1bc failed", "commit failed"),
    ("commit 3F2A1BC failed", "commit failed"),
    ("commit 3f2a1b failed", "commit 3f2a1b failed"),  # six
    ("defaced the facade", "defaced the facade"),  # hexadecimal letters, no digit
    ("port 1234567 is taken", "port is taken"),
    ("port 123456 is taken", "port 123456 is taken"),
    ("at 0x7ffee4b2c8a0", "at 0x"),
    ("chunk-3f2a1bcd.js_3f2a1bcd", "chunk-.js_"),
    ("错误3f2a1bcd发生", "错误发生"),
    ("id 550e8400-e29b-41d4-a716-446655440000", "id -e29b-41d4-a716-"),
    ("node 18.17", "node x.y.z"),
    ("node v18.17.0", "node x.y.z"),
    ("node V18.17.0!", "node x.y.z!"),
    ("foo@1.2.3-beta.1+build.5 fails", "foo@x.y.z fails"),
    ("foo 1.2.3-x86_64-linux fails", "foo x.y.z fails"),
    ("foo 1.2.3--beta.", "foo x.y.z."),
    ("foo 1.2.3-.", "foo x.y.z-."),
    ("foo 1.2.3 - beta", "foo x.y.z - beta"),
    ("needs 2.0.", "needs x.y.z."),
    ("python3.11 and 10.0.0.1", "pythonx.y.z and x.y.z"),
    ("env1.2", "envx.y.z"),
    ("版本v1.2", "版本x.y.z"),
    ("line 18 col 3", "line 18 col 3"),
    ("v2 failed", "v2 failed"),
    ("Ошибка: ФАЙЛ не найден", "ошибка: файл не найден"),
    ("CAFE\u0301", "caf\u00e9"),
    ("g1234567\u0301", "\u01f5"),  # what is left comes together
    ("", ""),
    (" \n ", ""),
    ("deadbeef01", ""),
]


@pytest.mark.parametrize(("message", "expected"), NORMALIZED)
def test_a_message_is_reduced_to_what_returns(message, expected):
    assert normalized_key(message) == expected


@given(st.text() | st.text("0123456789abcdefv.x-+@ \u0301\u03a3\u0130Kgé_", max_size=40))
@settings(max_examples=300)
@pytest.mark.slow
def test_reducing_a_message_again_changes_nothing(message):
    once = normalized_key(message)
    assert normalized_key(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once == " ".join(once.split())


@pytest.mark.parametrize("message", ["a" * 500_000, "1." * 250_000, "1.2" + "-" * 500_000, "/a" * 250_000])
def test_a_long_message_is_reduced_in_time_that_grows_with_its_length(message):
    """Quadratic patterns would take hours here; the suite's time limit is the judge."""
    normalized_key(message)
    stem(message)
    with pytest.raises(InvalidInput, match="8 hex"):
        check_key("fix#" + message)


# --- Fingerprints ---

FINGERPRINTS = [
    (("npm test", "/app", 1, "out", "err"), "npm test|/app|1|out|err"),
    (("npm test",), "npm test||||"),
    (("npm test", None, 0), "npm test||0||"),
    (("npm test", "", -9, None, "e|f"), "npm test||-9||e|f"),
    (("écho 日本", "/家"), "écho 日本|/家|||"),
    (("", None, None, "", None), "||||"),
]


@pytest.mark.parametrize(("values", "joined"), FINGERPRINTS)
def test_a_fingerprint_is_that_of_the_five_values_joined(values, joined):
    assert fp8(*values) == hexes(joined)[:8]


def test_a_fingerprint_is_the_known_one():
    assert fp8("npm test", "/app", 1, "out", "err") == "bc99aa88"  # printf 'npm test|/app|1|out|err' | sha256sum


JSONS = [
    (("a", "b"), '["a","b"]'),
    (("a", [{"z": 1, "a": [None, True]}]), '["a",[{"a":[null,true],"z":1}]]'),
    (("é", {"日": "本"}), '["é",{"日":"本"}]'),
    ((1, 1.5, "x"), '[1,1.5,"x"]'),
    ((None,), "[null]"),
]


@pytest.mark.parametrize(("values", "text"), JSONS)
def test_a_hash_of_values_is_that_of_their_compact_json(values, text):
    assert sha8(*values) == hexes(text)[:8]


# --- Keys ---

HASH = hexes("npm  test||||")[:8]
DOC = hexes("https://docs.rs/axum?x=1#top")
KEYS = [
    (command_key("npm  test"), f"cmd#npm test#{HASH}"),
    (command_key(" npm \n run\tx ", "/w", 2), "cmd#npm run x#" + hexes(" npm \n run\tx |/w|2||")[:8]),
    (command_key("é" * 300), "cmd#" + "é" * 120 + "#" + hexes("é" * 300 + "||||")[:8]),
    (
        run_key("2025-08-08T10:30:00.000Z", "npm  test"),
        f"run#2025-08-08T10:30:00.000Z#{HASH}",
    ),
    (run_key(datetime(2025, 8, 8, 10, 30, tzinfo=UTC), "npm  test"), f"run#2025-08-08T10:30:00Z#{HASH}"),
    (
        run_key(datetime(2025, 8, 8, 12, 30, 0, 500_000, timezone(timedelta(hours=2))), "npm  test"),
        f"run#2025-08-08T10:30:00.500000Z#{HASH}",
    ),
    (error_key("Cannot find  MODULE foo@1.2.3"), "err#cannot find module foo@x.y.z"),
    (warning_key("Deprecated: v2.0"), "warn#deprecated: x.y.z"),
    (error_key("文件不存在"), "err#文件不存在"),
    (dependency_key("lodash", "4.17.21"), "dep#lodash@4.17.21"),
    (dependency_key("@types/node", "18"), "dep#@types/node@18"),
    (dependency_key("lodash"), "dep#lodash"),
    (dependency_key(" lodash ", " "), "dep#lodash"),
    (dependency_key("Visual C++", "14"), "dep#Visual C++@14"),
    (
        fix_key("Module not found v1.0", "install", ["npm i"]),
        "fix#module not found x.y.z#" + hexes('["install",["npm i"]]')[:8],
    ),
    (
        fix_key("err#Module not found", "install", [{"b": 1, "a": "ü"}]),
        "fix#Module not found#" + hexes('["install",[{"a":"ü","b":1}]]')[:8],
    ),
    (fix_key("warn#old", {"s": 1}, []), "fix#old#" + hexes('[{"s":1},[]]')[:8]),
    (
        outcome_key("failed", "fix#x#00000000", "unit tests", 5),
        "outcome#failed#" + hexes('["fix#x#00000000","unit tests",5]')[:8],
    ),
    (doc_key("https://docs.rs/axum?x=1#top"), f"doc#{DOC}"),
    (mode_key("Code Review"), "mode#code-review"),
    (mode_key("architect", "1.2"), "mode#architect@1.2"),
    (tool_key("ripgrep", "14.1"), "tool#ripgrep@14.1"),
    (tool_key("Bash"), "tool#Bash"),
    (file_key("src/мой файл.py"), "file#src/мой файл.py"),
    (concept_key("ts-node loader"), "concept#ts-node-loader"),
]


@pytest.mark.parametrize(("key", "expected"), KEYS)
def test_a_key_is_derived_as_the_reference_says_and_keeps_its_own_form(key, expected):
    assert key == expected
    assert key_form(key) == key[: key.index("#") + 1]
    check_key(key)


def test_the_shown_command_is_cut_even_before_a_space_and_keeps_the_form():
    key = command_key("x" * 119 + " y")
    assert key.startswith("cmd#" + "x" * 119 + " #")
    check_key(key)


DERIVATIONS = [
    lambda name, _: error_key(name),
    lambda name, _: warning_key(name),
    lambda name, _: file_key(name),
    lambda name, _: concept_key(name),
    lambda name, _: doc_key(name),
    lambda name, version: fix_key(name, version, [version]),
    command_key,
    dependency_key,
    mode_key,
    tool_key,
]


@given(st.sampled_from(DERIVATIONS), st.text(), st.text())
@settings(max_examples=300)
def test_whatever_key_is_made_has_the_form_of_its_keys(derive, name, version):
    try:
        key = derive(name, version)
    except InvalidInput:
        return  # the table below says what is refused
    check_key(key)


def test_equal_facts_give_one_key():
    assert error_key("Failed at 0xdeadbeef1  v1.2") == error_key("failed at 0xfeedface22 1.3.0-rc1")
    assert fix_key("Boom 1.0", "s", [{"a": 1, "b": 2}]) == fix_key("err#boom x.y.z", "s", [{"b": 2, "a": 1}])
    assert command_key("a", "/x", 0) != command_key("a", "/x", None)


SLUGS = [
    ("Hello, World!", "hello-world"),
    ("--a__b--", "a-b"),
    ("C++", "c"),
    ("Node.js 18", "node-js-18"),
    ("日本語 テスト", "日本語-テスト"),
    ("Cafe\u0301 Crème", "café-crème"),
    ("हिन्दी भाषा", "हिन्दी-भाषा"),
    ("⚙️ config", "config"),
    ("İstanbul", "i̇stanbul"),
]


@pytest.mark.parametrize(("name", "expected"), SLUGS)
def test_a_slug_keeps_letters_and_digits_of_every_script(name, expected):
    assert slug(name) == expected
    assert slug(expected) == expected


REFUSED = [
    (lambda: error_key(""), "message must not be empty"),
    (lambda: error_key(" \n"), "message must not be empty"),
    (lambda: warning_key("deadbeef01"), "message must hold more than hashes"),
    (lambda: error_key(None), "message must be text, got None"),
    (lambda: normalized_key(b"x"), "message must be text"),
    (lambda: command_key(" "), "cmd must not be empty"),
    (lambda: command_key("x", 3), "cwd must be text"),
    (lambda: command_key("x", "/", True), "exit_code must be an integer or None, got True"),
    (lambda: command_key("x", "/", "0"), "exit_code must be an integer"),
    (lambda: fp8("\ud800"), "half of a surrogate pair"),
    (lambda: doc_key("\ud800"), "url contains half of a surrogate pair"),
    (lambda: run_key(datetime(2025, 8, 8), "x"), "without a time zone"),
    (lambda: run_key("yesterday", "x"), "ISO 8601"),
    (lambda: run_key("2025-13-01T00:00:00Z", "x"), "ISO 8601"),
    (lambda: run_key("2025-08-08T10:30:00Z", ""), "cmd must not be empty"),
    (lambda: dependency_key(""), "name must not be empty"),
    (lambda: dependency_key("@18"), "dep#<name>"),
    (lambda: dependency_key("a", 18), "version must be text"),
    (lambda: fix_key("", "s", []), "issue must not be empty"),
    (lambda: fix_key("err#", "s", []), "err#<normalizedKey>"),
    (lambda: fix_key("x", "s", [float("nan")]), "JSON"),
    (lambda: fix_key("x", "s", {1, 2}), "JSON"),
    (lambda: fix_key("x", "\ud800", []), "half of a surrogate pair"),
    (lambda: outcome_key("great", "fix#x#00000000", "m", 1), "status must be one of verified_successful, failed"),
    (lambda: outcome_key("failed", "", "m", 1), "fix_id must not be empty"),
    (lambda: doc_key(""), "url must not be empty"),
    (lambda: slug("!!!"), "name must hold a letter or a digit"),
    (lambda: mode_key(""), "name must hold a letter or a digit"),
    (lambda: tool_key("a@"), "tool#<name>"),
    (lambda: file_key(""), "path must not be empty"),
]


@pytest.mark.parametrize(("derive", "said"), REFUSED)
def test_what_makes_no_key_is_refused_by_name(derive, said):
    with pytest.raises(InvalidInput, match=re.escape(said)):
        derive()


# --- Supplied keys ---

EIGHT, LONG = "0a1b2c3d", "0a1b2c3d" * 8
GOOD = [
    f"run#2025-08-08T10:30:00Z#{EIGHT}",
    f"run#2025-08-08T10:30:00.123+02:00#{EIGHT}",
    f"run#20250808T103000Z#{EIGHT}",
    f"cmd#npm test#{EIGHT}",
    f"cmd#echo a # b#{EIGHT}",
    f"cmd#{'x' * 120}#{EIGHT}",
    "err#ECONNREFUSED",  # what it says is the client's
    "err#a#b",
    "warn#deprecated",
    "dep#lodash",
    "dep#lodash@4",
    "dep#@types/node",
    "dep#@types/node@18.1",
    f"fix#module not found#{EIGHT}",
    f"outcome#failed#{EIGHT}",
    f"outcome#partially_effective#{EIGHT}",
    f"doc#{LONG}",
    "mode#code",
    "mode#code@2",
    "tool#Bash",
    "tool#@angular/cli@17",
    "file# odd name",
    "concept#c++",
    "concept#日本語",
    "Alice",
    "person#1",
    "ERR#x",
    "#",
    "",
]
BAD = [
    "run#",
    f"run#2025-08-08#{EIGHT}",
    f"run#2025-08-08T25:00:00Z#{EIGHT}",
    f"run#now#{EIGHT}",
    "run#2025-08-08T10:30:00Z",
    "run#2025-08-08T10:30:00Z#0a1b2c3",
    f"cmd##{EIGHT}",
    "cmd#npm test",
    "cmd#npm test#0A1B2C3D",
    f"cmd#{'x' * 121}#{EIGHT}",
    "err#",
    "err# ",
    "warn#",
    "dep#",
    "dep#@18",
    "dep#lodash@",
    "dep# lodash",
    "fix#",
    "fix#module not found",
    f"fix##{EIGHT}",
    f"outcome#great#{EIGHT}",
    "outcome#failed",
    "doc#https://docs.rs",
    f"doc#{LONG[:-1]}",
    f"doc#{LONG}0",
    "mode#",
    "mode#Code",
    "mode#code review",
    "mode#code@",
    "tool#",
    "tool#x@",
    "file#",
    "file# ",
    "concept#",
    "concept#ts-node loader",
    "concept#TypeScript",
]


@pytest.mark.parametrize("name", GOOD)
def test_a_supplied_name_of_a_right_form_passes(name):
    check_key(name)


@pytest.mark.parametrize("name", BAD)
def test_a_supplied_key_of_a_wrong_form_is_refused_with_the_right_one(name):
    prefix = name[: name.index("#") + 1]
    with pytest.raises(InvalidInput, match=rf"^entities must have the form {prefix}.+, got '{prefix}"):
        check_key(name, "entities")


FORMS = [("err#x", "err#"), ("concept#", "concept#"), ("Err#x", None), ("xerr#x", None), ("err", None), ("", None)]


@pytest.mark.parametrize(("name", "prefix"), FORMS)
def test_a_prefix_is_recognised_at_the_beginning_and_with_its_case(name, prefix):
    assert key_form(name) == prefix


# --- Stems ---

STEMS = [
    ("err#cannot find module '/home/me/app/x.js' x.y.z", "cannot find module ''"),
    ("Cannot find module 'C:\\Users\\me\\x.js'", "cannot find module ''"),
    ("err#foo@x.y.z needs bar", "foo needs bar"),
    ("foo@1.2.3-rc1 needs bar", "foo needs bar"),
    ("at run (src/app/main.ts:12:5)", "at run ()"),
    ("at main.ts:12", "at main.ts:12"),
    ("in ./a ../b ~/c /d end", "in end"),
    ("read/write and/or TCP/IP", "read/write and/or tcp/ip"),
    ("open src/main.rs: denied", "open denied"),
    ("get https://example.org/a/b failed", "get failed"),
    ("no @types/node here", "no @types/node here"),
    ("dep#@types/node@18", "@types/node"),
    ("dep#lodash", "lodash"),
    ("tool#ripgrep@14.1", "ripgrep"),
    ("mode#code@2", "code"),
    (f"cmd#python3.11 -m pytest tests/a/test_x.py#{EIGHT}", "python -m pytest"),
    (f"fix#module not found#{EIGHT}", "module not found"),
    (f"outcome#failed#{EIGHT}", "failed"),
    ("file#src/app/main.py", "main.py"),
    ("file#main.py", "main.py"),
    ("file#src/app/", "app"),
    ("concept#ts-node", "ts-node"),
    (f"run#2025-08-08T10:30:00Z#{EIGHT}", ""),
    (f"doc#{LONG}", ""),
    ("err#找不到模块 /家/x.js", "找不到模块"),
    ("/only/a/path", ""),
    ("", ""),
]


@pytest.mark.parametrize(("key", "expected"), STEMS)
def test_a_stem_has_neither_versions_nor_paths(key, expected):
    assert stem(key) == expected


def test_one_error_in_two_places_has_one_stem():
    here = error_key("ENOENT: open '/home/a/p/package.json' with npm 9.1.0")
    there = error_key("ENOENT: open 'D:\\work\\p\\package.json' with npm 10.2.4-rc.1")
    assert here != there
    assert stem(here) == stem(there) == "enoent: open '' with npm"
