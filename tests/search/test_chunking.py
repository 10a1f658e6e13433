"""Documents are cut where a reader would cut them, no word is lost, and an edit changes few chunks."""

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indelible.search.chunking import MOST, OVERLAP, chunks, syntax_of

SYNTAXES = ("markdown", "rst", "code")
MEBIBYTE = 1 << 20
WORDS = "the queue is drained by one worker and a store keeps what memory has written until nobody asks".split()

CODE = '''import os


def first(path):
    """Read a file. Return its lines."""
    with open(path) as file:
        return file.readlines()


class Second:
    name = "second"

    def third(self):
        # a comment
        return first(self.name)
'''
MARKDOWN = """# Guide

A word before all. Another one.

## Install

- with `pip`
- with uv

```sh
# this is no heading
pip install indelible
```

## Use

Type it. See what comes out.
"""


def prose(seed: int, paragraphs: int) -> list[str]:
    """Paragraphs of made-up sentences, no two alike."""
    pick = random.Random(seed)

    def sentence() -> str:
        return " ".join(pick.choices(WORDS, k=pick.randint(5, 25))).capitalize() + "."

    return [f"{' '.join(sentence() for _ in range(pick.randint(2, 6)))}" for _ in range(paragraphs)]


def assert_whole(text: str, syntax: str = "markdown") -> None:
    """Fail unless the chunks are parts of the text, in order, that leave out nothing but white space between them."""
    found, done = chunks(text, syntax), 0
    for chunk in found:
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.text.strip()
        assert len(chunk.text) <= MOST + OVERLAP
        assert not text[done : max(done, chunk.start)].strip()
        assert chunk.end > done  # none is inside another
        done = chunk.end
    assert not text[done:].strip()
    assert_words_whole(text, [chunk.text for chunk in found])


def assert_words_whole(text: str, found: list[str]) -> None:
    """Fail where a word of usual length is nowhere whole."""
    known = {word for chunk in found for word in re.findall(r"\S+", chunk)}
    for word in set(re.findall(r"\S+", text)):
        assert word in known or len(word) > 30, word


PIECES = ["\n", "\n\n", " ", "\t", "```\n", "~~~", "# a", "## b\n", "===\n", "---\n", "- ", ". ", "! ", "。", "、", "x"]
LONG = [
    "word " * 90,
    "語" * 130,
    "a" * 700,
    "Sentence here. " * 40,
    "line\n" * 80,
    "    indented\n" * 30,
    "\r\n",
    "́" * 9,
]


def anything() -> st.SearchStrategy[str]:
    """Texts of every kind, and of the pieces that the cutting looks at."""
    made = st.lists(st.one_of(st.sampled_from(PIECES + LONG), st.text(max_size=20)), max_size=25).map("".join)
    return st.one_of(st.text(max_size=3000), made)


@pytest.mark.slow
@settings(max_examples=300)
@given(anything(), st.sampled_from(SYNTAXES))
def test_no_word_of_any_text_is_lost(text, syntax):
    assert_whole(text, syntax)


KINDS = {
    "prose": "\n\n".join(prose(1, 400)),
    "prose without punctuation": " ".join(random.Random(1).choices(WORDS, k=30_000)),
    "prose on one line": " ".join(prose(2, 400)),
    "Markdown": MARKDOWN * 60,
    "code": CODE * 60,
    "Chinese": "数据库每晚备份，设置从环境变量读取。失败时重试！" * 300,
    "Japanese without a stop": "データベースは毎晩バックアップされる設定は環境変数から" * 200,
    "Thai": "ฐานข้อมูลสำรองทุกคืนและอ่านการตั้งค่าจากสภาพแวดล้อม" * 100,
    "Russian": "Ключ кэша — это путь и хэш. " * 300,
    "one blob": "QmFzZTY0" * 2_000,
    "emoji": "👩‍👩‍👧‍👦" * 1_000,
    "a table": "| a | b |\n|---|---|\n" + "| one | two |\n" * 500,
    "a fence that nothing closes": "text\n\n```\n" + "code line\n" * 400,
    "Windows lines": "# One\r\n\r\nFirst. Second.\r\n\r\n" * 200,
}


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_word_is_lost_whatever_the_text_is(kind, syntax):
    assert_whole(KINDS[kind], syntax)
    assert len(chunks(KINDS[kind], syntax)) > 3


@pytest.mark.parametrize("text", ["", " ", "\n" * 5_000, "\t \r\n"])
def test_a_text_of_nothing_but_white_space_has_no_chunks(text):
    assert chunks(text) == []


@pytest.mark.parametrize("text", ["a", "One sentence.", "# A heading\n\nand a line", "語"])
def test_a_short_text_is_one_chunk(text):
    (chunk,) = chunks(text)
    assert chunk.text == text


@pytest.mark.slow
@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize(
    "unit", ["a", "word ", "Sentence. ", "語", "a\n", "\n", "`", "```\n", "# a\n", "a\n==\n", ".", "=", "- "]
)
@pytest.mark.sweep(6)
def test_one_mebibyte_of_anything_is_cut_and_whole(unit, syntax):
    text = unit * (MEBIBYTE // len(unit.encode()))
    found = chunks(text, syntax)
    assert len(found) < 6_000
    assert sum(len(chunk.text.split()) for chunk in found) >= len(text.split())


# --- Where the cuts are ---


def test_prose_is_cut_at_the_ends_of_sentences():
    for chunk in chunks(" ".join(prose(3, 300))):
        assert chunk.text.endswith(".")


def test_what_only_looks_like_the_end_of_a_sentence_is_none():
    text = "It costs 3.5 million, e.g. The J. R. Smith fund paid it, i.e. Nobody else did so far as we know " * 60
    for chunk in chunks(text.replace("know ", "know. ")):
        assert chunk.text.endswith("know.")


def test_paragraphs_are_kept_together_where_they_fit():
    paragraphs = [" ".join(part.split()[:30]) for part in prose(4, 200)]
    text = "\n\n".join(paragraphs)
    ends = [chunk.text.rpartition("\n\n")[2] for chunk in chunks(text)]
    assert set(ends) <= set(paragraphs)


def test_every_section_is_cut_by_itself():
    sections = [f"## Section {i}\n\n" + "\n\n".join(prose(i, 6)) for i in range(20)]
    for chunk in chunks("\n\n".join(sections)):
        assert len(re.findall(r"^## ", chunk.text, re.MULTILINE)) <= 1
        assert not chunk.text[1:].count("\n## ")


def test_a_chunk_knows_the_headings_that_it_stands_under():
    text = "intro " * 60 + "\n\n# One\n\n" + "a b. " * 60 + "\n### Deep ###\n\n" + "c d. " * 60
    text += "\n## Two\n\n" + "e f. " * 60 + "\n# Last\n" + "g h. " * 60
    assert [chunk.headings for chunk in chunks(text)] == [
        (),
        ("One",),
        ("One", "Deep"),
        ("One", "Two"),
        ("Last",),
    ]


def test_underlined_titles_are_headings_too():
    body = "\n\n" + "Text of it. " * 30 + "\n\n"
    markdown = "Title\n=====" + body + "Part\n----" + body + "Not a title, just a long line of text\n---" + body
    assert [chunk.headings for chunk in chunks(markdown)] == [("Title",), ("Title", "Part")]
    rst = "*****\nTitle\n*****" + body + "Part\n^^^^" + body + "Detail\n------" + body + "Other\n^^^^^" + body
    assert [chunk.headings for chunk in chunks(rst, "rst")] == [
        ("Title",),
        ("Title", "Part"),
        ("Title", "Part", "Detail"),
        ("Title", "Other"),
    ]


def test_a_heading_without_a_text_goes_with_what_follows():
    text = "# Guide\n\n## Part\n\n### Detail\n\n" + "It is so. " * 30 + "\n\n## Empty\n\n# End\n\n" + "So it is. " * 30
    first, last = chunks(text)
    assert first.text.startswith("# Guide\n\n## Part\n\n### Detail")
    assert first.headings == ("Guide", "Part", "Detail")
    assert last.text.startswith("## Empty\n\n# End")
    assert last.headings == ("End",)


def test_small_sections_are_joined_but_not_with_those_above_them():
    small = "".join(
        f"## {name}\n\nIt is {name}, and that is all there is to it, as far as we know.\n\n" for name in "abcdef"
    )
    text = f"# One\n\n{small}# Two\n\n{small}"
    found = chunks(text)
    assert all(len(chunk.text) >= 150 for chunk in found)
    assert [chunk.text[:5] for chunk in found if "# Two" in chunk.text] == ["# Two"]


def test_what_stands_in_a_block_of_code_is_no_heading():
    text = "# Top\n\n```sh\n# install it\npip install x\n```\n\n~~~\n# and this\n~~~~\n\n" + "Words here. " * 30
    assert {chunk.headings for chunk in chunks(text)} == {("Top",)}
    assert {chunk.headings for chunk in chunks(CODE.replace("    #", "#") * 20, "code")} == {()}


@pytest.mark.parametrize("before", range(100, 1_900, 150))
def test_a_block_of_code_is_kept_whole_where_it_fits(before):
    block = "```python\n" + "value = compute(value)  # Again. And again.\n" * 15 + "```"
    text = f"{'Some words before it. ' * (before // 22)}\n\n{block}\n\n{'And some after it. ' * 60}"
    assert sum(block in chunk.text for chunk in chunks(text)) == 1


def test_code_is_cut_between_functions_and_lines():
    functions = [
        f"def function_{i}(value):\n" + f"    value += {i}\n" * (i % 30 + 3) + "    return value" for i in range(60)
    ]
    found = chunks("\n\n\n".join(functions), "code")
    assert sum(chunk.text.startswith("def ") for chunk in found) > len(found) * 0.9
    for chunk in found:
        assert set(chunk.text.splitlines()) <= {line for function in functions for line in function.splitlines()} | {""}


def test_chunks_overlap_by_a_sentence_inside_a_section_only():
    text = "# One\n\n" + " ".join(prose(5, 30)) + "\n\n# Two\n\n" + " ".join(prose(6, 30))
    found = chunks(text)
    over = [(a, b) for a, b in pairwise(found) if b.start < a.end]
    assert len(over) > len(found) / 2
    for a, b in over:
        assert a.headings == b.headings
        assert b.start >= a.end - OVERLAP
    assert all(b.start >= a.end for a, b in pairwise(found) if a.headings != b.headings)


def test_characters_that_are_shown_as_one_stay_together():
    for chunk in chunks("👩‍👩‍👧‍👦" * 1_000):
        assert not chunk.text.startswith("‍")
        assert not chunk.text.endswith("‍")


@pytest.mark.parametrize(
    ("name", "syntax"),
    [
        ("README.md", "markdown"),
        ("docs/Guide.MD", "markdown"),
        ("notes.txt", "markdown"),
        ("notes", "markdown"),
        ("a talk of last week", "markdown"),
        ("v1.2 of the plan", "markdown"),
        ("C:\\docs\\index.rst", "rst"),
        ("src/main.py", "code"),
        ("deploy.yaml", "code"),
        ("a.tar.gz/run.sh", "code"),
        (".gitignore", "markdown"),
        ("", "markdown"),
    ],
)
def test_a_file_name_tells_how_its_text_is_read(name, syntax):
    assert syntax_of(name) == syntax


# --- What an edit changes ---


def changed(before: str, after: str, syntax: str = "markdown") -> int:
    """How many chunks of the text after an edit are new."""
    known = {chunk.text for chunk in chunks(before, syntax)}
    return sum(chunk.text not in known for chunk in chunks(after, syntax))


def test_an_edit_in_one_section_changes_no_chunk_of_another():
    sections = [f"## Section {i}\n\n" + "\n\n".join(prose(i, 10)) for i in range(12)]
    before = {chunk.text for i, part in enumerate(sections) if i != 5 for chunk in chunks(part)}
    sections[5] = sections[5].replace("the", "their", 3).replace(". ", ". Something new. ", 2) + "\n\nAnd an end."
    assert before <= {chunk.text for chunk in chunks("\n\n".join(sections))}


@pytest.mark.parametrize("between", ["\n\n", "\n", " "])
@pytest.mark.parametrize("seed", range(5))
def test_after_an_edit_in_a_text_without_sections_the_cuts_soon_are_where_they_were(between, seed):
    parts = prose(seed, 300)
    before, total = between.join(parts), len(chunks(between.join(parts)))
    assert total > 90
    edits = {
        "a word": [*parts[:20], "New. " + parts[20], *parts[21:]],
        "a paragraph": [*parts[:20], *prose(99, 1), *parts[20:]],
        "nothing there": [*parts[:20], *parts[21:]],
        "at the start": ["A new beginning.", *parts],
    }
    for edited in edits.values():
        assert changed(before, between.join(edited)) <= 15


def test_an_edit_in_a_text_without_any_punctuation_changes_few_chunks_too():
    words = random.Random(7).choices(WORDS, k=30_000)
    assert changed(" ".join(words), " ".join([*words[:50], "inserted", *words[50:]])) <= 10
    letters = "".join(random.Random(8).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=100_000))
    assert changed(letters, f"{letters[:50]}new{letters[50:]}") <= 20


def test_the_same_text_is_cut_the_same():
    assert chunks(KINDS["prose"]) == chunks(KINDS["prose"])
