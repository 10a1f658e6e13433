"""A project, a clock, and a server of the project on a new store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from briefed import Clock, opened
from indelible.core.context.context import Context


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a project, in which this process works."""
    for variable in ("INDELIBLE_PROJECT", "CLAUDE_PROJECT_DIR", "INDELIBLE_DATA"):
        monkeypatch.delenv(variable, raising=False)
    place = tmp_path / "app"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def ctx(tmp_path: Path, project: Path, clock: Clock) -> Iterator[Context]:
    """A server of the project on a new store."""
    with_store = opened(tmp_path / "data", project, clock)
    yield with_store
    with_store.close()
