"""Running a cycle of consolidation: in short transactions, as one operation of the trash, by one process at a time.

A cycle has a plan, which only reads, and an action for each part of the plan, which checks the part again before it
writes. After a crash, the next run with the same arguments continues the same operation.
"""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import partial
from typing import Any, Generic, TypedDict, TypeVar

from indelible import batching
from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.context.dispatch import MOST_NAMED
from indelible.core.records import undo
from indelible.dataclass import dataclass
from indelible.errors import Conflict, Forbidden
from indelible.settings import DAY
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import leases, settings
from indelible.store.views import consolidation

T = TypeVar("T")
R = TypeVar("R")

CYCLES = ("decay", "creative", "cluster", "forget", "summarize")
BUSY = 0.03  # seconds of work in one transaction: others get their turn
LEASE = 20_000_000  # microseconds, renewed by every transaction
PATIENCE = 60.0  # seconds that a call waits for another that consolidates
STALE = DAY  # microseconds after which a run that was interrupted is none to go on with
POLL = 0.05


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of a cycle: counts by name, the ids of new memories, and some ids for the event."""

    counts: Counter[str] = field(default_factory=Counter)
    made: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        touched = (*self.touched, *other.touched)[:MOST_NAMED]
        return Tally(self.counts + other.counts, (*self.made, *other.made), touched)


@dataclass(frozen=True, slots=True)
class Cycle(Generic[T]):
    """A cycle with its arguments: `plan` returns its parts, `act` executes at most `together` of them at once.

    `act` runs in a write transaction, when others may have written since the plan: it skips parts that no longer apply.
    """

    name: str
    arguments: dict[str, Any]
    plan: Callable[[Context], Sequence[T]]
    act: Callable[[Context, Transaction, Sequence[T]], Tally]
    together: int = 32


class Ran(TypedDict):
    """When a cycle ran last (UTC, None for never), and how much it did then."""

    last_run: str | None
    affected: int


def run(
    ctx: Context, cycle: Cycle[T], affected: str, answer: Callable[[Tally], R], *, patience: float | None = None
) -> R:
    """Run a cycle on all that the caller sees, and log it; `affected` names the count that the status shows.

    With a request key a retry gets the first answer. Raises Conflict if another call consolidates for longer than
    `patience` seconds (default: a minute), and Cancelled between two transactions; finished parts are kept and can be
    undone.
    """
    earlier = ctx.earlier_answer()
    if earlier is not None:
        done: R = earlier
        return done
    _refuse_reader(ctx)
    ctx = ctx.for_call(replace(ctx.call, bulk=True))
    with _alone(ctx, patience) as owner:
        ctx.write_behind.before_deletion()
        ctx, tally = _continued(ctx, cycle)
        parts = cycle.plan(ctx)
        at = 0
        while at < len(parts):
            ctx.call.stop_if_cancelled()
            at, tally = ctx.store.write(partial(_some, ctx, owner, cycle, parts, at, tally))
            ctx.call.progress(at, len(parts), f"parts of {cycle.name} done")
            batching.breathe()
        ctx.call.touched.extend(tally.touched)
        return ctx.write(partial(_finished, ctx, cycle, tally, affected, answer))


def _refuse_reader(ctx: Context) -> None:
    """Raise as `Context.write` does for a caller that may not write, since the run writes to the store directly."""
    if ctx.settings.read_only:
        raise Conflict(f"{ctx.call.tool} writes, and {ctx.settings.why_read_only}")
    if not ctx.session.grant.allows("write"):
        raise Forbidden(f"{ctx.call.tool} writes, and this token may only read; it needs one of scope write")


def _some(
    ctx: Context, owner: str, cycle: Cycle[T], parts: Sequence[T], at: int, tally: Tally, tx: Transaction
) -> tuple[int, Tally]:
    """Execute parts until the transaction has taken long enough; return the position reached and the new tally."""
    if not _take(ctx, tx, owner):
        raise Conflict(f"another call took over while {cycle.name} was running; what is done is kept, call it again")
    began = time.perf_counter()
    while at < len(parts):
        tally += cycle.act(ctx, tx, parts[at : at + cycle.together])
        at = min(len(parts), at + cycle.together)
        if time.perf_counter() - began > BUSY:
            break
    running = {
        "operation": ctx.call.operation,
        "arguments": cycle.arguments,
        "counts": dict(tally.counts),
        "time": ctx.now(),
    }
    _put(ctx, tx, cycle.name, {**_state(ctx, tx, cycle.name), "running": running})
    return at, tally


def _finished(
    ctx: Context, cycle: Cycle[T], tally: Tally, affected: str, answer: Callable[[Tally], R], tx: Transaction
) -> R:
    _put(ctx, tx, cycle.name, {"last_run": ctx.now(), "affected": tally.counts[affected]})
    return answer(tally)


# --- What is kept of the cycles ---


def status(ctx: Context) -> dict[str, Ran]:
    """Return when each of the five cycles ran last for the caller, and how much it did.

    A caller limited to namespaces sees the runs of callers with the same namespaces.
    """
    with ctx.store.read() as tx:
        states = {name: _state(ctx, tx, name) for name in CYCLES}
    return {
        name: {
            "last_run": time_text(state["last_run"]) if "last_run" in state else None,
            "affected": int(state.get("affected", 0)),
        }
        for name, state in states.items()
    }


def last_run(ctx: Context, tx: Transaction, name: str) -> tuple[int | None, int]:
    """Return when a cycle ran last, in microseconds since 1970 (None for never), and how much it did."""
    state = _state(ctx, tx, name)
    return state.get("last_run"), int(state.get("affected", 0))


def _continued(ctx: Context, cycle: Cycle[T]) -> tuple[Context, Tally]:
    """Return the context and tally of a recently interrupted run of the same cycle and arguments, else of a new run."""
    with ctx.store.read() as tx:
        running = _state(ctx, tx, cycle.name).get("running")
        if running is None or running["arguments"] != cycle.arguments or ctx.now() - running["time"] > STALE:
            return ctx, Tally()
        if consolidation.is_undone(whole(tx), running["operation"]):
            return ctx, Tally()
        made = undo.made_by(ctx, tx, running["operation"])
    tally = Tally(Counter(running["counts"]), made)
    return ctx.for_call(replace(ctx.call, operation=running["operation"])), tally


def _state(ctx: Context, tx: Transaction, name: str) -> dict[str, Any]:
    found = settings.find(tx, _setting(ctx, name))
    state: dict[str, Any] = {} if found is None else json.loads(found)
    return state


def _put(ctx: Context, tx: Transaction, name: str, state: dict[str, Any]) -> None:
    settings.put(whole(tx), _setting(ctx, name), json.dumps(state, ensure_ascii=False))


def _setting(ctx: Context, name: str) -> str:
    return f"consolidation {name}{_scope(ctx)}"


def _scope(ctx: Context) -> str:
    """Return a key for the namespaces that the caller sees, so that callers do not learn of the runs of others."""
    if ctx.session.grant.namespaces is None:
        return ""
    return f" {hashlib.sha256(json.dumps(sorted(ctx.session.grant.namespaces)).encode()).hexdigest()[:16]}"


# --- One at a time ---


@contextmanager
def _alone(ctx: Context, patience: float | None = None) -> Iterator[str]:
    """Hold the lease on consolidating the caller's namespaces, waiting for other runs; yields the lease's name."""
    owner = f"{ctx.session.id} {ctx.call.operation}"
    until = time.monotonic() + (PATIENCE if patience is None else patience)
    while not ctx.store.write(lambda tx: _take(ctx, tx, owner)):
        ctx.call.stop_if_cancelled()
        if time.monotonic() > until:
            raise Conflict("another call is consolidating this store; wait until it is done, then call again")
        time.sleep(POLL)
    try:
        yield owner
    finally:
        ctx.store.write(lambda tx: leases.release(whole(tx), _lease(ctx), owner))


def _take(ctx: Context, tx: Transaction, owner: str) -> bool:
    now = ctx.now()
    return leases.take(whole(tx), _lease(ctx), owner, now, now + LEASE)


def _lease(ctx: Context) -> str:
    return f"consolidate{_scope(ctx)}"
