"""Values proposed while somebody types, in both eras of the protocol."""

import pytest

from eras import ERAS, speaking
from indelible.model import MEMORY_TYPES
from mcp_client import McpClient, ProtocolError

pytestmark = pytest.mark.process

BY_ID = {"type": "ref/resource", "uri": "memory://{id}"}
RECENT = {"type": "ref/resource", "uri": "memory://{namespace}/recent"}


def prompt(name):
    return {"type": "ref/prompt", "name": name}


@pytest.fixture(params=ERAS)
def client(request, tmp_path):
    """A server of a project whose directory is `app`, with an empty store."""
    (tmp_path / "app").mkdir()
    with speaking(request.param, tmp_path / "data", cwd=tmp_path / "app") as client:
        yield client


def proposed(client, ref, argument, typed="") -> dict:
    given = {"ref": ref, "argument": {"name": argument, "value": typed}}
    completion = client.request("completion/complete", given)["completion"]
    assert len(completion["values"]) <= 100
    return completion


def values(client, ref, argument, typed="") -> list[str]:
    return proposed(client, ref, argument, typed)["values"]


def remember(client, *memories):
    client.call("import_memories", {"memories": [{"content": f"fact {i}", **each} for i, each in enumerate(memories)]})


def test_an_empty_store_proposes_nothing_but_types(asked):
    assert proposed(asked, RECENT, "namespace") == {"values": [], "total": 0, "hasMore": False}
    assert values(asked, BY_ID, "id") == []
    assert values(asked, prompt("review-decisions"), "topic") == []
    assert values(asked, prompt("recall-context"), "memory_type") == list(MEMORY_TYPES)


def test_namespaces_begin_with_the_own_and_with_what_begins_so(client, tmp_path):
    own = str(tmp_path / "app")
    names = ["/src/Beta", "beta", "/src/alpha", "プロジェクト"]
    remember(client, {}, *({"namespace": name} for name in names))
    for ref in (RECENT, prompt("recall-context"), prompt("onboard")):
        assert values(client, ref, "namespace") == [own, "/src/Beta", "/src/alpha", "beta", "プロジェクト"]
        assert values(client, ref, "namespace", "BETA") == ["beta", "/src/Beta"]
        assert values(client, ref, "namespace", "ジェクト") == ["プロジェクト"]
        assert values(client, ref, "namespace", "gamma") == []


def test_the_namespaces_of_one_project_are_proposed_once(client, tmp_path):
    own = str(tmp_path / "app")
    client.call("store_memory", {"content": "here"})
    (tmp_path / "app" / "src").mkdir()
    remember(client, {"namespace": f"{own}/src"})
    assert values(client, RECENT, "namespace") == [own]


def test_tags_are_proposed_for_a_topic_the_most_frequent_first(client):
    remember(client, {"tags": ["api:auth", "auth"]}, {"tags": ["auth"]}, {"tags": ["Ägypten", "api"]})
    assert values(client, prompt("review-decisions"), "topic") == ["auth", "api", "api:auth", "Ägypten"]
    assert values(client, prompt("review-decisions"), "topic", "AUTH") == ["auth", "api:auth"]
    assert values(client, prompt("review-decisions"), "topic", "äg") == ["Ägypten"]


def test_ids_are_proposed_the_newest_first(client):
    ids = [client.call("store_memory", {"content": f"fact {i}"})["id"] for i in range(3)]
    assert values(client, BY_ID, "id") == ids[::-1]
    assert ids[1] in values(client, BY_ID, "id", ids[1][:8].upper())


def test_types_are_proposed_by_what_they_hold(asked):
    assert values(asked, prompt("recall-context"), "memory_type", "P") == ["pattern", "preference"]
    assert values(asked, prompt("recall-context"), "memory_type", "ight") == ["insight"]


def test_at_most_a_hundred_come_with_the_number_of_all(client):
    remember(client, *({"namespace": f"/src/{i:03}"} for i in range(150)))
    found = proposed(client, RECENT, "namespace", "/src")
    assert (len(found["values"]), found["total"], found["hasMore"]) == (100, 150, True)
    found = proposed(client, RECENT, "namespace", "/src/1")
    assert (len(found["values"]), found["total"], found["hasMore"]) == (50, 50, False)
    remember(client, {"content": "one more", "tags": [f"tag{i}" for i in range(100)]})
    found = proposed(client, prompt("review-decisions"), "topic")
    assert (len(found["values"]), found["total"], found["hasMore"]) == (100, 100, False)


def test_what_shows_other_than_it_is_is_not_proposed(client):
    bad = ["auth\x1b[31m", "auth\u202eb", "au\u200bth", "auth\nb\x07", "auth" * 51]
    remember(client, {"tags": [*bad, "auth"]}, *({"namespace": name} for name in bad))
    assert values(client, prompt("review-decisions"), "topic", "au") == ["auth"]
    assert values(client, RECENT, "namespace", "auth") == []


@pytest.mark.parametrize(
    ("ref", "argument"),
    [
        (prompt("recall-context"), "task"),
        (prompt("save-session"), "summary"),
        (prompt("review-decisions"), "file_path"),
    ],
)
def test_to_what_may_be_anything_nothing_is_proposed(client, ref, argument):
    client.call("store_memory", {"content": "task", "tags": ["task"]})
    assert proposed(client, ref, argument) == {"values": [], "total": 0, "hasMore": False}


@pytest.mark.parametrize(
    ("ref", "argument", "words"),
    [
        (prompt("nothing"), "task", "unknown prompt 'nothing'"),
        (prompt("onboard"), "task", "there is no argument 'task' to complete; there are namespace"),
        ({"type": "ref/resource", "uri": "memory://x"}, "id", "unknown resource template 'memory://x'"),
        (BY_ID, "namespace", "there is no argument 'namespace' to complete; there are id"),
    ],
)
def test_what_is_no_prompt_or_template_is_refused(asked, ref, argument, words):
    with pytest.raises(ProtocolError) as refused:
        proposed(asked, ref, argument)
    assert refused.value.code == -32602
    assert refused.value.message.startswith(words)


@pytest.mark.parametrize("era", ERAS)
def test_a_read_only_server_proposes_the_same(tmp_path, era):
    with McpClient(tmp_path / "data") as writer:
        key = writer.call("store_memory", {"content": "kept", "tags": ["auth"], "namespace": "/src"})["id"]
    with speaking(era, tmp_path / "data", "--read-only") as reader:
        assert values(reader, BY_ID, "id") == [key]
        assert values(reader, RECENT, "namespace") == ["/src"]
        assert values(reader, prompt("review-decisions"), "topic") == ["auth"]
