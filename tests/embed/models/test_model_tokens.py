import subprocess
import sys
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

import tiny_models
from indelible.embed.models.tokens import Tokens
from indelible.errors import InvalidInput

PLAIN = tiny_models.tokenizer()
START, END, UNKNOWN = (PLAIN.token_to_id(marker) for marker in ("[CLS]", "[SEP]", "[UNK]"))
CAT, SLEEPS, TEST = (PLAIN.token_to_id(word) for word in ("cat", "sleeps", "test"))


@pytest.fixture(scope="module")
def tokens() -> Tokens:
    return Tokens(tiny_models.tokenizer(), 16)


def byte_level() -> Tokenizer:
    """A tokenizer whose words begin with their space, as those of GPT-2 and RoBERTa, without markers."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.post_processor = processors.ByteLevel()
    return made


def test_a_short_text_is_one_window_as_the_tokenizer_would_make_it(tokens: Tokens) -> None:
    expected = tiny_models.tokenizer()
    expected.no_padding()
    expected.no_truncation()
    for text in ("cat", "The cat sleeps.", ""):
        (window,) = tokens.windows(text)
        assert window.tolist() == expected.encode(text).ids
        assert tokens.first_window(text) == window


def test_a_long_text_is_cut_into_windows_that_lose_nothing_and_overlap(tokens: Tokens) -> None:
    text = " ".join(["cat", "sleeps", "test"] * 30)
    windows = tokens.windows(text)
    assert all(row[0] == START and row[-1] == END and len(row) <= 16 for row in windows)
    joined = windows[0][1:-1]
    for row in windows[1:]:
        assert joined[-1] == row[1], "an eighth of 14 tokens is one"
        joined += row[2:-1]
    assert joined.tolist() == [CAT, SLEEPS, TEST] * 30
    assert tokens.first_window(text).tolist() == [START, *([CAT, SLEEPS, TEST] * 5)[:14], END]


def test_every_window_has_the_prefix(tokens: Tokens) -> None:
    windows = tokens.windows(" ".join(["sleeps"] * 40), "cat test: ")
    assert len(windows) > 3
    assert all(row[:4].tolist() == [START, CAT, TEST, UNKNOWN] and row[4] == SLEEPS for row in windows)
    assert all(len(row) <= 16 for row in windows)


def test_a_prefix_whose_space_belongs_to_the_next_token_is_found_whole() -> None:
    plain = byte_level()
    tokens = Tokens(byte_level(), 16)
    assert tokens.windows("ab", "q: ")[0].tolist() == plain.encode("q: ab").ids
    first, second, *_ = tokens.windows("abcdefghijklmnopqrstuvwxyz", "q: ")
    prefix = plain.encode("q:").ids
    assert first[:2].tolist() == second[:2].tolist() == prefix
    assert second[2] not in prefix


def test_markers_in_a_text_are_plain_text(tokens: Tokens) -> None:
    (window,) = tokens.windows("cat [SEP] cat")
    assert window.tolist() == [START, CAT, UNKNOWN, UNKNOWN, UNKNOWN, CAT, END]


@pytest.mark.parametrize("text", ["\ud800 cat", "\x00", "🙂", "x" * 50_000])
def test_any_text_has_a_window(text: str, tokens: Tokens) -> None:
    assert len(tokens.windows(text)) >= 1
    assert len(tokens.first_window(text)) <= 16


def test_a_pair_has_markers_between_and_numbers_of_its_parts(tokens: Tokens) -> None:
    row, types = tokens.pair("cat", "test sleeps")
    assert row.tolist() == [START, CAT, END, TEST, SLEEPS, END]
    assert types.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("query", "text", "kept"),
    [(2, 40, (2, 11)), (40, 2, (11, 2)), (40, 40, (6, 7)), (0, 40, (0, 13)), (13, 0, (13, 0))],
)
def test_a_pair_that_is_too_long_is_cut_at_the_text_first(
    query: int, text: int, kept: tuple[int, int], tokens: Tokens
) -> None:
    row, types = tokens.pair("cat " * query, "test " * text)
    assert len(row) == len(types) <= 16
    kept = row.tolist().count(CAT), row.tolist().count(TEST)
    assert (
        kept == {(2, 40): (2, 11), (40, 2): (11, 2), (40, 40): (6, 7), (0, 40): (0, 13), (13, 0): (13, 0)}[query, text]
    )


def test_a_tokenizer_without_markers_joins_a_pair() -> None:
    row, types = Tokens(byte_level(), 16).pair("ab", "cd")
    assert row.tolist() == byte_level().encode("abcd").ids
    assert len(types) == 4


def test_a_prefix_that_fills_the_window_is_refused(tokens: Tokens) -> None:
    with pytest.raises(InvalidInput, match="leaves no room in a window of 16 tokens"):
        tokens.windows("cat", "test " * 14)


def test_a_file_that_is_no_tokenizer_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(InvalidInput, match=r"tokenizer\.json is no tokenizer\.json that can be read"):
        Tokens.load(tmp_path / "tokenizer.json", 16)


@pytest.mark.process
def test_without_the_extra_the_command_that_installs_it_is_named(tmp_path: Path) -> None:
    code = """if True:
        import sys
        sys.modules["tokenizers"] = None  # as Python notes that a module is not to be found
        from pathlib import Path
        from indelible.embed.models.tokens import Tokens
        from indelible.errors import MissingExtra
        try:
            Tokens.load(Path("tokenizer.json"), 16)
        except MissingExtra as missing:
            print(missing)
    """
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "`pip install 'indelible[models]'`" in said
