"""Spans in one process: of a program that traces itself, of calls beside each other, and none where nobody traces."""

import threading

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from http_server import PATIENCE
from indelible import tracing
from indelible.api import open_memory
from indelible.errors import NotFound
from indelible.store.sqlite.database import READERS
from indelible.store.traced import TracedTransaction

UNKNOWN = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"


@pytest.fixture
def application(monkeypatch):
    """The provider of a program that has set up OpenTelemetry, and what it exports."""
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)  # which can be set once a process
    yield provider.get_tracer("the program"), exporter
    tracing.stop()


def test_calls_of_a_program_that_traces_are_parts_of_its_spans(application, tmp_path):
    tracer, exporter = application
    with open_memory(tmp_path / "data") as memory, tracer.start_as_current_span("request") as request:
        memory.store_memory(content="axum was chosen")
        with pytest.raises(NotFound):
            memory.update_memory(id=UNKNOWN, content="actix")
    calls = {span.name: span for span in exporter.get_finished_spans() if span.name.startswith("execute_tool ")}
    assert list(calls) == ["execute_tool store_memory", "execute_tool update_memory"]
    for call in calls.values():
        assert call.parent.span_id == request.get_span_context().span_id
        assert call.kind is trace.SpanKind.INTERNAL
        assert call.attributes["indelible.toolset"] == "memory"
    failed = calls["execute_tool update_memory"]
    assert (failed.attributes["error.type"], failed.status.description, failed.events) == ("not_found", None, ())


def test_writes_that_are_committed_together_stay_apart(application, tmp_path):
    """The writer's one thread runs them."""
    _, exporter = application
    with open_memory(tmp_path / "data") as memory:
        begun = threading.Barrier(4)

        def store(number):
            begun.wait()
            memory.store_memory(content=f"fact number {number}")

        threads = [threading.Thread(target=store, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    spans = exporter.get_finished_spans()
    roots = [span.context.trace_id for span in spans if span.name == "execute_tool store_memory"]
    inserts = [span.context.trace_id for span in spans if span.name == "records.insert"]
    assert len(set(roots)) == 4
    assert sorted(inserts) == sorted(roots)


def test_statements_are_noted_where_a_call_is_recorded_only(application, open_store):
    tracer, _ = application
    store = open_store().context.store
    assert tracing.follow_application()
    with store.read() as tx:
        assert not isinstance(tx, TracedTransaction)
    with tracer.start_as_current_span("request"), store.read() as tx:
        assert isinstance(tx, TracedTransaction)
    tracing.stop()
    with tracer.start_as_current_span("request"), store.read() as tx:
        assert not isinstance(tx, TracedTransaction)


class Begun(SpanProcessor):
    """Says when a span of a name begins."""

    def __init__(self, name):
        self.name, self.event = name, threading.Event()

    def on_start(self, span, parent_context=None):
        if span.name == self.name:
            self.event.set()


def test_a_wait_for_a_connection_is_a_span(application, open_store):
    """All that read are in use, by threads that nobody traces; a reader more waits until one is given back."""
    tracer, exporter = application
    waits = Begun("wait for connection")
    trace.get_tracer_provider().add_span_processor(waits)
    store = open_store().context.store
    assert tracing.follow_application()
    reading, may_end = threading.Barrier(READERS + 1), threading.Event()

    def hold():
        with store.read():
            reading.wait(PATIENCE)
            assert may_end.wait(PATIENCE)

    def read():
        with tracer.start_as_current_span("request"), store.read():
            pass

    threads = [threading.Thread(target=hold) for _ in range(READERS)]
    for thread in threads:
        thread.start()
    reading.wait(PATIENCE)
    threads.append(threading.Thread(target=read))
    threads[-1].start()
    assert waits.event.wait(PATIENCE)
    may_end.set()
    for thread in threads:
        thread.join()
    read()
    spans = exporter.get_finished_spans()
    requests = [span for span in spans if span.name == "request"]
    (wait,) = [span for span in spans if span.name == waits.name]
    assert wait.parent.span_id == requests[0].context.span_id
    assert set(wait.attributes) == {"db.system.name"}
    assert len(requests) == 2, "the second one waited for nobody"


def test_a_call_has_a_bounded_number_of_parts(application, tmp_path, monkeypatch):
    _, exporter = application
    monkeypatch.setattr(tracing, "MOST_PARTS", 4)
    with open_memory(tmp_path / "data") as memory:
        memory.store_memory(content="axum was chosen")
        memory.codemem_health()
    calls = {span.name: span for span in exporter.get_finished_spans() if span.name.startswith("execute_tool ")}
    for call in calls.values():
        parts = [span for span in exporter.get_finished_spans() if span.context.trace_id == call.context.trace_id]
        assert len(parts) == 1 + 4
        assert call.attributes["indelible.parts_left_out"] is True


def test_a_program_that_does_not_trace_is_not_followed(tmp_path):
    with open_memory(tmp_path / "data"):
        assert not tracing.is_on()
    assert tracing.outgoing() == {}
