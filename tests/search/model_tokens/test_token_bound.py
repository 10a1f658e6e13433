"""The bound on a text's tokens, held against the encoding itself."""

import base64
import gzip
import random
import string
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import indelible
from hostile_corpus import HOSTILE
from indelible.search.model_tokens import o200k, token_bound

PACKAGE = Path(indelible.__file__).parent
DICE = random.Random(20261122)
TEXTS = {
    "english": "The queue moved to Postgres because Redis lost messages on restart; check migrations before a deploy. "
    * 9,
    "code": (PACKAGE / "capture" / "brief.py").read_text(encoding="utf-8"),
    "sql": (PACKAGE / "store" / "sql" / "brief.sql").read_text(encoding="utf-8"),
    "error": "TypeError: unsupported operand type(s) for +: 'NoneType' and 'int' at src/app/models.py:142 in total\n"
    * 5,
    "german": "Überprüfe vor jeder Änderung die Datenbankmigrationen; verantwortlich ist die Softwareentwicklung. " * 5,
    "chinese": "认证服务器在夜间重启，因此令牌的有效期必须超过八小时。数据库迁移之前要先备份，所有测试都必须通过。" * 5,
    "japanese": "認証サーバーは夜に再起動する。データベースの移行の前にバックアップを取り、テストを通すこと。" * 5,
    "korean": "인증 서버는 밤에 다시 시작하므로 토큰의 유효 기간은 여덟 시간보다 길어야 한다. " * 5,
    "russian": "Очередь была перенесена в Postgres, потому что Redis терял сообщения при перезапуске. " * 5,
    "arabic": "يعاد تشغيل خادم المصادقة ليلا ولذلك يجب أن تزيد صلاحية الرمز عن ثماني ساعات. " * 5,
    "hindi": "प्रमाणीकरण सर्वर रात में पुनः आरंभ होता है, इसलिए टोकन आठ घंटे से अधिक मान्य होना चाहिए। " * 5,
    "thai": "เซิร์ฟเวอร์ยืนยันตัวตนจะเริ่มใหม่ในเวลากลางคืน ดังนั้นโทเค็นต้องมีอายุเกินแปดชั่วโมง " * 5,
    "emoji": "".join(DICE.choice("😀🎉🚀✅❌🔥💡🐛") for _ in range(300)) + "👩‍💻🏳️‍🌈" * 20,
    "base64": base64.b64encode(DICE.randbytes(3000)).decode(),
    "hexadecimal": DICE.randbytes(1500).hex(),
    "letters": "".join(DICE.choice(string.ascii_letters) for _ in range(2000)),
    "printable": "".join(DICE.choice(string.printable) for _ in range(2000)),
    "spaces": " \n\t\n  \r\n " * 60 + "a  b   c" * 30,
    "rules": "-" * 300 + "=" * 300 + "\n" + "/" * 200 + "|--" * 90,
    "contractions": "don't it's WE'LL you've I'm they'd O'Reilly's 'quoted' " * 9,
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_bound_is_never_below_the_count(name):
    text = TEXTS[name]
    for part in (text, *(text[at : at + 97] for at in range(0, len(text), 389))):
        assert token_bound.at_most(part) >= o200k.count(part)


def test_the_bound_holds_for_hostile_texts():
    assert all(token_bound.at_most(text) >= o200k.count(text) for _, text in HOSTILE)


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=120))
def test_the_bound_holds_for_any_text(text):
    assert token_bound.at_most(text) >= o200k.count(text)


@given(
    st.lists(
        st.sampled_from([*"abcABC019 .,;:-_/'\"#\n", "é", "ß", "Ä", "字", "가", "ก", "ा", "🚀", "\u0301"]), max_size=60
    )
)
def test_the_bound_holds_where_scripts_and_signs_are_mixed(characters):
    text = "".join(characters)
    assert token_bound.at_most(text) >= o200k.count(text)


@pytest.mark.parametrize(
    ("name", "most"), [("english", 1.5), ("code", 1.5), ("error", 1.5), ("german", 2), ("chinese", 1.6)]
)
def test_the_bound_is_not_far_above_the_count(name, most):
    assert token_bound.at_most(TEXTS[name]) <= most * o200k.count(TEXTS[name])


def test_bounds_of_lines_add_up():
    lines = [line.strip() + "\n" for line in TEXTS["code"].splitlines() if line.strip()]
    lines = [line for line in lines if line[0] not in "/ \t"]
    assert token_bound.at_most("".join(lines)) == sum(map(token_bound.at_most, lines))


def test_a_long_piece_takes_no_longer_than_it_must():
    assert token_bound.at_most("a" * 100_000) == 100_000  # by its bytes: merges would be followed for minutes
    assert token_bound.at_most("字" * 100_000) == 100_000


@pytest.mark.slow
def test_the_merges_are_the_first_of_the_encoding():
    """scripts/vendor_token_pairs.py took them from there."""
    wheel = find_spec("bpe_openai")  # not imported: it would read all ranks, and warn
    assert wheel is not None
    assert wheel.origin is not None
    packed = gzip.decompress((Path(wheel.origin).parent / "data" / "o200k_base.tiktoken.gz").read_bytes())
    ranked = sorted((line.split() for line in packed.splitlines()), key=lambda pair: int(pair[1]))
    tokens = [base64.b64decode(token) for token, _ in ranked]
    known = (PACKAGE / "search" / "model_tokens" / "data" / "o200k_merges").read_bytes().split(b"\xff")
    assert known == [token for token in tokens if len(token) > 1][: len(known)]
    assert len(known) == 10_000
    singles = (PACKAGE / "search" / "model_tokens" / "data" / "o200k_characters").read_text(encoding="utf-8")
    assert {single.encode() for single in singles} <= set(tokens)
