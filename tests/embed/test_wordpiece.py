"""Our WordPiece against the `tokenizers` package, with the same vocabulary."""

import unicodedata
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer

from indelible.embed.pinned import DATA, verified
from indelible.embed.windows import windows
from indelible.embed.wordpiece import CONTENT, END, MARKERS, OVERLAP, START, UNKNOWN, WordPiece
from indelible.errors import StoreError

OURS = WordPiece.load()
THEIRS = BertWordPieceTokenizer(str(DATA / "vocab.txt"))
OLD = unicodedata.ucd_3_2_0


def theirs(text: str) -> list[int]:
    return THEIRS.encode(text, add_special_tokens=False).ids


def undisputed(char: str) -> bool:
    """All Unicode tables say the same of this character since 2002: theirs and Python's are of different years."""
    return unicodedata.category(char) not in ("Cn", "Cs") and OLD.category(char) == unicodedata.category(char)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\r\n ",
        "The pool's limit was raised from 10 to 25.",
        "Crème brûlée à São Tomé, naïve façade, Ångström, Ελληνικά ΟΔΟΣ Σίσυφος",
        "ẞ Straße İstanbul ıĞŞ ǅ ﬁ ² ½ № ™",
        "e\u0301 a\u030a\u0323 \u0301alone",
        "今天天气很好。漢字とかなカタカナ交じり文 한국어 문장입니다",
        "ไทย हिन्दी العربية עברית Українська",
        "🙂 👩‍👩‍👧 🇩🇪 👍🏽 text🚀text",
        "a\x00b\x01c\x7fd\x85e\u200bf\u00adg\ufeffh\ufffdi\ue000j",
        "a\u00a0b\u2003c\u2028d\u3000e\u1680f\x0bg\x0ch\x1ci",
        "def f(x: int=3) -> dict[str, Any]: return {'a_b': x**2 != ~x}  # `ok` <br/> C:\\dir $HOME ^|%&@",
        "https://example.org/a-b_c?d=e&f=%20#g  user@host  v1.2.3-rc1+build",
        "x" * 100,
        "x" * 101,
        "unaffable supercalifragilisticexpialidocious pneumonoultramicroscopicsilicovolcanoconiosis",
        "----====****____", "¿Qué? ¡No! «quoted» “curly” ‘single’ …—–",
    ],
)  # fmt: skip
def test_a_text_is_cut_as_tokenizers_cuts_it(text):
    assert list(OURS.numbers(text)) == theirs(text)


@pytest.mark.slow
def test_every_undisputed_character_is_cut_as_tokenizers_cuts_it_alone_and_within_a_word():
    private = {*range(0xE100, 0xF800), *range(0xF0000, 0x110000)}  # the first 256 of them stand for all
    characters = [chr(code) for code in range(0x110000) if code not in private and undisputed(chr(code))]
    assert len(characters) > 90_000
    texts = [f"{char} a{char}b" for char in characters]
    expected = THEIRS.encode_batch(texts, add_special_tokens=False)
    wrong = [
        f"U+{ord(char):04X}"
        for char, text, found in zip(characters, texts, expected, strict=True)
        if list(OURS.numbers(text)) != found.ids
    ]
    assert wrong == []


@given(st.text(st.characters(exclude_categories=["Cs", "Cn"]).filter(undisputed), max_size=200))
def test_any_text_is_cut_as_tokenizers_cuts_it(text):
    assert list(OURS.numbers(text)) == theirs(text)


@given(
    st.lists(
        st.sampled_from("the self ##ing un aff able . , 's _ - 中 é É ß 🙂 \n \x00 9 $ Σ ﬀ".split(" ")), max_size=60
    )
)
def test_words_in_any_mixture_are_cut_as_tokenizers_cuts_them(parts):
    text = "".join(parts)
    assert list(OURS.numbers(text)) == theirs(text)


def test_markers_that_somebody_writes_are_plain_text():
    numbers = list(OURS.numbers("[CLS] ignore [SEP] [MASK] [unused7] [PAD]"))
    assert min(numbers) >= MARKERS
    assert numbers[:3] == theirs("[ cls")


def test_half_of_a_surrogate_pair_is_dropped():
    assert list(OURS.numbers("a\ud800b \udfff")) == theirs("ab")


def test_more_words_than_the_cache_holds_are_still_cut_rightly():
    words = WordPiece.load()
    for number in range(0, 45_000, 3):
        words.numbers(f"{number} n{number}")
    assert list(words.numbers("n44999 n3 unaffable")) == theirs("n44999 n3 unaffable")


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\u200b"])
def test_nothing_to_read_is_one_window_of_the_two_markers(text):
    assert OURS.windows(text) == [array("H", (START, END))]
    assert OURS.first_window(text) == array("H", (START, END))


@pytest.mark.parametrize("size", [1, 33, 253, 254, 255, 256, 300, 476, 477, 698, 699, 1000, 5000])
def test_windows_lose_no_piece_and_share_the_overlap(size):
    pieces = array("H", range(size))
    parts = windows(pieces, CONTENT, OVERLAP)
    joined = parts[0]
    for part in parts[1:]:
        assert part[:OVERLAP] == joined[-OVERLAP:]
        joined = joined + part[OVERLAP:]
    assert joined == pieces
    assert max(map(len, parts)) <= CONTENT
    assert len(parts) == 1 or len(parts) == -(-(size - OVERLAP) // (CONTENT - OVERLAP)), "as few as can be"
    assert max(map(len, parts)) - min(map(len, parts)) <= len(parts), "equally long, up to what rounding leaves"


def test_a_question_is_what_fits_into_one_window():
    text = "one two three " * 200
    assert OURS.first_window(text) == array("H", (START, *theirs(text)[:CONTENT], END))


def test_a_text_of_a_mebibyte_is_cut_into_windows():
    parts = OURS.windows("a " * (1 << 19))
    assert len(parts) == -(-((1 << 19) - OVERLAP) // (CONTENT - OVERLAP))
    assert all(part[0] == START and part[-1] == END and len(part) <= CONTENT + 2 for part in parts)


def test_a_word_that_no_piece_fits_is_unknown():
    assert list(OURS.numbers("🙂 ok")) == [UNKNOWN, *theirs("ok")]


def test_a_changed_or_missing_file_is_refused_with_the_remedy(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_text("something else")
    with pytest.raises(StoreError, match=r"vocab\.txt has the SHA-256 \w{64}, expected is 0000: reinstall it"):
        verified(path, "0000", "reinstall it")
    with pytest.raises(StoreError, match=r"gone\.txt cannot be read .*: reinstall it"):
        verified(tmp_path / "gone.txt", "0000", "reinstall it")
