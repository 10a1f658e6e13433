"""What the tests in a browser share: one browser a module, and a server of the test's own."""

import pytest

import browser as browsers
from http_server import HttpServer


@pytest.fixture(scope="module")
def browser():
    with browsers.chromium() as browser:
        yield browser


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def server(data):
    with HttpServer(data) as server:
        yield server
