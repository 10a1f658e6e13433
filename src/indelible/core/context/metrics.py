"""Metrics of one process: durations of calls, counts, uptime. They are not stored."""

import math
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence

from indelible.sanitize.redact import Finding
from indelible.store.tables.events import Event

RATIO = 1.1  # of a bucket's upper to its lower bound: a percentile is off by 5% at most
PERCENTILES = (50, 95, 99)
MOST_CALLERS = 1_000


class _Durations:
    """A histogram of microseconds; bucket bounds grow by a tenth, so 250 buckets reach from a microsecond to hours."""

    __slots__ = ("_buckets", "_count", "_least", "_most", "_sum")

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self._count = self._sum = self._most = 0
        self._least = sys.maxsize

    def add(self, duration: int) -> None:
        """Count one duration."""
        self._buckets[int(math.log(max(duration, 1), RATIO))] += 1
        self._count += 1
        self._sum += duration
        self._least, self._most = min(self._least, duration), max(self._most, duration)

    def summary(self) -> dict[str, float]:
        """Return `count`, and in milliseconds `mean_ms`, `max_ms` and the percentiles."""
        found = {f"p{percent}_ms": round(self._percentile(percent) / 1000, 4) for percent in PERCENTILES}
        mean = self._sum / self._count / 1000
        return {"count": self._count, "mean_ms": round(mean, 3), **found, "max_ms": self._most / 1000}

    @property
    def total(self) -> float:
        """Return the sum of all durations, in seconds."""
        return self._sum / 1e6

    def _percentile(self, percent: int) -> float:
        """Return the middle of the bucket of the nearest rank, within the least and the greatest duration."""
        left = math.ceil(self._count * percent / 100)
        for bucket in sorted(self._buckets):
            left -= self._buckets[bucket]
            if left <= 0:
                break
        middle = math.exp((bucket + 0.5) * math.log(RATIO))
        return min(max(middle, self._least), self._most)


class Metrics:
    """Durations and counts of one process, or of one caller, since it began. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._durations: dict[str, _Durations] = {}
        self._counts: Counter[str] = Counter()
        self._whole: Metrics | None = None
        self._callers: dict[str, Metrics] = {}  # the last that was asked for stands last

    def part_of(self, whole: "Metrics") -> "Metrics":
        """Count from now on in those of a whole too; returns itself."""
        self._whole = whole
        return self

    def of_caller(self, who: str) -> "Metrics":
        """Return the metrics of one caller, which count in these too; those of the last MOST_CALLERS are kept."""
        with self._lock:
            found = self._callers.pop(who, None) or Metrics().part_of(self)
            self._callers[who] = found
            if len(self._callers) > MOST_CALLERS:
                del self._callers[next(iter(self._callers))]
        return found

    def happened(self, event: Event, redacted: Sequence[Finding]) -> None:
        """Count a finished call, and the secrets redacted in its arguments."""
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
        """Return by tool: how many calls ended, and how long they took in milliseconds."""
        with self._lock:
            return {tool: durations.summary() for tool, durations in sorted(self._durations.items())}

    def totals(self) -> dict[str, float]:
        """Return by tool: the total seconds of its calls."""
        with self._lock:
            return {tool: durations.total for tool, durations in sorted(self._durations.items())}

    def counts(self) -> dict[str, int]:
        """Return `calls` and `errors` in all, by tool and by error code; `redactions`."""
        with self._lock:
            return {"calls": 0, "errors": 0, "redactions": 0, **dict(sorted(self._counts.items()))}
