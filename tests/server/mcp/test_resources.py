"""Memories as resources, in both eras of the protocol."""

from datetime import UTC, datetime
from urllib.parse import quote

import pytest

from eras import ERAS, speaking
from frame_reader import read
from mcp_client import McpClient, ProtocolError

pytestmark = pytest.mark.process


@pytest.fixture(params=ERAS)
def client(request, tmp_path):
    """A server of a project whose directory is `app`, with an empty store."""
    with speaking(request.param, tmp_path / "data", cwd=project(tmp_path)) as client:
        yield client


def project(tmp_path):
    (tmp_path / "app").mkdir(exist_ok=True)
    return tmp_path / "app"


def uri_of(namespace) -> str:
    return f"memory://{quote(str(namespace), safe='')}/recent"


def text_of(client, uri) -> str:
    (contents,) = client.request("resources/read", {"uri": uri})["contents"]
    assert contents["uri"] == uri
    assert contents["mimeType"] == "text/plain"
    return contents["text"]


def numbered(count, **fields):
    return [
        {"content": f"fact number {i}", "memory_type": "insight", "importance": (i % 10) / 10, **fields}
        for i in range(count)
    ]


# --- What there is ---


def test_an_empty_store_offers_the_newest_of_its_project(client, tmp_path):
    only, brief, graph = client.request("resources/list")["resources"]
    assert text_of(client, brief["uri"]) == "Indelible knows nothing of this project yet that belongs in a brief."
    assert (graph["uri"], graph["mimeType"]) == ("memory://knowledge-graph", "application/json")
    assert only["uri"] == uri_of(tmp_path / "app")
    assert text_of(client, only["uri"]) == "No memory is stored for this project yet."


def test_templates_name_a_memory_and_the_newest_of_a_project(asked):
    templates = asked.request("resources/templates/list")["resourceTemplates"]
    assert [(each["uriTemplate"], each["mimeType"]) for each in templates] == [
        ("memory://{id}", "text/plain"),
        ("memory://{namespace}/recent", "text/plain"),
        ("memory://{namespace}/brief", "text/plain"),
        ("memory://{namespace}/map", "text/plain"),
    ]
    assert all(each["description"] for each in templates)


def test_modern_answers_say_how_long_they_hold(tmp_path):
    with speaking("2026", tmp_path / "data", cwd=project(tmp_path)) as client:
        templates = client.request("resources/templates/list")
        listed = client.request("resources/list")
        contents = client.request("resources/read", {"uri": listed["resources"][0]["uri"]})
    assert (templates["cacheScope"], templates["ttlMs"]) == ("public", 300_000)
    assert (listed["cacheScope"], listed["ttlMs"]) == ("private", 0)
    assert (contents["cacheScope"], contents["ttlMs"]) == ("private", 0)


def test_listed_are_the_own_projects_memories_the_most_important_first_then_the_newest(client, tmp_path):
    told = client.call("store_memory", {"content": "ordinary\nwith a second line", "importance": 0.5})["id"]
    newer = client.call("store_memory", {"content": "ordinary and newer", "importance": 0.5})["id"]
    vital = client.call("store_memory", {"content": "never force push", "importance": 1.0, "memory_type": "habit"})[
        "id"
    ]
    client.call("store_memory", {"content": "of another project", "namespace": "/elsewhere"})
    recent, _, _, *listed = client.request("resources/list")["resources"]
    assert recent["uri"] == uri_of(tmp_path / "app")
    assert [each["name"] for each in listed] == [vital, newer, told]
    assert [each["title"] for each in listed] == [
        'habit: "never force push"',
        'context: "ordinary and newer"',
        'context: "ordinary with a second line"',
    ]
    assert listed[0]["annotations"]["priority"] == 1.0
    assert all(each["uri"] == f"memory://{each['name']}" for each in listed)


def test_the_list_comes_in_pages_that_neither_repeat_nor_skip_while_memories_are_added(client):
    client.call("import_memories", {"memories": numbered(120)})
    pages, params = [], {}
    while True:
        page = client.request("resources/list", params)
        pages.append([each["name"] for each in page["resources"]])
        client.call("store_memory", {"content": f"vital and new {len(pages)}", "importance": 1.0})
        if "nextCursor" not in page:
            break
        params = {"cursor": page["nextCursor"]}
    assert [len(page) for page in pages] == [53, 50, 20]
    names = [name for page in pages for name in page]
    assert len(set(names)) == 123


def test_the_list_is_the_same_each_time_and_no_longer_than_two_hundred(client):
    client.call("import_memories", {"memories": numbered(230)})

    def everything():
        page = client.request("resources/list")
        found = page["resources"]
        while "nextCursor" in page:
            page = client.request("resources/list", {"cursor": page["nextCursor"]})
            found += page["resources"]
        return found

    assert everything() == everything()
    assert len(everything()) == 203


@pytest.mark.parametrize("cursor", ["", "x", "W10=", "bnVsbA==", "WzEsMixbXV0=", "é", "WyJhIiwyLCIzIl0=", "[" * 5000])
def test_a_made_up_cursor_is_refused(asked, cursor):
    with pytest.raises(ProtocolError) as refused:
        asked.request("resources/list", {"cursor": cursor})
    assert refused.value.code == -32602
    assert "cursor" in refused.value.message


def test_replaced_and_unconfirmed_memories_are_not_listed(client):
    old = client.call("store_memory", {"content": "deploys go through jenkins"})["id"]
    new = client.call("store_memory", {"content": "deploys go through github actions"})["id"]
    client.call("associate_memories", {"source_id": new, "target_id": old, "relationship": "SUPERSEDES"})
    captured = {"content": "seen in a log", "metadata": {"origin": "capture", "trust": "untrusted"}}
    client.call("import_memories", {"memories": [captured]})
    assert [each["name"] for each in client.request("resources/list")["resources"][3:]] == [new]


# --- One memory ---


def test_a_memory_is_read_whole_with_where_it_comes_from(client, tmp_path):
    content = "認証は JWT で。\n\tif (a < b) return Vec<String>; // " + "x" * 10_000
    key = client.call("store_memory", {"content": content, "memory_type": "decision"})["id"]
    ((known, said),), rest = read(text_of(client, f"memory://{key}"))
    assert said == content
    assert rest == ""
    assert known == {
        "id": key,
        "kind": "memory",
        "type": "decision",
        "source": str(tmp_path / "app"),
        "age": f"just now ({datetime.now(UTC).date()})",
        "trust": "trusted",
    }


def test_what_was_captured_is_marked_until_it_is_confirmed(client):
    captured = {"content": "seen in a log", "metadata": {"origin": "capture", "trust": "untrusted"}}
    (key,) = client.call("import_memories", {"memories": [captured]})["ids"]
    ((known, _),), _ = read(text_of(client, f"memory://{key}"))
    assert (known["origin"], known["trust"]) == ("capture", "untrusted")
    (hit,) = client.call("recall_memory", {"query": "seen in a log"})
    assert (hit["origin"], hit["trust"]) == ("capture", "untrusted")
    client.call("store_memory", {"content": "seen in a log"})
    ((known, _),), _ = read(text_of(client, f"memory://{key}"))
    assert (known["origin"], known["trust"]) == ("capture", "trusted")
    (hit,) = client.call("recall_memory", {"query": "seen in a log"})
    assert hit["origin"] == "capture"
    assert "trust" not in hit


def test_what_is_no_memory_is_read_by_kind_and_id(tmp_path):
    line = {"kind": "solution", "id": "sol_12345678", "content": "restart the queue", "namespace": None}
    with McpClient(tmp_path / "data") as client:
        client.call("import_memories", {"memories": [line]})
        for name in ("sol_12345678", "solution%3Asol_12345678", "solution:sol_12345678"):
            ((known, said),), _ = read(text_of(client, f"memory://{name}"))
            assert said == "restart the queue"
            assert (known["id"], known["kind"]) == ("solution:sol_12345678", "solution")


def test_what_recall_does_not_show_is_no_resource(client):
    client.call("import_memories", {"memories": [{"kind": "file", "id": "file:a.py", "content": "a.py"}]})
    error = refusal_of(client, "memory://file%3Aa.py")
    assert error.code == -32602
    assert "is a file" in error.message


def test_a_read_is_counted_as_an_access(client):
    key = client.call("store_memory", {"content": "counted"})["id"]
    for _ in range(3):
        text_of(client, f"memory://{key}")
    (hit,) = client.call("recall_memory", {"query": "counted"})
    assert hit["access_count"] == 3


# --- The newest of a project ---


def test_the_newest_twenty_of_a_project_come_newest_first_and_shortened(client, tmp_path):
    ids = [
        client.call("store_memory", {"content": f"fact {i} " + "long " * (1000 if i == 24 else 1)})["id"]
        for i in range(25)
    ]
    client.call("store_memory", {"content": "of another project", "namespace": "/elsewhere"})
    items, rest = read(text_of(client, uri_of(tmp_path / "app")))
    assert [known["id"] for known, _ in items] == ids[:4:-1]
    assert rest == ""
    assert items[0].attributes["shortened"] == "yes"
    assert len(items[0].content) <= 2001
    assert "shortened" not in items[1].attributes
    ((_, whole),), _ = read(text_of(client, f"memory://{ids[24]}"))
    assert whole.count("long") == 1000


def test_a_namespace_may_be_a_path_encoded_or_raw_a_name_of_any_language_or_none(client):
    for name in ("/Users/dev/my project", "プロジェクト", "100%/a?b#c"):
        client.call("store_memory", {"content": f"known of {name}", "namespace": name})
        ((known, said),), _ = read(text_of(client, uri_of(name)))
        assert (known["source"], said) == (name, f"known of {name}")
    client.call("store_memory", {"content": "by its raw path", "namespace": "/Users/dev/raw"})
    ((_, said),), _ = read(text_of(client, "memory:///Users/dev/raw/recent"))
    assert said == "by its raw path"
    client.call("import_memories", {"memories": [{"content": "of no project", "namespace": None}]})
    ((known, said),), _ = read(text_of(client, "memory:///recent"))
    assert said == "of no project"
    assert "source" not in known


def test_a_path_inside_the_project_means_the_project(client, tmp_path):
    client.call("store_memory", {"content": "known here"})
    (tmp_path / "app" / "src").mkdir()
    ((_, said),), _ = read(text_of(client, uri_of(tmp_path / "app" / "src")))
    assert said == "known here"


# --- What is refused ---


def refusal_of(client, uri) -> ProtocolError:
    with pytest.raises(ProtocolError) as refused:
        text_of(client, uri)
    return refused.value


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "memory:",
        "memory://",
        "memory:///",
        "memory://unknown",
        "memory://00000000-0000-4000-8000-000000000000",
        "memory://unknown/recent",
        "memory://%2Fnowhere/recent",
        "memory://%252Fnowhere/recent",
        "memory://a/b",
        "memory://a/recent/",
        "memory://..%2F..%2Fetc%2Fpasswd",
        "memory://../../etc/passwd",
        "memory://../recent",
        "memory://a/../b/recent",
        "memory://%2Fa%2F%2E%2E%2Fb/recent",
        "memory://a%5C..%5Cb/recent",
        "memory://%zz",
        "memory://%",
        "memory://%e2%82",
        "memory://%ff%fe/recent",
        "memory://a%00b",
        "memory://a%0Ab/recent",
        "memory://%1b%5B31m",
        "memory://a%E2%80%AEb",
        "memory://a b",
        "memory://a?b=c",
        "memory://a#b",
        "MEMORY://a",
        "file:///etc/passwd",
        "http://localhost/recent",
        "memory://" + "a" * 5000,
        "memory://solution:",
        "memory://'; DROP TABLE record; --",
    ],
)
def test_what_names_nothing_is_invalid_and_names_the_uri(asked, uri):
    error = refusal_of(asked, uri)
    assert error.code == -32602
    assert error.message
    assert error.args[0].endswith(f"'data': {{'uri': {uri!r}}}}}")


def test_an_id_of_two_kinds_is_asked_for_by_its_kind(client):
    things = [{"kind": kind, "id": "twin", "content": kind} for kind in ("solution", "entity")]
    client.call("import_memories", {"memories": things})
    error = refusal_of(client, "memory://twin")
    assert error.code == -32602
    assert "entity:twin, solution:twin" in error.message
    ((_, said),), _ = read(text_of(client, "memory://entity%3Atwin"))
    assert said == "entity"


# --- Read-only ---


@pytest.mark.parametrize("era", ERAS)
def test_a_read_only_server_shows_the_same_and_counts_nothing(tmp_path, era):
    with McpClient(tmp_path / "data", cwd=project(tmp_path)) as writer:
        key = writer.call("store_memory", {"content": "kept"})["id"]
        listed = writer.request("resources/list")["resources"]
        framed = [each["uri"] for each in listed if each["mimeType"] == "text/plain" and each["name"] != "brief"]
    with speaking(era, tmp_path / "data", "--read-only", cwd=project(tmp_path)) as reader:
        assert reader.request("resources/list")["resources"] == listed
        for uri in framed:
            ((_, said),), _ = read(text_of(reader, uri))
            assert said == "kept"
        (exported,) = reader.call("export_memories")
        assert (exported["id"], exported["access_count"]) == (key, 0)


def test_a_secret_never_comes_out_of_a_resource(client):
    secret = "ghp_" + "a1B2c3D4" * 4 + "Zz9Y"
    key = client.call("store_memory", {"content": f"the token is {secret}"})["id"]
    assert "[REDACTED:" in text_of(client, f"memory://{key}")
    assert secret not in text_of(client, f"memory://{key}") + str(client.request("resources/list"))
