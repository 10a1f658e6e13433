"""What the tests of the MCP server share."""

import pytest

from eras import ERAS, speaking


@pytest.fixture(scope="session", params=ERAS)
def asked(request, tmp_path_factory):
    """A server of a project on an empty store, in either era: for tests that only ask, so that one serves them all."""
    place = tmp_path_factory.mktemp("asked")
    (place / "app").mkdir()
    with speaking(request.param, place / "data", cwd=place / "app") as client:
        yield client
