"""What one recall costs the server that answers it: its own processor time, and the time until the answer is there."""

import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import filling
import generate
import prepared
from client import Server
from complete import TOPICS
from encoding import encoder_place, serve_with, wait_for_embeddings
from report import Figure, ms, percentile
from stores import Bench, fill

FEW, MANY = 2_000, 100_000
QUERIES = 200
WARM_UP = 20
CALM = 3  # seconds without any work of its own, after which a server has none left
LONGEST = 300  # seconds until that at most
TICKS = os.sysconf("SC_CLK_TCK")


def recall_cost(bench: Bench) -> list[Figure]:
    """recall_memory over stdio with a warm encoder, which is a process of its own and not counted. Linux only."""
    few, many = bench.size(FEW, 100), bench.size(MANY, 1000)
    queries = bench.size(QUERIES, 20)
    small = fill(bench.fresh("few"), bench.lines(few), few).data
    large = bench.fresh("many")
    filling.fill(large, many, filling.topics(bench.folder, bench.size(TOPICS, 50)))
    of_small = list(generate.questions(queries + WARM_UP, among=few))
    of_large = prepared.texts(large, queries + WARM_UP)
    return [*_measured(small, few, of_small), *_measured(large, many, of_large)]


def _measured(data: Path, records: int, questions: Sequence[str]) -> list[Figure]:
    with encoder_place() as place, serve_with(data, place) as server:
        server.initialize()
        server.call("recall_memory", query="wake up", k=1)
        wait_for_embeddings(server)
        _asked(server, questions[:WARM_UP])
        _wait_until_calm(server.pid)
        before = _processor_seconds(server.pid)
        times = _asked(server, questions[WARM_UP:])
        each = (_processor_seconds(server.pid) - before) / len(times)
    what = f"one recall_memory over stdio, {records:,} records"
    middle = statistics.median(times)
    return [
        Figure(
            f"{what}: processor time of the server",
            None,
            f"{ms(each)} ({len(times)} queries)",
            value=each * 1e3,
            unit=" ms",
        ),
        Figure(f"{what}: p50", None, f"{ms(middle)}, p95 {ms(percentile(times, 95))}", value=middle * 1e3, unit=" ms"),
    ]


def _wait_until_calm(pid: int) -> None:
    """Wait until the server has done what follows a fill, such as relating what replaces what: no recall costs it."""
    seen, calm = _processor_seconds(pid), 0
    for _ in range(LONGEST):
        time.sleep(1)
        now = _processor_seconds(pid)
        calm = calm + 1 if now - seen <= 1 / TICKS else 0
        seen = now
        if calm == CALM:
            return
    raise SystemExit(f"after {LONGEST} s the server still works by itself, so that a recall cannot be told from that")


def _asked(server: Server, questions: Sequence[str]) -> list[float]:
    """Seconds of each."""
    times = []
    for question in questions:
        server.call("recall_memory", query=question, k=10)
        times.append(server.seconds)
    return times


def _processor_seconds(pid: int) -> float:
    """User and system time that a process has taken; its children are not in it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
