"""A store that can be out of reach, and the clock of who asks it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from surroundings import Hours, Reach


@pytest.fixture
def reach(tmp_path: Path) -> Iterator[Reach]:
    made = Reach(tmp_path / "data")
    yield made
    made.close()


@pytest.fixture
def hours() -> Hours:
    return Hours()
