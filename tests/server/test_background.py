"""The end of a server whose database is away."""

from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest
from psycopg.conninfo import conninfo_to_dict

from indelible.core.context.context import open_context
from indelible.errors import StoreError
from indelible.server import background
from indelible.server.background import Background
from indelible.settings import Settings
from indelible.toolsets import registry
from wire import Wire


@pytest.mark.process
def test_a_server_that_leaves_does_not_wait_for_a_database_that_is_away(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be killed meanwhile by whoever told it to leave, one round and one last write of each tenant later."""
    monkeypatch.setattr(background, "LEAVING", 0.1)
    with closing(Wire(database)) as wire:
        url = f"postgresql:///?{urlencode(conninfo_to_dict(wire.url))}"
        settings = Settings(data=tmp_path / "data", database=url, tenant=311, encoder="off", start=tmp_path)
        ctx = open_context(settings, wait=3_600.0)
        threads = Background(ctx)
        threads.start()
        registry.call(ctx, registry.find_tool("list_namespaces"), {})  # an event that is to be written
        wire.close()
        threads.leave()
        with pytest.raises(StoreError, match="closed"):
            registry.call(ctx, registry.find_tool("list_namespaces"), {})
