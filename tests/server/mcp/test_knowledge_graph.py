"""The knowledge graph over the protocol: texts, structured results, the resource and its updates, files of others."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

import store_file
from command_line import assert_sound, done, indelible
from eras import ERAS, MODERN, speaking
from indelible.store.sqlite.connection import FILE
from mcp_client import McpClient, text_of

pytestmark = pytest.mark.process

URI = "memory://knowledge-graph"
ANN = {"name": "Ann", "entityType": "person", "observations": ["drinks tea", "мова </b>"]}
BOB = {"name": "Bob", "entityType": "person", "observations": []}
KNOWS = {"from": "Ann", "to": "Bob", "relationType": "knows"}


@pytest.fixture(scope="module", params=ERAS)
def server(request, tmp_path_factory):
    with speaking(request.param, tmp_path_factory.mktemp("graph") / "data") as client:
        yield client


@pytest.fixture
def client(server):
    """A server whose graph is empty: what the test before left is deleted."""
    left = [entity["name"] for entity in server.call("read_graph")["entities"]]
    if left:
        server.call("delete_entities", {"entityNames": left})
    return server


def fill(client):
    client.call("create_entities", {"entities": [ANN, BOB]})
    client.call("create_relations", {"relations": [KNOWS]})


def written(value):
    """JSON as the reference writes it; a tag's end is escaped, which JSON reads as the same."""
    return json.dumps(value, ensure_ascii=False, indent=2).replace("</", "<\\/")


# --- Texts ---


@pytest.mark.parametrize(
    ("tool", "arguments", "structured", "text"),
    [
        (
            "create_entities",
            {"entities": [{"name": "Cid", "entityType": "person", "observations": ["ü"]}, ANN]},
            {"entities": [{"name": "Cid", "entityType": "person", "observations": ["ü"]}]},
            [{"name": "Cid", "entityType": "person", "observations": ["ü"]}],
        ),
        ("create_entities", {"entities": [ANN]}, {"entities": []}, []),
        (
            "create_relations",
            {"relations": [KNOWS, {**KNOWS, "relationType": "trusts"}]},
            {"relations": [{**KNOWS, "relationType": "trusts"}]},
            [{**KNOWS, "relationType": "trusts"}],
        ),
        (
            "add_observations",
            {"observations": [{"entityName": "Bob", "contents": ["sings"]}]},
            {"results": [{"entityName": "Bob", "addedObservations": ["sings"]}]},
            [{"entityName": "Bob", "addedObservations": ["sings"]}],
        ),
        ("read_graph", {}, {"entities": [ANN, BOB], "relations": [KNOWS]}, None),
        ("search_nodes", {"query": "TEA"}, {"entities": [ANN], "relations": [KNOWS]}, None),
        ("search_nodes", {"query": "nothing"}, {"entities": [], "relations": []}, None),
        ("open_nodes", {"names": ["Bob"]}, {"entities": [BOB], "relations": [KNOWS]}, None),
    ],
)
def test_the_text_is_indented_json_the_bare_list_of_what_was_created(client, tool, arguments, structured, text):
    fill(client)
    result = client.result(tool, arguments)
    assert result["structuredContent"] == structured
    assert [part["type"] for part in result["content"]] == ["text"]
    assert text_of(result) == written(structured if text is None else text)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("delete_entities", {"entityNames": ["Bob"]}, "Entities deleted successfully"),
        (
            "delete_observations",
            {"deletions": [{"entityName": "Ann", "observations": ["drinks tea"]}]},
            "Observations deleted successfully",
        ),
        ("delete_relations", {"relations": [KNOWS]}, "Relations deleted successfully"),
    ],
)
def test_the_text_of_a_delete_is_its_message(client, tool, arguments, message):
    fill(client)
    result = client.result(tool, arguments)
    assert text_of(result) == message
    assert result["structuredContent"] == {"success": True, "message": message}


def test_an_unknown_entity_is_an_error_in_the_references_words(client):
    result = client.result("add_observations", {"observations": [{"entityName": "Zed", "contents": ["x"]}]})
    assert result["isError"]
    assert text_of(result) == "Entity with name Zed not found"


# --- Many at once ---


def test_fifty_pipelined_creates_are_fifty_entities(tmp_path):
    calls = [("create_entities", {"entities": [{"name": f"e{n}", "entityType": "thing"}]}) for n in range(50)]
    with McpClient(tmp_path / "data") as client:
        results = client.pipeline(calls)
        assert all(len(result["structuredContent"]["entities"]) == 1 for result in results)
        assert len(client.call("read_graph")["entities"]) == 50
    assert_sound(tmp_path / "data")


def test_two_servers_that_create_at_once_lose_nothing_and_share_what_both_create(tmp_path):
    def work(client, number):
        own = [("create_entities", {"entities": [{"name": f"{number}-{n}", "entityType": "t"}]}) for n in range(100)]
        both = [("create_entities", {"entities": [{"name": f"both {n}", "entityType": "t"}]}) for n in range(20)]
        added = [
            ("add_observations", {"observations": [{"entityName": "shared", "contents": [f"{number}-{n}"]}]})
            for n in range(20)
        ]
        results = client.pipeline(own + both + added)
        assert not any(result.get("isError") for result in results)
        return sum(len(result["structuredContent"]["entities"]) for result in results[100:120])

    with McpClient(tmp_path / "data") as first, McpClient(tmp_path / "data") as second:
        first.call("create_entities", {"entities": [{"name": "shared", "entityType": "t"}]})
        with ThreadPoolExecutor(2) as pool:
            created = list(pool.map(work, (first, second), (1, 2)))
        assert sum(created) == 20  # of those that both create each is new to one of the two
        assert len(first.call("read_graph")["entities"]) == 221
        (shared,) = second.call("open_nodes", {"names": ["shared"]})["entities"]
        assert sorted(shared["observations"]) == sorted(f"{number}-{n}" for number in (1, 2) for n in range(20))
    assert_sound(tmp_path / "data")


# --- The resource ---


def test_the_resource_is_the_whole_graph_as_read_graph_gives_it(client):
    fill(client)
    listed = [each for each in client.request("resources/list")["resources"] if each["uri"] == URI]
    assert [each["mimeType"] for each in listed] == ["application/json"]
    (contents,) = client.request("resources/read", {"uri": URI})["contents"]
    assert (contents["uri"], contents["mimeType"]) == (URI, "application/json")
    assert contents["text"] == text_of(client.result("read_graph"))


def test_a_server_without_the_graph_has_no_such_resource(tmp_path):
    with McpClient(tmp_path / "data", "--toolsets", "memory") as client:
        said = client.initialize()
        assert not said["capabilities"]["resources"].get("subscribe")
        assert [each["name"] for each in client.request("resources/list")["resources"]] == ["recent", "brief"]
        with pytest.raises(AssertionError, match="-32602"):
            client.request("resources/read", {"uri": URI})


def updates_of(client):
    return [each for each in client.notifications if each["method"] == "notifications/resources/updated"]


def wait_for_update(client, method, params):
    """Ask until a notification has come (it is read with the answers)."""
    while not updates_of(client):
        client.request(method, params)
    found = updates_of(client)
    client.notifications.clear()
    return found


def test_a_subscriber_of_the_2025_era_hears_of_changes_by_any_server(tmp_path):
    with McpClient(tmp_path / "data") as client, McpClient(tmp_path / "data") as other:
        assert client.request("resources/subscribe", {"uri": URI}) == {}
        for server, tool, arguments in (
            (client, "create_entities", {"entities": [ANN, BOB]}),
            (other, "create_relations", {"relations": [KNOWS]}),
            (other, "add_observations", {"observations": [{"entityName": "Bob", "contents": ["sings"]}]}),
            (client, "delete_relations", {"relations": [KNOWS]}),
            (other, "delete_entities", {"entityNames": ["Ann"]}),
        ):
            server.call(tool, arguments)
            found = wait_for_update(client, "ping", {})
            assert [each["params"] for each in found] == [{"uri": URI}] * len(found), tool
        with pytest.raises(AssertionError, match="no updates are sent of 'memory://x'"):
            client.request("resources/subscribe", {"uri": "memory://x"})
        assert client.request("resources/unsubscribe", {"uri": URI}) == {}


def test_a_subscriber_of_the_2026_era_hears_of_changes_on_its_stream(tmp_path):
    with speaking("2026", tmp_path / "data") as client, McpClient(tmp_path / "data") as other:
        asked = {"_meta": MODERN, "notifications": {"resourceSubscriptions": [URI]}}
        client.send({"jsonrpc": "2.0", "id": "stream", "method": "subscriptions/listen", "params": asked})
        while not client.notifications:
            client.request("tools/list")
        assert client.notifications.pop()["method"] == "notifications/subscriptions/acknowledged"
        other.call("create_entities", {"entities": [ANN]})
        found = wait_for_update(client, "tools/list", {})
        assert found[0]["params"]["uri"] == URI
        assert found[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "stream"
        assert client.close() == 0  # an open stream does not keep the server from leaving


def test_a_store_that_fails_for_a_while_ends_neither_the_server_nor_the_subscription(tmp_path):
    with (
        McpClient(tmp_path / "data") as client,
        closing(store_file.opened(tmp_path / "data" / FILE, write=True)) as store,
    ):
        client.request("resources/subscribe", {"uri": URI})
        store.execute("ALTER TABLE setting RENAME TO away")  # stands for a disk that fails
        while "graph_updates" not in client.stderr:
            client.request("ping")
        store.execute("ALTER TABLE away RENAME TO setting")
        client.call("create_entities", {"entities": [ANN]})
        assert wait_for_update(client, "ping", {})[0]["params"] == {"uri": URI}


# --- Files of the reference server ---

LINES = [
    {"type": "entity", **ANN},
    {"type": "entity", **BOB},
    {"type": "entity", "name": "err#old", "entityType": "whatever", "observations": ['{"type":"fix.apply"}']},
    {"type": "relation", **KNOWS},
    {"type": "relation", "from": "Bob", "to": "Bob", "relationType": "is"},
]


def lines_of(things):
    return "".join(json.dumps(thing, ensure_ascii=False) + "\n" for thing in things)


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def imported(data, text, *options):
    """The exit code and the words of an import of a text."""
    raw = text if isinstance(text, bytes) else text.encode()
    ran = indelible("import", "--from", "memory-jsonl", *options, data=data, stdin=raw)
    return ran.returncode, ran.stderr.decode().splitlines()


def test_a_memory_jsonl_goes_in_and_comes_out_the_same_and_again_changes_nothing(data):
    assert imported(data, lines_of(LINES)) == (
        0,
        ["imported 3 entities and 2 relations, skipped 0 that were known, 0 problems"],
    )
    out = done("export", "--to", "memory-jsonl", data=data)
    assert [json.loads(line) for line in out.splitlines()] == LINES
    assert imported(data, out)[1][-1] == "imported 0 entities and 0 relations, skipped 5 that were known, 0 problems"
    assert done("export", "--to", "memory-jsonl", data=data) == out


def test_a_memory_json_of_one_object_goes_in_too(data, tmp_path):
    whole = {"entities": [ANN, BOB], "relations": [KNOWS]}
    file = tmp_path / "memory.json"
    file.write_text(json.dumps(whole, indent=2), encoding="utf-8")
    assert done("import", "--from", "memory-jsonl", file, data=data) == ""
    with McpClient(data) as client:
        assert client.call("read_graph") == whole


def test_bad_lines_are_counted_and_reported_and_the_rest_is_taken(data):
    bad = [
        "no json",
        "[1]",
        '{"type": "thing", "name": "x"}',
        '{"type": "entity", "entityType": "x", "observations": []}',
        '{"type": "entity", "name": "", "entityType": "x", "observations": []}',
        '{"type": "entity", "name": "x", "entityType": "x", "observations": [1]}',
        '{"type": "entity", "name": "a\\u0000b", "entityType": "x", "observations": []}',
        json.dumps({"type": "entity", "name": "x" * 2001, "entityType": "x", "observations": []}),
        '{"type": "relation", "from": "Ann", "to": "Zed", "relationType": "knows"}',
        '{"type": "relation", "from": "Ann", "to": "Bob"}',
    ]
    code, words = imported(data, "\n".join(bad) + "\n\n" + lines_of(LINES))
    assert code == 3
    assert words[-1] == "imported 3 entities and 2 relations, skipped 0 that were known, 10 problems"
    for number in range(1, 11):
        assert any(f"line {number}" in word for word in words), number
    assert any("line 9: Entity with name Zed not found" in word for word in words)
    out = done("export", "--to", "memory-jsonl", data=data)
    assert [json.loads(line) for line in out.splitlines()] == LINES


@pytest.mark.parametrize("text", ["", "\n\n", b"\xff\xfe\x00", "null", '{"entities": 5, "relations": []}'])
def test_a_file_without_a_graph_brings_nothing(data, text):
    code, words = imported(data, text)
    assert words[-1].startswith("imported 0 entities and 0 relations")
    assert code == (0 if isinstance(text, str) and not text.strip() else 3)


def test_relations_may_stand_before_their_ends_and_observations_are_joined(data):
    assert imported(data, lines_of([{"type": "relation", **KNOWS}, *LINES[:2]]))[0] == 0
    more = {"type": "entity", "name": "Ann", "entityType": "robot", "observations": ["drinks tea", "hums", {"a": 1}]}
    assert imported(data, lines_of([more]))[0] == 0
    with McpClient(data) as client:
        (ann,) = client.call("open_nodes", {"names": ["Ann"]})["entities"]
    assert ann == {**ANN, "observations": [*ANN["observations"], "hums", '{"a":1}']}


def test_a_missing_file_is_refused_and_an_unknown_format_too(data):
    ran = indelible("import", "--from", "memory-jsonl", "nowhere.json", data=data)
    assert (ran.returncode, b"nowhere.json cannot be read" in ran.stderr) == (1, True)
    assert indelible("import", "--from", "graphml", data=data).returncode == 2


def test_everything_of_the_graph_goes_through_the_lossless_export_too(data, tmp_path):
    imported(data, lines_of(LINES))
    whole = done("export", data=data)
    again = tmp_path / "again"
    assert indelible("import", data=again, stdin=whole.encode()).returncode == 0
    assert done("export", "--to", "memory-jsonl", data=again) == done("export", "--to", "memory-jsonl", data=data)
