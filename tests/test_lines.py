"""Lines for people: what would steer a terminal, and where lines are broken."""

import io
import json
import os

import pytest

from indelible.lines import cells, for_people, harmless, harmless_json, wrapped

LONG = "the lock file of npm broke the release twice, and nobody found out before Friday"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ünïcode 文 🚀\n\ttab", "plain ünïcode 文 🚀\n\ttab"),
        ("\x1b[31mred\x07\r\x08\x7f", " [31mred    "),
        ("\x9b2J \x85 \u2028", " 2J    "),
        ("\u202egpj.exe\u2066 \u200f", " gpj.exe   "),
        ("👩‍👩‍👧 می‌خواهم", "👩‍👩‍👧 می‌خواهم"),
    ],
)
def test_what_steers_a_terminal_is_a_space(text, shown):
    assert harmless(text) == shown


@pytest.mark.parametrize("text", ["\x9b2J\x7f\u202e", "a\n\x1b", "plain"])
def test_json_keeps_its_meaning(text):
    written = harmless_json(json.dumps({"a": text}, ensure_ascii=False, indent=2))
    assert json.loads(written) == {"a": text}
    assert harmless(written) == written


def test_lines_are_broken_between_words_and_what_follows_is_indented():
    assert wrapped(LONG, 40).split("\n") == [
        "the lock file of npm broke the release",
        "  twice, and nobody found out before",
        "  Friday",
    ]
    assert wrapped(f"    {LONG}", 60).split("\n")[1].startswith("      ")
    assert wrapped(LONG, 60, "").split("\n")[1] == "found out before Friday"
    assert wrapped(LONG, 80) == LONG


def test_lines_that_fit_stay_with_their_spaces():
    text = "  indelible brief    what the next session is given\n\n\tcode( 1,  2 )"
    assert wrapped(text, 60) == text


def test_a_word_that_is_too_long_stays_whole():
    path = "/srv/" + "directory/" * 12
    assert wrapped(f"verified backup: {path} (new)", 40).split("\n") == ["verified backup:", f"  {path}", "  (new)"]


def test_wide_characters_are_broken_at_cells():
    text = "データベースの接続プールは最大二十本とし、長時間のバッチ処理では pnpm を使う"
    lines = wrapped(text, 30, "").split("\n")
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(cells(line) <= 30 for line in lines)
    assert len(lines) == 3


@pytest.mark.parametrize("width", [1, 20])
def test_a_very_narrow_terminal_gets_lines_of_twenty_cells(width):
    assert max(map(len, wrapped(LONG, width).split("\n"))) <= 20


def test_only_a_terminal_has_lines_broken():
    assert for_people(f"{LONG} \x1b", io.StringIO()) == f"{LONG}  "


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix")
def test_a_terminal_of_unknown_width_is_taken_for_one_of_eighty(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    ours, theirs = os.openpty()
    with open(theirs, "w") as terminal:
        assert for_people(LONG, terminal) == LONG
        monkeypatch.setenv("COLUMNS", "40")
        assert for_people(LONG, terminal) == wrapped(LONG, 40)
    os.close(ours)
