"""The time of the rules grows with the length of a text alone, whatever it is made of."""

import time
from itertools import pairwise

import pytest

from indelible.sanitize.secret_spans import redact_text

SMALLEST = 1 << 17
DOUBLED = 3
RUNS = 3  # of which the fastest counts: other work on the machine only adds
MOST = 2.6  # times the work for twice the text
SCRAPS = (
    *("password a", " key a", "password for a ", "the secret b c d e f g h i ", "token (\"'` ", "key | ", "pass: "),
    *("aB3\n", "a1B2c3D4\n", "\n    ", "\\n  ", "\n> > > > A1", '+ "\n"a1B2', "A1b2C3d4\\n", "123456\n", '"\n"A1b2c3'),
    *('variable "a" { default = "', 'variable "a" {', 'variable "a" { ; default = "b ', 'variable default "'),
    *("db:5432:a:b:", ":5433:a:b:" + "c" * 200),
    *("ghp_", " sk-a1", " AQ.", ".v1.", "-us1", "Q~", "==:", "+ACR", "1234567890:", "eyJhbGci.", "_secret_"),
)


def work(text: str) -> float:
    """Seconds of the processor."""
    taken = []
    for _ in range(RUNS):
        began = time.process_time()
        redact_text(text)
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.full
@pytest.mark.parametrize("scrap", SCRAPS)
def test_twice_the_text_is_at_most_little_more_than_twice_the_work(scrap: str):
    sizes = [SMALLEST << doubled for doubled in range(DOUBLED + 1)]
    taken = [work((scrap * (1 + size // len(scrap)))[:size]) for size in sizes]
    assert all(twice <= MOST * once for once, twice in pairwise(taken)), taken
