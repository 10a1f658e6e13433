"""Counts of o200k tokens, held against bpe_openai, which is installed for that alone."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import indelible
from hostile_corpus import HOSTILE
from indelible.search.model_tokens import o200k
from indelible.search.model_tokens.o200k import count, fits

# bpe_openai reads its data by an old function of the standard library.
pytestmark = pytest.mark.filterwarnings("ignore:open_binary is deprecated:DeprecationWarning")

PACKAGE = Path(indelible.__file__).parent
CHARACTERS = st.characters(exclude_categories=("Cs",))
MEETING = [*"aBé字가ก\u0301 \n'/1", "'ll", "\r\n", "🚀"]  # pieces at which tokens meet
PROSE = [
    "The queue moved to Postgres because Redis lost messages on restart; it's 10:45, don't wait — we'll see.\n",
    "Überprüfe vor jeder Änderung die Datenbankmigrationen; größer heißt nicht besser.\r\n",
    "L'été dernier, j'ai réécrit l'agrégateur d'événements ; ça marche, n'est-ce pas ?\n",
    "¿Quién vacía la cola? Un solo proceso.\n",
    "Очередь была перенесена в Postgres, потому что Redis терял сообщения.\n",
    "认证服务器在夜间重启，因此令牌的有效期必须超过八小时。\n",
    "認証サーバーは夜に再起動する。カタカナもある。\n",
    "인증 서버는 밤에 다시 시작하므로 토큰의 유효 기간은 길어야 한다.\n",
    "يعاد تشغيل خادم المصادقة ليلا ولذلك يجب أن تزيد الصلاحية عن ٨ ساعات.\n",
    "שרת האימות מופעל מחדש בלילה, ולכן תוקף האסימון ארוך.\n",
    "प्रमाणीकरण सर्वर रात में पुनः आरंभ होता है, १२३ बार।\n",
    "เซิร์ฟเวอร์ยืนยันตัวตนจะเริ่มใหม่ในเวลากลางคืน\n",
    "Máy chủ xác thực khởi động lại vào ban đêm.\n",
    "👩‍💻 ships 🚀🏳️‍🌈 at ½ price — ①②③ Ⅷ ₂ ² ﬁ Å Ａｂｃ\n",
]


@pytest.fixture(scope="module")
def known():
    """The counts of bpe_openai."""
    import bpe_openai

    encoding = bpe_openai.get_encoding("o200k_base")
    return lambda text: len(encoding.encode_ordinary(text))


@pytest.mark.slow
@settings(max_examples=300)
@given(
    st.one_of(
        st.text(CHARACTERS), st.lists(st.sampled_from([*"aBé字가ก\u0301 \n'/1", "'ll", "\r\n", "🚀"])).map("".join)
    )
)
def test_counts_of_any_text(known, text):
    expected = known(text)
    assert count(text) == expected
    assert fits(text, expected)
    assert not fits(text, expected - 1)


@pytest.mark.slow
def test_counts_of_prose_code_and_hostile_texts(known):
    files = [
        path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.*")) if path.suffix in (".py", ".sql")
    ]
    assert sum(map(len, files)) > 1_000_000
    dice = random.Random(20261123)
    mixed = ["".join(dice.choices(PROSE, k=40)) for _ in range(20)]
    shuffled = ["".join(dice.sample(text, len(text))) for text in mixed]
    cut = [text[dice.randrange(len(text)) :] for text in mixed]
    texts = [*files, *mixed, *shuffled, *cut, *(text for _, text in HOSTILE)]
    assert [count(text) for text in texts] == [known(text) for text in texts]


@pytest.mark.parametrize("step", [pytest.param(5, marks=pytest.mark.full), 61])
def test_characters_are_of_the_classes_that_the_encoding_knows(known, step):
    """Between letters, doubled, before a number and after a space it makes other pieces as a letter, sign or mark."""
    codes = [*range(0xD800), *range(0xE000, 0x40000), *range(0xE0000, 0xE0200), *range(0xF2000, 0xF4000)]
    chars = list(map(chr, codes[::step]))
    lines = [f"a{char}b {char}{char} {char}1{char} x{char}'s\n{char}\n" for char in chars]
    wrong = [hex(ord(char)) for char, line in zip(chars, lines, strict=True) if count(line) != known(line)]
    assert wrong == []


def test_characters_of_unicode_17_count_as_signs(known):
    dice = random.Random(1)
    beside = [*map(chr, range(32, 127)), "\n", "\r\n", "é", "字", "\u0301", "'ll", " The", "🚀"]
    beside += "कोের্কিিాు్ಿ്ചภ็บეროცკ다니西京美除江읽រៀ"  # whose tokens can begin in the character before
    newer = [char for char in map(chr, range(0x80, 0x40000)) if o200k._unicode_17().fullmatch(char)]
    assert len(newer) == 4_699
    for char in [char for place, char in enumerate(newer) if place % 5 == 0 or char < "\uffff"]:
        text = "".join(dice.choice([char, dice.choice(newer), *dice.choices(beside, k=3)]) for _ in range(30))
        assert count(text) == known(text), ascii(text)


@pytest.mark.parametrize(
    "text", ["語" * 349_525, "a" * (1 << 20), "^" * (1 << 20), " " * (1 << 20), "x = 1\n" * 170_000]
)
def test_a_text_of_any_length_is_counted(text):
    assert count(text) > 5_000
    assert not fits(text, 4_000)


def test_no_token_is_longer_than_those_of_which_a_text_is_taken_to_consist(known):
    assert fits(" " * o200k.LONGEST, 1)
    assert not fits(" " * (o200k.LONGEST + 1), 1)
    assert not fits("", -1)


def test_what_looks_like_a_special_token_is_text():
    assert count("<|endoftext|>") == 7


def test_half_a_surrogate_pair_is_no_text():
    with pytest.raises(UnicodeEncodeError):
        count("a\ud800")
