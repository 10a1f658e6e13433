"""`indelible delete`: single things of any kind go by their ids, whole, and an undo brings them back."""

import json
import re

import pytest

from command_line import assert_sound, done, export, opened, refused, result
from indelible.toolsets import registry

pytestmark = pytest.mark.process

FAILURE = {
    "errorType": "runtime",
    "errorMessage": "queue 7 hangs",
    "rootCause": "no consumer",
    "fixApplied": "start the consumer",
}


def call(ctx, tool, **arguments):
    return registry.call(ctx, registry.find_tool(tool), arguments).value


@pytest.fixture
def data(tmp_path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        call(
            ctx,
            "store_memory",
            content="# Deploys\n\nOn Tuesdays.\n\n# Rollback\n\nDie Brücke.",
            file_name="deploys.md",
        )
        call(ctx, "store_memory", content="stays")
    return data


def kinds(data):
    return sorted(json.loads(line)["kind"] for line in export(data).splitlines())


def stored(data, tool, key, **arguments):
    with opened(data) as ctx:
        return call(ctx, tool, **arguments)[key]


def test_a_document_goes_by_its_name_with_its_chunks_and_an_undo_brings_all_back(data):
    before = export(data)
    said = done("delete", "deploys.md", data=data)
    assert said.startswith("deleted document ")
    assert re.search(
        r": # Deploys On Tuesdays\. # Rollback Die Brücke\.\n`indelible undo --operation \w+` brings it", said
    )
    assert kinds(data) == ["memory"]
    assert "undone delete" in done("undo", data=data)
    assert export(data) == before
    assert_sound(data)


def test_a_failure_goes_with_the_entities_that_it_wrote(data):
    before = export(data)
    failure = stored(data, "matrix_failure", "id", **FAILURE)
    assert kinds(data).count("entity") == 2
    done("delete", failure, data=data)
    assert export(data) == before


@pytest.mark.parametrize(
    ("tool", "key", "arguments", "kind"),
    [
        ("matrix_store", "id", {"problem": "the queue hangs", "solution": "restart", "scope": "global"}, "solution"),
        ("add_todo", "todo_id", {"title": "drain the queue"}, "todo"),
        ("log_chat", "message_id", {"content": "the queue hangs again", "conversation_id": "c"}, "message"),
        ("log_code_attempt", "pattern_id", {"input_prompt": "p", "generated_code": "c", "result": "pass"}, "attempt"),
        ("memorize", "id", {"id": "v", "vector": {"1": 1.0}, "text": "queue"}, "vector"),
        ("store_memory", "id", {"content": "queues hang"}, "memory"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_whatever_has_an_id_goes_by_it(data, tool, key, arguments, kind):
    before = export(data)
    id_ = str(stored(data, tool, key, **arguments) if tool != "memorize" else stored_vector(data, arguments))
    assert done("delete", f"{kind}:{id_}", data=data).startswith(
        f"deleted {kind} {id_[:8] if kind == 'memory' else id_}: "
    )
    assert export(data) == before
    assert result("history", f"{kind}:{id_}", data=data)["states"][0]["tool"] == "delete"


def stored_vector(data, arguments):
    with opened(data) as ctx:
        call(ctx, "memorize", **arguments)
    return arguments["id"]


def test_several_go_as_one_operation_and_none_where_one_is_unknown(data):
    id_ = stored(data, "store_memory", "id", content="goes")
    before = export(data)
    assert "ID 'nothing' is unknown" in refused("delete", id_, "nothing", data=data)
    assert export(data) == before
    done("delete", id_, "deploys.md", id_, data=data)
    assert kinds(data) == ["memory"]
    done("undo", data=data)
    assert export(data) == before


def test_a_chunk_goes_with_its_document_only(data):
    chunk = next(line["id"] for line in map(json.loads, export(data).splitlines()) if line["kind"] == "chunk")
    assert "is a part of the document doc_" in refused("delete", f"chunk_{chunk}", data=data)


def test_what_was_replaced_is_current_again_when_its_successor_goes_and_both_come_back(data):
    old = stored(data, "store_memory", "id", content="deploys go through jenkins")
    new = stored(data, "refine_memory", "new_id", id=old, content="deploys go through github")
    before = export(data)
    done("delete", new, data=data)
    done("undo", data=data)
    assert export(data) == before
    done("delete", new, old, data=data)
    done("undo", data=data)
    assert export(data) == before


def test_a_secret_in_what_was_typed_is_not_repeated(data):
    secret = "ghp_" + "A1b2C3d4" * 4 + "E5f6"
    assert secret not in refused("delete", secret, data=data)
