"""Clients of several HTTP servers on one PostgreSQL that is restarted under them: is anything lost, or there twice?

Each client keeps a connection to one of the servers, writes chat messages (of which nothing is folded) and recalls.
"""

import http.client
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import generate
from client import INDELIBLE, PATIENCE, environment
from many_clients import Address, Caller
from postgres_server import Postgres
from report import Figure, ms, percentile

SERVERS, CLIENTS = 4, 8  # clients of each
SECONDS = 60.0
RESTARTS = (1 / 3, 2 / 3)  # of that time
WRITES = 2  # one call in so many
MOST_FAILED = 0.01  # of the calls


@dataclass(slots=True)
class Seen:
    """What one client saw: texts that were acknowledged, seconds of its calls, what was answered with an error."""

    acknowledged: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def load(server: Postgres, folder: Path, seconds: float = SECONDS) -> list[Figure]:
    """32 clients of 4 servers, the database restarted twice."""
    generate.text()
    with ExitStack() as stack:
        ports = [stack.enter_context(serving(server.url, folder / f"server-{number}")) for number in range(SERVERS)]
        until = time.monotonic() + seconds
        seen = [Seen() for _ in range(SERVERS * CLIENTS)]
        clients = [
            threading.Thread(target=_work, args=(ports[number % SERVERS], number, until, own))
            for number, own in enumerate(seen)
        ]
        for client in clients:
            client.start()
        for share in RESTARTS:
            time.sleep(max(0.0, until - seconds * (1 - share) - time.monotonic()))
            server.restart()
        for client in clients:
            client.join()
    return _figures(server, seen, seconds)


def kept_once(name: str, acknowledged: Sequence[Hashable], kept: Counter[Any]) -> list[Figure]:
    """What was acknowledged and is not there, and what is there twice."""
    lost = [each for each in acknowledged if not kept[each]]
    doubled = [each for each, count in kept.items() if count > 1]
    return [
        Figure(
            f"{name}: acknowledged writes that are lost",
            None,
            f"{len(lost)} of {len(acknowledged):,}",
            most=0,
            value=len(lost),
        ),
        Figure(
            f"{name}: messages that are there twice",
            None,
            f"{len(doubled)} of {len(kept):,}",
            most=0,
            value=len(doubled),
        ),
    ]


def _figures(server: Postgres, seen: list[Seen], seconds: float) -> list[Figure]:
    kept = Counter(text for (text,) in server.ask("SELECT text FROM record WHERE kind = 'message'"))
    acknowledged = [text for own in seen for text in own.acknowledged]
    times = [took for own in seen for took in own.times]
    errors = [error for own in seen for error in own.errors]
    calls = len(times) + len(errors)
    kinds = "; ".join(f"{count} x {what}" for what, count in Counter(errors).most_common(3))
    name = f"{SERVERS} servers, {len(seen)} clients, {seconds:.0f} s, {len(RESTARTS)} restarts"
    return [
        *kept_once(name, acknowledged, kept),
        Figure(
            f"{name}: calls answered with an error",
            len(errors) / calls,
            f"{len(errors)} of {calls:,}" + (f": {kinds}" if errors else ""),
            most=MOST_FAILED,
        ),
        Figure(
            f"{name}: what a call waits, p50",
            None,
            f"{ms(percentile(times, 50))}; p95 {ms(percentile(times, 95))}, longest {ms(max(times))}; "
            f"{calls / seconds:,.0f} calls a second",
        ),
    ]


def _work(port: int, number: int, until: float, seen: Seen) -> None:
    """Write and recall as fast as answers come, until a time of the monotonic clock."""
    turn = 0
    with closing(Caller(port)) as caller:
        while time.monotonic() < until:
            turn += 1
            began = time.perf_counter()
            try:
                if turn % WRITES:
                    text = f"client {number}, turn {turn}"
                    caller.call("log_chat", conversation_id=f"talk {number}", role="user", content=text)
                    seen.acknowledged.append(text)
                else:
                    caller.call("recall_memory", query=generate.record(turn, seed=number)[:60], k=10)
                seen.times.append(time.perf_counter() - began)
            except (OSError, RuntimeError, ValueError, http.client.HTTPException) as error:
                seen.errors.append(re.sub(r"\d+", "n", f"{type(error).__name__}: {error}"[:200]))


@contextmanager
def serving(url: str, place: Path) -> Iterator[int]:
    """A server over HTTP with a data directory of its own; its port. It must leave with exit code 0."""
    with served(url, place) as found:
        yield found.port


@contextmanager
def served(url: str, place: Path) -> Iterator[Address]:
    """The same; its port and its process."""
    place.mkdir()
    command = [str(INDELIBLE), "serve", "--toolsets", "all", "--data", str(place / "data"), "--http", "127.0.0.1:0"]
    given = {**environment(), "INDELIBLE_DATABASE": url}
    log = place / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stderr=errors, env=given, cwd=place)
    try:
        yield Address(_port(process, log), process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=PATIENCE)
    if process.returncode:
        raise SystemExit(f"indelible serve --http left with exit code {process.returncode}: {log.read_text()[-500:]}")


def _port(process: "subprocess.Popen[bytes]", log: Path) -> int:
    until = time.monotonic() + PATIENCE
    while (found := re.search(r"http://127\.0\.0\.1:(\d+)/mcp", log.read_text())) is None:
        if process.poll() is not None or time.monotonic() > until:
            raise SystemExit(f"indelible serve --http: {log.read_text()[-500:]}")
        time.sleep(0.05)
    return int(found[1])
