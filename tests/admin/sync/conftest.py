"""What all tests of sync share."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from synced import Machine


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Machine, Machine, Path]]:
    """Two machines, the second with a clock ten years behind, and the directory in which they meet."""
    place = tmp_path / "shared"
    place.mkdir()
    one, other = Machine(tmp_path, "one"), Machine(tmp_path, "other", datetime(2016, 3, 1, tzinfo=UTC))
    yield one, other, place
    for each in (one, other):
        each.memory.close()
