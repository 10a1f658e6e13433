"""A collector of OpenTelemetry for tests: an HTTP server that takes traces as OTLP/HTTP sends them.

    with Collector() as collector, HttpServer(data, env=collector.environment) as server:
        ...
        root = collector.root("tools/call recall_memory")
        children = collector.under(root)

A span is sent after its parts have ended, so when a root is here, all that was recorded below it is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1 import trace_pb2

PATIENCE = 50.0  # seconds: below pytest's own limit


class Span(NamedTuple):
    """A span as it came; ids in hexadecimal, the parent "" where there is none."""

    name: str
    kind: str
    trace: str
    id: str
    parent: str
    attributes: Mapping[str, Any]
    failed: bool
    message: str
    links: list[str]
    service: str


class Collector:
    """A server on a free port, from `with` on."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self._spans: list[Span] = []
        self._news = threading.Condition()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                collector._take(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which a process sends its traces here, soon."""
        url = f"http://127.0.0.1:{self._server.server_port}"
        return {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_BSP_SCHEDULE_DELAY": "20"}

    def root(self, name: str, having: Callable[[Span], bool] = lambda _: True) -> Span:
        """The first span of that name for which `having` holds; waits for it."""

        def found() -> Span | None:
            return next((span for span in self._spans if span.name == name and having(span)), None)

        with self._news:
            span = self._news.wait_for(found, PATIENCE)
        assert span is not None, f"no {name} came, but {[span.name for span in self._spans]}"
        return span

    def under(self, root: Span) -> list[Span]:
        """The spans below one, at any depth, in the order in which they ended."""
        with self._news:
            spans = list(self._spans)
        ids = {root.id}
        while more := {span.id for span in spans if span.parent in ids} - ids:
            ids |= more
        return [span for span in spans if span.parent in ids]

    def _take(self, body: bytes) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        with self._news:
            self.bodies.append(body)
            for resource in request.resource_spans:
                service = _values(resource.resource.attributes)["service.name"]
                self._spans += [_span(each, service) for scope in resource.scope_spans for each in scope.spans]
            self._news.notify_all()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


def _span(span: trace_pb2.Span, service: str) -> Span:
    return Span(
        name=span.name,
        kind=trace_pb2.Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_").lower(),
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        attributes=_values(span.attributes),
        failed=span.status.code == trace_pb2.Status.STATUS_CODE_ERROR,
        message=span.status.message,
        links=[link.trace_id.hex() for link in span.links],
        service=service,
    )


def _values(attributes: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}
