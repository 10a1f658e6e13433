"""The time of the rules grows with the length of a text alone, whatever it is made of.

Time is that of this thread's processor, and each size is looked at until it fits or has had LOOKS looks: other work on
the machine only adds to a look, so the least of them is the work.
"""

import time
from collections.abc import Callable

import pytest

from indelible.sanitize.secret_spans import redact_text

SMALLEST = 1 << 17
DOUBLED = 3
LOOKS = 12  # at most, of which the least counts
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
    began = time.thread_time()
    redact_text(text)
    return time.thread_time() - began


def growth(sizes: list[int], look: Callable[[int], float]) -> float:
    """How the work grows at a doubling, over all of them, by the least of all looks; ends when it is within bounds.

    Over all: memory that no longer fits a cache makes one doubling dear, and not the next.
    """
    least = [look(size) for size in sizes]
    for _ in range(LOOKS - 1):
        if least[-1] <= MOST**DOUBLED * least[0]:
            break
        least = [min(before, look(size)) for size, before in zip(sizes, least, strict=True)]
    return (least[-1] / least[0]) ** (1 / DOUBLED)


def test_one_slow_look_is_no_growth_and_growth_is_told():
    noisy = iter([1.0, 2.0, 4.0, 80.0, 9.0, 2.1, 4.0, 9.0])
    assert growth([1, 2, 4, 8], lambda _: next(noisy)) <= MOST
    assert growth([1, 2, 4, 8], lambda size: 1.0 * size * size) > MOST


@pytest.mark.full
@pytest.mark.parametrize("scrap", SCRAPS)
def test_twice_the_text_is_at_most_little_more_than_twice_the_work(scrap: str):
    sizes = [SMALLEST << doubled for doubled in range(DOUBLED + 1)]
    texts = {size: (scrap * (1 + size // len(scrap)))[:size] for size in sizes}
    found = growth(sizes, lambda size: work(texts[size]))
    assert found <= MOST
