"""Figures of the running server for `memory_stats` and the metrics page."""

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from indelible.store.tables import edges, embeddings, pending, records, settings

if TYPE_CHECKING:
    from indelible.core.context.context import Context


def measured(ctx: "Context") -> dict[str, Any]:
    """`latencies` by tool in milliseconds and `counters` since this process opened the store, `gauges` as of now.

    Who is limited to namespaces gets those of its own calls, and nothing of the process; of that another tenant than
    the server's own gets nothing either.
    """
    questions = {} if ctx.grant.limited else ctx.embedder.cache
    asked = {f"question_cache.{name}": questions[name] for name in ("hits", "misses") if name in questions}
    return {
        "latencies": ctx.metrics.latencies(),
        "counters": {**ctx.metrics.counts(), **asked},
        "gauges": _gauges(ctx),
    }


def reachable(ctx: "Context") -> None:
    """Read a little of the store. Raises StoreError where that cannot be."""
    with ctx.store.read() as tx:
        settings.find(tx, ctx.tenant, "nothing")


def _gauges(ctx: "Context") -> dict[str, float]:
    """How large the store and this process are now. What the platform does not tell is left out."""
    with ctx.store.read() as tx:
        stored = {
            "records": sum(records.count_by_kind(tx, ctx.tenant).values()),
            "relations": sum(edges.count_by_relation(tx, ctx.tenant).values()),
            "embedded": sum(embeddings.count_by_model(tx, ctx.tenant).values()),
            "pending": pending.count(tx, ctx.tenant),
        }
    if ctx.grant.limited or not ctx.own_machine:
        return {**stored}
    return {
        **stored,
        "store_bytes": ctx.store.size(),
        **_indexed(ctx),
        "question_cache.size": ctx.embedder.cache["size"],
        "uptime_seconds": round(ctx.metrics.uptime, 3),
        "processor_seconds": round(time.process_time(), 3),
        "threads": threading.active_count(),
        **_memory(),
    }


def _indexed(ctx: "Context") -> dict[str, int]:
    """Records in the caches of this process; nothing is loaded to count it."""
    sizes = {"words": 0, "sparse": 0, "vectors": 0}
    if ctx.index.loaded:
        with ctx.store.read() as tx, ctx.index.current(tx, ctx.embedder.model) as caches:
            sizes["words"] = caches.words.count
            if caches.meaning is not None:
                sizes["sparse"] = caches.meaning.sparse.count
                vectors = caches.meaning.vectors
                sizes["vectors"] = 0 if vectors is None else vectors.slots.count
    return {f"index.{name}": size for name, size in sizes.items()}


def _memory() -> dict[str, int]:
    """Bytes that this process has in memory, and the most that it had."""
    found = {}
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as statm:
            found["memory_bytes"] = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform != "win32":
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        found["memory_peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return found
