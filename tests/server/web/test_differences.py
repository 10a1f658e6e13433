"""What changed between two texts."""

from random import Random

import pytest

from indelible.server.web import differences


@pytest.mark.parametrize("words", [12, 900, 3_000])
def test_the_pieces_are_both_texts(words):
    draw = Random(words)
    for _ in range(20 if words < 100 else 1):
        old, new = ("".join(draw.choice(["a", "bb", " ", "\n", "é "]) for _ in range(words)) for _ in "xy")
        pieces = differences.between(old, new)
        assert "".join(text for kind, text in pieces if kind != "new") == old
        assert "".join(text for kind, text in pieces if kind != "gone") == new
        assert all(text for _, text in pieces)


def test_only_what_changed_is_marked():
    assert differences.between("kept for four days", "kept for two days") == [
        ("same", "kept for "),
        ("gone", "four"),
        ("new", "two"),
        ("same", " days"),
    ]


def test_long_texts_are_compared_by_lines_and_longer_ones_as_a_whole():
    lines = [f"line {number} of a long text" for number in range(400)]
    changed = [*lines[:7], "another line", *lines[8:]]
    kinds = [(kind, text) for kind, text in differences.between("\n".join(lines), "\n".join(changed)) if kind != "same"]
    assert kinds == [("gone", f"{lines[7]}\n"), ("new", "another line\n")]
    old = "a\n" * differences.MOST
    assert differences.between(old, f"{old}b") == [("gone", old), ("new", f"{old}b")]
