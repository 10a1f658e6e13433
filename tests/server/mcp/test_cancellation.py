"""A call that its client takes back: it stops where that is safe, and nobody waits for it."""

import signal

import pytest

from command_line import assert_sound, opened
from eras import MODERN
from indelible.core.context.call import Caller
from indelible.core.records import exporting
from indelible.errors import Cancelled
from indelible.toolsets import registry
from indelible.toolsets.memory import importing
from mcp_client import McpClient, value_of

MANY = 20_000  # an import of so many takes far longer than a test
BATCH = importing.BATCH
IMPORT = "the import"


def items(count, **more):
    return [{"content": f"fact {i}: module{i % 7} waits for queue{i}", **more} for i in range(count)]


def call(client, meta, tool, **arguments):
    return value_of(client.request("tools/call", {"name": tool, "arguments": arguments, "_meta": meta}))


def begin_import(client, meta):
    """Send an import and go on when its first batch is stored."""
    params = {"name": "import_memories", "arguments": {"memories": items(MANY)}}
    params["_meta"] = {**meta, "progressToken": "how-far"}
    client.send({"jsonrpc": "2.0", "id": IMPORT, "method": "tools/call", "params": params})
    while not client.notifications:
        call(client, meta, "codemem_health")


def cancel(client, request=IMPORT):
    client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request}})


def stored_texts(data):
    """What is stored, in the order of storing."""
    with opened(data) as ctx:
        return [record["content"] for record in exporting.export_all(ctx)]


@pytest.fixture(params=["legacy", "modern"])
def started(request, tmp_path):
    """A server, what a request of this era carries, and the store."""
    client = McpClient(tmp_path / "data")
    if request.param == "legacy":
        client.initialize()
    yield client, {} if request.param == "legacy" else MODERN, tmp_path / "data"
    client.close()


@pytest.mark.process
def test_a_cancelled_import_stops_at_its_next_batch_and_is_not_answered(started):
    client, meta, data = started
    begin_import(client, meta)
    cancel(client)
    assert call(client, meta, "store_memory", content="stored after the cancellation")["status"] == "stored"
    client.close_input()
    assert IMPORT not in client.remaining()
    assert client.process.wait(20) == 0
    texts = stored_texts(data)
    assert BATCH < len(texts) < MANY
    assert len(texts) - 1 - texts.index("stored after the cancellation") <= BATCH
    assert (len(texts) - 1) % BATCH == 0, "a batch is stored whole"
    assert_sound(data)


@pytest.mark.process
@pytest.mark.parametrize("leave", ["end of input", "SIGTERM"])
def test_a_server_does_not_wait_for_an_import_that_was_cancelled(tmp_path, leave):
    client = McpClient(tmp_path / "data")
    client.initialize()
    begin_import(client, {})
    cancel(client)
    if leave == "SIGTERM":
        client.process.send_signal(signal.SIGTERM)
    else:
        client.close_input()
    assert IMPORT not in client.remaining()
    assert client.process.wait(20) == 0
    client.close()
    texts = stored_texts(tmp_path / "data")
    assert 0 < len(texts) < MANY
    assert len(texts) % BATCH == 0
    assert_sound(tmp_path / "data")


@pytest.mark.process
def test_calls_that_are_cancelled_as_they_come_leave_a_store_and_a_server_in_order(tmp_path):
    with McpClient(tmp_path / "data") as client:
        for i in range(40):
            params = {"name": "store_memory", "arguments": {"content": f"number {i}"}}
            client.send({"jsonrpc": "2.0", "id": f"store-{i}", "method": "tools/call", "params": params})
            cancel(client, f"store-{i}")
            cancel(client, "never sent")
        assert client.call("store_memory", {"content": "the last"})["status"] == "stored"
        client.close_input()
        answered = client.remaining()
    texts = stored_texts(tmp_path / "data")
    assert "the last" in texts
    for request, message in answered.items():
        assert f"number {request.removeprefix('store-')}" in texts, message
    assert_sound(tmp_path / "data")


# --- In the engine ---


def after(batches):
    """A caller who takes the call back after so many reports."""
    heard = []
    return Caller(lambda done, total, message: heard.append(done), lambda: len(heard) >= batches)


def import_them(ctx, things, **how):
    return registry.call(ctx, registry.find_tool("import_memories"), {"memories": things}, **how).value


@pytest.mark.parametrize(("key", "skipped"), [(None, 2 * BATCH), ("a request key", 0)], ids=["no key", "a request key"])
def test_a_second_import_goes_on_where_the_cancelled_one_stopped(tmp_path, key, skipped):
    with opened(tmp_path / "data") as ctx:
        with pytest.raises(Cancelled, match="import_memories was cancelled; what it committed before is kept"):
            import_them(ctx, items(100), key=key, caller=after(2))
        done = import_them(ctx, items(100), key=key)
    assert (done["skipped"], done["imported"]) == (skipped, 100 - skipped)  # of one call, with a key
    assert sorted(stored_texts(tmp_path / "data")) == sorted(item["content"] for item in items(100))


def test_relations_that_a_cancelled_import_did_not_reach_come_with_the_next(tmp_path):
    edge = {"source": "m-1", "target": "m-0", "relationship": "LEADS_TO"}
    things = [{"id": "m-0", "content": "zero"}, {"id": "m-1", "content": "one", "edges": [edge]}]
    with opened(tmp_path / "data") as ctx:
        with pytest.raises(Cancelled):
            import_them(ctx, things, caller=after(1))
        assert [len(record["edges"]) for record in exporting.export_all(ctx)] == [0, 0]
        assert import_them(ctx, things)["skipped"] == 2
        assert [len(record["edges"]) for record in exporting.export_all(ctx)] == [0, 1]


def test_a_call_that_is_cancelled_before_it_began_writes_nothing(tmp_path):
    with opened(tmp_path / "data") as ctx, pytest.raises(Cancelled):
        import_them(ctx, items(3), caller=after(0))
    assert stored_texts(tmp_path / "data") == []
