"""The metrics of a server in the text format of Prometheus: names of tools and numbers, no stored text."""

from collections.abc import Iterable, Mapping, Sequence

from indelible.core.context.context import Context
from indelible.core.context.metrics import PERCENTILES
from indelible.dataclass import dataclass
from indelible.server.http.middleware import Traffic
from indelible.toolsets.memory import diagnostics

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

# The gauges of `metrics.measured`, by the names that dashboards know.
_GAUGES = {
    "records": ("indelible_records", "Records in the store, of all kinds"),
    "relations": ("indelible_relations", "Relations in the store"),
    "embedded": ("indelible_records_embedded", "Records with vectors"),
    "pending": ("indelible_records_pending", "Records that wait to be embedded, of all tenants that are open"),
    "store_bytes": ("indelible_store_bytes", "Size of the store on disk"),
    "standby.connected": ("indelible_standby_connected", "Whether the standby behind this server hears its primary"),
    "standby.lag_seconds": ("indelible_standby_lag_seconds", "Age of what the standby replayed last, 0 if up to date"),
    "standby.lag_bytes": ("indelible_standby_lag_bytes", "Log that the standby has received and not replayed"),
    "index.words": ("indelible_index_words_records", "Records in this process's index of words"),
    "index.sparse": ("indelible_index_sparse_records", "Records in this process's index of sparse terms"),
    "index.vectors": ("indelible_index_vectors", "Vectors in this process's index"),
    "question_cache.size": ("indelible_question_cache_entries", "Embedded questions that are kept"),
    "uptime_seconds": ("indelible_uptime_seconds", "Seconds since this server opened the store"),
    "threads": ("indelible_threads", "Threads of this server"),
    "memory_bytes": ("process_resident_memory_bytes", "Resident memory of this server"),
    "memory_peak_bytes": ("indelible_memory_peak_bytes", "The most resident memory that this server had"),
}
_COUNTERS = {
    "redactions": ("indelible_redactions_total", "Secrets taken out of arguments"),
    "question_cache.hits": ("indelible_question_cache_hits_total", "Questions whose embedding was kept"),
    "question_cache.misses": ("indelible_question_cache_misses_total", "Questions that had to be embedded"),
}


@dataclass(frozen=True, slots=True)
class _Sample:
    """One value, with its labels; `suffix` follows the name of its family."""

    value: float
    labels: Mapping[str, str]
    suffix: str = ""


def text(ctx: Context, traffic: Traffic, others: Sequence[Context] = (), *, readable: bool = True) -> str:
    """Everything that is counted. `others` are the tenants that are open beside the server's own; of them is counted
    what waits to be embedded, since nobody else says that their encoder is away.

    The store is read, unless it is known that it cannot be (`readable`): then its figures are missing.
    """
    found = diagnostics.measured(ctx, stored=readable)
    if readable:
        found["gauges"]["pending"] += sum(diagnostics.waiting(other) for other in others)
    counters, gauges, latencies = found["counters"], found["gauges"], found["latencies"]
    parts = [
        _family("indelible_store_up", "gauge", "Whether the store can be read", [_Sample(int(readable), {})]),
        _family("indelible_calls_total", "counter", "Calls that ended, by tool", _labelled(counters, "calls", "tool")),
        _family("indelible_errors_total", "counter", "Failed calls, by code", _labelled(counters, "errors", "code")),
        _family("indelible_call_seconds", "summary", "How long calls took", _summary(latencies, ctx.metrics.totals())),
        _requests(traffic),
        _family(
            "indelible_http_requests_in_progress",
            "gauge",
            "HTTP requests that run now",
            [_Sample(traffic.in_progress, {})],
        ),
        _family("indelible_tenants_open", "gauge", "Other tenants that are served now", [_Sample(len(others), {})]),
        _family(
            "process_cpu_seconds_total",
            "counter",
            "Processor time of this server",
            [_Sample(gauges["processor_seconds"], {})],
        ),
    ]
    for kind, known, values in (("counter", _COUNTERS, counters), ("gauge", _GAUGES, gauges)):
        for name, (shown, help_text) in known.items():
            if name in values:
                parts.append(_family(shown, kind, help_text, [_Sample(values[name], {})]))
    return "".join(parts)


def _labelled(counters: Mapping[str, float], of: str, label: str) -> Iterable[_Sample]:
    prefix = f"{of}."
    for name, value in counters.items():
        if name.startswith(prefix):
            yield _Sample(value, {label: name.removeprefix(prefix)})


def _summary(latencies: Mapping[str, Mapping[str, float]], totals: Mapping[str, float]) -> Iterable[_Sample]:
    for tool, found in latencies.items():
        for percent in PERCENTILES:
            yield _Sample(found[f"p{percent}_ms"] / 1000, {"tool": tool, "quantile": f"{percent / 100:g}"})
        yield _Sample(totals[tool], {"tool": tool}, "_sum")
        yield _Sample(found["count"], {"tool": tool}, "_count")


def _requests(traffic: Traffic) -> str:
    samples = [
        _Sample(count, {"route": route, "status": str(status)})
        for (route, status), count in sorted(traffic.answered.items())
    ]
    return _family("indelible_http_requests_total", "counter", "HTTP requests, by route and status", samples)


def _family(name: str, kind: str, help_text: str, samples: Iterable[_Sample]) -> str:
    lines = [f"# HELP {name} {help_text}.", f"# TYPE {name} {kind}"]
    for sample in samples:
        labels = ",".join(f'{label}="{_escaped(value)}"' for label, value in sample.labels.items())
        lines.append(f"{name}{sample.suffix}{f'{{{labels}}}' if labels else ''} {sample.value!r}")
    return "\n".join(lines) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
