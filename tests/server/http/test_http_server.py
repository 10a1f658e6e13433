"""The HTTP server as a process: where it listens, how it leaves, whose project a client works in."""

import errno
import http.client
import json
import re
import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

import forked
from command_line import contents
from http_server import JSON, HttpServer, RpcError, ask
from indelible.errors import IndelibleError, InvalidInput, StoreError
from indelible.server.http import listen
from indelible.server.http.connections import MOST
from indelible.server.http.middleware import AT_ONCE, names
from indelible.settings import Settings
from mcp_client import McpClient, environment

HEAD = b"POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
SAMPLE = re.compile(r'[a-z_]+(?:\{[a-z_]+="[^"\\\n]*"(?:,[a-z_]+="[^"\\\n]*")*\})? -?[0-9.e+-]+')

GITHUB = "ghp_" + "a1B2c3D4e5F6" * 3  # looks like a token of theirs
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def stored(content, **more):
    return {"jsonrpc": "2.0", "id": 1, "method": "store_memory", "params": {"content": content, **more}}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with HttpServer(tmp_path_factory.mktemp("http") / "data") as server:
        yield server


def refused(tmp_path, *options):
    """What a server says that does not start."""
    command = ["serve", "--data", str(tmp_path / "data"), *options]
    ran = forked.run(command, text=True, env=environment(), cwd=tmp_path)
    assert ran.returncode == 1, ran.stderr
    assert ran.stderr.count("\n") == 1, ran.stderr
    assert ran.stdout == ""
    return ran.stderr


# --- Where it listens ---


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("70000", r"port from 0 to 65535"),
        ("localhost", r"\[HOST:\]PORT"),
        ("::1:5050", r"\[::1\]:5050"),
        ("http://localhost:5050", r"\[HOST:\]PORT"),
        ("", r"\[HOST:\]PORT"),
        ("no.such.host.invalid:5050", r"no host 'no.such.host.invalid'"),
        ("192.0.2.1:5050", r"cannot listen on 192.0.2.1 port 5050"),
    ],
)
def test_an_address_that_cannot_be_is_refused(address, words):
    with pytest.raises(IndelibleError, match=words):
        listen.listening(listen.parse(address))


@pytest.mark.parametrize(
    ("address", "host", "port"),
    [("5050", "127.0.0.1", 5050), ("[::1]:80", "::1", 80), ("a.example:0", "a.example", 0)],
)
def test_an_address_is_a_port_or_a_host_and_a_port(address, host, port):
    assert listen.parse(address) == listen.Address(host, port)


@pytest.mark.parametrize("host", ["https://example.org", "a b", "", "x@y", "h:p"])
def test_a_name_that_is_none_is_refused(host):
    with pytest.raises(InvalidInput, match="--allowed-host must be a host name"):
        names([], [host], 5050)


def test_a_time_that_cannot_be_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="INDELIBLE_HTTP_PATIENCE must be a number of seconds"):
        Settings.load(str(tmp_path), environ={"INDELIBLE_HTTP_PATIENCE": "soon"})


@pytest.mark.process
def test_a_port_that_is_taken_is_told_in_one_line_and_no_store_is_made(server, tmp_path):
    said = refused(tmp_path, "--http", str(server.port))
    assert re.fullmatch(
        rf"indelible: cannot listen on 127\.0\.0\.1 port {server.port}: .*in use; .*--http PORT\n", said
    )
    assert not (tmp_path / "data").exists()


def test_a_port_that_this_user_may_not_have_is_told_from_one_that_another_has(monkeypatch):
    def forbidden(_, __):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", forbidden)
    with pytest.raises(StoreError, match=r"ports below 1024 are for root; give a higher one: .*--http PORT"):
        listen.listening(listen.parse("0.0.0.0:443"))


@pytest.mark.process
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--http", "0.0.0.0:0"], "0.0.0.0 can be reached from other machines"),
        (["--http", "127.0.0.1:0", "--allowed-host", "memory.example.org"], "memory.example.org lets clients in"),
    ],
)
def test_an_address_that_others_reach_needs_a_token(tmp_path, options, words):
    said = refused(tmp_path, *options)
    assert words in said
    assert f"and the store {tmp_path / 'data'} has no token" in said
    assert "indelible token create" in said


@pytest.mark.parametrize(("address", "is_one"), [("127.0.0.1:0", True), ("0.0.0.0:0", False), ("localhost:0", True)])
def test_a_loopback_address_is_known_by_what_was_bound(address, is_one):
    sockets = listen.listening(listen.parse(address))
    assert listen.is_loopback(sockets) is is_one
    for each in sockets:
        each.close()


def test_short_answers_are_not_held_back():
    """asyncio lets a socket's short writes go out at once only if it knows the socket's protocol."""
    sockets = listen.listening(listen.parse("127.0.0.1:0"))
    try:
        assert [each.proto for each in sockets] == [socket.IPPROTO_TCP]
    finally:
        for each in sockets:
            each.close()


# --- Health and figures ---


@pytest.mark.process
def test_health_says_that_it_works_and_nothing_else(server):
    answer = server.get("/health")
    assert (answer.status, answer.body) == (200, b'{"status":"ok"}')
    assert set(answer.headers) == {
        "connection",
        "date",
        "content-length",
        "content-type",
        "x-content-type-options",
        "referrer-policy",
        "x-request-id",
    }


@pytest.mark.process
def test_the_figures_are_in_the_format_of_prometheus_and_count_calls(server):
    server.post("/jsonrpc", stored("Counted: `cool as ice`"))
    with pytest.raises(RpcError):
        server.call("recall_memory", {})
    answer = server.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.body.decode().splitlines()
    families = {}
    for line in lines:
        if line.startswith("# "):
            mark, name, rest = line[2:].split(" ", 2)
            assert mark in ("HELP", "TYPE")
            assert rest
            families.setdefault(name, []).append(mark)
        else:
            assert SAMPLE.fullmatch(line), line
            name = re.match("[a-z_]+", line)[0]
            assert name in families or re.sub("_(sum|count)$", "", name) in families, line
    assert all(marks == ["HELP", "TYPE"] for marks in families.values())
    said = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert float(said['indelible_calls_total{tool="store_memory"}']) >= 1
    assert float(said['indelible_errors_total{code="invalid_input"}']) >= 1
    assert float(said['indelible_http_requests_total{route="/jsonrpc",status="200"}']) >= 2
    assert float(said["indelible_records"]) >= 1
    assert said["indelible_http_requests_in_progress"] == "1"
    assert "cool as ice" not in answer.body.decode()
    assert str(server.data) not in answer.body.decode()


# --- Many clients, many servers ---


@pytest.mark.process
def test_many_clients_write_and_read_at_once_and_nothing_is_lost(server):
    def work(number):
        connection = server.connect()
        try:
            for n in range(5):
                body = json.dumps(stored(f"client{number} says number{n}", namespace="/many")).encode()
                answer = ask(connection, "POST", "/jsonrpc", body, JSON)
                assert answer.json["result"]["status"] == "stored"
                query = {"jsonrpc": "2.0", "id": 2, "method": "recall_memory", "params": {"query": f"client{number}"}}
                found = ask(connection, "POST", "/jsonrpc", json.dumps(query).encode(), JSON).json["result"]
                assert any(hit["content"] == f"client{number} says number{n}" for hit in found)
        finally:
            connection.close()

    with ThreadPoolExecutor(24) as pool:
        list(pool.map(work, range(24)))
    assert server.call("namespace_stats", {"namespace": "/many"})["count"] == 24 * 5


# --- Limits of many ---


@pytest.mark.process
def test_slow_clients_keep_nobody_from_being_answered(server):
    """More of them than there are threads."""
    with ExitStack() as open_:
        for _ in range(AT_ONCE - 2):
            connection = open_.enter_context(socket.create_connection((server.host, server.port)))
            connection.sendall(HEAD % 100 + b"{")
        assert server.call("store_memory", {"content": "Nobody is kept waiting"})["status"] in ("stored", "duplicate")


@pytest.mark.process
def test_one_caller_has_a_limited_number_of_requests_at_a_time(server):
    body = json.dumps(PING).encode()
    head = HEAD.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n") % len(body)
    with ExitStack() as open_:
        waiting = [open_.enter_context(socket.create_connection((server.host, server.port))) for _ in range(AT_ONCE)]
        for connection in waiting:
            connection.sendall(head)
            assert connection.recv(65536).startswith(b"HTTP/1.1 100 ")  # it is let in
        answer = server.post("/jsonrpc", PING)
        assert answer.status == 429
        assert answer.headers["retry-after"] == "1"
        assert f"{AT_ONCE} requests of yours" in answer.message
        for connection in waiting:
            connection.sendall(body)
            assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
    assert server.post("/jsonrpc", PING).status == 200


@pytest.mark.process
def test_where_there_are_too_many_connections_the_one_goes_that_waited_longest_and_was_never_let_in(server):
    known = server.connect()
    assert ask(known, "POST", "/jsonrpc", json.dumps(PING).encode(), JSON).status == 200
    place = known.sock
    with ExitStack() as open_:
        waiting = [open_.enter_context(socket.create_connection((server.host, server.port))) for _ in range(MOST)]
        said = waiting[0].makefile("rb").read()
        assert said.startswith(b"HTTP/1.1 503 ")
        assert f"{MOST} connections".encode() in said
        assert server.post("/jsonrpc", PING).status == 200
        assert ask(known, "POST", "/jsonrpc", json.dumps(PING).encode(), JSON).status == 200
        assert known.sock is place
    known.close()


@pytest.mark.process
def test_a_connection_that_needed_no_token_is_not_kept(server):
    assert server.get("/health").headers["connection"] == "close"
    assert server.get("/metrics", {"Host": "evil.example"}).headers["connection"] == "close"
    assert "connection" not in server.post("/jsonrpc", PING).headers


@pytest.mark.process
def test_what_comes_through_a_proxy_is_refused_as_long_as_nobody_is_asked_for_a_token(server):
    for header in ("X-Forwarded-For", "Forwarded"):
        answer = server.post("/jsonrpc", PING, {header: "for=203.0.113.9"})
        assert answer.status == 401
        assert "indelible token create" in answer.message


# --- Projects ---


def where(server, content):
    return next(each["namespace"] for each in server.call("export_memories") if each["content"] == content)


@pytest.mark.process
def test_a_client_without_a_project_writes_to_none(server):
    server.call("store_memory", {"content": "Of no project"})
    assert where(server, "Of no project") is None


@pytest.mark.process
@pytest.mark.parametrize(
    ("path", "headers", "project"),
    [
        ("/jsonrpc", {"X-Indelible-Project": "shop"}, "shop"),
        ("/jsonrpc", {"X-Indelible-Project": "/home/ann/shop/"}, "/home/ann/shop"),
        ("/jsonrpc", {"X-Indelible-Project": "C:\\src\\shop"}, "C:\\src\\shop"),
        ("/jsonrpc", {"X-Indelible-Project": "boutique-été".encode().decode("latin-1")}, "boutique-été"),
        ("/p/shop/jsonrpc", {}, "shop"),
        ("/p/%2Fhome%2Fann%2Fmcp/jsonrpc", {}, "/home/ann/mcp"),
        ("/p/%E5%95%86%E5%BA%97/jsonrpc", {}, "商店"),
        ("/p/shop/jsonrpc", {"X-Indelible-Project": "shop"}, "shop"),
        ("/jsonrpc", {"X-Indelible-Project": "/"}, None),
    ],
)
def test_a_header_or_the_address_names_the_project(server, path, headers, project):
    content = f"Known by {path} and {sorted(headers.values())}"
    assert server.post(path, stored(content), headers).json["result"]["status"] == "stored"
    assert where(server, content) == project


@pytest.mark.process
@pytest.mark.parametrize(
    ("path", "headers", "words"),
    [
        ("/jsonrpc", {"X-Indelible-Project": " "}, "1 to 1,024 visible characters"),
        ("/jsonrpc", {"X-Indelible-Project": "x" * 1_025}, "1 to 1,024 visible characters"),
        ("/jsonrpc", {"X-Indelible-Project": "~/shop"}, "absolute path or a name"),
        ("/jsonrpc", {"X-Indelible-Project": "../shop"}, "absolute path or a name"),
        ("/p/%00/jsonrpc", {}, "visible characters"),
        ("/p//jsonrpc", {}, "visible characters"),
        ("/p/%ff/jsonrpc", {}, "in UTF-8"),
        ("/p/a/jsonrpc", {"X-Indelible-Project": "b"}, "two projects are named"),
    ],
)
def test_a_project_that_cannot_be_is_refused(server, path, headers, words):
    answer = server.post(path, stored("Never written: Quagmire"), headers)
    assert answer.status == 400
    assert words in answer.message
    assert server.call("recall_memory", {"query": "quagmire"}) == []


@pytest.mark.process
def test_a_project_s_name_with_a_secret_in_it_is_refused_and_not_repeated(server):
    named = {"X-Indelible-Project": f"https://ann:{GITHUB}@host/shop"}
    for path, headers in (("/jsonrpc", named), (f"/p/{GITHUB}/jsonrpc", {})):
        answer = server.post(path, stored("Never written: Quagmire"), headers)
        assert answer.status == 400
        assert "as if it contained a secret" in answer.message
        assert GITHUB.encode() not in answer.body
    assert GITHUB not in json.dumps(server.call("list_namespaces"))


# --- Beside a server over stdio ---


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """A server over HTTP and one over stdio on one store, the latter in the project `shop`, which is a repository."""
    place = tmp_path_factory.mktemp("pair")
    shop = place / "shop"
    (shop / "src").mkdir(parents=True)
    (shop / ".git").mkdir()
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (shop / "package.json").write_text('{"name": "till", "dependencies": {"react": "19"}}')
    with HttpServer(place / "data") as server, McpClient(place / "data", "--project", str(shop)) as client:
        yield server, client, shop


@pytest.mark.process
def test_servers_over_stdio_and_over_http_on_one_store_see_each_other_s_writes(pair):
    server, client, _ = pair
    server.call("store_memory", {"content": "Written over HTTP: Heliotrope"})
    assert client.call("recall_memory", {"query": "heliotrope"})[0]["content"] == "Written over HTTP: Heliotrope"
    client.call("store_memory", {"content": "Written over stdio: Marigold"})
    assert server.call("recall_memory", {"query": "marigold"})[0]["content"] == "Written over stdio: Marigold"


@pytest.mark.process
def test_a_path_is_the_project_that_the_store_knows_it_as(pair):
    server, client, shop = pair
    client.call("store_memory", {"content": "Tills close at noon"})
    inside = {"X-Indelible-Project": str(shop / "src")}
    assert server.post("/jsonrpc", stored("Tills open at nine"), inside).json["result"]["status"] == "stored"
    assert where(server, "Tills open at nine") == str(shop)


@pytest.mark.process
def test_nothing_of_a_client_s_project_is_read_on_the_server(pair):
    """A fingerprint of the directory would tell what is installed there."""
    server, client, shop = pair
    body = {"jsonrpc": "2.0", "id": 1, "method": "matrix_status", "params": {}}
    assert "react" not in server.post("/jsonrpc", body, {"X-Indelible-Project": str(shop)}).body.decode()
    assert "react" in json.dumps(client.call("matrix_status"))


@pytest.mark.process
def test_a_server_that_was_given_a_project_has_it_for_clients_that_name_none(tmp_path):
    with HttpServer(tmp_path / "data", "--project", "kiosk") as server:
        server.call("store_memory", {"content": "Open on Sundays"})
        assert where(server, "Open on Sundays") == "kiosk"
        server.post("/p/shop/jsonrpc", stored("Closed on Sundays"))
        assert where(server, "Closed on Sundays") == "shop"


# --- Leaving ---


def listens(server):
    try:
        return server.get("/health").status == 200
    except ConnectionError:
        return False


@pytest.mark.process
def test_a_server_that_is_told_to_leave_answers_what_it_accepted_and_closes_its_store(tmp_path):
    """A connection that idles does not hold it up."""
    body = json.dumps(stored("Accepted before the signal")).encode()
    with HttpServer(tmp_path / "data") as server, socket.create_connection((server.host, server.port)) as connection:
        idle = server.connect()
        assert ask(idle, "POST", "/jsonrpc", json.dumps(PING).encode(), JSON).status == 200
        connection.sendall(HEAD % len(body) + body[:1])
        while "in_progress 2" not in server.get("/metrics").body.decode():
            assert server.process.poll() is None
        server.process.terminate()
        while listens(server):
            pass
        connection.sendall(body[1:])
        answer = connection.makefile("rb").read()
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert b'"status":"stored"' in answer
        assert server.process.wait(50) == 0
        assert "internal" not in server.stderr
        idle.close()
    assert not list((tmp_path / "data").glob("*-wal"))  # which SQLite deletes when the last connection closes
    with McpClient(tmp_path / "data") as client:
        assert client.call("recall_memory", {"query": "accepted"})[0]["content"] == "Accepted before the signal"


@pytest.mark.process
def test_a_stop_in_the_middle_of_many_writes_loses_nothing_that_was_acknowledged(tmp_path):
    acknowledged = []
    begun = threading.Barrier(9)

    def write(number):
        connection = server.connect()
        begun.wait()
        try:
            for n in range(10_000):
                body = json.dumps(stored(f"writer{number} number{n}")).encode()
                answer = ask(connection, "POST", "/jsonrpc", body, JSON)
                if answer.json["result"]["status"] == "stored":
                    acknowledged.append(f"writer{number} number{n}")
        except (ConnectionError, http.client.HTTPException):
            return
        finally:
            connection.close()

    with HttpServer(tmp_path / "data") as server, ThreadPoolExecutor(8) as pool:
        for number in range(8):
            pool.submit(write, number)
        begun.wait()
        while len(acknowledged) < 50:
            assert server.process.poll() is None
        assert server.end(signal.SIGINT) == 0
    assert len(acknowledged) >= 50
    assert set(acknowledged) <= contents(tmp_path / "data")
