"""The server that benchmarks measure on: stopped when it is left, and what it holds is there the next time."""

import shutil
import tempfile
from pathlib import Path

import pytest
from postgres_server import postgres

pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture
def folder():
    """A directory that another user can reach, as whom the server runs where this runs as root."""
    path = Path(tempfile.mkdtemp(prefix="indelible-bench-"))
    yield path
    shutil.rmtree(path)


def test_a_server_is_stopped_when_it_is_left_and_goes_on_where_it_was(folder, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", "")  # which it sets
    with postgres(folder, work_mem="5MB") as server:
        server.ask("CREATE TABLE kept AS SELECT 17 AS number")
        server.restart("fast")
        assert (server.data / "postmaster.pid").exists()
    assert not (server.data / "postmaster.pid").exists()
    with postgres(folder) as server:
        assert server.ask("SELECT number FROM kept") == [(17,)]
        assert server.ask("SHOW work_mem") == [("5MB",)]
    assert not (server.data / "postmaster.pid").exists()
