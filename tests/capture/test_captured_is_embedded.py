"""What hooks left is taken in and embedded beside a server, on a busy machine and after an accident too."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from command_line import opened
from indelible.admin import embedding_worker, maintenance
from indelible.admin.maintenance import Housekeeper
from indelible.capture import ingest, spool
from indelible.clock import utc_now
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import embedding_queue
from indelible.embed.base import Embedding
from made_up_meaning import MadeUpEncoder
from told import repository, spooled, whole_session

PATIENCE = 50.0  # seconds: below pytest's own limit
LOOKS = 200  # at the list, far more than are needed
SESSIONS = 11


class Busy(MadeUpEncoder):
    """An encoder that manages ten characters a second."""

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        return super().texts(texts, timeout) if sum(map(len, texts)) <= 10 * timeout else None


def test_what_another_process_took_in_is_embedded_by_the_server_that_runs(tmp_path: Path):
    data, app = tmp_path / "data", repository(tmp_path / "app")
    now = [utc_now()]
    with opened(data, lambda: now[0]) as server:
        for number in range(SESSIONS):
            spooled(data, whole_session(app, f"s{number}").events)
        with opened(data) as draining:
            ingest.drain(draining)
            assert embedding_queue.waiting(draining) > 1
        busy = replace(server, embedder=Embedder(Busy()))
        for _ in range(LOOKS):
            embedding_queue.work_off(busy)
            now[0] += timedelta(seconds=embedding_worker.EVERY)
        assert embedding_queue.waiting(server) == 0


@pytest.mark.slow
def test_the_housekeeper_goes_on_after_an_accident_and_takes_in_what_hooks_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(maintenance, "PAUSE", 0.0)
    data, app = tmp_path / "data", repository(tmp_path / "app")
    first = [RuntimeError("nobody foresaw this")]

    def clock() -> datetime:
        if first and threading.current_thread().name == "indelible-housekeeper":
            raise first.pop()
        return utc_now()

    with opened(data, clock) as ctx:
        spooled(data, whole_session(app).events)
        keeper = Housekeeper(ctx)
        keeper.start()
        try:
            end = time.monotonic() + PATIENCE
            while first or not spool.is_empty(str(data)):
                assert time.monotonic() < end
        finally:
            keeper.stop()
    (told,) = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert told.exc_info is not None
    assert told.exc_info[0] is RuntimeError
