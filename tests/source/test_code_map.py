"""A map of a codebase keeps to its tokens and shows the most central symbols first."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indelible.search.model_tokens.o200k import count
from indelible.source.code_map import LONGEST_SIGNATURE, Mapped, code_map, focus, shortened

SYMBOLS = [
    Mapped("a.Store", "a.py", "class Store", 3, 0.1),
    Mapped("a.Store.put", "a.py", "def put(self, key: str) -> None", 9, 0.9, "a.Store"),
    Mapped("a.Store.get", "a.py", "def get(self, key: str) -> str", 5, 0.3, "a.Store"),
    Mapped("b.run", "b.py", "def run()", 1, 0.5),
    Mapped("c.rest", "c.py", "def rest()", 1, 0.01),
]


def test_files_stand_by_their_best_symbol_and_members_below_what_they_stand_in():
    found = code_map(SYMBOLS, count, 1000)
    assert found.text == (
        "a.py:\n"
        "  3: class Store\n"
        "    5: def get(self, key: str) -> str\n"
        "    9: def put(self, key: str) -> None\n"
        "b.py:\n  1: def run()\n"
        "c.py:\n  1: def rest()"
    )
    assert (found.symbols, found.files, found.left_out, found.tokens) == (5, 3, 0, count(found.text))


def test_with_few_tokens_the_most_central_are_left():
    found = code_map(SYMBOLS, count, 25)
    assert found.text == "a.py:\n  3: class Store\n    9: def put(self, key: str) -> None"
    assert (found.symbols, found.left_out) == (2, 3)


@pytest.mark.parametrize("most", [0, 1, 5])
def test_where_nothing_fits_the_map_is_empty(most):
    found = code_map(SYMBOLS, count, most)
    assert (found.text, found.tokens, found.symbols, found.left_out) == ("", 0, 0, 5)


def test_no_symbols_are_an_empty_map():
    assert code_map([], count, 100).text == ""


NAMES = st.text("abcdefgh_日本Ω", min_size=1, max_size=20)


@given(
    st.lists(
        st.tuples(NAMES, st.sampled_from(["x.py", "y/z.rs", "ы.go"]), st.floats(0, 1), st.integers(1, 99)), max_size=60
    ),
    st.integers(0, 400),
    st.randoms(use_true_random=False),
)
def test_a_map_is_never_over_its_tokens_and_the_same_in_any_order(given_, most, random_):
    symbols = [
        Mapped(f"m.{name}{at}", path, f"def {name}(x)", line, rank)
        for at, (name, path, rank, line) in enumerate(given_)
    ]
    found = code_map(symbols, count, most)
    assert found.tokens == count(found.text) <= most
    random_.shuffle(symbols)
    assert code_map(symbols, count, most) == found


def test_a_large_codebase_fills_the_tokens():
    random_ = random.Random(3)
    symbols = [
        Mapped(f"p{at % 400}.f{at}", f"p{at % 400}.py", f"def f{at}(a, b, c)", at, random_.random())
        for at in range(20_000)
    ]
    found = code_map(symbols, count, 4_000)
    assert 3_900 <= found.tokens <= 4_000


def test_a_long_signature_is_cut_between_parameters():
    long = "def f(" + ", ".join(f"parameter_{at}: dict[str, int]" for at in range(30)) + ") -> None"
    cut = shortened(long)
    assert len(cut) <= LONGEST_SIGNATURE + 1
    assert cut.endswith(", …")
    assert shortened("def  f(a,\n  b)") == "def f(a, b)"
    assert len(shortened("x" * 500)) <= LONGEST_SIGNATURE


def test_files_folders_and_words_are_the_seeds_of_a_map():
    symbols = [
        Mapped("shop.loadCart", "shop/cart.py", "def loadCart()", 1, 0),
        Mapped("mail.send", "mail/send.py", "def send()", 1, 0),
        Mapped("mailer.x", "mailer.py", "def x()", 1, 0),
    ]
    assert focus(symbols, ["mail"]) == [0, 1, 0]
    assert focus(symbols, ["mailer.py", "shop/"]) == [1, 0, 1]
    assert focus(symbols, query="load the cart quickly") == [pytest.approx(2 / 3), 0, 0]
    assert focus(symbols, ["shop"], "cart") == [2, 0, 0]
    assert focus(symbols) == [0, 0, 0]
