"""Writes that are committed together: what one that raises does to those beside it."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from indelible.store import group_commit
from indelible.store.group_commit import Spoiled, Writer
from indelible.store.sqlite.connection import connect
from indelible.store.sqlite.database import SqliteWriter
from indelible.store.sqlite.opening import open_sqlite
from indelible.store.tables import settings


class WithoutSavepoints(SqliteWriter):
    """As the coordinator of a cluster is, once a write needed a node that is away."""

    def undo_to_savepoint(self) -> None:
        raise Spoiled


@pytest.mark.sqlite("a file of its own, with a writer of another kind")
def test_those_beside_one_that_cannot_be_undone_alone_are_run_again_without_it(tmp_path, monkeypatch):
    monkeypatch.setattr(group_commit, "LONGEST", 600.0)  # seconds: all of them in one transaction, however slow
    with closing(open_sqlite(tmp_path)) as db:
        writer = Writer(lambda: WithoutSavepoints(connect(db.path, None, "FULL"), db))
        begun, go_on = threading.Event(), threading.Event()
        ran = []

        def first(tx):
            begun.set()
            go_on.wait()
            put(tx, "first")

        def put(tx, name):
            ran.append(name)
            settings.put(tx, name, "1")
            if name == "refused":
                raise ValueError(name)

        with ThreadPoolExecutor() as pool, closing(writer):
            writing = [pool.submit(writer.write, first)]
            begun.wait()
            for name in ("second", "refused", "third"):
                count = len(writing)
                writing.append(pool.submit(writer.write, lambda tx, name=name: put(tx, name)))
                while writer._waiting.qsize() < count:  # each waits behind those before it
                    pass
            go_on.set()
            with pytest.raises(ValueError, match="refused"):
                writing.pop(2).result()
            for each in writing:
                each.result()
        assert ran == ["first", "second", "refused", "first", "second", "third"]
        with db.read() as tx:
            found = [settings.find(tx, name) for name in ("first", "second", "refused", "third")]
        assert found == ["1", "1", None, "1"]
