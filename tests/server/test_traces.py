"""Traces of OpenTelemetry: what a collector gets of a server over each transport, and what one without it does."""

import json
import os
import socket
import subprocess
import sys

import pytest
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, use_span

import encoders
import on_postgres
from collector import Collector
from command_line import indelible
from http_server import MCP, HttpServer
from indelible import tracing
from indelible.client.client import Client
from indelible.server import traces
from mcp_client import McpClient, environment

SECRETS = ("Zanzibar", "heliotrope", "quokka")  # in texts of the user
TRACE, OTHER, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"
SYSTEM = "postgresql" if on_postgres.is_chosen() else "sqlite"


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    """A server with one memory, which is embedded, and the collector of its traces."""
    data = tmp_path_factory.mktemp("traced") / "data"
    with (
        encoders.running(),
        Collector() as collector,
        HttpServer(data, env={**collector.environment, **encoders.SHARED}) as server,
    ):
        server.call("store_memory", {"content": "Zanzibar keeps its heliotrope in a router"})
        collector.root("embed records")
        yield server, collector
        assert [body for body in collector.bodies for word in SECRETS if word.encode() in body] == []


@pytest.mark.process
def test_a_recall_is_one_trace_down_to_each_statement_and_to_the_encoder(traced):
    server, collector = traced
    assert server.call("recall_memory", {"query": "where is the heliotrope?"}, X_Request_Id="r-1") != []
    root = collector.root("execute_tool recall_memory", lambda span: span.attributes["indelible.request.id"] == "r-1")
    assert (root.parent, root.kind, root.service, root.failed) == ("", "server", "indelible", False)
    assert dict(root.attributes) == {
        "network.transport": "tcp",
        "network.protocol.name": "http",
        "rpc.system.name": "jsonrpc",
        "indelible.request.id": "r-1",
        "indelible.toolset": "memory",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "recall_memory",
    }
    below = collector.under(root)
    assert {(span.trace, span.kind) for span in below} == {(root.trace, "client")}
    statements = [span for span in below if "db.system.name" in span.attributes]
    assert {span.attributes["db.system.name"] for span in statements} == {SYSTEM}
    found = next(span for span in statements if span.name == "records.with_access")
    assert found.attributes["db.query.summary"] == "records.with_access"
    assert found.attributes["db.operation.name"] == "SELECT"
    assert "FROM record" in found.attributes["db.query.text"]
    assert found.attributes["db.response.returned_rows"] >= 1
    (encoded,) = [span for span in below if span.name == "embeddings"]
    assert encoded.parent == root.id
    assert encoded.attributes["gen_ai.request.model"].startswith("minilm")
    assert encoded.attributes["indelible.encoder.texts"] == 1
    assert encoded.failed or encoded.attributes["indelible.encoder.windows"] == 1  # the first where the machine is busy
    assert "indelible.encoder.waited" in encoded.attributes


@pytest.mark.process
def test_a_write_shows_its_transaction_and_what_follows_it_is_a_trace_of_its_own(traced):
    server, collector = traced
    server.call("store_memory", {"content": "a quokka is no router"}, X_Request_Id="w-1")
    root = collector.root("execute_tool store_memory", lambda span: span.attributes["indelible.request.id"] == "w-1")
    below = collector.under(root)
    (transaction,) = [span for span in below if span.name == "write transaction"]
    assert transaction.parent == root.id
    (insert,) = [span for span in below if span.name == "records.insert"]
    assert insert.parent == transaction.id
    embedding = collector.root("embed records", lambda span: span.trace != root.trace)
    assert embedding.parent == ""
    assert {"embeddings", "write transaction"} <= {span.name for span in collector.under(embedding)}


@pytest.mark.process
def test_a_call_takes_over_the_trace_of_its_request_and_of_its_message_before_that(traced):
    server, collector = traced
    given = {"traceparent": f"00-{TRACE}-{SPAN}-01"}
    assert server.call("codemem_stats", **given, X_Request_Id="p-1")
    root = collector.root("execute_tool codemem_stats", lambda span: span.attributes["indelible.request.id"] == "p-1")
    assert (root.trace, root.parent, root.links) == (TRACE, SPAN, [])

    meta = {"traceparent": f"00-{OTHER}-{SPAN}-01"}
    params = {"name": "codemem_stats", "arguments": {}, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).encode()
    assert server.request("POST", "/mcp", body, {**MCP, **given}).status == 200
    called = collector.root("tools/call codemem_stats")
    assert (called.trace, called.parent, called.links, called.kind) == (OTHER, SPAN, [TRACE], "server")
    assert called.attributes["mcp.method.name"] == "tools/call"
    assert called.attributes["jsonrpc.request.id"] == "7"
    assert called.attributes["network.protocol.name"] == "http"


@pytest.mark.process
def test_the_client_hands_on_the_trace_of_the_program_around_it(traced, tmp_path):
    server, collector = traced
    around = SpanContext(int(TRACE, 16), int(SPAN, 16), is_remote=False, trace_flags=TraceFlags(1))
    with Client.http(server.url, data=tmp_path / "client") as client, use_span(NonRecordingSpan(around)):
        client.call("list_namespaces")
    root = collector.root("execute_tool list_namespaces")
    assert (root.trace, root.parent) == (TRACE, SPAN)


@pytest.mark.process
def test_a_trace_that_is_not_sampled_is_not_recorded(traced):
    server, collector = traced
    server.call("codemem_health", traceparent=f"00-{TRACE}-{SPAN}-00")
    server.call("codemem_health", X_Request_Id="s-2")
    last = collector.root("execute_tool codemem_health")
    assert last.attributes["indelible.request.id"] == "s-2"


@pytest.mark.process
def test_a_malformed_trace_is_none(traced):
    server, collector = traced
    params = {"name": "pattern_insights", "arguments": {}, "_meta": {"traceparent": 7}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    assert server.request("POST", "/mcp", body, {**MCP, "traceparent": "quokka"}).status == 200
    assert collector.root("tools/call pattern_insights").parent == ""


@pytest.mark.process
def test_a_call_that_fails_says_its_code_and_no_words(traced):
    server, collector = traced
    body = {"jsonrpc": "2.0", "id": 1, "method": "update_memory", "params": {"id": "quokka", "content": "x"}}
    assert "quokka" in server.post("/jsonrpc", body).message
    root = collector.root("execute_tool update_memory")
    assert (root.failed, root.attributes["error.type"], root.message) == (True, "not_found", "")


@pytest.mark.process
def test_over_stdio_what_is_not_sent_yet_is_sent_at_the_end(tmp_path):
    with Collector() as collector:
        slowly = {**collector.environment, "OTEL_BSP_SCHEDULE_DELAY": "3600000", "OTEL_SERVICE_NAME": "mine"}
        with McpClient(tmp_path / "data", env=slowly) as client:
            client.call("recall_memory", {"query": "anything"})
            assert collector.bodies == []
        root = collector.root("tools/call recall_memory")
    assert root.attributes["network.transport"] == "pipe"
    assert root.service == "mine"
    assert "recall.opening" in {span.name for span in collector.under(root)}


@pytest.mark.process
def test_without_a_collector_calls_are_answered_and_the_log_says_it_once(tmp_path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        env = {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_BSP_SCHEDULE_DELAY": "20"}
        with HttpServer(tmp_path / "data", env=env) as server:
            for _ in range(3):
                assert server.call("recall_memory", {"query": "anything"}) == []
        said = [json.loads(line) for line in server.stderr.splitlines() if line.startswith("{")]
    assert [(line["event"], line["key"]) for line in said] == [("traces", "undelivered")]
    assert url.removeprefix("http://127.0.0.1:") in said[0]["message_text"]


LOADED = """
import sys
from indelible.cli.main import main
code = main(sys.argv[1:])
print(*sorted(each for each in sys.modules if each.startswith("opentelemetry.")), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.process
def test_a_server_without_traces_loads_nothing_for_them(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", LOADED, "serve", "--data", str(tmp_path / "data")],
        stdin=subprocess.DEVNULL,
        env=environment({"OTEL_TRACES_EXPORTER": "nowhere"}),  # asked for and not there, which is said
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    said, loaded = ran.stderr.splitlines()
    assert json.loads(said)["key"] == "missing_extra"
    assert "there is no exporter 'nowhere' here" in said
    assert [name for name in loaded.split() if name.startswith(("opentelemetry.sdk", "opentelemetry.exporter"))] == []


@pytest.mark.parametrize("variables", [{}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "true"}])
def test_without_the_variables_nothing_is_traced(variables, monkeypatch):
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    traces.start()
    assert not tracing.is_on()


@pytest.mark.process
def test_doctor_says_which_exporter_is_missing(tmp_path):
    ran = indelible("doctor", data=tmp_path / "data", env={"OTEL_TRACES_EXPORTER": "nowhere"})
    assert (
        "OTEL_TRACES_EXPORTER asks for traces, and none are sent: there is no exporter 'nowhere'" in ran.stdout.decode()
    )


ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, ""),
        (ENDPOINT, ""),
        ({"OTEL_TRACES_EXPORTER": "otlp, console"}, ""),
        ({**ENDPOINT, "OTEL_TRACES_EXPORTER": "none"}, ""),
        ({**ENDPOINT, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_SDK_DISABLED": "True"}, ""),
        ({**ENDPOINT, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"}, "no exporter 'otlp over http/json'"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "x", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "'otlp_proto_grpc'"),
        (
            {"OTEL_TRACES_EXPORTER": "console,zipkin"},
            "no exporter 'zipkin' here; install it, or choose one of console,",
        ),
    ],
)
def test_the_standard_variables_ask_for_an_exporter(environ, said):
    found = traces.problem(environ)
    assert said in found
    assert bool(said) == bool(found)


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setattr(traces, "entry_points", lambda group: [])  # as where nothing of OpenTelemetry is installed
    assert traces.problem(ENDPOINT) == (
        "OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, and none are sent: there is no exporter 'otlp_proto_http' here; "
        "run `pip install 'indelible[otel]'`"
    )
