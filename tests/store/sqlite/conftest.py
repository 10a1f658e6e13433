"""A store file for the tests of what is special to files."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.database import SqliteDatabase
from indelible.store.sqlite.opening import open_sqlite


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteDatabase]:
    with closing(open_sqlite(tmp_path / FILE)) as store:
        assert isinstance(store, SqliteDatabase)
        yield store
