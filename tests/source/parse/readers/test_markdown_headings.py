"""Headings of Markdown."""

import pytest

from source_code import parsed, symbols


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# A\n## B\n### C\n## D\n# E", ["A", "A#B", "A#B#C", "A#D", "E"]),
        ("### Deep first\n# A", ["Deep first", "A"]),
        ("# A `b` [c](d) **e** ##\n#no\n####### no\n #\n", ["A b c e"]),
        ("Set\n===\npara\nof two\n---\n- list\n---\n", ["Set", "Set#para of two"]),
        ("```\n# no\n~~~\n```\n# A\n~~~ x\n# no\n", ["A"]),
        ("---\ntitle: x\n---\n# A\n", ["A"]),
        ("<!-- # no\n# no -->\n# A\n    # no\n", ["A"]),
        ("# A\r\n## B\r\n", ["A", "A#B"]),
        ("| a |\n---\n> b\n---\n", []),
        ("# `<T>` of <code>x</code>", ["<T> of x"]),
    ],
)
def test_headings_are_members_of_those_above_them(source, expected):
    assert symbols("markdown", source) == [f"module {each}" for each in expected]


def test_a_section_has_its_lines_its_level_and_its_first_paragraph():
    first, second = parsed("markdown", "# A\n\nWhat it is.\nMore.\n\nElse.\n## B\ntext\n").symbols
    assert (first.line, first.start_line, first.end_line, first.signature) == (1, 1, 8, "# A")
    assert (second.line, second.end_line, second.signature) == (7, 8, "## B")
    assert (first.doc, second.doc) == ("What it is.\nMore.", "text")
