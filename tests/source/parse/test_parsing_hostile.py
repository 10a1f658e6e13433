"""Files that are no source, broken or made to hurt: a file is read as far as it can be, in little time."""

import time
from contextlib import suppress

import pytest

from indelible.source.parse import deadline
from indelible.source.parse.deadline import NotSource
from indelible.source.parse.languages import BY_NAME, LANGUAGES, language_of
from indelible.source.parse.parsing import MOST_BYTES, parse
from indelible.source.resolve.module_names import Layout, module_name
from source_code import PATHS, need_grammar, parsed

EVERY = [language.name for language in LANGUAGES]
GRAMMARS = [language.name for language in LANGUAGES if language.read is None]
SECONDS = 15.0  # of processor time for one file, far above what is needed: what is quadratic takes hours


@pytest.fixture(autouse=True)
def _in_little_time(monkeypatch):
    monkeypatch.setattr(deadline, "MOST_SECONDS", 1.0)  # what would run into five is refused as well after one
    started = time.process_time()
    yield
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize("language", EVERY)
@pytest.mark.parametrize("body", [b"", b"\n", b" \t\r\n", b"\xef\xbb\xbf"])
def test_an_empty_file_says_nothing(language, body):
    file = parsed(language, body)
    assert (file.symbols, file.references, file.imports, file.errors) == ((), (), (), False)


@pytest.mark.parametrize("body", [b"def f(): pass\0", b"\x7fELF\x02\x01\x01\x00", b"\xff\xfe\x00\x00"])
def test_a_binary_is_no_source(body):
    with pytest.raises(NotSource, match="binary"):
        parsed("python", body)


def test_a_file_over_the_limit_is_no_source():
    with pytest.raises(NotSource, match="1,048,576 bytes"):
        parsed("python", b"#" * (MOST_BYTES + 1))


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        ("def größe(): pass".encode("utf-8-sig"), "utf-8"),
        ("def größe(): pass".encode("utf-16"), "utf-16"),
        ("def größe(): pass".encode("latin-1"), "latin-1"),
        ("# -*- coding: cp1252 -*-\ndef größe(): pass".encode("cp1252"), "cp1252"),
        ("# coding: no-such\ndef größe(): pass".encode("latin-1"), "latin-1"),
    ],
)
def test_other_encodings_are_read(body, encoding):
    file = parsed("python", body)
    assert ([symbol.name for symbol in file.symbols], file.encoding) == (["größe"], encoding)


@pytest.mark.slow
@pytest.mark.parametrize("language", EVERY)
@pytest.mark.parametrize(
    "body",
    [
        b'x = "' + b"a" * (MOST_BYTES - 10) + b'"',
        b"(" * 10_000 + b")" * 10_000,
        b"f(" * 10_000 + b")" * 10_000,
        b"{" * 10_000,
        b"}" * 10_000 + b"]" * 1_000,
        b"a." * 20_000 + b"b()",
        b"\n" * 200_000 + b"{ f( }",
        b"*/" * 50_000,
        b"/*" * 50_000,
        b"/* */\n" * 30_000,
        b"ABCDEFGH_" * 5_000 + b"(x) {",
        bytes(range(1, 128)) * 200,
    ],
    ids=[
        "a long line",
        "brackets",
        "calls",
        "open",
        "closed",
        "a chain",
        "lines",
        "ends",
        "starts",
        "comments",
        "capitals",
        "noise",
    ],
)
@pytest.mark.sweep(45)
def test_hostile_text_is_read_or_refused_in_little_time(language, body):
    need_grammar(language)
    with suppress(NotSource):
        parse(body, BY_NAME[language], PATHS[language])


def test_a_small_file_that_a_grammar_cannot_recover_from_is_refused():
    with pytest.raises(NotSource, match="over 1 s of work"):
        parsed("swift", b"/*" * 5_000)


@pytest.mark.parametrize("language", GRAMMARS)
@pytest.mark.parametrize("unit", [b"(", b"[", b"{", b"f(", b'{"a":', b"a[b(", b"if(a){"])
def test_a_megabyte_of_brackets_without_end_is_no_source(language, unit):
    with pytest.raises(NotSource, match="brackets without end"):
        parsed(language, unit * (MOST_BYTES // len(unit)))


@pytest.mark.slow
@pytest.mark.parametrize("language", EVERY)
@pytest.mark.parametrize("unit", [b"(", b"[", b"{", b")", b"=>", b"&&", b"?", b"else "])
@pytest.mark.sweep(40)
def test_a_row_of_tokens_that_mean_nothing_takes_no_square_of_its_length(language, unit):
    with suppress(NotSource):
        assert parsed(language, unit * (60_000 // len(unit))).symbols == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "body"),
    [
        ("javascript", b"function a(b,c){return b?c(d.e[0],1):f(function(){g=h,i&&j()})};" * 3_000),
        ("javascript", b"x=[" + b'{"a":[1,{"b":null}]},' * 10_000 + b"]"),
        ("javascript", b"x" + b".then(a=>b(a))" * 20_000),
        ("typescript", b"let x: " + b"A<" * 20_000),
        ("python", b"".join(b" " * depth + b"if x:\n" for depth in range(600))),
        ("python", b"x = [" + b"{'a': 1}, " * 10_000 + b"]"),
        ("c", b"#if A\n" * 20_000),
        ("c", b"#if A\nint f() {\n#else\n{\n#endif\n" * 6_000),
        ("cpp", b"template<" * 3_000),
        ("cpp", b"AAAA(b\n" * 15_000),
        ("rust", b"fn f() { m!(" + b"a, " * 30_000 + b") }"),
        ("rust", b"fn f() { m!(" + b"+" * 10_000 + b") }"),
        ("javascript", b"x = [" + b"," * 10_000 + b"]"),
        ("markdown", b"# a\n" * 30_000),
        ("markdown", b"[" * 200_000 + b"\n===\n" + b"- - -\n" * 50_000),
        ("markdown", b"a\n" * 200_000 + b"---\n"),
        ("sql", b"CREATE " * 100_000),
        ("sql", b"CREATE TABLE " + b"a." * 100_000 + b"'" * 100_001),
        ("sql", b"$$ " * 100_001 + b"/* " * 10_000),
        ("kotlin", b"fun A<" + b"B<" * 50_000),
        ("kotlin", b"class A { val x = 1 }\n" * 1_000),
        ("ruby", b"x = <<A\n" * 20_000),
        ("php", b"<?php $a->" + b"b->" * 50_000),
        ("swift", b"let x = " + b"1 + " * 3_000),
        ("bash", b"$(" * 5_000),
        ("go", b"package p\nvar x = " + b"1 + " * 20_000 + b"1"),
        ("java", b"class A { int x = " + b"-" * 60_000 + b"1; }"),
    ],
)
def test_what_machines_write_is_read_in_little_time(language, body):
    assert parsed(language, body).lines > 0


@pytest.mark.parametrize(
    ("language", "start", "end"), [("javascript", b"x = [", b"]"), ("rust", b"fn f() { m!(", b") }")]
)
def test_a_long_row_of_commas_is_refused_though_it_is_no_error(language, start, end):
    with pytest.raises(NotSource, match="punctuation"):
        parsed(language, start + b"," * 60_000 + end)


def test_deep_nesting_is_cut_and_said_to_be():
    file = parsed("javascript", "function f() {" * 100 + "g()" + "}" * 100)
    assert file.cut
    assert 10 < len(file.symbols) < 100
    assert [reference.name for reference in file.references] == ["g"]
    assert parsed("javascript", "function f() {" * 3_000 + "g()" + "}" * 3_000).cut


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "def a(): pass\nclass (:\n  x =\ndef b(): pass\n"),
        ("javascript", "function a() {}\nconst = ;\nfunction b() {}\n"),
        ("rust", "fn a() {}\nlet = ;\nfn b() {}\n"),
        ("go", "package p\nfunc a() {}\nvar = \nfunc b() {}\n"),
        ("java", "class A { void a() {} int = ; void b() {} }"),
        ("c", "int a(void) { }\nint = ;\nint b(void) { }\n"),
    ],
)
def test_a_syntax_error_does_not_stop_a_file(language, source):
    file = parsed(language, source)
    assert file.errors
    assert {"a", "b"} <= {symbol.name for symbol in file.symbols}


@pytest.mark.parametrize(
    ("path", "start", "name"),
    [
        ("a.py", b"", "python"),
        ("A.PY", b"", "python"),
        ("run", b"#!/usr/bin/env python3\n", "python"),
        ("a.mjs", b"", "javascript"),
        ("a.d.ts", b"", "typescript"),
        ("a.tsx", b"", "tsx"),
        ("a.txt", b"def f(): pass", None),
        ("run", b"#!/bin/sh\n", "bash"),
        ("run", b"#!/usr/bin/env -S ruby -w\n", "ruby"),
        ("run", b"#!/usr/bin/fish\n", None),
        ("run.txt", b"#!/bin/sh\n", None),
        ("Rakefile", b"", "ruby"),
        ("README.md", b"", "markdown"),
    ],
)
def test_a_language_is_known_by_name_or_first_line(path, start, name):
    language = language_of(path, start)
    assert (language.name if language else None) == name


@pytest.mark.parametrize(
    ("language", "path", "name"),
    [
        ("python", "src/a/b/c.py", "a.b.c"),
        ("python", "src/a/b/__init__.py", "a.b"),
        ("python", "scripts/run.py", "scripts.run"),
        ("python", "setup.py", "setup"),
        ("rust", "crates/my-db/src/lib.rs", "my_db"),
        ("rust", "crates/my-db/src/store/mod.rs", "my_db::store"),
        ("rust", "crates/my-db/src/store/row.rs", "my_db::store::row"),
        ("rust", "crates/my-db/tests/all.rs", "all"),
        ("rust", "src/main.rs", "crate"),
        ("typescript", "web/src/app.ts", "web/src/app"),
        ("go", "a/b.go", ""),
    ],
)
def test_qualified_names_begin_with_where_a_file_stands(language, path, name):
    layout = Layout(frozenset(("src/a", "src/a/b")), {"crates/my-db": "my-db"})
    assert module_name(BY_NAME[language], path, layout) == name


@pytest.mark.parametrize("use", ["use a%s::b;\n", "pub%suse a;\n", "use a; /*%s\n", "use a::{%s};\n"])
def test_imports_of_rust_are_read_once(use):
    """A megabyte of them took 72 seconds: each was looked through from every one of its places; a test has a minute."""
    one = use % (" " * 19_000)
    parsed = parse((one * (MOST_BYTES // len(one))).encode(), BY_NAME["rust"], "src/lib.rs")
    assert parsed.lines


def test_braces_of_rust_in_one_another_keep_little_of_their_paths():
    deep = "use " + "a::{" * 4_000 + "b" + "}" * 4_000 + ";\n"
    assert parse(deep.encode(), BY_NAME["rust"], "src/lib.rs").imports == ()
    shallow = parse(b"use a::{b::{c, d::{e}}};\n", BY_NAME["rust"], "src/lib.rs").imports
    assert [(each.module, each.name) for each in shallow] == [("a::b", "c"), ("a::b::d", "e")]
