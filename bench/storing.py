"""What storing and recalling cost as a store grows, and how fast it takes things in."""

import json
import sqlite3
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import generate
from client import Server, serve
from report import Figure, ms, percentile
from stores import Bench, Filled

WARM_UP = 20  # stores that no figure contains
WINDOW = 500
QUERIES = 200
CLIENTS = 4
BATCH = 200  # records a transaction of the plain SQLite that imports are held against
SEED = 7  # of what is stored by calls; imported records have seed 1


def stored(server: Server, texts: Sequence[str]) -> list[float]:
    """Seconds of each store_memory, one after another."""
    times = []
    for text in texts:
        server.call("store_memory", content=text)
        times.append(server.seconds)
    return times


def flat(bench: Bench) -> list[Figure]:
    """store_memory over stdio from an empty store to 10,000: the last 500 against the first."""
    n = bench.size(10_000, 200)
    window = min(WINDOW, n // 4)
    texts = list(generate.records(WARM_UP + n, SEED))
    data = bench.fresh("flat")
    with serve(data, data.parent) as server:
        server.initialize()
        times = stored(server, texts)[WARM_UP:]
    return grown("store_memory", times, window)


def grown(tool: str, times: Sequence[float], window: int, most: float | None = 1.2) -> list[Figure]:
    """The last calls of a tool against its first, and how far the slow ones are from the middle."""
    first, last, n = times[:window], times[-window:], len(times)
    return [
        Figure(
            f"{tool}, last {window} of {n:,} / first {window}, {name}",
            of(last) / of(first),
            f"{ms(of(last))} / {ms(of(first))}",
            most=most,
        )
        for name, of in (("median", statistics.median), ("mean", statistics.fmean))
    ] + [Figure(f"{tool}, p99 / median of all {n:,}", *_spread(times))]


def _spread(times: Sequence[float]) -> tuple[float, str]:
    high, middle = percentile(times, 99), statistics.median(times)
    return high / middle, f"{ms(high)} / {ms(middle)}, slowest {ms(max(times))}"


def recall(bench: Bench) -> list[Figure]:
    """recall_memory over stdio at 1,000 and at 100,000 records, the same questions to both in turn."""
    small, large = bench.filled(bench.size(1000, 100)), bench.filled(bench.size(100_000, 1000))
    questions = list(generate.questions(QUERIES + 20, among=small.records))
    with serve(small.data, small.data.parent) as one, serve(large.data, large.data.parent) as other:
        firsts, memory = [], []
        for server in (one, other):
            server.initialize()
            memory.append(server.rss_mb)
            server.call("recall_memory", query=questions[0], k=10)
            firsts.append(server.seconds)
        for question in questions[QUERIES:]:
            one.call("recall_memory", query=question, k=10)
            other.call("recall_memory", query=question, k=10)
        few, many = _asked(one, other, questions[:QUERIES])
        memory.append(other.rss_mb)
    name = f"recall_memory, {large.records:,} / {small.records:,} records"
    middle = statistics.median(many)
    return [
        Figure(
            f"{name}, p{percent}",
            percentile(many, percent) / percentile(few, percent),
            f"{ms(percentile(many, percent))} / {ms(percentile(few, percent))} ({QUERIES} queries)",
            most=3.0,
        )
        for percent in (50, 95)
    ] + [
        Figure(
            f"first recall_memory (loads the index), {large.records:,} / {small.records:,} records",
            firsts[1] / firsts[0],
            f"{ms(firsts[1])} / {ms(firsts[0])}; the index itself about {ms(max(0.0, firsts[1] - middle))}",
        ),
        Figure(
            f"memory with the index of {large.records:,} records / before",
            memory[2] / memory[1],
            f"{memory[2]:.0f} / {memory[1]:.0f} MB",
        ),
    ]


def _asked(one: Server, other: Server, questions: Sequence[str]) -> tuple[list[float], list[float]]:
    few, many = [], []
    for question in questions:
        one.call("recall_memory", query=question, k=10)
        few.append(one.seconds)
        other.call("recall_memory", query=question, k=10)
        many.append(other.seconds)
    return few, many


def rates(bench: Bench) -> list[Figure]:
    """How many records a second get in, by import, by one client and by four; plain SQLite on the same disk beside."""
    filled = bench.filled(bench.size(100_000, 1000))
    n = bench.size(4000, 80)
    texts = list(generate.records(n, SEED))
    imported, stored = _plain_rate(bench, filled, BATCH), _plain_rate(bench, n, 1)
    alone = n / _at_once(bench, texts, 1)
    together = n / _at_once(bench, texts, CLIENTS)
    plain = "SQLite alone (FTS5 table, WAL, synchronous=FULL"
    return [
        Figure(
            f"`indelible import` of {filled.records:,} / {plain}, {BATCH} records a commit)",
            filled.rate / imported,
            f"{filled.rate:,.0f} / {imported:,.0f} records a second",
        ),
        Figure(
            f"store_memory, one client / {plain}, a commit each)",
            alone / stored,
            f"{alone:,.0f} / {stored:,.0f} a second",
        ),
        Figure(
            f"store_memory, {CLIENTS} clients with a server each / one client",
            together / alone,
            f"{together:,.0f} / {alone:,.0f} a second",
        ),
    ]


def _plain_rate(bench: Bench, what: Filled | int, batch: int) -> float:
    """Records a second into a table with a full-text index by the standard library's SQLite."""
    n = what if isinstance(what, int) else what.records
    with bench.lines(n, SEED if isinstance(what, int) else 1).open() as file:
        texts = [json.loads(line)["content"] for line in file]
    folder = bench.fresh("plain").parent
    db = sqlite3.connect(folder / "plain.db", isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE VIRTUAL TABLE memory USING fts5(content, tokenize='porter unicode61')")
    began = time.perf_counter()
    for at in range(0, n, batch):
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO memory VALUES (?)", [(text,) for text in texts[at : at + batch]])
        db.execute("COMMIT")
    took = time.perf_counter() - began
    db.close()
    return n / took


def _at_once(bench: Bench, texts: Sequence[str], clients: int) -> float:
    """Seconds until all texts are stored by that many clients, each with a server of its own on one store."""
    data = bench.fresh(f"clients-{clients}")
    with ExitStack() as stack, ThreadPoolExecutor(clients) as pool:
        servers = [stack.enter_context(_ready(data)) for _ in range(clients)]
        began = time.perf_counter()
        list(pool.map(stored, servers, [texts[i::clients] for i in range(clients)]))
        return time.perf_counter() - began


def _ready(data: Path) -> Server:
    """A server that has stored something, so that its writer is warm."""
    server = serve(data, data.parent)
    server.initialize()
    server.call("store_memory", content=f"a client of its own began at {time.perf_counter_ns()}")
    return server
