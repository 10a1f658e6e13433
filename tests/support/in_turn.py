"""Cases that only `--full` runs, on both databases; of cases that several tests have alike each in one of them."""

from collections.abc import Iterable
from typing import Any

import pytest

FULL_ON_BOTH = (pytest.mark.full, pytest.mark.on_both)


def in_turn(cases: Iterable[Any], turn: int, turns: int) -> list[Any]:
    """The cases for the test whose number is `turn` of `turns`; those of the other numbers are `full` in it."""
    return [
        pytest.param(case, marks=() if number % turns == turn else FULL_ON_BOTH) for number, case in enumerate(cases)
    ]
