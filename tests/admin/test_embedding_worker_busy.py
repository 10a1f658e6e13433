"""What keeps texts from being embedded: a busy machine, a text that cannot be, a clock, an accident in a thread."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from command_line import opened
from indelible.admin import embedding_worker
from indelible.admin.embedding_worker import Worker
from indelible.clock import utc_now
from indelible.core.context.context import Context
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import embedding_queue
from indelible.core.records.embedding_queue import LEASE
from indelible.embed.base import Embedding
from indelible.store.tables import pending as waiting_list
from indelible.toolsets.memory import memories
from made_up_meaning import MadeUpEncoder, embed_all, with_meaning

PATIENCE = 50.0  # seconds: below pytest's own limit
ROUNDS = 200  # looks at the list, far more than are needed


class Failing(MadeUpEncoder):
    """An encoder that gives nothing for the texts which `fails` tells of, with the seconds that they were given."""

    def __init__(self, fails: Callable[[Sequence[str], float], bool]) -> None:
        super().__init__()
        self._fails = fails

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        return None if self._fails(texts, timeout) else super().texts(texts, timeout)


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.time = utc_now()

    def __call__(self) -> datetime:
        return self.time


def of_a_busy_machine(speed: float) -> Failing:
    """One that embeds so many characters a second."""
    return Failing(lambda texts, timeout: sum(map(len, texts)) > timeout * speed)


def keep_waiting(ctx: Context, *texts: str) -> None:
    """Store texts that are not embedded."""
    for text in texts:
        memories.store(ctx, memories.NewMemory(text))


def notes(count: int, length: int) -> list[str]:
    words = "the queue is drained at night "
    return [(f"Note {i}: " + words * (length // len(words) + 1))[:length] for i in range(count)]


def look_until(ctx: Context, left: int) -> None:
    """Look at the list as a worker does, once a second, until so many records wait."""
    for _ in range(ROUNDS):
        if embedding_queue.waiting(ctx) <= left:
            return
        embedding_queue.work_off(ctx)
        if isinstance(ctx.clock, Clock):
            ctx.clock.time += timedelta(seconds=embedding_worker.EVERY)
    raise AssertionError(f"{embedding_queue.waiting(ctx)} records still wait after {ROUNDS} looks at the list")


@pytest.mark.slow
@pytest.mark.parametrize("speed", [400, 100, 40])
def test_a_busy_machine_gets_fewer_texts_at_a_time_until_it_manages_them(tmp_path: Path, speed: float):
    with opened(tmp_path / "data", Clock()) as ctx:
        keep_waiting(ctx, *notes(11, 1_500))
        look_until(replace(ctx, embedder=Embedder(of_a_busy_machine(speed))), left=0)


def test_a_long_text_gets_more_time_until_a_busy_machine_manages_it(tmp_path: Path):
    with opened(tmp_path / "data", Clock()) as ctx:
        keep_waiting(ctx, *notes(1, 3 * embedding_queue.MOST_TEXT))
        look_until(replace(ctx, embedder=Embedder(of_a_busy_machine(200))), left=0)


def test_batches_are_large_again_when_the_machine_is_quick_again(tmp_path: Path):
    sizes: list[int] = []
    busy = True

    def fails(texts: Sequence[str], timeout: float) -> bool:
        sizes.append(len(texts))
        return busy and len(texts) > 1

    with opened(tmp_path / "data", Clock()) as ctx:
        keep_waiting(ctx, *notes(4, 100))
        slow = replace(ctx, embedder=Embedder(Failing(fails)))
        look_until(slow, left=2)
        busy = False
        keep_waiting(ctx, *(f"Later: {note}" for note in notes(80, 100)))
        look_until(slow, left=0)
        assert max(sizes[-3:]) == embedding_queue.BATCH


@pytest.mark.slow
def test_a_text_that_cannot_be_embedded_keeps_no_other_waiting(tmp_path: Path):
    now = utc_now()
    with opened(tmp_path / "data", lambda: now) as ctx:
        keep_waiting(ctx, "the oldest", "cannot be embedded", *notes(2 * embedding_queue.BATCH, 100), "cannot either")
        broken = Failing(lambda texts, _: any("cannot" in text for text in texts))
        failing = replace(ctx, embedder=Embedder(broken))
        look_until(failing, left=2)
        embed_all(with_meaning(ctx))
        assert embedding_queue.waiting(ctx) == 2  # they are tried again later, not at once
    with opened(tmp_path / "data", lambda: now + timedelta(seconds=LEASE + 1)) as ctx:
        embed_all(with_meaning(ctx))
        assert embedding_queue.waiting(ctx) == 0


def test_what_waits_for_another_try_is_no_work(tmp_path: Path):
    """Links and the rest go on beside it, and no look at the list writes."""
    now = utc_now()
    with opened(tmp_path / "data", lambda: now) as ctx:
        keep_waiting(ctx, "cannot be embedded")
        failing = replace(ctx, embedder=Embedder(Failing(lambda *_: True)))
        assert embedding_queue.any_free(ctx)
        embedding_queue.work_off(failing)
        assert embedding_queue.waiting(ctx) == 1
        assert not embedding_queue.any_free(ctx)


def test_other_work_stops_at_once_for_what_this_process_stored_and_soon_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with opened(tmp_path / "data") as other:
        ctx = with_meaning(other)
        worker = Worker(ctx)
        monkeypatch.setattr(embedding_worker, "EVERY", 1e9)
        keep_waiting(other, "stored by another process")
        assert not worker._is_needed()
        monkeypatch.setattr(embedding_worker, "EVERY", 0.0)
        assert worker._is_needed()
        monkeypatch.setattr(embedding_worker, "EVERY", 1e9)
        assert not worker._is_needed()
        keep_waiting(ctx, "stored by this one")
        assert worker._is_needed()


def test_a_claim_by_a_clock_that_was_ahead_does_not_hold(tmp_path: Path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        keep_waiting(ctx, *notes(3, 100))
    with opened(data, lambda: utc_now() + timedelta(days=2)) as ahead:
        now = ahead.now()
        until = now + int(LEASE * 1_000_000)
        assert len(ahead.store.write(lambda tx: waiting_list.take(tx, "dead", now, until, 10))) == 3
    with opened(data) as ctx:
        embed_all(with_meaning(ctx))
        assert embedding_queue.waiting(ctx) == 0


# --- Accidents ---


def wait_for(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
def test_the_worker_goes_on_after_an_accident_and_logs_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(embedding_queue, "PAUSE", 0.0)
    first = [RuntimeError("nobody foresaw this")]

    def fails(*_: object) -> bool:
        if first:
            raise first.pop()
        return False

    clock = Clock()
    with opened(tmp_path / "data", clock) as ctx:
        keep_waiting(ctx, *notes(3, 100))
        worker = Worker(replace(ctx, embedder=Embedder(Failing(fails))))
        worker.start()
        try:
            wait_for(lambda: not first)
            clock.time += timedelta(seconds=LEASE + 1)  # its claim has run out
            wait_for(lambda: embedding_queue.waiting(ctx) == 0)
        finally:
            worker.stop()
    (told,) = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert told.exc_info is not None
    assert told.exc_info[0] is RuntimeError
