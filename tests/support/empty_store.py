"""A data directory with an empty store: a copy of one that was made before. What makes stores has tests of its own."""

import secrets
import tempfile
from functools import cache
from pathlib import Path

import on_postgres
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.opening import open_sqlite
from indelible.store.tables import settings


@cache
def _made() -> tuple[bytes, bytes]:
    """The file of a store that was made and closed, before and after its epoch."""
    with tempfile.TemporaryDirectory() as place:
        store = open_sqlite(Path(place))
        with store.read() as tx:
            epoch = settings.epoch(tx).encode()
        store.close()
        before, after = Path(place, FILE).read_bytes().split(epoch)
        return before, after


def begin(directory: Path) -> None:
    """Let a data directory that is not there hold an empty store: a quarter of the time that it takes to make one."""
    if on_postgres.is_chosen() or directory.exists():
        return
    directory.mkdir(mode=0o700, parents=True)
    (directory / FILE).touch(mode=0o600)
    (directory / FILE).write_bytes(secrets.token_hex(8).encode().join(_made()))
