"""Does one process that imports in bulk leave the others their turn?"""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import generate
from client import Server, serve
from report import Figure, ms, percentile
from stores import Bench, fill, finish_import, settle, start_import

PACE = 0.02  # seconds from one call to the next
WARM_UP = 3.0  # seconds
IDLE = 20.0  # seconds that each idle phase is measured
THERE = 20_000  # records before the import
IMPORTED = 100_000
WAITS = {"recall": 2.0, "store": 10.0}  # how many times its idle p99 a call may take at p99


@dataclass(slots=True)
class Times:
    """Seconds of each call of one phase, and how many calls began late because the one before took too long."""

    recall: list[float] = field(default_factory=list)
    store: list[float] = field(default_factory=list)
    late: int = 0

    def line(self) -> str:
        """What a phase was like."""
        parts = [
            f"{name} p50 {ms(statistics.median(t))}, p95 {ms(percentile(t, 95))}, p99 {ms(percentile(t, 99))}, "
            f"slowest {ms(max(t))}, {len(t)} calls"
            for name, t in (("recall", self.recall), ("store", self.store))
        ]
        return "; ".join([*parts, f"{self.late} calls began late"])


class Pacer:
    """A client that recalls and stores in turn, one call each 20 ms, as long as it is told to."""

    def __init__(self, server: Server, among: int):
        self._server = server
        self._questions = list(generate.questions(500, among=among))
        self._texts: Iterator[str] = (generate.record(number, seed=11) for number in count())
        self._turn = count()

    def run(self, go_on: Callable[[], bool]) -> Times:
        """Call at the pace while `go_on()`."""
        times = Times()
        due = time.perf_counter()
        while go_on():
            turn = next(self._turn)
            text = next(self._texts) if turn % 2 else self._questions[turn // 2 % len(self._questions)]
            wait = due - time.perf_counter()
            if wait > 0:
                time.sleep(wait)
            else:
                times.late += 1
                due = time.perf_counter()
            if turn % 2:
                self._server.call("store_memory", content=text)
                times.store.append(self._server.seconds)
            else:
                self._server.call("recall_memory", query=text, k=10)
                times.recall.append(self._server.seconds)
            due += PACE
        return times

    def run_for(self, seconds: float) -> Times:
        """Call at the pace for a time."""
        until = time.perf_counter() + seconds
        return self.run(lambda: time.perf_counter() < until)


def fairness(bench: Bench) -> list[Figure]:
    """recall_memory and store_memory of one server before, while and after another process imports 100,000."""
    there, imported = bench.size(THERE, 400), bench.size(IMPORTED, 2000)
    seconds = max(3.0, IDLE * min(1.0, bench.scale))
    data = bench.fresh("fairness")
    fill(data, bench.lines(there), there)
    lines = bench.lines(imported, seed=3)
    settle(data)
    with serve(data, data.parent) as server:
        server.initialize()
        pacer = Pacer(server, there)
        pacer.run_for(WARM_UP)
        before = pacer.run_for(seconds)
        during, took = _while_importing(pacer, data, lines)
        pacer.run_for(WARM_UP)
        after = pacer.run_for(seconds)
    return [
        *_compared("before", during, before, gate=True),
        *_compared("after", during, after, gate=False),
        Figure("before the import", None, before.line()),
        Figure(f"while another process imports {imported:,} ({imported / took:,.0f} a second)", None, during.line()),
        Figure("after the import", None, after.line()),
    ]


def _while_importing(pacer: Pacer, data: Path, lines: Path) -> tuple[Times, float]:
    """The calls made from the start of the import to its end, and the seconds it took."""
    began = time.perf_counter()
    importing = start_import(data, lines)
    try:
        times = pacer.run(lambda: importing.poll() is None)
        took = time.perf_counter() - began
        finish_import(data, importing)
    finally:
        importing.kill()  # nothing is left of it where all went well
        importing.wait()
    return times, took


def _compared(when: str, during: Times, idle: Times, *, gate: bool) -> list[Figure]:
    figures = []
    for name, most in WAITS.items():
        busy, calm = (percentile(getattr(times, name), 99) for times in (during, idle))
        figures.append(
            Figure(
                f"{name}_memory p99 during an import / idle {when} it",
                busy / calm,
                f"{ms(busy)} / {ms(calm)}",
                most=most if gate else None,
            )
        )
    return figures
