"""A context never exceeds its tokens, headings included, and ends where a sentence does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indelible.search.model_tokens.context_window import Titled, fitted
from indelible.search.model_tokens.o200k import count

bounded = settings(max_examples=200)

PIECES = [
    "\n",
    "\n\n",
    " ",
    "\t",
    "\r\n",
    "# a",
    ". ",
    "! ",
    "。",
    "/",
    "#",
    "'ll",
    "<|endoftext|>",
    "x",
    "Word ",
    "語",
    "12",
]


def texts():
    """Texts of every kind, and of the pieces at which tokens and sentences meet."""
    made = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=60).map("".join)
    long = st.sampled_from(["A sentence here. " * 60, "語" * 300, "word " * 200, "a" * 900, "x = 1\n" * 90, "🚀" * 90])
    return st.one_of(made, long, st.text(max_size=200))


def parts():
    titles = st.one_of(st.sampled_from(["doc1", "a/b.md", "语 title", "'ll", "/"]), st.text(max_size=12)).map(
        lambda title: " ".join(title.split())
    )
    return st.lists(st.builds(Titled, titles, texts()), max_size=8)


@bounded
@given(parts(), st.integers(0, 400))
def test_a_window_never_exceeds_its_tokens_and_what_it_takes_is_whole_but_for_the_last(given_parts, most):
    found = fitted(given_parts, most)
    assert found.tokens == count(found.text) <= most
    assert 0 <= found.included <= len(given_parts)
    whole = len(given_parts) - found.truncated
    assert whole <= found.included <= whole + 1
    begin = "\n\n".join(part.entry() for part in given_parts[:whole])
    assert found.text.startswith(begin)
    rest = found.text[len(begin) :].removeprefix("\n\n" if whole else "")
    if found.included == whole:
        assert rest == ""
    else:
        cut = given_parts[whole]
        part = rest.removeprefix(f"# {cut.title}\n")
        assert part.strip()
        assert cut.text.startswith(part)
        assert len(part) < len(cut.text)


@bounded
@given(parts(), st.integers(0, 400))
def test_nothing_that_fits_whole_is_left_out(given_parts, most):
    whole = len(given_parts) - fitted(given_parts, most).truncated
    if whole < len(given_parts):
        assert count("\n\n".join(part.entry() for part in given_parts[: whole + 1])) > most


SENTENCE = "The queue is drained by one worker, and a store keeps what was written. "


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (SENTENCE * 50, "."),
        ("データベースは毎晩バックアップされる。設定は環境変数から読む！" * 50, ("。", "！")),
        ("¿Quién vacía la cola? Un solo proceso. " * 50, ("?", ".")),
        ("First paragraph without a stop\n\n" * 50, "stop"),
        ("- an item of a list\n" * 80, "list"),
        ("    return first(self.name)\n" * 80, ")"),
        ("words without any punctuation go on and on " * 60, tuple("snyd")),
    ],
)
def test_what_does_not_fit_is_cut_at_the_end_of_a_sentence_or_the_next_best_place(text, end):
    found = fitted([Titled("a", text), Titled("b", "short")], 150)
    assert (found.included, found.truncated) == (1, 2)
    assert 100 < found.tokens <= 150
    assert found.text.endswith(end)


def test_the_ends_of_words_and_characters_are_kept_where_there_is_no_sentence():
    assert fitted([Titled("a", "one two three " * 90)], 20).text.split()[-1] in ("one", "two", "three")
    family = "👩‍👩‍👧‍👦"
    kept = fitted([Titled("a", family * 300)], 100).text.removeprefix("# a\n")
    assert kept == family * (len(kept) // len(family)) != ""


def test_a_heading_is_never_alone():
    long = Titled("a title of many words that takes all of the room that there is", "Text.")
    assert fitted([long], 12).text == ""
    assert fitted([Titled("a", "One. Two."), long], 12).text == "# a\nOne. Two."


def test_nothing_is_no_window():
    assert fitted([], 100) == fitted([], 0)
    assert (fitted([], 100).text, fitted([], 100).tokens) == ("", 0)


def test_texts_stand_under_their_headings_with_a_blank_line_between():
    found = fitted([Titled("doc1", "One"), Titled("doc2", "Two")], 100)
    assert found.text == "# doc1\nOne\n\n# doc2\nTwo"
    assert (found.included, found.truncated) == (2, 0)
