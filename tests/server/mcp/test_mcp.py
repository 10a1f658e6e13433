"""The server over standard input and output, in both eras of the protocol."""

import json
import subprocess
import sys

import pytest
from mcp.shared.exceptions import MCPError
from test_architecture import SNAPSHOT

import forked
from eras import MODERN
from indelible.toolsets.registry import all_tools
from indelible.version import __version__
from mcp_client import McpClient, ProtocolError, ToolError, environment, text_of
from official_client import MODES, in_session

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A server of the 2025 era that the tests of this file share."""
    with McpClient(tmp_path_factory.mktemp("mcp") / "data") as client:
        yield client


# --- Both eras, with the official client ---


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_is_told_of_errors(tmp_path, mode):
    async def talk(client):
        refused = await client.call_tool("recall_memory", {"query": "", "k": -1})
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("forget_everything", {})
        return refused, unknown.value

    refused, unknown = in_session(tmp_path / "data", mode, talk)
    assert refused.is_error is True
    assert refused.structured_content is None
    assert refused.content[0].text.splitlines() == [
        "query must have at least 1 character, got ''",
        "k must be between 0 and 10000, got -1",
    ]
    assert unknown.error.code == -32602
    assert unknown.error.message.startswith("Unknown tool: forget_everything. There are store_memory")


@pytest.mark.parametrize("mode", MODES)
def test_what_was_redacted_stands_in_meta_and_the_secret_nowhere(tmp_path, mode):
    secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gHx"

    async def talk(client):
        stored = await client.call_tool("store_memory", {"content": f"the token is {secret}", "tags": [secret]})
        recalled = await client.call_tool("recall_memory", {"query": "token"})
        clean = await client.call_tool("store_memory", {"content": "nothing to hide"})
        return stored, recalled, clean

    stored, recalled, clean = in_session(tmp_path / "data", mode, talk)
    redacted = stored.meta["redacted"]
    assert [(found["argument"], found["count"]) for found in redacted] == [("content", 1), ("tags", 1)]
    assert all(set(found) == {"rule", "argument", "count"} and found["rule"] for found in redacted)
    assert "redacted" not in (clean.meta or {})
    assert secret not in str([stored, recalled, clean])
    assert "[REDACTED:" in recalled.content[0].text


# --- Word for word ---


def test_the_server_introduces_itself(tmp_path):
    client = McpClient(tmp_path / "data")
    said = client.initialize()
    client.close()
    assert said["protocolVersion"] == "2025-06-18"
    assert said["serverInfo"] == {"name": "indelible", "title": "Indelible", "version": __version__}
    assert set(said["capabilities"]) == {"tools", "resources", "prompts", "completions"}
    assert "recall_memory" in said["instructions"]
    assert len(said["instructions"].encode()) <= 2048


def test_the_modern_server_answers_without_a_handshake_and_says_how_long_lists_hold(tmp_path):
    client = McpClient(tmp_path / "data")
    discovered = client.request("server/discover", {"_meta": MODERN})
    assert discovered["supportedVersions"] == ["2026-07-28"]
    listed = client.request("tools/list", {"_meta": MODERN})
    assert (listed["cacheScope"], listed["ttlMs"]) == ("public", 300_000)
    called = client.request("tools/call", {"name": "codemem_stats", "arguments": {}, "_meta": MODERN})
    assert called["structuredContent"]["storage"]["memories"] == 0
    wrong = {**MODERN, "io.modelcontextprotocol/protocolVersion": "1999-01-01"}
    with pytest.raises(ProtocolError) as refusal:
        client.request("tools/list", {"_meta": wrong})
    assert refusal.value.code == -32022
    client.close()


def test_the_tools_are_listed_as_the_snapshot_says(client):
    snapshot = {tool["name"]: tool for tool in json.loads(SNAPSHOT.read_text(encoding="utf-8"))}
    listed = client.tools()
    assert [tool["name"] for tool in listed] == list(snapshot)
    for tool in listed:
        wanted = snapshot[tool["name"]]
        for part in ("title", "description", "inputSchema", "outputSchema"):
            assert tool[part] == wanted[part]
        assert tool["annotations"] == {
            "readOnlyHint": not wanted["writes"],
            "destructiveHint": wanted["destructive"],
            "idempotentHint": wanted["idempotent"],
            "openWorldHint": False,
        }


def test_a_list_and_a_sentence_of_any_language_come_as_compact_json_in_their_own_characters(client):
    client.call("store_memory", {"content": "認証サーバー restarts at 夜 🚀", "tags": ["運用"]})
    result = client.result("recall_memory", {"query": "認証サーバー"})
    (item,) = result["content"]
    assert item["type"] == "text"
    assert "認証サーバー restarts at 夜 🚀" in item["text"]
    assert item["text"] == json.dumps(result["structuredContent"]["result"], ensure_ascii=False, separators=(",", ":"))
    assert result["isError"] is False


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        (
            "store_memory",
            {"content": "x", "resource_type": "code"},
            "resource_type 'code' is the type of a document",
        ),
        ("update_memory", {"id": "nobody", "content": "x"}, "id 'nobody' is unknown: there is no memory with that id"),
        ("recall_memory", {"query": "x", "limit": 3}, "unknown argument 'limit'; allowed are: query, k"),
        ("recall_memory", {}, "query is required"),
    ],
)
def test_a_refusal_is_a_result_that_says_what_is_wrong(client, tool, arguments, words):
    result = client.result(tool, arguments)
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert text_of(result).startswith(words)


def test_a_repeated_request_key_is_answered_and_not_repeated(client):
    first = client.call("store_memory", {"content": "stored with a key"}, key="key-1")
    assert client.call("store_memory", {"content": "stored with a key"}, key="key-1") == first
    assert first["status"] == "stored"
    other = client.result("store_memory", {"content": "another"}, key="key-1")
    assert other["isError"] is True
    assert "request key 'key-1' was used for another call" in text_of(other)


def test_a_read_only_server_hides_and_refuses_what_writes(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as writer:
        writer.call("store_memory", {"content": "axum chosen"})
    with McpClient(data, "--read-only") as reader:
        listed = {tool["name"] for tool in reader.tools()}
        assert listed == {name for name, tool in all_tools().items() if not tool.writes}
        assert reader.call("recall_memory", {"query": "axum"})[0]["content"] == "axum chosen"
        for name in all_tools().keys() - listed:
            with pytest.raises(ToolError, match=f"{name} writes, and this server is read-only"):
                reader.call(name, {})


NOISE = """
import os, sys, warnings
import indelible.toolsets.memory.memories as memories
from indelible.cli.main import main

stored = memories.store

def store(ctx, memory):
    print("noise on stdout")
    sys.stdout.write("more noise without an end")
    sys.stdout.flush()
    os.write(1, b"noise past python\\n")
    os.system("echo noise of a child")
    warnings.warn("a warning", DeprecationWarning)
    return stored(ctx, memory)

memories.store = store
sys.exit(main(sys.argv[3:]))  # after `-m indelible`
"""


def test_stdout_carries_protocol_only_whatever_is_printed_or_warned_meanwhile(tmp_path):
    (tmp_path / "noisy.py").write_text(NOISE)
    env = {"PYTHONPATH": str(tmp_path), "PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1"}
    noisy = (sys.executable, "noisy.py")
    with McpClient(tmp_path / "data", env=env, python=noisy) as client:  # which fails at any other line
        for i in range(3):
            assert client.call("store_memory", {"content": f"memory {i}"})["status"] == "stored"
        client.close_input()
        assert client.remaining() == {}
        assert client.stderr.count("noise past python") == 3


def test_a_client_that_reads_no_answer_any_more_is_left(tmp_path):
    """Its end of our input may be held by another process."""
    env, pipe = environment({"INDELIBLE_DATA": str(tmp_path / "data")}), subprocess.PIPE
    server = forked.start(["serve"], env=env, cwd=tmp_path, stdin=pipe, stdout=pipe, stderr=pipe)
    for number in range(2):
        server.stdin.write(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number)
        server.stdin.flush()
        if number == 0:
            server.stdout.readline()
            server.stdout.close()
    said = server.stderr.read()
    assert (server.wait(), b"Traceback" in said) == (0, False)
    server.stdin.close()
    server.stderr.close()


COLLECTS = """import atexit
import gc
import sys

from indelible.cli.main import main

atexit.register(lambda: print("garbage", gc.isenabled(), gc.get_freeze_count() > 100_000, file=sys.stderr))
sys.exit(main(sys.argv[3:]))  # after `-m indelible`
"""


def test_a_server_collects_garbage_but_looks_at_nothing_that_it_loaded(tmp_path):
    """It is off while a server starts, and what a process goes without for ever would fill its memory."""
    (tmp_path / "collects.py").write_text(COLLECTS)
    with McpClient(tmp_path / "data", python=(sys.executable, "collects.py")) as client:
        client.call("store_memory", {"content": "axum"})
        client.close_input()
        assert client.remaining() == {}
        assert "garbage True True" in client.stderr


def test_a_quiet_server_writes_nothing_to_stderr_but_json_lines(tmp_path):
    with McpClient(tmp_path / "data") as client:
        client.call("store_memory", {"content": "quiet"})
        client.result("store_memory", {"content": ""})
        client.result("recall_memory", {"query": "x" * 2_000_000})
        client.close_input()
        client.remaining()
        for line in client.stderr.splitlines():
            assert {"level", "event"} <= json.loads(line).keys()
