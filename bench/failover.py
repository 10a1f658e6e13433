"""Promotion under load: clients write through Indelible, the primary is killed -9, its standby promoted, many times.

    python bench/failover.py                                synchronous, asynchronous, and PgBouncer in between
    python bench/failover.py --modes synchronous --rounds 1 --clients 4
    python bench/failover.py --write docs/benchmarks.md     also into the document, between its markers

Two servers over HTTP have both hosts in their URL, with target_session_attrs=read-write. Each client keeps a connection
to one of them and writes chat messages, of which nothing is folded. The standby is promoted as soon as the primary is
dead, so that the time until the service is back has no detection in it; then the lost server becomes the new standby.
In the mode pgbouncer, synchronous too, PgBouncer is in between and is pointed to the new primary when that is promoted.
A write is lost if it was acknowledged and the new primary does not have it.
"""

import argparse
import re
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

import report
from asking import say
from many_clients import Caller
from postgres_load import serving
from report import Figure, ms

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from pooler import Pooler
from postgres_pair import DATABASE, ROLE, Pair, pair

CLIENTS, ROUNDS, SERVERS = 32, 10, 2
SESSIONS = 8  # of PgBouncer to the server
WRITES = 60  # acknowledged before each failover, and after it
SYNCHRONOUS, ASYNCHRONOUS, POOLED = "synchronous", "asynchronous", "pgbouncer"
MODES = (SYNCHRONOUS, ASYNCHRONOUS, POOLED)
LONGEST = 30.0  # seconds until service is back
SECTION = "failover"
_ERROR_ID = re.compile(r" \(error [0-9a-f]{8}\)")  # by which the server's log has the details


@dataclass(slots=True)
class Load:
    """What the clients were told: texts with the moments when their calls began and were answered, and errors."""

    acknowledged: list[tuple[str, float, float]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def wait_for(self, writes: int) -> None:
        """Return when so many more are acknowledged."""
        wanted = len(self.acknowledged) + writes
        while len(self.acknowledged) < wanted:
            time.sleep(0.01)

    def write(self, port: int, number: int) -> None:
        """Write as fast as answers come."""
        with closing(Caller(port)) as caller:
            turn = 0
            while not self.ended.is_set():
                turn += 1
                text, began = f"client {number}, turn {turn}", time.monotonic()
                try:
                    said = caller.call("log_chat", conversation_id=f"talk {number}", role="user", content=text)
                    if not (isinstance(said, dict) and said.get("success")):  # how these tools say that they failed
                        raise RuntimeError(f"log_chat: {said}")
                except (OSError, RuntimeError, ValueError, HTTPException) as error:
                    self.errors.append(_ERROR_ID.sub("", f"{type(error).__name__}: {error}")[:120])
                else:
                    self.acknowledged.append((text, began, time.monotonic()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modes", default=",".join(MODES), help="separated by commas; default: %(default)s")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="failovers of each mode; default: %(default)s")
    parser.add_argument("--clients", type=int, default=CLIENTS, help="default: %(default)s")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- failover --> and its end")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where the servers are; default: temporary")
    arguments = parser.parse_args()
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    run = report.Run("bench/failover.py", sys.argv[1:])
    figures, where = [], ""
    for mode in (mode for mode in MODES if mode in arguments.modes.split(",")):
        folder = Path(tempfile.mkdtemp(prefix="indelible-failover-", dir=arguments.work))
        try:
            where = report.disk(folder)
            figures += measured(mode, folder, arguments.rounds, arguments.clients)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return run.finish(figures, SECTION, arguments.write, [where])


def measured(mode: str, folder: Path, rounds: int, clients: int) -> list[Figure]:
    """A number of failovers in one run of servers and clients."""
    load, back = Load(), []
    with ExitStack() as stack:
        (folder / "postgres").mkdir(mode=0o755)
        two = stack.enter_context(pair(folder / "postgres", "checkpoint_timeout = 5min"))
        two.be_synchronous(mode != ASYNCHRONOUS)
        url, pooler = two.url(target_session_attrs="read-write"), None
        if mode == POOLED:
            pooler = stack.enter_context(Pooler(two.url(two.primary), folder, sessions=SESSIONS))
            url = f"postgresql://{ROLE}@127.0.0.1:{pooler.port}/{DATABASE}"
        places = [stack.enter_context(serving(url, folder / f"server-{number}")) for number in range(SERVERS)]
        threads = [
            threading.Thread(target=load.write, args=(places[number % SERVERS], number)) for number in range(clients)
        ]
        for thread in threads:
            thread.start()
        stack.callback(load.ended.set)
        for number in range(rounds):
            load.wait_for(WRITES)
            killed = time.monotonic()
            two.fail_over()
            if pooler is not None:
                pooler.point_to(two.url(two.primary))
            back.append(first_after(load, killed) - killed)
            say(f"{mode} {number + 1}: back after {back[-1]:.1f} s (load average {report.load()})")
            two.rejoin()
            two.be_synchronous(mode != ASYNCHRONOUS)
        load.wait_for(WRITES)
        load.ended.set()
        for thread in threads:
            thread.join()
        return shown(mode, two, load, back, clients)


def first_after(load: Load, moment: float) -> float:
    """When the first write was acknowledged that began after a moment, or had waited over it."""
    seen = 0
    while True:
        answers = load.acknowledged[seen:]
        seen += len(answers)
        # what the old primary had acknowledged is on its way for some milliseconds more
        for _, began, answered in answers:
            if began > moment or answered > moment + 0.5:
                return answered
        time.sleep(0.01)


def shown(mode: str, two: Pair, load: Load, back: list[float], clients: int) -> list[Figure]:
    """The figures of a mode."""
    rows = two.primary.execute("SELECT text FROM record WHERE kind = 'message'", database=DATABASE)
    kept = Counter(text for (text,) in rows)
    lost = [text for text, _, _ in load.acknowledged if not kept[text]]
    doubled = [text for text, count in kept.items() if count > 1]
    kinds = "; ".join(f"{count} x {what}" for what, count in Counter(load.errors).most_common(3))
    name = f"{mode}, {len(back)} promotions, {clients} clients"
    bound = None if mode == ASYNCHRONOUS else 0
    waited = max(answered - began for _, began, answered in load.acknowledged)
    number = f"{len(lost)} of {len(load.acknowledged):,}"
    return [
        Figure(f"{name}: acknowledged writes that are lost", None, number, most=bound, value=len(lost)),
        Figure(f"{name}: there twice", None, f"{len(doubled)} of {len(kept):,}", most=0, value=len(doubled)),
        Figure(
            f"{name}: until service is back, longest",
            None,
            f"{max(back):.1f} s; median {sorted(back)[len(back) // 2]:.1f} s",
            most=LONGEST,
            value=max(back),
            unit=" s",
        ),
        Figure(f"{name}: longest wait of a call", None, ms(waited)),
        Figure(f"{name}: calls answered with an error", None, f"{len(load.errors)}" + (f": {kinds}" if kinds else "")),
    ]


if __name__ == "__main__":
    sys.exit(main())
