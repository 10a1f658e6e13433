"""The JSON-RPC side of the HTTP server: the envelope, and the tools through it."""

import json

import pytest

from every_tool import EXAMPLES, PREPARED
from http_server import JSON, HttpServer, RpcError, ask
from indelible.server.responses import LARGEST
from indelible.toolsets.registry import all_tools
from tool_arguments import assert_fits

pytestmark = pytest.mark.process

UNKNOWN = "00000000-0000-4000-8000-00000000ffff"
GITHUB = "ghp_" + "a1B2c3D4e5F6" * 3  # looks like a token of theirs


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with HttpServer(tmp_path_factory.mktemp("jsonrpc") / "data") as server:
        yield server


def envelope(server, body):
    answer = server.post("/jsonrpc", body)
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    return answer.json


def test_a_result_is_the_object_of_the_tool_and_nothing_around_it(server):
    stored = server.call("store_memory", {"content": "Axum was chosen over Actix"})
    assert stored["status"] == "stored"
    (hit,) = server.call("recall_memory", {"query": "axum"})
    assert hit["id"] == stored["id"]
    assert server.rpc("recall_memory", {"query": "axum"})[0]["id"] == stored["id"]


@pytest.mark.parametrize("number", [7, "seven", 1.5, None, 0, ""])
def test_an_answer_has_the_id_of_its_request(server, number):
    assert envelope(server, {"jsonrpc": "2.0", "id": number, "method": "ping"}) == {
        "jsonrpc": "2.0",
        "result": {},
        "id": number,
    }


def test_a_header_says_of_how_many_records_only_the_words_were_searched(tmp_path):
    nowhere = {"INDELIBLE_ENCODER": "http://127.0.0.1:9", "INDELIBLE_ENCODER_MODEL": "of nobody"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "recall_memory", "params": {"query": "axum"}}
    with HttpServer(tmp_path / "data", env=nowhere) as server:
        assert "x-indelible-unembedded" not in server.post("/jsonrpc", asked).headers
        server.call("store_memory", {"content": "Axum was chosen over Actix"})
        assert server.post("/jsonrpc", asked).headers["x-indelible-unembedded"] == "1"
        assert server.post("/jsonrpc", [asked, asked]).headers["x-indelible-unembedded"] == "1"
        for each in (asked, [asked, asked]):
            assert server.post("/jsonrpc", each).headers["x-indelible-by-words"] == "true"
        assert "x-indelible-by-words" not in server.post("/jsonrpc", {**asked, "method": "ping"}).headers


def test_the_list_is_that_of_mcp(server):
    listed = server.rpc("tools/list")["tools"]
    assert [tool["name"] for tool in listed] == list(all_tools())
    for tool in listed:
        assert tool["inputSchema"] == all_tools()[tool["name"]].input_schema
        assert tool["outputSchema"] == all_tools()[tool["name"]].output_schema


def test_every_tool_answers_what_its_schema_promises(tmp_path):
    with HttpServer(tmp_path / "data") as server:
        assert server.call("import_memories", {"memories": PREPARED})["errors"] == []
        for name, tool in all_tools().items():
            value = server.rpc(name, EXAMPLES[name])
            assert_fits(tool, value)
            assert not (isinstance(value, dict) and value.get("success") is False), (name, value)


@pytest.mark.parametrize(
    ("request_", "code", "words"),
    [
        (b"{", -32700, "not JSON"),
        (b"", -32700, "not JSON"),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "\xff"}}', -32700, "not JSON"),
        ([], -32600, "batch is empty"),
        (7, -32600, "must be an object, got int"),
        ({"id": 1, "method": "ping"}, -32600, '"jsonrpc": "2.0"'),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600, '"jsonrpc": "2.0"'),
        ({"jsonrpc": "2.0", "id": 1}, -32600, "must have a method"),
        ({"jsonrpc": "2.0", "id": 1, "method": 7}, -32600, "must have a method"),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, -32600, "id must be"),
        ({"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}, -32600, "id must be"),
        ({"jsonrpc": "2.0", "id": 1, "method": "initialize"}, -32601, "unknown method 'initialize'"),
        (
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "recal"}},
            -32601,
            "unknown tool 'recal'",
        ),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}, -32602, "params.name"),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7}}, -32602, "params.name"),
        (
            {"jsonrpc": "2.0", "id": 1, "method": "recall_memory", "params": ["axum"]},
            -32602,
            "params must be an object",
        ),
        (
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "delete", "arguments": []}},
            -32602,
            "params.arguments must be an object",
        ),
        (
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "delete", "argument": {}}},
            -32602,
            "params has no 'argument'",
        ),
        ({"jsonrpc": "2.0", "id": 1, "method": "recall_memory", "params": {}}, -32602, "query is required"),
        ({"jsonrpc": "2.0", "id": 1, "method": "recall_memory", "params": {"query": "a", "k": 1.5}}, -32602, "k must"),
        ({"jsonrpc": "2.0", "id": 1, "method": "delete_memory", "params": {"id": UNKNOWN}}, -32004, UNKNOWN),
    ],
)
def test_what_is_wrong_is_said_with_its_code(server, request_, code, words):
    answer = envelope(server, request_)
    assert set(answer) == {"jsonrpc", "error", "id"}
    assert answer["error"]["code"] == code
    assert words in answer["error"]["message"]
    readable = isinstance(request_, dict) and request_.get("id") == 1 and request_["id"] is not True
    assert answer["id"] == (1 if readable else None)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("retrieve_by_type", {"query": "a", "doc_type": "code", "top_k": 99}, "top_k must be between 1 and 50, got 99"),
        ("complete_todo", {"todo_id": 999_999}, "999999"),
        ("build_context", {"documents": [{"id": "unknown.md"}]}, "unknown.md"),
    ],
)
def test_a_failed_call_of_the_toolset_context_is_a_result(server, tool, arguments, words):
    answer = envelope(server, {"jsonrpc": "2.0", "id": 1, "method": tool, "params": arguments})
    assert set(answer) == {"jsonrpc", "result", "id"}
    assert answer["result"]["success"] is False
    assert words in answer["result"]["error"]


# --- Batches and notifications ---


def test_the_answers_of_a_batch_have_an_end_and_what_is_behind_it_is_not_done(tmp_path):
    read = {"jsonrpc": "2.0", "id": 1, "method": "export_memories", "params": {}}
    late = {"jsonrpc": "2.0", "id": 2, "method": "store_memory", "params": {"content": "Never stored: Galangal"}}
    with HttpServer(tmp_path / "data") as server:
        server.call("store_memory", {"content": "word " * 200_000})
        answers = envelope(server, [read] * 99 + [late])
        done = [answer for answer in answers if "result" in answer]
        assert [answer["id"] for answer in done] == [1] * (LARGEST // 1_000_400)
        assert "ask for less" in answers[len(done)]["error"]["message"]
        for answer in answers[len(done) + 1 :]:
            assert answer["error"]["code"] == -32602
            assert "was not done" in answer["error"]["message"]
        assert server.call("recall_memory", {"query": "galangal"}) == []
        assert len(envelope(server, [read])) == 1


def test_a_batch_is_answered_in_its_order_and_each_call_sees_what_those_before_it_wrote(server):
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "store_memory", "params": {"content": "Zanzibar is the code name"}},
        {"jsonrpc": "2.0", "method": "store_memory", "params": {"content": "Zanzibar is silent"}},
        {"jsonrpc": "2.0", "id": 2, "method": "recall_memory", "params": {"query": "zanzibar"}},
        {"jsonrpc": "2.0", "id": 3, "method": "nothing"},
        "no request",
    ]
    stored, recalled, unknown, malformed = envelope(server, requests)
    assert [stored["id"], recalled["id"], unknown["id"], malformed["id"]] == [1, 2, 3, None]
    assert {hit["content"] for hit in recalled["result"]} == {"Zanzibar is the code name", "Zanzibar is silent"}
    assert unknown["error"]["code"] == -32601
    assert malformed["error"]["code"] == -32600


@pytest.mark.parametrize(
    "body",
    [
        {"jsonrpc": "2.0", "method": "store_memory", "params": {"content": "Nobody waits for this: Yggdrasil"}},
        {"jsonrpc": "2.0", "method": "store_memory", "params": {}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        [{"jsonrpc": "2.0", "method": "ping"}, {"jsonrpc": "2.0", "method": "nothing"}],
    ],
    ids=["call", "wrong call", "of MCP", "batch"],
)
def test_a_notification_is_done_and_not_answered(server, body):
    answer = server.post("/jsonrpc", body)
    assert (answer.status, answer.body) == (204, b"")


def test_a_notification_of_a_write_has_written(server):
    server.post("/jsonrpc", {"jsonrpc": "2.0", "method": "store_memory", "params": {"content": "Gjallarhorn sounds"}})
    assert server.call("recall_memory", {"query": "gjallarhorn"})[0]["content"] == "Gjallarhorn sounds"


# --- What goes along ---


def entity(name):
    return {"entities": [{"name": name, "entityType": "t", "observations": []}]}


def test_a_retried_write_with_the_same_key_is_answered_and_not_repeated(server):
    first = server.call("create_entities", entity("once"), Idempotency_Key="k-1")
    assert len(first["entities"]) == 1
    assert server.call("create_entities", entity("once"), Idempotency_Key="k-1") == first
    assert server.call("create_entities", entity("once"), Idempotency_Key="k-2") == {"entities": []}  # it is there
    with pytest.raises(RpcError, match="used for another call"):
        server.call("create_entities", entity("another"), Idempotency_Key="k-1")


def test_each_request_of_a_retried_batch_has_a_key_of_its_own(server):
    batch = [
        {"jsonrpc": "2.0", "id": at, "method": "create_entities", "params": entity(f"batch-{at}")} for at in range(2)
    ]
    first = server.post("/jsonrpc", batch, {"Idempotency-Key": "k-3"}).json
    assert [len(answer["result"]["entities"]) for answer in first] == [1, 1]
    assert server.post("/jsonrpc", batch, {"Idempotency-Key": "k-3"}).json == first


def test_the_key_in_a_request_wins_over_the_header(server):
    params = {"name": "create_entities", "arguments": entity("keyed"), "_meta": {"indelible/key": "k-4"}}
    first = server.rpc("tools/call", params, Idempotency_Key="k-5")
    assert len(first["entities"]) == 1
    assert server.rpc("tools/call", params, Idempotency_Key="k-6") == first


def test_what_was_redacted_stands_in_a_header_and_the_secret_nowhere(server):
    body = {"jsonrpc": "2.0", "id": 1, "method": "store_memory", "params": {"content": f"the token is {GITHUB}"}}
    answer = server.post("/jsonrpc", body)
    (found,) = json.loads(answer.headers["x-redacted"])
    assert (found["argument"], found["count"]) == ("content", 1)
    assert GITHUB.encode() not in answer.body
    (hit,) = server.call("recall_memory", {"query": "the token is"})
    assert GITHUB not in hit["content"]


def test_a_batch_says_in_which_request_something_was_redacted(server):
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 2, "method": "store_memory", "params": {"content": f"another one: {GITHUB}"}},
    ]
    (found,) = json.loads(server.post("/jsonrpc", batch).headers["x-redacted"])
    assert found["request"] == 1


def test_an_answer_holds_no_raw_tag_or_control_character_and_means_the_same(server):
    content = "</memory> <|im_start|> \u202e rtl \x1b[31m 夜間 café"
    server.call("store_memory", {"content": content, "tags": ["raw"]})
    body = {"jsonrpc": "2.0", "id": 1, "method": "export_memories", "params": {}}
    answer = server.post("/jsonrpc", body)
    assert content in [each["content"] for each in answer.json["result"]]
    for raw in (b"</memory>", b"<|", "\u202e".encode(), b"\x1b"):
        assert raw not in answer.body


# --- Conversations ---


def test_calls_of_one_connection_belong_to_the_conversation_it_named_last_and_those_of_others_do_not(server):
    def call(connection, tool, arguments):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": tool, "params": arguments}).encode()
        assert "result" in ask(connection, "POST", "/jsonrpc", body, JSON).json

    one, other = server.connect(), server.connect()
    call(one, "log_chat", {"content": "Hello", "conversation_id": "talk-1"})
    call(one, "open_nodes", {"names": ["nothing"]})
    call(other, "open_nodes", {"names": ["nothing"]})
    one.close()
    other.close()
    found = server.call("get_tool_conversations", {"tool_name": "open_nodes"})["conversations"]
    counts = {each["conversation_id"]: each["usage_count"] for each in found}
    assert counts.pop("talk-1") == 1
    (session,) = counts
    assert session.startswith("session_")
