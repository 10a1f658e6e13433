"""Cases that several tests have alike: CI runs each of them in one of the tests, `--full` in all."""

from collections.abc import Iterable
from typing import Any

import pytest


def in_turn(cases: Iterable[Any], turn: int, turns: int) -> list[Any]:
    """The cases for the test whose number is `turn` of `turns`; those of the other numbers are `full` in it."""
    return [
        pytest.param(case, marks=() if number % turns == turn else pytest.mark.full)
        for number, case in enumerate(cases)
    ]
