"""Tokens at the door of the HTTP server: who is asked, what a scope and a namespace allow, over real requests."""

import json
import socket
from contextlib import ExitStack

import mcp
import pytest

from command_line import done, result
from eras import MODERN
from http_server import MCP, HttpServer, RpcError
from indelible.server.http.middleware import AT_ONCE
from indelible.toolsets.registry import all_tools
from official_client import over_http

pytestmark = pytest.mark.process

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ROUTES = [
    ("POST", "/mcp"),
    ("POST", "/jsonrpc"),
    ("POST", "/p/shop/mcp"),
    ("POST", "/p/shop/jsonrpc"),
    ("GET", "/metrics"),
]


def token(data, *options):
    return done("token", "create", *options, data=data).strip()


def bearer(secret):
    return {"Authorization": f"Bearer {secret}"}


class Tokens:
    """A server on a store with tokens of each kind."""

    def __init__(self, data):
        self.data = data
        self.admin = token(data, "admin", "--scope", "admin")
        self.reader = token(data, "reader", "--scope", "read")
        self.writer = token(data, "writer", "--scope", "write")
        self.shop = token(data, "shop", "--scope", "write", "--namespace", "shop")


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    return Tokens(tmp_path_factory.mktemp("tokens") / "data")


@pytest.fixture(scope="module")
def server(tokens):
    with HttpServer(tokens.data, "--allowed-host", "memory.example.org", http="0.0.0.0:0") as server:
        yield server


def asked(server, method, path, headers):
    body = json.dumps(PING).encode() if method == "POST" else None
    return server.request(method, path, body, {**(MCP if method == "POST" else {}), **headers})


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize(
    "headers",
    [{}, bearer(""), bearer("ind_wrong"), bearer("wrong"), {"Authorization": "Basic aW5kOg=="}],
    ids=["missing", "empty", "wrong", "of another kind", "basic"],
)
def test_who_has_no_token_is_answered_by_no_route(server, method, path, headers):
    answer = asked(server, method, path, headers)
    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert answer.headers["connection"] == "close"
    assert "token" in answer.message


@pytest.mark.parametrize("path", ["/.well-known/oauth-protected-resource", "/register", "/p/shop/nothing", "/mcp/x"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_at_an_unknown_address_there_is_nothing_whoever_asks(server, tokens, method, path):
    """A client that was answered 401 there would take it that the server says elsewhere who gives tokens."""
    answers = [asked(server, method, path, headers) for headers in ({}, bearer("ind_wrong"), bearer(tokens.reader))]
    assert [answer.status for answer in answers] == [404] * 3
    assert {answer.headers["connection"] for answer in answers} == {"close"}
    assert answers[0].message == answers[2].message
    assert "/p/PROJECT" in answers[0].message


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_token_opens_every_route(server, tokens, method, path):
    assert asked(server, method, path, bearer(tokens.reader)).status == 200


def test_health_needs_none_and_tells_nothing(server):
    answer = server.get("/health")
    assert (answer.status, answer.body) == (200, b'{"status":"ok"}')


def test_a_token_in_the_address_is_refused(server, tokens):
    answer = server.post(f"/jsonrpc?access_token={tokens.admin}", PING, bearer(tokens.admin))
    assert answer.status == 400
    assert "belongs in the header" in answer.message
    assert tokens.admin not in answer.message


def test_a_revoked_token_opens_nothing_from_the_next_request_on(server, tokens):
    secret = token(tokens.data, "short", "--scope", "read")
    assert server.post("/jsonrpc", PING, bearer(secret)).status == 200
    listed = result("token", "list", data=tokens.data)["tokens"]
    done("token", "revoke", next(each["id"] for each in listed if each["name"] == "short"), data=tokens.data)
    assert server.post("/jsonrpc", PING, bearer(secret)).status == 401


def test_a_stream_ends_soon_after_its_token_was_revoked(tokens):
    secret = token(tokens.data, "listener", "--scope", "read")
    listed = result("token", "list", data=tokens.data)["tokens"]
    params = {"_meta": MODERN, "notifications": {"resourceSubscriptions": ["memory://knowledge-graph"]}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}).encode()
    era = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"}
    with HttpServer(tokens.data, env={"INDELIBLE_HTTP_PATIENCE": "0.3"}) as server:
        connection = server.connect()
        connection.request("POST", "/mcp", body, {**MCP, **era, **bearer(secret)})
        with connection.getresponse() as stream:
            assert b"acknowledged" in stream.readline() + stream.readline()
            done("token", "revoke", next(each["id"] for each in listed if each["name"] == "listener"), data=tokens.data)
            assert b"result" not in stream.read()  # to its end, which is a clean one
        connection.close()


# --- Scopes ---


def test_a_token_that_may_read_lists_and_calls_no_tool_that_writes(server, tokens):
    headers = {"Authorization": f"Bearer {tokens.reader}"}
    listed = {tool["name"] for tool in server.rpc("tools/list", **headers)["tools"]}
    assert listed == {name for name, tool in all_tools().items() if tool.scope == "read"}
    with pytest.raises(RpcError, match="needs a token of scope write") as refused:
        server.call("store_memory", {"content": "Never written: Foxglove"}, **headers)
    assert (refused.value.code, refused.value.data) == (-32003, {"code": "forbidden"})
    assert server.call("recall_memory", {"query": "foxglove"}, **headers) == []


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_over_mcp_it_is_the_same(server, tokens, mode):
    async def talk(client):
        listed = {tool.name for tool in (await client.list_tools()).tools}
        refused = await client.call_tool("store_memory", {"content": "Never written: Foxglove"})
        return listed, refused

    listed, refused = over_http(f"{server.url}/mcp", mode, talk, bearer(tokens.reader))
    assert listed == {name for name, tool in all_tools().items() if tool.scope == "read"}
    assert refused.is_error
    assert "needs a token of scope write" in refused.content[0].text


def test_a_failure_of_the_toolset_context_is_a_result_for_a_token_too(server, tokens):
    answer = server.call("add_todo", {"title": "Never written"}, Authorization=f"Bearer {tokens.reader}")
    assert answer["success"] is False
    assert "needs a token of scope write" in answer["error"]


# --- Namespaces ---


def test_a_token_of_a_namespace_sees_and_writes_that_alone(server, tokens):
    shop, all_ = ({"Authorization": f"Bearer {secret}"} for secret in (tokens.shop, tokens.writer))
    theirs = server.call("store_memory", {"content": "Hemlock is stored elsewhere", "namespace": "till"}, **all_)
    own = server.call("store_memory", {"content": "Hemlock is stored in the shop"}, **shop)
    found = server.call("recall_memory", {"query": "hemlock"}, **shop)
    assert [hit["id"] for hit in found] == [own["id"]]
    with pytest.raises(RpcError) as foreign:
        server.call("update_memory", {"id": theirs["id"], "content": "Overwritten"}, **shop)
    unknown = "00000000-0000-4000-8000-00000000ffff"
    with pytest.raises(RpcError) as missing:
        server.call("update_memory", {"id": unknown, "content": "Overwritten"}, **shop)
    assert foreign.value.code == missing.value.code == -32004
    assert foreign.value.message.replace(theirs["id"], unknown) == missing.value.message
    with pytest.raises(RpcError):
        server.call("store_memory", {"content": "Planted", "namespace": "till"}, **shop)


def test_resources_and_completion_are_those_of_the_namespace(server, tokens):
    async def talk(client):
        resources = [each.title for each in (await client.list_resources()).resources]
        ref = mcp.types.ResourceTemplateReference(type="ref/resource", uri="memory://{namespace}/recent")
        completed = await client.complete(ref, {"name": "namespace", "value": ""})
        return resources, completed.completion.values

    writer = {"Authorization": f"Bearer {tokens.writer}"}
    server.call("store_memory", {"content": "Only the till knows Belladonna", "namespace": "till"}, **writer)
    resources, names = over_http(f"{server.url}/mcp", "legacy", talk, bearer(tokens.shop))
    assert "Belladonna" not in json.dumps(resources)
    assert "till" not in names


def test_figures_of_the_whole_store_are_not_for_a_token_of_a_namespace(server, tokens):
    answer = server.get("/metrics", bearer(tokens.shop))
    assert answer.status == 403
    assert "limited to namespaces" in answer.message


def test_the_figures_of_the_server_count_what_such_a_token_does(server, tokens):
    server.call("list_todos", Authorization=f"Bearer {tokens.shop}")
    assert 'indelible_calls_total{tool="list_todos"} 1' in server.get("/metrics", bearer(tokens.reader)).body.decode()


# --- Limits ---


def test_the_limit_of_requests_is_one_of_each_token(server, tokens):
    head = (
        b"POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
        b"Authorization: Bearer %s\r\nExpect: 100-continue\r\n\r\n"
    )
    body = json.dumps(PING).encode()
    with ExitStack() as open_:
        for _ in range(AT_ONCE):
            connection = open_.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            connection.sendall(head % (len(body), tokens.writer.encode()))
            assert connection.recv(65536).startswith(b"HTTP/1.1 100 ")  # it is let in
        assert server.post("/jsonrpc", PING, bearer(tokens.writer)).status == 429
        assert server.post("/jsonrpc", PING, bearer(tokens.reader)).status == 200


def test_a_server_that_others_reach_has_names_too(server, tokens):
    assert server.post("/jsonrpc", PING, {"Host": "evil.example", **bearer(tokens.admin)}).status == 421
    own = {"Host": "memory.example.org.", "Origin": "https://memory.example.org:8443", **bearer(tokens.admin)}
    assert server.post("/jsonrpc", PING, own).status == 200


def test_a_token_is_asked_for_behind_a_proxy_too(server, tokens):
    assert server.post("/jsonrpc", PING, {"X-Forwarded-For": "203.0.113.9", **bearer(tokens.admin)}).status == 200


def test_the_secret_of_a_token_is_in_no_log(server, tokens):
    listed = done("token", "list", data=tokens.data)
    for secret in (tokens.admin, tokens.reader, tokens.writer, tokens.shop):
        assert secret not in server.stderr
        assert secret not in listed
