"""The door of the HTTP server: what is not let in, over real connections."""

import json
import re
import select
import socket
from pathlib import Path

import pytest

from http_server import JSON, MCP, HttpServer, ask
from indelible.server.http.middleware import DEEPEST, LARGEST

pytestmark = pytest.mark.process

HEAD = b"POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ROUTES = [
    ("POST", "/mcp"),
    ("POST", "/jsonrpc"),
    ("POST", "/p/shop/mcp"),
    ("POST", "/p/shop/jsonrpc"),
    ("GET", "/health"),
    ("GET", "/metrics"),
    ("GET", "/nothing"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    data = tmp_path_factory.mktemp("door") / "data"
    with HttpServer(data, env={"INDELIBLE_HTTP_PATIENCE": "1"}) as server:
        yield server


def asked(server, method, path, headers):
    body = json.dumps(PING).encode() if method == "POST" else None
    return server.request(method, path, body, {**(MCP if method == "POST" else {}), **headers})


# --- Names ---


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "localhost:x", ""]
)
def test_another_server_s_name_is_refused_on_every_route(server, method, path, host):
    answer = asked(server, method, path, {"Host": host})
    assert answer.status == 421
    assert "--allowed-host" in answer.message


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost.evil.example", "file://", "localhost"]
)
def test_another_site_s_page_is_refused_on_every_route(server, method, path, origin):
    answer = asked(server, method, path, {"Origin": origin})
    assert answer.status == 403
    assert "Origin" in answer.message
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:5050", "127.0.0.1:1", "[::1]:5050", "localhost."])
def test_the_names_of_this_server_are_answered(server, host):
    assert asked(server, "POST", "/jsonrpc", {"Host": host}).status == 200


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_a_page_of_this_machine_is_this_server_s_only_at_its_own_port(server, host):
    assert asked(server, "POST", "/jsonrpc", {"Origin": f"http://{host}:{server.port}"}).status == 200
    for other in (f"http://{host}:{server.port + 1}", f"http://{host}", f"https://{host}"):
        assert asked(server, "POST", "/jsonrpc", {"Origin": other}).status == 403


TWICE = [
    b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n",
    b"Content-Type: text/plain\r\n",
    b"Origin: http://localhost\r\nOrigin: http://localhost\r\n",
    b"X-Indelible-Project: a\r\nx-indelible-project: b\r\n",
    b"Idempotency-Key: a\r\nIdempotency-Key: b\r\n",
    b"Transfer-Encoding: chunked\r\n",
]


@pytest.mark.parametrize("header", TWICE)
def test_what_a_proxy_may_read_in_another_way_is_refused(server, header):
    head = HEAD.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n" + header + b"\r\n")
    body = b"2\r\n{}\r\n0\r\n\r\n" if header.startswith(b"Transfer") else b"{}"
    with socket.create_connection((server.host, server.port)) as connection:
        connection.sendall(head % 2 + body)
        said = connection.makefile("rb").read()
    assert said.startswith(b"HTTP/1.1 400 ")
    assert b"twice" in said or b"not both" in said


def test_a_browser_is_not_allowed_to_ask_for_another_site(server):
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    assert server.request("OPTIONS", "/jsonrpc", None, headers).status == 403
    answer = server.request("OPTIONS", "/jsonrpc")
    assert answer.status == 405
    assert not any(name.startswith("access-control") for name in answer.headers)


# --- Bodies ---


@pytest.mark.parametrize("path", ["/mcp", "/jsonrpc"])
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/json; charset=utf-16", "text/json"]
)
def test_what_is_not_json_is_refused(server, path, kind):
    answer = server.request("POST", path, json.dumps(PING).encode(), {**MCP, "Content-Type": kind})
    assert answer.status == 415
    assert "application/json" in answer.message


def test_json_in_utf_8_is_taken_however_it_says_so(server):
    kind = {"Content-Type": 'Application/JSON; charset="UTF-8"'}
    assert server.post("/jsonrpc", PING, kind).json["result"] == {}


@pytest.mark.parametrize("path", ["/mcp", "/jsonrpc"])
def test_a_body_that_is_too_large_is_refused_before_it_is_read(server, path):
    answer = server.request("POST", path, b" " * (LARGEST + 1), MCP)
    assert answer.status == 413
    assert f"at most {LARGEST:,}" in answer.message


def test_a_body_that_grows_too_large_on_its_way_is_refused(server):
    chunks = [b" " * (1 << 20)] * 5
    with socket.create_connection((server.host, server.port)) as connection:
        connection.sendall(
            b"POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for chunk in chunks:
            connection.sendall(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        connection.sendall(b"0\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 413 ")


def test_a_body_as_large_as_is_allowed_is_taken(server):
    text = "word " * ((LARGEST - 200) // 5)
    said = server.post("/jsonrpc", {"jsonrpc": "2.0", "id": 1, "method": "store_memory", "params": {"content": text}})
    assert said.json["error"]["code"] == -32602  # over 1 MiB, which is another limit
    assert "split it into parts" in said.message


@pytest.mark.parametrize("path", ["/mcp", "/jsonrpc"])
@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("depth", [DEEPEST + 1, 100_000])
def test_deep_json_is_refused_before_it_is_parsed(server, path, opening, depth):
    closing = b"]" if opening == b"[" else b"}"
    deep = opening * depth + b"1" + closing * depth
    request = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall_memory","arguments":%s}}'
    answer = server.request("POST", path, request % deep, MCP)
    assert answer.status == 400
    assert f"deeper than {DEEPEST} levels" in answer.message


def test_brackets_in_a_text_are_no_depth(server):
    stored = server.call("store_memory", {"content": "[[[{{{" * 500})
    assert stored["status"] == "stored"


def test_arguments_that_are_deep_and_parsed_are_refused_by_their_own_limit(server):
    answer = server.post(
        "/jsonrpc",
        b'{"jsonrpc":"2.0","id":1,"method":"recall_memory","params":{"query":' + b"[" * 100 + b"]" * 100 + b"}}",
    )
    assert answer.json["error"]["code"] == -32602
    assert "query is nested deeper than 64 levels" in answer.message


def test_a_batch_of_ten_thousand_is_refused_and_nothing_of_it_is_done(server):
    one = {"jsonrpc": "2.0", "id": 1, "method": "store_memory", "params": {"content": "Rutabaga"}}
    answer = server.post("/jsonrpc", [one] * 10_000)
    assert answer.status == 413
    assert "the batch has 10,000 requests, at most 100" in answer.message
    assert server.call("recall_memory", {"query": "rutabaga"}) == []


# --- Routes ---


@pytest.mark.parametrize("name", ["../../../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd"])
def test_a_document_that_is_called_like_a_file_has_nothing_to_do_with_it(server, name):
    asked = {"documents": [{"id": name}], "max_tokens": 1000}
    unknown = server.call("build_context", asked)
    assert (unknown["success"], "root:" in str(unknown)) == (False, False)
    before = Path("/etc/passwd").read_bytes()
    server.call("store_memory", {"content": f"Foxglove, not {name}", "file_name": name})
    assert server.call("build_context", asked)["context"].endswith(f"Foxglove, not {name}")
    assert Path("/etc/passwd").read_bytes() == before


def test_what_is_not_there_names_what_is(server):
    answer = server.get("/nowhere")
    assert answer.status == 404
    assert "/mcp" in answer.message
    assert server.get("/jsonrpc").status == 405
    assert server.request("DELETE", "/mcp", None, MCP).status == 405
    assert server.get("/mcp", {"Accept": "text/event-stream"}).headers["allow"] == "POST"


# --- Slow ---


def test_who_does_not_finish_the_head_of_a_request_is_told_and_cut_off(server):
    for begun in (b"", b"POST /jsonrpc HTTP/1.1\r\nHost: loc"):
        with socket.create_connection((server.host, server.port)) as connection:
            connection.sendall(begun)
            said = connection.makefile("rb").read()
        assert said.startswith(b"HTTP/1.1 408 ")
        assert b"within 1 seconds" in said


def test_who_trickles_a_head_gains_no_time_by_it(server):
    with socket.create_connection((server.host, server.port)) as connection:
        connection.settimeout(0.2)
        said = b""
        for byte in b"POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 100:
            try:
                connection.sendall(bytes([byte]))
                said += connection.recv(1000)
            except TimeoutError:
                continue
            except OSError:
                break
            if said:
                break
        assert said.startswith(b"HTTP/1.1 408 ")


def test_who_does_not_finish_a_next_head_is_cut_off_too(server):
    with socket.create_connection((server.host, server.port)) as connection:
        connection.sendall(HEAD % 2 + b"{}")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
        connection.sendall(b"GET /hea")
        assert b" 408 " in connection.makefile("rb").read()


def test_who_does_not_finish_a_body_is_told(server):
    with socket.create_connection((server.host, server.port)) as connection:
        connection.sendall(HEAD % 100 + b"{")
        said = connection.makefile("rb").read()
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b"the body must arrive within 3 seconds" in said


# --- Who does not read ---


def unread(server):
    """A connection that asked for more than the network holds, and reads nothing."""
    connection = socket.socket()
    connection.settimeout(20)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((server.host, server.port))
    body = json.dumps([{"jsonrpc": "2.0", "id": n, "method": "tools/list"} for n in range(100)]).encode()
    connection.sendall(HEAD % len(body) + body)
    return connection


def in_progress(server):
    assert server.process.poll() is None
    said = server.get("/metrics").body.decode()
    return int(re.search(r"^indelible_http_requests_in_progress (\d+)$", said, re.MULTILINE)[1])


def test_who_does_not_read_its_answer_is_at_work_until_it_is_cut_off(server):
    with unread(server) as connection:
        select.select([connection], [], [], 20)  # the answer begins
        assert in_progress(server) == 2
        while in_progress(server) == 2:
            pass
        with pytest.raises(ConnectionError):
            connection.makefile("rb").read()


def test_what_is_no_http_is_refused(server):
    with socket.create_connection((server.host, server.port)) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")


def test_a_head_that_is_too_large_is_refused(server):
    with socket.create_connection((server.host, server.port)) as connection:
        try:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 200_000)
            said = connection.recv(65536)
        except ConnectionError:
            said = b"HTTP/1.1 400 "
        assert said.startswith(b"HTTP/1.1 4")


def test_nothing_of_all_this_broke_the_server(server):
    connection = server.connect()
    try:
        assert ask(connection, "POST", "/jsonrpc", json.dumps(PING).encode(), JSON).json["result"] == {}
        said = ask(connection, "GET", "/health")
    finally:
        connection.close()
    assert (said.status, said.body) == (200, b'{"status":"ok"}')
    assert not re.search(r"internal|Traceback", server.stderr), server.stderr
