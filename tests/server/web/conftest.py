"""What the tests of the page share: one server and store for the tests of a module."""

import itertools

import pytest

from command_line import opened
from http_server import HttpServer
from indelible.admin import tokens
from indelible.toolsets import registry
from page_client import Visitor

NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("page") / "data"


@pytest.fixture(scope="module")
def ctx(data):
    """The store, in this process too: what a test stores and looks at without asking the server."""
    with opened(data) as ctx:
        yield ctx


@pytest.fixture(scope="module")
def call(ctx):
    """What a tool returns that is called in this process."""
    return lambda tool, **arguments: registry.call(ctx, registry.find_tool(tool), arguments).value


@pytest.fixture(scope="module")
def server(data, ctx):
    with HttpServer(data) as server:
        yield server


@pytest.fixture
def visitor(server):
    """Somebody who came by a link of this machine."""
    return Visitor(server)


@pytest.fixture
def with_token(server, ctx):
    """A visitor with a new token of a scope, and of these namespaces alone."""
    return lambda scope, *namespaces: Visitor(server, tokens.create(ctx, "x", scope, namespaces or None).secret)


@pytest.fixture
def place():
    """A directory's name that no other test has."""
    return f"/src/{next(NUMBERS)}"
