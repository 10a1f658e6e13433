import pytest
from hypothesis import given
from hypothesis import strategies as st

from indelible.search import tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Deploys are deployed", ["deploy", "are", "deploy"]),
        ("getUserName", ["get", "user", "name", "getusernam"]),
        ("retry_count", ["retri", "count", "retry_count"]),
        ("HTTPServer2", ["http", "server", "2", "httpserver2"]),
        ("parseJSONConfig", ["pars", "json", "config", "parsejsonconfig"]),
        ("MAX_RETRIES", ["max", "retri", "max_retri"]),
        ("src/auth/session.py", ["src", "auth", "session", "py"]),
        ("v1.51.3", ["v", "1", "v1", "51", "3"]),
        ("数据库", ["数", "据", "库", "数据", "据库"]),
        ("サーバー", ["サ", "ー", "バ", "ー", "サー", "ーバ", "バー"]),
        ("axum日本", ["axum", "日", "本", "日本"]),
        ("Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]),
        ("Straße", ["strass"]),
        ("ﬁle ｆｕｌｌ", ["file", "full"]),
        ("don't", ["don", "t"]),
        ("__init__ _x_ __", ["init", "x"]),
        ("🚀 !!! ---", []),
        ("", []),
    ],
)
def test_a_text_is_split_into_stems_parts_of_identifiers_and_pairs_of_characters(text, words):
    assert list(tokens.words(text)) == words


@given(st.text(st.sampled_from("aBz09_ -.'\n\x1c"), max_size=40))
def test_a_text_of_ascii_is_split_as_a_part_of_any_other(text):
    """Two expressions find the words, that for any script and a quick one for ASCII."""
    assert tokens._ASCII_WORD.findall(text) == tokens._word().findall(text)


def test_a_run_without_end_is_indexed_by_its_head():
    (word,) = tokens.words("a" * 100_000)
    assert len(word) <= tokens.MAX_WORD


@pytest.mark.parametrize("text", ["", "one", "one two one", "getUserName " * 300, "連接池 café"])
def test_terms_are_the_words_counted_and_packed_in_order(text):
    counts = tokens.terms(text)
    assert sum(counts.values()) == len(list(tokens.words(text)))
    body = tokens.pack(counts)
    assert len(body) == 5 * len(counts)
    numbers = [int.from_bytes(body[i * 4 : i * 4 + 4], "little") for i in range(len(counts))]
    assert numbers == sorted(counts)
    assert list(body[4 * len(counts) :]) == [min(255, counts[number]) for number in numbers]


@pytest.mark.parametrize(
    ("word", "telling"),
    [
        ("axum", True),
        ("the", False),
        ("what", False),
        ("x", False),
        ("7", True),
        ("語", False),
        ("語学", True),
        ("und", False),
    ],
)
def test_a_function_word_names_no_subject(word, telling):
    assert tokens.is_telling(word) is telling
