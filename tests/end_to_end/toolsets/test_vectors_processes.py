"""Toolset vectors in several processes at once, in one that is asked for much at once, and in one that is killed."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from command_line import assert_sound
from indelible.store.tables import changes, settings
from mcp_client import Call, McpClient, text_of, value_of


def found(memory, vector, limit=5):
    return {match["id"]: match["similarity"] for match in memory.search(vector=vector, limit=limit)}


def test_what_another_server_memorized_changed_or_deleted_is_seen_at_once(open_store):
    one, two = open_store(), open_store()
    for n in range(3):
        one.memorize(id=f"e{n}", vector={"1": 1, "2": n})
        assert len(two.search(vector=[0, 1])) == n + 1
    two.memorize(id="e0", vector={"9": 1})
    two.feedback(id="e2", scoreAdjustment=3)
    one.delete(id="e1")
    for memory in (one, two):
        assert found(memory, {"9": 1}) == {"e0": 1, "e2": 0}
        assert memory.search(vector={"1": 1})[0]["score"] == 3


def test_a_server_that_missed_part_of_the_change_log_reads_all_again(memory, open_store):
    memory.memorize(id="e", vector=[1])
    assert found(memory, [1]) == {"e": 1}
    other = open_store()
    for n in range(10):
        other.memorize(id="e", vector=[0, n + 1])
    cut = memory.context.store.write(lambda tx: changes.trim(tx, 1 << 62, 1 << 62))
    assert cut > 5
    assert found(memory, [0, 1]) == {"e": 1}


@pytest.mark.sqlite("copies of the file")
def test_a_server_whose_store_was_restored_reads_all_again(memory):
    memory.memorize(id="e", vector=[1])
    assert found(memory, [1]) == {"e": 1}
    ctx = memory.context
    ctx.store.write(lambda tx: settings.put_epoch(tx, "another"))
    assert found(memory, [1]) == {"e": 1}


@pytest.mark.process
def test_two_servers_lose_no_entry_of_two_hundred_with_upserts(tmp_path):
    data = tmp_path / "data"

    def store(client, who):
        def call(n):
            name = "both" if n == 50 else f"{who}-{n - 1 if n % 10 == 9 else n}"  # every tenth replaces the one before
            return Call("memorize", {"id": name, "vector": {str(n): 1.0}, "text": f"by {who} as {n}"})

        first = client.pipeline(
            [call(n) for n in range(100) if n % 10 != 9]
        )  # answered: what runs at once has no order
        return [text_of(result) for result in first + client.pipeline([call(n) for n in range(9, 100, 10)])]

    with McpClient(data) as one, McpClient(data) as two, ThreadPoolExecutor(2) as pool:
        for answers in pool.map(store, (one, two), ("one", "two")):
            assert all(answer.startswith("Stored entry: ") for answer in answers)
        expected = {f"{who}-{n}" for who in ("one", "two") for n in range(100) if n % 10 != 9 and n != 50} | {"both"}
        for client in (one, two):
            matches = client.call("search", {"vector": {"9": 1.0}, "limit": 1000})
            assert {match["id"] for match in matches} == expected
            assert {m["id"] for m in matches if m["similarity"] == 1} == {"one-8", "two-8"}


@pytest.mark.process
def test_no_feedback_is_lost_between_two_servers(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as one, McpClient(data) as two, ThreadPoolExecutor(2) as pool:
        one.call("memorize", {"id": "e", "vector": [1]})
        calls = [Call("feedback", {"id": "e", "scoreAdjustment": 0.5})] * 50
        for results in pool.map(lambda client: client.pipeline(calls), (one, two)):
            assert {value_of(result) for result in results} == {"Updated score for entry: e"}
        assert one.call("search", {"vector": [1]})[0]["score"] == 50


def memorizing(who, count):
    """Calls that store things of one's own; every tenth replaces the one before it."""
    for n in range(count):
        name = f"{who}-{n - 1 if n % 10 == 9 else n}"
        yield Call("memorize", {"id": name, "vector": {str(n): 1.0, "7": 0.5}, "text": f"by {who} as {n}"})


def kept(client):
    """The text of every entry by its id."""
    matches = client.call("search", {"vector": {"7": 1.0}, "limit": 1000})
    return {match["id"]: match["metadata"]["text"] for match in matches}


@pytest.mark.process
def test_fifty_that_come_at_once_are_all_kept(tmp_path):
    """Of two with one id that run at once either may be the last, as anywhere; none is lost."""
    with McpClient(tmp_path / "data") as client:
        answers = client.pipeline(memorizing("one", 50))
        assert {text_of(answer).split(": ")[0] for answer in answers} == {"Stored entry"}
        there = kept(client)
        assert set(there) == {f"one-{n}" for n in range(50) if n % 10 != 9}
        for name, text in there.items():
            n = int(name.removeprefix("one-"))
            assert text in {f"by one as {n}", f"by one as {n + 1}"}


@pytest.mark.process
def test_searches_amid_writes_find_what_is_there_at_their_moment(tmp_path):
    """No call fails, and an entry that no other call touches is found by every search."""
    with McpClient(tmp_path / "data") as client:
        client.call("memorize", {"id": "stays", "vector": {"1": 1}})
        calls = []
        for n in range(30):
            calls.append(Call("memorize", {"id": f"e{n % 7}", "vector": {"1": 1, str(n + 2): n}}))
            calls.append(Call("search", {"vector": {"1": 1}, "limit": 99}))
            calls.append(Call("feedback", {"id": f"e{n % 5}", "scoreAdjustment": 1}))
            calls.append(Call("delete", {"id": f"e{n % 3}"}))
        answers = client.pipeline(calls)
        assert not [answer for answer in answers if answer.get("isError")]
        for answer in answers[1::4]:
            ids = [match["id"] for match in value_of(answer)]
            assert len(ids) == len(set(ids))
            assert "stays" in ids


@pytest.mark.process
@pytest.mark.parametrize("answers", [3, 25])
def test_what_was_acknowledged_is_there_after_a_kill(tmp_path, answers):
    data = tmp_path / "data"
    with McpClient(data) as client:
        calls = list(memorizing("one", 60))
        asked = dict(zip(client.send_calls(calls), calls, strict=True))
        messages = [client.receive() for _ in range(answers)]
        client.kill9()
        messages += client.remaining().values()
    done = [asked[message["id"]].arguments for message in messages if value_of(message["result"])]
    assert len(done) >= answers
    with McpClient(data) as client:
        there = kept(client)
        assert {arguments["id"] for arguments in done} <= set(there)
        assert set(there.items()) <= {(call.arguments["id"], call.arguments["text"]) for call in calls}
        assert client.call("memorize", {"id": "after", "vector": [1]}) == "Stored entry: after"
    assert_sound(data)
