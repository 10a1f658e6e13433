"""What the tests of the server share."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from eras import ERAS, speaking
from indelible.core.context.context import Context, open_context
from indelible.settings import Settings

OpenTenant = Callable[[int], Context]


@pytest.fixture(scope="session", params=ERAS)
def asked(request, tmp_path_factory):
    """A server of a project on an empty store, in either era: for tests that only ask, so that one serves them all."""
    place = tmp_path_factory.mktemp("asked")
    (place / "app").mkdir()
    with speaking(request.param, place / "data", cwd=place / "app") as client:
        yield client


@pytest.fixture(scope="module")
def open_tenant(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenTenant]:
    """Open a tenant of the database in this process, as its owner does on a machine of its own."""
    place: Path = tmp_path_factory.mktemp("owner")
    with ExitStack() as opened:

        def open_it(tenant: int) -> Context:
            settings = Settings(data=place / "data", database=database, tenant=tenant, start=place, home=place)
            ctx = open_context(settings)
            opened.callback(ctx.close)
            return ctx

        yield open_it
