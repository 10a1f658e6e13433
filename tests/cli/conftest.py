"""A data directory that is not there yet."""

from pathlib import Path

import pytest


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"
