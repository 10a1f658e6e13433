"""Figures of the running server for `memory_stats` and the metrics page."""

import os
import sys
import threading
import time
from typing import Any

from indelible.core.context.context import Context
from indelible.core.indexes import model_choice
from indelible.errors import StoreError
from indelible.store.database import Standby, shared
from indelible.store.tables import edges, pending, records, settings

# Imported late (platform): resource


def measured(ctx: Context, *, stored: bool = True) -> dict[str, Any]:
    """Return `latencies` by tool (ms) and `counters` since this process opened the store, and current `gauges`.

    Without `stored` there are none of the store, which is not asked then. A caller that is limited to namespaces gets
    only the figures of its own calls and none of the process; a tenant other than the server's own gets none of the
    process either.
    """
    questions = {} if ctx.session.grant.limited else ctx.embedder.cache
    asked = {f"question_cache.{name}": questions[name] for name in ("hits", "misses") if name in questions}
    return {
        "latencies": ctx.metrics.latencies(),
        "counters": {**ctx.metrics.counts(), **asked},
        "gauges": {**(_of_store(ctx) if stored else {}), **_of_process(ctx)},
    }


def waiting(ctx: Context) -> int:
    """Return how many records wait to be embedded, 0 where the store cannot be read or is closed meanwhile."""
    try:
        with ctx.store.read() as tx:
            return pending.count(tx)
    except StoreError:
        return 0


def reachable(ctx: Context) -> Standby | None:
    """Check that the store can be read; return how far its server is behind, where that is a standby.

    Raises StoreError if it cannot be read.
    """
    database = shared(ctx.store)
    if database is not None:
        return database.standby()
    with ctx.store.read() as tx:
        settings.find(tx, "nothing")
    return None


def standby(ctx: Context) -> Standby | None:
    """Return how far the server of the store is behind its primary; None where it is a primary, or the store a file."""
    database = shared(ctx.store)
    return None if database is None else database.standby()


def standby_figures(found: Standby) -> dict[str, float]:
    """Return the figures of a standby by name, without the seconds where they are unknown."""
    figures: dict[str, float] = {"connected": int(found.connected), "lag_bytes": found.behind_bytes}
    return figures if found.behind_seconds is None else {**figures, "lag_seconds": round(found.behind_seconds, 3)}


def _is_limited(ctx: Context) -> bool:
    return ctx.session.grant.limited or not ctx.settings.own_machine


def _of_store(ctx: Context) -> dict[str, float]:
    """Return the current sizes of the store and of the caches that follow it."""
    with ctx.store.read() as tx:
        stored = {
            "records": sum(records.count_by_kind(tx).values()),
            "relations": sum(edges.count_by_relation(tx).values()),
            "embedded": sum(model_choice.embedded(tx).values()),
            "pending": pending.count(tx),
        }
    if _is_limited(ctx):
        return {**stored}
    return {**stored, "store_bytes": ctx.store.size(), **_replicated(ctx), **_indexed(ctx)}


def _of_process(ctx: Context) -> dict[str, float]:
    """Return the current figures of this process, without those that the platform does not report."""
    if _is_limited(ctx):
        return {}
    return {
        "question_cache.size": ctx.embedder.cache["size"],
        "uptime_seconds": round(ctx.metrics.uptime, 3),
        "processor_seconds": round(time.process_time(), 3),
        "threads": threading.active_count(),
        **_memory(),
    }


def _replicated(ctx: Context) -> dict[str, float]:
    """Return how far the database's server is behind, where it is a standby."""
    found = standby(ctx)
    return {} if found is None else {f"standby.{name}": value for name, value in standby_figures(found).items()}


def _indexed(ctx: Context) -> dict[str, int]:
    """Return how many records the caches of this process hold; nothing is loaded to count them."""
    sizes = {"words": 0, "sparse": 0, "vectors": 0}
    if ctx.indexes.records.loaded:
        with ctx.store.read() as tx, ctx.indexes.records.current(tx, ctx.embedder.model) as caches:
            sizes["words"] = caches.words.count
            if caches.meaning is not None:
                sizes["sparse"] = caches.meaning.sparse.count
                vectors = caches.meaning.vectors
                sizes["vectors"] = 0 if vectors is None else vectors.slots.count
    return {f"index.{name}": size for name, size in sizes.items()}


def _memory() -> dict[str, int]:
    """Return the resident memory of this process in bytes, now and at its peak."""
    found = {}
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as statm:
            found["memory_bytes"] = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform != "win32":
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        found["memory_peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return found
