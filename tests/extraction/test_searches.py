"""What a shell line searches for."""

import pytest

from indelible.extraction.searches import patterns


@pytest.mark.parametrize(
    ("line", "searched"),
    [
        ("rg -n 'go func' poster", ["go func"]),
        ("grep -rn TODO src", ["TODO"]),
        ("grep -A 3 -e needle file", ["needle"]),
        ("grep --regexp needle file", ["needle"]),
        ("git grep -n needle", ["needle"]),
        ("/usr/bin/rg needle", ["needle"]),
        ("rg -t py --glob '*.py' needle", ["needle"]),
        ("cd src && rg one; grep two x || ag three", ["one", "two", "three"]),
        ("make | grep error", []),
        ("make | grep error && rg after", ["after"]),
        ("cat x | grep a | grep b", []),
        ("rg needle | head -3", ["needle"]),
        ("grep 'жук' файл", ["жук"]),
        ("rg 'unclosed", []),
        ("pytest -k grep", []),
        ("grep", []),
        ("grep -e", []),
        ("", []),
        ("# rg x", []),
        ("rg -- -x", ["-x"]),
        ("cd src\nrg needle\n", ["needle"]),
        ("rg \\\n  needle \\\n  src", ["needle"]),
        ("rg 'two\nlines' src", ["two\nlines"]),
        ("make |\n  grep error", []),
        ("make |& grep error", []),
        ("make\ngrep error log", ["error"]),
        ("npm run rg-all; ./my-grep x", []),
    ],
)
def test_a_line_is_searched_for_searches(line, searched):
    assert patterns(line) == searched


def test_only_the_beginning_of_a_line_is_read():
    assert patterns("rg x " + "'a' " * 100_000) == ["x"]
    assert patterns(f"{'true; ' * 1_000}rg x") == []
