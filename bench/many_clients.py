"""Many clients of one HTTP server: what they wait for, whether anything is lost, what 50,000 calls leave behind.

The clients are threads of several processes, each with a connection that it keeps, so that the server is what is
measured; they share the machine's processors with it all the same.
"""

import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

import generate
from client import INDELIBLE, PATIENCE, environment, memory_mb
from report import Figure, ms, percentile
from stores import Bench, fill, settle

PROCESSES = 4
CLIENTS = 32
SECONDS = 60.0
THERE = 10_000  # records before the first call
STORES = 4  # one call in so many stores, the others recall
CALLS = 50_000
WARM_UP = 1_000  # calls after which memory is read first
HEADERS = {"Content-Type": "application/json"}
SEED = 23


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and its process."""

    port: int
    pid: int


@dataclass(slots=True)
class Seen:
    """What the clients of one process saw: seconds of their calls, ids that were acknowledged, what went wrong."""

    recall: list[float] = field(default_factory=list)
    store: list[float] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@contextmanager
def serving(data: Path) -> Iterator[Address]:
    """A server over HTTP on a free port. It must leave with exit code 0."""
    command = [str(INDELIBLE), "serve", "--data", str(data), "--http", "127.0.0.1:0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment(), cwd=data.parent)
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", said)
        if found is None:
            raise SystemExit(f"indelible serve --http: {said}{process.stderr.read()}")
        yield Address(int(found[1]), process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        _, rest = process.communicate(timeout=PATIENCE)
    if process.returncode:
        raise SystemExit(f"indelible serve --http left with exit code {process.returncode}: {rest}")


class Caller:
    """One client with a connection of its own, and a token where one is needed."""

    def __init__(self, port: int, token: str = ""):
        self._headers = {**HEADERS, **({"Authorization": f"Bearer {token}"} if token else {})}
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def call(self, tool: str, **arguments: object) -> object:
        """What a tool answers over /jsonrpc. Raises RuntimeError for anything but a result."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": tool, "params": arguments})
        self._connection.request("POST", "/jsonrpc", body, self._headers)
        answer = self._connection.getresponse()
        said = json.loads(answer.read())
        if answer.status != 200 or "result" not in said:
            raise RuntimeError(f"{tool}: {answer.status} {said}"[:300])
        return said["result"]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


# --- Load ---


def _work(port: int, number: int, until: float, seen: Seen) -> None:
    """Recall and store as fast as answers come, until a time of the monotonic clock."""
    questions = list(generate.questions(200, seed=number + 1, among=THERE))
    with closing(Caller(port)) as caller:
        turn = 0
        while time.monotonic() < until:
            began = time.perf_counter()
            try:
                if turn % STORES:
                    caller.call("recall_memory", query=questions[turn % len(questions)], k=10)
                    seen.recall.append(time.perf_counter() - began)
                else:
                    text = f"client {number}, turn {turn}: {generate.record(turn, seed=SEED + number)}"
                    seen.ids.append(caller.call("store_memory", content=text)["id"])  # type: ignore[index]
                    seen.store.append(time.perf_counter() - began)
            except (OSError, RuntimeError, ValueError, http.client.HTTPException) as error:
                seen.errors.append(f"{type(error).__name__}: {error}")
            turn += 1


def _process(port: int, numbers: list[int], until: float) -> Seen:
    """The clients of one process."""
    seen = Seen()
    threads = [threading.Thread(target=_work, args=(port, number, until, seen)) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen


def load(bench: Bench) -> list[Figure]:
    """32 clients that recall and store for 60 s over HTTP: errors, lost writes, waiting times, throughput."""
    there, seconds = bench.size(THERE, 500), max(3.0, SECONDS * bench.scale)
    data = bench.fresh("http")
    fill(data, bench.lines(there), there)
    settle(data)
    generate.text()  # read once, before the processes are made
    with serving(data) as server, ProcessPoolExecutor(PROCESSES, mp_context=get_context("fork")) as pool:
        until = time.monotonic() + seconds
        shares = [list(range(first, CLIENTS, PROCESSES)) for first in range(PROCESSES)]
        all_seen = list(pool.map(_process, [server.port] * PROCESSES, shares, [until] * PROCESSES))
        memory = memory_mb(server.pid)
    recall, store, ids, errors = (
        list(chain.from_iterable(getattr(seen, name) for seen in all_seen))
        for name in ("recall", "store", "ids", "errors")
    )
    lost = set(ids) - _stored_ids(data)
    rate = (len(recall) + len(store)) / seconds
    what = f"{CLIENTS} HTTP clients, {seconds:.0f} s"
    return [
        Figure(f"{what}, errors", None, f"{len(errors)} {errors[:1]}" if errors else "0", most=0, value=len(errors)),
        Figure(f"{what}, lost writes", None, f"{len(lost)} of {len(ids):,}", most=0, value=len(lost)),
        Figure(f"{what}, calls a second", None, f"{rate:.0f}, {memory:.0f} MB"),
        *(Figure(f"{what}, {tool}", None, _waits(times)) for tool, times in (("recall", recall), ("store", store))),
    ]


def _waits(times: list[float]) -> str:
    parts = [f"p{percent} {ms(percentile(times, percent))}" for percent in (50, 95, 99)]
    return f"{', '.join(parts)}, slowest {ms(max(times))}, {len(times):,} calls"


def _stored_ids(data: Path) -> set[str]:
    command = [str(INDELIBLE), "export", "--data", str(data)]
    ran = subprocess.run(command, env=environment(), cwd=data.parent, check=True, stdout=subprocess.PIPE)
    return {json.loads(line)["id"] for line in ran.stdout.splitlines()}


# --- Memory ---


def _ask(port: int, count: int) -> None:
    """Calls that store nothing: over /jsonrpc, and over /mcp in both eras."""
    modern = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "recall_memory", "arguments": {"query": "connection pool timeout", "k": 5}}
    accept = {**HEADERS, "Accept": "application/json, text/event-stream"}
    of_2026 = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "recall_memory"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    requests = [
        ("/jsonrpc", json.dumps({**body, "params": params}), HEADERS),
        ("/mcp", json.dumps({**body, "params": params}), accept),
        ("/mcp", json.dumps({**body, "params": {**params, "_meta": modern}}), {**accept, **of_2026}),
    ]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    for turn in range(count):
        connection.request("POST", *requests[turn % len(requests)])
        answer = connection.getresponse()
        if answer.status != 200 or not answer.read():
            raise SystemExit(f"{requests[turn % len(requests)][0]} answered {answer.status}")
    connection.close()


def flat(bench: Bench) -> list[Figure]:
    """Memory of an HTTP server after 50,000 calls that store nothing, against that after 1,000."""
    there = bench.filled(bench.size(1000, 100))
    first, calls = bench.size(WARM_UP, 300), bench.size(CALLS, 3000)
    with serving(there.data) as server:
        _in_turn(server.port, first)
        before = memory_mb(server.pid)
        began = time.perf_counter()
        _in_turn(server.port, calls - first)
        seconds = time.perf_counter() - began
        after = memory_mb(server.pid)
    shown = f"{after:.1f} / {before:.1f} MB, {(calls - first) / seconds:.0f} calls a second"
    return [Figure(f"HTTP server, memory after {calls:,} calls / after {first:,}", after / before, shown, most=1.05)]


def _in_turn(port: int, calls: int) -> None:
    """Calls of a few clients at once."""
    clients = min(4, os.cpu_count() or 1)
    with ProcessPoolExecutor(clients, mp_context=get_context("fork")) as pool:
        list(pool.map(_ask, [port] * clients, [calls // clients] * clients))


def serving_many(bench: Bench) -> list[Figure]:
    """Both."""
    return [*load(bench), *flat(bench)]
