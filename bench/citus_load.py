"""Clients of several tenants on a cluster while a worker dies, shards move, a node comes and a tenant gets its own.

Each client keeps a connection to one of two servers over HTTP, writes chat messages (of which nothing is folded) and
recalls, in turn. A worker is killed -9 and started again after a while. A write is lost if it was acknowledged and is
not there at the end.
"""

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

import generate
import tenants
from asking import say
from citus_nodes import Spread
from many_clients import Caller
from postgres_load import kept_once, serving
from report import Figure, ms

TENANTS, CLIENTS, SERVERS = 8, 2, 2  # clients of each tenant
KILLS, AWAY = 4, 5.0  # how often a worker is killed, and how many seconds it is away
LONG = 45.0  # seconds away, once: longer than any call waits
PAUSE = 0.2  # seconds after an error
CALM = 10  # writes of each tenant that are acknowledged before and after each event
NODES = """SELECT nodeport, shardid FROM citus_shards WHERE table_name = 'record'::regclass
  AND shardid = get_shard_id_for_distribution_column('record', %s::bigint)"""
PLACED = "SELECT shardid, nodeport FROM citus_shards WHERE table_name = 'record'::regclass ORDER BY shardid"
MOVE = "SELECT citus_move_shard_placement(%s, '127.0.0.1', %s, '127.0.0.1', %s)"
REBALANCE = "SELECT rebalance_table_shards()"
# Writes wait meanwhile: on PostgreSQL 18.6 the other mode of Citus 14.0.1 never ends where any table's row is updated.
ISOLATE = "SELECT isolate_tenant_to_new_shard('record', %s::bigint, 'CASCADE', shard_transfer_mode => 'block_writes')"
_PARTS = re.compile(r" \(error [0-9a-f]{8}\)|\d+")


@dataclass(slots=True)
class Seen:
    """What the clients of a tenant saw: texts that were acknowledged, calls that were answered, and errors.

    Moments are of the monotonic clock: when a call began, when it was answered.
    """

    tenant: int
    acknowledged: list[str] = field(default_factory=list)
    answered: list[tuple[float, float]] = field(default_factory=list)
    errors: list[tuple[float, float, str]] = field(default_factory=list)


@dataclass(slots=True)
class Load:
    """The clients of all tenants."""

    seen: list[Seen]
    ended: threading.Event = field(default_factory=threading.Event)

    def work(self, port: int, secret: str, number: int, own: Seen) -> None:
        """Write and recall as fast as answers come."""
        with closing(Caller(port, secret)) as caller:
            turn = 0
            while not self.ended.is_set():
                turn += 1
                began = time.monotonic()
                try:
                    if turn % 2:
                        text = f"client {number}, turn {turn}"
                        talk = f"talk {number}"
                        said = caller.call("log_chat", conversation_id=talk, role="user", content=text)
                        if not (isinstance(said, dict) and said.get("success")):  # how these tools say that they failed
                            raise RuntimeError(f"log_chat: {said}")
                        own.acknowledged.append(text)
                    else:
                        caller.call("recall_memory", query=generate.record(turn, seed=number)[:60], k=10)
                except (OSError, RuntimeError, ValueError, HTTPException) as error:
                    own.errors.append((began, time.monotonic(), f"{type(error).__name__}: {error}"))
                    time.sleep(PAUSE)
                else:
                    own.answered.append((began, time.monotonic()))

    def wait_for_all(self, among: Sequence[Seen] = ()) -> None:
        """Return when each tenant (of some) has so many more writes acknowledged as is calm."""
        wanted = [(own, len(own.acknowledged) + CALM) for own in among or self.seen]
        while any(len(own.acknowledged) < count for own, count in wanted):
            time.sleep(0.01)


def load(spread: Spread, folder: Path, seconds: Sequence[float] = (*[AWAY] * KILLS, LONG)) -> list[Figure]:
    """All that happens to a cluster, in one run of servers and clients; `seconds` of each time a worker is away."""
    generate.text()
    made = tenants.Made([], generate.records(10**6))
    tenants.make(spread.url, folder, made, TENANTS, 0)
    running = Load([Seen(tenants.FIRST + number) for number in range(TENANTS)])
    with ExitStack() as stack:
        ports = [stack.enter_context(serving(spread.url, folder / f"server-{number}")) for number in range(SERVERS)]
        threads = [
            threading.Thread(
                target=running.work,
                args=(
                    ports[number % SERVERS],
                    made.secrets[number // CLIENTS],
                    number,
                    running.seen[number // CLIENTS],
                ),
            )
            for number in range(TENANTS * CLIENTS)
        ]
        spread.reset()
        for thread in threads:
            thread.start()
        stack.callback(running.ended.set)
        running.wait_for_all()
        running.wait_for_all()
        single, several = spread.reached()
        figures = [
            Figure(
                f"{TENANTS} tenants, {len(threads)} clients: statements that reached more than one node",
                None,
                f"{several} of {single + several:,}",
                most=0,
                value=several,
            )
        ]
        figures += killed(spread, running, seconds)
        for name, change in CHANGES.items():
            figures += changed(name, lambda change=change: change(spread, running), running)
        running.ended.set()
        for thread in threads:
            thread.join()
    return [*figures, *kept(spread, running)]


# --- A worker that dies ---


def killed(spread: Spread, load: Load, seconds: Sequence[float]) -> list[Figure]:
    """Kill workers in turn, each away for a while; errors must be of its tenants, and of that while."""
    of_others, outside, of_its, back, waits = 0, 0, Counter[str](), [], []
    for number, away in enumerate(seconds):
        worker = spread.cluster.nodes[1 + number % 2]
        its = [own for own in load.seen if spread.ask(NODES, [own.tenant])[0][0] == worker.port]
        others = [own for own in load.seen if own not in its]
        if not its or not others:
            raise SystemExit("each worker must have tenants; choose another number of them")
        before = {own.tenant: len(own.errors) for own in load.seen}
        answered = {own.tenant: len(own.answered) for own in load.seen}
        began = time.monotonic()
        worker.kill()
        time.sleep(away)
        served = [len(own.answered) - answered[own.tenant] for own in others]
        there = time.monotonic()
        worker.start()
        load.wait_for_all(its)
        ended = time.monotonic()
        back.append(ended - there)
        load.wait_for_all()
        for own in load.seen:
            for first, last, said in own.errors[before[own.tenant] :]:
                if own in others:
                    of_others += 1
                elif last < began or first > ended:
                    outside += 1
                else:
                    of_its[_PARTS.sub("", said)[:160]] += 1
            waits += [last - first for first, last in own.answered[answered[own.tenant] :] if own in others]
        say(f"worker {number}: away {away:g} s, its tenants served again {back[-1]:.1f} s after its start; {served}")
    name = (
        f"a worker killed -9, {len(seconds)} times, away {' and '.join(f'{each:g}' for each in sorted(set(seconds)))} s"
    )
    kinds = "; ".join(f"{count} x {what}" for what, count in of_its.most_common(3))
    total = sum(of_its.values())
    return [
        Figure(f"{name}: errors of other nodes' tenants", None, f"{of_others}", most=0, value=of_others),
        Figure(f"{name}: errors when it was not away", None, f"{outside}", most=0, value=outside),
        Figure(f"{name}: errors of its tenants meanwhile", None, f"{total}" + (f": {kinds}" if kinds else "")),
        Figure(f"{name}: its tenants served again after its start", None, f"{max(back):.1f} s at most"),
        Figure(f"{name}: longest wait of the others' calls", None, ms(max(waits))),
    ]


# --- Shards that move ---


def changed(name: str, change: Callable[[], str], load: Load) -> list[Figure]:
    """Change where tenants are, under load: the errors of all, and the longest wait."""
    errors = {own.tenant: len(own.errors) for own in load.seen}
    answered = {own.tenant: len(own.answered) for own in load.seen}
    began = time.monotonic()
    where = change()
    took = time.monotonic() - began
    load.wait_for_all()
    found = [said for own in load.seen for *_, said in own.errors[errors[own.tenant] :]]
    waits = [last - first for own in load.seen for first, last in own.answered[answered[own.tenant] :]]
    kinds = "; ".join(
        f"{count} x {said}" for said, count in Counter(_PARTS.sub("", f)[:160] for f in found).most_common(3)
    )
    say(f"{name}: {where}, {took:.1f} s, {len(found)} errors, {len(waits):,} calls, longest {ms(max(waits))}")
    shown = (
        f"{len(found)} of {len(found) + len(waits):,} calls in {took:.1f} s ({where}); longest wait {ms(max(waits))}"
    )
    return [Figure(f"{name}: errors", None, shown + (f": {kinds}" if kinds else ""), most=0, value=len(found))]


def move(spread: Spread, load: Load) -> str:
    """Move a shard with tenants to the other worker, and back."""
    here, shard = spread.ask(NODES, [load.seen[0].tenant])[0]
    (there,) = {node.port for node in spread.cluster.nodes[1:3]} - {here}
    again = sum(spread.administer(MOVE, [shard, *way]) for way in ((here, there), (there, here)))
    return f"to the other worker and back{repeated(again)}"


def enlarge(spread: Spread, load: Load) -> str:
    """Add a worker, and move shards to it."""
    before = dict(spread.ask(PLACED))
    spread.add()
    again = spread.administer(REBALANCE)
    moved = sum(before[shard] != port for shard, port in spread.ask(PLACED))
    if not moved:
        raise SystemExit("nothing was moved to the new worker")
    return f"{moved} of {len(before)} shards to it{repeated(again)}"


def isolate(spread: Spread, load: Load) -> str:
    """Give a tenant a shard of its own, and a node that has no other one's."""
    tenant = load.seen[-1].tenant
    again = spread.administer(ISOLATE, [tenant])
    here, shard = spread.ask(NODES, [tenant])[0]
    there = spread.add()
    again += spread.administer(MOVE, [shard, here, there])
    return f"a shard of its own, moved to a node of its own{repeated(again)}"


def repeated(again: int) -> str:
    """Return what is to be said of commands that were run again."""
    return f", run again {again} times after a deadlock" if again else ""


CHANGES = {
    "a shard moved under load": move,
    "a worker added and shards rebalanced under load": enlarge,
    "a tenant isolated under load": isolate,
}


# --- Afterwards ---


def kept(spread: Spread, load: Load) -> list[Figure]:
    """What was acknowledged and is not there, and what is there twice."""
    rows = spread.ask("SELECT tenant, text FROM record WHERE kind = 'message'")
    found = Counter((int(tenant), text) for tenant, text in rows)
    acknowledged = [(own.tenant, text) for own in load.seen for text in own.acknowledged]
    return kept_once("all of that", acknowledged, found)
