"""How far a long call is: notifications/progress, for those who asked."""

import pytest

from eras import MODERN
from mcp_client import McpClient, ProtocolError, value_of
from official_client import in_session

pytestmark = pytest.mark.process

ITEMS = [{"content": f"fact {i}: module{i % 7} waits for queue{i}"} for i in range(500)]


@pytest.fixture(params=["legacy", "modern"])
def client(request, tmp_path):
    """A server, and what a request of this era carries in `_meta`."""
    client = McpClient(tmp_path / "data")
    if request.param == "legacy":
        client.initialize()
    yield client, {} if request.param == "legacy" else MODERN
    client.close()


def ask(client, tool, arguments, meta):
    result = client.request("tools/call", {"name": tool, "arguments": arguments, "_meta": meta})
    return value_of(result), [n["params"] for n in client.notifications if n["method"] == "notifications/progress"]


@pytest.mark.parametrize("token", ["how-far", 7, 0])
def test_an_import_tells_how_far_it_is_and_then_answers(client, token):
    server, meta = client
    done, told = ask(server, "import_memories", {"memories": ITEMS}, {**meta, "progressToken": token})
    assert done["imported"] == len(ITEMS)
    assert all(params["progressToken"] == token for params in told)
    assert all(params["total"] == len(ITEMS) and params["message"] for params in told)
    steps = [params["progress"] for params in told]
    assert steps[-1] == len(ITEMS), "the last report comes, and before the answer"
    assert steps == sorted(set(steps)), "progress grows with every notification"
    assert len(steps) <= -(-len(ITEMS) // 32), "no more than one a batch"


def test_who_does_not_ask_is_told_nothing(client):
    server, meta = client
    done, told = ask(server, "import_memories", {"memories": ITEMS}, meta)
    assert (done["imported"], told) == (len(ITEMS), [])
    assert server.notifications == []


def test_a_call_without_steps_answers_whoever_gives_a_token(client):
    server, meta = client
    stored, told = ask(server, "store_memory", {"content": "axum was chosen"}, {**meta, "progressToken": "x"})
    assert (stored["status"], told) == ("stored", [])


def test_a_refusal_is_the_same_for_who_gives_a_token(client):
    server, meta = client
    refusals = []
    for token in ({}, {"progressToken": "x"}):
        with pytest.raises(ProtocolError) as refusal:
            server.request("resources/read", {"uri": "memory://nobody", "_meta": {**meta, **token}})
        refusals.append((refusal.value.code, refusal.value.message))
    assert refusals[0] == refusals[1]
    assert refusals[0][0] == -32602


def test_progress_of_calls_at_once_goes_by_their_tokens(tmp_path):
    with McpClient(tmp_path / "data") as client:
        parts = {f"part-{i}": ITEMS[i * 100 : (i + 1) * 100] for i in range(4)}
        for number, (token, items) in enumerate(parts.items()):
            params = {"name": "import_memories", "arguments": {"memories": items}, "_meta": {"progressToken": token}}
            client.send({"jsonrpc": "2.0", "id": number + 100, "method": "tools/call", "params": params})
        assert [value_of(client.answer(number + 100))["imported"] for number in range(4)] == [100] * 4
        for token in parts:
            steps = [n["params"]["progress"] for n in client.notifications if n["params"]["progressToken"] == token]
            assert steps[-1] == 100
            assert steps == sorted(set(steps))


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_official_client_hears_progress(tmp_path, mode):
    heard = []

    async def hear(progress, total, message):
        heard.append((progress, total))

    async def talk(client):
        return await client.call_tool("import_memories", {"memories": ITEMS[:100]}, progress_callback=hear)

    answer = in_session(tmp_path / "data", mode, talk)
    assert answer.structured_content["imported"] == 100
    assert heard
    assert all(total == 100 for _, total in heard)
