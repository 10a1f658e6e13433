"""What a symbol is found by: its words are those of every other text, and what is embedded says first what it is."""

import pytest

from indelible.search import tokens
from indelible.source.parse import texts
from indelible.source.parse.languages import PYTHON
from indelible.source.parse.parsing import decoded, parse

SOURCE = '''
class UserStore:
    """Keeps users."""

    retry_count = 3

    def getUserName(self, key: str) -> str:
        """Give the name of a user.

        Raises KeyError for an unknown one.
        """
        row = self.rows[key]
        row = unpack(row)
        return row.name


def test_names_are_kept(store):
    assert store.getUserName("a") == "zebra"


LIMIT = 3
'''


def described(name, source=SOURCE, path="shop/users.py"):
    text, _ = decoded(source.encode())
    symbols = parse(source.encode(), PYTHON, path, "shop.users").symbols
    return texts.described(next(each for each in symbols if each.name == name), path, text)


def has(found, *words):
    return [tokens.term(next(iter(tokens.words(word)))) in found.terms for word in words]


@pytest.mark.parametrize(
    "text", ["getUserName retry_count HTTPServer2 __init__ a1b2", "größe_von Straße 日本語 x_日本", ""]
)
def test_the_terms_of_a_name_are_those_of_any_text(text):
    path = f"{text}/x"
    assert set(texts.file_terms(path)) >= set(tokens.terms(text))


def test_a_method_is_found_by_its_name_signature_docstring_and_what_it_does():
    found = described("getUserName")
    assert all(has(found, "getUserName", "user", "name", "key", "unknown", "unpack", "shop", "UserStore"))


def test_a_word_of_the_body_counts_once_and_the_docstring_does_not_count_again():
    found = described("getUserName")
    assert found.terms.count(tokens.term("row")) == 1
    assert found.terms.count(tokens.term("keyerror")) == 1


def test_the_text_begins_with_the_words_of_the_name_and_says_the_signature_and_the_docstring():
    text = described("getUserName").text
    assert text.startswith("get user name store users shop\ndef getUserName(self, key: str) -> str\nGive the name")
    assert text.count("Raises KeyError") == 1
    assert "unpack(row)" in text


@pytest.mark.parametrize("name", ["test_names_are_kept", "LIMIT"])
def test_the_body_of_a_test_or_constant_says_nothing_of_what_it_is_about(name):
    assert has(described(name, path="tests/test_users.py"), "zebra", "unpack") == [False, False]


def test_other_definitions_of_the_same_name_lend_their_signatures_and_their_doc():
    source = 'def load(path): ...\ndef load(address, timeout):\n    """Fetch it."""\n    return 1\n'
    text, _ = decoded(source.encode())
    first, second = parse(source.encode(), PYTHON, "a.py", "a").symbols
    found = texts.described(first, "a.py", text, (second,))
    assert all(has(found, "address", "timeout", "fetch"))
    assert "Fetch it." in found.text


def test_long_doc_comments_and_bodies_are_cut():
    doc, body = "word " * 5_000, "\n".join(f"    name_{number} = {number}" for number in range(5_000))
    found = described("f", f'def f():\n    """{doc}"""\n{body}\n')
    assert len(found.text) < 2_000
    assert len(found.terms) < 500


@pytest.mark.parametrize(
    "run",
    [
        *("user", "User", "getUserName", "HTTPServer2", "retry_count", "_private_", "__init__", "a__b", "_", "___"),
        *("2", "x1", "1x", "MAX_RETRIES", "a_B_c3", "runningTests", "A" * 99, "long_" * 20, "x_" * 40),
    ],
)
def test_a_run_of_letters_in_source_has_the_terms_that_its_words_have_in_prose(run):
    assert sorted(tokens.TermsOfRuns()[run]) == sorted(tokens.term(word) for word in tokens.words(run))
