"""A run-time directory of a test's own, and an encoder that several tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import encoders
from encoders import runtime
from indelible.embed.shared import SharedEncoder


@pytest.fixture
def own_runtime() -> Iterator[Path]:
    with runtime() as directory:
        yield directory


@pytest.fixture(scope="module")
def running() -> Iterator[SharedEncoder]:
    """A client of an encoder that several tests share."""
    with encoders.running() as encoder:
        yield encoder
