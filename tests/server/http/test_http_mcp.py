"""MCP over HTTP: the official client in both eras of the protocol, and what only HTTP has."""

import http.client
import json

import anyio
import mcp
import pytest
from mcp.shared.exceptions import MCPError

from eras import MODERN
from every_tool import EXAMPLES, ID, PREPARED
from http_server import MCP, HttpServer, ask
from indelible.toolsets.registry import all_tools
from official_client import over_http
from tool_arguments import assert_fits

pytestmark = pytest.mark.process

VERSIONS = {"legacy": "2025-11-25", "2026-07-28": "2026-07-28"}
URI = "memory://knowledge-graph"
MANY = 12_000  # an import of so many takes far longer than a test
LEGACY = {"jsonrpc": "2.0", "id": 1}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with HttpServer(tmp_path_factory.mktemp("mcp") / "data") as server:
        yield server


@pytest.fixture(params=VERSIONS)
def mode(request):
    return request.param


def modern(method, params=None, name=None):
    """The body and the headers of a request of the 2026 era."""
    body = {**LEGACY, "method": method, "params": {"_meta": MODERN, **(params or {})}}
    headers = {**MCP, "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
    return json.dumps(body).encode(), {**headers, **({"Mcp-Name": name} if name else {})}


@pytest.fixture(scope="module", params=VERSIONS)
def session(request, tmp_path_factory):
    """What a client of each era got on a store of its own: the version, the list, each tool's answer."""

    async def talk(client):
        listed = (await client.list_tools()).tools
        prepared = await client.call_tool("import_memories", {"memories": PREPARED})
        assert prepared.structured_content["imported"] == len(PREPARED), prepared
        answers = {tool.name: await client.call_tool(tool.name, EXAMPLES.get(tool.name, {})) for tool in listed}
        return client, client.protocol_version, listed, answers

    with HttpServer(tmp_path_factory.mktemp("sdk") / "data") as server:
        client, version, listed, answers = over_http(f"{server.url}/mcp", request.param, talk)
    assert version == VERSIONS[request.param]
    return client, listed, answers


@pytest.mark.sweep(1)
def test_the_client_lists_and_calls_every_tool(session):
    """It has itself held each structured result against the output schema."""
    _, listed, answers = session
    assert [tool.name for tool in listed] == list(all_tools())
    for tool in all_tools().values():
        answer = answers[tool.name]
        assert answer.is_error is False, answer.content[0].text
        structured = answer.structured_content
        assert_fits(tool, structured["result"] if list(tool.output_schema["properties"]) == ["result"] else structured)


def test_resources_prompts_completion_and_instructions_are_those_of_stdio(server, mode):
    async def talk(client):
        await client.call_tool("import_memories", {"memories": PREPARED})
        if mode == "legacy":  # in the 2026 era they come with the discovery, which this client leaves out
            assert client.instructions.startswith("Indelible is your long-term memory")
        read = await client.read_resource(f"memory://{ID['axum']}")
        assert "Axum was chosen over Actix" in read.contents[0].text
        assert {str(each.uri) for each in (await client.list_resources()).resources} >= {URI}
        assert len((await client.list_resource_templates()).resource_templates) == 4
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert "recall-context" in names
        prompt = await client.get_prompt("recall-context", {"task": "axum"})
        assert "Axum was chosen" in prompt.messages[0].content.text
        ref = mcp.types.ResourceTemplateReference(type="ref/resource", uri="memory://{namespace}/recent")
        completed = await client.complete(ref, {"name": "namespace", "value": "/pro"})
        assert "/projects/old" in completed.completion.values
        with pytest.raises(MCPError) as missing:
            await client.read_resource("memory://nobody")
        assert missing.value.error.code == -32602
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("no_such_tool", {})
        assert unknown.value.error.code == -32602
        refused = await client.call_tool("recall_memory", {})
        assert refused.is_error
        assert refused.content[0].text == "query is required"

    over_http(f"{server.url}/mcp", mode, talk)


def test_an_import_tells_how_far_it_is(server, mode):
    async def talk(client):
        told = []

        async def hear(progress, total, message):
            told.append((progress, total))

        items = [{"content": f"{mode} fact {i}: module{i % 7} waits"} for i in range(300)]
        done = await client.call_tool("import_memories", {"memories": items}, progress_callback=hear)
        assert done.structured_content["imported"] == 300
        return told

    told = over_http(f"{server.url}/mcp", mode, talk)
    assert told[-1] == (300, 300)
    assert [progress for progress, _ in told] == sorted({progress for progress, _ in told})


def test_the_address_or_a_header_names_the_project(server, mode):
    async def talk(client):
        return (await client.call_tool("store_memory", {"content": f"{mode} of {client}"})).structured_content["status"]

    assert over_http(f"{server.url}/p/shop-{mode}/mcp", mode, talk) == "stored"
    assert over_http(f"{server.url}/mcp", mode, talk, {"X-Indelible-Project": f"till-{mode}"}) == "stored"
    listed = {each["name"] for each in server.call("list_namespaces")["namespaces"]}
    assert listed >= {f"shop-{mode}", f"till-{mode}"}


def test_a_key_makes_a_retry_harmless(server, mode):
    entities = {"entities": [{"name": f"{mode} once", "entityType": "t", "observations": []}]}

    async def talk(client):
        return (await client.call_tool("create_entities", entities)).structured_content["entities"]

    headers = {"Idempotency-Key": f"key-{mode}"}
    first = over_http(f"{server.url}/mcp", mode, talk, headers)
    assert len(first) == 1
    assert over_http(f"{server.url}/mcp", mode, talk, headers) == first


# --- The wire ---


def test_there_is_no_session_and_every_request_stands_for_itself(server):
    """As a load balancer needs it, which sends each request wherever it likes."""
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    answer = server.post("/mcp", {**LEGACY, "method": "initialize", "params": params}, MCP)
    assert "mcp-session-id" not in answer.headers
    listed = server.post("/mcp", {**LEGACY, "method": "tools/list"}, {**MCP, "MCP-Protocol-Version": "2025-06-18"})
    (line,) = [line for line in listed.body.decode().splitlines() if line.startswith("data: ")]
    assert len(json.loads(line.removeprefix("data: "))["result"]["tools"]) == len(all_tools())


def test_updates_are_promised_only_where_they_can_be_sent(server):
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    answer = server.post("/mcp", {**LEGACY, "method": "initialize", "params": params}, MCP)
    assert b'"subscribe":true' not in answer.body
    body, headers = modern("server/discover")
    assert server.request("POST", "/mcp", body, headers).json["result"]["capabilities"]["resources"]["subscribe"]


def test_a_request_of_the_2026_era_is_held_against_its_headers(server):
    body, headers = modern("tools/list")
    assert server.request("POST", "/mcp", body, headers).status == 200
    answer = server.request("POST", "/mcp", body, {**headers, "Mcp-Method": "prompts/list"})
    assert (answer.status, answer.json["error"]["code"]) == (400, -32020)
    old = body.replace(b"2026-07-28", b"1999-01-01")
    answer = server.request("POST", "/mcp", old, {**headers, "MCP-Protocol-Version": "1999-01-01"})
    assert (answer.status, answer.json["error"]["code"]) == (400, -32022)


def test_a_list_may_be_kept_by_its_client_alone(server):
    """It can be another for another token."""
    body, headers = modern("tools/list")
    assert server.request("POST", "/mcp", body, headers).json["result"]["cacheScope"] == "private"


def test_a_batch_is_none_of_mcp(server):
    for version in ("2025-03-26", "2025-11-25", "2026-07-28"):
        answer = server.post("/mcp", [{**LEGACY, "method": "ping"}], {**MCP, "MCP-Protocol-Version": version})
        assert answer.status == 400


def test_who_closes_the_stream_of_a_call_takes_it_back(tmp_path):
    """In the 2026 era that is the cancellation; what was committed before is kept."""
    items = [{"content": f"fact {i}: module{i % 7} waits for queue{i}"} for i in range(MANY)]
    params = {"name": "import_memories", "arguments": {"memories": items}}
    params["_meta"] = {**MODERN, "progressToken": 1}
    body, headers = modern("tools/call", params, "import_memories")
    with HttpServer(tmp_path / "data") as server:
        connection = server.connect()
        connection.request("POST", "/mcp", body, headers)
        answer = connection.getresponse()
        assert answer.getheader("content-type") == "text/event-stream"
        assert b"notifications/progress" in answer.readline() + answer.readline()
        answer.close()
        connection.close()
        while 'tool="import_memories"' not in server.get("/metrics").body.decode():
            assert server.process.poll() is None
        assert 'indelible_errors_total{code="cancelled"} 1' in server.get("/metrics").body.decode()
        assert 0 < server.call("codemem_stats")["storage"]["memories"] < MANY


# --- Streams ---


def test_who_listens_hears_of_changes_by_any_server(server):
    async def talk(client):
        async with client.listen(resource_subscriptions=[URI]) as changes:
            entity = {"name": "heard", "entityType": "t", "observations": []}
            await anyio.to_thread.run_sync(lambda: server.call("create_entities", {"entities": [entity]}))
            async for event in changes:
                return event.uri

    assert over_http(f"{server.url}/mcp", "2026-07-28", talk) == URI


def begun(server, body, headers):
    """A connection on which a request was sent but for the end of its body."""
    connection = server.connect()
    connection.putrequest("POST", "/mcp")
    for name, value in {**headers, "Content-Length": str(len(body))}.items():
        connection.putheader(name, value)
    connection.endheaders(body[:10])
    return connection, body[10:]


def test_a_server_that_leaves_answers_what_it_accepted_and_ends_streams_as_they_should(tmp_path):
    params = {"name": "store_memory", "arguments": {"content": "Accepted before the signal", "tags": ["2026"]}}
    legacy = json.dumps({**LEGACY, "method": "tools/call", "params": {**params, "arguments": {"content": "This too"}}})
    listening = modern("subscriptions/listen", {"notifications": {"resourceSubscriptions": [URI]}})
    with HttpServer(tmp_path / "data") as server:
        stream = server.connect()
        stream.request("POST", "/mcp", *listening)
        heard = stream.getresponse()
        assert b"acknowledged" in heard.readline() + heard.readline()
        calls = [begun(server, *modern("tools/call", params, "store_memory")), begun(server, legacy.encode(), MCP)]
        while "in_progress 4" not in server.get("/metrics").body.decode():
            assert server.process.poll() is None
        server.process.terminate()
        while listens(server):
            pass
        assert b'"result"' in heard.read()
        for connection, rest in calls:
            connection.send(rest)
            answer = connection.getresponse()
            assert answer.status == 200
            assert b'\\"status\\":\\"stored\\"' in answer.read()
            connection.close()
        stream.close()
        assert server.process.wait(50) == 0


def listens(server):
    try:
        connection = server.connect()
        ask(connection, "GET", "/health")
        connection.close()
    except (ConnectionError, http.client.HTTPException):
        return False
    return True
