"""The delivery of a server's spans: as the standard variables of OpenTelemetry say, through its SDK (the extra `otel`).

`OTEL_TRACES_EXPORTER`, or one of the variables of an OTLP endpoint, asks for traces; `OTEL_SDK_DISABLED` and the
exporter `none` do not. Sampling, batches, headers, limits and the name of the service are the SDK's own variables.
"""

import logging
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, cast

from indelible import tracing
from indelible.settings import trace_exporters
from indelible.version import __version__

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

# Imported late (extra): opentelemetry.sdk.resources, opentelemetry.sdk.trace, opentelemetry.sdk.trace.export

log = logging.getLogger("indelible")

FLUSH = 2.0  # seconds at the end of a server in which what is not sent yet may be: a collector may be away
_OTLP = "otlp_proto_http"  # the exporter of the extra


class _Failures(logging.Handler):
    """Takes the failures of exporters from the log: it has the first, until something is delivered again."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.last = False  # whether the last try failed

    def listen(self) -> None:
        """Take what exporters say from now on; it goes nowhere else."""
        exporters = logging.getLogger("opentelemetry.exporter")
        exporters.addHandler(self)
        exporters.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        """Log it, if it is the first."""
        if not self.last:
            self.last = True
            text = f"traces are not delivered, calls go on without: {record.getMessage()}"
            log.warning("traces", extra={"key": "undelivered", "message_text": text})

    def end(self) -> None:
        """Note that something was delivered."""
        if self.last:
            self.last = False
            log.warning("traces", extra={"key": "delivered", "message_text": "traces are delivered again"})


_provider: "TracerProvider | None" = None
_failures = _Failures()


def problem(environ: Mapping[str, str] | None = None) -> str:
    """Return why traces that the environment asks for are not sent, and how to mend it; "" where nothing is wrong."""
    names, asking = trace_exporters(environ)
    installed = _installed() if names else {}
    missing = [name for name in names if name not in installed]
    if not missing:
        return ""
    mend = "run `pip install 'indelible[otel]'`"
    if _OTLP not in missing and installed:
        mend = (
            f"install it, or choose one of {', '.join(sorted(installed))} (OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf)"
        )
    return f"{asking} asks for traces, and none are sent: there is no exporter {missing[0]!r} here; {mend}"


def start() -> None:
    """Send spans from now on, if the environment asks for it; log what is in the way of it. It refuses nothing."""
    global _provider  # noqa: PLW0603 - of the process, as `tracing` is
    if tracing.follow_application() or not (names := trace_exporters()[0]):
        return
    if said := problem():
        log.warning("traces", extra={"key": "missing_extra", "message_text": said})
        return
    try:
        _provider = _made(names)
    except Exception as error:  # noqa: BLE001 - of a package by name: whatever it cannot read, the server serves
        log.warning("traces", extra={"key": "not_started", "message_text": f"no traces are sent: {error}"})
        return
    tracing.start(_provider)


def finish() -> None:
    """Send what is not sent yet, for FLUSH seconds at most, and make no more spans. Done twice it does no harm.

    Where the last try failed nothing is waited for.
    """
    global _provider  # noqa: PLW0603 - as above
    if _provider is None:
        return
    tracing.stop()
    ending = threading.Thread(target=_provider.shutdown, name="indelible-traces", daemon=True)
    _provider = None
    ending.start()
    ending.join(0 if _failures.last else FLUSH)


def _installed() -> dict[str, EntryPoint]:
    return {each.name: each for each in entry_points(group="opentelemetry_traces_exporter")}


def _made(names: Sequence[str]) -> "TracerProvider":
    """Return a provider that sends to these exporters, each by its own variables. Raises what they raise."""
    from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    resource = Resource.create()
    if str(resource.attributes[SERVICE_NAME]).startswith("unknown_service"):
        resource = resource.merge(Resource({SERVICE_NAME: "indelible", SERVICE_VERSION: __version__}))
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)  # which waits for a collector that is away
    installed = _installed()
    _failures.listen()
    for name in names:
        make = installed[name].load()
        exporter = make(out=sys.stderr) if name == "console" else make()  # over stdio the other one is the client's
        provider.add_span_processor(BatchSpanProcessor(cast("SpanExporter", _Exporter(exporter))))
    return provider


class _Exporter:
    """Another exporter, whose successes end a series of failures."""

    def __init__(self, exporter: "SpanExporter") -> None:
        self._exporter = exporter

    def export(self, spans: "Sequence[ReadableSpan]") -> "SpanExportResult":
        """See SpanExporter."""
        result = self._exporter.export(spans)
        if result.name == "SUCCESS":
            _failures.end()
        return result

    def shutdown(self) -> None:
        """See SpanExporter."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """See SpanExporter."""
        return self._exporter.force_flush(timeout_millis)
