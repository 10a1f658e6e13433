"""A store, and the repository of a project whose sessions are told to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import opened
from indelible.core.context.context import Context
from told import repository


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return repository(tmp_path / "app")


@pytest.fixture
def ctx(data: Path) -> Iterator[Context]:
    with opened(data) as ctx:
        yield ctx
