"""Whatever comes over the wire is answered in the protocol, and the server goes on."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tool_arguments as draw
from indelible.toolsets.registry import all_tools
from mcp_client import McpClient, text_of, value_of

pytestmark = pytest.mark.process

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, NO_METHOD = -32700, -32600, -32602, -32601
bounded = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with McpClient(tmp_path_factory.mktemp("bad") / "data", env={"PYTHONWARNINGS": "always"}) as client:
        yield client


def answer(client, line):
    """The one answer to a line, sent while no other request is open."""
    client.send_raw(line + b"\n")
    said = client.receive()
    assert said is not None, f"the server left: {client.stderr}"
    return said


def call(arguments, name="recall_memory", number=1):
    params = {"name": name, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"not json",
        b"{",
        b"{}",
        b"[]",
        b"[1,2]",
        b"null",
        b'"text"',
        b"\xff\xfe\x00",
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"2.0","id":1,"method":5}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list"} trailing',
        b"[" * 100_000,
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        call({"query": "x"}).replace(b'"x"', b"[" * 5000 + b"]" * 5000),
        b"x" * (8 << 20),
    ],
    ids=lambda line: repr(line[:40]),
)
def test_a_line_that_is_no_message_is_a_parse_error(client, line):
    said = answer(client, line)
    assert (said["id"], said["error"]["code"]) == (None, PARSE_ERROR)
    assert "JSON-RPC" in said["error"]["message"]


@pytest.mark.parametrize("number", [7, "seven"])
@pytest.mark.parametrize(
    ("value", "words"),
    [("cut in the middle \ud83d", "surrogate"), (json.loads("[" * 300 + "]" * 300), "recursion limit")],
    ids=["half of a surrogate pair", "nested"],
)
def test_a_request_that_cannot_be_read_whole_is_answered_under_its_id(client, number, value, words):
    """As JavaScript writes it: an agent that waits for this id would wait for ever."""
    said = answer(client, call({"query": value}, number=number))
    assert (said["id"], said["error"]["code"]) == (number, INVALID_PARAMS)
    assert words in said["error"]["message"]


def test_a_text_that_is_no_utf8_is_refused_under_its_id_and_not_stored_as_another(client):
    line = call({"content": "a caf? that is Latin-1"}, "store_memory", 9).replace(b"?", b"\xe9")
    said = answer(client, line)
    assert (said["id"], said["error"]["code"]) == (9, INVALID_PARAMS)
    assert "UTF-8" in said["error"]["message"]
    assert client.call("recall_memory", {"query": "Latin-1"}) == []


@pytest.mark.parametrize("number", ["1.5", "null", "true", "[]", "{}"])
@pytest.mark.parametrize("method", ["ping", "tools/list", "tools/call"])
def test_a_request_whose_id_is_none_of_json_rpc_is_refused(client, method, number):
    said = answer(client, f'{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{{}}}}'.encode())
    assert (said["id"], said["error"]["code"]) == (None, INVALID_REQUEST)
    assert "`id`" in said["error"]["message"]


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("nothing/such", {}, NO_METHOD),
        ("", {}, NO_METHOD),
        ("tools/call", {}, INVALID_PARAMS),
        ("tools/call", {"name": 5}, INVALID_PARAMS),
        ("tools/call", {"name": None, "arguments": {}}, INVALID_PARAMS),
        ("tools/call", {"name": "recall_memory", "arguments": [1]}, INVALID_PARAMS),
        ("tools/call", {"name": "recall_memory", "arguments": "query=x"}, INVALID_PARAMS),
        ("tools/call", {"name": "no_such_tool", "arguments": {}}, INVALID_PARAMS),
        ("tools/call", {"name": "Recall_Memory", "arguments": {"query": "x"}}, INVALID_PARAMS),
        ("tools/call", {"name": "", "arguments": {}}, INVALID_PARAMS),
        ("tools/call", {"name": "recall_memory", "arguments": {"query": "x"}, "_meta": 5}, INVALID_PARAMS),
        ("resources/nothing", {"uri": "memory://x"}, NO_METHOD),
        ("resources/read", {"uri": "memory://x"}, INVALID_PARAMS),
        ("prompts/get", {"name": "x"}, INVALID_PARAMS),
    ],
)
def test_a_request_that_cannot_be_served_is_an_error_with_its_id(client, method, params, code):
    line = json.dumps({"jsonrpc": "2.0", "id": "mine", "method": method, "params": params}).encode()
    said = answer(client, line)
    assert (said["id"], said["error"]["code"]) == ("mine", code)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (call({"query": "a\0b"}), "query contains a NUL character at position 1"),
        (call({"query": float("nan")}), "query must be a finite number, got nan"),
        (call({"query": "x", "k": 0}).replace(b'"k": 0', b'"k": 1e400'), "k must be a finite number, got inf"),
        (call({"query": "x", "k": 10**40}), "k must be a number below 2^63"),
        (call({"query": "x" * (2 << 20)}), "query has 2,097,152 bytes, at most 1,048,576 are allowed"),
        (call({"content": "x" * (8 << 20)}, "store_memory"), "content has 8,388,608 bytes"),
        (call(None), "query is required"),
        (call({"query": "x", "tags": [[[]]]}), "unknown argument 'tags'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_arguments_are_a_refusal_in_words(client, line, words):
    said = answer(client, line)
    assert said["id"] == 1
    assert said["result"]["isError"] is True
    assert text_of(said["result"]).startswith(words)


@pytest.mark.parametrize("key", [5, None, [], {"a": 1}, True, "", "k" * 256, "nul\0"])
def test_a_request_key_that_is_none_is_refused_or_ignored(client, key):
    params = {"name": "store_memory", "arguments": {"content": f"keyed {key!r}"}, "_meta": {"indelible/key": key}}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    said = answer(client, line)
    if key is None:
        assert said["result"]["isError"] is False
    else:
        assert said["result"]["isError"] is True
        assert "key" in text_of(said["result"])


@pytest.mark.parametrize(
    "line", [b'{"jsonrpc":"2.0","id":"s","method":"ping"}\r', b'  {"jsonrpc":"2.0","id":"s","method":"ping"} \t']
)
def test_white_space_around_a_message_is_fine(client, line):
    assert answer(client, line) == {"jsonrpc": "2.0", "id": "s", "result": {}}


def test_a_cancellation_of_nothing_that_has_an_id_is_ignored(client):
    for odd in ([1], {"a": 1}, None, True, 1.5):
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": odd}})
        assert client.request("ping") == {}


def test_a_request_whose_id_cannot_be_repeated_is_answered_without_it(client):
    said = answer(client, b'{"jsonrpc":"2.0","id":"half \\ud83d","method":"ping"}')
    assert said["id"] is None
    assert client.request("ping") == {}


def test_notifications_are_not_answered(client):
    for method in ("notifications/initialized", "notifications/cancelled", "notifications/nothing", "ping"):
        client.send({"jsonrpc": "2.0", "method": method, "params": {"requestId": 77}})
        assert client.request("ping") == {}


def test_a_notification_that_only_python_refuses_to_read_is_answered_and_ends_nothing(tmp_path):
    """The SDK's parser takes 4,300 digits, Python's as many as this variable says."""
    with McpClient(tmp_path / "data", env={"PYTHONINTMAXSTRDIGITS": "640"}) as client:
        number = "1" * 1000
        said = answer(client, f'{{"jsonrpc":"2.0","method":"ping","params":{{"a":{number}}}}}'.encode())
        assert (said["id"], said["error"]["code"]) == (None, PARSE_ERROR)
        assert client.request("ping") == {}


def test_a_line_may_come_in_pieces_and_several_at_once(client):
    line = call({"query": "in pieces"}, number="pieces") + b"\n"
    for i in range(0, len(line), 7):
        client.send_raw(line[i : i + 7])
    assert client.receive()["id"] == "pieces"
    calls = [call({"query": "many"}, number=f"many-{i}") for i in range(20)]
    client.send_raw(b"\n".join([*calls[:10], b"rubbish", *calls[10:]]) + b"\n")
    assert {client.receive()["id"] for _ in range(21)} == {None, *(f"many-{i}" for i in range(20))}


@pytest.mark.parametrize("name", all_tools())
@pytest.mark.sweep(12)
def test_arguments_of_any_kind_are_answered_or_refused_in_words(client, name):
    tool = all_tools()[name]

    @bounded
    @given(draw.faulty(tool, json_only=True).map(lambda call: call[0]), st.integers(1, 1 << 40))
    def answered(arguments, number):
        said = answer(client, call(arguments, name, number))
        assert said["id"] == number
        if "error" in said:
            assert "half of a surrogate pair" in said["error"]["message"]
            return
        if said["result"]["isError"]:
            assert "internal error" not in text_of(said["result"])
        else:
            draw.assert_fits(tool, value_of(said["result"]))

    answered()


def test_the_server_that_was_told_all_this_still_works_and_never_failed_inside(client):
    assert client.call("store_memory", {"content": "still here"})["status"] == "stored"
    assert "internal" not in client.stderr
    assert "Traceback" not in client.stderr
