"""What a process counts about itself: how long its calls take, what it did, how large it is. Nothing of it is kept."""

import math
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from indelible.redact import Finding
from indelible.store import edges, embeddings, pending, records, settings
from indelible.store.events import Event

if TYPE_CHECKING:
    from indelible.engine.context import Context

RATIO = 1.1  # of a bucket's upper to its lower bound: a percentile is off by 5% at most
PERCENTILES = (50, 95, 99)


class _Durations:
    """Microseconds in buckets that grow by a tenth each: 250 of them reach from a microsecond to hours."""

    __slots__ = ("_buckets", "_count", "_least", "_most", "_sum")

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self._count = self._sum = self._most = 0
        self._least = sys.maxsize

    def add(self, duration: int) -> None:
        """Count one."""
        self._buckets[int(math.log(max(duration, 1), RATIO))] += 1
        self._count += 1
        self._sum += duration
        self._least, self._most = min(self._least, duration), max(self._most, duration)

    def summary(self) -> dict[str, float]:
        """`count`, and in milliseconds `mean_ms`, `max_ms` and the percentiles."""
        found = {f"p{percent}_ms": round(self._percentile(percent) / 1000, 4) for percent in PERCENTILES}
        mean = self._sum / self._count / 1000
        return {"count": self._count, "mean_ms": round(mean, 3), **found, "max_ms": self._most / 1000}

    @property
    def total(self) -> float:
        """All of them together, in seconds."""
        return self._sum / 1e6

    def _percentile(self, percent: int) -> float:
        """The middle of the bucket of the nearest rank, within what there was."""
        left = math.ceil(self._count * percent / 100)
        for bucket in sorted(self._buckets):
            left -= self._buckets[bucket]
            if left <= 0:
                break
        middle = math.exp((bucket + 0.5) * math.log(RATIO))
        return min(max(middle, self._least), self._most)


class Metrics:
    """Durations and counts of one process since it began. Safe to share between threads; of a fixed size a tool."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._durations: dict[str, _Durations] = {}
        self._counts: Counter[str] = Counter()
        self._whole: Metrics | None = None

    def part_of(self, whole: "Metrics") -> "Metrics":
        """These of one caller, from now on counted among those of the whole process too."""
        self._whole = whole
        return self

    def happened(self, event: Event, redacted: Sequence[Finding]) -> None:
        """Count a call that ended, and the secrets that were taken out of its arguments."""
        secrets = sum(finding.count for finding in redacted)
        with self._lock:
            self._durations.setdefault(event.tool, _Durations()).add(event.duration)
            self._counts.update(("calls", f"calls.{event.tool}"))
            if event.outcome != "ok":
                self._counts.update(("errors", f"errors.{event.outcome}"))
            self._counts["redactions"] += secrets
        if self._whole is not None:
            self._whole.happened(event, redacted)

    @property
    def uptime(self) -> float:
        """Seconds since the process opened the store."""
        return time.monotonic() - self._began

    def latencies(self) -> dict[str, dict[str, float]]:
        """By tool: how many calls ended, and how long they took in milliseconds."""
        with self._lock:
            return {tool: durations.summary() for tool, durations in sorted(self._durations.items())}

    def totals(self) -> dict[str, float]:
        """By tool: the seconds that all its calls took together."""
        with self._lock:
            return {tool: durations.total for tool, durations in sorted(self._durations.items())}

    def counts(self) -> dict[str, int]:
        """`calls` and `errors` in all, by tool and by error code; `redactions`."""
        with self._lock:
            return {"calls": 0, "errors": 0, "redactions": 0, **dict(sorted(self._counts.items()))}


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
