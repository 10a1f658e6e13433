"""What all tests share."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

os.environ["INDELIBLE_ENCODER"] = "off"  # a test about meaning says `shared`, and has an encoder of its own

# Each run of CI draws the same examples, so that what it says of a change is about that change;
# `.ci/run --full` draws new ones, and more (`--hypothesis-profile full`).
settings.register_profile("plain", max_examples=40, derandomize=True, database=None, deadline=None)
settings.register_profile("full", max_examples=150, derandomize=False, database=None, deadline=None, print_blob=True)
settings.load_profile("plain")


@pytest.fixture(scope="module")
def real_processes() -> Iterator[None]:
    """Let every process of a module be a start of Python, none a fork (forked.py): for tests of the start itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INDELIBLE_TESTS_REAL", "1")
        yield


@pytest.fixture(autouse=True)
def _real_in_full(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.node.get_closest_marker("full"):
            patch.setenv("INDELIBLE_TESTS_REAL", "1")
        yield
